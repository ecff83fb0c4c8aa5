"""Wherever output goes: consoles of every encoding, pipes that are closed, and nowhere."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from smindex_plugins.cli.progress import Progress
from tests.support.command import PAGE, SITE
from tests.support.planted import index, urlset, write

ENCODINGS = ("ascii", "cp437", "cp1252", "utf-16")
NAMES = ("größe", "日本", "…", os.fsdecode(b"\xff"))
"""Each with what one of the encodings lacks, and the last with what no text has."""
RUNS: dict[str, int] = {
    "check {site}": 1,
    "check {site} -v": 1,
    "check {site} --format json": 1,
    "check {site} --format github": 1,
    "checks": 0,
    "build {site} --site-url https://e.org/ -v --dry-run": 1,
    "join {site} --site-url https://e.org/ -v --dry-run": 1,
    "check {site}/日本": 2,
    "--help": 0,
    "build --help": 0,
    "check --help": 0,
    "checks --help": 0,
    "join --help": 0,
}
"""Commands and their exit codes."""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Write a site in which every name is in a message."""
    listed = urlset(*(f"{SITE}{name}" for name in NAMES[:-1]), f"<loc>{SITE}</loc><lastmod>größe 日本</lastmod>")
    files: dict[str, str | bytes] = {f"{name}/{file}": PAGE for name in NAMES for file in ("index.html", "a.html")}
    sitemaps = {
        "sitemap_index.xml": index(f"{SITE}s.xml", f"{SITE}日本.xml"),
        "s.xml": listed,
        "größe/sitemap.xml": listed,
    }
    return write(tmp_path, {"index.html": PAGE, **files, **sitemaps})


def run(site: Path, command: str, encoding: str, monkeypatch: pytest.MonkeyPatch) -> tuple[int, bytes, str]:
    """Give exit code, standard output and standard error of a command on a console of an encoding."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding=encoding) for _ in range(2))
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setattr("sys.stderr", err)
    try:
        code: int | str | None = main([part.format(site=site) for part in command.split()])
    except SystemExit as stopped:
        code = stopped.code
    out.flush()
    err.flush()
    assert isinstance(out.buffer, io.BytesIO)
    assert isinstance(err.buffer, io.BytesIO)
    assert isinstance(code, int)
    return code, out.buffer.getvalue(), err.buffer.getvalue().decode(encoding)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("command", RUNS)
def test_a_console_that_lacks_characters_gets_everything_else(
    site: Path, command: str, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, err = run(site, command, encoding, monkeypatch)
    assert code == RUNS[command], err
    assert out or code == 2
    assert "Traceback" not in err
    expected = run(site, command, "utf-8", monkeypatch)[1]
    if "--format" not in command:
        assert out.decode(encoding).count("\n") == expected.count(b"\n")
    else:
        assert out == expected, "programs read UTF-8"
    if "json" in command:
        assert json.dumps(json.loads(out), ensure_ascii=False).encode(), "half a character is none for most readers"


def test_a_real_console_is_one_of_them(site: Path) -> None:
    for command in (["check", str(site)], ["build", "--help"]):
        done = subprocess.run(
            [sys.executable, "-m", "smindex_plugins", *command],
            env={**os.environ, "PYTHONIOENCODING": "ascii"},
            capture_output=True,
            check=False,
        )
        assert done.returncode == (1 if "check" in command else 0)
        assert not done.stderr
        assert done.stdout.isascii()


def in_shell(command: str, site: Path) -> tuple[int, str]:
    """Give the exit code of the command in a pipeline that fails where any part fails, and what it said."""
    line = f"set -o pipefail; {command.format(smindex=f'{sys.executable} -m smindex_plugins')}"
    done = subprocess.run(["bash", "-c", line], cwd=site, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("{smindex} check . | true", 1),
        ("PYTHONUNBUFFERED=1 {smindex} check . -v | true", 1),
        ("PYTHONUNBUFFERED=1 {smindex} check . --only unlisted-page -v | true", 0),
        ("{smindex} check . | head -1", 1),
        ("{smindex} check . --only unlisted-page -v | true", 0),
        ("{smindex} check . --format json | true", 1),
        ("{smindex} check . --only unlisted-page --format json | true", 0),
        ("{smindex} checks | head -1", 0),
        ("{smindex} checks | true", 0),
        ("{smindex} build --help | true", 0),
        ("{smindex} build . --site-url https://e.org/ --index-filename i.xml --sitemap-placement root | true", 0),
        ("{smindex} join . --site-url https://e.org/ -v | true", 1),
        ("{smindex} check . --only unlisted-page >&-", 0),
        ("{smindex} check . >&- 2>&-", 1),
        *((f"{{smindex}} check . --format {form} <&- >&- 2>&-", 1) for form in ("json", "github")),
        ("{smindex} check nowhere 2>&-", 2),
        ("{smindex} check --wrong >&- 2>&-", 2),
        ("{smindex} checks >&-", 0),
        ("{smindex} build . --site-url https://e.org/ -v --dry-run <&- >&- 2>&-", 1),
        ("{smindex} join . --site-url https://e.org/ -v --dry-run >&- 2>&-", 1),
        ("{smindex} --version <&- >&- 2>&-", 0),
    ],
)
def test_that_nobody_reads_to_the_end_changes_no_exit_code_and_is_no_error(
    site: Path, command: str, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    assert in_shell(command, site) == (code, "")


def test_what_is_printed_into_a_pipe_arrives_whole_and_as_it_was_buffered(site: Path) -> None:
    for unbuffered in ("", "1"):
        done = subprocess.run(
            [sys.executable, "-m", "smindex_plugins", "check", str(site)],
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=False,
        )
        assert b" errors, " in done.stdout
        assert "größe".encode() in done.stdout


def test_a_full_disk_is_said_in_a_line(site: Path) -> None:
    if os.path.exists("/dev/full"):
        code, said = in_shell("{smindex} checks > /dev/full", site)
        assert code
        assert said.startswith("smindex: the output: No space left on device.\n")


@pytest.mark.parametrize("variable", [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_progress_moves_no_cursor_where_codes_are_not_wanted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, variable: tuple[str, str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr("smindex_plugins.cli.progress.monotonic", iter(map(float, range(9))).__next__)
    monkeypatch.setenv(*variable)
    with Progress(is_shown=True) as progress:
        progress("a")
    assert not capsys.readouterr().err
