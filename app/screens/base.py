"""What all screens of the desk share: the frame, the keys, and work that would block done elsewhere."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual import on
from textual.app import App, ComposeResult
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from bothways.app.desk.keys import Place, key_named, press
from bothways.app.desk.sitting import Sitting
from bothways.app.screens.bindings import hints
from bothways.engine.text import agreeing, counted, excerpt
from bothways.widgets.keybar import KeyBar
from bothways.widgets.lines import OneLine
from bothways.widgets.page import Page
from bothways.widgets.plain import Line, Run

if TYPE_CHECKING:
    from bothways.app.desk.copies import Copy
    from bothways.engine.errors import BothwaysError

__all__ = ["DeskScreen", "complain"]

T = TypeVar("T")
_TOLD_S = 10.0
"""Seconds that stay to read why something cannot be done, and what to do instead."""
_NAME = 24
"""Characters of a name that are always shown in a title."""
_BESIDE = 56
"""Columns of a title that are kept for what is said beside a longer name: how far one is, what is left."""


def complain(app: App[None], error: BothwaysError) -> None:
    """Say what cannot be done, why, and what to do instead: the one way in which the desk says it."""
    words = "\n".join(part for part in (error.cause, error.next_step) if part)
    app.notify(words or error.title, title=error.title if words else "", severity="warning", timeout=_TOLD_S)


class DeskScreen(Screen[None]):
    """A screen with a title line, a body and a line of keys."""

    PLACE: ClassVar[Place] = "everywhere"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]  # noqa: RUF012 (Textual's own declaration)
    VERTICAL_BREAKPOINTS = [(0, "-short"), (34, "-tall")]  # noqa: RUF012

    def __init__(self, sitting: Sitting) -> None:
        super().__init__()
        self.sitting = sitting

    def compose(self) -> ComposeResult:
        """Lay out the frame."""
        yield OneLine(id="title")
        yield from self.body()
        yield KeyBar(hints(self.PLACE, self.foot_keys()))

    def foot_keys(self) -> frozenset[str] | None:
        """Return the ids of the keys that the footer names first; None for those of the table."""
        return None

    @property
    def about(self) -> tuple[object, ...]:
        """What it shows: two screens of a kind that show the same are one."""
        return ()

    def body(self) -> ComposeResult:
        """Lay out what is between title and keys."""
        yield from ()

    def headline(self, *parts: str) -> None:
        """Say in the title line where one is; the first part in bold, cut where no room for more is left."""
        first, *rest = parts
        runs = [Run(f" {excerpt(first, max(_NAME, self.app.size.width - _BESIDE))} ", "title")]
        if (problem := self.sitting.unsettled) is not None:
            count = 1 + len(problem.others)
            what = f"{counted(count, 'setting')} {agreeing(count, 'does', 'do')} not count"
            runs.append(Run(f"· ! {what}: {press('desk.help')} ", "warn"))
        runs += [Run(f"· {part} ") for part in rest if part]
        line: Line = tuple(runs)
        self.query_one("#title", OneLine).show(line)

    def complain(self, error: BothwaysError) -> None:
        """Say what cannot be done, why, and what to do instead."""
        complain(self.app, error)

    async def apart(self, work: Callable[[], T]) -> T | None:
        """Do what would block in a thread; an error that people can act on is told, and gives None."""
        # Imported here: pydantic comes with it, and the first paint does not wait for that.
        from bothways.engine.errors import BothwaysError

        try:
            return await asyncio.to_thread(work)
        except BothwaysError as error:
            self.complain(error)
            return None

    def later(self, group: str, job: Awaitable[None]) -> None:
        """Do a job as the only worker of its group; a failure is told and ends nothing else."""
        self.run_worker(job, group=group, exclusive=True, exit_on_error=False)

    async def window(self) -> None:
        """Let what was begun `later` open its window before the next key, which is meant for that."""
        await asyncio.sleep(0)

    def on_screen_suspend(self) -> None:
        """Leave what was said here behind."""
        self.app.clear_notifications()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Tell of a worker that failed in a way nobody foresaw."""
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            error = event.worker.error
            self.notify(f"{type(error).__name__}: {error}", title="This did not work", severity="error")

    @on(KeyBar.Clicked)
    async def _clicked(self, event: KeyBar.Clicked) -> None:
        """Do what the key does: in the widget that has the keys, where it is one of its own."""
        event.stop()
        own = (one for one in self.active_bindings.values() if one.binding.id == event.id)
        if (found := next(own, None)) is not None:
            await self.app.run_action(found.binding.action, found.node)
        else:
            await self.run_action(key_named(event.id).action)

    def copies(self) -> Iterator[Copy]:
        """Yield what can be copied here: the pages that stand on the screen, as they are."""
        from bothways.app.desk.copies import Copy

        for page in self.query(Page):
            if page.display and page.text.strip():
                yield Copy(f"the page: {page.text.strip().splitlines()[0]}", page.text)

    def action_copy(self) -> None:
        """Offer what there is to copy."""
        from bothways.app.screens.copy import copy_out

        if copies := list(self.copies()):
            self.later("copy", copy_out(self.app, self.sitting, copies))
        else:
            self.notify("There is nothing to copy here.")

    def action_back(self) -> None:
        """Step outwards."""
        self.app.pop_screen()

    def action_redraw(self) -> None:
        """Paint everything anew: something else may have written over it, or a terminal miscounted."""
        self.refresh(layout=True)

    def action_leave(self) -> None:
        """Leave the desk: everything is saved already."""
        self.app.exit()

    def action_help(self) -> None:
        """List the keys of this place."""
        from bothways.app.screens.help import HelpScreen

        self.app.push_screen(HelpScreen(self.PLACE, self.focused, self.sitting.unsettled))
