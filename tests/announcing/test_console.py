"""An index is submitted to Search Console, and what Google made of it is shown beside the live
files.

It is tried against a server made from Google's description of the API, and not against Google.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from smindex_plugins.announcing import console as search_console_api
from smindex_plugins.base import release
from smindex_plugins.cli.main import main
from tests.support.planted import index, urlset
from tests.support.servers import ACCOUNT, SLOW, Google, Server, search_console, speaking

Console = Callable[..., str]
URL = "https://e.org/i.xml"
UNVERIFIED = "siteUnverifiedUser"


@pytest.fixture
def google(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Google]:
    with search_console() as running:
        monkeypatch.setenv(
            "GOOGLE_APPLICATION_CREDENTIALS", str(running.account(tmp_path / "account.json"))
        )
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        monkeypatch.setattr(search_console_api, "API", f"{running.url}webmasters/v3/sites")
        yield running


@pytest.fixture
def console(google: Google, capsys: pytest.CaptureFixture[str]) -> Console:
    """Run the command, and give what it prints."""
    assert google.requests == []

    def run(*arguments: str, code: int = 0) -> str:
        assert main(["console", *arguments]) == code
        printed = capsys.readouterr()
        return printed.err if code == 2 else printed.out

    return run


def test_an_index_is_submitted_to_the_property_that_holds_it(
    server: Server, google: Google, console: Console
) -> None:
    google.properties = {"https://other.example/": "siteOwner", server.base: "siteFullUser"}
    url = server.base + "sitemap_index.xml"
    assert f"submitted {url} to {server.base}." in console("submit", url)
    assert set(google.sitemaps) == {(server.base, url)}
    place = f"/webmasters/v3/sites/{quote(server.base, safe='')}/sitemaps/{quote(url, safe='')}"
    assert google.requests == [("GET", "/webmasters/v3/sites"), ("PUT", place)]


DOCS = "https://e.org/docs/sitemap_index.xml"


@pytest.mark.parametrize(
    ("url", "properties", "chosen"),
    [
        (
            DOCS,
            ["https://e.org/", "https://e.org/docs/", "https://e.org/docs/b/", "sc-domain:e.org"],
            1,
        ),
        (
            DOCS,
            [
                "http://e.org/",
                "https://www.e.org/",
                "https://e.org/doc",
                "sc-domain:org",
                "sc-domain:e.org",
            ],
            4,
        ),
        ("https://docs.e.org:8443/i.xml", ["https://e.org/", "sc-domain:e.org"], 1),
        ("https://like-e.org/i.xml", ["sc-domain:e.org", "sc-domain:org"], 1),
    ],
)
def test_of_several_properties_the_narrowest_that_holds_the_index_is_taken(
    google: Google, console: Console, url: str, properties: list[str], chosen: int
) -> None:
    google.properties = dict.fromkeys(properties, "siteOwner")
    console("submit", url)
    assert [name for name, _ in google.sitemaps] == [properties[chosen]]


def test_no_property_holds_an_index_is_said_with_those_that_there_are(
    google: Google, console: Console
) -> None:
    google.properties = {
        **dict.fromkeys(["https://a.org/", "sc-domain:"], "siteOwner"),
        "https://e.org/": UNVERIFIED,
    }
    words = (
        f"no Search Console property of {ACCOUNT} contains it. Available properties:"
        " https://a.org/, sc-domain:."
    )
    assert words in console("submit", URL, code=2)
    assert google.sitemaps == {}


@pytest.mark.parametrize("part", ["submit", "status"])
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        *(
            ([URL, "--property", name], f"{URL} is outside the property {name}")
            for name in (
                "https://e.org/docs/",
                "http://e.org/",
                "sc-domain:f.org",
                "sc-domain:docs.e.org",
            )
        ),
        (
            ["https://e.org/"],
            "is a directory; pass the URL of an index, such as https://e.org/sitemap_index.xml",
        ),
        (["sitemap_index.xml"], "is not an absolute http or https URL"),
        ([URL, "--property", "https://e.org/a"], "a URL that ends in a slash"),
    ],
)
def test_what_is_no_index_or_outside_the_property_is_refused_before_anything_is_asked(
    google: Google, console: Console, part: str, arguments: list[str], words: str
) -> None:
    assert words in console(part, *arguments, code=2)
    assert google.requests == []


def known(server: Server, google: Google, **errors: str) -> str:
    """Let Google know an index of two sitemaps, of which one has another number of URLs than the
    live file.
    """
    base = server.base
    url = base + "sitemap_index.xml"
    google.properties = {base: "siteOwner"}
    server.serve("/sitemap_index.xml", index(base + "a.xml", base + "b.xml", base + "new.xml"))
    server.serve("/a.xml", urlset(base, base + "1"))
    server.serve("/b.xml", urlset(base + "2", base + "3", base + "4"))

    def entry(name: str, counts: dict[str, str], **more: object) -> dict[str, object]:
        """Give an entry as Google does: numbers are texts."""
        contents = [{"type": kind, "submitted": count} for kind, count in counts.items()]
        dates = {
            "lastDownloaded": "2026-01-03T04:05:06.789Z",
            "lastSubmitted": "2026-01-02T03:04:05.678Z",
        }
        return {
            "path": base + name,
            **dates,
            "warnings": "0",
            "errors": "0",
            "contents": contents,
            **more,
        }

    google.sitemaps = {
        (base, url): entry(
            "sitemap_index.xml", {"web": "1004", "image": "7"}, isSitemapsIndex=True, **errors
        ),
        (base, base + "a.xml"): entry("a.xml", {"web": "2"}, index=url),
        (base, base + "b.xml"): entry("b.xml", {"WEB": "1002"}, index=url, isPending=True),
        (base, base + "old.xml"): {"path": base + "old.xml", "index": url},
    }
    return url


def test_the_status_has_what_google_knows_beside_the_live_files(
    server: Server, google: Google, console: Console
) -> None:
    url = known(server, google)
    lines = console("status", url).splitlines()
    assert lines[0] == f"{url} in {server.base}"
    assert [" ".join(line.split()) for line in lines[1:]] == [
        "sitemap last read errors / warnings URLs live note",
        "sitemap_index.xml 2026-01-03 04:05 0 / 0 1,004 5 Google read a different number",
        "a.xml 2026-01-03 04:05 0 / 0 2 2",
        "b.xml 2026-01-03 04:05 0 / 0 1,002 3 Google read a different number",
        "old.xml - 0 / 0 - - not in the live index",
        "new.xml never - - - live file: there is no such file",
        "Google reports 0 errors and 0 warnings.",
    ]


def test_errors_that_google_counts_and_an_index_that_it_does_not_know_are_exit_code_1(
    server: Server, google: Google, console: Console
) -> None:
    url = known(server, google, errors="3", warnings="12")
    words = "Google reports 3 errors and 12 warnings. Run `smindex check` to find problems.\n"
    assert words in console("status", url, code=1)
    google.sitemaps.clear()
    assert f"Submit it: smindex console submit {url}\n" in console("status", url, code=1)


@pytest.mark.parametrize(
    ("failure", "words"),
    [
        (None, f"Add {ACCOUNT} as a user of the property"),
        (
            (403, "The API is disabled"),
            f"Google answers with 403: The API is disabled. Add {ACCOUNT} as a user",
        ),
        ((429, "Quota exceeded"), "Google answers with 429: Quota exceeded."),
        ((500, "::error::x"), "Google answers with 500: "),
    ],
)
def test_what_google_refuses_is_exit_code_2_with_its_words(
    google: Google,
    console: Console,
    monkeypatch: pytest.MonkeyPatch,
    failure: tuple[int, str] | None,
    words: str,
) -> None:
    monkeypatch.setattr(time, "sleep", lambda _: None)
    google.failure = failure
    error = console("submit", URL, "--property", "https://e.org/", code=2)
    assert words in error
    assert "\n::" not in error


def test_without_credentials_or_with_those_of_another_account_is_exit_code_2(
    console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = json.loads((tmp_path / "account.json").read_text())
    (tmp_path / "account.json").write_text(
        json.dumps({**account, "client_email": "other@project.iam.example.com"})
    )
    assert "Google rejects these credentials" in console("submit", URL, code=2)
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "nowhere.json"))
    assert "no usable Google credentials: " in console("submit", URL, code=2)


def use_token_server(file: Path, host: str) -> None:
    """Let the credentials name another server for access tokens."""
    account = json.loads(file.read_text())
    file.write_text(json.dumps({**account, "token_uri": f"http://{host}/token"}))


@pytest.mark.parametrize(
    ("flag", "words"),
    [
        ("--timeout", "its response takes longer than 3 seconds"),
        ("--deadline", "the time limit of the run, 3 seconds, is over"),
    ],
)
def test_a_response_of_google_without_an_end_is_cut_by_the_time(
    console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flag: str, words: str
) -> None:
    with speaking(SLOW["trailers"]) as host:
        monkeypatch.setattr(search_console_api, "API", f"http://{host}/webmasters/v3/sites")
        assert f"Google doesn't respond: {words}." in console("submit", URL, flag, "3", code=2)
        use_token_server(tmp_path / "account.json", host)
        assert f"Google doesn't respond: {words}." in console("submit", URL, flag, "3", code=2)


def test_a_response_without_a_token_is_exit_code_2(
    server: Server, console: Console, tmp_path: Path
) -> None:
    use_token_server(tmp_path / "account.json", server.base.split("/")[2])
    for content in (b"<p>Log in", b"[]", b'"a"', b"\xff", b'{"access_token": []}', b"a" * 10**6):
        server.serve("/token", content)
        error = console("submit", URL, code=2)
        assert (
            error == "smindex: Google's response to the request for an access token has no token.\n"
        )


@pytest.mark.parametrize(
    "answer",
    [
        {"siteEntry": [{}]},
        {"siteEntry": 5},
        {"siteEntry": [5]},
        {"error": 5},
        {"error": {"message": [5]}},
    ],
)
def test_an_answer_of_another_structure_has_a_plain_reason(
    google: Google, console: Console, answer: object
) -> None:
    google.failure = (200, answer)  # type: ignore[assignment] # as Google never answers
    error = console("submit", URL, code=2)
    assert error.startswith(
        ("smindex: Google's response isn't structured ", "smindex: Google answers with 200: ")
    )


def test_a_google_that_cannot_be_reached_has_a_plain_reason(
    google: Google, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    google.properties = {"https://e.org/": "siteOwner"}
    monkeypatch.setattr(search_console_api, "API", "http://127.0.0.1:1/webmasters/v3/sites")
    assert (
        console("submit", URL, code=2)
        == "smindex: Google doesn't respond: it refuses connections on port 1.\n"
    )


def test_without_google_auth_the_command_says_what_to_install() -> None:
    program = (
        "import sys; sys.modules['google.auth'] = None; from smindex_plugins.cli.main import main; "
        "sys.exit(main(['console', 'submit', 'https://e.org/i.xml']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert (
        done.stderr
        == f"smindex: `smindex console` needs google-auth: {release.install_command('console')}.\n"
    )
