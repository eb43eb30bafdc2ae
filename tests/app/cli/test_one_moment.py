"""What is written into one file stood in the database at one moment."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.app.cli.conftest import Command, pairs
from tests.app.cli.formats import all_formats

from bothways.engine.experiment import Experiment
from bothways.store import Store, open_store

LATE = "said-in-the-middle"


@pytest.mark.parametrize(("command_name", "form"), all_formats())
def test_what_comes_in_meanwhile_is_in_the_next_file(
    command: Command, project: Path, monkeypatch: pytest.MonkeyPatch, command_name: str, form: str
) -> None:
    """Somebody changes a verdict after the spec was read and before anything else is."""
    command("import", str(pairs(project)), "--name", "shop")
    command("verdict", "shop", "r-11", "candidate", "--reviewer", "kim", "--note", "first")
    before = timeless(command(command_name, "shop", "--format", form).stdout)
    read = Store.spec
    interrupted: list[int] = []

    def spec(store: Store, spec_id: int) -> Experiment:
        found = read(store, spec_id)
        if not interrupted:
            interrupted.append(spec_id)
            with open_store(project / "bothways.db", create=False) as other:
                (review,) = other.records("shop", "review")
                body = {**review.body, "reviewer": LATE, "note": LATE, "verdict": "baseline"}
                other.append("review", body, "2026-08-06T10:00:00.000Z")
        return found

    monkeypatch.setattr(Store, "spec", spec)
    during = command(command_name, "shop", "--format", form)
    assert (during.exit_code, interrupted) == (0, [1])
    assert timeless(during.stdout) == before
    assert timeless(command(command_name, "shop", "--format", form).stdout) != before


def timeless(text: str) -> str:
    """Return a file without when it was made."""
    return re.sub(r"\d{4}-\d\d-\d\d[T ][\d:.]+", "", text)
