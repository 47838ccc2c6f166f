"""The sections of a rule page for games in which seats may be out, of a match or of a deal."""

from __future__ import annotations

from collections.abc import Iterator

from sjavs_env.cards import SUITS
from sjavs_env.rules.packets import packets
from sjavs_env.rules.pages.describe_deal import order_of, pack, plain_suits, play
from sjavs_env.rules.pages.markdown import bullets, in_words, show_suit, show_table
from sjavs_env.rules.pages.wording import CHOICES, NUMBERS
from sjavs_env.rules.parts import LastOneLoses, Melds, Ranks, Seats
from sjavs_env.rules.ruleset import RuleSet
from sjavs_env.rules.structure import expect
from sjavs_env.rules.tables import TRUMP, RuleTables
from sjavs_env.rules.tables.melds import MARRIAGE, meld_values
from sjavs_env.rules.tables.seats import SeatTables

__all__ = ["seat_sections"]


def seat_sections(rules: RuleSet, tables: RuleTables) -> Iterator[tuple[str, str]]:
    """The page from top to bottom: titles and texts, empty where the game has no such thing."""
    yield "Players", _players(rules, tables)
    yield "Pack", pack(rules, tables)
    yield "Trumps", _trumps(rules, tables)
    yield "Plain suits", plain_suits(rules, tables)
    yield "Card points", _card_points(rules, tables)
    yield "Deal", _deal(rules, tables)
    yield "Before the play", _before_play(rules, tables)
    yield "Melds", _melds(rules, tables)
    yield "Play", play(rules)
    yield "What plays show", bullets(_shown(rules))
    yield "Result of a deal", _result(rules, tables)
    yield "Match", _match(rules, tables)


def _players(rules: RuleSet, tables: RuleTables) -> str:
    others = [NUMBERS[n] for n in sorted(rules.player_counts) if n != rules.players]
    also = f"; the game is also for {' or '.join(others)}" if others else ""
    remaining = (
        "A player who has left the match is passed over, and those who remain play the game of "
        "their number. "
    )
    return (
        f"{tables.n_players} players, numbered from 0 {rules.direction}, the direction of play"
        f"{also}. {CHOICES['sides'][rules.sides]}\n\n"
        f"{remaining if rules.players > 2 else ''}The eldest, the next player after the dealer, "
        "leads first. After each deal the next player deals."
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
            text = "the dealer's last card is shown for trumps and stays in his hand"
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


def _before_play(rules: RuleSet, tables: RuleTables) -> str:
    low, timing = rules.cards.trump_order[-1], expect(Seats, rules.seats).six_timing
    six = (
        f"The {low} of trumps may be exchanged for the card turned up on the table, openly. "
        f"{CHOICES['six_timing'][timing]} Only its holder is asked, so that all know who "
        f"has it.{_nothing_to_exchange(rules)}"
    )
    of_several = "With three or two players each" if rules.players > 3 else "Each"
    reserve = (
        f"{of_several} in turn, from the eldest to the dealer, may put his whole hand aside and "
        "take the reserve, unseen and for good. The first to do so ends it. His old hand is out of "
        "play, face down."
    )
    lines = [reserve, *_staying(rules)]
    return bullets([six, *lines] if timing == "before" else [*lines, six])


def _nothing_to_exchange(rules: RuleSet) -> str:
    """With which numbers of players, as far as they can come up, there is no exchange."""
    cases = {
        3: "with three players nothing is left to exchange once the reserve is taken",
        4: "with four there is neither an exchange nor a reserve",
    }
    told = "; ".join(text for players, text in cases.items() if players <= rules.players)
    return f" {told[0].upper()}{told[1:]}." if told else ""


def _staying(rules: RuleSet) -> list[str]:
    seats, ranks = expect(Seats, rules.seats), expect(Ranks, rules.scoring)
    if not seats.may_drop:
        return []
    taker = "; who has taken the reserve must play" if seats.taker_must_play else ""
    return [
        f"Then each in turn says whether he stays in this deal or drops out{taker}. If the eldest "
        "has dropped out, the next player who stays leads. If one alone stays, he gets "
        f"{_points(ranks.lone_mark)} without play; if nobody does, the next dealer deals."
    ]


def _points(number: int) -> str:
    return f"{number} game point{'' if number == 1 else 's'}"


def _melds(rules: RuleSet, tables: RuleTables) -> str:
    melds = expect(Melds, rules.melds)
    runs, fours = meld_values(melds)
    rows = [(f"a run of {NUMBERS[n]} in a suit", str(points)) for n, points in runs.items()]
    rows += [(f"four {rank}", str(points)) for rank, points in fours.items()]
    rows.append(("king and queen of trumps, the marriage", str(MARRIAGE)))
    order = ["more points", "more cards"]
    order += ["the higher top card"] if melds.meld_compare_rank else []
    order += ["trumps", "who has announced earlier"]
    choice = "large" if melds.weis == "large" else melds.meld_selection
    lines = [
        f"Runs follow the order {' '.join(rules.cards.ranks)}, in trumps too.",
        CHOICES["meld_selection"].get(choice, CHOICES["weis"]["large"]),
        "With his first card each player announces his best meld. Of two melds the better is that "
        f"with {', then '.join(order)}.",
        "The owner of the best meld scores all of his, and shows them after the first trick; the "
        "others score none. No trick need be won for it.",
        CHOICES["stock"][melds.stock],
    ]
    return f"{show_table(('meld', 'points'), rows)}\n\n{bullets(lines)}"


def _shown(rules: RuleSet) -> list[str]:
    """What a void means that an observation tells of."""
    lines = ["A card of another suit than the one led shows that its player has none of that suit."]
    if rules.follow == "strict":
        lines = [
            "A card of another plain suit than the one led shows that its player has none of that "
            "suit. A trump may be played instead of following and shows nothing, unless a higher "
            "one is in the trick already: then its player holds trumps only.",
            "A plain card on a trump shows that its player has no trump, except perhaps the "
            f"{rules.cards.trump_order[0]}.",
        ]
    if rules.follow == "simple":
        lines.append("If it is no trump either, he has no trump.")
    return lines


def _result(rules: RuleSet, tables: RuleTables) -> str:
    ranks = expect(Ranks, rules.scoring)
    lines = [
        "A player's total is what he has won in tricks and scored for melds. Whoever has fewer "
        f"than {ranks.limit} is in the bag.",
        _marks(rules, tables),
        CHOICES["rank_tie"][ranks.rank_tie],
        _worth(rules, ranks),
        CHOICES["bag"][ranks.bag],
    ]
    if expect(Seats, rules.seats).may_drop:
        lines.append(
            "Whoever has dropped out is no player in the deal: he is not in the bag, and gets and "
            "loses nothing."
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
        f"Whoever has {target} game points or more leaves the match and is safe. The last "
        "player left has lost it. If all would leave in one deal, the one with the fewest game "
        "points has lost, then the one with the lowest total in that deal, then the one who is "
        "latest in turn."
    )
