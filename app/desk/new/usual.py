"""What a setting is where a spec says nothing, and what it may be: taken from the spec's own models."""

from __future__ import annotations

from typing import get_args

from bothways.engine.experiment import Resolved

__all__ = ["choices", "usual", "written"]


def written(value: object) -> str:
    """Return a setting as YAML writes it; "" for one that is not set."""
    if value is None or value == ():
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)


def usual(part: type[Resolved], name: str) -> str:
    """Return what a field of a part of the spec is by default."""
    return written(part.model_fields[name].default)


def choices(part: type[Resolved], name: str) -> tuple[str, ...]:
    """Return all that a field may be; () where that is no short list."""
    annotation = part.model_fields[name].annotation
    if annotation is bool:
        return ("true", "false")
    return tuple(word for word in get_args(annotation) if isinstance(word, str))
