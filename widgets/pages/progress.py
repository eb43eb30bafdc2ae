"""How far a run is: bars, rate, money, errors by kind, and what the judge has said so far."""

from __future__ import annotations

from dataclasses import dataclass

from bothways.engine.text import agreeing, counted, usd
from bothways.widgets.columns import Cells, Column
from bothways.widgets.plain import Line, Run, Tone, line

__all__ = [
    "ERROR_COLUMNS",
    "ErrorView",
    "RunView",
    "StageView",
    "bar",
    "error_cells",
    "progress_page",
    "remedy",
    "span",
]


@dataclass(frozen=True, slots=True)
class StageView:
    """One stage: how many units there will be, how many are done, failed, being worked on."""

    name: str
    expected: int
    done: int = 0
    failed: int = 0
    in_flight: int = 0


@dataclass(frozen=True, slots=True)
class ErrorView:
    """One kind of failure: how often, the newest message, and what to do about it."""

    kind: str
    count: int
    message: str
    next_step: str = ""


@dataclass(frozen=True, slots=True)
class RunView:
    """A run as it stands. `rate` is in units a second; None where nothing is known."""

    state: str
    stages: tuple[StageView, ...]
    goes_on: bool = True
    rate: float | None = None
    eta_s: float | None = None
    calls: int = 0
    cost_usd: float = 0.0
    unknown_costs: int = 0
    budget_usd: float | None = None
    possibly_billed: int = 0
    errors: tuple[ErrorView, ...] = ()
    tally: tuple[str, ...] = ()
    next_step: str = ""
    worker: tuple[str, ...] = ()
    """What became of a worker that was started here, and its last words."""
    log: str = ""


def bar(stage: StageView, width: int) -> Line:
    """Return a bar: █ done, ▒ failed, ░ to come."""
    total = max(stage.expected, stage.done + stage.failed, 1)
    done = stage.done * width // total
    failed = min(width - done, -(-stage.failed * width // total))
    return (Run("█" * done, "good"), Run("▒" * failed, "bad"), Run("░" * (width - done - failed), "muted"))


def span(seconds: float | None) -> str:
    """Return a duration as people say it."""
    if seconds is None:
        return "unknown"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"


def progress_page(view: RunView, width: int = 30) -> list[Line]:
    """Return the whole page."""
    lines: list[Line] = [(Run("Run: "), Run(view.state, "strong")), line(f"  {view.next_step}", "muted")]
    lines += [line(said, "bad" if number == 0 else "muted") for number, said in enumerate(view.worker)]
    lines += [(), *(_stage(stage, width) for stage in view.stages)]
    rate = "unknown" if view.rate is None else f"{view.rate:.1f} a second"
    pace = [line(f"Rate: {rate} · time left: {span(view.eta_s)}")] if view.goes_on else []
    lines += [(), *pace, _money(view)]
    if view.possibly_billed:
        lost = f"{counted(view.possibly_billed, 'call')} {agreeing(view.possibly_billed, 'was', 'were')} lost"
        lines.append(line(f"{lost} in flight: possibly billed", "warn"))
    if view.tally:
        lines += [(), *map(line, view.tally)]
    if view.log:
        lines += [(), line(f"log of the worker: {view.log}", "muted")]
    return lines


def _stage(stage: StageView, width: int) -> Line:
    counts = f"  {stage.done:,} of {stage.expected:,}"
    if stage.in_flight:
        counts += f", {stage.in_flight:,} in flight"
    tail: tuple[Run, ...] = (Run(f", {stage.failed:,} failed", "bad"),) if stage.failed else ()
    return (Run(f"{stage.name:<9}"), *bar(stage, width), Run(counts), *tail)


def _money(view: RunView) -> Line:
    budget = "(no budget)" if view.budget_usd is None else f"of {usd(view.budget_usd)}"
    nothing_known = view.unknown_costs and view.unknown_costs >= view.calls and not view.cost_usd
    spent = "unknown" if nothing_known else usd(view.cost_usd, 4)
    text = f"Spent: {spent} {budget} in {counted(view.calls, 'call')}"
    if view.unknown_costs:
        text += f"; cost of {view.unknown_costs:,} of {counted(view.calls, 'call')} unknown"
    over = view.budget_usd is not None and view.cost_usd >= view.budget_usd
    tone: Tone = "warn" if over else ""
    return line(text, tone)


ERROR_COLUMNS = (
    Column("errors", 7), Column("kind", 24), Column("newest message"),
)  # fmt: skip


def error_cells(error: ErrorView) -> Cells:
    """Return one kind of failure as a row of a list."""
    return (
        Run(f"{error.count:>6,}×"),
        Run(error.kind, "bad"),
        Run(error.message, "muted"),
    )


def remedy(error: ErrorView) -> Line:
    """Return what to do about one kind of failure, where its rows are, and its newest message whole."""
    rows = Run(" · enter opens the rows · ", "muted")
    return (Run(f"{error.kind}: ", "strong"), Run(error.next_step), rows, Run(error.message))
