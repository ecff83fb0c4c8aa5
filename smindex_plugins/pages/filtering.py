"""What the user's own function makes of the pages that would be listed.

It is called after all else has decided that a page is listed, and when its date is known. What it returns is judged
again by all these rules.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from smindex_plugins import urls
from smindex_plugins.catalogue import FAILED_FILTER
from smindex_plugins.dates import is_future, w3c_date, written
from smindex_plugins.filters import Filter, describe
from smindex_plugins.history import Reason as Undated
from smindex_plugins.history import Unknown
from smindex_plugins.model import PLAIN, Finding, Page
from smindex_plugins.pages.membership import Omission, Reason, judge
from smindex_plugins.settings import Target
from smindex_plugins.text import brief, counted

_GIVES = "but `filter` gives it the URL {}, outside {}."
_MAY_CHANGE = "It may change `url`, `lastmod` and `details.alternates`, with dataclasses.replace"


@dataclass(slots=True, kw_only=True)
class Filtering:
    """Calls the function with pages, and records what became of them."""

    function: Filter
    target: Target
    proven: frozenset[str]
    now: datetime
    findings: list[Finding]
    """Receives what is wrong with the returned pages."""
    _failures: list[tuple[Page, str]] = field(default_factory=list)
    _moved: dict[str, str] = field(default_factory=dict)
    """The earlier URLs of changed pages, by their present ones."""
    _without: list[str] = field(default_factory=list)
    """The pages whose date the function removed."""

    def apply(self, page: Page) -> Page | Omission:
        """Return a page as the function wants it, or why it is not listed. If the function fails, it is as it was."""
        try:
            returned = self.function(page)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - the function is the user's, and may raise anything
            self._failures.append((page, f"raised {describe(error)}."))
            return page
        if returned is None:
            return Omission(page.url, page.details.source_name or page.file, Reason.FILTERED, self._name)
        try:
            changed = self._changed(page, returned)
        except (TypeError, ValueError) as error:
            self._failures.append((page, str(error)))
            return page
        if changed == page:
            return page
        judged = judge(changed, self.target, self.proven, self.findings, _GIVES)
        if isinstance(judged, Omission):
            return judged
        if page.lastmod and not changed.lastmod:
            self._without.append(judged.url)
        self._moved[judged.url] = page.url
        return replace(judged, details=changed.details)  # without the alternates that it removed

    def reasons(self, why: Mapping[str, Unknown]) -> dict[str, Unknown]:
        """Return why pages have no date by their present URLs, from the reasons by their original ones."""
        bare = {url.removesuffix("index.html"): reason for url, reason in why.items()}
        names = ((url, old.removesuffix("index.html")) for url, old in self._moved.items())
        moved = {url: bare[old] for url, old in names if old in bare}
        return {**why, **dict.fromkeys(self._without, Unknown(Undated.FILTERED)), **moved}

    def report(self) -> None:
        """Add one finding for all pages for which the function failed."""
        if self._failures:
            page, problem = self._failures[0]
            others = len(self._failures) - 1
            more = f" It fails for {counted(others, 'other page')} too." if others else ""
            self.findings.append(FAILED_FILTER.at(page.spot, f"{self._name} {problem}{more}"))

    @property
    def _name(self) -> str:
        given = self.target.settings.filter or self.function
        return f"`{given if isinstance(given, str) else getattr(given, '__qualname__', type(given).__qualname__)}`"

    def _changed(self, page: Page, returned: object) -> Page:
        """Return the page with what the function may change.

        Raises:
            ValueError, TypeError: it returned something else; the message says what, as the end of a sentence.
        """
        if not isinstance(returned, Page):
            message = f"returned {brief(returned)}, which is neither a Page nor None."
            raise TypeError(message)
        given = page.details if returned.details == PLAIN else returned.details
        try:
            alternates = sorted({(str(code), urls.normal(url) or url) for code, url in returned.details.alternates})
            kept = replace(
                returned,
                url=page.url,
                lastmod=page.lastmod,
                file=returned.file or page.file,
                sources=returned.sources or page.sources,
                details=replace(given, alternates=page.details.alternates),
            )
        except (AttributeError, TypeError, ValueError):
            kept = None
        if kept != page:
            message = f"changed something else of the page. {_MAY_CHANGE}."
            raise ValueError(message)
        url = urls.normal(returned.url) if isinstance(returned.url, str) else ""
        if not url:
            message = f"gave it the URL {brief(returned.url)}, which is not an absolute http or https URL."
            raise ValueError(message)
        lastmod = returned.lastmod
        if lastmod is not None and lastmod != page.lastmod:
            date = w3c_date(lastmod) if isinstance(lastmod, str) else None
            if date is None or is_future(date, self.now):
                problem = "not a W3C date, such as 2026-05-10" if date is None else "in the future"
                message = f"gave it the lastmod {brief(lastmod)}, which is {problem}."
                raise ValueError(message)
            lastmod = written(date, self.target.settings.lastmod_format)
        return replace(
            page,
            url=url,
            lastmod=None if self.target.settings.lastmod == "off" else lastmod,
            details=replace(
                page.details,
                alternates=tuple(alternates),
                said=page.details.said if url == page.url else None,  # which depends on the URL
            ),
        )
