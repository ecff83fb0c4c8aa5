"""What is read of a repository beside its log: HEAD, the ignored commits, what it tracks."""

from pathlib import Path

import pytest

from smindex_plugins.history import Change, History
from smindex_plugins.history.git import Git, GitError
from smindex_plugins.history.places import State, ignored_names, is_treeless, read_commits, read_state, tracked_names
from tests.support.gitrepo import Repo


def state(repo: Repo) -> State:
    return read_state(Git(str(repo.path)), None)


def test_a_treeless_clone_is_told_by_the_filter_of_any_remote(repo: Repo) -> None:
    git = Git(str(repo.path))
    repo.git("config", "remote.origin.partialCloneFilter", "blob:none")
    assert not is_treeless(git)
    with (repo / ".git" / "config").open("a") as file:
        file.write('[remote "my \\"origin\\"\\nof old"]\n\tpartialCloneFilter = tree:0\n')
    assert is_treeless(git)


def test_head_is_found_on_a_branch_in_packed_references_and_detached(repo: Repo, tmp_path: Path) -> None:
    oid = repo.commit(1, {"a.md": "1"})
    assert state(repo).head == oid
    repo.git("pack-refs", "--all")
    assert state(repo).head == oid
    repo.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "tree"))
    newer = Repo(tmp_path / "tree").commit(2, {"a.md": "2"})
    assert state(Repo(tmp_path / "tree")).head == newer
    assert state(repo).head == oid


@pytest.mark.parametrize("head", ["ref: refs/heads/.invalid\n", "ref: HEAD\n", "nonsense", ""])
def test_a_head_that_git_does_not_understand_is_not_guessed(repo: Repo, head: str) -> None:
    repo.commit(1, {"a.md": "1"})
    (repo / ".git" / "HEAD").write_text(head)
    with pytest.raises(GitError):
        state(repo)


def test_a_list_of_commits_may_have_comments_and_more(tmp_path: Path) -> None:
    one, two = "a" * 40, "b" * 64
    (tmp_path / "list").write_text(f"# formatters\n\n{one}\n  {two} # black\nabcdef\n{one.upper()}\n")
    assert read_commits(str(tmp_path / "list")) == {one.encode(), two.encode()}
    assert read_commits(str(tmp_path / "none")) == frozenset()
    assert read_commits(str(tmp_path)) == frozenset()
    assert read_commits("a\0b") == frozenset()


def test_a_name_has_the_one_spelling_that_is_tracked(repo: Repo) -> None:
    git = Git(str(repo.path))
    repo.commit(1, dict.fromkeys(["Guide.md", "über.md", "A.md", "a.md"], "1"))
    other = "u\u0308ber.md".encode()
    names = {b"a.md", b"guide.md", other, b"none.md"}
    assert tracked_names(git, "HEAD", names) == {b"a.md": b"a.md"}
    repo.git("config", "core.ignoreCase", "true")
    expected = {b"a.md": b"a.md", b"Guide.md": b"guide.md", "über.md".encode(): other}
    assert tracked_names(git, "HEAD", names) == expected


def test_ignored_names_are_those_that_git_keeps_out(repo: Repo) -> None:
    repo.commit(1, {".gitignore": "made/\n*.tmp\n!b.tmp\n"})
    names = [b"made/deep/a.md", b"a.tmp", b"b.tmp", b"new\nline.tmp", b"-x.md"]
    assert ignored_names(Git(str(repo.path)), names).intersection(names) == {names[0], names[1], names[3]}
    assert not ignored_names(Git(str(repo.path)), names[4:]).intersection(names)


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
