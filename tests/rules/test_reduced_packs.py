"""Packs that lack ranks or single cards are data like any other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sjavs_agents.base import open_decisions
from sjavs_env import PRESETS, Game, RuleSet, sample_legal
from sjavs_env.cards import SUITS
from sjavs_env.engine.melds import announced_by, declared, has_marriage
from sjavs_env.rules.pages.describe import describe
from sjavs_env.rules.parts import Melds
from sjavs_env.rules.structure import expect
from sjavs_env.rules.tables.meld_tables import key_parts, meld_tables
from tests.engine.table import game_of
from tests.reference import handjass_melds

RANKS = "AKQJT9876"


def lacking(name: str, ranks: str = "", cards: str = "", each: int = 0) -> RuleSet:
    """A game without some ranks and cards, of which ``each`` are dealt to a hand."""
    rules = PRESETS[name]

    def kept(order: str) -> str:
        return "".join(rank for rank in order if rank not in ranks)

    dropped = " ".join(c for c in (*rules.cards.dropped.split(), *cards.split()))
    pack = replace(
        rules.cards,
        ranks=kept(rules.cards.ranks),
        dropped=dropped,
        permanent_trumps=" ".join(
            c
            for c in rules.cards.permanent_trumps.split()
            if c[0] not in ranks and c not in cards.split()
        ),
        plain_order=kept(rules.cards.plain_order),
        trump_order=kept(rules.cards.trump_order),
    )
    reduced = replace(rules, cards=pack)
    if not each:
        return reduced
    deal = replace(rules.deal, deal_cut=str(each), deal_knock=str(each))
    if reduced.seats is None:
        return replace(reduced, deal=deal)
    last = len(reduced.pack) - 1
    dealings = tuple(
        replace(d, turned=last if d.hands == 4 else 3 * each)
        for d in reduced.seats.dealings  # the reserve follows three hands
    )
    return replace(reduced, deal=deal, seats=replace(reduced.seats, dealings=dealings))


def play_out(rules: RuleSet, games: int = 20) -> Game:
    """Play random deals, two in each match; nothing may be unsound on the way."""
    game, rng = Game(rules), np.random.default_rng(3)
    state = game.new_games(games, seed=5)
    for _ in range(2):
        for rows, mask in open_decisions(game, state):
            game.step(state, sample_legal(mask, rng), rows)
        assert game.problems(state) == []
        game.next_deal(state, np.arange(games))
    return game


@pytest.mark.parametrize(
    ("name", "rank"),
    [("handjass", r) for r in "AKQ7"] + [("handjass_swiss", r) for r in "KJ"],
)
def test_a_game_with_melds_is_played_without_any_rank(name: str, rank: str) -> None:
    game = play_out(lacking(name, rank, each=8))
    assert len(game.pack) == 32
    melds = game.tables.seat_rules.melds
    pairs = game.tables.n_modes - 1 if rank not in "KQ" else 0
    assert np.count_nonzero(melds.marriage) == pairs
    assert describe(game.rules)


@pytest.mark.parametrize("rank", list("KQA7"))
def test_a_game_without_melds_is_played_without_any_rank(rank: str) -> None:
    rules = lacking("faroese", rank, each=7)
    assert play_out(rules).tables.n_tricks == 7
    assert describe(rules)


def test_a_game_with_no_four_alike_that_counts_is_played() -> None:
    """All ranks lack a card of one suit or another; ``best_first`` and ``large`` look for them."""
    cards = " ".join(rank + SUITS[i % 4] for i, rank in enumerate(RANKS))
    without = lacking("handjass", cards=cards + " AH KD 8S", each=6)
    for changes in ({}, {"meld_selection": "best_first"}, {"weis": "large"}):
        game = play_out(without.altered(**changes))
        assert game.tables.seat_rules.melds.n_fours == 0


@pytest.mark.parametrize("choice", ["max_total", "best_first", "large"])
@pytest.mark.parametrize("cards", ["KC KS KH KD", "9H", "QC 8S 7S AD", "6C 6S 6H 6D AC JD TS TC"])
def test_what_a_hand_declares_is_what_the_reference_finds_in_it(cards: str, choice: str) -> None:
    large = choice == "large"
    rules = lacking("handjass_swiss", cards=cards)
    rules = rules.altered(weis="large") if large else rules.altered(meld_selection=choice)
    melds, pack = _melds(rules), rules.pack
    params: dict[str, Any] = {
        "weis": "large" if large else "small",
        "meld_selection": "max_total" if large else choice,
        "meld_compare_rank": True,
    }
    rng = np.random.default_rng(8)
    for size in (3, 9, 9, 9, 14):
        held = [str(card) for card in rng.permutation(list(pack.cards))[:size]]
        mode = int(rng.integers(1, 5))
        trump = SUITS[mode - 1]
        word = np.array([pack.word(held)], dtype=np.uint64)
        points, key, shown = declared(melds, word, np.array([mode]))
        expected = handjass_melds.best_melds(held, trump, params)
        plain = [meld for meld in expected if len(meld) > 2]
        assert points[0] == sum(handjass_melds.meld_value(meld, params) for meld in plain)
        assert set(pack.names(int(shown[0]))) == {card for meld in plain for card in meld}
        best = max((handjass_melds.meld_rank(meld, trump, params) for meld in plain), default=None)
        tens, count, _, is_trump = (int(part[0]) for part in key_parts(key))
        assert best is None or (10 * tens, count, bool(is_trump)) == (best[0], best[1], best[3])
        assert (best is None) == (key[0] == 0)
        married = bool(has_marriage(melds, word, np.array([mode]))[0])
        assert married == bool(handjass_melds.marriage(held, trump))


def _melds(rules: RuleSet) -> Any:
    """The melds of a pack, whatever can be dealt of it."""
    return meld_tables(rules, expect(Melds, rules.melds), np.uint64)


def test_nothing_is_a_marriage_in_a_pack_without_kings() -> None:
    rules = lacking("handjass", "K")
    melds = _melds(rules)
    hand = np.array([rules.pack.word("QC QS QH QD")], dtype=np.uint64)
    for mode in range(1, 5):
        assert not has_marriage(melds, hand, np.array([mode])).any()
        tens, cards, _, _ = key_parts(announced_by(melds, hand, np.array([mode])))
        assert (tens[0], cards[0]) == (10, 4), "four queens"


def test_ranks_beside_each_other_in_the_pack_make_a_run() -> None:
    without_rank = lacking("handjass", "K")
    word = np.array([without_rank.pack.word("AC QC JC")], dtype=np.uint64)
    points, _, _ = declared(_melds(without_rank), word, np.array([1]))
    assert points[0] == 20
    without_card = lacking("handjass", cards="KC")
    for held, worth in (("AC QC JC", 0), ("QC JC TC", 20), ("AS KS QS", 20)):
        word = np.array([without_card.pack.word(held)], dtype=np.uint64)
        points, _, _ = declared(_melds(without_card), word, np.array([1]))
        assert points[0] == worth, held


def test_a_card_turned_up_that_the_pack_has_not_is_told() -> None:
    with pytest.raises(ValueError, match="turns up card 35 with 4 players; allowed: 0 to 31"):
        Game(replace(lacking("handjass", "6", each=8), seats=game_of("handjass").rules.seats))
