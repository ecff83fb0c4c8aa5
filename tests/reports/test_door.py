"""Nothing that a site contains commands the terminal or the log, whichever way it leaves."""

import logging
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from smindex_plugins import report
from smindex_plugins.cli import main
from smindex_plugins.limits import MAX_LINE, MAX_PART
from smindex_plugins.text import printable
from tests.support.command import PAGE, SITE
from tests.support.planted import index, urlset, write
from tests.support.terminal import HOSTILE, NAMES, commands


@pytest.mark.parametrize("text", HOSTILE)
def test_a_text_is_printed_as_one_short_line_that_is_no_command(text: str) -> None:
    for before in ("", "  ", "a "):
        shown = printable(before + text)
        assert not commands(shown)
        assert "\n" not in shown
        assert len(shown) <= MAX_PART
        assert printable(shown) == shown
        wrapped = "\n".join(shown[at:] for at in range(min(len(shown), 100)))  # as a narrow terminal might
        assert not re.search(r"^\s*::\w+(?: .*)?::", wrapped, re.MULTILINE)


@pytest.mark.parametrize(
    "text",
    ["größe 日本 😀", "https://[::1]:8000/", "C:\\a", "a::b, std::vector<int>", "## Title", "f#a", "e" * MAX_PART],
)
def test_what_is_harmless_stays_as_it_is(text: str) -> None:
    assert printable(text) == text


def test_of_a_long_text_both_ends_are_shown() -> None:
    shown = printable("a" * 5_000 + "b" * 5_000)
    assert (len(shown), shown[0], shown[-1]) == (MAX_PART, "a", "b")


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_host_logs_one_line(hostile: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    log = logging.getLogger("a host")
    shown: list[str] = []
    report.log(log, [("warning", hostile), ("summary", hostile)], "x: %s", shown.append)
    with report.harmless(log):
        raise ValueError(hostile)
    for record in caplog.records:
        assert not commands(record.getMessage())
        assert len(record.getMessage()) < MAX_LINE + 100


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Write a site in which names, dates, keys and values command."""
    names = [name.replace("/", "") for name in NAMES]
    pages = {f"{name}.html": PAGE.replace("Text", name) for name in names[:4]}
    unlisted = {f"{name}.html": PAGE.replace("<title>", '<meta name="robots" content="noindex">') for name in names[4:]}
    dated = urlset(
        *(
            f"<loc>{SITE}a</loc><lastmod>{name.encode('ascii', 'xmlcharrefreplace').decode()}</lastmod>"
            for name in ("::error::x", "##[error]x", "\u202e", "\u2028")
        )
    )
    robots = f"Sitemap: ::error::x\nSitemap: {SITE}sitemap_index.xml\nUser-agent: *\nDisallow: /a*\u202e##[x]\x1b\n"
    return write(
        tmp_path / "::error::site",
        {
            "sitemap_index.xml": index(f"{SITE}s.xml", "::error::x"),
            "s.xml": dated,
            "robots.txt": robots,
            **pages,
            **unlisted,
        },
    )


@pytest.mark.parametrize(
    "command",
    [
        "check {}",
        "check {} -v",
        "check {} --format github -v",
        "build {} --site-url https://e.org/ -v --dry-run",
        "build {} --site-url https://e.org/ --exclude ::error::x/",
        "join {} --site-url https://e.org/ -v --dry-run",
        "check {}/::error::x",
        "check {} --only ::error::x",
        "build {} --site-url ::error::x",
        "build {} --section-depth ::error::x",
        "join {} --versions ::error::x",
        "::error::x",
        "check --::error::x",
    ],
)
def test_the_command_prints_no_command(site: Path, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    (site / "mkdocs.yml").write_text('"\\n::error::x": 1\nsite_name: "\\e[2J"\n')
    with suppress(SystemExit):
        main([part.format(site) for part in command.split()])
    said = capsys.readouterr()
    lines = [line for line in (said.out + said.err).splitlines() if not re.match(r"::\w+ (file|title)=", line)]
    assert lines
    assert not commands("\n".join(lines))


@pytest.mark.parametrize("hostile", NAMES)
def test_what_git_says_of_its_own_is_one_line(tmp_path: Path, hostile: str) -> None:
    write(tmp_path, {"a.html": PAGE, "sub/b.html": PAGE})
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / ".git/HEAD").write_text(f"ref: refs/heads/{hostile}\n", encoding="utf-8", errors="surrogateescape")
    done = subprocess.run(
        [sys.executable, "-m", "smindex_plugins", "build", str(tmp_path), "--site-url", "https://e.org/", "-v"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert not commands(done.stdout + done.stderr)
