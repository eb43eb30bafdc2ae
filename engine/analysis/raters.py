"""How far raters agree on the rows that several of them labelled: judges, annotators, reviewers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

from bothways.engine.analysis.stats import cohen_kappa
from bothways.engine.facts import JsonObject

__all__ = ["Match", "krippendorff_alpha", "majority", "match", "pairwise"]

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Match:
    """Two raters over the rows that both labelled; `kappa` is None where Cohen's is not defined."""

    n: int
    agree: int
    kappa: float | None

    def as_json(self) -> JsonObject:
        """Return the counts with the agreement; None where no row has both labels."""
        return {
            "n": self.n,
            "agree": self.agree,
            "agreement": round(self.agree / self.n, 6) if self.n else None,
            "kappa": None if self.kappa is None else round(self.kappa, 6),
        }


def match(pairs: Collection[tuple[T, T]]) -> Match:
    """Compare two raters by the pairs of what they said of one row."""
    return Match(len(pairs), sum(a == b for a, b in pairs), cohen_kappa(list(pairs)))


def pairwise(votes: Collection[Mapping[str, str]]) -> dict[tuple[str, str], Match]:
    """Compare every two of the raters; `votes` has for each row what each of its raters said."""
    raters = sorted({name for row in votes for name in row})
    return {
        (a, b): match([(row[a], row[b]) for row in votes if a in row and b in row])
        for a, b in combinations(raters, 2)
    }


def majority(verdicts: Iterable[str]) -> str:
    """Return what most say; where no verdict has more votes than every other, people are level: a tie."""
    ranked = Counter(verdicts).most_common(2)
    level = len(ranked) == 2 and ranked[0][1] == ranked[1][1]
    return "tie" if level else ranked[0][0]


def krippendorff_alpha(units: Iterable[Sequence[str]]) -> float | None:
    """Return Krippendorff's α, nominal (2011); None where nothing can be paired or all labels are one."""
    paired = [unit for unit in units if len(unit) > 1]
    if len(set[str]().union(*paired)) < 2:
        return None
    # It takes a second to import: only who compares people waits for it.
    from nltk.metrics.agreement import AnnotationTask  # type: ignore[import-untyped]

    said = [(rater, row, label) for row, unit in enumerate(paired) for rater, label in enumerate(unit)]
    return float(AnnotationTask(said).alpha())
