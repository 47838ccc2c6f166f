"""What the program does, held still: a change of behaviour shows here, whoever meant it or not."""

from __future__ import annotations

import pytest

from benchmarks import signature
from tests.golden_files import Golden


def test_behaviour_is_what_it_was(golden: Golden) -> None:
    golden.check("signature.txt", signature.page())


def test_the_command_prints_the_lines_and_a_number_made_of_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(signature, "GAMES", ["faroese_2/2"])
    assert signature.main([]) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    assert lines[1].split()[0] == "faroese_2/2"
    assert last == f"signature {signature.number(lines)}"
    assert signature.number([*lines, ""]) != signature.number(lines)
