"""URLs that must be listed: where they may be written, what is there instead, and that nothing
hides them.
"""

import json
from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from tests.support.command import PAGE, SITE, findings, refused
from tests.support.planted import index, urlset, write
from tests.support.servers import Server

DOCS = f"{SITE}docs/"
NOINDEX = '<!doctype html><title>A</title><meta name="robots" content="noindex"><body>Text</body>'


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Write a site below a directory of its host, of which some pages are listed."""
    files: dict[str, str | bytes] = {
        f"{name}.html": PAGE for name in ("index", "a/index", "new", "b")
    }
    files |= {
        "hidden.html": NOINDEX,
        "terms.pdf": b"%PDF",
        "_redirects": "/docs/old /docs/a/\n/docs/gone 410\n",
    }
    listed = urlset(DOCS, f"{DOCS}a/", f"{DOCS}b.html")
    return write(tmp_path, {"sitemap_index.xml": index(f"{DOCS}s.xml"), "s.xml": listed, **files})


def missing(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, str]:
    """Check, and give what is there instead of required URLs, each by where it is required."""
    found = [each for each in findings(capsys, *arguments) if each["check"] == "required-url"]
    return {each["url"]: each["problem"].partition("lists it: ")[2] for each in found}


@pytest.mark.parametrize(
    "given",
    [
        DOCS,
        f"{DOCS}a/",
        "a/",
        "/a/",
        "/docs/a/",
        "b.html",
        "./b.html",
        "/",
        "HTTPS://E.org:443/docs/%61/",
        f"{DOCS}a/#top",
    ],
)
def test_a_url_or_a_path_below_the_address_is_found(
    site: Path, capsys: pytest.CaptureFixture[str], given: str
) -> None:
    assert missing(capsys, str(site), "--site-url", DOCS, "--require", given) == {}


@pytest.mark.parametrize(
    ("given", "instead"),
    [
        ("imprint/", "there is no file for it."),
        ("hidden.html", "its page, hidden.html, is omitted (marked noindex)."),
        ("new.html", "its page, new.html, exists."),
        ("terms.pdf", "terms.pdf exists, but is not an HTML page."),
        ("old", f"it redirects to {DOCS}a/ (_redirects, line 1)."),
        ("gone", "the host returns status 410 for it (_redirects, line 2)."),
        ("a", f"instead, {DOCS}a/ is listed."),
        ("A/index.html", f"instead, {DOCS}a/ is listed."),
        ("http://www.e.org/docs/b", f"instead, {DOCS}b.html is listed."),
        ("https://f.org/a/", f"it is outside the site's address, {DOCS}."),
        ("a/?page=2", "its page, a/index.html, exists."),
    ],
)
def test_a_url_that_is_not_listed_is_an_error_with_what_is_there_instead(
    site: Path, capsys: pytest.CaptureFixture[str], given: str, instead: str
) -> None:
    arguments = (str(site), "--site-url", DOCS, "--require", given)
    assert [*missing(capsys, *arguments).values()] == [instead]
    assert main(["check", *arguments, "-q"]) == 1


def test_a_file_has_one_url_a_line_with_comments(
    site: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(site.parent)
    text = f"\ufeff# Needed by law\n\n  {DOCS}  \r\nimprint/ # and a comment\n   # privacy/\na/\n"
    write(site.parent, {"required.txt": text})
    (found,) = [
        each
        for each in findings(
            capsys, str(site), "--site-url", DOCS, "--require", "@required.txt", code=1
        )
        if each["check"] == "required-url"
    ]
    assert (found["where"], found["level"], found["file"]) == (
        "required.txt, line 4",
        "error",
        "required.txt",
    )
    assert found["problem"].startswith(f"requires {DOCS}imprint/, but no sitemap lists it")


def test_neither_a_selection_nor_a_level_hides_a_required_url(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = (
        str(site),
        "--site-url",
        DOCS,
        "--require",
        "x",
        "--require",
        "a/",
        "--require",
        "y",
    )
    assert [*missing(capsys, *arguments, "--only", "twin-url")] == [f"{DOCS}x", f"{DOCS}y"]
    assert main(["check", *arguments, "--only", "twin-url", "--fail-on", "undated"]) == 1
    printed = capsys.readouterr().out
    assert "3 required URLs\n" in printed
    assert "all checks except required-url, twin-url (--only)" in printed
    main(["check", *arguments, "--format", "json"])
    assert json.loads(capsys.readouterr().out)["summary"]["required"] == 3
    (why,) = refused(capsys, "check", *arguments, "--ignore", "required-url")
    assert why == "--ignore required-url: required URLs can't be ignored. Remove --require."
    (why,) = refused(capsys, "check", str(site), "--only", "required-url")
    assert "this check requires a directory, a file, or a live site, with --require" in why


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("@none.txt", "none.txt: No such file or directory"),
        ("@empty.txt", "empty.txt: it contains no URL"),
        ("@latin.txt", "latin.txt, line 1: it is not UTF-8"),
        ("@wrong.txt", "wrong.txt, line 2: 'ftp://e.org/' is neither a URL nor a path"),
        ("mailto:me@e.org", "is neither a URL nor a path"),
        ("", "it is empty"),
    ],
)
def test_what_requires_nothing_is_refused(
    site: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    given: str,
    why: str,
) -> None:
    monkeypatch.chdir(site)
    write(
        site,
        {"empty.txt": "# nothing\n", "latin.txt": b"gr\xf6\xdfe", "wrong.txt": "a/\nftp://e.org/"},
    )
    assert why in refused(capsys, "check", ".", "--site-url", DOCS, "--require", given)[0]


def test_a_single_file_and_the_sitemaps_that_it_lists_are_asked(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("s.xml", "sitemap_index.xml"):
        wanted = ("--site-url", DOCS, "--require", "a/", "--require", "c/")
        assert missing(capsys, str(site / name), *wanted) == {
            f"{DOCS}c/": "there is no file for it."
        }


def test_what_cannot_be_read_is_said(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(site, {"sitemap_index.xml": index(f"{DOCS}s.xml", f"{DOCS}lost.xml")})
    found = findings(capsys, str(site), "--site-url", DOCS, "--require", "c/", code=1)
    assert any("but no sitemap that could be read lists it" in each["problem"] for each in found)


def test_the_record_of_a_build_says_why_a_required_page_is_omitted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    config = f"site_url: {SITE}\nplugins:\n  - sitemap-index: {{exclude: [imprint/]}}\n"
    pages = {f"site/{name}index.html": PAGE for name in ("", "imprint/")}
    write(
        tmp_path,
        {".git/a": "", "mkdocs.yml": config, "docs/index.md": "A", "docs/imprint.md": "B", **pages},
    )
    monkeypatch.chdir(tmp_path)
    assert main(["build", "-q"]) == 0
    instead = missing(capsys, "--require", "imprint/")
    assert instead == {
        f"{SITE}imprint/": "its page, imprint/index.html, is omitted (excluded by `imprint/`)."
    }


def test_the_server_of_a_live_site_is_asked_what_it_has_instead(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    html = {"Content-Type": "text/html"}
    server.serve("/sitemap.xml", urlset(f"{server.base}a"))
    server.serve(
        "/robots.txt", f"User-agent: *\nDisallow: /private\nSitemap: {server.base}sitemap.xml\n"
    )
    server.routes |= {"/hidden": (200, html, NOINDEX.encode()), "/new": (200, html, PAGE.encode())}
    server.page("/a")
    server.routes["/moved"] = (301, {"Location": "/a"}, b"")
    wanted = ("a", "/a/", "hidden", "new", "moved", "gone", "private", "https://f.org/")
    options = [option for each in wanted for option in ("--require", each)]
    instead = missing(capsys, server.base, *options)
    assert {url.removeprefix(server.base): what for url, what in instead.items()} == {
        "a/": f"instead, {server.base}a is listed.",
        "hidden": "its page is marked noindex.",
        "new": "the server has its page.",
        "moved": f"it redirects to {server.base}a.",
        "gone": "the server answers with 404.",
        "private": "robots.txt forbids it.",
        "https://f.org/": f"it is outside the site's address, {server.base}.",
    }
    assert missing(capsys, f"{server.base}sitemap.xml", "--require", "a") == {}
