"""The numbered sections of the rule pages: one number, one topic; all that is cited exists."""

from __future__ import annotations

import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sjavs_env.rules import ALIASES, PRESETS, make_rules
from sjavs_env.rules.pages.describe import describe
from sjavs_env.rules.pages.index import rules_index
from sjavs_env.rules.pages.sections import CHAPTERS, TITLES

ROOT = Path(__file__).parents[2]
NUMBER = r"\d+(?:\.\d+)?"
CITED = re.compile(rf"\brules ({NUMBER}(?:(?:, | and | to ){NUMBER})*)(?![\d%])")
# "by the rules 0 deals" is a message about a seat
NO_CITATION = re.compile(r"by the rules \d")


def headings(page: str) -> list[tuple[str, str]]:
    """The numbers and titles of a page's sections, in its order."""
    return re.findall(r"^##+ ([\d.]+) (.+)$", page, re.MULTILINE)


def sources() -> Iterator[tuple[str, str]]:
    """Every file that may cite the rules, with its text."""
    for folder in ("sjavs_env", "agents", "tests", "benchmarks", "docs"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".md") and path != Path(__file__):
                yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def citations() -> list[tuple[str, str]]:
    """Every cited number, with the file that cites it."""
    return [
        (file, number)
        for file, text in sources()
        for cited in CITED.findall(NO_CITATION.sub("", re.sub(r"\s*\n\s*(?:# )?", " ", text)))
        for number in re.findall(NUMBER, cited)
    ]


@pytest.mark.parametrize("name", PRESETS)
def test_the_same_number_is_the_same_topic_on_every_page(name: str) -> None:
    found = headings(describe(PRESETS[name]))
    assert all({**CHAPTERS, **TITLES}[number] == title for number, title in found)
    numbers = [tuple(map(int, number.split("."))) for number, _ in found]
    assert numbers == sorted(set(numbers))
    assert {number[:1] for number in numbers} == {(int(chapter),) for chapter in CHAPTERS}


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("auction_sjavs", {"name_trump": "before_exchange"}),
        ("handjass_swiss", {"six_timing": "before", "players": 2}),
    ],
)
def test_no_parameter_moves_a_section(name: str, changes: dict[str, Any]) -> None:
    changed = headings(describe(make_rules(name, **changes)))
    assert changed == headings(describe(PRESETS[name]))


def test_every_section_is_on_some_page_and_the_index_names_it() -> None:
    printed = {number for rules in PRESETS.values() for number, _ in headings(describe(rules))}
    assert printed == {*CHAPTERS, *TITLES}
    index = rules_index(PRESETS, ALIASES)
    for number, title in {**CHAPTERS, **TITLES}.items():
        assert f"{number} {title}" in index


def test_every_section_that_is_cited_exists() -> None:
    found = citations()
    missing = [(file, number) for file, number in found if number not in {*CHAPTERS, *TITLES}]
    assert missing == []
    cited_by_code = {number for file, number in found if file.startswith("sjavs_env/engine")}
    assert {"2.2", "3.1", "4.1", "5.1", "5.3"} <= cited_by_code


def test_no_citation_is_written_in_another_way() -> None:
    """A bare number in brackets, "section 4.2" and the like lead nowhere."""
    bare = re.compile(r"\([\d., ]*\d\.\d\)|\bsections? \d|§", re.IGNORECASE)
    for folder in ("engine", "rules", "observation", "envs"):
        for path in (ROOT / "sjavs_env" / folder).rglob("*.py"):
            with tokenize.open(path) as file:
                tokens = list(tokenize.generate_tokens(file.readline))
            told = [t.string for t in tokens if t.type == tokenize.COMMENT or '"""' in t.string]
            assert [text for text in told if bare.search(text)] == [], path
