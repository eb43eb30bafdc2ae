"""The SQLite file: schema, migrations, reading and writing facts."""

from bothways.store.journal import RunJournal
from bothways.store.store import Store, open_store

__all__ = ["RunJournal", "Store", "open_store"]
