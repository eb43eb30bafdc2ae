"""Whatever is done in whatever order, and wherever it is broken off: the desk says what the store says."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.app.desk.shop import AT, fill

from bothways.app.desk.book import Book
from bothways.app.desk.look import load
from bothways.app.desk.session import ReviewSession
from bothways.engine.errors import RefusedError
from bothways.engine.review import Act
from bothways.store import Store, open_store

STEPS = st.sampled_from([*Act, "bulk", "next", "reopen", "blind"])


def do(step: str, session: ReviewSession, store: Store) -> ReviewSession:
    """Do one thing that a reviewer can do; what is refused changes nothing."""
    book = Book(store, session, lambda: AT)
    match step:
        case "next":
            session.advance()
        case "reopen":
            return opened(store, session.reader.name)
        case "blind":
            session.set_blind(not session.reader.blind)
        case "bulk":
            for record in book.confirm(book.bulk()):
                session.took(record)
        case Act.UNDO:
            book.retrace(Act.UNDO)
        case Act.REDO:
            book.retrace(Act.REDO)
        case _:
            book.say(Act(step), note="why", reason="because")
    return session


def opened(store: Store, name: str) -> ReviewSession:
    return ReviewSession(load(store, "plain line", None, None, name))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(STEPS, max_size=8), st.lists(STEPS, max_size=8))
def test_after_any_acts_the_desk_has_the_verdicts_of_the_store(before: list[str], steps: list[str]) -> None:
    with TemporaryDirectory() as folder, open_store(fill(Path(folder) / "x.db", 9, words=3)) as store:
        other = opened(store, "ann")
        for step in before:
            with suppress(RefusedError):
                other = do(step, other, store)
        name = "kim"
        session = opened(store, name)
        for step in steps:
            records = len(store.records("plain line", "review"))
            try:
                session = do(step, session, store)
            except RefusedError:
                assert len(store.records("plain line", "review")) == records
        fresh = opened(store, name)
        assert list(session.snapshot()[0].rows) == list(fresh.snapshot()[0].rows)
        assert session.tally.done == fresh.tally.done
        waits = {item.case_id: session.knows(item).open for item in session.items}
        assert waits == {item.case_id: fresh.knows(item).open for item in fresh.items}
        assert store.broken() is None
