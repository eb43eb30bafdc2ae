"""The run: start it, watch it, pause, resume and stop it. The worker is a process of its own."""

from __future__ import annotations

import time
from typing import ClassVar

from textual.app import ComposeResult

from bothways.app.desk import worker
from bothways.app.desk.bindings import bindings, hints
from bothways.app.desk.gateview import outcome_line
from bothways.app.desk.keys import Place, press
from bothways.app.desk.latest import Latest
from bothways.app.desk.sitting import Pairing, Sitting
from bothways.app.desk.watch import RunLook, Watch, possible
from bothways.app.screens import go
from bothways.app.screens.base import DeskScreen
from bothways.engine.errors import BothwaysError, UsageError
from bothways.engine.ledger import Request
from bothways.widgets.keybar import KeyBar
from bothways.widgets.page import Page
from bothways.widgets.pages.progress import progress_page
from bothways.widgets.plain import line

__all__ = ["RunScreen"]

_TALLY_S = 2.0
"""Seconds between two tallies of a run that goes on."""


class RunScreen(DeskScreen):
    """Watches a run through the store, whoever started it."""

    PLACE: ClassVar[Place] = "run"
    BINDINGS = bindings("run")
    AUTO_FOCUS = "#run"
    DEFAULT_CSS = "RunScreen #run { height: 1fr; padding: 1 2; }"

    def __init__(self, sitting: Sitting, pairing: Pairing) -> None:
        super().__init__(sitting)
        self.pairing = sitting.looked_at = pairing
        self._watch = Watch()
        self._look = Latest(lambda job: self.later("progress", job), self._read, pause_s=0.1)
        self._tallying = Latest(lambda job: self.later("tally", job), self._read_tally, pause_s=_TALLY_S)
        self._known: RunLook | None = None
        self._asked: Request | None = None
        self._tally = ""
        self._seen = -1

    def body(self) -> ComposeResult:
        """Lay out the page."""
        yield Page([line("reading …", "muted")], id="run")

    def on_mount(self) -> None:
        """Look ten times a second whether anything was written, and every second whether it lives."""
        self.headline(self.pairing.experiment, "run")
        self.call_after_refresh(self._look.ask)
        self._tallying.ask()
        self.set_interval(0.1, self._changed)
        self.set_interval(1.0, self._look.ask)

    def _changed(self) -> None:
        if self.is_current and (version := self.sitting.store.version()) != self._seen:
            self._seen = version
            self._look.ask()
            self._tallying.ask()

    async def _read(self) -> None:
        look = await self.apart(self._load)
        if look is not None:
            was_alive, self._known = self._alive, look
            self._show()
            if was_alive and not self._alive:
                self._ended()

    def _load(self) -> RunLook:
        with self.sitting.open() as store:
            spec = store.specs(self.pairing.experiment)[0]
            runs = tuple(store.runs(self.pairing.experiment))
            return RunLook(store.spec(spec.id), store.progress(spec.id), runs)

    async def _read_tally(self) -> None:
        self._tally = await self.apart(self._load_tally) or ""
        if self._known is not None:
            self._show()

    def _load_tally(self) -> str:
        with self.sitting.open() as store:
            try:
                with self.sitting.reading(store, self.pairing) as (_, result, _):
                    return outcome_line(result)
            except UsageError:  # several candidates or judges: there is no one tally
                return ""

    @property
    def _worker(self) -> worker.Worker | None:
        return self.sitting.workers.get(self.pairing.experiment)

    @property
    def _alive(self) -> bool:
        return self._known is not None and bool(self._known.runs) and self._known.runs[0].alive

    def _show(self) -> None:
        if self._known is None:
            return
        view = self._watch.see(self._known, time.monotonic(), asked=self._asked or "", tally=self._tally)
        width = max(10, min(50, self.size.width - 60))
        lines = progress_page(view, width)
        if (started := self._worker) is not None:
            lines += [(), line(f"log: {started.log}", "muted"), line(started.last_words(), "muted")]
        self.query_one("#run", Page).show(lines, keep_place=True)
        self.query_one(KeyBar).set_hints(hints(self.PLACE, possible(self._known)))

    def _ended(self) -> None:
        self._asked = None
        self._tallying.ask()
        self.app.bell()
        self.notify(f"The run of {self.pairing.experiment} has ended.")

    def action_start(self) -> None:
        """Start the worker on what is missing."""
        self._start()

    def action_retry(self) -> None:
        """Start the worker on what failed, too."""
        self._start("--retry-failed")

    def _start(self, *options: str) -> None:
        if self._known is None:
            self.notify("The file is still being read.")
        elif self._known.experiment.imported:
            self.notify(
                "An import brought all there is.", title="There is nothing to run", severity="warning"
            )
        elif self._runs_now():
            self.notify(
                f"A run is going on: this screen follows it. {press('run.pause')} pauses it, "
                f"{press('run.stop')} stops it."
            )
            self._look.ask()
        else:
            self._asked = None
            name = self.pairing.experiment
            self.sitting.workers[name] = worker.start(self.sitting.db, name, options)
            self.notify("The worker starts; it goes on when you leave.")

    def _runs_now(self) -> bool:
        """Whether a run is alive at this moment, whoever started it: what was read last may be older."""
        if self._worker is not None and self._worker.ended is None:
            return True
        runs = self.sitting.store.runs(self.pairing.experiment)
        return bool(runs) and runs[0].alive

    def action_pause(self) -> None:
        """Pause, or resume what was paused."""
        self._ask("resume" if self._asked == "pause" else "pause")

    def action_stop(self) -> None:
        """Stop cleanly: what is in flight is waited for."""
        self._ask("stop")

    def _ask(self, request: Request) -> None:
        if self._known is None or not self._alive:
            self.notify(f"{press('run.start')} starts it.", title="Nothing is running", severity="warning")
            return
        try:
            self.sitting.store.request(self._known.runs[0].id, request, self.sitting.now())
        except BothwaysError as error:
            self.complain(error)
        else:
            self._asked = request
            self._show()

    def action_review(self) -> None:
        """Review the rows."""
        self.app.push_screen(go.review_screen(self.sitting, self.pairing))

    def action_gate(self) -> None:
        """Look at the gate."""
        self.app.push_screen(go.gate_screen(self.sitting, self.pairing))
