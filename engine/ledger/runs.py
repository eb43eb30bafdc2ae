"""Runs as the store knows them, and how far an experiment is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from bothways.engine.facts import JsonObject

__all__ = ["Progress", "Request", "RunInfo", "RunState", "StageProgress"]

Request: TypeAlias = Literal["pause", "resume", "stop"]
RunState: TypeAlias = Literal["complete", "stopped", "failed"]
"""How a run ended."""


@dataclass(frozen=True, slots=True)
class RunInfo:
    """One run as the store knows it. `alive` is whether its lock is held now.

    `asked` is what people asked of it last.
    """

    id: int
    experiment: str
    spec_id: int
    started_at: str
    ended_at: str | None
    state: str
    alive: bool
    options: JsonObject = field(default_factory=dict)
    asked: Request | None = None


@dataclass(frozen=True, slots=True)
class StageProgress:
    """How far one stage is: units asked for so far, done, tried in vain, and being worked on now."""

    asked: int = 0
    done: int = 0
    failed: int = 0
    in_flight: int = 0


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an experiment is, from the store alone.

    `expected_answers` and `expected_passes` are what the spec asks for in all. `errors` counts failures by
    kind, newest message beside it. `cost_usd` sums the known costs; `unknown_costs` counts the others;
    `possibly_billed` counts the calls lost in flight.
    """

    answers: StageProgress = StageProgress()
    passes: StageProgress = StageProgress()
    expected_answers: int = 0
    expected_passes: int = 0
    calls: int = 0
    cost_usd: float = 0.0
    unknown_costs: int = 0
    possibly_billed: int = 0
    errors: Mapping[str, tuple[int, str]] = field(default_factory=dict)
