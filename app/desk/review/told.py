"""What is said after an act, where the row itself does not show it. Knows no Textual."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, get_args

from bothways.app.desk.keys import press
from bothways.engine.ledger import Record
from bothways.engine.verdicts import Verdict

if TYPE_CHECKING:
    from bothways.app.desk.review.session import ReviewSession
    from bothways.app.desk.review.worklist import Worklist
    from bothways.engine.analysis.model import Evidence
    from bothways.engine.facts import JsonObject
    from bothways.engine.standing import Standing

__all__ = ["recorded", "told_after", "told_at_end", "told_of_retrace", "verdict_words"]

_KINDS = {"note": "the note", "skip": "the skip", "confirm": "the confirmation", "clear": "the clearing"}


def verdict_words(evidence: Evidence, verdict: Verdict, *, both_bad: bool) -> str:
    """Return what somebody said, and how that counts where the words do not tell."""
    said = evidence.said(verdict, both_bad=both_bad)
    return f"{said} (counts as a tie)" if both_bad else said


def recorded(evidence: Evidence, body: JsonObject) -> str:
    """Return what a record says who is better; "" where it gives no verdict."""
    verdict = next((one for one in get_args(Verdict) if one == body.get("verdict")), None)
    return verdict_words(evidence, verdict, both_bad=bool(body.get("both_bad"))) if verdict else ""


def told_after(session: ReviewSession, before: Standing | None, record: Record) -> str:
    """Say what an act did besides what shows: that a note was kept, whose verdict no longer counts.

    `before` is how the row stood. Where the latest verdict counts, another's does not go without a word.
    """
    case_id = str(record.body["case"])
    if record.body.get("act") == "note":
        return f"{case_id}: the note is saved."
    row = session.work.named(case_id)
    now = row.standing if row is not None else None
    if now is None or before is None or before.verdict is None or now.reviewer == before.reviewer:
        return ""
    if (now.verdict, now.both_bad) == (before.verdict, before.both_bad):
        return ""
    said = verdict_words(session.evidence, before.verdict, both_bad=before.both_bad)
    whose = "yours" if now.reviewer == session.reader.name else f"that of {now.reviewer}"
    return f"{case_id}: {before.reviewer} said {said}; {whose} counts now."


def told_at_end(work: Worklist) -> str:
    """Say that none of the rows shown waits, and where others are; "" while one does."""
    if work.wanted.left:
        return ""
    elsewhere = work.tally.total - work.tally.done
    if elsewhere:
        back = press("desk.back")
        way = f"{back} shows them" if work.filter.words else f"{back} leads out, to all rows"
        return f"None of the rows shown waits; {elsewhere:,} others do: {way}."
    unread = work.wanted.unread
    others = f" {unread:,} of them not by you: they come now." if unread else ""
    return f"Every row of this queue is decided: {press('review.gate')} looks at the gate.{others}"


def told_of_retrace(session: ReviewSession, what: Literal["undo", "redo"], records: Sequence[Record]) -> str:
    """Say what was taken back, or done again, and where."""
    done = "Taken back" if what == "undo" else "Done again"
    if len(records) != 1:
        return f"{done}: {len(records):,} rows that were confirmed together."
    case_id = str(records[0].body["case"])
    return f"{done}: {_about(session, records[0])} on {case_id}."


def _about(session: ReviewSession, record: Record) -> str:
    """Name the act that an undo or a redo is about; a redo is about an undo of it."""
    by_seq = {one.seq: one.body for one in session.records_on(str(record.body["case"]))}
    body: JsonObject = record.body
    while isinstance(seq := body.get("undoes"), int) and seq in by_seq:
        body = by_seq[seq]
    act = str(body.get("act"))
    if act == "tools":
        return f"the signature “{body.get('signed')}” under the tool calls"
    if act == "verdict":
        return f"the verdict “{recorded(session.evidence, body)}”"
    return _KINDS.get(act, act)
