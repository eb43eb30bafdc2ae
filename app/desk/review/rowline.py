"""One row in one line: where one is, why the row is here, what was said about it so far."""

from __future__ import annotations

from collections.abc import Iterator

from bothways.app.desk.gateline import gate_lines
from bothways.app.desk.keys import press
from bothways.app.desk.review.known import Known, others_voted
from bothways.app.desk.review.order import ORDERS
from bothways.app.desk.review.session import ReviewSession
from bothways.app.desk.review.signs import of_row
from bothways.app.desk.review.told import verdict_words
from bothways.widgets.plain import Line, Run, line
from bothways.widgets.rowview import PassView, sentence

__all__ = ["foot", "foot_keys", "headline", "progress", "row_line", "to_do"]


def progress(session: ReviewSession) -> str:
    """Return how many of all rows are decided, and how many a filter shows."""
    work = session.work
    if not work.whole:
        return f"{len(work.items):,} of {work.of:,} rows read"
    some = f" (filter shows {len(work.items):,})" if work.filtered else ""
    tally = work.tally
    mine = f", {tally.mine:,} by you" if tally.unread else ""
    return f"{tally.done:,}/{tally.total:,} decided{mine}{some}"


def to_do(session: ReviewSession) -> str:
    """Return how many of the rows shown wait, by why they are in the queue."""
    work = session.work
    if not work.whole:
        return "nothing can be said of them yet"
    if not work.items:
        return f"no row matches {work.filter.text}" if work.filter.text else "no rows"
    left = ", ".join(f"{count:,} {reason}" for reason, count in work.wanted.left.items())
    if left:
        return f"to do: {left}"
    if elsewhere := work.tally.open:
        return f"none left here, {elsewhere:,} elsewhere"
    unread = work.wanted.unread
    goes = press("review.next_open")
    return f"every row is decided, {unread:,} not by you: {goes}" if unread else "every row is decided"


def headline(session: ReviewSession) -> tuple[str, ...]:
    """Return what stands in the title: how far one is, what is left, how it is looked at, and of what."""
    work = session.work
    wanted = work.filter.text if work.items else ""
    parts = (
        progress(session),
        to_do(session),
        f"filter {wanted}" if wanted else "some rows" if work.only else "",
        work.order if work.order != ORDERS[0] else "",
        "blind" if session.reader.blind else "",
    )
    if session.reader.blind:
        return parts
    evidence = session.evidence
    judge = f"judge {evidence.judge}" if evidence.judge else "no judge"
    return (*parts, f"{evidence.experiment.baseline.name} → {evidence.candidate}", judge)


def foot(session: ReviewSession) -> tuple[Line, ...]:
    """Return the line below the answers, in full and shorter: how the gate stands, to nobody blind."""
    if not session.work.whole:
        words = f" Reading all {session.work.of:,} rows: verdicts can be given when they are there."
        return (line(words, "muted"),)
    if session.work.gate_hidden:
        return (line(" Blind: how the gate stands is not told while rows wait for you.", "muted"),)
    return gate_lines(session.work.result)


_FOOT = frozenset({"review.left", "review.right", "review.equal"})


def foot_keys(session: ReviewSession | None) -> frozenset[str]:
    """Return the ids of the keys that the footer names: what is likely wanted of the row as it stands."""
    known = session.known if session is not None else None
    if session is None or known is None:
        return _FOOT | {"review.confirm", "review.undo", "review.next_open"}
    if session.told:
        return _FOOT | {"review.undo", "review.onwards"}
    if known.veiled:
        by_hand = set() if session.evidence.experiment.review.blind else {"review.blind"}
        return _FOOT | {"review.undo", "review.next_open"} | by_hand
    other = "review.confirm_all" if known.reason == "agreed" else "review.undo"
    return _FOOT | {"review.confirm", "review.next_open", other}


def row_line(session: ReviewSession, passes: tuple[PassView, ...], *, draft: str = "") -> Line:
    """Return the line above the answers; `draft` names what was begun on the row and not saved."""
    known = session.known
    if known is None:
        return line(f" no row matches: {press('desk.back')} shows all rows")
    return tuple(_runs(session, known, passes, draft))


def _runs(session: ReviewSession, known: Known, passes: tuple[PassView, ...], draft: str) -> Iterator[Run]:
    yield Run(f" {session.work.walk.at + 1:,}/{len(session.work.items):,} ", "muted")
    yield Run(f"{known.case_id} ", "title")
    if session.told:
        yield Run(f"· {session.told} · {press('review.next_open')} goes on ", "accent")
        yield from _said(session, known)
        yield Run(f"· the judge {sentence(passes)}", "muted")
        return
    for sign in of_row(known):
        yield Run(f"{sign} ", sign.tone)
    yield Run(f"· {draft} draft " if draft else "", "warn")
    yield from _said(session, known)
    yield Run(f"· {known.reason}: ", "strong")
    yield Run(f"{known.detail} ")
    if session.reader.blind and not known.veiled and known.mine is None:
        yield Run("· seen before: its names stay known ", "muted")
    if known.veiled:
        if session.unveiled and not known.second:
            yield Run("· seen before with its names: no vote on it is blind ", "warn")
        yield Run("· blind: names and judge are hidden until you vote", "muted")
    else:
        says = sentence(passes)
        yield Run(f"· the judge {says}" if says else "· no judge looked at it", "muted")


def _said(session: ReviewSession, known: Known) -> Iterator[Run]:
    """Yield what people said: to those who have not voted only how many others have."""
    for voice in sorted(known.voices, key=lambda voice: voice is not known.mine):
        said = verdict_words(session.evidence, voice.verdict, both_bad=voice.both_bad)
        yield Run(f"✓ {voice.reviewer}: {said} ", "good")
    if known.disputed:
        yield Run("· reviewers differ ", "warn")
    if known.mine is None and known.others:
        yield Run(f"· {others_voted(known.others)} ", "muted")
    if known.skipped:
        yield Run(f"· skipped: {known.skipped} ", "good")
    if known.signed:
        yield Run(f"· tools {known.signed} ", "good")
    if known.note:
        yield Run("· noted ", "good")
