"""An index is submitted to Search Console, and what Google made of it is shown beside the live files.

It is tried against a server made from Google's description of the API, and not against Google.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from smindex_plugins.announcing import console as search_console_api
from smindex_plugins.announcing import covers
from smindex_plugins.cli.main import main
from tests.support.planted import index, urlset
from tests.support.servers import ACCOUNT, Google, Server, search_console


@pytest.fixture
def google(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Google]:
    with search_console() as running:
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(running.account(tmp_path / "account.json")))
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        monkeypatch.setattr(search_console_api, "API", f"{running.url}webmasters/v3/sites")
        yield running


def console(*arguments: str) -> int:
    return main(["console", *arguments])


def test_an_index_is_submitted_to_the_property_that_holds_it(
    server: Server, google: Google, capsys: pytest.CaptureFixture[str]
) -> None:
    google.properties = {"https://other.example/": "siteOwner", server.base: "siteFullUser"}
    url = server.base + "sitemap_index.xml"
    assert console("submit", url) == 0
    assert f"submitted {url} to {server.base}." in capsys.readouterr().out
    assert set(google.sitemaps) == {(server.base, url)}
    place = f"/webmasters/v3/sites/{quote(server.base, safe='')}/sitemaps/{quote(url, safe='')}"
    assert google.requests == [("GET", "/webmasters/v3/sites"), ("PUT", place)]


@pytest.mark.parametrize(
    ("properties", "chosen"),
    [
        (["https://e.org/", "https://e.org/docs/", "sc-domain:e.org"], "https://e.org/docs/"),
        (["http://e.org/", "sc-domain:org", "sc-domain:e.org"], "sc-domain:e.org"),
        (["https://www.e.org/", "https://e.org/doc", "sc-domain:e.org"], "sc-domain:e.org"),
    ],
)
def test_of_several_properties_the_narrowest_that_holds_the_index_is_taken(
    google: Google, properties: list[str], chosen: str
) -> None:
    google.properties = dict.fromkeys(properties, "siteOwner")
    google.properties["https://e.org/docs/deeper/"] = "siteOwner"
    assert console("submit", "https://e.org/docs/sitemap_index.xml") == 0
    assert [name for name, _ in google.sitemaps] == [chosen]


def test_no_property_holds_an_index_is_said_with_those_that_there_are(
    google: Google, capsys: pytest.CaptureFixture[str]
) -> None:
    google.properties = {"https://a.org/": "siteOwner", "https://e.org/": "siteUnverifiedUser"}
    assert console("submit", "https://e.org/i.xml") == 2
    words = f"https://e.org/i.xml: no property of {ACCOUNT} in Search Console holds it. There are: https://a.org/."
    assert words in capsys.readouterr().err
    assert google.sitemaps == {}


@pytest.mark.parametrize("name", ["https://e.org/docs/", "http://e.org/", "sc-domain:f.org", "sc-domain:docs.e.org"])
def test_an_index_outside_a_given_property_is_refused_before_anything_is_asked(
    google: Google, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    for part in ("submit", "status"):
        assert console(part, "https://e.org/i.xml", "--property", name) == 2
        assert f"https://e.org/i.xml is outside the property {name}" in capsys.readouterr().err
    assert google.requests == []


def test_a_domain_holds_what_is_below_it_and_no_other_that_ends_so() -> None:
    assert covers("sc-domain:e.org", "https://docs.e.org:8443/i.xml")
    assert covers("sc-domain:e.org", "http://e.org/i.xml")
    assert not covers("sc-domain:e.org", "https://like-e.org/i.xml")
    assert not covers("sc-domain:", "https://e.org/i.xml")
    assert not covers("", "https://e.org/i.xml")


def known(server: Server, google: Google, **errors: str) -> str:
    """Let Google know an index of two sitemaps, of which one has another number of URLs than the live file."""
    base = server.base
    url = base + "sitemap_index.xml"
    google.properties = {base: "siteOwner"}
    server.serve("/sitemap_index.xml", index(base + "a.xml", base + "b.xml", base + "new.xml"))
    server.serve("/a.xml", urlset(base, base + "1"))
    server.serve("/b.xml", urlset(base + "2", base + "3", base + "4"))
    dates = {"lastDownloaded": "2026-01-03T04:05:06.789Z", "type": "sitemap", "warnings": "0", "errors": "0"}
    google.sitemaps = {
        (base, url): {
            **dates,
            "path": url,
            "lastSubmitted": "2026-01-02T03:04:05.678Z",
            "isPending": False,
            "isSitemapsIndex": True,
            "contents": [{"type": "web", "submitted": "1004", "indexed": "0"}, {"type": "image", "submitted": "7"}],
            **errors,
        },
        (base, base + "a.xml"): {
            **dates,
            "path": base + "a.xml",
            "index": url,
            "contents": [{"type": "web", "submitted": "2"}],
        },
        (base, base + "b.xml"): {
            **dates,
            "path": base + "b.xml",
            "index": url,
            "isPending": True,
            "contents": [{"type": "WEB", "submitted": "1002"}],
        },
        (base, base + "old.xml"): {"path": base + "old.xml", "index": url},
    }
    return url


def test_the_status_has_what_google_knows_beside_the_live_files(
    server: Server, google: Google, capsys: pytest.CaptureFixture[str]
) -> None:
    url = known(server, google)
    assert console("status", url) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{url} in {server.base}"
    assert [" ".join(line.split()) for line in lines[1:]] == [
        "sitemap last read errors / warnings URLs live note",
        "sitemap_index.xml 2026-01-03 04:05 0 / 0 1,004 5 Google read another number",
        "a.xml 2026-01-03 04:05 0 / 0 2 2",
        "b.xml 2026-01-03 04:05 0 / 0 1,002 3 Google read another number",
        "old.xml - 0 / 0 - - not in the live index",
        "new.xml never - - - live file: there is no such file",
        "Google counts 0 errors and 0 warnings.",
    ]


def test_errors_that_google_counts_are_exit_code_1(
    server: Server, google: Google, capsys: pytest.CaptureFixture[str]
) -> None:
    url = known(server, google, errors="3", warnings="12")
    assert console("status", url) == 1
    assert (
        "Google counts 3 errors and 12 warnings. `smindex check` shows what it finds wrong.\n"
        in capsys.readouterr().out
    )


def test_an_index_that_google_does_not_know_is_exit_code_1_and_said(
    server: Server, google: Google, capsys: pytest.CaptureFixture[str]
) -> None:
    url = known(server, google)
    google.sitemaps.clear()
    assert console("status", url) == 1
    assert f"Submit it: smindex console submit {url}\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("failure", "words"),
    [
        ((403, "The API is disabled"), f"Google answers with 403: The API is disabled. Add {ACCOUNT} as a user"),
        ((429, "Quota exceeded"), "Google answers with 429: Quota exceeded."),
        ((500, "::error::x"), "Google answers with 500: "),
    ],
)
def test_what_google_refuses_is_exit_code_2_with_its_words(
    google: Google, capsys: pytest.CaptureFixture[str], failure: tuple[int, str], words: str
) -> None:
    google.failure = failure
    assert console("submit", "https://e.org/i.xml", "--property", "https://e.org/") == 2
    error = capsys.readouterr().err
    assert words in error
    assert "\n::" not in error


@pytest.mark.usefixtures("google")
def test_an_account_that_is_no_user_of_the_property_is_told_how_to_become_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert console("submit", "https://e.org/i.xml", "--property", "https://e.org/") == 2
    assert f"Add {ACCOUNT} as a user of the property" in capsys.readouterr().err


@pytest.mark.usefixtures("google")
def test_a_token_that_is_not_given_is_exit_code_2(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = json.loads((tmp_path / "account.json").read_text())
    (tmp_path / "account.json").write_text(json.dumps({**account, "client_email": "other@project.iam.example.com"}))
    assert console("submit", "https://e.org/i.xml") == 2
    assert "Google gives no access to these credentials" in capsys.readouterr().err
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "nowhere.json"))
    assert console("submit", "https://e.org/i.xml") == 2
    assert "there are no credentials of Google" in capsys.readouterr().err


@pytest.mark.usefixtures("google")
def test_what_is_no_index_or_property_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, words in (
        (["https://e.org/"], "is a directory; name the index itself, such as https://e.org/sitemap_index.xml"),
        (["sitemap_index.xml"], "is not an absolute http or https URL"),
        (["https://e.org/i.xml", "--property", "https://e.org/a"], "a URL that ends in a slash"),
    ):
        assert console("submit", *arguments) == 2
        assert words in capsys.readouterr().err


def test_without_google_auth_the_command_says_what_to_install() -> None:
    program = (
        "import sys; sys.modules['google.auth'] = None; from smindex_plugins.cli.main import main; "
        "sys.exit(main(['console', 'submit', 'https://e.org/i.xml']))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "smindex: `smindex console` needs google-auth: pip install 'smindex-plugins[console]'.\n"
