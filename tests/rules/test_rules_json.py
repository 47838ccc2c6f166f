"""Rule sets as JSON: a name, a version and what is overridden."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from sjavs_env.rules import PRESETS, make_rules, rules_from_json, rules_to_json
from tests.rules.samples import SAMPLES, samples


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_in_json_is_its_name_and_version(preset: str) -> None:
    data = rules_to_json(PRESETS[preset])
    assert data == {"name": preset, "version": 1, "overrides": {}}
    assert rules_from_json(data) == PRESETS[preset]
    assert rules_from_json({"name": preset}) == PRESETS[preset]


@pytest.mark.parametrize(("preset", "name", "value"), samples())
def test_every_override_comes_back_from_json(preset: str, name: str, value: Any) -> None:
    rules = make_rules(preset, **{name: value})
    data = json.loads(json.dumps(rules_to_json(rules)))
    if rules == PRESETS[preset]:
        assert data["overrides"] == {}
    else:
        wanted = list(value) if isinstance(value, tuple) else value
        assert data["overrides"] == {name: wanted}
    assert rules_from_json(data) == rules


@pytest.mark.parametrize("preset", PRESETS)
def test_all_overrides_together_come_back_from_json(preset: str) -> None:
    rules = make_rules(preset, **{name: values[0] for name, values in SAMPLES[preset].items()})
    again = rules_from_json(json.loads(json.dumps(rules_to_json(rules))))
    assert again == rules
    assert rules_to_json(again) == rules_to_json(rules)


def test_a_single_amount_may_stand_without_a_list() -> None:
    rules = rules_from_json({"name": "klorsjavs", "overrides": {"payoff.win": 3}})
    assert rules == make_rules("klorsjavs", **{"payoff.win": (3,)})
    assert rules_to_json(rules)["overrides"] == {"payoff.win": [3]}


def test_an_alias_in_json_means_its_preset() -> None:
    assert rules_from_json({"name": "torshavn", "overrides": {"start": 12}}) == make_rules(start=12)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "rules are {}; allowed: name, version, overrides"),
        ({"version": 1}, "allowed: name, version, overrides"),
        ({"name": "faroese", "rules": 1}, "'rules': 1}; allowed: name, version, overrides"),
        ({"name": "bridge"}, "there are no rules named 'bridge'; allowed: faroese"),
        ({"name": ["faroese"]}, "rules is ['faroese']; allowed: a name"),
        (
            {"name": "faroese", "version": 2},
            "rules faroese have version 2; this program plays version 1",
        ),
        ({"name": "faroese", "version": None}, "have version None"),
        ({"name": "faroese", "overrides": {"tie": "?"}}, "tie is '?'; allowed: add_2"),
        ({"name": "faroese", "overrides": {"name": "x"}}, "has no parameter 'name'; allowed:"),
        ({"name": "faroese", "overrides": {"payoff.vol": [1]}}, "payoff.vol is [1]; allowed: 2"),
        ({"name": "faroese", "overrides": {"rules": "x"}}, "has no parameter 'rules'"),
    ],
)
def test_bad_json_is_refused_with_what_is_allowed(data: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        rules_from_json(data)
