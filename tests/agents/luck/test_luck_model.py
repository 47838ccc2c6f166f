"""What is taken off for luck has no mean, whoever plays, and its intervals hold what they say."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from sjavs_agents.base import Floats, Ints, open_decisions
from sjavs_agents.luck import deal_values
from sjavs_agents.luck.crowd import club, noisy
from sjavs_agents.luck.deal_values import DealValues
from sjavs_agents.luck.fitting import fit_model, numbered_deals, play_deals
from sjavs_agents.luck.luck_model import FITTED, fitted_path, places, read_model, write_model
from sjavs_agents.luck.outcomes import UNITS, Dealt, first_states, margins
from sjavs_agents.luck.skill import per_deal
from sjavs_agents.registry import make_agent
from sjavs_agents.stats.estimates import estimate_mean
from sjavs_env import Game, view_of
from tests.engine.table import game_of, table_of

pytest.importorskip("numba")

GAMES = {"faroese": game_of("faroese"), "klorsjavs": game_of("klorsjavs"),
         "handjass 2": table_of("handjass", 2), "handjass 3": table_of("handjass", 3)}  # fmt: skip
CHEAP = {"club": (club, 2), "noisy": (noisy, 1)}


@pytest.fixture(autouse=True)
def _few_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deal_values, "PLAYED", CHEAP)


def without_solver(game: Game, monkeypatch: pytest.MonkeyPatch) -> DealValues:
    """Values by cheap players alone: what is solved takes long in some games."""
    monkeypatch.setattr(deal_values, "_open_hand_solver", lambda _: None)
    return DealValues(game)


@pytest.mark.parametrize("name", GAMES)
def test_values_depend_on_the_deal_alone_and_add_up_to_zero(name: str) -> None:
    game = GAMES[name]
    values = DealValues(game)
    dealt = numbered_deals(game, 6, seed=3)
    found = values.of(dealt)
    assert found.shape == (6, game.tables.n_players, len(values.names))
    np.testing.assert_allclose(found.sum(axis=1), 0, atol=1e-4)
    np.testing.assert_array_equal(found, values.of(dealt))
    assert ("open_hands" in values.names) == (name != "handjass 3")
    open_hands = list(values.names).index("open_hands") if "open_hands" in values.names else None
    if open_hands is not None:  # solving draws nothing: other draws leave it as it is
        others = values.of(dealt, seed=9)
        np.testing.assert_array_equal(found[..., open_hands], others[..., open_hands])
        assert found[..., open_hands].any()


def test_results_are_those_of_the_engine_seat_by_seat() -> None:
    for game in GAMES.values():
        dealt = numbered_deals(game, 40, seed=5)
        state = first_states(game, dealt)
        rng = np.random.default_rng(0)
        agent = make_agent("greedy", game)
        for rows, mask in open_decisions(game, state):
            game.step(state, agent.act(view_of(game, state, rows, state.seat[rows]), mask, rng),
                      rows)  # fmt: skip
        found = margins(game, state)
        for b in range(40):
            part = game.taking_part(state, np.array([b]))
            seats = np.arange(game.tables.n_players) if part is None else np.flatnonzero(part[0])
            gains = game.gains(state)[b]
            for seat in seats:
                ally = game.tables.result.ally[0]
                if game.rules.sides == "partners":
                    others = [s for s in seats if ally[s] != ally[seat]]
                else:
                    others = [s for s in seats if s != seat]
                wanted = gains[seat] - np.mean(gains[others])
                assert found["game_points"][b, seat] == pytest.approx(wanted, abs=1e-4)


@pytest.mark.parametrize("name", ["faroese", "klorsjavs"])
def test_what_is_taken_off_has_no_mean_on_fresh_deals(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = GAMES[name]
    values = without_solver(game, monkeypatch)
    agents = [make_agent("rules", game), make_agent("greedy", game)]
    model = fit_model(game, agents, 600, seed=1)
    fresh = numbered_deals(game, 600, seed=2)
    found = values.of(fresh)
    results = play_deals(game, agents[:1], fresh, seed=2)
    place = places(fresh.dealer, game.tables.n_players)
    for unit, correction in model.corrections.items():
        off = correction.off(values.names, found, fresh.dealer)
        rest = results[unit] - off
        assert rest.var() < 0.7 * results[unit].var()  # else there is nothing to it
        for p in range(game.tables.n_players):
            here = off[place == p]
            error = np.sqrt(here.var() / len(here) + correction.covariance[p][p])
            assert abs(here.mean()) < 4 * error


def simulated(
    rng: np.random.Generator, skill: float, n: int, mean: Floats
) -> tuple[Floats, Floats, Ints]:
    """Results of one seat that luck of two kinds decides, one of which is measured, with slips."""
    place = rng.integers(4, size=n)
    luck = rng.standard_normal(n) * 4 + np.array([1.0, 0.0, 0.0, -1.0])[place]
    result = skill + np.round(luck + rng.exponential(2, n) - 2)
    return result, 0.8 * luck - mean[place], place


def test_19_of_20_intervals_hold_the_truth() -> None:
    rng = np.random.default_rng(7)
    hits = {"plain": 0, "skill": 0}
    truth = 0.3 + float(np.mean(simulated(rng, 0.0, 400_000, np.zeros(4))[0]))
    times, n, fitted = 1000, 120, 300
    for _ in range(times):
        _, v, place = simulated(rng, 0.0, fitted, np.zeros(4))
        mean = np.array([v[place == p].mean() for p in range(4)])
        var = np.array([v[place == p].var(ddof=1) / (place == p).sum() for p in range(4)])
        result, off, place = simulated(rng, 0.3, n, mean)
        share = np.bincount(place, minlength=4) / n
        ones = np.ones(n)
        for name, found in (
            ("plain", per_deal(result, ones)),
            ("skill", per_deal(result - off, ones, float(share**2 @ var))),
        ):
            assert found.low is not None
            assert found.high is not None
            hits[name] += found.low <= truth <= found.high
    for name in hits:
        assert 0.93 <= hits[name] / times <= 0.97, (name, hits[name])


def test_a_mean_per_deal_is_the_mean_of_units_of_one_deal_each() -> None:
    sums = np.random.default_rng(1).normal(size=30)
    found, plain = per_deal(sums, np.ones(30)), estimate_mean(sums)
    assert found.mean == pytest.approx(plain.mean)
    assert (found.low, found.high) == pytest.approx((plain.low, plain.high))
    assert found.spread == pytest.approx(plain.spread)


def test_unequal_units_have_the_interval_of_leaving_each_out_in_turn() -> None:
    rng = np.random.default_rng(2)
    deals = rng.integers(1, 9, size=400).astype(np.float64)
    sums = deals * 0.4 + rng.normal(size=400) * np.sqrt(deals)
    found = per_deal(sums, deals)
    without = (sums.sum() - sums) / (deals.sum() - deals)
    jackknife = np.sqrt(399 / 400 * ((without - without.mean()) ** 2).sum())
    assert found.low is not None
    assert found.high is not None
    assert (found.high - found.low) / 2 == pytest.approx(1.966 * jackknife, rel=0.02)
    assert per_deal(np.zeros(3), np.zeros(3)).low is None
    assert per_deal(np.ones(1), np.ones(1)).low is None


def test_a_stored_model_is_the_one_that_was_written(tmp_path: Path) -> None:
    game = GAMES["handjass 3"]
    model = fit_model(game, [make_agent("greedy", game)], 60, seed=4)
    path = tmp_path / "model.json"
    write_model(path, model)
    read_game, stored = read_model(path)
    assert read_game.rules == game.rules
    assert (stored.rules, stored.made) == (model.rules, model.made)
    for unit in UNITS:
        one, other = stored.corrections[unit], model.corrections[unit]
        assert one.weights == pytest.approx(other.weights)
        np.testing.assert_allclose(one.covariance, other.covariance, atol=1e-8)
        assert one.mean == pytest.approx(other.mean)


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [
        (("format",), "x", "format is 'x'"),
        (("made", "deals"), 0, "made.deals is 0; allowed: 1"),
        (("corrections", "game_points", "mean"), [0.0], "is for [1, 3] seats; allowed: 3"),
        (("corrections", "card_points", "weights", "a"), "b", "weights.a is 'b'"),
        (("corrections", "card_points", "explained"), float("nan"), "explained is nan"),
        (("rules", "name"), "bridge", "there are no rules named 'bridge'"),
    ],
)
def test_a_file_that_holds_no_model_is_told_in_one_line(
    tmp_path: Path, place: tuple[str, ...], value: object, words: str
) -> None:
    path = fitted_path(GAMES["handjass 3"])
    data = json.loads(path.read_text("utf-8"))
    inner = data
    for name in place[:-1]:
        inner = inner[name]
    inner[place[-1]] = value
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps(data), "utf-8")
    with pytest.raises(ValueError, match=r"wrong\.json") as raised:
        read_model(wrong)
    assert words in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("path", sorted(FITTED.glob("*.json")), ids=lambda path: path.stem)
def test_a_model_that_comes_with_the_program_fits_its_game(path: Path) -> None:
    game, model = read_model(path)
    assert fitted_path(game) == path
    model.check_game(game, DealValues(game).names)
    assert model.made["deals"] >= 400
    for correction in model.corrections.values():
        assert sum(correction.mean) == pytest.approx(0, abs=1e-4)
        assert 0.2 < correction.explained < 1


def test_a_model_is_for_one_game_and_its_values() -> None:
    _, model = read_model(fitted_path(GAMES["handjass 3"]))
    with pytest.raises(ValueError, match="the luck model allows"):
        model.check_game(GAMES["faroese"], ())
    with pytest.raises(ValueError, match="weights are of"):
        model.check_game(GAMES["handjass 3"], ("other",))


def test_a_hand_that_goes_round_brings_each_seat_what_it_brought_the_one_before() -> None:
    """Turned by a seat, dealer and all, a deal is worth the same to those who now hold it."""
    game = GAMES["handjass 3"]
    dealt = numbered_deals(game, 1, seed=8)
    greedy = [make_agent("greedy", game)]
    here = play_deals(game, greedy, dealt, seed=0)
    for turn in range(3):
        turned = Dealt(dealt.decks, (dealt.dealer + turn) % 3, dealt.cut)
        there = play_deals(game, greedy, turned, seed=0)
        for unit in UNITS:
            np.testing.assert_allclose(np.roll(here[unit], turn, axis=1), there[unit], atol=1e-5)
