"""Settings that depend on the game, derived from its rules where they are left at ``auto``.

What each run used is written into its folder, so that a later change here changes no old run.
"""

from __future__ import annotations

from dataclasses import replace
from math import log

import numpy as np

from sjavs_agents.training.config import TrainConfig
from sjavs_env import Phase
from sjavs_env.rules.tables import RuleTables

__all__ = ["AUTO", "derived_settings", "resolved"]

AUTO = "auto"
EXPLORED = (0.5, 0.1)  # share of choices drawn evenly where a player may stay out, start and end
LARGE_REWARD = 4.8  # what the largest result of a deal should be worth, about


def derived_settings(tables: RuleTables) -> dict[str, float]:
    """Return the settings of ``collect`` that the rules decide, by name.

    ``explore``, ``explore_end``: where a player may pass or drop out although they could do
    otherwise, a learner that still plays its cards badly finds out that it does best to stay out,
    and then never learns to play them.  There half of all choices other than cards are drawn
    evenly at first, and a tenth at the end; where nobody can stay out, none.  With so many, the
    clip of PPO keeps the policy of calls from settling: it cannot make a call of two more than 1.2
    times as likely as it was drawn.

    ``reward_scale``: the critic's errors and the bonus on entropy are weighed against rewards of
    about the size 1.  The largest result of a deal is divided down to about 4.8, by a factor of
    the series 1, 2, 5, 10.
    """
    first, last = EXPLORED if _may_stay_out(tables) else (0.0, 0.0)
    return {
        "explore": first,
        "explore_end": last,
        "reward_scale": _one_two_five(LARGE_REWARD / tables.result.worst),
    }


def resolved(config: TrainConfig, tables: RuleTables) -> TrainConfig:
    """Return the settings with a number for every ``auto`` that the rules decide."""
    collect = replace(config.collect)
    if collect.explore != AUTO and collect.explore_end == AUTO:
        collect.explore_end = collect.explore
    for name, value in derived_settings(tables).items():
        if getattr(collect, name) == AUTO:
            setattr(collect, name, value)
    return replace(config, collect=collect)


def _may_stay_out(tables: RuleTables) -> bool:
    """Tell whether somebody who may bid may pass, or somebody dealt in may drop out."""
    calls = tables.auction.legal_calls
    may_pass, may_bid = calls[..., 0] == 1, calls[..., 1:].any(axis=-1)
    return bool((may_pass & may_bid).any()) or Phase.STAY in tables.course.phases


def _one_two_five(value: float) -> float:
    """Return the number of the series ..., 0.1, 0.2, 0.5, 1, 2, ... that is nearest in ratio."""
    tens = 10.0 ** np.floor(np.log10(value))
    near = [round(float(digit * tens), 9) for digit in (1, 2, 5, 10)]
    return min(near, key=lambda step: abs(log(step / value)))
