"""One small tree of errors: each has a title, a cause and a next step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from bothways.engine.facts import Failure, Usage

__all__ = [
    "Action", "BothwaysError", "CallFailed", "DataError", "Place", "ReasonWanted", "RefusedError",
    "StoreError", "UsageError",
]  # fmt: skip


class BothwaysError(Exception):
    """Something a person can act on.

    `title` says what went wrong, `cause` why, `next_step` what to do now. `exit_code` is what the
    command line returns for it.
    """

    exit_code = 2

    def __init__(self, title: str, cause: str = "", next_step: str = "") -> None:
        self.title = title
        self.cause = cause
        self.next_step = next_step
        super().__init__(": ".join(part for part in (title, cause) if part))


class UsageError(BothwaysError):
    """A command, a name or an option that cannot be meant."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a file something is wrong; `line` counts from 1 and is 0 where there is none."""

    file: str
    line: int = 0
    field: str = ""

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.field}" if self.field else where


class DataError(BothwaysError):
    """A file that does not hold what it should: names file, line, field and what was expected.

    `others` are further problems of the same reading; the cause lists them, one a line.
    """

    def __init__(
        self,
        place: Place,
        found: str,
        expected: str,
        next_step: str = "",
        *,
        others: tuple[DataError, ...] = (),
    ) -> None:
        self.place = place
        self.found = found
        self.expected = expected
        self.others = others
        lines = [f"expected {expected}", *(f"{other.title}: {other.cause}" for other in others)]
        super().__init__(f"{place}: {found}", "\n".join(lines), next_step)


class StoreError(BothwaysError):
    """The database cannot be opened, read or written."""


class RefusedError(BothwaysError):
    """An act that is not possible now, and why: confirming a flip, deciding while reviews are missing."""


class ReasonWanted(RefusedError):
    """A verdict against the judge that does not say why; who took it knows how to give one there."""


Action = Literal["retry", "retry_now", "give_up", "stop"]


class CallFailed(BothwaysError):
    """One attempt at a model or an agent failed.

    `action` says what follows: `retry` (with backoff), `retry_now` (the request was changed and is worth
    sending again at once), `give_up` (this unit only), `stop` (the whole run: a wrong key). `retry_after`
    is in seconds, as the server asked. `usage` and `cost_usd` are what the failed call used, as far as known:
    one that was turned away at the door, before any work was done, cost nothing.
    """

    def __init__(
        self,
        failure: Failure,
        action: Action,
        *,
        retry_after: float | None = None,
        usage: Usage | None = None,
        cost_usd: float | None = None,
        next_step: str = "",
    ) -> None:
        # Imported here: pydantic comes with the facts, and no command waits for that to say what is wrong.
        from bothways.engine.facts import Usage

        self.failure = failure
        self.action = action
        self.retry_after = retry_after
        self.usage = usage or Usage()
        self.cost_usd = 0.0 if cost_usd is None and failure.kind.turned_away else cost_usd
        super().__init__(str(failure.kind), failure.message, next_step)
