"""What can be wrong with what entries say beside URL and date: their images, videos, news and language variants."""

from datetime import UTC, datetime, timedelta

from smindex_plugins import urls
from smindex_plugins.checks.rule import Check, Flaws, check, flaw
from smindex_plugins.dates import read_w3c, utc
from smindex_plugins.limits import MAX_IMAGES, MAX_NEWS, NEWS_DAYS
from smindex_plugins.pages.languages import is_hreflang
from smindex_plugins.sitemaps.listing import Document

_SHOWN = 200
"""Characters of a URL that a message repeats."""


def _shown(url: str) -> str:
    return url if len(url) <= _SHOWN else f"{url[:_SHOWN]}…"


@check("warning")
def too_many_images(document: Document) -> Flaws:
    """An entry has at most 1,000 images."""
    for position, count in document.images.items():
        if count > MAX_IMAGES:
            problem = f"{_shown(document.urls[position])} has {count:,} images; Google reads {MAX_IMAGES:,}."
            yield flaw(document, problem, "List the ones that matter.", document.line(position))


@check("warning")
def expired_video(document: Document) -> Flaws:
    """No video has expired, for search engines show it no more."""
    now = utc(datetime.now(UTC))
    for line, text in document.expirations:
        date, _ = read_w3c(text)
        if date and date < now[: len(date)]:
            yield flaw(document, f"a video has expired on {text[:40]}.", "Remove it, or its expiration date.", line)


@check("error", "Too many News URLs")
def too_many_news(document: Document) -> Flaws:
    """A news sitemap has at most 1,000 articles."""
    if len(document.news) > MAX_NEWS:
        problem = f"it has {len(document.news):,} articles; Google News takes {MAX_NEWS:,}."
        yield flaw(document, problem, "Split it, or remove articles older than two days.")


@check("warning")
def old_news(document: Document) -> Flaws:
    """An article of a news sitemap is at most two days old."""
    limit = utc(datetime.now(UTC) - timedelta(days=NEWS_DAYS))
    for line, text in document.news:
        date, _ = read_w3c(text)
        if date and date < limit[: len(date)]:
            yield flaw(document, f"an article is of {text}, older than two days.", "Remove it from the news.", line)


@check("warning")
def relative_hreflang(document: Document) -> Flaws:
    """A language variant is named by an absolute URL."""
    for position, variants in document.alternates.items():
        for code, url in variants:
            if not urls.normal(url):
                problem = f"{_shown(document.urls[position])} names {_shown(url)!r} as its variant {code!r}."
                yield flaw(document, problem, "Write its absolute URL.", document.line(position))


@check("warning")
def invalid_hreflang(document: Document) -> Flaws:
    """A language variant has the tag of a language, or x-default."""
    for position, variants in document.alternates.items():
        for code, url in variants:
            if not is_hreflang(code):
                problem = f"{_shown(document.urls[position])} calls {_shown(url)} its variant {code!r}."
                fix = "Write a language and, if need be, a script and a region: de, zh-Hant, en-GB, or x-default."
                yield flaw(document, problem, fix, document.line(position))


@check("warning")
def hreflang_without_self(document: Document) -> Flaws:
    """A page that names language variants is one of them."""
    for position, variants in document.alternates.items():
        own = document.normal[position]
        if own and all(own not in {url, urls.normal(url)} for _, url in variants):
            problem = f"{_shown(own)} names its language variants, and not itself."
            yield flaw(document, problem, "Add a link to itself with its own hreflang.", document.line(position))


@check("warning")
def hreflang_contradiction(document: Document) -> Flaws:
    """A page has one variant in each language."""
    for position, variants in document.alternates.items():
        said: dict[str, str] = {}
        for code, url in variants:
            if said.setdefault(code.lower(), url) != url:
                problem = (
                    f"{_shown(document.urls[position])} has two variants {code!r}: {said[code.lower()]} and {url}."
                )
                yield flaw(document, problem, "Give each language one page.", document.line(position))


EXTENSION_CHECKS: tuple[Check[Document], ...] = (
    too_many_images,
    expired_video,
    too_many_news,
    old_news,
    relative_hreflang,
    invalid_hreflang,
    hreflang_without_self,
    hreflang_contradiction,
)
