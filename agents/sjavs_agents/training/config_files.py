"""Settings as YAML, looked at before the parser of the command line reads them.

It would drop a setting that is given twice, refuse a file that says nothing, and forget to say in
which file a mistake is.  YAML can also hold itself, or be a few lines that stand for gigabytes;
settings are neither long nor deep, and are written out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import yaml

from sjavs_env.cli.command import reason
from sjavs_env.errors import shown

__all__ = ["check_plain", "checked_arguments"]

MOST_BYTES = 2**16  # of a file of settings; all there are take a tenth of it
MOST_DEEP = 8  # levels; there are three
_TOO_LONG = f"settings of more than {MOST_BYTES} bytes; allowed: fewer"


def checked_arguments(argv: Sequence[str]) -> list[str]:
    """Return arguments without the configuration files that say nothing.

    ValueError, one line, for a file that is no YAML or has a setting twice, and for a file or an
    argument that is no plain YAML (``check_plain``).
    """
    given, kept = list(argv), []
    while given:
        word = given.pop(0)
        if _may_be_odd(word):
            with suppress(yaml.YAMLError):  # which the parser tells with the name of the setting
                check_plain(word.partition("=")[2] if word.startswith("--") else word)
        path = given[0] if word == "--config" and given else word.partition("--config=")[2]
        if path and Path(path).is_file() and not _says_something(Path(path)):
            given = given[word == "--config" :]
        else:
            kept.append(word)
    return kept


def _says_something(path: Path) -> bool:
    """Tell whether a file holds settings; ValueError for one that is no YAML or is ambiguous."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ValueError(_TOO_LONG)
        text = path.read_text(encoding="utf-8")
        check_plain(text)
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        raise ValueError(f"{path} is no YAML file: {reason(error)}") from None
    except ValueError as error:  # of a file that is not plain
        raise ValueError(f"{path}: {error}") from None
    for key in _repeated(root):
        line = key.start_mark.line + 1
        raise ValueError(f"{path}, line {line}: {key.value!r} is given twice; allowed: once")
    return root is not None


def check_plain(text: str) -> None:
    """ValueError, one line, for YAML that is long, deep or refers to parts of itself."""
    if len(text) > MOST_BYTES:
        raise ValueError(_TOO_LONG)
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        line = event.start_mark.line + 1 if event.start_mark else 1
        if isinstance(event, yaml.AliasEvent):
            name = shown(f"*{event.anchor}")
            raise ValueError(f"line {line} refers to {name}; allowed: settings written out")
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > MOST_DEEP:
            raise ValueError(f"line {line} is {depth} levels deep; allowed: {MOST_DEEP}")


def _may_be_odd(word: str) -> bool:
    return len(word) > MOST_BYTES or "*" in word or sum(map(word.count, "[{-?")) > MOST_DEEP


def _repeated(node: yaml.Node | None) -> Iterator[yaml.ScalarNode]:
    """Yield the keys that a mapping, or one in it, has already."""
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    yield key
                seen.add(key.value)
            yield from _repeated(value)
