"""Golden playthroughs of Handjass: one match of every preset and number of players as text.

The deals are numbered and every choice follows a fixed rule, so a difference is a change of
the rules or of their words.
"""

from __future__ import annotations

import pytest

from sjavs_env.engine import Phase
from sjavs_env.rules.tables.meld_tables import UNIT, key_parts
from tests.engine.handjass_table import HandjassTable
from tests.engine.table import TABLES, VARYING
from tests.golden_files import Golden

FOLDER = "playthroughs"
HANDJASS = [table for table in TABLES if table[0] in VARYING]


class Scribe:
    """Plays a table by rule and writes down what happens."""

    def __init__(self, preset: str, players: int) -> None:
        """Sit down at the first deal."""
        self.table = HandjassTable(preset=preset, players=players)
        self.lines = [f"{preset}, {players} players: one match from deal 0 of seed 0"]
        self.decision = 0

    def act(self) -> str:
        """Choose by rule: a different place in the list of legal actions every time."""
        legal = self.table.legal
        label = legal[(5 * self.decision + self.decision // 7 + 2) % len(legal)]
        self.decision += 1
        self.table.act(label)
        return label

    def match(self) -> str:
        """Play until one is left."""
        while not self.table.number("rubber_over"):
            if self.table.phase == Phase.OVER:
                self.table.next_deal()
            self.deal()
        return "\n".join(self.lines) + "\n"

    def deal(self) -> None:
        """Play one deal."""
        table, pack = self.table, self.table.game.pack
        turned = pack.cards[table.number("turned")]
        self.lines += ["", f"deal {table.number('number')}, dealer {table.dealer}, {turned} up"]
        for seat, active in enumerate(table.numbers("active")):
            if active:
                self.lines.append(f"{seat} holds {' '.join(table.hand(seat))}")
        dead = table.state.seat_state.dead
        for name, words in (("reserve", table.state.talon), ("dead hand", dead)):
            if words[0]:
                self.lines.append(f"{name} {' '.join(pack.names(int(words[0])))}")
        done = []
        while table.phase not in (Phase.PLAY, Phase.OVER):
            done.append(f"{table.seat} {self.act()}")
        self.lines += [", ".join(done)] if done else []
        while table.phase != Phase.OVER:
            self.trick()
        self.lines.append(self.result())

    def trick(self) -> None:
        """Play one trick: leader, cards in order, winner and card points."""
        table = self.table
        points, taken = sum(table.numbers("points")), table.numbers("tricks")
        leader, number, done = table.number("leader"), table.number("trick_number"), []
        while table.phase != Phase.OVER and table.number("trick_number") == number:
            label = self.act()
            done.append(label.removeprefix("play "))
        won = [now - then for now, then in zip(table.numbers("tricks"), taken, strict=True)]
        worth = sum(table.numbers("points")) - points
        self.lines.append(f"{leader}: {' '.join(done)} -> {won.index(1)} ({worth})")
        if not number:
            self.lines += self.melds()

    def melds(self) -> list[str]:
        """What was announced, and what it scored."""
        lines, table = [], self.table
        for seat, scored in enumerate(table.numbers("melds")):
            key = table.state.seat_state.announced[:, seat]
            tens, cards, top, is_trump = (int(part[0]) for part in key_parts(key))
            if tens or scored:
                said = f"{tens * UNIT} with {cards} cards, top {top}, trumps {is_trump}"
                shown = " ".join(sorted(table.cards_in("known", seat)))
                lines.append(f"{seat} announces {said}: scores {scored}, known {shown}".rstrip())
        return lines

    def result(self) -> str:
        """What the deal was worth and how the match stands."""
        shown = {
            name: "-".join(map(str, self.table.numbers(name)))
            for name in ("points", "melds", "tricks", "score", "zeros", "active", "crosses")
        }
        change = " ".join(map(str, self.table.change))
        line = (
            f"{self.table.outcome}: points {shown['points']}, melds {shown['melds']}, "
            f"tricks {shown['tricks']}, change {change}, score {shown['score']}, "
            f"zeros {shown['zeros']}, active {shown['active']}"
        )
        if self.table.number("rubber_over"):
            line += f", match over, crosses {shown['crosses']}"
        return line


@pytest.mark.parametrize(("preset", "players"), HANDJASS)
def test_a_match_is_played_as_it_is_written(preset: str, players: int, golden: Golden) -> None:
    golden.check(f"{FOLDER}/{preset}_{players}.txt", Scribe(preset, players).match())
