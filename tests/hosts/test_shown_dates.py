"""Themes show the dates of the sitemap, if a site follows the manual.

`test_sphinx_plugin.py` tests those of Sphinx.
"""

from pathlib import Path

import pytest

from tests.hosts.pelican_blog import Blog, Output
from tests.hosts.recipes import follow, shown_date
from tests.support.project import BASE, FIRST, SECOND, SMALL, Project


@pytest.mark.parametrize(
    ("heading", "theme"),
    [
        ("MkDocs themes", "mkdocs"),
        ("MkDocs themes", "readthedocs"),
        ("Material for MkDocs", "material"),
    ],
)
def test_pages_of_mkdocs_show_the_dates_of_the_sitemap_and_none_in_a_shallow_clone(
    project: Project, heading: str, theme: str
) -> None:
    project.config()
    follow(heading, project.root)
    config = project.root / "mkdocs.yml"
    config.write_text(config.read_text("utf-8").replace("name: mkdocs", f"name: {theme}"), "utf-8")
    project.pages("index.md", "guide/a.md", "guide/b.md")
    project.commit(FIRST)
    project.write("docs/guide/b.md", "# Changed\n")
    project.write("docs/own.md", "---\nlastmod: 2024-05-17\n---\n# Own\n")
    project.commit(SECOND)
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert built.pages == {**SMALL, f"{BASE}own/": "2024-05-17"}
    shown = {
        url: shown_date(built.directory / url.removeprefix(BASE) / "index.html")
        for url in built.pages
    }
    assert shown == built.pages
    project.write(".git/shallow", project.git("rev-parse", "HEAD"))
    (project.root / "docs/own.md").unlink()
    assert {shown_date(page) for page in project.build("--clean").directory.rglob("*.html")} == {
        None
    }


@pytest.mark.parametrize("theme", ["simple", "notmyidea"])
def test_pages_of_pelican_show_the_dates_of_the_sitemap_and_none_in_a_shallow_clone(
    tmp_path: Path, theme: str
) -> None:
    blog = Blog(tmp_path / "project")
    blog.configure(THEME=theme)
    follow("Pelican", blog.root)
    for path in ("a.md", "b.md", "pages/about.md"):
        blog.article(path)
    blog.commit(FIRST)
    blog.article("b.md", summary="changed")
    blog.commit(SECOND)
    for dates in ({"a.html": FIRST, "b.html": SECOND, "pages/about.html": FIRST}, {}):
        blog.command(*["--fatal=warnings"] * bool(dates))
        output = Output(blog.root / "output")
        shown = {
            path: shown_date(output.directory / path)
            for path in output.pages
            if path.endswith(".html")
        }
        assert {path: date for path, date in shown.items() if date} == dates
        assert {path: output.pages[path] for path in dates} == dates
        blog.write(".git/shallow", blog.git("rev-parse", "HEAD"))
