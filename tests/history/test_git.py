"""How git is run: it is read while it prints, it always ends, and no setting changes what it says
or runs a program.
"""

import os
import shutil
import stat
import time
from collections.abc import Callable
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest

from smindex_plugins.base.proof import ContentChange, NoDate, Unknown
from smindex_plugins.history import _git as git
from smindex_plugins.history._git import Git, GitError
from smindex_plugins.history.history import History
from tests.support.history import Repo, days

LOG = 'case "$*" in *" log "*) {};; *) exec "$real" "$@";; esac'
"""A program in the place of git that does something else when a log is wanted."""

FakeGit = Callable[[str], None]


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeGit:
    """Put a shell script in the place of git."""
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    real = shutil.which("git")

    def replace(script: str) -> None:
        program.write_text(f"#!/bin/sh\nreal={real}\n{script}\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)

    return replace


def unknown(repo: Repo, name: str = "a.md") -> Unknown:
    answer = History().dates([repo.file(name)])[repo.file(name)]
    assert isinstance(answer, Unknown)
    return answer


def test_a_log_of_megabytes_is_read_whole(repo: Repo, tmp_path: Path, fake: FakeGit) -> None:
    record = b"%d %040d %040d\0\0\n:100644 100644 1 2 M\0docs/%d.md\0"
    (tmp_path / "log").write_bytes(b"".join(record % (n, n, n + 1, n) for n in range(30_000)))
    fake(LOG.format(f"cat {tmp_path / 'log'}"))
    changes = list(Git(str(repo.path)).log("HEAD"))
    assert [(change.commit.when, change.new) for change in changes] == [
        (n, b"docs/%d.md" % n) for n in range(30_000)
    ]


def test_git_is_ended_when_nobody_reads_on(repo: Repo, fake: FakeGit) -> None:
    record = "1 aa bb\\000\\000\\n:1 2 3 4 M\\000a.md\\000"
    fake(LOG.format(f"while :; do printf '{record}'; done"))
    started = time.monotonic()
    with closing(Git(str(repo.path)).log("HEAD")) as changes:
        assert len(list(islice(changes, 3))) == 3
    assert time.monotonic() - started < 20


@pytest.mark.parametrize("script", ["exit 1", "kill -9 $$"])
def test_a_git_that_ends_without_a_word_is_an_error(repo: Repo, fake: FakeGit, script: str) -> None:
    fake(script)
    with pytest.raises(GitError, match="git exited early"):
        Git(str(repo.path)).run("status")
    with pytest.raises(GitError, match="git exited early"):
        list(Git(str(repo.path)).log("HEAD"))


@pytest.mark.parametrize(
    ("script", "dated"),
    [
        (LOG.format('"$real" "$@" | head -c 260; exec sleep 100'), 3),
        (LOG.format("while echo; do sleep 0.1; done"), NoDate.UNREADABLE),
        ("exec sleep 100", NoDate.UNREADABLE),
    ],
)
def test_a_git_that_hangs_is_ended_and_what_it_said_before_counts(
    repo: Repo, fake: FakeGit, monkeypatch: pytest.MonkeyPatch, script: str, dated: float | NoDate
) -> None:
    repo.commit(1, {"a.md": "1", "b.md": "1"})
    repo.commit(3, {"b.md": "3"})
    fake(script)
    monkeypatch.setattr(git, "GIT_SECONDS", 0.5)  # nobody waits for five minutes
    assert days(repo, "a.md", "b.md") == [NoDate.UNREADABLE, dated]
    assert unknown(repo).detail == "it took longer than 0.5 seconds and was stopped"


@pytest.mark.parametrize(
    "output",
    [
        *("nonsense", "\\\\000\\\\001nonsense\\\\000", "commit 123\\nAuthor: me\\n"),
        *(
            f"1 aa bb\\000\\n{change}\\000"
            for change in (":100644 100644 1 2 M", ":1 2 3", "::1 1 1 a b c MM")
        ),
    ],
)
def test_a_log_that_is_not_understood_proves_nothing(
    repo: Repo, fake: FakeGit, output: str
) -> None:
    repo.commit(1, {"a.md": "1"})
    fake(LOG.format(f"printf '{output}'"))
    assert unknown(repo).reason == NoDate.UNREADABLE


@pytest.mark.parametrize(
    ("message", "reason", "detail"),
    [
        ("fatal: broken\\nand more", NoDate.UNREADABLE, "fatal: broken"),
        ("fatal: detected dubious ownership in repository", NoDate.DUBIOUS_OWNERSHIP, None),
        ("fatal: bad revision 'HEAD'", NoDate.UNTRACKED, None),
        ("fatal: your current branch does not have any commits yet", NoDate.UNTRACKED, None),
    ],
)
def test_an_error_of_git_is_a_reason_or_repeated(
    repo: Repo, fake: FakeGit, message: str, reason: NoDate, detail: str | None
) -> None:
    repo.commit(1, {"a.md": "1"})
    fake(f'printf "{message}\\n" >&2; exit 128')
    answer = unknown(repo)
    assert (answer.reason, answer.detail, answer.repository) == (reason, detail, str(repo.path))


SETTINGS = {
    "diff.relative": "true", "diff.renames": "copies", "diff.renameLimit": "1", "diff.external": "false",
    "diff.noprefix": "true", "diff.ignoreSubmodules": "all", "log.showRoot": "false", "log.showSignature": "true",
    "log.follow": "true", "log.diffMerges": "combined", "log.date": "relative", "log.decorate": "full",
    "log.mailmap": "true", "format.pretty": "oneline", "color.ui": "always", "core.pager": "false",
    "core.quotePath": "true", "core.abbrev": "4", "core.fsmonitor": "false", "pager.log": "true",
    "alias.log": "!false", "status.showUntrackedFiles": "all", "i18n.logOutputEncoding": "utf-16",
}  # fmt: skip


def test_no_setting_of_the_user_changes_a_date(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit(1, {"docs/a.md": "one\n" * 9, "docs/b.md": "1", "code.py": "1"})
    repo.branch("side")
    repo.commit(2, {"docs/b.md": "2"})
    repo.switch("main")
    repo.move("docs/a.md", "docs/c.md")
    repo.commit(3)
    repo.merge("side", 4)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "settings"))
    for setting, value in SETTINGS.items():
        section, _, key = setting.rpartition(".")
        (tmp_path / "settings").write_text(f'[{section}]\n\t{key} = "{value}"\n')
        assert days(repo, "docs/c.md", "docs/b.md") == [1, 4], setting


def test_the_variables_of_a_git_hook_change_no_date(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit(1, {"docs/a.md": "1"})
    for name in (
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_NAMESPACE",
        "GIT_PREFIX",
    ):
        monkeypatch.setenv(name, str(tmp_path / "nowhere"))
    monkeypatch.setenv("GIT_ICASE_PATHSPECS", "1")
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "false")
    assert days(repo, "docs/a.md") == [1]


def test_no_program_of_the_repository_is_run(repo: Repo, tmp_path: Path) -> None:
    repo.commit(1, {"docs/a.md": "1", ".gitattributes": "*.md diff=trap merge=trap\n"})
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\necho $0 >> {tmp_path / 'marker'}\n")
    trap.chmod(0o755)
    keys = [
        "core.fsmonitor",
        "core.pager",
        "diff.external",
        "diff.trap.command",
        "diff.trap.textconv",
        "core.editor",
    ]
    for key in (*keys, "merge.trap.driver", "gpg.program", "core.sshCommand"):
        repo.git("config", key, str(trap))
    repo.git("config", "log.showSignature", "true")
    for hook in ("post-index-change", "reference-transaction"):
        os.symlink(trap, repo / ".git" / "hooks" / hook)
    os.utime(repo / "docs" / "a.md", (1, 1))
    history = History()
    answer = history.dates([repo.file("docs/a.md")])[repo.file("docs/a.md")]
    assert isinstance(answer, ContentChange)
    assert history.edited([repo.file("docs/a.md")]) == []
    assert history.landing(repo.file("docs/a.md"), answer.commit)
    assert not (tmp_path / "marker").exists()
    repo.git("status", check=False)
    assert (tmp_path / "marker").exists(), "the traps are traps"
