"""Drafts of experiments, filled in as the form would fill them."""

from __future__ import annotations

from pathlib import Path

from bothways.app.desk.new.draft import Draft

__all__ = ["filled", "whole"]


def filled(folder: Path, **values: str) -> Draft:
    """Return a draft with these values; `__` in a name stands for a dot."""
    draft = Draft({}, folder)
    draft.fill({name.replace("__", "."): value for name, value in values.items()})
    return draft


def whole(folder: Path) -> Draft:
    """Return a complete draft for the `shop` fixture's project."""
    draft = filled(folder, name="x", file="x.yaml", cases="cases.jsonl", judge__model="anthropic/claude-x")
    for place, name, prompt in (
        ("baseline", "v1", "prompts/v1.md"),
        ("candidates[0]", "v2", "prompts/v2.md"),
    ):
        draft.put(f"{place}.name", name)
        draft.put(f"{place}.prompt", prompt)
    draft.put("baseline.model", "openai/gpt-4o-mini")
    return draft
