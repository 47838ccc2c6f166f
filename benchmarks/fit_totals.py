"""Fit what a hand promises in tricks: the numbers in ``sjavs_agents.heuristic.expected_totals``.

``python -m benchmarks.fit_totals [--deals N] [--seed S]`` lets the rule player play the cards of
N numbered deals of every game in which seats may be out, with every number of players.  Swaps,
reserves and staying in are drawn at random, so that hands of all kinds are played.  Least
squares of the card points that each hand took are printed by kind of rules and by number of
players, with the share of the variance that they explain.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.arguments import number
from sjavs_agents.base import Bool, Floats, Ints, Words, open_decisions
from sjavs_agents.heuristic.expected_totals import hand_qualities
from sjavs_agents.heuristic.rule_agent import RuleAgent
from sjavs_agents.heuristic.sight import TableReader
from sjavs_env import PRESETS, Game, Phase, make_rules, view_of
from sjavs_env.cli.command import OneLineParser, run_command

__all__ = ["Hands", "main", "play_hands"]

DRAWN = {Phase.SIX: 0.5, Phase.RESERVE: 0.3, Phase.STAY: 0.75}  # chance of the first choice


@dataclass(frozen=True)
class Hands:
    """H hands that were played among the same number of players."""

    may_ruff: bool
    players: int
    qualities: Floats  # (H, 5)
    points: Floats  # (H,) card points taken
    rivals: Floats  # (H, players - 1) and those that the others took


def play_hands(game: Game, deals: int, seed: int) -> Iterator[Hands]:
    """Play numbered deals; yield the hands of all players, by number of players."""
    t, reader, agent = game.tables, TableReader(game), RuleAgent(game)
    rng = np.random.default_rng(seed)
    state = game.new_games(deals, seed=seed, dealer=np.arange(deals) % t.n_players)
    hands = np.zeros((deals, t.n_players), dtype=t.word_type)
    for rows, mask in open_decisions(game, state):
        opens = rows[(state.phase[rows] == Phase.PLAY) & (state.trick_number[rows] == 0)]
        hands[opens] = state.dealt[opens]
        action = agent.act(view_of(game, state, rows, state.seat[rows]), mask, rng)
        for phase, chance in DRAWN.items():
            at = np.flatnonzero(state.phase[rows] == phase)
            if len(at):
                first = game.actions.slices[phase].start
                action[at] = first + (rng.random(len(at)) >= chance)
        game.step(state, action, rows)
    for players in range(2, t.n_players + 1):
        playing = state.seat_state.playing == 1
        yield _hands_of(reader, hands, playing, state.points, state.mode, players)


def _hands_of(
    reader: TableReader, hands: Words, playing: Bool, points: Ints, mode: Ints, players: int
) -> Hands:
    rows, seats = np.nonzero(playing & (playing.sum(axis=1) == players)[:, None])
    others = playing[rows]
    others[np.arange(len(rows)), seats] = False
    taken = points[rows]
    return Hands(
        may_ruff=reader.may_ruff,
        players=players,
        qualities=hand_qualities(reader, hands[rows, seats], mode[rows]),
        points=taken[np.arange(len(rows)), seats].astype(np.float64),
        rivals=taken[others].reshape(len(rows), players - 1).astype(np.float64),
    )


def _line(found: list[Hands]) -> str:
    """The fit as a line of source."""
    qualities = np.concatenate([h.qualities for h in found])
    points = np.concatenate([h.points for h in found])
    rivals = np.concatenate([h.rivals for h in found])
    columns = np.column_stack([np.ones(len(points)), qualities])
    fit = np.linalg.lstsq(columns, points, rcond=None)[0]
    off = points - columns @ fit
    total = points.mean() * found[0].players
    rest = (total - points[:, None]) / rivals.shape[1]
    numbers = [*fit, off.std(), np.sqrt(((rivals - rest) ** 2).mean())]
    text = ", ".join(f"{x:.2f}" for x in numbers)
    share = 1 - off.var() / points.var()
    return f"{found[0].players}: TotalPromise({text}),  # {len(points)} hands, {share:.0%}"


def main(argv: Sequence[str] | None = None) -> int:
    """Print the fits; return the exit status."""
    parser = OneLineParser(prog="benchmarks.fit_totals", description=__doc__)
    parser.add_argument(
        "--deals", type=number(1, 10**7), default=20_000, help="of each game (%(default)s)"
    )
    parser.add_argument("--seed", type=number(0, 2**64 - 1), default=11, help="(%(default)s)")
    args = parser.parse_args(argv)
    groups: dict[tuple[bool, int], list[Hands]] = {}
    for name, rules in PRESETS.items():
        for players in rules.player_counts if rules.seats else ():
            game = Game(make_rules(name, players=players))
            for hands in play_hands(game, args.deals, args.seed):
                if len(hands.points):
                    groups.setdefault((hands.may_ruff, hands.players), []).append(hands)
    for may_ruff in (False, True):
        print(f"{may_ruff}: {{")
        for key in sorted(key for key in groups if key[0] == may_ruff):
            print(f"    {_line(groups[key])}")
        print("},")
    return 0


if __name__ == "__main__":
    sys.exit(run_command("benchmarks.fit_totals", main))
