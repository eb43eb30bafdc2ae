"""`python -m tests.bench.statics FILE EXPERIMENT ROW`: two answers as stock widgets show them.

Two Statics in scrolling panes, their word differences found by difflib: what a review would be without
widgets of its own.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from difflib import SequenceMatcher
from pathlib import Path

from rich.text import Text
from textual.app import App, ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Static

from bothways.store import open_store

READY = " says:"


class Statics(App[None]):
    """Shows the two answers of one row; J goes on to the next."""

    BINDINGS = [("J", "step", "Next row")]  # noqa: RUF012 (Textual's own declaration)
    CSS = "VerticalScroll { width: 1fr; }"

    def __init__(self, path: Path, experiment: str, at: int) -> None:
        super().__init__()
        self._store = open_store(path, create=False)
        self._rows = self._store.row_ids(self._store.specs(experiment)[0].id)
        self._at = at

    def compose(self) -> ComposeResult:
        """Lay out both sides."""
        with Horizontal():
            for side in ("left", "right"):
                with VerticalScroll():
                    yield Static(id=side)

    def on_mount(self) -> None:
        """Show the first row."""
        self._show()

    def action_step(self) -> None:
        """Show the next row."""
        self._at += 1
        self._show()

    def _show(self) -> None:
        answers = [answer for _, answer, _ in self._store.row(self._rows[self._at]).answers]
        left, right = (answer.text if answer is not None else "" for answer in answers)
        for side, text in zip(("left", "right"), _marked(left, right), strict=True):
            self.query_one(f"#{side}", Static).update(text)


def _marked(left: str, right: str) -> tuple[Text, Text]:
    words, others = left.split(" "), right.split(" ")
    marked, other = Text(), Text()
    for kind, a, b, c, d in SequenceMatcher(None, words, others, autojunk=False).get_opcodes():
        style = "" if kind == "equal" else "underline"
        marked.append(_joined(words[a:b]), style)
        other.append(_joined(others[c:d]), style)
    return marked, other


def _joined(words: Sequence[str]) -> str:
    return "".join(f"{word} " for word in words)


if __name__ == "__main__":
    Statics(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])).run()
