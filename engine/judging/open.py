"""The one place that chooses between the judges; each is imported when it is used."""

from __future__ import annotations

from bothways.engine.errors import UsageError
from bothways.engine.experiment import Judge, RunSettings
from bothways.engine.judging.base import Judging

__all__ = ["open_judge"]


def open_judge(judge: Judge, settings: RunSettings) -> Judging:
    """Return whoever judges: the recording where there is one, else the function, else the model.

    Raises DataError for a recording that cannot be read, UsageError where nothing can judge.
    """
    if judge.replay is not None:
        from bothways.engine.judging.replay import ReplayJudging

        return ReplayJudging(judge)
    if judge.function is not None:
        from bothways.engine.judging.function import FunctionJudging

        return FunctionJudging(judge, settings.timeout_s)
    if judge.model is None:
        raise UsageError("nothing judges", f"judge {judge.name}", "give it a model, a replay or a function")
    from bothways.engine.judging.model import ModelJudging
    from bothways.engine.models.open import open_model

    model = open_model(
        judge.model, judge.endpoint, timeout_s=settings.timeout_s, concurrency=settings.concurrency
    )
    return ModelJudging(judge, model)
