"""Small and large imported experiments with every outcome, for tests and measurements of the desk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bothways.engine.experiment import Attest, Experiment, Judge, ReviewSettings, Variant
from bothways.engine.facts import TIE, Answer, Case, Message, PassResult, ToolCall
from bothways.engine.ledger import ImportedAnswer, ImportedPass, ImportedRow
from bothways.store import open_store

AT = "2026-03-02T09:00:00.000Z"
FIRST, SECOND = 0, 1

VERDICTS: tuple[tuple[int | None, int | None], ...] = (
    (SECOND, FIRST),  # both name v5
    (FIRST, FIRST),  # hard flip: whatever came first
    (SECOND, TIE),  # soft flip
    (FIRST, SECOND),  # both name v4
    (TIE, TIE),
    (None, FIRST),  # unreadable
    (SECOND, FIRST),
    (SECOND, FIRST),
)
"""What the first and the second pass said, row by row, over and over."""

EXPERIMENT = Experiment(
    name="plain line",
    baseline=Variant(name="v4"),
    candidates=(Variant(name="v5"),),
    judge=Judge(name="sonnet"),
    review=ReviewSettings(high_stakes_tags=("refund",)),
    attest=Attest(one_change="one line of the prompt"),
    imported=True,
)


def row(number: int, *, words: int = 40, hostile: str = "") -> ImportedRow:
    """Return one row: answers of about `words` words that differ here and there."""
    topic = ("refund", "order", "shipping")[number % 3]
    left = " ".join(f"word{n % 97}" for n in range(words))
    right = " ".join(f"word{n % 97}" if n % 9 else f"other{n % 31}" for n in range(words))
    calls = (ToolCall("get_order", {"id": str(number)}, result="paid"),)
    more = (*calls, ToolCall("send_mail", {"to": "customer"})) if number % 8 == 6 else calls
    case = Case(
        f"r-{number:05}{hostile}",
        (Message("user", f"Where is order {number}? {hostile}"),),
        context=f"Order {number} was paid. {hostile}",
        reference=f"It ships today. {hostile}",
        tags={"path": topic},
        tool_rules=({"required": "get_order"},),
    )
    one, two = VERDICTS[number % len(VERDICTS)]
    return ImportedRow(
        case,
        (
            ImportedAnswer("v4", Answer(f"{left} {hostile}", tool_calls=calls)),
            ImportedAnswer("v5", Answer(f"{right} {hostile}", tool_calls=more)),
        ),
        (
            ImportedPass("sonnet", ("v4", "v5"), PassResult(one, f"Because of order {number}. {hostile}")),
            ImportedPass("sonnet", ("v5", "v4"), PassResult(two, f"The other way round. {hostile}")),
        ),
    )


def fill(
    path: Path,
    rows: int,
    *,
    words: int = 40,
    hostile: str = "",
    name: str = "plain line",
    audit: float = 0,
) -> Path:
    """Write an experiment of so many rows into a file and return its path."""

    def each() -> Iterator[ImportedRow]:
        for number in range(rows):
            yield row(number, words=words, hostile=hostile)

    with open_store(path) as store:
        review = EXPERIMENT.review.model_copy(update={"audit": audit})
        store.take(EXPERIMENT.model_copy(update={"name": name, "review": review}), each(), AT)
    return path
