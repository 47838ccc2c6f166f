"""The network of a belief: it corrects what is known and cannot contradict it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from sjavs_agents.belief.learned_belief import (
    Belief,
    BeliefConfig,
    BeliefLearner,
    load_belief,
    save_belief,
)
from sjavs_agents.belief.self_play import Moment, SelfPlay
from sjavs_agents.heuristic.random_agent import PassingAgent
from sjavs_agents.neural.checkpoint import CheckpointError, read_checkpoint, write_checkpoint
from sjavs_agents.neural.policy import load_agent
from sjavs_agents.worlds.sampler import Sampler
from sjavs_env import Game, Phase, make_rules, read_overrides, view_of
from tests.agents.belief.tiny import opinionated, written_belief
from tests.engine.kinds import EVERY_TRAIT, as_one
from tests.engine.table import game_of, table_of


def moments(game: Game, n_games: int = 6, every: int = 5) -> list[Moment]:
    play = SelfPlay(game, PassingAgent(game, 0.6), n_games, seed=3)
    return list(play.deal())[::every]


@pytest.mark.parametrize("table", as_one(EVERY_TRAIT))
def test_it_spreads_each_hidden_card_over_its_possible_holders(table: tuple[str, int]) -> None:
    game = table_of(*table)
    sampler, belief = Sampler(game), opinionated(game)
    changed = 0.0
    for moment in moments(game):
        exact = sampler.chances(moment.view)
        chances = belief.chances(moment.view, exact)
        hidden = exact.sum(axis=1) > 0.5
        assert (chances[exact == 0] == 0).all()
        np.testing.assert_allclose(chances.sum(axis=1), hidden, atol=1e-5)
        changed = max(changed, float(np.abs(chances - exact).max()))
        truth = moment.holder(game, hidden)
        row, card = np.nonzero(hidden)
        assert (exact[row, truth[row, card], card] > 0).all()
    assert changed > 0.05


def test_a_network_that_says_nothing_changes_nothing() -> None:
    game = game_of("faroese")
    belief, sampler = opinionated(game), Sampler(game)
    with torch.no_grad():
        belief.net.head.weight.zero_()
    for moment in moments(game):
        exact = sampler.chances(moment.view)
        assert np.abs(belief.log_ratios(moment.view, exact)).max() < 1e-6
        np.testing.assert_allclose(belief.chances(moment.view, exact), exact, atol=1e-6)


@pytest.mark.parametrize("rules", ["faroese", "handjass"])
def test_logits_are_for_places_in_trump_order(rules: str) -> None:
    """The head is made to say the same whatever it sees: a number for each holder and place."""
    game = game_of(rules)
    belief, sampler = opinionated(game), Sampler(game)
    n_holders, n_cards = len(belief.holders), game.tables.n_cards
    says = np.random.default_rng(0).normal(size=(n_holders, n_cards))
    with torch.no_grad():
        belief.net.head.weight.zero_()
        belief.net.head.bias.copy_(torch.from_numpy(says.ravel()))
    for moment in moments(game):
        exact = sampler.chances(moment.view)
        slot = game.tables.slots.slot_of[belief.encoder.arrangement(moment.view)]
        weight = exact * np.exp(says[:, slot].transpose(1, 0, 2))
        total = weight.sum(axis=1, keepdims=True)
        expected = np.divide(weight, total, out=np.zeros_like(weight), where=total > 0)
        np.testing.assert_allclose(belief.chances(moment.view, exact), expected, atol=1e-5)


def test_what_is_learned_from_is_what_is_asked() -> None:
    """The loss of examples is that of the chances."""
    game = game_of("faroese_3")
    belief, sampler = opinionated(game), Sampler(game)
    learner = BeliefLearner(belief, 0)
    with torch.no_grad():
        belief.net.head.weight.mul_(100)
    for moment in moments(game):
        exact = sampler.chances(moment.view)
        truth = moment.holder(game, exact.sum(axis=1) > 0.5)
        row, card = np.nonzero(truth >= 0)
        chances = belief.chances(moment.view, exact)[row, truth[row, card], card]
        examples = belief.examples(moment.view, exact, truth)
        loss, exactly = learner.log_loss(examples)
        assert loss == pytest.approx(-np.log(chances).mean(), rel=1e-4)
        known = exact[row, truth[row, card], card]
        assert exactly == pytest.approx(-np.log(known).mean(), rel=1e-4)


@pytest.mark.parametrize("table", [("faroese", 4), ("faroese_2", 2), ("handjass", 3)], ids=str)
def test_it_depends_on_nothing_that_the_seat_cannot_see(table: tuple[str, int]) -> None:
    """Other hidden cards, and so another state, but the same bytes."""
    game = table_of(*table)
    sampler, belief, rng = Sampler(game), opinionated(game), np.random.default_rng(0)
    differ = 0
    for moment in moments(game):
        worlds = sampler.sample(moment.view, 2, rng)
        differ += int((worlds.hand[::2] != worlds.hand[1::2]).any())
        told = []
        for at in (np.arange(0, len(worlds), 2), np.arange(1, len(worlds), 2)):
            view = view_of(game, worlds, at, worlds.seat[at])
            told.append(belief.log_ratios(view, sampler.chances(view)))
        np.testing.assert_array_equal(told[0], told[1])
    assert differ


def test_a_step_makes_the_truth_likelier() -> None:
    game = game_of("faroese")
    belief, sampler = opinionated(game), Sampler(game)
    learner = BeliefLearner(belief, 0)
    moment = moments(game)[3]
    exact = sampler.chances(moment.view)
    examples = belief.examples(moment.view, exact, moment.holder(game, exact.sum(axis=1) > 0.5))
    losses = []
    for _ in range(30):
        losses.append(learner.log_loss(examples)[0])
        learner.learn(examples, np.arange(len(examples)), 2, 0.01)
    assert losses[-1] < losses[0] / 2
    assert learner.log_loss(examples)[1] == pytest.approx(losses[0], abs=0.05)


def test_a_file_gives_back_the_same_belief(tmp_path: Path) -> None:
    game = game_of("faroese")
    belief, sampler = opinionated(game), Sampler(game)
    path = tmp_path / "b.safetensors"
    save_belief(path, belief, {"agent": "nobody", "deals": 7})
    read = load_belief(str(path), game)
    for moment in moments(game):
        exact = sampler.chances(moment.view)
        np.testing.assert_array_equal(
            read.log_ratios(moment.view, exact), belief.log_ratios(moment.view, exact)
        )
    assert read.holders == belief.holders
    assert read_checkpoint(path)[1]["deals"] == 7


def test_weights_for_another_number_of_players_name_their_game(tmp_path: Path) -> None:
    options = {"players": 2, "limit": 25, "may_drop": True}
    game = game_of("handjass", **options)
    path = written_belief(tmp_path / "b.safetensors", game)
    message = (
        "trained on handjass for 2 players, .* those of handjass for 4 players; its game is (.*)$"
    )
    with pytest.raises(CheckpointError, match=message) as error:
        load_belief(str(path), game_of("handjass"))
    words = str(error.value).rpartition(" its game is ")[2].split()
    assert words[:3] == ["--rules", "handjass", "--set"]
    base = make_rules(words[1])
    assert make_rules(base, **read_overrides(base, words[3:])) == game.rules


def test_files_of_other_kinds_and_games_are_refused(tmp_path: Path) -> None:
    game, other = game_of("faroese"), game_of("klorsjavs")
    path = written_belief(tmp_path / "b.safetensors", game)
    with pytest.raises(
        CheckpointError, match="trained on faroese for 4 players, whose actions or observations"
    ):
        load_belief(str(path), other)
    with pytest.raises(CheckpointError, match="holds 'belief'; allowed here: 'agent'"):
        load_agent(str(path), game)
    with pytest.raises(CheckpointError, match="there is no such checkpoint file"):
        load_belief(str(tmp_path / "nothing.safetensors"), game)
    arrays, meta = read_checkpoint(path)
    changes: list[tuple[dict[str, Any], str]] = [
        ({"holds": "agent"}, "holds 'agent'; allowed here: 'belief'"),
        ({"observation": 0}, "trained on observations of version 0"),
        ({"config": {}}, "damaged or incomplete: config.belief"),
        ({"config": {"belief": {"width": 9, "layers": 1}}}, "do not fit"),
        ({"config": {"belief": {"depth": 9}}}, "damaged or incomplete: "),
    ]
    for change, message in changes:
        write_checkpoint(path, arrays, {**meta, **change})
        with pytest.raises(ValueError, match=message) as error:
            load_belief(str(path), game)
        assert "\n" not in str(error.value)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(CheckpointError, match="lies outside the file"):
        load_belief(str(path), game)


def test_a_card_that_is_not_hidden_is_not_learned_from() -> None:
    game = game_of("faroese")
    belief = Belief("x", game, Sampler(game).holders, BeliefConfig(width=4, layers=1))
    learner = BeliefLearner(belief, 0)
    moment = next(m for m in moments(game) if (m.view.phase == Phase.PLAY).any())
    exact = Sampler(game).chances(moment.view)
    nothing = moment.holder(game, np.zeros((len(moment), game.tables.n_cards), np.bool_))
    before = belief.net.head.weight.clone()
    examples = belief.examples(moment.view, exact, nothing)
    learner.learn(examples, np.arange(len(examples)), 1000, 0.1)
    assert learner.log_loss(examples) == (0.0, 0.0)
    assert torch.equal(belief.net.head.weight, before)
