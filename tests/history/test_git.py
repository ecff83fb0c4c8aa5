"""How git's words are read: a log, and answers about whole commits."""

import itertools
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from smindex_plugins.history.git import Git, GitError
from tests.support.gitrepo import Repo, fake_git

COMMITS = 70
"""More than are asked about at once."""


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


@pytest.fixture
def git(long: Repo) -> Iterator[Git]:
    git = Git(str(long.path))
    yield git
    git.close()


def line(repo: Repo) -> list[bytes]:
    return repo.git("rev-list", "--first-parent", "HEAD").encode().split()


@pytest.mark.parametrize("roots", [[], [b"docs"]])
def test_every_commit_of_a_line_is_given_once_from_wherever_it_begins(long: Repo, git: Git, roots: list[bytes]) -> None:
    whole = line(long)
    for length in (1, 2, COMMITS):
        assert [commit.oid for commit in git.first_parents(whole[-length], roots)] == whole[-length:]


def test_git_is_ended_when_reading_ends_early(git: Git) -> None:
    with closing(git.first_parents(b"HEAD", [])) as commits:
        assert len(list(itertools.islice(commits, 3))) == 3
    assert all(process._popen.returncode is not None for process in git._processes)


def test_any_number_of_questions_about_whole_commits_is_answered_in_their_order(long: Repo, git: Git) -> None:
    oids = line(long)
    answers = list(git.whole(oids[1:]))
    assert [answer.oid for answer in answers] == oids[1:]
    assert {new for answer in answers for _, _, new in answer.entries()} == {b"docs/a.md", b"code.py"}
    assert list(git.whole([])) == []


def test_a_question_may_name_the_parent_that_a_commit_is_compared_with(long: Repo, git: Git) -> None:
    merge, first, second = long.git("rev-parse", "HEAD", "HEAD^1", "HEAD^2").encode().split()
    beside = {parent: next(git.whole([merge + b" " + parent])) for parent in (merge, first, second)}
    changed = {parent: [new for _, _, new in answer.entries()] for parent, answer in beside.items()}
    assert changed == {merge: [], first: [b"docs/side.md"], second: [b"code.py", b"docs/a.md"]}


def test_a_question_about_no_commit_is_an_error(long: Repo, git: Git) -> None:
    with pytest.raises(GitError, match="2 questions with 1 answers"):
        list(git.whole([line(long)[0], b"nonsense"]))


@pytest.mark.skipif(sys.platform == "win32", reason="platform: the fake git is a shell script")
class TestFakeGit:
    def test_a_log_that_ends_badly_ends_the_line_there(
        self, long: Repo, git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        whole = line(long)
        fake_git(tmp_path, monkeypatch, '"$real" "$@" | head -c 600; echo broken >&2; exit 128')
        found: list[bytes] = []
        with closing(git.first_parents(b"HEAD", [])) as commits, pytest.raises(GitError, match="broken"):
            found.extend(commit.oid for commit in commits)
        assert 2 <= len(found) < COMMITS
        assert found == whole[: len(found)]

    @pytest.mark.parametrize("script", ["exit 0", "exit 128", "kill -9 $$"])
    def test_a_git_that_ends_before_it_has_answered_is_an_error(
        self, long: Repo, git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str
    ) -> None:
        questions = line(long)[1:]
        fake_git(tmp_path, monkeypatch, script)
        with pytest.raises(GitError, match="git ended early"):
            list(git.whole(questions))
