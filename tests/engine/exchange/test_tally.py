"""Counting rows while they go by."""

from __future__ import annotations

from bothways.engine.exchange.tally import Tally
from bothways.engine.facts import Answer, Case, Message, PassResult
from bothways.engine.ledger import ImportedAnswer, ImportedPass, ImportedRow


def test_rows_pass_through_and_are_counted_as_they_go() -> None:
    free = Answer("old", notes=("its cost is unknown",))
    row = ImportedRow(
        Case("c1", (Message("user", "hi"),)),
        (ImportedAnswer("v4", free), ImportedAnswer("v5", Answer("new"))),
        passes=(
            ImportedPass("j", ("v4", "v5"), PassResult(0)),
            ImportedPass("k", ("v4", "v5"), PassResult(1)),
        ),
        labels=(("kim", "v5", ""),),
    )
    tally = Tally()
    stream = tally.watch([row, row])
    assert next(stream) is row
    assert tally.rows == 1
    assert list(stream) == [row]
    assert (tally.rows, dict(tally.passes), tally.labels, tally.reviews) == (2, {"j": 2, "k": 2}, 2, 0)
    assert tally.notes == {("v4", "its cost is unknown"): 2}
