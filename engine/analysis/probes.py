"""What is remembered of a snapshot while its answers stream by: how old it is, and how to know it again."""

from __future__ import annotations

from bothways.engine.ledger import AnswerFact

__all__ = ["Probes"]

_MOST = 1000


class Probes:
    """Some of the digests of a baseline, evenly chosen: enough to tell who else was judged against it.

    `oldest` is when the first of its answers was made; "" where there are none.
    """

    def __init__(self) -> None:
        self.oldest = ""
        self.digests: list[str] = []
        self._seen, self._step = 0, 1

    def add(self, answer: AnswerFact) -> None:
        """Take in one answer, or let its digest pass."""
        if answer.at < self.oldest or not self.oldest:
            self.oldest = answer.at
        if self._seen % self._step == 0:
            self.digests.append(answer.digest)
            if len(self.digests) > _MOST:
                del self.digests[1::2]
                self._step *= 2
        self._seen += 1
