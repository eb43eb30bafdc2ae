"""`bothways list`: the experiments there are."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, cast

from bothways.app.cli.database import newest, opened
from bothways.app.cli.options import json_option, subcommand
from bothways.app.cli.plain import table
from bothways.app.streams import put, put_json, say

if TYPE_CHECKING:
    from bothways.engine.facts import JsonObject
    from bothways.store import Store

__all__ = ["command"]


@subcommand("list", "bothways list", "bothways list --json")
@json_option
def command(as_json: bool) -> None:
    """List the experiments in the database, newest first.

    GATE NOW is what the gate says of each candidate as things stand, SIGNED the newest decision that a person
    has signed, and whether it stands.
    """
    with opened() as store, store.view():
        found = [_summary(store, name) for name in store.experiments()]
    if as_json:
        put_json(found)
    elif not found:
        say("The database holds no experiment yet. Begin with: bothways run experiment.yaml")
    else:
        put(table(("EXPERIMENT", "ROWS", "SINCE", "RUN", "GATE NOW", "SIGNED"), [_row(one) for one in found]))


def _summary(store: Store, name: str) -> JsonObject:
    from bothways.app.reading import gates
    from bothways.engine.decisions import checked

    spec = newest(store, name)
    decisions = checked(store, name)
    runs = store.runs(name)
    return {
        "experiment": name,
        "rows": spec.rows,
        "variants": list(spec.variants),
        "judges": list(spec.judges),
        "at": spec.at,
        "run": runs[0].state if runs else None,
        "gates": [gate.as_json() for gate in gates(store, spec)],
        "decision": decisions[-1].record.body.get("decision") if decisions else None,
        "validity": decisions[-1].validity.value if decisions else None,
    }


def _row(one: JsonObject) -> tuple[object, ...]:
    signed = _words(f"{one['decision']}, {one['validity']}") if one["decision"] else "not signed"
    return one["experiment"], one["rows"], str(one["at"])[:10], one["run"] or "–", _gates(one), signed


def _gates(one: JsonObject) -> str:
    """Say what the gate says, once where it says the same of all."""
    said = [gate["decision"] for gate in cast("list[JsonObject]", one["gates"])]
    words = Counter(_words(str(word)) if word else "bothways gate computes it" for word in said)
    return ", ".join(word if len(words) == 1 else f"{count} {word}" for word, count in words.items()) or "–"


def _words(text: str) -> str:
    return text.replace("_", " ")
