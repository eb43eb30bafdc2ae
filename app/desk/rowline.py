"""One row in one line: where one is, why the row is here, what was said about it so far."""

from __future__ import annotations

from collections.abc import Iterator

from bothways.app.desk.filter import verdict_word
from bothways.app.desk.keys import press
from bothways.app.desk.session import ReviewSession
from bothways.engine.standing import Standing
from bothways.widgets.pages.passes import PassView, sentence
from bothways.widgets.plain import Line, Run, line

__all__ = ["row_line", "to_do"]


def to_do(session: ReviewSession) -> str:
    """Return how many rows of the queue are undecided, by why they are in it."""
    if not session.items:
        return f"no row matches {session.filter}" if session.filter else "no rows"
    left = ", ".join(f"{count:,} {reason}" for reason, count in session.left_over.items())
    return f"to do: {left}" if left else "every row is decided"


def row_line(session: ReviewSession, passes: tuple[PassView, ...]) -> Line:
    """Return the line above the answers."""
    return (
        tuple(_runs(session, passes))
        if session.row is not None
        else line(f" no row matches: {press('desk.back')} shows all rows")
    )


def _runs(session: ReviewSession, passes: tuple[PassView, ...]) -> Iterator[Run]:
    item, row = session.item, session.row
    if item is None or row is None:
        return
    yield Run(f" {session.at + 1:,}/{len(session.items):,} ", "muted")
    yield Run(f"{row.case_id} ", "title")
    yield Run("! high stakes " if row.high_stakes else "", "warn")
    if row.standing is not None:
        yield Run("".join(_said(session, row.standing)), "good")
    yield Run(f"· {item.reason}: ", "strong")
    yield Run(f"{item.detail} ")
    says = sentence(passes)
    yield Run(f"· the judge {says}" if says else f"· {verdict_word(row)}", "muted")


def _said(session: ReviewSession, standing: Standing) -> Iterator[str]:
    if standing.verdict is not None:
        verdict = "equal" if standing.verdict == "tie" else session.variant(standing.verdict)
        said = "both bad (counts as a tie)" if standing.both_bad else verdict
        yield f"✓ {standing.reviewer}: {said} "
    elif standing.skipped:
        yield f"· skipped: {standing.skipped} "
    if standing.tools is not None:
        yield f"· tools {standing.tools} "
