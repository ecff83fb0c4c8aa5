"""What git says of a repository before its history is walked: HEAD, the settings, what it tracks."""

from pathlib import Path

import pytest

from smindex_plugins.history import Change, History
from smindex_plugins.history.git import Git, GitError
from smindex_plugins.history.places import Repository, read_oids, spelling
from tests.support.gitrepo import Repo

ONE, TWO, THREE = "1" * 40, "2" * 40, "3" * 40


def read(repo: Repo, ignore_revs_file: str | None = None) -> Repository:
    git = Git(str(repo.path))
    try:
        return Repository(git, ignore_revs_file)
    finally:
        git.close()


def test_the_settings_are_those_of_git(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1"})
    assert not read(repo).folds_names()
    assert not read(repo).lacks_trees()
    with (repo / ".git" / "config").open("a") as file:
        file.write('[core]\n\tignoreCase\n[remote "my \\"origin\\"\\nof old"]\n\tpartialCloneFilter = tree:0\n')
    assert read(repo).folds_names()
    assert read(repo).lacks_trees()
    repo.git("config", "--add", "core.ignoreCase", "no")
    assert not read(repo).folds_names()


def test_the_lists_of_the_user_and_of_the_repository_count_all(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GIT_CONFIG_GLOBAL")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    (tmp_path / "xdg" / "git").mkdir(parents=True)
    for name, oid in (("one", ONE), ("two # list", TWO), ("three", THREE)):
        (tmp_path / name).write_text(oid)
    (tmp_path / "xdg" / "git" / "config").write_text("[blame]\nignoreRevsFile = ~/one\n")
    (tmp_path / ".gitconfig").write_text('[Blame]\nignorerevsfile = "~/two # list" # mine\n')
    repo.git("config", "blame.ignoreRevsFile", str(tmp_path / "three"))
    repo.commit(1, {"a.md": "1"})
    assert read(repo).state.ignored == {ONE.encode(), TWO.encode(), THREE.encode()}
    (tmp_path / ".gitconfig").write_text("[blame]\nignoreRevsFile =\n")  # which forgets those before it
    assert read(repo).state.ignored == {THREE.encode()}


def test_head_is_found_on_a_branch_in_packed_references_and_detached(repo: Repo, tmp_path: Path) -> None:
    oid = repo.commit(1, {"a.md": "1"})
    assert read(repo).state.head == oid.encode()
    repo.git("pack-refs", "--all")
    assert read(repo).state.head == oid.encode()
    repo.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "tree"))
    newer = Repo(tmp_path / "tree").commit(2, {"a.md": "2"})
    assert read(Repo(tmp_path / "tree")).state.head == newer.encode()
    assert read(repo).state.head == oid.encode()


@pytest.mark.parametrize("head", ["ref: refs/heads/.invalid\n", "ref: HEAD\n", "nonsense", ""])
def test_a_head_that_git_does_not_understand_is_not_guessed(repo: Repo, head: str) -> None:
    repo.commit(1, {"a.md": "1"})
    (repo / ".git" / "HEAD").write_text(head)
    with pytest.raises(GitError):
        read(repo)


def test_a_list_of_commits_may_have_comments_and_more(tmp_path: Path) -> None:
    one, two = "a" * 40, "b" * 64
    (tmp_path / "list").write_text(f"# formatters\n\n{one}\n  {two} # black\nabcdef\n{one.upper()}\n")
    assert read_oids(str(tmp_path / "list")) == {one.encode(), two.encode()}
    assert read_oids(str(tmp_path / "none")) == frozenset()


def test_a_name_has_the_one_spelling_that_is_tracked() -> None:
    tracked = [b"Guide.md", "über.md".encode(), b"A.md", b"a.md"]
    assert spelling([b"guide.md", "u\u0308ber.md".encode(), b"a.md", b"none.md"], tracked) == {
        b"guide.md": b"Guide.md",
        "u\u0308ber.md".encode(): "über.md".encode(),
    }
    assert spelling([b"guide.md"], []) == {}
    assert spelling([b"GUIDE.md"], [b"guide.md", b"Guide.md"]) == {}


@pytest.mark.parametrize("cut", [None, 0, 11, 60, 75])
def test_without_an_index_that_git_can_read_files_have_their_dates(repo: Repo, cut: int | None) -> None:
    oid = repo.commit(1, {"docs/a.md": "1"})
    repo.git("config", "core.ignoreCase", "true")
    index = repo / ".git" / "index"
    whole = index.read_bytes()
    index.unlink()
    if cut is not None:
        index.write_bytes(whole[:cut])
    answer = History().dates([repo.file("docs/a.md")])[repo.file("docs/a.md")]
    assert isinstance(answer, Change)
    assert answer.commit == oid
