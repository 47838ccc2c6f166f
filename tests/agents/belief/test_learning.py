"""A belief is learned from play that gives cards away, and the command that does it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from sjavs_agents.base import Ints
from sjavs_agents.belief.command import main
from sjavs_agents.belief.learned_belief import Belief, BeliefConfig
from sjavs_agents.belief.learning import Budget, Progress, learn_belief, stream
from sjavs_agents.belief.quality import Guesses, calibration_error, quality
from sjavs_agents.belief.self_play import SelfPlay
from sjavs_agents.heuristic.mixed_agent import MixedAgent
from sjavs_agents.heuristic.rule_agent import RuleAgent
from sjavs_agents.worlds.sampler import Sampler
from sjavs_env import Game, PlayerView
from tests.engine.kinds import EVERY_PAIR, as_one
from tests.engine.table import game_of, table_of


class FirstLegal:
    """Always does the first thing that is legal, and so tells what it has not got."""

    name = "first"

    def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
        return mask.argmax(axis=1)


def judged(game: Game, play: SelfPlay, belief: Belief) -> Guesses:
    sampler, parts = Sampler(game), []
    for moment in play.deal():
        exact = sampler.chances(moment.view)
        chances = {"exact": exact, "learned": belief.chances(moment.view, exact)}
        parts.append(Guesses.about(game, moment, exact, chances))
    return Guesses.joined(parts)


def test_it_learns_what_play_gives_away() -> None:
    game = game_of("klorsjavs")
    agent = MixedAgent(RuleAgent(game), FirstLegal(), only_cards=True)
    seen: list[Progress] = []
    belief = learn_belief(game, agent, BeliefConfig(64, 1), Budget(deals=3000), report=seen.append)
    assert seen[-1].deals >= 3000
    guesses = judged(game, SelfPlay(game, agent, 100, stream(0, "test")), belief)
    learned = quality(guesses, "learned", "exact")
    assert learned.excess.high is not None
    assert learned.excess.high < -0.02
    assert learned.skill > 0.03


def test_the_same_deals_and_seed_give_the_same_weights() -> None:
    game = game_of("klorsjavs")
    first, again, other = (
        learn_belief(game, FirstLegal(), BeliefConfig(8, 1), Budget(deals=20), seed)
        for seed in (1, 1, 2)
    )
    weights = [belief.net.head.weight.numpy() for belief in (first, again, other)]
    np.testing.assert_array_equal(weights[0], weights[1])
    assert not np.array_equal(weights[0], weights[2])


@pytest.mark.parametrize("table", as_one(EVERY_PAIR))
def test_self_play_tells_the_truth_about_every_hidden_card(table: tuple[str, int]) -> None:
    """Deal after deal; every card that may be somewhere is with one of its holders."""
    game = table_of(*table)
    play, sampler = SelfPlay(game, FirstLegal(), 3, seed=1), Sampler(game)
    first = [moment.view.hand.copy() for moment in play.deal()]
    for i, moment in enumerate(play.deal()):
        assert i > 0 or not np.array_equal(first[0], moment.view.hand)  # another deal
        if i % 4:
            continue
        exact = sampler.chances(moment.view)
        hidden = exact.sum(axis=1) > 0.5
        holder = moment.holder(game, hidden)
        assert ((holder >= 0) == hidden).all()
        row, card = np.nonzero(hidden)
        assert (exact[row, holder[row, card], card] > 0).all()
        has = game.unpack(moment.true)
        assert (has.sum(axis=1)[hidden] == 1).all()


def test_streams_of_different_purposes_share_no_deals() -> None:
    seeds = {stream(seed, purpose) for seed in range(50) for purpose in ("deals", "test", "order")}
    assert len(seeds) == 150
    assert min(seeds) >= 0


def test_measures_of_a_belief() -> None:
    """Two holders; one belief is right with 3/4, one says 1/2 of everything."""
    truth = np.array([0, 0, 0, 1])
    even, sure = np.full((4, 2), 0.5), np.tile([0.75, 0.25], (4, 1))
    guesses = Guesses({"even": even, "sure": sure}, truth, np.arange(4), np.zeros(4, np.intp))
    told = quality(guesses, "sure", "even")
    assert told.log_loss == pytest.approx(-(3 * np.log(0.75) + np.log(0.25)) / 4)
    assert told.brier == pytest.approx((3 * 2 * 0.25**2 + 2 * 0.75**2) / 4)
    assert told.divergence == pytest.approx(np.log(0.5) - np.log(0.75 * 0.25) / 2)
    assert told.skill == pytest.approx(1 - told.log_loss / np.log(2))
    assert quality(guesses, "even", "even").excess.mean == 0
    assert calibration_error(np.full(60, 0.25), np.arange(60) % 4 == 0) < 0.1
    assert calibration_error(np.full(60, 0.9), np.zeros(60, np.bool_)) == pytest.approx(0.9)


def command(path: Path, *more: str) -> list[str]:
    return ["--rules", "klorsjavs", "--agent", "greedy", "--deals", "6", "--test-deals", "4",
            "--width", "4", "--layers", "1", "--out", str(path), *more]  # fmt: skip


def test_the_same_command_writes_the_same_file_and_tells_how_good_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a, b = tmp_path / "a.safetensors", tmp_path / "b.safetensors"
    assert main(command(a)) == 0
    out = capsys.readouterr().out
    assert "hidden cards in 4 other deals" in out
    assert "all  exact" in out
    assert "all  learned" in out
    assert main(command(b)) == 0
    assert a.read_bytes() == b.read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == [a.name, b.name]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--agent", "nobody"], "there is no agent 'nobody'"),
        (["--rules", "whist"], "whist"),
        (["--width", "0"], "width is 0; allowed: 1 to 8192"),
        (["--test-deals", "0"], "test-deals is 0; allowed: a number from 1 to 100000"),
        (["--test-deals", "9" * 30], "9; allowed: a number from 1 to 100000"),
        (["--deals", "0"], "deals is 0; allowed: a number from 1 to 1000000000"),
        (["--deals", "1000000001"], "deals is 1000000001; allowed: a number from 1 to 1000000000"),
        (["--out", "x.pt"], "out is 'x.pt'; allowed: a name that ends in .safetensors"),
        (["--out", "no/such/x.safetensors"], "cannot be written"),
    ],
)
def test_bad_input_is_one_line(
    more: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command(tmp_path / "a.safetensors", *more)) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_minutes_are_a_number_above_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["--out", str(tmp_path / "a.safetensors"), "--minutes"]
    for minutes in ("0", "nan", "inf", "1e9"):
        assert main([*argv, minutes]) == 2
        assert "allowed: a number above 0" in capsys.readouterr().err
