"""The local best response: what it does is best against a policy that it knows."""

from __future__ import annotations

import numpy as np
import pytest

from sjavs_agents.registry import make_agent
from sjavs_agents.search.local_response import LocalResponseAgent, surplus
from sjavs_env import Phase, view_of
from tests.agents.exploit.weak import Lowest
from tests.agents.worlds.stories import tell, view_now
from tests.agents.worlds.test_posterior import late_story, weighed_deals
from tests.engine.table import game_of


def test_its_card_is_as_good_as_any_by_the_exact_posterior() -> None:
    """Values of cards by playing every possible world to its end."""
    game = game_of()
    policy = Lowest(game)
    searcher = LocalResponseAgent(game, policy, worlds=200, caution=0.0)
    for number in range(60):
        if (story := late_story(game, policy, number)) is None:
            continue
        viewer = int(story.state.seat[0])
        worlds, chances = weighed_deals(story, viewer, policy)
        mask = game.legal_actions(story.state)
        others = [seat for seat in range(4) if seat % 2 != viewer % 2]
        values = {}
        for card in np.flatnonzero(mask[0]).tolist():
            state = worlds.clone()
            game.step(state, np.full(len(state), card))
            while state.phase[0] != Phase.OVER:
                game.step(state, game.legal_actions(state).argmax(axis=1))
            gains = game.gains(state).astype(float)
            values[card] = float(chances @ (gains[:, viewer] - gains[:, others].mean(axis=1)))
        view, rng = view_now(story, viewer), np.random.default_rng(number)
        chosen = int(searcher.act(view, mask, rng)[0])
        assert values[chosen] == pytest.approx(max(values.values()), abs=0.3)
        if values[chosen] > values[int(mask[0].argmax())] + 0.3:
            return
    raise AssertionError("it never did better than the policy")


def test_it_deviates_only_where_that_is_better_by_so_many_standard_errors() -> None:
    differences = np.array([[0.0, 0.0, 0.0, 0.0], [3.0, 1.0, 3.0, 1.0], [9.0, -7.0, 9.0, -7.0]])
    errors = [np.sqrt(np.sum((row - row.mean()) ** 2) / 3 / 4) for row in differences]
    for caution in (0.0, 1.0, 2.0):
        wanted = [row.mean() - caution * e for row, e in zip(differences, errors, strict=True)]
        np.testing.assert_allclose(surplus(differences, caution), wanted)
    np.testing.assert_array_equal(surplus(np.array([[2.0]]), 1.0), [2.0])  # one world has no error


def test_against_itself_alone_it_keeps_to_a_policy_that_cannot_matter() -> None:
    """Where every action leads to the same results, it does what the policy does."""
    game = game_of()
    policy = make_agent("greedy", game)
    story = tell(game, policy, 0, 3, 31)  # the last card but one: all is forced
    seat = story.state.seat
    view, mask = view_of(game, story.state, np.array([0]), seat), game.legal_actions(story.state)
    rng = np.random.default_rng(0)
    own = policy.act(view, mask, rng)
    searcher = LocalResponseAgent(game, policy, worlds=4, caution=0.0)
    np.testing.assert_array_equal(searcher.act(view, mask, rng), own)


def test_games_without_an_exact_posterior_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^agent 'lbr': infer does not know faroese_2"):
        make_agent("lbr", game_of("faroese_2"))
    with pytest.raises(ValueError, match="'drawing' draws its actions and does not tell"):
        make_agent("lbr:policy=tests.agents.exploit.weak:Drawing", game_of())
