"""The tree holds every history, and puts together those that their player cannot tell apart."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sjavs_agents.exact import growing
from sjavs_agents.exact.every_deal import count_deals, deal_all
from sjavs_agents.exact.growing import grow_tree
from sjavs_agents.exact.information import Keys, Reader, Sights, seen_by
from sjavs_env import RULE_SETS, Game, make_rules, view_of
from sjavs_env.rules.parts import AllOrNothing, BlindExchange
from tests.agents.exact.slow_tree import (
    Choice,
    choices,
    deals,
    grown,
    mini_tree,
    six,
    six_cards,
    tree_of_six,
    trees_of_six,
)


def test_every_deal_is_dealt_once() -> None:
    game = six()
    found = {_hands(deck) for deck in deal_all(game).tolist()}
    assert found == {_hands(game.pack.parse_deck(deck)) for deck in deals(game)}
    assert len(found) == len(deal_all(game)) == count_deals(game) == 90


def test_the_order_of_the_talon_counts_where_its_first_cards_are_taken() -> None:
    blind = Game(six_cards(exchange=BlindExchange))
    assert count_deals(blind) == 180
    decks = deal_all(blind)
    assert len({tuple(deck) for deck in decks.tolist()}) == 180
    assert (np.sort(decks, axis=1) == np.arange(6)).all()


@pytest.mark.parametrize("name", ["six", "mini_8"])
def test_the_keys_tell_apart_exactly_what_players_can(name: str) -> None:
    """All deals of six cards; of eight some in which hands are alike, history by history."""
    game, tree = (six(), tree_of_six()) if name == "six" else (mini_tree().game, mini_tree())
    some = [*range(4), 150, 151, 559]
    trees = trees_of_six() if name == "six" else [grown(game, [*deals(game)][d]) for d in some]
    found = [node for root in trees for node in choices(root)]
    pairs = {(node.seen, node.key) for node in found}
    assert len(pairs) == len({seen for seen, _ in pairs}) == len({key for _, key in pairs})
    assert {key for _, key in pairs} <= set(tree.infoset_key.tolist())
    if name == "six":
        assert len(found) == tree.n_nodes
        assert len(pairs) == tree.n_infosets
    infoset = {int(key): i for i, key in enumerate(tree.infoset_key)}
    labels = game.actions.labels
    for node in found:
        i = infoset[node.key]
        slots = tree.slot_action[tree.first_slot[i] : tree.first_slot[i + 1]]
        assert tuple(labels[a] for a in slots) == node.actions
        assert tree.infoset_seat[i] == node.seat


def test_the_nodes_of_a_tree_lead_to_each_other_as_histories_do() -> None:
    """Walked from every deal, the arrays spell the trees that were grown one by one."""
    tree = tree_of_six()
    order = {_hands(deck): d for d, deck in enumerate(tree.decks.tolist())}
    node_at = np.full(len(tree.edge_slot), -1)
    node_at[tree.node_into] = np.arange(tree.n_nodes)
    value_at = dict(zip(tree.ends.tolist(), tree.end_value.tolist(), strict=True))
    for deck, root in zip(deals(six()), trees_of_six(), strict=True):
        edge = order[_hands(six().pack.parse_deck(deck))]
        todo = [(edge, root)]
        while todo:
            edge, node = todo.pop()
            if not isinstance(node, Choice):
                assert value_at[edge] == node.value
                continue
            at = int(node_at[edge])
            assert int(tree.infoset_key[tree.node_infoset[at]]) == node.key
            edges = range(int(tree.first_edge[at]), int(tree.first_edge[at + 1]))
            todo += zip(edges, node.then, strict=True)


def _hands(deck: list[int]) -> tuple[tuple[int, ...], ...]:
    return tuple(sorted(deck[:2])), tuple(sorted(deck[2:4]))


def test_the_sizes_of_the_first_mini_game_are_known() -> None:
    tree = mini_tree()
    assert (tree.n_deals, tree.n_positions, tree.n_nodes) == (560, 224_896, 45_466)
    assert (len(tree.ends), tree.n_infosets, tree.n_slots) == (52_652, 14_660, 30_547)
    assert tree.score_range == 32


def test_examples_show_their_information_sets() -> None:
    tree = tree_of_six()
    reader = Reader(tree.game)
    rows = np.arange(tree.n_infosets)
    seat = tree.infoset_seat.astype(np.intp)
    assert (tree.examples.seat == seat).all()
    keys = seen_by(reader.sights(view_of(tree.game, tree.examples, rows, seat)))
    assert (keys == tree.infoset_key).all()


def test_a_game_in_which_players_forget_what_they_laid_away_first_is_refused() -> None:
    with pytest.raises(ValueError, match="six lets players forget what they did; allowed: games"):
        grow_tree(Game(six_cards(exchange=AllOrNothing, name_trump="before_exchange")))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("faroese", "faroese has 4 players; allowed: games of two sides of one"),
        ("handjass", "handjass has 4 players"),
        ("faroese_2", "faroese_2 is dealt on the table; allowed: games held in the hand"),
    ],
)
def test_games_that_are_no_small_games_are_refused(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        grow_tree(Game(make_rules(name)))


def test_a_game_that_is_too_large_is_refused_before_it_is_grown() -> None:
    with pytest.raises(ValueError, match="mini_8 has more than 5,000 positions; allowed: up to"):
        grow_tree(mini_tree().game, most_positions=5000)
    rules = RULE_SETS["mini_10"]
    ranks = "AKQJT987"
    kept = {f"{rank}{suit}" for rank in "AKT987" for suit in "CS"} | {"QC", "JS"}
    dropped = " ".join(r + s for s in "CSHD" for r in ranks if r + s not in kept)
    cards = replace(rules.cards, ranks=ranks, plain_order="AKT987", dropped=dropped)
    deal = replace(rules.deal, deal_cut="6-(2)", deal_knock="6-(2)")
    with pytest.raises(ValueError, match="mini_10 has 84,084 deals; allowed: up to 20,000"):
        grow_tree(Game(replace(rules, cards=cards, deal=deal)))


def test_two_views_of_one_key_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def few(sights: Sights) -> Keys:
        return np.asarray(sights.sum(axis=1, dtype=np.uint64))

    monkeypatch.setattr(growing, "seen_by", few)
    with pytest.raises(ValueError, match="two views of"):
        grow_tree(six())
