"""What an agent is, how it is asked, and how deals are played by asking."""

from sjavs_agents.base.agent import (
    MOST_AT_ONCE,
    Agent,
    Bool,
    Floats,
    Ints,
    OpenHandedAgent,
    TellingAgent,
    Words,
    boards_at_once,
    fair,
    known_probabilities,
)
from sjavs_agents.base.decisions import forced, open_decisions

__all__ = [
    "MOST_AT_ONCE",
    "Agent",
    "Bool",
    "Floats",
    "Ints",
    "OpenHandedAgent",
    "TellingAgent",
    "Words",
    "boards_at_once",
    "fair",
    "forced",
    "known_probabilities",
    "open_decisions",
]
