"""`bothways import`: pairs that were answered or judged elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bothways.app.cli.database import opened
from bothways.app.cli.options import json_option, subcommand
from bothways.app.cli.streams import put, put_json, say
from bothways.app.clock import now

if TYPE_CHECKING:
    from bothways.engine.ledger import ImportedRow
    from bothways.engine.spec.model import Attest, Experiment

__all__ = ["command"]


class Tally:
    """What went by while the rows were stored."""

    def __init__(self) -> None:
        self.rows = 0
        self.passes: Counter[str] = Counter()
        self.labels = 0
        self.reviews = 0
        self.notes: Counter[tuple[str, str]] = Counter()

    def watch(self, rows: Iterable[ImportedRow]) -> Iterator[ImportedRow]:
        """Hand the rows on and count them."""
        for row in rows:
            self.rows += 1
            self.passes.update(judge for judge, _, _ in row.passes)
            self.labels += len(row.labels)
            self.reviews += len(row.reviews)
            self.notes.update((name, note) for name, answer in row.answers for note in answer.notes)
            yield row


@subcommand(
    "import",
    "bothways import pairs.jsonl --name shop",
    'bothways import pairs.jsonl --name shop --baseline v4 --attest one_change="only the prompt"',
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--name", required=True, help="What the experiment is called.")
@click.option("--baseline", metavar="VARIANT", help="The variant to measure against, where it is not `a`.")
@click.option("--attest", metavar="one_change=REASON", help="Answer for what cannot be checked.")
@click.option(
    "--writes", multiple=True, metavar="TOOL", help="A tool that changes the world; may be repeated."
)
@click.option("--as-reviews", is_flag=True, help="People's votes decide rows, instead of being labels.")
@json_option
def command(
    file: Path,
    name: str,
    baseline: str | None,
    attest: str | None,
    writes: tuple[str, ...],
    as_reviews: bool,
    as_json: bool,
) -> None:
    """Take FILE: pairs of answers with or without judge passes and people's votes.

    Everything is checked first; where one line is wrong, nothing is stored.
    """
    from bothways.engine.exchange.readers import read_file

    attested = _attest(attest)
    experiment, rows = read_file(file, name=name, baseline=baseline, as_reviews=as_reviews)
    experiment = _marked(experiment, writes).model_copy(update={"attest": attested})
    tally = Tally()
    with opened(create=True) as store:
        store.take(experiment, tally.watch(rows), now())
    for (variant, note), count in sorted(tally.notes.items()):
        say(f"{variant}: {note} ({count} answers)")
    variants = [variant.name for variant in experiment.variants]
    judges = dict(sorted(tally.passes.items()))
    if as_json:
        put_json(
            {
                "experiment": name, "rows": tally.rows, "baseline": variants[0], "candidates": variants[1:],
                "judges": judges, "labels": tally.labels, "reviews": tally.reviews,
            }
        )  # fmt: skip
        return
    put(f"{name}: {tally.rows} rows, {variants[0]} against {', '.join(variants[1:])}")
    put(f"{sum(judges.values())} passes by {', '.join(judges) or 'nobody'}; {tally.labels} labels; "
        f"{tally.reviews} reviews")  # fmt: skip


def _marked(experiment: Experiment, writes: tuple[str, ...]) -> Experiment:
    """Return the experiment with these tools marked as writing, for every variant alike."""
    from bothways.engine.spec.model import Tool

    tools = tuple(Tool(name=tool, writes=True) for tool in writes)
    baseline, *candidates = [one.model_copy(update={"tools": tools}) for one in experiment.variants]
    return experiment.model_copy(update={"baseline": baseline, "candidates": tuple(candidates)})


def _attest(text: str | None) -> Attest:
    from bothways.engine.errors import UsageError
    from bothways.engine.spec.model import Attest

    if text is None:
        return Attest()
    field, _, reason = text.partition("=")
    if field.strip() != "one_change" or not reason.strip():
        raise UsageError(f"--attest {text!r}", "expected one_change=REASON, with a reason")
    return Attest(one_change=reason.strip())
