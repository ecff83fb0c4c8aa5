"""What histories say at their edges: of merges, of what is walked again, and of what git says when it fails."""

import shutil
from pathlib import Path

import pytest

from smindex_plugins.history import Answer, Change, History, Reason, Unknown
from smindex_plugins.history.trail import pathspec
from tests.support.gitrepo import Repo, day, fake_git


def answers(repo: Repo, *names: str, line: str = "full") -> list[Answer]:
    files = [repo.file(name) for name in names]
    found = History(line=line).dates(files)  # type: ignore[arg-type]
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


@pytest.mark.parametrize("line", ["first-parent", "full"])
def test_a_file_that_a_merge_removed_and_that_is_there_again_is_not_committed(repo: Repo, line: str) -> None:
    repo.commit(1, {"a.md": "1"})
    repo.branch("side")
    repo.commit(2, {"a.md": "2"})
    repo.switch("main")
    repo.commit(3, {"a.md": "3"})
    repo.git("merge", "--quiet", "--no-ff", "--no-commit", "--strategy=ours", "side", on=4)
    repo.commit(4, {"a.md": None})
    repo.put("a.md", "new")
    assert answers(repo, "a.md", line=line) == [Unknown(Reason.UNTRACKED)]


@pytest.mark.parametrize("line", ["first-parent", "full"])
def test_a_file_that_a_merge_moved_away_and_that_is_there_again_is_not_committed(repo: Repo, line: str) -> None:
    repo.commit(1, {"a.md": "a\nb\nc\n"})
    repo.branch("side")
    repo.commit(2, {"other.md": "1"})
    repo.switch("main")
    repo.commit(3, {"more.md": "1"})
    repo.git("merge", "--quiet", "--no-ff", "--no-commit", "side", on=4)
    repo.move("a.md", "b.md")
    repo.commit(4)
    repo.put("a.md", "new")
    assert answers(repo, "a.md", line=line) == [Unknown(Reason.UNTRACKED)]
    assert [isinstance(answer, Change) and answer.when for answer in answers(repo, "b.md", line=line)] == [day(1)]


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
    found = answers(repo, "a.md", "b.md", line="first-parent")
    assert found == [Change(day(1), first, is_new=True), Change(day(7), merge, is_new=True)]


def test_a_listed_commit_does_not_count_though_the_head_brought_it_in(repo: Repo) -> None:
    first = repo.commit(1, {"a.md": "1"})
    repo.branch("side")
    reformat = repo.commit(2, {"a.md": "2"})
    repo.switch("main")
    repo.commit(3, {"c.md": "1"})
    repo.merge("side", 4)
    repo.put(".git-blame-ignore-revs", reformat)
    assert answers(repo, "a.md", line="first-parent") == [Change(day(1), first, is_new=True)]


def test_what_is_asked_early_is_walked_once_parts_included(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1", "part.txt": "1"})
    history = History()
    source, part = repo.file("a.md"), repo.file("part.txt")
    for ask in (history.start, history.dates):
        ask([source], [part])
        assert [len(walks) for walks in history._walks.values()] == [1]


def test_a_file_arrived_on_the_day_that_the_settings_ask_for(repo: Repo) -> None:
    repo.commit(5, {"a.md": "1"}, author=2)
    repo.commit(6, {"a.md": "2"}, author=3)
    file = repo.file("a.md")
    for date, on in (("committer", 5), ("author", 2)):
        answer = History(date=date).arrivals([file])[file]  # type: ignore[arg-type]
        assert isinstance(answer, Change)
        assert answer.when == day(on)


def test_a_removal_is_told_by_the_directory_whatever_its_name(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1", "b.md": "1", "X/a.md": "1", "X/b.md": "1"})
    repo.commit(2, {"X/b.md": None})
    repo.commit(3, {"b.md": None})
    history = History()
    history.dates([repo.file("a.md"), repo.file("X/a.md")])
    assert history.removals() == {str(repo.path): day(3), repo.file("X"): day(2)}


def test_a_move_into_what_is_asked_for_is_told_and_one_beside_it_is_not(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1", "c.md": "a\nb\n", "docs/d.md": "1", "docs-old/e.md": "1", "docs-old/f.md": "1"})
    repo.move("c.md", "b.md")
    repo.commit(2)
    repo.commit(3, {"docs-old/e.md": None})
    history = History()
    history.dates([repo.file("a.md"), repo.file("b.md"), repo.file("docs/d.md")])
    assert history.removals() == {str(repo.path): day(2)}


MANY = {b"%d/a.md" % number for number in range(17)}


@pytest.mark.parametrize(
    ("names", "paths"),
    [
        (set(), []),
        ({b"a.md"}, [b"a.md"]),
        ({b"docs/a.md"}, [b"docs/a.md"]),
        ({b"docs/a.md", b"docs/b/c.md"}, [b"docs"]),
        ({b"docs/b/a.md", b"docs/b/c/d.md", b"docs/b/e.md"}, [b"docs/b"]),
        ({b"b.md", b"docs/a.md", b"docs/b.md"}, [b"b.md", b"docs"]),
        (MANY - {b"0/a.md"}, sorted(str(number).encode() for number in range(1, 17))),
        (MANY, []),
    ],
)
def test_git_is_asked_for_few_directories_or_for_all(names: set[bytes], paths: list[bytes]) -> None:
    assert pathspec(names) == paths


def test_a_list_of_commits_is_judged_by_the_name_that_the_settings_say(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1", "ignored.txt": "no commit", ".git-blame-ignore-revs": ""})
    for name, lines in (("ignored.txt", 1), (None, 0)):
        history = History(ignore_revs_file=name)
        assert list(history.wrong_revisions()) == []
        history.dates([repo.file("a.md")])
        assert len(list(history.wrong_revisions())) == lines


def test_files_that_a_filter_reads_are_not_called_edited_whatever_their_names(repo: Repo) -> None:
    names = ("-a.md", "b.md", "c.md", "d.md")
    filters = "*a.md filter=x\nb.md filter=x\nd.md filter=x\n"
    repo.commit(1, {".gitattributes": filters, **dict.fromkeys(names, "1")})
    repo.git("config", "filter.x.clean", "cat")
    files = [repo.put(name, "edited") for name in names]
    history = History()
    history.dates(files)
    assert history.edited(files) == [repo.file("c.md")]


@pytest.mark.filterwarnings("ignore:.*FileIO:pytest.PytestUnraisableExceptionWarning")  # git never began
@pytest.mark.parametrize("gone", [".git", "."])
def test_a_repository_that_is_gone_is_forgotten(repo: Repo, gone: str) -> None:
    repo.commit(1, {"a.md": "1"})
    history = History()
    history.dates([repo.file("a.md")])
    shutil.rmtree(repo / gone)
    history.refresh()
    assert not history._walks


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("fatal: broken\\nand more", (Reason.UNREADABLE, "fatal: broken")),
        ("fatal: " + "x" * 293, (Reason.UNREADABLE, "fatal: " + "x" * 293)),
        ("fatal: " + "x" * 294, (Reason.UNREADABLE, "fatal: " + "x" * 293)),
        ("fatal: detected dubious ownership in repository", (Reason.DUBIOUS_OWNERSHIP, "")),
        ("fatal: unsafe repository", (Reason.DUBIOUS_OWNERSHIP, "")),
        ("fatal: not a git repository", (Reason.NO_REPOSITORY, "fatal: not a git repository")),
        ("fatal: bad revision 'HEAD'", (Reason.UNTRACKED, "")),
        ("fatal: your current branch does not have any commits yet", (Reason.UNTRACKED, "")),
        ("usage: git log", (Reason.OLD_GIT, "usage: git log")),
    ],
)
def test_what_git_says_first_is_the_reason_or_told_beside_it(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, expected: tuple[Reason, str]
) -> None:
    repo.commit(1, {"a.md": "1"})
    fake_git(tmp_path, monkeypatch, f'printf "{said}\\n" >&2; exit 128')
    assert answers(repo, "a.md") == [Unknown(expected[0], detail=expected[1], repository=str(repo.path))]
