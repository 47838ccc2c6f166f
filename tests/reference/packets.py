"""Reference for dealing in packets with cards put aside, such as "3-(2)-3" (rules 2.2)."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["check_deck", "deal_packets"]


def check_deck(deck: Sequence[str], pack: Sequence[str]) -> None:
    """Refuse a deck that is not the pack, each card once."""
    if sorted(deck) != sorted(pack):
        raise ValueError(f"a deck is the {len(pack)} cards, each of them once")


def deal_packets(
    deck: Sequence[str], players: int, packets: str, dealer: int
) -> tuple[list[list[str]], list[str]]:
    """Deal the pack; give the hands by seat and the cards put aside.

    A number is a packet of that size for each player, forehand first and dealer last (rules 2.2);
    a number in brackets is that many cards put aside.
    """
    rest = list(deck)
    hands: list[list[str]] = [[] for _ in range(players)]
    aside: list[str] = []
    for step in packets.split("-"):
        if step.startswith("("):
            size = int(step.strip("()"))
            aside.extend(rest[:size])
            rest = rest[size:]
            continue
        for place in range(1, players + 1):
            hands[(dealer + place) % players].extend(rest[: int(step)])
            rest = rest[int(step) :]
    if rest:
        raise ValueError(f"{len(rest)} cards are left over after dealing {packets}")
    return hands, aside
