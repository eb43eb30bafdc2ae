"""One sitting at the desk: which file, who sits there, what time it is."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from bothways.app.desk.editor import Editor, edit
from bothways.app.desk.settings import Settings
from bothways.app.desk.state import Memory
from bothways.engine.clock import now

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from bothways.app.desk.worker import Worker
    from bothways.app.reading import Reading
    from bothways.engine.errors import DataError
    from bothways.store import Store

__all__ = ["Pairing", "Sitting"]


@dataclass(frozen=True, slots=True)
class Pairing:
    """What is looked at: an experiment, and where there are several, which candidate and judge."""

    experiment: str
    candidate: str | None = None
    judge: str | None = None


@dataclass(slots=True)
class Sitting:
    """What every screen is given. The event loop has a connection of its own; a thread opens another."""

    db: Path
    memory: Memory
    reviewer: str = ""
    settings: Settings = field(default_factory=Settings)
    unsettled: DataError | None = None
    """What is wrong with the settings file: those settings have their defaults."""
    now: Callable[[], str] = now
    clock: Callable[[], float] = time.monotonic
    """Seconds that only go forward."""
    editor: Editor = edit
    """Opens a person's own editor."""
    workers: dict[str, Worker] = field(default_factory=dict)
    """The runs that this sitting started, by experiment: their logs are shown again on coming back."""
    said: int = 0
    """How many records this sitting has appended through the loop's connection."""
    unveiled: set[tuple[int, str]] = field(default_factory=set)
    """The rows, by candidate, that were shown with names and judge: no vote on these is blind any more."""
    looked_at: Pairing | None = None
    """What was opened last: leaving the desk says how to come back to it."""
    _store: Store | None = field(default=None, repr=False)

    def open(self) -> Store:
        """Open a connection for the calling thread; the caller closes it."""
        from bothways.store import open_store

        return open_store(self.db)

    def looking(self) -> AbstractContextManager[Store | None]:
        """Open a connection to look: None where there is no file yet, and none is made."""
        return self.open() if self.there else nullcontext()

    @property
    def store(self) -> Store:
        """The event loop's connection, opened when it is first needed."""
        if self._store is None:
            self._store = self.open()
        return self._store

    @property
    def there(self) -> bool:
        """Whether there is a file: whoever only looks does not make one."""
        return self._store is not None or self.db.exists()

    def reading(
        self, store: Store, pairing: Pairing, *, to_write: bool = False
    ) -> AbstractContextManager[Reading]:
        """Read a pairing's evidence and gate at one moment of this sitting's clock."""
        from bothways.app.reading import reading

        return reading(
            store,
            pairing.experiment,
            candidate=pairing.candidate,
            judge=pairing.judge,
            to_write=to_write,
            clock=self.now,
        )

    def reads_blind(self, experiment: str) -> bool:
        """Whether whoever sits here chose to read an experiment blind, be it in an earlier sitting."""
        return self.memory.reads_blind(self.reviewer, str(self.db.resolve()), experiment)

    def set_blind(self, experiment: str, *, on: bool) -> None:
        """Take in that whoever sits here reads an experiment blind from now on, or no longer does."""
        self.memory.set_blind(self.reviewer, str(self.db.resolve()), experiment, on=on)

    def sign_as(self, name: str) -> None:
        """Take the name of whoever sits here; what they chose while they had none is their choice."""
        if not self.reviewer:
            self.memory.blind.setdefault(name, set()).update(self.memory.blind.pop("", ()))
        self.reviewer = self.memory.reviewer = name

    def change(self) -> tuple[int, int]:
        """Return what differs once anybody has written: another process, another thread, this sitting.

        It also differs once the file can no longer be read: whoever looks again then is told why. Where
        there is no file yet none is made.
        """
        from bothways.engine.errors import StoreError

        if not self.there:
            return (0, self.said)
        try:
            return (self.store.version(), self.said)
        except StoreError:
            return (-2, self.said)

    def close(self) -> None:
        """Give the connection back and remember what is worth remembering."""
        self.memory.write()
        if self._store is not None:
            self._store.__exit__(None, None, None)
            self._store = None
