"""The pair: two answers, judged in both orders, and what the two verdicts add up to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from bothways.engine.analysis.model import Outcome, Verdict
from bothways.engine.facts import TIE, Case
from bothways.engine.judging.prompt import question, reference
from bothways.engine.keys import digest
from bothways.engine.ledger import PassUnit
from bothways.engine.spec.model import Judge

__all__ = ["Said", "mapped", "outcome", "passes"]

Said: TypeAlias = Verdict | Literal["unreadable", "pending", "absent"]
"""What is known of one pass: its mapped verdict; tried without one; asked and not tried; not asked at all."""


def passes(
    row_id: int,
    judge: Judge,
    baseline: str,
    candidate: str,
    answers: tuple[str, str],
    case: Case,
    *,
    night: int = 1,
    repeat: int = 1,
    take: int = 1,
) -> tuple[PassUnit, ...]:
    """Return the passes that a row needs: both orders, or the first alone where the judge does not swap.

    `answers` are the digests (`Answer.digest`) of the baseline's and the candidate's answer. A key is made of
    what the judge sees, in the order shown, and of the number of the try; never of tags, stakes, rules or
    names.
    """
    variants = (baseline, candidate)
    seen = digest("seen", question(case), case.context, reference(case, judge))
    units = []
    for order, shown in ((1, (0, 1)), (2, (1, 0))) if judge.swap else ((1, (0, 1)),):
        texts = [answers[place] for place in shown]
        key = digest("pass", seen, texts, order, judge.digest, night, repeat, take)
        names = tuple(variants[place] for place in shown)
        units.append(PassUnit(key, row_id, judge.name, names, order, night, repeat, take))
    return tuple(units)


def mapped(choice: int | None, shown: Sequence[str]) -> str | None:
    """Return the variant that a choice names, "tie", or None: the only way from places to variants."""
    if choice is None:
        return None
    return "tie" if choice == TIE else shown[choice]


def outcome(first: Said, second: Said) -> Outcome:
    """Return what the two passes of a row add up to; both verdicts are mapped to the sides already.

    Errors of the answers come before this, and several nights after it.
    """
    said = {first, second}
    if "pending" in said or said == {"absent"}:
        return Outcome.PENDING
    if "unreadable" in said:
        return Outcome.UNANSWERED
    if "absent" in said:
        return Outcome.ONE_PASS
    if first == second:
        return Outcome.TIE if first == "tie" else Outcome.WIN
    return Outcome.FLIP_SOFT if "tie" in said else Outcome.FLIP_HARD
