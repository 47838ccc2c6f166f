"""What a match says beside its intervals: sign flips, the use of more boards, many pairs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from sjavs_agents.arena.match import MatchResult
from sjavs_agents.stats.sample_size import power_hint
from sjavs_agents.stats.significance import holm, sign_flip_p
from sjavs_env.randomness import derived

__all__ = ["correct_pairs", "evidence"]


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

    ``pairs`` are reports of matches, returned as they are.  Each estimate is corrected for the
    number of pairs.
    """
    if len(pairs) < 2:
        return pairs
    for name in [name for name, e in pairs[0]["estimates"].items() if "sign_flip_p" in e]:
        means = [pair["estimates"][name] for pair in pairs]
        for mean, p in zip(means, holm([m.get("p_value") for m in means]), strict=True):
            mean["p_holm"] = p
    return pairs
