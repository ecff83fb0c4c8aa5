"""Where a page's history is found, what is asked besides its date, and settings and names that try to interfere."""

import os
import sys
from pathlib import Path

import pytest

from smindex_plugins.history import Answer, Change, History, Reason, Unknown, newest
from tests.support.gitrepo import Repo, day


def said(answer: Answer) -> float | Reason:
    return (answer.when - day(0)) / 86_400 if isinstance(answer, Change) else answer.reason


def date(path: str | Path, ignore_revs_file: str | None = None) -> float | Reason:
    return said(History(ignore_revs_file).dates([str(path)])[str(path)])


# Ignored commits


def test_listed_commits_do_not_count_but_what_they_added_does(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1"})
    reformat = repo.commit(2, {"a.md": "2", "b.md": "2"})
    repo.commit(3, {".git-blame-ignore-revs": f"# formatter\n{reformat} # all\n"})
    assert date(repo / "a.md") == 1
    assert date(repo / "b.md") == 2


def test_the_list_may_have_another_name(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1"})
    reformat = repo.commit(2, {"a.md": "2"})
    repo.commit(3, {"ignored.txt": reformat})
    assert date(repo / "a.md") == 2
    assert date(repo / "a.md", ignore_revs_file="ignored.txt") == 1


def merged_reformat(repo: Repo) -> str:
    """Merge, on day 5, a branch whose first commit changed a.md and b.md, and its second b.md and c.md."""
    repo.commit(1, {"a.md": "1", "b.md": "1", "c.md": "1"})
    repo.branch("side")
    reformat = repo.commit(2, {"a.md": "2", "b.md": "2"})
    repo.commit(3, {"b.md": "3", "c.md": "3"})
    repo.switch("main")
    repo.commit(4, {"d.md": "4"})
    repo.merge("side", 5)
    repo.commit(6, {"d.md": "6"})
    return reformat


def test_a_listed_commit_that_came_in_by_a_merge_does_not_count_either(repo: Repo) -> None:
    reformat = merged_reformat(repo)
    repo.commit(7, {".git-blame-ignore-revs": reformat})
    assert [date(repo / f"{name}.md") for name in "abcd"] == [1, 5, 5, 6]


def test_the_merge_that_counts_is_the_one_that_brought_the_commit_to_the_published_line(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1", "b.md": "1"})
    repo.branch("outer")
    repo.branch("inner")
    reformat = repo.commit(2, {"a.md": "2"})
    repo.switch("outer")
    repo.commit(3, {"b.md": "3"})
    repo.merge("inner", 4)
    repo.switch("main")
    repo.merge("outer", 5)
    repo.branch("late", "inner")
    repo.commit(6, {"c.md": "6"})
    repo.switch("main")
    repo.merge("late", 7)
    repo.commit(8, {".git-blame-ignore-revs": reformat})
    assert [date(repo / f"{name}.md") for name in "abc"] == [1, 5, 7]


# Where the repository is


def test_a_nested_repository_has_its_own_history(repo: Repo) -> None:
    inner = Repo.create(repo / "inner")
    inner.commit(1, {"a.md": "1"})
    repo.put(".gitignore", "inner")
    repo.commit(2, {"a.md": "2"})
    history = History()
    answers = history.dates([inner.file("a.md"), repo.file("a.md")])
    assert [said(answer) for answer in answers.values()] == [1, 2]
    assert history.repository(inner.file("a.md")) == str(inner.path)


def test_a_submodule_has_its_own_history(repo: Repo, tmp_path: Path) -> None:
    library = Repo.create(tmp_path / "library")
    library.commit(1, {"a.md": "1"})
    repo.git("submodule", "--quiet", "add", str(library.path), "sub")
    repo.commit(2)
    assert date(repo / "sub" / "a.md") == 1


def test_a_worktree_has_the_history_of_its_own_head(repo: Repo, tmp_path: Path) -> None:
    repo.commit(1, {"a.md": "1"})
    repo.git("worktree", "add", "--quiet", str(tmp_path / "tree"), "-b", "other")
    Repo(tmp_path / "tree").commit(2, {"a.md": "2"})
    assert date(tmp_path / "tree" / "a.md") == 2
    assert date(repo / "a.md") == 1


def test_a_link_has_the_date_of_the_file_to_which_it_leads(repo: Repo, tmp_path: Path) -> None:
    repo.commit(1, {"a.md": "1", "v1/a.md": "1", "v2/a.md": "2", "docs/c.md": "1"})
    os.symlink("../a.md", repo / "docs" / "b.md")
    os.symlink("v1", repo / "current")
    os.symlink(repo.path, tmp_path / "elsewhere")
    repo.commit(2)
    links = [repo / "docs" / "b.md", repo / "current" / "a.md", tmp_path / "elsewhere" / "v1" / "a.md"]
    assert list(map(date, links)) == [1, 1, 1]
    repo.commit(3, {"a.md": "3"})
    assert list(map(date, links)) == [3, 1, 1]


def test_a_link_out_of_the_repository_proves_nothing(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text("1")
    os.symlink(tmp_path / "outside.md", repo / "a.md")
    repo.commit(1)
    assert date(repo / "a.md") == Reason.NO_REPOSITORY


def test_links_in_a_circle_end(repo: Repo) -> None:
    os.symlink("b.md", repo / "a.md")
    os.symlink("a.md", repo / "b.md")
    repo.commit(1)
    assert date(repo / "a.md") == 1


def test_files_of_many_directories_are_found_without_a_pathspec(repo: Repo) -> None:
    repo.commit(0, {f"code{number}/x.py": "" for number in range(30)})
    repo.commit(1, {f"part{number}/a.md": str(number) for number in range(20)})
    files = [repo.file(f"part{number}/a.md") for number in range(20)]
    assert {said(answer) for answer in History().dates(files).values()} == {1}


# Names


ODD_NAMES: list[str | bytes] = [
    "größe.md", "日本.md", "tab\there.md", "new\nline.md", 'quo"te.md', "\x01.md", "-rf.md", ":(top)x.md",
    "[x]*.md", "back\\slash.md", " space .md", ":100644 100644 1 2 M.md", "R100.md", "HEAD", b"invalid-\xff.md",
]  # fmt: skip


@pytest.mark.skipif(sys.platform != "linux", reason="platform: other file systems refuse some of these names")
def test_every_name_that_a_file_can_have_is_dated(repo: Repo) -> None:
    for on, name in enumerate(ODD_NAMES, 1):
        repo.put(b"docs/deep/" + os.fsencode(name), str(on))
        repo.commit(on)
    for on, name in enumerate(ODD_NAMES, 20):
        moved = b"docs/" + os.fsencode(name)
        repo.move(os.path.join("docs/deep", os.fsdecode(name)), os.fsdecode(moved))
        repo.commit(on)
    repo.commit(50, {f"code/{number}": str(number) for number in range(20)})
    files = [repo.file(b"docs/" + os.fsencode(name)) for name in ODD_NAMES]
    assert [said(answer) for answer in History().dates(files).values()] == list(range(1, len(ODD_NAMES) + 1))


@pytest.mark.skipif(sys.platform != "linux", reason="platform: the file system must tell case apart")
def test_names_that_differ_in_case_are_different_files(repo: Repo) -> None:
    repo.commit(1, {"readme.md": "1"})
    repo.commit(2, {"README.md": "2"})
    assert [date(repo / "readme.md"), date(repo / "README.md"), date(repo / "Readme.md")] == [1, 2, Reason.UNTRACKED]


@pytest.mark.parametrize("version", ["2", "3", "4"])
@pytest.mark.parametrize("format_", ["sha1", "sha256"])
def test_where_git_folds_names_a_file_is_found_by_the_one_name_it_is_tracked_by(
    tmp_path: Path, version: str, format_: str
) -> None:
    repo = Repo.create(tmp_path / "repo", f"--object-format={format_}")
    names = ["docs/Guide.md", "docs/über.md", "docs/guides/a.md", "README.md"]
    for on, name in enumerate(names, 1):
        repo.commit(on, {name: str(on)})
    if version == "3":  # an intent to add has the extended flags that make it so
        repo.put("later.md", "1")
        repo.git("add", "--intent-to-add", "later.md")
    repo.git("update-index", "--index-version", version)
    wanted = ["docs/guide.md", "docs/u\u0308ber.md", "docs/guides/A.md", "README.md", "docs/none.md"]
    expected: list[float | Reason] = [1, 2, 3, 4, Reason.UNTRACKED]
    assert [date(repo / name) for name in wanted[:3]] == [Reason.UNTRACKED] * 3
    repo.git("config", "core.ignoreCase", "true")
    assert [date(repo / name) for name in wanted] == expected


def test_where_git_folds_names_a_file_that_was_only_added_is_not_committed(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1"})
    repo.put("Guide.md", "1")
    repo.git("add", "Guide.md")
    repo.git("config", "core.ignoreCase", "true")
    assert date(repo / "guide.md") == Reason.UNTRACKED


def test_where_git_folds_names_and_two_are_alike_neither_is_taken(repo: Repo) -> None:
    repo.commit(1, {"guide.md": "1", "Guide.md": "2"})
    repo.git("config", "core.ignoreCase", "true")
    assert date(repo / "GUIDE.md") == Reason.UNTRACKED


# Settings


HOSTILE = {
    "diff.relative": "true",
    "log.showRoot": "false",
    "log.showSignature": "true",
    "log.follow": "true",
    "log.diffMerges": "combined",
    "log.date": "relative",
    "log.decorate": "full",
    "log.mailmap": "true",
    "format.pretty": "oneline",
    "diff.renames": "copies",
    "diff.renameLimit": "1",
    "diff.external": "false",
    "diff.noprefix": "true",
    "diff.ignoreSubmodules": "all",
    "color.ui": "always",
    "core.pager": "false",
    "core.quotePath": "true",
    "core.abbrev": "4",
    "core.fsmonitor": "false",
    "pager.log": "true",
    "alias.log": "!false",
    "status.showUntrackedFiles": "all",
    "i18n.logOutputEncoding": "utf-16",
}


@pytest.fixture(scope="module")
def eventful(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """Give a repository in which a page moved, another came in by a merge, and most files are no pages."""
    repo = Repo.create(tmp_path_factory.mktemp("eventful") / "repo")
    repo.commit(1, {"docs/a.md": "one\n" * 9, "docs/b.md": "1"})
    repo.commit(1, {f"code/{number}": str(number) for number in range(20)})
    repo.branch("side")
    repo.commit(2, {"docs/b.md": "2"})
    repo.switch("main")
    repo.move("docs/a.md", "docs/c.md")
    repo.commit(3)
    repo.merge("side", 4)
    return repo


@pytest.mark.parametrize("setting", HOSTILE)
def test_no_setting_of_the_users_changes_a_date(
    eventful: Repo, setting: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "settings"))
    section, _, key = setting.rpartition(".")
    (tmp_path / "settings").write_text(f'[{section}]\n\t{key} = "{HOSTILE[setting]}"\n')
    assert [date(eventful / "docs" / name) for name in ("c.md", "b.md")] == [1, 4]


def test_the_variables_of_a_git_hook_lead_nowhere(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit(1, {"docs/a.md": "1"})
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE", "GIT_PREFIX"):
        monkeypatch.setenv(name, str(tmp_path / "nowhere"))
    monkeypatch.setenv("GIT_ICASE_PATHSPECS", "1")
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "false")
    assert date(repo / "docs" / "a.md") == 1


# Several sources


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([], Reason.NO_SOURCE),
        ([Change(1, "a"), Change(2, "b")], 2),
        ([Change(2, "a"), Unknown(Reason.UNTRACKED)], Reason.UNTRACKED),
        ([Change(2, "a"), Unknown(Reason.SHALLOW, before=2)], 2),
        ([Change(2, "a"), Unknown(Reason.SHALLOW, before=3)], Reason.SHALLOW),
        ([Unknown(Reason.SHALLOW, before=3)], Reason.SHALLOW),
    ],
)
def test_several_sources_have_the_newest_date_unless_an_unknown_one_may_be_newer(
    answers: list[Answer], expected: float | Reason
) -> None:
    found = newest(answers)
    assert (found.when if isinstance(found, Change) else found.reason) == expected


# Removals


def test_removals_and_moves_are_dated_by_directory(repo: Repo) -> None:
    repo.commit(1, {"a/1.md": "1", "a/2.md": "2" * 99, "b/3.md": "3", "c/4.md": "4", "d/x.txt": "5", "e/6.md": "6"})
    repo.commit(2, {"a/1.md": None})
    repo.move("a/2.md", "b/2.md")
    repo.commit(3)
    repo.commit(4, {"d/x.txt": None, "c/4.md": "44"})
    history = History()
    history.start([repo.file(name) for name in ("b/2.md", "b/3.md", "c/4.md", "e/6.md")])
    removals = {
        os.path.relpath(path, repo.path): (when - day(0)) / 86_400 for path, when in history.removals({".md"}).items()
    }
    assert removals == {"a": 3, "b": 3}


# Edits, and files that are named late


def test_files_with_uncommitted_edits_keep_their_dates_and_are_named(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1", "b.md": "1", "c.md": "1"})
    repo.put("a.md", "edited")
    repo.put("b.md", "staged")
    repo.git("add", "b.md")
    files = [repo.file(name) for name in ("a.md", "b.md", "c.md")]
    history = History()
    assert [said(answer) for answer in history.dates(files).values()] == [1, 1, 1]
    assert history.edited(files) == files[:2]


def test_sources_that_are_named_late_are_dated_too(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1", "b.md": "1"})
    history = History()
    history.start([repo.file("a.md")])
    assert [said(answer) for answer in history.dates([repo.file("a.md"), repo.file("b.md")]).values()] == [1, 1]
