"""Game records: what was dealt and done, as one line of JSON, to keep, replay and verify.

A record holds one episode, a deal or a rubber, in card-table words::

    {"format": "sjavs-record", "version": 1, "rules": {...}, "seed": 7,
     "start": {"score": [24, 24, 24, 24], "ties": 0}, "players": ["Anna", ...],
     "deals": [{"deal_number": 0, "deck": "QC 8C ...", "dealer": 3, "cut": true,
                "actions": ["5", "pass", ..., "trump H", "play QC", ...],
                "result": {...}}, ...]}

``seed``, ``start``, ``players`` and ``deal_number`` may be left out.  The deck is in dealing
order, the actions are labels of the action map, and the result is that of ``deal_result``.
``history`` writes a game down while it is played; here it is stored, read and checked.  A
finished record shows every card; ``record_so_far`` is what a seat may know of a game in
progress.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from sjavs_env.cli.readable import check_readable
from sjavs_env.engine.deal import numbered_decks
from sjavs_env.engine.game import Game
from sjavs_env.engine.state import ONLY_GAME, GameState
from sjavs_env.errors import shown
from sjavs_env.records.history import (
    FORMAT,
    VERSION,
    DealLog,
    History,
    Record,
    Result,
    checked_players,
    deal_result,
)
from sjavs_env.rules.games.presets import rules_from_json
from sjavs_env.rules.ruleset import RuleSet
from sjavs_env.rules.tables import NONE, Phase, RuleTables

__all__ = [
    "DealLog",
    "History",
    "Position",
    "Record",
    "deal_result",
    "numbered_lines",
    "read_records",
    "record_so_far",
    "replay",
    "verify",
    "verify_file",
    "write_record",
]

_KEYS = {"format", "version", "rules", "seed", "start", "players", "deals"}
_DEAL_KEYS = {"deal_number", "deck", "dealer", "cut", "actions", "result"}
_MOST_BYTES = 2**26  # of a line; far above those of the longest rubber
_MOST_ZEROS = 255
_MOST_TIES = 255  # before the first deal; far above any game's, far below what arrays can hold


class _Recorded(Protocol):
    """An environment, wrapped or not, whose innermost layer keeps a ``history``."""

    @property
    def unwrapped(self) -> Any: ...


def record_so_far(env: _Recorded, seat: int) -> Record:
    """Return what ``seat`` knows of the game in progress in an environment."""
    so_far: Record = env.unwrapped.history.so_far(seat)
    return so_far


# Files


def record_line(record: Record) -> bytes:
    """Return a record as a line of a file."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode("utf-8") + b"\n"


def write_record(path: str | Path, record: Record) -> None:
    """Append a record to a file as one line, in a single write."""
    data = record_line(record)
    with Path(path).open("a+b", buffering=0) as file:
        if file.seek(0, 2) and (file.seek(-1, 2), file.read(1))[1] != b"\n":
            data = b"\n" + data  # after a line that was cut off
        if file.write(data) != len(data):
            raise OSError(f"{path}: the record was only written in part")


def read_records(path: str | Path) -> Iterator[Record]:
    """Yield the records of a file; ValueError names file and line of one that is malformed."""
    for _, record in _numbered_records(Path(path)):
        yield record


def verify_file(path: str | Path) -> int:
    """Verify every record of a file and return their number; ValueError names the line."""
    count = 0
    for line, record in _numbered_records(Path(path)):
        try:
            verify(record)
        except ValueError as error:
            raise ValueError(f"{path}, line {line}: {error}") from None
        count += 1
    return count


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file with their numbers, from 1.

    The file may be a pipe.  OSError for a file that cannot be read; ValueError, one line, for
    devices and for a line that is longer than any record or puzzle.
    """
    check_readable(path)
    with path.open("rb") as file:
        for number in count(1):
            line = file.readline(_MOST_BYTES + 1)
            if len(line) > _MOST_BYTES:
                raise ValueError(
                    f"{path}, line {number} is longer than {_MOST_BYTES} bytes; allowed: up to that"
                )
            if not line:
                return
            yield number, line


def _numbered_records(path: Path) -> Iterator[tuple[int, Record]]:
    for number, line in numbered_lines(path):
        try:
            record = json.loads(line.decode("utf-8"))
            _parse(record)
        except (json.JSONDecodeError, RecursionError) as error:
            raise ValueError(f"{path}, line {number}: no JSON: {error}") from None
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: {error}") from None
        yield number, record


# Reading one record


class _Script(NamedTuple):
    """A record with its words read."""

    game: Game
    seed: int | None
    score: list[int]  # (P,)
    ties: int
    zeros: list[int]  # (P,)
    deals: list[_Deal]


class _Deal(NamedTuple):
    deck: list[int]  # (N,) card ids
    number: int | None
    dealer: int
    cut: bool
    actions: list[str]
    result: Result


@lru_cache(maxsize=16)
def _game(rules: RuleSet) -> Game:
    """The game of a rule set: a file of records mostly holds one, and compiling takes time."""
    return Game(rules)


def _parse(record: object) -> _Script:
    """Read a record; ValueError says what is wrong with it."""
    data = _object(record, "the record", _KEYS, {"format", "version", "rules", "deals"})
    if data["format"] != FORMAT or data["version"] != VERSION:
        raise ValueError(
            f"format {shown(data['format'])} version {shown(data['version'])} cannot be read; "
            f"allowed: {shown(FORMAT)} version {VERSION}"
        )
    game = _game(rules_from_json(_object(data["rules"], "rules", None, set())))
    start = _object(data.get("start") or {}, "start", {"score", "ties", "zeros"}, set())
    score, zeros = _parse_score(start, game.tables), _parse_zeros(start, game.tables)
    if data.get("players") is not None:
        checked_players(data["players"], game)
    deals = data["deals"]
    if not isinstance(deals, list) or not deals:
        raise ValueError(f"deals is {shown(deals)}; allowed: a list of one or more deals")
    return _Script(
        game=game,
        seed=_optional_number(data, "seed", ""),
        score=score,
        ties=_parse_ties(start, game.tables),
        zeros=zeros,
        deals=[_parse_deal(deal, place, game) for place, deal in enumerate(deals, 1)],
    )


def _parse_score(start: Mapping[str, Any], t: RuleTables) -> list[int]:
    """Read the scores that a game began with (P,)."""
    score = start.get("score", [t.match.start] * t.n_players)
    score = _for_each_seat("score", score, t.n_players, *t.score_range)
    partners = t.result.ally[:-1]  # (P, P)
    if (np.not_equal.outer(score, score) & partners).any():
        raise ValueError(f"start score is {shown(score)}; allowed: the same for partners")
    return score


def _parse_zeros(start: Mapping[str, Any], t: RuleTables) -> list[int]:
    """Read the zeros outstanding then (P,)."""
    zeros = start.get("zeros") or [0] * t.n_players
    most = _MOST_ZEROS if t.seats and t.seats.bag == "zero" else 0
    return _for_each_seat("zeros", zeros, t.n_players, 0, most)


def _parse_ties(start: Mapping[str, Any], t: RuleTables) -> int:
    """Read how many ties had not been paid out then."""
    ties, most = start.get("ties"), _MOST_TIES if t.result.tie_stacks else 1
    if ties is not None and not _is_int(ties, 0, most):
        raise ValueError(f"start ties is {shown(ties)}; allowed: 0 to {most}, or null")
    return ties or 0


def _for_each_seat(
    name: str,
    found: Any,  # whatever JSON holds
    n_players: int,
    low: int,
    high: int,
) -> list[int]:
    """Return what was found if it is a whole number for each seat."""
    is_complete = isinstance(found, list) and len(found) == n_players
    if not is_complete or not all(_is_int(number, low, high) for number in found):
        raise ValueError(
            f"start {name} is {shown(found)}; allowed: {n_players} numbers from {low} to {high}"
        )
    return found


def _parse_deal(deal: object, place: int, game: Game) -> _Deal:
    where = f"deal {place}"
    data = _object(deal, where, _DEAL_KEYS, _DEAL_KEYS - {"deal_number"})
    n_players = game.tables.n_players
    if not isinstance(data["deck"], str):
        raise ValueError(
            f"{where}: deck is {shown(data['deck'])}; allowed: names of cards, 'QC 8C ...'"
        )
    try:
        deck = game.pack.parse_deck(data["deck"])
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None
    if not _is_int(data["dealer"], 0, n_players - 1):
        raise ValueError(
            f"{where}: dealer is {shown(data['dealer'])}; allowed: 0 to {n_players - 1}"
        )
    if not isinstance(data["cut"], bool):
        raise ValueError(f"{where}: cut is {shown(data['cut'])}; allowed: true, false")
    actions = data["actions"]
    if not isinstance(actions, list) or not all(isinstance(a, str) for a in actions):
        raise ValueError(f"{where}: actions is {shown(actions)}; allowed: a list of labels")
    result = _object(data["result"], f"{where}: result", None, {"kind"})
    number = _optional_number(data, "deal_number", f"{where}: ")
    return _Deal(deck, number, data["dealer"], data["cut"], actions, dict(result))


def _object(
    value: object, where: str, allowed: set[str] | None, needed: set[str]
) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{where} is {shown(value)}; allowed: an object")
    missing = sorted(needed - set(value))
    if missing:
        raise ValueError(f"{where} has no {shown(missing[0])}")
    surplus = sorted(set(value) - allowed) if allowed is not None else []
    if surplus:
        raise ValueError(
            f"{where} has {shown(surplus[0])}; allowed: {', '.join(sorted(allowed or ()))}"
        )
    return value


def _is_int(value: object, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def _optional_number(data: Mapping[str, Any], name: str, where: str) -> int | None:
    value = data.get(name)
    if value is None or _is_int(value, 0, 2**64 - 1):
        return value
    raise ValueError(f"{where}{name} is {shown(value)}; allowed: a whole number from 0, or null")


# Replay


class Position(NamedTuple):
    """A moment of a replayed game."""

    deal: int  # place of the deal in the record, from 0
    move: int  # actions made before in this deal
    seat: int  # seat to act; after the last action, whoever the engine names
    action: str | None  # what is done now, None when the deal has ended
    state: GameState  # one game; a copy, free to keep


def replay(record: Record) -> Iterator[Position]:
    """Play a record again and yield every position, before each action and after each deal.

    ValueError says where the record breaks the rules: deal and action count from 1.
    """
    return _replay(_parse(record))


def verify(record: Record) -> None:
    """Replay a record and compare its results; ValueError says where it is wrong."""
    script = _parse(record)
    for position in _replay(script):
        if position.action is not None:
            continue
        deal = script.deals[position.deal]
        found = deal_result(script.game, position.state, deal.number)
        for name in {**found, **deal.result}:
            if name not in found or deal.result.get(name, ...) != found[name]:
                raise ValueError(
                    f"deal {position.deal + 1}: result {name} is "
                    f"{shown(deal.result.get(name, 'missing'))}; "
                    f"the replay gives {shown(found.get(name))}"
                )


def _replay(script: _Script) -> Iterator[Position]:
    game, state = script.game, _first_deal(script)
    for place, deal in enumerate(script.deals):
        if place:
            _next_deal(script, state, place)
        _check_deck(script, place)
        state.cut[:] = deal.cut
        game.deal_deck(state, ONLY_GAME, np.array([deal.deck]))
        for move, label in enumerate(deal.actions):
            action = _legal_action(game, state, label, f"deal {place + 1}, action {move + 1}")
            yield Position(place, move, int(state.seat[0]), label, state.clone())
            game.step(state, [action])
        if state.phase[0] != Phase.OVER and deal.result["kind"] != "forfeit":
            raise ValueError(
                f"deal {place + 1} stops after {len(deal.actions)} actions; "
                f"legal: {_legal_labels(game, state)}"
            )
        yield Position(place, len(deal.actions), int(state.seat[0]), None, state.clone())


def _first_deal(script: _Script) -> GameState:
    first = script.deals[0]
    state = script.game.new_games(1, seed=script.seed or 0, dealer=first.dealer)
    state.score[0], state.ties[0] = script.score, script.ties
    if script.game.tables.seats:
        state.seat_state.zeros[0] = script.zeros
        script.game.seat_players(state, ONLY_GAME)
    return state


def _next_deal(script: _Script, state: GameState, place: int) -> None:
    if state.phase[0] != Phase.OVER:
        raise ValueError(f"deal {place + 1} follows a deal that was forfeited")
    script.game.next_deal(state, ONLY_GAME)
    dealer, by_rule = script.deals[place].dealer, int(state.dealer[0])
    if dealer != by_rule:
        raise ValueError(f"deal {place + 1}: dealer is {dealer}; by the rules {by_rule} deals")


def _check_deck(script: _Script, place: int) -> None:
    """A deal that claims a number must be that deal of the seed."""
    deal = script.deals[place]
    if script.seed is None or deal.number is None:
        return
    if numbered_decks(len(deal.deck), script.seed, deal.number)[0].tolist() != deal.deck:
        raise ValueError(
            f"deal {place + 1}: the deck is not deal {deal.number} of seed {script.seed}"
        )


def _legal_labels(game: Game, state: GameState) -> str:
    legal = np.flatnonzero(game.legal_actions(state)[0]).tolist()
    return ", ".join(game.actions.labels[a] for a in legal) or "nothing, the deal is over"


def _legal_action(game: Game, state: GameState, label: str, where: str) -> int:
    labels = game.actions.labels
    action = labels.index(label) if label in labels else NONE
    if action == NONE or not game.legal_actions(state)[0, action]:
        raise ValueError(
            f"{where}: {shown(label)} is illegal for seat {int(state.seat[0])}; "
            f"legal: {_legal_labels(game, state)}"
        )
    return action
