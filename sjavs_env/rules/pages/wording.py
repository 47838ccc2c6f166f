"""The words of the printed rules: a sentence for each choice, a name for each source.

A parameter that is chosen by a word (``auction_mode="forced"``) means what is said here; a new
word needs a sentence, a new source tag a name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

__all__ = [
    "CHOICES",
    "NUMBERS",
    "PAYING",
    "ROW_WORDS",
    "SEVERAL_CROSSES",
    "SOURCE_TAGS",
    "TALON",
    "spoken",
]

# parameter -> its word -> a sentence
CHOICES: Mapping[str, Mapping[str, str]] = {
    "sides": {
        "partners": "Partners sit opposite each other.",
        "alone": "There are no partners.",
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
            "of their longest suit."
        ),
        "contracts": (
            "A player passes or makes any bid above the one that stands, whatever their cards. "
            "The highest bidder is the declarer."
        ),
        "first_bid": (
            "A player passes or bids, whatever their cards. The first bid ends the auction, and "
            "the player who made it is the declarer."
        ),
    },
    "all_pass": {
        "redeal": "If all pass, the same dealer deals again.",
        "play_permanents": (
            "If all pass, the deal is played all the same, with the permanent trumps as the only "
            "trumps."
        ),
    },
    "exchange": {  # of a talon with a name and so many cards
        "none": "The {talon} stays where it is.",
        "blind": (
            "The declarer may lay away up to {cards} cards of any kind, face down, and then takes "
            "as many from the {talon}, in the order in which they were dealt to it. Nobody sees a "
            "card of the {talon} before that."
        ),
        "all_or_nothing": (
            "The declarer may take the {cards} cards of the {talon} unseen, and then lays away as "
            "many of any kind, face down; or they leave the {talon} where it is."
        ),
    },
    "follow": {
        "whist": (
            "A player who has none may play any card: nobody has to trump or to beat a card."
        ),
        "must_overtrump": (
            "A player who has none of the plain suit led must beat a trump that is already in the "
            "trick, if they can; otherwise they may play any card."
        ),
        "simple": (
            "A player who follows suit must beat the card that is winning the trick, if they can. "
            "A player who has none of the suit led must trump, if they can, and beat any trump "
            "already in the trick, if they can; without trumps they may play any card."
        ),
        "strict": (
            "Nobody has to beat a card. The highest trump of all, held as the only trump, need not "
            "be played when trumps are led. A player who has none of the suit led may play any "
            "card. But when a plain suit is led, no trump may be played that is lower than one "
            "already in the trick, unless the player holds nothing but trumps."
        ),
    },
    "six_timing": {
        "before": (
            "This happens before the reserve is offered; a card found in the reserve cannot be "
            "exchanged."
        ),
        "after": (
            "The holder may do so when it is their turn to play their first card, just before "
            "they play it."
        ),
    },
    "weis": {
        "small": "The small values count.",
        "large": (
            "The large values count. A hand declares every run that is not part of a longer one, "
            "and every four alike, even if they share cards."
        ),
    },
    "meld_selection": {
        "max_total": (
            "No card counts both in a run and in four alike, nor in two runs. A hand declares the "
            "set of melds that is worth most; of equal sets the one with the best single meld, "
            "then the one with the fewest melds. The program makes this choice."
        ),
        "best_first": (
            "No card counts both in a run and in four alike, nor in two runs. A hand declares its "
            "best single meld, then the best of the cards left, and so on. The program makes this "
            "choice."
        ),
    },
    "stock": {
        "meld": "The marriage is a meld of two cards like the others, and may share its cards.",
        "independent": (
            "The marriage is not compared: whoever holds it always scores it, and shows it."
        ),
    },
    "rank_tie": {
        "all": "Players who are level for the last mark all get one.",
        "earliest": "Of players who are level for the last mark, the earliest in turn gets it.",
        "none": "Players who are level for the last mark get none.",
    },
    "bag": {
        "zero": (
            "A player in the bag gets a zero. For each player in the bag, every player of this "
            "deal who is not in the bag gets 1 game point. A player with zeros gets no game point "
            "for their next mark: it cancels one zero."
        ),
        "minus": "A player in the bag loses 1 game point, and may go below zero.",
    },
}

# how cards are exchanged -> what players call the cards set aside
TALON: Mapping[str, str] = {"none": "talon", "blind": "skat", "all_or_nothing": "cat"}

# payoff row -> the word that players have for it
ROW_WORDS: Mapping[str, str] = {
    "vol": "vol",
    "lose_30": "jan",
    "win_jan": "jan",
    "lose_jan": "jan",
    "tout_lost_jan": "jan",
}

# contract -> how players write it, where the program keeps to plain letters
_CONTRACTS: Mapping[str, str] = {"stroget tout": "strøget tout"}


def spoken(contract: str) -> str:
    """A contract as players write it."""
    return _CONTRACTS.get(contract, contract)


# true of every match
SEVERAL_CROSSES = (
    "Players may go on to several crosses: scores go back to the start, the crosses stay and the "
    'deal moves on to the next player. In the environments that is `episode="rubber"` with '
    "`crosses=N`: until somebody has N."
)

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
