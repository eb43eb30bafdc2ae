"""`bothways doctor`: is everything here that the work needs?"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from typing import NamedTuple

import click

from bothways.app.cli.database import opened
from bothways.app.cli.options import db_path, json_option, subcommand
from bothways.app.cli.plain import table
from bothways.app.cli.streams import at_terminal, put, put_json
from bothways.engine.errors import BothwaysError

__all__ = ["command"]

KEYS = (
    "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "MISTRAL_API_KEY", "GROQ_API_KEY",
    "OPENROUTER_API_KEY", "AZURE_API_KEY",
)  # fmt: skip
SMALLEST = (80, 24)


class Finding(NamedTuple):
    """One thing that was looked at."""

    name: str
    state: str
    detail: str


@subcommand("doctor", "bothways doctor", "bothways doctor --endpoint http://localhost:8000/v1")
@click.option("--endpoint", multiple=True, metavar="URL", help="A server to try to reach; may be repeated.")
@json_option
@click.pass_context
def command(ctx: click.Context, endpoint: tuple[str, ...], as_json: bool) -> None:
    """Look at the terminal, the database, the keys (present or not, never shown) and servers.

    Exit 2 where something is broken.
    """
    found = [_python(), _terminal(), _encoding(), _database(), *_keys(), *map(_reachable, endpoint)]
    if as_json:
        put_json([finding._asdict() for finding in found])
    else:
        put(table(("", "", ""), found).strip("\n"))
    ctx.exit(2 if any(finding.state == "broken" for finding in found) else 0)


def _python() -> Finding:
    return Finding("python", "ok", sys.version.split()[0])


def _terminal() -> Finding:
    if not at_terminal():
        return Finding("terminal", "none", "the desk needs one; every other command does not")
    columns, lines = shutil.get_terminal_size()
    small = columns < SMALLEST[0] or lines < SMALLEST[1]
    return Finding(
        "terminal", "small" if small else "ok", f"{columns}×{lines}, TERM={os.environ.get('TERM', '')}"
    )


def _encoding() -> Finding:
    encoding = (sys.stdout.encoding or "ascii").lower()
    unicode = encoding.replace("-", "").startswith("utf")
    return Finding(
        "encoding", "ok" if unicode else "limited", encoding if unicode else f"{encoding}: shown in ASCII"
    )


def _database() -> Finding:
    path = db_path()
    if not path.exists():
        return Finding("database", "none", f"{path} is not there yet")
    try:
        with opened() as store:
            broken = store.broken()
            count = len(store.experiments())
    except BothwaysError as error:
        return Finding("database", "broken", f"{path}: {error}")
    if broken:
        return Finding("database", "broken", f"{path}: record {broken[0]}: {broken[1]}")
    return Finding("database", "ok", f"{path}: {count} experiments, every record holds")


def _keys() -> Iterator[Finding]:
    for name in KEYS:
        yield Finding(name, "set" if os.environ.get(name) else "not set", "")


def _reachable(url: str) -> Finding:
    import httpx

    try:
        with httpx.Client(timeout=5) as client:
            answer = client.get(url.rstrip("/") + "/models")
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        return Finding(url, "broken", f"not reachable: {error}")
    return Finding(url, "ok", f"answers with {answer.status_code}")
