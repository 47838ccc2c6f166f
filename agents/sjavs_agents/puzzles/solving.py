"""Puzzles as a test: proved anew, and put to players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Agent, asking, fair
from sjavs_agents.puzzles.making import MOST_WORLDS, Proof, worlds_of
from sjavs_agents.puzzles.puzzle import Puzzle, ask, problem_of
from sjavs_agents.solver.solver import Solver
from sjavs_agents.stats.estimates import Estimate, estimate_share
from sjavs_agents.worlds.sampler import Sampler
from sjavs_env import Game
from sjavs_env.randomness import derived

__all__ = ["Score", "problems", "solve"]

CLOSE = 1e-5  # stored values are rounded


@dataclass(frozen=True, eq=False)
class Score:
    """How one player did on R puzzles."""

    agent: str
    solved: NDArray[np.bool_]  # (R,)
    lost: NDArray[np.float64]  # (R,) mean game points that their card is worth less than the answer

    def share(self) -> Estimate:
        """Return the share of puzzles solved with its Wilson interval."""
        return estimate_share(float(self.solved.mean()), len(self.solved))


def solve(game: Game, puzzles: Sequence[Puzzle], agent: Agent, seed: int = 0) -> Score:
    """Ask a player all puzzles at once.  It draws from a generator made of ``seed``.

    ValueError for an agent that looks into all hands, and for what is no puzzle of the game.
    """
    questions = ask(game, puzzles)
    names, rng = game.actions.labels, derived(seed, "solving")
    action = asking.ask(fair(agent), questions.view, questions.mask, rng, names)
    labels = [game.actions.labels[a] for a in action]
    lost = [
        puzzle.cards[puzzle.answer]["score"] - puzzle.cards[label]["score"]
        for puzzle, label in zip(puzzles, labels, strict=True)
    ]
    return Score(agent.name, action == questions.answer, np.array(lost))


def problems(game: Game, puzzles: Sequence[Puzzle], threads: int = 1) -> Iterator[str]:
    """Prove puzzles anew and yield what is wrong with them; nothing for sound ones."""
    sampler, solver, seen = Sampler(game), Solver(game, threads=threads), set()
    for number, puzzle in enumerate(puzzles, start=1):
        key = (puzzle.deck, puzzle.dealer, puzzle.cut)
        if key in seen:
            yield f"puzzle {number} is of the same deal as one before"
        seen.add(key)
        for text in _problems(game, puzzle, sampler, solver):
            yield f"puzzle {number}: {text}"


def _problems(game: Game, puzzle: Puzzle, sampler: Sampler, solver: Solver) -> Iterator[str]:
    if problem := problem_of(game, puzzle):
        yield problem
        return
    worlds = worlds_of(sampler, puzzle.position(), 0, MOST_WORLDS)
    found = None if worlds is None else len(worlds.chance)
    if worlds is None or found != puzzle.worlds:
        yield f"{puzzle.worlds} worlds; there are {found or f'more than {MOST_WORLDS}'}"
        return
    proof = Proof.of(solver, worlds)
    answer = game.actions.labels[proof.answer]
    if answer != puzzle.answer:
        yield f"the answer is {puzzle.answer!r}; the best card is {answer!r}"
    if not proof.clear:
        yield "no card leads by as much as an answer must"
    if proof.always != puzzle.always:
        yield f"always is {puzzle.always}; it is {proof.always}"
    for card in np.flatnonzero(~np.isnan(proof.values["score"])).tolist():
        label = game.actions.labels[card]
        for utility, values in proof.values.items():
            if not abs(values[card] - puzzle.cards[label][utility]) <= CLOSE:  # NaN as well
                stored = puzzle.cards[label][utility]
                yield f"{utility} of {label!r} is {stored}; it is {values[card]:.6f}"
