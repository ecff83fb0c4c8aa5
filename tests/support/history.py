"""A git repository with chosen dates, what git proves of its files, and pages dated by a history of
the test's own.
"""

import os
import subprocess
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from smindex_plugins.base.catalogue import UNDATABLE_PAGES
from smindex_plugins.base.model import Finding, Page
from smindex_plugins.base.proof import Answer, ContentChange, NoDate, Proof, Unknown
from smindex_plugins.base.settings import Settings
from smindex_plugins.base.site import Site
from smindex_plugins.build import Host, publish
from smindex_plugins.history.history import History
from smindex_plugins.pages.dating import DatedPages, Dating
from smindex_plugins.report import Report

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

    def git(
        self,
        *arguments: str | bytes,
        on: float = 0,
        author: float | None = None,
        check: bool = True,
    ) -> str:
        """Run git on a day, and give what it prints."""
        dates = {
            "GIT_COMMITTER_DATE": f"@{day(on)} +0100",
            "GIT_AUTHOR_DATE": f"@{day(on if author is None else author)} +0100",
        }
        command = [
            "git",
            "-c",
            "protocol.file.allow=always",
            "-c",
            "advice.detachedHead=false",
            *arguments,
        ]
        done = subprocess.run(
            command,
            cwd=self.path,
            env={**os.environ, **ISOLATED, **dates},
            capture_output=True,
            check=False,
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
        self,
        on: float,
        files: dict[str, str | None] | None = None,
        *,
        author: float | None = None,
        message: str = "c",
    ) -> str:
        """Commit on a day all that is on disk, after writing some files and removing those that are
        None.
        """
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


def day_or_reason(answer: Answer) -> float | NoDate:
    """Give the numbered day of a change, or why there is none."""
    return (answer.when - START) / DAY if isinstance(answer, ContentChange) else answer.reason


def days(
    repo: Repo, *names: str | bytes, ignore_revs_file: str | None = None
) -> list[float | NoDate]:
    """Give the days on which files of a repository changed, as git dates them, or why that is
    unknown.
    """
    files = [repo.file(name) for name in names]
    answers = History(ignore_revs_file).dates(files)
    return [day_or_reason(answers[file]) for file in files]


class KnownHistory(History):
    """A history with these answers and removals, which reads no repository."""

    def __init__(
        self, answers: Mapping[str, Answer] | None = None, removals: Mapping[str, int] | None = None
    ) -> None:
        super().__init__()
        self._answers = answers or {}
        self._removals = dict(removals or {})

    def dates(self, files: Iterable[str]) -> dict[str, Answer]:
        return {file: self._answers.get(file, Unknown(NoDate.UNTRACKED)) for file in files}

    def removals(self, suffixes: Collection[str]) -> dict[str, int]:  # noqa: ARG002 - all files are of one kind
        return self._removals

    def edited(self, files: Iterable[str]) -> list[str]:  # noqa: ARG002 - nothing is
        return []

    def repository(self, file: str) -> str:  # noqa: ARG002 - all files are in one
        return "/"


@dataclass(frozen=True)
class Dated:
    """The result of dating."""

    pages: list[Page]
    findings: list[Finding]

    @property
    def undated(self) -> dict[str, Unknown]:
        """Give the reasons of pages without a date, by file, or by URL without one."""
        proofs = {page.file or page.url: page.proof for page in self.pages if page.lastmod is None}
        return {
            name: proof.answer
            for name, proof in proofs.items()
            if proof and isinstance(proof.answer, Unknown)
        }


def date_pages(pages: Iterable[Page], history: History, site: Site, now: datetime) -> Dated:
    dating = Dating(site.settings)
    dating.history = history
    dated = dating.date(pages, site, now)
    return Dated(dated.pages, [*dated.findings, *dating.notices(dated.pages)])


class AsGiven(Dating):
    """Leaves every page as it is.

    ``why`` are the reasons of pages without a date, by file, or by URL without one.
    """

    def __init__(self, why: Mapping[str, Unknown] | None = None) -> None:
        super().__init__(Settings())
        self._why = dict(why or {})

    def date(
        self,
        pages: Iterable[Page],
        site: Site,  # noqa: ARG002 - as it is called
        now: datetime,  # noqa: ARG002 - as it is called
    ) -> DatedPages:
        given = [it if it.lastmod else replace(it, proof=self._why_undated(it)) for it in pages]
        return DatedPages(given, [])

    def _why_undated(self, page: Page) -> Proof:
        return Proof(answer=self._why.get(page.file or page.url, Unknown(NoDate.FILTERED)))


def publish_as_given(
    pages: Iterable[Page],
    site: Site,
    *,
    why: Mapping[str, Unknown] | None = None,
    now: datetime | None = None,
) -> Report:
    """Publish pages with their own dates.

    Without reasons, the report does not count the pages without a date.
    """
    report = publish(pages, site, Host(dating=AsGiven(why)), now=now)
    if why is None:
        findings = [finding for finding in report.findings if finding.check != UNDATABLE_PAGES.name]
        report = replace(report, findings=findings, undated=Counter())
    return report
