"""`bothways export`: rows with every pass and review, or what they prefer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal, TypeAlias, get_args

import click

from bothways.app.cli.database import newest, opened
from bothways.app.cli.options import comparison, out_option, subcommand
from bothways.app.cli.output import writing_to
from bothways.app.streams import say
from bothways.engine.errors import UsageError
from bothways.engine.text import counted

if TYPE_CHECKING:
    from bothways.store import Store

__all__ = ["command"]

Format: TypeAlias = Literal["pairs", "csv", "dpo"]
FORMATS: tuple[Format, ...] = get_args(Format)


@subcommand(
    "export",
    "bothways export refund-flow -o pairs.jsonl",
    "bothways export refund-flow --format csv -o refund-flow.csv",
    "bothways export refund-flow --format dpo -o preferences.jsonl",
    "bothways export refund-flow --without-reviews -o queue-for-lee.jsonl",
)
@comparison
@click.option("--format", "form", type=click.Choice(FORMATS), default="pairs", show_default=True)
@click.option(
    "--without-reviews", is_flag=True, help="Leave out what people said here: a queue for another reviewer."
)
@out_option
def command(
    experiment: str,
    candidate: str | None,
    judge: str | None,
    form: Format,
    without_reviews: bool,
    output: Path | None,
) -> None:
    """Write every row of EXPERIMENT with its answers, passes, votes and reviews.

    `pairs` imports again without loss. In `csv` a cell that a spreadsheet would run begins with a quote mark.
    `dpo` writes which answer was preferred, where one was, for training; --candidate and --judge say by whom.
    Another reviewer imports the pairs, reviews and exports them; `bothways merge` brings the reviews home.
    """
    if form != "dpo" and (candidate or judge):
        raise UsageError(f"{form} holds every candidate and judge", "", "Leave --candidate and --judge out.")
    if without_reviews and form != "pairs":
        raise UsageError("--without-reviews is for pairs", f"{form} is no queue that anybody imports")
    with opened() as store, writing_to(output) as out:
        if form == "dpo":
            told = _write_preferences(store, experiment, candidate, judge, out)
        else:
            told = _write_rows(store, experiment, form, out, without_reviews=without_reviews)
    first, *others = told
    say(first + (f" in {output}" if output else ""))
    for line in others:
        say(line)


def _write_rows(
    store: Store, experiment: str, form: Literal["pairs", "csv"], out: IO[str], *, without_reviews: bool
) -> list[str]:
    from bothways.engine.exchange.csv import write_csv
    from bothways.engine.exchange.writing import write_pairs

    if without_reviews:
        write: Callable[[Store, int, IO[str]], int] = partial(write_pairs, reviews=False)
    else:
        write = write_pairs if form == "pairs" else write_csv
    with store.view():
        count = write(store, newest(store, experiment).id, out)
    return [counted(count, "pair"), *([] if count else ["No row has both answers yet."])]


def _write_preferences(
    store: Store, experiment: str, candidate: str | None, judge: str | None, out: IO[str]
) -> list[str]:
    from bothways.app.reading import reading
    from bothways.engine.exchange.dpo import write_dpo

    with reading(store, experiment, candidate=candidate, judge=judge) as (evidence, _, _):
        found = write_dpo(store, evidence, out)
    return [f"{found.written} preferences", *(f"Left out: {n} ({why})" for why, n in found.left_out.items())]
