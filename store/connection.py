"""Open the database file, or say why not and leave it as it is."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlite_utils import Database

from bothways.engine.errors import StoreError
from bothways.store.schema import APPLICATION_ID, MIGRATIONS, VERSION

__all__ = ["BUSY_TIMEOUT_S", "connect", "reported", "roomy", "writing"]

BUSY_TIMEOUT_S = 15.0
"""How long a write waits for another process's transaction before it gives up."""

_STEPS = {
    sqlite3.SQLITE_BUSY: "Another process is writing to it; try again.",
    sqlite3.SQLITE_FULL: "Make room on the disk and go on: what was recorded before is there.",
}
_CACHE_KIB = 16_000
_ROOMY_CACHE_KIB = 160_000


def connect(path: Path, *, create: bool = True, any_thread: bool = False) -> Database:
    """Open `path`, bring its tables up to date, and return the connection.

    Raises StoreError, with the file unchanged, where that is not possible.
    """
    _refuse_unusable(path, create)
    mode = "rwc" if create else "rw"
    try:
        raw = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}",
            uri=True,
            isolation_level=None,
            timeout=BUSY_TIMEOUT_S,
            check_same_thread=not any_thread,
        )
    except sqlite3.Error as error:
        raise _unopened(path, str(error)) from error
    try:
        db = Database(raw, execute_plugins=False)
        _check(db, path)
        _prepare(db)
    except sqlite3.Error as error:
        raw.close()
        raise _unopened(path, str(error)) from error
    except BaseException:
        raw.close()
        raise
    return db


def _refuse_unusable(path: Path, create: bool) -> None:
    """Tell apart what SQLite calls, all alike, "unable to open database file"."""
    if path.is_dir():
        raise _unopened(path, "it is a folder", "Give the path of a file: --db PATH.")
    if not path.parent.is_dir():
        raise _unopened(
            path, f"the folder {path.parent} does not exist", "Create it, or give another --db PATH."
        )
    if not path.exists():
        if not create:
            raise _unopened(
                path, "there is no such file", "Run or import an experiment first, or give --db PATH."
            )
        if not os.access(path.parent, os.W_OK):
            raise _unopened(
                path, f"the folder {path.parent} is read-only", "Give --db PATH in a folder of yours."
            )
    elif not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        raise _unopened(path, "the file or its folder is read-only", "Make both writable, or work on a copy.")


def _unopened(path: Path, cause: str, next_step: str = "") -> StoreError:
    return StoreError(
        f"cannot open the database {path}", cause, next_step or "Give another file with --db PATH."
    )


def _check(db: Database, path: Path) -> None:
    """Refuse files that are not ours before anything is written."""
    version, owner = _pragma(db, "user_version"), _pragma(db, "application_id")
    if owner == APPLICATION_ID:
        if version > VERSION:
            cause = f"it was written by a newer bothways (format {version}; this one knows {VERSION})"
            raise _unopened(path, cause, "Update bothways: pip install --upgrade bothways.")
    elif owner or db.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
        raise _unopened(path, "it is the database of another program")


def _pragma(db: Database, name: str) -> int:
    return int(db.execute(f"PRAGMA {name}").fetchone()[0])


def _prepare(db: Database) -> None:
    # FULL: an intent that is committed before a call is sent must outlive a power cut.
    for setting in ("foreign_keys = ON", "synchronous = FULL", f"cache_size = -{_CACHE_KIB}"):
        db.execute(f"PRAGMA {setting}")
    if _pragma(db, "user_version") == VERSION:
        return
    with writing(db):
        if _pragma(db, "user_version") < VERSION:
            MIGRATIONS.apply(db)
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute(f"PRAGMA user_version = {VERSION}")
    db.execute("PRAGMA journal_mode = WAL")


@contextmanager
def writing(db: Database, *, begun: bool = False) -> Iterator[None]:
    """Hold one write transaction: who reads and then writes must have claimed the file before reading."""
    if not begun:
        db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        db.rollback()
        raise


@contextmanager
def roomy(db: Database) -> Iterator[None]:
    """Lend a large transaction more memory: hashes land all over the indexes, and each page costs a write."""
    db.execute(f"PRAGMA cache_size = -{_ROOMY_CACHE_KIB}")
    try:
        yield
    finally:
        db.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")


@contextmanager
def reported(doing: str) -> Iterator[None]:
    """Turn what SQLite raises into what a person can act on."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        step = _STEPS.get(code, "See whether the disk is full or damaged.")
        raise StoreError(f"the database failed while {doing}", str(error), step) from error
