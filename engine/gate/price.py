"""How few acts it takes until a row stands otherwise, by the rule that says whose verdict counts.

Anybody can speak, more people than have spoken among them; whoever has can say otherwise, or take it back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal, TypeAlias, get_args

from bothways.engine.standing import Rule, Voice
from bothways.engine.verdicts import Verdict

__all__ = ["STANDS", "VERDICTS", "Stand", "price"]

Stand: TypeAlias = Verdict | Literal["split", "silent"]
"""How people can leave a row: with a verdict that counts, with several of which none does, or without any."""
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
STANDS: tuple[Stand, ...] = (*VERDICTS, "split", "silent")


def price(rule: Rule, voices: Sequence[Voice], wanted: Stand) -> int | None:
    """Return how few acts lead from these voices to what is wanted; None where the rule leaves no way.

    One act always does under `latest`, whoever acts, and under an adjudicator, who acts then.
    """
    if wanted == "silent":
        return len(voices)
    if wanted == "split":
        return _parting(rule, voices)
    if rule.settle(voices) == wanted:
        return 0
    return _outvoting(voices, wanted) if rule.policy == "majority" else 1


def _outvoting(voices: Sequence[Voice], wanted: Verdict) -> int:
    """Whoever says what most others say changes their mind; once nobody is left to, new reviewers come."""
    others = Counter(voice.verdict for voice in voices)
    own, acts = others.pop(wanted, 0), 0
    while own <= max(others.values(), default=0):
        if others.total():
            others[max(others, key=others.__getitem__)] -= 1
        own, acts = own + 1, acts + 1
    return acts


def _parting(rule: Rule, voices: Sequence[Voice]) -> int | None:
    """Until reviewers differ and none of it counts: the two most frequent level, or the one person silent."""
    if rule.policy == "latest":
        return None
    if rule.policy == "adjudicator":
        others = [voice for voice in voices if voice.reviewer != rule.adjudicator]
        return len(voices) - len(others) + max(0, 2 - len({voice.verdict for voice in others}))
    if not voices:
        return 2
    most, next_most = sorted((*Counter(voice.verdict for voice in voices).values(), 0))[:-3:-1]
    return (most - next_most + 1) // 2
