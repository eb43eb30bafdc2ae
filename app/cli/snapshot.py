"""`bothways snapshot`: a dated folder of one variant's answers, for people and version control."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bothways.app.cli.database import newest, opened
from bothways.app.cli.options import experiment_argument, subcommand
from bothways.app.cli.streams import put, say
from bothways.app.clock import now
from bothways.engine.errors import UsageError

if TYPE_CHECKING:
    from bothways.engine.facts import Answer, JsonObject
    from bothways.engine.ledger import Facts
    from bothways.engine.spec.model import Experiment

__all__ = ["command"]


@subcommand(
    "snapshot",
    "bothways snapshot shipping-tool snapshots",
    "bothways snapshot shipping-tool snapshots --variant v5",
)
@experiment_argument
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@click.option("--variant", metavar="NAME", help="Whose answers; the baseline's where left out.")
def command(experiment: str, folder: Path, variant: str | None) -> None:
    """Write DIR/2026-08-06-EXPERIMENT: answers.jsonl, tools.jsonl and manifest.json with their hashes.

    Overwrites nothing: a snapshot is frozen.
    """
    with opened() as store:
        info = newest(store, experiment)
        spec = store.spec(info.id)
        name = variant or spec.baseline.name
        if name not in info.variants:
            raise UsageError(f"No variant is called {name!r}", f"there are {', '.join(info.variants)}")
        target = folder / f"{now()[:10]}-{_slug(experiment)}{'' if variant is None else f'-{_slug(name)}'}"
        found = list(_answers(store, info.id, name))
        if not found:
            raise UsageError(
                f"{name} has no answers yet", "", f"bothways freeze or run {experiment!r} first."
            )
        _write(target, spec, name, found)
    put(str(target))
    say(f"{len(found)} answers of {name}")


def _slug(name: str) -> str:
    return re.sub(r"[^\w.-]+", "-", name).strip("-.") or "experiment"


def _answers(facts: Facts, spec_id: int, variant: str) -> Iterator[tuple[str, Answer, str]]:
    """Stream the newest answer of each case, with its case's id and when it was made."""
    for row_id in facts.row_ids(spec_id):
        row = facts.row(row_id)
        own = [(a, at) for unit, a, at in row.answers if unit.variant == variant and a is not None]
        if own:
            yield row.case.id, *own[-1]


def _write(target: Path, spec: Experiment, variant: str, found: list[tuple[str, Answer, str]]) -> None:
    from bothways.engine.exchange.side import call_line, side_of

    answers: list[JsonObject] = []
    tools: list[JsonObject] = []
    for case_id, answer, at in found:
        side = side_of(variant, answer)
        side.pop("tool_calls", None)
        answers.append({"case": case_id, "at": at, "digest": answer.digest, **side})
        tools.extend({"case": case_id, **call_line(call)} for call in answer.tool_calls)
    texts = {"answers.jsonl": _lines(answers), "tools.jsonl": _lines(tools)}
    dates = [at for _, _, at in found]
    manifest: JsonObject = {
        "experiment": spec.name,
        "variant": variant,
        "variant_digest": spec.variant(variant).digest,
        "model": spec.variant(variant).model,
        "returned_models": list(dict.fromkeys(a.model for _, a, _ in found if a.model)),
        "answers": len(found),
        "failed": sum(answer.failure is not None for _, answer, _ in found),
        "first_at": min(dates),
        "last_at": max(dates),
        "sha256": {name: hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()},
    }
    texts["manifest.json"] = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    try:
        target.mkdir(parents=True)
        for name, text in texts.items():
            (target / name).write_text(text, encoding="utf-8", newline="\n")
    except FileExistsError as error:
        raise UsageError(f"{target} is there already", "a snapshot is never overwritten") from error
    except OSError as error:
        raise UsageError(f"Cannot write {target}", error.strerror or str(error)) from error


def _lines(objects: list[JsonObject]) -> str:
    from bothways.engine.keys import canonical

    return "".join(canonical(one) + "\n" for one in objects)
