"""Names that stand in many rows, kept once: variants, judges, and the lists of variants shown."""

from __future__ import annotations

import json

from sqlite_utils import Database

from bothways.engine.keys import canonical

__all__ = ["Names", "shown_names"]


class Names:
    """Gives a name its id, making one where there is none.

    Lives no longer than a write transaction: what a rollback took back must not be remembered.
    """

    def __init__(self, db: Database) -> None:
        self._db = db
        self._known: dict[tuple[str, str], int] = {}

    def variant(self, name: str) -> int:
        """Return the id of a variant's name."""
        return self._id("variants", name)

    def judge(self, name: str) -> int:
        """Return the id of a judge's name."""
        return self._id("judges", name)

    def shown(self, variants: tuple[str, ...]) -> int:
        """Return the id of a list of variants in the order shown."""
        return self._id("orders", canonical(variants))

    def _id(self, table: str, name: str) -> int:
        if (table, name) not in self._known:
            self._db.execute(f"INSERT INTO {table} (name) VALUES (?) ON CONFLICT DO NOTHING", (name,))
            found = self._db.execute(f"SELECT id FROM {table} WHERE name = ?", (name,)).fetchone()
            self._known[table, name] = int(found[0])
        return self._known[table, name]


def shown_names(name: str) -> tuple[str, ...]:
    """Read a list of variants back from the name that `Names.shown` interned."""
    return tuple(json.loads(name))
