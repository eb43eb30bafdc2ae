"""The exit codes that are no decision; `Decision.exit_code` has those that are."""

from __future__ import annotations

__all__ = ["CRASHED", "INTERRUPTED", "STOPPED_EARLY"]

STOPPED_EARLY = 5
"""A run that ended early, and said so in the store."""
CRASHED = 70
"""A defect in bothways itself: 1 would be read as "do not ship"."""
INTERRUPTED = 130
"""Ended by Ctrl-C."""
