"""When a page that lists others last changed: when one of those did."""

from collections.abc import Mapping

from smindex_plugins.dates import utc
from smindex_plugins.history import Reason, Unknown
from smindex_plugins.model import Page


def newest_listed(page: Page, own: str | Unknown, by_url: Mapping[str, str | Unknown]) -> str | Unknown:
    """Return the date of a list: that of its newest page, unless an unknown one may be newer.

    Later pages of a list have no date: new items move the others there, which no file shows.
    """
    if page.details.number > 1:
        return Unknown(Reason.LATER_PAGE)
    dates = [by_url[url] for url in page.details.lists if url in by_url]
    if page.sources or isinstance(own, str):
        dates.append(own)
    best = max((date for date in dates if isinstance(date, str)), default=None)
    for doubt in dates:
        if isinstance(doubt, Unknown) and (best is None or doubt.before is None or utc(doubt.before) > best):
            return doubt
    return best or Unknown(Reason.NO_SOURCE)
