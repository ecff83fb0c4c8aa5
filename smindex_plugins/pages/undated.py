"""What to tell about pages without a date: why, and how to get dates where the build runs."""

import shlex
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from smindex_plugins.base.catalogue import UNDATABLE_PAGES, UNDATED_PAGES, Kind
from smindex_plugins.base.model import Finding, Level
from smindex_plugins.base.proof import BY_NATURE, MADE_FOR_THE_BUILD, NoDate, Unknown
from smindex_plugins.base.text import counted, listed
from smindex_plugins.history import services

_MOST_FILES = 3
"""How many files a message lists for one reason."""


_FIXES = {
    NoDate.UNTRACKED: "Commit new files, or add `lastmod:` to the front matter of the pages.",
    NoDate.IGNORED: (
        "Git has no dates for files that .gitignore ignores. List the files that they are built"
        " from in `depends`, or add `lastmod:` to their front matter."
    ),
    NoDate.MISSING: (
        "Correct `depends`. Its paths are relative to the root of the git repository."
    ),
    NoDate.NO_REPOSITORY: (
        "Build in the git repository of the sources, because a copy without `.git` has no "
        "history. Or add `lastmod:` to their front matter."
    ),
    NoDate.ELSEWHERE: "Add `lastmod:` to their front matter.",
    NoDate.NO_GIT: "Install git on the machine that builds the site.",
    NoDate.UNREADABLE: (
        "Run `git log` and `git fsck` in the repository to find the problem. "
        "Git 2.20 or newer is required."
    ),
    NoDate.NO_SOURCE: (
        "A script that generates Markdown can write `lastmod:` or `depends:` into its "
        "front matter. Other generated pages need no date."
    ),
    NoDate.NOT_FOUND: (
        "If they are built from files, set the location of these with `--sources`, or `sources`"
        " in [tool.smindex]. Generated pages, such as tag lists, need no date."
    ),
    NoDate.UNRESOLVED: (
        "List the files that the pages are built from in `depends`, or add `lastmod:` to their "
        "front matter."
    ),
    NoDate.NOT_INSTALLED: (
        "Install these packages in the environment of `smindex`, so that it finds what the"
        " pages show."
    ),
    NoDate.TEMPLATE: (
        "List the files that they show in `depends`, or add `lastmod:` to their front matter. "
        "`smindex explain PAGE` prints the line for `depends`."
    ),
    NoDate.REMOTE: (
        "Keep a copy of what they show in the repository, or add `lastmod:` to their front matter."
    ),
    NoDate.EDITED: (
        "Commit the changes before the build. Pages that a step of the build edits have the"
        " date of no commit."
    ),
    NoDate.FILTERED: "If they should have a date, make the `filter` function keep `lastmod`.",
    NoDate.LATER_PAGE: "Set `pagination: false` if they don't need to be listed.",
    NoDate.ZERO: (
        "Add `lastmod:` to their front matter. The tool that wrote the history did not know its"
        " times."
    ),
    NoDate.FUTURE: "Correct the clock of this machine, or of the machine that made the commit.",
}
"""The fix for pages without a date, by the reason. `how_to_date` knows those that depend on where
the build runs.
"""


def undated_pages(
    undated: list[Unknown], pages: int, undated_option: str = "warn"
) -> Iterator[Finding]:
    """Return the finding about pages without a date: why, and how to get dates.

    The option ``undated`` sets its level. Pages that git can't know are reported in a separate
    notice. With ``undated: fail``, they are reported with the others, except for generated pages;
    if no page at all has a date, these are reported too.
    """
    insists = undated_option == "fail"
    by_nature = MADE_FOR_THE_BUILD if insists else BY_NATURE
    if insists and len(undated) == pages:
        by_nature = frozenset()
    fixable: list[Unknown] = []
    natural: list[Unknown] = []
    for unknown in undated:
        if unknown.reason in by_nature:
            natural.append(unknown)
        # Dependencies that don't exist are reported separately.
        elif insists or unknown.reason != NoDate.MISSING:
            fixable.append(unknown)
    if fixable:
        yield _fixable(fixable, pages, undated_option)
    if natural:
        yield _finding(UNDATABLE_PAGES, natural, pages, "")


def _fixable(undated: list[Unknown], pages: int, undated_option: str) -> Finding:
    """Return the finding about pages that should have a date, at the level that the option sets."""
    level: Level = "warning"
    hint = ""
    if undated_option == "fail":
        level = "error"
    elif undated_option == "ignore":
        level = "notice"
    else:
        hint = "If these pages don't need a date, set `undated: ignore`."
        preview = services.pull_request_service()
        if preview:
            level = "notice"
            hint = (
                f"This is only a notice because {preview} is building a pull request, which is"
                " never deployed."
            )
    return replace(_finding(UNDATED_PAGES, undated, pages, hint), level=level)


def _finding(kind: Kind, undated: list[Unknown], pages: int, hint: str) -> Finding:
    """Return one finding for all these pages: their number, the reasons, and the fixes."""
    why = listed(_reasons(undated))
    for detail in _details(undated):
        why += f" ({detail})"
    problem = f"no reliable date was found, so <lastmod> is omitted: {why}."
    where = f"{len(undated):,} of {counted(pages, 'page')}"
    last_of_reason = {unknown.reason: unknown for unknown in undated}
    fixes = [how_to_date(unknown) for unknown in last_of_reason.values()]
    return kind.at(where, problem, fix=" ".join(filter(None, [*fixes, hint])))


def _reasons(undated: list[Unknown]) -> Counter[str]:
    """Count the reasons, each with the file that it applies to if these are few."""
    files: dict[NoDate, set[str]] = {}
    for unknown in undated:
        of_reason = files.setdefault(unknown.reason, set())
        if unknown.other:
            of_reason.add(unknown.other)
    reasons: Counter[str] = Counter()
    for unknown, count in Counter(undated).items():
        other = unknown.other
        of_reason = files[unknown.reason]
        if other and len(of_reason) > _MOST_FILES:
            other = f"files such as {min(of_reason)}"
        reasons[str(unknown._replace(other=other))] += count
    return reasons


def _details(undated: list[Unknown]) -> list[str]:
    """Return where a source was searched for, and the messages of git."""
    looked_for = [unknown.detail for unknown in undated if unknown.reason is NoDate.NOT_FOUND]
    by_git: set[str] = set()
    for unknown in undated:
        if unknown.detail and unknown.reason is NoDate.UNREADABLE:
            by_git.add(unknown.detail)
    messages = [f"git: {detail}" for detail in sorted(by_git)]
    return [*filter(None, looked_for[:1]), *messages]


def how_to_date(unknown: Unknown) -> str:
    """Return the fix for a page without a date."""
    if unknown.reason is NoDate.SHALLOW:
        return services.whole_history()
    if unknown.reason is NoDate.TREELESS:
        return services.trees()
    if unknown.reason is NoDate.DUBIOUS_OWNERSHIP:
        repository = shlex.quote(unknown.repository or "")
        return (
            "If you trust it, run "
            f"`git config --global --add safe.directory {repository}` before the build."
        )
    return _FIXES[unknown.reason]
