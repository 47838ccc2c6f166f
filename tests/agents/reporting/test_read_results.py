"""Files of results come from anywhere: what is wrong with one is told in a line."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sjavs_agents.reporting.assembly import sections
from sjavs_agents.reporting.checked import Checked, read_bounded
from sjavs_agents.reporting.evaluation_file import Evaluation, evaluation_of
from sjavs_agents.reporting.inputs import read_inputs
from sjavs_agents.reporting.training_runs import read_run
from tests.agents.reporting.results import evaluated, trained

JUNK: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**400,
    float("nan"),
    1e308,
    "",
    "x" * 5000,
    [],
    {},
    [[[]]],
    {"a": {}},
)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a JSON value; of lists the first place alone."""
    yield path
    if isinstance(value, dict):
        for key in value:
            yield from leaves(value[key], (*path, key))
    elif isinstance(value, list) and value:
        yield from leaves(value[0], (*path, 0))


def replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    copy = list(value) if isinstance(value, list) else dict(value)
    copy[path[0]] = replaced(value[path[0]], path[1:], new)
    return copy


def outcome(value: Any) -> Evaluation | str:
    """The evaluation, or what is said of it."""
    try:
        return evaluation_of(Checked(value, "f"), "f", {})
    except ValueError as error:
        return str(error)


def test_whatever_stands_in_a_file_is_read_or_told_in_a_line() -> None:
    data = json.loads((evaluated() / "results.json").read_text("utf-8"))
    data["pairs"], data["timings"] = data["pairs"][:1], data["timings"][:1]
    unread = {"versions", "actions", "power", "sign_flip_p", "p_holm"}
    places = [place for place in leaves(data) if not unread & set(place)]
    found = [
        outcome(replaced(data, place, junk))
        for i, place in enumerate(places[::5])
        for junk in JUNK[i % 3 :: 3]  # a third each, by turns
    ]
    told = [x for x in found if isinstance(x, str)]
    read = [x for x in found if not isinstance(x, str)]
    assert all("\n" not in line and len(line) < 1000 for line in told)
    assert len(told) > 2 * len(read) > 0  # what no section tells is not looked at
    sections(read[::5], [])  # what is read can be told


def test_pairs_find_their_agents_in_every_format(tmp_path: Path) -> None:
    data = json.loads((evaluated() / "results.json").read_text("utf-8"))
    data["timings"] = None
    full = data["pairs"]

    def places(agents: list[str], pairs: list[Any]) -> list[tuple[int, int]]:
        value = Checked(data | {"agents": agents, "pairs": pairs}, "f")
        return [pair.at for pair in evaluation_of(value, "f", {}).pairs]

    def pair(a: str, b: str) -> Any:
        return full[0] | {"agents": [a, b]}

    assert places(["a", "b", "a"], [pair("a", "b"), pair("a", "a"), pair("b", "a")]) == [
        (0, 1), (0, 2), (1, 2)]  # fmt: skip
    assert places(["a", "b", "c", "d"], [pair("a", x) for x in "bcd"]) == [(0, 1), (0, 2), (0, 3)]
    assert places(["a", "b", "c"], [pair("a", "c"), pair("b", "c")]) == [(0, 2), (1, 2)]
    assert places(["a", "b", "c"], [pair("a", "b")]) == [(0, 1)]
    with pytest.raises(ValueError, match=r"pairs are .*; allowed: those of the agents, in order"):
        places(["a", "b", "c"], [pair("b", "c")])


def test_a_file_that_is_too_long_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "long.json"
    with path.open("wb") as file:
        file.truncate(2**26 + 1)
    with pytest.raises(ValueError, match=r"long.json is longer than 67108864 bytes"):
        read_bounded(path)


def test_a_folder_whose_boards_are_of_another_evaluation_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    shutil.copytree(evaluated(), folder)
    shutil.copy(evaluated("klorsjavs") / "boards.npz", folder)
    with pytest.raises(ValueError, match=r"out.*"):
        read_inputs([folder])
    data = json.loads((evaluated() / "results.json").read_text("utf-8"))
    data["pairs"][0]["boards"] = 39
    shutil.copy(evaluated() / "boards.npz", folder)
    (folder / "results.json").write_text(json.dumps(data))
    with pytest.raises(ValueError, match=r"boards is 39; allowed: 40, as the boards beside it"):
        read_inputs([folder])


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("config.yaml", b"a: &a [*a]", "refers to"),
        ("config.yaml", b"- 1", "allowed: an object"),
        ("config.yaml", b"run: {name: x}", "run has no seed"),
        ("config.yaml", b"\xff", "is no file of settings"),
        ("versions.json", b"[", "is no JSON"),
        ("versions.json", b"{}", "has no sessions"),
        ("boards.csv", b"a,b\n1,2\n", "holds no results by board"),
        ("boards.csv", b"against,board,game_points\nx,0,nan\n", "line 2 is board '0' with 'nan'"),
        ("boards.csv", b"against,board,game_points\nx,1,1\n", "line 2 is board '1'"),
    ],
)
def test_a_run_folder_that_is_not_sound_is_told_in_a_line(
    name: str, content: bytes, message: str, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    shutil.copytree(trained(0), folder)
    (folder / name).write_bytes(content)
    with pytest.raises(ValueError, match=message) as error:
        read_run(folder)
    assert "\n" not in str(error.value)


def test_a_run_that_has_only_begun_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    shutil.copy(trained(0) / "config.yaml", folder)
    run = read_run(folder)
    assert (run.logged, run.boards, run.versions) == ({}, {}, {})
    assert sections([], [run])[0].title == "Training runs"


def test_a_log_that_is_junk_or_damaged_is_unreadable_and_one_that_was_cut_off_is_not(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    shutil.copy(trained(0) / "config.yaml", folder)
    (path,) = trained(0).glob("events.out.tfevents.*")
    whole, log = path.read_bytes(), folder / path.name
    log.write_bytes(whole)
    points = {tag: len(series.values) for tag, series in read_run(folder).logged.items()}
    assert points
    rng = np.random.default_rng(0)
    spoiled = bytearray(whole)
    spoiled[len(whole) // 2] ^= 1
    for content, told in (
        (b"junk" * 100, "no log of TensorBoard"), (rng.bytes(500), "no log of TensorBoard"),
        (bytes(500), "no log of TensorBoard"), (bytes(spoiled), "damaged at byte"),
        (whole + rng.bytes(50), f"damaged at byte {len(whole)}"),
    ):  # fmt: skip
        log.write_bytes(content)
        with pytest.raises(ValueError, match=f"is unreadable: {told}.*; allowed: a log") as error:
            read_run(folder)
        assert "\n" not in str(error.value)
    for cut in (0, 5, len(whole) - 1, len(whole) - 30):
        log.write_bytes(whole[:cut])
        found = read_run(folder).logged
        assert all(len(series.values) <= points[tag] for tag, series in found.items())
