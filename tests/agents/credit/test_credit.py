"""Credit for parts of play: contrasts of a factorial design, contracts apart from cards."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sjavs_agents.arena.match import play_match, seating
from sjavs_agents.base import forced, open_decisions
from sjavs_agents.credit.command import main
from sjavs_agents.credit.design import Design, effects, play_design
from sjavs_agents.credit.factors import factors_of, mixed
from sjavs_agents.registry import make_agent
from sjavs_env import Game, Phase, view_of
from tests.engine.table import game_of, table_of


@pytest.mark.parametrize(
    ("game", "factors"),
    [
        (game_of("faroese"), ("bidding", "cards")),
        (game_of("klorsjavs"), ("bidding", "exchange", "cards")),
        (table_of("handjass", 3), ("exchange", "cards")),
    ],
    ids=["faroese", "klorsjavs", "handjass"],
)
def test_each_part_is_played_by_its_own_agent(game: Game, factors: tuple[str, ...]) -> None:
    assert factors_of(game) == factors
    calls = {Phase.AUCTION} if "exchange" in factors else {Phase.AUCTION, Phase.NAME_TRUMP}
    asked: dict[str, set[int]] = {factor: set() for factor in factors}

    class Noting:
        def __init__(self, factor: str) -> None:
            self.name, self.inner = factor, make_agent("greedy", game)

        def act(self, view: Any, mask: Any, rng: Any) -> Any:
            asked[self.name] |= set(view.phase.tolist())
            return self.inner.act(view, mask, rng)

    agent = mixed(game, [Noting(factor) for factor in factors])
    state, rng = game.new_games(60, seed=3, dealer=np.arange(60)), np.random.default_rng(0)
    for rows, mask in open_decisions(game, state):
        action, choices = forced(mask)
        if len(choices):
            view = view_of(game, state, rows[choices], state.seat[rows[choices]])
            action[choices] = agent.act(view, mask[choices], rng)
        game.step(state, action, rows)
    assert asked["cards"] == {int(Phase.PLAY)}
    if "bidding" in factors:
        assert asked["bidding"]
        assert asked["bidding"] <= set(map(int, calls))
    if "exchange" in factors:
        others = set(map(int, game.actions.slices)) - {int(Phase.PLAY), int(Phase.AUCTION)}
        assert asked["exchange"]
        assert asked["exchange"] <= others
    with pytest.raises(ValueError, match="allowed: one for each of"):
        mixed(game, [])


def test_effects_find_what_was_put_into_the_cells() -> None:
    """Against least squares on the levels and their products."""
    rng = np.random.default_rng(4)
    levels = list(product((False, True), repeat=3))
    cells = {level: rng.normal(size=50) for level in levels}
    design = Design(("x", "y", "z"), dict.fromkeys(levels, ""), {"game_points": cells})
    found = effects(design, "game_points")
    signs = np.array(levels) * 2.0 - 1
    columns = {(): np.ones(8), ("x",): signs[:, 0], ("y",): signs[:, 1], ("z",): signs[:, 2]}
    columns |= {("x", "y"): signs[:, 0] * signs[:, 1], ("x", "z"): signs[:, 0] * signs[:, 2]}
    columns |= {("y", "z"): signs[:, 1] * signs[:, 2], ("x", "y", "z"): signs.prod(axis=1)}
    means = np.array([cells[level].mean() for level in levels])
    fit = np.linalg.lstsq(np.column_stack(list(columns.values())), means, rcond=None)[0]
    for (key, _), slope in list(zip(columns.items(), fit, strict=True))[1:]:
        assert found[key].mean == pytest.approx(2 * slope)
    odd = sum(e.mean for key, e in found.items() if len(key) % 2)
    assert odd == pytest.approx(means[-1] - means[0])


def test_a_part_that_is_the_same_gains_nothing() -> None:
    game = game_of("klorsjavs")
    a, b = make_agent("rules||greedy", game), make_agent("rules", game)
    found = effects(play_design(game, a, b, None, 6, seed=5), "game_points")
    for key, e in found.items():
        assert (e.mean == 0) == (key != ("cards",))
    whole = play_match(game, (a, b), 6, seed=5)
    assert found[("cards",)].mean == pytest.approx(whole.board_game_points.mean())


def test_contracts_and_cards_add_up_to_the_result() -> None:
    pytest.importorskip("numba")
    from sjavs_agents.credit.contract_quality import contract_quality

    game = game_of("klorsjavs")
    for names in (("rules", "greedy"), ("greedy||random", "greedy")):
        agents = make_agent(names[0], game), make_agent(names[1], game)
        records: list[dict[str, Any]] = []
        result = play_match(game, agents, 4, seed=2, keep=records.extend)
        found = contract_quality(game, records, agents[0].name, len(seating(game)))
        total = found.contracts.mean + found.cards.mean
        assert total == pytest.approx(result.board_game_points.mean(), abs=1e-4)
        if names[1] == "greedy" and names[0] != "rules":  # the same contracts at every table
            assert found.contracts.mean == pytest.approx(0, abs=1e-6)
            assert found.cards.mean < 0


def test_the_command_prints_and_writes_the_same_each_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("numba")
    out, written = tmp_path / "credit.json", []
    argv = ["expert", "greedy", "--rules", "klorsjavs", "--boards", "2", "--json", str(out)]
    for _ in range(2):
        assert main(argv) == 0
        written.append(out.read_bytes())
    assert written[0] == written[1]
    data = json.loads(written[0])
    assert len(data["cells"]) == 8
    assert len(data["effects"]["game_points"]) == 7
    assert data["opponent"] == "greedy"
    assert set(data["contracts"]) == {"contracts", "cards"}
    assert data["roles"][0]["declarer"]["deals"] >= 0
    text = capsys.readouterr().out
    assert "bidding × exchange × cards" in text


def test_bad_input_is_told_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for argv, words in (
        (["rules", "rules"], "agents are 'rules' twice"),
        (["rules", "cheater"], "looks into all hands"),
        (["rules", "nobody"], "there is no agent 'nobody'"),
        (["rules", "greedy", "--boards", "0"], "boards is 0"),
        (["rules", "greedy", "--opponent", "x"], "there is no agent 'x'"),
        (["rules", "greedy", "--json", str(tmp_path)], "is a folder"),
    ):
        assert main(argv) == 2
        err = capsys.readouterr().err
        assert words in err
        assert err.count("\n") == 1


def test_an_agent_that_fails_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "breaks.py").write_text(
        "class Breaks:\n    name = 'breaks'\n    def __init__(self, game): ...\n"
        "    def act(self, view, mask, rng): raise OSError('no')\n",
        "utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    assert main(["rules", "breaks:Breaks", "--boards", "2"]) == 1
    assert capsys.readouterr().err.count("\n") == 1
