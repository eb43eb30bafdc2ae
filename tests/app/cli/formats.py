"""What commands can write, found from their own choices."""

from __future__ import annotations

import importlib

import click

from bothways.app.cli.table import COMMANDS

__all__ = ["all_formats"]


def all_formats() -> list[tuple[str, str]]:
    """Return every (command, format) that a `--format` offers."""
    found = []
    for entry in COMMANDS.values():
        command: click.Command = importlib.import_module(f"bothways.app.cli.{entry.module}").command
        for option in command.params:
            if "--format" in option.opts and isinstance(option.type, click.Choice):
                found += [(entry.name, str(choice)) for choice in option.type.choices]
    return found
