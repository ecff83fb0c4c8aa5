"""Real git repositories with fixed dates and identities, isolated from the user's configuration."""

import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

ISOLATED = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "C",
    "GIT_COMMITTER_EMAIL": "c@example.org",
}
DAY = 86_400
START = 1_600_000_000
"""When day 0 begins: 2020-09-13T12:26:40Z."""


def day(number: float) -> int:
    """Give the seconds since 1970 of a day of a test's history."""
    return START + int(number * DAY)


class Repo:
    """A repository whose commits are made on numbered days."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def create(cls, path: Path, *options: str) -> "Repo":
        path.mkdir(parents=True)
        repo = cls(path)
        repo.git("init", "--quiet", "--initial-branch=main", *options)
        return repo

    def git(self, *arguments: str | bytes, on: float = 0, author: float | None = None, check: bool = True) -> str:
        """Run git on a day, and give what it prints."""
        dates = {
            "GIT_COMMITTER_DATE": f"@{day(on)} +0100",
            "GIT_AUTHOR_DATE": f"@{day(on if author is None else author)} +0100",
        }
        command = ["git", "-c", "protocol.file.allow=always", "-c", "advice.detachedHead=false", *arguments]
        done = subprocess.run(
            command, cwd=self.path, env={**os.environ, **ISOLATED, **dates}, capture_output=True, check=False
        )
        if check and done.returncode:
            raise AssertionError(done.stderr.decode(errors="replace"))
        return os.fsdecode(done.stdout).strip()

    def put(self, name: str | bytes, content: str = "") -> str:
        """Write a file, and give its absolute path."""
        path = os.path.join(self.path, os.fsdecode(name))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        Path(path).write_text(content, encoding="utf-8")
        return path

    def commit(
        self, on: float, files: dict[str, str | None] | None = None, *, author: float | None = None, message: str = "c"
    ) -> str:
        """Commit on a day all that is on disk, after writing some files and removing those that are None."""
        for name, content in (files or {}).items():
            if content is None:
                os.remove(self.path / name)
            else:
                self.put(name, content)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", message, on=on, author=author)
        return self.git("rev-parse", "HEAD")

    def move(self, old: str, new: str) -> None:
        """Move a file, without a commit."""
        os.makedirs((self.path / new).parent, exist_ok=True)
        os.rename(self.path / old, self.path / new)

    def branch(self, name: str, start: str = "HEAD") -> None:
        """Begin a branch, and switch to it."""
        self.git("checkout", "--quiet", "-b", name, start)

    def switch(self, name: str) -> None:
        """Switch to a branch."""
        self.git("checkout", "--quiet", name)

    def merge(self, name: str, on: float, *options: str) -> str:
        """Merge a branch with a merge commit."""
        self.git("merge", "--quiet", "--no-ff", "--no-edit", *options, name, on=on)
        return self.git("rev-parse", "HEAD")

    def clone(self, path: Path, *options: str) -> "Repo":
        """Clone as a service does, through a transport."""
        self.git("config", "uploadpack.allowFilter", "true")
        self.git("config", "uploadpack.allowAnySHA1InWant", "true")
        self.git("clone", "--quiet", *options, f"file://{self.path}", str(path))
        return Repo(path)

    def file(self, name: str | bytes) -> str:
        """Give the absolute path of a file."""
        return os.path.join(self.path, os.fsdecode(name))

    def __truediv__(self, name: str) -> Path:
        return self.path / name


def fake_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Put a program that says what the test wants before git on the PATH."""
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    real = shutil.which("git")
    program.write_text(f"#!/bin/sh\nreal={real}\n{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
