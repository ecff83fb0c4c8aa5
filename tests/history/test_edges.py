"""What histories say at their edges: of merges, of what is walked again, and of what git says when it fails."""

from pathlib import Path

import pytest

from smindex_plugins.history import Answer, Change, History, Reason, Unknown
from tests.support.gitrepo import Repo, day, fake_git


def answers(repo: Repo, *names: str) -> list[Answer]:
    files = [repo.file(name) for name in names]
    found = History().dates(files)
    return [found[file] for file in files]


def test_what_a_merge_made_is_new_if_the_published_line_did_not_have_it(repo: Repo) -> None:
    repo.commit(1, {"x.md": "1"})
    repo.branch("side")
    repo.commit(2, {"side.md": "1"})
    repo.switch("main")
    repo.commit(3, {"main.md": "1"})
    repo.git("merge", "--quiet", "--no-ff", "--no-commit", "side", on=4)
    merge = repo.commit(4, {"side.md": "2", "main.md": "2", "both.md": "1"})
    assert answers(repo, "side.md", "main.md", "both.md", "x.md") == [
        Change(day(4), merge, is_new=True),
        Change(day(4), merge, is_new=False),
        Change(day(4), merge, is_new=True),
        Change(day(1), repo.git("rev-parse", "HEAD~2"), is_new=True),
    ]


def test_a_file_that_a_merge_removed_and_that_is_there_again_is_not_committed(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1"})
    repo.branch("side")
    repo.commit(2, {"a.md": "2"})
    repo.switch("main")
    repo.commit(3, {"a.md": "3"})
    repo.git("merge", "--quiet", "--no-ff", "--no-commit", "--strategy=ours", "side", on=4)
    repo.commit(4, {"a.md": None})
    repo.put("a.md", "new")
    assert answers(repo, "a.md") == [Unknown(Reason.UNTRACKED)]


def test_a_file_that_a_merge_moved_away_and_that_is_there_again_is_not_committed(repo: Repo) -> None:
    repo.commit(1, {"a.md": "a\nb\nc\n"})
    repo.branch("side")
    repo.commit(2, {"other.md": "1"})
    repo.switch("main")
    repo.commit(3, {"more.md": "1"})
    repo.git("merge", "--quiet", "--no-ff", "--no-commit", "side", on=4)
    repo.move("a.md", "b.md")
    repo.commit(4)
    repo.put("a.md", "new")
    assert answers(repo, "a.md") == [Unknown(Reason.UNTRACKED)]
    assert [isinstance(answer, Change) and answer.when for answer in answers(repo, "b.md")] == [day(1)]


def test_a_listed_commit_does_not_count_though_it_came_by_a_merge_within_a_branch(repo: Repo) -> None:
    first = repo.commit(1, {"a.md": "1"})
    repo.branch("side")
    repo.commit(2, {"b.md": "1"})
    repo.branch("within")
    reformat = repo.commit(3, {"a.md": "2"})
    repo.switch("side")
    repo.commit(4, {"b.md": "2"})
    repo.merge("within", 5)
    repo.switch("main")
    repo.commit(6, {"c.md": "1"})
    merge = repo.merge("side", 7)
    repo.commit(8, {"d.md": "1"})
    repo.put(".git-blame-ignore-revs", reformat)
    found = answers(repo, "a.md", "b.md")
    assert found == [Change(day(1), first, is_new=True), Change(day(7), merge, is_new=True)]


def test_a_listed_commit_does_not_count_though_the_head_brought_it_in(repo: Repo) -> None:
    first = repo.commit(1, {"a.md": "1"})
    repo.branch("side")
    reformat = repo.commit(2, {"a.md": "2"})
    repo.switch("main")
    repo.commit(3, {"c.md": "1"})
    repo.merge("side", 4)
    repo.put(".git-blame-ignore-revs", reformat)
    assert answers(repo, "a.md") == [Change(day(1), first, is_new=True)]


def test_a_removal_is_told_by_the_directory_whatever_its_name(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1", "b.md": "1", "X/a.md": "1", "X/b.md": "1"})
    repo.commit(2, {"X/b.md": None})
    repo.commit(3, {"b.md": None})
    history = History()
    history.dates([repo.file("a.md"), repo.file("X/a.md")])
    assert history.removals({".md"}) == {str(repo.path): day(3), repo.file("X"): day(2)}


def test_a_move_into_what_is_asked_for_is_told_and_one_beside_it_is_not(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1", "c.md": "a\nb\n", "docs/d.md": "1", "docs-old/e.md": "1", "docs-old/f.md": "1"})
    repo.move("c.md", "b.md")
    repo.commit(2)
    repo.commit(3, {"docs-old/e.md": None})
    history = History()
    history.dates([repo.file("a.md"), repo.file("b.md"), repo.file("docs/d.md")])
    assert history.removals({".md"}) == {str(repo.path): day(2)}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("fatal: broken\\nand more", (Reason.UNREADABLE, "fatal: broken")),
        ("fatal: detected dubious ownership in repository", (Reason.DUBIOUS_OWNERSHIP, "")),
        ("fatal: unsafe repository", (Reason.DUBIOUS_OWNERSHIP, "")),
        ("fatal: not a git repository", (Reason.NO_REPOSITORY, "")),
        ("fatal: bad revision 'HEAD'", (Reason.UNTRACKED, "")),
        ("fatal: your current branch does not have any commits yet", (Reason.UNTRACKED, "")),
        ("usage: git log", (Reason.UNREADABLE, "usage: git log")),
    ],
)
def test_what_git_says_first_is_the_reason_or_told_beside_it(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, expected: tuple[Reason, str]
) -> None:
    repo.commit(1, {"a.md": "1"})
    fake_git(tmp_path, monkeypatch, f'printf "{said}\\n" >&2; exit 128')
    (answer,) = answers(repo, "a.md")
    assert isinstance(answer, Unknown)
    assert (answer.reason, answer.detail) == expected
