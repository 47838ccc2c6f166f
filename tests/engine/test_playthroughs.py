"""Golden playthroughs: one rubber of every preset as text, a line for each trick.

The deals are numbered and every choice follows a fixed rule, so a difference is a change of
the rules or of their words.  Where lengths are bid, a rubber begins one deal before the first
numbered deal that nobody can bid on, if that comes soon.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from sjavs_env.engine import Phase
from sjavs_env.engine.phases.auction import suit_lengths
from sjavs_env.rules import PRESETS
from tests.engine.table import ROW, SJAVS, TABLES, VARYING, Table, game_of
from tests.golden_files import GOLDEN, Golden

FOLDER = "playthroughs"


def first_deal(preset: str) -> int:
    """The number of the deal before the first one that nobody can bid on."""
    game = game_of(preset)
    state = game.new_games(500)
    lengths = suit_lengths(game.tables, state.dealt.reshape(-1)).reshape(500, -1)
    least = getattr(game.rules.auction, "min_bid", 1)  # any length will do for a contract
    without = np.flatnonzero((lengths < least).all(axis=1))
    return int(without[0]) - 1 if len(without) else 0


class Scribe:
    """Plays a table by rule and writes down what happens."""

    def __init__(self, preset: str) -> None:
        """Sit down at the first deal."""
        self.table = Table(preset=preset)
        number = first_deal(preset)
        self.table.state = self.table.game.new_games(1, numbers=number)
        self.lines = [f"{preset}: one rubber from deal {number} of seed 0"]
        self.decision = 0

    def act(self) -> str:
        """Choose by rule: a different place in the list of legal actions every time."""
        legal = [label for label in self.table.legal if label != "give up"] or self.table.legal
        label = legal[(5 * self.decision + 2) % len(legal)]
        self.decision += 1
        self.table.act(label)
        return label

    def rubber(self) -> str:
        """Play until a side has won the rubber."""
        while not self.table.number("rubber_over"):
            if self.table.phase == Phase.OVER:
                self.table.next_deal()
            self.deal()
        return "\n".join(self.lines) + "\n"

    def deal(self) -> None:
        """Play one deal."""
        table = self.table
        self.lines += ["", f"deal {table.number('number')}, dealer {table.dealer}"]
        seats = range(table.game.rules.players)
        self.lines += [f"{seat} holds {' '.join(table.hand(seat))}" for seat in seats]
        said = []
        while table.phase == Phase.AUCTION:
            said.append(f"{table.seat} {self.act()}")
        self.lines.append(", ".join(said))
        while table.phase not in (Phase.PLAY, Phase.OVER):
            self.lines.append(f"{table.seat} {self.act()}")
        while table.phase == Phase.PLAY:
            self.trick()
        self.lines.append(self.result())

    def trick(self) -> None:
        """Play one trick: leader, cards in order, winner and card points."""
        table = self.table
        points, taken = sum(table.numbers("points")), table.numbers("tricks")
        leader = table.seat
        cards = [self.act().removeprefix("play ") for _ in range(table.game.rules.players)]
        won = [now - then for now, then in zip(table.numbers("tricks"), taken, strict=True)]
        worth = sum(table.numbers("points")) - points
        self.lines.append(f"{leader}: {' '.join(cards)} -> {won.index(1)} ({worth})")

    def result(self) -> str:
        """What the deal was worth and how the rubber stands."""
        table = self.table
        shown = {
            name: "-".join(map(str, self.by_side(table.numbers(name), sum)))
            for name in ("points", "tricks")
        }
        alike = {
            name: self.by_side(table.numbers(name), max) for name in ("change", "score", "crosses")
        }
        line = (
            f"{table.outcome}: points {shown['points']}, tricks {shown['tricks']}, "
            f"change {' '.join(map(str, alike['change']))}, "
            f"score {'-'.join(map(str, alike['score']))}"
        )
        if table.number("ties"):
            line += f", ties pending {table.number('ties')}"
        if table.number("rubber_over"):
            line += f", rubber over, crosses {'-'.join(map(str, alike['crosses']))}"
        return line

    def by_side(self, values: list[int], what: Callable[[list[int]], int]) -> list[int]:
        """One value for each side: of partners together, else of each seat."""
        if self.table.game.rules.sides == "partners":
            return [what(values[0::2]), what(values[1::2])]
        return values


@pytest.mark.parametrize("preset", SJAVS)
def test_a_rubber_is_played_as_it_is_written(preset: str, golden: Golden) -> None:
    text = Scribe(preset).rubber()
    if PRESETS[preset].players == 4 and not PRESETS[preset].contracts:
        assert ("no_bid" if preset == "faroese_wiki" else "redeal") in text
    golden.check(f"{FOLDER}/{preset}.txt", text)


def test_there_is_one_playthrough_for_every_preset() -> None:
    wanted = [*SJAVS, *(f"{name}_{n}" for name, n in TABLES if name in VARYING)]
    assert sorted(p.stem for p in (GOLDEN / FOLDER).glob("*")) == sorted(wanted)


def test_the_invariants_hold_where_playthroughs_begin() -> None:
    table = Scribe("faroese").table
    assert table.game.problems(table.state) == []
    assert table.phase == Phase.AUCTION
    table.game.next_deal(table.state, ROW)
    assert max(len(table.hand(seat)) for seat in range(4)) == 8
