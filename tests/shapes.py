"""Shapes as they are declared, ``hand: Words  # (B, P)``, compared with the arrays there are.

The comments behind the fields of a dataclass become annotations of jaxtyping, so that a letter
means one number in all arrays of an object.  The letters of a game mean its own numbers
everywhere.  What letters there are is said once, in the docstrings of the packages.  Nothing of
this is needed, or costs anything, where the package is used.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import ModuleType
from typing import Any

import jaxtyping
import numpy as np
from jaxtyping import jaxtyped

import sjavs_agents
import sjavs_env
from sjavs_env import Game

__all__ = ["LEGENDS", "declared", "letters_of", "misshapen", "shapes_in"]

FIELD = re.compile(r"^    (\w+): ([^#=\n]+?)(?: = [^#\n]*)?\s*# \(([^()]+)\)", re.MULTILINE)
KINDS = {"Ints": "Int", "Floats": "Float64", "Words": "UInt", "Bool": "Bool"}
SHAPE = re.compile(r"(?<!\w)\(((?:[^()]|\([^()]*\))*,(?:[^()]|\([^()]*\))*)\)")
SIZE = re.compile(r"(?:[\d+*()-]|\b(?:\d+ )?[A-Za-z_]+\b(?! +\w)| )+|\.\.\.|\*shape")
LETTER = re.compile(r"\b[A-Za-z]\b")


def _legend(package: ModuleType) -> dict[str, dict[str, str]]:
    """What the docstring of a package says of the letters of shapes, by heading."""
    found = {}
    for part in re.split(r"\n(?=\S[^\n]*:\n\n- )", package.__doc__ or "")[1:]:
        heading, _, rest = part.partition(":\n")
        found[heading] = dict(re.findall(r"^- ([A-Z]): (.+)", rest, re.MULTILINE))
    return found


LEGENDS = {package.__name__: _legend(package) for package in (sjavs_env, sjavs_agents)}
OF_GAME = {  # letters that mean the same in all objects of a game
    letter for legend in LEGENDS.values() for letter in legend["Numbers of a game's own"]
}


def shapes_in(text: str) -> Iterator[tuple[str, set[str]]]:
    """Yield what is written like a shape in a text, and the letters in it."""
    for body in SHAPE.findall(text):
        sizes = [size.strip() for size in body.split(",")]
        letters = {letter for size in sizes for letter in LETTER.findall(size)}
        if letters and all(SIZE.fullmatch(size) for size in sizes if size):
            yield f"({' '.join(body.split())})", letters


def letters_of(game: Game) -> dict[str, int]:
    """What the letters of shapes mean in a game."""
    t = game.tables
    return {
        "A": game.actions.size,
        "C": len(t.result.payoff_change),
        "K": len(t.auction.bid_labels),
        "M": len(t.cards.worth),
        "N": t.n_cards,
        "O": len(t.result.payoff_winner),
        "P": t.n_players,
        "S": t.n_players - 1,
    }


@cache
def declared(kind: type) -> dict[str, tuple[str, str]]:
    """The fields of a dataclass that are arrays: their kind and their dimensions as written."""
    found = {}
    for name, type_, shape in FIELD.findall(inspect.getsource(kind)):
        words = [KINDS.get(word, word) for word in re.split(r" \| ", type_)]
        array = re.fullmatch(r"NDArray\[np\.(\w+)\]", words[0])
        kind_of = array[1].replace("uint", "UInt").replace("int", "Int") if array else words[0]
        kind_of = kind_of.replace("float", "Float").removesuffix("_").capitalize() if kind_of in (
            "float32", "float64", "bool_") else kind_of  # fmt: skip
        if hasattr(jaxtyping, kind_of):
            found[name] = (kind_of, shape)
    return found


def _size(text: str, letters: Mapping[str, int], owner: str) -> str:
    """One dimension for jaxtyping: a number where all of it is known, else a name."""
    text = re.sub(r"(\d) ([A-Z])", r"\1 * \2", text.strip())
    if text == "...":
        return text
    if re.fullmatch(r"[\d\s+*A-Z]+", text):
        known = {
            letter: letters[letter] for letter in re.findall("[A-Z]", text) if letter in letters
        }
        if set(re.findall("[A-Z]", text)) <= set(known):
            return str(eval(text, {}, known))
    name = re.sub(r"\W+", "_", text)
    return name if name in OF_GAME else f"{owner}_{name}"


def misshapen(value: Any, letters: Mapping[str, int]) -> Iterator[str]:
    """Name the arrays of a dataclass, and of those in it, that are not as they are declared."""
    with jaxtyped("context"):
        yield from _misshapen(value, letters)


def _misshapen(value: Any, letters: Mapping[str, int]) -> Iterator[str]:
    owner = type(value).__name__
    for name, (kind, shape) in declared(value.__class__).items():
        array = getattr(value, name, None)
        if array is None or (isinstance(array, np.ndarray) and not array.size):
            continue  # what a game lacks
        dims = " ".join(_size(d, letters, owner) for d in shape.split(",") if d.strip())
        if not isinstance(array, getattr(jaxtyping, kind)[np.ndarray, dims]):
            is_ = f"{array.dtype}{array.shape}" if isinstance(array, np.ndarray) else type(array)
            yield f"{owner}.{name} is {is_}; declared: {kind} ({shape})"
    for field in fields(value) if is_dataclass(value) else ():
        part = getattr(value, field.name, None)
        if is_dataclass(part) and not isinstance(part, type):
            yield from _misshapen(part, letters)
