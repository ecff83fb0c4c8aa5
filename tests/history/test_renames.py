"""Where moved files are now: along several moves, with edits, and in clones that lack a part of the
history.
"""

from pathlib import Path

from smindex_plugins.history.renames import moved_files
from tests.support.history import Repo

LINES = "".join(f"Line {number} of a long text.\n" for number in range(30))


def moved(repo: Repo, *directories: str) -> dict[str, str]:
    found, notes = moved_files([repo.file(name) for name in directories] or [str(repo.path)])
    assert notes == []
    root = f"{repo.path}/"
    return {old.removeprefix(root): new.removeprefix(root) for old, new in found.items()}


def test_a_file_is_followed_through_moves_and_edits(repo: Repo) -> None:
    repo.commit(0, {"docs/a.md": LINES, "docs/back.md": f"back {LINES}", "src/b.py": "b\n"})
    repo.move("docs/a.md", "docs/b.md")
    repo.move("docs/back.md", "docs/away.md")
    repo.move("src/b.py", "src/c.py")
    repo.commit(1)
    repo.move("docs/b.md", "docs/deep/c.md")
    repo.move("docs/away.md", "docs/back.md")
    repo.put("docs/deep/c.md", LINES.replace("Line 1", "Row 1"))
    repo.commit(2)
    docs = {
        "docs/a.md": "docs/deep/c.md",
        "docs/b.md": "docs/deep/c.md",
        "docs/away.md": "docs/back.md",
    }
    assert moved(repo, "docs") == docs
    assert moved(repo) == {**docs, "src/b.py": "src/c.py"}


def test_a_file_that_became_several_is_nowhere(repo: Repo) -> None:
    repo.commit(0, {"a.md": LINES, "b.md": f"{LINES}{LINES.swapcase()}"})
    repo.commit(1, {"a.md": None, "a1.md": LINES, "a2.md": f"{LINES}More.\n"})
    repo.commit(2, {"b.md": None, "b1.md": LINES, "b2.md": LINES.swapcase()})
    assert moved(repo) == {}


def test_only_the_newest_file_of_a_name_counts(repo: Repo) -> None:
    repo.commit(0, {"a.md": LINES, "b.md": f"b {LINES}", "c.md": f"c {LINES}"})
    for name in "abc":
        repo.move(f"{name}.md", f"new/{name}.md")
    repo.commit(1)
    repo.commit(2, {"a.md": "Another text.\n", "b.md": "Here, too.\n", "new/c.md": None})
    repo.commit(3, {"b.md": None, "new/c.md": f"c {LINES}"})
    assert moved(repo) == {"c.md": "new/c.md"}


def test_a_clone_without_old_content_shows_exact_moves_and_downloads_nothing(
    repo: Repo, tmp_path: Path
) -> None:
    repo.commit(0, {"a.md": LINES, "b.md": f"Another\n{LINES}"})
    repo.move("a.md", "a1.md")
    repo.commit(1, {"b.md": None, "b1.md": f"Another\n{LINES}More.\n"})
    clone = repo.clone(tmp_path / "clone", "--filter=blob:none")
    missing = clone.git("rev-list", "--objects", "--all", "--missing=print")
    found, notes = moved_files([str(clone.path)])
    assert found == {clone.file("a.md"): clone.file("a1.md")}
    assert notes == [
        "files that were edited while being moved, because this clone lacks their old content"
    ]
    assert clone.git("rev-list", "--objects", "--all", "--missing=print") == missing


def test_what_git_cannot_tell_is_noted(repo: Repo, tmp_path: Path) -> None:
    assert moved_files([str(tmp_path)]) == ({}, [])
    assert moved_files([str(repo.path)])[1][0].startswith("moved files (fatal: ")
    repo.commit(0, {"a.md": LINES})
    repo.move("a.md", "b.md")
    repo.commit(1)
    clone = repo.clone(tmp_path / "clone", "--depth=1")
    assert moved_files([str(clone.path)]) == (
        {},
        ["files that were moved before the shallow clone starts"],
    )
