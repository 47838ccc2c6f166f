"""Handjass in the engine against the reference: whole matches, every preset and number of players.

``pytest -m slow`` plays the long version.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.engine.twins_handjass import PLAYERS, PRESETS, compare_handjass, compare_melds
from tests.reference.handjass_cards import PACK

VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("handjass", {"last_trick": 0, "target": 3}),
    ("handjass", {"six_timing": "after", "limit": 40}),
    ("handjass", {"rank_tie": "earliest", "rank_marks": (3, 1, 1)}),
    ("handjass", {"rank_tie": "none", "two_hand_mark": 2, "limit": 0}),
    ("handjass", {"weis": "large", "stock": "independent"}),
    ("handjass", {"meld_selection": "best_first", "meld_compare_rank": True}),
    ("handjass", {"may_drop": True, "lone_mark": 1, "taker_must_play": True}),
    ("handjass_strict", {"bag": "minus", "sole_mark": 3}),
    ("handjass_alt", {"taker_must_play": True, "follow": "simple", "target": 2}),
    ("handjass_alt", {"six_timing": "after", "weis": "large"}),
    ("handjass_swiss", {"six_timing": "before", "rank_tie": "none"}),
    ("handjass_swiss", {"may_drop": False, "weis": "large", "target": 4}),
    ("handjass_swiss", {"taker_must_play": False, "lone_mark": 0, "limit": 60}),
    ("handjass_schlaeger", {"bag": "zero", "rank_tie": "earliest", "target": 5}),
]
MELDS: list[tuple[str, dict[str, Any]]] = [
    ("handjass", {}),
    ("handjass_swiss", {}),
    ("handjass", {"meld_selection": "best_first"}),
    ("handjass_swiss", {"meld_selection": "best_first"}),
    ("handjass", {"weis": "large"}),
    ("handjass_swiss", {"weis": "large"}),
]


def expected(preset: str, players: int) -> set[str]:
    """What many deals of a preset must bring up."""
    seen = {"played", "melds", "match", *(f"deal of {n}" for n in range(2, players + 1))}
    seen |= {"swap six", "keep six", "take reserve", "keep hand"}
    if preset in ("handjass", "handjass_strict"):
        return seen | {"zero cancelled"}
    return seen | {"stay", "drop", "lone"}


def hands_rich_in_melds(n: int, seed: int) -> list[list[str]]:
    """Hands of nine that hold runs and fours more often than chance gives them."""
    rng = np.random.default_rng(seed)
    hands = []
    for i in range(n):
        if i % 2:  # few suits
            suits = rng.choice(list("CSHD"), size=2)
            pack = [card for card in PACK if card[1] in suits or rng.random() < 0.1]
        else:  # few ranks
            ranks = "".join(rng.choice(list("AKQJT9876"), size=4, replace=False))
            pack = [card for card in PACK if card[0] in ranks or rng.random() < 0.1]
        hands.append([str(card) for card in rng.permutation(pack)[:9]])
    return hands


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("preset", PRESETS)
def test_the_engine_plays_every_preset_as_the_reference_does(preset: str, players: int) -> None:
    seen = compare_handjass(preset, players, {}, 250, n_games=5, seed=21)
    assert {name for name, count in seen.items() if count} >= expected(preset, players)


@pytest.mark.parametrize(
    ("preset", "overrides", "players"),
    [(*variant, PLAYERS[i % len(PLAYERS)]) for i, variant in enumerate(VARIANTS)],
    ids=str,
)
def test_variants_are_played_as_the_reference_does(
    preset: str, overrides: dict[str, Any], players: int
) -> None:
    compare_handjass(preset, players, overrides, 100, n_games=8, seed=22)


@pytest.mark.parametrize(("preset", "overrides"), MELDS, ids=str)
def test_hands_declare_what_the_reference_says(preset: str, overrides: dict[str, Any]) -> None:
    assert compare_melds(preset, overrides, hands_rich_in_melds(400, seed=23)) > 80


@pytest.mark.slow
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("preset", PRESETS)
def test_50_000_deals_of_every_preset(preset: str, players: int) -> None:
    seen = compare_handjass(preset, players, {}, 50_000, n_games=500, seed=210)
    assert {name for name, count in seen.items() if count} >= expected(preset, players)


@pytest.mark.slow
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize(("preset", "overrides"), VARIANTS, ids=str)
def test_10_000_deals_of_every_variant(
    preset: str, overrides: dict[str, Any], players: int
) -> None:
    compare_handjass(preset, players, overrides, 10_000, n_games=300, seed=220)


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "overrides"), MELDS, ids=str)
def test_20_000_hands_declare_what_the_reference_says(
    preset: str, overrides: dict[str, Any]
) -> None:
    assert compare_melds(preset, overrides, hands_rich_in_melds(20_000, seed=230)) > 5_000
