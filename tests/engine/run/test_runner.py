"""The supervisor on a real database: what it obeys, what it asks for, and what it says at its end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bothways.engine.errors import StoreError, UsageError
from bothways.engine.experiment import Experiment, Variant
from bothways.engine.facts import Case, Message
from bothways.engine.ledger import Request
from bothways.engine.run.options import RunEvent, RunOptions, RunSummary
from bothways.engine.run.runner import run
from bothways.store import RunJournal, Store, open_store

AT = "2026-08-06T09:00:00Z"
ECHO = "tests.engine.targets.shop:echo"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "bothways.db") as opened:
        yield opened


def added(store: Store, rows: int = 3, function: str = ECHO) -> int:
    """Store an experiment whose answers come from a function, with nobody who judges."""
    echo = Variant(name="v4", function=function, version="1")
    candidate = Variant(name="v5", function=ECHO, version="2")
    cases = [Case(f"c{n}", (Message("user", f"question {n}"),)) for n in range(rows)]
    return store.add(Experiment(name="shop", baseline=echo, candidates=(candidate,)), cases, AT)


async def ran(
    store: Store, spec_id: int, options: RunOptions | None = None, events: list[RunEvent] | None = None
) -> RunSummary:
    """Run to the end."""
    watch = (events if events is not None else []).append
    async with store.run(spec_id, {}, AT) as journal:
        summary = await run(store, journal, spec_id, options or RunOptions(), watch)
        await journal.end(summary.state)
    return summary


async def test_a_run_that_cannot_be_asked_any_more_stops_and_says_so(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(_: RunJournal) -> Request | None:
        raise StoreError("the database failed while looking for requests", "disk I/O error")

    monkeypatch.setattr(RunJournal, "requested", broken)
    summary = await ran(store, added(store))
    assert summary.state == "stopped"
    assert "nobody can pause or stop this run" in summary.reason
    assert "disk I/O error" in summary.reason


async def test_what_failed_is_kept_with_what_it_cost(store: Store) -> None:
    spec_id = added(store, 1, "tests.engine.targets.shop:fails_softly")
    assert (await ran(store, spec_id)).cost_usd == 0.5
    failed = next(fact for fact in store.answers(spec_id) if fact.variant == "v4")
    assert (failed.failure is not None, failed.cost_usd) == (True, 0.5)


async def test_a_run_of_a_part_says_how_many_rows_still_lack_something(store: Store) -> None:
    spec_id = added(store, 3)
    part = await ran(store, spec_id, RunOptions(limit=1))
    assert (part.state, part.missing) == ("complete", 2)
    part = await ran(store, spec_id, RunOptions(only=frozenset({"c2"})))
    assert (part.state, part.missing) == ("complete", 1)
    whole = await ran(store, spec_id)
    assert (whole.state, whole.missing) == ("complete", 0)


NIGHT = RunOptions(extend=("night",))


async def test_another_night_is_asked_for_when_all_was_tried(store: Store) -> None:
    spec_id = added(store, function="tests.engine.targets.shop:raises")
    await ran(store, spec_id)
    events: list[RunEvent] = []
    await ran(store, spec_id, NIGHT, events)
    assert store.extent(spec_id) == (2, 1)  # the baseline was tried in vain, but tried
    assert "unfinished" not in [event.kind for event in events]


async def test_an_unfinished_night_comes_before_another(store: Store) -> None:
    spec_id = added(store)
    await ran(store, spec_id, RunOptions(limit=1))
    events: list[RunEvent] = []
    summary = await ran(store, spec_id, NIGHT, events)
    assert (summary.state, summary.answered, store.extent(spec_id)) == ("complete", 4, (1, 1))
    assert [event.detail[:7] for event in events if event.kind == "unfinished"] == ["night 1"]


async def test_what_cannot_be_opened_asks_for_nothing_more(store: Store) -> None:
    spec_id = added(store, function="tests.engine.targets.no_such_module:answer")
    with pytest.raises(UsageError):
        await ran(store, spec_id, NIGHT)
    assert store.extent(spec_id) == (1, 1)
