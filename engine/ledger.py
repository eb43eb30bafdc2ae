"""What the engine asks of whoever keeps the facts: four small protocols.

The engine knows no database. The store fills these; tests may fill them with lists.

* `Facts` is read: what exists, streamed as tuples; one row in full.
* `Journal` is written by a run: a call's intent before it is sent, its reply after, a finished unit.
* `Records` is written by people: reviews and decisions, append-only, in a hash chain.
* `Ledger` reads and records, and takes in what a run does not write: specs, imports, requests to a run.

A journal belongs to one run at a time, so it is no part of the ledger.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol, TypeAlias

from bothways.engine.facts import Answer, Case, Failure, JsonObject, PassResult, Reply
from bothways.engine.pairs import newest
from bothways.engine.spec.model import Experiment

__all__ = [
    "AnswerFact", "AnswerRef", "AnswerUnit", "Busy", "Claim", "Facts", "ImportedAnswer", "ImportedPass",
    "ImportedRow", "Journal", "Label", "Ledger",
    "PassFact", "PassUnit", "Progress", "Record", "Records", "Request", "RowDetail", "RowFact",
    "RunInfo", "SpecInfo", "Spent", "StageProgress", "ToolFact", "Unit",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class AnswerUnit:
    """One answer that the spec asks for.

    `key` is the hash of what the target sees; `slot` 0 is the baseline.
    """

    key: str
    row_id: int
    variant: str
    slot: int
    night: int = 1
    repeat: int = 1


@dataclass(frozen=True, slots=True)
class PassUnit:
    """One pass that the spec asks for.

    `shown` are the variants in the order shown; `order` 1 is the pass that shows the baseline first.
    `key` is the hash of what the judge sees.
    """

    key: str
    row_id: int
    judge: str
    shown: tuple[str, ...]
    order: int
    night: int = 1
    repeat: int = 1
    take: int = 1


Unit: TypeAlias = AnswerUnit | PassUnit


@dataclass(frozen=True, slots=True)
class AnswerRef:
    """An answer that is there: enough to key the passes over it without reading it."""

    id: int
    digest: str
    cost_usd: float | None = None
    duration_s: float | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to send one attempt of one call; its intent is committed."""

    call_id: int


@dataclass(frozen=True, slots=True)
class Spent:
    """Known costs in USD, the dearest call among them, and the number of calls whose cost is unknown."""

    usd: float = 0.0
    unknown: int = 0
    dearest_usd: float = 0.0


@dataclass(frozen=True, slots=True)
class Busy:
    """Another live run is at this unit: leave it alone."""


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

    `digest` and `tools_digest` are those of `Answer`; `model` what the provider called itself; `at` when.
    The tokens are None where unknown.
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
    cost_usd: float | None
    duration_s: float | None
    model: str | None
    at: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None


class PassFact(NamedTuple):
    """One asked pass of a row. `tried` False is pending; `choice` is as in `PassResult` (not mapped).

    Cost, duration, model, time and tokens are as in `AnswerFact`.
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
    cost_usd: float | None = None
    duration_s: float | None = None
    model: str | None = None
    at: str = ""
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


@dataclass(frozen=True, slots=True)
class Record:
    """One append-only record. `hash` covers `seq`, `at`, `kind`, `body` and `prev`."""

    seq: int
    at: str
    kind: Literal["review", "decision"]
    body: JsonObject
    prev: str
    hash: str


Request = Literal["pause", "resume", "stop"]


@dataclass(frozen=True, slots=True)
class RunInfo:
    """One run as the store knows it. `alive` is whether its lock is held now."""

    id: int
    experiment: str
    spec_id: int
    started_at: str
    ended_at: str | None
    state: str
    alive: bool
    options: JsonObject = field(default_factory=dict)


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


class ImportedAnswer(NamedTuple):
    """One answer of a row that came in with a file."""

    variant: str
    answer: Answer
    night: int = 1


class ImportedPass(NamedTuple):
    """One pass that came in with a file: the judge, the variants in the order shown, and what was said."""

    judge: str
    shown: tuple[str, ...]
    result: PassResult
    night: int = 1
    take: int = 1


@dataclass(frozen=True, slots=True)
class ImportedRow:
    """One row of a file of pairs: everything that it says, mapped to variant names.

    `answers` are in the file's order (the baseline first, where one is named). `labels` hold annotator,
    verdict (a variant, "tie" or None) and note. `reviews` are bodies of review records, with `seq`, `at` and
    `hash` as they had them at home.
    """

    case: Case
    answers: tuple[ImportedAnswer, ...]
    passes: tuple[ImportedPass, ...] = ()
    labels: tuple[tuple[str, str | None, str], ...] = ()
    reviews: tuple[JsonObject, ...] = ()


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
