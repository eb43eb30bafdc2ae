"""What a person adds to an import."""

from __future__ import annotations

import pytest

from bothways.engine.errors import UsageError
from bothways.engine.experiment import Experiment, Tool, Variant
from bothways.engine.spec.imported import read_attestation, with_writing

FIND = Tool(name="find", description="finds")
EXPERIMENT = Experiment(
    name="shop",
    baseline=Variant(name="v4", tools=(FIND,)),
    candidates=(Variant(name="v5"),),
    imported=True,
)


def test_tools_are_marked_for_every_variant_and_what_was_known_of_them_stays() -> None:
    marked = with_writing(EXPERIMENT, ["refund", "find"])
    refund = Tool(name="refund", writes=True)
    assert marked.baseline.tools == (FIND.model_copy(update={"writes": True}), refund)
    assert marked.candidates[0].tools == (refund, Tool(name="find", writes=True))


def test_no_marks_change_nothing() -> None:
    assert with_writing(EXPERIMENT, ()) == EXPERIMENT


def test_an_attestation_is_its_reason() -> None:
    assert read_attestation("one_change= a=b ").one_change == "a=b"


@pytest.mark.parametrize("text", ["one_change", "one_change= ", "two=x", ""])
def test_an_attestation_without_a_reason_is_none(text: str) -> None:
    with pytest.raises(UsageError, match="--attest"):
        read_attestation(text)
