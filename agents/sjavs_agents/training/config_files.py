"""Configuration files, looked at before the parser of the command line reads them.

It would drop a setting that is given twice, refuse a file that says nothing, and forget to say in
which file a mistake is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import yaml

from sjavs_env.cli.command import reason

__all__ = ["checked_arguments"]


def checked_arguments(argv: Sequence[str]) -> list[str]:
    """Return arguments without the configuration files that say nothing.

    ValueError, one line, for a file that is no YAML or has a setting twice.
    """
    given, kept = list(argv), []
    while given:
        word = given.pop(0)
        path = given[0] if word == "--config" and given else word.partition("--config=")[2]
        if path and Path(path).is_file() and not _says_something(Path(path)):
            given = given[word == "--config" :]
        else:
            kept.append(word)
    return kept


def _says_something(path: Path) -> bool:
    """Tell whether a file holds settings; ValueError for one that is no YAML or is ambiguous."""
    try:
        root = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        raise ValueError(f"{path} is no YAML file: {reason(error)}") from None
    for key in _repeated(root):
        line = key.start_mark.line + 1
        raise ValueError(f"{path}, line {line}: {key.value!r} is given twice; allowed: once")
    return root is not None


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
