"""What an experiment's calls have cost so far, read by what is new since the last look."""

from __future__ import annotations

from sqlite_utils import Database

__all__ = ["Meter"]

_CALLS = """
SELECT c.id, c.run_id, c.unit_id, u.kind FROM specs s JOIN runs r ON r.spec_id = s.id
JOIN calls c ON c.run_id = r.id AND c.id > ? AND NOT c.free JOIN units u ON u.id = c.unit_id
WHERE s.experiment_id = ?
"""
_REPLIES = """
SELECT p.id, p.call_id, p.cost_usd FROM specs s JOIN runs r ON r.spec_id = s.id
JOIN replies p ON p.run_id = r.id AND p.id > ? JOIN calls c ON c.id = p.call_id AND NOT c.free
WHERE s.experiment_id = ?
"""


class Meter:
    """Counts an experiment's calls, but the free ones.

    `open` are those without a reply: call → (run, unit, kind of unit).
    """

    def __init__(self, db: Database, experiment_id: int) -> None:
        self._db = db
        self._experiment_id = experiment_id
        self._last_call = 0
        self._last_reply = 0
        self.open: dict[int, tuple[int, int, str]] = {}
        self.calls = 0
        self.cost_usd = 0.0
        self.unknown = 0
        self.dearest_usd = 0.0

    def read(self) -> None:
        """Add what was committed since the last reading."""
        # Replies first: each one's call is then sure to be among the calls read after it.
        replies = self._db.execute(_REPLIES, (self._last_reply, self._experiment_id)).fetchall()
        calls = self._db.execute(_CALLS, (self._last_call, self._experiment_id)).fetchall()
        for call_id, *whose in calls:
            self.open[call_id] = (whose[0], whose[1], whose[2])
            self._last_call = max(self._last_call, call_id)
        for reply_id, call_id, cost_usd in replies:
            self.open.pop(call_id, None)
            self._last_reply = max(self._last_reply, reply_id)
            self.cost_usd += cost_usd or 0.0
            self.unknown += cost_usd is None
            self.dearest_usd = max(self.dearest_usd, cost_usd or 0.0)
        self.calls += len(calls)
