"""The time, as everything that is stored writes it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

__all__ = ["just_after", "later", "now", "sortable"]

_LENGTH = len("2026-08-06T09:30:00.000Z")


def now() -> str:
    """Return this moment in UTC, to the millisecond."""
    return _text(datetime.now(UTC))


def sortable(at: str) -> str:
    """Return a time of any file as `now` writes it, so that texts sort as times do; "" where it is none."""
    if len(at) == _LENGTH and at.endswith("Z"):
        return at
    try:
        time = datetime.fromisoformat(at)
        return _text(time.astimezone(UTC)) if time.tzinfo is not None else ""
    except (ValueError, OverflowError):
        return ""


def just_after(at: str) -> str:
    """Return the next time that can be told from this one; the same where no time follows it."""
    return later(at, timedelta(milliseconds=1))


def later(at: str, by: timedelta) -> str:
    """Return a time so much later; the same where no time follows it."""
    try:
        return _text(datetime.fromisoformat(at).astimezone(UTC) + by)
    except (ValueError, OverflowError):
        return at


def _text(time: datetime) -> str:
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")
