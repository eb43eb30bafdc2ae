"""Text that somebody else wrote, made safe to show.

A model's answer can hold escape sequences that write to the clipboard, clear the screen or turn the
reading direction. They are shown as marks, never sent to a terminal. What is stored stays as it was.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import JsonValue

__all__ = [
    "agreeing",
    "clean",
    "cleaned",
    "counted",
    "excerpt",
    "tag_words",
    "usd",
    "visible",
    "visible_line",
]


def _marks() -> dict[int, str]:
    marks = {code: chr(0x2400 + code) for code in range(0x20)}
    marks[0x7F] = "␡"
    hidden = [
        *range(0x80, 0xA0),  # C1: eight-bit escape sequences
        0xAD, 0x061C, 0x180E,  # soft hyphen, Arabic letter mark, Mongolian vowel separator
        *range(0x200B, 0x2010), *range(0x2028, 0x202F), *range(0x2060, 0x2070),  # zero-width, lines, bidi
        0xFEFF, *range(0xFFF9, 0xFFFC), *range(0xE0000, 0xE0080),  # BOM, annotations, tag characters
        0xFFFE, 0xFFFF,  # no characters at all: XML refuses them
    ]  # fmt: skip
    marks.update({code: f"\\u{code:04x}" for code in hidden})
    marks.update({code: f"\\u{code:04x}" for code in range(0xD800, 0xE000)})
    return marks


_MARKS = _marks()
_LINE = {**_MARKS, 0x09: " "}
_BLOCK = {code: mark for code, mark in _MARKS.items() if code not in (0x09, 0x0A)}
# Joins emoji and shapes Indic and Arabic script; harmless, and without it a family falls apart.
for _table in (_LINE, _BLOCK):
    del _table[0x200C], _table[0x200D]


def visible(text: str) -> str:
    """Return `text` with every control and invisible character as a mark; keeps lines, expands tabs."""
    if text.replace("\n", "").isprintable():  # neither control nor format characters
        return text
    text = text.replace("\r\n", "\n").translate(_BLOCK)
    return text.expandtabs(4) if "\t" in text else text


def visible_line(text: str) -> str:
    """Return `text` as one line: as `visible`, with line breaks as marks too."""
    if text.isprintable():
        return text
    return text.replace("\r\n", "\n").translate(_LINE)


def excerpt(text: str, width: int) -> str:
    """Return the beginning of `text` on one line, at most `width` characters, with … where it was cut."""
    line = " ".join(text[: width * 4].split())
    line = visible_line(line)
    return line if len(line) <= width and len(text) <= width * 4 else line[: max(0, width - 1)] + "…"


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: `1 row`, `2,000 rows`; `many` where an s alone makes no plural."""
    return f"{number:,} {agreeing(number, one, many or f'{one}s')}"


def agreeing(number: int, one: str, many: str) -> str:
    """Return the word that goes with a number."""
    return one if number == 1 else many


def usd(amount: float, decimals: int = 2) -> str:
    """Return an amount in US dollars: estimates and budgets in cents, what was spent with 4 decimals.

    With two digits where it is less than that: nothing that costs is shown as 0.
    """
    if 0 < amount < 10**-decimals:
        decimals = 1 - math.floor(math.log10(amount))
    return f"{amount:.{decimals}f} USD"


def tag_words(name: str, value: str) -> str:
    """Return a tag as people read it; one that came as a single word is that word."""
    return name if value in ("", name) else f"{name}: {value}"


_SURROGATES = re.compile("[\ud800-\udfff]")


def clean(text: str) -> str:
    """Return `text` with U+FFFD for lone surrogates, which no file, database or request can hold."""
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def cleaned(value: JsonValue) -> JsonValue:
    """Return the JSON value with U+FFFD for lone surrogates, in every text and key."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [cleaned(item) for item in value]
    if isinstance(value, dict):
        return {clean(key): cleaned(item) for key, item in value.items()}
    return value
