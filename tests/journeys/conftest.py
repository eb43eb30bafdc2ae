"""What every journey has: an empty project."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.journeys.project import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Return a project in a folder of its own."""
    return Project(tmp_path)
