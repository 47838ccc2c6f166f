"""The champions in this checkout are what their cards say."""

from __future__ import annotations

from hashlib import sha256

import pytest

from sjavs_agents.champion.model_card import card_page, read_card, rules_digest
from sjavs_agents.neural.checkpoint import read_checkpoint, require_observation
from sjavs_agents.neural.shelf import game_key, own_shelf
from sjavs_env import make_rules
from sjavs_env.cli.shared import in_checkout

SHELF = own_shelf()
FILES = sorted(SHELF.glob("*.safetensors")) if in_checkout() else []


def test_nothing_lies_there_that_is_no_champion() -> None:
    stems = {path.stem for path in FILES}
    others = {path.name for path in SHELF.iterdir() if path.name != "__pycache__"}
    assert others == {f"{s}{x}" for s in stems for x in (".safetensors", ".json", ".md")} | {
        "__init__.py"
    }


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_champion_is_what_its_card_says(path) -> None:  # type: ignore[no-untyped-def]
    card = read_card(path)
    game, weights = card["game"], card["weights"]
    assert sha256(path.read_bytes()).hexdigest() == weights["sha256"]
    assert path.with_suffix(".md").read_text(encoding="utf-8") == card_page(card)
    seats = game["rules"].get("overrides", {})
    rules = make_rules(game["rules"]["name"], **seats)
    assert game_key(rules) == path.stem
    assert (rules.version, rules_digest(rules)) == (game["rules"]["version"], game["digest"])
    assert weights["same"] >= 0.999 * weights["compared"] > 0
    arrays, meta = read_checkpoint(path)
    require_observation(meta)
    assert sum(value.size for value in arrays.values()) == weights["numbers"]
    against = {match["agent"]: match for match in card["evaluation"]}
    for name in ("rules", "expert"):
        assert against[name]["game_points"]["low"] > 0
