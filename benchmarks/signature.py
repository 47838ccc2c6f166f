"""One number that changes only when behaviour does.

``python -m benchmarks.signature`` bids and plays fixed boards in every game with the scripted
players, searches the last tricks of some of these deals with the open-hand solver, draws the hidden
cards of others, and lets a search choose.  Each game gives a line of whole numbers, and all lines
together the signature.  A change that is meant to make the code faster, or plainer, must leave it
as it is; one that is meant to change behaviour shows by its lines what it has changed.

``tests/benchmarks`` compares the lines with a stored copy; ``make golden`` accepts new ones.
"""

from __future__ import annotations

import sys
from dataclasses import astuple, dataclass, fields
from hashlib import blake2b

import numpy as np

from benchmarks.every_game import GAMES
from sjavs_agents.arena.match import play_match
from sjavs_agents.base import Floats, open_decisions
from sjavs_agents.registry import make_agent
from sjavs_agents.solver.solver import Solver
from sjavs_agents.worlds.sampler import Sampler
from sjavs_env import PRESETS, Game, GameState, Phase, make_rules, view_of
from sjavs_env.cli.command import OneLineParser, run_command
from sjavs_env.randomness import derived
from sjavs_env.rules.tables import Ints

__all__ = ["Behaviour", "behaviour", "main", "number", "page"]

BOARDS, SEARCHED_BOARDS = 20, 1
SEARCH = "rollout:worlds=1,cards=2"
WORLDS = 3
LATE = 3  # tricks from the end at which the solver begins


@dataclass(frozen=True)
class Behaviour:
    """What a game came to, in whole numbers."""

    deals: int  # played on all boards
    rules: int  # what `rules` won of `greedy` there: game points of a table, all added up
    search: int  # what `rollout` won of `rules`, on fewer boards
    nodes: int  # positions that the solver searched; 0 in games of more than two sides
    worlds: int  # a checksum of worlds drawn


def behaviour(name: str) -> Behaviour:
    """Return what one of ``GAMES`` comes to."""
    preset, _, players = name.partition("/")
    seats = {"players": int(players)} if PRESETS[preset].seats else {}
    game = Game(make_rules(preset, **seats))
    rules, greedy, rollout = (make_agent(name, game) for name in ("rules", "greedy", SEARCH))
    scripted = play_match(game, (rules, greedy), BOARDS, 7)
    searched = play_match(game, (rollout, rules), SEARCHED_BOARDS, 7)
    state = late_deals(game)
    return Behaviour(
        deals=int(scripted.deals.sum() + searched.deals.sum()),
        rules=_whole(scripted.game_points),
        search=_whole(searched.game_points),
        nodes=positions(game, state),
        worlds=worlds_drawn(game, state),
    )


def late_deals(game: Game) -> GameState:
    """Return deals played by `rules` until few tricks are left and a card is to be played."""
    agent, rng = make_agent("rules", game), derived(0, "signature")
    state = game.new_games(BOARDS, seed=11, dealer=np.arange(BOARDS))
    going = np.ones(BOARDS, np.bool_)
    for rows, mask in open_decisions(game, state, going):
        game.step(state, agent.act(view_of(game, state, rows, state.seat[rows]), mask, rng), rows)
        game.next_deal(state, np.flatnonzero(state.phase == Phase.OVER))
        is_late = state.trick_number >= game.tables.n_tricks - LATE
        going[:] = ~is_late | (state.phase != Phase.PLAY)
    return state


def positions(game: Game, state: GameState) -> int:
    """Return how many positions it took to value every card."""
    if game.tables.seats and game.tables.n_players > 2:
        return 0
    solver = Solver(game)
    solver.card_values(state, np.arange(BOARDS), "score")
    return solver.nodes


def worlds_drawn(game: Game, state: GameState) -> int:
    """Return a checksum of the hidden cards drawn for who is to act."""
    rows: Ints = np.arange(BOARDS)
    hands = Sampler(game).hands(
        view_of(game, state, rows, state.seat), WORLDS, derived(0, "signature", "worlds")
    )
    return int.from_bytes(_digest(hands.astype("<u8").tobytes()), "little")


def page() -> str:
    """Return a line for each game, and the signature."""
    names = [f.name for f in fields(Behaviour)]
    lines = [f"{'game':22}" + "".join(f"{name:>12}" for name in names)]
    lines += [
        f"{name:22}" + "".join(f"{value:12}" for value in astuple(behaviour(name)))
        for name in GAMES
    ]
    return "\n".join([*lines, f"signature {number(lines)}", ""])


def number(lines: list[str]) -> int:
    """Return the signature of these lines."""
    return int.from_bytes(_digest("\n".join(lines).encode()), "little")


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=4).digest()


def _whole(points: Floats) -> int:
    """Add up, in sixtieths: the margins of two to four seats are sums of halves and thirds."""
    return round(float(points.sum()) * 60)


def main(argv: list[str] | None = None) -> int:
    """Print the lines and the signature; return the exit status."""
    OneLineParser(prog="benchmarks.signature", description=__doc__).parse_args(argv)
    print(page(), end="")
    return 0


if __name__ == "__main__":
    sys.exit(run_command("benchmarks.signature", main))
