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
    for position, count in document.images.items():
        if count > MAX_IMAGES:
            problem = f"{shown(document.urls[position])} has {count:,} images; Google reads {MAX_IMAGES:,}."
            yield at(document.entry(position), problem, "List the ones that matter.")


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
    for position, variants in document.alternates.items():
        for code, url in variants:
            if not urls.normal(url):
                variant = f"its variant {code!r} by {shown(url)!r}, which is not a full URL"
                problem = f"{shown(document.urls[position])} names {variant}."
                yield at(document.entry(position), problem, "Write its absolute URL.")
            if not is_hreflang(code):
                problem = f"{shown(document.urls[position])} gives its variant {shown(url)} the code {code!r}."
                yield at(document.entry(position), problem)


@check(Document, HREFLANG_WITHOUT_SELF)
def hreflang_without_self(document: Document, at: At) -> Findings:
    for position, variants in document.alternates.items():
        own = document.normal[position]
        if own and all(own not in {url, urls.normal(url)} for _, url in variants):
            problem = f"{shown(own)} names its language variants, but not itself."
            yield at(document.entry(position), problem)


@check(Document, HREFLANG_CONTRADICTION)
def hreflang_contradiction(document: Document, at: At) -> Findings:
    for position, variants in document.alternates.items():
        said: dict[str, str] = {}
        for code, url in variants:
            first = said.setdefault(code.lower(), url)
            if first != url:
                problem = f"{shown(document.urls[position])} has two variants {code!r}: {first} and {url}."
                yield at(document.entry(position), problem)
