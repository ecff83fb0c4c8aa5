"""Wherever output goes: consoles of every encoding, pipes that are closed, and nowhere."""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from tests.support.command import PAGE, SITE
from tests.support.planted import index, urlset, write

ENCODINGS = ("cp437", "cp1252", "utf-16")
NAMES = ("größe", "日本", "…", os.fsdecode(b"\xff"))
"""Each with what one of the encodings lacks, and the last with what no text has."""
RUNS: dict[str, int] = {
    "check {site}": 1,
    "check {site} -v": 1,
    "check {site} --format json": 1,
    "check {site} --format github": 1,
    "explain": 0,
    "report {site}": 0,
    "build {site} --site-url https://e.org/ -v --dry-run": 1,
    "join {site} --site-url https://e.org/ -v --dry-run": 1,
    "check {site}/日本": 2,
    "--help": 0,
    "build --help": 0,
    "join --help": 0,
}
"""Commands and their exit codes."""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Write a site in which every name is in a message."""
    listed = urlset(
        *(f"{SITE}{name}" for name in NAMES[:-1]), f"<loc>{SITE}</loc><lastmod>größe 日本</lastmod>"
    )
    files: dict[str, str | bytes] = {
        f"{name}/{file}": PAGE for name in NAMES for file in ("index.html", "a.html")
    }
    sitemaps = {
        "sitemap_index.xml": index(f"{SITE}s.xml", f"{SITE}日本.xml"),
        "s.xml": listed,
        "größe/sitemap.xml": listed,
    }
    return write(tmp_path, {"index.html": PAGE, **files, **sitemaps})


def run(
    site: Path, command: str, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> tuple[int, bytes, str]:
    """Give exit code, standard output and standard error of a command on a console of an
    encoding.
    """
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding=encoding) for _ in range(2))
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setattr("sys.stderr", err)
    code = main([part.format(site=site) for part in command.split()])
    out.flush()
    err.flush()
    assert isinstance(out.buffer, io.BytesIO)
    assert isinstance(err.buffer, io.BytesIO)
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
        assert json.dumps(json.loads(out), ensure_ascii=False).encode(), (
            "half a character is none for most readers"
        )


@pytest.mark.parametrize(
    ("command", "codes", "errors"),
    [
        ("{smindex} check . | true", {0, 1}, ""),  # 0 if the command is faster than its reader
        ("PYTHONUNBUFFERED=1 {smindex} check . -v | true", {0, 1}, ""),
        ("{smindex} check . --format json | true", {0, 1}, ""),
        ("{smindex} explain | head -1", {0, 1}, ""),
        ("{smindex} check . --only unlisted-page >&-", {0}, ""),
        ("{smindex} check . --format json <&- >&- 2>&-", {1}, ""),
        ("{smindex} check nowhere 2>&-", {2}, ""),
        ("{smindex} check --wrong >&- 2>&-", {2}, ""),
        ("{smindex} build . --site-url https://e.org/ -v --dry-run <&- >&- 2>&-", {1}, ""),
        ("{smindex} --version <&- >&- 2>&-", {0}, ""),
        ("{smindex} explain > /dev/full", {2}, "smindex: the output: No space left on device.\n"),
        (
            "{smindex} check . -v > /dev/full",
            {2},
            "smindex: the output: No space left on device.\n",
        ),
    ],
)
def test_an_output_that_takes_no_more_leaves_no_traceback(
    site: Path, command: str, codes: set[int], errors: str
) -> None:
    line = f"set -o pipefail; {command.format(smindex=f'{sys.executable} -m smindex_plugins')}"
    done = subprocess.run(
        ["bash", "-c", line], cwd=site, capture_output=True, text=True, check=False
    )
    assert done.returncode in codes
    assert done.stderr == errors


TERMINAL = """
import sys
from smindex_plugins.cli.output import progress
with progress() as tell:
    tell("50 of 100 pages: \x1b[31m[bold]a\\n::error::b")
    print("found")
"""


@pytest.mark.parametrize(("terminal", "is_shown"), [("xterm", True), ("dumb", False)])
def test_progress_is_shown_on_a_terminal_and_controls_nothing(
    tmp_path: Path, terminal: str, *, is_shown: bool
) -> None:
    script = tmp_path / "run.py"
    script.write_text(TERMINAL)
    command = ["script", "-qec", f"{sys.executable} {script}", "/dev/null"]
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | {
        "TERM": terminal
    }
    shown = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True
    ).stdout
    assert "found" in shown
    assert ("50 of 100 pages: \\x1b[31m[bold]a" in shown) == is_shown
    assert "\x1b[31m" not in shown
    assert not re.search(r"^::error::", shown, re.MULTILINE)
