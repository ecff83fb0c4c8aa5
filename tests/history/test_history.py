"""One answer for all files of a site, whichever repositories they are in and whenever they are
named.
"""

from pathlib import Path

import pytest

from smindex_plugins.base.settings import Settings
from smindex_plugins.history.history import History
from smindex_plugins.pages.others import unmatched_revisions
from tests.support.history import Repo, day, day_or_reason


def test_uncommitted_edits_change_no_date_and_are_named(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1", "b.md": "1", "c.md": "1"})
    repo.put("a.md", "edited")
    repo.put("b.md", "staged")
    repo.git("add", "b.md")
    files = [repo.file(name) for name in ("a.md", "b.md", "c.md")]
    history = History()
    assert [day_or_reason(answer) for answer in history.dates(files).values()] == [1, 1, 1]
    assert history.edited(files) == files[:2]


def test_files_that_are_named_later_are_dated_too_and_others_are_not_read_again(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit(1, {"a.md": "1", "b.md": "1"})
    repo.commit(2, {"b.md": "2"})
    files = [repo.file("a.md"), repo.file("b.md")]
    history = History()
    history.start(files[:1])
    assert [day_or_reason(answer) for answer in history.dates(files).values()] == [1, 2]
    monkeypatch.setenv("PATH", "")
    assert [day_or_reason(answer) for answer in history.dates(files).values()] == [1, 2]


def test_commits_are_ignored_by_their_subjects(repo: Repo, tmp_path: Path) -> None:
    files = [repo.file("a.md"), repo.file("b.md")]
    repo.commit(
        1, {"a.md": "1", "b.md": "1"}, message="chore: a commit that adds a file always counts"
    )
    repo.commit(2, {"a.md": "2"}, message="Correct a step")
    repo.git("checkout", "--quiet", "-b", "side")
    repo.commit(3, {"a.md": "3", "b.md": "3"}, message="chore(tags): größer")
    repo.git("checkout", "--quiet", "-")
    repo.commit(4, {"c.md": "4"})
    repo.git("merge", "--quiet", "--no-ff", "-m", "Merge side", "side", on=5)
    repo.commit(6, {"a.md": "6"}, message="Typo [skip lastmod]\n\nchore: in the body")

    def answers(*patterns: str) -> list[object]:
        history = History(None, patterns)
        found: list[object] = [day_or_reason(answer) for answer in history.dates(files).values()]
        return found + [finding.problem for finding in unmatched_revisions(history, Settings())]

    assert answers("^chore") == [6, 1]
    assert answers(r"^chore\(.*\): größer$", r"\[skip lastmod\]") == [2, 1]
    assert answers("^Chore", r"\[skip") == [5, 5, "`^Chore` matches no commit subject."]
    repo.git("clone", "--quiet", "--depth=1", f"file://{repo.path}", str(tmp_path / "shallow"))
    history = History(None, ["^chore"])
    history.dates([str(tmp_path / "shallow/a.md")])
    assert list(unmatched_revisions(history, Settings())) == [], (
        "the commits may be beyond the boundary"
    )


def test_a_list_of_commits_that_none_of_several_repositories_has_is_reported(repo: Repo) -> None:
    inner = Repo.create(repo / "inner")
    inner.commit(1, {"a.md": "1", "list.txt": "#"})
    repo.commit(1, {"a.md": "1", "sub/b.md": "1"})
    for name, count in {"list.txt": 0, "none.txt": 1, "sub": 1}.items():
        history, settings = History(name), Settings(ignore_revs_file=name)
        assert list(unmatched_revisions(history, settings)) == [], "no repository was read"
        history.dates([repo.file("a.md"), inner.file("a.md")])
        assert [finding.problem for finding in unmatched_revisions(history, settings)] == [
            f"`{name}` can't be read."
        ] * count


def test_the_times_of_commits_are_those_of_author_and_committer_without_boundary_commits(
    repo: Repo, tmp_path: Path
) -> None:
    repo.commit(1, {"a.md": "1"})
    repo.commit(3, {"a.md": "2"}, author=2)
    clone = repo.clone(tmp_path / "clone", "--depth=1")
    assert History().commit_times(str(repo.path)) == {day(1), day(2), day(3)}
    assert History().commit_times(str(clone.path)) == set()
