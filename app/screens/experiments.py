"""The first screen: what there is, and how it stands."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import ClassVar

from textual import on
from textual.app import ComposeResult

from bothways.app.desk.keys import Place, press
from bothways.app.desk.overview import (
    COLUMNS,
    RUNNING,
    Entry,
    entries,
    entry_cells,
    glimpsed,
    with_decision,
)
from bothways.app.desk.sitting import Pairing, Sitting
from bothways.app.screens import go
from bothways.app.screens.base import DeskScreen
from bothways.app.screens.bindings import bindings
from bothways.app.screens.latest import Latest
from bothways.widgets.listing import Listing
from bothways.widgets.plain import Line, Run, line

__all__ = ["ExperimentsScreen"]

_EMPTY: tuple[Line, ...] = (
    (Run("  bothways demo              ", "key"), Run("lays out a sample project and opens it here")),
    (Run("  bothways init DIR          ", "key"), Run("scaffolds an experiment of your own")),
    (Run("  bothways run SPEC          ", "key"), Run("runs one; it appears here at once")),
    (Run("  bothways import FILE       ", "key"), Run("takes pairs that another tool has judged")),
)
LOADING: tuple[Line, ...] = (line("reading the file …", "muted"),)


def _empty() -> tuple[Line, ...]:
    key = Run(f"  {press('experiments.new'):<27}", "key")
    return (
        line("There is no experiment in this file yet.", "strong"),
        (),
        (key, Run("makes one here, or takes a spec that is there")),
        *_EMPTY,
    )


def _read_blind(entries: Iterable[Entry], sitting: Sitting) -> list[str]:
    """Return which experiments whoever sits there chose to read blind."""
    return [entry.name for entry in entries if sitting.reads_blind(entry.name)]


class ExperimentsScreen(DeskScreen):
    """Lists the experiments; a key opens the review, the gate or the run."""

    PLACE: ClassVar[Place] = "experiments"
    BINDINGS = bindings("experiments")

    def __init__(self, sitting: Sitting) -> None:
        super().__init__(sitting)
        self.entries: list[Entry] = []
        self._seen = (-1, 0)
        self._loaded = False
        self._blind: list[str] = []
        self._wanted: Callable[[], None] | None = None
        self._reading = Latest(lambda job: self.later("overview", job), self._read, pause_s=0.5, rest=4)

    def body(self) -> ComposeResult:
        """Lay out the list."""
        yield Listing(COLUMNS, empty=LOADING, id="experiments")

    def on_mount(self) -> None:
        """Paint first, read then: a glance is quick enough to be in the first paint."""
        self.headline("bothways", self.sitting.reviewer, str(self.sitting.db))
        self.entries = glimpsed(self.sitting.db)
        if self.entries:
            self._show()
        self.call_after_refresh(self.action_reload)
        self.set_interval(1.0, self._look)

    def _look(self) -> None:
        """Read again when another process has written, or a run is over without a word."""
        if not (self.is_current and self._loaded):
            return
        if self.sitting.change() != self._seen or any(entry.state == RUNNING for entry in self.entries):
            self.action_reload()

    def action_reload(self) -> None:
        """Read what there is, then how each stands, one after the other."""
        self._reading.ask()

    async def _read(self) -> None:
        self._seen = self.sitting.change()
        self.entries = await asyncio.to_thread(self._entries)
        self._blind = _read_blind(self.entries, self.sitting)
        self._show()
        self._first_read()
        for number, entry in enumerate(self.entries):
            self.entries[number] = await asyncio.to_thread(self._decided, entry)
            self._show()

    def _first_read(self) -> None:
        """Go to where the reader was, and do what was asked for before there was a list."""
        if self._loaded:
            return
        self._loaded = True
        self._seek()
        if self._wanted is not None:
            self._wanted()

    def on_screen_resume(self) -> None:
        """Stand on the experiment that was looked at last; where others are read blind by now, read anew."""
        self._seek()
        if self._loaded and _read_blind(self.entries, self.sitting) != self._blind:
            self.entries = [replace(entry, decision="…", signed="", each=()) for entry in self.entries]
            self._show()
            self.action_reload()

    def _seek(self) -> None:
        at = self.sitting.looked_at
        names = [entry.name for entry in self.entries]
        if at is not None and at.experiment in names:
            self.query_one("#experiments", Listing).go(names.index(at.experiment))

    def _entries(self) -> list[Entry]:
        known = {(entry.name, entry.spec_id): entry for entry in self.entries}
        with self.sitting.looking() as store:
            found = entries(store) if store is not None else ()
            return [known.get((entry.name, entry.spec_id), entry) for entry in found]

    def _decided(self, entry: Entry) -> Entry:
        from bothways.app.desk.review.blindness import (
            gate_hidden,
        )  # here: the first paint does not wait for it

        with self.sitting.open() as store:
            return with_decision(store, entry, partial(gate_hidden, store, self.sitting))

    def _show(self) -> None:
        listing = self.query_one("#experiments", Listing)
        listing.empty = _empty()
        listing.show([entry_cells(entry) for entry in self.entries])

    def action_step(self, by: int) -> None:
        """Go to the next experiment, or the one before."""
        self.query_one("#experiments", Listing).action_move(by)

    @on(Listing.Chosen, "#experiments")
    def action_review(self) -> None:
        """Open the review."""
        self._open(go.review_screen)

    def action_gate(self) -> None:
        """Open the gate."""
        self._open(go.gate_screen)

    def action_run(self) -> None:
        """Open the run; it needs no candidate to be chosen."""
        if (entry := self._entry(self.action_run)) is not None:
            self.app.push_screen(go.run_screen(self.sitting, Pairing(entry.name)))

    def action_new(self) -> None:
        """Make a new experiment."""
        self.app.push_screen(go.new_screen(self.sitting))

    def action_follow(self) -> None:
        """Make an experiment that follows the one under the cursor."""
        if (entry := self._entry(self.action_follow)) is not None:
            self.app.push_screen(go.new_screen(self.sitting, entry.name))

    def _entry(self, again: Callable[[], None]) -> Entry | None:
        """Return the entry under the cursor; while the list is being read, do `again` once it is there."""
        if not self._loaded:
            self._wanted = again
            return None
        if not self.entries:
            self.notify("There is no experiment in this file yet.", severity="warning")
            return None
        return self.entries[self.query_one("#experiments", Listing).cursor]

    def _open(self, opener: go.Opener) -> None:
        if (entry := self._entry(lambda: self._open(opener))) is None:
            return
        if len(entry.pairings) == 1:
            self.app.push_screen(opener(self.sitting, entry.pairings[0]))
        else:
            self.later("choose", go.open_one(self, entry.pairings, opener, entry.each))

    def action_back(self) -> None:
        """There is nothing further out than this but leaving."""
        self.notify(f"{press('desk.quit')} leaves the desk; everything is saved.")
