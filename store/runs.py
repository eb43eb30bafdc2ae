"""Runs as others see them: which there are, how far they are, and what is asked of them."""

from __future__ import annotations

import json
from pathlib import Path

from sqlite_utils import Database

from bothways.engine.errors import RefusedError, UsageError
from bothways.engine.experiment import Experiment
from bothways.engine.facts import JsonObject
from bothways.engine.ledger import Progress, Request, RunInfo, StageProgress
from bothways.engine.methods.open import open_method
from bothways.store.connection import reported
from bothways.store.journal import RunJournal
from bothways.store.liveness import RunLock
from bothways.store.meter import Meter
from bothways.store.part import Part

__all__ = ["Runs"]

_COUNTS = """
SELECT count(*), count(n.id) - count(n.failure_kind), count(n.failure_kind)
FROM row_{stage} l LEFT JOIN {stage} n ON n.id = (SELECT max(id) FROM {stage} WHERE unit_id = l.unit_id)
WHERE l.row_id BETWEEN ? AND ?
"""
_ERRORS = """
SELECT n.failure_kind, count(*), max(n.id), n.at, n.failure_message
FROM row_{stage} l JOIN {stage} n ON n.id = (SELECT max(id) FROM {stage} WHERE unit_id = l.unit_id)
WHERE l.row_id BETWEEN ? AND ? AND n.failure_kind IS NOT NULL GROUP BY n.failure_kind
"""
_RUNS = """
SELECT e.name, r.id, r.spec_id, r.started_at, r.ended_at, r.state, r.options,
  (SELECT request FROM requests q WHERE q.run_id = r.id ORDER BY q.id DESC LIMIT 1)
FROM runs r JOIN specs s ON s.id = r.spec_id JOIN experiments e ON e.id = s.experiment_id
"""
_EARLIER = "SELECT count(*) FROM row_passes WHERE row_id BETWEEN ? AND ? AND take < ?"


class Runs(Part):
    """List, watch and steer runs; start one with `run`."""

    def __init__(self, db: Database, path: Path) -> None:
        super().__init__(db, path)
        self._meters: dict[int, Meter] = {}

    def run(self, spec_id: int, options: JsonObject, at: str) -> RunJournal:
        """Return the journal of a new run; the run starts when it is entered."""
        self._extent(spec_id)
        return RunJournal(self._path, spec_id, options, at)

    def runs(self, experiment: str) -> list[RunInfo]:
        """Return the runs, newest first. One that ended without a word is `interrupted`."""
        number = self._experiment_id(experiment)
        found = self._all(f"{_RUNS} WHERE s.experiment_id = ? ORDER BY r.id DESC", number)
        return [self._run_info(*row) for row in found]

    def recent_runs(self, after: int) -> list[RunInfo]:
        """Return the runs of all experiments that have not ended, or whose number is above `after`."""
        found = self._all(f"{_RUNS} WHERE r.ended_at IS NULL OR r.id > ? ORDER BY r.id", after)
        return [self._run_info(*row) for row in found]

    def _run_info(
        self,
        experiment: str,
        run_id: int,
        spec_id: int,
        started: str,
        ended: str | None,
        state: str,
        options: str,
        asked: Request | None,
    ) -> RunInfo:
        alive = ended is None and RunLock(self._path, run_id).held()
        if ended is None and not alive:
            state = "interrupted"
        return RunInfo(run_id, experiment, spec_id, started, ended, state, alive, json.loads(options), asked)

    def request(self, run_id: int, request: Request, at: str) -> None:
        """Ask a run to pause, resume or stop; RefusedError where it is over."""
        found = self._one("SELECT ended_at FROM runs WHERE id = ?", run_id)
        if found is None:
            raise UsageError(f"there is no run {run_id} in {self._path}")
        if found[0] is not None or not RunLock(self._path, run_id).held():
            raise RefusedError(f"run {run_id} is over", "nobody would obey", "Start a new run to go on.")
        with self._writing("asking a run") as db:
            db.execute("INSERT INTO requests (run_id, request, at) VALUES (?, ?, ?)", (run_id, request, at))

    def progress(self, spec_id: int) -> Progress:
        """Return how far the experiment is. Calls and costs are those of all versions of its spec."""
        meter = self._meter(spec_id)
        alive = {run: RunLock(self._path, run).held() for run in {run for run, _, _ in meter.open.values()}}
        flying = {(unit, kind) for run, unit, kind in meter.open.values() if alive[run]}
        answers = self._stage(spec_id, "answers", sum(kind == "answer" for _, kind in flying))
        passes = self._stage(spec_id, "passes", sum(kind == "pass" for _, kind in flying))
        expected = self._expected(spec_id, answers.asked, passes.asked)
        return Progress(
            answers=answers,
            passes=passes,
            expected_answers=expected[0],
            expected_passes=expected[1],
            calls=meter.calls,
            cost_usd=meter.cost_usd,
            unknown_costs=meter.unknown,
            possibly_billed=sum(not alive[run] for run, _, _ in meter.open.values()),
            errors=self._errors(spec_id),
        )

    def _meter(self, spec_id: int) -> Meter:
        self._extent(spec_id)
        number = int(self._one("SELECT experiment_id FROM specs WHERE id = ?", spec_id)[0])
        meter = self._meters.setdefault(number, Meter(self._db, number))
        with reported("adding up the calls"):
            meter.read()
        return meter

    def _stage(self, spec_id: int, stage: str, in_flight: int) -> StageProgress:
        asked, done, failed = self._one(_COUNTS.format(stage=stage), *self._extent(spec_id))
        return StageProgress(asked, done, failed, in_flight)

    def _expected(self, spec_id: int, answers: int, passes: int) -> tuple[int, int]:
        """Return what the spec asks for in all; an import asks for what it brought."""
        body, rows = self._one("SELECT body, row_count FROM specs WHERE id = ?", spec_id)
        spec = Experiment.model_validate_json(body)
        if spec.imported:
            return answers, passes
        nights, takes = self._asked(spec_id, "night"), self._asked(spec_id, "take")
        method = open_method(spec)
        asked = sum(len(method.orders(comparison)) for comparison in method.comparisons(nights))
        # The baseline is frozen on its first night; a take asks for every pass, whatever earlier ones lack.
        earlier = self._one(_EARLIER, *self._extent(spec_id), takes)[0] if takes > 1 else 0
        return rows * (1 + len(spec.candidates) * nights), rows * asked + earlier

    def _errors(self, spec_id: int) -> dict[str, tuple[int, str]]:
        """Count the failures that stand now by their kind, with the newest message."""
        counts: dict[str, tuple[int, str, str]] = {}
        for stage in ("answers", "passes"):
            for kind, count, _, at, message in self._all(_ERRORS.format(stage=stage), *self._extent(spec_id)):
                before = counts.get(kind, (0, "", ""))
                newest = max((at, message), before[1:])
                counts[kind] = (before[0] + count, *newest)
        return {kind: (count, message) for kind, (count, _, message) in counts.items()}
