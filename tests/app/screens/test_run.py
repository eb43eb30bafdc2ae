from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
from tests.app.shop import AT, EXPERIMENT, row
from tests.screens import shown, until

from bothways.app.desk.run.look import RunLook
from bothways.app.desk.run.remedies import next_step
from bothways.app.desk.run.watch import Watch
from bothways.app.screens.review import ReviewScreen
from bothways.app.shell.app import Desk
from bothways.engine.experiment import Experiment, Judge, Variant
from bothways.engine.facts import Answer, Failure, FailureKind
from bothways.engine.ledger import Progress, RunInfo, StageProgress
from bothways.engine.spec.load import load_spec
from bothways.sample_data import lay_out
from bothways.store import open_store

Open = Callable[..., Desk]
SOURCE = Path(__file__).parents[3] / "src"


@pytest.fixture
def waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with a sample experiment that nobody has run; its worker finds the package."""
    monkeypatch.setenv("PYTHONPATH", str(SOURCE))
    lay_out(tmp_path / "shop")
    experiment, cases = load_spec(tmp_path / "shop" / "shipping-tool.yaml")
    with open_store(tmp_path / "shop.db") as store:
        store.add(experiment, cases, AT)
    return tmp_path / "shop.db"


async def test_a_run_is_started_watched_and_announced(desk: Open, waiting: Path) -> None:
    app = desk(waiting, "run", name="shipping-tool")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: "s starts it" in shown(app))
        assert "0 of 80" in shown(app)
        foot = " ".join(shown(app).splitlines()[-1].split())
        assert foot == "s start v review g gate esc back ? help"
        await pilot.press("s")
        await until(pilot, lambda: shown(app).count("80 of 80") == 2, within_s=60)
        await until(pilot, lambda: "Run: complete" in shown(app))
        await until(pilot, lambda: "24–7–3" in shown(app))
        await pilot.press("v")
        await until(pilot, lambda: "required" in shown(app))
        await until(pilot, lambda: app.sitting.workers["shipping-tool"].ended == 0)


async def test_a_run_that_is_alive_is_followed_and_no_second_one_started(desk: Open, waiting: Path) -> None:
    app = desk(waiting, "run", name="shipping-tool")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: "s starts it" in shown(app))
        with open_store(waiting) as store:
            spec = store.specs("shipping-tool")[0].id
            async with store.run(spec, {}, AT) as journal:
                await pilot.press("s")
                await until(pilot, lambda: "A run is going on: this screen follows it." in shown(app))
                app.clear_notifications()
                await until(pilot, lambda: "p pause  x stop" in shown(app))
                assert "s start" not in shown(app)
                await journal.end("stopped")
        assert app.sitting.workers == {}


@pytest.mark.parametrize("key", ["p", "x"])
async def test_what_does_not_run_cannot_be_paused_or_stopped(desk: Open, waiting: Path, key: str) -> None:
    app = desk(waiting, "run", name="shipping-tool")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: "s starts it" in shown(app))
        await pilot.press(key)
        await until(pilot, lambda: "Nothing is running" in shown(app))


async def test_an_import_cannot_be_run(desk: Open, db: Path) -> None:
    app = desk(db, "run")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: "there is nothing to run" in shown(app))
        await pilot.press("s")
        await until(pilot, lambda: "There is nothing to run" in shown(app))


SPEC = Experiment(name="x", baseline=Variant(name="v4"), candidates=(Variant(name="v5"),))
RUN = RunInfo(1, "x", 1, AT, None, "running", alive=True)


def look(done: int, *, alive: bool = True) -> RunLook:
    progress = Progress(StageProgress(100, done, 0, 5), StageProgress(), 100, 100)
    return RunLook(SPEC, progress, (RUN,) if alive else ())


def test_rate_and_time_left_come_from_the_last_counts() -> None:
    watch = Watch()
    assert watch.see(look(0), 100.0).rate is None
    view = watch.see(look(20), 110.0)
    assert (view.rate, view.eta_s) == (2.0, 90.0)


def test_a_run_that_stalls_has_no_rate() -> None:
    watch = Watch()
    watch.see(look(20), 100.0)
    assert watch.see(look(20), 130.0).rate is None


def test_what_does_not_run_has_no_rate() -> None:
    watch = Watch()
    watch.see(look(0), 100.0)
    view = watch.see(look(20, alive=False), 110.0)
    assert (view.rate, view.state) == (None, "never started")


def test_what_failed_in_this_run_takes_no_more_time() -> None:
    """Of 100 answers 20 are there and 20 failed, in 20 seconds: 60 are left, at 2 a second."""
    watch = Watch()
    watch.see(look(0), 100.0)
    progress = Progress(StageProgress(100, 20, 20, 5), StageProgress(), 100, 0)
    view = watch.see(RunLook(SPEC, progress, (RUN,)), 120.0)
    assert (view.rate, view.eta_s) == (2.0, 30.0)


@pytest.mark.parametrize(
    ("asked", "flying", "says"),
    [
        (None, 5, "running"),
        ("resume", 5, "running"),
        ("pause", 5, "paused: nothing new is sent; 5 calls begun, not answered yet"),
        ("pause", 0, "paused"),
        ("stop", 5, "stopping: nothing new is sent; 5 calls begun, not answered yet"),
    ],
)
def test_what_was_asked_of_a_run_is_said_whoever_asked(
    asked: Literal["pause", "resume", "stop"] | None, flying: int, says: str
) -> None:
    progress = Progress(StageProgress(100, 20, 0, flying), StageProgress(), 100, 100)
    assert Watch().see(RunLook(SPEC, progress, (replace(RUN, asked=asked),)), 0.0).state == says


def test_a_run_whose_worker_is_gone_is_said_to_be_interrupted() -> None:
    gone = replace(RUN, alive=False, state="interrupted")
    progress = Progress(StageProgress(100, 20, 0, 0), StageProgress(), 100, 100)
    view = Watch().see(RunLook(SPEC, progress, (gone,)), 0.0)
    assert view.state.startswith("interrupted: its worker ended without a word")
    assert "s starts it: 180 units are missing" in view.next_step


@pytest.mark.parametrize("kind", list(FailureKind))
def test_every_kind_of_failure_has_a_next_step(kind: FailureKind) -> None:
    assert next_step(kind.value)


def test_the_budget_of_the_run_counts_before_that_of_the_spec() -> None:
    run = replace(RUN, options={"budget_usd": 2.5})
    assert Watch().see(RunLook(SPEC, Progress(), (run,)), 0.0).budget_usd == 2.5


async def test_a_worker_that_cannot_start_leaves_its_last_words(desk: Open, waiting: Path) -> None:
    missing = Judge(name="judge", function="no_such_module:judge")
    with open_store(waiting) as store:
        spec = store.spec(store.specs("shipping-tool")[0].id)
        cases = [case for _, case in store.cases(store.specs("shipping-tool")[0].id)]
        store.add(spec.model_copy(update={"name": "no judge", "judge": missing}), cases, AT)
    app = desk(waiting, "run", name="no judge")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: "s starts it" in shown(app))
        await pilot.press("s")
        await until(pilot, lambda: "The worker ended with exit code 2" in shown(app), within_s=60)
        assert "no_such_module" in shown(app)
        assert "s starts it" in shown(app)


async def test_a_killed_worker_is_said_to_be_killed(desk: Open, waiting: Path, tmp_path: Path) -> None:
    """A run that goes on is followed; its process is killed, and the screen says so and how to go on."""
    code = (
        "import asyncio, sys; from pathlib import Path; from bothways.store import open_store\n"
        "async def main():\n"
        "    with open_store(Path(sys.argv[1])) as store:\n"
        "        spec = store.specs('shipping-tool')[0].id\n"
        f"        async with store.run(spec, {{}}, {AT!r}):\n"
        "            print('alive', flush=True); await asyncio.sleep(600)\n"
        "asyncio.run(main())\n"
    )
    worker = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, str(waiting), stdout=asyncio.subprocess.PIPE
    )
    assert worker.stdout is not None
    await worker.stdout.readline()
    app = desk(waiting, "run", name="shipping-tool")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: "Run: running" in shown(app) and bool(app._announcer.running))
        worker.kill()
        await worker.wait()
        await until(pilot, lambda: "Run: interrupted: its worker ended without a word" in shown(app))
        await until(pilot, lambda: "The run of shipping-tool was interrupted" in shown(app))
        assert "s starts it: 160 units are missing" in shown(app)


async def test_the_end_of_a_run_is_told_on_every_screen(desk: Open, waiting: Path) -> None:
    app = desk(waiting, "experiments")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: "shipping-tool" in shown(app))
        with open_store(waiting) as store:
            async with store.run(store.specs("shipping-tool")[0].id, {}, AT) as journal:
                await until(pilot, lambda: app._announcer.running == ("shipping-tool",))
                await journal.end("complete")
        await until(pilot, lambda: "The run of shipping-tool is complete." in shown(app))


async def test_enter_on_a_kind_of_error_opens_its_rows(desk: Open, tmp_path: Path) -> None:
    silent = Answer(failure=Failure(FailureKind.TIMEOUT, "no complete reply within 30 s"))
    rows = [
        replace(one, answers=(one.answers[0], one.answers[1]._replace(answer=silent)), passes=())
        if number in (2, 5)
        else one
        for number, one in ((number, row(number)) for number in range(8))
    ]
    with open_store(tmp_path / "x.db") as store:
        store.take(EXPERIMENT, rows, AT)
    app = desk(tmp_path / "x.db", "run")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "2× timeout" in shown(app) and "raise run.timeout_s" in shown(app))
        await until(pilot, lambda: app.focused is not None and app.focused.id == "errors")
        await pilot.press("enter")
        await until(pilot, lambda: "r-00002" in shown(app) or "r-00005" in shown(app))
        screen = app.screen
        assert isinstance(screen, ReviewScreen)
        assert set(screen.only) == {"r-00002", "r-00005"}


async def test_the_message_of_a_kind_of_error_is_whole_in_80_columns(desk: Open, tmp_path: Path) -> None:
    said = 'stdout is no JSON; expected a text, or {"text": "…"}, as JSON; came: Hello, how can I help you?'
    silent = Answer(failure=Failure(FailureKind.EXTRACTION, said))
    found = row(1)
    rows = [replace(found, answers=(found.answers[0], found.answers[1]._replace(answer=silent)), passes=())]
    with open_store(tmp_path / "x.db") as store:
        store.take(EXPERIMENT, rows, AT)
    app = desk(tmp_path / "x.db", "run")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: said in " ".join(shown(app).split()))


async def test_a_run_that_others_paused_is_resumed_from_here(desk: Open, waiting: Path) -> None:
    with open_store(waiting) as store:
        async with store.run(store.specs("shipping-tool")[0].id, {}, AT) as journal:
            store.request(journal.run_id, "pause", AT)
            app = desk(waiting, "run", name="shipping-tool")
            async with app.run_test(size=(120, 40)) as pilot:
                await until(pilot, lambda: "Run: paused" in shown(app) and "p resumes it" in shown(app))
                await pilot.press("p")
                await until(pilot, lambda: "Run: running" in shown(app))
            assert await journal.requested() == "resume"
