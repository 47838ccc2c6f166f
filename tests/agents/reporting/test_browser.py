"""The page in a browser: nothing is asked of the network, and a phone need not scroll sideways."""

from __future__ import annotations

import http.server
import json
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from tests.agents.reporting.results import evaluated, report, trained

BROWSER = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome", "chrome")
     if (path := shutil.which(name))), None,
)  # fmt: skip
pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(BROWSER is None, reason="needs a browser, such as chromium"),
]

# A page of another kind around the report, which may run what the report may not: it looks at the
# report in a frame as wide as a screen, from outside.
LOOK = """<!DOCTYPE html><body style="margin:0"><iframe id="f" src="r.html"
style="border:0;height:900px;width:{width}px"></iframe><pre id="seen"></pre><script>
onload = () => {{
  const frame = document.getElementById("f"), page = frame.contentDocument;
  const root = page.documentElement, out = [];
  for (const e of page.querySelectorAll("body *")) {{
    const box = e.getBoundingClientRect();
    const scrolls = e.closest(".scroll");
    if (!scrolls && box.right > {width} + 1) out.push(e.tagName + " " + e.className);
  }}
  document.getElementById("seen").textContent = JSON.stringify({{
    width: root.scrollWidth, screen: root.clientWidth, out,
    scrolling: [...page.querySelectorAll(".scroll")].filter(
      e => e.scrollWidth > e.clientWidth).length,
    ran: String(frame.contentWindow.ran),
    font: parseFloat(frame.contentWindow.getComputedStyle(page.querySelector("td")).fontSize),
    figure: page.querySelector("figure svg").getBoundingClientRect().width,
    label: page.querySelector("figure svg text").getBoundingClientRect().height,
  }});
}};
</script></body>"""


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Serve a folder on this machine; the address, and what was asked for."""
    asked: list[str] = []

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args, directory=str(folder))

        def log_message(self, *args: Any) -> None:
            asked.append(self.path)

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", asked
        server.shutdown()


def seen(folder: Path, width: int) -> tuple[dict[str, Any], list[str]]:
    """What a browser sees of the report on a screen so wide, and what it asked the server for."""
    (folder / "look.html").write_text(LOOK.format(width=width), encoding="utf-8")
    with served(folder) as (address, asked):
        command = [str(BROWSER), "--headless=new", "--no-sandbox", "--disable-gpu",
                   f"--user-data-dir={folder / 'profile'}", "--window-size=1400,1000",
                   "--virtual-time-budget=5000", "--dump-dom", f"{address}/look.html"]  # fmt: skip
        done = subprocess.run(
            command, capture_output=True, encoding="utf-8", timeout=120, check=True
        )
    (text,) = re.findall(r'<pre id="seen">(.*?)</pre>', done.stdout, re.DOTALL)
    found: dict[str, Any] = json.loads(unescape(text))
    return found, [path for path in asked if "favicon" not in path]


@pytest.mark.parametrize("width", [390, 1280])
def test_a_browser_shows_the_page_as_it_should(tmp_path: Path, width: int) -> None:
    page = report(tmp_path, evaluated(), trained(0), title="x" * 150)
    # what nothing of a report can hold: would it load, or run, all the same?
    bad = '<script>ran = 1</script><img src="/never.png" onerror="ran = 1">'
    (tmp_path / "r.html").write_text(page.replace("<main>", f"<main>{bad}"), encoding="utf-8")
    found, asked = seen(tmp_path, width)
    assert found["width"] <= found["screen"] <= width
    assert found["out"] == []
    assert found["ran"] == "undefined"
    assert sorted(set(asked)) == ["/look.html", "/r.html"]
    assert found["font"] >= 14
    assert found["figure"] <= min(width, 640)
    assert found["label"] >= 10
    assert (found["scrolling"] > 0) == (width == 390)  # tables, within their boxes
