"""Whatever a repository holds: git comes to an end, takes no more than its bounds, and runs no program it names."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest

from smindex_plugins.history import Answer, Change, History, Reason, Unknown, git
from smindex_plugins.limits import GIT_MEMORY, MAX_REVISIONS
from smindex_plugins.model import Finding
from tests.support import traps
from tests.support.gitrepo import Repo, fake_git

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="platform: Windows has no pipes and devices with names")

SOON = 30
"""Seconds; what is not bounded does not end in any number of them."""
FILLED = 300
"""Seconds for a git that fills all the memory that it may have, which takes long on a busy machine."""
FILES = [
    *("HEAD", "config", "shallow", "packed-refs", "refs/heads/main", "index", "info/exclude", "info/grafts"),
    *(
        "objects/info/alternates",
        "objects/info/commit-graph",
        "objects/pack/multi-pack-index",
        "objects/00/" + "0" * 38,
    ),
]
ZEROS = "/dev/zero"


@pytest.fixture(autouse=True)
def soon(request: pytest.FixtureRequest) -> Iterator[None]:
    started = time.monotonic()
    yield
    assert time.monotonic() - started < (FILLED if "memory" in request.node.name else SOON)


@pytest.fixture
def victim(repo: Repo) -> Repo:
    repo.commit(1, {"docs/a.md": "1", "docs/b.md": "1"})
    return repo


def answer(repo: Repo) -> Answer:
    return History().dates([repo.file("docs/a.md")])[repo.file("docs/a.md")]


def make(path: Path, kind: str) -> None:
    """Put a pipe, or a link to what has no end, in the place of a file."""
    path.unlink(missing_ok=True)
    path.parent.mkdir(exist_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(kind)


@pytest.mark.parametrize("kind", ["pipe", ZEROS])
@pytest.mark.parametrize("name", FILES)
def test_a_file_of_gits_own_that_is_a_pipe_or_a_device_is_named(victim: Repo, name: str, kind: str) -> None:
    make(victim / ".git" / name, kind)
    unknown = answer(victim)
    assert isinstance(unknown, Unknown)
    assert unknown.reason == Reason.UNREADABLE
    assert unknown.detail == f"{victim / '.git' / name} is not a regular file"


def test_what_a_configuration_includes_or_names_without_end_ends(
    victim: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git, "SILENCE", 0.5)
    os.mkfifo(pipe := tmp_path / "pipe")
    for key in ("include.path", "core.excludesFile", "core.attributesFile", "blame.ignoreRevsFile", "mailmap.file"):
        for value in (str(pipe), ZEROS):
            victim.git("config", "--file", ".git/more", key, value)
            (victim / ".git" / "config").write_text(f"[include]\npath = {victim / '.git' / 'more'}\n")
            assert isinstance(answer(victim), Unknown | Change)
            (victim / ".git" / "more").unlink()


@pytest.mark.parametrize("value", [ZEROS, "pipe"])
def test_a_list_of_commits_that_is_no_regular_file_ignores_none(victim: Repo, value: str) -> None:
    victim.git("config", "blame.ignoreRevsFile", value)
    if value == "pipe":
        make(victim / "pipe", "pipe")
    assert isinstance(answer(victim), Change)


def wrong_revisions(repo: Repo) -> list[Finding]:
    history = History()
    assert isinstance(history.dates([repo.file("docs/a.md")])[repo.file("docs/a.md")], Change)
    return list(history.wrong_revisions())


@pytest.mark.parametrize("kind", ["pipe", ZEROS, "large"])
def test_a_list_of_commits_that_cannot_be_read_is_a_finding(victim: Repo, kind: str) -> None:
    path = victim / ".git-blame-ignore-revs"
    if kind == "large":
        path.write_text("#" * (MAX_REVISIONS + 1))
    else:
        make(path, kind)
    (finding,) = wrong_revisions(victim)
    whys = {"large": "larger than", "pipe": "not a regular file", ZEROS: "a link that leads out"}
    assert whys[kind] in finding.problem


@pytest.mark.parametrize("kind", ["missing", "pipe", ZEROS])
def test_a_list_that_gits_settings_name_and_nobody_can_read_is_a_finding(victim: Repo, kind: str) -> None:
    victim.git("config", "blame.ignoreRevsFile", "formats")
    if kind != "missing":
        make(victim / "formats", kind)
    (finding,) = wrong_revisions(victim)
    assert finding.where == "formats"
    assert finding.problem.startswith("git's setting blame.ignoreRevsFile names it, and it cannot be read: ")


def test_a_list_that_gits_settings_name_is_judged_by_its_lines(victim: Repo) -> None:
    victim.put("formats", "no commit\n")
    victim.git("config", "blame.ignoreRevsFile", "formats")
    (finding,) = wrong_revisions(victim)
    assert finding.problem == "it lists 'no commit', which is not the full hash of a commit."
    victim.git("config", "blame.ignoreRevsFile", ".git-blame-ignore-revs")  # many have this for all repositories
    assert wrong_revisions(victim) == []


def test_no_more_lists_than_are_useful_are_read_however_many_the_settings_name(victim: Repo) -> None:
    with (victim / ".git/config").open("a") as file:
        file.write("[blame]\n" + "ignoreRevsFile = formats\n" * 200_000)
    victim.put("formats", "")
    started = time.process_time()
    (finding,) = wrong_revisions(victim)
    assert finding.problem == "git's settings name 200,000 lists of commits, of which the first 16 are read."
    assert time.process_time() - started < 3


@pytest.mark.parametrize("way", ["link", "setting"])
def test_no_file_outside_a_repository_is_shown_line_by_line(victim: Repo, tmp_path: Path, way: str) -> None:
    secret = tmp_path / "secret"
    secret.write_text("password\n")
    if way == "link":
        (victim / ".git-blame-ignore-revs").symlink_to(secret)
    else:
        victim.git("config", "blame.ignoreRevsFile", str(secret))
    (finding,) = wrong_revisions(victim)
    assert "password" not in str(finding)
    said = (
        "it is a link that leads out of the directory" if way == "link" else "what this line lists is not the full hash"
    )
    assert said in finding.problem


def test_a_list_of_wrong_lines_without_number_has_a_hundred_findings_and_the_number_of_the_rest(victim: Repo) -> None:
    (victim / ".git-blame-ignore-revs").write_text("x\n" * 10_000)
    history = History()
    history.dates([victim.file("docs/a.md")])
    *_, last = found = list(history.wrong_revisions())
    assert len(found) == 101
    assert "9,900 more lines" in last.problem


def test_the_end_of_a_shallow_clone_that_is_too_large_to_read_proves_nothing(victim: Repo) -> None:
    oid = victim.git("rev-parse", "HEAD")
    (victim / ".git" / "shallow").write_text(f"{oid}\n" * (MAX_REVISIONS // 41 + 1))
    unknown = answer(victim)
    assert isinstance(unknown, Unknown)
    assert "larger than 1,048,576 bytes" in unknown.detail


@pytest.mark.parametrize("where", ["log", "config", "rev-parse", "diff-tree", "status", "ls-files"])
def test_a_git_that_talks_without_end_is_ended(
    victim: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    victim.move("docs/a.md", "docs/c.md")
    victim.commit(2)
    fake_git(tmp_path, monkeypatch, f'case "$*" in *" {where} "*) exec yes;; *) exec "$real" "$@";; esac')
    monkeypatch.setattr(git, "GIT_RECORD", 1 << 20)
    file = victim.file("docs/c.md")
    assert isinstance(History().dates([file])[file], Unknown | Change)


def test_a_history_that_takes_too_long_is_ended_though_git_goes_on_talking(
    victim: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = 'case "$*" in *" log "*) while echo; do sleep 0.1; done;; *) exec "$real" "$@";; esac'
    fake_git(tmp_path, monkeypatch, script)
    monkeypatch.setattr(git, "SILENCE", 3)
    monkeypatch.setattr(git, "GIT_SECONDS", 1.0)
    unknown = answer(victim)
    assert isinstance(unknown, Unknown)
    assert unknown.detail == "it took longer than 1 seconds, and was ended"


PROGRAM = """
import resource, sys
from smindex_plugins.history import History
print(History().dates(sys.argv[1:])[sys.argv[1]])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="platform: Linux alone bounds another process")
def test_a_commit_of_ten_thousand_million_files_takes_no_more_memory_than_git_may_have(victim: Repo) -> None:
    """Ten names of one tree, ten levels deep, in 3 KB. The next commit takes it away, so that a checkout is small.

    A pack that is one hole of a terabyte allows for no more.
    """
    (victim / ".git/objects/pack").mkdir(exist_ok=True)
    (victim / ".git/objects/pack/pack-0.pack").touch()
    os.truncate(victim / ".git/objects/pack/pack-0.pack", 1 << 40)
    tree = victim.git("rev-parse", "HEAD:docs")
    for _ in range(10):
        listed = "".join(f"040000 tree {tree}\t{name}\n" for name in "0123456789")
        made = subprocess.run(
            ["git", "mktree"], cwd=victim.path, input=listed, capture_output=True, text=True, check=True
        )
        tree = made.stdout.strip()
    bomb = victim.git("commit-tree", tree, "-p", "HEAD", "-m", "bomb", on=2)
    later = victim.git("commit-tree", "HEAD^{tree}", "-p", bomb, "-m", "gone", on=3)
    victim.git("update-ref", "HEAD", later)
    for files in (["docs/a.md"], ["docs/a.md", "docs/b.md"]):
        names = map(victim.file, files)
        run = subprocess.run([sys.executable, "-c", PROGRAM, *names], capture_output=True, text=True, check=True)
        *_, peak = run.stdout.splitlines()
        assert int(peak) < GIT_MEMORY + (40 << 20)


@pytest.mark.parametrize("is_expressible", [True, False])
def test_no_program_that_a_repository_names_is_run(victim: Repo, tmp_path: Path, *, is_expressible: bool) -> None:
    victim.commit(2, {".gitattributes": "*.md filter=trap diff=trap merge=trap\n"})
    victim.move("docs/b.md", "docs/c.md")
    victim.commit(3)
    blob = victim.git("rev-parse", "HEAD:docs/a.md")
    marker = traps.lay(victim, tmp_path, is_expressible=is_expressible)
    for name in ("docs/a.md", "docs/c.md", ".gitattributes"):
        os.utime(victim / name, (1, 1))
    (victim / "docs/new.md").touch()
    (victim / ".git/objects" / blob[:2] / blob[2:]).unlink()
    files = [victim.file(name) for name in ("docs/a.md", "docs/c.md", "docs/new.md")]
    lines: list[Literal["first-parent", "full"]] = ["first-parent", "full"]
    for line in lines:
        history = History(line=line)
        history.dates(files)
        history.edited(files)
        history.arrivals(files)
    assert not marker.exists(), marker.read_text()
    victim.git("status", check=False)
    assert marker.exists()  # the traps are traps


def test_what_only_a_filter_knows_is_not_called_edited_and_the_rest_is(victim: Repo) -> None:
    victim.commit(2, {".gitattributes": "docs/a.md filter=trap\n"})
    victim.git("config", "filter.trap.clean", "cat")
    files = [victim.put("docs/a.md", "edited"), victim.put("docs/b.md", "edited")]
    history = History()
    history.dates(files)
    assert history.edited(files) == [victim.file("docs/b.md")]
