"""When a file got its present content, or why nobody knows, and what to do about it where the build runs."""

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from smindex_plugins.catalogue import UNDATED_BY_NATURE, UNDATED_PAGES
from smindex_plugins.history import machine
from smindex_plugins.history.git import OLDEST
from smindex_plugins.model import Finding
from smindex_plugins.wording import counted, listed


class Reason(StrEnum):
    """Why a page has no date, in words for a message."""

    UNTRACKED = "not committed to git"
    SHALLOW = "older than this shallow clone reaches"
    TREELESS = "in a treeless clone, which does not have what the commits changed"
    NO_REPOSITORY = "outside any git repository"
    NO_GIT = "git is not installed"
    OLD_GIT = f"read by a git older than {OLDEST}"
    DUBIOUS_OWNERSHIP = "in a repository that git distrusts, because another user owns it"
    UNREADABLE = "in a repository that git could not read to the end"
    NO_SOURCE = "generated, with no source file to date"
    FUTURE = "dated in the future"


OUT_OF_THE_AUTHORS_HANDS = {Reason.UNTRACKED, Reason.NO_REPOSITORY, Reason.NO_SOURCE}


@dataclass(frozen=True, slots=True)
class Change:
    """When a file got its present content: seconds since 1970, and the commit; ``is_new`` if that added the file."""

    when: int
    commit: str
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class Unknown:
    """The history does not prove when a file changed. ``before`` bounds it from above where something does."""

    reason: Reason
    before: int | None = None
    detail: str = ""
    repository: str = ""


Answer = Change | Unknown
_NO_SOURCE = Unknown(Reason.NO_SOURCE)


def newest(answers: Iterable[Answer]) -> Answer:
    """Date what has several sources: by its newest, unless one that is unknown may be newer still."""
    answers = list(answers)
    known = [answer for answer in answers if isinstance(answer, Change)]
    best = max(known, key=lambda change: change.when, default=None)
    for doubt in answers:
        if isinstance(doubt, Unknown) and (best is None or doubt.before is None or doubt.before > best.when):
            return doubt
    return best or _NO_SOURCE


def undated_pages(undated: list[Unknown], pages: int) -> Iterator[Finding]:
    """Count the pages without a date by their reasons, and say how to get them dated."""
    if not undated:
        return
    counts = Counter(str(unknown.reason) for unknown in undated)
    reasons = {unknown.reason for unknown in undated}
    details = sorted({unknown.detail for unknown in undated} - {""})
    kind = UNDATED_BY_NATURE if reasons <= OUT_OF_THE_AUTHORS_HANDS else UNDATED_PAGES
    yield kind.at(
        f"{len(undated):,} of {counted(pages, 'page')}",
        f"no date can be proven, so none is written: {listed(counts)}"
        + "".join(f" (git: {detail})" for detail in details)
        + ".",
        fix=" ".join(fix for reason, fix in _fixes(undated).items() if reason in reasons),
    )


def _fixes(undated: Iterable[Unknown]) -> dict[Reason, str]:
    repositories = sorted({unknown.repository for unknown in undated if unknown.reason == Reason.DUBIOUS_OWNERSHIP})
    trust = "; ".join(
        f"git config --global --add safe.directory {shlex.quote(repository)}" for repository in repositories
    )
    return {
        Reason.SHALLOW: machine.whole_history(),
        Reason.TREELESS: machine.trees(),
        Reason.UNTRACKED: "Commit what is new, or write `lastmod:` into its front matter.",
        Reason.NO_REPOSITORY: "Build in the git repository of the sources, or write `lastmod:` into their front "
        "matter.",
        Reason.NO_GIT: "Install git where the site is built.",
        Reason.OLD_GIT: f"Install git {OLDEST} or newer where the site is built.",
        Reason.DUBIOUS_OWNERSHIP: f"If you trust it, run `{trust}` before the build.",
        Reason.UNREADABLE: "Run `git log` and `git fsck` in the repository to see what is wrong with it.",
        Reason.NO_SOURCE: "Generated pages can have a `lastmod:` or `depends:` in their front matter.",
        Reason.FUTURE: "Set the clock of the machine on which the commit was made, or of this one.",
    }
