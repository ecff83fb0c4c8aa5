"""Planted histories in real repositories: a date is true, or there is none."""

import os
import sys
from collections.abc import Callable
from operator import methodcaller as do
from pathlib import Path

import pytest

from smindex_plugins.history import Change, History, Reason
from tests.support.dated import days
from tests.support.gitrepo import Repo, day

TEN = "".join(f"line {number}\n" for number in range(10))
SIDE, MAIN = do("branch", "side"), do("switch", "main")
SHALLOW, UNTRACKED = Reason.SHALLOW, Reason.UNTRACKED


def commit(on: float, **files: str | None) -> Callable[[Repo], object]:
    """Commit Markdown files on a day; None removes one."""
    return do("commit", on, {f"{name}.md": content for name, content in files.items()})


def joined(strategy: str = "") -> Callable[[Repo], object]:
    """Merge the branch without a commit, which the next step makes."""
    options = ["--strategy=ours"] if strategy else []
    return do("git", "merge", "--quiet", "--no-ff", "--no-commit", *options, "side", on=9)


HISTORIES: dict[str, tuple[list[Callable[[Repo], object]], dict[str, float | Reason]]] = {
    "the last change counts": ([commit(1, a="1", b="1"), commit(2, a="2"), commit(3, c="3")], {"a": 2, "b": 1}),
    "the committer dates, not the author": ([do("commit", 5, {"a.md": "1"}, author=2)], {"a": 5}),
    "a revert is a change": (
        [commit(1, a="1"), commit(2, a="2"), do("git", "revert", "--no-edit", "HEAD", on=3)],
        {"a": 3},
    ),
    "a change of mode is none": (
        [commit(1, a="1"), lambda repo: (repo / "a.md").chmod(0o755), do("commit", 2)],
        {"a": 1},
    ),
    "the order of commits counts, not that of clocks": (
        [commit(9, a="1"), commit(3, a="2"), commit(8, b="1")],
        {"a": 3},
    ),
    "a file that came back is dated by its return": ([commit(1, a="1"), commit(2, a=None), commit(3, a="1")], {"a": 3}),
    "a merge dates the change of a branch": (
        [commit(1, a="1"), SIDE, commit(2, a="2"), MAIN, commit(3, b="3"), do("merge", "side", 4)],
        {"a": 4, "b": 3},
    ),
    "a merge that makes content dates it": (
        [
            commit(1, a="1", b="1"),
            SIDE,
            commit(2, b="2"),
            MAIN,
            joined(),
            commit(3, a="new", c="new"),
            commit(4, d="1"),
        ],
        {"a": 3, "b": 3, "c": 3},
    ),
    "a branch that a merge drops does not count": (
        [commit(1, a="1"), SIDE, commit(2, a="2"), MAIN, do("merge", "side", 3, "--strategy=ours")],
        {"a": 1},
    ),
    "a change on both sides is dated when the published line got it": (
        [commit(1, a="1"), SIDE, commit(2, a="2"), MAIN, commit(3, a="2"), do("merge", "side", 4)],
        {"a": 3},
    ),
    "changes on both sides are dated by the merge": (
        [
            *(commit(1, a=TEN), SIDE, commit(2, a=TEN.replace("line 1", "side")), MAIN),
            *(commit(3, a=TEN.replace("line 8", "main")), do("merge", "side", 4)),
        ],
        {"a": 4},
    ),
    "an unrelated history is dated by the merge": (
        [
            *(commit(1, a="1"), do("git", "checkout", "--quiet", "--orphan", "side"), do("git", "rm", "-rfq", ".")),
            *(commit(2, b="1"), MAIN, do("merge", "side", 3, "--allow-unrelated-histories")),
        ],
        {"a": 1, "b": 3},
    ),
    "a file that a merge removed and that is there again": (
        [
            *(commit(1, a="1"), SIDE, commit(2, a="2"), MAIN, commit(3, a="3"), joined("ours"), commit(4, a=None)),
            do("put", "a.md", "new"),
        ],
        {"a": UNTRACKED},
    ),
    "an exact rename is no change": (
        [
            commit(1, a=TEN, b="1"),
            do("move", "a.md", "deep/c.md"),
            do("commit", 2),
            do("move", "deep/c.md", "d.md"),
            do("commit", 3),
        ],
        {"d": 1},
    ),
    "a rename in case is no change": (
        [commit(1, Guide=TEN), do("git", "mv", "Guide.md", "guide.md"), do("commit", 2)],
        {"guide": 1},
    ),
    "a rename with an edit is a change": (
        [commit(1, a=TEN), do("move", "a.md", "b.md"), commit(2, b=TEN + "more")],
        {"b": 2},
    ),
    "a rename on a branch keeps the date of the edit on the line": (
        [
            *(commit(1, a=TEN), SIDE, do("move", "a.md", "b.md"), do("commit", 2), MAIN, commit(3, a=TEN + "more")),
            do("merge", "side", 4),
        ],
        {"b": 3},
    ),
    "a rename by a merge, and another file at the old name": (
        [
            *(commit(1, a=TEN), SIDE, commit(2, c="1"), MAIN, commit(3, d="1"), joined()),
            *(do("move", "a.md", "b.md"), do("commit", 4), do("put", "a.md", "new")),
        ],
        {"a": UNTRACKED, "b": 1},
    ),
    "a copy is new": ([commit(1, a=TEN), commit(2, b=TEN)], {"a": 1, "b": 2}),
    "empty files are no renames of each other": ([commit(1, a=""), commit(2, a=None, b="")], {"b": 2}),
    "pages that swap names both change": ([commit(1, a="A", b="B"), commit(2, a="B", b="A")], {"a": 2, "b": 2}),
}


@pytest.mark.parametrize(("steps", "dates"), HISTORIES.values(), ids=HISTORIES)
def test_a_file_is_dated_when_the_published_line_got_its_content(
    repo: Repo, steps: list[Callable[[Repo], object]], dates: dict[str, float | Reason]
) -> None:
    for step in steps:
        step(repo)
    assert dict(zip(dates, days(repo, *(f"{name}.md" for name in dates)), strict=True)) == dates


def test_a_change_has_its_commit_and_whether_that_added_the_file(repo: Repo) -> None:
    first = repo.commit(1, {"a.md": "1", "b.md": "1"})
    second = repo.commit(2, {"a.md": "2"})
    answers = History().dates([repo.file("a.md"), repo.file("b.md")])
    assert list(answers.values()) == [Change(day(2), second), Change(day(1), first, is_new=True)]


def test_a_file_that_moved_into_the_one_directory_of_all_files_is_new_there(repo: Repo) -> None:
    repo.commit(0, {f"code/{number}.py": str(number) for number in range(20)})
    repo.commit(1, {"site/a.md": TEN})
    for on, (old, new) in enumerate([("site/a.md", "docs/a.md"), ("docs/a.md", "docs/guide/b.md")], 2):
        repo.move(old, new)
        repo.commit(on)
    assert days(repo, "docs/guide/b.md") == [2]
    assert days(repo, "docs/guide/b.md", "code/1.py") == [1, 0]
    assert days(repo, *(f"code/{number}.py" for number in range(20))) == [0] * 20


def test_an_ignored_commit_does_not_count_except_for_what_it_added(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1"})
    reformat = repo.commit(2, {"a.md": "2", "b.md": "2"})
    repo.commit(3, {"own.txt": f"# formatter\n{reformat} # all\n"})
    assert days(repo, "a.md", "b.md") == [2, 2]
    assert days(repo, "a.md", "b.md", ignore_revs_file="own.txt") == [1, 2]
    repo.commit(4, {".git-blame-ignore-revs": reformat})
    assert days(repo, "a.md", "b.md") == [1, 2]


def test_an_ignored_commit_of_a_merged_branch_does_not_count_either(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1", "b.md": "1", "c.md": "1"})
    repo.branch("side")
    reformat = repo.commit(2, {"a.md": "2", "b.md": "2"})
    repo.commit(3, {"b.md": "3", "c.md": "3"})
    repo.switch("main")
    repo.commit(4, {"d.md": "4"})
    repo.merge("side", 5)
    repo.put(".git-blame-ignore-revs", reformat)
    assert days(repo, "a.md", "b.md", "c.md", "d.md") == [1, 5, 5, 4]
    repo.commit(6, {"d.md": "6"})
    assert days(repo, "a.md", "b.md", "c.md", "d.md") == [1, 5, 5, 6]


def test_an_ignored_commit_is_brought_in_by_the_first_merge_into_the_published_line(repo: Repo) -> None:
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
    assert days(repo, "a.md", "b.md", "c.md") == [1, 5, 7]


def test_removals_and_moves_are_dated_by_directory_in_the_directories_of_the_files(repo: Repo) -> None:
    repo.commit(1, {"a/1.md": "1", "a/2.md": "2" * 99, "b/3.md": "3", "c/4.md": "4", "d/x.txt": "5", "e/6.md": "6"})
    repo.commit(2, {"a/1.md": None})
    repo.move("a/2.md", "b/2.md")
    repo.commit(3)
    repo.commit(4, {"d/x.txt": None, "c/4.md": "44"})
    repo.commit(5, {"X/7.md": "7", "X/8.md": "8"})
    repo.commit(6, {"X/8.md": None})
    history = History()
    history.start([repo.file(name) for name in ("b/2.md", "b/3.md", "c/4.md", "e/6.md")])
    assert history.removals({".md"}) == {repo.file("a"): day(3), repo.file("b"): day(3)}
    assert history.removals({".txt"}) == {}


def test_a_shallow_clone_dates_only_what_changed_after_its_boundary(repo: Repo, tmp_path: Path) -> None:
    repo.commit(1, {"a.md": "1", "b.md": "1", "c.md": "1"})
    repo.commit(2, {"b.md": "2"})
    repo.commit(3, {"c.md": "3"})
    clone = repo.clone(tmp_path / "clone", "--depth=2")
    clone.git("worktree", "add", "--quiet", "../tree", "-b", "other")
    for tree in (clone, Repo(tmp_path / "tree")):
        assert days(tree, "a.md", "b.md", "c.md") == [SHALLOW, SHALLOW, 3]
        answer = History().dates([tree.file("a.md")])[tree.file("a.md")]
        assert not isinstance(answer, Change)
        assert answer.before == day(2)


def test_a_blobless_clone_dates_everything_and_downloads_nothing(repo: Repo, tmp_path: Path) -> None:
    """Even without a checkout, and past commits that moved a submodule."""
    repo.commit(0, {".gitmodules": '[submodule "theme"]\n\tpath = theme\n\turl = https://example.org/theme\n'})
    repo.commit(1, {"site/a.md": TEN, "b.md": "1"})
    repo.move("site/a.md", "a.md")
    for on in (2, 3):
        repo.put("b.md", str(on))
        repo.git("add", "--all")
        repo.git("update-index", "--add", "--cacheinfo", f"160000,{'0' * 39}{on},theme")
        repo.git("commit", "-qm", "c", on=on)
    clones = [
        repo.clone(tmp_path / name, "--filter=blob:none", *options) for name, options in (("a", []), ("b", ["-n"]))
    ]
    clones[1].git("read-tree", "HEAD")
    repo.path.rename(tmp_path / "gone")
    for clone in clones:
        before = clone.git("count-objects", "-v")
        assert days(clone, "a.md", "b.md") == [1, 3]
        assert clone.git("count-objects", "-v") == before


def test_a_treeless_clone_dates_nothing_and_downloads_nothing(repo: Repo, tmp_path: Path) -> None:
    for on, name in enumerate(["a.md", "docs/b.md", "c.md"], 1):
        repo.commit(on, {name: "1"})
    clone = repo.clone(tmp_path / "clone", "--filter=tree:0")
    before = clone.git("count-objects", "-v")
    assert days(clone, "a.md") == [Reason.TREELESS]
    assert clone.git("count-objects", "-v") == before


def test_the_dates_before_a_damaged_object_are_kept(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1", "docs/b.md": "1"})
    repo.commit(2, {"a.md": "2"})
    tree = repo.git("rev-parse", "HEAD~1^{tree}")
    repo.commit(3, {"docs/b.md": "3"})
    path = repo / ".git" / "objects" / tree[:2] / tree[2:]
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:10])
    assert days(repo, "a.md", "docs/b.md") == [Reason.UNREADABLE, 3]


DIRECTORY = b":(top)[d]*/"
ODD_NAMES: list[str | bytes] = [
    *("größe.md", "日本.md", "tab\there.md", "new\nline.md", 'quo"te.md', "\x01.md", "-rf.md", ":(top)x.md", "[x]*.md"),
    *("back\\slash.md", " space .md", ":100644 100644 1 2 M.md", "R100.md", "HEAD", "0" * 40, b"invalid-\xff.md"),
]


@pytest.mark.skipif(sys.platform != "linux", reason="platform: other file systems refuse some of these names")
@pytest.mark.parametrize("format_", ["sha1", "sha256"])
def test_a_file_of_any_name_is_dated_in_repositories_of_both_formats(tmp_path: Path, format_: str) -> None:
    repo = Repo.create(tmp_path / "repo", f"--object-format={format_}")
    for on, name in enumerate(ODD_NAMES, 1):
        repo.put(DIRECTORY + b"deep/" + os.fsencode(name), str(on))
        repo.commit(on)
    repo.git("mv", *(DIRECTORY + b"deep/" + os.fsencode(name) for name in ODD_NAMES), DIRECTORY)
    repo.commit(50, {"readme.md": "lower", "README.md": "upper"})
    reformat = repo.commit(51, {f"{os.fsdecode(DIRECTORY)}HEAD": "changed"})
    repo.put(".git-blame-ignore-revs", reformat)
    assert days(repo, *(DIRECTORY + os.fsencode(name) for name in ODD_NAMES)) == list(range(1, len(ODD_NAMES) + 1))
    assert days(repo, "readme.md", "README.md", "Readme.md") == [50, 50, UNTRACKED]
