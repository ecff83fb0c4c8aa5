"""Sitemaps of other builds in real builds: with MkDocs, Pelican and `smindex build`."""

from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from tests.support.blog import SITEURL, Blog
from tests.support.planted import urlset, write
from tests.support.project import BASE, FIRST, SECOND, SMALL, Project


@pytest.mark.parametrize("host", ["mkdocs", "properdocs"])
def test_mkdocs_lists_a_sitemap_that_another_program_builds(project: Project, host: str) -> None:
    project.small(f"sitemap-index: {{also: ['{BASE}blog/sitemap.xml']}}")
    built = project.build("--strict", host=host)
    assert built.code == 0, built.log
    assert {url: date for url, date in built.index.items() if url} == {  # without the comment between them
        f"{BASE}guide/sitemap.xml": SECOND,
        f"{BASE}sitemap-root.xml": FIRST,
        f"{BASE}blog/sitemap.xml": None,
    }
    assert "2 sitemaps and 1 of other builds listed in" in built.log
    assert built.flat.keys() == SMALL.keys()


def test_mkdocs_reads_one_that_it_copies_into_the_site_but_not_its_own_flat_one(project: Project) -> None:
    project.small(f"sitemap-index: {{also: ['{BASE}old/sitemap.xml', '{BASE}sitemap.xml']}}")
    project.write(
        "docs/old/sitemap.xml", urlset(f"{BASE}old/a/").replace("</loc>", "</loc><lastmod>2019-01-01</lastmod>")
    )
    built = project.build()
    assert built.index[f"{BASE}old/sitemap.xml"] == "2019-01-01"
    assert f"{BASE}sitemap.xml" not in built.index
    assert "also[1]: https://example.org/docs/sitemap.xml is a sitemap of this build" in built.log


def test_mkdocs_lists_none_out_of_scope(project: Project) -> None:
    project.small("sitemap-index: {also: ['https://example.org/sitemap.xml']}")
    built = project.build()
    assert len(built.index) == 2
    assert f"also: https://example.org/sitemap.xml is outside {BASE}, where the index is" in built.log
    assert "[sitemap-outside-index]" in built.log


def test_pelican_lists_one_and_refuses_what_is_no_url_before_it_begins(tmp_path: Path) -> None:
    blog = Blog(tmp_path)
    blog.article("a.md")
    output = blog.run(SITEMAP_INDEX={"also": [f"{SITEURL}/shop/sitemap.xml"]})
    assert output.index[f"{SITEURL}/shop/sitemap.xml"] is None
    with pytest.raises(
        SystemExit, match=r"SITEMAP_INDEX\['also\[0\]'\]: got 'shop/sitemap.xml'; accepted: the URL of a"
    ):
        blog.run(SITEMAP_INDEX={"also": ["shop/sitemap.xml"]})


def test_smindex_build_takes_several_from_a_flag_or_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = "<!doctype html><title>A</title><p>Text"
    write(tmp_path, {"site/index.html": page, "pyproject.toml": '[tool.smindex]\nalso = "https://e.org/c.xml"\n'})
    monkeypatch.chdir(tmp_path)
    assert main(["build", "site", "--site-url", "https://e.org/"]) == 0
    flags = ["--also", "https://e.org/a.xml", "--also", "https://e.org/b.xml"]
    assert "https://e.org/c.xml" in Path("site/sitemap_index.xml").read_text(encoding="utf-8")
    assert main(["build", "site", "--site-url", "https://e.org/", *flags]) == 0
    index = Path("site/sitemap_index.xml").read_text(encoding="utf-8")
    assert all(f"https://e.org/{name}.xml" in index for name in ("sitemap-root", "a", "b"))
    assert "c.xml" not in index
    assert "and 2 of other builds" in capsys.readouterr().out
