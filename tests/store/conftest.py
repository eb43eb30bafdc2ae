"""Small real experiments in real files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bothways.engine.experiment import Experiment, Judge, Variant
from bothways.engine.facts import Answer, Case, Message, PassResult, ToolCall, Usage
from bothways.engine.ledger import AnswerUnit, ImportedAnswer, ImportedPass, ImportedRow, PassUnit
from bothways.store import Store, open_store

AT = "2026-08-06T09:00:00Z"


def case(number: int, **more: object) -> Case:
    fields: dict[str, object] = {
        "id": f"c{number}",
        "messages": (Message("user", f"question {number}"),),
        **more,
    }
    return Case(**fields)  # type: ignore[arg-type]


def experiment(name: str = "shop", *, imported: bool = False, hypothesis: str = "") -> Experiment:
    return Experiment(
        name=name,
        baseline=Variant(name="v4", model=None if imported else "m"),
        candidates=(Variant(name="v5", model=None if imported else "m", prompt="new"),),
        judge=None if imported else Judge(name="j", model="m"),
        hypothesis=hypothesis,
        imported=imported,
    )


def answer_unit(row_id: int, variant: str = "v4") -> AnswerUnit:
    return AnswerUnit(f"{variant}-{row_id}", row_id, variant, 0 if variant == "v4" else 1)


def pass_unit(row_id: int, order: int = 1, judge: str = "j") -> PassUnit:
    shown = ("v4", "v5") if order == 1 else ("v5", "v4")
    return PassUnit(f"{judge}-{order}-{row_id}", row_id, judge, shown, order)


def imported_row(number: int, *, text: str = "candidate says", first: int | None = 0) -> ImportedRow:
    call = ToolCall("get_order", {"id": "7"}, result="a parcel")
    return ImportedRow(
        case(number, tags={"path": "refund"}, high_stakes=True, tool_rules=({"forbid": "refund"},)),
        (
            ImportedAnswer(
                "v4", Answer(text="baseline says", tool_calls=(call,), usage=Usage(10, 2, 0), cost_usd=0.25)
            ),
            ImportedAnswer("v5", Answer(text=text, duration_s=1.5)),
        ),
        (
            ImportedPass("gpt", ("v4", "v5"), PassResult(choice=first, rationale="shorter")),
            ImportedPass("gpt", ("v5", "v4"), PassResult(choice=1)),
        ),
        (("kim", "v5", "clear"), ("gold", "tie", ""), ("lee", None, "")),
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "bothways.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with open_store(path) as opened:
        yield opened
