"""Files that the user names are written whole or not at all, and nobody else's file is replaced."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest

from smindex_plugins.base.difference import Difference
from smindex_plugins.base.files import write_file
from smindex_plugins.base.outputs import refuse_foreign, save
from smindex_plugins.base.text import WrongOptionsError
from smindex_plugins.checks.applying import DirectoryCheck
from smindex_plugins.compare.output import write_difference
from smindex_plugins.overview.output import write_report
from smindex_plugins.overview.overview import look
from smindex_plugins.reading.directory import Directory
from tests.support.command import PAGE, SITE
from tests.support.planted import urlset, write

OURS = "<!-- smindex diff -->\n"


def text(file: IO[str]) -> None:
    file.write("größe\n")


def test_a_file_of_ours_is_replaced_whole_and_keeps_its_mode(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(OURS)
    (tmp_path / "a.md").chmod(0o604)
    (tmp_path / "link").symlink_to("a.md")
    save(str(tmp_path / "link"), text)
    assert (tmp_path / "a.md").read_bytes() == "größe\n".encode()
    assert (tmp_path / "a.md").stat().st_mode & 0o777 == 0o604
    (tmp_path / "directory").mkdir()
    with pytest.raises(IsADirectoryError):
        write_file(str(tmp_path / "directory"), b"text")
    assert sorted(os.listdir(tmp_path)) == ["a.md", "directory", "link"]


@pytest.mark.parametrize(
    ("path", "problem"),
    [("pipe", "not a regular file"), ("none/a", "No such"), ("file/a", "Not a")],
)
def test_a_file_that_cannot_be_written_is_named(tmp_path: Path, path: str, problem: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match=problem) as error:
        save(str(tmp_path / path), text)
    assert error.value.filename == str(tmp_path / path)
    assert sorted(os.listdir(tmp_path)) == ["file", "pipe"]


@pytest.mark.parametrize(
    "content", ["# My page\n", " ", "{}", '{"version": 1}', f"# Notes\n\n{OURS}", "\0"]
)
def test_a_file_of_somebody_else_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "mine"
    path.write_text(content)
    with pytest.raises(
        WrongOptionsError, match="mine: smindex did not write this file, so it is unchanged"
    ):
        save(str(path), text)
    assert path.read_text() == content


def test_an_empty_file_and_a_link_to_no_file_hold_no_work(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    (tmp_path / "link").symlink_to("new")
    for name in ("empty", "link"):
        save(str(tmp_path / name), text)
        assert (tmp_path / name).read_text(encoding="utf-8") == "größe\n"


def report(form: str) -> Callable[[IO[str]], object]:
    def write_it(out: IO[str]) -> None:
        write_report(look(DirectoryCheck(directory=Directory(path="site"))), form, out)  # type: ignore[arg-type]

    return write_it


def difference(form: str) -> Callable[[IO[str]], object]:
    difference = Difference(old='a "quoted" name', new="https://e.org/", live={})
    return lambda out: write_difference(difference, form, out)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "written",
    [
        report("html"),
        report("markdown"),
        report("json"),
        difference("markdown"),
        difference("json"),
    ],
)
def test_what_we_wrote_can_be_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: Callable[[IO[str]], object]
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "site", {"sitemap.xml": urlset(SITE), "index.html": PAGE})
    save("file", written)
    refuse_foreign("file")
