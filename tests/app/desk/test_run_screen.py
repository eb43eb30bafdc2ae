from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.app.desk.shop import AT
from tests.screens import shown, until

from bothways.app.desk.app import Desk
from bothways.app.desk.watch import RunLook, Watch
from bothways.engine.experiment import Experiment, Variant
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
