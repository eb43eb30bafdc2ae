"""Names that people give: text that fits a table, and never a word that means something else."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Literal

from bothways.engine.errors import Place, UsageError
from bothways.engine.files.fields import Problems
from bothways.engine.text import clean, excerpt, visible_line

__all__ = [
    "LONGEST_CASE", "LONGEST_NAME", "check_name", "check_person", "check_role", "is_person", "looks_like",
    "mistaken_for", "name_problem", "person",
]  # fmt: skip

LONGEST_NAME = 200
"""Characters in the name of an experiment, a variant or a judge."""
LONGEST_CASE = 1000
"""Characters in the id of a case: some files name their cases by the question."""

# What a person may say of a row, and how: a variant of such a name could not be told from the word.
_WORDS = frozenset(
    {"tie", "both-bad", "confirm", "clear", "skip", "note", "undo", "redo", "ok", "bad",
     "tools-ok", "tools-bad"}
)  # fmt: skip
_ROLES = ("baseline", "candidate")


def name_problem(name: str, longest: int = LONGEST_NAME) -> str | None:
    """Say why something cannot have this name; None where it can."""
    if not name.strip():
        return "blank"
    if len(name) > longest:
        return f"{len(name):,} characters ({excerpt(name, 40)})"
    return None if clean(name) == name else f"bytes that are no text ({excerpt(name, 40)})"


def check_name(name: str, place: Place, problems: Problems, longest: int = LONGEST_NAME) -> None:
    """Note a name that nothing can have; a missing one is noted by who read it."""
    if name.strip() and (found := name_problem(name, longest)):
        problems.add(place, found, f"a name of at most {longest} characters")


def person(name: str) -> str:
    """Return the name that somebody signs with, written one way; "" where it is blank.

    Raises UsageError for a name with something in it that nobody sees: it would be another, unnoticed.
    """
    written = _written(name)
    if written and (problem := _unsignable(written)):
        raise UsageError("Nobody can sign with this name", problem, "Type it anew.")
    return written


def is_person(name: str) -> bool:
    """Tell whether somebody can sign with this name as it stands."""
    return bool(name) and _written(name) == name and _unsignable(name) is None


def check_person(name: str, place: Place, problems: Problems) -> None:
    """Note a name in a file that nobody can sign with as it stands; a missing one is noted by who read it."""
    written = _written(name)
    if written and (problem := _unsignable(written)):
        problems.add(place, problem, "a name that somebody can sign with")
    elif written and written != name:
        problems.add(
            place, f"the name {excerpt(ascii(name), 40)}", f"it as it is signed: {excerpt(written, 40)}"
        )


def _written(name: str) -> str:
    return unicodedata.normalize("NFC", " ".join(name.split()))


def _unsignable(written: str) -> str | None:
    if any(unicodedata.category(one) in ("Cc", "Cf") for one in written):
        return f"it holds characters that cannot be seen ({excerpt(ascii(written), 40)})"
    return name_problem(written)


def looks_like(name: str, others: Iterable[str]) -> str | None:
    """Return another name that people would take for this one: it differs in capitals, spaces or marks."""
    alike = _bare(name)
    return next((other for other in sorted(set(others)) if other != name and _bare(other) == alike), None)


def mistaken_for(name: str, others: Iterable[str]) -> str:
    """Say for which of these people somebody would be taken by name; "" where for none, or one of them."""
    known = set(others)
    other = None if name in known else looks_like(name, known)
    if other is None:
        return ""
    return f"{visible_line(name)} is not {visible_line(other)}: they count as two people; who is meant?"


def _bare(name: str) -> str:
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", name).casefold()))


def check_role(
    name: str, role: Literal["baseline", "candidate"], only: bool, place: Place, problems: Problems
) -> None:
    """Note a variant's name that means something else where a verdict is given.

    `baseline` and `candidate` may only be what they say; `only` is whether there is one candidate.
    """
    word = "-".join(name.casefold().replace("_", " ").replace("-", " ").split())
    if word in _WORDS:
        problems.add(
            place, f"the name {excerpt(name, 40)}", f"no word of the review ({', '.join(sorted(_WORDS))})"
        )
    elif word in _ROLES and (word != role or not only):
        problems.add(place, f"a {role} called {excerpt(name, 40)}", "a name that does not say another role")
