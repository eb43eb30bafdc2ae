"""What there is in the file: the rows of the first screen, read in a thread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from bothways.app.desk.sitting import Pairing
from bothways.app.pairings import AT_ONCE, every_pairing
from bothways.engine.text import counted
from bothways.widgets.columns import Cells, Column
from bothways.widgets.plain import Run, Tone

if TYPE_CHECKING:
    from bothways.store import Store

__all__ = [
    "COLUMNS", "HIDDEN", "RUNNING", "Entry", "entries", "entry_cells", "glimpsed", "pairings",
    "with_decision",
]  # fmt: skip

COLUMNS = (
    Column("experiment"),
    Column("   rows", 7, from_width=70),
    Column("candidates", 20, from_width=100),
    Column("judges", 16, from_width=120),
    Column("state", 17, from_width=60),
    Column("gate · signature", 32),
)
RUNNING = "running"
HIDDEN = "hidden while you read blind"
"""Said where how a gate stands would tell of rows that the reader has not read."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One experiment. `decision` is how the gate stands now, `signed` what became of the last signature."""

    name: str
    spec_id: int
    rows: int
    candidates: tuple[str, ...]
    judges: tuple[str, ...]
    state: str = "…"
    decision: str = "…"
    signed: str = ""
    each: tuple[str, ...] = ()
    """Of several pairings, how the gate of each stands."""

    @property
    def pairings(self) -> list[Pairing]:
        """Every candidate under every judge."""
        return [Pairing(self.name, *one) for one in every_pairing(self.candidates, self.judges)]


def glimpsed(path: Path) -> list[Entry]:
    """Return what a look at the file says before the store is there; the same as `entries`, if anything."""
    from bothways.store.glance import glance

    return [Entry(g.experiment, g.spec_id, g.rows, g.variants[1:], g.judges) for g in glance(path)]


def entries(store: Store) -> Iterator[Entry]:
    """Yield what the specs alone say: quick at any size."""
    for name in store.experiments():
        spec = store.specs(name)[0]
        yield Entry(name, spec.id, spec.rows, spec.variants[1:], spec.judges)


def pairings(store: Store, experiment: str) -> list[Pairing]:
    """Return every candidate under every judge of an experiment."""
    spec = store.specs(experiment)[0]
    return Entry(experiment, spec.id, spec.rows, spec.variants[1:], spec.judges).pairings


def with_decision(store: Store, entry: Entry, hides: Callable[[Pairing], bool]) -> Entry:
    """Return the entry with its state, how its gate stands, and whether that is signed.

    `hides` says of which pairings that is not to be told.
    """
    from bothways.engine.errors import UsageError

    entry = replace(entry, state=_state(store, entry))
    if entry.rows > AT_ONCE:
        return replace(entry, decision="enter computes it")
    try:
        return _decided(store, entry, hides)
    except UsageError as error:
        return replace(entry, decision=error.title)


def _state(store: Store, entry: Entry) -> str:
    if any(run.alive for run in store.runs(entry.name)):
        return RUNNING
    progress = store.progress(entry.spec_id)
    done = progress.answers.done + progress.passes.done
    expected = progress.expected_answers + progress.expected_passes
    failed = progress.answers.failed + progress.passes.failed
    if failed:
        return f"{failed:,} failed"
    return "complete" if done >= expected else f"{done:,} of {counted(expected, 'unit')}"


def _decided(store: Store, entry: Entry, hides: Callable[[Pairing], bool]) -> Entry:
    from bothways.app.reading import reading
    from bothways.engine.decisions import Validity, on_record
    from bothways.engine.gate.model import Decision

    if len(entry.pairings) != 1:
        return _decided_each(store, entry, hides)
    if hides(entry.pairings[0]):
        return replace(entry, decision=HIDDEN, signed="")
    with reading(store, entry.name) as (evidence, result, _):
        decision, signed = result.decision.words, ""
        if decisions := on_record(store, evidence, result):
            record, validity, _ = decisions[-1]
            words = Decision(str(record.body["decision"])).words
            superseded = validity is Validity.SUPERSEDED
            signed = "signed" if validity is Validity.STANDS else validity.value
            signed = f"{words} {signed}" if superseded and words != decision else signed
        return replace(entry, decision=decision, signed=signed)


def _decided_each(store: Store, entry: Entry, hides: Callable[[Pairing], bool]) -> Entry:
    """Decide every pairing on its own, and say in the list how many come out how."""
    from bothways.app.reading import reading
    from bothways.engine.errors import UsageError

    each: list[str] = []
    for one in entry.pairings:
        try:
            if hides(one):
                each.append(HIDDEN)
                continue
            with reading(store, entry.name, candidate=one.candidate, judge=one.judge) as (_, result, _):
                each.append(result.decision.words)
        except UsageError as error:
            each.append(error.title)
    counts = Counter(each)
    words = ", ".join(f"{count} {word}" if len(counts) > 1 else word for word, count in counts.most_common())
    return replace(entry, decision=words, each=tuple(each))


# As in `gateline`, whose engine the first paint does not wait for.
_DECISIONS: dict[str, tuple[str, Tone]] = {
    "SHIP": ("✓", "good"),
    "DO NOT SHIP": ("✗", "bad"),
    "NEEDS REVIEW": ("!", "warn"),
    "INCONCLUSIVE": ("?", "warn"),
}


_FALSE = "does not follow"
"""Said instead of how the gate stands: whoever changed the facts changed that too."""


def entry_cells(entry: Entry) -> Cells:
    """Return one experiment as a row of the list."""
    sign, tone = _DECISIONS.get(entry.decision, ("", "muted"))
    signed = f" · {entry.signed}" if entry.signed else " · not signed" if entry.decision in _DECISIONS else ""
    decision = Run(f"{sign} {entry.decision}{signed}".strip(), tone)
    if entry.signed == _FALSE:
        decision = Run(f"✗ signed: {entry.signed}", "bad")
    busy: Tone = "accent" if entry.state == RUNNING else ""
    return (
        Run(entry.name, "strong"),
        Run(f"{entry.rows:>7,}"),
        Run(", ".join(entry.candidates)),
        Run(", ".join(entry.judges)),
        Run(entry.state, busy),
        decision,
    )
