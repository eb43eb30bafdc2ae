"""The review without a screen: one queued row after the other, a key and Enter for each.

For screen readers, pipes and logs: rows go to stdout, the question to stderr, keys come from stdin. The keys
are those of the desk, and so are the rules: what a reader is not to know yet is not printed.
"""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Literal

from bothways.app.cli.line_keys import ACTS, BACK, STEPS, TOOLS, VERDICTS, key_ids, listed
from bothways.app.cli.shown_row import shown_row
from bothways.app.desk.keys import press
from bothways.app.desk.review import blindness
from bothways.app.desk.review.book import Book
from bothways.app.desk.review.conduct import Conduct
from bothways.app.desk.review.filter import Filter
from bothways.app.desk.review.known import others_voted
from bothways.app.desk.review.look import load
from bothways.app.desk.review.order import ORDERS
from bothways.app.desk.review.session import ReviewSession
from bothways.app.desk.review.signs import of_row
from bothways.app.desk.review.told import at_end, verdict_words
from bothways.app.desk.review.views import row_view
from bothways.app.streams import put, say
from bothways.engine.errors import ReasonWanted, RefusedError
from bothways.engine.review import Act
from bothways.engine.text import counted, visible_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bothways.app.desk.review.worklist import Worklist
    from bothways.app.desk.sitting import Pairing, Sitting
    from bothways.store import Store

__all__ = ["walk"]


def walk(store: Store, sitting: Sitting, at: Pairing) -> None:
    """Show the rows that are still to be read and record what is typed, until q or the end of stdin."""
    blind = sitting.reads_blind(at.experiment)
    look = load(store, at.experiment, at.candidate, at.judge, sitting.reviewer, blind=blind)
    session = ReviewSession(look, unveiled=sitting.unveiled)
    say(
        f"{_narrowed(session)}. A key and enter; words behind it are your reason, or a note. "
        f"{press('desk.help')} lists keys."
    )
    _Walk(store, session, sitting).go()
    _say_where(session)


def _narrowed(session: ReviewSession) -> str:
    """Walk what waits, else what only others have decided, else everything; return what it is."""
    work = session.work
    left = work.left()
    if not left:
        return f"No row waits for you: all {work.tally.total} are shown, and yours counts where you vote"
    work.only = frozenset(left)
    work.show_only(Filter())
    if work.tally.unread and not work.tally.left:
        return f"0 rows to read; {len(left)} that others have decided, and yours counts where you vote"
    return f"{counted(len(left), 'row')} to read"


class _Walk:
    """One reader's way through the rows of a session."""

    def __init__(self, store: Store, session: ReviewSession, sitting: Sitting) -> None:
        self._store = store
        self._sitting = sitting
        self._session = session
        self._book = Book(store, session, sitting.now)
        self._conduct = Conduct(session, self._book)
        self._others: dict[str, Callable[[str], None]] = {
            "review.tools": self._tools, "review.filter": self._filter, "review.order": self._order,
            "review.find": self._find, "review.blind": self._blind, "review.swap": self._swap,
            "review.confirm_all": self._confirm_all, "review.note_editor": self._note,
            "desk.help": lambda _: say(listed()),
        }  # fmt: skip
        self._ids = key_ids()

    def go(self) -> None:
        """Show a row and do what is typed, over and over."""
        self._show()
        for line in _lines():
            key, _, words = line.strip().replace("/", "/ ", line.startswith("/")).partition(" ")
            id = self._ids.get(key)
            if id == "desk.quit":
                return
            if id is None:
                say(f"{key!r} is no key; {press('desk.help')} lists them.")
                continue
            try:
                self._do(id, words.strip())
            except ReasonWanted as error:
                self._refused(RefusedError(error.title, error.cause, f"type {key} and why, on one line"))
            except RefusedError as error:
                self._refused(error)

    def _do(self, id: str, words: str) -> None:
        if id in STEPS:
            self._step(*STEPS[id])
        elif id in BACK:
            self._retrace(BACK[id])
        elif id in self._others:
            self._others[id](words)
        else:
            what = self._session.meant(VERDICTS[id]) if id in VERDICTS else ACTS[id]
            self._act(what, words)

    def _refused(self, error: RefusedError) -> None:
        parts = (": ".join(part for part in (error.title, error.cause) if part), error.next_step)
        say(". ".join(f"{part[0].upper()}{part[1:]}" for part in parts if part) + ".")
        shown_last = self._session.shown
        if shown_last is not None and self._store.row(shown_last.row_id) != shown_last:
            self._show()

    def _step(self, by: Literal[1, -1], undecided: bool) -> None:
        if self._session.work.walk.step(by, undecided=undecided):
            self._show()
        else:
            what = "undecided row" if undecided else "row"
            say(f"There is no {what} {'below' if by > 0 else 'above'}.")

    def _act(self, what: Act, words: str) -> None:
        session = self._session
        case_id = session.work.current.case_id
        done = self._conduct.say(what, words)
        say(f"{case_id}: {'voted' if done.then == 'reveal' else what.value} by {session.reader.name}")
        if done.then == "reveal":
            say(f"{session.told}; {self._judge_said()}")
        if done.told and what is not Act.NOTE:
            say(done.told)
        if done.then == "stay":
            return
        if session.work.advance():
            self._show()
        else:
            say(_ended(session.work))

    def _judge_said(self) -> str:
        if (known := self._session.known) is None:
            return ""
        judged = self._session.evidence.said(known.judged) if known.judged else ""
        return f"the judge: {judged or known.outcome.replace('_', ' ')}"

    def _retrace(self, what: Literal["undo", "redo"]) -> None:
        for record in self._book.retrace(what):
            say(f"{record.body['case']}: {what} by {self._session.reader.name}")
        self._show()

    def _tools(self, words: str) -> None:
        word, _, note = words.partition(" ")
        if word in TOOLS:
            self._act(TOOLS[word], note)
        else:
            key = press("review.tools")
            say(f"Say {key} ok, or {key} bad.")

    def _note(self, _: str) -> None:
        if not sys.stdin.isatty():
            raise RefusedError(
                "There is no terminal to give to an editor", next_step=f"{press('review.note')} and your note"
            )
        case_id = self._session.work.current.case_id
        known = self._session.reader.own(case_id).note
        note = self._sitting.editor(known, f"note on {case_id}")
        if note != known:
            self._act(Act.NOTE, note)

    def _filter(self, words: str) -> None:
        session = self._session
        wanted = Filter.of(words)
        if doubts := wanted.doubts(blind=session.reader.blind):
            say(doubts)
        found = wanted.searched(partial(self._store.rows_asking, session.evidence.spec_id))
        say(f"{counted(session.work.show_only(found), 'row')}.")
        self._show()

    def _order(self, words: str) -> None:
        order = next((order for order in ORDERS if words and order.startswith(words)), None)
        if order is None or (self._session.reader.blind and order == "deciding first"):
            say(f"Say {press('review.order')} and one of: {', '.join(ORDERS)}.")
        else:
            self._session.work.set_order(order)
            self._show()

    def _find(self, words: str) -> None:
        if self._session.work.reach(words):
            self._show()
        else:
            say(f"There is no row called {words!r}.")

    def _blind(self, _: str) -> None:
        say(blindness.turn(self._session, self._sitting))
        self._show()

    def _swap(self, _: str) -> None:
        self._session.swap()
        self._show()

    def _confirm_all(self, words: str) -> None:
        bulk = self._book.bulk()
        if words != "yes" or not bulk.rows:
            yes = f"{press('review.confirm_all')} yes"
            agreed = counted(len(bulk.rows), "agreed row")
            say(f"{agreed}; left out: {bulk.rest or 'none'}. {yes} confirms them unread.")
            return
        for record in (records := self._book.confirm(bulk)):
            self._session.took(record)
        confirmed = counted(len(records), "row is", "rows are")
        say(f"{confirmed} confirmed; {press('review.undo')} takes all of them back.")
        if self._session.work.walk.to_first():
            self._show()

    def _show(self) -> None:
        session, known, row = self._session, self._session.known, self._session.row
        if known is None or row is None:
            return
        session.shown = self._store.row(row.row_id)
        work = session.work
        signs = "".join(f" {sign}" for sign in of_row(known))
        where = f"[{work.walk.at + 1}/{len(work.items)}] {row.case_id}{signs}"
        put(f"{where}: {known.reason}. {known.detail}".rstrip(". "))
        put(shown_row(row_view(session, known, session.shown)))
        for voice in known.voices:
            said = verdict_words(session.evidence, voice.verdict, both_bad=voice.both_bad)
            put(f"Said so far: {said}, by {visible_line(voice.reviewer)}")
        if known.mine is None and known.others:
            put(f"{others_voted(known.others)}.")


def _ended(work: Worklist) -> str:
    """Say that none of the rows shown waits, and what can be done then."""
    undo, back, leave = map(press, ("review.undo", "review.previous", "desk.quit"))
    hidden = work.tally.open and work.filter.words
    rest = f": {press('review.filter')} alone shows them" if hidden else ""
    return f"{at_end(work)}{rest}. {undo} takes back, {back} goes back, {leave} leaves."


def _lines() -> Iterator[str]:
    while True:
        sys.stderr.write("> ")
        sys.stderr.flush()
        line = sys.stdin.readline()
        if not line:
            say("")
            return
        yield line


def _say_where(session: ReviewSession) -> None:
    """Say what waits, and how the gate stands: as far as the reader may know that yet."""
    work = session.work
    work.settle(work.question().answer())
    hidden = "how the gate stands is not told to a blind reader while rows wait"
    said = hidden if work.gate_hidden else f"the gate says {work.result.decision.words}"
    say(f"{counted(work.tally.open, 'row')} left to read; {said}.")
