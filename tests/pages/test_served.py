"""Pages at the URLs at which their host shows them, and canonical links that remove pages."""

import re
from pathlib import Path

import pytest

from smindex_plugins.base.model import Finding
from smindex_plugins.checks.checking import check
from smindex_plugins.cli.main import main
from tests.support.command import SITE
from tests.support.planted import urlset, write

GITHUB = {"CNAME": "e.org\n"}
DOCUSAURUS = '<meta name="generator" content="Docusaurus v3.9.2">'


@pytest.fixture(autouse=True)
def elsewhere(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run each build in an empty directory, in which it saves its record."""
    monkeypatch.chdir(tmp_path_factory.mktemp("project"))


def page(canonical: str | None = None, head: str = "") -> str:
    """Return a page that names a path of the site as its canonical URL."""
    link = "" if canonical is None else f'<link rel="canonical" href="{SITE}{canonical}">'
    return f"<!doctype html><title>A</title>{head}{link}<p>Text"


def built(root: Path, files: dict[str, str], *options: str, code: int = 0) -> list[str]:
    """Build the sitemaps of a site, and return the paths that they list."""
    write(root, files)
    assert main(["build", str(root), "--site-url", SITE, *options]) == code
    text = "".join(path.read_text() for path in sorted(root.rglob("sitemap-*.xml")))
    return sorted(re.findall(rf"<loc>{SITE}(.*)</loc>", text))


def found(root: Path, *kinds: str) -> list[Finding]:
    """Return what a check finds of some kinds, or everything."""
    return [each for each in check(str(root), site_url=SITE) if not kinds or each.check in kinds]


# The ends of URLs


def test_a_url_that_the_host_redirects_is_listed_at_the_url_that_it_shows(tmp_path: Path) -> None:
    sitemap = urlset(SITE, f"{SITE}a", f"{SITE}b")
    files = {
        "index.html": page(),
        "a/index.html": page(),
        "b.html": page(),
        "sitemap.xml": sitemap,
        **GITHUB,
    }
    assert built(tmp_path, files) == ["", "a/", "b"]


def test_a_canonical_link_counts_more_and_one_finding_names_the_option(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = {f"{name}/index.html": page(name, DOCUSAURUS) for name in "abc"}
    files = {
        "index.html": page(""),
        **pages,
        "sitemap.xml": urlset(*(SITE + name for name in "abc")),
        **GITHUB,
    }
    assert built(tmp_path, files) == ["", "a", "b", "c"]
    problem = f"GitHub Pages (CNAME) redirects 3 listed URLs, such as {SITE}a to {SITE}a/."
    assert problem in capsys.readouterr().out
    (finding,) = found(tmp_path)
    assert (finding.problem, finding.fix) == (
        problem,
        "Set `trailingSlash: true` in docusaurus.config.js.",
    )


@pytest.mark.parametrize(
    ("host", "path", "listed", "finding"),
    [
        ({"wrangler.toml": "[assets]\n"}, "a.html", "a", "removes the suffix"),
        ({"vercel.json": '{"trailingSlash": false}'}, "a/index.html", "a", "removes the slash"),
        (
            {"vercel.json": '{"cleanUrls": true, "trailingSlash": true}'},
            "a.html",
            "a/",
            "has another form",
        ),
        ({"netlify.toml": ""}, "a.html", "a.html", ""),
    ],
)
def test_each_way_in_which_a_host_changes_urls_is_known(
    tmp_path: Path, host: dict[str, str], path: str, listed: str, finding: str
) -> None:
    files = {"index.html": page(), path: page(), **host}
    assert built(tmp_path, files) == ["", listed]
    own = path.removesuffix("index.html")
    write(tmp_path, {"sitemap_index.xml": urlset(SITE, SITE + own)})
    problems = [each.problem for each in found(tmp_path, "host-redirects")]
    assert [f"redirects {SITE}{own} to {SITE}{listed}." in problem for problem in problems] == [
        True
    ] * bool(finding)


def test_a_page_is_listed_where_the_host_has_it(tmp_path: Path) -> None:
    """Without `cleanUrls`, Vercel shows `a.html` only at its own name."""
    files = {
        "index.html": page(),
        "a.html": page(),
        "sitemap.xml": urlset(SITE, f"{SITE}a"),
        "vercel.json": "{}",
    }
    assert built(tmp_path, files) == ["", "a.html"]
    write(tmp_path, {"sitemap_index.xml": urlset(SITE, f"{SITE}a")})
    problem = f"Vercel (vercel.json) returns an error for {SITE}a, although the page has a file."
    assert [each.problem for each in found(tmp_path, "host-redirects")] == [problem]


@pytest.mark.parametrize(
    ("host", "text"),
    [
        ({}, "whether the host redirects {}, because nothing shows which host serves the site"),
        ({"netlify.toml": "", "vercel.json": "{}"}, "whether Netlify or Vercel redirects {}"),
    ],
)
def test_if_nothing_shows_the_host_the_summary_says_so_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], host: dict[str, str], text: str
) -> None:
    pages = {f"{name}/index.html": page(name) for name in "ab"}
    assert built(tmp_path, {"index.html": page(""), **pages, **host}) == ["", "a", "b"]
    text = text.format("2 URLs without a slash or suffix")
    assert f"; not checked: {text}; " in capsys.readouterr().out
    assert main(["check", str(tmp_path)]) == 0
    assert f"not checked: robots.txt (there is none); {text}\n" in capsys.readouterr().out


def test_urls_with_a_slash_need_no_host(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert built(
        tmp_path, {"index.html": page(""), "a/index.html": page("a/"), "b.html": page()}
    ) == [
        "",
        "a/",
        "b.html",
    ]
    assert "not checked" not in capsys.readouterr().out


def test_the_users_word_about_the_server_counts_more_than_its_host(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"index.html": page(), "a.html": page(), "vercel.json": "{}"}
    assert built(tmp_path, files, "--clean-urls") == ["", "a"]
    assert "host-redirects" not in capsys.readouterr().out


def test_the_canonical_link_of_a_home_page_may_lack_its_slash(tmp_path: Path) -> None:
    write(tmp_path, {"index.html": page("p"), "a/index.html": page()})
    assert main(["build", str(tmp_path), "--site-url", f"{SITE}p/"]) == 0
    assert f"<loc>{SITE}p/</loc>" in (tmp_path / "sitemap-root.xml").read_text()


# Canonical links


@pytest.mark.parametrize("canonical", ["a/index/", "a/index", "index/", "missing/", "b/"])
def test_the_file_of_a_page_proves_nothing_about_another_url(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], canonical: str
) -> None:
    """Most hosts show `b.html` at `/b`, but not at `/b/`."""
    files = {"index.html": page(), "a/index.html": page(canonical), "b.html": page(canonical)}
    assert built(tmp_path, files) == [""]
    assert (
        f"its canonical URL is {SITE}{canonical}, which is not a page." in capsys.readouterr().out
    )


def test_a_home_page_with_a_missing_canonical_url_is_one_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert built(tmp_path, {"index.html": page("index/"), "a/index.html": page()}) == ["a/"]
    out = capsys.readouterr().out
    assert ("canonical-missing" in out, "home-canonical" in out) == (True, False)


def test_a_canonical_url_that_a_rule_redirects_is_no_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        "index.html": page(),
        "a/index.html": page("old/"),
        "old/index.html": page(),
        "_redirects": "/old/ /\n",
    }
    assert built(tmp_path, files) == [""]
    assert (
        f"its canonical URL is {SITE}old/, which redirects to {SITE} (_redirects, line 1)."
        in capsys.readouterr().out
    )


NAMES = {"shared-canonical", "home-canonical"}


def removed_by_canonicals(
    root: Path, capsys: pytest.CaptureFixture[str], pages: dict[str, str]
) -> list[str]:
    """Build pages with their canonical URLs, and return the findings, which a check has too."""
    built(root, {f"{path}index.html": page(canonical) for path, canonical in pages.items()})
    out = capsys.readouterr().out
    problems = [each.problem for each in found(root, *NAMES)]
    assert [problem in out for problem in problems] == [True] * len(problems)
    assert [name in out for name in sorted(NAMES)] == [
        bool(found(root, name)) for name in sorted(NAMES)
    ]
    return problems


def test_a_theme_that_names_the_home_page_everywhere_is_one_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    problems = removed_by_canonicals(tmp_path, capsys, {"": "", "a/": "", "b/": "", "c/": ""})
    assert problems == [
        (
            f"{SITE}a/ and 2 other pages name the home page as canonical, so search engines show only"
            " that page."
        )
    ]


def test_one_page_that_names_the_home_page_is_a_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    problems = removed_by_canonicals(tmp_path, capsys, {"": "", "a/": "", "b/": "b/"})
    assert problems == [
        f"{SITE}a/ names the home page as canonical, so search engines show only that page."
    ]


def test_several_pages_that_name_another_page_are_one_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    problems = removed_by_canonicals(tmp_path, capsys, {"": "", "a/": "c/", "b/": "c/", "c/": "c/"})
    assert problems == [
        (
            f"{SITE}a/ and 1 other page name {SITE}c/ as canonical, so search engines show only that"
            " page."
        )
    ]


def test_a_home_page_that_names_another_page_is_a_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    problems = removed_by_canonicals(tmp_path, capsys, {"": "a/", "a/": "a/"})
    assert problems == [
        f"its canonical URL is {SITE}a/, so search engines don't show the home page."
    ]


@pytest.mark.parametrize(
    "pages",
    [
        {"": "", "a/": "a/", "b/": "a/"},
        {"": "", "x/": "x/", "1.0/": "", "1.0/x/": "x/", "1.1/": "", "1.1/x/": "x/"},
        {
            "": "",
            "new/": "new/",
            "new/x/": "new/x/",
            "1/": "new/",
            "1/x/": "new/x/",
            "2/": "new/",
            "2/x/": "new/x/",
        },
        {"": "", "blog/": "blog/", "blog/page/2/": "blog/", "blog/page/3/": "blog/"},
        {"": "", "en/a/": "a/", "de/a/": "a/", "a/": "a/"},
        {
            "": "",
            "blog/": "blog/",
            "blog/2/": "blog/",
            "blog/3/": "blog/",
            "page-2/": "",
            "index3/": "",
        },
        {"": "", "tag/a/": "tag/a/", "tag/a2/": "tag/a/", "tag/a3/": "tag/a/"},
        {"": "", "a/": "a/", "a/amp/": "a/", "a/print/": "a/", "_print/": "", "home/": ""},
    ],
)
def test_copies_may_name_their_originals(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], pages: dict[str, str]
) -> None:
    assert removed_by_canonicals(tmp_path, capsys, pages) == []
