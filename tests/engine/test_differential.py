"""The engine against the reference on whole rubbers of random deals, every preset and variant.

The deals of a preset are split into chunks, so that the long version can share two processes
(``pytest -m slow -n 2``).
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.twins import PRESETS, compare
from tests.reference import faroese

# Rows that chance brings up in every game of the same kind; losing every trick of eight or more
# is too rare to be asked of it, a worked example plays it.
ORE_ROWS = {"concede", "no_trick", "all", "win_double", "win", "lose", "rubber", "redeal"}
CHIP_ROWS = {
    "tout_made", "tout_lost", "win_no_trick", "win_jan", "win", "lose_no_trick", "lose_jan",
    "lose", "rubber", "redeal",
}  # fmt: skip
NEW_ROWS: dict[str, set[str]] = {
    "faroese_3": {"vol", "win_90", "win", "tie", "lose_30", "lose", "ties", "rubber"},
    "faroese_2": {"win_90", "win", "tie", "lose_30", "lose", "ties", "rubber"},
    "klorsjavs": ORE_ROWS,
    "danish_4": ORE_ROWS,
    "auction_sjavs": CHIP_ROWS,
    "auction_sjavs_clubs": CHIP_ROWS,
}
ROWS = ["single_vol", "vol", "win_90", "win", "tie", "lose_no_trick", "lose_30", "lose"]
VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("faroese", {"auction_mode": "optional_pass"}),
    ("faroese_wiki", {"auction_mode": "optional_pass", "all_pass": "play_permanents"}),
    ("faroese_wiki", {"follow": "must_overtrump"}),
    ("faroese_free", {"follow": "must_overtrump", "force_clubs_on_equal": True}),
    ("faroese", {"tie": "add_2_plain_4_clubs"}),
    ("faroese", {"tie": "add_2_declarers_4_defenders"}),
    ("faroese", {"tie": "double"}),
    ("suduroy", {"tie": "double", "tie_stacks": False}),
    ("faroese_wiki", {"tie": "add_2_declarers_4_defenders", "auction_mode": "optional_pass"}),
    ("faroese_wiki", {"tie": "double", "tie_stacks": False, "auction_mode": "optional_pass"}),
    ("faroese", {"tie_stacks": False}),
    ("faroese", {"better_rule": False}),
    ("faroese_free", {"better_rule": False}),
    ("faroese", {"force_clubs_on_equal": False}),
    ("faroese", {"min_bid": 4}),
    ("faroese_free", {"min_bid": 3}),
    ("faroese", {"min_bid": 7, "all_pass": "play_permanents", "no_bid_value": 3}),
    ("faroese", {"payoff.single_vol": None, "payoff.lose_no_trick": None}),
    ("faroese", {"payoff.single_vol": None, "payoff.vol": None, "payoff.win_90": None}),
    ("faroese", {"payoff.lose_30": None, "payoff.win": (3, 5), "payoff.lose_no_trick": (9, 11)}),
    ("faroese", {"cross_rule": "shutout_only"}),
    ("suduroy", {"cross_rule": "shutout_only", "start": 12}),
    ("faroese", {"start": 40, "double_at_start": False}),
    ("suduroy", {"deal_cut": "1-7", "deal_knock": "2-2-2-2", "double_at_start": True}),
]
NEW_VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("faroese_3", {"auction_mode": "free", "force_clubs_on_equal": False}),
    ("faroese_3", {"follow": "must_overtrump", "tie": "double", "tie_stacks": False}),
    ("faroese_3", {"cross_rule": "shutout_only", "tie": "add_2_declarers_4_defenders"}),
    ("faroese_3", {"start": 10, "double_at_start": False}),
    ("faroese_3", {"solo_counts_as_single": True}),
    ("faroese_2", {"auction_mode": "optional_pass", "tie": "add_2_plain_4_clubs"}),
    ("faroese_2", {"follow": "must_overtrump", "start": 12}),
    ("klorsjavs", {"concede": False, "start": 30}),
    ("danish_4", {"concede": False, "start": 20}),
    ("auction_sjavs", {"match_deals": 3}),
    ("auction_sjavs", {"jan_on_tout": True}),
    ("auction_sjavs_clubs", {"jan_on_tout": True, "match_deals": 5}),
]
# rows that such a parameter brings into the game
BROUGHT_IN = {
    "solo_counts_as_single": {"single_vol"},
    "jan_on_tout": {"tout_made_no_trick", "tout_lost_no_trick", "tout_lost_jan"},
}
VARIANT_IDS = [
    "-".join([preset, *(f"{k}={v}".replace(" ", "") for k, v in overrides.items())])
    for preset, overrides in VARIANTS
]


def rows_of(preset: str, overrides: dict[str, Any]) -> set[str]:
    """Rows of the table of results that a rule set has."""
    dropped = {k.removeprefix("payoff.") for k, v in overrides.items() if v is None}
    params = faroese.PRESETS[preset]
    return {row for row in ROWS if row == "tie" or params[row]} - dropped


def expected(preset: str) -> set[str]:
    """What thousands of deals of a preset must bring up."""
    if preset in NEW_ROWS:
        return NEW_ROWS[preset]
    return rows_of(preset, {}) - {"lose_no_trick"} | {"rubber", "ties"}


@pytest.mark.parametrize("preset", PRESETS)
def test_the_engine_plays_every_preset_as_the_reference_does(preset: str) -> None:
    seen = compare(preset, {}, 2_500, n_games=100, seed=11)
    assert set(seen) >= expected(preset)
    if preset in faroese.PRESETS:
        without_bid = {"no_bid_win", "no_bid_lose"} if preset == "faroese_wiki" else {"redeal"}
        assert set(seen) >= without_bid


@pytest.mark.parametrize(("preset", "overrides"), NEW_VARIANTS, ids=str)
def test_variants_of_the_other_games_are_played_as_the_reference_does(
    preset: str, overrides: dict[str, Any]
) -> None:
    seen = compare(preset, overrides, 1_000, seed=13)
    brought_in = [BROUGHT_IN.get(name, set()) for name in overrides]
    assert set(seen) >= set().union(*brought_in)


@pytest.mark.parametrize(("preset", "overrides"), VARIANTS, ids=VARIANT_IDS)
def test_the_engine_plays_every_variant_as_the_reference_does(
    preset: str, overrides: dict[str, Any]
) -> None:
    seen = compare(preset, overrides, 1_000, seed=12)
    assert set(seen) & set(ROWS) <= rows_of(preset, overrides)
    assert set(seen) >= {"win", "lose", "rubber", "ties"}


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(5))
@pytest.mark.parametrize("preset", PRESETS)
def test_100_000_deals_of_every_preset(preset: str, chunk: int) -> None:
    seen = compare(preset, {}, 20_000, n_games=1000, seed=100 + chunk)
    assert set(seen) >= expected(preset)


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "overrides"), VARIANTS, ids=VARIANT_IDS)
def test_20_000_deals_of_every_variant(preset: str, overrides: dict[str, Any]) -> None:
    seen = compare(preset, overrides, 20_000, n_games=1000, seed=200)
    assert set(seen) & set(ROWS) <= rows_of(preset, overrides)
    assert set(seen) >= {"win", "lose", "tie", "rubber", "ties"}
