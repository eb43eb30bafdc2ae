"""What people do to rows: acts as records, and what is refused. `standing` says what they add up to."""

from bothways.engine.review.acts import Act, Said, Seeing, act_named, overrides
from bothways.engine.review.people import known_people, taken_for
from bothways.engine.review.record import RowFacts, act

__all__ = [
    "Act", "RowFacts", "Said", "Seeing", "act", "act_named", "known_people", "overrides", "taken_for",
]  # fmt: skip
