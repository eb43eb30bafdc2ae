"""The SQLite file: schema, migrations, reading and writing facts."""

import sys


def _import_sqlite_utils() -> None:
    """Import sqlite-utils without numpy and pandas.

    It imports them wherever it finds them, for columns that hold their types. We have none, and it would
    cost every command 60 ms.
    """
    absent = {name: None for name in ("numpy", "pandas") if name not in sys.modules}
    sys.modules.update(absent)  # type: ignore[arg-type]  # None is how "not to be found" is written
    try:
        import sqlite_utils.db  # noqa: F401
    finally:
        for name in absent:
            del sys.modules[name]


_import_sqlite_utils()

from bothways.store.journal import RunJournal  # noqa: E402
from bothways.store.store import Store, open_store  # noqa: E402

__all__ = ["RunJournal", "Store", "open_store"]
