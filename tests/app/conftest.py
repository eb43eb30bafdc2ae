from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests.app.shop import fill

from bothways.app.desk.sitting import Pairing, Sitting
from bothways.app.desk.state import Memory
from bothways.app.shell.app import Desk
from bothways.engine.spec.scaffold import scaffold


@pytest.fixture(autouse=True)
def steady(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing moves by itself, and nothing is remembered outside the test's folder."""
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("BOTHWAYS_SETTINGS", str(tmp_path / "settings.yaml"))


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """A file with one imported experiment of 24 rows."""
    return fill(tmp_path / "desk.db", 24)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """The folder of a project as `bothways new` lays it out."""
    for name, text in scaffold().items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def desk(tmp_path: Path) -> Callable[..., Desk]:
    """Open a desk on a file, by default in the review; every key comes a second after the one before."""

    def opened(
        db: Path, screen: str = "review", name: str = "plain line", reviewer: str = "kim", **more: Any
    ) -> Desk:
        memory = Memory.read(tmp_path / "memory.json")
        seconds = count()
        sitting = Sitting(db, memory, reviewer, **{"clock": lambda: next(seconds), **more})
        return Desk(sitting, screen=screen, at=Pairing(name))

    return opened
