"""The page in a real browser: nothing runs, is fetched or sticks out. Skipped where Chromium is missing."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tests.engine.ledger_fake import FakeLedger
from tests.engine.report.hostile import attacked, rendered
from tests.engine.shop import ledger

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="no program chromium, chromium-browser or google-chrome is on the PATH"
)

# A window is never narrower than 500 px, a frame is: it measures the page once it has been laid out.
FRAME = """<!doctype html><iframe src="/report.html" width="{width}" height="900" style="border:0"></iframe>
<pre id="found"></pre><script>
document.querySelector("iframe").onload = event => {{
  const page = event.target.contentDocument, root = page.documentElement
  page.querySelectorAll("details").forEach(one => one.open = true)
  const out = [...page.querySelectorAll("body *")].filter(one =>
    !one.closest(".scroll, svg, .text") && one.getBoundingClientRect().right > root.clientWidth + 1)
  document.getElementById("found").textContent = JSON.stringify({{
    width: root.clientWidth, scroll: root.scrollWidth, title: page.title,
    out: out.map(one => one.outerHTML.slice(0, 200)), rows: page.querySelectorAll("details.row").length}})
}}
</script>"""


@dataclass
class Site:
    """One report behind HTTP, and what was asked for."""

    url: str
    asked: list[str] = field(default_factory=list)


@pytest.fixture(params=["plain", "attacked"])
def site(request: pytest.FixtureRequest) -> Iterator[Site]:
    facts: FakeLedger = attacked() if request.param == "attacked" else ledger("refund-flow")
    page = rendered(facts, "html")
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            width = re.search(r"frame-(\d+)", self.path)
            text = FRAME.format(width=width[1]) if width else page
            self.send_response(200)
            self.send_header("content-type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield Site(f"http://127.0.0.1:{server.server_port}", asked)
    server.shutdown()
    thread.join()
    server.server_close()


def dom(url: str, folder: Path) -> str:
    """Return what the browser has made of a page after two of its seconds."""
    assert CHROMIUM is not None
    shown = subprocess.run(
        [
            CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}",
            "--virtual-time-budget=2000", "--dump-dom", url,
        ],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=100,
        check=True,
    )  # fmt: skip
    return shown.stdout


@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_is_wider_than_its_window(site: Site, width: int, tmp_path: Path) -> None:
    shown = dom(f"{site.url}/frame-{width}", tmp_path)
    said = re.search('<pre id="found">(.+?)</pre>', shown, re.DOTALL)
    assert said is not None
    found = json.loads(unescape(said[1]))
    assert found["scroll"] <= found["width"]
    assert found["out"] == []
    assert found["rows"] > 0


def test_nothing_runs_and_nothing_is_fetched(site: Site, tmp_path: Path) -> None:
    shown = dom(f"{site.url}/report.html", tmp_path)
    assert "<title>owned</title>" not in shown
    assert not re.search("<(script|img|iframe|link)[ >]", shown)
    assert set(site.asked) <= {"/report.html", "/favicon.ico"}
