"""Files that lie beside the repository and are no part of it: a test that needs them is skipped without."""

from __future__ import annotations

from pathlib import Path

import pytest

__all__ = ["DATA", "SEEDS", "needs_data", "needs_seeds"]

_ROOT = Path(__file__).parents[1]
_SHARED = next(
    (found for folder in _ROOT.parents if (found := folder / "shared").is_dir()), _ROOT.parent / "shared"
)
"""Beside the repository, or, where that is one of several work trees, beside the folder that holds them."""
DATA = _SHARED / "data"
SEEDS = _SHARED / "seeds"
needs_data = pytest.mark.skipif(
    not DATA.is_dir(), reason="the public comparisons are missing: a folder shared/data beside the repository"
)
needs_seeds = pytest.mark.skipif(
    not SEEDS.is_dir(), reason="the articles are missing: a folder shared/seeds beside the repository"
)
