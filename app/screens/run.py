"""The run: start it, watch it, pause, resume and stop it. The worker is a process of its own."""

from __future__ import annotations

import time
from typing import ClassVar

from textual import on
from textual.app import ComposeResult

from bothways.app.desk.keys import Place
from bothways.app.desk.run.failed import failed_cases
from bothways.app.desk.run.look import RunLook, possible
from bothways.app.desk.run.orders import Order, Orders
from bothways.app.desk.run.reader import RunReader
from bothways.app.desk.run.tally import known_pairings, tallies
from bothways.app.desk.run.watch import Watch
from bothways.app.desk.sitting import Pairing, Sitting
from bothways.app.screens import go
from bothways.app.screens.base import DeskScreen
from bothways.app.screens.bindings import bindings, hints
from bothways.app.screens.latest import Latest
from bothways.engine.errors import BothwaysError
from bothways.widgets.keybar import KeyBar
from bothways.widgets.lines import Brief
from bothways.widgets.listing import Listing
from bothways.widgets.page import Page
from bothways.widgets.pages.progress import ERROR_COLUMNS, ErrorView, error_cells, progress_page, remedy
from bothways.widgets.plain import line

__all__ = ["RunScreen"]

_TALLY_S = 2.0
"""Seconds between two tallies of a run that goes on."""
_LAST_WORDS = 4
"""Lines of a worker's log that are shown when it did not end by itself."""


class RunScreen(DeskScreen):
    """Watches a run through the store, whoever started it."""

    PLACE: ClassVar[Place] = "run"
    BINDINGS = bindings("run")
    AUTO_FOCUS = "#run"
    DEFAULT_CSS = """
    RunScreen {
        & #run { height: 1fr; padding: 1 2; }
        &.-short #run { padding: 0 1; }
        & #errors { height: 6; padding: 0 1; border-top: hkey $panel; }
        &.-short #errors { height: 25%; min-height: 4; }
        & #remedy { height: 4; padding: 0 1; }
        & #errors, & #remedy { display: none; }
        &.-errors #errors, &.-errors #remedy { display: block; }
    }
    """

    def __init__(self, sitting: Sitting, pairing: Pairing) -> None:
        super().__init__(sitting)
        self.pairing = sitting.looked_at = pairing
        self._reader = RunReader(sitting, pairing.experiment)
        self._orders = Orders(sitting, pairing.experiment)
        self._watch = Watch()
        self._look = Latest(lambda job: self.later("progress", job), self._read, pause_s=0.1, rest=4)
        self._tallying = Latest(
            lambda job: self.later("tally", job), self._read_tally, pause_s=_TALLY_S, rest=9
        )
        self._known: RunLook | None = None
        self._errors: tuple[ErrorView, ...] = ()
        self._tally: list[str] = []
        self._seen = -1
        self._wanted: Order | None = None

    @property
    def about(self) -> tuple[object, ...]:
        """Which experiment."""
        return (self.pairing.experiment,)

    def body(self) -> ComposeResult:
        """Lay out the page, and below it the errors by kind."""
        yield Page([line("reading …", "muted")], id="run")
        yield Listing(ERROR_COLUMNS, id="errors")
        yield Brief(id="remedy")

    def on_mount(self) -> None:
        """Look ten times a second whether anything was written, and every second whether it lives."""
        self.headline(self.pairing.experiment, "run")
        self.watch(self.query_one("#errors", Listing), "cursor", self._show_remedy, init=False)
        self.call_after_refresh(self._look.ask)
        self._tallying.ask()
        self.set_interval(0.1, self._changed)
        self.set_interval(1.0, self._look.ask)

    def on_unmount(self) -> None:
        """Give the reader's connection back."""
        self._reader.close()

    def _changed(self) -> None:
        if self.is_current and (version := self.sitting.store.version()) != self._seen:
            self._seen = version
            self._look.ask()
            self._tallying.ask()

    async def _read(self) -> None:
        try:
            look = await self._reader.read()
        except BothwaysError as error:
            self.complain(error)
            return
        was_alive, self._known = self._known is not None and self._known.alive, look
        self._show()
        if was_alive and not look.alive:
            self._tallying.ask()
        if self._wanted is not None:  # asked for before there was anything to see
            order, self._wanted = self._wanted, None
            self._give(order, look)

    async def _read_tally(self) -> None:
        self._tally = await self.apart(lambda: tallies(self.sitting, self.pairing)) or []
        self._show()

    def _show(self) -> None:
        look = self._known
        if look is None:
            return
        started = self.sitting.workers.get(self.pairing.experiment)
        words = [] if started is None or look.alive else started.fate(_LAST_WORDS)
        log = "" if started is None else str(started.log)
        view = self._watch.see(look, time.monotonic(), tally=self._tally, worker=words, log=log)
        width = max(10, min(50, self.size.width - 60))
        self.query_one("#run", Page).show(progress_page(view, width), keep_place=True)
        self._show_errors(view.errors)
        self._show_remedy()
        self.query_one(KeyBar).set_hints(hints(self.PLACE, possible(look)))

    def _show_errors(self, errors: tuple[ErrorView, ...]) -> None:
        """Show the errors by kind: their list takes the keys as it comes, and gives them back as it goes."""
        came_or_went = bool(errors) != bool(self._errors)
        self._errors = errors
        self.set_class(bool(errors), "-errors")
        listing = self.query_one("#errors", Listing)
        listing.show([error_cells(error) for error in errors])
        if came_or_went:
            (listing if errors else self.query_one("#run", Page)).focus()

    def action_order(self, order: Order) -> None:
        """Start, retry, pause, resume or stop; before there is anything to see it is kept in mind."""
        if self._known is None:
            self._wanted = order
        else:
            self._give(order, self._known)

    def _give(self, order: Order, look: RunLook) -> None:
        try:
            if said := self._orders.give(order, look):
                self.notify(said)
        except BothwaysError as error:
            self.complain(error)
        self._look.ask()

    @on(Listing.Chosen, "#errors")
    def _open_errors(self, event: Listing.Chosen) -> None:
        self.later("errors", self._open_failed(self._errors[event.row].kind))

    def _show_remedy(self) -> None:
        if self._errors:
            error = self._errors[self.query_one("#errors", Listing).cursor]
            self.query_one("#remedy", Brief).show(remedy(error))

    async def _open_failed(self, kind: str) -> None:
        """Review the rows that failed in one way."""
        cases = await self.apart(lambda: failed_cases(self.sitting, self.pairing.experiment, kind))
        if cases:
            await self._open_one(lambda sitting, one: go.review_screen(sitting, one, cases))

    async def _open_one(self, opener: go.Opener) -> None:
        if known := await self.apart(lambda: known_pairings(self.sitting, self.pairing)):
            await go.open_one(self, known, opener)

    def action_review(self) -> None:
        """Review the rows."""
        self.later("open", self._open_one(go.review_screen))

    def action_gate(self) -> None:
        """Look at the gate."""
        self.later("open", self._open_one(go.gate_screen))
