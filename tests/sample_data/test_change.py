"""Each candidate is the baseline but for one place."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Any

import pytest
import yaml
from tests.sample_data.recorded import CANDIDATES, text, tools

from bothways.sample_data import EXPERIMENTS


def spec(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(text(name))
    return loaded


@pytest.mark.parametrize("prompt", ["v5-plain-text", "v5-plain-text-narrow", "v5-refund-flow"])
def test_a_prompt_differs_in_one_run_of_lines(prompt: str) -> None:
    old, new = (text(f"prompts/{name}.md").splitlines() for name in ("v4", prompt))
    edits = [e for e in SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if e[0] != "equal"]
    assert len(edits) == 1


def test_one_description_of_one_tool_is_reworded() -> None:
    old, new = tools(), tools("tools-shipping.yaml")
    assert list(old) == list(new)
    assert [name for name in old if old[name] != new[name]] == ["shipping_estimate"]
    assert {**old["shipping_estimate"], "description": ""} == {**new["shipping_estimate"], "description": ""}


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_an_experiment_names_one_change(experiment: str) -> None:
    (candidate,) = spec(experiment)["candidates"]
    assert len(set(candidate) - {"name", "replay"}) == 1
    assert candidate["name"] == CANDIDATES[spec(experiment)["name"]]


def test_all_experiments_rest_on_one_baseline() -> None:
    first, *others = (spec(name)["baseline"] for name in EXPERIMENTS)
    assert all(other == first for other in others)


def test_the_narrowed_line_says_what_it_follows() -> None:
    assert spec("plain-text-narrow.yaml")["follows"] == spec("plain-text-line.yaml")["name"]
