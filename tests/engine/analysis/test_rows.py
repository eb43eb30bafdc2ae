from __future__ import annotations

from bothways.engine.analysis.model import RowEvidence
from bothways.engine.analysis.rows import Rows
from bothways.engine.standing import Standing
from bothways.engine.verdicts import Outcome


def row(number: int, *, tie: bool = False, standing: Standing | None = None) -> RowEvidence:
    outcome = Outcome.TIE if tie else Outcome.FLIP_SOFT
    tags = {"path": "refund" if tie else "order"}
    return RowEvidence(
        10 + number, f"c{9 - number}", number, tags, tie, outcome, None, "tie", None, standing=standing
    )


ROWS = [row(0), row(1, tie=True), row(2, standing=Standing(verdict="tie")), row(3, tie=True)]


def test_columns_give_back_the_rows_that_went_in() -> None:
    rows = Rows(ROWS)
    assert list(rows) == ROWS
    assert [rows[place] for place in range(4)] == ROWS
    assert rows[-1] == ROWS[-1]
    assert rows[1:3] == ROWS[1:3]


def test_rows_are_found_by_id_and_by_case() -> None:
    rows = Rows(ROWS)
    assert [rows.place(one.row_id) for one in ROWS] == [0, 1, 2, 3]
    assert [rows.place_of(one.case_id) for one in ROWS] == [0, 1, 2, 3]
    assert (rows.place(99), rows.place_of("none")) == (None, None)


def test_what_is_said_on_a_copy_is_not_said_on_the_rows() -> None:
    rows = Rows(ROWS)
    said = rows.standing({0: Standing(verdict="candidate"), 2: None})
    assert [one.spoken for one in said] == [True, False, False, False]
    assert list(rows) == ROWS


def test_every_row_is_counted_once_among_those_like_it() -> None:
    found = list(Rows(ROWS).alike())
    assert sum(times for _, times in found) == 4
    assert [(one.case_id, times) for one, times in found if one.standing is not None] == [("c7", 1)]
