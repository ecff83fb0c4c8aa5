"""Which pages are news: the articles of the last two days.

This one list depends on the clock, as nothing else does: an article leaves it by growing old. It is made only where
the user names a publication. Its pages stay in the sitemaps of their sections, so that they are listed twice.

The rules: https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from smindex_plugins.catalogue import UNTITLED_NEWS
from smindex_plugins.dates import is_day, is_future, utc
from smindex_plugins.html.front_matter import author_publication
from smindex_plugins.limits import NEWS_DAYS
from smindex_plugins.model import Finding, News, Page, Publication
from smindex_plugins.wording import one_line


def recent(pages: list[Page], publication: Publication, now: datetime, findings: list[Finding]) -> list[Page]:
    """Return the articles of the two days before an aware datetime, as news, the newest first."""
    found = []
    for page in pages:
        if page.details.lists or page.details.number > 1:
            continue  # a list of articles is none itself
        published = page.details.published or author_publication(page)
        if published and _is_recent(published, now):
            title = _title(page)
            if title is None:
                problem = "it is an article of the last two days, but has no title."
                findings.append(UNTITLED_NEWS.at(page.spot, problem))
            else:
                news = News(publication=publication, published=published, title=title)
                details = replace(page.details, news=news, alternates=(), images=(), videos=())
                found.append((published, replace(page, details=details)))
    found.sort(key=lambda dated: dated[1].url)
    found.sort(key=lambda dated: dated[0], reverse=True)
    return [page for _, page in found]


def _is_recent(published: str, now: datetime) -> bool:
    """Whether an article is at most two days old.

    A date without a time must be today or yesterday, because the start of the day before is more than two days ago.
    """
    if is_future(published, now):
        return False
    if is_day(published):
        return published > (now.astimezone(UTC).date() - timedelta(days=NEWS_DAYS)).isoformat()
    return published >= utc(now - timedelta(days=NEWS_DAYS))


def _title(page: Page) -> str | None:
    title = (page.details.meta or {}).get("title")
    return one_line(title) if isinstance(title, str) else None
