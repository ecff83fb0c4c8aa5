"""Calls the user's filter function for the pages that would be listed.

It is called after all other rules have decided that a page is listed, when its date is known. Its
result is checked against the same rules.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime

from smindex_plugins.base import urls
from smindex_plugins.base.catalogue import FAILED_FILTER
from smindex_plugins.base.dates import is_future, is_zero, w3c_date, written
from smindex_plugins.base.filters import describe
from smindex_plugins.base.model import Finding, Page
from smindex_plugins.base.proof import NoDate as Undated
from smindex_plugins.base.proof import Unknown
from smindex_plugins.base.settings import Filter
from smindex_plugins.base.site import Site
from smindex_plugins.base.text import brief, counted
from smindex_plugins.pages.hreflang import normal_alternates
from smindex_plugins.pages.membership import judge
from smindex_plugins.pages.omissions import NotListed, Omission

_MOVED = "but `filter` sets its URL to {}, outside {}."
_MAY_CHANGE = "It may change `url`, `lastmod`, `alternates` and `section`, with dataclasses.replace"


@dataclass(slots=True)
class Filtering:
    """Calls the function with pages, and collects its failures."""

    function: Filter
    site: Site
    proven: frozenset[str]
    now: datetime
    _failures: list[tuple[Page, str]] = field(default_factory=list)

    def __call__(self, page: Page) -> Page | Omission:
        """Return a page as the function changed it, or why it is omitted.

        If the function fails, nothing changes.
        """
        try:
            returned = self.function(page)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - the function is the user's, and may raise anything
            self._failures.append((page, f"raised {describe(error)}."))
            return page
        if returned is None:
            return Omission.of(page, NotListed.FILTERED, self._name)
        try:
            changed = self._changed(page, returned)
        except ValueError as error:
            self._failures.append((page, str(error)))
            return page
        if changed == page:
            return page
        judged = judge(changed, self.site, self.proven, _MOVED)
        if isinstance(judged, Omission):
            return judged
        # Ignores the alternates of its HTML if the function removed them.
        return replace(judged, alternates=changed.alternates)

    def failures(self) -> Iterator[Finding]:
        """Yield one finding about all pages for which the function failed."""
        if not self._failures:
            return
        (page, why), *others = self._failures
        problem = f"{self._name} {why}"
        if others:
            problem += f" It also fails for {counted(len(others), 'other page')}."
        yield FAILED_FILTER.at(page.spot, problem)

    @property
    def _name(self) -> str:
        given = self.site.settings.filter or self.function
        if not isinstance(given, str):
            given = getattr(given, "__qualname__", type(given).__qualname__)
        return f"`{given}`"

    def _changed(self, page: Page, returned: object) -> Page:
        """Return the page with the changes that the function may make.

        Raises:
            ValueError: it returned something else; the message explains that, as the end of a
                sentence.
        """
        if not isinstance(returned, Page):
            message = f"returned {brief(returned)}, which is neither a Page nor None."
            raise ValueError(message)  # noqa: TRY004 - like all other mistakes
        url = returned.url
        alternates = returned.alternates
        section = returned.section or page.section
        _check_rest(page, returned)
        variants = _variants(alternates)
        normal = urls.normal(url) if isinstance(url, str) else ""
        if not normal:
            message = f"set the URL {brief(url)}, which is not an absolute http or https URL."
            raise ValueError(message)
        lastmod = returned.lastmod
        if lastmod is not None and lastmod != page.lastmod:
            lastmod = self._date(lastmod)
        if self.site.settings.lastmod == "off":
            lastmod = None
        proof = page.proof
        if proof and lastmod != page.lastmod:
            answer = Unknown(Undated.FILTERED)
            proof = replace(proof, date=lastmod, rests_on="filter", answer=answer)
        # The interpretation of its head depends on the URL.
        head = page.head if normal == page.url else None
        return replace(
            page,
            url=normal,
            lastmod=lastmod,
            alternates=variants,
            section=section,
            head=head,
            proof=proof,
        )

    def _date(self, given: object) -> str:
        """Return a date that the function set, in the format of the settings.

        Raises:
            ValueError: it is not valid.
        """
        date = w3c_date(given) if isinstance(given, str) else None
        problem = _problem_with(date, self.now)
        if date is None or problem:
            message = f"set the lastmod {brief(given)}, which is {problem}."
            raise ValueError(message)
        return written(date, self.site.settings.lastmod_format)


def _check_rest(page: Page, returned: Page) -> None:
    """Raise a ValueError if the function changed more of a page than it may."""
    same = replace(
        page,
        url=returned.url,
        lastmod=returned.lastmod,
        alternates=returned.alternates,
        section=returned.section,
    )
    new = Page(  # which keeps the rest
        url=returned.url,
        lastmod=returned.lastmod,
        alternates=returned.alternates,
        section=returned.section,
    )
    section: object = returned.section or page.section
    is_category = section is None or isinstance(section, str)
    if returned not in (same, new) or not is_category:
        message = f"changed another attribute of the page. {_MAY_CHANGE}."
        raise ValueError(message)


def _variants(given: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return the alternates that the function set, in normal form.

    Raises:
        ValueError: they are not valid.
    """
    try:
        return normal_alternates(given)
    except (AttributeError, TypeError, ValueError):
        message = (
            f"set the alternates {brief(given)}, which are not pairs of a language code and a URL."
        )
        raise ValueError(message) from None


def _problem_with(date: str | None, now: datetime) -> str:
    """Return why a date can't be listed, as text that follows "which is", or an empty string."""
    if date is None:
        return "not a W3C date, such as 2026-05-10"
    if is_future(date, now):
        return "in the future"
    if is_zero(date):
        return "what programs write if they know no date; None leaves it out"
    return ""
