"""What can be wrong with the images, videos, news and language variants of entries."""

from datetime import UTC, datetime, timedelta

from smindex_plugins import urls
from smindex_plugins.catalogue import (
    HREFLANG_CONTRADICTION,
    HREFLANG_WITHOUT_SELF,
    INVALID_HREFLANG,
    OLD_NEWS,
    TOO_MANY_IMAGES,
    TOO_MANY_NEWS,
)
from smindex_plugins.checks.rule import At, Findings, check, shown
from smindex_plugins.dates import read_w3c, utc
from smindex_plugins.limits import MAX_IMAGES, MAX_NEWS, NEWS_DAYS
from smindex_plugins.pages import is_hreflang
from smindex_plugins.sitemaps import Document


@check(Document, TOO_MANY_IMAGES)
def too_many_images(document: Document, at: At) -> Findings:
    for entry in document.entries:
        if (count := len(entry.images)) > MAX_IMAGES:
            problem = f"{shown(entry.url)} has {count:,} images; Google reads {MAX_IMAGES:,}."
            yield at(document.spot(entry), problem, "List the ones that matter.")


@check(Document, TOO_MANY_NEWS)
def too_many_news(document: Document, at: At) -> Findings:
    if len(document.news) > MAX_NEWS:
        yield at(document, f"it has {len(document.news):,} articles; Google News accepts {MAX_NEWS:,}.")


@check(Document, OLD_NEWS)
def old_news(document: Document, at: At) -> Findings:
    limit = utc(datetime.now(UTC) - timedelta(days=NEWS_DAYS))
    for line, text in document.news:
        date, _ = read_w3c(text)
        if date and date < limit[: len(date)]:
            yield at(document, f"an article has the date {text}, more than two days ago.", line=line)


@check(Document, INVALID_HREFLANG)
def invalid_hreflang(document: Document, at: At) -> Findings:
    for entry in document.entries:
        for code, url in entry.alternates:
            if not urls.normal(url):
                variant = f"its variant {code!r} by {shown(url)!r}, which is not a full URL"
                problem = f"{shown(entry.url)} names {variant}."
                yield at(document.spot(entry), problem, "Write its absolute URL.")
            if not is_hreflang(code):
                problem = f"{shown(entry.url)} gives its variant {shown(url)} the code {code!r}."
                yield at(document.spot(entry), problem)


@check(Document, HREFLANG_WITHOUT_SELF)
def hreflang_without_self(document: Document, at: At) -> Findings:
    for entry in document.entries:
        own = entry.normal
        if own and entry.alternates and all(own not in {url, urls.normal(url)} for _, url in entry.alternates):
            problem = f"{shown(own)} names its language variants, but not itself."
            yield at(document.spot(entry), problem)


@check(Document, HREFLANG_CONTRADICTION)
def hreflang_contradiction(document: Document, at: At) -> Findings:
    for entry in document.entries:
        said: dict[str, str] = {}
        for code, url in entry.alternates:
            first = said.setdefault(code.lower(), url)
            if first != url:
                problem = f"{shown(entry.url)} has two variants {code!r}: {first} and {url}."
                yield at(document.spot(entry), problem)
