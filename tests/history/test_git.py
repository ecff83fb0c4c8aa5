"""How the published line is read: from one log, and where it is long from others too, which are begun further on."""

import itertools
import os
import shutil
import sys
from contextlib import closing
from pathlib import Path

import pytest

from smindex_plugins.history import git as gitlog
from smindex_plugins.history.git import Git, GitError
from tests.support.gitrepo import Repo, fake_git

COMMITS = 12
AHEAD = 'case "$*" in *~*) {};; esac; exec "$real" "$@"'
"""A program in git's place that does something else where a log is begun ahead."""


@pytest.fixture
def long(repo: Repo) -> Repo:
    """Give a repository with a line of commits, beside which a branch was merged."""
    repo.commit(0, {"docs/a.md": "0"})
    repo.branch("side")
    repo.commit(0.5, {"docs/side.md": "1"})
    repo.switch("main")
    for number in range(1, COMMITS - 1):
        repo.commit(number, {"docs/a.md" if number % 2 else "code.py": str(number)})
    repo.merge("side", COMMITS - 1)
    return repo


@pytest.fixture
def git(long: Repo, monkeypatch: pytest.MonkeyPatch) -> Git:
    """Give git in it, where a line is long after two commits."""
    monkeypatch.setattr(gitlog, "_SURELY_LONG", 2)
    monkeypatch.setattr(gitlog, "_STRETCHES", (2, 3))
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    return opened(long)


def opened(repo: Repo) -> Git:
    executable = shutil.which("git")
    assert executable
    return Git(executable, str(repo.path))


def line(repo: Repo) -> list[bytes]:
    return repo.git("rev-list", "--first-parent", "HEAD").encode().split()


def read(git: Git, roots: list[bytes], start: bytes = b"HEAD") -> list[bytes]:
    try:
        with closing(git.first_parents(roots, date="committer", start=start)) as commits:
            return [commit.oid for commit in commits]
    finally:
        git.close()


def begun(git: Git) -> list[str]:
    """List the commits that logs were begun from."""
    commands = [list(map(str, process._popen.args)) for process in git.processes]  # type: ignore[arg-type]
    return [command[command.index("--") - 1] for command in commands if "log" in command]


@pytest.mark.parametrize("roots", [[], [b"docs"]])
def test_every_commit_of_a_line_of_any_length_is_given_once(long: Repo, git: Git, roots: list[bytes]) -> None:
    whole = line(long)
    for length in range(1, COMMITS + 1):
        git.processes.clear()
        assert read(git, roots, whole[-length]) == whole[-length:]
        assert len(begun(git)) == 1 + sum(length >= since for since in (2, 5, 9))


def test_what_is_begun_ahead_is_begun_where_the_line_will_be(long: Repo, git: Git) -> None:
    oids = [oid.decode() for oid in line(long)]
    read(git, [])
    assert begun(git) == ["HEAD", f"{oids[1]}~2", f"{oids[4]}~3", f"{oids[8]}~3"]


def test_a_short_line_is_read_from_one_log(long: Repo) -> None:
    git = opened(long)
    assert read(git, []) == line(long)
    assert begun(git) == ["HEAD"]


def test_with_one_processor_a_line_is_read_from_one_log(long: Repo, git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    assert read(git, []) == line(long)
    assert begun(git) == ["HEAD"]


def test_all_logs_are_ended_when_reading_ends_early(git: Git) -> None:
    with closing(git.first_parents([], date="committer")) as commits:
        assert len(list(itertools.islice(commits, 3))) == 3
    assert len(git.processes) == 2
    assert all(process._popen.returncode is not None for process in git.processes)


@pytest.mark.skipif(sys.platform == "win32", reason="platform: the fake git is a shell script")
@pytest.mark.usefixtures("git")
class TestFakeGit:
    @pytest.mark.parametrize(
        "script",
        [
            "exit 128",
            "exit 0",
            "echo nonsense; exit 0",
            "kill -9 $$",
            'exec "$real" log --format=%x01%ct\\ %H\\ %P -z HEAD',
            'for argument; do case "$argument" in --format=*) exec "$real" log -z --raw "$argument";; esac; done',
        ],
    )
    def test_where_a_log_ahead_does_not_go_on_the_line_is_read_without_it(
        self, long: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str
    ) -> None:
        fake_git(tmp_path, monkeypatch, AHEAD.format(script))
        assert read(opened(long), []) == line(long)

    def test_a_log_ahead_that_ends_badly_ends_the_line_there(
        self, long: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        fake_git(tmp_path, monkeypatch, AHEAD.format('"$real" "$@" | head -c 300; echo broken >&2; exit 128'))
        git = opened(long)
        found: list[bytes] = []
        with closing(git.first_parents([], date="committer")) as commits, pytest.raises(GitError, match="broken"):
            found.extend(commit.oid for commit in commits)
        git.close()
        assert 4 <= len(found) < COMMITS
        assert found == line(long)[: len(found)]

    def test_while_git_looks_for_what_was_edited_no_log_is_begun_ahead(
        self, long: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        fake_git(tmp_path, monkeypatch, 'case "$*" in *status*) sleep 100;; esac; exec "$real" "$@"')
        slow = opened(long)
        slow.edited([])
        assert read(slow, []) == line(long)
        assert len(slow.processes) == 2
