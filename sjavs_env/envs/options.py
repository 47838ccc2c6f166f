"""What ``reset(options=...)`` may ask for, read and checked before anything changes.

``deck``         a whole pack in dealing order, ``"QC 8C ..."`` or a list of names
``dealer``       the seat that deals; the seat after it speaks and leads first
``cut``          True: the pack was cut (default), False: knocked
``deal_number``  number of the first deal of the episode
``scores``       what each side, or each seat, still needs
``ties``         tied deals not yet paid out; at most 1 where ties in a row count as one
``zeros``        zeros outstanding of each seat, in games that note them

A wrong value of one of these is an error, and so is a name that only nearly is one of them
(``score``).  All other keys are ignored, as PettingZoo asks, whose own test passes one.  The
options of the environment itself are checked here as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from inspect import signature
from operator import index
from typing import Any, Literal

import numpy as np

from sjavs_env.engine.game import Game
from sjavs_env.engine.state import ONLY_GAME, GameState
from sjavs_env.errors import is_one_of, shown
from sjavs_env.observation.layout import MOST_TIES, MOST_ZEROS
from sjavs_env.rules.games.presets import RULE_SETS
from sjavs_env.rules.overrides import parameters
from sjavs_env.rules.tables import NONE

__all__ = [
    "OPTIONS",
    "RenderView",
    "StartOptions",
    "check",
    "check_dealt_to",
    "check_keywords",
    "check_options",
    "merged_overrides",
    "read_options",
    "seat_as_asked",
    "whole_number",
]

_OF_A_RESET = ("deck", "dealer", "cut", "deal_number", "scores", "ties", "zeros")
_NEAR = 0.7  # share of letters in common, from which a name is taken for a slip of another
RenderView = int | Literal["to_act", "open"]
OPTIONS = frozenset(  # of the constructor, rules and their parameters apart
    ["episode", "crosses", "illegal", "redeal", "render_view", "render_ascii", "players",
     "num_players", "overrides"]
)  # fmt: skip

_CHOICES: Mapping[str, tuple[object, ...]] = {
    "episode": ("deal", "rubber"),
    "render_mode": (None, "ansi", "human"),
    "illegal": ("raise", "terminate"),
    "redeal": ("continue", "end"),
    "render_ascii": (False, True),
}


def check_options(options: Mapping[str, object], n_players: int) -> None:
    """ValueError unless the options of an environment are among the allowed ones."""
    for name, allowed in _CHOICES.items():
        if not is_one_of(options[name], allowed):
            words = ", ".join(str(choice) for choice in allowed)
            raise ValueError(f"{name} is {shown(options[name])}; allowed: {words}")
    view = options["render_view"]
    is_seat = isinstance(view, int) and not isinstance(view, bool) and 0 <= view < n_players
    if not is_seat and not is_one_of(view, ("to_act", "open")):
        raise ValueError(
            f"render_view is {shown(view)}; allowed: to_act, open, a seat 0 to {n_players - 1}"
        )


def check(name: str, value: object, is_good: bool, allowed: str) -> None:
    """ValueError, one line, for a value that is not good."""
    if not is_good:
        raise ValueError(f"{name} is {shown(value)}; allowed: {allowed}")


def whole_number(value: object) -> int | None:
    """Return a whole number, also one of NumPy, as an int; None for all else, bools included."""
    try:
        return None if isinstance(value, bool) else index(value)  # type: ignore[arg-type]  # what has no index is caught
    except TypeError:
        return None


def merged_overrides(
    overrides: object, more: dict[str, Any], players: int | None
) -> dict[str, Any]:
    """Put overrides of rule parameters given by name and as a mapping together."""
    if overrides is not None and not isinstance(overrides, Mapping):
        raise ValueError(f"overrides is {shown(overrides)}; allowed: a mapping of rule parameters")
    given = {**(overrides or {}), **more}
    if players is None:
        return given
    if given.get("players", players) != players:
        raise ValueError(
            f"players is {shown(players)} with an override to {shown(given['players'])}; allowed: "
            "one of them"
        )
    return {**given, "players": players}


def check_keywords(
    owner: type[Any], keywords: Iterable[str], also: frozenset[str] = frozenset()
) -> None:
    """TypeError, as Python has it, for a keyword that is no parameter of any rules.

    ``also`` are others that ``owner`` takes and does not name itself.
    """
    known = _parameters() | also
    for name in keywords:
        if name not in known:
            meant = get_close_matches(name, [*_named_by(owner), *sorted(known)], 1, _NEAR)
            hint = f"; did you mean {shown(meant[0])}?" if meant else ""
            raise TypeError(
                f"{owner.__name__}.__init__() got an unexpected keyword argument "
                f"{shown(name)}{hint}"
            )


def _named_by(owner: type[Any]) -> list[str]:
    """Return the keywords that a class names."""
    found = signature(owner).parameters.values()
    return [p.name for p in found if p.kind is not p.VAR_KEYWORD]


@cache
def _parameters() -> frozenset[str]:
    """Rule parameters that some game has."""
    return frozenset(name for rules in RULE_SETS.values() for name in parameters(rules))


@dataclass(frozen=True)
class StartOptions:
    """How an episode begins; None leaves the choice to the environment."""

    deck: list[int] | None = None  # card ids in dealing order
    dealer: int | None = None
    cut: bool = True
    deal_number: int | None = None
    score: list[int] | None = None  # (P,)
    ties: int = 0
    zeros: list[int] | None = None  # (P,)


def read_options(game: Game, options: Mapping[str, Any] | None) -> StartOptions:
    """Check the options of a reset; ValueError names a wrong value and what is allowed."""
    if options is None:
        return StartOptions()
    if not isinstance(options, Mapping):
        raise ValueError(f"options is {shown(options)}; allowed: a mapping, or None")
    for name in options:
        _check_name(name)
    given = {name: _plain(value) for name, value in options.items() if value is not None}
    cut = given.get("cut", True)
    if not isinstance(cut, bool):
        raise ValueError(f"cut is {shown(cut)}; allowed: True, False")
    return StartOptions(
        deck=_deck(game, given.get("deck")),
        dealer=_whole(given, "dealer", 0, game.tables.n_players - 1),
        cut=cut,
        deal_number=_whole(given, "deal_number", 0, 2**64 - 1),
        score=_score(game, given.get("scores")),
        ties=_whole(given, "ties", 0, MOST_TIES if game.tables.result.tie_stacks else 1) or 0,
        zeros=_zeros(game, given.get("zeros")),
    )


def check_dealt_to(game: Game, options: Mapping[str, Any] | None, seat: int) -> None:
    """ValueError if the options of a reset are wrong, or leave a seat out of the match."""
    score, seats = read_options(game, options).score, game.tables.seats
    if seats and score is not None and score[seat] >= seats.target:
        raise ValueError(
            f"scores is {score}; allowed: seat {seat}, the learner, below {seats.target}"
        )


def seat_as_asked(game: Game, state: GameState, start: StartOptions) -> None:
    """Put a game that has just been dealt where the options want it.

    Where scores say that seats are out of the match, only the others are dealt to; if the dealer
    is out, the next of them deals.
    """
    if start.score is not None:
        state.score[0] = start.score
    if start.zeros is not None:
        state.seat_state.zeros[0] = start.zeros
    state.ties[0] = start.ties
    if start.score is not None:
        game.seat_players(state, ONLY_GAME)
    if start.deck is not None:
        game.deal_deck(state, ONLY_GAME, np.array([start.deck]))


def _check_name(name: object) -> None:
    """ValueError for a name that is likely meant to be one of those of a reset."""
    if name in _OF_A_RESET or not isinstance(name, str):
        return
    meant = get_close_matches(name.lower().replace(" ", "_"), _OF_A_RESET, n=1, cutoff=_NEAR)
    if meant:
        raise ValueError(
            f"there is no option {shown(name)}, perhaps {shown(meant[0])} is meant; allowed: "
            f"{', '.join(_OF_A_RESET)}"
        )


def _whole(given: Mapping[str, Any], name: str, low: int, high: int) -> int | None:
    value = given.get(name)
    if value is None:
        return None
    number = whole_number(value)
    if number is None or not low <= number <= high:
        raise ValueError(f"{name} is {shown(value)}; allowed: {low} to {high}")
    return number


def _plain(value: object) -> object:
    """Make lists and numbers of those of NumPy."""
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


def _is_within(value: object, low: int, high: int) -> bool:
    number = whole_number(value)
    return number is not None and low <= number <= high


def _deck(game: Game, deck: object) -> list[int] | None:
    if deck is None:
        return None
    names = deck.split() if isinstance(deck, str) else deck
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        raise ValueError(
            f"deck is {shown(deck)}; allowed: names of cards, as 'QC 8C ...' or a list"
        )
    try:
        return game.pack.parse_deck(names)
    except ValueError as error:
        raise ValueError(f"deck is {shown(' '.join(names))}; {error}") from None


def _score(game: Game, scores: object) -> list[int] | None:
    if scores is None:
        return None
    tables = game.tables
    n, with_seat_0 = tables.n_players, tables.result.ally[NONE].tolist()
    low, high = tables.score_range
    values = list(scores) if isinstance(scores, (list, tuple)) else []
    has_partners = game.rules.sides == "partners"
    if len(values) == 2 and has_partners:
        values = [values[0] if mine else values[1] for mine in with_seat_0]
    sound = len(values) == n and all(_is_within(x, low, high) for x in values)
    if not sound or any(
        values[a] != values[b] for a in range(n) for b in range(n) if tables.result.ally[a, b]
    ):
        each = (
            "one for each side, the side of seat 0 first, or one for each seat, equal for partners"
        )
        wanted = each if has_partners else f"{n} numbers, one for each seat"
        raise ValueError(f"scores is {shown(scores)}; allowed: {wanted}, from {low} to {high}")
    if tables.seats and sum(x < tables.seats.target for x in values) < 2:
        raise ValueError(
            f"scores is {shown(scores)}; allowed: two or more below {tables.seats.target}"
        )
    return [int(x) for x in values]


def _zeros(game: Game, zeros: object) -> list[int] | None:
    seats = game.tables.seats
    if zeros is None:
        return None
    n, most = game.tables.n_players, MOST_ZEROS if seats and seats.bag == "zero" else 0
    values = list(zeros) if isinstance(zeros, (list, tuple)) else []
    if len(values) != n or not all(_is_within(x, 0, most) for x in values):
        raise ValueError(f"zeros is {shown(zeros)}; allowed: {n} numbers from 0 to {most}")
    return [int(x) for x in values] if seats else None
