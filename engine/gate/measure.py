"""From situations to figures: one walk over the rows, and what people said on those they acted on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from bothways.engine.analysis.accuracy import accuracy
from bothways.engine.analysis.model import RowEvidence
from bothways.engine.analysis.rows import Rows
from bothways.engine.gate.figures import Audit, Figures, Flips, Luck, Reviews, Strength, WinRate
from bothways.engine.gate.situation import Situation
from bothways.engine.standing import Rule
from bothways.engine.verdicts import FLIPS, Outcome

__all__ = ["measure"]


def measure(now: Situation, alone: Situation) -> Figures:
    """Return every figure of a comparison; `alone` is its situation as if nobody had said anything."""
    evidence, settings = now.evidence, now.settings
    rows = Rows.of(evidence.rows)
    heard = [row for row in rows.acted() if row.standing is not None and row.standing.heard]
    judge = accuracy(heard, evidence.audit, alone.votes)
    rate = WinRate(now.votes, settings.ties, now.threshold)
    return Figures(
        experiment=evidence.experiment.name,
        baseline=evidence.experiment.baseline.name,
        candidate=evidence.candidate,
        judge=evidence.judge,
        rows=now.rows,
        passes=evidence.passes,
        undecided=_undecided(rows),
        flips=Flips(len(now.flipped), now.readable, Fraction(settings.max_flip_rate)),
        first_shown=evidence.first_shown,
        win_rate=rate,
        strength=Strength.of(now.votes),
        luck=Luck.of(rate.of, now.threshold, evidence.tried),
        close=now.close,
        alone=alone.votes,
        reviews=_reviews(now, heard),
        accuracy=judge,
        tags=_tags(rows),
        costs=evidence.costs,
        nights=evidence.nights,
        takes=evidence.takes,
        warnings=(*evidence.warnings, *judge.warnings),
        facts_hash=evidence.facts_hash,
    )


_DECIDED = (Outcome.WIN, Outcome.TIE)


def _undecided(rows: Rows) -> Mapping[Outcome, int]:
    counts: Counter[Outcome] = Counter()
    for row, times in rows.alike():
        counts[row.outcome] += times
    return {outcome: counts[outcome] for outcome in Outcome if outcome not in _DECIDED}


def _reviews(now: Situation, heard: Sequence[RowEvidence]) -> Reviews:
    """Count what people said on the rows on which anybody gave a verdict."""
    evidence = now.evidence
    counting = [row for row in heard if row.spoken]
    read = {row.case_id for row in heard if row.standing is not None and row.standing.read}
    return Reviews(
        required=now.required,
        done=now.done,
        missing=now.missing,
        unsigned=now.unsigned,
        reviewed=len(counting),
        read=len(read),
        unread=len(heard) - len(read),
        overrides=sum(row.judged is not None and row.final != row.judged for row in counting),
        rule=Rule.of(evidence.experiment.review),
        differing=now.differing,
        disputed=now.disputed,
        outdated=evidence.outdated,
        audit=Audit(len(evidence.audit), len(evidence.audit & read)),
    )


def _tags(rows: Rows) -> Mapping[str, Mapping[str, int]]:
    counts: dict[str, Counter[str]] = {}
    for row, times in rows.alike():
        for name, value in row.tags.items():
            tag = counts.setdefault(name if value in ("", name) else f"{name}={value}", Counter())
            tag[row.final or "undecided"] += times
            tag["flip"] += times * (row.outcome in FLIPS)
    names = ("candidate", "baseline", "tie", "undecided", "flip")
    return {tag: {name: counts[tag][name] for name in names} for tag in sorted(counts)}
