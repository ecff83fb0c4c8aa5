"""Where the repository of a file is, and what the dates in it depend on besides its log."""

import sys
from pathlib import Path

import pytest

from smindex_plugins.base.proof import NoDate
from smindex_plugins.history.history import History
from tests.support.history import Repo, day_or_reason, days

UNTRACKED, IGNORED = NoDate.UNTRACKED, NoDate.IGNORED


def date(path: str | Path) -> float | NoDate:
    return day_or_reason(History().dates([str(path)])[str(path)])


def test_repositories_in_a_repository_have_their_own_histories(repo: Repo, tmp_path: Path) -> None:
    inner, library = Repo.create(repo / "inner"), Repo.create(tmp_path / "library")
    inner.commit(1, {"a.md": "1"})
    library.commit(3, {"a.md": "1"})
    repo.put(".gitignore", "inner")
    repo.git("submodule", "--quiet", "add", str(library.path), "sub")
    repo.commit(2, {"a.md": "2"})
    repo.git("worktree", "add", "--quiet", str(tmp_path / "tree"), "-b", "other")
    Repo(tmp_path / "tree").commit(4, {"a.md": "4"})
    history = History()
    files = [repo.file(name) for name in ("inner/a.md", "a.md", "sub/a.md")] + [
        str(tmp_path / "tree/a.md")
    ]
    assert [day_or_reason(answer) for answer in history.dates(files).values()] == [1, 2, 3, 4]
    assert history.repository(inner.file("a.md")) == str(inner.path)


def test_a_link_has_the_date_of_its_target(repo: Repo, tmp_path: Path) -> None:
    repo.commit(1, {"a.md": "1", "v1/a.md": "1", "v2/a.md": "2", "docs/c.md": "1"})
    links = {
        "docs/b.md": "../a.md",
        "current": "v1",
        "../other": "repo",
        "out.md": "../outside.md",
        "loop.md": "loop.md",
    }
    for name, target in links.items():
        (repo / name).symlink_to(target)
    (tmp_path / "outside.md").write_text("1")
    repo.commit(2)
    repo.commit(3, {"a.md": "3"})
    paths = [
        repo / "docs/b.md",
        repo / "current/a.md",
        tmp_path / "other/v1/a.md",
        repo / "out.md",
        repo / "loop.md",
    ]
    assert list(map(date, paths)) == [3, 1, 1, NoDate.NO_REPOSITORY, 2]
    both = [str(repo / "docs/b.md"), str(tmp_path / "outside.md")]
    assert [day_or_reason(answer) for answer in History().dates(both).values()] == [
        3,
        NoDate.ELSEWHERE,
    ]


def test_head_is_found_packed_and_detached(repo: Repo) -> None:
    for on in (1, 2):
        repo.commit(on, {"a.md": str(on)})
    repo.git("pack-refs", "--all")
    assert date(repo / "a.md") == 2
    repo.git("checkout", "--quiet", "HEAD~1")
    assert date(repo / "a.md") == 1


@pytest.mark.parametrize("head", ["ref: refs/heads/.invalid\n", "nonsense"])
def test_a_head_that_git_does_not_understand_is_not_guessed(repo: Repo, head: str) -> None:
    repo.commit(1, {"a.md": "1"})
    (repo / ".git" / "HEAD").write_text(head)
    assert isinstance(date(repo / "a.md"), NoDate)


@pytest.mark.skipif(
    sys.platform != "linux", reason="platform: the file system must tell case apart"
)
@pytest.mark.parametrize("format_", ["sha1", "sha256"])
def test_if_git_folds_names_a_file_is_found_by_the_one_name_that_is_tracked(
    tmp_path: Path, format_: str
) -> None:
    repo = Repo.create(tmp_path / "repo", f"--object-format={format_}")
    for on, name in enumerate(["docs/Guide.md", "docs/über.md", "Ab.md", "aB.md"], 1):
        repo.commit(on, {name: str(on)})
    repo.put("New.md")
    repo.git("add", "New.md")
    names = ["docs/guide.md", "docs/u\u0308ber.md", "aB.md", "AB.md", "docs/none.md", "new.md"]
    assert days(repo, *names) == [UNTRACKED, UNTRACKED, 4, *[UNTRACKED] * 3]
    repo.git("config", "core.ignoreCase", "true")
    assert days(repo, *names) == [1, 2, 4, *[UNTRACKED] * 3]


def test_what_git_ignores_is_told_apart_from_what_is_not_committed(repo: Repo) -> None:
    repo.commit(1, {"docs/a.md": "1", "made/b.md": "1", "c.md": "1"})
    repo.git("rm", "--quiet", "--cached", "made/b.md", "c.md")
    repo.commit(2, {".gitignore": "made/\n*.tmp.md\nkept/*\n!kept/b.md\n/site/\nc.md\n"})
    ignored = [
        "made/b.md",
        "c.md",
        "docs/made/deep/a.md",
        "docs/x.tmp.md",
        "kept/a.md",
        "site/a.html",
        "n\nl.tmp.md",
    ]
    untracked = ["kept/b.md", "new.md", ":(top)x.md", "-x.md"]
    for name in [*ignored, *untracked]:
        repo.put(name)
    assert days(repo, *ignored, *untracked, "docs/a.md") == [*[IGNORED] * 7, *[UNTRACKED] * 4, 1]


@pytest.mark.parametrize("cut", [0, 60])
def test_without_a_readable_index_files_have_their_dates(repo: Repo, cut: int) -> None:
    repo.commit(1, {"docs/a.md": "1"})
    index = repo / ".git" / "index"
    content = index.read_bytes()
    index.write_bytes(content[:cut])
    assert days(repo, "docs/a.md") == [1]


def test_without_git_or_a_repository_or_a_commit_there_are_no_dates(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "nowhere").mkdir()
    (tmp_path / "nowhere/.git").write_text("gitdir: /nowhere\n")
    assert date(tmp_path / "nowhere/a.md") == date(tmp_path / "a.md") == NoDate.NO_REPOSITORY
    repo.put("a.md", "1")
    assert date(repo / "a.md") == UNTRACKED
    repo.commit(1)
    monkeypatch.setenv("PATH", "")
    assert date(repo / "a.md") == NoDate.NO_GIT
