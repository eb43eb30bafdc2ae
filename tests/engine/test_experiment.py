"""What a resolved spec says of itself."""

from __future__ import annotations

import pytest
from tests.engine.shop import experiment

from bothways.engine.experiment import Experiment, ReviewSettings, Tool, Variant


def shop(*tools: Tool, imported: bool = False) -> Experiment:
    candidate = Variant(name="v5", tools=tools)
    return Experiment(name="shop", baseline=Variant(name="v4"), candidates=(candidate,), imported=imported)


def test_a_tool_that_nobody_declared_counts_as_writing() -> None:
    assert shop().writes("refund")
    assert shop(Tool(name="get_order")).writes("refund")
    assert shop(imported=True).writes("refund")
    assert not shop(Tool(name="get_order")).writes("get_order")


def test_who_names_the_writing_tools_of_an_import_declares_the_others_reading() -> None:
    imported = shop(Tool(name="refund", writes=True), imported=True)
    assert imported.writes("refund")
    assert not imported.writes("get_order")


def test_of_a_spec_an_undeclared_tool_counts_as_writing_beside_declared_ones() -> None:
    assert shop(Tool(name="refund", writes=True)).writes("cancel")


def test_a_setting_that_came_later_changes_no_older_hash() -> None:
    """The hash was written down before there was a policy, an adjudicator or a second look."""
    assert experiment().digest == "65ad044756ec8778eca377c3f3ab74e152b1d1d3491cb1c064db1d22442ebb86"


@pytest.mark.parametrize(
    "used", [{"policy": "majority"}, {"policy": "adjudicator", "adjudicator": "ada"}, {"second_look": 0.1}]
)
def test_a_setting_that_is_used_stands_in_the_hash(used: dict[str, object]) -> None:
    plain = experiment()
    review = ReviewSettings.model_validate({**plain.review.model_dump(), **used})
    assert plain.model_copy(update={"review": review}).digest != plain.digest
