"""The sections of a rule page from the players to the play."""

from __future__ import annotations

from itertools import groupby

import numpy as np

from sjavs_env.cards import SUIT_NAMES, SUIT_SYMBOLS, SUITS
from sjavs_env.rules.packets import Packet, packets
from sjavs_env.rules.pages.markdown import bullets, in_words, show_cards, show_suit, show_table
from sjavs_env.rules.pages.wording import CHOICES, NUMBERS, TALON, spoken
from sjavs_env.rules.parts import LengthAuction, Payoff
from sjavs_env.rules.ruleset import RuleSet, permanent_cards
from sjavs_env.rules.structure import expect
from sjavs_env.rules.tables import DECLARERS, NO_SUIT, TRICKS_SOME, TRUMP, RuleTables

__all__ = [
    "auction",
    "card_points",
    "dealing",
    "exchange",
    "giving_up",
    "naming",
    "order_of",
    "pack",
    "plain_suits",
    "play",
    "players",
    "trumps",
    "who_deals",
]


def players(rules: RuleSet, tables: RuleTables) -> str:
    """How many play, and who with whom."""
    return (
        f"{tables.n_players} players, numbered from 0 {rules.direction}, the direction of play. "
        f"{CHOICES['sides'][rules.sides]} {_sides(rules, tables)}"
    )


def _sides(rules: RuleSet, tables: RuleTables) -> str:
    against = rules.players - rules.side_size
    if rules.sides == "partners":
        sides = dict.fromkeys(tuple(np.flatnonzero(row)) for row in tables.result.ally)
        return f"Sides: seats {' against '.join(' and '.join(map(str, s)) for s in sides)}."
    if against == 1:
        return "The declarer plays against the other player."
    others = NUMBERS[against]
    return f"The declarer plays alone against the other {others}, who put their tricks together."


def pack(rules: RuleSet, tables: RuleTables) -> str:
    """The cards of the pack."""
    ranks, held = rules.cards.ranks, {card[1] for card in rules.pack.cards}
    dropped = [card for card in rules.cards.dropped.split() if card[1] in held]
    suits = ", ".join(f"{SUIT_SYMBOLS[s]} {SUIT_NAMES[s]}" for s in SUITS if s in held)
    without = f", without {show_cards(dropped)}" if dropped else ""
    ten = " T is the ten." if "T" in ranks else ""
    return f"{tables.n_cards} cards: {' '.join(ranks)} of {suits}{without}.{ten}"


def trumps(rules: RuleSet, tables: RuleTables) -> str:
    """The trumps of each suit that can be trumps."""
    if tables.course.fixed_mode:
        fixed = SUITS[tables.course.fixed_mode - 1]
        modes = {tables.course.fixed_mode: show_suit(fixed)}
        always = f"{SUIT_NAMES[fixed].capitalize()} are always trumps. "
    else:
        modes = {m: show_suit(suit) for m, suit in enumerate(SUITS, start=1)}
        modes[NO_SUIT], always = "none named", ""
    rows = [(name, *order_of(rules, tables, m, TRUMP)) for m, name in modes.items()]
    return (
        f"{always}Permanent trumps, in every deal and highest first: "
        f"{show_cards(permanent_cards(rules))}. "
        "They belong to the trumps, never to the suit printed on them.\n\n"
        + show_table(("trump suit", "cards", "high to low"), rows)
    )


def plain_suits(rules: RuleSet, tables: RuleTables) -> str:
    """The other suits."""
    rows = [
        (show_suit(s), *order_of(rules, tables, tables.course.fixed_mode, k))
        for k, s in enumerate(SUITS)
        if k != tables.course.fixed_mode - 1 and (tables.cards.class_of[0] == k).any()
    ]
    return show_table(("suit when not trumps", "cards", "high to low"), rows)


def order_of(rules: RuleSet, tables: RuleTables, mode: int, led: int) -> tuple[str, str]:
    """How many cards a class has in a mode, and which, high to low."""
    power = np.where(tables.cards.class_of[mode] == led, tables.cards.power[mode, led], 0)
    ids = [int(i) for i in np.argsort(-power) if power[i] > 0]
    return str(len(ids)), show_cards(rules.pack.cards[i] for i in ids)


def card_points(rules: RuleSet, tables: RuleTables) -> str:
    """What the cards count."""
    held = {card[0] for card in rules.pack.cards}
    listed = ", ".join(f"{rank} {points}" for rank, points in rules.cards.points if rank in held)
    others = "" if (tables.cards.points > 0).all() else "; other cards count nothing"
    total = int(tables.cards.points.sum())
    return f"{listed}{others}. Together {total}, so half is {total / 2:g}."


def who_deals(rules: RuleSet, tables: RuleTables) -> str:
    """The first dealer, and the next one."""
    ended = "played or given up" if rules.may_concede else "played"
    return (
        f"{FIRST_DEALER} Forehand, the player after the dealer, speaks first and leads first. "
        f"After a deal that has been {ended} the next player deals."
    )


FIRST_DEALER = (
    "The first dealer is drawn by lot, unless one is named (`dealer` in the options of a reset); "
    "at the tables of a batch the seats take turns."
)


def _talon(rules: RuleSet) -> str:
    """What players call the cards set aside."""
    return TALON[rules.exchange.kind if rules.exchange else "none"]


def dealing(rules: RuleSet, tables: RuleTables) -> str:
    """How the cards are dealt."""
    talon = _talon(rules)
    aside = f", and {tables.deal.n_talon} face down for the {talon}" if tables.deal.n_talon else ""
    head = f"{tables.n_tricks} cards each, forehand first{aside}"
    cut, knock = _dealt(rules.deal.deal_cut, talon), _dealt(rules.deal.deal_knock, talon)
    neighbour = "the dealer's right-hand neighbour"
    if cut == knock:
        text = f"{head}, when {neighbour} has cut the pack: {cut}."
    else:
        text = f"{head}: {cut} if {neighbour} cuts the pack, {knock} if they knock on it instead."
    return f"{text}\n\n{_table_cards()}" if tables.deal.n_columns else text


def _dealt(text: str, talon: str) -> str:
    """A way of dealing, packet by packet."""
    dealt = packets(text)
    has_rows = any(packet.zone in ("down", "up") for packet in dealt)
    if len(dealt) == 1 and not has_rows:
        return f"{dealt[0].cards} at once{_between(dealt[0], talon)}"
    parts = []
    for zone, run in groupby(dealt, key=lambda packet: packet.zone):
        listed = list(run)
        sizes = [f"{packet.cards}{_between(packet, talon)}" for packet in listed]
        if zone == "talon":
            parts += [_to_talon(packet.cards, talon) for packet in listed]
        elif zone == "hand":
            sizes[0] = f"packets of {sizes[0]}"
            parts += [*sizes[:-1], sizes[-1] + (" into the hand" if has_rows else "")]
        else:
            where = "face down" if zone == "down" else "face up on them"
            parts += [f"rows of {size} {where}" for size in sizes]
    return in_words(parts)


def _between(packet: Packet, talon: str) -> str:
    aside = _to_talon(packet.between, talon)
    return f", with {aside} between two players," if packet.between else ""


def _to_talon(cards: int, talon: str) -> str:
    return f"{NUMBERS[cards]} card{'s' if cards > 1 else ''} for the {talon}"


def _table_cards() -> str:
    return (
        "A player plays from their hand and from the cards face up in front of them; both count "
        "in the auction and for following suit. When a card that lay face up has been played, the "
        "one below it is turned up at the end of the trick and can be played from the next trick "
        "on. Until then nobody knows it."
    )


def auction(rules: RuleSet, tables: RuleTables) -> str:
    """What may be said, and what becomes of it."""
    auction, payoff = rules.auction, expect(Payoff, rules.scoring)
    if auction is None:
        return ""
    redeal = CHOICES["all_pass"][auction.no_bid.all_pass]
    if tables.auction.redeal_when_all_pass and payoff.ties:
        redeal = f"{redeal.removesuffix('.')}; a pending tie stays pending."
    if isinstance(auction, LengthAuction):
        return bullets(_lengths(auction, tables, redeal))
    once = "at most once" if auction.auction_mode == "first_bid" else "once"
    lines = [
        f"There is one round from forehand to dealer; each player speaks {once}.",
        CHOICES["auction_mode"][auction.auction_mode],
        redeal,
    ]
    return f"{bullets(lines)}\n\n{_contracts(rules, tables)}"


def _lengths(auction: LengthAuction, tables: RuleTables, redeal: str) -> list[str]:
    """An auction in which trump lengths are bid."""
    held = "in hand or face up on the table" if tables.deal.n_columns else "in hand"
    return [
        f"The length of a suit is the number of its cards that a player has {held}, all permanent "
        f"trumps included. From {auction.min_bid} on it can be announced.",
        "There is one round from forehand to dealer; each player speaks once. A number does not "
        f"tell the suit. The ladder: {', '.join(tables.auction.bid_labels)}.",
        CHOICES["auction_mode"][auction.auction_mode],
        _better(auction),
        f"A player who has nothing to say passes. {redeal}",
    ]


def _better(auction: LengthAuction) -> str:
    if not auction.better_rule:
        return "An equal length never outbids the number that stands."
    if auction.auction_mode == "free":
        who = "has clubs of at least that length may say"
    else:
        must = "must" if auction.auction_mode == "forced" else "may"
        who = f"has no longer suit and clubs of just that length {must} say"
    return (
        f'After a number, a player who {who} "better", which outbids it. '
        'An equal length never outbids "better".'
    )


def _contracts(rules: RuleSet, tables: RuleTables) -> str:
    """The bids, each with what must be made."""
    rows = [
        (
            spoken(contract.name),
            _undertaken(tables, k),
            "may be taken" if contract.takes_talon else "stays where it is",
        )
        for k, contract in enumerate(rules.contracts)
    ]
    bid = "bid, lowest first" if len(rows) > 1 else "bid"
    return show_table((bid, "the declarer undertakes", f"the {_talon(rules)}"), rows)


def _undertaken(tables: RuleTables, bid: int) -> str:
    """The least with which a bid is made; without all tricks, if that is enough."""
    by_points = tables.result.payoff_row[tables.result.column_of[bid, tables.course.fixed_mode]]
    wins = tables.result.payoff_winner[by_points[:, TRICKS_SOME]] == DECLARERS
    if wins.any():
        return f"{int(np.argmax(wins))} card points or more"
    return f"all {tables.n_tricks} tricks"


def naming(rules: RuleSet, tables: RuleTables) -> str:
    """Who names the trumps, when, and which suit it may be."""
    if tables.course.fixed_mode:
        return ""
    when = "Before the first lead"
    if rules.names_after_exchange:
        when = "After the exchange and before the first lead"
    elif rules.exchange:
        when = "Before the exchange"
    if not isinstance(rules.auction, LengthAuction):
        return f"{when} the declarer openly names the trumps, any of the four suits."
    length = "exactly" if tables.auction.name_exact else "at least"
    after_better = ', and clubs after "better"' if rules.auction.better_rule else ""
    choice = (
        "If clubs are one of several, it must be clubs."
        if tables.auction.name_clubs_first
        else "Among several the choice is free."
    )
    return (
        f"{when} the highest bidder openly names the trumps, a suit of "
        f"{length} the length announced{after_better}. {choice}"
    )


def exchange(rules: RuleSet, tables: RuleTables) -> str:
    """What the declarer does with the talon, and to whom it counts."""
    if not tables.deal.n_talon:
        return ""
    kind, talon = rules.exchange.kind if rules.exchange else "none", _talon(rules)
    lines = [CHOICES["exchange"][kind].format(cards=NUMBERS[tables.deal.n_talon], talon=talon)]
    without = [spoken(contract.name) for contract in rules.contracts if not contract.takes_talon]
    if without and rules.exchange:
        lines.append(f"Under {in_words(without)} the {talon} stays where it is.")
    if rules.exchange:
        lines.append(
            "A card laid away stays away. At a table it may be changed until the first card is "
            "led, which leaves the declarer the same choice."
            if kind == "all_or_nothing"
            else "A card laid away stays away."
        )
    lines.append(
        f"The {talon}, taken or not, and the cards laid away count towards the declarer's card "
        "points in the end, but not as a trick. Nobody else sees them."
    )
    return bullets(lines)


def giving_up(rules: RuleSet, tables: RuleTables) -> str:
    """Whether the declarer can still turn back."""
    payoff = expect(Payoff, rules.scoring)
    if not payoff.concede:
        return ""
    rows = [row for row in payoff.payoff if row.tricks == "given_up"]
    return (
        "When everything else is settled and before the first lead, the declarer plays on or "
        f"gives up. If they give up, no card is played; row `{rows[0].name}` of the results says "
        "what it costs them."
    )


def play(rules: RuleSet, tables: RuleTables) -> str:
    """What may be played and who takes the trick."""
    or_trump = ", or else a trump" if rules.follow == "strict" else ""
    lines = (
        f"Any card may be led. A player who has cards of the suit led must play one of them"
        f"{or_trump}. All trumps together are one suit.",
        CHOICES["follow"][rules.follow],
        "The highest trump takes the trick; if there is none, the highest card of the suit led "
        "does. Its player leads next.",
    )
    return bullets(lines)
