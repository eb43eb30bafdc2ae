"""The options that commands share, and the decorator that makes a command. Imports click alone."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click

__all__ = [
    "command_line", "comparison", "db_option", "db_path", "experiment_argument", "json_option", "out_option",
    "reviewer_option", "subcommand", "suggest_db",
]  # fmt: skip

F = TypeVar("F", bound=Callable[..., object])
DEFAULT_DB = "bothways.db"
_KEY = "bothways.db"


def subcommand(name: str, *examples: str) -> Callable[[Callable[..., None]], click.Command]:
    """Make a command that takes `--db` and shows how it is used."""
    epilog = "\b\nExample:\n" + "\n".join(f"  {example}" for example in examples)

    def decorate(function: Callable[..., None]) -> click.Command:
        return click.command(name, epilog=epilog)(db_option(function))

    return decorate


def comparison(function: F) -> F:
    """Take what one comparison is told by: EXPERIMENT, `--candidate` and `--judge`."""
    return experiment_argument(_candidate_option(_judge_option(function)))


def db_path() -> Path:
    """Return the database file that the running command is about: `--db`, BOTHWAYS_DB, ./bothways.db."""
    given = click.get_current_context().meta.get(_KEY)
    return Path(given or os.environ.get("BOTHWAYS_DB") or DEFAULT_DB)


def command_line(*words: str) -> str:
    """Return a command as it can be typed here: with --db where this file is not found without."""
    path = db_path()
    found = [] if path == Path(os.environ.get("BOTHWAYS_DB") or DEFAULT_DB) else ["--db", str(path)]
    return shlex.join(["bothways", *words, *found])


def suggest_db(path: Path) -> None:
    """Use this file where nobody named another."""
    if not os.environ.get("BOTHWAYS_DB"):
        click.get_current_context().meta.setdefault(_KEY, path)


def _keep(ctx: click.Context, _: click.Parameter, value: str | None) -> None:
    if value is not None:
        ctx.meta[_KEY] = value


def _signed(name: str | None) -> str | None:
    from bothways.engine.names import person

    return None if name is None else person(name)


db_option = click.option(
    "--db",
    metavar="PATH",
    expose_value=False,
    callback=_keep,
    help=f"The database file.  [default: $BOTHWAYS_DB or ./{DEFAULT_DB}]",
)
experiment_argument = click.argument("experiment")
json_option = click.option("--json", "as_json", is_flag=True, help="JSON on stdout, for scripts.")
_candidate_option = click.option(
    "--candidate", metavar="NAME", help="Which candidate, where there are several."
)
_judge_option = click.option("--judge", metavar="NAME", help="By which judge, where there are several.")
reviewer_option = click.option(
    "--reviewer",
    metavar="NAME",
    envvar="BOTHWAYS_REVIEWER",
    callback=lambda _ctx, _param, value: _signed(value),
    help="Who says so.  [env: BOTHWAYS_REVIEWER]",
)
out_option = click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write to a file instead of stdout.",
)
