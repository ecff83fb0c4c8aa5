"""The commit that changed a file, and the merge with which that was published.

`explain` shows both.
"""

from smindex_plugins.base.proof import ContentChange
from smindex_plugins.history.history import History
from smindex_plugins.history.landing import Described
from tests.support.history import Repo


def landed(repo: Repo, name: str) -> tuple[Described, Described]:
    history = History()
    answer = history.dates([repo.file(name)])[repo.file(name)]
    assert isinstance(answer, ContentChange)
    landing = history.landing(repo.file(name), answer.commit)
    assert landing
    return landing


def test_a_change_of_a_branch_landed_with_its_merge(repo: Repo) -> None:
    repo.commit(1, {"b.md": "1"})
    repo.branch("side")
    repo.commit(2, {"old.md": "new"})
    repo.move("old.md", "a.md")
    origin = repo.commit(3)
    repo.commit(4, {"b.md": "2"})
    repo.switch("main")
    repo.commit(5, {"c.md": "1"})
    merge = repo.merge("side", 6)
    assert [each.commit for each in landed(repo, "a.md")] == [origin, merge]


def test_what_a_merge_itself_changed_and_what_git_does_not_know(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1"})
    repo.branch("side")
    repo.commit(2, {"b.md": "1"})
    repo.switch("main")
    repo.git("merge", "--quiet", "--no-ff", "--no-commit", "side", on=3)
    merge = repo.commit(3, {"a.md": "by the merge"})
    assert [each.commit for each in landed(repo, "a.md")] == [merge, merge]
    assert History().landing(repo.file("a.md"), "0" * 40) is None
    assert History().landing(repo.file("a.md"), repo.git("rev-parse", "HEAD:a.md")) is None
    assert History().landing("/a.md", merge) is None
