"""When files came, whatever changed in them since."""

import pytest

from smindex_plugins.history import Change, History, Reason, Unknown
from tests.support.gitrepo import Repo, day


def arrivals(repo: Repo, *names: str, **options: str) -> list[float | Reason]:
    files = [repo.file(name) for name in names]
    answers = History(**options).arrivals(files)  # type: ignore[arg-type]
    assert list(answers) == files
    said = (answers[file] for file in files)
    return [(it.when - day(0)) / 86_400 if isinstance(it, Change) else it.reason for it in said]


def test_changes_do_not_count(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1"})
    repo.commit(2, {"a.md": "2", "b.md": "2"})
    repo.commit(3, {"a.md": "3"})
    assert arrivals(repo, "a.md", "b.md") == [1, 2]


@pytest.mark.parametrize("line", ["first-parent", "full"])
def test_moves_do_not_count_and_a_file_that_came_again_came_then(repo: Repo, line: str) -> None:
    repo.commit(1, {"posts/a.md": "1", "posts/b.md": "2", "c.md": "3"})
    repo.commit(2, {"posts/b.md": None})
    repo.move("posts/a.md", "posts/2020/a.md")
    repo.commit(3, {"posts/b.md": "4"})
    repo.commit(4, {"posts/2020/a.md": "5", "posts/b.md": "5"})
    assert arrivals(repo, "posts/2020/a.md", "posts/b.md", line=line) == [1, 3]


def test_a_file_of_a_branch_came_with_its_merge_and_in_full_history_with_its_commit(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1"})
    repo.branch("side")
    repo.commit(2, {"b.md": "2"})
    repo.switch("main")
    repo.commit(3, {"a.md": "3"})
    repo.merge("side", 4)
    repo.commit(5, {"b.md": "5"})
    assert arrivals(repo, "b.md") == [4]
    assert arrivals(repo, "b.md", line="full") == [2]


def test_where_history_does_not_reach_nobody_knows(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1"})
    repo.commit(2, {"a.md": "2"})
    repo.commit(3, {"b.md": "3"})
    repo.put("c.md")
    shallow = repo.clone(repo.path.parent / "shallow", "--depth=2")
    assert arrivals(shallow, "a.md", "b.md") == [Reason.SHALLOW, 3]
    assert arrivals(repo, "c.md") == [Reason.UNTRACKED]
    (answer,) = History().arrivals([shallow.file("a.md")]).values()
    assert isinstance(answer, Unknown)
    assert answer.before == day(2)
