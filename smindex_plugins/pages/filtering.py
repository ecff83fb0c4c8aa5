"""What the user's own function makes of the pages that would be listed.

It is asked after all else has decided that a page is listed, and when its date is known. What it returns is judged
again by all these rules.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from smindex_plugins import urls
from smindex_plugins.catalogue import FAILED_FILTER, FUTURE_DATE, Kind
from smindex_plugins.dates import is_future, w3c_date, written
from smindex_plugins.filters import Filter, name_of, raised
from smindex_plugins.history import Reason as Undated
from smindex_plugins.history import Unknown
from smindex_plugins.model import PLAIN, Details, Finding, Page, Spot
from smindex_plugins.pages.membership import Omission, Reason, judge
from smindex_plugins.settings import Target
from smindex_plugins.text import brief, counted

_GIVES = "but `filter` gives it the URL {}, outside {}."
_MAY_CHANGE = "It may change `url`, `lastmod` and `details.alternates`, with dataclasses.replace"


class _RefusedError(Exception):
    """What the function returned cannot be used."""

    def __init__(self, problem: str, what: str, kind: Kind = FAILED_FILTER) -> None:
        super().__init__(problem)
        self.what = what
        """The value that is wrong. Pages with the same wrong value share a finding."""
        self.kind = kind


@dataclass(slots=True)
class _Failure:
    """The pages for which the function failed in the same way."""

    kind: Kind
    spot: Spot
    problem: str
    pages: int = 0


@dataclass(slots=True, kw_only=True)
class Filtering:
    """Asks the function about pages, and records what became of them."""

    function: Filter
    target: Target
    proven: frozenset[str]
    now: datetime
    findings: list[Finding]
    """Receives what is wrong with the returned pages."""
    _failures: dict[tuple[object, ...], _Failure] = field(default_factory=dict)
    _moved: dict[str, str] = field(default_factory=dict)
    """The earlier URLs of changed pages, by their present ones."""
    _without: list[str] = field(default_factory=list)
    """The pages whose date the function removed."""

    def ask(self, page: Page) -> Page | Omission:
        """Return a page as the function wants it, or why it is not listed. If the function fails, it is as it was."""
        try:
            returned = self.function(page)
        except Exception as error:  # noqa: BLE001 - the function is the user's, and may raise anything
            function: Any = self.function if hasattr(self.function, "__code__") else type(self.function).__call__
            code = getattr(function, "__code__", None)
            said, place = raised(error, code.co_filename if code else "")
            return self._fail(page, FAILED_FILTER, f"{self._name} raised {said}{place}.", type(error), place)
        if returned is page:
            return page
        if returned is None:
            return Omission(page.url, page.details.source_name or page.file, Reason.FILTERED, self._name)
        try:
            changed = self._read(page, returned)
        except _RefusedError as error:
            return self._fail(page, error.kind, f"{self._name} {error}", error.kind, error.what)
        return self._judged(page, changed)

    def reasons(self, why: Mapping[str, Unknown]) -> dict[str, Unknown]:
        """Return why pages have no date by their present URLs, from the reasons by their original ones."""
        bare = {url.removesuffix("index.html"): reason for url, reason in why.items()}
        names = ((url, old.removesuffix("index.html")) for url, old in self._moved.items())
        moved = {url: bare[old] for url, old in names if old in bare}
        return {**why, **dict.fromkeys(self._without, Unknown(Undated.FILTERED)), **moved}

    def tell(self) -> None:
        """Add one finding for each way in which the function failed."""
        for failure in self._failures.values():
            others = counted(failure.pages - 1, "other page")
            more = f" The same is true of {others}." if failure.pages > 1 else ""
            self.findings.append(failure.kind.at(failure.spot, failure.problem + more))

    @property
    def _name(self) -> str:
        return f"`{name_of(self.target.settings.filter or self.function)}`"

    def _fail(self, page: Page, kind: Kind, problem: str, *way: object) -> Page:
        self._failures.setdefault(way, _Failure(kind, page.spot, problem)).pages += 1
        return page

    def _read(self, page: Page, returned: object) -> Page:
        """Return the page with what the function may change.

        Raises:
            _RefusedError: it changed something else, or a value is wrong.
        """
        if not isinstance(returned, Page):
            problem = f"returned {brief(returned)}, which is neither a Page nor None."
            raise _RefusedError(problem, "page")
        details = returned.details
        is_own = details == PLAIN or _without_alternates(details) == _without_alternates(page.details)
        kept = {"file": returned.file in ("", page.file), "sources": returned.sources in ((), page.sources)}
        for name, is_kept in {**kept, "details": is_own}.items():
            if not is_kept:
                problem = f"changed `{name}` of the page. {_MAY_CHANGE}."
                raise _RefusedError(problem, name)
        url = _url(returned.url)
        said = page.details.said if url == page.url else None  # which depends on the URL
        return replace(
            page,
            url=url,
            lastmod=self._date(page, returned.lastmod),
            details=replace(page.details, alternates=_alternates(details.alternates), said=said),
        )

    def _date(self, page: Page, given: Any) -> str | None:  # noqa: ANN401 - the function may return anything
        settings = self.target.settings
        date = w3c_date(given) if isinstance(given, str) else None
        if given is None or settings.lastmod == "off":
            return None
        if date is None:
            problem = f"gave it the lastmod {brief(given)}, which is not a W3C date, such as 2026-05-10."
            raise _RefusedError(problem, "lastmod")
        if given == page.lastmod:
            return page.lastmod
        if is_future(date, self.now):
            problem = f"gave it the date {date}, which is in the future."
            raise _RefusedError(problem, "date", FUTURE_DATE)
        return written(date, settings.lastmod_format)

    def _judged(self, page: Page, changed: Page) -> Page | Omission:
        """Return a changed page if it may be listed as it is now, or why not."""
        if changed == page:
            return page
        judged = judge(changed, self.target, self.proven, self.findings, _GIVES)
        if isinstance(judged, Omission):
            return judged
        if page.lastmod and not changed.lastmod:
            self._without.append(judged.url)
        self._moved[judged.url] = page.url
        return replace(judged, details=changed.details)  # without the alternates that it removed


def _without_alternates(details: object) -> object:
    return replace(details, alternates=()) if isinstance(details, Details) else None


def _url(given: object) -> str:
    url = urls.normal(given) if isinstance(given, str) else ""
    if not url:
        problem = f"gave it the URL {brief(given)}, which is no absolute http or https URL."
        raise _RefusedError(problem, "url")
    return url


def _alternates(given: Any) -> tuple[tuple[str, str], ...]:  # noqa: ANN401 - as above
    try:
        found = sorted({(code, urls.normal(url) or url) for code, url in given})
        is_text = all(isinstance(each, str) for pair in found for each in pair)
    except (AttributeError, TypeError, ValueError):
        is_text = False
    if not is_text:
        problem = f"gave it the alternates {brief(given)}, which are no pairs of a language code and a URL."
        raise _RefusedError(problem, "alternates")
    return tuple(found)
