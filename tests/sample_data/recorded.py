"""The sample project's files, read by a parser that shares nothing with the engine's."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import yaml

from bothways.sample_data import files

CANDIDATES = {
    "plain-text-line": "v5-plain-text",
    "shipping-tool": "v5-shipping-tool",
    "refund-flow": "v5-refund-flow",
    "plain-text-narrow": "v5-plain-text-narrow",
}
BASELINE = "v4"


@dataclass(frozen=True)
class Called:
    """One tool call of a recorded answer."""

    turn: int
    name: str
    arguments: dict[str, str]


def text(name: str) -> str:
    return files().joinpath(name).read_text(encoding="utf-8")


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text(name).splitlines()]


def cases() -> dict[str, dict[str, Any]]:
    return {case["id"]: case for case in lines("cases.jsonl")}


def stakes() -> set[str]:
    return {name for name, case in cases().items() if case.get("high_stakes")}


def tools(name: str = "tools.yaml") -> dict[str, dict[str, Any]]:
    return {tool["name"]: tool for tool in yaml.safe_load(text(name))}


def answers(variant: str) -> dict[str, str]:
    return {line["case"]: line["text"] for line in lines(f"recordings/{variant}.jsonl")}


def calls(variant: str) -> dict[str, list[Called]]:
    recorded = lines(f"recordings/{variant}.jsonl")
    return {
        line["case"]: [Called(c["turn"], c["name"], c["arguments"]) for c in line["tool_calls"]]
        for line in recorded
    }


def said(raw: str) -> dict[str, str]:
    """Return the one JSON object in what a judge wrote."""
    found = re.search(r"\{.*\}", raw, re.DOTALL)
    assert found is not None
    verdict: dict[str, str] = json.loads(found[0])
    return verdict


def verdicts(experiment: str) -> dict[str, tuple[str, str]]:
    """Map each case to what its passes said of the variants: first the one that showed the baseline first."""
    mapped: dict[tuple[str, str], str] = {}
    for line in lines(f"recordings/judge-{experiment}.jsonl"):
        first = line["shown_first"]
        second = {"baseline": "candidate", "candidate": "baseline"}[first]
        assert line["candidate"] == CANDIDATES[experiment]
        assert (line["case"], first) not in mapped
        mapped[line["case"], first] = {"A": first, "B": second, "TIE": "tie"}[
            said(line["raw"])["winner"].upper()
        ]
    return {case: (mapped[case, "baseline"], mapped[case, "candidate"]) for case in cases()}


def tally(what: Iterable[str]) -> tuple[int, int, int]:
    """Count candidate, baseline, tie."""
    count = Counter(what)
    return count["candidate"], count["baseline"], count["tie"]
