"""`bothways verify`: have the append-only records been touched, and do the decisions still follow?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bothways.app.cli.database import opened
from bothways.app.cli.options import json_option, subcommand
from bothways.app.streams import put, put_json
from bothways.engine.errors import StoreError

if TYPE_CHECKING:
    from bothways.engine.decisions import Checked

__all__ = ["command"]


@subcommand("verify", "bothways verify", "bothways verify --json")
@json_option
def command(as_json: bool) -> None:
    """Check the chain of reviews and decisions, and compute every decision again from its facts.

    Exit 2 names the first broken record, or the decisions that do not follow from what was there when they
    were signed. One that later facts superseded is in order.
    """
    from bothways.engine.decisions import Validity, checked

    with opened() as store, store.view():
        broken = store.broken()
        found = {} if broken else {name: checked(store, name) for name in store.experiments()}
    false = [one for all_ in found.values() for one in all_ if one.validity is Validity.DOES_NOT_FOLLOW]
    if as_json:
        put_json(
            {
                "ok": broken is None and not false,
                "broken": {"seq": broken[0], "reason": broken[1]} if broken else None,
                "decisions": [{"experiment": name, **one.as_json()} for name in found for one in found[name]],
            }
        )
    elif broken is None:
        put("\n".join(["Every record holds.", *(_line(name, one) for name in found for one in found[name])]))
    if broken is not None:
        seq, reason = broken
        hint = "Compare with a copy; what comes after it cannot be trusted."
        raise StoreError(f"Record {seq} does not hold", reason, hint)
    if false:
        title = f"{len(false)} of the decisions on record do not follow from their facts"
        why = "\n".join(f"record {one.record.seq}: {one.why}" for one in false)
        raise StoreError(title, why, "Compare with a copy: facts are never changed by bothways.")


def _line(experiment: str, one: Checked) -> str:
    return f"{experiment}: {one.words}: {one.validity.value}; {one.why}"
