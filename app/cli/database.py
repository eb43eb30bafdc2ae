"""The one way in which a command opens its database and picks what it is about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bothways.app.cli.options import db_path
from bothways.app.streams import say
from bothways.engine.errors import StoreError

if TYPE_CHECKING:
    from bothways.engine.ledger import Facts, SpecInfo
    from bothways.store import Store

__all__ = ["newest", "opened", "warn_of_broken"]


@contextmanager
def opened(*, create: bool = False) -> Iterator[Store]:
    """Open the database of the running command; StoreError where there is none and none may be made."""
    from bothways.store import open_store

    path = db_path()
    if not create and not path.exists():
        hint = "Run a spec or import a file first, or name the database with --db PATH."
        raise StoreError(f"There is no database at {path}", "", hint)
    with open_store(path, create=create) as store:
        yield store


def newest(facts: Facts, experiment: str) -> SpecInfo:
    """Return the newest version of an experiment's spec; UsageError for an unknown name."""
    return facts.specs(experiment)[0]


def warn_of_broken(store: Store) -> None:
    """Say on stderr that a record was touched, beside figures that rest on it."""
    broken = store.broken()
    if broken is not None:
        seq, reason = broken
        say(f"Warning: record {seq} does not hold ({reason}); bothways verify says more")
