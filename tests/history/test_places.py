"""What is read of a repository without git: its HEAD, its settings, what it tracks."""

from pathlib import Path

import pytest

from smindex_plugins.history.places import Repository, read_oids
from tests.support.gitrepo import Repo

CONFIG = r"""
# a comment
[core]
	bare = false ; not
	ignorecase
[blame] ignoreRevsFile = plain
[Blame]
	ignorerevsfile =
	ignorerevsfile = "quoted # name" # comment
	ignoreRevsFile = ~/a\
b
[remote "my \"origin\""]
	url = x
	partialCloneFilter = tree:0
[blame "sub"]
	ignoreRevsFile = other
"""


def test_settings_are_read_as_git_reads_them(repo: Repo) -> None:
    (repo / ".git" / "config").write_text(CONFIG)
    read = Repository(str(repo.path))
    assert read.settings("blame.ignorerevsfile") == ["plain", "", "quoted # name", "~/ab"]
    assert read.settings("blame.ignorerevsfile") == repo.git("config", "--get-all", "blame.ignoreRevsFile").split("\n")
    assert read.settings("core.ignorecase") == ["true"]
    assert read.settings("core.bare") == ["false"]
    assert read.lacks_trees()
    (repo / ".git" / "config").write_text("what is this\n[\n=\n" + CONFIG)
    assert read.settings("core.bare") == ["false"]


def test_the_users_settings_come_before_those_of_the_repository(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GIT_CONFIG_GLOBAL")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    (tmp_path / "xdg" / "git").mkdir(parents=True)
    (tmp_path / "xdg" / "git" / "config").write_text("[blame]\nignoreRevsFile = 1\n")
    (tmp_path / ".gitconfig").write_text("[blame]\nignoreRevsFile = 2\n")
    repo.git("config", "blame.ignoreRevsFile", "3")
    assert Repository(str(repo.path)).settings("blame.ignorerevsfile") == ["1", "2", "3"]


def test_head_is_found_on_a_branch_in_packed_references_and_detached(repo: Repo, tmp_path: Path) -> None:
    read = Repository(str(repo.path))
    assert read.head() is None
    oid = repo.commit(1, {"a.md": "1"})
    assert read.head() == oid
    repo.git("pack-refs", "--all")
    assert read.head() == oid
    repo.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "tree"))
    newer = Repo(tmp_path / "tree").commit(2, {"a.md": "2"})
    assert Repository(str(tmp_path / "tree")).head() == newer
    assert read.head() == oid


@pytest.mark.parametrize("head", ["ref: refs/heads/.invalid\n", "ref: HEAD\n", "nonsense", ""])
def test_a_head_that_is_kept_elsewhere_is_not_guessed(repo: Repo, head: str) -> None:
    (repo / ".git" / "HEAD").write_text(head)
    assert Repository(str(repo.path)).head() is None


def test_a_list_of_commits_may_have_comments_and_more(tmp_path: Path) -> None:
    one, two = "a" * 40, "b" * 64
    (tmp_path / "list").write_text(f"# formatters\n\n{one}\n  {two} # black\nabcdef\n{one.upper()}\n")
    assert read_oids(str(tmp_path / "list")) == {one.encode(), two.encode()}
    assert read_oids(str(tmp_path / "none")) == frozenset()


@pytest.mark.parametrize("cut", [0, 11, 60, 75])
def test_an_index_that_ends_too_early_gives_no_spelling(repo: Repo, cut: int) -> None:
    repo.commit(1, {"Guide.md": "1"})
    repo.git("config", "core.ignoreCase", "true")
    index = repo / ".git" / "index"
    read = Repository(str(repo.path))
    assert read.tracked() == 1
    assert read.spelling([b"guide.md"]) == {b"guide.md": b"Guide.md"}
    index.write_bytes(index.read_bytes()[:cut])
    assert read.spelling([b"guide.md"]) == {}


def test_without_an_index_nothing_is_tracked(repo: Repo) -> None:
    assert Repository(str(repo.path)).tracked() == 0
