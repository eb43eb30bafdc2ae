"""The pair: two answers, judged in both orders, and what the two verdicts add up to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeVar

from bothways.engine.experiment import Experiment
from bothways.engine.facts import TIE
from bothways.engine.judging.prompt import figures, question, reference
from bothways.engine.keys import digest
from bothways.engine.ledger import PassUnit
from bothways.engine.methods.base import Comparison, Row
from bothways.engine.verdicts import Outcome, Side, Verdict

__all__ = ["Pair", "mapped"]

Name = TypeVar("Name", bound=str)


class Pair:
    """Each candidate beside the baseline: in both orders, or in the first alone where nobody swaps."""

    def __init__(self, experiment: Experiment) -> None:
        self._baseline = experiment.baseline.name
        self._candidates = [variant.name for variant in experiment.candidates]
        self._judge = experiment.judge

    def comparisons(self, nights: int) -> tuple[Comparison, ...]:
        """Return the baseline with every candidate on every night."""
        if self._judge is None:
            return ()
        return tuple(
            Comparison((self._baseline, candidate), night)
            for candidate in self._candidates
            for night in range(1, nights + 1)
        )

    def orders(self, comparison: Comparison) -> tuple[tuple[str, ...], ...]:
        """Return the order that shows the baseline first, then its reverse."""
        shown = comparison.variants
        return (shown, shown[::-1]) if self._judge and self._judge.swap else (shown,)

    def passes(self, row: Row) -> tuple[PassUnit, ...]:
        """Return a pass for each order.

        A key is made of what the judge sees, in the order shown, and of the number of the try; never of tags,
        stakes, rules or names.
        """
        judge = self._judge
        if judge is None:
            return ()
        night, variants = row.comparison.night, row.comparison.variants
        seen = digest("seen", question(row.case), row.case.context, reference(row.case, judge))
        answers = {
            variant: [answer.digest, figures(answer, judge)]
            for variant, answer in zip(variants, row.answers, strict=True)
        }
        units = []
        for order, shown in enumerate(self.orders(row.comparison), 1):
            sides = [answers[variant] for variant in shown]
            key = digest("pass", seen, sides, order, judge.digest, night, row.repeat, row.take)
            units.append(PassUnit(key, row.row_id, judge.name, shown, order, night, row.repeat, row.take))
        return tuple(units)

    @staticmethod
    def outcome(verdicts: Sequence[Verdict | None]) -> tuple[Outcome, Side | None]:
        """Return what one or two passes add up to, and who won."""
        if len(verdicts) == 1:
            return (Outcome.UNANSWERED if verdicts[0] is None else Outcome.ONE_PASS), None
        first, second = verdicts
        if first is None or second is None:
            return Outcome.UNANSWERED, None
        if first != second:
            return (Outcome.FLIP_SOFT if "tie" in verdicts else Outcome.FLIP_HARD), None
        return (Outcome.TIE, None) if first == "tie" else (Outcome.WIN, first)


def mapped(
    choice: int | None, shown: Sequence[str], names: Mapping[str, Name]
) -> Name | Literal["tie"] | None:
    """Return what `names` calls the variant that a choice names, "tie", or None.

    The only way from places to variants. A tie is told by its choice: a variant may have any name.
    """
    if choice is None:
        return None
    return "tie" if choice == TIE else names.get(shown[choice])
