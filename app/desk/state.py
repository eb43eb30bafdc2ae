"""What the desk remembers between sittings by itself: one small JSON file."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

from bothways.engine.errors import DataError
from bothways.engine.files.text import read_bytes

__all__ = ["Memory"]


def _memory_path() -> Path:
    """Return where this operating system keeps such things."""
    return Path(platformdirs.user_state_path("bothways")) / "desk.json"


@dataclass(slots=True)
class Memory:
    """The reviewer's name, and for each reviewer the row and filter last looked at in each experiment.

    `blind` has by reviewer the experiments that they chose to read blind.

    A file that says nothing is as good as none: nothing in it is a fact. What cannot be opened, or is no
    ordinary file, is a `problem`, and stays as it stands.
    """

    path: Path
    reviewer: str = ""
    places: dict[str, dict[str, str]] = field(default_factory=dict)
    blind: dict[str, set[str]] = field(default_factory=dict)
    problem: DataError | None = None
    _written: str = field(default="", repr=False, compare=False)

    @classmethod
    def read(cls, path: Path | None = None) -> Memory:
        """Read the file, or start with nothing."""
        path = path or _memory_path()
        memory = cls(path)
        try:
            known = json.loads(read_bytes(path))
        except DataError as error:
            memory.problem = None if isinstance(error.__cause__, FileNotFoundError) else error
            return memory
        except ValueError:
            return memory
        if isinstance(known, dict):
            memory.reviewer = _text(known.get("reviewer"))
            places = known.get("places")
            if isinstance(places, dict):
                memory.places = {str(name): _texts(place) for name, place in places.items()}
            blind = known.get("blind")
            if isinstance(blind, dict):
                memory.blind = {str(who): _set(names) for who, names in blind.items()}
            memory._written = memory._json()
        return memory

    def write(self) -> None:
        """Write what changed, in one step: a crash leaves the old file, a full disk loses only comfort."""
        known = self._json()
        if known == self._written or self.problem is not None:
            return
        part = self.path.with_suffix(".part")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            part.write_text(known, encoding="utf-8")
            part.replace(self.path)
            self._written = known
        except OSError:
            return

    def _json(self) -> str:
        blind = {who: sorted(names) for who, names in self.blind.items() if names}
        return json.dumps({"reviewer": self.reviewer, "places": self.places, "blind": blind}, indent=1)

    def place(self, *names: str) -> dict[str, str]:
        """Return what is remembered of one place: a file's experiment, candidate, judge and reviewer."""
        return self.places.setdefault(self.named(*names), {})

    def reads_blind(self, reviewer: str, *names: str) -> bool:
        """Whether a reviewer chose to read an experiment blind, by its file and name."""
        return self.named(*names) in self.blind.get(reviewer, ())

    def set_blind(self, reviewer: str, *names: str, on: bool) -> None:
        """Remember that a reviewer chose to read an experiment blind, or no longer does."""
        chosen = self.blind.setdefault(reviewer, set())
        (chosen.add if on else chosen.discard)(self.named(*names))

    @staticmethod
    def named(*names: str) -> str:
        """Return what a place is called in the file."""
        return " · ".join(names)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _set(value: object) -> set[str]:
    return {one for one in value if isinstance(one, str)} if isinstance(value, list) else set()


def _texts(value: object) -> dict[str, str]:
    return {str(k): v for k, v in value.items() if isinstance(v, str)} if isinstance(value, dict) else {}
