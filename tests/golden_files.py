"""Golden files: text that a test compares with a stored copy, rewritten by ``--update-golden``."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path

__all__ = ["GOLDEN", "Golden"]

GOLDEN = Path(__file__).parent / "golden"


@dataclass(frozen=True)
class Golden:
    """Compare text with the golden files, or rewrite them."""

    update: bool
    root: Path = GOLDEN

    def check(self, name: str, text: str) -> None:
        """Fail with the difference unless ``text`` is what the golden file ``name`` holds."""
        path = self.root / name
        if self.update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
            return
        stored = path.read_text(encoding="utf-8") if path.exists() else ""
        lines = difflib.unified_diff(
            stored.splitlines(), text.splitlines(), "golden", "now", lineterm="", n=2
        )
        assert stored == text, f"{name} has changed (--update-golden accepts):\n" + "\n".join(lines)
