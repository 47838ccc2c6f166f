"""Handjass in the engine and in the reference, side by side, as ``twins`` does for Sjavs.

Matches are played to their end, so that deals among fewer and fewer players come up, and are
followed by new ones.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sjavs_env.engine import Game, Phase, numbered_decks
from sjavs_env.engine.melds import declared
from sjavs_env.rules import make_rules
from sjavs_env.rules.tables.meld_tables import key_parts
from tests.engine.twins import agreed_mask
from tests.reference.handjass import PRESETS, Deal, Match
from tests.reference.handjass_melds import best_melds, best_single, meld_rank

__all__ = ["PLAYERS", "PRESETS", "compare_handjass", "compare_melds", "params_of"]

PLAYERS = (4, 3, 2)
FORCE = {rank: i for i, rank in enumerate("678QKTAJ9")}


def params_of(preset: str, overrides: dict[str, Any]) -> dict[str, Any]:
    """The parameters of the reference for a preset with overrides of the engine's names."""
    changed = dict(overrides)
    if "follow" in changed:
        changed["trick_rules"] = changed.pop("follow")
    if "rank_marks" in changed:
        changed["rank_marks"] = dict(zip((4, 3, 2), changed["rank_marks"], strict=True))
    return {**PRESETS[preset], **changed}


def compare_handjass(
    preset: str,
    players: int,
    overrides: dict[str, Any],
    n_deals: int,
    *,
    n_games: int = 150,
    seed: int = 0,
) -> Counter[str]:
    """Play at least ``n_deals`` deals in both; fail at the first difference.

    Returns how often each outcome came up, and other things worth counting.
    """
    twins = HandjassTwins(preset, players, overrides, n_games, seed)
    while twins.n_deals < n_deals:
        twins.decide()
        over = np.flatnonzero(twins.state.phase == Phase.OVER)
        if len(over):
            twins.finish(over)
    return twins.seen


class HandjassTwins:
    """A batch of games in the engine, and as many deals and matches in the reference."""

    def __init__(
        self, preset: str, players: int, overrides: dict[str, Any], n_games: int, seed: int
    ) -> None:
        """Deal the first deals."""
        self.params = params_of(preset, overrides)
        self.game = Game(make_rules(preset, players=players, **overrides))
        self.labels = self.game.actions.labels
        self.ids = {label: a for a, label in enumerate(self.labels)}
        self.players = players
        self.rng = np.random.default_rng(seed)
        self.seen: Counter[str] = Counter()
        self.n_deals = 0
        dealers = self.rng.integers(players, size=n_games)
        self.state = self.game.new_games(n_games, seed=seed, stride=n_games, dealer=dealers)
        self.matches = [Match(self.params, players, int(d)) for d in dealers]
        self.losses = np.zeros((n_games, players), dtype=np.intp)
        self.deals = [self._deal(b) for b in range(n_games)]
        self.force = self._force(n_games)

    def _deal(self, b: int) -> Deal:
        seed, number = self.state.seed[b], self.state.number[b]
        deck = [self.game.pack.cards[i] for i in numbered_decks(36, seed, number)[0]]
        match = self.matches[b]
        deal = Deal(self.params, deck, match.dealer, match.active)
        self._compare_cards(b, deal)
        return deal

    def _force(self, n_games: int) -> NDArray[np.float64]:
        return self.rng.integers(-1, 2, size=(n_games, self.players)).astype(np.float64)

    def _where(self, b: int) -> str:
        s = self.state
        return (
            f"{self.game.rules.name}, players {self.players}, seed {s.seed[b]}, "
            f"deal {s.number[b]}, "
            f"dealer {s.dealer[b]}, score {s.score[b]}, zeros {s.seat_state.zeros[b]}, "
            f"seat {s.seat[b]}"
        )

    def decide(self) -> None:
        """Compare what is legal and who is to act in every game, then act in both."""
        mask = agreed_mask(self.game, self.state, self.deals, self._where)
        action = self._choose(mask)
        for deal, a in zip(self.deals, action, strict=True):
            self.seen[self.labels[a] if a >= 36 else "play"] += 1
            deal.act(self.labels[a])
        self.game.step(self.state, action)

    def _choose(self, mask: NDArray[np.int8]) -> NDArray[np.intp]:
        ranks = np.array([FORCE[c[0]] for c in self.game.pack.cards])
        value = self.rng.random(mask.shape)
        force = self.force[np.arange(len(mask)), self.state.seat]
        value[:, : len(ranks)] += ranks * force[:, None]
        for label, less in (("drop", 0.5), ("take reserve", 0.6)):  # so that most deals are played
            if label in self.ids:
                value[:, self.ids[label]] -= less
        return np.where(mask, value, -np.inf).argmax(axis=1)

    def finish(self, over: NDArray[np.intp]) -> None:
        """Compare the results of deals that are over and deal the next ones."""
        for b in over:
            self._compare_result(int(b))
        self.n_deals += len(over)
        self.force[over] = self._force(len(over))
        self.game.next_deal(self.state, over)
        for b in over:
            match = self.matches[b]
            if match.over:
                dealer = (match.dealer + 1) % self.players
                self.matches[b] = match = Match(self.params, self.players, dealer)
            assert int(self.state.dealer[b]) == match.dealer, self._where(b)
            assert self.state.score[b].tolist() == match.score, self._where(b)
            assert self.state.seat_state.active[b].tolist() == match.active, self._where(b)
            self.deals[b] = self._deal(int(b))

    def _compare_cards(self, b: int, deal: Deal) -> None:
        """Compare hands and what lies aside, and what all know of it."""
        state, names, order = self.state, self.game.pack.names, self.game.pack.ids.__getitem__
        hands = [names(int(word)) for word in state.hand[b]]
        assert hands == [sorted(h, key=order) for h in deal.hands], self._where(b)
        assert names(int(state.talon[b])) == sorted(deal.reserve or [], key=order)
        assert names(int(state.laid[b])) == sorted(deal.aside or [], key=order)
        lies = int(state.seat_state.on_table[b])
        assert (None if lies < 0 else self.game.pack.cards[lies]) == deal.turned, self._where(b)
        dead = [*deal.dead, deal.turned] if deal.dead and deal.turned else deal.dead
        assert names(int(state.seat_state.dead[b])) == sorted(dead, key=order)
        assert "-CSHD"[state.mode[b]] == deal.trump

    def _compare_result(self, b: int) -> None:
        state, deal, match = self.state, self.deals[b], self.matches[b]
        zeros = match.zeros
        self.seen[f"deal of {sum(match.active)}"] += 1
        change = match.record(deal)
        if match.over:
            self.losses[b, match.loser] -= 1
        seats = state.seat_state
        got = {
            "phase": "over",
            "outcome": self.game.tables.result.payoff_names[int(state.outcome[b])],
            "points": state.points[b].tolist(),
            "melds": seats.melds[b].tolist(),
            "tricks": state.tricks[b].tolist(),
            "playing": seats.playing[b].tolist(),
            "taker": int(seats.taker[b]),
            "change": state.change[b].tolist(),
            "score": state.score[b].tolist(),
            "zeros": seats.zeros[b].tolist(),
            "active": seats.active[b].tolist(),
            "over": bool(state.rubber_over[b]),
            "losses": state.crosses[b].tolist(),
        }
        wanted = {
            "phase": deal.phase,
            "outcome": deal.outcome,
            "points": deal.points,
            "melds": deal.melds,
            "tricks": deal.tricks,
            "playing": [int(x) for x in deal.playing],
            "taker": -1 if deal.took_reserve is None else deal.took_reserve,
            "change": change,
            "score": match.score,
            "zeros": match.zeros,
            "active": [int(x) for x in match.active],
            "over": match.over,
            "losses": self.losses[b].tolist(),
        }
        assert got == wanted, self._where(b)
        self._compare_cards(b, deal)
        self.seen[deal.outcome] += 1
        self.seen["melds"] += any(deal.melds)
        self.seen["zero cancelled"] += any(a < b for a, b in zip(match.zeros, zeros, strict=True))
        self.seen["match"] += match.over


def compare_melds(preset: str, overrides: dict[str, Any], hands: list[list[str]]) -> int:
    """Compare what hands declare under each trump suit; return how many had two melds or more."""
    params = params_of(preset, overrides)
    game = Game(make_rules(preset, **overrides))
    words = np.array([game.pack.word(hand) for hand in hands], dtype=np.uint64)
    several = 0
    for mode, trump in enumerate("CSHD", start=1):
        modes = np.full(len(hands), mode)
        points, key, cards = declared(game.tables.seat_rules.melds, words, modes)
        parts = np.array(key_parts(key)).T.tolist()
        for i, hand in enumerate(hands):
            chosen = [meld for meld in best_melds(hand, trump, params) if len(meld) > 2]
            several += len(chosen) > 1
            plain = {**params, "stock": "independent"}  # leaves the marriage out
            single = best_single(hand, trump, plain)
            rank = meld_rank(single, trump, params) if single else (0, 0, 0, False)
            top = rank[2] + 9 if single and params["meld_compare_rank"] else 0
            assert parts[i] == [rank[0] // 10, rank[1], top, int(rank[3])], (hand, trump)
            worth = sum(meld_rank(meld, trump, params)[0] for meld in chosen)
            assert int(points[i]) == worth, (hand, trump)
            shown = {card for meld in chosen for card in meld}
            assert set(game.pack.names(int(cards[i]))) == shown, (hand, trump)
    return several
