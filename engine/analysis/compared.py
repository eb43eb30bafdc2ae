"""Every pair of answers of an experiment with what each judge made of it, whichever candidate it is of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from bothways.engine.analysis.outcomes import Asked, Judged, judged, newest_tried
from bothways.engine.ledger import AnswerFact, Facts, PassFact, RowFact, SpecInfo
from bothways.engine.ledger.streams import RowStream
from bothways.engine.pairs import Seen, seen

__all__ = ["Compared", "compared"]


class Compared(NamedTuple):
    """One row and candidate. `stands_on` is what a review of it stands on, None where an answer is missing.

    `passes` are those over this pair, in every order and take.
    """

    row: RowFact
    baseline: str
    candidate: str
    judged: Mapping[str, Judged]
    stands_on: Seen | None
    passes: Sequence[PassFact]


def compared(facts: Facts, info: SpecInfo, judge: str | None = None) -> Iterator[Compared]:
    """Stream the pairs of a spec by row: each answer beside the baseline's, or the row's first without one.

    With `judge` only that one is asked.
    """
    spec, extent = facts.spec(info.id), facts.extent(info.id)
    answers, passes = RowStream(facts.answers(info.id)), RowStream(facts.passes(info.id, judge))
    for row in facts.rows(info.id):
        sides: dict[str, list[AnswerFact]] = {}
        for answer in answers.take(row.row_id):
            sides.setdefault(answer.variant, []).append(answer)
        said = passes.take(row.row_id)
        base = spec.baseline.name if spec.baseline.name in sides else next(iter(sides), "")
        for name in (variant for variant in sides if variant != base):
            asked = Asked.of(spec, name, *extent, baseline=base)
            own = [fact for fact in said if set(fact.shown) == {base, name}]
            yield Compared(
                row, base, name,
                {
                    one: judged(sides[base], sides[name], [fact for fact in own if fact.judge == one], asked)
                    for one in dict.fromkeys(fact.judge for fact in own)
                },
                seen(newest_tried(sides[base]), newest_tried(sides[name])),
                own,
            )  # fmt: skip
