"""What people do to rows: acts as records, and what is refused. `standing` says what they add up to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Literal, Protocol

from bothways.engine.analysis.afresh import afresh
from bothways.engine.analysis.model import Evidence, RowEvidence, ToolState
from bothways.engine.errors import ReasonWanted, RefusedError, UsageError
from bothways.engine.experiment import ReviewSettings
from bothways.engine.facts import JsonObject
from bothways.engine.gate.model import GateResult
from bothways.engine.ledger import Record, RowDetail
from bothways.engine.names import mistaken_for, person
from bothways.engine.pairs import seen
from bothways.engine.standing import GIVES, Kind, Review, in_force, reviews
from bothways.engine.verdicts import Side, Verdict

__all__ = ["Act", "RowFacts", "about", "act", "act_named", "known_people", "overrides", "taken_for"]


class Act(StrEnum):
    """What a person can do to a row."""

    BASELINE = "baseline"
    CANDIDATE = "candidate"
    TIE = "tie"
    BOTH_BAD = "both-bad"
    CONFIRM = "confirm"
    CLEAR = "clear"
    SKIP = "skip"
    NOTE = "note"
    TOOLS_OK = "tools-ok"
    TOOLS_BAD = "tools-bad"
    UNDO = "undo"
    REDO = "redo"


_VERDICTS: Mapping[Act, Verdict] = {
    Act.BASELINE: "baseline", Act.CANDIDATE: "candidate", Act.TIE: "tie", Act.BOTH_BAD: "tie",
}  # fmt: skip
_SIGNATURES: Mapping[Act, Literal["ok", "bad"]] = {Act.TOOLS_OK: "ok", Act.TOOLS_BAD: "bad"}


def act_named(evidence: Evidence, text: str) -> Act:
    """Return the act that a person typed: its own name, or the name of a variant."""
    named = {evidence.experiment.baseline.name: Act.BASELINE, evidence.candidate: Act.CANDIDATE}
    if text in named:
        return named[text]
    if text in tuple(Act):
        return Act(text)
    raise UsageError(f"“{text}” is no verdict", f"it can be {', '.join([*named, *Act])}")


def taken_for(reviewer: str, settings: ReviewSettings, records: Iterable[Record]) -> str:
    """Say for which other reviewer or adjudicator somebody would be taken by name; "" where for none."""
    return mistaken_for(reviewer, known_people(settings, records))


def known_people(settings: ReviewSettings, records: Iterable[Record]) -> set[str]:
    """Return the reviewers of an experiment, and its adjudicator."""
    return {*(str(record.body.get("reviewer")) for record in records), settings.adjudicator or ""} - {""}


class RowFacts(Protocol):
    """What an act on one row is checked against: all facts, or those on this row alone."""

    def row(self, row_id: int) -> RowDetail:
        """Return the row in full."""
        ...

    def records(self, experiment: str, kind: Literal["review", "decision"] | None = None) -> list[Record]:
        """Return the records in their order."""
        ...


def act(
    facts: RowFacts,
    evidence: Evidence,
    result: GateResult,
    row: RowEvidence,
    what: Act,
    *,
    reviewer: str,
    note: str = "",
    reason: str = "",
    at: str,
    shown: RowDetail | None = None,
    left: Side | None = None,
    blind: bool = False,
    unveiled: bool = False,
    look: Literal[1, 2] = 1,
) -> JsonObject:
    """Return the body of a review record for one act on one row as it is by now.

    `result` is the gate it was made under, `shown` the row as the person had it before them, `left` whose
    answer stood left there; `blind` says that names and judge were hidden, `unveiled` that they were shown
    before, `look` 2 that the row came back to a reviewer of it. Raises RefusedError, saying why, where the
    act is not possible.
    """
    if not reviewer.strip():
        raise RefusedError("A review needs a reviewer", "nobody is named", "name yourself with --reviewer")
    if (signed := person(reviewer)) != reviewer:
        raise RefusedError("This is no name to sign with", ascii(reviewer), f"sign as {signed}")
    base = evidence.experiment.baseline.name
    detail = facts.row(row.row_id)
    stands_on = seen(detail.newest(base), detail.newest(evidence.candidate))
    if stands_on is None:
        raise RefusedError("There is nothing to review yet", "an answer is missing", "finish the run first")
    if shown is not None and shown != detail:
        raise RefusedError("This row has changed", "it was answered or judged since you looked", "look again")
    row = afresh(row, detail, evidence)
    _refuse(row, what, reason=reason, note=note, blind=blind)
    if what in _VERDICTS:
        _refuse_empty(detail, base, evidence.candidate)
    records = facts.records(evidence.experiment.name, "review")
    history = _history(records, evidence.candidate, reviewer)
    verdict = row.judged if what is Act.CONFIRM else _VERDICTS.get(what)
    earlier = _first_looks(history, row.case_id, stands_on.pair)
    own = _last_verdict(_first_looks(in_force(history), row.case_id, stands_on.pair))
    if look == 2:
        _refuse_second_look(what, own, blind=blind)
    return {
        "experiment": evidence.experiment.name,
        "candidate": evidence.candidate,
        "case": row.case_id,
        **stands_on._asdict(),
        "act": _kind(what),
        "verdict": verdict,
        "both_bad": what is Act.BOTH_BAD,
        "signed": _SIGNATURES.get(what),
        "reviewer": reviewer,
        "note": note,
        "reason": reason,
        "judge": evidence.judge,
        "judge_said": row.judged or row.outcome.value,
        "left": left,
        "blind": blind and (look == 2 or not (unveiled or any(one.act in GIVES for one in earlier))),
        "look": look,
        "changed_mind": look == 1 and _changed_mind(own or _revealed(earlier), verdict, what),
        "undoes": _undoes(what, history, row.case_id, stands_on.pair),
        "gate": result.decision.value,
        "at": at,
    }


def overrides(row: RowEvidence, what: Act) -> bool:
    """Tell whether an act says otherwise than the judge did."""
    return what in _VERDICTS and row.judged is not None and _VERDICTS[what] != row.judged


def _kind(what: Act) -> Kind:
    if what in _VERDICTS:
        return "verdict"
    if what in _SIGNATURES:
        return "tools"
    kinds: Mapping[Act, Kind] = {
        Act.CONFIRM: "confirm", Act.CLEAR: "clear", Act.SKIP: "skip", Act.NOTE: "note", Act.UNDO: "undo",
        Act.REDO: "redo",
    }  # fmt: skip
    return kinds[what]


def _refuse(row: RowEvidence, what: Act, *, reason: str, note: str, blind: bool) -> None:
    if what is Act.CONFIRM and blind:
        raise RefusedError("There is no verdict to confirm", "the judge's is hidden", "choose a side")
    if what is Act.CONFIRM and row.judged is None:
        said = row.outcome.value.replace("_", " ")
        raise RefusedError(
            "There is no verdict to confirm", f"the judge left this row as {said}", "choose a side"
        )
    if overrides(row, what) and not reason.strip() and not blind:
        raise ReasonWanted(
            "Overriding the judge needs a reason", f"the judge said {row.judged}", "give a reason"
        )
    if what is Act.NOTE and not note.strip():
        raise RefusedError("The note is empty", next_step="write something, or leave it")
    if what in _SIGNATURES and row.tools is not ToolState.CHANGED:
        why = (
            "a broken rule cannot be signed away"
            if row.tools is ToolState.BROKEN
            else "its tool calls did not change"
        )
        raise RefusedError("There is no tool difference to sign", why)


def _refuse_second_look(what: Act, own: Review | None, *, blind: bool) -> None:
    """Refuse what would make a second look anything else than the same question, asked blind again."""
    if what not in (*_VERDICTS, Act.SKIP, Act.NOTE, Act.UNDO, Act.REDO):
        raise RefusedError("A second look changes nothing", "it measures how steady you are", "choose a side")
    if what in _VERDICTS and not blind:
        raise RefusedError("A second look is blind", "names or the judge were shown")
    if own is None:
        raise RefusedError("This is no second look", "no verdict of yours is in force on this row")


def _first_looks(acts: Iterable[Review], case: str, pair: str) -> list[Review]:
    """Return the acts on the pair of a row that were no second look."""
    return [one for one in acts if (one.case, one.pair, one.look) == (case, pair, 1)]


def _last_verdict(acts: Iterable[Review]) -> Review | None:
    """Return the act that gave the last verdict, None where it was cleared."""
    given = [one for one in acts if one.act in (*GIVES, "clear")]
    return given[-1] if given and given[-1].act != "clear" else None


def _revealed(acts: Iterable[Review]) -> Review | None:
    """Return the last verdict that was given blind: whatever became of it, it showed names and judge."""
    return next((one for one in reversed(list(acts)) if one.blind and one.act in GIVES), None)


def _changed_mind(before: Review | None, verdict: Verdict | None, what: Act) -> bool:
    """Tell whether a reviewer says otherwise than before."""
    if before is None or verdict is None:
        return False
    return (before.verdict, before.both_bad) != (verdict, what is Act.BOTH_BAD)


def _refuse_empty(detail: RowDetail, *variants: str) -> None:
    """Refuse a verdict between two failures: it would count as a vote, and nobody has answered."""
    answers = [detail.newest(variant) for variant in variants]
    if all(answer is None or answer.failure is not None for answer in answers):
        raise RefusedError(
            "There is nothing to compare", "both answers are errors", "try them again, or skip the row"
        )


def about(
    records: Iterable[Record], what: Literal[Act.UNDO, Act.REDO], *, candidate: str, reviewer: str
) -> Review:
    """Return the act that this reviewer's undo or redo is about, on whichever row it was.

    An undo is about the last act in force, a redo about the undo that took back the last one; a new act
    anywhere ends what could be redone. Raises RefusedError where there is none.
    """
    return _about(_history(records, candidate, reviewer), what)


def _history(records: Iterable[Record], candidate: str, reviewer: str) -> list[Review]:
    return [r for r in reviews(records) if (r.candidate, r.reviewer) == (candidate, reviewer)]


def _about(history: Sequence[Review], what: Act) -> Review:
    live = in_force(history)
    if what is Act.UNDO:
        done = [review for review in live if review.act not in ("undo", "redo")]
        if not done:
            raise RefusedError("There is nothing of yours to undo")
        return done[-1]
    tail = [review for review in live if review.act != "redo"]
    if not tail or tail[-1].act != "undo":
        raise RefusedError("There is nothing to redo", "your last act was no undo")
    return tail[-1]


def _undoes(what: Act, history: Sequence[Review], case: str, pair: str) -> int | None:
    """Find what an undo, a redo or a clear of this row is about; raise where there is nothing."""
    here = [review for review in history if review.case == case]
    if what is Act.CLEAR and _last_verdict(_first_looks(in_force(here), case, pair)) is None:
        raise RefusedError("There is no verdict of yours to clear")
    if what is Act.UNDO:
        return _about(here, what).seq
    if what is Act.REDO:
        found = _about(history, what)
        if found.case != case:
            raise RefusedError(
                "There is nothing to redo here", f"what you took back last was on {found.case}"
            )
        return found.seq
    return None
