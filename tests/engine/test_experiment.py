"""What a resolved spec says of itself."""

from __future__ import annotations

from bothways.engine.experiment import Experiment, Tool, Variant


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
