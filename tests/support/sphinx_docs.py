"""A Sphinx project to build for real, as a user does, and what a build leaves behind."""

import shutil
import subprocess
import sys
from pathlib import Path

from lxml import html

from tests.support.project import Built, Project

CONF = 'project = "Test"\nhtml_baseurl = "https://example.org/docs/"\nextensions = [{}]\n'
EXTENSION = "smindex_plugins.sphinx"


def conf(project: Project, *lines: str, extensions: tuple[str, ...] = (EXTENSION,)) -> None:
    """Write conf.py; without anything else it has the line that users add."""
    text = CONF.format(", ".join(map(repr, extensions)))
    project.write("docs/conf.py", "\n".join([text, 'exclude_patterns = ["_build"]', *lines, ""]))


def document(project: Project, name: str, *lines: str) -> None:
    """Write a document, of which every file has another title."""
    title = f"Of {name}"
    project.write(f"docs/{name}.rst", "\n".join([*lines, title, "=" * len(title), "", "Text.", ""]))


def small(project: Project, *lines: str, extensions: tuple[str, ...] = (EXTENSION,)) -> None:
    """Write four documents in two sections, committed on one day, of which one was changed on another."""
    conf(project, *lines, extensions=extensions)
    project.write("docs/index.rst", "Home\n====\n\n.. toctree::\n   :glob:\n\n   about\n   guide/*\n")
    for name in ("about", "guide/a", "guide/b"):
        document(project, name)
    project.write(".gitignore", "_build\n__pycache__\n")
    project.commit("2024-01-01T10:00:00Z")
    project.write("docs/guide/b.rst", "B\n=\n\nChanged.\n")
    project.commit("2024-02-02T11:00:00Z")


def build(project: Project, *arguments: str, builder: str = "html", **environment: str) -> Built:
    """Build in a process of its own."""
    output = project.root / "docs/_build" / builder
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-b", builder, "docs", str(output), *arguments],
        cwd=project.root,
        env={**project.environment, "PYTHONWARNINGS": "default", **environment},
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert "an error in smindex-plugins" not in done.stdout, done.stdout
    return Built(output, project.base, done.stdout, done.returncode)


def fresh(project: Project, *arguments: str, builder: str = "html", **environment: str) -> Built:
    """Build with nothing left of an earlier build."""
    shutil.rmtree(project.root / "docs/_build", ignore_errors=True)
    return build(project, *arguments, builder=builder, **environment)


def canonical(directory: Path) -> set[str]:
    """Return the canonical URLs that the pages of a site name for themselves."""
    found = (html.parse(path).find(".//link[@rel='canonical']") for path in directory.rglob("*.html"))
    return {str(link.get("href")) for link in found if link is not None}
