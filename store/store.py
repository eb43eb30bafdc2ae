"""The store as a whole: one file, one connection, everything the engine asks of a ledger."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from pathlib import Path
from types import TracebackType
from typing import Self

from bothways.engine.ledger import Record
from bothways.store.connection import connect, reported
from bothways.store.details import Details
from bothways.store.importing import Imports
from bothways.store.part import Extent
from bothways.store.records import Chain
from bothways.store.runs import Runs
from bothways.store.specs import Specs
from bothways.store.streams import Streams

__all__ = ["Store", "open_store"]


class Store(Specs, Streams, Details, Chain, Imports, Runs):
    """Implements `engine.ledger.Ledger` on a SQLite file. Belongs to the thread that opened it.

    Reading never waits for a writer, and any number of stores may have the same file open.
    """

    @property
    def path(self) -> Path:
        """Where the file is."""
        return self._path

    def version(self) -> int:
        """Return a number that changes when another connection commits; costs microseconds."""
        return int(self._one("PRAGMA data_version")[0])

    def before(self, record: Record) -> Self:
        """Return the facts as they stood when this record was appended, on the same connection.

        Records are told apart by their numbers, everything else by when it was written: what bears the
        same millisecond as the record was there before it.
        """
        earlier = copy(self)
        earlier._before = record
        return earlier

    def around(self, spec_id: int, case_id: str, rows: int) -> Self:
        """Return the facts of no more than so many rows, on the same connection: those around a case.

        The first ones, where there is no such case. What is concluded from them is about these rows alone.
        """
        whole = self._whole(spec_id)
        sql = "SELECT r.id FROM rows r JOIN cases c ON c.id = r.case_ref "
        found = self._one(f"{sql} WHERE r.id BETWEEN ? AND ? AND c.case_id = ?", *whole, case_id)
        middle = whole.first if found is None else int(found[0])
        first = max(whole.first, min(middle - rows // 2, whole.last + 1 - rows))
        some = copy(self)
        some._some = Extent(first, first + rows - 1)
        return some

    @contextmanager
    def view(self) -> Iterator[Self]:
        """Read everything inside the block as it stood at its first reading, whoever writes meanwhile."""
        with reported("reading"):
            self._db.execute("BEGIN")
        try:
            yield self
        finally:
            self._db.rollback()

    @contextmanager
    def writing(self) -> Iterator[Self]:
        """Let nobody else write inside the block: what is read there is still so when it is written down.

        All that the block writes is kept, or nothing where it raises.
        """
        with self._writing("writing"):
            yield self

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_store(path: Path, *, create: bool = True) -> Store:
    """Open the database at `path`, making it where it is missing and `create` says so.

    Raises StoreError, with the file unchanged, where it cannot be opened or is not ours.
    """
    return Store(connect(path, create=create), path)
