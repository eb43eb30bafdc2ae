"""Whatever people do in whatever order, and wherever it is broken off: every place says what it means.

Two people at desks, scripts beside them, somebody on a copy whose reviews are merged, undo and redo, windows
closed, and crashes between any two statements of the database.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test
from tests.app.shop import AT, EXPERIMENT, row
from tests.app.sittings.meaning import Meaning
from tests.app.sittings.places import NAME, Places, command

from bothways.app.desk.review.book import Book
from bothways.app.desk.review.look import load
from bothways.app.desk.review.session import ReviewSession
from bothways.engine import clock
from bothways.engine.errors import RefusedError
from bothways.engine.exchange.merging import from_records, merge
from bothways.engine.experiment import Policy, ReviewSettings
from bothways.engine.review import Act
from bothways.engine.verdicts import Verdict
from bothways.store import Store, open_store

ROWS = 9
CASES = [f"r-{n:05}" for n in range(ROWS)]
_BOTH: tuple[Verdict | None, ...] = (
    "candidate", None, None, "baseline", "tie", None, "candidate", "candidate", "candidate",
)  # fmt: skip
JUDGED = dict(zip(CASES, _BOTH, strict=True))
"""What both passes of a row say, where they say the same: see VERDICTS of the shop."""
OTHER_TOOLS = frozenset({CASES[6]})

desks = st.sampled_from(["kim", "lee"])
cases = st.sampled_from([CASES[n] for n in (0, 1, 6, 7)])
"""Agreed and flipped, of high stakes and not, with other tools: few rows, so that people meet on them."""
on_a_row = st.sampled_from([act for act in Act if act not in (Act.UNDO, Act.REDO)])


@pytest.fixture(scope="module", params=get_args(Policy))
def pristine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Policy]:
    """A file in which nobody has said anything, and the rule that counts in it."""
    path = tmp_path_factory.mktemp("pristine") / "x.db"
    review = ReviewSettings(high_stakes_tags=("refund",), policy=request.param, adjudicator="lee")
    with open_store(path) as store:
        store.take(
            EXPERIMENT.model_copy(update={"review": review}), (row(n, words=3) for n in range(ROWS)), AT
        )
    return path, request.param


class Ticking(datetime):
    """A clock that goes on by a second whenever somebody looks at it."""

    seconds = count()

    @classmethod
    def now(cls, tz: Any = None) -> Ticking:
        return cls.fromtimestamp(1_800_000_000 + next(cls.seconds), UTC)


class Desk:
    """One person's window: a connection of its own, and the session on it."""

    def __init__(self, path: Path, name: str) -> None:
        self.store = open_store(path)
        self.session = ReviewSession(load(self.store, NAME, None, None, name))
        self.fresh = True

    @property
    def book(self) -> Book:
        return Book(self.store, self.session, clock.now)

    def at(self, case: str) -> Book:
        """Go to a row."""
        assert self.session.work.reach(case)
        return self.book

    def look(self) -> ReviewSession:
        """Return the session as it is after looking again at what is there."""
        name, blind = self.session.reader.name, self.session.reader.blind
        return self.session.refreshed(load(self.store, NAME, None, None, name, blind=blind))


class Sittings(RuleBasedStateMachine):
    """Does anything that people can do; `meaning` is told the same in other words."""

    def __init__(self, pristine: Path, policy: Policy) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.clock = patch.object(clock, "datetime", Ticking)
        self.clock.start()
        self.pristine = pristine
        self.path = Path(shutil.copy(pristine, Path(self.folder.name) / "x.db"))
        self.copy = Path(shutil.copy(pristine, Path(self.folder.name) / "copy.db"))
        self.meaning = Meaning(policy, "lee", JUDGED, OTHER_TOOLS)
        self.crashes = count()
        self.elsewhere = Desk(self.copy, "ann")
        self.open()

    def open(self) -> None:
        self.desks = {name: Desk(self.path, name) for name in ("kim", "lee")}

    def others(self, name: str) -> None:
        """Note that the windows of others no longer show all that there is."""
        for who, desk in self.desks.items():
            desk.fresh = desk.fresh and who == name

    def records(self, store: Store) -> int:
        return len(store.records(NAME, "review"))

    def does(self, desk: Desk, acting: Callable[[], object]) -> bool:
        """Do something; say whether it was refused, which leaves everything as it was."""
        before = self.records(desk.store)
        try:
            acting()
        except RefusedError:
            assert self.records(desk.store) == before
            return False
        return True

    @rule(who=desks, case=cases, what=on_a_row)
    def says(self, who: str, case: str, what: Act) -> None:
        desk = self.desks[who]
        book = desk.at(case)
        veiled = desk.session.known is not None and desk.session.known.veiled
        done = self.does(desk, lambda: book.say(what, note="n", reason="because"))
        assert done is not (self.meaning.refuses(who, case, what) or (veiled and what is Act.CONFIRM))
        if done:
            self.meaning.says(who, [case], what)
            self.others(who)

    @rule(who=desks)
    def undoes(self, who: str) -> None:
        desk = self.desks[who]
        done = self.does(desk, lambda: desk.book.retrace("undo"))
        assert done is self.meaning.undo(who)
        self.others(who)

    @rule(who=desks)
    def redoes(self, who: str) -> None:
        desk = self.desks[who]
        done = self.does(desk, lambda: desk.book.retrace("redo"))
        assert done is self.meaning.redo(who)
        self.others(who)

    @rule(who=desks)
    def confirms_all(self, who: str) -> None:
        desk = self.desks[who]
        bulk = desk.book.bulk()

        def acting() -> None:
            for record in desk.book.confirm(bulk):
                desk.session.took(record)

        done = self.does(desk, acting)
        assert done or not desk.fresh
        if done:
            self.meaning.says(who, [row.case_id for row in bulk.rows], Act.CONFIRM)
            self.others(who)

    @rule(who=desks)
    def hides_or_shows(self, who: str) -> None:
        desk = self.desks[who]
        desk.session.work.set_blind(not desk.session.reader.blind)

    @rule(who=desks)
    def looks_again(self, who: str) -> None:
        desk = self.desks[who]
        desk.session, desk.fresh = desk.look(), True

    @rule(who=desks)
    def reopens_without_closing(self, who: str) -> None:
        self.desks[who] = Desk(self.path, who)

    @rule(who=st.sampled_from(["kim", "lee", "ann"]), case=cases, what=on_a_row)
    def says_by_script(self, who: str, case: str, what: Act) -> None:
        done = command(self.path, "verdict", NAME, case, what.value, "--reviewer", who, "--note", "n")
        assert (done.exit_code != 0) is self.meaning.refuses(who, case, what), done.output
        if done.exit_code == 0:
            self.meaning.says(who, [case], what)
            self.others("")

    @rule(who=desks, case=cases)
    def undoes_by_script(self, who: str, case: str) -> None:
        done = command(self.path, "verdict", NAME, case, "undo", "--reviewer", who)
        assert (done.exit_code == 0) is self.meaning.undo(who, case=case), done.output
        self.others("")

    @rule(case=cases, what=on_a_row)
    def says_elsewhere(self, case: str, what: Act) -> None:
        book = self.elsewhere.at(case)
        done = self.does(self.elsewhere, lambda: book.say(what, note="n", reason="because"))
        assert done is not self.meaning.refuses("ann", case, what, "elsewhere")
        if done:
            self.meaning.says("ann", [case], what, "elsewhere")

    @rule(what=st.sampled_from([Act.UNDO, Act.REDO]))
    def takes_back_elsewhere(self, what: Any) -> None:
        retrace = self.meaning.undo if what is Act.UNDO else self.meaning.redo
        done = self.does(self.elsewhere, lambda: self.elsewhere.book.retrace(what))
        assert done is retrace("ann", "elsewhere")

    @rule()
    def merges(self) -> None:
        done = command(self.path, "merge", NAME, str(self.copy))
        assert done.exit_code == 0, done.output
        self.meaning.merge()
        self.others("")

    @rule(who=desks, case=cases, what=st.sampled_from([Act.TIE, Act.CLEAR, Act.UNDO, Act.REDO, "all"]),
          statements=st.integers(1, 30))  # fmt: skip
    def crashes_while_saying(self, who: str, case: str, what: Any, statements: int) -> None:
        """What lies on the disk before a statement is what a killed process leaves there."""
        desk = self.desks[who]
        rows = [row.case_id for row in desk.book.bulk().rows] if what == "all" else [case]

        def acting() -> None:
            book = desk.at(case)
            if what == "all":
                book.confirm(book.bulk())
            elif what in (Act.UNDO, Act.REDO):
                book.retrace(what)
            else:
                book.say(what, note="n", reason="because")

        if not self.crash(desk.store, acting, statements):
            return
        if what is Act.UNDO:
            self.meaning.undo(who)
        elif what is Act.REDO:
            self.meaning.redo(who)
        else:
            self.meaning.says(who, rows, Act.CONFIRM if what == "all" else what)

    @rule(statements=st.integers(1, 60))
    def crashes_while_merging(self, statements: int) -> None:
        store = self.desks["kim"].store

        def acting() -> None:
            with open_store(self.copy) as other, store.writing():
                merge(store, NAME, [from_records("copy", other.records(NAME))], clock.now())

        if self.crash(store, acting, statements):
            self.meaning.merge()

    def crash(self, store: Store, acting: Callable[[], None], statements: int) -> bool:
        """Do something, go on with what was on the disk before its n-th statement: was it all there?"""
        before = self.records(store)
        left = iter(range(statements, 0, -1))
        crashed = Path(self.folder.name) / f"crashed-{next(self.crashes)}.db"

        def before_each(_: str) -> None:
            if next(left, 0) == 1:
                self.pull_the_plug(crashed)

        store._db.conn.set_trace_callback(before_each)
        with suppress(RefusedError):
            acting()
        store._db.conn.set_trace_callback(None)
        after = self.records(store)
        if not crashed.exists():
            self.pull_the_plug(crashed)
        for desk in self.desks.values():
            desk.store.close()
        self.path = crashed
        self.open()
        found = self.records(self.desks["kim"].store)
        assert found in (before, after)
        return found == after != before

    def pull_the_plug(self, to: Path) -> None:
        for ending in ("", "-wal"):
            source = self.path.with_name(self.path.name + ending)
            if source.exists():
                shutil.copy(source, to.with_name(to.name + ending))

    @precondition(lambda self: any(desk.fresh for desk in self.desks.values()))
    @rule()
    def every_window_shows_what_it_means(self) -> None:
        """A window in which all was done that was done shows it at once, without looking again."""
        expected = {case: (means.final, means.disputed) for case, means in self.meaning.rows().items()}
        for desk in self.desks.values():
            if desk.fresh:
                rows = desk.session.work.snapshot().rows
                assert {row.case_id: (row.final, row.disputed) for row in rows} == expected

    def teardown(self) -> None:
        try:
            self.compare()
        finally:
            self.clock.stop()
            for desk in (*self.desks.values(), self.elsewhere):
                desk.store.close()
            self.folder.cleanup()

    def compare(self) -> None:
        """Compare every place with the meaning, and each window with one that was opened just now."""
        Places(self.path, self.pristine, self.meaning.rows()).agree()
        for name, desk in self.desks.items():
            seen, new = desk.look(), Desk(self.path, name)
            new.session.work.set_blind(seen.reader.blind)
            assert list(seen.work.snapshot().rows) == list(new.session.work.snapshot().rows)
            assert seen.work.tally.done == new.session.work.tally.done
            waits = {item.case_id: seen.work.knows(item).open for item in seen.work.items}
            assert waits == {
                item.case_id: new.session.work.knows(item).open for item in new.session.work.items
            }
            new.store.close()
        self.desks["kim"].fresh = True
        self.desks["kim"].session = self.desks["kim"].look()
        self.every_window_shows_what_it_means()


def tried(pristine: tuple[Path, Policy], examples: int, steps: int) -> None:
    run_state_machine_as_test(
        lambda: Sittings(*pristine),  # type: ignore[arg-type]
        settings=settings(
            max_examples=examples, stateful_step_count=steps, deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )  # fmt: skip


def test_every_place_says_what_people_mean(pristine: tuple[Path, Policy]) -> None:
    tried(pristine, examples=20, steps=25)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_every_place_says_what_people_mean_for_a_long_time(pristine: tuple[Path, Policy]) -> None:
    tried(pristine, examples=50, steps=30)
