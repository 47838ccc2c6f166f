"""A puzzle: a position in which one card is best by what the player knows, and its proof.

A puzzle is one line of JSON, a game record that breaks off at the question::

    {"format": "sjavs-puzzle", "version": 1, "rules": {...}, "deck": "QC 8C ...", "dealer": 3,
     "cut": true, "actions": ["5", "pass", ..., "play 9H"], "answer": "play QC",
     "worlds": 84, "always": false, "cards": {"play QC": {"score": 2.5, "points": 31.0}, ...}}

``cards`` has the exact mean of each legal card over all ``worlds`` that agree with what the
player knows, each with its chance and solved with open hands; the answer leads every other
card in both utilities.  With ``always`` no card is better than the answer in any world, so that
it is best whatever the player believes about the others' cards.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Ints
from sjavs_env import Game, GameState, Phase, PlayerView, replay, rules_from_json, view_of
from sjavs_env.cli.atomic_files import write_whole
from sjavs_env.errors import shown
from sjavs_env.records.files import numbered_lines
from sjavs_env.records.history import FORMAT as RECORD_FORMAT
from sjavs_env.records.history import VERSION as RECORD_VERSION

__all__ = [
    "FORMAT",
    "VERSION",
    "Puzzle",
    "Questions",
    "ask",
    "problem_of",
    "read_puzzles",
    "write_puzzles",
]

FORMAT, VERSION = "sjavs-puzzle", 1
DIGITS = 6  # of stored values
UTILITIES = ("score", "points")  # that cards are valued by


@dataclass(frozen=True)
class Puzzle:
    """One puzzle, in the words of its line; actions are labels of the action map."""

    rules: dict[str, Any]  # as JSON
    deck: str
    dealer: int
    cut: bool
    actions: list[str]
    answer: str
    worlds: int
    always: bool
    cards: dict[str, dict[str, float]]  # label -> utility -> mean

    def lead(self, utility: str) -> float:
        """Return by how much the answer leads the next best card."""
        others = [v[utility] for label, v in self.cards.items() if label != self.answer]
        return self.cards[self.answer][utility] - max(others)

    def position(self) -> GameState:
        """Return the position as a game of one; ValueError for one that breaks the rules."""
        deal = {
            "deck": self.deck,
            "dealer": self.dealer,
            "cut": self.cut,
            "actions": self.actions,
            "result": {"kind": "forfeit"},  # as records call a deal that is broken off
        }
        record = {
            "format": RECORD_FORMAT, "version": RECORD_VERSION, "rules": self.rules, "deals": [deal]
        }  # fmt: skip
        *_, last = replay(record)
        return last.state


class Questions(NamedTuple):
    """What players are asked in R puzzles of one game."""

    state: GameState  # R games, all hands open
    view: PlayerView
    mask: NDArray[np.int8]  # (R, A)
    answer: Ints  # (R,)


def ask(game: Game, puzzles: Sequence[Puzzle]) -> Questions:
    """Return the questions of puzzles; ValueError for one that ``problem_of`` finds unsound."""
    for number, puzzle in enumerate(puzzles, start=1):
        if problem := problem_of(game, puzzle):
            raise ValueError(f"puzzle {number}: {problem}")
    state = GameState.joined([puzzle.position() for puzzle in puzzles])
    view = view_of(game, state, np.arange(len(state)), state.seat.copy())
    answer = np.array([game.actions.parse(puzzle.answer) for puzzle in puzzles], dtype=np.intp)
    return Questions(state, view, game.legal_actions(state), answer)


def problem_of(game: Game, puzzle: Puzzle) -> str | None:
    """Say in a line why a puzzle cannot be put to a player: no such position, or other cards."""
    try:
        state = puzzle.position()
    except ValueError as error:
        return str(error)
    legal = np.flatnonzero(game.legal_actions(state)[0]).tolist()
    cards = [game.actions.labels[action] for action in legal]
    if state.phase[0] != Phase.PLAY or set(cards) != set(puzzle.cards):
        return f"cards are {', '.join(puzzle.cards)}; legal: {', '.join(cards) or 'none'}"
    return None


def write_puzzles(path: Path, puzzles: Sequence[Puzzle]) -> None:
    """Write a file of puzzles, one in each line."""
    lines = []
    for puzzle in puzzles:
        data: dict[str, Any] = {"format": FORMAT, "version": VERSION, **vars(puzzle)}
        data["cards"] = {
            label: {u: round(x, DIGITS) for u, x in values.items()}
            for label, values in puzzle.cards.items()
        }
        lines.append(json.dumps(data, separators=(",", ":")) + "\n")
    write_whole(path, "".join(lines).encode("utf-8"))


def read_puzzles(path: Path) -> tuple[Game, list[Puzzle]]:
    """Return the game of a file and its puzzles.

    OSError for a file that cannot be read, ValueError naming the line of one that is malformed,
    and for files that hold none or several games.
    """
    try:
        lines = [(n, line.decode("utf-8")) for n, line in numbered_lines(path)]
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} holds no puzzles: {error}") from None
    puzzles = [_parse(line, f"{path}, line {n}") for n, line in lines]
    if not puzzles:
        raise ValueError(f"{path} holds no puzzle; allowed: one in each line")
    if any(puzzle.rules != puzzles[0].rules for puzzle in puzzles):
        raise ValueError(f"{path} holds puzzles of several games; allowed: one")
    try:
        return Game(rules_from_json(puzzles[0].rules)), puzzles
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


_TYPES: dict[str, type] = {
    "rules": dict, "deck": str, "dealer": int, "cut": bool, "actions": list, "answer": str,
    "worlds": int, "always": bool, "cards": dict,
}  # fmt: skip


def _parse(line: str, where: str) -> Puzzle:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{where}: no JSON: {error}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT or data.get("version") != VERSION:
        raise ValueError(f"{where}: no puzzle; allowed: format {FORMAT!r} version {VERSION}")
    odd = sorted({"format", "version", *_TYPES} ^ set(data))
    if odd:
        raise ValueError(f"{where}: missing or surplus: {shown(', '.join(odd))}")
    for name, kind in _TYPES.items():
        if type(data[name]) is not kind:
            raise ValueError(f"{where}: {name} is {shown(data[name])}; allowed: {kind.__name__}")
    puzzle = Puzzle(**{name: data[name] for name in _TYPES})
    for label, values in puzzle.cards.items():
        if not isinstance(values, dict) or not all(
            isinstance(values.get(utility), (int, float)) for utility in UTILITIES
        ):
            raise ValueError(
                f"{where}: {shown(label)} is worth {shown(values)}; allowed: numbers for "
                f"{' and '.join(UTILITIES)}"
            )
    if puzzle.answer not in puzzle.cards:
        allowed = ", ".join(puzzle.cards)
        raise ValueError(f"{where}: answer is {shown(puzzle.answer)}; allowed: {allowed}")
    return puzzle
