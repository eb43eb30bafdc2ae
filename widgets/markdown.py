"""Markdown as lines: what a person would see rendered, readable without colour, with nothing to click.

The text is parsed by markdown-it-py, never by Textual. HTML stays text, and a link is its words with the
address behind them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size

from bothways.widgets.plain import Line, Run, Tone

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

__all__ = ["LONGEST", "markdown_lines"]

LONGEST = 8_000
"""Characters that are rendered: the worst of them take a tenth of a second, and it grows with the square."""

_DEEPEST = 20
"""How deep quotes and lists may stand in each other; the parser drops what stands deeper."""
_RULE = 24
_UNDER = {"h1": "═", "h2": "─"}
_INLINE: dict[str, Tone] = {"strong": "strong", "em": "emphasis", "s": "struck", "link": ""}


@cache
def _parser() -> MarkdownIt:
    """Make the parser once, when somebody first asks for it."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False, "maxNesting": _DEEPEST}).enable(
        ["table", "strikethrough"]
    )


def markdown_lines(text: str, width: int) -> list[Line]:
    """Return `text` as rendered lines; a table that is wider than `width` is shown row by row.

    What is nested too deep to be parsed comes back as it stands.
    """
    tokens = _parser().parse(text)
    if any(token.level >= _DEEPEST - 1 for token in tokens):
        return [(Run(part),) for part in text.split("\n")]
    return list(_Page(width).blocks(tokens))


class _Page:
    """Walks the tokens; `_marks` is what each line begins with: quotes, items, indents."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._marks: list[str] = []
        self._numbers: list[int | None] = []
        self._item = ""
        self._lead = ""
        self._gap = self._begun = False

    def blocks(self, tokens: Sequence[Token]) -> Iterator[Line]:
        """Yield the lines of a stretch of block tokens."""
        at = 0
        while at < len(tokens):
            token = tokens[at]
            if token.type == "table_open":
                end = next(n for n in range(at, len(tokens)) if tokens[n].type == "table_close")
                yield from self._table(tokens[at:end])
                at = end
            elif token.type == "heading_open":
                yield from self._heading(token.tag, tokens[at + 1])
                at += 2
            else:
                yield from self._block(token)
            at += 1

    def _block(self, token: Token) -> Iterator[Line]:
        match token.type:
            case "inline":
                for line in _inline(token.children or ()):
                    yield from self._put(line)
            case "paragraph_close":
                self._gap = self._gap or not token.hidden
            case "fence" | "code_block":
                yield from self._code(token)
            case "hr":
                yield from self._put((Run("─" * _RULE, "muted"),))
                self._gap = True
            case _:
                yield from self._nest(token)

    def _nest(self, token: Token) -> Iterator[Line]:
        """Step into a quotation, a list or an item, or out of it."""
        match token.type:
            case "blockquote_open":
                self._marks.append("▏ ")
            case "bullet_list_open" | "ordered_list_open":
                start = token.attrGet("start")
                ordered = token.type == "ordered_list_open"
                self._numbers.append(int(1 if start is None else start) if ordered else None)
            case "list_item_open":
                self._open_item()
            case "list_item_close":
                if self._item:  # it holds nothing
                    yield from self._put(())
                self._marks.pop()
            case "blockquote_close":
                self._marks.pop()
            case "bullet_list_close" | "ordered_list_close":
                self._numbers.pop()
                self._gap = self._gap or not self._numbers
            case _:
                pass

    def _open_item(self) -> None:
        number = self._numbers[-1]
        self._item = "• " if number is None else f"{number}. "
        if number is not None:
            self._numbers[-1] = number + 1
        self._marks.append(" " * len(self._item))

    def _put(self, line: Line) -> Iterator[Line]:
        """Yield a line with what it stands in before it, after the gap that is due above it."""
        lead = "".join(self._marks)
        if self._gap and self._begun:
            shorter, longer = sorted((self._lead, lead), key=len)
            shared = shorter.rstrip() if longer.startswith(shorter) else ""
            yield (Run(shared, "muted"),) if shared else ()
        self._gap, self._begun, self._lead = False, True, lead
        if self._item:
            lead, self._item = "".join([*self._marks[:-1], self._item]), ""
        yield (Run(lead, "muted"), *line) if lead else line

    def _heading(self, tag: str, inline: Token) -> Iterator[Line]:
        longest = 0
        for line in _inline(inline.children or ()):
            longest = max(longest, _cells(line))
            yield from self._put(tuple(Run(text, tone or "strong") for text, tone in line))
        yield from self._put((Run(_UNDER.get(tag, "┄") * min(longest, self._width), "muted"),))

    def _code(self, token: Token) -> Iterator[Line]:
        if token.info.strip():
            yield from self._put((Run(f"┌ {token.info.strip()}", "muted"),))
        for text in token.content.removesuffix("\n").split("\n"):
            yield from self._put((Run("│ ", "muted"), Run(text, "code")))
        self._gap = True

    def _table(self, tokens: Sequence[Token]) -> Iterator[Line]:
        rows: list[list[Line]] = []
        for token in tokens:
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                rows[-1].append(next(_inline(token.children or ()), ()))
        widths = [max(map(_cells, column)) for column in zip(*rows, strict=True)]
        room = self._width - cell_len("".join(self._marks))
        for line in _grid(rows, widths) if sum(widths) + 3 * len(widths) <= room else _records(rows):
            yield from self._put(line)
        self._gap = True


def _cells(line: Line) -> int:
    return sum(cell_len(run.text) for run in line)


def _grid(rows: Sequence[Sequence[Line]], widths: Sequence[int]) -> Iterator[Line]:
    """Yield a table in columns."""
    for number, row in enumerate(rows):
        line: list[Run] = []
        for cell, width in zip(row, widths, strict=True):
            tone: Tone = "" if number else "strong"
            line += [Run(" │ ", "muted")] if line else []
            line += [Run(text, own or tone) for text, own in cell]
            line.append(Run(set_cell_size("", width - _cells(cell))))
        yield tuple(line)
        if not number:
            yield (Run("─┼─".join("─" * width for width in widths), "muted"),)


def _records(rows: Sequence[Sequence[Line]]) -> Iterator[Line]:
    """Yield a table that has no room as one line for each cell, under the name of its column."""
    head, *others = rows
    for row in others or [head]:
        for number, (name, cell) in enumerate(zip(head, row, strict=True)):
            mark = "  " if number else "▪ "
            yield (Run(mark, "muted"), *(Run(text, "strong") for text, _ in name), Run(": "), *cell)


def _inline(tokens: Sequence[Token]) -> Iterator[Line]:
    """Yield the lines of a paragraph: one, and one more for each break that was meant."""
    line: list[Run] = []
    tones: list[Tone] = []
    links: list[tuple[str, int]] = []
    for token in tokens:
        tone: Tone = next((tone for tone in reversed(tones) if tone), "")
        if token.type == "hardbreak":
            yield tuple(line)
            line = []
        elif token.nesting == 1:
            tones.append(_INLINE.get(token.tag, ""))
            if token.type == "link_open":
                tones[-1] = "link"
                links.append((str(token.attrGet("href") or ""), len(line)))
        elif token.nesting == -1:
            tones.pop()
            if token.type == "link_close":
                line += _address(*links.pop(), line)
        else:
            line.append(_leaf(token, tone))
    yield tuple(run for run in line if run.text)


def _leaf(token: Token, tone: Tone) -> Run:
    match token.type:
        case "softbreak":
            return Run(" ", tone)
        case "code_inline":
            return Run(f"`{token.content}`", "code")
        case "image":
            return Run(f"[image: {token.content}] <{token.attrGet('src') or ''}>", "link")
        case _:
            return Run(token.content, tone)


def _address(href: str, start: int, line: Sequence[Run]) -> list[Run]:
    """Return where a link leads, unless its words say that already."""
    return [] if "".join(run.text for run in line[start:]) == href else [Run(f" <{href}>", "muted")]
