"""A snapshot: one variant's answers as files for people and version control, frozen by their hashes."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from bothways.engine.errors import UsageError
from bothways.engine.exchange.parts import call_line
from bothways.engine.exchange.side import side_of
from bothways.engine.experiment import Experiment
from bothways.engine.facts import Answer, JsonObject
from bothways.engine.keys import canonical
from bothways.engine.ledger import Facts

__all__ = ["Snapshot", "snapshot"]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The text of each file by its name, and the manifest among them as data. `name` is fit for a folder."""

    name: str
    manifest: JsonObject
    files: Mapping[str, str]


def snapshot(facts: Facts, experiment: str, variant: str | None = None) -> Snapshot:
    """Take the newest answer of each case by `variant`, the baseline where none is named.

    UsageError for an unknown name, and where the variant has not answered yet.
    """
    info = facts.specs(experiment)[0]
    spec = facts.spec(info.id)
    wanted = variant or spec.baseline.name
    if wanted not in info.variants:
        names = ", ".join(info.variants)
        raise UsageError(f"No variant is called {wanted!r}", f"there are {names}", "Name one of these.")
    found = list(_answers(facts, info.id, wanted))
    if not found:
        raise UsageError(f"{wanted} has no answers yet", "", f"Run {experiment!r} first, or freeze its spec.")
    name = _slug(experiment) if variant is None else f"{_slug(experiment)}-{_slug(wanted)}"
    texts = {"answers.jsonl": _lines(_answer_lines(wanted, found)), "tools.jsonl": _lines(_tool_lines(found))}
    manifest = _manifest(spec, wanted, found, texts)
    texts["manifest.json"] = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    return Snapshot(name, manifest, texts)


@dataclass(frozen=True, slots=True)
class _Found:
    case: str
    answer: Answer
    at: str


def _answers(facts: Facts, spec_id: int, variant: str) -> Iterator[_Found]:
    for row_id in facts.row_ids(spec_id):
        row = facts.row(row_id)
        own = [(a, at) for unit, a, at in row.answers if unit.variant == variant and a is not None]
        if own:
            yield _Found(row.case.id, *own[-1])


def _answer_lines(variant: str, found: Iterable[_Found]) -> Iterator[JsonObject]:
    for one in found:
        side = side_of(variant, one.answer)
        side.pop("tool_calls", None)
        yield {"case": one.case, "at": one.at, "digest": one.answer.digest, **side}


def _tool_lines(found: Iterable[_Found]) -> Iterator[JsonObject]:
    for one in found:
        yield from ({"case": one.case, **call_line(call)} for call in one.answer.tool_calls)


def _manifest(spec: Experiment, variant: str, found: list[_Found], texts: Mapping[str, str]) -> JsonObject:
    dates = [one.at for one in found]
    return {
        "experiment": spec.name,
        "variant": variant,
        "variant_digest": spec.variant(variant).digest,
        "model": spec.variant(variant).model,
        "returned_models": list(dict.fromkeys(one.answer.model for one in found if one.answer.model)),
        "answers": len(found),
        "failed": sum(one.answer.failure is not None for one in found),
        "first_at": min(dates),
        "last_at": max(dates),
        "sha256": {name: hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()},
    }


def _slug(name: str) -> str:
    return re.sub(r"[^\w.-]+", "-", name).strip("-.") or "experiment"


def _lines(objects: Iterable[JsonObject]) -> str:
    return "".join(canonical(one) + "\n" for one in objects)
