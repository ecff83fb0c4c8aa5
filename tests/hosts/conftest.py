"""A site to build for real: its files, its git repository with chosen dates, and what a build of it leaves behind."""

from pathlib import Path

import pytest

from tests.support.project import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Give an empty project, outside any git repository until it commits."""
    return Project(tmp_path)
