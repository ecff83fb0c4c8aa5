"""A server that is slow, or never ends, holds a check of a live site no longer than is allowed."""

import time
from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from tests.support.command import findings
from tests.support.planted import index, urlset
from tests.support.server import Server, certified
from tests.support.speaking import FAST, SLOW, Speak, silent, speaking

TIMEOUT = 0.5
SLACK = 2.5
"""Seconds that a busy machine may need for all else."""


@pytest.fixture(autouse=True)
def _direct(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1,localhost")


def failed(capsys: pytest.CaptureFixture[str], url: str, answers: int = 1, timeout: float = TIMEOUT) -> str:
    """Return why a check cannot run, which takes no longer than some answers may."""
    begun = time.monotonic()
    assert main(["check", url, "--timeout", str(timeout)]) == 2
    assert time.monotonic() - begun < answers * timeout + SLACK
    return capsys.readouterr().err


@pytest.mark.parametrize("speak", SLOW.values(), ids=SLOW)
def test_no_slow_answer_takes_longer_than_is_allowed(capsys: pytest.CaptureFixture[str], speak: Speak) -> None:
    with speaking(speak) as host:
        error = failed(capsys, f"http://{host}/sitemap.xml")
    assert "127.0.0.1" in error
    assert "the server does not answer within 0.5 seconds" in error or "takes longer than 0.5 seconds" in error


@pytest.mark.parametrize("speak", FAST.values(), ids=FAST)
def test_what_never_ends_is_cut_by_its_bytes(capsys: pytest.CaptureFixture[str], speak: Speak) -> None:
    with speaking(speak) as host:
        error = failed(capsys, f"http://{host}/sitemap.xml", timeout=20)
    assert host in error or "127.0.0.1" in error
    assert "seconds" not in error


def test_a_slow_agreement_on_encryption_is_not_waited_for(capsys: pytest.CaptureFixture[str]) -> None:
    with speaking(silent, hears=b"\x16") as host:
        error = failed(capsys, f"https://{host}/")
    assert "cannot reach 127.0.0.1: the server does not answer within 0.5 seconds" in error


def test_an_answer_over_tls_keeps_the_same_bounds(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    context, certificate = certified(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    for kind, speak in SLOW.items():
        with speaking(speak, context=context) as host:
            error = failed(capsys, f"https://{host}/sitemap.xml")
        assert "127.0.0.1" in error, kind
        assert error.endswith(("does not answer within 0.5 seconds.\n", "takes longer than 0.5 seconds.\n")), kind
    for kind, speak in FAST.items():
        with speaking(speak, context=context) as host:
            assert "seconds" not in failed(capsys, f"https://{host}/sitemap.xml", timeout=20), kind


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_slow_proxy_is_not_waited_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    monkeypatch.delenv("no_proxy")
    with speaking(silent) as proxy:
        monkeypatch.setenv(f"{scheme}_proxy", f"http://{proxy}")
        error = failed(capsys, f"{scheme}://e.invalid/")
    assert "cannot reach e.invalid: the server does not answer within 0.5 seconds" in error


def test_what_the_deadline_left_out_is_counted(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    server.serve("/robots.txt", f"Sitemap: {server.base}sitemap_index.xml\n")
    server.serve("/sitemap_index.xml", index(*(f"{server.base}{number}.xml" for number in range(40))))
    pages = [f"{server.base}{number}" for number in range(500)]
    server.serve("/0.xml", urlset(*pages))
    for number in range(1, 40):
        server.serve(f"/{number}.xml", urlset(f"{server.base}{number}/a"))
    server.before = lambda path: time.sleep(0 if "xml" in path or "robots" in path else 0.05)
    for url in pages:
        server.page("/" + url.removeprefix(server.base))
    begun = time.monotonic()
    assert main(["check", server.base, "--pages", "--deadline", "2", "--only", "page-error"]) == 0
    assert time.monotonic() - begun < 2 + SLACK
    unseen = capsys.readouterr().out.splitlines()[-1]
    assert " pages not requested in time (--deadline 2); 36 sitemaps not requested in time (--deadline 2)" in unseen


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["--timeout", "0.5"], "the server does not answer within 0.5 seconds"),
        (["--deadline", "0.5"], "the time for the whole run, 0.5 seconds, is over"),
    ],
)
@pytest.mark.parametrize("asked", ["--add", "--cross-site"])
def test_a_join_waits_no_longer_than_is_allowed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], flags: list[str], told: str, asked: str
) -> None:
    (tmp_path / "sitemap.xml").write_text(urlset("https://e.org/a"))
    with speaking(silent) as host:
        begun = time.monotonic()
        url = f"http://{host}/sitemap.xml" if asked == "--add" else f"http://{host}"
        code = main(["join", str(tmp_path), "--site-url", "https://e.org/", asked, url, *flags])
        assert time.monotonic() - begun < 0.5 + SLACK
    assert code == 1
    assert (told if asked == "--add" else "it cannot be read") in capsys.readouterr().out


def test_a_deadline_that_nothing_meets_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with speaking(silent) as host:
        begun = time.monotonic()
        assert main(["check", f"http://{host}/", "--deadline", "0.5"]) == 2
    assert time.monotonic() - begun < 0.5 + SLACK
    expected = "cannot reach 127.0.0.1: the time for the whole run, 0.5 seconds, is over"
    assert expected in capsys.readouterr().err


@pytest.mark.parametrize("given", ["0", "-1", "soon", "1e9"])
def test_a_time_that_is_none_is_refused(capsys: pytest.CaptureFixture[str], given: str) -> None:
    for flag in ("--timeout", "--deadline"):
        assert main(["check", "http://127.0.0.1:1/", f"{flag}={given}"]) == 2
        assert f"Invalid value for '{flag}': " in capsys.readouterr().err


def test_a_time_is_for_a_live_site(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", ".", "--timeout", "3"]) == 2
    assert "--timeout has no effect on a built directory" in capsys.readouterr().err


@pytest.mark.usefixtures("server")
def test_the_findings_of_a_slow_page_name_it(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    server.serve("/sitemap.xml", urlset(server.base + "a"))
    server.page("/a")
    server.trickle = "/a"
    (finding,) = findings(capsys, server.base, "--pages", "--timeout", str(TIMEOUT))
    assert finding["check"] == "page-unreachable"
    assert server.base + "a" in finding["problem"]
    assert "its answer takes longer than 0.5 seconds" in finding["problem"]
