"""The pair: two answers, judged in both orders, and what the two verdicts add up to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeVar

from bothways.engine.analysis.model import Outcome, Side, Verdict
from bothways.engine.facts import TIE, Case
from bothways.engine.judging.prompt import question, reference
from bothways.engine.keys import digest
from bothways.engine.ledger import PassUnit
from bothways.engine.spec.model import Judge

__all__ = ["mapped", "outcome", "passes"]

Name = TypeVar("Name", bound=str)


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


def mapped(
    choice: int | None, shown: Sequence[str], names: Mapping[str, Name]
) -> Name | Literal["tie"] | None:
    """Return what `names` calls the variant that a choice names, "tie", or None.

    The only way from places to variants. A tie is told by its choice: a variant may have any name.
    """
    if choice is None:
        return None
    return "tie" if choice == TIE else names.get(shown[choice])


def outcome(first: Verdict | None, second: Verdict | None) -> tuple[Outcome, Side | None]:
    """Return what the two passes of a row add up to, and who won.

    Both were tried and are mapped to the sides already; None is a pass without a readable verdict. What is
    pending, an error or a single pass is settled before this, several nights after it.
    """
    if first is None or second is None:
        return Outcome.UNANSWERED, None
    if first != second:
        return (Outcome.FLIP_SOFT if "tie" in (first, second) else Outcome.FLIP_HARD), None
    return (Outcome.TIE, None) if first == "tie" else (Outcome.WIN, first)
