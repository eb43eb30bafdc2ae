from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from bothways.engine.errors import DataError
from bothways.engine.files.text import read_text, stream_lines


def pipe(folder: Path) -> Path:
    os.mkfifo(folder / "x")
    return folder / "x"


def endless(_: Path) -> Path:
    return Path("/dev/zero")


def directory(folder: Path) -> Path:
    return folder


def listening(folder: Path) -> Path:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(folder / "x"))
    return folder / "x"


def nul(folder: Path) -> Path:
    return folder / "a\0b"


@pytest.mark.skipif(os.name == "nt", reason="named pipes and devices are POSIX's")
@pytest.mark.parametrize("made", [pipe, endless, directory, listening, nul])
@pytest.mark.parametrize("read", [read_text, lambda path: list(stream_lines(path))], ids=["text", "lines"])
def test_what_is_no_ordinary_file_is_refused_at_once(
    tmp_path: Path, made: Callable[[Path], Path], read: Callable[[Path], object]
) -> None:
    path = made(tmp_path)
    with pytest.raises(DataError) as refused:
        read(path)
    assert str(path) in refused.value.title


def test_a_file_that_is_larger_than_it_may_be_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large"
    with path.open("wb") as out:
        out.truncate(1_000_000_000)
    with pytest.raises(DataError, match="1,000,000,000 bytes"):
        read_text(path, most=1_000)
