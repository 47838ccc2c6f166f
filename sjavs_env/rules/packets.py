"""How a pack is dealt: the packets of a rule set, card by card.

``"4-4"`` deals four cards to each seat, forehand first, and four again.  Between packets,
``(2)`` lays cards aside as the talon.  ``"10(1)"`` deals ten to each seat and lays one aside
between two seats.  ``"4d-4u-8"`` deals four cards face down, four face up on them, and eight
into the hand.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Literal, NamedTuple

from sjavs_env.errors import shown

__all__ = ["Packet", "Place", "deal_places", "packet_problem", "packets"]

MOST_PLAYERS = 52  # far above any game's

Zone = Literal["hand", "talon", "down", "up"]

_ROUND = re.compile(r"(?P<each>[1-9][0-9]?)(?P<zone>[du]?)(?:\((?P<between>[1-9][0-9]?)\))?")
_ASIDE = re.compile(r"\((?P<aside>[1-9][0-9]?)\)")
_ZONES: dict[str, Zone] = {"": "hand", "d": "down", "u": "up"}


class Place(NamedTuple):
    """Where one card of the deck goes."""

    zone: Zone
    seat: int  # counted from forehand; 0 for the talon


class Packet(NamedTuple):
    """So many cards for each seat, or once for the talon."""

    zone: Zone
    cards: int
    between: int = 0  # cards laid aside between two seats


def packets(text: str) -> list[Packet]:
    """Read a way of dealing; ValueError for text that is none."""
    return [_packet(part) for part in text.split("-")]


def _packet(text: str) -> Packet:
    aside, each = _ASIDE.fullmatch(text), _ROUND.fullmatch(text)
    if aside:
        return Packet("talon", int(aside["aside"]))
    if each:
        return Packet(_ZONES[each["zone"]], int(each["each"]), int(each["between"] or 0))
    raise ValueError(f"{shown(text)} is no packet; allowed: such as 4, 4d, 4u, (2), 10(1)")


def deal_places(text: str, players: int) -> list[Place]:
    """Return where each card goes, first card off the top first.

    ValueError for text that is no way of dealing.
    """
    return [place for packet in packets(text) for place in _round(packet, players)]


def _round(packet: Packet, players: int) -> Iterator[Place]:
    if packet.zone == "talon":
        yield from [Place("talon", 0)] * packet.cards
        return
    for seat in range(players):
        yield from [Place(packet.zone, seat)] * packet.cards
        if seat + 1 < players:
            yield from [Place("talon", 0)] * packet.between


def packet_problem(text: str, players: int, hand: int, talon: int, columns: int) -> str | None:
    """Say what is wrong with a way of dealing, or None.

    Each seat must get ``hand`` cards into the hand and ``columns`` cards face down with as many
    face up on them; ``talon`` cards are laid aside.  More players than cards are no matter of
    packets.
    """
    if players > MOST_PLAYERS:
        return None
    try:
        places = deal_places(text, players)
    except ValueError:
        places = []
    counts = Counter(places)
    wanted = {Place("hand", seat): hand for seat in range(players)}
    for zone in ("down", "up") if columns else ():
        wanted |= {Place(zone, seat): columns for seat in range(players)}
    wanted |= {Place("talon", 0): talon} if talon else {}
    if counts == wanted:
        return None
    table = f", {columns} face down and {columns} face up for the table" if columns else ""
    aside = f" and {talon} for the talon" if talon else ""
    return (
        f"{shown(text)}; allowed: packets that add up to {hand} for each hand{table}{aside}, "
        f"such as '4-4', '3-(2)-3' or '4d-4u-8'"
    )
