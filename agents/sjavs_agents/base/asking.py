"""Asking an agent: whatever it does instead of answering is told in one line, with its decision.

Agents may be anybody's code.  It may raise what it likes, leave the program, or answer what is
no action; none of that may pass for a fault of the program, or for a result.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base.agent import Agent, Floats, Ints, OpenHandedAgent, known_probabilities
from sjavs_env import GameState, Phase, PlayerView
from sjavs_env.envs.policies import read_answer
from sjavs_env.errors import MOST_SHOWN, shown

__all__ = ["AgentError", "ask", "ask_open", "guarded", "named", "told", "what_was_raised"]

Where = Callable[[int], str]  # tells the decision in a row


class AgentError(RuntimeError):
    """An agent has failed, or its answer is none; the message names it and the decision."""


def ask(
    agent: Agent,
    view: PlayerView,
    mask: NDArray[np.int8],
    rng: np.random.Generator,
    labels: tuple[str, ...],
    where: Where | None = None,
) -> Ints:
    """Return the actions (R,) that an agent chooses; AgentError if it does not.

    ``mask`` (R, A) says what is legal, ``labels`` what actions are called.  ``where`` tells the
    decision in a row, by default its seat and phase.  The agent may change what it is shown.
    """
    told = where or _seat_and_phase(view.seat.copy(), view.phase.copy())
    return _answer(agent, lambda own: agent.act(view, own, rng), mask, labels, told)


def ask_open(
    agent: OpenHandedAgent,
    state: GameState,
    rows: Ints,
    mask: NDArray[np.int8],
    rng: np.random.Generator,
    labels: tuple[str, ...],
    where: Where,
) -> Ints:
    """Return the actions (R,) of an agent that is shown all hands in the games ``rows``."""
    return _answer(agent, lambda own: agent.act_open(state, rows, own, rng), mask, labels, where)


def told(agent: Agent, view: PlayerView, mask: NDArray[np.int8]) -> Floats | None:
    """Return the probabilities (R, A) by which an agent draws; None if it does not tell them.

    ValueError, one line, for what are no probabilities of legal actions.
    """
    found = known_probabilities(agent, view, mask)
    return None if found is None else _checked(agent, found, mask)


def _checked(agent: Agent, found: Floats, mask: NDArray[np.int8]) -> Floats:
    """ValueError unless these are probabilities (R, A) of legal actions."""
    is_sound = (
        isinstance(found, np.ndarray)
        and found.shape == mask.shape
        and bool(np.isfinite(found).all())
        and bool((found[mask == 0] == 0).all() and (found >= 0).all())
        and bool(np.allclose(found.sum(axis=1), 1, atol=1e-6))
    )
    if not is_sound:
        raise ValueError(
            f"agent {shown(agent.name)} tells what are no probabilities; allowed: numbers from 0 "
            "for legal actions alone that add up to 1"
        )
    return np.asarray(found / found.sum(axis=1, keepdims=True), dtype=np.float64)


def named(agent: object) -> str:
    """Return what an agent is called in a message, whatever it makes of its name."""
    name = guarded(lambda: str(getattr(agent, "name", "")), lambda _: AgentError())
    return " ".join(name.split())[:MOST_SHOWN] or type(agent).__name__


def guarded(call: Callable[[], Any], made: Callable[[str], Exception]) -> Any:
    """Call somebody's code; what it raises becomes the error ``made`` of one line of text.

    SystemExit as well: it would end the program without a word.  Ctrl-C stays what it is.
    """
    try:
        return call()
    except (KeyboardInterrupt, AgentError):
        raise
    except BaseException as error:  # anything
        raise made(what_was_raised(error)) from error


def what_was_raised(error: BaseException) -> str:
    """Return in one line what an error says, and the place in a file where it arose."""
    try:
        text = " ".join(str(error).split())
    except Exception:  # it cannot even say what it is
        text = ""
    if len(text) > MOST_SHOWN:
        text = text[: MOST_SHOWN - 3] + "..."
    frames = traceback.extract_tb(error.__traceback__)
    place = f", {Path(frames[-1].filename).name} line {frames[-1].lineno}" if frames else ""
    return f"raised {type(error).__name__}{': ' if text else ''}{text}{place}"


def _answer(
    agent: Agent,
    call: Callable[[NDArray[np.int8]], object],
    mask: NDArray[np.int8],
    labels: tuple[str, ...],
    where: Where,
) -> Ints:
    def failed(text: str) -> AgentError:
        others = f", first of {len(mask)} asked at once" if len(mask) > 1 else ""
        return AgentError(f"{named(agent)} {text} ({where(0)}{others})")

    answer = guarded(lambda: call(mask.copy()), failed)
    actions = guarded(lambda: np.asarray(answer), failed)
    try:
        return read_answer(answer if actions.ndim == 0 else actions, mask, labels)
    except ValueError as error:
        at = _first_illegal(actions, mask)
        raise AgentError(f"{named(agent)} {error} ({where(at)})") from None


def _first_illegal(answer: NDArray[Any], mask: NDArray[np.int8]) -> int:
    """Return the first row with an illegal action; 0 for an answer of another form."""
    if answer.shape != (len(mask),) or answer.dtype.kind not in "iu":
        return 0
    inside = (answer >= 0) & (answer < mask.shape[1])
    legal = mask[np.arange(len(mask)), np.where(inside, answer, 0).astype(np.intp)] == 1
    if not inside.all():
        return int(inside.argmin())
    return int(legal.argmin())


def _seat_and_phase(seat: Ints, phase: Ints) -> Where:
    return lambda row: f"seat {seat[row]}, phase {Phase(int(phase[row])).name}"
