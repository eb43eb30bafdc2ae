"""`bothways merge`: the reviews that others made on a copy of an experiment, brought home."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bothways.app.atomic import is_database
from bothways.app.cli.database import newest, opened
from bothways.app.cli.options import experiment_argument, json_option, subcommand
from bothways.app.streams import put, put_json, say
from bothways.engine.clock import now
from bothways.engine.errors import StoreError
from bothways.engine.text import visible_line

if TYPE_CHECKING:
    from bothways.engine.exchange.merging import Merged, Source

__all__ = ["command"]


@subcommand(
    "merge", "bothways merge refund-flow pairs.jsonl", "bothways merge refund-flow bothways.db --json"
)
@experiment_argument
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option("--from", "theirs", metavar="NAME", help="What EXPERIMENT is called in the other databases.")
@json_option
def command(experiment: str, files: tuple[Path, ...], theirs: str | None, as_json: bool) -> None:
    """Append the reviews that each of FILES has of EXPERIMENT, and this database has not.

    A file is an export of pairs, or another database. Each review cites the hash that it has there, and keeps
    its time: the order of merging does not matter, and merging twice adds nothing. A review of answers that
    are not here is left out, and named; one from the future is pointed out, and so is a name that looks like
    another's. Decisions are not merged. Where one file cannot be read, nothing is.
    """
    from bothways.engine.exchange.doubts import Doubts
    from bothways.engine.exchange.merging import merge
    from bothways.engine.ledger import origins
    from bothways.engine.review import known_people

    sources = [_source(path, theirs or experiment) for path in files]
    at = now()
    with opened() as store, store.writing():
        settings = store.spec(newest(store, experiment).id).review
        doubts = Doubts(at, known_people(settings, store.records(experiment, "review")))
        merged = merge(store, experiment, sources, at)
    for record, origin in origins(record for one in merged for record in one.added):
        doubts.add(str(record.body["reviewer"]), str(record.body["case"]), origin.counts_at)
    if as_json:
        put_json({"experiment": experiment, "files": [one.as_json() for one in merged]})
    else:
        put("\n".join(map(_text, merged)))
    for one in merged:
        if one.source.decisions:
            say(f"{one.source.name}: its decisions ({one.source.decisions}) stand there; they are not merged")
    for doubt in doubts.told():
        say(doubt)


def _source(path: Path, experiment: str) -> Source:
    from bothways.engine.exchange.merging import from_pairs, from_records
    from bothways.store import open_store

    if not is_database(path):
        return from_pairs(path)
    with open_store(path, create=False) as other, other.view():
        if broken := other.broken():
            seq, reason = broken
            raise StoreError(
                f"Record {seq} of {path} does not hold", reason, "Merge a copy whose records hold."
            )
        other.specs(experiment)  # says which there are, where none is called so
        return from_records(str(path), other.records(experiment))


def _text(merged: Merged) -> str:
    people = ", ".join(sorted({str(record.body.get("reviewer")) for record in merged.added}))
    added = f"{len(merged.added)} added" + (f" ({people})" if people else "")
    lines = [f"{merged.source.name}: reviews: {added}, {merged.known} here already"]
    for why, count in Counter(one.why for one in merged.left_out).items():
        cases = ", ".join(dict.fromkeys(one.case for one in merged.left_out if one.why == why))
        lines.append(f"  left out, {why}: {count} ({cases})")
    return "\n".join(map(visible_line, lines))
