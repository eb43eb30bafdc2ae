"""Whether a run is alive: asked by many at once, answered alike."""

from __future__ import annotations

from pathlib import Path
from threading import Barrier, Thread

from bothways.engine.experiment import Experiment, Variant
from bothways.store import open_store
from bothways.store.liveness import RunLock

AT = "2026-03-02T09:00:00.000Z"
LOOKS = 300


def left_by_the_dead(path: Path) -> None:
    """Leave a lock's file as a killed run leaves it: there, and held by nobody."""
    path.with_name(f"{path.name}.run-1.lock").touch()


def test_two_who_look_at_a_dead_run_at_once_do_not_take_each_other_for_it(path: Path) -> None:
    left_by_the_dead(path)
    together = Barrier(2)
    said: list[bool] = []

    def look() -> None:
        for _ in range(LOOKS):
            together.wait(30)
            said.append(RunLock(path, 1).held())

    lookers = [Thread(target=look) for _ in range(2)]
    for looker in lookers:
        looker.start()
    for looker in lookers:
        looker.join(60)
    assert said == [False] * (2 * LOOKS)


def test_a_run_is_alive_until_it_lets_go(path: Path) -> None:
    lock = RunLock(path, 1)
    assert not RunLock(path, 1).held()
    lock.hold()
    assert RunLock(path, 1).held()
    lock.free()
    assert not RunLock(path, 1).held()


async def test_runs_are_found_by_number_or_while_they_have_not_ended_with_what_was_asked(path: Path) -> None:
    experiment = Experiment(name="x", baseline=Variant(name="v4"), candidates=(Variant(name="v5"),))
    with open_store(path) as store:
        spec = store.add(experiment, [], AT)
        async with store.run(spec, {}, AT) as journal:
            store.request(journal.run_id, "pause", AT)
            (found,) = store.recent_runs(journal.run_id)
            assert (found.experiment, found.alive, found.asked) == ("x", True, "pause")
            await journal.end("stopped")
        assert store.recent_runs(journal.run_id) == []
        (over,) = store.recent_runs(journal.run_id - 1)
        assert (over.state, over.alive) == ("stopped", False)
