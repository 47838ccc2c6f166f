"""A report tells the numbers that the results hold, computed here once more by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sjavs_agents.arena.results_folder import load
from sjavs_agents.reporting.costs import pareto
from sjavs_agents.reporting.evaluation_file import read_evaluation, read_folder
from sjavs_agents.reporting.population import labels_of, measured
from sjavs_agents.reporting.swing_deals import dealt_hands
from sjavs_env.cards import SUIT_SYMBOLS
from tests.agents.reporting.results import BOARDS, evaluated, report, tables_of


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the tables lie of three agents with their boards."""
    folder = tmp_path_factory.mktemp("report")
    report(folder, evaluated())
    return folder


def results(folder: Path) -> Any:
    return json.loads((folder / "results.json").read_text("utf-8"))


def test_pairs_are_told_as_their_boards_are(told: Path) -> None:
    folder = evaluated()
    matches = {m.agents: m for m in load(folder).pairs}
    rows = tables_of(told, "pairs")
    assert len(rows) == 3 * 3
    for row in rows:
        boards = matches[row["a"], row["b"]].board_game_points
        assert int(row["boards"]) == len(boards) == BOARDS
        if row["estimate"] == "game_points":
            low, mean, high = (float(row[k]) for k in ("low", "mean", "high"))
            assert mean == pytest.approx(sum(boards) / BOARDS)
            error = np.std(boards, ddof=1) / BOARDS**0.5
            assert [low, high] == pytest.approx([mean - 2 * error, mean + 2 * error], abs=error / 2)
        elif row["estimate"] == "boards_won":
            won = sum((x > 0) + (x == 0) / 2 for x in boards) / BOARDS
            assert float(row["mean"]) == pytest.approx(won)


def test_p_values_are_corrected_for_their_number(told: Path) -> None:
    rows = [r for r in tables_of(told, "pairs") if r["estimate"] == "game_points"]
    order = sorted(rows, key=lambda r: float(r["p_value"]))
    worst = 0.0
    for i, row in enumerate(order):
        worst = max(worst, min(1.0, (len(rows) - i) * float(row["p_value"])))
        assert float(row["p_corrected"]) == pytest.approx(worst)


def test_without_boards_the_numbers_are_those_of_the_file(tmp_path: Path) -> None:
    file = evaluated() / "results.json"
    page = report(tmp_path, file)
    assert "by Student&#x27;s t; a folder of results (--out) holds every board" in page
    rows = [r for r in tables_of(tmp_path, "pairs") if r["estimate"] == "game_points"]
    for row, pair in zip(rows, results(file.parent)["pairs"], strict=True):
        stored = pair["estimates"]["game_points"]
        assert [float(row["low"]), float(row["high"])] == stored["interval"]
        assert float(row["p_value"]) == stored["p_value"]
    with_boards = measured(read_folder(file.parent))
    without = measured(read_evaluation(file))
    assert [r.mean for r in without.ratings] == pytest.approx([r.mean for r in with_boards.ratings])
    assert without.share == pytest.approx(with_boards.share)
    assert all(r.low is None for r in without.ratings)


def test_the_rating_by_margins_is_the_mean_margin(told: Path) -> None:
    margin: dict[str, float] = {"rules": 0, "greedy": 0, "random": 0}
    for pair in results(evaluated())["pairs"]:
        a, b = pair["agents"]
        margin[a] += pair["estimates"]["game_points"]["mean"] / 3
        margin[b] -= pair["estimates"]["game_points"]["mean"] / 3
    rows = tables_of(told, "ratings")
    assert {r["agent"]: float(r["rating"]) for r in rows} == pytest.approx(margin)
    assert [r["agent"] for r in rows] == sorted(margin, key=lambda a: -margin[a])
    assert sum(float(r["nash_share"]) for r in rows) == pytest.approx(1)
    for row in rows:
        assert float(row["low"]) < float(row["rating"]) < float(row["high"])


def test_costs_are_those_of_all_matches_of_an_agent(told: Path) -> None:
    seconds = dict.fromkeys(["rules", "greedy", "random"], 0.0)
    decisions: dict[str, int] = {}
    for pair in results(evaluated())["timings"]:
        for one in pair:
            seconds[one["agent"]] += one["cpu_seconds"]
            decisions[one["agent"]] = decisions.get(one["agent"], 0) + one["decisions"]
    for row in tables_of(told, "costs"):
        name = row["agent"]
        assert int(row["decisions"]) == decisions[name]
        wanted = 1000 * seconds[name] / decisions[name]
        assert float(row["ms_per_decision"]) == pytest.approx(wanted)


@pytest.mark.parametrize("seed", range(5))
def test_nobody_on_the_line_of_costs_is_beaten_at_its_cost(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cost, strength = rng.integers(1, 6, size=(2, 12)).astype(float)
    unbeaten = {
        i for i in range(12)
        if not any(cost[j] <= cost[i] and strength[j] >= strength[i]
                   and (cost[j], strength[j]) != (cost[i], strength[i]) for j in range(12))
    }  # fmt: skip
    found = pareto(cost, strength).tolist()
    assert {(cost[i], strength[i]) for i in found} == {(cost[i], strength[i]) for i in unbeaten}
    assert [cost[i] for i in found] == sorted({cost[i] for i in unbeaten})


def test_the_ratings_predict_the_boards_that_they_were_fitted_to(told: Path) -> None:
    rating = {r["agent"]: float(r["board_rating"]) for r in tables_of(told, "ratings")}
    for row in tables_of(told, "rating_calibration"):
        odds = 10 ** ((rating[row["a"]] - rating[row["b"]]) / 400)
        assert float(row["predicted"]) == pytest.approx(odds / (1 + odds))
        assert float(row["predicted"]) == pytest.approx(float(row["observed"]), abs=0.1)


def test_contracts_are_counted_over_all_matches_of_an_agent(told: Path) -> None:
    for table in ("bids", "suits", "results"):
        total: dict[tuple[str, str], int] = {}
        for pair in results(evaluated())["pairs"]:
            for one in pair["by_agent"]:
                for kind, n in one[table].items():
                    key = (one["agent"], kind)
                    total[key] = total.get(key, 0) + n
        rows = tables_of(told, table)
        found = {(agent, kind): int(row[agent]) for row in rows for kind in [row[next(iter(row))]]
                 for agent in ("rules", "greedy", "random")}  # fmt: skip
        assert found == {key: n for key, n in total.items() if key[1] in {k for _, k in found}}
        assert sum(found.values()) == sum(total.values())


def test_declarers_make_what_the_records_say(told: Path) -> None:
    folder = evaluated()
    made: dict[str, list[bool]] = {}
    for line in (folder.parent / "games.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        for deal in record["deals"]:
            if deal["result"]["declarer"] is not None:
                change = deal["result"]["score_change"]  # scores count down
                declarer = deal["result"]["declarer"]
                won = change[declarer] <= change[(declarer + 1) % 4]
                tied = deal["result"]["outcome"] == "tie"
                made.setdefault(record["players"][declarer], []).append(won and not tied)
    for row in tables_of(told, "declared"):
        own = made[row["agent"]]
        shares = [float(row[name].split(" %")[0]) for name in ("of these made", "declared")]
        exact = [sum(own) / len(own), len(own) / int(row["deals"])]
        assert shares == pytest.approx([100 * x for x in exact], abs=0.051)


@pytest.mark.parametrize("rules", ["faroese", "klorsjavs", "handjass_alt"])
def test_the_cards_of_a_swing_are_those_that_were_dealt(rules: str) -> None:
    more = ("--players", "3") if rules == "handjass_alt" else ()
    folder = evaluated(rules, *more)
    game, evaluation = load(folder).game, read_folder(folder)
    lines = (folder.parent / "games.jsonl").read_text("utf-8").splitlines()
    records = [json.loads(x) for x in lines]
    decks = {d["deal_number"]: (d["deck"], d["dealer"]) for r in records for d in r["deals"]}
    for swing in evaluation.pairs[0].swings:
        for number in swing.last_deals:
            deck, dealer = decks[number]
            assert dealer == swing.dealer
            state = game.new_games(1, dealer=dealer)
            game.deal_deck(state, np.array([0]), np.array([game.pack.parse(deck)]))
            shown = dealt_hands(game, evaluation.seed, number, swing.dealer)
            for seat, (_, suits) in enumerate(shown[: game.tables.n_players]):
                cards = {rank.replace("10", "T") + suit for symbol, ranks in suits
                         for rank in ranks.split() if rank != "–"
                         for suit, s in SUIT_SYMBOLS.items() if s == symbol}  # fmt: skip
                held = int(state.hand[0, seat])
                assert cards == {c for i, c in enumerate(game.pack.cards) if held >> i & 1}


def test_two_agents_of_one_name_are_told_apart() -> None:
    assert labels_of(["a", "b", "a", "a"]) == ("a", "b", "a (2)", "a (3)")


def test_the_largest_differences_of_all_pairs_are_listed(told: Path) -> None:
    listed = [row["game points per deal"] for row in tables_of(told, "swings")]
    largest = [abs(x) for m in load(evaluated()).pairs for x in m.board_game_points]
    wanted = sorted(largest, reverse=True)[: len(listed)]
    assert [abs(float(x.replace("−", "-"))) for x in listed] == pytest.approx(wanted, abs=0.005)
