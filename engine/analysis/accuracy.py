"""How often the judge is right where it says the same both ways, as far as people read such rows.

From the audit, a random sample, that is an estimate for all agreed rows once all of it was read; from all
reviews it is not, since people read the rows that look wrong. What people say with the judge's verdict before
them leans towards it, so the votes given blind are counted. What was confirmed unread counts nowhere.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from bothways.engine.analysis.model import RowEvidence
from bothways.engine.analysis.stats import Z_95, percent, rounded_at, share, wilson
from bothways.engine.analysis.tally import Votes
from bothways.engine.facts import JsonObject

__all__ = ["Accuracy", "Corrected", "Reading", "accuracy", "corrected"]

_HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Reading:
    """Of `n` rows that judge and people decided, on how many they say the same; `blind` were read blind."""

    n: int = 0
    right: int = 0
    blind: int = 0

    @classmethod
    def of(cls, rows: Sequence[RowEvidence]) -> Reading:
        """Count rows that judge and people decided."""
        blind = sum(row.standing is not None and row.standing.blind for row in rows)
        return cls(len(rows), sum(row.final == row.judged for row in rows), blind)

    @property
    def mostly_wrong(self) -> bool:
        """Whether the judge is more often wrong than right, and not by chance: by the 95 % Wilson interval.

        Cohen's κ below 0 would say it too, but says so of every second fair coin on a handful of rows.
        """
        interval = wilson(self.right, self.n)
        return interval is not None and interval[1] < _HALF

    def words(self, rows: str) -> str:
        """Return the counts, the rate and its interval in one line; `rows` says which they are."""
        rate = percent(share(self.right, self.n), _HALF)
        low, high = (percent(bound, _HALF) for bound in wilson(self.right, self.n) or (None, None))
        return f"{self.right} of {self.n} {rows} ({rate}, 95 % interval {low} to {high})"

    def as_json(self) -> JsonObject:
        """Return the counts with the rate and its interval; None where nothing was read."""
        interval = wilson(self.right, self.n)
        return {
            "n": self.n,
            "right": self.right,
            "value": rounded_at(share(self.right, self.n), _HALF),
            "wilson95": [rounded_at(bound, _HALF, 4) for bound in interval] if interval else None,
            "blind": self.blind,
        }


@dataclass(frozen=True, slots=True)
class Corrected:
    """The judge's win rate corrected for its errors. All shares are between 0 and 1."""

    value: Fraction
    interval: tuple[float, float]
    sensitivity: Fraction
    specificity: Fraction

    def as_json(self, threshold: Fraction) -> JsonObject:
        """Return it as JSON, the rate and its interval on their own side of `threshold`."""
        return {
            "value": rounded_at(self.value, threshold),
            "interval95": [rounded_at(bound, threshold, 4) for bound in self.interval],
            "sensitivity": round(float(self.sensitivity), 6),
            "specificity": round(float(self.specificity), 6),
            "from": "audit",
        }


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The judge against people: on the audited rows, on all rows that people read, and what follows."""

    audit: Reading
    reviews: Reading
    corrected: Corrected | None

    @property
    def warnings(self) -> tuple[str, ...]:
        """Say that the judge is mostly wrong, by the audit or else by all that people read."""
        for rows, reading in (("audited rows", self.audit), ("agreed rows that people read", self.reviews)):
            if reading.mostly_wrong:
                told = reading.words(rows)
                return (f"the judge says the same both ways and is mostly wrong: right on {told}",)
        return ()

    def as_json(self, threshold: Fraction) -> JsonObject:
        """Return it as JSON; names are a contract."""
        return {
            "audit": self.audit.as_json(),
            "reviews": self.reviews.as_json(),
            "corrected": None if self.corrected is None else self.corrected.as_json(threshold),
        }


def accuracy(rows: Iterable[RowEvidence], audit: Collection[str], alone: Votes) -> Accuracy:
    """Compare the judge with people on the rows that it decided and people read; no other of `rows` counts.

    `audit` are the cases drawn for it, `alone` the judge's votes on all rows.
    """
    both = [
        row
        for row in rows
        if row.standing is not None and row.spoken and not row.standing.unread and row.judged is not None
    ]
    audited = [row for row in both if row.case_id in audit]
    wins = [row for row in audited if row.final == "candidate"]
    others = [row for row in audited if row.final != "candidate"]
    return Accuracy(
        audit=Reading.of(audited),
        reviews=Reading.of(both),
        corrected=corrected(
            (alone.candidate, alone.decided),
            (sum(row.judged == "candidate" for row in wins), len(wins)),
            (sum(row.judged != "candidate" for row in others), len(others)),
        ),
    )


def corrected(named: tuple[int, int], found: tuple[int, int], spared: tuple[int, int]) -> Corrected | None:
    """Correct a share by what is known of the errors that it was counted with; (part, of) each.

    `named` are the judge's wins of the decided rows (ties among them), `found` its wins of the rows that
    people give the candidate (sensitivity), `spared` its other verdicts of the rows that they do not
    (specificity). None where one of them is of nothing, or where the judge knows no more than a coin.

    The estimate is that of Rogan and Gladen, Am. J. Epidemiol. 107 (1978) 71–76, clipped to [0, 1]; the
    interval that of Lang and Reiczigel, Prev. Vet. Med. 113 (2014) 13–22, which counts the uncertainty of
    all three shares (as of studies apart, while the audit is a part of what was judged), widened to the
    estimate where that lies outside.
    """
    shares = [share(*part_of) for part_of in (named, found, spared)]
    if None in shares:
        return None
    rate, sensitivity, specificity = (one for one in shares if one is not None)
    informed = sensitivity + specificity - 1
    if informed <= 0:
        return None
    value = min(max((rate + specificity - 1) / informed, Fraction(0)), Fraction(1))
    low, high = _interval(named, found, spared)
    return Corrected(value, (min(low, float(value)), max(high, float(value))), sensitivity, specificity)


def _interval(named: tuple[int, int], found: tuple[int, int], spared: tuple[int, int]) -> tuple[float, float]:
    z2 = Z_95 * Z_95
    rate, rate_error = _shrunk(named, z2)
    sensitivity, sensitivity_error = _shrunk(found, 2)
    specificity, specificity_error = _shrunk(spared, 2)
    informed = sensitivity + specificity - 1
    if informed <= 0:
        return 0.0, 1.0
    value = (rate + specificity - 1) / informed
    shift = 2 * z2 * (value * sensitivity_error - (1 - value) * specificity_error)
    error = rate_error + value**2 * sensitivity_error + (1 - value) ** 2 * specificity_error
    half = Z_95 * math.sqrt(error) / informed
    return min(max(value + shift - half, 0.0), 1.0), min(max(value + shift + half, 0.0), 1.0)


def _shrunk(part_of: tuple[int, int], more: float) -> tuple[float, float]:
    """Return a share drawn towards one half by so many made-up rows, and its squared standard error."""
    part, of = part_of[0] + more / 2, part_of[1] + more
    return part / of, part * (of - part) / of**3
