"""The PettingZoo environment: one game, the seats acting in turn.

Agents ``player_0`` ... are the seats in the direction of play.  The same agent may act twice in
a row: who names trumps may have the lead as well.  An episode is one deal, a rubber, or a match
to N crosses (``envs.episode``).

Observation   ``{"observation": float32 (F,), "action_mask": int8 (A,)}``: what the seat may
              know (``encode``), scaled to 0..1, and its legal actions, all zero for seats not
              on turn.  ``infos[agent]["action_mask"]`` is the same mask.
Action        an id of the action map; ``action_labels`` says what each one is.
Reward        zero-sum over the seats, partners alike.  Deal: its game points, own less the
              mean of the opponents'.  Rubber: likewise its crosses or chips, at its end;
              match to N crosses: its crosses.
End           by termination of all agents at once, never by truncation.
Illegal       ``"raise"``: ValueError, and nothing has happened.  ``"terminate"``: the side of
              the offender loses ``illegal_penalty``, no less than the rules let anybody lose
              in a deal without pending ties (or in a rubber), the other side wins it, and the
              episode ends.  A number that is no action at all is an error either way.
All pass      ``redeal="continue"``: the next numbered deal is dealt and the episode goes on;
              ``"end"``: it ends with reward 0 and ``last_result["kind"] == "redeal"``.  So it
              does after ``MOST_PASSED`` such deals in a row.
Leaving       a seat that has left its match stays an agent, but acts in it no more.
Deals         ``reset(seed=s)`` plays deals 0, 1, 2, ... of seed s; ``reset()`` goes on with the
              next number.  ``options`` says what else a reset takes.
Arrays        whatever is handed out belongs to the caller, who may keep or change it.
Copies        ``clone``, ``copy.deepcopy``, ``pickle`` and ``get_state``/``set_state`` keep the
              whole game: both go on alike and independently.

``state()`` is an oracle's view, observation of seat 0 followed by the other hands; it shows
hidden cards and belongs to centralized critics only.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, TypeVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray

from sjavs_env.engine.game import Game
from sjavs_env.engine.single import SingleGame
from sjavs_env.engine.state import ONLY_GAME, REDEAL, empty_state
from sjavs_env.envs.episode import Episode, all_passed, check_crosses, is_over, pays, worst
from sjavs_env.envs.options import (
    RenderView,
    check_keywords,
    check_options,
    merged_overrides,
    read_options,
    seat_as_asked,
    whole_number,
)
from sjavs_env.envs.saved import Snapshot, read_snapshot, write_snapshot
from sjavs_env.envs.seats import Seats
from sjavs_env.errors import shown
from sjavs_env.observation.encode import Encoder
from sjavs_env.observation.encode_single import SingleEncoder
from sjavs_env.observation.views import PlayerView, hidden_hands, view_of
from sjavs_env.records.history import History, Record, Result
from sjavs_env.render import render_table
from sjavs_env.rules.games.presets import rules_for
from sjavs_env.rules.ruleset import RuleSet
from sjavs_env.rules.tables import NONE, Phase

__all__ = ["Observation", "SjavsEnv"]

Observation = dict[str, NDArray[Any]]
Env = TypeVar("Env", bound="SjavsEnv")


class SjavsEnv(Seats):
    """One game of Sjavs for PettingZoo; see the module for the conventions."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "sjavs_v0",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        rules: str | RuleSet = "faroese",
        *,
        episode: Episode = "deal",
        crosses: int | None = None,
        render_mode: Literal["ansi", "human"] | None = None,
        illegal: Literal["raise", "terminate"] = "raise",
        redeal: Literal["continue", "end"] = "continue",
        render_view: RenderView = "to_act",
        render_ascii: bool = False,
        players: int | None = None,
        num_players: int | None = None,
        overrides: dict[str, Any] | None = None,
        **more_overrides: Any,
    ) -> None:
        """Set the table; ValueError names a wrong option and what is allowed.

        ``crosses`` is how many of them an episode of ``"rubber"`` goes to, None for one rubber
        alone.  ``players``, or ``num_players``, is for games that several numbers can play.
        Rule parameters are overridden by name, ``tie="double"``, or in ``overrides``, which takes
        dotted names, too: ``{"payoff.vol": [12, 16]}``.  ``render_view`` is the seat whose cards
        ``render`` shows: the one to act, a number, or ``"open"``, all cards face up.
        """
        check_keywords(type(self), more_overrides)
        given = merged_overrides(overrides, more_overrides, players)
        self.game = Game(rules_for(rules, given, num_players))
        self.options = {
            "episode": episode,
            "crosses": crosses,
            "render_mode": render_mode,
            "illegal": illegal,
            "redeal": redeal,
            "render_view": render_view,
            "render_ascii": render_ascii,
        }
        check_options(self.options, self.game.tables.n_players)
        check_crosses(crosses, episode)
        self._episode: Episode = episode
        self._crosses = crosses
        self.render_mode = render_mode
        self.encoder = Encoder(self.game, "pack")
        self._single_game, self._single_encoder = SingleGame(self.game), SingleEncoder(self.encoder)
        self._scale = self.encoder.layout.scale
        self.state_space = spaces.Box(0, 1, (self.encoder.oracle_size,), np.float32)
        self.np_random: np.random.Generator | None = None  # None until the first reset
        self.deal_seed: int | None = None  # the seed whose deals are being played
        self.history = History(self.game, 0, {})
        self._last_result: Result | None = None
        self._state = empty_state(self.game.tables, 1)
        tables, labels = self.game.tables, self.game.actions.labels
        super().__init__(tables.n_players, labels, self.encoder.layout.size)

    # what PettingZoo asks for

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode; ValueError for a wrong option, and then nothing has changed."""
        start = read_options(self.game, options)
        number = self._next_number(seed) if start.deal_number is None else start.deal_number
        drawn = int(self._take_seed(seed).integers(self.game.tables.n_players))
        dealer = drawn if start.dealer is None else start.dealer
        self._state = self.game.new_games(
            1, seed=self.deal_seed or 0, numbers=number, dealer=dealer, cut=start.cut
        )
        seat_as_asked(self.game, self._state, start)
        self.history = History.begin(self.game, self._state, start.deck)
        self._sit_down(self.possible_agents)
        self._next_turn()
        self._show()

    def _next_number(self, seed: int | None) -> int:
        """Number of the deal that follows; a seed begins its deals from 0."""
        if seed is not None or self.deal_seed is None:
            return 0
        return (int(self._state.number[0]) + 1) % 2**64

    def _take_seed(self, seed: int | None) -> np.random.Generator:
        """Return the generator of dealers, begun anew if there is a seed or was none before."""
        if seed is not None:
            number = whole_number(seed)
            if number is None or not 0 <= number < 2**64:
                raise ValueError(f"seed is {shown(seed)}; allowed: 0 to 2**64 - 1")
            self.deal_seed = number
        elif self.np_random is not None:
            return self.np_random
        else:
            self.deal_seed = int(seeding.np_random()[1]) % 2**53  # any JSON reader can hold it
        self.np_random, _ = seeding.np_random(self.deal_seed)
        return self.np_random

    def step(self, action: int | None) -> None:
        """Act for the agent on turn; None for one whose game is over."""
        agent = self.agent_selection
        if agent not in self.terminations:
            raise ValueError("no episode has begun; allowed: reset")
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        chosen = self.action_id(action)
        if not self._legal >> chosen & 1:
            self._answer_illegal(agent, chosen)
            return
        self._cumulative_rewards[agent] = 0.0  # rewards are all 0 until the episode ends
        self._single_game.step(self._state, chosen)
        self.history.note(chosen, self._seat_of[agent], self._state)
        if self._state.phase.item() == Phase.OVER:
            self._end_deal()
        else:
            self._next_turn()
        self._show()

    def observe(self, agent: str) -> Observation:
        """Return what an agent may know, at any time: also off turn and after the end."""
        counts = self._encoded.get(agent)
        if counts is None:
            counts = self._single_encoder.encode(self._state, self._seat_of[agent])
            self._encoded[agent] = counts
        return {"observation": counts * self._scale, "action_mask": self.action_mask(agent)}

    def view(self, agent: str) -> PlayerView:
        """Return what an agent may know now, as the view (1,) of one game.

        It shows neither more nor less than ``observe``.
        """
        return view_of(self.game, self._state, ONLY_GAME, np.array([self.seat_number(agent)]))

    def state(self) -> NDArray[np.float32]:
        """Return the oracle's view: observation of seat 0, then the hands of the other seats."""
        seat = np.zeros(1, dtype=np.intp)
        view = view_of(self.game, self._state, ONLY_GAME, seat)
        hands = hidden_hands(self.game, self._state, ONLY_GAME, seat)
        hidden = self.encoder.hidden_bits(hands, self.encoder.arrangement(view))
        counts = self.encoder.encode(view) * self._scale
        return np.concatenate([counts, hidden], axis=1, dtype=np.float32)[0]

    def render(self) -> str | None:
        """Return the table as text (``"ansi"``) or write it to standard output (``"human"``)."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode; allowed: ansi, human")
            return None
        text = self._picture()
        if self.render_mode == "human":
            sys.stdout.write(text + "\n\n")
        return text if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: no window is ever open."""

    # the course of an episode

    def _answer_illegal(self, agent: str, chosen: int) -> None:
        label = self.action_labels[chosen]
        if self.options["illegal"] == "raise":
            legal = ", ".join(self.action_labels[a] for a in self.legal())
            raise ValueError(f"{shown(label)} is illegal for {agent}; legal: {legal}")
        self._cumulative_rewards[agent] = 0.0
        self._last_result = self.history.close_deal(self._state)
        declarer, seat = self._state.declarer.item(), self._seat_of[agent]
        allies = self.game.tables.result.ally[seat if declarer == NONE else declarer]
        self._end_episode(np.where(allies == allies[seat], np.float32(0), self.illegal_penalty))
        self._show()

    @property
    def illegal_penalty(self) -> int:
        """What an illegal action costs: as much as the rules let anybody lose in an episode."""
        return worst(self.game.tables, self._episode, self._crosses)

    def _end_deal(self) -> None:
        """Settle a deal that is over; end the episode or deal again."""
        game, state = self.game, self._state
        self._last_result = self.history.close_deal(state)
        if state.outcome.item() == REDEAL:
            if self.options["redeal"] == "end" or all_passed(self.history.deals):
                self._end_episode(np.zeros(game.tables.n_players, np.float32))
                return
        elif is_over(state, self._episode, self._crosses).item():
            self._end_episode(pays(game, state, self._episode, self._crosses)[0])
            return
        game.next_deal(state, ONLY_GAME)
        self.history.open_deal(state)
        self._next_turn()

    def _end_episode(self, gains: NDArray[np.float32]) -> None:
        """Pay every seat for the gains (P,) of all and let the agents leave."""
        is_deal = self._episode == "deal"  # whose result concerns who was dealt to
        taking_part = self.game.taking_part(self._state, ONLY_GAME) if is_deal else None
        rewards = self.game.rewards(gains[None], taking_part)[0] + np.float32(0)  # no -0.0
        self._leave(rewards.tolist())

    def _nobody_acts(self) -> None:
        super()._nobody_acts()
        self._encoded: dict[str, NDArray[np.uint8]] = {}  # observations asked for since the step

    def _next_turn(self) -> None:
        self._give_turn(self._state.seat.item(), self._single_game.legal(self._state))
        self._encoded = {}

    def action_mask(self, agent: str) -> NDArray[np.int8]:
        """As in ``Seats``, at less cost."""
        return self._single_encoder.mask(self._legal if agent == self._acting else 0)

    # copies

    def snapshot(self) -> Snapshot:
        """Return all that changes in the course of a game; it goes on changing with it."""
        return Snapshot(
            cards=self._state,
            history=self.history,
            last_result=self._last_result,
            seed=self.deal_seed,
            generator=self.np_random,
            agents=self.agents,
            agent_selection=self.agent_selection,
            skipped=self._skip_agent_selection,
            acting=self._acting,
            rewards=self.rewards,
            cumulative_rewards=self._cumulative_rewards,
            terminations=self.terminations,
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Go on from a snapshot, which is the environment's from now on."""
        self._state, self.history = snapshot.cards, snapshot.history
        self._last_result = snapshot.last_result
        self.deal_seed, self.np_random = snapshot.seed, snapshot.generator
        self._sit_down(snapshot.agents)
        if snapshot.acting is not None:
            self._next_turn()
        self.agent_selection = snapshot.agent_selection
        self._skip_agent_selection = snapshot.skipped
        self.rewards, self.terminations = snapshot.rewards, snapshot.terminations
        self._cumulative_rewards = snapshot.cumulative_rewards

    def get_state(self) -> dict[str, Any]:
        """Return the whole game in progress as values that JSON can hold."""
        return write_snapshot(self.snapshot())

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Go on from a state of ``get_state``.

        ValueError for one of other rules, and for one that no game can come to; then nothing has
        changed.  The game is played again to see that: ``clone`` is the quicker copy.
        """
        self.restore(read_snapshot(self.game, state, self.possible_agents))

    def clone(self: Env) -> Env:
        """Return an independent copy of the game in progress."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)  # rules, tables, options never change: shared
        twin._action_space = copy.deepcopy(self._action_space)  # these hold generators
        twin.restore(self.snapshot().copy())
        return twin

    def __deepcopy__(self: Env, memo: dict[int, Any]) -> Env:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        rules, state = self.game.rules, self.get_state()
        return _restored, (type(self), rules, self.options, state, self._action_space)

    # results, records and pictures

    @property
    def last_result(self) -> Result | None:
        """The deal that ended last, as ``history.deal_result`` describes it; None before one."""
        return copy.deepcopy(self._last_result)

    def action_of(self, label: str) -> int:
        """Return the action with this label; ValueError naming it if there is none."""
        return self.game.actions.parse(label)

    def record(self, players: Sequence[str] = ()) -> Record:
        """Return the record of the episode, all cards shown; ValueError while a deal goes on."""
        return self.history.record(players)

    def look_from(self, view: RenderView) -> None:
        """Change ``render_view``; ValueError for what it cannot be."""
        options = {**self.options, "render_view": view}
        check_options(options, self.game.tables.n_players)
        self.options = options  # a new one: clones share the old

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _picture(self) -> str:
        """Draw what may be seen from where ``render_view`` says."""
        wanted = self.options["render_view"]
        seat = wanted if isinstance(wanted, int) else self._seat_of.get(self._acting or "", 0)
        is_open = wanted == "open"
        viewer = np.array([0 if is_open else seat])
        results = [log.result for log in self.history.deals[-2:] if log.result is not None]
        return render_table(
            self.game,
            view_of(self.game, self._state, ONLY_GAME, viewer),
            others=hidden_hands(self.game, self._state, ONLY_GAME, viewer) if is_open else None,
            show_hand=wanted != "to_act" or self._acting is not None,
            plain=bool(self.options["render_ascii"]),
            result=results[-1] if results else None,  # of this episode
        )


def _restored(
    kind: type[Env],
    rules: RuleSet,
    options: dict[str, Any],
    state: Mapping[str, Any],
    action_space: dict[str, spaces.Discrete],
) -> Env:
    """Rebuild a pickled environment: its rules compiled anew, its game where it was."""
    env = kind(rules, **options)
    env.set_state(state)
    env._action_space = action_space
    return env
