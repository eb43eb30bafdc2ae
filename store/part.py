"""What all parts of the store share: one connection, and the few ways in which it is used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from sqlite_utils import Database

from bothways.engine.errors import StoreError, UsageError
from bothways.engine.ledger import Record
from bothways.store.connection import reported, writing

__all__ = ["Asked", "Extent", "Part"]

Asked: TypeAlias = Literal["night", "take"]
"""What may be asked for once more: everything on another night, or another take of the judging."""

_CHUNK = 1000


class Extent(NamedTuple):
    """The rows of a spec: the first and the last id. An empty spec has a last id below the first."""

    first: int
    last: int


class Part:
    """A connection to one file. Belongs to the thread that made it."""

    def __init__(self, db: Database, path: Path) -> None:
        self._db = db
        self._path = path
        self._held = False
        self._before: Record | None = None
        """Facts are read as they stood when this record was appended; None is now."""
        self._some: Extent | None = None
        """Only the facts of these rows are streamed; None is all of them."""

    def _stream(self, sql: str, *values: object) -> Iterator[Any]:
        """Yield plain tuples, read a chunk at a time, so that no result is ever whole in memory."""
        return chain.from_iterable(self._chunks(sql, values))

    def _chunks(self, sql: str, values: Sequence[object]) -> Iterator[list[Any]]:
        with reported("reading"):
            cursor = self._db.execute(sql, values)
            while chunk := cursor.fetchmany(_CHUNK):
                yield chunk

    def _all(self, sql: str, *values: object) -> list[Any]:
        with reported("reading"):
            return self._db.execute(sql, values).fetchall()

    def _one(self, sql: str, *values: object) -> Any:
        """Return the first row of the result, or None."""
        with reported("reading"):
            return self._db.execute(sql, values).fetchone()

    @contextmanager
    def _writing(self, doing: str) -> Iterator[Database]:
        """Hold one write transaction, or take part in the one that is held already."""
        if self._held:
            with reported(doing):
                yield self._db
            return
        with reported(doing), writing(self._db):
            self._held = True
            try:
                yield self._db
            finally:
                self._held = False

    def _whole(self, spec_id: int) -> Extent:
        """Return all rows of a spec."""
        found = self._one("SELECT first_row, first_row + row_count - 1 FROM specs WHERE id = ?", spec_id)
        if found is None:
            raise StoreError(f"there is no spec {spec_id} in {self._path}")
        return Extent(*found)

    def _extent(self, spec_id: int) -> Extent:
        """Return the rows of a spec that are read."""
        whole, some = self._whole(spec_id), self._some
        return whole if some is None else Extent(max(whole.first, some.first), min(whole.last, some.last))

    def extent(self, spec_id: int) -> tuple[int, int]:
        """Return how many nights, and how many takes of the judging, are asked for (1, 1 at first)."""
        return self._asked(spec_id, "night"), self._asked(spec_id, "take")

    def _asked(self, spec_id: int, what: Asked) -> int:
        """Return how many nights, or takes, are asked for: one at first."""
        sql = "SELECT 1 + count(*) FROM extensions x JOIN specs s USING (experiment_id) "
        sql += "WHERE s.id = ? AND x.what = ? AND (?3 IS NULL OR x.at <= ?3)"
        return int(self._one(sql, spec_id, what, self._before and self._before.at)[0])

    def _experiment_id(self, name: str) -> int:
        found = self._one("SELECT id FROM experiments WHERE name = ?", name)
        if found is None:
            known = self._all("SELECT name FROM experiments ORDER BY id DESC")
            raise UsageError(
                f"there is no experiment called {name!r}",
                f"{self._path} holds: " + (", ".join(row[0] for row in known) or "none"),
                "Name one of these, or give another --db PATH.",
            )
        return int(found[0])

    def _names(self, table: str) -> dict[int, str]:
        """Return the interned names of one kind by their ids."""
        return dict(self._all(f"SELECT id, name FROM {table}"))
