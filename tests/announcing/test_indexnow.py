"""IndexNow: search engines are told what changed once it is live, and of nothing outside the scope
of the key.
"""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from smindex_plugins.announcing import indexnow as protocol
from smindex_plugins.announcing.indexnow import check_key
from smindex_plugins.cli.main import main
from smindex_plugins.reading.web import Fetcher
from tests.support.planted import index, urlset, write
from tests.support.servers import KEY, Engine, Server, indexnow

LEFT = "changes-left.json"
Announce = Callable[..., str]


@pytest.fixture(autouse=True)
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setenv("INDEXNOW_KEY", KEY)
    with indexnow() as running:
        monkeypatch.setattr(protocol, "ENDPOINT", f"{running.url}indexnow")
        yield running


@pytest.fixture
def announce(capsys: pytest.CaptureFixture[str]) -> Announce:
    """Run the command, and give what it prints."""

    def run(*arguments: str, target: str = "changes.json", code: int = 0) -> str:
        capsys.readouterr()
        assert main(["announce", target, *arguments]) == code
        return "".join(capsys.readouterr())

    return run


def deploy(server: Server, *entries: str, below: str = "") -> None:
    """Serve a site of one sitemap, and its key file."""
    server.serve(f"/{below}sitemap_index.xml", index(f"{server.base}{below}s.xml"))
    server.serve(f"/{below}s.xml", urlset(*entries))
    server.serve(f"/{below}{KEY}.txt", KEY)


def change(server: Server, *entries: str, below: str = "") -> None:
    """Build the next version of the site in `site`, and write what changed since the live one to
    changes.json.
    """
    base = server.base + below
    write(Path("site"), {"sitemap_index.xml": index(base + "s.xml"), "s.xml": urlset(*entries)})
    assert main(["diff", base + "sitemap_index.xml", "site", "-q", "-o", "changes.json"]) == 0


@pytest.fixture
def site(server: Server) -> Server:
    """Serve a site that got the page `new` since its last version."""
    deploy(server, server.base)
    change(server, server.base, server.base + "new")
    deploy(server, server.base, server.base + "new")
    return server


def test_what_came_changed_and_went_is_sent_when_it_is_live(
    server: Server, engine: Engine, announce: Announce
) -> None:
    base = server.base
    old, new = (f"<loc>{base}changed</loc><lastmod>2026-01-0{day}</lastmod>" for day in (1, 2))
    deploy(server, base, base + "gone", old)
    change(server, base, base + "new", new)
    deploy(server, base, base + "new", new)
    assert announce() == f"3 URLs of {base}: 200: accepted\n"
    host = base.removeprefix("http://").rstrip("/")
    listed = [base + path for path in ("changed", "gone", "new")]
    assert engine.posts == [
        {"host": host, "key": KEY, "keyLocation": f"{base}{KEY}.txt", "urlList": listed}
    ]


def test_what_was_not_taken_is_sent_by_a_second_run(
    server: Server, engine: Engine, announce: Announce
) -> None:
    """No post has more URLs than the protocol allows."""
    listed = [server.base, *(f"{server.base}p/{number:05}" for number in range(10_001))]
    deploy(server, server.base)
    change(server, *listed)
    deploy(server, *listed)
    engine.answers = [(200, {}), (429, {"Retry-After": "99999"})]
    error = announce(code=1)
    assert [len(post["urlList"]) for post in engine.posts] == [10_000, 1]
    refusal = "the engine reports too many requests; try again in 99999 seconds"
    assert f"429: {refusal}" in error
    assert f"1 URL not accepted; to send it later: smindex announce {LEFT}\n" in error.replace(
        "them", "it"
    )
    announce(target=LEFT)
    assert sorted(engine.taken) == listed[1:]


def test_a_dry_run_shows_what_would_be_announced_and_sends_nothing(
    site: Server, engine: Engine, announce: Announce, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before it is live, and without a key."""
    monkeypatch.delenv("INDEXNOW_KEY")
    deploy(site, site.base)
    requests = len(site.requests)
    assert announce("--dry-run") == f"would be announced: {site.base}new\n"
    assert (engine.posts, len(site.requests)) == ([], requests)
    assert "no key is set" in announce(code=2)


def test_an_engine_that_wants_to_be_asked_later_is_asked_later(
    site: Server, engine: Engine, announce: Announce
) -> None:
    engine.answers = [(429, {"Retry-After": "0"}), (429, {"Retry-After": "1"})]
    announce()
    assert len(engine.posts) == 3
    assert engine.taken == [site.base + "new"]


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (202, "202: accepted; the engine has not checked the key file yet"),
        (400, "400: the engine reports an invalid format"),
        (403, "403: the engine did not find the key in the key file"),
        (
            422,
            "422: the engine reports that a URL is on another host, or that the key doesn't match",
        ),
        (500, "the engine answers with 500, which the protocol doesn't define"),
        (0, "no response: the server closes the connection without a response"),
    ],
)
def test_each_answer_has_its_words_and_a_refusal_exit_code_1(
    site: Server, engine: Engine, announce: Announce, status: int, words: str
) -> None:
    engine.answers = [(status, {})] * 2
    assert words in announce(code=0 if status == 202 else 1)
    left = json.loads(Path(LEFT).read_text())["added"] if status != 202 else engine.taken
    assert left == [site.base + "new"]


def test_a_deployment_that_comes_late_is_waited_for(
    server: Server, engine: Engine, announce: Announce
) -> None:
    """Its index first: that says nothing of the pages, for it has no dates."""
    deploy(server, server.base)
    change(server, server.base, server.base + "new")
    server.requests.clear()

    def come(_: str) -> None:
        assert not engine.posts or server.paths[-1] == f"/{KEY}.txt"
        if server.paths.count("/s.xml") == 3:
            deploy(server, server.base, server.base + "new")

    server.before = come
    announce("--wait", "30")
    assert server.paths.count("/s.xml") == 3
    assert server.paths.count("/sitemap_index.xml") == 1, "what is live is not asked for again"
    assert engine.taken == [server.base + "new"]


def test_nothing_is_sent_before_the_new_version_and_the_key_are_live(
    site: Server, engine: Engine, announce: Announce
) -> None:
    key_file = f"{site.base}{KEY}.txt: the key file is missing"
    for status, words in (
        (404, "the server answers with 404"),
        (200, "it doesn't contain the key"),
    ):
        site.serve(f"/{KEY}.txt", "other", status)
        put = f"Put {KEY}.txt, with the key in it, next to the index"
        assert f"{key_file} ({words}). {put}" in announce(code=2)
    deploy(site, site.base)
    error = announce("--wait", "0", code=2)
    assert (
        f"{site.base}s.xml: the live file is not the new one yet. Nothing was sent. Deploy" in error
    )
    assert "Deploy the new version, or wait for it with --wait 600" in error
    site.serve("/s.xml", b"", 503, Retry_After="86400")
    assert "it is not live (the server answers with 503), after 0.1 seconds" in announce(
        "--wait", "0.1", code=2
    )
    assert engine.posts == []


@pytest.mark.parametrize("content", [f"{KEY}\n", f"\ufeff{KEY}\r\n"])
def test_a_key_file_is_found_as_editors_save_it(server: Server, content: str) -> None:
    server.serve(f"/{KEY}.txt", content)
    check_key(KEY, f"{server.base}{KEY}.txt", Fetcher())


def test_a_key_file_beside_the_index_counts_for_what_is_below_it(
    server: Server, engine: Engine, announce: Announce
) -> None:
    """Pages outside its directory are not announced, and named."""
    docs, other = f"{server.base}docs/", server.base.replace("127.0.0.1", "localhost")
    listed = (docs, docs + "new", other + "new", other + "more")
    deploy(server, docs, other + "old", below="docs/")
    change(server, *listed, below="docs/")
    deploy(server, *listed, below="docs/")
    assert f"not announced: {other}more and 2 more URLs, outside {docs}, where" in announce()
    assert f"/{KEY}.txt" not in server.paths, "the host that only sitemaps name is not asked"
    assert engine.posts[0]["keyLocation"] == f"{docs}{KEY}.txt"
    assert engine.taken == [docs + "new"]


def test_the_first_announcement_of_a_site_is_refused_unless_it_is_asked_for(
    site: Server, engine: Engine, announce: Announce
) -> None:
    write(Path("empty"), {"sitemap_index.xml": index()})
    assert main(["diff", "empty", "site", "-q", "-o", "changes.json"]) == 0
    refusal = (
        "this would announce all 2 pages, because none was listed before. Use IndexNow only for"
        " pages"
    )
    for target in ("changes.json", "site", "site/sitemap_index.xml", site.base):
        assert refusal in announce(target=target, code=2)
        assert engine.posts == []
        announce("--all", target=target)
        assert engine.posts.pop()["urlList"] == [site.base, site.base + "new"]
    engine.answers = [(500, {})]
    (command,) = re.findall(r"smindex announce (.+)\n", announce("--all", target=site.base, code=1))
    assert command == f"{LEFT} --all"
    announce("--all", target=LEFT)
    assert engine.posts.pop()["urlList"] == [site.base, site.base + "new"]


def test_a_page_that_only_lost_its_date_is_not_announced(
    server: Server, announce: Announce
) -> None:
    deploy(server, f"<loc>{server.base}</loc><lastmod>2026-01-01</lastmod>")
    change(server, server.base)
    assert (
        announce()
        == "not announced: 1 page with only the date removed\nno page was added, changed or"
        " removed; nothing to announce\n"
    )


def test_the_key_is_that_of_the_flag_or_of_the_environment_and_has_its_form(
    site: Server, engine: Engine, announce: Announce, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.serve("/another-key.txt", "another-key")
    announce("--key", "another-key")
    assert engine.posts.pop()["key"] == "another-key"
    accepted = "accepted: a key of 8 to 128 letters, digits and hyphens"
    assert f"got 'short'; {accepted}" in announce("--key", "short", code=2)
    monkeypatch.setenv("INDEXNOW_KEY", "not a key")
    assert re.search(f"INDEXNOW_KEY.*got 'not a key'; {accepted}", announce(code=2))
    monkeypatch.delenv("INDEXNOW_KEY")
    assert "no key is set. Pass --key or set INDEXNOW_KEY" in announce(code=2)


def test_a_new_key_is_one_that_nobody_has(capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        assert main(["announce", "--new-key"]) == 0
    first, second = capsys.readouterr().out.split()
    assert first != second
    assert re.fullmatch("[0-9a-f]{32}", first)
