"""The sample sites and the manual, as they are in a repository of their own."""

import shutil
from pathlib import Path

from tests.support.project import Project

ROOT = Path(__file__).parents[2]
MANUAL = "sample_sites/mkdocs"


def copy_sample(name: str, project: Project) -> None:
    """Copy a sample site, commit each part of its docs in a month of its own, then change one page."""
    sample = ROOT / "sample_sites" / name
    project.write("mkdocs.yml", (sample / "mkdocs.yml").read_text(encoding="utf-8"))
    for month, part in enumerate(sorted((sample / "docs").iterdir()), start=1):
        copy = shutil.copytree if part.is_dir() else shutil.copy
        copy(part, project.root / part.relative_to(sample))
        project.commit(f"2024-{month:02}-01T12:00:00Z")
    changed = project.root / "docs/index.md"
    changed.write_text(changed.read_text(encoding="utf-8") + "\nOne more line.\n", encoding="utf-8")
    project.commit("2025-01-01T12:00:00Z")


def copy_manual(project: Project) -> str:
    """Copy the manual and the files at the top of the repository that are pages of it, and return its configuration."""
    shutil.copytree(ROOT / MANUAL, project.root / MANUAL, ignore=shutil.ignore_patterns("site", "__pycache__"))
    for path in ROOT.glob("*.md"):
        shutil.copy(path, project.root)
    project.commit("2024-01-01T12:00:00Z")
    return f"{MANUAL}/mkdocs.yml"
