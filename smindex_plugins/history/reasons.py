"""When a file got its current content, or why that is unknown, and how to fix that where the build runs."""

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from smindex_plugins.catalogue import UNDATED_BY_NATURE, UNDATED_PAGES, Kind
from smindex_plugins.history import services
from smindex_plugins.model import Finding, Level
from smindex_plugins.text import counted, listed


class Reason(StrEnum):
    """Why a page has no date, in words that follow a count of pages, or "which is" after a file."""

    UNTRACKED = "not committed to git"
    IGNORED = "ignored by .gitignore"
    MISSING = "missing"
    SHALLOW = "older than this shallow clone reaches"
    TREELESS = "in a treeless clone, which doesn't record what commits changed"
    NO_REPOSITORY = "outside any git repository"
    ELSEWHERE = "outside the git repository of the other pages"
    NO_GIT = "built where git is not installed"
    DUBIOUS_OWNERSHIP = "in a repository that git distrusts, because another user owns it"
    UNREADABLE = "in a repository that git could not read completely"
    NO_SOURCE = "generated, or built from a source that was not found"
    NOT_FOUND = "without a source that was found"
    FUTURE = "committed at a time in the future"
    FILTERED = "given no date by `filter`"
    LATER_PAGE = "among the later pages of a list, which have no date of their own"


_MADE_FOR_THE_BUILD = {Reason.IGNORED, Reason.NO_SOURCE, Reason.NOT_FOUND, Reason.FILTERED, Reason.LATER_PAGE}
"""The reasons of pages that should have no date, which is never a mistake."""
_BY_NATURE = _MADE_FOR_THE_BUILD | {Reason.UNTRACKED, Reason.ELSEWHERE}
NEVER_IN_GIT = _BY_NATURE | {Reason.NO_REPOSITORY}
"""The reasons for which git can never have a date."""
_MOST_FILES = 3
"""How many files a message lists for one reason."""


@dataclass(frozen=True, slots=True)
class Change:
    """When a file got its current content: seconds since 1970, and the commit, with ``is_new`` if that added it."""

    when: int
    commit: str
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class Unknown:
    """The history does not show when a file changed. It was no later than ``before``, if that is known."""

    reason: Reason
    before: int | None = None
    detail: str = ""
    """Git's message, or where the source was searched for."""
    repository: str = ""
    other: str = ""
    """The file that the reason applies to, if it is a dependency or an included file of the page."""


Answer = Change | Unknown
_NO_SOURCE = Unknown(Reason.NO_SOURCE)


def newest(answers: Sequence[Answer]) -> Answer:
    """Return the newest of several answers, or an unknown one that may be newer."""
    if len(answers) <= 1:
        return answers[0] if answers else _NO_SOURCE
    known = [answer for answer in answers if isinstance(answer, Change)]
    best = max(known, key=lambda change: change.when, default=None)
    for doubt in answers:
        if isinstance(doubt, Unknown) and (best is None or doubt.before is None or doubt.before > best.when):
            return doubt
    return best or _NO_SOURCE


def undated_pages(undated: list[Unknown], pages: int, undated_option: str = "warn") -> Iterator[Finding]:
    """Return the finding about pages without a date: why, and how to get dates. The option ``undated`` sets its level.

    Pages that git can't know are reported in a separate notice. With ``undated: fail``, they are reported with the
    others, except for generated pages; if no page at all has a date, these are reported too.
    """
    insists = undated_option == "fail"
    by_nature = _MADE_FOR_THE_BUILD if insists else _BY_NATURE
    by_nature = set() if insists and len(undated) == pages else by_nature
    # Dependencies that don't exist are reported separately.
    known = [unknown for unknown in undated if insists or unknown.reason != Reason.MISSING]
    fixable = [unknown for unknown in known if unknown.reason not in by_nature]
    preview = services.pull_request_service() if undated_option == "warn" else ""
    if fixable:
        level: Level = "error" if insists else "notice" if preview or undated_option == "ignore" else "warning"
        hint = "If these pages don't need a date, set `undated: ignore`." if undated_option == "warn" else ""
        if preview:
            hint = f"This is only a notice because {preview} is building a pull request, which is never deployed."
        yield replace(_finding(UNDATED_PAGES, fixable, pages, hint), level=level)
    if natural := [unknown for unknown in known if unknown.reason in by_nature]:
        yield _finding(UNDATED_BY_NATURE, natural, pages, "")


def _finding(kind: Kind, undated: list[Unknown], pages: int, hint: str) -> Finding:
    """Return one finding for all these pages: their number, the reasons, and the fixes."""
    others: dict[Reason, set[str]] = {}
    for unknown in undated:
        others.setdefault(unknown.reason, set()).update({unknown.other} - {""})
    reasons: Counter[str] = Counter()
    for unknown in undated:
        other, files = unknown.other, others[unknown.reason]
        if other and len(files) > _MOST_FILES:
            other = f"files such as {min(files)}"
        reasons[f"built with {other}, which is {unknown.reason}" if other else str(unknown.reason)] += 1
    looked_for = [unknown.detail for unknown in undated if unknown.reason is Reason.NOT_FOUND]
    by_git = {unknown.detail for unknown in undated if unknown.reason is not Reason.NOT_FOUND} - {""}
    details = [*filter(None, looked_for[:1]), *(f"git: {detail}" for detail in sorted(by_git))]
    why = listed(reasons) + "".join(f" ({detail})" for detail in details)
    problem = f"no reliable date was found, so <lastmod> is omitted: {why}."
    fixes = map(how_to_date, {unknown.reason: unknown for unknown in undated}.values())
    where = f"{len(undated):,} of {counted(pages, 'page')}"
    return kind.at(where, problem, fix=" ".join(filter(None, [*fixes, hint])))


def how_to_date(unknown: Unknown) -> str:
    """Return the fix for a page without a date."""
    repository = shlex.quote(unknown.repository)
    return {
        Reason.SHALLOW: services.whole_history(),
        Reason.TREELESS: services.trees(),
        Reason.UNTRACKED: "Commit new files, or add `lastmod:` to the front matter of the pages.",
        Reason.IGNORED: "Git has no dates for files that .gitignore ignores. List the files that they are built from "
        "in `depends`, or add `lastmod:` to their front matter.",
        Reason.MISSING: "Correct `depends`. Its paths are relative to the root of the git repository.",
        Reason.NO_REPOSITORY: "Build in the git repository of the sources, because a copy without `.git` has no "
        "history. Or add `lastmod:` to their front matter.",
        Reason.ELSEWHERE: "Add `lastmod:` to their front matter.",
        Reason.NO_GIT: "Install git on the machine that builds the site.",
        Reason.DUBIOUS_OWNERSHIP: "If you trust it, run "
        f"`git config --global --add safe.directory {repository}` before the build.",
        Reason.UNREADABLE: "Run `git log` and `git fsck` in the repository to find the problem. "
        "Git 2.20 or newer is required.",
        Reason.NO_SOURCE: "A script that generates Markdown can write `lastmod:` or `depends:` into its "
        "front matter. Other generated pages need no date.",
        Reason.NOT_FOUND: "If they are built from files, set the location of these with `--sources`, or `sources` in "
        "[tool.smindex]. Generated pages, such as tag lists, need no date.",
        Reason.FILTERED: "If they should have a date, make the `filter` function keep `lastmod`.",
        Reason.LATER_PAGE: "Set `pagination: false` if they don't need to be listed.",
        Reason.FUTURE: "Correct the clock of this machine, or of the machine that made the commit.",
    }[unknown.reason]
