"""The four protocols that whoever keeps the facts fills."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, Protocol

from bothways.engine.experiment import Experiment
from bothways.engine.facts import Answer, Case, Failure, JsonObject, PassResult, Reply
from bothways.engine.ledger.imports import ImportedRow
from bothways.engine.ledger.people import Record
from bothways.engine.ledger.rows import AnswerFact, Label, PassFact, RowDetail, RowFact, SpecInfo, ToolFact
from bothways.engine.ledger.runs import Progress, Request, RunInfo
from bothways.engine.ledger.units import AnswerRef, AnswerUnit, Busy, Claim, PassUnit, Spent, Unit

__all__ = ["Facts", "Journal", "Ledger", "Records"]


class Facts(Protocol):
    """Read what is known. Every stream is in row order and holds one row's facts together."""

    def experiments(self) -> list[str]:
        """Return the names, newest first."""
        ...

    def specs(self, experiment: str) -> list[SpecInfo]:
        """Return the versions of one experiment's spec, newest first; UsageError for an unknown name."""
        ...

    def spec(self, spec_id: int) -> Experiment:
        """Return one resolved spec."""
        ...

    def extent(self, spec_id: int) -> tuple[int, int]:
        """Return how many nights, and how many takes of the judging, are asked for (1, 1 at first)."""
        ...

    def rows(self, spec_id: int) -> Iterator[RowFact]:
        """Stream the rows in their order."""
        ...

    def answers(self, spec_id: int) -> Iterator[AnswerFact]:
        """Stream the asked answers by row, then slot, night, repeat."""
        ...

    def passes(self, spec_id: int, judge: str | None = None) -> Iterator[PassFact]:
        """Stream the asked passes by row, then night, repeat, take, order."""
        ...

    def tools(self, spec_id: int) -> Iterator[ToolFact]:
        """Stream the tool calls of each variant's newest answer by row, then slot and place."""
        ...

    def labels(self, spec_id: int) -> Iterator[Label]:
        """Stream people's votes that came in with a file."""
        ...

    def cases(self, spec_id: int) -> Iterator[tuple[int, Case]]:
        """Stream the cases in full by row id."""
        ...

    def case_rules(self, spec_id: int) -> Iterator[tuple[int, tuple[JsonObject, ...]]]:
        """Stream only the rows whose case has tool rules, with these."""
        ...

    def row(self, row_id: int) -> RowDetail:
        """Return one row in full."""
        ...

    def row_ids(self, spec_id: int) -> Sequence[int]:
        """Return the ids of the rows in their order."""
        ...

    def records(self, experiment: str, kind: Literal["review", "decision"] | None = None) -> list[Record]:
        """Return the experiment's records in their order."""
        ...

    def before(self, record: Record) -> Facts:
        """Return the facts as they stood when this record was appended: specs, extent, streams, records."""
        ...

    def answers_by_key(self, keys: Sequence[str]) -> dict[str, AnswerRef]:
        """Return those of the keyed answers that are there; failures are not."""
        ...

    def case(self, row_id: int) -> Case:
        """Return one row's case in full."""
        ...

    def tries(self, keys: Sequence[str]) -> dict[str, int]:
        """Return how often each unit was tried in vain (those never tried so are left out)."""
        ...

    def answer(self, answer_id: int) -> Answer:
        """Return one answer in full."""
        ...

    def passes_done(self, keys: Sequence[str]) -> set[str]:
        """Return those of the keys whose pass has been finished (an unreadable one is not)."""
        ...

    def pairings(self, baseline_digests: Sequence[str]) -> list[tuple[str, str, str]]:
        """Return (experiment, candidate, date) of everything that was judged against this snapshot."""
        ...


class Journal(Protocol):
    """Written by one run. Every method returns after the commit."""

    async def ask(self, units: Sequence[Unit]) -> None:
        """Record that rows rely on these units; asking twice changes nothing."""
        ...

    async def begin(
        self, unit: Unit, seq: int, attempt: int, request: str, *, free: bool = False
    ) -> Claim | Reply | Busy:
        """Commit the intent of the `seq`-th call of a unit, or return the reply that is stored already.

        `request` is a digest of what is sent; a stored reply is replayed only where it matches, and not
        once it led to a failure: a unit whose replies could not be read starts afresh, one whose call
        failed goes on from there. A `free` call is paid to nobody, and not counted.
        """
        ...

    async def settle(self, claim: Claim, result: Reply | Failure, *, cost_usd: float | None = None) -> None:
        """Commit what a call brought back; `cost_usd` is what a failed one cost, None where unknown."""
        ...

    async def withdraw(self, claim: Claim) -> None:
        """Take back a claim whose request was never sent."""
        ...

    async def finish_answer(self, unit: AnswerUnit, answer: Answer) -> AnswerRef:
        """Commit an answer, or the failure that stands in its place."""
        ...

    async def finish_pass(self, unit: PassUnit, result: PassResult) -> None:
        """Commit what a pass said, or that it could not be read."""
        ...

    async def extend(self, what: Literal["night", "take"]) -> None:
        """Ask for one more night of everything, or one more take of the judging."""
        ...

    async def spent(self) -> Spent:
        """Return what this experiment has cost so far, over all its runs."""
        ...

    async def requested(self) -> Request | None:
        """Return the newest request that a person made of this run."""
        ...


class Records(Protocol):
    """Written by people, one transaction an act."""

    def append(self, kind: Literal["review", "decision"], body: JsonObject, at: str) -> Record:
        """Append one record to the chain and return it with its hash."""
        ...

    def broken(self) -> tuple[int, str] | None:
        """Return the first record whose hash does not hold, with the reason; None when all hold."""
        ...


class Ledger(Facts, Records, Protocol):
    """What the command line and the desk work with: facts, records, specs, and how runs are doing."""

    def add(self, experiment: Experiment, cases: Iterable[Case], at: str) -> int:
        """Store a resolved spec with its cases and return its id; the same content gives the same id."""
        ...

    def take(self, experiment: Experiment, rows: Iterable[ImportedRow], at: str) -> int:
        """Store an imported experiment in one transaction and return its spec's id.

        It asks for as many nights and takes as its rows have. Reviews that come with them are appended to
        the chain, each citing the hash it had at home.
        """
        ...

    def adopt(self, experiment: str, reviews: Sequence[JsonObject], at: str) -> list[Record]:
        """Append reviews that were made in another file, and return what was new.

        Bodies hold `seq`, `at` and `hash` as an export writes them. They join the chain in the order they had
        there, each citing its home, and none twice; what one of them undoes gets the number it has here.
        """
        ...

    def extend(self, spec_id: int, what: Literal["night", "take"], at: str) -> int:
        """Ask for one more night of everything, or one more take of the judging; return its number."""
        ...

    def progress(self, spec_id: int) -> Progress:
        """Return how far the experiment is."""
        ...

    def runs(self, experiment: str) -> list[RunInfo]:
        """Return the runs, newest first."""
        ...

    def request(self, run_id: int, request: Request, at: str) -> None:
        """Ask a run to pause, resume or stop."""
        ...
