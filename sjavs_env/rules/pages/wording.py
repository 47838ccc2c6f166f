"""The words of the printed rules: a sentence for each choice, a name for each source.

A parameter that is chosen by a word (``auction_mode="forced"``) means what is said here; a new
word needs a sentence, a new source tag a name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

__all__ = ["CHOICES", "NUMBERS", "PAYING", "ROW_WORDS", "SOURCE_TAGS"]

# parameter -> its word -> a sentence
CHOICES: Mapping[str, Mapping[str, str]] = {
    "sides": {
        "partners": "Partners sit opposite each other.",
        "alone": "Everyone plays for himself.",
    },
    "auction_mode": {
        "forced": (
            "Nothing is left to choose: a player whose longest suit is longer than the number "
            "that stands says its length."
        ),
        "optional_pass": (
            "A player whose longest suit is longer than the number that stands says its length "
            "or passes."
        ),
        "free": (
            "A player may pass, or say any number above the one that stands, up to the length "
            "of his longest suit."
        ),
        "contracts": (
            "A player passes or makes any bid above the one that stands, whatever his cards. The "
            "highest bidder is the declarer."
        ),
        "first_bid": (
            "A player passes or bids, whatever his cards. The first bid ends the auction, "
            "and its player is the declarer."
        ),
    },
    "all_pass": {
        "redeal": "If all pass, the same dealer deals again.",
        "play_permanents": (
            "If all pass, the deal is played all the same, with the permanent trumps as the only "
            "trumps."
        ),
    },
    "exchange": {  # of a talon of so many cards
        "none": "The talon stays where it is.",
        "blind": (
            "The declarer may lay away up to {cards} cards of any kind face down. Then he takes as "
            "many from the talon, those dealt to it first; he sees none of it before."
        ),
        "all_or_nothing": (
            "The declarer may take the {cards} cards of the talon, which he has not seen, and then "
            "lays away as many of any kind face down; or he leaves it where it is."
        ),
    },
    "follow": {
        "whist": "Whoever has none may play any card: nobody has to trump or to beat a card.",
        "must_overtrump": (
            "Whoever has none of the plain suit led must beat a trump that already lies in the "
            "trick, if he can; otherwise he may play any card."
        ),
        "simple": (
            "Whoever can must beat the card that is winning the trick while following suit. "
            "Whoever has none of the suit led must trump if he can, and beat a trump that already "
            "lies there if he can; otherwise he may play any card."
        ),
        "strict": (
            "Nobody has to beat a card. The highest trump of all, held as the only trump, need not "
            "be played to a trump. Whoever has none of the suit led may play any card. But to a "
            "plain suit no trump may be played that is lower than one already in the trick, unless "
            "the hand holds nothing but trumps."
        ),
    },
    "six_timing": {
        "before": (
            "It may be done before the reserve is offered, and not with one found in the reserve."
        ),
        "after": "Its holder may do it when it is his turn to play his first card, before he does.",
    },
    "weis": {
        "small": "The small values count.",
        "large": (
            "The large values count. A hand declares every run that is no part of a longer one, "
            "and every four alike, even if they have cards in common."
        ),
    },
    "meld_selection": {
        "max_total": (
            "No card counts in two runs or four alike. A hand declares the set of melds that is "
            "worth most, then the one with the best single meld, then the fewest melds."
        ),
        "best_first": (
            "No card counts in two runs or four alike. A hand declares its best single meld, then "
            "the best of the cards left, and so on."
        ),
    },
    "stock": {
        "meld": "The marriage is a meld of two cards like the others, and may share its cards.",
        "independent": (
            "The marriage always counts to its holder, who shows it, and is not compared."
        ),
    },
    "rank_tie": {
        "all": "Of players who are level for the last mark each gets one.",
        "earliest": "Of players who are level for the last mark the earliest in turn gets it.",
        "none": "Players who are level for the last mark get none.",
    },
    "bag": {
        "zero": (
            "Each player in the bag gets a zero, and every other player who took part 1 game point "
            "for each player in the bag. The next mark of a player with a zero cancels one zero "
            "and gives nothing else."
        ),
        "minus": "Each player in the bag loses 1 game point, and may have fewer than none.",
    },
}

# payoff row -> the word that players have for it
ROW_WORDS: Mapping[str, str] = {
    "vol": "vol",
    "lose_30": "jan",
    "win_jan": "jan",
    "lose_jan": "jan",
    "tout_lost_jan": "jan",
}

# how a match ends -> the heading over those whose score a deal changes
PAYING: Mapping[str, str] = {
    "first_out_wins": "who subtracts",
    "first_out_loses": "who loses",
    "deals": "who pays",
}

# small numbers as words
NUMBERS: Sequence[str] = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
)  # fmt: skip

# tag in ``RuleSet.sources`` -> what it stands for
SOURCE_TAGS: Mapping[str, str] = {
    "S0": "Anthony Smith's description (Tórshavn, 1996), in a Russian digest",
    "GM": "the first part of Anthony Smith's own text, on gambiter.com",
    "S3": "Wikipedia, Sjavs",
    "S3p": "Wikipedia, Sjavs: what it takes from pagat.com (John McLeod)",
    "S3f": "Wikipedia, Sjavs: what it takes from its Faroese sister, Sjavsur",
    "S3k": "Wikipedia, Sjavs: what it takes from kortdrengene.dk",
    "S3d": "Wikipedia, Sjavs: what it takes from its Danish sister",
    "S3n": "Wikipedia, Sjavs: what it takes from a novel of 1890",
    "DA": "the Danish Wikipedia, Sjavs (2006)",
    "CC": "the first part of Sjavs on catsatcards.com",
    "IM-a": "a public implementation, JohnAskham/Sjavs-NextJS-App",
    "IM-g": "a public implementation, jubiijan/Sjaus",
    "IM-j": "a public implementation, JohannusK/Sjavs_server",
    "IM-o": "a public implementation, odinellefsen/sjavs-backend",
    "S1": "Parlett's Handjass, in a Russian digest",
    "PP": "David Parlett, The Penguin Book of Card Games (2008), Handjass",
    "JO": "jassonkel.ch, Handjass",
    "JW": "jasswiki.ch, Handjass and Weis",
    "JV": "jassverzeichnis.ch, Handjass and Untertrumpfen",
    "PH": "pagat.com, Handjass, its introduction",
    "OURS": "no source says; decided in this project",
}
