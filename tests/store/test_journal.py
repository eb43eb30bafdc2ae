from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from sqlite_utils import Database
from tests.store.conftest import AT, answer_unit, case, experiment, pass_unit

from bothways.engine.errors import RefusedError, StoreError
from bothways.engine.facts import Answer, Failure, FailureKind, PassResult, Reply, ToolCall
from bothways.engine.ledger import AnswerUnit, Busy, Claim, PassUnit, Spent
from bothways.store import RunJournal, Store
from bothways.store.connection import connect

TIMEOUT = Failure(FailureKind.TIMEOUT, "60 s")
UNREADABLE = Failure(FailureKind.UNREADABLE, "no verdict")
WORKER = """
import asyncio, sys
from pathlib import Path
from bothways.engine.facts import Answer, Reply
from bothways.engine.ledger import AnswerUnit
from bothways.store import open_store

async def main():
    with open_store(Path(sys.argv[1])) as store:
        async with store.run(1, {}, "2026-08-06T09:00:00Z") as journal:
            units = [AnswerUnit(f"v4-{row}", row, "v4", 0) for row in (1, 2, 3)]
            await journal.ask(units)
            for unit in units[:2]:
                claim = await journal.begin(unit, 0, 1, "r")
                await journal.settle(claim, Reply(content="hello", cost_usd=0.5))
            await journal.finish_answer(units[0], Answer(text="hello"))
            await journal.begin(units[2], 0, 1, "r")
            print("in flight", flush=True)
            await asyncio.Event().wait()

asyncio.run(main())
"""


@pytest.fixture
def spec_id(store: Store) -> int:
    return store.add(experiment(), [case(1), case(2), case(3)], AT)


def new_run(store: Store, spec_id: int) -> RunJournal:
    return store.run(spec_id, {"concurrency": 20}, AT)


async def claimed(journal: RunJournal, unit: AnswerUnit | PassUnit, seq: int = 0) -> Claim:
    claim = await journal.begin(unit, seq, 1, f"request {seq}")
    assert isinstance(claim, Claim)
    return claim


def start_worker(path: Path) -> subprocess.Popen[str]:
    env = {"PYTHONPATH": str(Path("src").resolve())}
    command = [sys.executable, "-c", WORKER, str(path)]
    worker = subprocess.Popen(command, env=env, cwd=path.parent, stdout=subprocess.PIPE, text=True)
    assert worker.stdout is not None
    assert worker.stdout.readline() == "in flight\n"
    worker.stdout.close()
    return worker


def kill(worker: subprocess.Popen[str]) -> None:
    os.kill(worker.pid, signal.SIGKILL)
    worker.wait(30)


async def test_a_unit_goes_from_pending_to_done(store: Store, spec_id: int) -> None:
    async with new_run(store, spec_id) as journal:
        await journal.ask([answer_unit(1), answer_unit(1)])
        assert [fact.answer_id for fact in store.answers(spec_id)] == [None]
        ref = await journal.finish_answer(answer_unit(1), Answer(text="hello"))
        await journal.end("complete")
    assert [(fact.answer_id, fact.digest) for fact in store.answers(spec_id)] == [
        (ref.id, Answer(text="hello").digest)
    ]
    assert store.answers_by_key(["v4-1", "v4-2"]) == {"v4-1": ref}
    assert store.answer(ref.id) == Answer(text="hello")


async def test_a_failure_stands_until_a_success_replaces_it(store: Store, spec_id: int) -> None:
    async with new_run(store, spec_id) as journal:
        await journal.ask([answer_unit(1)])
        await journal.finish_answer(answer_unit(1), Answer(failure=TIMEOUT))
        assert next(store.answers(spec_id)).failure == TIMEOUT
        assert store.answers_by_key(["v4-1"]) == {}
        assert store.progress(spec_id).errors == {"timeout": (1, "60 s")}
        await journal.finish_answer(answer_unit(1), Answer(text="hello"))
        assert next(store.answers(spec_id)).failure is None
        assert store.progress(spec_id).errors == {}


async def test_what_is_finished_first_stands(store: Store, spec_id: int) -> None:
    async with new_run(store, spec_id) as journal:
        first = await journal.finish_answer(answer_unit(1), Answer(text="first"))
        assert await journal.finish_answer(answer_unit(1), Answer(text="second")) == first
        await journal.finish_pass(pass_unit(1), PassResult(choice=0))
        await journal.ask([pass_unit(1)])
        await journal.finish_pass(pass_unit(1), PassResult(choice=1))
        assert [said.choice for said in store.passes(spec_id)] == [0]


async def test_an_unreadable_pass_is_tried_but_not_done(store: Store, spec_id: int) -> None:
    async with new_run(store, spec_id) as journal:
        await journal.ask([pass_unit(1), pass_unit(1, order=2)])
        await journal.finish_pass(pass_unit(1), PassResult(failure=UNREADABLE))
        facts = list(store.passes(spec_id))
    assert [(fact.tried, fact.failure) for fact in facts] == [(True, UNREADABLE), (False, None)]
    assert store.passes_done(["j-1-1", "j-2-1"]) == set()
    assert store.specs("shop")[0].judges == ("j",)


async def test_a_resumed_unit_gets_its_stored_replies(store: Store, spec_id: int) -> None:
    reply = Reply(content="hello", cost_usd=0.5)
    async with new_run(store, spec_id) as journal:
        await journal.settle(await claimed(journal, answer_unit(1)), reply)
    async with new_run(store, spec_id) as journal:
        assert await journal.begin(answer_unit(1), 0, 1, "request 0") == reply
        assert isinstance(await journal.begin(answer_unit(1), 1, 1, "request 1"), Claim)


async def test_a_reply_is_not_replayed_to_another_question(store: Store, spec_id: int) -> None:
    async with new_run(store, spec_id) as journal:
        await journal.settle(await claimed(journal, answer_unit(1)), Reply(content="hello"))
        assert isinstance(await journal.begin(answer_unit(1), 0, 1, "another"), Claim)


async def test_replies_that_could_not_be_read_are_not_replayed(store: Store, spec_id: int) -> None:
    async with new_run(store, spec_id) as journal:
        await journal.settle(await claimed(journal, pass_unit(1)), Reply(content="hm"))
        await journal.finish_pass(pass_unit(1), PassResult(failure=UNREADABLE))
    async with new_run(store, spec_id) as journal:
        await claimed(journal, pass_unit(1))


async def test_after_a_failed_call_the_replies_before_it_are_replayed(store: Store, spec_id: int) -> None:
    async with new_run(store, spec_id) as journal:
        await journal.settle(await claimed(journal, answer_unit(1)), Reply(content="turn 0"))
        await journal.settle(await claimed(journal, answer_unit(1), 1), TIMEOUT)
        await journal.finish_answer(answer_unit(1), Answer(failure=TIMEOUT))
    async with new_run(store, spec_id) as journal:
        assert await journal.begin(answer_unit(1), 0, 1, "request 0") == Reply(content="turn 0")
        await claimed(journal, answer_unit(1), 1)


async def test_two_live_runs_never_do_the_same_unit(store: Store, spec_id: int) -> None:
    async with new_run(store, spec_id) as one, new_run(store, spec_id) as two:
        claim = await claimed(one, answer_unit(1))
        assert await two.begin(answer_unit(1), 0, 1, "request 0") == Busy()
        await one.settle(claim, Reply(content="hello"))
        assert await two.begin(answer_unit(1), 0, 1, "request 0") == Busy()
        await one.finish_answer(answer_unit(1), Answer(failure=TIMEOUT))
        assert await two.begin(answer_unit(1), 0, 1, "request 0") == Busy()
        await claimed(two, answer_unit(2))


async def test_a_run_that_ended_is_in_nobodys_way(store: Store, spec_id: int) -> None:
    async with new_run(store, spec_id) as two:
        async with new_run(store, spec_id) as one:
            await claimed(one, answer_unit(1))
        await claimed(two, answer_unit(1))


async def test_a_killed_run_loses_only_what_was_in_flight(store: Store, spec_id: int, path: Path) -> None:
    worker = start_worker(path)
    assert store.runs("shop")[0].alive
    assert store.progress(spec_id).answers.in_flight == 1
    async with new_run(store, spec_id) as journal:
        assert await journal.begin(answer_unit(3), 0, 1, "r") == Busy()
        kill(worker)
        assert [(run.state, run.alive) for run in store.runs("shop")] == [
            ("running", True),
            ("interrupted", False),
        ]
        assert await journal.begin(answer_unit(1), 0, 1, "r") == Busy(), "it is done"
        assert await journal.begin(answer_unit(2), 0, 1, "r") == Reply(content="hello", cost_usd=0.5)
        assert isinstance(await journal.begin(answer_unit(3), 0, 1, "r"), Claim)
    progress = store.progress(spec_id)
    assert (progress.answers.done, progress.cost_usd, progress.calls, progress.possibly_billed) == (
        1,
        1.0,
        4,
        2,
    )


async def test_the_next_run_clears_up_after_a_killed_one(store: Store, spec_id: int, path: Path) -> None:
    kill(start_worker(path))
    async with new_run(store, spec_id) as journal:
        await journal.end("complete")
    assert [(run.state, run.alive) for run in store.runs("shop")] == [
        ("complete", False),
        ("interrupted", False),
    ]
    assert list(path.parent.glob("*.lock")) == []


async def test_a_write_waits_for_another_process_that_writes(store: Store, spec_id: int, path: Path) -> None:
    async with new_run(store, spec_id) as journal:
        blocker = sqlite3.connect(path, isolation_level=None)
        blocker.execute("BEGIN IMMEDIATE")
        waiting = asyncio.create_task(journal.begin(answer_unit(1), 0, 1, "r"))
        assert await journal.requested() is None, "reading does not wait"
        assert not waiting.done()
        blocker.execute("ROLLBACK")
        blocker.close()
        assert isinstance(await waiting, Claim)


async def test_one_bad_act_does_not_spoil_the_others(store: Store, spec_id: int) -> None:
    async with new_run(store, spec_id) as journal:
        claim = await claimed(journal, answer_unit(1))
        results = await asyncio.gather(
            journal.settle(claim, Reply(content="hello", cost_usd=0.5)),
            journal.settle(Claim(999), Reply(content="of no call")),
            journal.begin(answer_unit(2), 0, 1, "r"),
            return_exceptions=True,
        )
    assert [type(result).__name__ for result in results] == ["NoneType", "StoreError", "Claim"]
    assert store.progress(spec_id).cost_usd == 0.5


async def test_a_cancelled_write_is_written(store: Store, spec_id: int) -> None:
    async with new_run(store, spec_id) as journal:
        claim = await claimed(journal, answer_unit(1))
        task = asyncio.create_task(journal.settle(claim, Reply(content="hello", cost_usd=0.5)))
        await asyncio.sleep(0)
        task.cancel()
    assert store.progress(spec_id).cost_usd == 0.5


async def test_a_cancelled_intent_is_not_counted_as_possibly_billed(store: Store, spec_id: int) -> None:
    async with new_run(store, spec_id) as journal:
        task = asyncio.create_task(journal.begin(answer_unit(1), 0, 1, "r"))
        await asyncio.sleep(0)
        task.cancel()
    progress = store.progress(spec_id)
    assert (progress.calls, progress.possibly_billed, progress.unknown_costs) == (1, 0, 0)


async def test_spending_tells_unknown_from_free(store: Store, spec_id: int) -> None:
    async with new_run(store, spec_id) as journal:
        assert await journal.spent() == Spent()
        await journal.settle(await claimed(journal, answer_unit(1)), Reply(content="x", cost_usd=0.25))
        await journal.settle(await claimed(journal, answer_unit(2)), Reply(content="x"))
        await journal.settle(await claimed(journal, answer_unit(3)), TIMEOUT, cost_usd=0.5)
        turned_away = Failure(FailureKind.RATE_LIMIT, "slow down")
        await journal.settle(await claimed(journal, answer_unit(3), 1), turned_away, cost_usd=0.0)
        assert await journal.spent() == Spent(0.75, 1, 0.5)


async def test_a_run_hears_the_newest_request(store: Store, spec_id: int) -> None:
    async with new_run(store, spec_id) as journal:
        assert await journal.requested() is None
        store.request(journal.run_id, "pause", AT)
        assert await journal.requested() == "pause"
        store.request(journal.run_id, "stop", AT)
        assert await journal.requested() == "stop"
        run_id = journal.run_id
    with pytest.raises(RefusedError, match="is over"):
        store.request(run_id, "resume", AT)


async def test_a_run_left_without_a_word_counts_as_failed(store: Store, spec_id: int) -> None:
    with pytest.raises(ZeroDivisionError):
        async with new_run(store, spec_id):
            raise ZeroDivisionError
    assert [(run.state, run.options) for run in store.runs("shop")] == [("failed", {"concurrency": 20})]


async def test_progress_says_what_is_asked_for_in_all(store: Store, spec_id: int) -> None:
    store.extend(spec_id, "night", AT)
    progress = store.progress(spec_id)
    assert (progress.expected_answers, progress.expected_passes) == (9, 12)


async def test_only_the_newest_answers_tool_calls_are_streamed(store: Store, spec_id: int) -> None:
    again = replace(answer_unit(1), key="another night", night=2)
    async with new_run(store, spec_id) as journal:
        await journal.ask([answer_unit(1), again])
        await journal.finish_answer(answer_unit(1), Answer(text="x", tool_calls=(ToolCall("refund"),)))
        assert [tool.name for tool in store.tools(spec_id)] == ["refund"]
        await journal.finish_answer(again, Answer(text="no tool this time"))
        assert list(store.tools(spec_id)) == []


async def test_tries_in_vain_are_counted(store: Store, spec_id: int) -> None:
    async with new_run(store, spec_id) as journal:
        for _ in range(2):
            await journal.finish_answer(answer_unit(1), Answer(failure=TIMEOUT))
        await journal.finish_pass(pass_unit(1), PassResult(failure=UNREADABLE))
        await journal.finish_pass(pass_unit(2), PassResult(choice=0))
    keys = [unit.key for unit in (answer_unit(1), answer_unit(2), pass_unit(1), pass_unit(2))]
    assert store.tries(keys) == {answer_unit(1).key: 2, pass_unit(1).key: 1}


async def test_a_withdrawn_claim_is_not_counted_as_possibly_billed(store: Store, spec_id: int) -> None:
    async with new_run(store, spec_id) as journal:
        await journal.withdraw(await claimed(journal, answer_unit(1)))
    assert store.progress(spec_id).possibly_billed == 0


async def test_a_new_spec_reuses_the_units_of_the_old_one(store: Store, spec_id: int) -> None:
    async with new_run(store, spec_id) as journal:
        await journal.ask([answer_unit(1)])
        ref = await journal.finish_answer(answer_unit(1), Answer(text="hello"))
    later = store.add(experiment(hypothesis="other"), [case(1), case(2), case(3)], AT)
    row_id = store.row_ids(later)[0]
    async with new_run(store, later) as journal:
        await journal.ask([AnswerUnit("v4-1", row_id, "v4", 0)])
    assert [(fact.row_id, fact.answer_id) for fact in store.answers(later)] == [(row_id, ref.id)]


async def test_a_full_disk_ends_the_run_in_words_and_loses_nothing_that_was_recorded(
    store: Store, spec_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def small(path: Path, *, create: bool = True, any_thread: bool = False) -> Database:
        db = connect(path, create=create, any_thread=any_thread)
        pages = db.execute("PRAGMA page_count").fetchone()[0]
        db.execute(f"PRAGMA max_page_count = {pages + 8}")
        return db

    monkeypatch.setattr("bothways.store.journal.connect", small)
    recorded = 0

    async def endless() -> None:
        nonlocal recorded
        async with new_run(store, spec_id) as journal:
            while True:
                claim = await claimed(journal, answer_unit(1), seq=recorded)
                await journal.settle(claim, Reply(content="x" * 3000))
                recorded += 1

    with pytest.raises(StoreError) as full:
        await endless()
    assert "full" in full.value.cause
    assert "room on the disk" in full.value.next_step
    monkeypatch.undo()
    assert recorded > 0
    async with new_run(store, spec_id) as journal:
        for seq in range(recorded):
            assert isinstance(await journal.begin(answer_unit(1), seq, 1, f"request {seq}"), Reply)
