"""The reference for trees of games: one history at a time, told apart by all that was seen of it.

A player has seen their hand and every action of both; nothing else is kept of a history.  Values
and best responses go by the plain definitions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np

from sjavs_agents.exact.game_tree import GameTree
from sjavs_agents.exact.growing import grow_tree
from sjavs_agents.exact.information import Reader, seen_by
from sjavs_env import RULE_SETS, Game, GameState, Phase, RuleSet, view_of

Seen = tuple[int, tuple[str, ...], tuple[tuple[int, str], ...]]  # seat, hand, who did what
Policy = Mapping[Seen, Sequence[float]]
ROW = np.array([0])


@dataclass(frozen=True)
class End:
    value: float  # for seat 0


@dataclass(frozen=True)
class Choice:
    seat: int
    seen: Seen
    key: int  # as the program has it
    actions: tuple[str, ...]
    then: tuple[Choice | End, ...]


def six_cards(**overrides: Any) -> RuleSet:
    """A mini game of two tricks: AC KC QC AS KS JS."""
    rules = RULE_SETS["mini_8"]
    cards = replace(
        rules.cards,
        ranks="AKQJ",
        plain_order="AK",
        dropped="JC QS AH KH QH JH AD KD QD JD",
    )
    deal = replace(rules.deal, deal_cut="2-(2)", deal_knock="2-(2)")
    return replace(rules, name="six", cards=cards, deal=deal).altered(**overrides)


@cache
def six() -> Game:
    return Game(six_cards())


@cache
def tree_of_six() -> GameTree:
    return grow_tree(six())


@cache
def mini_tree() -> GameTree:
    return grow_tree(Game(RULE_SETS["mini_8"]))


def deals(game: Game) -> Iterator[list[str]]:
    """Yield decks, one for each way to deal two hands of the pack."""
    cards, hand = game.pack.cards, game.tables.n_tricks
    for first in combinations(cards, hand):
        rest = [card for card in cards if card not in first]
        for second in combinations(rest, hand):
            talon = [card for card in rest if card not in second]
            yield [*first, *second, *talon]


def grown(game: Game, deck: Sequence[str]) -> Choice | End:
    """Return the tree of one deal, forehand seat 0."""
    state = game.new_games(1, dealer=1, cut=0)
    game.deal_deck(state, ROW, np.array([game.pack.parse_deck(deck)]))
    hand = game.tables.n_tricks
    hands = [tuple(sorted(deck[:hand])), tuple(sorted(deck[hand : 2 * hand]))]
    return _grown(game, Reader(game), state, hands, ())


def _grown(
    game: Game,
    reader: Reader,
    state: GameState,
    hands: Sequence[tuple[str, ...]],
    past: tuple[tuple[int, str], ...],
) -> Choice | End:
    if state.phase[0] == Phase.OVER:
        gains = game.gains(state)[0]
        return End(float(gains[0] - gains[1]))
    seat = int(state.seat[0])
    legal = np.flatnonzero(game.legal_actions(state)[0])
    then = []
    for action in legal:
        after = state.clone()
        game.step(after, [action])
        done = (seat, game.actions.labels[action])
        then.append(_grown(game, reader, after, hands, (*past, done)))
    if len(legal) == 1:
        return then[0]
    view = view_of(game, state, ROW, np.array([seat]))
    key = int(seen_by(reader.sights(view))[0])
    labels = tuple(game.actions.labels[action] for action in legal)
    return Choice(seat, (seat, hands[seat], past), key, labels, tuple(then))


@cache
def trees_of_six() -> tuple[Choice | End, ...]:
    return tuple(grown(six(), deck) for deck in deals(six()))


def choices(node: Choice | End) -> Iterator[Choice]:
    """Yield all choices below a node, itself included."""
    if isinstance(node, Choice):
        yield node
        for after in node.then:
            yield from choices(after)


def value(node: Choice | End, policy: Policy) -> float:
    """Return what a node is worth to seat 0 when both play a policy."""
    if isinstance(node, End):
        return node.value
    probabilities = policy[node.seen]
    return sum(p * value(then, policy) for p, then in zip(probabilities, node.then, strict=True))


def best(pairs: Sequence[tuple[float, Choice | End]], policy: Policy, seat: int) -> float:
    """Return what a seat can gain from nodes with their weights against a policy."""
    total, groups, todo = 0.0, defaultdict(list), list(pairs)
    while todo:
        weight, node = todo.pop()
        if isinstance(node, End):
            total += weight * (node.value if seat == 0 else -node.value)
        elif node.seat == seat:
            groups[node.seen].append((weight, node))
        else:
            todo += [(weight * p, n) for p, n in zip(policy[node.seen], node.then, strict=True)]
    for group in groups.values():
        n_actions = len(group[0][1].then)
        total += max(
            best([(weight, node.then[k]) for weight, node in group], policy, seat)
            for k in range(n_actions)
        )
    return total
