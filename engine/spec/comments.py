"""What stands beside the parts of a spec that is written for people: by `init`, and by the desk."""

from __future__ import annotations

__all__ = ["COMMENTS", "PATHS"]

PATHS = """\
# Paths are relative to this file. Keys come from the environment (OPENAI_API_KEY, …), never from here.
"""
COMMENTS = {
    "baseline": "# The version that customers have now. Its answers are made once and frozen.\n",
    "candidates": "# A candidate is the baseline plus what it changes. "
    "Change one thing, or you will not know what helped.\n",
    "judge": (
        "# Every pair is judged twice, the second time in the reverse order: a judge that only likes what\n"
        "# stands first gives itself away. Choose a judge of another family than the candidates.\n"
    ),
    "hypothesis": "# Say beforehand what you expect, and why.\n",
    "review": "# Cases with these tags cost money when they go wrong: "
    "people read all of them, whatever the judge says.\n",
}
"""By the field that a comment stands above."""
