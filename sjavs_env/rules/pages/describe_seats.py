"""The sections of a rule page for games in which seats may be out, of a match or of a deal."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sjavs_env.cards import SUITS
from sjavs_env.rules.packets import packets
from sjavs_env.rules.pages.describe_deal import (
    FIRST_DEALER,
    order_of,
    pack,
    plain_suits,
    play,
)
from sjavs_env.rules.pages.markdown import bullets, in_words, show_suit, show_table
from sjavs_env.rules.pages.wording import CHOICES, NUMBERS, SEVERAL_CROSSES
from sjavs_env.rules.parts import LastOneLoses, Melds, Ranks, Seats
from sjavs_env.rules.ruleset import RuleSet
from sjavs_env.rules.structure import expect
from sjavs_env.rules.tables import TRUMP, RuleTables
from sjavs_env.rules.tables.meld_tables import MARRIAGE, meld_values
from sjavs_env.rules.tables.seat_tables import SeatTables

__all__ = ["SEAT_SECTIONS"]


def _players(rules: RuleSet, tables: RuleTables) -> str:
    others = [NUMBERS[n] for n in sorted(rules.player_counts) if n != rules.players]
    also = f"; the game is also for {' or '.join(others)}" if others else ""
    remaining = (
        " A player who has left the match is passed over, and those who remain play the game of "
        "their number."
    )
    return (
        f"{tables.n_players} players, numbered from 0 {rules.direction}, the direction of play"
        f"{also}. Each plays for themselves.{remaining if rules.players > 2 else ''}"
    )


def _who_deals(rules: RuleSet, tables: RuleTables) -> str:
    return (
        f"{FIRST_DEALER} The eldest, the next player after the dealer, leads first. After each "
        "deal the next player deals."
    )


def _trumps(rules: RuleSet, tables: RuleTables) -> str:
    rows = [
        (show_suit(suit), *order_of(rules, tables, m, TRUMP)) for m, suit in enumerate(SUITS, 1)
    ]
    return show_table(("trump suit", "cards", "high to low"), rows)


def _card_points(rules: RuleSet, tables: RuleTables) -> str:
    listed = ", ".join(f"{rank} {points}" for rank, points in rules.cards.points)
    trumps = ", ".join(f"{rank} {points}" for rank, points in rules.cards.trump_points)
    last = f", and {rules.cards.last_trick} for the last trick" if rules.cards.last_trick else ""
    return (
        f"{listed}; of trumps {trumps}; other cards count nothing. Together {rules.total_points}"
        f"{last}, less the cards that are out of play."
    )


def _deal(rules: RuleSet, tables: RuleTables) -> str:
    cut, knock = _sizes(rules.deal.deal_cut), _sizes(rules.deal.deal_knock)
    packs = cut if cut == knock else f"{cut} if the pack is cut, of {knock} if it is knocked on"
    lines = [f"{tables.n_tricks} cards each, the eldest first, in packets of {packs}."]
    for dealing in expect(Seats, rules.seats).dealings:
        if dealing.players > rules.players:
            continue
        number = NUMBERS[dealing.players]
        if not dealing.on_table:
            text = "the dealer's last card is shown for trumps and stays in their hand"
        elif dealing.hands == dealing.players:
            text = (
                "the cards left are the reserve hand; its top card is turned up for trumps and "
                "goes with it"
            )
        else:
            text = (
                "two more hands are dealt in turn, the reserve and a dead hand; the last card of "
                "the dead hand is turned up for trumps, and its other cards are never played"
            )
        lines.append(f"With {number} players {text}.")
    return bullets(lines)


def _sizes(text: str) -> str:
    return in_words([str(packet.cards) for packet in packets(text)])


def _six(rules: RuleSet, tables: RuleTables) -> str:
    low, timing = rules.cards.trump_order[-1], expect(Seats, rules.seats).six_timing
    return (
        f"The holder of the {low} of trumps may exchange it, openly, for the card turned up on the "
        f"table. {CHOICES['six_timing'][timing]} The program asks only that player, so that all "
        f"know who has it.{_nobody_asked(rules)}{_nothing_to_exchange(rules)}"
    )


def _nobody_asked(rules: RuleSet) -> str:
    """Where the lowest trump is if no player has it: of three, every one would have been asked."""
    if rules.players < 3 or expect(Seats, rules.seats).six_timing != "before":
        return ""
    low = rules.cards.trump_order[-1]
    return f" With three players, if nobody is asked, the {low} lies in the reserve, as all know."


def _reserve(rules: RuleSet, tables: RuleTables) -> str:
    of_several = "With three or two players each" if rules.players > 3 else "Each"
    return (
        f"{of_several} in turn, from the eldest to the dealer, may put their whole hand aside and "
        "take the reserve, unseen and for good. The first to do so ends it. Their old hand is out "
        "of play, face down."
    )


def _nothing_to_exchange(rules: RuleSet) -> str:
    """With which numbers of players, as far as they can come up, there is no exchange."""
    cases = {
        3: "with three players nothing is left to exchange once the reserve is taken",
        4: "with four there is neither an exchange nor a reserve",
    }
    told = "; ".join(text for players, text in cases.items() if players <= rules.players)
    return f" {told[0].upper()}{told[1:]}." if told else ""


def _staying(rules: RuleSet, tables: RuleTables) -> str:
    seats, ranks = expect(Seats, rules.seats), expect(Ranks, rules.scoring)
    if not seats.may_drop:
        return ""
    taker = "; the player who has taken the reserve must stay" if seats.taker_must_play else ""
    return (
        "After the reserve each in turn says whether they stay in this deal or drop out of it"
        f"{taker}. If the eldest has dropped out, the next player who stays leads. If only one "
        f"player stays, they get {_points(ranks.lone_mark)} without play; if nobody does, the next "
        "dealer deals."
    )


def _points(number: int) -> str:
    return f"{number} game point{'' if number == 1 else 's'}"


def _melds(rules: RuleSet, tables: RuleTables) -> str:
    melds = expect(Melds, rules.melds)
    runs, fours = meld_values(melds)
    rows = [(f"a run of {NUMBERS[n]} in a suit", str(points)) for n, points in runs.items()]
    rows += [(f"four {rank}", str(points)) for rank, points in fours.items()]
    rows.append(("king and queen of trumps, the marriage", str(MARRIAGE)))
    top = melds.meld_compare_rank
    order = ["with more points", "with more cards", *(["with the higher top card"] if top else [])]
    order += ["of trumps", "announced earlier"]
    told = ["its points", "the number of its cards", *(["its top card"] if top else [])]
    told.append("whether it is of trumps")
    choice = "large" if melds.weis == "large" else melds.meld_selection
    lines = [
        f"Runs follow the order {' '.join(rules.cards.ranks)}, in trumps too.",
        CHOICES["meld_selection"].get(choice, CHOICES["weis"]["large"]),
        "With their first card each player announces their best meld. Of two melds the better is "
        f"the one {', then the one '.join(order)}.",
        f"The program tells all of it at once: {in_words(told)}. At a table a player says no more "
        "than is needed to find the best.",
        "The owner of the best meld scores all of theirs, and shows them after the first trick; "
        "the others score none. No trick need be won for it.",
        CHOICES["stock"][melds.stock],
    ]
    return f"{show_table(('meld', 'points'), rows)}\n\n{bullets(lines)}"


def _shown(rules: RuleSet, tables: RuleTables) -> str:
    """Which suits a player shows to lack."""
    lines = ["A card of another suit than the one led shows that its player has none of that suit."]
    if rules.follow == "strict":
        lines = [
            "A plain card of another suit than the plain suit led shows that its player has none "
            "of that suit.",
            "A trump may be played instead of following suit, and shows nothing by itself. But "
            "when a plain suit was led, a trump lower than one already in the trick shows that its "
            "player holds nothing but trumps.",
            "A plain card played when trumps were led shows that its player has no trump, except "
            f"perhaps the {rules.cards.trump_order[0]}.",
        ]
    if rules.follow == "simple":
        lines += [
            "If that card is not a trump either, its player has no trump.",
            "A card that follows suit but does not beat the card that is winning the trick shows "
            "that its player has no card of that suit that would.",
            "When a plain suit was led, a trump lower than one already in the trick shows that its "
            "player has no trump higher than that one.",
        ]
    return bullets(lines)


def _result(rules: RuleSet, tables: RuleTables) -> str:
    ranks = expect(Ranks, rules.scoring)
    lines = [
        "A player's total is what they have won in tricks and scored for melds. A player with "
        f"fewer than {ranks.limit} is in the bag.",
        _marks(rules, tables),
        CHOICES["rank_tie"][ranks.rank_tie],
        _worth(rules, ranks),
        CHOICES["bag"][ranks.bag],
    ]
    if expect(Seats, rules.seats).may_drop:
        lines.append(
            "A player who has dropped out does not take part in the deal: they are not in the bag, "
            "and neither gain nor lose anything."
        )
    return bullets(lines)


def _marks(rules: RuleSet, tables: RuleTables) -> str:
    """How many players get a mark, by how many are in the match."""
    marks = expect(SeatTables, tables.seats).marks
    given = {n: int(marks[n]) for n in range(rules.players, 1, -1)}
    if set(given.values()) == {1}:
        return "The highest total gets a mark, unless its player is in the bag."
    listed = [f"{NUMBERS[m]} with {NUMBERS[n]} players" for n, m in given.items()]
    return (
        f"The highest totals get a mark each: {in_words(listed)} in the match; never a player in "
        "the bag."
    )


def _worth(rules: RuleSet, ranks: Ranks) -> str:
    """What a mark is worth, and when it is worth more."""
    usual = ranks.two_hand_mark if rules.players == 2 else 1
    cases = [(ranks.sole_mark, "if all other players in the deal are in the bag")]
    if rules.players > 2:
        cases.insert(0, (ranks.two_hand_mark, "with two players in the match"))
    more = [(worth, when) for worth, when in cases if worth > usual]
    text = f"A mark is worth {_points(usual)}"
    if not more:
        return f"{text}."
    if len({worth for worth, _ in more}) == 1:
        return f"{text}, but {more[0][0]} {' or '.join(when for _, when in more)}."
    listed = " and ".join(f"{worth} {when}" for worth, when in more)
    return f"{text}, but {listed}; of both the greater counts."


def _match(rules: RuleSet, tables: RuleTables) -> str:
    target = expect(LastOneLoses, rules.match).target
    return (
        f"A player with {target} game points or more leaves the match and is safe. The last player "
        "left has lost it, and gets a cross, here the mark for a match that is lost: it counts −1. "
        "If all would leave in one deal, the loser is the one with the fewest game points; among "
        "equals the one with the lowest total in that deal; then the one latest in turn. "
        f"{SEVERAL_CROSSES} All take part again in each new match."
    )


# By the number of the section; empty where the game has no such thing.
SEAT_SECTIONS: Mapping[str, Callable[[RuleSet, RuleTables], str]] = {
    "1.1": _players,
    "1.2": pack,
    "1.3": _trumps,
    "1.4": plain_suits,
    "1.5": _card_points,
    "2.1": _who_deals,
    "2.2": _deal,
    "3.5": _six,
    "3.6": _reserve,
    "3.7": _staying,
    "4.1": play,
    "4.2": _melds,
    "4.3": _shown,
    "5.1": _result,
    "5.3": _match,
}
