"""Search engines are told what changed when it is live, once, and of nothing that the key does not count for."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from smindex_plugins.announcing import check_key
from smindex_plugins.announcing import indexnow as protocol
from smindex_plugins.cli.main import main
from smindex_plugins.web import Fetcher
from tests.support.indexnow import KEY, Engine, indexnow
from tests.support.planted import index, urlset, write
from tests.support.server import Server


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    monkeypatch.setenv("INDEXNOW_KEY", KEY)
    with indexnow() as running:
        monkeypatch.setattr(protocol, "ENDPOINT", f"{running.url}indexnow")
        yield running


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.delenv("INDEXNOW_KEY", raising=False)


def files(base: str, *entries: str) -> dict[str, str | bytes]:
    return {"sitemap_index.xml": index(base + "s.xml"), "s.xml": urlset(*entries)}


def deploy(server: Server, written: dict[str, str | bytes], below: str = "/") -> None:
    for path, content in written.items():
        server.serve(below + path, content)


def changes(server: Server, before: list[str], after: list[str], *, below: str = "") -> dict[str, str | bytes]:
    """Write what changes between two versions to changes.json, with the first of them live."""
    base = server.base + below
    deploy(server, files(base, *(base + path for path in before)), f"/{below}")
    new = files(base, *(base + path for path in after))
    write(Path("site"), new)
    assert main(["diff", base + "sitemap_index.xml", "site", "-q", "-o", "changes.json"]) == 0
    return new


def announce(*arguments: str, target: str = "changes.json") -> int:
    return main(["announce", target, *arguments])


def test_what_came_changed_and_went_is_sent_when_it_is_live(
    server: Server, engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    dated = "<loc>{}changed</loc><lastmod>{}</lastmod>"
    deploy(server, files(server.base, server.base, server.base + "gone", dated.format(server.base, "2026-01-01")))
    new = files(server.base, server.base, server.base + "new", dated.format(server.base, "2026-01-02"))
    write(Path("site"), new)
    assert main(["diff", server.base, "site", "-o", "changes.json"]) == 0
    server.serve(f"/{KEY}.txt", KEY)
    deploy(server, new)
    capsys.readouterr()
    assert announce() == 0
    host = server.base.removeprefix("http://").rstrip("/")
    assert capsys.readouterr().out == f"3 URLs of {server.base}: 200: taken\n"
    assert engine.posts == [
        {
            "host": host,
            "key": KEY,
            "keyLocation": f"{server.base}{KEY}.txt",
            "urlList": [server.base + path for path in ("changed", "gone", "new")],
        }
    ]


def test_no_post_has_more_urls_than_the_protocol_allows(server: Server, engine: Engine) -> None:
    deploy(server, changes(server, [""], ["", *(f"p/{number:05}" for number in range(10_001))]))
    server.serve(f"/{KEY}.txt", KEY + "\n")
    engine.answers = [(200, {}), (202, {})]
    assert announce() == 0
    assert [len(post["urlList"]) for post in engine.posts] == [10_000, 1]
    assert len(set(engine.taken)) == 10_001


def test_an_engine_that_wants_to_be_asked_later_is_asked_later(server: Server, engine: Engine) -> None:
    deploy(server, changes(server, [""], ["", "new"]))
    server.serve(f"/{KEY}.txt", KEY)
    engine.answers = [(429, {"Retry-After": "0"}), (429, {"Retry-After": "1"})]
    assert announce() == 0
    assert len(engine.posts) == 3
    assert engine.taken == [server.base + "new"]


def test_what_was_not_taken_is_sent_by_a_second_run(
    server: Server, engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    deploy(server, changes(server, [""], ["", *(f"p/{number:05}" for number in range(20_001))]))
    server.serve(f"/{KEY}.txt", KEY)
    engine.answers = [(200, {}), (429, {"Retry-After": "99999"})]
    assert announce() == 1
    error = capsys.readouterr().err
    assert (
        "429: the engine says that there were too many requests; it wants to be asked again in 99999 seconds" in error
    )
    assert "10,001 URLs not taken; to send them later: smindex announce changes-left.json\n" in error
    assert len(engine.taken) == 10_000
    engine.answers = [(500, {})]
    assert announce(target="changes-left.json") == 1
    assert "changes-left.json\n" in capsys.readouterr().err
    assert announce(target="changes-left.json") == 0
    assert len(engine.taken) == len(set(engine.taken)) == 20_001


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "400: the engine says that the format is wrong"),
        (403, "403: the engine did not find the key in the key file"),
        (422, "422: the engine says that a URL is not of the host, or that the key does not fit"),
        (302, "the engine answers with 302, which the protocol does not know"),
        (500, "the engine answers with 500, which the protocol does not know"),
        (0, "no answer: the server closes the connection without an answer"),
    ],
)
def test_each_refusal_has_its_words_and_exit_code_1(
    server: Server, engine: Engine, capsys: pytest.CaptureFixture[str], status: int, words: str
) -> None:
    deploy(server, changes(server, [""], ["", "new"]))
    server.serve(f"/{KEY}.txt", KEY)
    engine.answers = [(status, {})] * 2
    assert announce() == 1
    assert words in capsys.readouterr().err
    assert json.loads(Path("changes-left.json").read_text())["added"] == [server.base + "new"]


def test_that_the_key_is_still_to_be_seen_is_said(
    server: Server, engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    deploy(server, changes(server, [""], ["", "new"]))
    server.serve(f"/{KEY}.txt", KEY)
    engine.answers = [(202, {})]
    assert announce() == 0
    assert "202: taken; the engine has yet to look at the key file" in capsys.readouterr().out


def test_a_deployment_that_comes_late_is_waited_for(server: Server, engine: Engine) -> None:
    """Its index first: that says nothing of the pages, for it has no dates."""
    new = changes(server, [""], ["", "new"])
    server.serve(f"/{KEY}.txt", KEY)
    seen: list[str] = []

    def come(path: str) -> None:
        seen.append(path)
        assert not engine.posts or path == f"/{KEY}.txt"
        if seen.count("/s.xml") == 3:
            deploy(server, new)

    server.before = come
    assert announce("--wait", "30") == 0
    assert seen.count("/s.xml") == 3
    assert seen.count("/sitemap_index.xml") == 1, "what is live is not asked for again"
    assert engine.taken == [server.base + "new"]


def test_nothing_is_sent_before_the_new_version_is_live(
    server: Server, engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    changes(server, [""], ["", "new"])
    server.serve(f"/{KEY}.txt", KEY)
    assert announce("--wait", "0") == 2
    assert f"{server.base}s.xml: the live file is not yet the new one. Nothing was sent" in capsys.readouterr().err
    server.serve("/s.xml", b"", 503)
    assert announce("--wait", "0.1") == 2
    assert "it is not live (the server answers with 503), after 0.1 seconds" in capsys.readouterr().err
    assert engine.posts == []


@pytest.mark.parametrize(("content", "words"), [(None, "answers with 404"), ("other", "it does not hold the key")])
def test_nothing_is_sent_without_the_key_file(
    server: Server, engine: Engine, capsys: pytest.CaptureFixture[str], content: str | None, words: str
) -> None:
    deploy(server, changes(server, [""], ["", "new"]))
    if content:
        server.serve(f"/{KEY}.txt", content)
    assert announce() == 2
    error = capsys.readouterr().err
    assert f"{server.base}{KEY}.txt: the key file is not there (" in error
    assert words in error
    assert f"Put {KEY}.txt with the key in it beside the index" in error
    assert engine.posts == []


@pytest.mark.parametrize("content", [KEY, f"{KEY}\n", f"\ufeff{KEY}\r\n"])
def test_a_key_file_is_found_as_editors_save_it(server: Server, content: str) -> None:
    server.serve(f"/{KEY}.txt", content)
    check_key(KEY, f"{server.base}{KEY}.txt", Fetcher())


def test_a_key_file_beside_the_index_counts_for_what_is_below_it(server: Server, engine: Engine) -> None:
    deploy(server, changes(server, [""], ["", "new"], below="docs/"), "/docs/")
    server.serve(f"/docs/{KEY}.txt", KEY)
    assert announce() == 0
    assert engine.posts[0]["keyLocation"] == f"{server.base}docs/{KEY}.txt"
    assert engine.taken == [server.base + "docs/new"]


def test_pages_outside_the_directory_of_the_key_file_are_not_announced_and_named(
    server: Server, engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    other = server.base.replace("127.0.0.1", "localhost")
    deploy(server, files(server.base, server.base))
    new = files(server.base, server.base, server.base + "new", other + "new", other + "more")
    write(Path("site"), new)
    assert main(["diff", server.base, "site", "-q", "-o", "changes.json"]) == 0
    deploy(server, new)
    server.serve(f"/{KEY}.txt", KEY)
    assert announce() == 0
    assert f"not announced: {other}more and 1 more URL, outside {server.base}, where" in capsys.readouterr().err
    assert engine.taken == [server.base + "new"]


def test_the_first_announcement_of_a_site_is_refused_unless_it_is_asked_for(
    server: Server, engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    written = files(server.base, server.base, server.base + "a")
    deploy(server, written)
    write(Path("site"), written)
    server.serve(f"/{KEY}.txt", KEY)
    write(Path("empty"), {"sitemap_index.xml": index()})
    assert main(["diff", "empty", "site", "-q", "-o", "changes.json"]) == 0
    for target in ("changes.json", "site", "site/sitemap_index.xml", server.base):
        assert announce(target=target) == 2
        assert (
            "all 2 pages would be announced, for none was listed before. IndexNow is for pages"
            in capsys.readouterr().err
        )
        assert engine.posts == []
        assert announce("--all", target=target) == 0
        assert engine.posts.pop()["urlList"] == [server.base, server.base + "a"]


def test_a_first_announcement_that_was_not_taken_can_be_taken_up(
    server: Server, engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    deploy(server, files(server.base, server.base))
    server.serve(f"/{KEY}.txt", KEY)
    engine.answers = [(500, {})]
    assert announce("--all", target=server.base) == 1
    (command,) = re.findall(r"smindex (announce .+)\n", capsys.readouterr().err)
    assert command == "announce changes-left.json --all"
    assert main(command.split()) == 0
    assert engine.taken == [server.base]


@pytest.mark.usefixtures("engine")
def test_a_page_that_only_lost_its_date_is_not_announced(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    deploy(server, files(server.base, f"<loc>{server.base}</loc><lastmod>2026-01-01</lastmod>"))
    write(Path("site"), files(server.base, server.base))
    assert main(["diff", server.base, "site", "-q", "-o", "changes.json"]) == 0
    assert announce() == 0
    assert capsys.readouterr().out == (
        "not announced: 1 page of which only the date is gone\n"
        "no page was added, changed or removed, so nothing is announced\n"
    )


def test_the_key_is_that_of_the_flag_or_of_the_environment_and_has_its_form(
    server: Server, engine: Engine, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    deploy(server, changes(server, [""], ["", "new"]))
    server.serve("/another-key.txt", "another-key")
    assert announce("--key", "another-key") == 0
    assert engine.posts.pop()["key"] == "another-key"
    assert announce("--key", "short") == 2
    assert ": got 'short'; accepted: a key of 8 to 128 letters, digits and hyphens" in capsys.readouterr().err
    monkeypatch.setenv("INDEXNOW_KEY", "not a key")
    assert announce() == 2
    assert "got 'not a key'" in capsys.readouterr().err
    monkeypatch.delenv("INDEXNOW_KEY")
    assert announce() == 2
    assert "there is no key. Give --key or set INDEXNOW_KEY" in capsys.readouterr().err


def test_a_new_key_is_one_that_nobody_has(capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        assert main(["announce", "--new-key"]) == 0
    first, second = capsys.readouterr().out.split()
    assert first != second
    assert re.fullmatch("[0-9a-f]{32}", first)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "it is no file of changes ("),
        ("[" * 100_000, "it is no file of changes ("),
        ("[]", "it is no file of changes ("),
        ("{}", "'version' is missing"),
        ('{"version": 2}', "its version is 2, and this command reads 1"),
        ('{"version": 1, "summary": {}, "sitemaps": {}, "changed": 5}', "it is no file of changes ("),
    ],
)
@pytest.mark.usefixtures("engine")
def test_what_is_no_file_of_changes_is_refused(capsys: pytest.CaptureFixture[str], content: str, words: str) -> None:
    Path("changes.json").write_text(content)
    assert announce() == 2
    error = capsys.readouterr().err
    assert error.startswith("smindex: changes.json: ")
    assert words in error


@pytest.mark.usefixtures("engine")
def test_a_url_in_a_file_of_changes_is_one(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    changes(server, [""], ["", "new"])
    text = Path("changes.json").read_text()
    for wrong in ("file:///etc/passwd", "not a URL", "https://u:secret@e.org/"):
        Path("changes.json").write_text(text.replace(f"{server.base}new", wrong))
        assert announce() == 2
        error = capsys.readouterr().err
        assert "it is no file of changes (" in error
        assert "secret" not in error


@pytest.mark.usefixtures("engine")
def test_what_to_announce_must_be_named_and_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["announce"]) == 2
    assert "Missing argument 'CHANGES|SITE'" in capsys.readouterr().err
    assert announce(target="nowhere.json") == 2
    assert "nowhere.json: there is no such file." in capsys.readouterr().err
