"""Planted histories in real repositories: a date is true, or there is none."""

import os
import re
import sys
from pathlib import Path

import pytest

from smindex_plugins.base.proof import ContentChange, NoDate, Unknown
from smindex_plugins.history.history import History
from tests.support.history import Repo, day, days

TEN = "".join(f"line {number}\n" for number in range(10))
SHALLOW, UNTRACKED = NoDate.SHALLOW, NoDate.UNTRACKED


def play(repo: Repo, history: str) -> None:
    """Make a history of steps: `1 a=x -b c>d` commits on day 1, after a new content, a removal and
    a move.

    The content `ten` has ten lines, of which `ten8` changes one. An ignored commit has an
    exclamation mark: `2! a=y`.
    """
    ignored = []
    for step in history.split("; "):
        match step.split():
            case ["branch", name]:
                repo.branch(name)
            case ["switch", name]:
                repo.switch(name)
            case ["merge", name, on, *options]:
                repo.merge(name, float(on), *options)
            case ["join", name, *options]:  # a merge that the next step commits
                repo.git("merge", "--quiet", "--no-ff", "--no-commit", *options, name)
            case ["git", *arguments]:
                repo.git(*arguments, on=9)
            case [on, *changes]:
                for change in changes:
                    edit(repo, change)
                oid = repo.commit(float(on.rstrip("!"))) if on != "later" else ""
                ignored += [oid] * on.endswith("!")
    if ignored:
        repo.put(".git-blame-ignore-revs", "\n".join(ignored))


def edit(repo: Repo, change: str) -> None:
    name, sign, other = re.fullmatch(r"(.+?)(?:([=>])(.*))?", change.strip("-")).groups()  # type: ignore[union-attr] # it matches
    if sign == ">":
        repo.move(f"{name}.md", f"{other}.md")
    elif sign == "=":
        line = other.removeprefix("ten")
        repo.put(
            f"{name}.md",
            TEN.replace(f"line {line}\n", "new\n") if other.startswith("ten") else other,
        )
    else:
        os.remove(repo / f"{name}.md")


HISTORIES: dict[str, tuple[str, dict[str, float | NoDate]]] = {
    "the last change counts": ("1 a=1 b=1; 2 a=2; 3 c=3", {"a": 2, "b": 1}),
    "a change of mode is none": (
        "1 a=1; git update-index --chmod=+x a.md; git commit -qm c",
        {"a": 1},
    ),
    "the order of commits counts, not that of clocks": ("9 a=1; 3 a=2; 8 b=1", {"a": 3}),
    "a merge dates the change of a branch": (
        "1 a=1; branch x; 2 a=2; switch main; 3 b=3; merge x 4",
        {"a": 4, "b": 3},
    ),
    "a change on both sides is dated when the published line got it": (
        "1 a=1; branch side; 2 a=2; switch main; 3 a=2; merge side 4",
        {"a": 3},
    ),
    "changes on both sides are dated by the merge": (
        "1 a=ten; branch x; 2 a=ten1; switch main; 3 a=ten8; merge x 4",
        {"a": 4},
    ),
    "a file that a merge removed and that is there again": (
        (
            "1 a=1; branch side; 2 a=2; switch main; 3 a=3; join side --strategy=ours; 4 -a; later"
            " a=new"
        ),
        {"a": UNTRACKED},
    ),
    "an exact rename is no change": ("1 a=ten b=1; 2 a>deep/c; 3 deep/c>d", {"d": 1}),
    "a move of the whole directory is no change": (
        "1 doc/a=ten doc/b=1; 2 doc/b=2; 3 doc/a>docs/a doc/b>docs/b; 4 docs/c=1",
        {"docs/a": 1, "docs/b": 2, "docs/c": 4},
    ),
    "a move of the whole directory with edits is a change of the edited files": (
        "1 doc/a=ten doc/b=1; 2 doc/a>docs/a docs/a=ten5 doc/b>docs/b",
        {"docs/a": 2, "docs/b": 1},
    ),
    "moves out of the directory and back are no change": (
        "1 doc/a=ten; 2 doc/a>docs/a; 3 docs/a>x/deep/a; 4 x/deep/a>docs/b docs/n=1",
        {"docs/b": 1, "docs/n": 4},
    ),
    "a merge that moves the whole directory is no change": (
        "1 doc/a=ten; branch side; 2 doc/a>docs/a; switch main; 3 z=1; merge side 4",
        {"docs/a": 1},
    ),
    "a rename in case is no change": ("1 Guide=ten; 2 Guide>guide", {"guide": 1}),
    "a rename with an edit is a change": ("1 a=ten; 2 a>b b=ten5", {"b": 2}),
    "a rename by a merge, and another file at the old name": (
        "1 a=ten; branch side; 2 c=1; switch main; 3 d=1; join side; 4 a>b; later a=new",
        {"a": UNTRACKED, "b": 1},
    ),
    "a copy is new": ("1 a=ten; 2 b=ten", {"a": 1, "b": 2}),
    "empty files are no renames of each other": ("1 a=; 2 -a b=", {"b": 2}),
    "pages that swap names both change": ("1 a=A b=B; 2 a=B b=A", {"a": 2, "b": 2}),
    "an ignored commit counts only for what it added": (
        "1 a=1; 2! a=2 b=2; 3 c=3",
        {"a": 1, "b": 2},
    ),
    "an ignored commit of a merged branch does not count": (
        (
            "1 a=1 b=1 c=1; branch side; 2! a=2 b=2; 3 b=3 c=3; switch main; 4 d=4; merge side 5;"
            " 6 d=6"
        ),
        {"a": 1, "b": 5, "c": 5, "d": 6},
    ),
    "the first merge into the published line brings an ignored commit in": (
        (
            "1 a=1 b=1; branch outer; branch inner; 2! a=2; branch late; 6 c=6; "
            "switch outer; 3 b=3; merge inner 4; switch main; merge outer 5; merge late 7"
        ),
        {"a": 1, "b": 5, "c": 7},
    ),
}


@pytest.mark.parametrize(("history", "dates"), HISTORIES.values(), ids=HISTORIES)
def test_a_file_is_dated_when_the_published_line_got_its_content(
    repo: Repo, history: str, dates: dict[str, float | NoDate]
) -> None:
    play(repo, history)
    assert dict(zip(dates, days(repo, *(f"{name}.md" for name in dates)), strict=True)) == dates


def test_a_change_has_the_committers_date_its_commit_and_whether_that_added_the_file(
    repo: Repo,
) -> None:
    first = repo.commit(1, {"a.md": "1", "b.md": "1"})
    second = repo.commit(3, {"a.md": "2", "list.txt": "# formatter\n"}, author=2)
    answers = History().dates([repo.file("a.md"), repo.file("b.md")])
    assert list(answers.values()) == [
        ContentChange(day(3), second),
        ContentChange(day(1), first, is_new=True),
    ]
    repo.put("list.txt", f"# formatter\n\nabcdef\n{second.upper()}\n")
    assert days(repo, "a.md", ignore_revs_file="list.txt") == [3]
    repo.put("list.txt", f"# formatter\n\n  {second} # all\nabcdef\n")
    assert days(repo, "a.md", ignore_revs_file="list.txt") == [1]


def test_removals_and_moves_are_dated_by_directory_in_the_directories_of_the_files(
    repo: Repo,
) -> None:
    repo.commit(
        1,
        {
            "a/1.md": "1",
            "a/2.md": "2" * 99,
            "b/3.md": "3",
            "c/4.md": "4",
            "d/x.txt": "5",
            "e/6.md": "6",
        },
    )
    repo.commit(2, {"a/1.md": None})
    repo.move("a/2.md", "b/2.md")
    repo.commit(3)
    repo.commit(4, {"d/x.txt": None, "c/4.md": "44"})
    repo.commit(5, {"a-old/7.md": "7", "a-old/8.md": "8"})
    repo.commit(6, {"a-old/8.md": None})
    history = History()
    history.start([repo.file(name) for name in ("b/2.md", "b/3.md", "c/4.md", "e/6.md")])
    assert history.removals({".md"}) == {repo.file("a"): day(3), repo.file("b"): day(3)}
    assert history.removals({".txt"}) == {}


def test_a_worktree_of_a_shallow_clone_dates_only_what_changed_after_its_boundary(
    repo: Repo, tmp_path: Path
) -> None:
    for on, name in enumerate("abc", 1):
        repo.commit(on, {f"{name}.md": "1"})
    clone = repo.clone(tmp_path / "clone", "--depth=2")
    clone.git("worktree", "add", "--quiet", "../tree", "-b", "other")
    for tree in (clone, Repo(tmp_path / "tree")):
        assert days(tree, "a.md", "b.md", "c.md") == [SHALLOW, SHALLOW, 3]
        answer = History().dates([tree.file("a.md")])[tree.file("a.md")]
        assert answer == Unknown(SHALLOW, before=day(2))


def test_a_blobless_clone_dates_everything_and_downloads_nothing(
    repo: Repo, tmp_path: Path
) -> None:
    """Even without a checkout, and past commits that moved a submodule."""
    repo.commit(
        0,
        {".gitmodules": '[submodule "theme"]\n\tpath = theme\n\turl = https://example.org/theme\n'},
    )
    repo.commit(1, {"site/a.md": TEN, "b.md": "1"})
    repo.move("site/a.md", "a.md")
    for on in (2, 3):
        repo.put("b.md", str(on))
        repo.git("add", "--all")
        repo.git("update-index", "--add", "--cacheinfo", f"160000,{'0' * 39}{on},theme")
        repo.git("commit", "-qm", "c", on=on)
    clones = [
        repo.clone(tmp_path / name, "--filter=blob:none", *more)
        for name, more in (("a", []), ("b", ["-n"]))
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
    assert days(clone, "a.md") == [NoDate.TREELESS]
    assert clone.git("count-objects", "-v") == before


def test_the_dates_before_a_damaged_object_are_kept(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1", "docs/b.md": "1"})
    repo.commit(2, {"a.md": "2"})
    tree = repo.git("rev-parse", "HEAD~1^{tree}")
    repo.commit(3, {"docs/b.md": "3"})
    path = repo / ".git" / "objects" / tree[:2] / tree[2:]
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:10])
    assert days(repo, "a.md", "docs/b.md") == [NoDate.UNREADABLE, 3]


DIRECTORY = b":(top)[d]*/"
ODD_NAMES: list[str | bytes] = [
    *(
        "größe.md",
        "日本.md",
        "tab\there.md",
        "new\nline.md",
        'quo"te.md',
        "\x01.md",
        "-rf.md",
        ":(top)x.md",
        "[x]*.md",
    ),
    *(
        "back\\slash.md",
        " space .md",
        ":100644 100644 1 2 M.md",
        "R100.md",
        "HEAD",
        "0" * 40,
        b"invalid-\xff.md",
    ),
]


@pytest.mark.skipif(
    sys.platform != "linux", reason="platform: other file systems refuse some of these names"
)
@pytest.mark.parametrize("format_", ["sha1", "sha256"])
def test_a_file_of_any_name_is_dated_in_repositories_of_both_formats(
    tmp_path: Path, format_: str
) -> None:
    repo = Repo.create(tmp_path / "repo", f"--object-format={format_}")
    for on, name in enumerate(ODD_NAMES, 1):
        repo.put(DIRECTORY + b"deep/" + os.fsencode(name), str(on))
        repo.commit(on)
    repo.git("mv", *(DIRECTORY + b"deep/" + os.fsencode(name) for name in ODD_NAMES), DIRECTORY)
    repo.commit(50, {"readme.md": "lower", "README.md": "upper"})
    reformat = repo.commit(51, {f"{os.fsdecode(DIRECTORY)}HEAD": "changed"})
    repo.put(".git-blame-ignore-revs", reformat)
    assert days(repo, *(DIRECTORY + os.fsencode(name) for name in ODD_NAMES)) == list(
        range(1, len(ODD_NAMES) + 1)
    )
    assert days(repo, "readme.md", "README.md", "Readme.md") == [50, 50, UNTRACKED]
