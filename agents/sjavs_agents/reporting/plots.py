"""Figures as SVG that stands inside a page and takes its colours from there.

The same numbers give the same bytes.  Text stays text; colours are those of the page by name
(``--ink``, ``--c1``, ...), so that a dark page has light lines; series differ in mark and line as
well, for who tells the colours apart badly.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sjavs_agents.stats.estimates import Estimate
from sjavs_env.cli.extras import needing
from sjavs_env.rules.terms import Floats, Ints

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "Curve",
    "bid_plot",
    "check_installed",
    "cost_plot",
    "curve_plot",
    "prediction_plot",
    "rating_plot",
    "short",
]

INK, FAINT, LINE = "#121314", "#717273", "#c1c2c3"  # that nothing else has: see ``_VARIABLES``
SERIES = ("#0072b2", "#d55e00", "#117733", "#aa4499", "#665500", "#444455")
MARKS, DASHES = ("o", "s", "^", "D", "v", "P"), ("-", "--", "-.", ":", (0, (5, 1, 1, 1)), "-")
_VARIABLES = {INK: "--ink", FAINT: "--faint", LINE: "--line"} | {
    color: f"--c{i + 1}" for i, color in enumerate(SERIES)
}
_STYLE: dict[str, Any] = {
    "svg.fonttype": "none", "svg.hashsalt": "sjavs", "font.family": "sans-serif",
    "font.size": 11.5, "text.parse_math": False, "axes.edgecolor": FAINT, "text.color": INK,
    "axes.labelcolor": INK, "xtick.color": FAINT, "ytick.color": FAINT,
    "xtick.labelcolor": INK, "ytick.labelcolor": INK, "grid.color": LINE, "grid.linewidth": 0.6,
    "axes.grid": True, "axes.axisbelow": True, "axes.spines.top": False,
    "axes.spines.right": False, "legend.frameon": False, "axes.unicode_minus": True,
    "path.simplify": False,
}  # fmt: skip
_WIDTH = 5.4  # inches, of 72 points; a phone shows it at nine tenths
_LONGEST = 22  # characters of a name in a figure


@dataclass(frozen=True, eq=False)
class Curve:
    """A line with a band around it: (points,) each."""

    name: str
    x: Floats
    middle: Floats
    low: Floats
    high: Floats


def check_installed() -> None:
    """ValueError, one line, where a package that reports need is missing."""
    with needing("evaluate"):
        import choix  # noqa: F401
        import scipy.stats  # noqa: F401


def short(name: str) -> str:
    """Return a name as it fits into a figure: the end of a path tells most."""
    shown = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in name)
    return shown if len(shown) <= _LONGEST else f"…{shown[1 - _LONGEST :]}"


def rating_plot(names: Sequence[str], ratings: Sequence[Estimate], unit: str) -> str:
    """Draw a rating with its interval for each agent, the best on top."""
    order = sorted(range(len(names)), key=lambda i: ratings[i].mean)

    def draw(axes: Axes) -> None:
        axes.axvline(0, color=FAINT, linewidth=0.8)
        for y, i in enumerate(order):
            rating = ratings[i]
            if rating.low is not None and rating.high is not None:
                axes.plot([rating.low, rating.high], [y, y], color=SERIES[0], linewidth=2)
            axes.plot([rating.mean], [y], "o", color=SERIES[0], markersize=6)
        axes.set_yticks(range(len(order)), [short(names[i]) for i in order])
        axes.set_ylim(-0.6, len(order) - 0.4)
        axes.set_xlabel(unit)

    return _svg(draw, 0.9 + 0.3 * len(names))


def cost_plot(
    names: Sequence[str], cost: Floats, ratings: Sequence[Estimate], unit: str, best: Ints
) -> str:
    """Draw strength against cost (agents,); ``best``: places, by cost, of what none beats."""
    with needing("evaluate"):
        from matplotlib.ticker import LogLocator
    many = cost.max() / cost.min()

    def draw(axes: Axes) -> None:
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 3.0) if many < 300 else (1.0,)))
        axes.minorticks_off()
        axes.xaxis.set_major_formatter("{x:g}")
        strength = np.array([r.mean for r in ratings])
        axes.step(cost[best], strength[best], where="post", color=SERIES[1], linewidth=1.5,
                  linestyle="--")  # fmt: skip
        for i, rating in enumerate(ratings):
            if rating.low is not None and rating.high is not None:
                axes.plot([cost[i]] * 2, [rating.low, rating.high], color=SERIES[0], linewidth=2)
        axes.plot(cost, strength, "o", color=SERIES[0], markersize=6)
        middle = np.sqrt(cost.min() * cost.max())
        for i, name in enumerate(names):
            side = 1 if cost[i] <= middle else -1
            axes.annotate(
                short(name), (cost[i], strength[i]), xytext=(6 * side, 6),
                textcoords="offset points", ha="left" if side > 0 else "right",
            )  # fmt: skip
        axes.set_xlabel("CPU milliseconds per decision")
        axes.set_ylabel(unit)
        axes.margins(0.12, 0.14)

    return _svg(draw, 3.4)


def curve_plot(curves: Sequence[Curve], x_label: str, y_label: str) -> str:
    """Draw curves with their bands."""

    def draw(axes: Axes) -> None:
        axes.axhline(0, color=FAINT, linewidth=0.8)
        for i, curve in enumerate(curves):
            color = SERIES[i % len(SERIES)]
            axes.fill_between(curve.x, curve.low, curve.high, color=color, alpha=0.2, linewidth=0)
            axes.plot(
                curve.x, curve.middle, color=color, linestyle=DASHES[i % len(DASHES)],
                marker=MARKS[i % len(MARKS)], markersize=4, label=short(curve.name),
            )  # fmt: skip
        axes.set_xlabel(x_label)
        axes.set_ylabel(y_label)
        if len(curves) > 1:
            axes.legend(loc="best")

    return _svg(draw, 3.2)


def bid_plot(labels: Sequence[str], curves: Mapping[str, Sequence[Estimate | None]]) -> str:
    """Draw the share of contracts made by bid, a curve for each player."""

    def draw(axes: Axes) -> None:
        for i, (player, shares) in enumerate(curves.items()):
            color, aside = SERIES[i % len(SERIES)], 0.08 * (i - (len(curves) - 1) / 2)
            known = [(x + aside, e) for x, e in enumerate(shares) if e is not None]
            for x, e in known:
                if e.low is not None and e.high is not None:
                    axes.plot([x, x], [e.low, e.high], color=color, linewidth=1.2)
            axes.plot(
                [x for x, _ in known], [e.mean for _, e in known], color=color, markersize=5,
                linestyle=DASHES[i % len(DASHES)], marker=MARKS[i % len(MARKS)],
                label=short(player),
            )  # fmt: skip
        axes.set_xticks(range(len(labels)), [short(label) for label in labels],
                        rotation=30 if len(labels) > 4 else 0, ha="right" if len(labels) > 4
                        else "center")  # fmt: skip
        axes.set_ylim(-0.02, 1.02)
        axes.set_xlabel("bid")
        axes.set_ylabel("share made")
        axes.legend(loc="best")

    return _svg(draw, 3.4)


def prediction_plot(predicted: Floats, observed: Sequence[Estimate], label: str) -> str:
    """Draw what was observed against what was predicted (groups,), both shares."""

    def draw(axes: Axes) -> None:
        axes.plot([0, 1], [0, 1], color=FAINT, linewidth=0.8)
        for x, seen in zip(predicted, observed, strict=True):
            if seen.low is not None and seen.high is not None:
                axes.plot([x, x], [seen.low, seen.high], color=SERIES[0], linewidth=1.5)
            axes.plot([x], [seen.mean], "o", color=SERIES[0], markersize=5)
        axes.set_xlim(0, 1)
        axes.set_ylim(0, 1)
        axes.set_aspect("equal")
        axes.set_xlabel(f"predicted {label}")
        axes.set_ylabel(f"observed {label}")

    return _svg(draw, 3.6)


def _svg(draw: Callable[[Axes], None], height: float) -> str:
    with needing("evaluate"):
        import matplotlib as mpl
        from matplotlib.figure import Figure
    style: Any = {**mpl.rcParamsDefault, **_STYLE}  # nobody's own settings
    with mpl.rc_context(style):
        figure = Figure(figsize=(_WIDTH, height), layout="constrained")
        draw(figure.add_subplot())
        out = io.StringIO()
        nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        figure.savefig(out, format="svg", transparent=True, metadata=nothing)
    return _inline(out.getvalue())


def _inline(text: str) -> str:
    """Return an SVG file as it stands inside a page: no prologue, style or names, less digits."""
    text = text[text.index("<svg") :]
    for unused in ("metadata", "style"):
        text = re.sub(rf"\s*<{unused}\b.*?</{unused}>", "", text, flags=re.DOTALL)
    text = re.sub(r"<[^>]*>", _lean_tag, text)  # what stands between tags is text of others
    return re.sub(r"\s*<defs>\s*</defs>", "", text).strip()


def _lean_tag(found: re.Match[str]) -> str:
    tag = found[0]
    if tag.startswith("<svg"):
        return re.sub(r' (width|height|xmlns|version|xmlns:xlink)="[^"]*"', "", tag)
    if tag.startswith("<g"):
        tag = re.sub(r' id="[^"]*"', "", tag)
    tag = re.sub(r"font-family: [^;\"]*;? ?", "", tag)  # the page's own
    tag = re.sub(r"-?\d+\.\d{2,}", lambda m: f"{float(m[0]):.1f}", tag)
    for color, variable in _VARIABLES.items():
        tag = tag.replace(color, f"var({variable})")
    return re.sub(r"\s+", " ", tag).replace("xlink:href", "href")
