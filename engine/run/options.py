"""What a person asks of one run, and what the run says while it goes and at its end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from bothways.engine.facts import Failure
from bothways.engine.ledger import RunState

__all__ = ["EventKind", "RunEvent", "RunOptions", "RunSummary", "Watch"]


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How one run differs from what the spec says; None leaves the spec's word.

    `only` are case ids, `limit` takes the first rows, `failed_only` works on what was tried in vain,
    `freeze` stops after the baseline's answers. `extend` asks for another night of everything, another take
    of the judging, or both, once everything asked for before was tried; until then the run goes on with that.
    """

    concurrency: int | None = None
    budget_usd: float | None = None
    limit: int | None = None
    only: frozenset[str] = frozenset()
    failed_only: bool = False
    freeze: bool = False
    extend: tuple[Literal["night", "take"], ...] = ()


EventKind = Literal[
    "started", "answered", "judged", "failed", "retrying", "waiting", "unfinished", "unpriced", "paused",
    "resumed", "stopping", "ended",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class RunEvent:
    """One thing that happened, in order.

    `case` and `variant` say where (a judge's name stands in `variant` for a pass). `seconds` is how long a
    retry or a lane waits. `cost_usd` is what the run has spent so far, as far as known.
    """

    kind: EventKind
    case: str = ""
    variant: str = ""
    failure: Failure | None = None
    seconds: float | None = None
    detail: str = ""
    cost_usd: float = 0.0


Watch: TypeAlias = Callable[[RunEvent], None]


@dataclass(frozen=True, slots=True)
class RunSummary:
    """How a run ended.

    `state` is "complete" when nothing of what was asked for is missing any more, "failed" when something was
    tried in vain, and "stopped" when it ended early; `reason` says why in a sentence. The counts are of
    units (answers and passes), but `calls` and `replayed`; `left` are the units that another live run is at.
    `missing` counts, after a complete run that was asked for a part, the rows that still lack something.
    `cost_usd` and `unknown_costs` are of the experiment in all, earlier runs included.
    """

    state: RunState
    reason: str = ""
    answered: int = 0
    judged: int = 0
    failed: int = 0
    calls: int = 0
    replayed: int = 0
    left: int = 0
    missing: int = 0
    cost_usd: float = 0.0
    unknown_costs: int = 0
