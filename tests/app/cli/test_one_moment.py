"""What is written into one file stood in the database at one moment."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.app.cli.conftest import Command, pairs
from tests.app.cli.test_written_formats import all_formats

from bothways.engine.ledger import RowDetail
from bothways.store import Store, open_store

LATE = "said-in-the-middle"


@pytest.mark.parametrize(("command_name", "form"), all_formats())
def test_what_comes_in_meanwhile_is_in_the_next_file(
    command: Command, project: Path, monkeypatch: pytest.MonkeyPatch, command_name: str, form: str
) -> None:
    """Somebody reviews a row that has not been read yet, between the first row and the second."""
    command("import", str(pairs(project, high_stakes=True)), "--name", "shop")
    command("verdict", "shop", "r-11", "baseline", "--reviewer", "kim", "--note", "first")
    read = Store.row
    interrupted: list[int] = []

    def row(store: Store, row_id: int) -> RowDetail:
        detail = read(store, row_id)
        if not interrupted:
            interrupted.append(row_id)
            with open_store(project / "bothways.db", create=False) as other:
                (before,) = other.records("shop", "review")
                body = {**before.body, "reviewer": LATE, "note": LATE, "verdict": "candidate"}
                other.append("review", body, "2026-08-06T10:00:00.000Z")
        return detail

    monkeypatch.setattr(Store, "row", row)
    written = command(command_name, "shop", "--format", form)
    assert written.exit_code == 0
    assert interrupted
    assert LATE not in written.stdout
    again = command(command_name, "shop", "--format", form)
    assert again.stdout != written.stdout
