"""The normal and Student's distribution, as exactly as floating point allows, in NumPy alone."""

from __future__ import annotations

from collections.abc import Iterable
from math import erfc, exp, gamma, log1p, pi, sqrt
from statistics import NormalDist

import numpy as np

from sjavs_env.rules.terms import Floats

__all__ = ["normal_below", "normal_quantile", "t_beyond", "t_quantile"]

# The normal distribution: a Taylor series around the nearest of some points.

_PER_UNIT, _FAR, _TERMS = 16, 9, 9  # points; beyond 9 deviations lie 1e-19; terms of the series


def _series() -> Floats:
    """Return the Taylor coefficients (terms, points) of the distribution function.

    Its derivatives are the density times Hermite polynomials, h' = x h - k h''.
    """
    x = np.arange(-_FAR * _PER_UNIT, _FAR * _PER_UNIT + 1) / _PER_UNIT
    below = np.array([erfc(-point / sqrt(2)) / 2 for point in x])
    density = np.exp(-x * x / 2) / sqrt(2 * pi)
    terms, before, hermite, factor = [below], np.zeros_like(x), np.ones_like(x), 1.0
    for k in range(1, _TERMS):
        factor /= k
        terms.append(factor * hermite * density)
        before, hermite = hermite, -x * hermite - (k - 1) * before
    return np.array(terms)


_SERIES = _series()


def normal_below(x: Floats) -> Floats:
    """Return the chances that a standard normal number is below x, to about 2e-16."""
    x = np.clip(x, -_FAR, _FAR)
    nearest = np.rint(x * _PER_UNIT).astype(np.intp)
    off, place = x - nearest / _PER_UNIT, nearest + _FAR * _PER_UNIT
    found = np.zeros_like(x)
    for term in _SERIES[::-1]:
        found = found * off + term[place]
    return found


def normal_quantile(share: float) -> float:
    """Return what a standard normal number is below with this chance."""
    return NormalDist().inv_cdf(share)


# Student's distribution with n degrees of freedom: a continued fraction of the beta function.


def t_beyond(t: float, n: int) -> float:
    """Return the chance that Student's t lies above ``t``, 0 or more; small ones are exact, too."""
    if t * t < 6:  # where the other fraction converges slowly
        return 0.5 - 0.5 * _from_zero(t, n)
    ratio = t * t / n
    fraction = _continued(n / 2, 0.5, 1 / (1 + ratio))
    return (
        exp(-n / 2 * log1p(ratio)) * t / sqrt(n + t * t) * _gammas(n / 2) / sqrt(pi) * fraction / n
    )


def t_quantile(share: float, n: int) -> float:
    """Return what Student's t is below with this chance, more than a half.

    Newton's method from the left: the distribution is concave there, so no step is too long.
    """
    t, beyond = normal_quantile(share), 1 - share
    for _ in range(100):
        density = _gammas(n / 2) / sqrt(n * pi) * exp(-(n + 1) / 2 * log1p(t * t / n))
        step = (t_beyond(t, n) - beyond) / density
        t += step
        if abs(step) <= 1e-15 * t:
            break
    return t


def _from_zero(t: float, n: int) -> float:
    """Return the chance that Student's t lies between -t and t."""
    ratio = t * t / n
    fraction = _continued(0.5, n / 2, ratio / (1 + ratio))
    front = exp(-n / 2 * log1p(ratio)) * t / sqrt(n + t * t) * _gammas(n / 2) / sqrt(pi)
    return 2 * front * fraction


def _gammas(a: float) -> float:
    """Return gamma(a + 1/2) / gamma(a)."""
    if a < 100:
        return gamma(a + 0.5) / gamma(a)
    coefficients = (-399 / 262144, -21 / 32768, 5 / 1024, 1 / 128, -1 / 8, 1.0)
    return sqrt(a) * float(np.polyval(coefficients, 1 / a))


def _continued(a: float, b: float, x: float) -> float:
    """Return the continued fraction of the incomplete beta function, by Lentz's method."""
    numerator, denominator, found = 1.0, 1 / _safe(1 - (a + b) * x / (a + 1)), 0.0
    found = denominator
    for factor in _factors(a, b, x):
        denominator = 1 / _safe(1 + factor * denominator)
        numerator = _safe(1 + factor / numerator)
        found *= denominator * numerator
        if abs(denominator * numerator - 1) < 1e-16:
            break
    return found


def _factors(a: float, b: float, x: float) -> Iterable[float]:
    """Yield the numerators of the fraction from the second on."""
    for m in range(1, 100_000):
        yield m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        yield -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))


def _safe(value: float) -> float:
    return value if abs(value) > 1e-300 else 1e-300
