"""The one place that chooses how an experiment compares."""

from __future__ import annotations

from bothways.engine.experiment import Experiment
from bothways.engine.methods.base import Method
from bothways.engine.methods.pair import Pair

__all__ = ["open_method"]


def open_method(experiment: Experiment) -> Method:
    """Return the experiment's method: pairs, which are all there is so far."""
    return Pair(experiment)
