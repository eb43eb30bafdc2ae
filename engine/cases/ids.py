"""The names of cases: always text, made from the content where the file gives none, never two alike."""

from __future__ import annotations

from dataclasses import asdict, replace

from bothways.engine.errors import Place
from bothways.engine.facts import Case
from bothways.engine.files.fields import Problems
from bothways.engine.keys import digest
from bothways.engine.names import LONGEST_CASE, check_name
from bothways.engine.text import excerpt

__all__ = ["check_ids", "named"]


def named(case: Case) -> Case:
    """Return the case with an id: its own, or the beginning of the hash of its content."""
    if case.id.strip():
        return case
    return replace(case, id=digest("case", asdict(replace(case, id="")))[:12])


def check_ids(cases: list[tuple[int, Case]], file: str, problems: Problems) -> None:
    """Note every id that is too long, or that another line has too but for outer spaces."""
    first: dict[str, tuple[int, Case]] = {}
    for line, case in cases:
        check_name(case.id, Place(file, line, "id"), problems, LONGEST_CASE)
        earlier_line, earlier = first.setdefault(case.id.strip(), (line, case))
        if earlier is case:
            continue
        found = f"the id “{excerpt(case.id, 60)}” stands on line {earlier_line} too"
        if earlier.id != case.id:
            problems.add(Place(file, line, "id"), f"{found}, but for spaces", "ids that differ for the eye")
        elif earlier == case:
            problems.add(
                Place(file, line, "id"), f"{found}, with the same case", "each case once", "Remove one."
            )
        else:
            problems.add(
                Place(file, line, "id"),
                f"{found}, with another case",
                "an id for each case (ids are text: 1 and “1” are the same)",
            )
