"""Numbers as a reader of tables wants them."""

from __future__ import annotations

from math import isnan

from sjavs_agents.stats.estimates import Estimate

__all__ = ["counted", "interval", "milliseconds", "p_value", "percent", "share_of", "signed_mean"]


def signed_mean(value: float, digits: int = 2) -> str:
    """Return ``+1.23``; zero has no sign."""
    text = f"{value:+.{digits}f}"
    return text[1:] if float(text) == 0 else text.replace("-", "\N{MINUS SIGN}")


def interval(estimate: Estimate, digits: int = 2) -> str:
    """Return ``+1.23 [+0.98, +1.51]``; without an interval the mean alone."""
    mean = signed_mean(estimate.mean, digits)
    if estimate.low is None or estimate.high is None:
        return mean
    return f"{mean} [{signed_mean(estimate.low, digits)}, {signed_mean(estimate.high, digits)}]"


def percent(value: float | None, digits: int = 1) -> str:
    """Return ``12.3 %``, and a dash for nothing."""
    return "–" if value is None or isnan(value) else f"{100 * value:.{digits}f} %"


def share_of(estimate: Estimate) -> str:
    """Return ``52.1 % [49.8, 54.3]``."""
    if estimate.low is None or estimate.high is None:
        return percent(estimate.mean)
    return f"{percent(estimate.mean)} [{100 * estimate.low:.1f}, {100 * estimate.high:.1f}]"


def p_value(value: float | None) -> str:
    """Return a p-value with two digits; very small ones as a bound."""
    if value is None:
        return "–"
    if value < 1e-4:
        return "< 0.0001"
    return f"{value:.2g}" if value < 0.1 else f"{value:.2f}"


def milliseconds(value: float) -> str:
    """Return a time with three digits that count."""
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def counted(n: int, one: str, many: str = "") -> str:
    """Return ``1 board`` or ``1,000 boards``."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"
