"""From the facts to the evidence on one candidate by one judge, streaming: only conclusions are held."""

from __future__ import annotations

from bothways.engine.analysis.audit import drawn
from bothways.engine.analysis.choose import choose
from bothways.engine.analysis.model import Evidence
from bothways.engine.analysis.outdated import outdated_words
from bothways.engine.analysis.rows import Rows
from bothways.engine.analysis.walk import Walk
from bothways.engine.analysis.warnings import identical_warning, model_warnings, snapshot_warning
from bothways.engine.change import one_change
from bothways.engine.ledger import Facts

__all__ = ["gather"]


def gather(
    facts: Facts,
    experiment: str,
    *,
    candidate: str | None = None,
    judge: str | None = None,
    baseline: str | None = None,
    today: str,
) -> Evidence:
    """Return the evidence on one candidate by one judge.

    `today` is an ISO date or time, for the age of the snapshot. Raises UsageError, naming the choices,
    where there are several candidates or judges and none is named.
    """
    choice = choose(facts, experiment, candidate=candidate, judge=judge, baseline=baseline)
    walk = Walk(facts, choice)
    rows = Rows(walk.rows())
    spec, name = choice.experiment, choice.candidate
    warnings = (
        *snapshot_warning("" if spec.imported else walk.snapshot.oldest, today),
        *model_warnings(spec, name, walk.models()),
        *identical_warning(walk.identical),
        *([outdated_words(len(walk.outdated))] if walk.outdated else []),
    )
    return Evidence(
        experiment=spec,
        spec_id=choice.spec_id,
        candidate=name,
        judge=choice.judge,
        rows=rows,
        passes=walk.verdicts.counts(),
        first_shown=walk.verdicts.first_shown(),
        change=one_change(spec.baseline, spec.variant(name)),
        nights=walk.asked.nights,
        takes=walk.asked.takes,
        waiting=walk.verdicts.waiting(walk.asked.takes),
        tried=walk.tried(),
        costs=walk.costs(),
        warnings=warnings,
        facts_hash=walk.fingerprint.hexdigest(),
        audit=drawn(spec, name, rows),
        outdated=tuple(walk.outdated),
    )
