"""The boards on which agents differ most, with their cards dealt again and how tables parted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sjavs_agents.arena.kept_games import kept_games
from sjavs_agents.arena.match import BOARD_BITS, seating
from sjavs_agents.luck.recorded_results import episodes_of
from sjavs_agents.reporting.blocks import Block, Deal, Missing, Section, Table, Text
from sjavs_agents.reporting.evaluation_file import Evaluation, Pair, Swing
from sjavs_agents.reporting.population import Population
from sjavs_agents.reporting.words import signed_mean
from sjavs_agents.swings.side_by_side import parting_text
from sjavs_agents.swings.swung_boards import swings_among
from sjavs_env import Game
from sjavs_env.cards import SUIT_SYMBOLS, SUITS

__all__ = ["dealt_hands", "swings"]

MOST_SHOWN = 12  # boards in the table
MOST_DEALT = 4  # boards whose cards are shown


def swings(evaluation: Evaluation, found: Population) -> Section:
    """Return the boards with the largest differences of all pairs, and the cards of a few."""
    title = "Swings"
    listed = [(pair, swing) for pair in evaluation.pairs for swing in pair.swings]
    listed.sort(key=lambda x: (-abs(x[1].game_points), -abs(x[1].card_points), x[1].board))
    shown = listed[:MOST_SHOWN]
    if not shown:
        return Section(title, [Missing("None: no two agents played each other here.")])
    rows = [_row(found, evaluation, pair, swing) for pair, swing in shown]
    head = ["A", "B", "board", "dealer", "game points per deal", "card points per deal",
            *(["by table"] if _tables(evaluation, *shown[0]) else [])]  # fmt: skip
    table = Table("swings", "Boards with the largest differences, A more than B", head, rows, 3)
    return Section(title, [table, *_deals(evaluation, shown)])


def _row(found: Population, evaluation: Evaluation, pair: Pair, swing: Swing) -> list[str]:
    a, b = (found.labels[i] for i in pair.at)
    row = [a, b, str(swing.board), f"seat {swing.dealer}", signed_mean(swing.game_points),
           signed_mean(swing.card_points, 1)]  # fmt: skip
    by_table = _tables(evaluation, pair, swing)
    return [*row, by_table] if by_table else row


def _tables(evaluation: Evaluation, pair: Pair, swing: Swing) -> str:
    """What A won more than B at each table, by A's seats; nothing without the boards."""
    if pair.match is None or swing.board >= len(pair.match.boards):
        return ""
    found = []
    points = pair.match.game_points[swing.board]
    for sitters, won in zip(seating(evaluation.game).tolist(), points, strict=True):
        own = "+".join(str(seat) for seat, agent in enumerate(sitters) if agent == 0)
        found.append(f"A in {own}: {signed_mean(won, 0)}")
    return "; ".join(found)


def _deals(evaluation: Evaluation, shown: Sequence[tuple[Pair, Swing]]) -> Iterator[Block]:
    if evaluation.episode != "deal":
        yield Text(
            "A board is a rubber of many deals; evaluate with --record to see what happened."
        )
        return
    dealt: dict[int, list[int]] = {}
    for _, swing in shown:
        if swing.board not in dealt and len(dealt) < MOST_DEALT:
            dealt[swing.board] = sorted(set(swing.last_deals))
    dealers = {swing.board: swing.dealer for _, swing in shown}
    for board, numbers in dealt.items():
        for number in numbers:
            if number >> BOARD_BITS != board:
                continue  # no deal of this board
            times = number & (1 << BOARD_BITS) - 1
            # who deals, deals again
            redealt = f", dealt {times + 1} times" if times else ""
            yield Deal(
                f"Board {board}, dealer seat {dealers[board]}{redealt}",
                dealt_hands(evaluation.game, evaluation.seed, number, dealers[board]),
            )
        yield from (_play(evaluation, *one) for one in shown if one[1].board == board)


def _play(evaluation: Evaluation, pair: Pair, swing: Swing) -> Text:
    """Say how the two tables of a board that tell most went until they parted."""
    a, b = (evaluation.agents[i] for i in pair.at)
    games = None
    if evaluation.folder is not None and pair.match is not None:
        kept = kept_games(evaluation.folder, pair.at, pair.match, [swing.board])
        games = kept.get(swing.board)
    if not games:
        return Text(
            f"{a} against {b}: the play was not recorded (--record with --out); `sjavs swings` on "
            "the folder plays it again."
        )
    try:
        _, (found,) = swings_among(episodes_of(games, "board"), 1, (a, b), "board")
    except ValueError:  # two agents of one name
        return Text(f"{a} against {b}: nobody can tell who is who.")
    return Text(f"{a} against {b}. {parting_text((games[found.lines[0]], games[found.lines[1]]))}")


def dealt_hands(
    game: Game, seed: int, number: int, dealer: int
) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the hands of a numbered deal, seat by seat, and what lies aside: label and suits."""
    state = game.new_games(1, seed=seed, numbers=[number], dealer=dealer)
    n, at = game.tables.n_players, int(state.dealer[0])
    held = [int(word) for word in state.hand[0]]
    found = []
    for seat in range(n):
        role = {0: ", dealer", 1: ", forehand"}.get((seat - at) % n, "")
        found.append((f"Seat {seat}{role}", _suits(game, held[seat])))
    rest = (1 << len(game.pack)) - 1 & ~sum(held)
    if rest:
        found.append(("Not in a hand", _suits(game, rest)))
    return found


def _suits(game: Game, cards: int) -> list[tuple[str, str]]:
    """Return the ranks of a set of cards, suit by suit."""
    names = [name for i, name in enumerate(game.pack.cards) if cards >> i & 1]
    return [
        (
            SUIT_SYMBOLS[suit],
            " ".join(n[0].replace("T", "10") for n in names if n[1] == suit) or "–",
        )
        for suit in SUITS
    ]
