"""The conditions once more, straight from their definitions, for rows on which nothing is open.

Slow, and without a line of the code under test: what the gate says is compared with these over every
completion of the rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from tests.engine.gate.rows import TRIED, reviewed

from bothways.engine.analysis.model import RowEvidence, ToolState
from bothways.engine.experiment import Experiment
from bothways.engine.gate.model import State
from bothways.engine.standing import Standing
from bothways.engine.verdicts import Outcome, Side, Verdict

__all__ = [
    "FLIPS", "READ_TWICE", "asks", "completions", "differ", "done", "lacks_verdict", "pending", "person",
    "states", "unread",
]  # fmt: skip

VERDICTS: tuple[Verdict, ...] = ("candidate", "baseline", "tie")
FLIPS = {Outcome.FLIP_HARD, Outcome.FLIP_SOFT, Outcome.FLIP_NIGHTS}
READ_TWICE = {Outcome.WIN, Outcome.TIE, *FLIPS}


def judged(row: RowEvidence) -> str | None:
    return row.winner if row.outcome is Outcome.WIN else "tie" if row.outcome is Outcome.TIE else None


def person(row: RowEvidence) -> Verdict | None:
    return row.standing.verdict if row.standing is not None else None


def differ(row: RowEvidence) -> bool:
    """Whether people say different things and none of it counts."""
    return row.standing is not None and row.standing.disputed and row.standing.verdict is None


def signature(row: RowEvidence) -> str | None:
    return row.standing.tools if row.standing is not None else None


def pending(row: RowEvidence) -> bool:
    return row.outcome is Outcome.PENDING and person(row) is None


def unread(row: RowEvidence) -> bool:
    return row.outcome not in READ_TWICE and person(row) is None


def asks(found: list[RowEvidence], spec: Experiment) -> bool:
    """Whether high-stakes rows must be reviewed, by the judge's votes alone."""
    if spec.review.require != "when_close":
        return spec.review.require == "always"
    said = [judged(row) for row in found]
    wins, losses, ties, open_ = (said.count(one) for one in ("candidate", "baseline", "tie", None))
    bar = Fraction(spec.gate.threshold)

    def meets(wins: int, losses: int, reading: str) -> bool | None:
        of = wins + losses + (ties if reading == "count" else 0)
        return None if not of else Fraction(wins, of) >= bar

    reading = spec.gate.ties
    of = wins + losses + (ties if reading == "count" else 0)
    if not of or meets(wins, losses, "count") != meets(wins, losses, "exclude"):
        return True
    if meets(wins + open_, losses, reading) != meets(wins, losses + open_, reading):
        return True
    z, share = 1.959963984540054, wins / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    low, high = (0.0 if not wins else middle - half), (1.0 if wins == of else middle + half)
    return low <= bar <= high


def lacks_verdict(row: RowEvidence) -> bool:
    return row.high_stakes and person(row) is None and not empty(row)


def empty(row: RowEvidence) -> bool:
    """Nobody can say which of two failures is better."""
    return row.failed == ("baseline", "candidate")


def done(found: list[RowEvidence], spec: Experiment) -> tuple[int, int]:
    """How many rows people have dealt with, of how many required ones."""
    asked = asks(found, spec)
    required = [
        r for r in found if (asked and r.high_stakes and not empty(r)) or r.tools is ToolState.CHANGED
    ]
    settled = [
        row
        for row in required
        if not (asked and lacks_verdict(row))
        and not (row.tools is ToolState.CHANGED and signature(row) is None)
    ]
    return len(settled), len(required)


def completions(found: list[RowEvidence], spec: Experiment) -> Iterator[list[RowEvidence]]:
    """Every way in which untried rows, required reviews and signatures could turn out."""
    asked = asks(found, spec)
    return (list(rows) for rows in product(*(list(_turns_out(row, asked)) for row in found)))


def _turns_out(row: RowEvidence, asked: bool) -> Iterator[RowEvidence]:
    for tried in _tried(row):
        for said in _said(tried, asked):
            if said.tools is ToolState.CHANGED and signature(said) is None:
                standing = said.standing or Standing()
                yield said._replace(standing=standing._replace(tools="ok"))
                yield said._replace(standing=standing._replace(tools="bad"))
            else:
                yield said


def _tried(row: RowEvidence) -> Iterator[RowEvidence]:
    if not pending(row):
        yield row
        return
    for outcome, winner, first, second in TRIED:
        failed: tuple[Side, ...] = ("candidate",) if outcome is Outcome.ERROR else ()
        yield row._replace(outcome=outcome, winner=winner, first=first, second=second, failed=failed)


def _said(row: RowEvidence, asked: bool) -> Iterator[RowEvidence]:
    if asked and lacks_verdict(row):
        yield from (reviewed(row, verdict) for verdict in VERDICTS)
    else:
        yield row


def states(found: list[RowEvidence], spec: Experiment, changes: int | None) -> dict[str, State]:
    """Each condition of rows with nothing left open."""
    gate, bar = spec.gate, Fraction(spec.gate.threshold)
    said = [person(row) or (None if differ(row) else judged(row)) for row in found]
    wins, losses, ties = (said.count(side) for side in VERDICTS)
    of = wins + losses + (ties if gate.ties == "count" else 0)
    money = [verdict for verdict, row in zip(said, found, strict=True) if row.high_stakes]
    return {
        "win_rate": _grade(None if not of else Fraction(wins, of) >= bar),
        "margin": State.UNKNOWN if abs(wins - bar * of) <= gate.rerun_margin else State.PASS,
        "tool_discipline": _tools(found),
        "money_paths": _grade(False if "baseline" in money else None if None in money else True),
        "coverage": _coverage(found, spec),
        "judge_health": _health(found, spec),
        "one_change": State.PASS if changes == 1 or spec.attest.one_change else State.UNKNOWN,
        "enough_evidence": State.PASS if wins + losses + ties >= gate.min_decided else State.UNKNOWN,
    }


def _grade(kept: bool | None) -> State:
    return State.UNKNOWN if kept is None else State.PASS if kept else State.FAIL


def _tools(found: list[RowEvidence]) -> State:
    signed = [signature(row) for row in found if row.tools is ToolState.CHANGED]
    if "bad" in signed or any(row.tools is ToolState.BROKEN for row in found):
        return State.FAIL
    return State.UNKNOWN if None in signed else State.PASS


def _coverage(found: list[RowEvidence], spec: Experiment) -> State:
    silent = sum(row.outcome is Outcome.ERROR and row.failed == ("candidate",) for row in found)
    if silent > spec.gate.max_errors:
        return State.FAIL
    read = sum(not unread(row) for row in found)
    enough = found and Fraction(read, len(found)) >= Fraction(spec.gate.min_answered)
    return State.PASS if enough else State.UNKNOWN


def _health(found: list[RowEvidence], spec: Experiment) -> State:
    if found and all(person(row) for row in found):
        return State.PASS
    flips, read = (sum(row.outcome in kind for row in found) for kind in (FLIPS, READ_TWICE))
    leads = [[row.first for row in found], [row.second for row in found]]
    ahead = [said.count("candidate") - said.count("baseline") for said in leads]
    if min(ahead) < 0 < max(ahead):
        return State.FAIL
    if not read:
        return State.UNKNOWN
    return _grade(Fraction(flips, read) <= Fraction(spec.gate.max_flip_rate))
