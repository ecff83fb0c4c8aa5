"""When a page that lists others last changed: a listed page changed, or moved onto it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from operator import attrgetter

from smindex_plugins.dates import is_future, past, utc
from smindex_plugins.history import OUT_OF_THE_AUTHORS_HANDS, Answer, Change, History, Reason, Unknown
from smindex_plugins.html.front_matter import author_publication
from smindex_plugins.model import Page


def newest_listed(
    page: Page, own: str | Unknown, by_url: Mapping[str, str | Unknown], shift: str | Unknown | None
) -> str | Unknown:
    """Return the date of a list: that of its newest page, or of the last move of a page onto it."""
    dates: list[str | Unknown | None] = [by_url[url] for url in page.details.lists if url in by_url]
    if page.sources or isinstance(own, str):
        dates.append(own)
    return _newest_date([*dates, shift]) or Unknown(Reason.NO_SOURCE)


def _newest_date(dates: Sequence[str | Unknown | None]) -> str | Unknown | None:
    """Return the newest date, unless an unknown one may be newer. None does not count."""
    best = max((date for date in dates if isinstance(date, str)), default=None)
    for doubt in dates:
        if isinstance(doubt, Unknown) and (best is None or doubt.before is None or utc(doubt.before) > best):
            return doubt
    return best


def shifts(
    pages: list[Page],
    history: History,
    known: Mapping[str, Answer],
    by_url: Mapping[str, str | Unknown],
    now: datetime,
) -> dict[str, str | Unknown]:
    """Return when items last came onto the earlier pages of a list, by the URLs of its later pages.

    A new item moves all later items. A change without a new or removed item moves nothing.
    """
    lists = sorted((page for page in pages if page.details.series), key=attrgetter("details.number"))
    last = {page.details.series: page.url for page in lists}
    above = {url for page in lists if page.url != last[page.details.series] for url in page.details.lists}
    arrivals = _arrivals([page for page in pages if page.url in above], history, known, by_url, now) if above else {}
    found: dict[str, str | Unknown] = {}
    newest_above: dict[str, str | Unknown] = {}
    for page in lists:
        before = newest_above.get(page.details.series)
        if before:
            found[page.url] = before
        came = [arrivals[url] for url in page.details.lists if url in arrivals]
        if latest := _newest_date([*came, before]):
            newest_above[page.details.series] = latest
    return found


def _arrivals(
    pages: list[Page],
    history: History,
    known: Mapping[str, Answer],
    by_url: Mapping[str, str | Unknown],
    now: datetime,
) -> dict[str, str | Unknown]:
    """Return when these pages came onto the lists that they are on.

    That is when they were committed, or the day of publication by their authors if that is later. A page whose author
    says that it has not changed since was there already.
    """
    own = {page.url: page.sources[0] for page in pages if page.sources}
    answers: dict[str, Answer] = {source: known[source] for source in own.values()}
    changed = [source for source, answer in answers.items() if not (isinstance(answer, Change) and answer.is_new)]
    answers |= history.arrivals(changed)
    found: dict[str, str | Unknown] = {}
    for page in pages:
        answer = answers[own[page.url]] if page.url in own else Unknown(Reason.NO_SOURCE)
        dates: list[str | None] = []
        if isinstance(answer, Change):
            lastmod, added = by_url[page.url], past(answer.when, now)
            dates.append(min(lastmod, added) if isinstance(lastmod, str) and added else added)
        if isinstance(answer, Change) or answer.reason in OUT_OF_THE_AUTHORS_HANDS:
            published = page.details.published or author_publication(page)
            dates.append(None if published and is_future(published, now) else published)
        doubt = answer if isinstance(answer, Unknown) else Unknown(Reason.FUTURE)
        found[page.url] = max(filter(None, dates), default=None) or doubt
    return found
