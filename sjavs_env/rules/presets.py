"""The rule sets by name, each value with its source.

Source tags: S0, GM = Anthony Smith's description (Tórshavn, 1996); S3 = Wikipedia, S3p = what
it takes from pagat.com (John McLeod), S3f = from fo.wikipedia; CC = catsatcards.com; IM-j,
IM-o, IM-g, IM-a = public implementations; OURS = no source says, resolved here.  The base is
the game of Tórshavn; every other preset is written as its differences.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from sjavs_env.rules.ruleset import Cited, PayoffRow, RuleSet, cite, differences, with_overrides

__all__ = ["ALIASES", "PRESETS", "make_rules", "rules_from_json", "rules_to_json"]


def _won(
    name: str, amounts: tuple[int, int], low: int, source: str, tricks: str = "any"
) -> PayoffRow:
    """A row in which the declarers subtract."""
    paid = (-amounts[0], -amounts[1])
    return PayoffRow(name, "declarers", (low, 120), tricks, paid, (0, 0), source)  # type: ignore[arg-type]  # tricks is one of the literals


def _lost(
    name: str, amounts: tuple[int, int], high: int, source: str, tricks: str = "any"
) -> PayoffRow:
    """A row in which the defenders subtract."""
    paid = (-amounts[0], -amounts[1])
    return PayoffRow(name, "defenders", (0, high), tricks, (0, 0), paid, source)  # type: ignore[arg-type]  # tricks is one of the literals


BY_ROW = "each row has its own"
SINGLE_VOL = _won("single_vol", (16, 24), 0, "S3f S3p IM-j IM-o", "all_by_one")
VOL = _won("vol", (12, 16), 0, "S3f IM-j IM-o IM-g", "all")
VOL_BY_ANY = replace(VOL, source="S3p: nothing extra for one player")
WIN_90 = _won("win_90", (4, 8), 90, "all sources")
WIN = _won("win", (2, 4), 61, "all sources")
TIE = PayoffRow("tie", "nobody", (60, 60), "any", (0, 0), (0, 0), "all sources")
NO_TRICK = "S3p IM-j IM-o; OURS: no more if one defender took all"
LOSE_NO_TRICK = _lost("lose_no_trick", (16, 16), 120, NO_TRICK, "none")
LOSE_30 = _lost("lose_30", (8, 16), 30, "S3p IM-j IM-o IM-g")
LOSE = _lost("lose", (4, 8), 59, "all sources")
LOSE_ANY = replace(LOSE, source="S3f: one row for any loss")

FAROESE = RuleSet(
    **cite(
        name=Cited("faroese", "S3p: the Tórshavn game"),
        version=Cited(1, "this project"),
        title=Cited("Faroese Sjavs, four hands (Tórshavn)", "S3p"),
        players=Cited(4, "S0 GM S3 CC"),
        sides=Cited("partners", "S0 GM S3 CC: partners sit opposite"),
        ranks=Cited("AKQJT987", "S0 GM S3 CC"),
        permanent_trumps=Cited("QC QS JC JS JH JD", "all sources"),
        plain_order=Cited("AKQT987", "all sources"),
        points=Cited((("A", 11), ("T", 10), ("K", 4), ("Q", 3), ("J", 2)), "all sources"),
        deal_cut=Cited("4-4", "S0 GM S3f IM-j IM-o"),
        deal_knock=Cited("8", "S0 GM S3f IM-j IM-o"),
        min_bid=Cited(5, "GM S3f, all implementations"),
        auction_mode=Cited("forced", "S0 GM S3f: the longest length must be announced"),
        better_rule=Cited(True, 'S0 S3f; OURS: nothing of the same length beats "better"'),
        force_clubs_on_equal=Cited(True, "S0 IM-j IM-o"),
        all_pass=Cited("redeal", "S0 IM-j IM-o IM-g: the same dealer deals again"),
        follow=Cited("whist", "S0 S3p: a void player may play any card"),
        payoff_columns=Cited(("plain", "clubs"), "all sources"),
        payoff=Cited(
            (SINGLE_VOL, VOL, WIN_90, WIN, TIE, LOSE_NO_TRICK, LOSE_30, LOSE),
            BY_ROW,
        ),
        no_bid_value=Cited(4, "S3f; counts only when a deal without a bid is played"),
        tie=Cited("add_2", "IM-o IM-j IM-g"),
        tie_stacks=Cited(True, "IM-j; OURS: the next deal never paid out"),
        start=Cited(24, "S0 GM S3 CC"),
        double_at_start=Cited(True, "S0 S3p IM-o IM-j"),
        cross_rule=Cited("standard", "S0 S3p; OURS: a double win counts two"),
    ),
    notes=(
        "Gammelmandssjavs, known from an 1890 novel without its rules, is offered as an alias "
        "of this game: a reconstruction.",
    ),
)


def _variant(base: RuleSet, notes: tuple[str, ...] = (), **cited: Cited) -> RuleSet:
    """Return ``base`` with some values replaced, sources included."""
    new = cite(**cited)
    sources = {**base.sources, **new.pop("sources")}
    return replace(base, sources=sources, notes=notes, **new)


UNVERIFIED = "unverified: Smith's table is lost; S3p's rows are used"
FAROESE_SMITH = _variant(
    FAROESE,
    name=Cited("faroese_smith", "S0 GM"),
    title=Cited("Faroese Sjavs after Anthony Smith", "S0 GM"),
    payoff=Cited(tuple(replace(row, source=UNVERIFIED) for row in FAROESE.payoff), UNVERIFIED),
    tie=Cited("double", "S0: the next deal is played double"),
    tie_stacks=Cited(False, "OURS, IM-a: double stays double"),
    notes=("Smith's own table of results could not be read; the rows are those of Tórshavn.",),
)
FAROESE_WIKI = _variant(
    FAROESE,
    name=Cited("faroese_wiki", "S3f"),
    title=Cited("Faroese Sjavs after the Faroese Wikipedia", "S3f"),
    force_clubs_on_equal=Cited(True, "S0 IM-j IM-o; S3f does not say"),
    all_pass=Cited("play_permanents", "S3f; OURS: the six permanent trumps are the only trumps"),
    payoff=Cited((SINGLE_VOL, VOL, WIN_90, WIN, TIE, LOSE_ANY), BY_ROW),
    tie=Cited("add_2_plain_4_clubs", "S3f; OURS: 2 in a deal without a bid"),
    cross_rule=Cited("standard", "OURS: S3f's cross only for 24-0 is taken as a slip"),
    notes=(
        "A possible duty to overtrump is doubted by the source itself; it is offered as "
        'follow="must_overtrump".',
        "Read literally, the source gives a cross only for a rubber won while the losers still "
        'have 24; it is offered as cross_rule="shutout_only".',
    ),
)
SUDUROY = _variant(
    FAROESE,
    name=Cited("suduroy", "S3p"),
    title=Cited("Faroese Sjavs of Suðuroy", "S3p"),
    deal_cut=Cited("3-2-3", "S3p"),
    payoff=Cited(
        (VOL_BY_ANY, WIN_90, WIN, TIE, LOSE_NO_TRICK, LOSE_30, LOSE),
        BY_ROW,
    ),
    tie=Cited("add_2_declarers_4_defenders", "S3p"),
    double_at_start=Cited(False, "S3p: usually"),
    cross_rule=Cited("standard", "S3p: one cross"),
)
FAROESE_FREE = _variant(
    FAROESE,
    name=Cited("faroese_free", "OURS"),
    title=Cited("Faroese Sjavs with a free auction", "OURS: a training game, not attested"),
    auction_mode=Cited("free", "OURS; IM-j and IM-o let players pass or bid short"),
    force_clubs_on_equal=Cited(False, "OURS: the winner names any suit he holds long enough"),
    notes=("The free auction is not an attested rule: it makes the bidding a real choice.",),
)

PRESETS: Mapping[str, RuleSet] = MappingProxyType(
    {r.name: r for r in (FAROESE, FAROESE_SMITH, FAROESE_WIKI, SUDUROY, FAROESE_FREE)}
)
ALIASES: Mapping[str, str] = MappingProxyType(
    {"pagat": "faroese", "torshavn": "faroese", "gammelmandssjavs": "faroese"}
)


def make_rules(rules: str | RuleSet = "faroese", /, **overrides: Any) -> RuleSet:
    """Return a rule set by name or alias, with any parameter overridden.

    ``make_rules("suduroy", tie="add_2", **{"payoff.vol": (10, 14)})``.  Raises ValueError
    with the offending value and the allowed ones.
    """
    if isinstance(rules, RuleSet):
        return with_overrides(rules, overrides)
    if not isinstance(rules, str):
        raise ValueError(f"rules is {rules!r}; allowed: a name or a RuleSet")
    name = ALIASES.get(rules, rules)
    if name not in PRESETS:
        allowed = ", ".join([*PRESETS, *ALIASES])
        raise ValueError(f"there are no rules named {rules!r}; allowed: {allowed}")
    return with_overrides(PRESETS[name], overrides)


def rules_to_json(rules: RuleSet) -> dict[str, Any]:
    """Return ``{"name", "version", "overrides"}``, enough to rebuild the rule set.

    ValueError for a rule set that is not a preset with overrides.
    """
    if rules.name not in PRESETS:
        raise ValueError(f"rules {rules.name!r} are no preset; allowed: {', '.join(PRESETS)}")
    overrides = differences(rules, PRESETS[rules.name])
    return {"name": rules.name, "version": rules.version, "overrides": overrides}


def rules_from_json(data: Mapping[str, Any]) -> RuleSet:
    """Rebuild a rule set; ValueError for an unknown name, another version, bad overrides."""
    if not isinstance(data, Mapping):
        raise ValueError(f"rules are {data!r}; allowed: a mapping with name, version, overrides")
    unknown = set(data) - {"name", "version", "overrides"}
    if unknown or "name" not in data:
        raise ValueError(f"rules are {dict(data)!r}; allowed: name, version, overrides")
    overrides = data.get("overrides") or {}
    if not isinstance(overrides, Mapping):
        raise ValueError(f"overrides are {overrides!r}; allowed: a mapping of parameters")
    rules = with_overrides(make_rules(data["name"]), dict(overrides))
    if data.get("version", rules.version) != rules.version:
        raise ValueError(
            f"rules {rules.name} have version {data['version']!r}; this program plays "
            f"version {rules.version}"
        )
    return rules
