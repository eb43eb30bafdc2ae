"""The SQLite file: schema, migrations, reading and writing facts.

The store itself is imported when somebody asks for it; `glance` alone needs next to nothing.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bothways.store.journal import RunJournal
    from bothways.store.store import Store, open_store

__all__ = ["RunJournal", "Store", "open_store"]

_HOMES = {"RunJournal": "journal", "Store": "store", "open_store": "store"}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    _import_sqlite_utils()
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


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
