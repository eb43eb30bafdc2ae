"""Help is fast, complete, and shows an example."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.app.cli.conftest import Command, Process, pairs

from bothways.app.cli.table import COMMANDS

HEAVY = ("textual", "httpx", "litellm", "scipy", "numpy", "rich")
MODULES = """
import json, sys
from bothways.app.cli.group import cli
try:
    cli.main(sys.argv[1:], prog_name="bothways")
finally:
    print(json.dumps(sorted(sys.modules)))
"""


@pytest.mark.parametrize("name", [*COMMANDS, ""])
def test_every_help_shows_an_example(command: Command, name: str) -> None:
    shown = command(*([name] if name else []), "--help")
    assert shown.exit_code == 0
    assert f"bothways {name}".rstrip() in shown.stdout.partition("Example")[2]


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_takes_the_database(command: Command, name: str) -> None:
    assert "--db PATH" in command(name, "--help").stdout


def test_help_imports_nothing_heavy(process: Process) -> None:
    loaded = json.loads(process("--help", code=MODULES).stdout.splitlines()[-1])
    assert not {"pydantic", "sqlite3", "sqlite_utils", "yaml", *HEAVY} & set(loaded)


@pytest.mark.parametrize("arguments", [["list"], ["gate", "shop"], ["rows", "shop"], ["verify"]])
def test_commands_that_call_no_model_load_none(process: Process, project: Path, arguments: list[str]) -> None:
    process("import", str(pairs(project)), "--name", "shop")
    shown = process(*arguments, code=MODULES)
    assert not set(HEAVY) & set(json.loads(shown.stdout.splitlines()[-1])), shown.stderr
