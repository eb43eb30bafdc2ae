"""The gate: conditions and the rows behind them, what would change it, the honest figures, the signature."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal

from bothways.app.desk.copies import Copy
from bothways.app.desk.gate.look import GateLook, GatePage, hidden, load, page, refusal, sign
from bothways.app.desk.gate.words import condition_view, signature
from bothways.app.desk.gateline import gate_lines
from bothways.app.desk.keys import Place
from bothways.app.desk.sitting import Pairing, Sitting
from bothways.app.screens import go
from bothways.app.screens.base import DeskScreen
from bothways.app.screens.bindings import bindings
from bothways.app.screens.latest import Latest
from bothways.engine.gate import honest
from bothways.engine.gate.model import Condition
from bothways.engine.gate.outlook import outlook
from bothways.engine.ledger import Record
from bothways.engine.text import excerpt
from bothways.widgets.columns import Column
from bothways.widgets.conditions import Conditions
from bothways.widgets.dialogs import Confirm, Filled
from bothways.widgets.lines import OneLine
from bothways.widgets.listing import Listing
from bothways.widgets.page import Page
from bothways.widgets.pages.conditions import condition_page
from bothways.widgets.plain import Run, line
from bothways.widgets.sign import Sign
from bothways.widgets.tabs import TabBar

__all__ = ["GateScreen"]

_TABS: tuple[GatePage, ...] = ("condition", "change", "figures", "decisions")
_WIDE = _TABS[2:]
"""The tabs of a wide screen, which shows the other two all the time."""


class GateScreen(DeskScreen):
    """Shows the gate as it stands; enter opens the rows behind a condition, a key signs the decision.

    A wide screen shows the condition and what would change the decision beside the figures or the
    decisions on record; a narrow one shows one page at a time.
    """

    PLACE: ClassVar[Place] = "gate"
    BINDINGS = bindings("gate")
    AUTO_FOCUS = "#conditions"
    DEFAULT_CSS = """
    GateScreen {
        & #decision { background: $panel; }
        & #conditions { height: auto; max-height: 65%; }
        & #below { height: 1fr; }
        & #cases { width: 24; border-right: vkey $panel; }
        & Page { padding: 0 1; }
        & #page { border-left: vkey $panel; }
        &.-narrow #page { display: none; border-left: none; }
        &.-narrow.-page #page { display: block; }
        &.-narrow.-page #cases, &.-narrow.-page #condition { display: none; }
    }
    """

    def __init__(self, sitting: Sitting, pairing: Pairing) -> None:
        super().__init__(sitting)
        self._blind = sitting.reads_blind(pairing.experiment)
        self._agreed = False
        self.pairing = sitting.looked_at = pairing
        self._known: GateLook | None = None
        self._look = Latest(lambda job: self.later("gate", job), self._read, pause_s=0.5)
        self._seen = (-1, 0)
        self._tab: GatePage = "condition"
        self._signed: Record | None = None
        self._note = ""

    @property
    def about(self) -> tuple[object, ...]:
        """Which pairing, and whether to eyes that are blind."""
        return (self.pairing, self._blind)

    def body(self) -> ComposeResult:
        """Lay out the conditions, and below them rows, one condition, and one of the other pages."""
        yield OneLine(id="decision")
        yield Conditions(empty=(line("reading …", "muted"),), id="conditions")
        yield TabBar(id="tabs")
        with Horizontal(id="below"):
            nothing = (line("no rows behind it", "muted"),)
            yield Listing((Column("rows behind it", keep_end=6),), empty=nothing, id="cases")
            yield Page(id="condition")
            yield Page(id="page")

    def on_mount(self) -> None:
        """Paint first, read then."""
        self.headline(self.pairing.experiment, "gate")
        self.watch(self.query_one("#conditions", Listing), "cursor", self._show_condition, init=False)
        self.call_after_refresh(self._look.ask)
        self.set_interval(0.1, self._watch)

    def on_resize(self) -> None:
        """Show as many pages as there is room for."""
        self.call_after_refresh(self._show_conditions)
        self.call_after_refresh(self._show_condition)
        self.call_after_refresh(self._show_page)

    def _watch(self) -> None:
        if self._known is not None and self.is_current and self.sitting.change() != self._seen:
            self._look.ask()

    async def _read(self) -> None:
        self._seen = self.sitting.change()
        look = await self.apart(lambda: load(self.sitting, self.pairing))
        if look is None:
            return
        if not (self._agreed or await self._agrees()):
            self.action_back()
            return
        self._agreed = True
        self._show(look)
        ahead = await asyncio.to_thread(outlook, look.evidence, look.result)
        self._show(replace(look, outlook=ahead))

    async def _agrees(self) -> bool:
        """Ask a blind reader whether to tell what the gate tells: names, and what the judge said."""
        told = await self.apart(lambda: hidden(self.sitting, self.pairing))
        if not told:  # None: it could not be found out, and so nothing is told
            return told is not None
        explain = "The gate tells names and what the judge said, on rows that you have not read yet."
        return await self.app.push_screen_wait(Confirm("Look at the gate?", explain))

    def _show(self, look: GateLook) -> None:
        self._known = look
        evidence = look.evidence
        names = f"{evidence.experiment.baseline.name} → {evidence.candidate}"
        judge = f"judge {evidence.judge}" if evidence.judge else "no judge"
        self.headline(evidence.experiment.name, "gate", self.sitting.reviewer, names, judge)
        self.query_one("#decision", OneLine).show(*gate_lines(look.result, signature(look.decisions)))
        self._show_conditions()
        self._show_condition()
        self._show_page()

    @property
    def _condition(self) -> Condition | None:
        if self._known is None:
            return None
        return self._known.result.conditions[self.query_one(Conditions).at]

    def _show_conditions(self) -> None:
        """Show the conditions, their reasons in full unless a page below has need of the room."""
        if self._known is not None:
            views = [condition_view(condition) for condition in self._known.result.conditions]
            brief = self.has_class("-narrow") and self._tabs[1] != "condition"
            self.query_one(Conditions).tell(views, brief=brief)

    def _show_condition(self) -> None:
        if (condition := self._condition) is not None and self._known is not None:
            self.query_one("#cases", Listing).show([(Run(case),) for case in condition.rows])
            below = [] if self.has_class("-narrow") else [(), *page(self._known, "change", 0)]
            self.query_one("#condition", Page).show(condition_page(condition_view(condition), below))

    @property
    def _tabs(self) -> tuple[tuple[GatePage, ...], GatePage]:
        """The pages that have no room of their own, and the one that is open."""
        tabs = _TABS if self.has_class("-narrow") else _WIDE
        return tabs, self._tab if self._tab in tabs else "figures"

    def _show_page(self) -> None:
        """Show the tabs, and the page of the one that is open; beside the condition where there is room."""
        narrow = self.has_class("-narrow")
        tabs, tab = self._tabs
        self.query_one(TabBar).set_tabs(tabs, tab)
        self.set_class(tab != "condition", "-page")
        shown = self.query_one("#page", Page)
        if self._known is not None and tab != "condition":
            # Its own width is that of the last layout, which a first page has not seen.
            width = self.size.width - (2 if narrow else 24 + (self.size.width - 24) // 2 + 3)
            shown.show(page(self._known, tab, width, self._signed), keep_place=True)

    @on(TabBar.Clicked)
    def _clicked_tab(self, event: TabBar.Clicked) -> None:
        self._open_tab(next(tab for tab in _TABS if tab == event.name))

    def action_tab(self, by: int) -> None:
        """Open the next page, or the one before, and let the arrows scroll it."""
        tabs, tab = self._tabs
        self._open_tab(tabs[(tabs.index(tab) + by) % len(tabs)])

    def _open_tab(self, tab: GatePage) -> None:
        self._tab = tab
        self._show_conditions()
        self.query_one("#page", Page).action_scroll_top()
        self._show_page()
        self.query_one("#conditions" if tab == "condition" else "#page").focus()

    @on(Listing.Chosen)
    def _open_rows(self, event: Listing.Chosen) -> None:
        """Review the rows behind a condition: all of them, or the one that was opened."""
        condition = self._condition
        if condition is None or not condition.rows:
            self.notify("No rows stand behind this condition.")
            return
        rows = condition.rows if event.listing.id == "conditions" else (condition.rows[event.row],)
        go.to(self.app, go.review_screen(self.sitting, self.pairing, rows))

    def copies(self) -> Iterator[Copy]:
        """Yield the gate in words, the pages below it, and the hash of the last decision."""
        yield Copy("the gate in words", self.query_one("#decision", OneLine).text)
        yield from super().copies()
        if self._known is not None and self._known.decisions:
            record = self._known.decisions[-1].record
            yield Copy(f"the hash of the last decision, record {record.seq}", record.hash)

    def action_step(self, by: int) -> None:
        """Look at the next condition, or the one before, whatever has the arrows."""
        self.query_one(Conditions).step(by)

    def action_review(self) -> None:
        """Review all rows."""
        go.to(self.app, go.review_screen(self.sitting, self.pairing))

    def action_run(self) -> None:
        """Look at the run."""
        go.to(self.app, go.run_screen(self.sitting, self.pairing))

    def action_sign(self) -> None:
        """Ask for name and note, and put the decision on record."""
        if self._known is None:
            self.notify("Still reading: this key was not taken.")
        else:
            self.later("sign", self._sign())

    async def _sign(self) -> None:
        look = await self.apart(lambda: load(self.sitting, self.pairing))
        if look is None:
            return
        if (refused := refusal(look, self.sitting)) is not None:
            self.complain(refused)
            return
        filled = await self._asked(look)
        self._note = filled.values[1]  # a note that was written is there again, whatever comes now
        if not filled.saved:
            return
        name, note = filled.values
        record = await self.apart(lambda: sign(self.sitting, self.pairing, look, name, note))
        if record is not None:
            self.sitting.sign_as(name)
            self._signed, self._note = record, ""
            self.notify(f"Signed by {name}: record {record.seq} of the reviews and decisions in this file")
            self._open_tab("decisions")
            self._look.ask()

    async def _asked(self, look: GateLook) -> Filled:
        """Ask for name and note, and once more whether it is meant; `saved` where it is."""
        words = look.result.decision.words
        explain = f"{honest.read(look.result.figures).words}. {'; '.join(look.result.reasons)}"
        window = Sign(f"Sign: {words}", explain, self.sitting.reviewer, self._note)
        filled = await self.app.push_screen_wait(window)
        if not filled.saved:
            return filled
        sure = Confirm(
            f"Record {words}, signed by {filled.values[0]}?",
            f"{_noted(filled.values[1])} A record is never changed; later facts supersede it.",
        )
        return replace(filled, saved=await self.app.push_screen_wait(sure))


def _noted(note: str) -> str:
    """Return the note as it will stand on record, so that a missing one is seen before it is signed."""
    return f"Note: {excerpt(note, 300)}\n" if note else "Without a note."
