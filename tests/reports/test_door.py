"""Nothing that a site holds commands the terminal or the log, whichever way it leaves."""

import ast
import io
import json
import logging
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from smindex_plugins import report
from smindex_plugins.catalogue import UNMATCHED_PATTERN
from smindex_plugins.cli.main import main
from smindex_plugins.limits import MAX_LINE, MAX_PART
from smindex_plugins.model import Spot
from smindex_plugins.reports import write_github, write_json, write_sarif, write_text
from smindex_plugins.reports.tables import Column, Table
from smindex_plugins.reports.terminal import write_tables
from smindex_plugins.sites import Totals
from smindex_plugins.text import printable
from tests.support.command import PAGE, SITE
from tests.support.planted import index, urlset, write

PACKAGE = Path(report.__file__).parent
HOSTILE = (
    "\n::error::x",
    "::add-mask::x",
    "  ::warning file=a,line=1::x",
    "##[add-matcher]x",
    "###vso[task.setvariable variable=a]x",
    "\r\x1b[2J\x1b]0;title\a",
    "\x9b31m",
    "\u202edlrow\u2066",
    "\u2028\u2029\x85\v\f",
    "\u200b\ufeff\U000e0041",
    os.fsdecode(b"\xff"),
    "a" * 200_000,
    "::" * 50_000 + "##[" * 50_000,
)
NAMES = [text for text in HOSTILE if len(text) < 100]


_OF_RICH = re.compile(r"\r|\x1b\[(?:2K|1A|\?25[lh]|[0-9;]*m)|\x1b\]8;[^\x1b]*\x1b\\\\")
"""What moves the cursor to the line of the progress, hides and shows it, and makes colours and links."""


def commands(text: str) -> list[str]:
    """Find what a service or a terminal would take for a command."""
    found = [each for each in text if not each.isprintable() and each != "\n"]
    return found + re.findall(r"^\s*::.*|##\w*\[.*", text, re.MULTILINE)


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
@pytest.mark.parametrize("form", [write_text, write_github, write_json, write_sarif])
def test_a_finding_says_nothing_but_itself_in_every_form(form: Callable[..., object], hostile: str) -> None:
    spot = Spot(hostile, file=hostile, source=hostile)
    found = [UNMATCHED_PATTERN.at(place, hostile, hostile) for place in (spot, hostile)]
    totals = Totals(unseen=[hostile])
    for each in ({}, {"show_all": True}) if form in {write_text, write_github} else ({},):
        out = io.StringIO()
        form(iter(found), totals, out, **each)
        said = out.getvalue()
        annotations = [line for line in said.splitlines() if line.startswith("::warning ")]
        assert len(annotations) == (2 if form is write_github else 0)
        assert not commands(
            "\n".join(line.split("::", 2)[2] if line in annotations else line for line in said.splitlines())
        )
        if form in {write_json, write_sarif}:
            assert not [text for text in strings(json.loads(said)) if commands(text) and text != hostile]
        else:
            assert max(map(len, said.splitlines())) < 2 * MAX_LINE + len(hostile) % MAX_LINE + 100


def strings(value: object, key: str = "") -> Iterator[str]:
    """Find the texts of an object but for the paths, which name their files exactly."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from strings(each, name)
    elif isinstance(value, list):
        for each in value:
            yield from strings(each, key)
    elif isinstance(value, str) and key not in {"file", "source", "uri"}:
        yield value


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
        "build {} --site-url https://e.org/ --set exclude=::error::x/",
        "join {} --site-url https://e.org/ -v --dry-run",
        "check {}/::error::x",
        "check {} --only ::error::x",
        "build {} --site-url ::error::x",
        "build {} --set section_depth=::error::x",
        "join {} --versions ::error::x",
        "::error::x",
        "check --::error::x",
    ],
)
def test_the_command_prints_no_command(site: Path, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    (site / "mkdocs.yml").write_text('"\\n::error::x": 1\nsite_name: "\\e[2J"\n')
    main([part.format(site) for part in command.split()])
    said = capsys.readouterr()
    lines = [line for line in (said.out + said.err).splitlines() if not re.match(r"::\w+ (file|title)=", line)]
    assert lines
    assert not commands("\n".join(lines))


def test_a_table_on_a_terminal_commands_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    rows = tuple((hostile, hostile) for hostile in HOSTILE)
    table = Table(title=HOSTILE[0], columns=(Column("a"), Column("b", folds=True)), rows=rows, note=HOSTILE[1])
    for is_terminal in (True, False):
        out = io.StringIO()
        monkeypatch.setattr(out, "isatty", lambda answer=is_terminal: answer, raising=False)
        write_tables([table], out)
        assert not commands(_OF_RICH.sub("", out.getvalue()))


def test_the_command_prints_at_one_place() -> None:
    for path in PACKAGE.rglob("*.py"):
        if path.relative_to(PACKAGE).as_posix() in {"cli/output.py", "__main__.py"}:
            continue  # the last says one thing, which is its own
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                assert not re.fullmatch(r"print|sys\.std(out|err)\.write(lines)?", called), f"{path}: {called}"


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
