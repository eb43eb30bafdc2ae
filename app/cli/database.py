"""The one way in which a command opens its database and picks what it is about."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import TYPE_CHECKING

from bothways.app.cli.options import command_line, db_path
from bothways.app.streams import say
from bothways.engine.errors import StoreError, UsageError
from bothways.engine.text import counted

if TYPE_CHECKING:
    from bothways.engine.ledger import Facts, SpecInfo
    from bothways.store import Store

__all__ = ["newest", "no_case", "opened", "warn_of_broken"]


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


def no_case(experiment: str, case: str, known: Collection[str]) -> UsageError:
    """Return the error that names a case which an experiment does not have, and those that come near."""
    near = get_close_matches(case, known)
    hint = f"Did you mean {', '.join(near)}?" if near else f"{command_line('rows', experiment)} lists them."
    cause = f"the ids of its {counted(len(known), 'case')} are others"
    return UsageError(f"{experiment} has no case {case!r}", cause, hint)


def warn_of_broken(store: Store) -> None:
    """Say on stderr that a record was touched, beside figures that rest on it."""
    broken = store.broken()
    if broken is not None:
        seq, reason = broken
        say(f"Warning: record {seq} does not hold ({reason}); bothways verify says more")
