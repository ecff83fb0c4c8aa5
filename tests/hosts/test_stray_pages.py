"""HTML that a build leaves in the output outside the host's events: counted, named, and no missing variant."""

import logging
from pathlib import Path

import pytest

from tests.support.blog import Blog
from tests.support.project import BASE, FIRST, Project

# As mkdocs-static-i18n did before version 1.0: each language is rendered into its directory when the build has ended.
_LANGUAGES = """\
import os

def on_post_page(output, page, config):
    links = "".join(
        f'<link rel="alternate" hreflang="{code}" href="{config.site_url}{code}/{page.url}">' for code in ("en", "ja")
    )
    return output.replace("</head>", links + "</head>")

def on_post_build(config):
    for code in ("en", "ja"):
        for page in ("", "a/", "b/"):
            os.makedirs(f"{config.site_dir}/{code}/{page}", exist_ok=True)
            with open(f"{config.site_dir}/{code}/{page}index.html", "w") as file:
                file.write("<!doctype html><title>A</title><p>Text")
"""


@pytest.mark.parametrize("host", ["mkdocs", "properdocs"])
def test_languages_that_are_rendered_outside_the_events_are_named_once_and_no_variant_is_missing(
    project: Project, host: str
) -> None:
    project.config("sitemap-index", hooks="[languages.py]")
    project.write("languages.py", _LANGUAGES)
    project.pages("index.md", "a.md", "b.md")
    project.commit(FIRST)
    built = project.build("--strict", host=host)
    assert built.code == 0, built.log
    assert set(built.pages) == {BASE, f"{BASE}a/", f"{BASE}b/"}
    assert "6 in the output and of no page" in built.log
    assert built.log.count("[stray-pages]") == 1
    assert "en/ (3), ja/ (3), for example en/index.html." in built.log
    assert "[missing-variant]" not in built.log


def test_pages_and_reasons_account_for_every_html_file_of_a_build(project: Project) -> None:
    project.config("sitemap-index", hooks="[more.py]")
    project.write(
        "more.py",
        "import pathlib\n"
        "def on_post_build(config):\n"
        "    for name in ('old', 'coverage'):\n"
        "        path = pathlib.Path(config.site_dir, name, 'index.html')\n"
        "        path.parent.mkdir()\n"
        "        robots = '<meta name=robots content=noindex>' if name == 'coverage' else ''\n"
        "        path.write_text(f'<!doctype html><head>{robots}<title>A</title></head><p>Text')\n",
    )
    project.pages("index.md", "a.md")
    project.write("docs/copy.xhtml", "<html><head><title>A</title></head><body>Text</body></html>")
    project.commit(FIRST)
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert set(built.pages) == {BASE, f"{BASE}a/", f"{BASE}copy.xhtml"}
    assert "left out: 1 in the output and of no page, 1 marked noindex, 1 shown for errors;" in built.log
    assert len([*built.directory.rglob("*html")]) == len(built.pages) + 3


def test_pelican_names_the_files_of_earlier_runs(tmp_path: Path) -> None:
    blog = Blog(tmp_path / "project")
    for name in "abc":
        blog.article(f"{name}.md")
    blog.run()
    for name in "bc":
        (blog.root / f"content/{name}.md").unlink()
    output = blog.run()
    assert {"b.html", "c.html"} < output.html - output.pages.keys()
    (notice,) = [message for message in output.logged(logging.INFO) if "[stray-pages]" in message]
    assert "2 HTML files in the output: they belong to no page of the build: / (2), for example b.html." in notice
    assert not output.logged(logging.WARNING)
