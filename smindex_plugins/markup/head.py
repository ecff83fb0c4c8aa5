"""What a rendered page says about itself, read as search engines and browsers read it."""

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import IO, Literal

from smindex_plugins import urls
from smindex_plugins.files import open_regular
from smindex_plugins.limits import MAX_PAGE_READ
from smindex_plugins.markup import directives, tokens, unpublished

_BLOCK = 1 << 16

# What may stand in a head: comments, elements whose content is no markup or is left alone, and tags.
# The rules: https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inhead
_TOKEN = re.compile(
    rb"\s*(?:%(comment)b"
    rb"|<(?P<closed>script|style|title|noscript|template|noframes)\b%(attributes)b"
    rb"(?:[^<]++|<(?!/(?P=closed)[\s/>]))*+(?:</(?P=closed)[^>]*>?)?"
    rb"|<(?P<name>base|link|meta)(?=[\s/>])(?P<attributes>%(attributes)b)"
    rb"|<(?:(?:html|head|basefont|bgsound)(?=[\s/>])|/(?!(?:body|html|br)[\s/>])[a-z])%(attributes)b"
    rb"|<(?:[!?]|/(?![a-z]))[^>]*>)" % {b"attributes": tokens.ATTRIBUTES, b"comment": tokens.COMMENT},
    re.IGNORECASE | re.DOTALL,
)
# In lower case, because ignoring case takes ten times as long.
_SPEAKING = re.compile(rb"robots|googlebot|refresh|canonical|hreflang|<base|&#")
_PRAGMA = tokens.Word(b"http-equiv", rarest=b"q")
# https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-refresh
_REFRESH = re.compile(r"\s*[\d.]+\s*[;,\s]\s*(?:url\s*=\s*)?(?P<quote>[\"']?)(?P<url>.*)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a page says about itself. All URLs are absolute and normalised."""

    noindex: bool = False
    """Whether a robots or googlebot meta says noindex or none."""
    robots: str = field(default="", compare=False)
    """The text of that meta, for messages."""
    canonical: str | None = None
    """Another URL that it names as canonical. None if it names itself, no URL, or several."""
    refresh: str | None = None
    """The URL that a meta refresh leads to."""
    alternates: tuple[tuple[str, str], ...] = ()
    """The language variants that it links to: hreflang code as written, and URL."""
    empty: bool = False
    """Whether it has neither text nor anything else to show."""
    partial: bool = False
    """Whether it is a part of a document, or a template of one."""


NOTHING = Said()

_Tag = tuple[str, dict[str, str]]
"""The name of an element and its attributes."""


def read(path: str, url: str) -> Said:
    """Return what the page at a normalised URL says in its rendered file.

    Raises:
        OSError: the file cannot be read.
    """
    with open_regular(path, buffering=0) as file:  # a buffer would take half as long again
        return read_stream(file, url)


def read_stream(stream: IO[bytes], url: str) -> Said:
    """Return what the page at a normalised URL says, from as many bytes as search engines read.

    Only the head counts, for there a search engine looks; but a browser follows a refresh from anywhere:
    https://developers.google.com/search/docs/crawling-indexing/valid-page-metadata
    https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-refresh

    Raises:
        OSError: the stream cannot be read.
    """
    blocks = itertools.islice(iter(partial(stream.read, _BLOCK), b""), MAX_PAGE_READ // _BLOCK)
    content, encoding = tokens.in_ascii(b"".join(blocks))
    if unpublished.is_binary(content):
        return Said(partial=True)
    tags, end = _head(content, encoding)
    if _PRAGMA.is_in(content, end):
        tags += [("meta", attributes) for attributes in _later_refreshes(content, end, encoding)]
    said = _judge(tags, url)
    if unpublished.is_blank(content, end):
        return replace(said, empty=True)
    return Said(partial=True) if unpublished.is_partial(content, end) else said


def find_tag(path: str, what: Literal["noindex", "refresh", "canonical"]) -> tuple[str, int]:
    """Return the tag by which a page in a file keeps itself out of sitemaps, as written, and its line, or nothing.

    Raises:
        OSError: the file cannot be read.
    """
    with open_regular(path) as stream:
        content, encoding = tokens.in_ascii(stream.read(MAX_PAGE_READ))
    end = 0
    while token := _TOKEN.match(content, end):
        if token["name"] and _speaks(token[0]):
            attributes = tokens.read_attributes(token["attributes"], encoding)
            if _is_the_one(token["name"].lower(), attributes, what):
                begin = token.start("name") - 1
                return content[begin : token.end()].decode(encoding, "replace"), content.count(b"\n", 0, begin) + 1
        end = token.end()
    return "", 0


def _is_the_one(name: bytes, attributes: dict[str, str], what: str) -> bool:
    if what == "canonical":
        return name == b"link" and "canonical" in attributes.get("rel", "").lower().split()
    if what == "refresh":
        return name == b"meta" and attributes.get("http-equiv", "").strip().lower() == "refresh"
    is_for_crawlers = attributes.get("name", "").strip().lower() in directives.CRAWLERS
    return name == b"meta" and is_for_crawlers and directives.forbids_indexing(attributes.get("content", ""))


def _head(content: bytes, encoding: str) -> tuple[list[_Tag], int]:
    """Return the tags of a head that matter here, and the position at which the head ends."""
    tags = []
    end = 0
    while token := _TOKEN.match(content, end):
        if token["name"] and _speaks(token[0]):
            attributes = tokens.read_attributes(token["attributes"], encoding)
            tags.append((token["name"].lower().decode(), attributes))
        end = token.end()
    return tags, end


def _later_refreshes(content: bytes, start: int, encoding: str) -> Iterator[dict[str, str]]:
    for tag in tokens.tags(content, start):
        if tag.name == "meta" and _PRAGMA.is_in(tag.attributes):
            attributes = tokens.read_attributes(tag.attributes, encoding)
            yield {name: attributes.get(name, "") for name in ("http-equiv", "content")}


@lru_cache(maxsize=1024)  # the pages of a site share most of their tags
def _speaks(tag: bytes) -> bool:
    return _SPEAKING.search(tag.lower()) is not None


def _judge(tags: list[_Tag], url: str) -> Said:
    if not tags:
        return NOTHING
    base = base_url((attributes.get("href") for name, attributes in tags if name == "base"), url)
    metas = [attributes for name, attributes in tags if name == "meta"]
    robots = [meta for meta in metas if meta.get("name", "").strip().lower() in directives.CRAWLERS]
    links = [attributes for name, attributes in tags if name == "link"]
    canonicals = set(filter(None, (_canonical(link, base) for link in links)))
    forbidding = next((meta for meta in robots if directives.forbids_indexing(meta.get("content", ""))), None)
    return Said(
        noindex=forbidding is not None,
        robots=f'<meta name="{forbidding["name"]}" content="{forbidding["content"]}">' if forbidding else "",
        canonical=canonicals.pop() if len(canonicals) == 1 and url not in canonicals else None,
        refresh=next(filter(None, (_refresh(meta, base) for meta in metas)), None),
        alternates=tuple(_alternates(links, base)),
    )


def _canonical(link: dict[str, str], base: str) -> str | None:
    # Google disregards a canonical link with one of these attributes.
    if "canonical" not in link.get("rel", "").lower().split() or link.keys() & {"hreflang", "lang", "media", "type"}:
        return None
    return resolve(base, link.get("href"))


def _refresh(meta: dict[str, str], base: str) -> str | None:
    is_refresh = meta.get("http-equiv", "").strip().lower() == "refresh"
    return refresh_target(meta.get("content", ""), base) if is_refresh else None


def refresh_target(refresh: str, base: str) -> str | None:
    """Return the URL of a refresh, written as in a meta or a header: ``0; url=/b/``."""
    match = _REFRESH.match(refresh)
    if match is None:
        return None
    return resolve(base, match["url"].partition(match["quote"])[0] if match["quote"] else match["url"])


def _alternates(links: list[dict[str, str]], base: str) -> Iterator[tuple[str, str]]:
    for link in links:
        code, relations = link.get("hreflang", "").strip(), link.get("rel", "").lower().split()
        target = resolve(base, link.get("href")) if code and "alternate" in relations else None
        if target:
            yield code, target


def base_url(hrefs: Iterable[str | None], url: str) -> str:
    """Return the URL that a page's references are relative to: its first ``<base href>``, or its own URL."""
    first = next((href for href in hrefs if href is not None), None)
    return resolve(url, first) or url


def resolve(base: str, reference: str | None) -> str | None:
    """Return the normalised URL of a reference, or None if it is empty, broken, or not http or https."""
    text = (reference or "").strip()
    return urls.normal(text, base) or None if text else None
