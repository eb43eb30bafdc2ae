"""What is read: rows and what belongs to them, streamed as tuples; one row in full."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple, TypeVar

from bothways.engine.facts import Answer, Case, Failure, PassResult
from bothways.engine.ledger.units import AnswerUnit, PassUnit
from bothways.engine.pairs import newest

__all__ = ["AnswerFact", "Label", "PassFact", "RowDetail", "RowFact", "SpecInfo", "ToolFact", "fields"]

F = TypeVar("F", bound=NamedTuple)


def fields(kind: type[F], first: str, last: str) -> Callable[[F], tuple[object, ...]]:
    """Return what takes neighbouring fields, `last` among them, out of a tuple at once: nothing is faster."""
    return itemgetter(slice(kind._fields.index(first), kind._fields.index(last) + 1))


class SpecInfo(NamedTuple):
    """One version of an experiment's spec. `id` grows with time."""

    id: int
    experiment: str
    at: str
    rows: int
    judges: tuple[str, ...]
    variants: tuple[str, ...]


class RowFact(NamedTuple):
    """One case of the data set in its place. `high_stakes` is what the case itself says, or None."""

    row_id: int
    position: int
    case_id: str
    high_stakes: bool | None
    tags: Mapping[str, str]


class AnswerFact(NamedTuple):
    """One asked answer of a row: `answer_id` None is not tried yet; with `failure` it was tried in vain.

    `digest` and `tools_digest` are those of `Answer`; `at` says when. `model` is what the provider called
    itself. The tokens are None where unknown.
    """

    row_id: int
    variant: str
    slot: int
    night: int
    repeat: int
    answer_id: int | None
    failure: Failure | None
    digest: str
    tools_digest: str
    at: str
    cost_usd: float | None = None
    duration_s: float | None = None
    model: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None

    @property
    def tried(self) -> bool:
        """Whether it was tried, be it in vain."""
        return self.answer_id is not None or self.failure is not None


class PassFact(NamedTuple):
    """One asked pass of a row. `tried` False is pending; `choice` is as in `PassResult` (not mapped).

    Time, cost, duration, model and tokens are as in `AnswerFact`.
    """

    row_id: int
    judge: str
    shown: tuple[str, ...]
    order: int
    night: int
    repeat: int
    take: int
    tried: bool
    choice: int | None
    failure: Failure | None
    at: str = ""
    cost_usd: float | None = None
    duration_s: float | None = None
    model: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None


class ToolFact(NamedTuple):
    """One tool call of a variant's newest answer to a row; `arguments` is canonical JSON text."""

    row_id: int
    variant: str
    turn: int
    name: str
    arguments: str


class Label(NamedTuple):
    """A person's vote that came in with a file: `verdict` names a variant, or is "tie"; None said nothing."""

    row_id: int
    annotator: str
    verdict: str | None
    note: str


@dataclass(frozen=True, slots=True)
class RowDetail:
    """One row in full: what the review shows and the exports write."""

    row_id: int
    position: int
    case: Case
    answers: tuple[tuple[AnswerUnit, Answer | None, str], ...]
    """Each asked answer, what it is (None: not tried), and when it was finished ("" where not)."""
    passes: tuple[tuple[PassUnit, PassResult | None, str], ...]
    labels: tuple[Label, ...]

    def newest(self, variant: str) -> Answer | None:
        """Return the answer of a variant that the row stands on; None where none was tried."""
        return newest(
            (unit.night, unit.repeat, answer)
            for unit, answer, _ in self.answers
            if unit.variant == variant and answer is not None
        )
