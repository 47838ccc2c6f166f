"""Makes puzzles from played deals, and proves them.

Agents play numbered deals.  Of each deal the first decision is taken for a puzzle in which the
worlds that the player may be in can all be listed and one card of several leads clearly; so
puzzles are of different deals.  What is proved is that this card has the highest mean over these
worlds, each solved with open hands: the judgement of a player who knows the rules and believes
every deal equally likely.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from sjavs_agents.base import Agent, Floats, Ints, open_decisions
from sjavs_agents.base.asking import ask
from sjavs_agents.puzzles.puzzle import Puzzle
from sjavs_agents.solver.solver import Solver
from sjavs_agents.worlds.sampler import Sampler, Worlds
from sjavs_env import Game, GameState, Phase, numbered_decks, rules_to_json, view_of
from sjavs_env.errors import shown
from sjavs_env.randomness import derived

__all__ = ["Maker", "Proof", "worlds_of"]


AT_ONCE = 32  # deals played together
GLANCE = 24  # worlds that show whether a full proof is worth its time
LEAST_CARDS = 3  # that the player may choose from
MOST_PUZZLES = 10**6  # made at once
MOST_WORLDS = 10**6  # that a puzzle is proved in
MOST_TRICKS = 6  # left to play: with more, worlds take long to solve
LEAST_POINTS = 2.0  # difference of card points by which the answer must lead
LEAST_SHARE = 0.05  # game points by which it must, of those at stake in the position
EQUAL = 1e-9  # values that differ by less are equal; sums of floats differ that much


@dataclass(frozen=True, eq=False)
class Proof:
    """What the cards of a position are worth on average over all worlds."""

    answer: int  # the best card
    worlds: int
    always: bool  # no card is better in any world, by any utility
    clear: bool  # it leads by as much as a puzzle asks for
    values: Mapping[str, Floats]  # utility -> (N,) mean of each card, nan where illegal

    @classmethod
    def of(cls, solver: Solver, worlds: Worlds) -> Proof:
        """Solve all worlds of a position."""
        rows = np.arange(len(worlds.chance))
        each = {
            "score": solver.card_values(worlds.state, rows, "score"),
            "points": solver.card_values(worlds.state, rows, "points"),
        }
        mean = {utility: worlds.chance @ values for utility, values in each.items()}
        answer = int(np.nanargmax(np.round(mean["score"], 6) + 1e-7 * mean["points"]))
        stake = float(np.nanmax(each["score"]) - np.nanmin(each["score"]))
        ahead = [_lead(values, answer) for values in mean.values()]
        clear = ahead[0] >= max(LEAST_SHARE * stake, EQUAL) and ahead[1] >= LEAST_POINTS
        always = all((np.nanmax(v, axis=1) <= v[:, answer] + EQUAL).all() for v in each.values())
        return cls(answer, len(rows), always, clear, mean)


def _lead(mean: Floats, answer: int) -> float:
    others = np.delete(mean, answer)
    return float(mean[answer] - np.nanmax(others))


def worlds_of(sampler: Sampler, state: GameState, row: int, most: int) -> Worlds | None:
    """Return what the seat to act in a game takes for possible, or None for more than ``most``."""
    rows = np.array([row])
    return sampler.all_worlds(view_of(sampler.game, state, rows, state.seat[rows]), most)


class Maker:
    """Makes puzzles of one game."""

    def __init__(self, game: Game, agent: Agent, most_worlds: int, threads: int = 1) -> None:
        """``agent`` plays all seats; a puzzle has ``most_worlds`` worlds at most.

        ValueError for a game that is no game of two sides or whose worlds cannot be listed.
        """
        if not 2 <= most_worlds <= MOST_WORLDS:
            raise ValueError(f"worlds is {most_worlds}; allowed: 2 to {MOST_WORLDS}")
        self.game, self.agent, self.most_worlds = game, agent, most_worlds
        self.sampler, self.solver = Sampler(game), Solver(game, threads=threads)

    def make(self, count: int, seed: int) -> Iterator[Puzzle]:
        """Yield ``count`` puzzles from deals 0, 1, ... of the seed.

        ValueError for fewer than one or too many, and for seeds that number no deals.
        """
        if not 1 <= count <= MOST_PUZZLES:
            raise ValueError(f"count is {shown(count)}; allowed: 1 to {MOST_PUZZLES}")
        if not 0 <= seed < 2**63:
            raise ValueError(f"seed is {seed}; allowed: 0 to 2**63 - 1")
        made, first = 0, 0
        while made < count:
            rng = derived(seed, "puzzles", first)
            numbers = np.arange(first, first + AT_ONCE)
            for puzzle in self._search(seed, numbers, rng):
                yield puzzle
                made += 1
                if made == count:
                    return
            first += AT_ONCE

    def _search(self, seed: int, numbers: Ints, rng: np.random.Generator) -> list[Puzzle]:
        """Play deals and return the puzzles found in them, by the number of the deal."""
        game = self.game
        dealer = numbers % game.tables.n_players
        state = game.new_games(len(numbers), seed=seed, numbers=numbers, dealer=dealer)
        actions: list[list[int]] = [[] for _ in numbers]
        found: dict[int, Puzzle] = {}
        unsearched = np.ones(len(numbers), np.bool_)
        for rows, mask in open_decisions(game, state, unsearched):
            tricks_left = game.tables.n_tricks - state.trick_number[rows]
            asked = (state.phase[rows] == Phase.PLAY) & (tricks_left <= MOST_TRICKS)
            asked &= mask.sum(axis=1, dtype=np.intp) >= LEAST_CARDS
            for row in rows[asked].tolist():
                proof = self._promising(state, row)
                if proof is not None:
                    labels = [game.actions.labels[action] for action in actions[row]]
                    found[row] = self._written(state, row, labels, proof)
                    unsearched[row] = False
            view = view_of(game, state, rows, state.seat[rows])
            action = ask(self.agent, view, mask, rng, game.actions.labels)
            for row, act in zip(rows.tolist(), action.tolist(), strict=True):
                actions[row].append(act)
            game.step(state, action, rows)
        return [found[row] for row in sorted(found)]

    def _promising(self, state: GameState, row: int) -> Proof | None:
        """Return the proof of a position in which one card leads clearly, else None."""
        worlds = worlds_of(self.sampler, state, row, self.most_worlds)
        if worlds is None or len(worlds.chance) < 2:
            return None
        some = np.unique(np.linspace(0, len(worlds.chance) - 1, GLANCE).astype(np.intp))
        chance = worlds.chance[some] / worlds.chance[some].sum()
        glance = Proof.of(self.solver, Worlds(worlds.state.select(some), chance))
        if not glance.clear:
            return None
        proof = Proof.of(self.solver, worlds) if len(some) < len(worlds.chance) else glance
        return proof if proof.clear else None

    def _written(self, state: GameState, row: int, actions: list[str], proof: Proof) -> Puzzle:
        game = self.game
        deck = numbered_decks(len(game.pack), int(state.seed[row]), int(state.number[row]))[0]
        legal = np.flatnonzero(~np.isnan(proof.values["score"])).tolist()
        return Puzzle(
            rules=rules_to_json(game.rules),
            deck=" ".join(game.pack.cards[card] for card in deck),
            dealer=int(state.dealer[row]),
            cut=bool(state.cut[row]),
            actions=actions,
            answer=game.actions.labels[proof.answer],
            worlds=proof.worlds,
            always=proof.always,
            cards={
                game.actions.labels[card]: {u: float(v[card]) for u, v in proof.values.items()}
                for card in legal
            },
        )
