"""Two people, each with a process of their own, and a third at the desk, on the same row of the same file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.app.shop import AT, EXPERIMENT, row
from tests.app.walk import SOURCE
from tests.screens import shown, until
from textual.pilot import Pilot

from bothways.app.desk.review.session import ReviewSession
from bothways.app.screens.review import ReviewScreen
from bothways.app.shell.app import Desk
from bothways.engine.experiment import Policy, ReviewSettings
from bothways.store import open_store

ROW = "r-00001"
SETTLED: dict[Policy, str | None] = {"latest": "baseline", "majority": None, "adjudicator": "candidate"}


def bothways(db: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "bothways", words[0], "plain line", *words[1:]],
        env={**os.environ, "PYTHONPATH": str(SOURCE), "BOTHWAYS_DB": str(db)},
        stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode in (0, 1, 3, 4), done.stderr
    return done.stdout


def says(db: Path, who: str, verdict: str) -> str:
    return bothways(db, "verdict", ROW, verdict, "--reviewer", who, "--note", f"{who} saw it")


def session(pilot: Pilot[Any]) -> ReviewSession | None:
    screen = pilot.app.screen
    return screen.session if isinstance(screen, ReviewScreen) else None


def others(pilot: Pilot[Any]) -> int:
    now = session(pilot)
    return now.known.others if now is not None and now.known is not None else 0


@pytest.mark.parametrize("policy", SETTLED)
async def test_both_verdicts_are_kept_and_the_row_counts_once_by_the_rule(
    tmp_path: Path, desk: Callable[..., Desk], policy: Policy
) -> None:
    review = ReviewSettings(policy=policy, adjudicator="ann" if policy == "adjudicator" else None)
    db = tmp_path / "x.db"
    with open_store(db) as store:
        store.take(EXPERIMENT.model_copy(update={"review": review}), map(row, range(8)), AT)
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: session(pilot) is not None)
        now = session(pilot)
        assert now is not None
        assert now.work.reach(ROW)
        says(db, "ann", "candidate")
        await until(pilot, lambda: others(pilot) == 1)
        says(db, "ben", "baseline")
        await until(pilot, lambda: others(pilot) == 2)
        await pilot.press("f", *ROW, "enter")
        await until(pilot, lambda: ROW in shown(pilot.app))
        assert "ann" not in shown(pilot.app)
        assert "ben" not in shown(pilot.app)
        await pilot.press("e")
        await until(pilot, lambda: len(reviewed(db)["reviews"]) == 3)
    gate = json.loads(bothways(db, "gate", "--json"))
    assert (gate["reviews"]["reviewed"], gate["reviews"]["differing"]) == (
        int(policy != "majority"), 1,
    )  # fmt: skip
    assert gate["reviews"]["disputed"] == ([] if policy == "adjudicator" else [ROW])
    said = [(one["reviewer"], one["verdict"]) for one in reviewed(db)["reviews"]]
    assert said == [("ann", "candidate"), ("ben", "baseline"), ("kim", "tie")]
    (counted,) = [one for one in json.loads(bothways(db, "rows", "--json")) if one["case"] == ROW]
    assert counted["final"] == (SETTLED[policy] if policy != "latest" else "tie")


def reviewed(db: Path) -> Any:
    return next(
        line for line in map(json.loads, bothways(db, "export").splitlines()) if line["pair_id"] == ROW
    )
