"""The table of faults names tests that are there."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
LINE = re.compile(r"^\| (B\d{3}) \| ([^|]+) \| ((?:`[^`]+` ?)+)\|$")


def entries() -> list[tuple[str, list[str]]]:
    lines = [line for line in (HERE / "README.md").read_text("utf-8").splitlines() if line.startswith("| B")]
    found = [LINE.match(line) for line in lines]
    assert all(found), [line for line, one in zip(lines, found, strict=True) if one is None]
    return [(one[1], re.findall(r"`([^`]+)`", one[3])) for one in found if one is not None]


@cache
def named_in(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    functions = (node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return frozenset(node.name for node in functions if node.name.startswith("test_"))


@pytest.mark.parametrize(("entry", "tests"), entries(), ids=[entry for entry, _ in entries()])
def test_the_named_in_an_entry_are_there(entry: str, tests: list[str]) -> None:
    assert tests
    for one in tests:
        path, _, name = one.partition("::")
        assert name in named_in(path), f"{entry}: {one}"


def test_no_entry_is_told_twice() -> None:
    named = [entry for entry, _ in entries()]
    assert len(named) == len(set(named))
