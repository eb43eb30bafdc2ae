"""`bothways doctor`: is everything here that the work needs?"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from typing import NamedTuple

import click

from bothways.app.cli.database import newest, opened
from bothways.app.cli.options import db_path, json_option, subcommand
from bothways.app.cli.plain import table
from bothways.app.cli.reach import KEYS, endpoints, providers, reach
from bothways.app.desk.settings import read_settings, settings_path
from bothways.app.streams import at_terminal, put, put_json
from bothways.engine.errors import BothwaysError
from bothways.engine.text import counted

__all__ = ["command"]

SMALLEST = (80, 24)


class Finding(NamedTuple):
    """One thing that was looked at."""

    name: str
    state: str
    detail: str


@subcommand("doctor", "bothways doctor", "bothways doctor --offline --json")
@click.option(
    "--endpoint", multiple=True, metavar="URL", help="A server that has to answer; may be repeated."
)
@click.option("--offline", is_flag=True, help="Ask no server.")
@json_option
@click.pass_context
def command(ctx: click.Context, endpoint: tuple[str, ...], offline: bool, as_json: bool) -> None:
    """Look at terminal, settings, database, keys (present or not, never shown) and servers.

    Asked, once and without a key, are the providers whose key is set, the endpoints of the specs in the
    database, and each --endpoint. Exit 2 where something is broken, or a server named here does not answer.
    """
    found = [_python(), _terminal(), _encoding(), _settings(), _database(), *_keys()]
    if not offline:
        found += _servers(endpoint)
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


def _settings() -> Finding:
    path = settings_path()
    if not path.exists():
        return Finding("settings", "none", f"{path} is not there: the defaults count")
    settings, problem = read_settings(path)
    if problem is not None:
        wrong = "; ".join(f"{one.title}, expected {one.expected}" for one in (problem, *problem.others))
        return Finding("settings", "broken", f"{wrong}: the defaults count for these")
    return Finding(
        "settings", "ok", f"{path}: theme {settings.theme}, {counted(len(settings.keys), 'key')} of one's own"
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
    return Finding("database", "ok", f"{path}: {counted(count, 'experiment')}, every record holds")


def _keys() -> Iterator[Finding]:
    for name in KEYS:
        yield Finding(name, "set" if os.environ.get(name) else "not set", "")


def _servers(named: tuple[str, ...]) -> Iterator[Finding]:
    """What was named has to answer; the others are news, since a run may well need none of them."""
    wanted = [f"{url.rstrip('/')}/models" for url in named]
    for one in reach(wanted):
        yield Finding(one.url, "ok" if one.answered else "broken", one.detail)
    for one in reach(url for url in (*providers(), *_configured()) if url not in wanted):
        yield Finding(one.url, "ok" if one.answered else "unreachable", one.detail)


def _configured() -> list[str]:
    if not db_path().exists():
        return []
    try:
        with opened() as store:
            return list(endpoints(store.spec(newest(store, name).id) for name in store.experiments()))
    except BothwaysError:  # said already, beside the database
        return []
