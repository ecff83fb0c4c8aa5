"""Real deployments with mike, which builds each version of a site into a directory of its own on a branch."""

import os
import subprocess
import sys
from pathlib import Path

from tests.support.project import BASE, FIRST, SECOND, Built, Project


def deploy(project: Project, *arguments: str) -> None:
    """Run mike as it is run from an activated environment, in which it looks for the host."""
    scripts = Path(sys.executable).parent
    environment = os.environ | {
        "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
        "DISABLE_MKDOCS_2_WARNING": "true",
        "NO_MKDOCS_2_WARNING": "1",
        "PYTHONWARNINGS": "ignore",
    }
    command = [str(scripts / "mike"), "deploy", *arguments]
    done = subprocess.run(command, cwd=project.root, env=environment, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def published(project: Project, directory: str, base: str) -> Built:
    """Check out what is published, and read one directory of it as what is served at a URL."""
    if not (project.root / "published").exists():
        project.git("clone", "-q", "--branch=gh-pages", str(project.root), "published")
    return Built(project.root / "published" / directory, base, "", 0)


def test_each_version_has_an_index_of_its_own_with_the_dates_of_its_own_sources(project: Project) -> None:
    project.config()
    project.write(".gitignore", "site/\n")
    project.pages("index.md", "guide/a.md", "guide/b.md")
    project.commit(FIRST)
    deploy(project, "1.0", "latest")
    project.write("docs/guide/b.md", "# Changed\n")
    project.commit(SECOND)
    deploy(project, "2.0", "latest", "--update-aliases")
    for version, changed in (("1.0", FIRST), ("2.0", SECOND)):
        base = f"{BASE}{version}/"
        built = published(project, version, base)
        assert built.pages == {base: FIRST, f"{base}guide/a/": FIRST, f"{base}guide/b/": changed}
        assert built.index == {f"{base}sitemap-root.xml": FIRST, f"{base}guide/sitemap.xml": changed}
        assert set(built.flat) == set(built.pages)


def test_a_canonical_version_is_where_the_pages_are_listed(project: Project) -> None:
    project.config("sitemap-index", "mike: {canonical_version: latest}")
    project.pages("index.md", "guide/a.md", "guide/b.md")
    project.commit(FIRST)
    deploy(project, "2.0", "latest", "--alias-type=copy")
    built = published(project, "latest", f"{BASE}latest/")
    assert built.pages == dict.fromkeys((f"{BASE}latest/{path}" for path in ("", "guide/a/", "guide/b/")), FIRST)
    assert set(built.index) == {f"{BASE}latest/sitemap-root.xml", f"{BASE}latest/guide/sitemap.xml"}
