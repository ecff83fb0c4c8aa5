"""Nothing that a site contains commands the terminal or the log, whichever way it leaves."""

import logging
import re
import subprocess
from logging.handlers import BufferingHandler
from pathlib import Path

import pytest

from smindex_plugins import report
from smindex_plugins.base.limits import MAX_LINE, MAX_PART
from smindex_plugins.base.text import printable
from smindex_plugins.cli.main import main
from tests.overview.reports import HOSTILE, NAMES, commands
from tests.support.command import PAGE, SITE
from tests.support.planted import index, urlset, write


@pytest.mark.parametrize("text", HOSTILE)
def test_a_text_is_printed_as_one_short_line_that_is_no_command(text: str) -> None:
    for before in ("", "  ", "a "):
        shown = printable(before + text)
        assert not commands(shown)
        assert "\n" not in shown
        assert len(shown) <= MAX_PART
        assert printable(shown) == shown
        # as a narrow terminal might
        wrapped = "\n".join(shown[at:] for at in range(min(len(shown), 100)))
        assert not re.search(r"^\s*::\w+(?: .*)?::", wrapped, re.MULTILINE)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_host_logs_one_line(hostile: str) -> None:
    log, handler = logging.getLogger("a host"), BufferingHandler(100)
    log.handlers, log.propagate = [handler], False  # pytest-xdist can't send half of a character
    log.setLevel(logging.DEBUG)
    shown: list[str] = []
    report.log(log, [("warning", hostile), ("summary", hostile)], "x: %s", shown.append)
    with report.harmless(log):
        raise ValueError(hostile)
    assert handler.buffer
    for record in handler.buffer:
        assert not commands(record.getMessage())
        assert len(record.getMessage()) < MAX_LINE + 100


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Write a site in a repository, in which names, dates, keys, values and the branch command."""
    names = [name.replace("/", "") for name in NAMES]
    hidden = PAGE.replace("<title>", '<meta name="robots" content="noindex"><title>')
    dates = ("::error::x", "##[error]x", "\u202e", "\u2028")
    robots = (
        f"Sitemap: ::error::x\nSitemap: {SITE}sitemap_index.xml\nUser-agent: *\nDisallow:"
        " /a*\u202e##[x]\x1b\n"
    )
    site = tmp_path / "::error::site"
    subprocess.run(["git", "init", "-q", str(site)], check=True)
    return write(
        site,
        {
            ".git/HEAD": "ref: refs/heads/\n::error::x\x1b[2J\n",
            "mkdocs.yml": '"\\n::error::x": 1\nsite_name: "\\e[2J"\n',
            "sitemap_index.xml": index(f"{SITE}s.xml", "::error::x"),
            "s.xml": urlset(*(f"<loc>{SITE}a</loc><lastmod>{date}</lastmod>" for date in dates)),
            "robots.txt": robots,
            **{f"{name}.html": PAGE.replace("Text", name) for name in names[:4]},
            **{f"{name}.html": hidden for name in names[4:]},
        },
    )


@pytest.mark.parametrize(
    "command",
    [
        "check {} -v",
        "check {} --format github -v",
        "build {} --site-url https://e.org/ -v --dry-run",
        "join {} --site-url https://e.org/ -v --dry-run",
        "check {}/::error::x",
        "check {} --only ::error::x",
        "build {} --site-url ::error::x",
        "build {} --set ::error::x=1",
        "::error::x",
        "check --::error::x",
    ],
)
def test_the_command_prints_no_command(
    site: Path, command: str, capfd: pytest.CaptureFixture[str]
) -> None:
    main([part.format(site) for part in command.split()])
    said = capfd.readouterr()
    lines = [
        line
        for line in (said.out + said.err).splitlines()
        if not re.match(r"::\w+ (file|title)=", line)
    ]
    assert lines
    assert not commands("\n".join(lines))
