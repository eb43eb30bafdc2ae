"""The gate's conditions as a list in which the reason of what does not pass is never cut."""

from __future__ import annotations

from collections.abc import Sequence

from textual.geometry import Size

from bothways.widgets.columns import Cells
from bothways.widgets.listing import Listing
from bothways.widgets.pages.conditions import COLUMNS, ConditionView, condition_rows
from bothways.widgets.plain import Line

__all__ = ["Conditions"]


class Conditions(Listing):
    """Shows conditions, each on as many rows as its reason takes; the cursor steps from one to the next.

    `brief` leaves each one row, where a page below wants the room.
    """

    def __init__(self, *, empty: Sequence[Line] = (), id: str | None = None) -> None:
        super().__init__(COLUMNS, empty=empty, id=id)
        self.views: tuple[ConditionView, ...] = ()
        """What is shown."""
        self._brief = False
        self._first: list[int] = []
        """The first row of each condition."""

    def tell(self, views: Sequence[ConditionView], *, brief: bool) -> None:
        """Show these conditions."""
        if (tuple(views), brief) != (self.views, self._brief):
            self.views, self._brief = tuple(views), brief
            self._lay_out()
            self.refresh(layout=True)

    @property
    def at(self) -> int:
        """The number of the condition under the cursor."""
        return self._number(self.cursor)

    def step(self, conditions: int) -> None:
        """Move the cursor by conditions."""
        if self._first:
            number = max(0, min(self.at + conditions, len(self._first) - 1))
            self.go(self._first[number])

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 (the base's)
        """Return how many rows there are at a width, with their head."""
        return 1 + sum(map(len, self._rows(width)))

    def on_resize(self) -> None:
        """Wrap to the new width."""
        self._lay_out()

    def _rows(self, width: int) -> list[list[Cells]]:
        return [condition_rows(view, 0 if self._brief else width) for view in self.views]

    def _lay_out(self) -> None:
        number, rows = self.at, self._rows(self.size.width)
        self._first = [sum(map(len, rows[:before])) for before in range(len(rows))]
        self.show(
            [row for one in rows for row in one], self._first[min(number, len(rows) - 1)] if rows else 0
        )

    def _number(self, row: int) -> int:
        """Return the condition that a row belongs to."""
        return max(0, sum(first <= row for first in self._first) - 1)

    def action_move(self, rows: int) -> None:
        """Move the cursor by conditions, over the rows of a reason."""
        self.step(rows)

    def go(self, row: int) -> None:
        """Go to the condition of a row, with as much of its reason in sight as there is room for."""
        if not self._first:
            return
        number = self._number(row)
        super().go(self._first[number])
        last = (*self._first, len(self.rows))[number + 1] - 1
        self.top = max(self.top, min(self.cursor, last - self.page + 1))
