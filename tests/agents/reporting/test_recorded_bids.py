"""How often bids are made, by the records of games."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from sjavs_agents.reporting.recorded_bids import holds_records, read_bids
from tests.agents.reporting.results import evaluated, report, tables_of
from tests.agents.reporting.test_written_pages import check_page


def records() -> Path:
    return evaluated().parent / "games.jsonl"


def test_bids_are_made_as_often_as_the_records_say(tmp_path: Path) -> None:
    declared: Counter[tuple[str, str]] = Counter()
    made: Counter[tuple[str, str]] = Counter()
    for line in records().read_text("utf-8").splitlines():
        record = json.loads(line)
        for deal in record["deals"]:
            result = deal["result"]
            if result["declarer"] is not None:
                key = (record["players"][result["declarer"]], result["bid"])
                declared[key] += 1
                made[key] += result["outcome"] in ("single_vol", "vol", "win_90", "win")
    check_page(report(tmp_path, records()))
    rows = tables_of(tmp_path, "bids_made")
    found = {(r["player"], r["bid"]): (int(r["declared"]), int(r["made"])) for r in rows}
    assert found == {key: (declared[key], made[key]) for key in declared}
    assert all(float(r["low"]) <= float(r["share"]) <= float(r["high"]) for r in rows)


def test_where_nobody_can_declare_that_is_told(tmp_path: Path) -> None:
    path = evaluated("handjass_alt", "--players", "3").parent / "games.jsonl"
    assert "nobody declared in the recorded games" in report(tmp_path, path)


def test_records_are_known_by_how_they_begin() -> None:
    assert holds_records(records())
    assert not holds_records(evaluated() / "results.json")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"outcome": "won"}, r"line 1: deals 0: result: outcome is none of single_vol, vol"),
        ({"declarer": 9}, r"line 1: deals 0: result: declarer is 9; allowed: 0 to 3"),
        ({"bid": 5}, r"line 1: deals 0: result: bid is 5; allowed: a text"),
        ({"kind": None}, r"line 1: deals 0: result has no kind"),
    ],
)
def test_results_that_cannot_be_are_told_in_a_line(
    change: dict[str, object], message: str, tmp_path: Path
) -> None:
    record = json.loads(records().read_text("utf-8").splitlines()[0])
    record["deals"][0]["result"] |= change
    path = tmp_path / "games.jsonl"
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    assert holds_records(path)
    with pytest.raises(ValueError, match=message):
        read_bids(path)
