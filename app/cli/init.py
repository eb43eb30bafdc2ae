"""`bothways init`: a project that runs as it stands and explains itself."""

from __future__ import annotations

from pathlib import Path

import click

from bothways.app.cli.options import subcommand
from bothways.app.streams import put, say
from bothways.engine.errors import UsageError

__all__ = ["command"]


@subcommand("init", "bothways init my-shop")
@click.argument("folder", metavar="[DIR]", default=".", type=click.Path(path_type=Path, file_okay=False))
def command(folder: Path) -> None:
    """Write experiment.yaml, cases and prompts into DIR, with comments that teach. Overwrites nothing."""
    from bothways.engine.spec.scaffold import scaffold

    files = {folder / name: text for name, text in scaffold().items()}
    for path in files:
        if path.exists():
            raise UsageError(f"{path} is there already", "nothing was written", "Choose an empty folder.")
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        put(str(path))
    say(f"Next: bothways check {folder / 'experiment.yaml'}")
