"""The `bothways` command itself: loads the command that is asked for and shows errors as people read them."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bothways.app.cli.options import db_option
from bothways.app.cli.table import COMMANDS
from bothways.app.exits import INTERRUPTED

if TYPE_CHECKING:
    from bothways.engine.errors import BothwaysError

__all__ = ["cli"]


class Group(click.Group):
    """A group whose commands are imported only when they are run."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        """Return the names in the order of the work."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import one command."""
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        module = importlib.import_module(f"bothways.app.cli.{entry.module}")
        command: click.Command = module.command
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; `--help` writes here."""
        with _errors_shown():
            _refuse_bytes(ctx, args)
            return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; where there is none, name those that come near."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            ctx.fail(_unknown(args[0]))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands from the table, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(entry.name, entry.help) for entry in COMMANDS.values()])

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; an error that a person can act on is shown as such."""
        try:
            with _errors_shown():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            raise click.exceptions.Exit(INTERRUPTED) from None


@contextmanager
def _errors_shown() -> Iterator[None]:
    """End the command with the code of an error that a person can act on, and say which one it is."""
    from bothways.app.streams import reader_may_leave
    from bothways.engine.errors import BothwaysError

    try:
        with reader_may_leave():
            yield
    except BothwaysError as error:
        _show(error)
        raise click.exceptions.Exit(error.exit_code) from error


def _refuse_bytes(ctx: click.Context, args: list[str]) -> None:
    """Refuse an argument of bytes that are no text: only a file can have such a name."""
    from bothways.engine.text import clean, excerpt

    for place, arg in enumerate(args, 1):
        if clean(arg) != arg and not Path(arg).exists():
            ctx.fail(f"Argument {place}, {excerpt(arg, 40)}, is no text in UTF-8.")


def _show(error: BothwaysError) -> None:
    """Say what went wrong, why, and what to do now."""
    from bothways.app.streams import say

    say(f"Error: {error.title}")
    for line in (*error.cause.splitlines(), *error.next_step.splitlines()):
        say(f"  {line}")


def _unknown(name: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, COMMANDS)
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    spec = " To run a spec: bothways run " + name if Path(name).suffix in (".yaml", ".yml") else ""
    return f"No such command '{name}'.{hint}{spec}"


def _show_version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    """Look the version up when it is asked for: that takes longer than all else that is imported here."""
    if asked:
        from bothways import __version__

        click.echo(f"bothways, version {__version__}")
        ctx.exit()


@click.group(
    cls=Group,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: bothways demo",
)
@db_option
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version,
    help="Show the version and exit.",
)  # fmt: skip
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Decide whether a changed prompt may ship: both orders, a hard gate, a signed decision.

    Without a command, open the desk on the database.
    """
    if ctx.invoked_subcommand is None:
        from bothways.app.cli.desk import open_desk

        open_desk(headless="bothways list")
