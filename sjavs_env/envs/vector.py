"""One seat of many games at once: Gymnasium's vector environment over the batch engine.

Every game has one learner; the other seats act by ``opponents`` (``envs.others``), who answer all
games together.  A step plays the learner's actions and then every game on to the learner's next
turn, or to the end of its episode.  Observation, mask and reward are those of ``SingleSeatEnv``.
Deals are numbered and games dealt on as in ``envs.many_games``.

Autoreset, as Gymnasium has it (``metadata["autoreset_mode"]``):

NEXT_STEP  the step after the end of an episode ignores the action and returns the first turn of the
           next one, with reward 0
SAME_STEP  the step that ends an episode returns the first turn of the next one; what the end looked
           like is in ``infos["final_obs"]`` and ``infos["final_info"]``
DISABLED   the game waits until ``reset(options={"reset_mask": ...})``

A turn at which nothing is to be decided (an episode that is over) shows a mask of ones, so that
whatever samples from masks can go on; the action is ignored.
"""

from __future__ import annotations

from typing import Any, Literal, cast

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from sjavs_env.engine.game import Game
from sjavs_env.envs.episode import Episode, check_crosses, worst
from sjavs_env.envs.many_games import Games, check_count
from sjavs_env.envs.options import check, check_keywords, merged_overrides, whole_number
from sjavs_env.envs.others import Opponents, Others
from sjavs_env.envs.policies import random_policy
from sjavs_env.errors import is_one_of, shown
from sjavs_env.observation.encode import Encoder
from sjavs_env.observation.views import view_of
from sjavs_env.randomness import derived
from sjavs_env.rules.games.presets import rules_for
from sjavs_env.rules.ruleset import RuleSet
from sjavs_env.rules.tables import NONE, Bool, Ints

__all__ = ["SingleSeatVectorEnv"]

Seat = int | Literal["rotate", "draw"]
Stepped = tuple[Any, NDArray[np.float64], Bool, Bool, dict[str, Any]]


class SingleSeatVectorEnv(VectorEnv[Any, NDArray[np.intp], NDArray[Any]]):
    """One seat in each of ``num_envs`` games; the other seats act by opponents."""

    def __init__(
        self,
        rules: str | RuleSet = "faroese",
        num_envs: int = 1024,
        *,
        seat: Seat = 0,
        opponents: Opponents = random_policy,
        episode: Episode = "deal",
        crosses: int | None = None,
        illegal: Literal["raise", "terminate"] = "raise",
        redeal: Literal["continue", "end"] = "continue",
        skip_forced: bool = False,
        mask_in: Literal["observation", "info"] = "observation",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        players: int | None = None,
        num_players: int | None = None,
        **overrides: Any,
    ) -> None:
        """Set the tables; ValueError for a wrong option, TypeError for an unknown one.

        What ``SingleSeatEnv`` takes, too, means the same.  ``seat`` is the learner's: a number,
        ``"rotate"`` (game b begins with seat b modulo P and takes the next seat with every
        episode) or ``"draw"``.
        ``opponents`` is one opponent, or several, of whom each episode draws one for all other
        seats.  ``skip_forced`` plays the learner's turns that have only one legal action.
        ``mask_in="info"`` leaves an observation of numbers alone (F,), with the masks in ``infos``,
        which hold them in any case.
        """
        check_keywords(type(self), overrides)
        check_count("num_envs", num_envs)
        for name, value, allowed in (
            ("episode", episode, ("deal", "rubber")),
            ("illegal", illegal, ("raise", "terminate")),
            ("redeal", redeal, ("continue", "end")),
            ("skip_forced", skip_forced, (False, True)),
            ("mask_in", mask_in, ("observation", "info")),
        ):
            check(name, value, is_one_of(value, allowed), ", ".join(map(str, allowed)))
        check_crosses(crosses, episode)
        given = merged_overrides(None, overrides, players)
        self.game = Game(rules_for(rules, given, num_players))
        self.encoder = Encoder(self.game)
        self.action_labels: tuple[str, ...] = self.game.actions.labels
        self.num_envs = num_envs
        self.illegal, self.skip_forced, self.mask_in = illegal, skip_forced, mask_in
        self._mode = _mode(autoreset_mode)
        self.metadata = {"autoreset_mode": self._mode, "render_modes": []}
        self._asked_seat = _seat(seat, self.game.tables.n_players)
        self.others = Others(opponents, self.encoder, num_envs)
        self._games = Games(
            self.game, num_envs, episode, crosses, most_passed=1 if redeal == "end" else None
        )
        self.illegal_penalty = worst(self.game.tables, episode, crosses)
        self._rng: np.random.Generator | None = None  # None until the first reset
        self._over: Bool = np.zeros(num_envs, dtype=np.bool_)  # (B,) ended by the last step
        self.single_observation_space = _observation_space(self.encoder, mask_in)
        self.single_action_space = spaces.Discrete(self.game.actions.size)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    # Gymnasium's methods

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Begin episodes, in all games or where ``options["reset_mask"]`` (B,) is True.

        With a seed, a whole number, all games are dealt their first numbered deals; without one
        the numbers go on.  ValueError for anything else.
        """
        where = _reset_mask(options, self.num_envs)
        number = whole_number(seed)
        if seed is not None and (number is None or not 0 <= number < 2**64):
            raise ValueError(
                f"seed is {shown(seed)}; allowed: None, or one number from 0 on, below 2**64"
            )
        if seed is not None and where is not None:
            raise ValueError("there are a seed and a reset_mask; allowed: one of them")
        if self._rng is None or seed is not None:
            if where is not None:
                raise ValueError("reset_mask asks for some games; allowed: reset them all first")
            self._begin_all(number)
        else:
            rows = self._games.rows if where is None else np.flatnonzero(where)
            self._games.restart(rows)
            self._begin(rows)
        self._look()
        return self._observation(), self._infos()

    def step(self, actions: NDArray[np.intp]) -> Stepped:
        """Play the learner's actions (B,), and on to its next turns.

        Returns observations, rewards (B,), whether episodes have ended (B,), never truncated, and
        infos: ``action_mask`` (B, A) and ``seat`` (B,).  ValueError, before anything is played, for
        what is no action, or illegal unless the environment was made with ``illegal="terminate"``.
        """
        if self._rng is None:
            raise ValueError("no episode has begun; allowed: reset")
        action, waits = self._read(actions), self._over
        if self._mode is AutoresetMode.DISABLED and waits.any():
            at = int(waits.argmax())
            raise ValueError(f"the episode of game {at} has ended; allowed: reset with reset_mask")
        rows, self._reward = self._games.rows, np.zeros(self.num_envs, dtype=np.float64)
        self._over = np.zeros(self.num_envs, dtype=np.bool_)
        wrong = ~waits & (self._mask[rows, action] == 0)
        if wrong.any():
            self._answer_illegal(np.flatnonzero(wrong), action)
        again = np.flatnonzero(waits)
        if len(again):
            self._games.restart(again)
            self._begin(again)
        goes_on = np.flatnonzero(~waits & ~wrong)
        self._play(action[goes_on], goes_on)
        self._play_on(goes_on)
        reward, over = self._reward, self._over
        return self._turned(reward, over)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the masks (B, A) of the learner's turns."""
        return self._mask.astype(np.bool_)

    # episodes

    def _begin_all(self, seed: int | None) -> None:
        """Deal the first deals of a seed, a fresh one if none is given."""
        self._np_random, entropy = np.random.default_rng(seed), seed
        if entropy is None:
            entropy = int(self._np_random.integers(2**63))
        self._np_random_seed = entropy
        self._games.begin(entropy)
        self._rng = derived(entropy, "policy")
        rows, n = self._games.rows, self.game.tables.n_players
        fixed = self._asked_seat if isinstance(self._asked_seat, int) else 0
        self._seat: Ints = np.full(self.num_envs, fixed)
        if self._asked_seat == "rotate":
            self._seat = rows % n - 1  # the first episode takes the next
        self._reward = np.zeros(self.num_envs, dtype=np.float64)
        self._begin(rows)

    def _begin(self, rows: Ints) -> None:
        """Take seats in games just dealt and play to the learner's first turns.

        Episodes that end before it (a declarer gives up) are passed over.
        """
        rng, n = self._generator(), self.game.tables.n_players
        if self._asked_seat == "rotate":
            self._seat[rows] = (self._seat[rows] + 1) % n
        elif self._asked_seat == "draw":
            self._seat[rows] = rng.integers(n, size=len(rows))
        self.others.sit_down(rows, rng)
        self._over[rows] = False
        while len(rows):
            self._play_on(rows)
            rows = rows[self._over[rows]]
            self._games.restart(rows)
            self._over[rows], self._reward[rows] = False, 0.0

    def _play_on(self, rows: Ints) -> None:
        """Let games go on until they end or the learner has to choose."""
        state, rng = self._games.state, self._generator()
        while True:
            rows = rows[~self._over[rows]]
            own = state.seat[rows] == self._seat[rows]
            if not self.skip_forced:
                rows = rows[~own]
            if not len(rows):
                return
            mask = self.game.legal_actions(state, rows)
            if self.skip_forced:
                asked = own & (mask.sum(axis=1, dtype=np.intp) > 1)
                rows, mask = rows[~asked], mask[~asked]
                if not len(rows):
                    return
                action, own = mask.argmax(axis=1), own[~asked]
                at = np.flatnonzero(~own)
                if len(at):
                    action[at] = self.others.answers(state, rows[at], mask[at], rng)
            else:
                action = self.others.answers(state, rows, mask, rng)
            self._play(action, rows)

    def _play(self, action: Ints, rows: Ints) -> None:
        """Play actions in some games, and note which episodes end and what the learner gets."""
        ended, paid = self._games.step(action, rows)
        if len(ended):
            self._over[ended] = True
            self._reward[ended] = paid[np.arange(len(ended)), self._seat[ended]]

    def _answer_illegal(self, rows: Ints, action: Ints) -> None:
        """ValueError for the first illegal action, or ends of episodes and what they cost."""
        first, state = int(rows[0]), self._games.state
        if self.illegal == "raise":
            label = self.action_labels[int(action[first])]
            legal = ", ".join(self.action_labels[a] for a in np.flatnonzero(self._mask[first]))
            raise ValueError(f"{shown(label)} is illegal in game {first}; legal: {legal}")
        declarer, seat = state.declarer[rows], self._seat[rows]
        ally = self.game.tables.result.ally[np.where(declarer == NONE, seat, declarer)]
        with_learner = ally == ally[np.arange(len(rows)), seat][:, None]
        won = np.where(with_learner, np.float32(0), np.float32(self.illegal_penalty))
        paid = self._games.rewards(won, rows)
        self._over[rows] = True
        self._reward[rows] = paid[np.arange(len(rows)), seat]

    # what the learner is shown

    def _turned(self, reward: NDArray[np.float64], over: Bool) -> Stepped:
        """Return what a step returns; in the same step new episodes begin where some are over."""
        never = np.zeros(self.num_envs, dtype=np.bool_)
        if self._mode is not AutoresetMode.SAME_STEP or not over.any():
            self._look()
            return self._observation(), reward, over.copy(), never, self._infos()
        rows, over = np.flatnonzero(over), over.copy()
        ended = self._final(rows)
        self._games.restart(rows)
        self._reward = np.zeros_like(reward)
        self._begin(rows)
        self._look()
        return self._observation(), reward, over, never, {**self._infos(), **ended}

    def _look(self) -> None:
        """Find out what is legal for the learners now."""
        self._mask = self.game.legal_actions(self._games.state)
        self._mask[self._over] = 1

    def _observation(self) -> Any:
        seen = self._seen(self._games.rows)
        return {"observation": seen, "action_mask": self._mask.copy()} if self._masked else seen

    @property
    def _masked(self) -> bool:
        return self.mask_in == "observation"

    def _seen(self, rows: Ints) -> NDArray[np.float32]:
        """Return what the learners see (R, F), scaled to 0..1."""
        view = view_of(self.game, self._games.state, rows, self._seat[rows])
        return self.encoder.encode(view) * self.encoder.layout.scale

    def _infos(self) -> dict[str, Any]:
        every = np.ones(self.num_envs, dtype=np.bool_)
        return {
            "action_mask": self._mask.copy(),
            "_action_mask": every,
            "seat": self._seat.copy(),
            "_seat": every.copy(),
        }

    def _final(self, rows: Ints) -> dict[str, Any]:
        """Return what the ends of episodes looked like, as Gymnasium's own vectors do."""
        there = np.zeros(self.num_envs, dtype=np.bool_)
        there[rows] = True
        seen, n_actions = self._seen(rows), self.game.actions.size
        shown_last = np.full(self.num_envs, None, dtype=object)
        for i, row in enumerate(rows):
            mask = np.ones(n_actions, dtype=np.int8)
            masked = {"observation": seen[i], "action_mask": mask}
            shown_last[row] = masked if self._masked else seen[i]
        masks = np.zeros((self.num_envs, n_actions), dtype=np.int8)
        masks[rows] = 1
        info = {
            "action_mask": masks,
            "_action_mask": there.copy(),
            "seat": np.where(there, self._seat, 0),
            "_seat": there.copy(),
        }
        return {
            "final_obs": shown_last,
            "_final_obs": there,
            "final_info": info,
            "_final_info": there.copy(),
        }

    # reading

    def _generator(self) -> np.random.Generator:
        return cast(np.random.Generator, self._rng)

    def _read(self, actions: object) -> Ints:
        """Return actions (B,) of the action space; ValueError for anything else."""
        found = np.asarray(actions)
        if found.shape != (self.num_envs,) or found.dtype.kind not in "iu":
            raise ValueError(
                f"actions have shape {found.shape} and type {found.dtype}; allowed: whole numbers "
                f"({self.num_envs},)"
            )
        outside = np.flatnonzero((found < 0) | (found >= self.game.actions.size))
        if len(outside):
            at, last = int(outside[0]), self.game.actions.size - 1
            raise ValueError(f"action of game {at} is {found[at]}; allowed: 0 to {last}")
        return found.astype(np.intp, copy=False)


def _observation_space(encoder: Encoder, mask_in: str) -> spaces.Space[Any]:
    seen = spaces.Box(0, 1, (encoder.layout.size,), np.float32)
    if mask_in == "info":
        return seen
    mask = spaces.Box(0, 1, (encoder.game.actions.size,), np.int8)
    return spaces.Dict({"observation": seen, "action_mask": mask})


def _mode(wanted: AutoresetMode | str) -> AutoresetMode:
    modes = {name: mode for mode in AutoresetMode for name in (mode, mode.name, mode.value)}
    if not isinstance(wanted, (AutoresetMode, str)) or wanted not in modes:
        allowed = ", ".join(mode.name for mode in AutoresetMode)
        raise ValueError(f"autoreset_mode is {shown(wanted)}; allowed: {allowed}")
    return modes[wanted]


def _seat(seat: object, n_players: int) -> Seat:
    is_number = type(seat) is int and 0 <= seat < n_players
    check("seat", seat, is_number or is_one_of(seat, ("rotate", "draw")),
           f"rotate, draw, 0 to {n_players - 1}")  # fmt: skip
    return cast(Seat, seat)


def _reset_mask(options: object, n_games: int) -> Bool | None:
    """Return which games (B,) a reset asks for, None for all; ValueError for a wrong option."""
    if options is None:
        return None
    if not isinstance(options, dict) or set(options) - {"reset_mask"}:
        raise ValueError(f"options is {shown(options)}; allowed: None, or a reset_mask")
    if (found := options.get("reset_mask")) is None:
        return None
    mask = np.asarray(found)
    if mask.dtype != np.bool_ or mask.shape != (n_games,) or not mask.any():
        raise ValueError(
            f"reset_mask is {shown(found)}; allowed: one bool for each of {n_games} games, one of "
            "them True"
        )
    return mask
