"""`bothways snapshot`: a dated folder of one variant's answers, for people and version control."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from bothways.app.cli.database import opened
from bothways.app.cli.options import experiment_argument, json_option, subcommand
from bothways.app.streams import put, put_json, say
from bothways.engine.clock import now
from bothways.engine.errors import UsageError

__all__ = ["command"]


@subcommand(
    "snapshot",
    "bothways snapshot shipping-tool snapshots",
    "bothways snapshot shipping-tool snapshots --variant v5-shipping-tool",
)
@experiment_argument
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@click.option("--variant", metavar="NAME", help="Whose answers; the baseline's where left out.")
@json_option
def command(experiment: str, folder: Path, variant: str | None, as_json: bool) -> None:
    """Write DIR/2026-08-06-EXPERIMENT: answers.jsonl, tools.jsonl and manifest.json with their hashes.

    Overwrites nothing: a snapshot is frozen.
    """
    from bothways.engine.snapshot import snapshot

    with opened() as store:
        taken = snapshot(store, experiment, variant)
    target = folder / f"{now()[:10]}-{taken.name}"
    _write(target, taken.files)
    if as_json:
        put_json({"folder": str(target), "files": list(taken.files), **taken.manifest})
    else:
        put(str(target))
    say(f"{taken.manifest['answers']} answers of {taken.manifest['variant']}")


def _write(target: Path, files: Mapping[str, str]) -> None:
    try:
        target.mkdir(parents=True)
        for name, text in files.items():
            (target / name).write_text(text, encoding="utf-8", newline="\n")
    except FileExistsError as error:
        raise UsageError(
            f"{target} is there already", "a snapshot is never overwritten", "Name another DIR."
        ) from error
    except OSError as error:
        raise UsageError(f"Cannot write {target}", error.strerror or str(error)) from error
