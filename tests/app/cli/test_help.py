"""Help is fast, complete, and shows an example."""

from __future__ import annotations

import json

import pytest
from tests.app.cli.conftest import Command, Process

from bothways.app.cli.table import COMMANDS

HEAVY = ("textual", "httpx", "litellm", "scipy", "numpy", "rich")
MODULES = "import sys, json; {}; print(json.dumps(sorted(sys.modules)))"
HELP = MODULES.format(
    "from bothways.app.cli.group import cli; cli.main(['--help'], standalone_mode=False, prog_name='bothways')"
)


@pytest.mark.parametrize("name", [*COMMANDS, ""])
def test_every_help_shows_an_example(command: Command, name: str) -> None:
    shown = command(*([name] if name else []), "--help")
    assert shown.exit_code == 0
    assert f"bothways {name}".rstrip() in shown.stdout.partition("Example")[2]


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_takes_the_database(command: Command, name: str) -> None:
    assert "--db PATH" in command(name, "--help").stdout


@pytest.mark.parametrize(("name", "entry"), COMMANDS.items())
def test_the_table_says_what_the_command_says_of_itself(command: Command, name: str, entry: object) -> None:
    assert f"Usage: cli {name} " in command(name, "--help").stdout


def test_help_imports_nothing_heavy(process: Process) -> None:
    loaded = json.loads(process(code=HELP).stdout.splitlines()[-1])
    assert not {"pydantic", "sqlite3", "sqlite_utils", "yaml", *HEAVY} & set(loaded)


@pytest.mark.parametrize("arguments", [["list"], ["gate", "shop"], ["rows", "shop"], ["verify"]])
def test_commands_that_call_no_model_load_none(
    command: Command, process: Process, arguments: list[str]
) -> None:
    from tests.app.cli.conftest import pairs

    command("import", str(pairs(__import__("pathlib").Path.cwd())), "--name", "shop")
    run = f"from bothways.app.cli.group import cli; cli.main({arguments!r}, standalone_mode=False)"
    shown = process(code=MODULES.format(run))
    assert not set(HEAVY) & set(json.loads(shown.stdout.splitlines()[-1])), shown.stderr
