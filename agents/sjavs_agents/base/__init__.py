"""What an agent is, how it is asked, and how deals are played by asking."""

from sjavs_agents.base.agent import Agent, Bool, Floats, Ints, OpenHandedAgent, Words, fair
from sjavs_agents.base.decisions import forced, open_decisions

__all__ = [
    "Agent",
    "Bool",
    "Floats",
    "Ints",
    "OpenHandedAgent",
    "Words",
    "fair",
    "forced",
    "open_decisions",
]
