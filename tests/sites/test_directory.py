"""What a built site's own files tell of it: where it is served, and which file answers for which URL."""

from pathlib import Path

import pytest

from smindex_plugins import urls
from smindex_plugins.cli.main import main
from smindex_plugins.sitemaps.reading import INDEX_NAMES
from smindex_plugins.sites.directory import find_site_url
from smindex_plugins.sites.inventory import Inventory
from tests.support.command import findings
from tests.support.planted import index, urlset, write

BASE = "https://e.org/docs/"
INDEX = "sitemap_index.xml"


def base(root: Path) -> str:
    return find_site_url(Inventory(path=str(root)), INDEX)


def test_the_address_is_found_from_the_files_that_are_there(tmp_path: Path) -> None:
    listed = {"a/sitemap.xml": urlset(BASE + "a/"), "ü/sitemap.xml": urlset(BASE + "%C3%BC/")}
    write(tmp_path, {INDEX: index(BASE + "a/sitemap.xml", BASE + "%C3%BC/sitemap.xml"), **listed})
    assert base(tmp_path) == BASE


def test_a_missing_sitemap_whose_name_another_file_bears_does_not_mislead(tmp_path: Path) -> None:
    listed = {f"{name}/sitemap.xml": urlset(f"{BASE}{name}/") for name in "bc"}
    write(tmp_path, {INDEX: index(*(f"{BASE}{name}/sitemap.xml" for name in "abc")), **listed})
    write(tmp_path, {"sitemap.xml": urlset(BASE)})
    assert base(tmp_path) == BASE


def test_an_address_that_no_file_proves_is_asked_for(tmp_path: Path) -> None:
    write(tmp_path, {INDEX: index(BASE + "a/sitemap.xml")})
    with pytest.raises(urls.UnknownAddressError, match="--site-url"):
        base(tmp_path)


SITE = "https://e.org/"


def test_a_sitemap_of_an_unusual_name_is_begun_with_where_robots_txt_names_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, {"robots.txt": f"Sitemap: {SITE}all.xml\n", "all.xml": urlset("https://f.org/a")})
    assert checks(tmp_path, capsys) == ["outside-scope"]


@pytest.mark.parametrize("name", [name for name in INDEX_NAMES if name.endswith((".xml", ".xml.gz"))])
def test_an_index_of_a_usual_name_is_begun_with(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    write(tmp_path, {name: index(SITE + "missing.xml")})
    assert checks(tmp_path, capsys) == ["missing-sitemap"]


def test_without_an_index_the_sitemaps_that_are_there_are_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As where an upload has forgotten the index."""
    write(tmp_path, {"robots.txt": f"Sitemap: {SITE}sitemap-index.xml\n", "sitemap-0.xml": urlset(SITE + "a#b")})
    assert sorted(checks(tmp_path, capsys)) == ["robots-names-missing-sitemap", "url-with-fragment"]


def page(head: str = "") -> str:
    return f"<!doctype html><html><head><title>A</title>{head}</head><body>Text</body></html>"


def canonical(url: str) -> str:
    return page(f'<link rel="canonical" href="{url}">')


def checks(root: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [finding["check"] for finding in findings(capsys, str(root), "--site-url", SITE)]


@pytest.mark.parametrize(
    ("url", "file"),
    [
        *(("a", file) for file in ("a.html", "a/index.html", "a/index.htm", "a")),
        *(("a/", file) for file in ("a.html", "a/index.html", "a/index.htm")),
        ("a%20b?c=d", "a b.html"),
    ],
)
def test_a_url_is_answered_by_a_file_of_its_name_as_servers_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], url: str, file: str
) -> None:
    write(tmp_path, {"sitemap.xml": urlset(SITE, SITE + url), "index.html": page(), file: page()})
    assert checks(tmp_path, capsys) == []


def test_a_file_elsewhere_answers_for_the_url_that_it_calls_canonical(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    posts = {f"posts/{name}.html": canonical(SITE + name) for name in "abc"}
    write(tmp_path, {"sitemap.xml": urlset(*(SITE + name for name in "abcd")), **posts, "d.html": page()})
    assert checks(tmp_path, capsys) == []
    write(tmp_path, {"posts/b.html": page('<meta name="robots" content="noindex">')})
    assert checks(tmp_path, capsys) == ["missing-page"]


def test_a_stub_that_redirects_answers_for_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stub = page(f'<meta http-equiv="refresh" content="0; url=/b/"><link rel="canonical" href="{SITE}b/">')
    write(tmp_path, {"sitemap.xml": urlset(SITE, SITE + "b/"), "index.html": page(), "old/index.html": stub})
    assert checks(tmp_path, capsys) == ["missing-page"]


def test_where_the_server_maps_most_urls_to_other_files_it_is_said_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    posts = {f"posts/{number}.html": page() for number in range(20)}
    write(tmp_path, {"sitemap.xml": urlset(SITE, *(f"{SITE}{n}" for n in range(20))), "index.html": page(), **posts})
    assert main(["check", str(tmp_path), "--site-url", SITE]) == 0
    assert "20 of 21 listed pages (none has a file at its URL" in capsys.readouterr().out


def test_few_pages_of_the_same_names_elsewhere_are_mapped_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, {"sitemap.xml": urlset(SITE + "a/", SITE + "b"), "x/a.html": page(), "y/b/index.html": page()})
    assert checks(tmp_path, capsys) == []
    (tmp_path / "y/b").rename(tmp_path / "y/c")
    assert sorted(checks(tmp_path, capsys)) == ["missing-page"]


def test_pages_of_other_names_answer_for_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    posts = {f"posts/{number}.html": page() for number in range(10)}
    listed = [f"{SITE}article-{number}" for number in range(10)]
    write(tmp_path, {"sitemap.xml": urlset(SITE, *listed), "index.html": page(), **posts})
    assert sorted(checks(tmp_path, capsys)) == ["missing-page"] * 10 + ["unlisted-page"] * 10


def test_several_pages_of_the_same_names_are_mapped_though_most_are_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As where Pelican's ARTICLE_URL is not ARTICLE_SAVE_AS, among tags and archives."""
    listed = urlset(SITE, *(f"{SITE}{name}" for name in ("t1", "t2", "t3", "tags", "authors", "archives")))
    others = {f"{name}.html": page() for name in ("index", "tags", "authors", "archives")}
    write(tmp_path, {"sitemap.xml": listed, **others, **{f"posts/t{n}.html": page() for n in (1, 2, 3)}})
    main(["check", str(tmp_path), "--site-url", SITE])
    assert f"such as posts/t1.html for {SITE}t1" in capsys.readouterr().out
    (tmp_path / "posts/t3.html").unlink()
    assert sorted(checks(tmp_path, capsys)) == ["missing-page"]


def test_where_pages_were_not_built_each_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, {"sitemap.xml": urlset(SITE, *(f"{SITE}{n}" for n in range(20))), "index.html": page()})
    write(tmp_path, {"left.html": page()})
    assert checks(tmp_path, capsys) == ["missing-page"] * 20 + ["unlisted-page"]


def test_a_page_that_this_tool_listed_by_another_url_than_its_files_is_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours = urlset(SITE + "a/", SITE + "b/", SITE + "c/").replace(
        "<urlset", "<!-- Written by smindex-plugins -->\n<urlset"
    )
    site = {"sitemap.xml": ours, "a/index.html": page(), "b/index.html": page(), "pages/c.html": page()}
    write(tmp_path, site)
    assert checks(tmp_path, capsys) == []
    write(tmp_path, {"pages/c.html": page('<meta name="robots" content="noindex">')})
    assert checks(tmp_path, capsys) == ["missing-page"]
    (tmp_path / "pages/c.html").unlink()
    assert checks(tmp_path, capsys) == ["missing-page"]
