"""From the bytes of a file to its text: the encoding it declares, else UTF-8, never the system's default."""

from __future__ import annotations

import codecs
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from bothways.engine.errors import DataError, Place

__all__ = ["opened", "read_bytes", "read_text", "stream_lines"]

# UTF-32 first: its little-endian mark begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_WORKBOOK = b"PK\x03\x04"


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open an ordinary file for its bytes; DataError where it cannot be read, or is none.

    A pipe that nobody writes to and a device without an end are refused, and neither is waited for.
    """
    try:
        source = open(path, "rb", opener=_at_once)  # noqa: SIM115 (closed below)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise _unreadable(path, error) from error
    with source:
        _check_ordinary(source, path)
        try:
            yield source
        except OSError as error:
            raise _unreadable(path, error) from error


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _check_ordinary(source: BinaryIO, path: Path) -> None:
    mode = os.fstat(source.fileno()).st_mode
    if not stat.S_ISREG(mode):
        found = "a pipe" if stat.S_ISFIFO(mode) else "a device" if stat.S_ISCHR(mode) else "no file"
        raise DataError(Place(str(path)), found, "an ordinary file", "Write what it gives into a file first.")


def read_bytes(path: Path, most: int | None = None) -> bytes:
    """Return the content of a file; DataError where it cannot be read or has more than `most` bytes."""
    with opened(path) as source:
        size = os.fstat(source.fileno()).st_size
        if most is not None and size > most:
            raise DataError(Place(str(path)), f"{size:,} bytes", f"at most {most:,}")
        return source.read()


def read_text(path: Path, most: int | None = None) -> str:
    """Return the text of a file, its line breaks as they are and without a byte order mark.

    DataError where it cannot be read, is no text, or has more than `most` bytes.
    """
    data = read_bytes(path, most)
    encoding = _encoding(data[:4], path)
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise _undecodable(Place(str(path), line), encoding, error) from error


def stream_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a file that may be larger than the memory, without their line feeds."""
    try:
        with opened(path) as source:
            encoding = _encoding(source.read(4), path)
        if encoding.startswith("utf-8"):
            yield from _utf8_lines(path, encoding)
        else:  # line feeds of several bytes: cannot be split before decoding
            with path.open(encoding=encoding, newline="\n") as lines:
                yield from (line.rstrip("\n") for line in lines)
    except UnicodeDecodeError as error:
        raise _undecodable(Place(str(path)), error.encoding, error) from error
    except OSError as error:
        raise _unreadable(path, error) from error


def _utf8_lines(path: Path, encoding: str) -> Iterator[str]:
    with path.open("rb") as source:
        for number, raw in enumerate(source, 1):
            try:
                yield raw.rstrip(b"\n").decode(encoding if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                raise _undecodable(Place(str(path), number), "utf-8", error) from error


def _encoding(head: bytes, path: Path) -> str:
    if head.startswith(_WORKBOOK):
        raise DataError(
            Place(str(path)),
            "a workbook or zip archive, whatever the name says",
            "a text file",
            "In the spreadsheet, export as “CSV UTF-8”.",
        )
    return next((name for mark, name in _MARKS if head.startswith(mark)), "utf-8")


def _undecodable(place: Place, encoding: str, error: UnicodeDecodeError) -> DataError:
    return DataError(
        place,
        f"byte {error.start} (0x{error.object[error.start]:02x}) is not {encoding.upper()}",
        "UTF-8, or a byte order mark that says what else it is",
        "Save the file as UTF-8; spreadsheets call it “CSV UTF-8”.",
    )


def _unreadable(path: Path, error: OSError | ValueError) -> DataError:
    reason = getattr(error, "strerror", None) or str(error)
    return DataError(Place(str(path)), f"cannot be read ({reason})", "a readable file")
