"""The tables of a report as files for programs, one each."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence

from sjavs_agents.reporting.blocks import Cell, Raw, Section, Table

__all__ = ["csv_files"]

_LONGEST = 40  # characters of a name


def csv_files(sections: Sequence[Section]) -> dict[str, str]:
    """Return all tables, by the names of their files: place of the section and of the table."""
    found = {}
    for place, section in enumerate(sections, start=1):
        for table in _tables(section):
            name = re.sub(r"\W+", "_", table.name, flags=re.ASCII).strip("_")[:_LONGEST]
            path, again = f"{place:02}_{name}.csv", 1
            while path in found:
                again += 1
                path = f"{place:02}_{name}_{again}.csv"
            found[path] = _text(table.raw or _raw(table))
    return found


def _tables(section: Section) -> Iterator[Table]:
    yield from (block for block in section.blocks if isinstance(block, Table))
    for part in section.parts:
        yield from _tables(part)


def _raw(table: Table) -> Raw:
    rows: Raw = [list(table.head)]
    for row in table.rows:
        rows.append([cell.text if isinstance(cell, Cell) else cell for cell in row])
    return rows


def _text(rows: Raw) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([_safe(value) for value in row] for row in rows)
    return out.getvalue()


def _safe(value: str | int | float | None) -> str | int | float | None:
    """Return a value that no spreadsheet takes for a formula: names are anybody's."""
    is_formula = isinstance(value, str) and value[:1] in tuple("=+-@\t\r")
    return f"'{value}" if is_formula and not _is_number(str(value)) else value


def _is_number(text: str) -> bool:
    return re.fullmatch(r"[+-]?[\d.,]+( [\d.±+, \[\]-]*)?", text) is not None
