"""`bothways verify`: have the append-only records been touched?"""

from __future__ import annotations

from bothways.app.cli.database import opened
from bothways.app.cli.options import json_option, subcommand
from bothways.app.cli.streams import put, put_json
from bothways.engine.errors import StoreError

__all__ = ["command"]


@subcommand("verify", "bothways verify", "bothways verify --json")
@json_option
def command(as_json: bool) -> None:
    """Check the reviews and decisions and the hashes that chain them; exit 2 names the first broken one."""
    with opened() as store:
        broken = store.broken()
    if as_json:
        put_json(
            {"ok": broken is None, "broken": {"seq": broken[0], "reason": broken[1]} if broken else None}
        )
    elif broken is None:
        put("Every record holds.")
    if broken is not None:
        seq, reason = broken
        hint = "Compare with a copy; what comes after it cannot be trusted."
        raise StoreError(f"Record {seq} does not hold", reason, hint)
