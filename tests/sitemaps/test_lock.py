"""One run at a time writes into a directory, whatever becomes of the others."""

import errno
import fcntl
import os
import sys
from pathlib import Path

import pytest

from smindex_plugins.model import Finding, Page
from smindex_plugins.pipeline import publish
from smindex_plugins.settings import Site
from smindex_plugins.sitemaps import OutputError, output
from tests.support.locked import holder


def written(directory: Path) -> list[Finding]:
    page = directory / "a.html"
    page.parent.mkdir(exist_ok=True)
    page.write_text("<!doctype html><title>a</title>a")
    listed = [Page(url="https://e.org/a.html", file=str(page), lastmod="2024-02-29")]
    return list(publish(listed, Site(url="https://e.org/", directory=str(directory))).findings)


def test_a_run_waits_for_another_one(tmp_path: Path) -> None:
    with holder(tmp_path, 0.5) as process:
        assert not written(tmp_path)
        assert process.wait() == 0
    assert (tmp_path / "sitemap_index.xml").exists()


def test_what_waits_in_vain_says_so_and_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "LOCK_SECONDS", 0.2)
    with holder(tmp_path):
        [finding] = written(tmp_path)
    assert (finding.check, finding.level, finding.where) == ("directory-in-use", "error", str(tmp_path))
    assert "another run writes sitemaps here" in finding.problem
    assert os.listdir(tmp_path) == ["a.html"]


def test_a_process_that_is_killed_holds_nothing_any_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with holder(tmp_path):
        pass
    monkeypatch.setattr(output, "LOCK_SECONDS", 0)
    assert not written(tmp_path)


def test_where_nothing_can_be_made_there_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutputError) as caught, output.only_writer(str(tmp_path / "file/site")):
        pass
    assert [finding.check for finding in caught.value.findings] == ["cannot-write"]


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EBADF, errno.ENOTSUP, errno.ENOSYS])
def test_where_there_are_no_locks_a_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """No file system of this machine is without locks, so what the system says is made up."""

    def refuse(*_: int) -> None:
        raise OSError(number, os.strerror(number))

    before = os.listdir("/proc/self/fd")
    monkeypatch.setattr(fcntl, "flock", refuse)
    assert not written(tmp_path)
    assert sorted(os.listdir(tmp_path)) == ["a.html", "sitemap-root.xml", "sitemap_index.xml"]
    assert os.listdir("/proc/self/fd") == before


def test_on_windows_nothing_is_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with output.lock(str(tmp_path), 0), pytest.raises(BlockingIOError), output.lock(str(tmp_path), 0):
        pass
    monkeypatch.setattr(sys, "platform", "win32")
    with output.lock(str(tmp_path), 0), output.lock(str(tmp_path), 0):
        pass
