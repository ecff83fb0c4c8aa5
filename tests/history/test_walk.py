"""Every case of a page's history, planted in a real repository: the date is true, or there is none."""

import re
import sys
import time
from pathlib import Path

import pytest

from smindex_plugins.history import Answer, Change, History, Reason, Unknown, git
from tests.support.gitrepo import Repo, day, fake_git

TEN = "".join(f"line {number}\n" for number in range(10))


def date(repo: Repo, name: str | bytes) -> float | Reason:
    """Give the day on which a file changed, or why that is unknown."""
    return dates(repo, name)[0]


def dates(repo: Repo, *names: str | bytes) -> list[float | Reason]:
    files = [repo.file(name) for name in names]
    answers = History().dates(files)
    return [said(answers[file]) for file in files]


def said(answer: Answer) -> float | Reason:
    return (answer.when - day(0)) / 86_400 if isinstance(answer, Change) else answer.reason


def unknown(repo: Repo, name: str) -> Unknown:
    answer = History().dates([repo.file(name)])[repo.file(name)]
    assert isinstance(answer, Unknown)
    return answer


# What dates a file


def test_a_file_is_dated_by_the_commit_that_last_changed_it(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1", "b.md": "1"})
    oid = repo.commit(2, {"a.md": "2"})
    repo.commit(3, {"other.txt": "3"})
    assert dates(repo, "a.md", "b.md") == [2, 1]
    assert History().dates([repo.file("a.md")])[repo.file("a.md")] == Change(day(2), oid)


def test_the_committer_dates_and_not_the_author(repo: Repo) -> None:
    repo.commit(5, {"a.md": "1"}, author=2)
    assert date(repo, "a.md") == 5


def test_a_merged_change_is_dated_by_its_merge(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1"})
    repo.branch("side")
    repo.commit(2, {"a.md": "2"})
    repo.switch("main")
    repo.commit(3, {"b.md": "3"})
    repo.merge("side", 4)
    assert dates(repo, "a.md", "b.md") == [4, 3]


def test_a_merge_that_invents_content_dates_it(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1", "b.md": "1"})
    repo.branch("side")
    repo.commit(2, {"b.md": "2"})
    repo.switch("main")
    repo.git("merge", "--quiet", "--no-ff", "--no-commit", "side", on=3)
    repo.commit(3, {"a.md": "evil"})
    repo.commit(4)
    assert dates(repo, "a.md", "b.md") == [3, 3]


def test_a_merge_that_drops_a_branch_does_not_count_the_branch(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1"})
    repo.branch("side")
    repo.commit(2, {"a.md": "2"})
    repo.switch("main")
    repo.merge("side", 3, "--strategy=ours")
    assert date(repo, "a.md") == 1


def test_the_same_change_on_both_sides_is_dated_when_the_published_line_got_it(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1"})
    repo.branch("side")
    repo.commit(2, {"a.md": "2"})
    repo.switch("main")
    repo.commit(3, {"a.md": "2"})
    repo.merge("side", 4)
    assert date(repo, "a.md") == 3


def test_a_file_changed_on_both_sides_is_dated_by_the_merge(repo: Repo) -> None:
    repo.commit(1, {"a.md": TEN})
    repo.branch("side")
    repo.commit(2, {"a.md": TEN.replace("line 1", "side")})
    repo.switch("main")
    repo.commit(3, {"a.md": TEN.replace("line 8", "main")})
    repo.merge("side", 4)
    assert date(repo, "a.md") == 4


def test_a_revert_is_a_change(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1"})
    repo.commit(2, {"a.md": "2"})
    repo.git("revert", "--no-edit", "HEAD", on=3)
    assert date(repo, "a.md") == 3


def test_a_change_of_mode_alone_is_none(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1"})
    (repo / "a.md").chmod(0o755)
    repo.commit(2)
    assert date(repo, "a.md") == 1


def test_clock_skew_does_not_change_which_commit_dates(repo: Repo) -> None:
    repo.commit(9, {"a.md": "1"})
    repo.commit(3, {"a.md": "2"})
    repo.commit(8, {"b.md": "1"})
    assert date(repo, "a.md") == 3


def test_a_file_that_came_back_is_dated_by_its_return(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1"})
    repo.commit(2, {"a.md": None})
    repo.commit(3, {"a.md": "1"})
    assert date(repo, "a.md") == 3


def test_a_commit_without_parents_that_was_merged_in_is_dated_by_the_merge(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1"})
    repo.git("checkout", "--quiet", "--orphan", "other")
    repo.git("rm", "-rfq", ".")
    repo.commit(2, {"b.md": "1"})
    repo.switch("main")
    repo.merge("other", 3, "--allow-unrelated-histories")
    assert dates(repo, "a.md", "b.md") == [1, 3]


# Renames


def test_an_exact_rename_is_no_change(repo: Repo) -> None:
    repo.commit(1, {"docs/a.md": TEN, "b.md": "1"})
    repo.move("docs/a.md", "docs/deep/c.md")
    repo.commit(2)
    repo.move("docs/deep/c.md", "docs/d.md")
    repo.commit(3)
    assert date(repo, "docs/d.md") == 1


def test_a_rename_with_an_edit_is_a_change(repo: Repo) -> None:
    repo.commit(1, {"a.md": TEN})
    repo.move("a.md", "b.md")
    repo.commit(2, {"b.md": TEN + "more"})
    assert date(repo, "b.md") == 2


def test_a_branch_that_renames_keeps_the_date_of_the_edit_on_the_line(repo: Repo) -> None:
    repo.commit(1, {"a.md": TEN})
    repo.branch("side")
    repo.move("a.md", "b.md")
    repo.commit(2)
    repo.switch("main")
    repo.commit(3, {"a.md": TEN + "more"})
    repo.merge("side", 4)
    assert date(repo, "b.md") == 3


def test_a_copy_is_new(repo: Repo) -> None:
    repo.commit(1, {"a.md": TEN})
    repo.commit(2, {"b.md": TEN})
    assert dates(repo, "a.md", "b.md") == [1, 2]


def test_empty_files_are_no_renames_of_each_other(repo: Repo) -> None:
    repo.commit(1, {"a.md": ""})
    repo.commit(2, {"a.md": None, "b.md": ""})
    assert date(repo, "b.md") == 2


def test_two_pages_that_swap_names_both_change(repo: Repo) -> None:
    repo.commit(1, {"a.md": "A", "b.md": "B"})
    repo.commit(2, {"a.md": "B", "b.md": "A"})
    assert dates(repo, "a.md", "b.md") == [2, 2]


def test_a_rename_in_case_alone_is_no_change(repo: Repo) -> None:
    repo.commit(1, {"Guide.md": TEN})
    repo.git("mv", "Guide.md", "guide.md")
    repo.commit(2)
    assert date(repo, "guide.md") == 1


def code_and_docs(repo: Repo, on: float) -> None:
    """Make a pathspec pay: most files are not asked for."""
    repo.commit(on, {f"code/{number}.py": str(number) for number in range(20)})


def test_a_file_moved_into_the_one_directory_of_all_files_is_new_there(repo: Repo) -> None:
    code_and_docs(repo, 0)
    repo.commit(1, {"site/a.md": TEN})
    repo.move("site/a.md", "docs/a.md")
    repo.commit(2)
    repo.move("docs/a.md", "docs/guide/b.md")
    repo.commit(3)
    assert date(repo, "docs/guide/b.md") == 2
    assert dates(repo, "docs/guide/b.md", "code/1.py") == [1, 0]


def test_a_name_that_is_an_object_id_confuses_nothing(repo: Repo) -> None:
    code_and_docs(repo, 0)
    oid = repo.commit(1, {"docs/site/a.md": TEN})
    for on in range(2, 5):
        oid = repo.commit(on, {oid: oid, f":{oid}": "colon", "docs/c.md": str(on)})
    repo.move("docs/site/a.md", "docs/a.md")
    repo.commit(6)
    assert dates(repo, "docs/a.md", "docs/c.md") == [1, 4]


# What proves nothing


def test_a_shallow_clone_dates_only_what_changed_after_its_boundary(repo: Repo, tmp_path: Path) -> None:
    repo.commit(1, {"a.md": "1", "b.md": "1", "c.md": "1"})
    repo.commit(2, {"b.md": "2"})
    repo.commit(3, {"c.md": "3"})
    clone = repo.clone(tmp_path / "clone", "--depth=2")
    assert dates(clone, "a.md", "b.md", "c.md") == [Reason.SHALLOW, Reason.SHALLOW, 3]
    assert unknown(clone, "a.md").before == day(2)


def test_a_worktree_of_a_shallow_clone_knows_the_boundary(repo: Repo, tmp_path: Path) -> None:
    repo.commit(1, {"a.md": "1"})
    repo.commit(2, {"b.md": "1"})
    clone = repo.clone(tmp_path / "clone", "--depth=1")
    clone.git("worktree", "add", "--quiet", "../tree", "-b", "other")
    assert dates(Repo(tmp_path / "tree"), "a.md", "b.md") == [Reason.SHALLOW, Reason.SHALLOW]


def test_a_blobless_clone_dates_everything_and_downloads_nothing(repo: Repo, tmp_path: Path) -> None:
    code_and_docs(repo, 0)
    repo.commit(1, {"docs/site/a.md": TEN, "docs/b.md": "1"})
    repo.move("docs/site/a.md", "docs/a.md")
    repo.commit(2, {"docs/b.md": "2"})
    clone = repo.clone(tmp_path / "clone", "--filter=blob:none")
    before = clone.git("count-objects", "-v")
    repo.path.rename(tmp_path / "gone")
    assert dates(clone, "docs/a.md", "docs/b.md") == [1, 2]
    assert clone.git("count-objects", "-v") == before


def test_a_blobless_clone_without_a_checkout_is_read_past_commits_that_moved_a_submodule(
    repo: Repo, tmp_path: Path
) -> None:
    repo.commit(0, {".gitmodules": '[submodule "theme"]\n\tpath = theme\n\turl = https://example.org/theme\n'})
    for on, name in enumerate(["1.md", "2.md"], 1):
        theme = f"160000,{'0' * 39}{on},theme"
        repo.put(name, str(on))
        repo.git("add", "--all")
        repo.git("update-index", "--add", "--cacheinfo", theme)
        repo.git("commit", "-qm", "c", on=on)
    clone = repo.clone(tmp_path / "clone", "--filter=blob:none", "--no-checkout")
    clone.git("read-tree", "HEAD")
    repo.path.rename(tmp_path / "gone")
    assert dates(clone, "1.md", "2.md") == [1, 2]


def test_a_treeless_clone_dates_nothing_and_says_why(repo: Repo, tmp_path: Path) -> None:
    repo.commit(1, {"a.md": "1"})
    repo.commit(2, {"docs/b.md": "2"})
    repo.commit(3, {"c.md": "3"})
    clone = repo.clone(tmp_path / "clone", "--filter=tree:0")
    before = clone.git("count-objects", "-v")
    assert date(clone, "a.md") == Reason.TREELESS
    assert clone.git("count-objects", "-v") == before


def test_a_file_that_git_does_not_track_has_no_date(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1", "b.md": "1"})
    repo.git("rm", "--quiet", "--cached", "b.md")
    repo.git("commit", "-qm", "c", on=2)
    repo.put("new.md", "1")
    assert dates(repo, "new.md", "b.md") == [Reason.UNTRACKED, Reason.UNTRACKED]


def test_a_file_renamed_in_git_but_still_on_disk_has_no_date(repo: Repo) -> None:
    repo.commit(1, {"a.md": TEN})
    repo.move("a.md", "b.md")
    repo.commit(2)
    repo.put("a.md", TEN)
    assert dates(repo, "a.md", "b.md") == [Reason.UNTRACKED, 1]


def test_what_git_is_told_to_ignore_is_told_apart_from_what_is_not_committed_yet(repo: Repo) -> None:
    repo.commit(1, {"docs/a.md": "1", ".gitignore": "made/\n*.tmp.md\nkept/*\n!kept/b.md\n/site/\n"})
    names = ("made/a.md", "docs/made/deep/a.md", "docs/x.tmp.md", "kept/a.md", "site/index.html", "kept/b.md", "new.md")
    for name in names:
        repo.put(name)
    assert dates(repo, *names, "docs/a.md") == [*[Reason.IGNORED] * 5, *[Reason.UNTRACKED] * 2, 1]
    assert [date(repo, name) for name in names] == [*[Reason.IGNORED] * 5, *[Reason.UNTRACKED] * 2]


def test_a_file_that_was_committed_and_is_ignored_now_is_ignored(repo: Repo) -> None:
    repo.commit(1, {"made/a.md": "1", "b.md": "1"})
    repo.git("rm", "-q", "--cached", "made/a.md")
    repo.put(".gitignore", "made/\n")
    repo.git("add", ".gitignore")
    repo.git("commit", "-qm", "c", on=2)
    assert date(repo, "made/a.md") == Reason.IGNORED


def test_a_file_outside_any_repository_has_no_date(tmp_path: Path) -> None:
    assert date(Repo(tmp_path), "a.md") == Reason.NO_REPOSITORY


def test_a_git_file_that_points_nowhere_is_no_repository(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("gitdir: /nowhere\n")
    assert date(Repo(tmp_path), "a.md") == Reason.NO_REPOSITORY


def test_without_git_there_are_no_dates(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit(1, {"a.md": "1"})
    monkeypatch.setenv("PATH", "")
    assert date(repo, "a.md") == Reason.NO_GIT


def test_an_empty_repository_has_no_dates(repo: Repo) -> None:
    repo.put("a.md", "1")
    assert date(repo, "a.md") == Reason.UNTRACKED


def test_a_distrusted_repository_is_named(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit(1, {"a.md": "1"})
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")  # git's own test suite uses it
    monkeypatch.setattr(git, "_KEPT", re.compile(""))
    answer = unknown(repo, "a.md")
    assert (answer.reason, answer.repository) == (Reason.DUBIOUS_OWNERSHIP, str(repo.path))


def test_what_was_proven_before_a_missing_object_stands(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1", "docs/b.md": "1"})
    repo.commit(2, {"a.md": "2"})
    tree = repo.git("rev-parse", "HEAD~1^{tree}")
    repo.commit(3, {"docs/b.md": "3"})
    path = repo / ".git" / "objects" / tree[:2] / tree[2:]
    path.chmod(0o644)
    path.unlink()
    assert dates(repo, "a.md", "docs/b.md") == [Reason.UNREADABLE, 3]
    assert tree in unknown(repo, "a.md").detail


def test_a_truncated_object_is_as_good_as_missing(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1"})
    repo.commit(2, {"b.md": "2"})
    commit = repo.git("rev-parse", "HEAD~1")
    path = repo / ".git" / "objects" / commit[:2] / commit[2:]
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:10])
    assert dates(repo, "a.md", "b.md") == [Reason.UNREADABLE, Reason.UNREADABLE]


def test_a_repository_with_long_object_ids_works(tmp_path: Path) -> None:
    repo = Repo.create(tmp_path / "repo", "--object-format=sha256")
    code_and_docs(repo, 0)
    repo.commit(1, {"docs/site/a.md": TEN, "docs/b.md": "1"})
    repo.move("docs/site/a.md", "docs/a.md")
    repo.commit(2)
    reformat = repo.commit(3, {"docs/b.md": "2"})
    repo.commit(4, {".git-blame-ignore-revs": reformat})
    assert dates(repo, "docs/a.md", "docs/b.md") == [1, 1]


LOG = 'case "$*" in *" log "*) {};; *) exec "$real" "$@";; esac'
"""A program in git's place that does something else where a log is asked for."""


@pytest.mark.skipif(sys.platform == "win32", reason="platform: the fake git is a shell script")
class TestFakeGit:
    def test_a_git_that_hangs_is_ended_and_what_it_said_before_stands(
        self, repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        repo.commit(1, {"a.md": "1", "b.md": "1"})
        repo.commit(2, {"b.md": "2"})
        repo.commit(3, {"b.md": "3"})
        fake_git(tmp_path, monkeypatch, LOG.format('"$real" "$@" | head -c 260; exec sleep 100'))
        monkeypatch.setattr(git, "GIT_SECONDS", 0.5)
        started = time.monotonic()
        answers = History().dates([repo.file("a.md"), repo.file("b.md")])
        assert time.monotonic() - started < 20
        a, b = answers.values()
        assert isinstance(a, Unknown)
        assert (a.reason, a.detail) == (Reason.UNREADABLE, "it took longer than 0.5 seconds, and was ended")
        assert said(b) == 3

    def test_a_git_that_hangs_before_it_says_where_head_is_is_ended(
        self, repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        repo.commit(1, {"a.md": "1"})
        fake_git(tmp_path, monkeypatch, "exec sleep 100")
        monkeypatch.setattr(git, "GIT_SECONDS", 0.5)
        started = time.monotonic()
        answer = unknown(repo, "a.md")
        assert time.monotonic() - started < 20
        assert (answer.reason, answer.detail) == (Reason.UNREADABLE, "it took longer than 0.5 seconds, and was ended")

    @pytest.mark.parametrize("output", ["nonsense", "\\\\000\\\\001nonsense\\\\000", "commit 123\\nAuthor: me\\n"])
    def test_a_git_that_talks_nonsense_proves_nothing(
        self, repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, output: str
    ) -> None:
        repo.commit(1, {"a.md": "1"})
        fake_git(tmp_path, monkeypatch, LOG.format(f"printf '{output}'"))
        assert unknown(repo, "a.md").reason == Reason.UNREADABLE

    @pytest.mark.parametrize("record", [":100644 100644 1 2 M", ":1 2 3", "::1 1 1 a b c MM"])
    def test_a_change_that_is_not_understood_proves_nothing(
        self, repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record: str
    ) -> None:
        repo.commit(1, {"a.md": "1"})
        script = f"printf '1 aa bb\\000\\n{record}\\000'"
        fake_git(tmp_path, monkeypatch, LOG.format(script))
        assert unknown(repo, "a.md").reason == Reason.UNREADABLE
