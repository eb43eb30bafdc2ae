"""The audit: rows that the judge decided both ways, drawn by lot for people to read.

Consistent is not correct: only reading a sample of the agreed rows shows a judge that is steadily wrong.
"""

from __future__ import annotations

from collections.abc import Iterable

from bothways.engine.analysis.model import RowEvidence
from bothways.engine.experiment import Experiment
from bothways.engine.lots import sample

__all__ = ["drawn"]


def drawn(experiment: Experiment, candidate: str, rows: Iterable[RowEvidence]) -> frozenset[str]:
    """Return the cases to read: the share that the spec asks for, of the rows that the judge decided.

    It is drawn from the judge alone, so it stays put while people review; one judge's sample holds most of
    another's, since the lots are the same.
    """
    share = experiment.review.audit
    if not share:
        return frozenset()
    agreed = [row.case_id for row in rows if row.judged is not None]
    return sample(share, agreed, "audit", experiment.name, candidate)
