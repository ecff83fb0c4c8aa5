"""Why pages have no date, and what to do about it on the machine that the build runs on."""

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator

from smindex_plugins.history import machine
from smindex_plugins.history.git import OLDEST
from smindex_plugins.history.walk import Reason, Unknown
from smindex_plugins.model import Finding
from smindex_plugins.wording import counted, listed

OUT_OF_THE_AUTHORS_HANDS = {Reason.UNTRACKED, Reason.NO_REPOSITORY, Reason.NO_SOURCE}


def undated_pages(undated: list[Unknown], pages: int) -> Iterator[Finding]:
    """Count the pages without a date by their reasons, and say how to get them dated."""
    if not undated:
        return
    counts = Counter(str(unknown.reason) for unknown in undated)
    reasons = {unknown.reason for unknown in undated}
    details = sorted({unknown.detail for unknown in undated} - {""})
    yield Finding(
        check="undated-pages",
        level="notice" if reasons <= OUT_OF_THE_AUTHORS_HANDS else "warning",
        where=f"{len(undated):,} of {counted(pages, 'page')}",
        problem=f"no date can be proven, so none is written: {listed(counts)}"
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
