"""A site to build for real: its files, its git repository with chosen dates, and what a build of it
leaves behind.
"""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.listed import files_in
from tests.support.planted import write
from tests.support.project import ROOT, Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Give an empty project, outside any git repository until it commits."""
    return Project(tmp_path)


@pytest.fixture(scope="session")
def assert_golden() -> Callable[[str, dict[str, bytes]], None]:
    """Compare sitemaps with the golden files.

    With UPDATE_GOLDEN=1, write those anew: then read the difference.
    """

    def compare(name: str, written: dict[str, bytes]) -> None:
        directory = ROOT / "tests/golden" / name
        if os.environ.get("UPDATE_GOLDEN"):
            shutil.rmtree(directory, ignore_errors=True)
            write(directory, written)
        assert written == files_in(directory)

    return compare
