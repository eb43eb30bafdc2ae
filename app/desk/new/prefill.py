"""What a new experiment takes over from an earlier one: from its spec file, or from the database."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Collection
from pathlib import Path

from bothways.app.desk.new.usual import written
from bothways.engine.experiment import Experiment, Judge, Tool, Variant
from bothways.engine.facts import JsonValue
from bothways.engine.files.node import Node
from bothways.engine.files.text import read_text
from bothways.engine.files.yaml import read_yaml

__all__ = ["following", "free_name", "from_spec", "from_stored", "variant_values"]

_SOURCES = ("replay", "http", "function", "command", "model")
_LISTS = ("review.high_stakes.tags",)


def following(values: dict[str, str], earlier: str, name: str, file: str) -> dict[str, str]:
    """Return the values of an experiment that follows an earlier one: all of it, under another name."""
    return {**values, "name": name, "file": file, "follows": earlier, "hypothesis": ""}


def free_name(name: str, taken: Collection[str]) -> str:
    """Return the next name in a row: `a b`, `a b 2`; `tool-1`, `tool-2`."""
    numbered = re.fullmatch(r"(.*?)([ _-])(\d{1,6})", name)
    stem, gap, number = (numbered[1], numbered[2], int(numbered[3])) if numbered else (name, " ", 1)
    gap = gap if numbered or " " in name else "-"
    while f"{stem}{gap}{number + 1}" in taken:
        number += 1
    return f"{stem}{gap}{number + 1}"


def from_spec(path: Path) -> dict[str, str]:
    """Return the fields of a spec file as a draft keeps them; raises DataError where it cannot be read."""
    values: dict[str, str] = {}
    root = read_yaml(read_text(path), str(path))
    for name, node in (root.value if isinstance(root.value, dict) else {}).items():
        if name == "candidates" and isinstance(node.value, list):
            values["candidates"] = str(len(node.value))
            for number, one in enumerate(node.value):
                _take(values, f"candidates[{number}]", one)
        else:
            _take(values, name, node)
    for place in ("baseline", "judge", *{path.partition(".")[0] for path in values if "]" in path}):
        source = next((one for one in _SOURCES if f"{place}.{one}" in values), "")
        if source and ("]" not in place or source != values.get("baseline.source")):
            values[f"{place}.source"] = source
    if "judge" in values:
        values["judge.source"] = "shared file"
    elif not any(path.startswith("judge.") for path in values):
        values["judge.source"] = "nobody"
    return values


def _take(values: dict[str, str], path: str, node: Node) -> None:
    parts = path.split(".")
    deep = parts[-1] in ("params", "tools", "http", "map", "criteria")
    if path in _LISTS and isinstance(node.value, list):
        values[path] = ", ".join(item.typed for item in node.value)
    elif isinstance(node.value, dict) and not deep:
        for name, inner in node.value.items():
            _take(values, f"{path}.{name}", inner)
    elif isinstance(node.value, dict | list):
        values[path] = (
            shlex.join(map(str, _plain_list(node))) if parts[-1] == "command" else _json(node.plain())
        )
    elif node.value is not None:
        values[path] = node.typed


def _plain_list(node: Node) -> list[JsonValue]:
    plain = node.plain()
    return plain if isinstance(plain, list) else []


def from_stored(experiment: Experiment, folder: Path) -> dict[str, str]:
    """Return the values of a stored experiment; its prompts are texts, `folder` is that of the new spec."""
    baseline = variant_values(experiment.baseline, folder)
    values = {f"baseline.{name}": value for name, value in baseline.items()}
    values["candidates"] = str(max(1, len(experiment.candidates)))
    for number, candidate in enumerate(experiment.candidates):
        changed = _changed(experiment.baseline, candidate, folder)
        values.update({f"candidates[{number}].{name}": value for name, value in changed.items()})
    values.update(_judge(experiment.judge, folder))
    review, gate = experiment.review, experiment.gate
    values["review.high_stakes.tags"] = ", ".join(review.high_stakes_tags)
    values.update(_settings("review", review.model_dump(exclude_defaults=True, exclude={"high_stakes_tags"})))
    values.update(_settings("gate", gate.model_dump(exclude_defaults=True)))
    values.update(_settings("run", experiment.run.model_dump(exclude_defaults=True)))
    return {path: value for path, value in values.items() if value}


def variant_values(variant: Variant, folder: Path) -> dict[str, str]:
    """Return what makes a variant, so that the same answers are found again: all that its key is made of."""
    own = _stated(variant) | {
        "source": "" if variant.kind in ("model", "none") else variant.kind,
        "command": shlex.join(variant.command or ()),
        "replay": _near(variant.replay, folder),
        "version": variant.version or "" if variant.kind in ("http", "command") else "",
        "prompt": "",
        "prompt_text": variant.prompt,
        "tools": _json([_tool(tool) for tool in variant.tools]) if variant.tools else "",
        "tool_module_version": "",
    }
    return {name: value for name, value in own.items() if value}


def _changed(baseline: Variant, candidate: Variant, folder: Path) -> dict[str, str]:
    """Return what a candidate has otherwise than the baseline, and what it has not: that is taken away."""
    before, own = ({"source": "model"} | variant_values(one, folder) for one in (baseline, candidate))
    gone = {name: "null" for name in ("tools", "tool_module", "max_tool_rounds") if name in before}
    if dropped := {name: None for name in baseline.params if name not in candidate.params}:
        own["params"] = _json({**dropped, **candidate.params})
    apart = {"name"} | ({"replay"} if baseline.replay else set())
    return {name: value for name, value in (gone | own).items() if name in apart or before.get(name) != value}


def _judge(judge: Judge | None, folder: Path) -> dict[str, str]:
    from bothways.engine.judging.prompt import DEFAULT_CRITERIA, DEFAULT_PROMPT

    if judge is None:
        return {"judge.source": "nobody"}
    own = _stated(judge) | {
        "source": "replay" if judge.replay else "function" if judge.function else "",
        "replay": _near(judge.replay, folder),
        "version": "" if judge.replay or judge.function else judge.version or "",
        "prompt": "",
        "prompt_text": "" if judge.prompt == DEFAULT_PROMPT else judge.prompt,
        "criteria": "" if judge.criteria == DEFAULT_CRITERIA else _json(list(judge.criteria)),
        "name": "" if judge.name == (judge.model or judge.function) else judge.name,
    }
    return {f"judge.{name}": value for name, value in own.items()}


def _stated(model: Judge | Variant) -> dict[str, str]:
    """Return every field that is not as it is without a word, as a spec has it."""
    stated = model.model_dump(mode="json", exclude_defaults=True, exclude={"folder"})
    return {name: value if isinstance(value, str) else _json(value) for name, value in stated.items()}


def _tool(tool: Tool) -> JsonValue:
    kept: JsonValue = tool.model_dump(mode="json", exclude_defaults=True)
    return kept


def _settings(part: str, settings: dict[str, object]) -> dict[str, str]:
    return {f"{part}.{name}": written(value) for name, value in settings.items()}


def _near(file: str | None, folder: Path) -> str:
    """Return a file as a spec in `folder` names it: from there, where it lies below."""
    if file is None:
        return ""
    path = Path(file)
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else file


def _json(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False)
