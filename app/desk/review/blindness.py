"""Reading blind by choice: how it is switched on and off, and what is kept meanwhile from who does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bothways.app.desk.keys import press
from bothways.app.desk.review.look import load
from bothways.app.desk.review.worklist import Worklist
from bothways.engine.errors import RefusedError

if TYPE_CHECKING:
    from bothways.app.desk.review.session import ReviewSession
    from bothways.app.desk.sitting import Pairing, Sitting
    from bothways.store import Store

__all__ = ["gate_hidden", "turn"]


def turn(session: ReviewSession, sitting: Sitting) -> str:
    """Hide names and judge from the reader until they vote, or stop doing so, and return what to say of that.

    It is remembered until they turn it again. Raises RefusedError where the spec decides.
    """
    experiment = session.evidence.experiment
    if experiment.review.blind:
        raise RefusedError("This experiment is read blind", "its spec says so")
    blind = not session.reader.blind
    sitting.set_blind(experiment.name, on=blind)
    unseen = session.set_blind(blind)
    if not blind:
        return "Names and judge are shown again."
    ends = f"until you vote; {press('review.blind')} ends it"
    seen = "" if unseen else " You have seen every row that waits: no vote on these is blind."
    return f"Blind from here on: names and judge are hidden {ends}.{seen}"


def gate_hidden(store: Store, sitting: Sitting, pairing: Pairing) -> bool:
    """Return whether rows of a pairing wait that whoever sits here reads blind, by the spec or by choice.

    How its gate stands would tell of them. With many rows it takes a while for those who read blind, and
    belongs into a thread.
    """
    name, chosen = pairing.experiment, sitting.reads_blind(pairing.experiment)
    if not (chosen or store.spec(store.specs(name)[0].id).review.blind):
        return False
    look = load(store, name, pairing.candidate, pairing.judge, sitting.reviewer, blind=chosen)
    return Worklist(look).gate_hidden
