"""The formats there are. Imports nothing: the command line takes its choices from here."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

__all__ = ["FORMATS", "Format"]

Format: TypeAlias = Literal["text", "markdown", "html", "json", "junit"]

FORMATS: tuple[Format, ...] = get_args(Format)
