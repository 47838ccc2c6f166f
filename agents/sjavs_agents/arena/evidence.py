"""What a match says beside its intervals: sign flips, the use of more boards, many pairs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from sjavs_agents.arena.match import MatchResult
from sjavs_agents.stats.sample_size import power_hint
from sjavs_agents.stats.significance import holm, sign_flip_p
from sjavs_env.randomness import derived

__all__ = ["correct_pairs", "evidence", "to_quote"]


def evidence(result: MatchResult) -> dict[str, dict[str, Any]]:
    """Return for each mean of a match, by name, what its boards say, as JSON values.

    ``sign_flip_p`` of no difference, and ``power`` as in ``PowerHint``.  The same match gives the
    same values: signs are drawn from its seed.
    """
    estimates, found = result.estimates(), {}
    for name, (boards, null) in result.means().items():
        rng = derived(result.seed, "sign flips", name)
        found[name] = {
            "sign_flip_p": sign_flip_p(boards - null, rng) if len(boards) > 1 else None,
            "power": asdict(power_hint(estimates[name], len(boards), null)),
        }
    return found


def correct_pairs(pairs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Add to each mean of several pairs of one command its ``p_holm``; nothing to a single pair.

    ``pairs`` are reports of matches, returned as they are.  Each estimate that is to be quoted is
    corrected for the number of pairs.
    """
    if len(pairs) < 2:
        return pairs
    quoted = [to_quote(pair) or {} for pair in pairs]
    for name in [name for name, e in pairs[0]["estimates"].items() if "sign_flip_p" in e]:
        means = [estimates.get(name, {}) for estimates in quoted]
        for mean, p in zip(means, holm([m.get("p_value") for m in means]), strict=True):
            if mean:
                mean["p_holm"] = p
    return pairs


def to_quote(pair: dict[str, Any]) -> dict[str, Any] | None:
    """Return the estimates of a report of a match that are not biased; None without any.

    A test stops where the boards so far say much, so what they say is too much: mean, interval and
    p-value.  Only the fresh boards after it are fit to be quoted.
    """
    found: dict[str, Any] | None = pair["estimates"]
    if "test" in pair:
        found = pair["fresh"]["estimates"] if "fresh" in pair else None
    return found
