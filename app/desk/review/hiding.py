"""Whether how the gate stands is kept from a reader: it would tell them of rows they are to read blind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bothways.app.desk.review.look import load
from bothways.app.desk.review.worklist import Worklist

if TYPE_CHECKING:
    from bothways.app.desk.sitting import Pairing, Sitting
    from bothways.store import Store

__all__ = ["gate_hidden"]


def gate_hidden(store: Store, sitting: Sitting, pairing: Pairing) -> bool:
    """Return whether rows of a pairing wait that whoever sits here reads blind, by the spec or by choice.

    With many rows it takes a while for those who read blind, and belongs into a thread.
    """
    name, chosen = pairing.experiment, sitting.reads_blind(pairing.experiment)
    if not (chosen or store.spec(store.specs(name)[0].id).review.blind):
        return False
    look = load(store, name, pairing.candidate, pairing.judge, sitting.reviewer, blind=chosen)
    return Worklist(look).gate_hidden
