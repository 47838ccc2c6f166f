"""The engine and the reference side by side: the same deals, the same choices, the same result.

Many games run at once in the engine; each has a twin in the plain reference.  Before every
action the legal labels and the seat to act are compared, after every deal everything that it
left behind.  Rubbers are played to their end and followed by new ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sjavs_env.engine import REDEAL, Game, GameState, Phase, numbered_decks
from sjavs_env.rules import make_rules
from tests.reference import danish, faroese, faroese_small

__all__ = ["PRESETS", "agreed_mask", "compare"]

FORCE = {rank: i for i, rank in enumerate("5789TKAJQ")}  # a rough idea of what wins tricks
MODULES: tuple[Any, ...] = (faroese, faroese_small, danish)
PRESETS: dict[str, dict[str, object]] = {
    name: params for module in MODULES for name, params in module.PRESETS.items()
}
NOT_PLAYED = ("redeal", "concede")


def compare(
    preset: str, overrides: dict[str, Any], n_deals: int, *, n_games: int = 250, seed: int = 0
) -> Counter[str]:
    """Play at least ``n_deals`` deals in the engine and in the reference.

    Fails at the first difference.  Returns how often each payoff row decided a deal, and how
    many rubbers ended ("rubber") and deals began with ties pending ("ties").
    """
    twins = Twins(preset, overrides, n_games, seed)
    while twins.n_deals < n_deals:
        twins.decide()
        over = np.flatnonzero(twins.state.phase == Phase.OVER)
        if len(over):
            twins.finish(over)
    return twins.seen


def agreed_mask(
    game: Game, state: GameState, deals: Sequence[Any], where: Callable[[int], str]
) -> NDArray[np.int8]:
    """Return what is legal in every game; fail where the reference says otherwise.

    The seats to act are compared as well; ``where`` names the deal of a game.
    """
    labels, mask = game.actions.labels, game.legal_actions(state)
    ids = {label: a for a, label in enumerate(labels)}
    wanted = np.zeros_like(mask)
    pairs = [(b, ids[x]) for b, deal in enumerate(deals) for x in deal.legal()]
    wanted[tuple(np.array(pairs).T)] = 1
    if not np.array_equal(mask, wanted):
        b = int(np.flatnonzero((mask != wanted).any(axis=1))[0])
        says = [labels[a] for a in np.flatnonzero(mask[b])]
        raise AssertionError(f"{where(b)}: {says}, not {deals[b].legal()}")
    differ = np.flatnonzero(np.array([deal.seat for deal in deals]) != state.seat)
    assert len(differ) == 0, where(int(differ[0]))
    return mask


class Twins:
    """A batch of games in the engine, and as many deals and rubbers in the reference."""

    def __init__(self, preset: str, overrides: dict[str, Any], n_games: int, seed: int) -> None:
        """Deal the first deals."""
        plain = {name.removeprefix("payoff."): value for name, value in overrides.items()}
        self.params: dict[str, Any] = {**PRESETS[preset], **plain}
        self.reference = next(module for module in MODULES if preset in module.PRESETS)
        self.game = Game(make_rules(preset, **overrides))
        n_players = self.game.tables.n_players
        by_deals = self.game.tables.match.kind == "deals"
        self.new_match = self.reference.Match if by_deals else self.reference.Rubber
        self.labels = self.game.actions.labels
        self.ids = {label: a for a, label in enumerate(self.labels)}
        # else hardly a deal would be played where everybody may pass or give up
        self.rare = [self.ids[x] for x in ("give up", "stroget tout") if x in self.ids]
        self.rng = np.random.default_rng(seed)
        self.seen: Counter[str] = Counter()
        self.n_deals = 0
        dealers = self.rng.integers(n_players, size=n_games)
        cuts = self.rng.integers(2, size=n_games)
        self.state = self.game.new_games(
            n_games, seed=seed, stride=n_games, dealer=dealers, cut=cuts
        )
        self.rubbers = [self.new_match(self.params, int(d)) for d in dealers]
        self.crosses = np.zeros((n_games, n_players), dtype=np.intp)  # of rubbers that are over
        self.deals = [self._deal(b) for b in range(n_games)]
        self.force = self._force(n_games)

    def _deal(self, b: int) -> Any:
        """Deal the reference the deck that the engine has just dealt to game ``b``."""
        seed, number = self.state.seed[b], self.state.number[b]
        deck = [
            self.game.pack.cards[i] for i in numbered_decks(len(self.game.pack), seed, number)[0]
        ]
        deal = self.reference.Deal(
            self.params, deck, self.rubbers[b].dealer, cut=bool(self.state.cut[b])
        )
        hands = [self.game.pack.names(int(word)) for word in self.state.hand[b]]
        assert [sorted(h) for h in hands] == [sorted(h) for h in deal.hands], self._where(b)
        return deal

    def _force(self, n_games: int) -> NDArray[np.float64]:
        """How much each side prefers high cards: half the games not at all, so that extreme
        results come up too."""
        signs = self.rng.integers(-1, 2, size=(n_games, 2)).astype(np.float64)
        return signs * (self.rng.random((n_games, 1)) < 0.5)

    def _where(self, b: int) -> str:
        """Name the deal of game ``b``, so that it can be dealt again."""
        s = self.state
        return (
            f"{self.game.rules.name}, seed {s.seed[b]}, deal {s.number[b]}, "
            f"dealer {s.dealer[b]}, cut {s.cut[b]}, score {s.score[b]}, seat {s.seat[b]}"
        )

    def decide(self) -> None:
        """Compare what is legal and who is to act in every game, then act in both."""
        mask = agreed_mask(self.game, self.state, self.deals, self._where)
        action = self._choose(mask)
        for deal, a in zip(self.deals, action, strict=True):
            deal.act(self.labels[a])
        self.game.step(self.state, action)

    def _choose(self, mask: NDArray[np.int8]) -> NDArray[np.intp]:
        """A random legal action; in some games high or low cards first."""
        ranks = np.array([FORCE[c[0]] for c in self.game.pack.cards])
        value = self.rng.random(mask.shape)
        side = self.state.seat % 2
        value[:, : len(ranks)] += ranks * self.force[np.arange(len(mask)), side][:, None]
        for action in self.rare:
            value[:, action] -= 0.9
        return np.where(mask, value, -np.inf).argmax(axis=1)

    def finish(self, over: NDArray[np.intp]) -> None:
        """Compare the results of deals that are over and deal the next ones."""
        for b in over:
            self._compare_result(int(b))
        self.n_deals += len(over)
        self.force[over] = self._force(len(over))
        self.state.cut[over] = self.rng.integers(2, size=len(over))
        self.game.next_deal(self.state, over)
        for b in over:
            if self.rubbers[b].over:
                self.rubbers[b] = self.new_match(self.params, self.rubbers[b].dealer)
            assert int(self.state.dealer[b]) == self.rubbers[b].dealer, self._where(b)
            assert self.state.score[b].tolist() == self.rubbers[b].score, self._where(b)
            self.deals[b] = self._deal(b)
            if "tie" in self.params and self.rng.random() < 0.1:
                self._add_ties(int(b))

    def _add_ties(self, b: int) -> None:
        """Put ties between two deals, as ties in a row are rare."""
        most = 3 if self.params["tie_stacks"] else 1
        self.state.ties[b] = self.rubbers[b].ties = int(self.rng.integers(1, most + 1))

    def _compare_result(self, b: int) -> None:
        state, deal, rubber = self.state, self.deals[b], self.rubbers[b]
        ties_before = getattr(rubber, "ties", 0)
        self.seen["ties"] += ties_before > 0
        change = rubber.record(deal)
        row = self._outcome(b)
        crosses = self.crosses[b] + self._crosses(rubber)
        got = {
            "phase": deal.phase,
            "outcome": {"no_bid_tie": "tie", "no_bid_win": "no_bid", "no_bid_lose": "no_bid"}.get(
                row, row
            ),
            "points": state.points[b].tolist(),
            "tricks": state.tricks[b].tolist(),
            "change": state.change[b].tolist(),
            "score": state.score[b].tolist(),
            "ties": int(state.ties[b]),
            "over": bool(state.rubber_over[b]),
            "crosses": state.crosses[b].tolist(),
        }
        wanted = {
            "phase": "over",
            "outcome": deal.outcome,
            "points": deal.points,
            "tricks": deal.tricks,
            "change": change,
            "score": rubber.score,
            "ties": getattr(rubber, "ties", 0),
            "over": rubber.over,
            "crosses": crosses.tolist(),
        }
        assert got == wanted, self._where(b)
        if hasattr(rubber, "unscathed"):
            assert np.flatnonzero(self.game.unscathed(state)[b]).tolist() == rubber.unscathed
        self._compare_party(b, row)
        self._compare_aside(b)
        self.seen[row] += 1
        if rubber.over:
            self.seen["rubber"] += 1
            self.crosses[b] = crosses

    def _crosses(self, rubber: Any) -> NDArray[np.intp]:
        """What a match is worth to each seat: as the reference says, or 1 to who has not lost."""
        if hasattr(rubber, "crosses"):
            return np.array(rubber.crosses)
        n_players = self.game.tables.n_players
        if not rubber.over:
            return np.zeros(n_players, dtype=np.intp)
        if hasattr(rubber, "losers"):
            return np.array([seat not in rubber.losers for seat in range(n_players)], dtype=np.intp)
        return np.array([chips == max(rubber.score) for chips in rubber.score], dtype=np.intp)

    def _compare_aside(self, b: int) -> None:
        """Compare what lies aside and what was laid away."""
        deal, names = self.deals[b], self.game.pack.names
        left = getattr(deal, "skat", None) or getattr(deal, "cat", None) or []
        laid = getattr(deal, "laid", [])
        assert names(int(self.state.talon[b])) == sorted(left, key=self.game.pack.ids.__getitem__)
        assert names(int(self.state.laid[b])) == sorted(laid, key=self.game.pack.ids.__getitem__)

    def _outcome(self, b: int) -> str:
        outcome = int(self.state.outcome[b])
        return "redeal" if outcome == REDEAL else self.game.tables.result.payoff_names[outcome]

    def _compare_party(self, b: int, row: str) -> None:
        """Compare declarer and trumps, and who won a deal without a bid."""
        state, deal = self.state, self.deals[b]
        declarer = -1 if deal.declarer is None else deal.declarer
        mode = 0 if deal.trump is None or declarer < 0 else 1 + "CSHD".index(deal.trump)
        assert (int(state.declarer[b]), int(state.mode[b])) == (declarer, mode), self._where(b)
        if row.startswith("no_bid"):
            even = deal.points[0] + deal.points[2]
            wanted = "no_bid_win" if even > 60 else "no_bid_lose" if even < 60 else "no_bid_tie"
            assert row == wanted, self._where(b)
