"""The sample sites, built for real from a repository with known dates, give the golden files."""

import os
import shutil
from pathlib import Path

import pytest

from tests.hosts.conftest import Project

ROOT = Path(__file__).parent.parent.parent
GOLDEN = ROOT / "tests" / "golden"
UPDATE = bool(os.environ.get("UPDATE_GOLDEN"))
"""Set UPDATE_GOLDEN=1 to write the golden files anew, then read the difference."""


def copy_sample(name: str, project: Project) -> None:
    """Copy a sample site, commit each part of its docs in a month of its own, then change one page."""
    sample = ROOT / "sample_sites" / name
    project.write("mkdocs.yml", (sample / "mkdocs.yml").read_text(encoding="utf-8"))
    for month, part in enumerate(sorted((sample / "docs").iterdir()), start=1):
        copy = shutil.copytree if part.is_dir() else shutil.copy
        copy(part, project.root / part.relative_to(sample))
        project.commit(f"2024-{month:02}-01T12:00:00Z")
    changed = project.root / "docs/protocol/limits.md"
    changed.write_text(changed.read_text(encoding="utf-8") + "\nOne more line.\n", encoding="utf-8")
    project.commit("2025-01-01T12:00:00Z")


@pytest.mark.parametrize("host", ["mkdocs", "properdocs"])
def test_the_mkdocs_sample_gives_the_golden_files(project: Project, host: str) -> None:
    copy_sample("mkdocs", project)
    built = project.build("--strict", host=host)
    assert built.code == 0, built.log
    assert "33 pages in 6 sections, 6 sitemaps" in built.log
    golden = GOLDEN / "mkdocs"
    if UPDATE:
        for path, content in built.ours.items():
            (golden / path).parent.mkdir(parents=True, exist_ok=True)
            (golden / path).write_bytes(content)
    expected = {str(path.relative_to(golden)): path.read_bytes() for path in golden.rglob("*.xml")}
    assert built.ours == expected
