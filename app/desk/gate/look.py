"""The gate as it was read at one moment, and the pages that are made of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from bothways.app.desk.gate.honest import honest_page
from bothways.app.desk.gate.outlook import outlook_page
from bothways.app.desk.gate.words import decisions_page, record_page
from bothways.app.desk.review.blindness import gate_hidden
from bothways.app.desk.sitting import Pairing, Sitting
from bothways.engine.analysis.model import Evidence
from bothways.engine.decisions import Checked, decide, on_record
from bothways.engine.errors import RefusedError
from bothways.engine.gate.model import GateResult
from bothways.engine.gate.outlook import Outlook
from bothways.engine.ledger import Record
from bothways.widgets.plain import Line, line

__all__ = ["GateLook", "GatePage", "hidden", "load", "page", "refusal", "sign"]

GatePage: TypeAlias = Literal["condition", "change", "figures", "decisions"]


@dataclass(frozen=True, slots=True)
class GateLook:
    """The gate and its decisions; `outlook` is None until it is computed."""

    evidence: Evidence
    result: GateResult
    decisions: tuple[Checked, ...]
    outlook: Outlook | None = None


def load(sitting: Sitting, pairing: Pairing) -> GateLook:
    """Read the gate and recompute its decisions; for many rows this belongs into a thread."""
    with sitting.open() as store, sitting.reading(store, pairing) as (evidence, result, _):
        return GateLook(evidence, result, on_record(store, evidence, result))


def hidden(sitting: Sitting, pairing: Pairing) -> bool:
    """Whether the gate would tell a blind reader of rows that they have not read; belongs into a thread."""
    with sitting.open() as store:
        return gate_hidden(store, sitting, pairing)


def refusal(look: GateLook, sitting: Sitting) -> RefusedError | None:
    """Return why nobody could sign this now; to be said before anybody is asked for a name."""
    try:
        decide(look.evidence, look.result, reviewer=sitting.reviewer or "somebody", at=sitting.now())
    except RefusedError as refused:
        return refused
    return None


def sign(sitting: Sitting, pairing: Pairing, look: GateLook, name: str, note: str) -> Record:
    """Put what was looked at on record. Raises RefusedError where it is no longer so."""
    with (
        sitting.open() as store,
        sitting.reading(store, pairing, to_write=True) as (evidence, result, at),
    ):
        body = decide(evidence, result, reviewer=name, note=note, at=at, shown=look.evidence.facts_hash)
        return store.append("decision", body, at)


def page(look: GateLook, name: GatePage, width: int, signed: Record | None = None) -> list[Line]:
    """Return what stands under a tab; `signed` is what was put on record at this screen just now."""
    if name == "change":
        if look.outlook is None:
            return [line("computing what would change this …", "muted")]
        return outlook_page(look.outlook, look.result)
    if name == "figures":
        return [*honest_page(look.evidence, look.result, width), (), *decisions_page(look.decisions)]
    head = [line("Recorded just now", "good"), *record_page(signed), ()] if signed is not None else []
    return [*head, *decisions_page(look.decisions)]
