"""A MkDocs site to build for real: its files, its repository with chosen dates, and what a build
leaves behind.
"""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from lxml import etree, html

from tests.support.module import run_module

NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
BASE = "https://example.org/docs/"
FIRST, SECOND, THIRD = "2024-01-01T10:00:00Z", "2024-02-02T11:00:00Z", "2024-03-03T12:00:00Z"
SMALL: dict[str, str | None] = {BASE: FIRST, f"{BASE}guide/a/": FIRST, f"{BASE}guide/b/": SECOND}
"""The pages of `Project.small`."""
DATES = """\
{% extends "base.html" %}
{% block extrahead %}
  {%- if page %}
  <meta name="shown" content="{{ page.update_date }}">
  <meta name="shown" content="{{ page.meta.lastmod }}">
  {%- endif %}
{%- endblock %}
"""
"""A template for MkDocs' own theme and for Material, which shows the dates of a page."""
ROOT = Path(__file__).parents[2]
MANUAL = "sample_sites/mkdocs"


@dataclass(frozen=True)
class Built:
    """The sitemaps a build left, read with nothing of ours."""

    directory: Path
    base: str
    log: str
    code: int

    @property
    def index(self) -> dict[str, str | None]:
        """Each sitemap's URL and lastmod, or nothing where no index was written."""
        path = self.directory / "sitemap_index.xml"
        return _entries(path, "siteindex.xsd") if path.exists() else {}

    @property
    def pages(self) -> dict[str, str | None]:
        """Each page's URL and lastmod, from all the sitemaps that the index lists."""
        found: dict[str, str | None] = {}
        for sitemap in self.files:
            entries = _entries(self.directory / sitemap, "sitemap_with_links.xsd")
            assert not found.keys() & entries.keys(), "a page is in two sitemaps"
            found |= entries
        return found

    @property
    def files(self) -> list[str]:
        """The sitemaps that the index lists, by their paths in the directory."""
        return sorted(unquote(url.removeprefix(self.base)) for url in self.index)

    @property
    def flat(self) -> dict[str, str | None]:
        """Each URL and lastmod of MkDocs' own sitemap.xml."""
        return _entries(self.directory / "sitemap.xml", None)

    @property
    def shown(self) -> dict[str, list[str]]:
        """The dates that each listed page shows, as a template like `DATES` gives them."""
        files = ((url, unquote(url.removeprefix(self.base))) for url in self.pages)
        found = (
            (url, self.directory / path / ("" if path.endswith(".html") else "index.html"))
            for url, path in files
        )
        return {
            url: html.parse(file).xpath("//meta[@name='shown']/@content") for url, file in found
        }

    @property
    def ours(self) -> dict[str, bytes]:
        """The index and every sitemap file that is not MkDocs' own, by its path."""
        found = {
            str(path.relative_to(self.directory)): path.read_bytes()
            for path in self.directory.rglob("*sitemap*.xml")
        }
        del found["sitemap.xml"]
        return found


class Project:
    """A MkDocs project in a directory of its own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.base = BASE
        self.environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("GIT_")},
            "DISABLE_MKDOCS_2_WARNING": "true",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "NO_MKDOCS_2_WARNING": "1",
            "PYTHONWARNINGS": "ignore",  # a host's own deprecations are not what is tested here
        }

    def write(self, path: str, text: str = "") -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text or f"# {path}\n", encoding="utf-8")

    def pages(self, *paths: str) -> None:
        for path in paths:
            self.write(f"docs/{path}")

    def small(self, *plugins: str, **options: str) -> None:
        """Write three pages in two sections, committed on one day, of which one was changed on
        another.
        """
        self.config(*plugins, **options)
        self.pages("index.md", "guide/a.md", "guide/b.md")
        self.commit(FIRST)
        self.write("docs/guide/b.md", "# Changed\n")
        self.commit(SECOND)

    def config(self, *plugins: str, **options: str) -> None:
        """Write mkdocs.yml; without plugins it has the one line that users add."""
        settings = {"site_name": "Test", "site_url": self.base, **options}
        lines = [f"{key}: {value}\n" for key, value in settings.items() if value]
        lines += ["plugins:\n", *(f"  - {plugin}\n" for plugin in plugins or ("sitemap-index",))]
        self.write("mkdocs.yml", "".join(lines))

    def git(self, *arguments: str, date: str = "2024-01-01T00:00:00Z") -> str:
        environment = self.environment | {
            **dict.fromkeys(["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"], "A"),
            **dict.fromkeys(["GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"], "a@example.org"),
            **dict.fromkeys(["GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"], date),
        }
        command = ["git", "-c", "init.defaultBranch=main", *arguments]
        done = subprocess.run(
            command, cwd=self.root, env=environment, check=True, capture_output=True, text=True
        )
        return done.stdout

    def commit(self, date: str) -> None:
        """Commit everything as it is, at this date."""
        if not (self.root / ".git").exists():
            self.git("init", "-q")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "change", date=date)

    def build(
        self, *arguments: str, host: str = "mkdocs", site: str = "site", **environment: str
    ) -> Built:
        """Build the site in a process of its own, as a user would."""
        command = (host, "build", "-d", str(self.root / site), *arguments)
        done = run_module(*command, cwd=self.root, env=self.environment | environment)
        assert "Traceback" not in done.stderr, done.stderr
        return Built(self.root / site, self.base, done.stderr, done.returncode)

    def build_by_command(self, built: Built) -> dict[str, str | None]:
        """Write the sitemaps of a built site with `smindex build`, which runs no plugin. Give the dates of its pages.

        The command also lists pages that MkDocs only copies. They are not returned.
        """
        listed = built.pages
        command = ("smindex_plugins", "build", str(built.directory))
        done = run_module(*command, cwd=self.root, env=self.environment)
        assert not done.returncode, done.stdout + done.stderr
        return {url: date for url, date in built.pages.items() if url in listed}


def copy_sample(name: str, project: Project) -> None:
    """Copy a sample site, commit each part of its docs in a month of its own, then change one
    page.
    """
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
    """Copy the manual and the files at the top of the repository that are pages of it, and return
    its configuration.
    """
    shutil.copytree(
        ROOT / MANUAL, project.root / MANUAL, ignore=shutil.ignore_patterns("site", "__pycache__")
    )
    for path in ROOT.glob("*.md"):
        shutil.copy(path, project.root)
    project.commit("2024-01-01T12:00:00Z")
    return f"{MANUAL}/mkdocs.yml"


def _entries(path: Path, schema: str | None) -> dict[str, str | None]:
    tree = etree.parse(path)
    if schema:
        etree.XMLSchema(etree.parse(ROOT / "tests/schemas" / schema)).assertValid(tree)
    entries = list(tree.getroot())
    found = {
        entry.findtext(f"{NAMESPACE}loc") or "": entry.findtext(f"{NAMESPACE}lastmod")
        for entry in entries
    }
    assert len(found) == len(entries), "a URL is listed twice"
    return found
