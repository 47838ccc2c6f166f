"""Judges deals: all decisions of a deal in a few calls of agents, sampler and solver.

The judgement of a seat rests on views alone (``view_of``): agents, beliefs and imagined worlds
never see a recorded state.  Only the open-hand part does.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sjavs_agents.analyze.card_values import imagined_values, open_values, utilities_of
from sjavs_agents.analyze.judgement import Cards, Decision, Judgement, Luck
from sjavs_agents.analyze.luck import luck_of
from sjavs_agents.analyze.recorded_games import Deal
from sjavs_agents.base import Agent, Floats, Ints, fair
from sjavs_agents.base.asking import ask
from sjavs_agents.solver.solver import Solver
from sjavs_agents.worlds.by_belief import CardBelief
from sjavs_agents.worlds.sampler import Sampler
from sjavs_env import Game, Phase, PlayerView, view_of
from sjavs_env.randomness import derived

__all__ = ["Judge"]

Places = dict[str, dict[str, float]]  # hidden card -> place -> probability
NO_CARD = "no card was played, so there is no worth of cards to judge"
MOST_WORLDS = 10**5  # in memory at once, for every decision of a deal
BELIEF_WORLDS = 4096  # drawn where chances are not counted: their errors are at most 0.008


class Judge:
    """Judges deals of one game with the same agents and the same care."""

    def __init__(
        self,
        game: Game,
        agents: Sequence[Agent],
        worlds: int = 20,
        threads: int = 1,
        belief: CardBelief | None = None,
    ) -> None:
        """``worlds`` is in how many worlds a decision is judged at most.

        A ``belief`` is asked where it expects hidden cards; the judgement rests on none.

        ValueError for a number out of range and for agents that look into all hands.
        """
        if not 1 <= worlds <= MOST_WORLDS:
            raise ValueError(f"worlds is {worlds}; allowed: 1 to {MOST_WORLDS}")
        self.game, self.agents, self.n_worlds = game, [fair(agent) for agent in agents], worlds
        self.belief = belief
        self.notes: list[str] = []  # what cannot be judged in this game, and why
        self._sampler: Sampler | None = None
        self._solver: Solver | None = None
        try:
            self._sampler = Sampler(game)
        except ValueError as error:
            self.notes.append(f"what seats knew is not judged: {error}")
        try:
            self._solver = Solver(game, threads=threads)
        except ValueError as error:
            self.notes.append(f"the worth of cards is not judged: {error}")

    def judge(self, deal: Deal, seed: int = 0) -> Judgement:
        """Judge one deal.  Worlds and agents draw from streams of ``seed`` and the deal's place.

        ValueError for an agent that does not know what to do.
        """
        dealer = int(deal.end.dealer[0])
        if not len(deal.action):  # the first action was illegal
            notes = [*self.notes, NO_CARD]
            return Judgement(deal.place + 1, dealer, deal.result(), None, [], notes)
        streams = range(2 + len(self.agents))
        rngs = [derived(seed, "analysis", deal.place, stream) for stream in streams]
        moves, notes = deal.choices(), list(self.notes)
        view = view_of(self.game, deal.state, moves, deal.state.seat[moves])
        answers = self._answers(view, deal, moves, rngs[1:-1])
        luck, open_hands, fair = self._values(deal, moves, view, rngs[0], notes)
        beliefs, learned = self._beliefs(view, rngs[-1])
        decisions = []
        for i, move in enumerate(moves.tolist()):
            state, labels = deal.state, self.game.actions.labels
            is_card = state.phase[move] == Phase.PLAY
            legal = np.flatnonzero(self.game.legal_actions(state, moves[i : i + 1])[0])
            decisions.append(
                Decision(
                    move=move,
                    seat=int(state.seat[move]),
                    phase=Phase(int(state.phase[move])).name,
                    trick=int(state.trick_number[move]) + 1 if is_card else None,
                    action=labels[deal.action[move]],
                    legal=[labels[action] for action in legal],
                    agents={name: labels[does[i]] for name, does in answers.items()},
                    fair=fair.get(move),
                    belief=beliefs[i],
                    learned=learned[i],
                    open_hands=open_hands.get(move),
                )
            )
        return Judgement(deal.place + 1, dealer, deal.result(), luck, decisions, notes)

    def _answers(
        self, view: PlayerView, deal: Deal, moves: Ints, rngs: list[np.random.Generator]
    ) -> dict[str, Ints]:
        """Return what each agent would have done at each of the moves (R,)."""
        mask = self.game.legal_actions(deal.state, moves)
        if not len(moves):
            return {agent.name: np.zeros(0, dtype=np.intp) for agent in self.agents}
        labels, every = self.game.actions.labels, np.arange(len(moves))
        return {
            agent.name: ask(agent, view.select(every), mask, rng, labels)
            for agent, rng in zip(self.agents, rngs, strict=True)
        }

    def _values(
        self,
        deal: Deal,
        moves: Ints,
        view: PlayerView,
        rng: np.random.Generator,
        notes: list[str],
    ) -> tuple[Luck | None, dict[int, Cards], dict[int, Cards]]:
        """Return the luck of the deal, and by move the values of cards: open-handed and fair."""
        in_play = np.flatnonzero(deal.state.phase == Phase.PLAY)
        if not len(in_play):
            notes.append(NO_CARD)
        if not len(in_play) or self._solver is None:
            return None, {}, {}
        utilities, reason = utilities_of(self._solver, deal.state, int(in_play[0]))
        notes += [reason] if reason else []
        at = np.flatnonzero(view.phase == Phase.PLAY)
        cards, action = moves[at], deal.action[moves[at]]
        solved = open_values(self._solver, deal.state, cards, action, utilities)
        luck = None
        if deal.end.phase[0] == Phase.OVER:
            luck = luck_of(self._solver, deal, int(in_play[0]), cards, solved)
        else:
            notes.append("the deal was broken off, so there is no luck to judge")
        names = list(enumerate(cards.tolist()))
        open_hands = {move: solved.cards(self.game, i) for i, move in names}
        if self._sampler is None or not len(cards):
            return luck, open_hands, {}
        imagined = imagined_values(
            self._solver, self._sampler, view.select(at), action, utilities, self.n_worlds, rng
        )
        return luck, open_hands, {move: imagined.cards(self.game, i) for i, move in names}

    def _beliefs(
        self, view: PlayerView, rng: np.random.Generator
    ) -> tuple[list[Places | None], list[Places | None]]:
        """Return, for each view (R,), where each hidden card may be and how likely that is.

        First in truth, by what can be known, then as the learned belief has it.
        """
        nothing: list[Places | None] = [None] * len(view)
        if self._sampler is None or not len(view):
            return nothing, nothing
        exact = self._sampler.chances(view)
        known, told = exact.copy(), np.flatnonzero(self._sampler.lacks_melds(view))
        known[told] = self._sampler.drawn_chances(view.select(told), BELIEF_WORLDS, rng)
        places = self._places(view, known)
        if self.belief is None:
            return places, nothing
        return places, self._places(view, self.belief.chances(view, exact))

    def _places(self, view: PlayerView, chances: Floats) -> list[Places | None]:
        """Name the cards and places of chances (R, H, N)."""
        assert self._sampler is not None
        names, places = self.game.pack.cards, []
        for i, by_holder in enumerate(chances):
            holders = [
                _holder(name, int(view.seat[i]), self.game.tables.n_players)
                for name in self._sampler.holders
            ]
            places.append(
                {
                    names[card]: {
                        holders[h]: float(by_holder[h, card])
                        for h in np.flatnonzero(by_holder[:, card])
                    }
                    for card in np.flatnonzero(by_holder.any(axis=0)).tolist()
                }
            )
        return list(places)


def _holder(name: str, viewer: int, n_players: int) -> str:
    """Name a place of hidden cards at the table: ``hand 1`` of seat 3 is ``seat 0`` of four."""
    place, _, away = name.rpartition(" ")
    if not away.isdecimal():
        return name
    seat = f"seat {(viewer + int(away)) % n_players}"
    return seat if place == "hand" else f"{place}, {seat}"
