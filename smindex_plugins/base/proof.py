"""When a file got its current content according to git, and what the date of a page rests on."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, NamedTuple


class NoDate(StrEnum):
    """Why a page has no date, as text that follows a count of pages, or "which is" after a file."""

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
    UNRESOLVED = "in no file of the repository or of an installed package"
    NOT_INSTALLED = "not installed where smindex runs"
    TEMPLATE = "made from a template that shows other pages or data"
    REMOTE = "downloaded from the web"
    EDITED = "edited since the last commit"
    FUTURE = "committed at a time in the future"
    ZERO = "committed at a time that stands for no date, such as 1970-01-01"
    FILTERED = "given no date by `filter`"
    LATER_PAGE = "among the later pages of a list, which have no date of their own"


MADE_FOR_THE_BUILD = frozenset(
    {
        NoDate.IGNORED,
        NoDate.NO_SOURCE,
        NoDate.NOT_FOUND,
        NoDate.FILTERED,
        NoDate.LATER_PAGE,
    }
)
"""The reasons of pages that should have no date, which is never a mistake."""
BY_NATURE = MADE_FOR_THE_BUILD | {
    NoDate.UNTRACKED,
    NoDate.ELSEWHERE,
    NoDate.UNRESOLVED,
    NoDate.TEMPLATE,
    NoDate.REMOTE,
}
NEVER_IN_GIT = BY_NATURE | {NoDate.NO_REPOSITORY}
"""The reasons for which git can never have a date."""


class ContentChange(NamedTuple):
    """When a file got its current content: seconds since 1970, and the commit, with ``is_new`` if
    that added it.
    """

    when: int
    commit: str
    is_new: bool = False


class Unknown(NamedTuple):
    """The history does not show when a file changed.

    It was no later than ``before``, if that is known.
    """

    reason: NoDate
    before: int | None = None
    detail: str | None = None
    """Git's message, where the source was searched for, or the files to list under `depends`, in
    quotes."""
    repository: str | None = None
    other: str | None = None
    """What the reason applies to, if it is a dependency, an included file or a documented module of
    the page."""

    def __str__(self) -> str:
        if self.other:
            return f"built with {self.other}, which is {self.reason}"
        return str(self.reason)


Answer = ContentChange | Unknown
_NO_SOURCE = Unknown(NoDate.NO_SOURCE)


def newest(answers: Sequence[Answer]) -> Answer:
    """Return the newest of several answers, or an unknown one that may be newer."""
    if len(answers) <= 1:
        return answers[0] if answers else _NO_SOURCE
    known = [answer for answer in answers if isinstance(answer, ContentChange)]
    best = max(known, key=lambda change: change.when, default=None)
    for doubt in answers:
        if isinstance(doubt, Unknown) and (
            best is None or doubt.before is None or doubt.before > best.when
        ):
            return doubt
    return best or _NO_SOURCE


RestsOn = Literal["author", "git", "publication", "list", "filter", "nothing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The date of a page and its source, or why there is none."""

    date: str | None = None
    """A W3C date of `dates`."""
    rests_on: RestsOn = "nothing"
    key: str | None = None
    """The front matter key of the author's date."""
    answer: Answer
    """Git's answer for the files of the page, which is a reason if there is no date."""
    file: str | None = None
    """The file that the answer applies to, if it applies to one."""
    files: tuple[str, ...] = ()
    """All files that the page is built from, as absolute paths."""
    page: str | None = None
    """The URL of the listed page with that date, if it rests on a list."""
