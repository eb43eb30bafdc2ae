from __future__ import annotations

import pytest

from bothways.engine.change import differences, one_change
from bothways.engine.experiment import Tool, Variant
from bothways.engine.facts import JsonObject

PROMPT = "You are kind.\n\nAnswer briefly.\nUse the context.\n\nNever promise.\nSay goodbye."
FIND = Tool(name="find", description="finds an order", parameters={"type": "object"})
SEND = Tool(name="send", description="sends a parcel", writes=True)
V4 = Variant(name="v4", model="m", prompt=PROMPT, tools=(FIND, SEND), params={"temperature": 0.2})


def changed(**fields: object) -> Variant:
    return V4.model_copy(update={"name": "v5", **fields})


def test_nothing_differs_but_the_name() -> None:
    change = one_change(V4, changed())
    assert (change.count, change.sentence, change.places) == (0, "nothing differs", ())


@pytest.mark.parametrize(
    ("old", "new", "places"),
    [
        ("Answer briefly.", "Answer in one line.", ("prompt line 3",)),
        ("Answer briefly.\nUse the context.", "Be short.\nRead the context first.", ("prompt lines 3–4",)),
        (
            "Use the context.\n\nNever promise.",
            "Read the context.\n\nPromise nothing.",
            ("prompt lines 4–6",),
        ),
        ("Answer briefly.\n", "", ("prompt line 3",)),
        ("Say goodbye.", "Say goodbye.\nBe plain.\nNo tables.", ("prompt lines 8–9",)),
        ("You are kind.", "You are  kind.", ("prompt line 1",)),
    ],
)
def test_a_run_of_neighbouring_prompt_lines_is_one_place(old: str, new: str, places: tuple[str, ...]) -> None:
    change = one_change(V4, changed(prompt=PROMPT.replace(old, new)))
    assert (change.count, change.places) == (1, places)
    assert change.sentence == f"one change: {places[0]}"


def test_runs_with_an_unchanged_line_between_them_are_two_places() -> None:
    prompt = PROMPT.replace("Answer briefly.", "Be short.").replace("Never promise.", "Promise nothing.")
    change = one_change(V4, changed(prompt=prompt))
    assert change.places == ("prompt line 3", "prompt line 6")
    assert change.sentence == "2 changes: prompt line 3; prompt line 6"


@pytest.mark.parametrize(
    ("tools", "places"),
    [
        (
            (FIND.model_copy(update={"description": "finds an order by its number"}), SEND),
            ("description of tool find",),
        ),
        ((FIND.model_copy(update={"parameters": {}}), SEND), ("parameters of tool find",)),
        ((FIND, SEND.model_copy(update={"writes": False})), ("writes of tool send",)),
        ((FIND, SEND.model_copy(update={"result": "sent"})), ("result of tool send",)),
        ((FIND,), ("tool send removed",)),
        ((FIND, SEND, Tool(name="log")), ("tool log added",)),
        ((SEND, FIND), ("order of the tools",)),
        ((FIND, SEND.model_copy(update={"name": "ship"})), ("tool send removed", "tool ship added")),
    ],
)
def test_each_part_of_a_tool_is_a_place(tools: tuple[Tool, ...], places: tuple[str, ...]) -> None:
    change = one_change(V4, changed(tools=tools))
    assert (change.count, change.places) == (len(places), places)


@pytest.mark.parametrize(
    ("fields", "places"),
    [
        ({"model": "n"}, ("model",)),
        ({"model": "n", "endpoint": "https://x/v1"}, ("model",)),
        ({"params": {"temperature": 0.3}}, ("parameter temperature",)),
        ({"params": {}}, ("parameter temperature",)),
        ({"params": {"temperature": 0.2, "seed": None}}, ("parameter seed",)),
        ({"params": {"seed": 1}}, ("parameter seed", "parameter temperature")),
        ({"max_tool_rounds": 3}, ("max_tool_rounds",)),
        ({"tool_module": "tools"}, ("module of the tools",)),
        ({"tool_module_version": "of the edited source"}, ("module of the tools",)),
        ({"folder": "/elsewhere"}, ()),
    ],
)
def test_models_and_parameters_are_places(fields: JsonObject, places: tuple[str, ...]) -> None:
    change = one_change(V4, changed(**fields))
    assert (change.count, change.places) == (len(places), places)


def test_which_recording_is_replayed_is_no_difference() -> None:
    baseline = V4.model_copy(update={"replay": "/a.jsonl", "version": "1"})
    assert one_change(baseline, changed(replay="/b.jsonl", version="2")).count == 0
    assert one_change(baseline, changed()).count == 0


def opaque(name: str, **fields: object) -> Variant:
    return Variant.model_validate({"name": name, "prompt": PROMPT, **fields})


@pytest.mark.parametrize(
    ("baseline", "candidate", "why"),
    [
        (opaque("v4"), opaque("v5"), "nothing is said of what made the answers of v4"),
        (V4, opaque("v5", replay="/b.jsonl", version="1"), "made the answers of v5"),
        (V4, opaque("v5", http={"url": "https://x"}, version="1"), "answers of a model are compared"),
        (
            opaque("v4", http={"url": "https://x"}),
            opaque("v5", http={"url": "https://x"}),
            "http has no version",
        ),
        (
            opaque("v4", command=("a",), version="1"),
            opaque("v5", command=("a",), version="2"),
            "two versions",
        ),
        (
            opaque("v4", command=("a",), version="1"),
            opaque("v5", command=("b",), version="1"),
            "not the same command",
        ),
        (
            opaque("v4", function="a:b", replay="/a", version="1"),
            opaque("v5", function="a:b", replay="/a", version="1"),
            "function has no version",
        ),
    ],
)
def test_what_cannot_be_seen_is_not_called_one_change(
    baseline: Variant, candidate: Variant, why: str
) -> None:
    change = one_change(baseline, candidate)
    assert change.count is None
    assert why in change.sentence


def test_an_agent_whose_version_is_known_is_compared_by_what_the_spec_changes() -> None:
    baseline = opaque("v4", function="a:b", version="1")
    candidate = opaque("v5", function="a:b", version="1", params={"tone": "plain"})
    assert one_change(baseline, candidate).places == ("parameter tone",)


def test_the_texts_that_differ_are_shown_as_unified_diffs() -> None:
    prompt = PROMPT.replace("Answer briefly.", "Be short.")
    lines = differences(V4, changed(prompt=prompt))
    assert lines[:2] == ("--- v4, prompt", "+++ v5, prompt")
    assert "-Answer briefly." in lines
    assert "+Be short." in lines
    assert differences(V4, changed()) == ()


def test_a_reworded_description_of_a_tool_is_shown_too() -> None:
    before = changed(name="v4", tools=(Tool(name="find", description="finds"),))
    after = changed(tools=(Tool(name="find", description="finds an order"), Tool(name="new")))
    assert differences(before, after) == (
        "--- v4, tool find", "+++ v5, tool find", "@@ -1 +1 @@", "-finds", "+finds an order",
    )  # fmt: skip
