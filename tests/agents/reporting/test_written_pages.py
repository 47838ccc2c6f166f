"""What is written: one page without anything from elsewhere, whatever the results are called."""

from __future__ import annotations

import csv
import json
import re
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pytest

from sjavs_agents.reporting.as_csv import csv_files
from sjavs_agents.reporting.as_html import html_page, text_of
from sjavs_agents.reporting.as_markdown import markdown_page
from sjavs_agents.reporting.blocks import Cell, Deal, Figure, Missing, Section, Table, Text
from sjavs_agents.reporting.command import main
from tests.agents.reporting.results import changed, evaluated, kept_folder, report, trained

VOID = {"meta", "path", "use", "rect", "br"}
HOSTILE = (
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "=cmd|' /C calc'!A0",
    "$x^{2}$ & \\frac", "a|b\n# c [d](http://e.f)", "\x1b[31m\x00\u202ered\ud800", "é" * 300,
)  # fmt: skip


class Page(HTMLParser):
    """A page taken apart; whatever is not closed as it was opened fails."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs)
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def values(self, name: str) -> list[str]:
        return [str(attrs[name]) for _, attrs in self.tags if name in attrs]


def check_page(text: str) -> Page:
    """The page stands alone, and what it names is there, once."""
    page = Page(text)
    names = {tag for tag, _ in page.tags}
    assert not names & {"script", "link", "img", "iframe", "object", "embed", "form", "base"}
    (policy,) = [a["content"] for t, a in page.tags if a.get("http-equiv")]
    assert policy is not None
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'")
    attributes = {name for _, attrs in page.tags for name in attrs}
    assert not {a for a in attributes if a.startswith("on") or a in ("src", "srcset", "action")}
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    assert all(href.startswith("#") and href[1:] in ids for href in page.values("href"))
    assert set(page.values("aria-labelledby")) <= set(ids)
    assert set(re.findall(r"url\(#([^)]*)\)", text)) <= set(ids)
    told = ("aria-label", "content")  # words, not addresses
    where = [str(v) for _, attrs in page.tags for k, v in attrs.items() if k not in told]
    where.append(text.partition("<style>")[2].partition("</style>")[0])
    assert not [w for w in where if re.search(r"url\((?!#)|@import|https?:|//", w)]
    for tag, attrs in page.tags:
        if tag == "svg":
            assert attrs["role"] == "img"
            assert attrs["aria-label"]
        if tag == "th":
            assert attrs["scope"] in ("row", "col")
    heads = [int(tag[1]) for tag, _ in page.tags if re.fullmatch(r"h\d", tag)]
    assert heads[0] == 1
    assert all(b <= a + 1 for a, b in pairwise(heads))
    return page


def named(folder: Path, names: dict[str, str]) -> Path:
    """The results of agents who are called otherwise."""

    def renamed(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: renamed(x) for key, x in value.items()}
        if isinstance(value, list):
            return [renamed(x) for x in value]
        return names.get(value, value) if isinstance(value, str) else value

    data = json.loads((evaluated() / "results.json").read_text("utf-8"))
    return changed(evaluated() / "results.json", folder, **renamed(data))


@cache
def whole() -> Path:
    """Where the report of all kinds of results lies."""
    folder = kept_folder()
    report(folder, evaluated(), trained(0), trained(1), title="All <of> it")
    return folder


def test_a_page_needs_nothing_but_itself() -> None:
    page = check_page((whole() / "r.html").read_text("utf-8"))
    text = "".join(page.words)
    assert "All <of> it" in text
    for title in ("Pairs", "Crosstable", "Ratings", "Strength against cost", "Contracts and seats",
                  "Calibration of the ratings", "Swings", "Training runs", "Trained players",
                  "Learning curve against random", "What was read"):  # fmt: skip
        assert title in text, title
    assert [tag for tag, _ in page.tags].count("svg") == 4


@pytest.mark.parametrize("hostile", HOSTILE)
def test_an_agent_may_have_any_name(tmp_path: Path, hostile: str) -> None:
    page = check_page(report(tmp_path, named(tmp_path, {"greedy": hostile, "one": hostile})))
    if hostile.isprintable():
        assert hostile in page.words
    markdown = (tmp_path / "r.md").read_text("utf-8")
    assert re.search(r"<(?!$)|(?<!\\)\]\(", markdown) is None
    widths = {}  # every row of a table is as wide as its head
    for block in re.findall(r"(?:^\|.*\n)+", markdown, re.MULTILINE):
        widths[block] = {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}
    assert widths
    assert all(len(counts) == 1 for counts in widths.values())
    for path in (tmp_path / "csv").iterdir():
        with path.open(encoding="utf-8", newline="") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        assert not [c for c in cells if re.match(r"[=@\t\r]|[+-](?![\d.])", c)]


def test_the_same_results_give_the_same_bytes(tmp_path: Path) -> None:
    with mpl.rc_context({"font.size": 33, "axes.facecolor": "red", "svg.fonttype": "path"}):
        report(tmp_path, evaluated(), trained(0), trained(1), title="All <of> it")
    first, again = ([p for p in sorted(d.rglob("*")) if p.is_file()] for d in (whole(), tmp_path))
    assert len(first) > 15
    for one, other in zip(first, again, strict=True):
        assert (one.name, one.read_bytes()) == (other.name, other.read_bytes())


def test_what_there_is_no_data_for_is_told_in_a_line(tmp_path: Path) -> None:
    data = json.loads((evaluated() / "results.json").read_text("utf-8"))
    pair = changed(evaluated() / "results.json", tmp_path, agents=["rules", "greedy"],
                   pairs=data["pairs"][:1], timings=None)  # fmt: skip
    page = report(tmp_path, pair)
    assert "No times: evaluate with --timings." in page
    assert "it needs the boards of three agents or more" in page
    assert "<svg" not in page
    assert "Ratings</h3>" not in page
    assert not list((tmp_path / "csv").glob("*ratings*"))


def test_pairs_that_never_met_have_no_ratings_and_a_stop_is_told(tmp_path: Path) -> None:
    data = json.loads((evaluated() / "results.json").read_text("utf-8"))
    stopped = changed(evaluated() / "results.json", tmp_path, stopped="interrupted",
                      pairs=data["pairs"][:1], timings=data["timings"][:1])  # fmt: skip
    page = report(tmp_path, stopped)
    assert "Not all boards were played: interrupted." in page
    assert "some never met" in page


def test_two_evaluations_have_an_overview(tmp_path: Path) -> None:
    page = check_page(
        report(tmp_path, *(evaluated(name) / "results.json" for name in ("faroese", "klorsjavs")))
    )
    assert "Overview" in page.words
    assert "faroese, 4 players: 40 boards, seed 7" in page.words
    assert "klorsjavs, 3 players: 8 boards, seed 7" in page.words


BLOCKS = Section("A <title>", [
    Text("x & y"), Missing("none"),
    Table("a b/c", "caption", ["h", "i"], [["<r>", Cell("+1", 3)], ["s", Cell("−1", -2)]]),
    Figure('<svg viewBox="0 0 1 1"><path id="m" d="M 0 0"/><use href="#m"/></svg>', "told", "c"),
    Deal("dealt", [("Seat 0", [("♥", "A 10"), ("♣", "–")])]),
])  # fmt: skip


def test_every_kind_of_block_is_written() -> None:
    html = html_page("T", [BLOCKS, BLOCKS])
    page = check_page(html)
    assert {"x & y", "none", "<r>", "A <title>", "Seat 0", "A 10"} <= set(page.words)
    assert html.count('class="u3"') == html.count('class="d2"') == 2
    assert 'id="f1-m"' in html
    assert 'href="#f2-m"' in html
    markdown = markdown_page("T", [BLOCKS])
    assert "## A &lt;title&gt;" in markdown
    assert "| &lt;r&gt; | +1 |" in markdown
    assert "*Figure: told.*" in markdown
    assert "- Seat 0: ♥A 10  ♣–" in markdown
    assert csv_files([BLOCKS, BLOCKS]) == {f"0{i}_a_b_c.csv": "h,i\n<r>,+1\ns,−1\n" for i in (1, 2)}


def test_no_text_turns_or_ends_the_text_after_it() -> None:
    assert text_of("a\x00\x1b\x85\u202e\u2067\ud800b\n") == "a" + 6 * "\ufffd" + "b\n"
    assert text_of("<&>\"'") == "&lt;&amp;&gt;&quot;&#x27;"


def luminance(color: str) -> float:
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_text_and_lines_stand_out_on_light_and_dark_pages() -> None:
    css = html_page("T", []).partition("<style>")[2].partition("</style>")[0]
    light, dark = (dict(re.findall(r"--([\w]+): (#\w{6})", part))
                   for part in css.split("@media (prefers-color-scheme: dark)"))  # fmt: skip
    assert set(dark) == set(light)
    for theme in (light, dark):

        def contrast(a: str, b: str, of: dict[str, str] = theme) -> float:
            one, other = sorted((luminance(of[a]), luminance(of[b])))
            return (other + 0.05) / (one + 0.05)

        for ground in ("paper", "band", *(f"{k}{i}" for k in ("up", "down") for i in (1, 2, 3))):
            assert contrast("ink", ground) >= 4.5, ground
        assert min(contrast(text, "paper") for text in ("faint", "link", "red")) >= 4.5
        assert min(contrast(f"c{i}", "paper") for i in range(1, 7)) >= 3


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["none.json"], "none.json: No such file or directory"),
        (["empty"], "'empty' is a folder without results.json and config.yaml; allowed: the "
                    "folder of `sjavs evaluate --out` or of a run"),
        (["junk.json"], "junk.json is no JSON: Expecting value: line 1 column 1 (char 0)"),
        (["list.json"], "list.json is []; allowed: an object"),
        (["object.json"], "object.json has no rules"),
        (["list.json", "--out", "list.json"],
         "out is 'list.json', which is read; allowed: another file"),
        (["list.json", "--markdown", "report.html"],
         "--markdown is 'report.html', as --out is; allowed: another"),
        (["list.json", "--csv", "junk.json"], "--csv is 'junk.json', a file; allowed: a folder"),
        (["list.json", "--title", ""], "title has 0 characters; allowed: 1 to 200"),
        (["list.json", "--out", "no/r.html"], "no/r.html cannot be written: No such file or "
                                              "directory"),
    ],
)  # fmt: skip
def test_bad_input_is_told_in_one_line(
    argv: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    for name, text in (("junk", "{"[1:]), ("list", "[]"), ("object", "{}")):
        (tmp_path / f"{name}.json").write_text(text)
    assert main(argv) == 2
    assert capsys.readouterr() == ("", f"sjavs report: error: {message}\n")
    assert not (tmp_path / "report.html").exists()
