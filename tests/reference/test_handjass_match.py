"""The reference for Handjass: the match, and what holds in every deal."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from .handjass import PRESETS, Match
from .handjass_cards import PACK, beats, card_points, trick_winner
from .handjass_deal import Deal, seats_in_order

HANDJASS = PRESETS["handjass"]
SWISS = PRESETS["handjass_swiss"]


# Match


def finished(match: Match, totals: Sequence[int], dropped: Sequence[int] = ()) -> Deal:
    """Make a deal of the match that has ended with these totals."""
    deal = Deal(match.params, PACK, match.dealer, match.active)
    deal.phase, deal.outcome = "over", "played"
    deal.points = list(totals)
    deal.playing = [seat in deal.order and seat not in dropped for seat in range(len(totals))]
    return deal


def test_leaving_and_losing() -> None:
    """Who reaches the target is out and is skipped; the last one loses (rules 5.3)."""
    match = Match(HANDJASS, 4, 3)
    assert match.record(finished(match, [70, 45, 25, 17])) == [2, 2, 1, 0]
    assert match.record(finished(match, [30, 60, 50, 17])) == [1, 2, 2, 0]
    assert (match.score, match.zeros) == ([3, 4, 3, 0], [0, 0, 0, 2])
    assert match.record(finished(match, [60, 60, 20, 17])) == [3, 3, 0, 0]
    assert (match.active, match.zeros) == ([False, False, True, True], [0, 0, 1, 3])
    assert match.dealer == 2  # seat 3, 0, 1 have dealt
    assert match.record(finished(match, [0, 0, 50, 60])) == [0, 0, 0, 0]
    assert (match.zeros, match.dealer) == ([0, 0, 1, 2], 3)
    assert match.record(finished(match, [0, 0, 50, 20])) == [0, 0, 1, 0]
    assert (match.zeros, match.dealer) == ([0, 0, 0, 3], 2)
    assert match.record(finished(match, [0, 0, 50, 20])) == [0, 0, 2, 0]
    assert (match.over, match.loser, match.score) == (True, 3, [6, 7, 6, 0])
    with pytest.raises(ValueError, match="not over"):
        match.record(finished(Match(HANDJASS, 4, 2), [40, 40, 40, 37]))


def test_dealer_who_has_left_is_skipped() -> None:
    """The deal passes to the next one still in."""
    match = Match(HANDJASS, 4, 3)
    match.score = [4, 4, 0, 0]
    match.record(finished(match, [60, 50, 25, 22]))
    assert (match.active, match.dealer) == ([False, False, True, True], 2)
    match = Match(HANDJASS, 3, 2)
    match.score = [4, 4, 0]
    with pytest.raises(ValueError, match="dealer"):
        match.record(finished(Match(HANDJASS, 3, 1), [60, 50, 25]))


@pytest.mark.parametrize(
    ("score", "totals", "loser"),
    [
        ([4, 3, 4], [50, 60, 17], None),
        ([4, 4, 4], [50, 50, 50], 2),  # all 5: equal totals, the latest in playing order
        ([4, 4, 4], [48, 48, 48], 2),
        ([3, 3, 4], [70, 70, 9], None),
    ],
)
def test_leaving_together(score: list[int], totals: list[int], loser: int | None) -> None:
    """All who reach the target in a deal leave together."""
    match = Match(HANDJASS, 3, 2)
    match.score = score
    match.record(finished(match, totals))
    assert match.over
    assert match.loser == (2 if loser is None else loser)
    assert match.active == [False, False, True]


@pytest.mark.parametrize(
    ("dealer", "score", "totals", "loser"),
    [
        (2, [4, 3, 4], [50, 50, 50], 1),  # 5, 4, 5: one is left
        (0, [4, 4, 4], [50, 50, 50], 0),
        (1, [4, 4, 4], [50, 50, 50], 1),
        (1, [4, 5, 4], [50, 50, 50], 0),  # 5, 6, 5: fewest points, then later than seat 2
    ],
)
def test_loser_if_all_would_leave(
    dealer: int, score: list[int], totals: list[int], loser: int
) -> None:
    """Fewest game points, then the lowest total, then the latest in playing order (rules 5.3)."""
    match = Match(HANDJASS, 3, dealer)
    match.score = score
    match.record(finished(match, totals))
    assert (match.over, match.loser) == (True, loser)
    assert match.dealer == dealer


def test_lowest_total_loses_if_all_would_leave() -> None:
    """With one mark for each, the lowest total loses though he does not deal."""
    match = Match({**HANDJASS, "rank_marks": {4: 2, 3: 3, 2: 1}}, 3, 2)
    match.score = [4, 4, 4]
    match.record(finished(match, [50, 40, 60]))
    assert (match.score, match.loser) == ([5, 5, 5], 1)


def test_net_strokes() -> None:
    """Swiss zeros are strokes off at once, and may take the score below 0 (rules 5.1)."""
    match = Match(SWISS, 4, 3)
    assert match.record(finished(match, [70, 45, 25, 17])) == [1, 1, 0, -1]
    assert match.record(finished(match, [70, 0, 60, 10], dropped=[1])) == [1, 0, 1, -1]
    assert (match.score, match.zeros) == ([2, 1, 1, -2], [0] * 4)
    match.score = [6, 5, 1, -2]
    assert match.record(finished(match, [10, 140, 0, 7], dropped=[2])) == [-1, 2, 0, -1]
    assert match.active == [True, False, True, True]
    assert match.dealer == 2


# Random play


def check_strict(deal: Deal) -> None:
    """Each card by the words of the strict rules (rules 4.1)."""
    hand = deal.hands[deal.seat]
    led = deal.trick[0][1][1]
    trumps = [card for _, card in deal.trick if card[1] == deal.trump]
    held = {card for card in hand if card[1] == deal.trump}
    for card in hand:
        if led == deal.trump:
            fine = card in held or not held or held == {"J" + deal.trump}
        elif card in held:
            only = len(held) == len(hand)
            fine = only or all(beats(card, other, deal.trump) for other in trumps)
        else:
            fine = card[1] == led or all(other[1] != led for other in hand)
        assert (f"play {card}" in deal.legal()) == fine


def all_cards(deal: Deal, played: Sequence[str]) -> list[str]:
    """Gather every card of the deal from where it lies."""
    cards = [card for hand in deal.hands for card in hand] + list(played) + deal.dead
    cards += (deal.reserve or []) + (deal.aside or [])
    if deal.turned is not None and len(deal.order) == 2:
        cards.append(deal.turned)
    return cards


def play_out(deal: Deal, rng: random.Random) -> None:
    """Play a deal at random and check it after every act."""
    played: list[str] = []
    phases: list[str] = []
    while deal.phase != "over":
        legal = deal.legal()
        assert legal
        assert deal.playing[deal.seat]
        strict = deal.params["trick_rules"] == "strict"
        if strict and deal.phase == "play" and deal.trick:
            check_strict(deal)
        label = rng.choice(legal) if deal.phase != "stay" or rng.random() < 0.5 else "stay"
        if deal.phase not in phases:
            phases.append(deal.phase)
        if deal.phase == "play":
            played.append(label.removeprefix("play "))
        deal.act(label)
        assert sorted(all_cards(deal, played)) == sorted(PACK)
    expected = ["six", "reserve", "stay", "play"]
    if deal.params["six_timing"] == "after":
        assert [phase for phase in phases if phase != "six"] == [
            phase for phase in expected if phase in phases and phase != "six"
        ]
    else:
        assert phases == [phase for phase in expected if phase in phases]
    check_result(deal, played)


def check_result(deal: Deal, played: list[str]) -> None:
    """Tricks, points and melds of a finished deal add up."""
    players = sum(deal.playing)
    if deal.outcome != "played":
        assert (deal.outcome, players) in [("thrown_in", 0), ("lone", 1)]
        assert played == []
        assert not any(deal.totals)
        return
    assert len(played) == 9 * players
    assert sum(deal.tricks) == 9
    assert sum(deal.points) == 5 + sum(card_points(card, deal.trump) for card in played)
    if players == 4:
        assert sum(deal.points) == 157
    circle = [seat for seat in deal.order if deal.playing[seat]]
    leader = circle[0]
    won = [0] * len(deal.active)
    for first in range(0, len(played), players):
        place = trick_winner(played[first : first + players], deal.trump)
        leader = circle[(circle.index(leader) + place) % players]
        won[leader] += 1
    assert deal.tricks == won
    scorers = [points for points in deal.melds if points > 0]
    assert len(scorers) <= (1 if deal.params["stock"] == "meld" else 2)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("preset", list(PRESETS))
def test_random_matches(preset: str, players: int) -> None:
    """Cards and points add up, the dealer moves on, and every match comes to its end."""
    rng = random.Random(f"{preset} {players}")
    params = PRESETS[preset]
    target = PRESETS[preset]["target"]
    assert isinstance(target, int)
    for _ in range(10):
        match = Match(params, players, rng.randrange(players))
        for _ in range(400):
            before, dealer = list(match.score), match.dealer
            deal = Deal(params, rng.sample(PACK, 36), dealer, match.active)
            play_out(deal, rng)
            change = match.record(deal)
            assert match.score == [old + new for old, new in zip(before, change, strict=True)]
            assert all(change[seat] == 0 for seat in range(players) if not deal.playing[seat])
            if match.over:
                break
            assert match.dealer == seats_in_order(dealer, match.active)[0]
            assert match.active == [points < target for points in match.score]
            assert params["bag"] == "zero" or not any(match.zeros)
        assert match.over
        assert match.loser is not None
        assert sum(match.active) == 1
        assert match.active[match.loser]
        assert min(match.score) == match.score[match.loser]
