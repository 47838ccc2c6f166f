"""The commands that print the rules and write the generated pages."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sjavs_env.__main__ import main, pages
from sjavs_env.rules import ALIASES, PRESETS, RULE_SETS, make_rules
from sjavs_env.rules.pages.describe import describe

ROOT = Path(__file__).parents[2]


def refused(arguments: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Run a command that must fail, and return its line on stderr."""
    assert main(arguments.split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


# the pages of the documentation


def test_stored_pages_are_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert main(["docs", "--check"]) == 0


def test_every_rule_set_has_a_page_and_every_page_a_rule_set() -> None:
    stored = {path.stem for path in (ROOT / "docs" / "rules").glob("*.md")}
    assert stored == {*RULE_SETS, "README"}


def test_the_index_of_the_rules_leads_to_every_page_and_tells_every_name() -> None:
    page = (ROOT / "docs" / "rules" / "README.md").read_text(encoding="utf-8")
    for name, rules in RULE_SETS.items():
        assert f"| [{rules.title}]({name}.md) | `{name}` |" in page
    for alias, name in ALIASES.items():
        (row,) = [line for line in page.splitlines() if f"]({name}.md)" in line]
        assert f"`{alias}`" in row


def test_the_index_of_the_observations_says_which_page_is_whose() -> None:
    folder = ROOT / "docs" / "observation"
    page = (folder / "README.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| (`\w+`(?: with \d players)?) \| \[\w+\]\((\w+\.md)\)", page, re.MULTILINE
    )
    tables = [
        f"`{name}`" + (f" with {n} players" if len(rules.player_counts) > 1 else "")
        for name, rules in RULE_SETS.items()
        for n in rules.player_counts
    ]
    assert [table for table, _ in rows] == tables
    for table, file in rows:
        head = (folder / file).read_text(encoding="utf-8").split("\n# ")[1].splitlines()[0]
        assert table in head.removeprefix("Observation of ").split(", ")
    assert {file for _, file in rows} | {"README.md"} == {p.name for p in folder.glob("*.md")}


def test_docs_are_written_once_and_then_fresh(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["docs", "--write"]) == 0
    assert capsys.readouterr().out.count("wrote") == len(pages())
    assert main(["docs", "--write"]) == 0
    assert capsys.readouterr().out == ""
    written = {p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*") if p.is_file()}
    assert written == set(pages())


def test_docs_alone_lists_the_pages_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["docs"]) == 0
    assert capsys.readouterr().out.splitlines() == list(pages())
    assert not list(tmp_path.iterdir())


def test_check_names_the_stale_page_and_mends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    main(["docs", "--write"])
    page = tmp_path / "docs" / "rules" / "suduroy.md"
    page.write_text("old", encoding="utf-8")
    capsys.readouterr()
    assert main(["docs", "--check"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "docs/rules/suduroy.md is stale; `python -m sjavs_env docs --write` writes it"
    ]
    assert page.read_text(encoding="utf-8") == "old"


# python -m sjavs_env rules


def test_rules_without_a_name_lists_all_with_their_aliases(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["rules"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(RULE_SETS)
    for alias, name in ALIASES.items():
        assert alias in lines[list(RULE_SETS).index(name)]


def test_help_does_not_promise_a_rule_set_where_all_are_listed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["rules", "--help"])
    out = " ".join(capsys.readouterr().out.split())
    assert "(without a name, all are listed)" in out
    assert "default" not in out


def test_rules_prints_the_page_of_an_alias(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "torshavn"]) == 0
    assert capsys.readouterr().out == describe(PRESETS["faroese"])


@pytest.mark.parametrize(
    ("settings", "overrides"),
    [
        ("payoff.vol=10,14", {"payoff.vol": (10, 14)}),
        ("payoff.vol=[10,14]", {"payoff.vol": [10, 14]}),
        ("payoff.single_vol=null", {"payoff.single_vol": None}),
        ("tie=double", {"tie": "double"}),
        ("better_rule=false", {"better_rule": False}),
        ("deal_knock=8 deal_cut=2-4-2", {"deal_knock": "8", "deal_cut": "2-4-2"}),
        ("min_bid=6 --set start=30", {"min_bid": 6, "start": 30}),
    ],
)
def test_set_overrides_a_parameter(
    settings: str, overrides: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", "faroese", "--set", *settings.split()]) == 0
    assert capsys.readouterr().out == describe(make_rules("faroese", **overrides))


@pytest.mark.parametrize(
    ("name", "settings", "overrides"),
    [
        ("klorsjavs", "payoff.win=3 concede=false", {"payoff.win": 3, "concede": False}),
        ("flyvesjavs", "payoff.win_double=null", {"payoff.win_double": None}),
        ("auction_sjavs", "payoff.tout_made=20,30", {"payoff.tout_made": (20, 30)}),
        ("auction_sjavs", "trump=clubs match_deals=8", {"trump": "clubs", "match_deals": 8}),
        ("faroese_3", "deal_cut=5-(2)-5", {"deal_cut": "5-(2)-5"}),
        ("faroese_2", "deal_knock=8-4d-4u", {"deal_knock": "8-4d-4u"}),
    ],
)
def test_set_overrides_a_parameter_of_the_other_games(
    name: str, settings: str, overrides: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", name, "--set", *settings.split()]) == 0
    assert capsys.readouterr().out == describe(make_rules(name, **overrides))


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ("rules bridge", "there are no rules named 'bridge'; allowed: faroese, "),
        ("rules faroese --set tie=triple", "tie is 'triple'; allowed: add_2, "),
        ("rules faroese --set vol=1,2", "faroese has no parameter 'vol'; allowed: "),
        ("rules faroese --set payoff.vol=1,2,3", "payoff.vol is (1, 2, 3); allowed: 2 whole"),
        ("rules faroese --set payoff.vol=a,b", "payoff.vol is 'a,b'; allowed: 2 whole"),
        ("rules faroese --set payoff.lose=null", "no payoff row of"),
        ("rules faroese --set min_bid=9", "min_bid is 9; allowed: 1 to 8"),
        ("rules faroese --set min_bid=five", "min_bid is 'five'; allowed: a value of type int"),
        ("rules faroese --set players=3", "players is 3 in faroese; allowed: 4"),
        ("rules faroese --set concede=true", "faroese has no parameter 'concede'; allowed: "),
        ("rules klorsjavs --set payoff.win=1,2", "payoff.win is (1, 2); allowed: 1 whole number"),
        ("rules klorsjavs --set payoff.concede=null", "concede is True; allowed: False"),
        ("rules faroese --set tie", "--set is 'tie'; allowed: KEY=VALUE"),
        ("rules --set tie=double", "--set needs the name of a rule set"),
        (f"rules faroese --set payoff.vol=1,{10**30}", "python -m sjavs_env rules: error: "),
    ],
)
def test_bad_name_or_value_is_refused_in_one_line(
    arguments: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert text in refused(arguments, capsys)


def test_module_runs_as_a_program() -> None:
    command = [sys.executable, "-m", "sjavs_env", "rules", "bridge"]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert run.returncode == 2
    assert run.stdout == ""
    assert run.stderr.startswith(
        "python -m sjavs_env rules: error: there are no rules named 'bridge'"
    )
    assert run.stderr.count("\n") == 1
