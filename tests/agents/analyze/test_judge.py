"""Deals are judged by what seats knew and with open hands, and the two are kept apart."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sjavs_agents.analyze.judge import Judge
from sjavs_agents.analyze.judgement import Decision, Judgement
from sjavs_agents.analyze.recorded_games import Deal, read_games
from sjavs_agents.registry import make_agent
from sjavs_agents.worlds.sampler import Sampler
from sjavs_env import Phase, view_of
from tests.agents.analyze.games import record_of, written

WORLDS = 3
LATE = 3  # tricks from the end that are judged where time matters


def deals_of(path: Path, rules: str, players: int = 0, seed: int = 1) -> list[Deal]:
    (found,) = read_games(written(path / "game.jsonl", record_of(rules, players, seed)))
    return found.deals


def judged(deal: Deal, *agents: str, worlds: int = WORLDS, seed: int = 0) -> Judgement:
    names = [make_agent(name, deal.game) for name in agents]
    return Judge(deal.game, names, worlds).judge(deal, seed)


def moment(deal: Deal, move: int) -> Deal:
    """The deal cut down to one position, as if it had been broken off there."""
    state = deal.state.select(np.array([move]))
    return replace(deal, state=state, action=deal.action[move : move + 1], end=state)


def late_choices(deal: Deal) -> list[int]:
    """Moves of the last tricks with a choice of cards."""
    first = deal.game.tables.n_tricks - LATE
    choices = deal.choices()
    late = deal.state.trick_number[choices] >= first
    is_card = deal.state.phase[choices] == Phase.PLAY
    return [int(move) for move in choices[late & is_card]]


@pytest.mark.parametrize(
    ("rules", "players", "seed"),
    [("klorsjavs", 0, 3), ("danish_4", 0, 2), ("auction_sjavs", 0, 2), ("faroese", 0, 1),
     ("handjass", 2, 1)],
)  # fmt: skip
def test_what_was_made_is_what_was_held_less_the_losses(
    tmp_path: Path, rules: str, players: int, seed: int
) -> None:
    played = 0
    for deal in deals_of(tmp_path, rules, players, seed):
        luck = judged(deal, worlds=1).luck
        if luck is None:
            continue
        ours, theirs = (side.lost for side in luck.sides)
        for utility in ("points", "score"):
            expected = luck.held[utility] - ours[utility] + theirs[utility]
            assert luck.made[utility] == pytest.approx(expected, abs=1e-6)
            assert min(ours[utility], theirs[utility]) >= 0
        result = deal.result()
        assert luck.made_points in result.get("side_points", result["card_points"])
        played += 1
    assert played > 0


def knowledge(decision: Decision) -> dict[str, Any]:
    """Everything that is said of a decision but what open hands tell."""
    said = asdict(decision)
    del said["open_hands"]
    return said


@pytest.mark.parametrize(
    ("rules", "players", "seed"), [("faroese", 0, 1), ("klorsjavs", 0, 3), ("handjass", 2, 3)]
)
def test_hidden_cards_change_nothing_of_what_a_seat_is_judged_by(
    tmp_path: Path, rules: str, players: int, seed: int
) -> None:
    deal = next(d for d in deals_of(tmp_path, rules, players, seed) if late_choices(d))
    differing = 0
    for move in late_choices(deal):
        state = deal.state.select(np.array([move]))
        view = view_of(deal.game, state, np.array([0]), state.seat.copy())
        others = Sampler(deal.game).sample(view, 4, np.random.default_rng(move))
        (truth,) = judged(moment(deal, move), "greedy").decisions
        for world in range(len(others)):
            there = others.select(np.array([world]))
            elsewhere = replace(moment(deal, move), state=there, end=there)
            (other,) = judged(elsewhere, "greedy").decisions
            assert knowledge(other) == knowledge(truth)
            differing += other.open_hands != truth.open_hands
    assert differing > 0


def test_where_all_is_known_both_judgements_agree(tmp_path: Path) -> None:
    deal = deals_of(tmp_path, "faroese_2")[0]
    known = [
        (d.fair, d.open_hands)
        for move in late_choices(deal)
        for d in judged(moment(deal, move), worlds=60).decisions
        if d.fair is not None and d.fair.exact and d.fair.worlds == 1
    ]
    for fair, open_hands in known:
        assert fair is not None
        assert open_hands is not None
        assert fair.values == open_hands.values
        assert fair.loss == open_hands.loss
    assert known


def test_few_worlds_are_all_listed_and_many_are_drawn(tmp_path: Path) -> None:
    deal = deals_of(tmp_path, "klorsjavs", seed=3)[0]
    kinds = set()
    for decision in judged(deal, worlds=40).decisions:
        if decision.fair is not None:
            kinds.add(decision.fair.exact)
            assert decision.fair.worlds <= 40
            if decision.fair.exact:
                assert set(decision.fair.error.values()) == {0.0}
            else:
                assert decision.fair.worlds == 40
    assert kinds == {True, False}


def test_agents_answer_for_every_choice_and_beliefs_add_up(tmp_path: Path) -> None:
    deal = deals_of(tmp_path, "klorsjavs", seed=3)[0]
    judgement = judged(deal, "rules", "greedy")
    assert [d.move for d in judgement.decisions] == deal.choices().tolist()
    for decision in judgement.decisions:
        assert set(decision.agents) == {"rules", "greedy"}
        assert set(decision.agents.values()) <= set(decision.legal)
        assert decision.action in decision.legal
        assert decision.belief is not None
        for chances in decision.belief.values():
            assert sum(chances.values()) == pytest.approx(1.0)
            assert f"seat {decision.seat}" not in chances


def test_the_same_seed_says_the_same_and_another_draws_other_worlds(tmp_path: Path) -> None:
    deal = deals_of(tmp_path, "klorsjavs", seed=3)[0]
    assert judged(deal, "random") == judged(deal, "random")
    assert judged(deal, "random") != judged(deal, "random", seed=1)


def test_games_of_more_than_two_sides_are_told_apart(tmp_path: Path) -> None:
    deal = next(d for d in deals_of(tmp_path, "handjass", 3) if len(d.choices()))
    judgement = judged(deal, "greedy")
    assert judgement.luck is None
    assert any("no game of two sides" in note for note in judgement.notes)
    assert all(d.fair is None and d.open_hands is None for d in judgement.decisions)
    assert all(d.agents["greedy"] in d.legal for d in judgement.decisions)
    assert any(d.belief for d in judgement.decisions)
    for chances in (c for d in judgement.decisions for c in (d.belief or {}).values()):
        assert sum(chances.values()) == pytest.approx(1.0)


def test_a_broken_off_deal_has_no_luck(tmp_path: Path) -> None:
    deal = deals_of(tmp_path, "klorsjavs", seed=3)[0]
    judgement = judged(moment(deal, late_choices(deal)[0]))
    assert judgement.luck is None
    assert "the deal was broken off, so there is no luck to judge" in judgement.notes
    assert judgement.decisions[0].open_hands is not None


def test_a_deal_broken_off_by_its_first_action_has_nothing_to_judge(tmp_path: Path) -> None:
    record = record_of("danish_4")
    record["deals"] = record["deals"][:1]
    record["deals"][0] |= {"actions": [], "result": {"kind": "forfeit"}}
    (game,) = read_games(written(tmp_path / "x.jsonl", record))
    judgement = judged(game.deals[0], "rules")
    assert judgement.decisions == []
    assert judgement.luck is None
    assert "no card was played" in judgement.notes[-1]


def test_cheats_and_no_worlds_are_refused(tmp_path: Path) -> None:
    deal = deals_of(tmp_path, "klorsjavs", seed=3)[0]
    with pytest.raises(ValueError, match="'cheater' looks into all hands; allowed: agents"):
        judged(deal, "cheater")
    for worlds in (0, 10**9):
        with pytest.raises(ValueError, match=f"worlds is {worlds}; allowed: 1 to 100000"):
            judged(deal, worlds=worlds)
