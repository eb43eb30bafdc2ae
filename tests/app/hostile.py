"""An experiment in which every name and every text attacks the terminal and the markup of screens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tests.app.shop import AT, EXPERIMENT, row

from bothways.engine.experiment import Judge, Variant
from bothways.engine.facts import Answer, Failure, FailureKind, JsonObject, ToolCall
from bothways.engine.ledger import ImportedAnswer, ImportedPass, ImportedRow
from bothways.engine.pairs import seen
from bothways.store import open_store

__all__ = ["HOSTILE", "NAME", "UNSEEN", "attacked"]

HOSTILE = (
    "[/foo]x\x1b]52;c;QUJD\x1b\\y\x1b[2J\x1b]0;pwn\x07\x9b31m\x90q"
    "\u202e\u2066[@click=app.quit]z[red]w\x07\x7f\u2028"
)
UNSEEN = {*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0)), *"\u202e\u2066\u2028"} - {"\n"}
"""What a terminal obeys instead of showing it."""
NAME = f"exp {HOSTILE}"


def attacked(folder: Path) -> Path:
    """Write the experiment into a file, a review by somebody who attacks too, and files beside it."""
    path = folder / "x.db"
    experiment = EXPERIMENT.model_copy(
        update={
            "name": NAME,
            "hypothesis": HOSTILE,
            "baseline": Variant(name=f"v4{HOSTILE}"),
            "candidates": (Variant(name=f"v5{HOSTILE}"), Variant(name=f"v6{HOSTILE}")),
            "judge": Judge(name=f"judge{HOSTILE}"),
        }
    )
    with open_store(path) as store:
        store.take(experiment, _rows(), AT)
        store.append("review", _review(), AT)
    (folder / f"cases {HOSTILE.replace('/', '')}.jsonl").write_text('{"input": "x"}\n', encoding="utf-8")
    return path


def _rows() -> Iterator[ImportedRow]:
    for number in range(8):
        made = row(number, words=5, hostile=HOSTILE)
        case = replace(made.case, tags={**made.case.tags, HOSTILE: HOSTILE})
        answers = [ImportedAnswer(_named(one.variant), _with_calls(one.answer)) for one in made.answers]
        if number == 3:
            answers[1] = ImportedAnswer(_named("v5"), Answer(failure=Failure(FailureKind.SERVER, HOSTILE)))
        passes = [
            ImportedPass(f"judge{HOSTILE}", tuple(map(_named, one.shown)), one.result) for one in made.passes
        ]
        yield ImportedRow(case, tuple(answers), tuple(passes if number != 3 else ()))


def _named(variant: str) -> str:
    return f"{variant}{HOSTILE}"


def _with_calls(answer: Answer) -> Answer:
    call = ToolCall(f"tool{HOSTILE}", {HOSTILE: HOSTILE}, result=HOSTILE)
    return replace(answer, tool_calls=(*answer.tool_calls, call))


def _review() -> JsonObject:
    made = row(0, words=5, hostile=HOSTILE)
    stands_on = seen(*(_with_calls(one.answer) for one in made.answers))
    assert stands_on is not None
    return {
        "experiment": NAME, "candidate": _named("v5"), "case": made.case.id, **stands_on._asdict(),
        "act": "verdict", "verdict": "baseline", "reviewer": f"ann{HOSTILE}", "note": HOSTILE,
        "reason": HOSTILE, "at": AT,
    }  # fmt: skip
