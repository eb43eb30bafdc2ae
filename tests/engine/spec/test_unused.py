"""What is asked for and has no effect is said by name."""

from __future__ import annotations

import pytest

from bothways.engine.experiment import Experiment, Judge, Variant
from bothways.engine.facts import Case, JsonObject, Message
from bothways.engine.spec.unused import unused

EXPERIMENT = Experiment(name="shop", baseline=Variant(name="v4"), candidates=(), judge=Judge(name="j"))
QUIET = Case("c1", (Message("user", "hi"),))


def case(**extra: str | int) -> Case:
    fields: JsonObject = {**extra}
    return Case("c1", (Message("user", "hi"),), extra=fields)


def test_a_spec_that_asks_for_nothing_unknown_hears_nothing() -> None:
    assert unused(EXPERIMENT, [QUIET]) == ()


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("judge.shuffle", {"judge": Judge(name="j", shuffle=True)}),
        ("judge.shuffle", {"judge": Judge(name="j", shuffle=False)}),
    ],
)
def test_a_setting_without_effect_is_named(field: str, change: dict[str, object]) -> None:
    (said,) = unused(EXPERIMENT.model_copy(update=change))
    assert said.startswith(f"{field} has no effect yet")


@pytest.mark.parametrize("field", ["persona", "max_turns", "expected_outcomes", "anti_patterns"])
def test_a_field_of_a_script_or_a_rubric_is_named_with_its_cases(field: str) -> None:
    (said,) = unused(EXPERIMENT, [QUIET, case(**{field: 4}), case(**{field: 5})])
    assert said.startswith(f"{field} (2 cases) has no effect yet")


def test_checks_are_said_to_be_outside_the_gate() -> None:
    (said,) = unused(EXPERIMENT, [Case("c1", QUIET.messages, checks=({"contains": "hi"},))])
    assert said.startswith("checks (1 case)")
    assert "the gate does not ask" in said


def test_a_column_that_nothing_reads_is_named_since_it_may_be_a_slip() -> None:
    (said,) = unused(EXPERIMENT, [case(refrence="x", source="y"), case(source="z")])
    assert said.endswith("refrence (1 case), source (2 cases)")
