"""One run at a time writes into a directory, whatever becomes of the others."""

import errno
import fcntl
import os
import re
import sys
import time
from pathlib import Path

import pytest

from smindex_plugins.model import Finding, Page
from smindex_plugins.pipeline import publish
from smindex_plugins.settings import Site
from smindex_plugins.sitemaps import OutputError, lock, output, temporary
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


def test_what_waits_in_vain_says_who_holds_the_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "LOCK_SECONDS", 0.2)
    with holder(tmp_path) as process:
        [finding] = written(tmp_path)
    assert (finding.check, finding.level, finding.where) == ("directory-in-use", "error", str(tmp_path))
    assert re.search(rf"process {process.pid} \(python[\d.]*\) writes sitemaps here", finding.problem)
    assert os.listdir(tmp_path) == ["a.html"]


def test_a_process_that_is_killed_holds_nothing_any_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with holder(tmp_path):
        pass
    monkeypatch.setattr(lock, "LOCK_SECONDS", 0)
    assert not written(tmp_path)


def test_a_directory_that_another_one_replaces_is_locked_anew(tmp_path: Path) -> None:
    site = tmp_path / "site"
    with output.only_writer(str(site), []):
        site.rename(tmp_path / "old")
        with output.only_writer(str(site), []):
            assert lock.is_held(str(site))
            assert lock.is_held(str(tmp_path / "old"))
    assert os.listdir(tmp_path) == ["old"]


def test_a_directory_that_is_made_goes_again_where_nothing_is_written(tmp_path: Path) -> None:
    with output.only_writer(str(tmp_path / "a/b"), []):
        assert (tmp_path / "a/b").is_dir()
    assert not os.listdir(tmp_path)
    with output.only_writer(str(tmp_path / "a/b"), []):
        (tmp_path / "a/b/file").touch()
    assert (tmp_path / "a/b/file").exists()


def test_where_nothing_can_be_made_there_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutputError) as caught, output.only_writer(str(tmp_path / "file/site"), []):
        pass
    assert [finding.check for finding in caught.value.findings] == ["cannot-write"]


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EBADF, errno.ENOTSUP, errno.ENOSYS])
def test_where_there_are_no_locks_a_run_says_so_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """No file system of this machine is without locks, so what the system says is made up."""

    def refuse(*_: int) -> None:
        raise OSError(number, os.strerror(number))

    Path(temporary.new_name(str(tmp_path))).touch()
    monkeypatch.setattr(fcntl, "flock", refuse)
    [finding] = written(tmp_path)
    assert (finding.check, finding.level) == ("unlocked-directory", "notice")
    assert os.strerror(number) in finding.problem
    assert sorted(os.listdir(tmp_path)) == ["a.html", "sitemap-root.xml", "sitemap_index.xml"]


@pytest.mark.parametrize(("held", "cleaned"), [("", "de"), ("de", ""), ("de", "de/docs"), ("", "de/docs")])
def test_what_a_run_of_another_directory_is_making_is_left_to_it(tmp_path: Path, held: str, cleaned: str) -> None:
    (tmp_path / "de/docs").mkdir(parents=True)
    made = Path(temporary.new_name(str(tmp_path / "de/docs")))
    with holder(tmp_path / held):
        made.touch()
        with output.only_writer(str(tmp_path / cleaned), []):
            assert made.exists()
    with output.only_writer(str(tmp_path / cleaned), []):
        assert not made.exists()


def test_whether_a_directory_is_held_is_asked_without_a_trace(tmp_path: Path) -> None:
    before = os.listdir("/proc/self/fd")
    assert not lock.is_held(str(tmp_path / "none"))
    assert not lock.is_held(str(tmp_path))
    with lock.held(str(tmp_path)):
        held = os.listdir("/proc/self/fd")
        assert lock.is_held(str(tmp_path))
        assert os.listdir("/proc/self/fd") == held
    assert os.listdir("/proc/self/fd") == before


def test_where_the_system_does_not_tell_who_holds_a_directory_it_is_another_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise FileNotFoundError(errno.ENOENT, "no /proc here")

    monkeypatch.setattr(lock, "LOCK_SECONDS", 0)
    with lock.held(str(tmp_path)):
        with pytest.raises(lock.HeldError, match=rf"^process {os.getpid()} \(.+\)$"), lock.held(str(tmp_path)):
            pass
        monkeypatch.setattr(lock, "read_text", refuse)
        open_files = os.listdir("/proc/self/fd")
        with pytest.raises(lock.HeldError, match=r"^another run$"), lock.held(str(tmp_path)):
            pass
        assert os.listdir("/proc/self/fd") == open_files


def test_on_windows_nothing_is_locked_and_nothing_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with lock.held(str(tmp_path)), monkeypatch.context() as patch:
        patch.setattr(sys, "platform", "win32")
        assert not lock.is_held(str(tmp_path))
        with pytest.raises(lock.NoLocksError, match=r"^Windows has no locks"), lock.held(str(tmp_path)):
            pass


def test_a_lock_that_the_system_refuses_leaves_no_file_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: int) -> None:
        raise OSError(errno.ENOLCK, "no locks here")

    before = os.listdir("/proc/self/fd")
    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(lock.NoLocksError, match=r"^no locks here$"), lock.held(str(tmp_path)):
        pass
    assert os.listdir("/proc/self/fd") == before


def test_a_directory_that_another_run_makes_at_the_same_moment_is_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter([False])  # as it was a moment ago
    monkeypatch.setattr(os.path, "isdir", lambda _: next(answers, True))
    with lock.held(str(tmp_path)):
        assert lock.is_held(str(tmp_path))


def test_a_run_that_waits_leaves_the_processor_to_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(lock, "LOCK_SECONDS", 0.01)
    monkeypatch.setattr(time, "sleep", pauses.append)
    with lock.held(str(tmp_path)), pytest.raises(lock.HeldError), lock.held(str(tmp_path)):
        pass
    assert pauses
    assert min(pauses) > 0
