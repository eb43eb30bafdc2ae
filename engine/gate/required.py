"""Which rows a person has to read before anything ships."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from bothways.engine.analysis.model import Evidence, RowEvidence
from bothways.engine.analysis.rows import Rows
from bothways.engine.analysis.tally import Votes
from bothways.engine.gate.close import is_close
from bothways.engine.verdicts import Outcome, Verdict

__all__ = ["asks_verdict", "close", "is_empty", "lacks_verdict"]


def close(evidence: Evidence) -> bool:
    """Say whether the vote is close, from the judge alone."""
    judged: Counter[Verdict | None] = Counter()
    for row, times in Rows.of(evidence.rows).alike():
        judged[row.judged] += times
    votes = Votes.of(judged)
    gate = evidence.experiment.gate
    return is_close(votes, len(evidence.rows) - votes.decided, Fraction(gate.threshold), gate.ties)


def asks_verdict(evidence: Evidence, *, close: bool) -> bool:
    """Say whether the high-stakes rows of this experiment must be reviewed."""
    require = evidence.experiment.review.require
    return require == "always" or (require == "when_close" and close)


def lacks_verdict(row: RowEvidence) -> bool:
    """Say whether a high-stakes row still waits for a person; one that was not tried waits for the run.

    One that people differ on waits until a verdict counts. Between two failures there is none to give.
    """
    untold = row.outcome is Outcome.PENDING or is_empty(row)
    return row.high_stakes and not row.spoken and not untold


def is_empty(row: RowEvidence) -> bool:
    """Say whether neither side gave an answer: there is nothing to read until the run is repaired."""
    return len(row.failed) > 1
