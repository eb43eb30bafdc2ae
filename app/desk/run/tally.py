"""What the judge has said so far, for each candidate and judge of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bothways.app.desk.gateline import outcome_line
from bothways.app.desk.overview import HIDDEN, pairings
from bothways.app.desk.review.blindness import gate_hidden
from bothways.engine.errors import UsageError

if TYPE_CHECKING:
    from bothways.app.desk.sitting import Pairing, Sitting

__all__ = ["known_pairings", "tallies"]

_TALLIES = 6
"""Pairings that are tallied: more would not fit, and each takes a walk over the rows."""


def known_pairings(sitting: Sitting, pairing: Pairing) -> list[Pairing]:
    """Return the pairing itself where it names a candidate, else all of its experiment; for a thread."""
    if pairing.candidate:
        return [pairing]
    with sitting.open() as store:
        return pairings(store, pairing.experiment)


def tallies(sitting: Sitting, pairing: Pairing) -> list[str]:
    """Return one line for each pairing, which tells a blind reader nothing; this belongs into a thread."""
    wanted = known_pairings(sitting, pairing)[:_TALLIES]
    return [_tally(sitting, one, named=len(wanted) > 1) for one in wanted]


def _tally(sitting: Sitting, pairing: Pairing, *, named: bool) -> str:
    try:
        with sitting.open() as store:
            by = f" by {pairing.judge}" if pairing.judge else ""
            name = f"{pairing.candidate}{by}: " if named else ""
            if gate_hidden(store, sitting, pairing):
                return f"{name}So far: {HIDDEN}"
            with sitting.reading(store, pairing) as (_, result, _):
                return f"{name}{outcome_line(result)}"
    except UsageError as error:
        return error.title
