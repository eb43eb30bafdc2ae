"""From the bytes of a file to its text: the encoding it declares, else UTF-8, never the system's default."""

from __future__ import annotations

import codecs
from pathlib import Path

from bothways.engine.errors import DataError, Place

__all__ = ["read_bytes", "read_text"]

# UTF-32 first: its little-endian mark begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_WORKBOOK = b"PK\x03\x04"


def read_bytes(path: Path) -> bytes:
    """Return the content of a file; DataError where it cannot be read."""
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = getattr(error, "strerror", None) or str(error)
        raise DataError(Place(str(path)), f"cannot be read ({reason})", "a readable file") from error


def read_text(path: Path) -> str:
    """Return the text of a file, its line breaks as they are and without a byte order mark."""
    data = read_bytes(path)
    if data.startswith(_WORKBOOK):
        raise DataError(
            Place(str(path)),
            "a workbook or zip archive, whatever the name says",
            "a text file",
            "In the spreadsheet, export as “CSV UTF-8”.",
        )
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise DataError(
            Place(str(path), data[: error.start].count(b"\n") + 1),
            f"byte {error.start} (0x{data[error.start]:02x}) is not {encoding.upper()}",
            "UTF-8, or a byte order mark that says what else it is",
            "Save the file as UTF-8; spreadsheets call it “CSV UTF-8”.",
        ) from error
