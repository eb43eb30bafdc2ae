"""A judge that is a recording: every pass through the same engine, with no key and no network."""

from __future__ import annotations

from pathlib import Path

from bothways.engine.errors import DataError, Place
from bothways.engine.experiment import Judge
from bothways.engine.facts import TIE, Failure, FailureKind, PassResult, Reply
from bothways.engine.judging.base import JudgeAsk
from bothways.engine.judging.labels import slot_labels
from bothways.engine.judging.reading import Reading, read_verdict
from bothways.engine.judging.recording import RecordedPass, read_recording
from bothways.engine.targets.base import Calls

__all__ = ["ReplayJudging"]


class ReplayJudging:
    """Gives back the passes of one judge; what is not in the recording is *unanswered*."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._by_case: dict[str, list[RecordedPass]] = {}
        for recorded in _of_judge(read_recording(Path(judge.replay or "")), judge):
            self._by_case.setdefault(recorded.case, []).append(recorded)

    async def judge(self, ask: JudgeAsk, calls: Calls) -> PassResult:  # noqa: ARG002 - a recording calls nobody
        """Return the recorded pass over these variants in this order."""
        recorded = self._recorded(ask)
        if recorded is None:
            missing = f"no pass over case {ask.case.id} that shows {ask.variants[0]} first"
            return PassResult(failure=Failure(FailureKind.MISSING, missing))
        return self._result(recorded, ask)

    def lacks(self, ask: JudgeAsk) -> bool:
        """Tell whether this pass is not in the recording."""
        return self._recorded(ask) is None

    def _recorded(self, ask: JudgeAsk) -> RecordedPass | None:
        return next((r for r in self._by_case.get(ask.case.id, ()) if _is_asked(r, ask)), None)

    async def close(self) -> None:
        """Nothing is open."""

    def _result(self, recorded: RecordedPass, ask: JudgeAsk) -> PassResult:
        reading = _as_recorded(recorded, ask)
        if not recorded.was_read:
            reading = read_verdict(Reply(recorded.raw), slot_labels(len(ask.answers)), self._judge.allow_tie)
        failure = Failure(FailureKind.UNREADABLE, reading.problem) if reading.choice is None else None
        return PassResult(
            choice=reading.choice,
            rationale=recorded.rationale or reading.rationale,
            raw=recorded.raw,
            reading="recorded" if recorded.was_read else reading.reading,
            usage=recorded.usage,
            cost_usd=recorded.cost_usd,
            duration_s=recorded.duration_s,
            model=recorded.model,
            failure=failure,
        )


def _of_judge(passes: list[RecordedPass], judge: Judge) -> list[RecordedPass]:
    """Return the passes of this judge: those under its name or model, or all of a sole judge."""
    names = {recorded.judge for recorded in passes if recorded.judge is not None}
    own = names & {judge.name, judge.model}
    if len(names) > 1 and not own:
        place = Place(judge.replay or "", 0, "judge")
        raise DataError(place, f"no pass of {judge.name}", "one of " + ", ".join(sorted(names)))
    return [r for r in passes if len(names) <= 1 or r.judge is None or r.judge in own]


def _roles(ask: JudgeAsk) -> dict[str, str]:
    """Say which variant is the baseline and which the candidate: the baseline is shown first in order 1."""
    if len(ask.variants) != 2:
        return {}
    baseline, candidate = ask.variants if ask.order == 1 else ask.variants[::-1]
    return {"baseline": baseline, "candidate": candidate}


def _named(name: str, ask: JudgeAsk) -> str:
    return name if name in ask.variants else _roles(ask).get(name, name)


def _is_asked(recorded: RecordedPass, ask: JudgeAsk) -> bool:
    return recorded.between <= set(ask.variants) and _named(recorded.shown_first, ask) == ask.variants[0]


def _as_recorded(recorded: RecordedPass, ask: JudgeAsk) -> Reading:
    """Turn a verdict that names a side back into a place in the order shown."""
    if recorded.verdict is None:
        return Reading(problem="recorded as unreadable")
    if recorded.verdict.casefold() == "tie":
        return Reading(TIE)
    name = _named(recorded.verdict, ask)
    if name in ask.variants:
        return Reading(ask.variants.index(name))
    return Reading(problem=f"{recorded.place}: the verdict names none of the variants shown")
