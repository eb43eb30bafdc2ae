"""One hash of all that the evidence rests on: the same facts have the same, another fact has another."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import lru_cache

from bothways.engine.facts import NO_TOOLS, JsonObject
from bothways.engine.keys import canonical, digest
from bothways.engine.ledger import AnswerFact, PassFact, Record, ToolFact, fields

__all__ = ["Fingerprint"]

_SAID = fields(PassFact, "shown", "choice")
_CALL = fields(ToolFact, "variant", "arguments")


class Fingerprint:
    """Takes in what is compared and what people wrote of it, then the rows in their order."""

    def __init__(self, *compared: object, records: Iterable[Record]) -> None:
        self._hash = hashlib.sha256(digest(*compared).encode())
        self._hash.update("".join(record.hash for record in records).encode())

    def row(
        self,
        case: str,
        marks: str,
        baseline: Sequence[AnswerFact],
        candidate: Sequence[AnswerFact],
        passes: Sequence[PassFact],
        tools: Sequence[ToolFact],
        rules: Sequence[JsonObject],
    ) -> None:
        """Take in what a row's evidence rests on, each in its place; what was not tried is no fact."""
        said = [ascii(case), marks]
        said += [_in_words("<", answer) for answer in baseline if answer.tried]
        said += [_in_words(">", answer) for answer in candidate if answer.tried]
        said += [_pass_in_words(_SAID(one)) for one in passes if one.tried]
        if tools or rules:
            said.append("tools" + canonical([*(_CALL(call) for call in tools), *rules]))
        self._hash.update(("\0".join(said) + "\n").encode("utf-8", "surrogatepass"))

    def hexdigest(self) -> str:
        """Return the hash of everything so far."""
        return self._hash.hexdigest()


def _in_words(side: str, answer: AnswerFact) -> str:
    if answer.failure is not None:
        return f"{side}{answer.night},{answer.repeat}{answer.failure}"
    tools = "" if answer.tools_digest == NO_TOOLS else answer.tools_digest
    return f"{side}{answer.night},{answer.repeat}{answer.digest}{tools}"


@lru_cache(maxsize=1024)
def _pass_in_words(said: tuple[object, ...]) -> str:
    """Put one pass into words: what was shown in which order, and the choice. Few differ."""
    return canonical(said)
