"""What is said after an act, where the row itself does not show it. Knows no Textual."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, get_args

from bothways.app.desk.keys import press
from bothways.engine.ledger import Record
from bothways.engine.standing import GIVES, Rule
from bothways.engine.text import agreeing, counted
from bothways.engine.verdicts import Verdict

if TYPE_CHECKING:
    from bothways.app.desk.review.session import ReviewSession
    from bothways.app.desk.review.worklist import Worklist
    from bothways.engine.analysis.model import Evidence
    from bothways.engine.facts import JsonObject
    from bothways.engine.standing import Standing, Voice

__all__ = ["at_end", "recorded", "told_after", "told_at_end", "told_of_retrace", "verdict_words"]

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

    `before` is how the row stood. Another's verdict does not go without a word, be it that the reader's
    counts in its place or that none does until somebody settles it.
    """
    case_id = str(record.body["case"])
    if record.body.get("act") == "note":
        return f"{case_id}: the note is saved."
    row = session.work.named(case_id)
    now = row.standing if row is not None else None
    if now is None or before is None or before.verdict is None or not _speaks(record):
        return ""
    rule = Rule.of(session.evidence.experiment.review)
    so_far = [voice for voice in rule.carriers(before.voices) if voice.both_bad == before.both_bad]
    who = _other(so_far, session.reader.name) or before.reviewer
    if who == now.reviewer or (now.verdict, now.both_bad) == (before.verdict, before.both_bad):
        return ""
    said = verdict_words(session.evidence, before.verdict, both_bad=before.both_bad)
    return f"{case_id}: {who} said {said}; {_counts_now(now, rule, session.reader.name)}."


def _speaks(record: Record) -> bool:
    return record.body.get("act") in (*GIVES, "clear")


def _other(voices: Sequence[Voice], reader: str) -> str:
    """Return who of those that a verdict rested on spoke last, but for the reader; "" where nobody did."""
    return next((voice.reviewer for voice in reversed(voices) if voice.reviewer != reader), "")


def _counts_now(now: Standing, rule: Rule, reader: str) -> str:
    """Say whose verdict counts, and where none does who has to settle it."""
    if now.verdict is not None:
        return f"{'yours' if now.reviewer == reader else f'that of {now.reviewer}'} counts now"
    two = len(now.voices) == 2 and any(voice.reviewer == reader for voice in now.voices)
    settles = rule.adjudicator if rule.policy == "adjudicator" else "a majority"
    return f"{'the two of you' if two else 'reviewers'} differ, and nothing counts until {settles} decides"


def at_end(work: Worklist) -> str:
    """Say that none of the rows shown waits, and whether others do; "" while one does."""
    if work.wanted.left:
        return ""
    if elsewhere := work.tally.open:
        does = agreeing(elsewhere, "does", "do")
        return f"None of the rows shown waits; {counted(elsewhere, 'other')} {does}"
    return "Every row of this queue is decided"


def told_at_end(work: Worklist) -> str:
    """Say that none of the rows shown waits, and the keys to what comes then; "" while one does."""
    said = at_end(work)
    if not said:
        return ""
    if work.tally.open:
        where = "shows them" if work.filter.words else "leads out, to all rows"
        return f"{said}: {press('desk.back')} {where}."
    unread = work.wanted.unread
    come = agreeing(unread, "it comes", "they come")
    others = f" {unread:,} of them not by you: {come} now." if unread else ""
    return f"{said}: {press('review.gate')} looks at the gate.{others}"


def told_of_retrace(session: ReviewSession, what: Literal["undo", "redo"], records: Sequence[Record]) -> str:
    """Say what was taken back, or done again, and where."""
    done = "Taken back" if what == "undo" else "Done again"
    if len(records) != 1:
        return f"{done}: {counted(len(records), 'row')} that were confirmed together."
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
