"""A project in a folder of its own, and the command line as a person has it there."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from bothways.app.cli.group import cli
from bothways.engine.facts import JsonObject
from bothways.store import Store, open_store

__all__ = ["Done", "Project"]

REPOSITORY = Path(__file__).parents[2]
LONGEST_S = 90.0


@dataclass(frozen=True, slots=True)
class Done:
    """How a command ended and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What stdout holds, parsed."""
        return json.loads(self.out)

    @property
    def events(self) -> list[Any]:
        """The lines of `--events`, parsed."""
        return [json.loads(line) for line in self.out.splitlines()]

    def kinds(self, kind: str) -> list[Any]:
        """The events of one kind."""
        return [event for event in self.events if event["kind"] == kind]


@dataclass(frozen=True, slots=True)
class Project:
    """A folder with a spec and its cases; the database lies beside them."""

    folder: Path

    @property
    def db(self) -> Path:
        """The database file."""
        return self.folder / "bothways.db"

    def write(self, name: str, text: str) -> None:
        """Write a file of the project."""
        (self.folder / name).write_text(text, encoding="utf-8")

    def lay(self, spec: JsonObject, cases: Sequence[JsonObject]) -> None:
        """Write the spec (JSON is YAML too) and its cases."""
        self.write("experiment.yaml", json.dumps(spec, indent=1))
        self.write("cases.jsonl", "".join(json.dumps(case) + "\n" for case in cases))

    async def start(
        self, *arguments: str, stdout: int = asyncio.subprocess.PIPE
    ) -> asyncio.subprocess.Process:
        """Start `bothways …` as a process of its own, in the project's folder."""
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "bothways", *arguments),
            cwd=self.folder,
            env=_environment(),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=stdout,
            stderr=asyncio.subprocess.PIPE,
        )

    async def run(self, *arguments: str) -> Done:
        """Run `bothways …` as a process of its own to its end."""
        return await ended(await self.start(*arguments))

    def ask(self, *arguments: str) -> Done:
        """Run a command that calls no model, in this process: the same code without the start-up."""
        command, *others = arguments
        result = CliRunner().invoke(cli, [command, "--db", str(self.db), *others])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Done(result.exit_code, result.stdout, result.stderr)

    def gate(self, experiment: str = "shop", *options: str) -> Any:
        """Return the gate as JSON."""
        return self.ask("gate", experiment, "--json", *options).json

    def rows(self, experiment: str = "shop") -> dict[str, Any]:
        """Return the rows as JSON, by case."""
        return {row["case"]: row for row in self.ask("rows", experiment, "--json").json}

    def show(self, experiment: str = "shop") -> Any:
        """Return what `show` says, as JSON."""
        return self.ask("show", experiment, "--json").json

    def store(self) -> Store:
        """Open the database as another process would."""
        return open_store(self.db, create=False)


async def ended(process: asyncio.subprocess.Process) -> Done:
    """Wait for a command; a run that never ends is an error of the test."""
    try:
        async with asyncio.timeout(LONGEST_S):
            out, err = await process.communicate()
    except TimeoutError:
        process.kill()
        out, err = await process.communicate()
        raise AssertionError(f"still running after {LONGEST_S:g} s:\n{err.decode()}") from None
    assert process.returncode is not None
    return Done(process.returncode, out.decode() if out else "", err.decode())


def _environment() -> Mapping[str, str]:
    """Return this environment with one harmless key, and without what could lead to another network."""
    kept = {
        name: value for name, value in os.environ.items() if not name.upper().endswith(("_PROXY", "_KEY"))
    }
    path = os.pathsep.join((str(REPOSITORY / "src"), str(REPOSITORY)))
    return {**kept, "PYTHONPATH": path, "OPENAI_API_KEY": "sk-journey-0123456789", "NO_PROXY": "127.0.0.1"}
