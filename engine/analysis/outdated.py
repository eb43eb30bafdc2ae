"""Reviews that count no longer, because one of the answers they were given on is another by now."""

from __future__ import annotations

from collections.abc import Iterable

from bothways.engine.ledger import Facts
from bothways.engine.pairs import Seen, seen
from bothways.engine.standing import GIVES, Review, standings
from bothways.engine.text import counted

__all__ = ["is_outdated", "outdated", "outdated_words"]


def outdated(facts: Facts, spec_id: int) -> list[tuple[str, str]]:
    """Return each candidate and case of a spec whose reviews stand on other answers.

    Rows that nobody reviewed are not looked at.
    """
    spec = facts.spec(spec_id)
    acts = standings(facts.records(spec.name, "review"))
    variants = {variant.name for variant in spec.candidates}
    known = {row.case_id: row.row_id for row in facts.rows(spec_id)} if acts else {}
    found = []
    for (candidate, case), done in acts.items():
        if candidate in variants and case in known:
            detail = facts.row(known[case])
            stands_on = seen(detail.newest(spec.baseline.name), detail.newest(candidate))
            if stands_on is not None and is_outdated(done, stands_on):
                found.append((candidate, case))
    return found


def is_outdated(acts: Iterable[Review], stands_on: Seen) -> bool:
    """Tell whether somebody's last verdict or signature in force on a row stands on something else."""
    last: dict[tuple[str, bool], bool] = {}
    for one in acts:
        if one.act in (*GIVES, "clear", "tools") and one.look == 1:
            signs = one.act == "tools"
            same = one.pair == stands_on.pair and (not signs or one.tools == stands_on.tools)
            last[one.reviewer, signs] = same or one.act == "clear"
    return not all(last.values())


def outdated_words(rows: int) -> str:
    """Say on how many rows that is so."""
    return f"the reviews of {counted(rows, 'row')} count no longer: they were given on other answers"
