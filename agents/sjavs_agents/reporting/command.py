"""Write results up: ``sjavs report RESULTS... --out report.html``.

RESULTS are files of ``sjavs evaluate --json``, folders of ``sjavs evaluate --out``, files of
``--record``, and folders of training runs; runs that differ in their seeds alone become one curve.
The report is one HTML file that needs no other, and on request Markdown and CSV as well.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

from sjavs_agents.reporting.as_csv import csv_files
from sjavs_agents.reporting.as_html import html_page
from sjavs_agents.reporting.as_markdown import markdown_page
from sjavs_agents.reporting.assembly import sections
from sjavs_agents.reporting.inputs import Inputs, read_inputs
from sjavs_agents.reporting.plots import check_installed
from sjavs_env.cli.atomic_files import check_not_read, check_writable, is_same_file, write_all
from sjavs_env.cli.command import BAD_INPUT, OneLineParser, reason
from sjavs_env.errors import shown

__all__ = ["main"]

LONGEST_TITLE = 200


def _parser(program: str) -> argparse.ArgumentParser:
    parser = OneLineParser(prog=program, description="Write results up as one page.")
    add = parser.add_argument
    add("results", nargs="+", type=Path, metavar="RESULTS",
        help="files of `sjavs evaluate --json` or --record, folders of `sjavs evaluate --out`, or "
        "folders of training runs")  # fmt: skip
    add("--out", type=Path, default=Path("report.html"), metavar="FILE",
        help="write the HTML page to this file (default: %(default)s)")  # fmt: skip
    add("--markdown", type=Path, metavar="FILE", help="write a page of Markdown as well")
    add("--csv", type=Path, metavar="DIR", help="write each table to a file in this folder as well")
    add("--title", default="Evaluation", help="of the page (default: %(default)s)")
    return parser


def main(argv: Sequence[str] | None = None, program: str = "sjavs report") -> int:
    """Run the command; return its exit status, 2 for bad input."""
    args = _parser(program).parse_args(argv)
    try:
        _check(args)
        inputs = read_inputs(args.results)
        files = _files(args, inputs)
        write_all(files)
    except (ValueError, OSError) as error:
        print(f"{program}: error: {reason(error)}", file=sys.stderr)
        return BAD_INPUT
    for path in (args.out, args.markdown, args.csv):
        if path is not None:
            print(f"wrote {path}")
    return 0


def _check(args: argparse.Namespace) -> None:
    """ValueError or OSError, one line, for what cannot be done, before anything is read."""
    check_installed()
    if not 1 <= len(args.title) <= LONGEST_TITLE:
        raise ValueError(f"title has {len(args.title)} characters; allowed: 1 to {LONGEST_TITLE}")
    written = {"out": args.out, "markdown": args.markdown}
    known = {name: path for name, path in written.items() if path is not None}
    for name, path in known.items():
        check_writable(path)
        check_not_read(name, path, args.results)
    if any(is_same_file(a, b) for a, b in combinations(known.values(), 2)):
        raise ValueError(
            f"--markdown is {shown(str(args.markdown))}, as --out is; allowed: another"
        )
    if args.csv is not None:
        if args.csv.exists() and not args.csv.is_dir():
            raise ValueError(f"--csv is {shown(str(args.csv))}, a file; allowed: a folder")
        args.csv.mkdir(parents=True, exist_ok=True)


def _files(args: argparse.Namespace, inputs: Inputs) -> dict[Path, bytes]:
    """Return all files that are written, whole."""
    parts = sections(inputs.evaluations, inputs.runs, inputs.bids)
    texts = {args.out: html_page(args.title, parts)}
    if args.markdown is not None:
        texts[args.markdown] = markdown_page(args.title, parts)
    if args.csv is not None:
        texts |= {args.csv / name: text for name, text in csv_files(parts).items()}
    files = {path: text.encode("utf-8", "replace") for path, text in texts.items()}
    for path in files:
        check_not_read("csv", path, inputs.read)
    return files
