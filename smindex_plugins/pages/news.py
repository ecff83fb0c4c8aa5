"""Which pages are news: the articles of the last two days.

This one list depends on the clock, as nothing else does: an article leaves it by growing old. It is made only where
the user names a publication. Its pages stay in the sitemaps of their sections, so that they are listed twice.

The rules: https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from smindex_plugins.dates import is_day, is_future, utc
from smindex_plugins.limits import NEWS_DAYS
from smindex_plugins.model import Finding, News, Page, Publication
from smindex_plugins.pages import content
from smindex_plugins.pages.front_matter import author_publication
from smindex_plugins.wording import one_line


@dataclass(frozen=True, slots=True)
class Recent:
    """The pages that are news, the newest first, and what is wrong with any of them."""

    pages: list[Page] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def recent(pages: list[Page], publication: Publication, now: datetime) -> Recent:
    """Find the articles that appeared in the two days before an aware datetime."""
    found = Recent()
    for page in pages:
        if page.details.lists or page.details.number > 1:
            continue  # a list of articles is none itself
        published = page.details.published or author_publication(page)
        if published and not _is_recent(published, now):
            continue
        article = _article(page, dated=published is not None)
        published = published or article.published
        if published and _is_recent(published, now):
            found.pages.extend(_as_news(page, article, published, publication, found.findings))
    found.pages.sort(key=lambda page: page.url)
    found.pages.sort(key=lambda page: page.details.news.published if page.details.news else "", reverse=True)
    return found


def _article(page: Page, *, dated: bool) -> content.Article:
    if page.file:
        with contextlib.suppress(OSError):  # removed since it was chosen
            return content.read_article(page.file, dated=dated)
    return content.Article()


def _is_recent(published: str, now: datetime) -> bool:
    """Tell whether an article is two days old at most.

    One that has a day and no time is where that day is this one or the last: that of the day before may be older.
    """
    if is_future(published, now):
        return False
    if is_day(published):
        return published > (now.astimezone(UTC).date() - timedelta(days=NEWS_DAYS)).isoformat()
    return published >= utc(now - timedelta(days=NEWS_DAYS))


def _as_news(
    page: Page, article: content.Article, published: str, publication: Publication, findings: list[Finding]
) -> Iterator[Page]:
    authors = (page.details.meta or {}).get("title")
    titles = (article.headline, authors if isinstance(authors, str) else "", article.title)
    title = next(filter(None, map(one_line, titles)), None)
    if title is None:
        findings.append(_untitled(page))
        return
    news = News(publication=publication, published=published, title=title)
    yield replace(page, details=replace(page.details, news=news, alternates=(), images=(), videos=()))


def _untitled(page: Page) -> Finding:
    return Finding(
        check="untitled-news",
        level="warning",
        where=page.name,
        problem="it is an article of the last two days, and has no title.",
        fix="It is not in the news sitemap. Give it a <title>, an og:title, or a headline in its JSON-LD.",
    )


def too_many(where: str, count: int, most: int) -> Finding:
    """Say that there are more articles than a news sitemap holds."""
    return Finding(
        check="too-many-news",
        level="warning",
        where=where,
        problem=f"{count:,} articles are of the last two days; {most:,} of them are listed.",
        fix="The newest are. A news sitemap holds 1,000 articles, within max_urls and max_bytes.",
    )
