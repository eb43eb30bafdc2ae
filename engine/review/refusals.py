"""What nobody can do to a row, each with its reason and what to do instead."""

from __future__ import annotations

from bothways.engine.analysis.model import Evidence, RowEvidence, ToolState
from bothways.engine.errors import ReasonWanted, RefusedError
from bothways.engine.ledger import RowDetail
from bothways.engine.names import person
from bothways.engine.review.acts import Act, Said, Seeing, overrides
from bothways.engine.standing import Review

__all__ = ["refuse", "refuse_changed", "refuse_nameless", "refuse_second_look"]


def refuse_nameless(reviewer: str) -> None:
    """Refuse who does not say who they are, in a name that can be read."""
    if not reviewer.strip():
        raise RefusedError("A review needs a reviewer", "nobody is named", "name yourself with --reviewer")
    if (signed := person(reviewer)) != reviewer:
        raise RefusedError("This is no name to sign with", ascii(reviewer), f"sign as {signed}")


def refuse_changed(detail: RowDetail, seeing: Seeing) -> None:
    """Refuse what is said of a row that is no longer as it was shown."""
    if seeing.shown is not None and seeing.shown != detail:
        raise RefusedError("This row has changed", "it was answered or judged since you looked", "look again")


def refuse(
    row: RowEvidence, detail: RowDetail, evidence: Evidence, what: Act, said: Said, *, blind: bool
) -> None:
    """Refuse an act that the row, or what was said with it, does not allow. `detail` is the row in full."""
    if what is Act.CONFIRM:
        _refuse_confirmation(row, blind=blind)
    elif what is Act.SKIP and not (said.reason.strip() or said.note.strip()):
        raise ReasonWanted("A skip needs a reason", "whoever comes next wants to know", "give a reason")
    elif what is Act.NOTE and not said.note.strip():
        raise RefusedError("The note is empty", next_step="write something, or leave it")
    elif what.signature:
        _refuse_signature(row)
    elif what.verdict:
        _refuse_unreasoned(row, evidence, what, said, blind=blind)
        _refuse_empty(detail, evidence)


def refuse_second_look(what: Act, own: Review | None, *, blind: bool) -> None:
    """Refuse what would make a second look anything else than the same question, asked blind again."""
    if not (what.verdict or what in (Act.SKIP, Act.NOTE, Act.UNDO, Act.REDO)):
        raise RefusedError("A second look changes nothing", "it measures how steady you are", "choose a side")
    if what.verdict and not blind:
        raise RefusedError("A second look is blind", "names or the judge were shown")
    if own is None:
        raise RefusedError("This is no second look", "no verdict of yours is in force on this row")


def _refuse_confirmation(row: RowEvidence, *, blind: bool) -> None:
    left_as = row.outcome.value.replace("_", " ")
    why = "the judge's is hidden" if blind else f"the judge left this row as {left_as}"
    if blind or row.judged is None:
        raise RefusedError("There is no verdict to confirm", why, "choose a side")


def _refuse_unreasoned(row: RowEvidence, evidence: Evidence, what: Act, said: Said, *, blind: bool) -> None:
    if row.judged is not None and overrides(row, what) and not said.reason.strip() and not blind:
        why = f"the judge said {evidence.said(row.judged)}"
        raise ReasonWanted("Overriding the judge needs a reason", why, "give a reason")


def _refuse_signature(row: RowEvidence) -> None:
    if row.tools is not ToolState.CHANGED:
        broken = row.tools is ToolState.BROKEN
        why = "a broken rule cannot be signed away" if broken else "its tool calls did not change"
        raise RefusedError("There is no tool difference to sign", why)


def _refuse_empty(detail: RowDetail, evidence: Evidence) -> None:
    """Refuse a verdict between two failures: it would count as a vote, and nobody has answered."""
    answers = [detail.newest(name) for name in (evidence.experiment.baseline.name, evidence.candidate)]
    if all(answer is None or answer.failure is not None for answer in answers):
        raise RefusedError(
            "There is nothing to compare", "both answers are errors", "try them again, or skip the row"
        )
