"""`bothways agreement`: how far the judge agrees with people, and people with each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bothways.app.cli.database import opened
from bothways.app.cli.options import (
    candidate_option,
    experiment_argument,
    json_option,
    judge_option,
    subcommand,
)  # fmt: skip
from bothways.app.cli.plain import table
from bothways.app.cli.streams import put, put_json

if TYPE_CHECKING:
    from bothways.engine.analysis.agreement import Agreement, Match

__all__ = ["command"]


@subcommand(
    "agreement", "bothways agreement refund-flow", "bothways agreement refund-flow --judge claude --json"
)
@experiment_argument
@candidate_option
@judge_option
@json_option
def command(experiment: str, candidate: str | None, judge: str | None, as_json: bool) -> None:
    """Compare the judge of EXPERIMENT with people's labels, and people among themselves.

    Every row with labels counts, or with --candidate those that compare it with the baseline.
    """
    from bothways.engine.analysis.agreement import agreement

    with opened() as store, store.view():
        found = agreement(store, experiment, judge, candidate)
    if as_json:
        put_json(found.as_json())
    else:
        put(_text(found))


def _text(found: Agreement) -> str:
    judge = found.judge or "the judge"
    rows = [
        (f"{judge}, {name.replace('_', ' ')}", "people", *_cells(m)) for name, m in found.readings.items()
    ]
    rows += [(a, b, *_cells(match)) for (a, b), match in found.people.items()]
    alpha = "–" if found.alpha is None else f"{found.alpha:.3f}"
    return table(("WHO", "AGAINST", "ROWS", "AGREE", "SHARE", "κ"), rows) + f"\n\nKrippendorff's α: {alpha}"


def _cells(match: Match) -> tuple[str, ...]:
    share = f"{match.agree / match.n:.3f}" if match.n else "–"
    return str(match.n), str(match.agree), share, "–" if match.kappa is None else f"{match.kappa:.3f}"
