"""Decisions on record: how one is made, and whether it still follows from the facts.

A decision freezes what it saw. Whether it holds is computed, whenever somebody asks: once from the facts as
they stand, and where these are others by now, once more from those that were there when it was signed.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from bothways.engine.analysis.gather import gather
from bothways.engine.analysis.model import Evidence
from bothways.engine.errors import RefusedError, UsageError
from bothways.engine.facts import JsonObject
from bothways.engine.gate.gate import evaluate
from bothways.engine.gate.json import as_json
from bothways.engine.gate.model import Decision, GateResult
from bothways.engine.ledger import Facts, Record
from bothways.engine.text import counted

__all__ = ["Checked", "Validity", "checked", "decide", "on_record"]

_RECOMPUTED = ("decision", "outcomes", "passes", "final")
"""What has to come out again, beside the state of every condition. Sentences may be worded anew."""


class Validity(StrEnum):
    """What recomputing says of a decision on record."""

    STANDS = "stands"
    SUPERSEDED = "superseded"
    """It followed from the facts that were there; others have come in since."""
    DOES_NOT_FOLLOW = "does not follow"
    """Facts older than it were changed, or the record says what they do not say."""


class Checked(NamedTuple):
    """A decision on record with what recomputing says of it, and why."""

    record: Record
    validity: Validity
    why: str

    @property
    def words(self) -> str:
        """What was decided and by whom, in one line."""
        decision = str(self.record.body.get("decision")).replace("_", " ").upper()
        return f"{decision}, {self.signed}"

    @property
    def signed(self) -> str:
        """Who signed it, and when."""
        return f"signed by {self.record.body.get('reviewer')} on {self.record.at[:10]}"

    def as_json(self) -> JsonObject:
        """Return it as JSON; names are a contract."""
        body = self.record.body
        return {
            "seq": self.record.seq,
            "at": self.record.at,
            "hash": self.record.hash,
            **{name: body.get(name) for name in ("candidate", "judge", "decision", "reviewer", "note")},
            "validity": self.validity.value,
            "why": self.why,
        }


def decide(
    evidence: Evidence,
    result: GateResult,
    *,
    reviewer: str,
    note: str = "",
    at: str,
    shown: str | None = None,
) -> JsonObject:
    """Return the body of a decision record: everything the gate saw, and who signs it.

    `shown` is the hash of the facts that the person had before them. Raises RefusedError where there are
    others by now, while required reviews are missing, and where nobody signs.
    """
    if not reviewer.strip():
        raise RefusedError("A decision needs a signature", "nobody is named", "name yourself with --reviewer")
    if shown is not None and shown != evidence.facts_hash:
        raise RefusedError("The facts have changed", "something came in since you looked", "look again")
    if result.decision is Decision.NEEDS_REVIEW:
        raise RefusedError(
            "Reviews are missing",
            f"{counted(len(result.waiting), 'row waits', 'rows wait')} for a person",
            "review them first",
        )
    return {
        **as_json(result),
        "facts_hash": evidence.facts_hash,
        "reviewer": reviewer,
        "note": note,
        "at": at,
    }


def checked(facts: Facts, experiment: str) -> list[Checked]:
    """Recompute every decision on an experiment, oldest first."""
    now: dict[tuple[object, ...], GateResult | None] = {}
    found: list[Checked] = []
    for record in facts.records(experiment, "decision"):
        pairing = tuple(record.body.get(name) for name in ("baseline", "candidate", "judge"))
        if pairing not in now:
            now[pairing] = _gate(facts, record)[0]
        found.append(_check(facts, record, now[pairing]))
    return found


def on_record(facts: Facts, evidence: Evidence, now: GateResult) -> tuple[Checked, ...]:
    """Recompute the decisions on one comparison, oldest first; `now` is its gate as it stands."""
    return tuple(
        _check(facts, record, now)
        for record in facts.records(evidence.experiment.name, "decision")
        if (record.body.get("candidate"), record.body.get("judge")) == (evidence.candidate, evidence.judge)
    )


def _check(facts: Facts, record: Record, now: GateResult | None) -> Checked:
    """Tell later facts from altered ones: what was there before the record has to give it again."""
    signed = record.body.get("facts_hash")
    as_it_was = now is not None and now.figures.facts_hash == signed
    then, error = (now, "") if as_it_was else _gate(facts.before(record), record)
    if then is None:
        return Checked(record, Validity.DOES_NOT_FOLLOW, f"it cannot be computed again: {error}")
    if then.figures.facts_hash != signed:
        why = "the facts that were there before it are not those that were signed"
        return Checked(record, Validity.DOES_NOT_FOLLOW, why)
    if apart := list(_apart(record.body, then)):
        return Checked(record, Validity.DOES_NOT_FOLLOW, "its facts say otherwise: " + "; ".join(apart))
    if as_it_was:
        return Checked(record, Validity.STANDS, "nothing has come in since")
    return Checked(record, Validity.SUPERSEDED, "facts have come in since")


def _gate(facts: Facts, record: Record) -> tuple[GateResult | None, str]:
    """Compute the gate of a record's comparison; where that cannot be, say why."""
    names = {name: str(record.body.get(name) or "") or None for name in ("baseline", "candidate", "judge")}
    try:
        evidence = gather(facts, str(record.body["experiment"]), **names, today=record.at)
    except UsageError as error:
        return None, error.title
    return evaluate(evidence), ""


def _apart(body: JsonObject, result: GateResult) -> Iterator[str]:
    """Name what a record says otherwise than the gate does."""
    again = as_json(result)
    for name in _RECOMPUTED:
        if body.get(name) != again[name]:
            yield f"{name} {again[name]}, not {body.get(name)}"
    said = body.get("conditions")
    states = {c["name"]: c["state"] for c in said if isinstance(c, dict)} if isinstance(said, list) else {}
    for condition in result.conditions:
        if states.get(condition.name) != condition.state.value:
            yield f"{condition.name} {condition.state.value}, not {states.get(condition.name)}"
