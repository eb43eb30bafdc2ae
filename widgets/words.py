"""Several lines to type into."""

from __future__ import annotations

from difflib import SequenceMatcher

from textual.widgets import TextArea

from bothways.engine.text import visible

__all__ = ["Words"]


class Words(TextArea):
    """A `TextArea` that loses nothing: a line that nobody changed comes back as it was.

    Control characters are shown as marks, which would otherwise be what is kept. Tabs stay tabs.
    """

    def __init__(self, text: str = "") -> None:
        self._was = text.split("\n")
        self._shown = [_shown(line) for line in self._was]
        super().__init__("\n".join(self._shown))
        self.cursor_blink = False

    def on_mount(self) -> None:
        """Go on where the text ends."""
        self.move_cursor(self.document.end)

    @property
    def words(self) -> str:
        """What stands there."""
        now = self.text.split("\n")
        if now == self._shown:
            return "\n".join(self._was)
        lines: list[str] = []
        for tag, was, was_end, at, end in SequenceMatcher(None, self._shown, now, False).get_opcodes():
            lines += self._was[was:was_end] if tag == "equal" else now[at:end]
        return "\n".join(lines).strip()

    def insert_text_at_cursor(self, text: str) -> None:
        """Take what was typed ahead."""
        self.insert(text)


def _shown(line: str) -> str:
    return "\t".join(map(visible, line.split("\t")))
