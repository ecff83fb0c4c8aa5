"""How git is run: its log is parsed while it is printed, and git always ends."""

import itertools
import os
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from smindex_plugins.history import Answer, Change, History, Unknown, git
from smindex_plugins.history.git import Git, GitError
from tests.support.gitrepo import Repo, fake_git

COMMITS = 70


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """Give a repository with a line of commits, beside which a branch was merged."""
    repo = Repo.create(tmp_path_factory.mktemp("long") / "repo")
    repo.commit(0, {"docs/a.md": "0"})
    repo.branch("side")
    repo.commit(0.5, {"docs/side.md": "1"})
    repo.switch("main")
    for number in range(1, COMMITS - 1):
        repo.commit(number, {"docs/a.md" if number % 2 else "code.py": str(number)})
    repo.merge("side", COMMITS - 1)
    return repo


LINE = ("--first-parent", "-m", "--sparse", "HEAD", "--")


def line(repo: Repo) -> list[bytes]:
    return repo.git("rev-list", "--first-parent", "HEAD").encode().split()


@pytest.mark.parametrize("paths", [[], ["docs"]])
@pytest.mark.parametrize("block", [1, 40, 1 << 20])
def test_every_change_of_a_line_is_given_once_however_it_is_cut(
    long: Repo, monkeypatch: pytest.MonkeyPatch, paths: list[str], block: int
) -> None:
    monkeypatch.setattr(git, "_BLOCK", block)
    changes = list(Git(str(long.path)).log(*LINE, *paths))
    names = {change.new for change in changes}
    assert names == {b"docs/a.md", b"docs/side.md"} | (set() if paths else {b"code.py"})
    oids = [change.commit.oid for change in changes]
    assert oids == [oid for oid in line(long) if oid in oids]
    assert paths or oids == line(long)


def test_git_is_ended_when_reading_ends_early(long: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git, "_BLOCK", 40)
    with closing(Git(str(long.path)).log(*LINE)) as changes:
        assert len(list(itertools.islice(changes, 3))) == 3


@pytest.mark.skipif(sys.platform == "win32", reason="platform: the fake git is a shell script")
class TestFakeGit:
    def test_a_log_that_ends_badly_ends_the_line_there(
        self, long: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        whole = line(long)
        fake_git(tmp_path, monkeypatch, '"$real" "$@" | head -c 600; echo broken >&2; exit 128')
        found: list[bytes] = []
        with closing(Git(str(long.path)).log(*LINE)) as changes, pytest.raises(GitError, match="broken"):
            found.extend(change.commit.oid for change in changes)
        assert 2 <= len(found) < COMMITS
        assert found == whole[: len(found)]

    @pytest.mark.parametrize("script", ["exit 1", "kill -9 $$"])
    def test_a_git_that_ends_without_a_word_is_an_error(
        self, long: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str
    ) -> None:
        fake_git(tmp_path, monkeypatch, script)
        with pytest.raises(GitError, match="git ended early"):
            Git(str(long.path)).run("status")
        with pytest.raises(GitError, match="git ended early"):
            list(Git(str(long.path)).log(*LINE))

    def test_a_history_that_takes_too_long_is_ended_though_git_goes_on_talking(
        self, long: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        script = 'case "$*" in *" log "*) while echo; do sleep 0.1; done;; *) exec "$real" "$@";; esac'
        fake_git(tmp_path, monkeypatch, script)
        monkeypatch.setattr(git, "GIT_SECONDS", 1.0)
        started = time.monotonic()
        answer = date(long, "docs/a.md")
        assert time.monotonic() - started < 20
        assert isinstance(answer, Unknown)
        assert answer.detail == "it took longer than 1 seconds, and was ended"


def date(repo: Repo, name: str) -> Answer:
    return History().dates([repo.file(name)])[repo.file(name)]


@pytest.mark.skipif(sys.platform == "win32", reason="platform: the traps are shell scripts")
def test_no_hook_monitor_pager_or_external_diff_is_run(repo: Repo, tmp_path: Path) -> None:
    repo.commit(1, {"docs/a.md": "1", ".gitattributes": "*.md diff=trap merge=trap\n"})
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\necho $0 >> {tmp_path / 'marker'}\n")
    trap.chmod(0o755)
    keys = ["core.fsmonitor", "core.pager", "diff.external", "diff.trap.command", "diff.trap.textconv", "core.editor"]
    for key in (*keys, "merge.trap.driver", "gpg.program", "core.sshCommand"):
        repo.git("config", key, str(trap))
    repo.git("config", "log.showSignature", "true")
    for hook in ("post-index-change", "reference-transaction"):
        os.symlink(trap, repo / ".git" / "hooks" / hook)
    os.utime(repo / "docs" / "a.md", (1, 1))
    history = History()
    answer = history.dates([repo.file("docs/a.md")])[repo.file("docs/a.md")]
    assert isinstance(answer, Change)
    assert history.edited([repo.file("docs/a.md")]) == []
    history.landing(repo.file("docs/a.md"), answer.commit)
    assert not (tmp_path / "marker").exists()
    repo.git("status", check=False)
    assert (tmp_path / "marker").exists()  # the traps are traps
