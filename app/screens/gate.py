"""The gate: conditions and the rows behind them, the honest figures, and the signature."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from bothways.app.desk.bindings import bindings
from bothways.app.desk.copies import Copy
from bothways.app.desk.gateview import condition_view, decisions_page, gate_line, honest_page, signature
from bothways.app.desk.keys import Place
from bothways.app.desk.latest import Latest
from bothways.app.desk.sitting import Pairing, Sitting
from bothways.app.screens import go
from bothways.app.screens.base import DeskScreen
from bothways.engine.analysis.model import Evidence
from bothways.engine.decisions import Checked, on_record
from bothways.engine.errors import RefusedError
from bothways.engine.gate.model import Condition, GateResult
from bothways.engine.ledger import Record
from bothways.widgets.dialogs import Ask, Confirm, Field
from bothways.widgets.lines import OneLine
from bothways.widgets.listing import Column, Listing
from bothways.widgets.page import Page
from bothways.widgets.pages.conditions import COLUMNS, condition_cells, condition_page
from bothways.widgets.plain import Run, line

__all__ = ["GateScreen"]


@dataclass(frozen=True, slots=True)
class GateLook:
    """The gate and its decisions as they were read at one moment."""

    evidence: Evidence
    result: GateResult
    decisions: tuple[Checked, ...]


class GateScreen(DeskScreen):
    """Shows the gate as it stands; enter opens the rows behind a condition, a key signs the decision."""

    PLACE: ClassVar[Place] = "gate"
    BINDINGS = bindings("gate")
    AUTO_FOCUS = "#conditions"
    DEFAULT_CSS = """
    GateScreen {
        & #decision { background: $panel; }
        & #conditions { height: 12; }
        & #below { height: 1fr; }
        & #rows { width: 24; border-right: vkey $panel; }
        & Page { width: 1fr; padding: 0 1; }
        &.-narrow #honest { display: none; }
        &.-narrow #honest.shown { display: block; }
    }
    """

    def __init__(self, sitting: Sitting, pairing: Pairing) -> None:
        super().__init__(sitting)
        self.pairing = sitting.looked_at = pairing
        self._known: GateLook | None = None
        self._look = Latest(lambda job: self.later("gate", job), self._read, pause_s=0.5)
        self._seen = (-1, 0)

    def body(self) -> ComposeResult:
        """Lay out the conditions, and below them rows, one condition, and the honest figures."""
        yield OneLine(id="decision")
        yield Listing(COLUMNS, empty=(line("reading …", "muted"),), id="conditions")
        with Horizontal(id="below"):
            with Vertical(id="rows"):
                yield Listing(
                    (Column("rows behind it", keep_end=6),),
                    empty=(line("no rows behind it", "muted"),),
                    id="cases",
                )
            yield Page(id="condition")
            yield Page(id="honest")

    def on_mount(self) -> None:
        """Paint first, read then."""
        self.headline(self.pairing.experiment, "gate")
        self.call_after_refresh(self._look.ask)
        self.set_interval(0.1, self._watch)

    def _watch(self) -> None:
        if self._known is not None and self.is_current and self.sitting.change() != self._seen:
            self._look.ask()

    async def _read(self) -> None:
        self._seen = self.sitting.change()
        look = await self.apart(self._load)
        if look is not None:
            self._known = look
            self._show(look)

    def _load(self) -> GateLook:

        with (
            self.sitting.open() as store,
            self.sitting.reading(store, self.pairing) as (evidence, result, _),
        ):
            return GateLook(evidence, result, on_record(store, evidence, result))

    def _show(self, look: GateLook) -> None:
        evidence = look.evidence
        names = f"{evidence.experiment.baseline.name} → {evidence.candidate}"
        self.headline(evidence.experiment.name, "gate", names, f"judge {evidence.judge}")
        self.query_one("#decision", OneLine).show(gate_line(look.result, signature(look.decisions)))
        cells = [condition_cells(condition_view(condition)) for condition in look.result.conditions]
        self.query_one("#conditions", Listing).show(cells)
        honest = [
            *honest_page(evidence, look.result),
            (),
            *decisions_page(look.decisions),
        ]
        self.query_one("#honest", Page).show(honest, keep_place=True)
        self._show_condition()

    @property
    def _condition(self) -> Condition | None:
        if self._known is None:
            return None
        return self._known.result.conditions[self.query_one("#conditions", Listing).cursor]

    @on(Listing.Moved, "#conditions")
    def _show_condition(self) -> None:
        condition = self._condition
        if condition is None or self._known is None:
            return
        self.query_one("#cases", Listing).show([(Run(case),) for case in condition.rows], 0)
        narrow = self.has_class("-narrow")
        rest = [(), *honest_page(self._known.evidence, self._known.result)] if narrow else []
        signed = decisions_page(self._known.decisions) if narrow else []
        page = condition_page(condition_view(condition), [*rest, *((), *signed)] if narrow else [])
        self.query_one("#condition", Page).show(page)

    @on(Listing.Chosen, "#conditions")
    def _open_all(self) -> None:
        condition = self._condition
        if condition is None or not condition.rows:
            self.notify("No rows stand behind this condition.")
        else:
            self._review(condition.rows)

    @on(Listing.Chosen, "#cases")
    def _open_one(self, event: Listing.Chosen) -> None:
        condition = self._condition
        if condition is not None:
            self._review((condition.rows[event.row],))

    def _review(self, only: tuple[str, ...] = ()) -> None:
        self.app.push_screen(go.review_screen(self.sitting, self.pairing, only))

    def copies(self) -> Iterator[Copy]:
        """Yield the gate in words, the pages below it, and the hash of the last decision."""
        yield Copy("the gate in words", self.query_one("#decision", OneLine).text)
        yield from super().copies()
        if self._known is not None and self._known.decisions:
            record = self._known.decisions[-1].record
            yield Copy(f"the hash of the last decision, record {record.seq}", record.hash)

    def action_review(self) -> None:
        """Review all rows."""
        self._review()

    def action_run(self) -> None:
        """Look at the run."""
        self.app.push_screen(go.run_screen(self.sitting, self.pairing))

    def action_sign(self) -> None:
        """Ask for name and note, and put the decision on record."""
        self.later("sign", self._sign())

    async def _sign(self) -> None:
        look = await self.apart(self._load)
        if look is None:
            return
        if (refused := _refusal(look, self.sitting)) is not None:
            self.complain(refused)
            return
        words = look.result.decision.words
        fields = [
            Field("your name", self.sitting.reviewer, required="A decision needs a signature."),
            Field("note (may be empty)"),
        ]
        filled = await self.app.push_screen_wait(
            Ask(f"Sign: {words}", fields, "; ".join(look.result.reasons))
        )
        if not filled.saved:
            return
        name, note = filled.values
        sure = Confirm(
            f"Record {words}, signed {name}?", "A record is never changed; later facts supersede it."
        )
        if await self.app.push_screen_wait(sure):
            record = await self.apart(lambda: self._decide(look, name, note))
            if record is not None:
                self.sitting.reviewer = self.sitting.memory.reviewer = name
                self.notify(f"Recorded as {record.seq} · {record.hash[:12]}")
                self._look.ask()

    def _decide(self, look: GateLook, name: str, note: str) -> Record:
        """Put what was looked at on record, unless it is no longer so."""
        from bothways.engine.decisions import decide

        with (
            self.sitting.open() as store,
            self.sitting.reading(store, self.pairing, to_write=True) as (evidence, result, at),
        ):
            body = decide(evidence, result, reviewer=name, note=note, at=at, shown=look.evidence.facts_hash)
            return store.append("decision", body, at)


def _refusal(look: GateLook, sitting: Sitting) -> RefusedError | None:
    """Return why nobody could sign this now; said before anybody is asked for a name."""
    from bothways.engine.decisions import decide

    try:
        decide(look.evidence, look.result, reviewer=sitting.reviewer or "somebody", at=sitting.now())
    except RefusedError as refused:
        return refused
    return None
