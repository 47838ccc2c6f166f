"""A reader of Gambit's format, as far as our files use it; it shares nothing with the writer."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from fractions import Fraction

from tests.agents.exact.slow_tree import Choice, End

__all__ = ["read_efg"]

TOKEN = re.compile(r'"(?P<text>[^"]*)"|(?P<other>[^\s"]+)')


def read_efg(text: str) -> list[tuple[float, Choice | End]]:
    """Return the nodes that chance leads to, with their probabilities."""
    words = (m["other"] or m["text"] for m in TOKEN.finditer(text))
    assert [next(words) for _ in range(3)] == ["EFG", "2", "R"]
    next(words)  # the title
    assert [next(words) for _ in range(4)] == ["{", "forehand", "dealer", "}"]
    next(words)  # a comment
    assert [next(words) for _ in range(5)] == ["c", "", "1", "deal", "{"]
    chances = [Fraction(chance) for _, chance in _pairs(words)]
    assert sum(chances) == 1
    assert next(words) == "0"
    sys.setrecursionlimit(10_000)
    roots = [(float(chance), _node(words)) for chance in chances]
    assert next(words, None) is None
    return roots


def _pairs(words: Iterator[str]) -> Iterator[tuple[str, str]]:
    while (word := next(words)) != "}":
        yield word, next(words)


def _node(words: Iterator[str]) -> Choice | End:
    kind, _, number = (next(words) for _ in range(3))
    if kind == "t":
        next(words)  # the name of the outcome
        assert next(words) == "{"
        ((first, second),) = _pairs(words)
        assert float(first) == -float(second)
        return End(float(first))
    assert kind == "p"
    seat, infoset, hand = int(number) - 1, next(words), next(words)
    assert next(words) == "{"
    actions = []
    while (word := next(words)) != "}":
        actions.append(word)
    assert next(words) == "0"
    then = tuple(_node(words) for _ in actions)
    return Choice(seat, (seat, (infoset, hand), ()), 0, tuple(actions), then)
