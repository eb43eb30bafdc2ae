"""Parameters that a model does not take: met once, remembered, and said in every reply."""

from __future__ import annotations

import re

from bothways.engine.facts import JsonObject

__all__ = ["Quirks"]

_DROPPABLE = ("temperature", "top_p", "seed", "presence_penalty", "frequency_penalty")
"""Sampling parameters: an answer without them is still an answer to the same question."""
_OTHER_NAME = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
_NOT_TAKEN = re.compile(
    r"(?:un|not |n't |no longer )support|not (?:permitted|allowed|accepted|available|take)"
    r"|unrecogni[sz]ed|unknown|unexpected|extra (?:inputs|fields)|deprecated|\bparam: ",
    re.IGNORECASE,
)
_OUT_OF_RANGE = re.compile(r"(?:above|below|greater|less|between|maximum|minimum|range)\b", re.IGNORECASE)


class Quirks:
    """What has been learned about one model."""

    def __init__(self) -> None:
        self._dropped: set[str] = set()
        self._renamed: dict[str, str] = {}

    @property
    def notes(self) -> tuple[str, ...]:
        """What was changed to get through, in words."""
        dropped = [f"{name} not taken by the model: dropped" for name in sorted(self._dropped)]
        renamed = [
            f"{old} not taken by the model: sent as {new}" for old, new in sorted(self._renamed.items())
        ]
        return (*dropped, *renamed)

    def apply(self, params: JsonObject) -> JsonObject:
        """Return the parameters as this model takes them."""
        return {self._renamed.get(k, k): v for k, v in params.items() if k not in self._dropped}

    def learn(self, message: str, params: JsonObject, sent: JsonObject) -> bool:
        """Learn from a refusal of `sent`, which was made of `params`; return whether to send again.

        Several calls in flight are refused together: what one has learned serves the others too.
        """
        if self.apply(params) != sent:
            return True
        name = self._blamed(message, sent)
        if name in _DROPPABLE:
            self._dropped.add(name)
            return True
        # Renamed once only: a model that takes neither name has another complaint.
        if name in _OTHER_NAME and name not in self._renamed.values():
            self._renamed[name] = _OTHER_NAME[name]
            return True
        return False

    def _blamed(self, message: str, sent: JsonObject) -> str:
        """Return the first parameter sent that the message calls unknown, and not merely out of range."""
        if not _NOT_TAKEN.search(message) or ("support" not in message and _OUT_OF_RANGE.search(message)):
            return ""
        places = {name: at.start() for name in sent if (at := re.search(rf"\b{re.escape(name)}\b", message))}
        return min(places, key=places.__getitem__, default="")
