"""What the desk remembers between sittings, and what people may set: one small JSON file each."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

__all__ = ["Memory", "memory_path"]


def memory_path() -> Path:
    """Return where this operating system keeps such things."""
    return Path(platformdirs.user_state_path("bothways")) / "desk.json"


@dataclass(slots=True)
class Memory:
    """The reviewer's name, the theme, remapped keys, and per experiment the row and filter last looked at.

    A file that cannot be read is as good as none: nothing in it is a fact.
    """

    path: Path
    reviewer: str = ""
    theme: str = ""
    keys: dict[str, str] = field(default_factory=dict)
    places: dict[str, dict[str, str]] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path | None = None) -> Memory:
        """Read the file, or start with nothing."""
        path = path or memory_path()
        memory = cls(path)
        try:
            known = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return memory
        if isinstance(known, dict):
            memory.reviewer = _text(known.get("reviewer"))
            memory.theme = _text(known.get("theme"))
            memory.keys = _texts(known.get("keys"))
            places = known.get("places")
            if isinstance(places, dict):
                memory.places = {str(name): _texts(place) for name, place in places.items()}
        return memory

    def write(self) -> None:
        """Write the file in one step, so that a crash leaves the old one; a full disk loses only comfort."""
        known = {
            "reviewer": self.reviewer, "theme": self.theme, "keys": self.keys, "places": self.places,
        }  # fmt: skip
        part = self.path.with_suffix(".part")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            part.write_text(json.dumps(known, ensure_ascii=False, indent=1), encoding="utf-8")
            part.replace(self.path)
        except OSError:
            return

    def place(self, *names: str) -> dict[str, str]:
        """Return what is remembered of one place: a file's experiment, candidate and judge."""
        return self.places.setdefault(" · ".join(names), {})


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: object) -> dict[str, str]:
    return {str(k): v for k, v in value.items() if isinstance(v, str)} if isinstance(value, dict) else {}
