"""What an agent is: something that chooses actions for a batch of views.

An agent sees only what its seats may know (``PlayerView``) and the masks of legal actions; it
draws randomness only from the generator it is handed.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sjavs_env import PlayerView

__all__ = ["Agent", "Ints"]

Ints = NDArray[np.intp]


class Agent(Protocol):
    """A player of one game, batched.  ``name`` says everything that shapes its play."""

    name: str

    def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
        """Return legal actions (R,), ids of the game's action map, for R views.

        ``mask`` is (R, A), 1 = legal, cards in pack order.
        """
        ...
