"""How many deals luck costs: plain results, corrected ones, duplicate boards, and both.

``python -m benchmarks.variance A B [--rules NAME] [--boards N] [--json FILE]`` lets A and B play
duplicate boards, and tells for each way of measuring the standard deviation of one deal, and how
many times as many deals a single table without any correction needs for the same interval:

* *corrected*: one table, with the luck of the cards taken out (``sjavs_agents.luck``)
* *known*: with the luck of draws taken out as well, of those of the two that tell their
  probabilities; only with ``--model FILE --crew AGENT``, as ``sjavs luck fit`` makes it
* *duplicate*: all tables of a board, whose number of deals is counted
* *both*: boards, by least squares on even functions of the values of the deal: how large they are,
  seat by seat.  Luck itself cancels on a board, so nothing else is left for a control variate.
  The fit of one half is told by the other.

Where a board holds deals that nobody bid on their luck is taken out as well.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from benchmarks.arguments import number, writable
from sjavs_agents.arena.match import BOARD_BITS, MatchResult, play_match
from sjavs_agents.arena.seating import seating
from sjavs_agents.base import Agent, Floats, known_probabilities
from sjavs_agents.luck.deal_values import DealValues
from sjavs_agents.luck.drawn_actions import DrawLuck
from sjavs_agents.luck.known_players import KnownPlayers
from sjavs_agents.luck.luck_model import LuckModel, fitted_path, read_model
from sjavs_agents.luck.outcomes import UNITS, Dealt
from sjavs_agents.registry import make_agent
from sjavs_env import Game, replay, rules_to_json, view_of
from sjavs_env.cli.atomic_files import write_json
from sjavs_env.cli.command import OneLineParser, reason, run_command
from sjavs_env.cli.rule_arguments import add_rule_arguments, rules_of
from sjavs_env.engine.deal import numbered_decks
from sjavs_env.records.history import Record

__all__ = ["Spread", "main", "spreads"]


@dataclass(frozen=True)
class Spread:
    """Standard deviations of one deal, by how it is measured."""

    unit: str
    plain: float
    corrected: float
    known: float | None
    duplicate: float
    both: float
    moved: float  # mean of what is taken off at the first table, in standard errors: luck has none


def spreads(
    result: MatchResult,
    model: LuckModel,
    seed: int,
    crew: Agent | None = None,
    drawn: Mapping[str, Floats] | None = None,
) -> list[Spread]:
    """Return the spreads of a match of deals, in game points and card points.

    ``drawn`` is the luck of draws by unit, of each seat at each table (boards * tables, P).
    """
    game, values = result.game, DealValues(result.game, crew)
    model.check_game(game, values.names)
    first = result.boards << BOARD_BITS
    counts = (result.numbers - first[:, None]).max(axis=1) + 1  # deals that some table needed
    board = np.repeat(np.arange(len(first)), counts)
    place = np.arange(len(board)) - np.repeat(np.cumsum(counts) - counts, counts)
    decks = numbered_decks(len(game.pack), result.seed, first[board] + place)
    dealer = result.boards[board] % game.tables.n_players  # a deal that is passed is dealt again
    found = values.of(Dealt(decks, dealer, np.ones(len(board), dtype=np.intp)), seed)
    in_play = place[:, None] <= (result.numbers - first[:, None])[board]  # (deals, tables)
    of_a = _shares(game)
    spread = []
    for unit in UNITS:
        off = model.corrections[unit].off(values.names, found, dealer)
        taken = np.zeros(result.numbers.shape)
        np.add.at(taken, board, (off @ of_a.T) * in_play)
        size = np.zeros((len(first), off.shape[1]))
        np.add.at(size, board, off)
        luck = None
        if drawn is not None:
            per_table = drawn[unit].reshape(*result.numbers.shape, -1)
            luck = model.corrections[unit].draws * (per_table * of_a).sum(axis=2)
        spread.append(_spread(unit, getattr(result, unit), taken, size, luck))
    return spread


def _shares(game: Game) -> Floats:
    """How much of each seat's luck (tables, P) is A's lead on B."""
    agent_at = seating(game)
    n = game.tables.n_players
    parties = 2 if game.rules.sides == "partners" else n
    is_a, is_b = agent_at == 0, agent_at == 1
    of_a = is_a / is_a.sum(axis=1, keepdims=True) - is_b / is_b.sum(axis=1, keepdims=True)
    return np.asarray(of_a * (parties - 1) / parties)


def _spread(
    unit: str, results: Floats, taken: Floats, size: Floats, drawn: Floats | None = None
) -> Spread:
    tables = results.shape[1]
    corrected = results - taken
    boards = results.mean(axis=1)
    moved = taken[:, 0].mean() / (taken[:, 0].std(ddof=1) / np.sqrt(len(taken)))
    columns = np.column_stack([np.abs(size), size**2])
    rest = np.empty_like(boards)
    for half in (0, 1):
        fit, test = slice(half, None, 2), slice(1 - half, None, 2)
        centre = columns[fit].mean(axis=0)
        slopes = np.linalg.lstsq(columns[fit] - centre, boards[fit] - boards[fit].mean(),
                                 rcond=1e-9)[0]  # fmt: skip
        rest[test] = boards[test] - (columns[test] - centre) @ slopes
    one = np.sqrt(tables)  # a board costs so many deals
    return Spread(
        unit, float(results.std()), float(corrected.std()),
        None if drawn is None else float((corrected - drawn).std()),
        float(boards.std() * one), float(rest.std() * one), float(moved),
    )  # fmt: skip


def line(spread: Spread, pair: str) -> str:
    """Return the spreads as a line: standard deviations, and deals saved."""
    cells = "".join(
        f"{'':18}" if x is None else f"{x:>10.2f} ({(spread.plain / x) ** 2:4.1f}×)"
        for x in (spread.corrected, spread.known, spread.duplicate, spread.both)
    )
    return f"{pair:36}{spread.unit:13}{spread.plain:>8.2f}{cells}{spread.moved:>8.1f}"


HEAD = (
    f"{'A - B':36}{'unit':13}{'plain':>8}{'corrected':>18}{'known':>18}"
    f"{'duplicate':>18}{'both':>18}{'moved':>8}"
)


def luck_of_tables(
    game: Game, records: Sequence[Record], agents: Sequence[Agent], crew: Agent, seed: int
) -> dict[str, Floats]:
    """Return by unit what their draws brought each seat (records, P) of those who tell of them."""
    players = KnownPlayers(
        game, {a.name: a for a in agents if _tells(game, a)}, DrawLuck(game, crew, seed)
    )
    for i, record in enumerate(records):
        positions = list(replay(record))
        players.read(positions, record["players"], dict.fromkeys(range(len(record["deals"])), i))
    return players.luck.of(len(records))


def _tells(game: Game, agent: Agent) -> bool:
    state = game.new_games(1)
    view = view_of(game, state, np.array([0]), state.seat)
    return known_probabilities(agent, view, game.legal_actions(state)) is not None


def main(argv: Sequence[str] | None = None) -> int:
    """Play, print the spreads, and write them; return the exit status."""
    parser = OneLineParser(prog="benchmarks.variance", description=__doc__)
    parser.add_argument("agents", nargs=2, metavar="AGENT")
    add_rule_arguments(parser)
    parser.add_argument("--boards", type=number(8, 10**6), default=500, help="(%(default)s)")
    parser.add_argument("--seed", type=number(0, 2**63), default=0, help="(%(default)s)")
    parser.add_argument("--model", type=Path, metavar="FILE", help="(the one of the program)")
    parser.add_argument("--crew", metavar="AGENT", help="the one that the model was made with")
    parser.add_argument("--json", type=writable, metavar="FILE")
    args = parser.parse_args(argv)
    try:
        game = Game(rules_of(args))
        pair = make_agent(args.agents[0], game), make_agent(args.agents[1], game)
        _, model = read_model(args.model or fitted_path(game))
        crew = make_agent(args.crew, game) if args.crew else None
    except (ValueError, OSError) as error:
        parser.error(reason(error))
    records: list[Record] = []
    keep = None if crew is None else records.extend
    result = play_match(game, pair, args.boards, args.seed, keep=keep)
    drawn = None if crew is None else luck_of_tables(game, records, pair, crew, args.seed)
    found = spreads(result, model, args.seed, crew, drawn)
    told = f"{game.rules.name}, {args.boards} boards, {int(result.deals.sum())} deals"
    print(f"{told}: standard deviations of a deal\n{HEAD}")
    for spread in found:
        print(line(spread, " - ".join(args.agents)))
    if args.json:
        head = {"rules": rules_to_json(game.rules), "agents": list(result.agents)}
        head |= {"boards": args.boards, "seed": args.seed}
        write_json(args.json, {**head, "spreads": [asdict(s) for s in found]})
    return 0


if __name__ == "__main__":
    sys.exit(run_command("benchmarks.variance", main))
