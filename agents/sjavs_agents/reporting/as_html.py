"""A report as one HTML file that needs nothing else: no script, no request, dark and light.

All text is escaped here, on its way into the page; only figures, which ``plots`` has drawn, are
markup already.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import count
from pathlib import Path

from sjavs_agents.reporting.blocks import (
    Block,
    Cell,
    Deal,
    Figure,
    Missing,
    Section,
    Table,
    Text,
)

__all__ = ["html_page"]

# Styles stand in the page; nothing else may be loaded, and nothing may run.
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-src 'none'"
)
RED = "♥♦"
_LOWEST = 6  # heading
_SHORT = 18  # characters of a heading that is not broken


def html_page(title: str, sections: Sequence[Section]) -> str:
    """Return the page."""
    return "\n".join(_Page(title, sections).lines()) + "\n"


def text_of(text: str) -> str:
    """Return text as it stands in HTML; characters that none may hold are replaced."""
    return escape("".join(c if _may_stand(c) else "\N{REPLACEMENT CHARACTER}" for c in text))


def _may_stand(c: str) -> bool:
    """Controls, lone surrogates and what turns the direction of other text may not."""
    return c in "\n\t" or not (
        c < " "
        or "\x7f" <= c <= "\x9f"
        or "\ud800" <= c <= "\udfff"
        or "\u202a" <= c <= "\u202e"
        or "\u2066" <= c <= "\u2069"
        or c in "\u200e\u200f\u061c\ufffe\uffff"
    )


class _Page:
    def __init__(self, title: str, sections: Sequence[Section]) -> None:
        self.title, self.sections = title, sections
        self._figures, self._tables = count(1), count(1)

    def lines(self) -> Iterator[str]:
        css = Path(__file__).with_name("report.css").read_text(encoding="utf-8")
        title = text_of(self.title)
        yield "<!DOCTYPE html>"
        yield '<html lang="en">'
        yield "<head>"
        yield '<meta charset="utf-8">'
        yield f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
        yield '<meta name="color-scheme" content="light dark">'
        yield f"<title>{title}</title>"
        yield f"<style>\n{css}</style>"
        yield "</head>"
        yield "<body>"
        yield f"<header>\n<h1>{title}</h1>"
        yield from self._contents()
        yield "</header>\n<main>"
        for i, section in enumerate(self.sections, start=1):
            yield from self._section(section, 2, f"s{i}")
        yield "</main>\n</body>\n</html>"

    def _contents(self) -> Iterator[str]:
        if len(self.sections) > 1:
            yield '<nav aria-label="Contents">\n<ol>'
            for i, section in enumerate(self.sections, start=1):
                yield f'<li><a href="#s{i}">{text_of(section.title)}</a></li>'
            yield "</ol>\n</nav>"

    def _section(self, section: Section, level: int, name: str) -> Iterator[str]:
        yield f'<section aria-labelledby="{name}">'
        yield f'<h{level} id="{name}">{text_of(section.title)}</h{level}>'
        for block in section.blocks:
            yield from self._block(block)
        for i, part in enumerate(section.parts, start=1):
            yield from self._section(part, min(_LOWEST, level + 1), f"{name}-{i}")
        yield "</section>"

    def _block(self, block: Block) -> Iterator[str]:
        match block:
            case Text():
                yield f"<p>{text_of(block.text)}</p>"
            case Missing():
                yield f'<p class="missing">{text_of(block.text)}</p>'
            case Table():
                yield from self._table(block)
            case Figure():
                yield from self._figure(block)
            case Deal():
                yield from _deal(block)

    def _table(self, table: Table) -> Iterator[str]:
        name = f"t{next(self._tables)}"
        yield f'<p class="caption" id="{name}">{text_of(table.caption)}</p>'
        yield f'<div class="scroll" role="region" aria-labelledby="{name}" tabindex="0">'
        yield f'<table aria-labelledby="{name}">'
        heads = [
            f'<th scope="col"{_class("h" if i < table.heads else "")}>{text_of(head)}</th>'
            for i, head in enumerate(table.head)
        ]
        yield f"<thead><tr>{''.join(heads)}</tr></thead>\n<tbody>"
        for row in table.rows:
            yield f"<tr>{''.join(_cell(cell, i < table.heads) for i, cell in enumerate(row))}</tr>"
        yield "</tbody>\n</table>\n</div>"

    def _figure(self, figure: Figure) -> Iterator[str]:
        name = f"f{next(self._figures)}"
        svg = _renamed(figure.svg, name)
        label = f'<svg role="img" aria-label="{text_of(figure.alt)}"'
        yield f"<figure>\n{svg.replace('<svg', label, 1)}"
        yield f"<figcaption>{text_of(figure.caption)}</figcaption>\n</figure>"


def _cell(cell: str | Cell, is_head: bool) -> str:
    shown = cell if isinstance(cell, Cell) else Cell(cell)
    if is_head:
        kind = "h" if len(shown.text) > _SHORT else "h n"
        return f'<th scope="row" class="{kind}">{text_of(shown.text)}</th>'
    side = "u" if shown.shade > 0 else "d"
    shade = f"{side}{abs(shown.shade)}" if shown.shade else ""
    return f"<td{_class(shade)}>{text_of(shown.text)}</td>"


def _class(name: str) -> str:
    return f' class="{name}"' if name else ""


def _deal(deal: Deal) -> Iterator[str]:
    yield f'<figure class="deal">\n<figcaption>{text_of(deal.caption)}</figcaption>'
    yield '<div class="deals">'
    for label, suits in deal.hands:
        yield f'<div class="hand"><b>{text_of(label)}</b>\n<ul>'
        for symbol, ranks in suits:
            red = " red" if symbol in RED else ""
            yield (f'<li><span class="suit{red}">{text_of(symbol)}</span>{text_of(ranks)}</li>')
        yield "</ul></div>"
    yield "</div>\n</figure>"


def _renamed(svg: str, name: str) -> str:
    """Return a figure whose parts are named after it, so that no two figures share a name."""

    def renamed(tag: re.Match[str]) -> str:
        return re.sub(r'(id="|href="#|url\(#)', rf"\g<1>{name}-", tag[0])

    return re.sub(r"<[^>]*>", renamed, svg)
