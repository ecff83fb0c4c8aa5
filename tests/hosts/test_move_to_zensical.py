"""A site moves from Material for MkDocs to Zensical, and its sitemaps stay as they are.

Zensical 0.1 needs a package with its theme that not every registry has. Without it, the output is planted: the files
that Zensical 0.1.3 wrote for this project, without scripts, styles and menus. ZENSICAL=PATH names a program that can
build the project. The test then runs it, and expects the planted files. UPDATE_ZENSICAL=1 writes them anew.
"""

import os
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest
from lxml import html

from smindex_plugins.cli.main import main
from smindex_plugins.record.find import find_record
from tests.support.listed import sitemaps
from tests.support.project import Project

PLANTED = Path(__file__).parent / "zensical"
MANUAL = Path(__file__).parents[2] / "sample_sites/mkdocs/docs/moving/zensical.md"
BASE = "https://e.org/docs/"
VERSION = {"MIKE_DOCS_VERSION": "1.0"}
ENGLISH = """
site_name: Move
site_url: https://e.org/docs/
docs_dir: docs/en
theme:
  name: material
  language: en
extra:
  version: {provider: mike}
  alternate:
    - {name: English, link: /docs/, lang: en}
    - {name: Français, link: /docs/fr/, lang: fr}
markdown_extensions: [pymdownx.snippets]
plugins:
  - search
  - blog: {authors_profiles: true, pagination_per_page: 2}
  - tags
  - redirects:
      redirect_maps: {old.md: guide/install.md}
  - mkdocstrings:
      handlers: {python: {paths: [src]}}
  - mike
  - sitemap-index: {exclude: [private/]}
"""
FRENCH = """
INHERIT: mkdocs.yml
site_url: https://e.org/docs/fr/
docs_dir: docs/fr
site_dir: site-fr
theme:
  language: fr
"""
AUTHORS = "authors:\n  ann: {name: Ann, description: Writes, avatar: 'https://e.org/ann.png', slug: ann-b}\n"
CODE = '"""Code."""\n\n\ndef run() -> None:\n    """Run."""\n'


def post(meta: str, text: str) -> str:
    return f"---\n{meta}\n---\n\n{text}\n\nText\n\n<!-- more -->\n\nMore text\n"


COMMITS: dict[str, dict[str, str]] = {
    "2024-01-01T10:00:00Z": {
        "mkdocs.yml": ENGLISH,
        "mkdocs.fr.yml": FRENCH,
        ".gitignore": "/site*\n.cache\n",
        "src/code.py": CODE,
        "parts/note.md": "A note\n",
        "docs/en/index.md": "# Home\n",
        "docs/en/guide/install.md": "---\ntags: [Setup]\n---\n\n# Install\n",
        "docs/en/guide/use.md": '---\ntags: [Setup, Use]\n---\n\n# Use\n\n--8<-- "parts/note.md"\n',
        "docs/en/api.md": "# API\n\n::: code\n",
        "docs/en/tags.md": "# Tags\n\n<!-- material/tags -->\n",
        "docs/en/private/plan.md": "# Plan\n",
        "docs/en/blog/index.md": "# Blog\n",
        "docs/en/blog/.authors.yml": AUTHORS,
        "docs/en/blog/posts/1.md": post(
            "date: 2023-01-02\nauthors: [ann]\ncategories: [News]",
            "# Été: hello & more!\n\n[Use](../../guide/use.md)",
        ),
        "docs/en/blog/posts/2.md": post(
            "date: 2023-02-03\nslug: second\ncategories: [News, C++]", "# Second"
        ),
        "docs/en/blog/posts/deep/3.md": post(
            "date: {created: 2022-03-04, updated: 2023-04-05}\nauthors: [ann]", "# 3"
        ),
        "docs/en/blog/posts/4.md": post(
            "date: 2021-05-06\ntitle: Größe\npin: true\ncategories: [News]", "Text"
        ),
        "docs/en/blog/posts/draft.md": post("date: 2021-05-07\ndraft: true", "# Draft"),
        "docs/fr/index.md": "# Accueil\n",
        "docs/fr/tags.md": "# Tags\n\n<!-- material/tags -->\n",
        "docs/fr/blog/index.md": "# Blog\n",
        "docs/fr/blog/.authors.yml": AUTHORS,
        "docs/fr/blog/posts/1.md": post(
            "date: 2023-01-02\ncategories: [Éditorial]\ntags: [Été]", "# Bonne année"
        ),
    },
    "2024-02-02T10:00:00Z": {
        "docs/en/blog/posts/1.md": post("date: 2023-01-02\nauthors: [ann]", "# Été: hello & more!")
    },
    "2024-03-03T10:00:00Z": {"src/code.py": CODE.replace("Run", "Start")},
    "2024-04-04T10:00:00Z": {"parts/note.md": "Another note\n"},
    "2024-05-05T10:00:00Z": {
        "docs/fr/blog/posts/1.md": post("date: 2023-01-02\ntags: [Été]", "# Bonne année")
    },
}
LANGUAGES = {
    "en": ("mkdocs.yml", "site", f"{BASE}1.0/"),
    "fr": ("mkdocs.fr.yml", "site-fr", f"{BASE}fr/1.0/"),
}


class Published(NamedTuple):
    """What the sitemaps of a site say, and what they leave out."""

    pages: dict[str, tuple[str, str | None]]
    """The sitemap and the date of each page."""
    omitted: dict[str, str]
    """Why each other page is in no sitemap."""


def published(site: Path, base: str) -> Published:
    pages = {
        page.url.removeprefix(base): (sitemap.url.removeprefix(base), page.lastmod)
        for sitemap in sitemaps(site, base)
        for page in sitemap.pages
    }
    record = find_record(str(site))
    assert record is not None
    omitted = {fact.url.removeprefix(base): fact.reason for fact in record.facts if fact.reason}
    return Published(pages, omitted)


def shortened(text: str) -> str:
    """Give what a command can read of a page: its head, and its content without the frame."""
    tree = html.document_fromstring(text)
    for element in tree.xpath("//script | //style | //svg | //nav | //comment()"):
        element.drop_tree()
    for link in tree.xpath("//link[@rel='stylesheet' or @rel='icon' or @rel='preconnect']"):
        link.drop_tree()
    (content,) = tree.xpath("//*[@data-md-component='content']")
    frame = html.fragment_fromstring("<main></main>")
    frame.append(content)
    (body,) = tree.xpath("//body")
    body[:] = [frame]
    lines = html.tostring(tree, encoding="unicode").splitlines()
    return "<!doctype html>\n" + "".join(f"{line.strip()}\n" for line in lines if line.strip())


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return make(tmp_path_factory.mktemp("move"))


def make(place: Path) -> Project:
    project = Project(place)
    for date, files in COMMITS.items():
        for path, text in files.items():
            project.write(path, text)
        project.commit(date)
    return project


def build_with_zensical(program: str, project: Project, file: str, site: str) -> None:
    subprocess.run(
        [program, "build", "--clean", "-f", file],
        cwd=project.root,
        env=project.environment | VERSION,
        check=True,
        capture_output=True,
    )
    for page in (project.root / site).rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        if "md-content" in text:
            page.write_text(shortened(text), encoding="utf-8")


def plant(project: Project, language: str, file: str, site: str) -> None:
    """Put the output of Zensical into the directory of the site."""
    target, planted = project.root / site, PLANTED / language
    shutil.rmtree(target)
    if not (program := os.environ.get("ZENSICAL")):
        shutil.copytree(planted, target)
        return
    build_with_zensical(program, project, file, site)
    pages = {
        path.relative_to(target): path.read_text(encoding="utf-8")
        for path in target.rglob("*.html")
    }
    if os.environ.get("UPDATE_ZENSICAL"):
        shutil.rmtree(planted, ignore_errors=True)
        for path, text in pages.items():
            (planted / path).parent.mkdir(parents=True, exist_ok=True)
            (planted / path).write_text(text, encoding="utf-8")
    assert pages == {
        path.relative_to(planted): path.read_text(encoding="utf-8")
        for path in planted.rglob("*.html")
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_moved_site_has_the_same_urls_sections_dates_and_omissions(
    project: Project, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, site, base = LANGUAGES[language]
    monkeypatch.chdir(project.root)
    monkeypatch.setenv(*next(iter(VERSION.items())))
    project.build("-f", file, site=site, **VERSION)
    before = published(project.root / site, base)
    assert any(date for _, date in before.pages.values())
    plant(project, language, file, site)
    assert main(["build", site, "-q"]) == 0
    after = published(project.root / site, base)
    assert after.pages == before.pages
    assert after.omitted == before.omitted


def test_the_manual_shows_the_fate_of_each_url(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project = make(tmp_path)
    project.write("docs/en/notes.markdown", "# Notes\n")
    project.commit("2024-06-06T10:00:00Z")
    monkeypatch.chdir(tmp_path)
    project.build(site="site.before")
    # the planted output is that of a version of mike
    for path in (PLANTED / "en").rglob("*.html"):
        text = path.read_text(encoding="utf-8").replace(f"{BASE}1.0/", BASE)
        project.write(f"site/{path.relative_to(PLANTED / 'en')}", text)
    assert main(["build", "-q"]) == 0
    assert main(["diff", "site.before", "site", "--fail-on", "lost"]) == 1
    printed = capsys.readouterr().out.replace("https://e.org/", "https://example.org/")
    assert f"```text\n{printed}```" in MANUAL.read_text(encoding="utf-8")
