"""What a rendered page says about itself, read as search engines and browsers read it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from smindex_plugins import urls
from smindex_plugins.files import open_regular, read_regular
from smindex_plugins.limits import MAX_PAGE_READ
from smindex_plugins.markup import directives, tokens, unpublished
from smindex_plugins.model import Said

# What may stand in a head: comments, elements whose content is no markup or is left alone, and tags.
# The rules: https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inhead
# All that precedes a tag which may matter is passed over in one match, since a match takes longer than what it reads.
# A `<link>` has nothing to say without canonical or hreflang, a `<meta>` without robots, googlebot or refresh; but a
# character reference can stand for any letter of these. Classes are compared as they are written, which saves half.
_WITHOUT = (
    rb"(?:(?-i:[^>=%(rare)b]++)"
    rb"|=\s*+(?:\"(?:(?-i:[^\"%(rare)b]++)|%(word)b)*+\"|'(?:(?-i:[^'%(rare)b]++)|%(word)b)*+'|(?![\"']))"
    rb"|%(word)b)*+>"
)
# As most themes write them, which takes a third of the time. The first `rel` and the first `name` count, and none that
# matters begins with these letters. Where no equals sign follows, no quote is open.
_USUAL_LINK = rb"(?-i:link rel=\"[bd-z][a-z-]*+\"(?: [a-z-]++=\"[^\"]*+\")*+[^>=]*+>)"
_USUAL_META = rb"(?-i:meta [a-z]++=\"[a-fh-qs-z][^\"&]*+\"(?: content=\"[^\"]*+\")?+[^>=]*+>)"
_TOKEN = re.compile(
    rb"(?:\s*<(?:%(usual_meta)b|%(usual_link)b"
    rb"|link(?=[\s/>])%(silent_link)b|meta(?=[\s/>])%(silent_meta)b"
    rb"|%(comment)b"
    rb"|(?P<closed>script|style|title|noscript|template|noframes)\b%(attributes)b"
    rb"(?:[^<]++|<(?!/(?P=closed)[\s/>]))*+(?:</(?P=closed)[^>]*>?)?"
    rb"|(?:(?:html|head|basefont|bgsound)(?=[\s/>])|/(?!(?:body|html|br)[\s/>])[a-z])%(attributes)b"
    rb"|(?:[!?]|/(?![a-z]))[^>]*>))*"
    rb"(?:\s*<(?P<name>base|link|meta)(?=[\s/>])(?P<attributes>%(attributes)b))?"
    % {
        b"attributes": tokens.ATTRIBUTES,
        b"comment": tokens.COMMENT.removeprefix(b"<"),
        b"usual_link": _USUAL_LINK,
        b"usual_meta": _USUAL_META,
        b"silent_link": _WITHOUT % {b"rare": b"cCgG&", b"word": rb"c(?!anonical)|g(?<!hreflang)|&(?!#)"},
        b"silent_meta": _WITHOUT % {b"rare": b"bBfF&", b"word": rb"b(?!ot)|f(?!resh)|&(?!#)"},
    },
    re.IGNORECASE | re.DOTALL,
)
_PRAGMA = tokens.Word(b"http-equiv", rarest=b"q")
# https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-refresh
_REFRESH = re.compile(r"\s*[\d.]+\s*[;,\s]\s*(?:url\s*=\s*)?(?P<quote>[\"']?)(?P<url>.*)", re.IGNORECASE | re.DOTALL)


_UNDONE_BY = frozenset({"hreflang", "lang", "media", "type"})
"""The attributes with one of which Google disregards a canonical link."""

NOTHING = Said()
_IN_PARTS = Said(partial=True)


class _Tag(NamedTuple):
    name: str
    attributes: dict[str, str]
    place: slice
    """Where it stands in the bytes of the page."""


@dataclass(frozen=True, slots=True)
class Head:
    """What was read of a page, before anybody says at which URL the page is."""

    tags: Sequence[_Tag] = ()
    empty: bool = False
    partial: bool = False

    def said(self, url: str) -> Said:
        """Return what the page says about itself if it is at a normalised URL."""
        if self.partial:
            return _IN_PARTS
        said = _judge(self.tags, url) if self.tags else NOTHING
        return replace(said, empty=True) if self.empty else said


_PARTIAL = Head(partial=True)


def read(path: str, url: str) -> Said:
    """Return what the page at a normalised URL says in its rendered file.

    Raises:
        OSError: the file cannot be read.
    """
    return read_file(path).said(url)


def read_file(path: str, *, is_regular: bool = False) -> Head:
    """Return what is read of a rendered file: as many bytes as search engines read.

    Raises:
        OSError: the file cannot be read.
    """
    return read_content(read_regular(path, MAX_PAGE_READ, is_known=is_regular))


def read_content(content: bytes) -> Head:
    """Return what is read of a page.

    Only the head counts, for there a search engine looks; but a browser follows a refresh from anywhere:
    https://developers.google.com/search/docs/crawling-indexing/valid-page-metadata
    https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-refresh
    """
    content, encoding = tokens.in_ascii(content)
    if unpublished.is_binary(content):
        return _PARTIAL
    tags, end = _head(content, encoding)
    if _PRAGMA.is_in(content, end):
        tags += _later_refreshes(content, end, encoding)
    if unpublished.is_blank(content, end):
        return Head(tags, empty=True)
    return _PARTIAL if unpublished.is_partial(content, end) else Head(tags)


def find_tag(path: str, what: Literal["noindex", "refresh", "canonical"]) -> tuple[str, int]:
    """Return the tag by which a page in a file keeps itself out of sitemaps, as written, and its line, or nothing.

    Raises:
        OSError: the file cannot be read.
    """
    with open_regular(path) as stream:
        content, encoding = tokens.in_ascii(stream.read(MAX_PAGE_READ))
    for tag in _head(content, encoding)[0]:
        if _is_the_one(tag, what):
            line = content.count(b"\n", 0, tag.place.start) + 1
            return content[tag.place].decode(encoding, "replace"), line
    return "", 0


def _is_the_one(tag: _Tag, what: str) -> bool:
    if what == "canonical":
        return tag.name == "link" and "canonical" in _relations(tag.attributes)
    if what == "refresh":
        return tag.name == "meta" and _is_refresh(tag.attributes)
    return tag.name == "meta" and _is_for_crawlers(tag.attributes) and _forbids(tag.attributes)


def _head(content: bytes, encoding: str) -> tuple[list[_Tag], int]:
    """Return the tags of a head that may matter here, and the position at which the head ends."""
    tags: list[_Tag] = []
    end = 0
    while token := _TOKEN.match(content, end):
        end = token.end()
        name, attributes = token.group("name", "attributes")
        if not name:
            break
        place = slice(token.start("name") - 1, end)
        tags.append(_Tag(name.lower().decode(), tokens.read_attributes(attributes, encoding), place))
    return tags, end


def _later_refreshes(content: bytes, start: int, encoding: str) -> Iterator[_Tag]:
    for tag in tokens.tags(content, start):
        if tag.name == "meta" and _PRAGMA.is_in(tag.attributes):
            attributes = tokens.read_attributes(tag.attributes, encoding)
            said = {name: attributes.get(name, "") for name in ("http-equiv", "content")}
            yield _Tag(tag.name, said, slice(tag.end, tag.end))


def _judge(tags: Sequence[_Tag], url: str) -> Said:
    bases = [tag.attributes.get("href") for tag in tags if tag.name == "base"]
    metas = [tag.attributes for tag in tags if tag.name == "meta"]
    links = [tag.attributes for tag in tags if tag.name == "link"]
    base = base_url(bases, url) if bases else url
    canonicals = {found for link in links if (found := _canonical(link, base))}
    canonical = canonicals.pop() if len(canonicals) == 1 and url not in canonicals else None
    forbidding = next((meta for meta in metas if _is_for_crawlers(meta) and _forbids(meta)), None)
    refresh = next((found for meta in metas if (found := _refresh(meta, base))), None)
    alternates = tuple(_alternates(links, base))
    if forbidding is None and canonical is None and refresh is None and not alternates:
        return NOTHING  # most pages name only themselves, and there may be millions
    return Said(
        noindex=forbidding is not None,
        robots=f'<meta name="{forbidding["name"]}" content="{forbidding["content"]}">' if forbidding else "",
        canonical=canonical,
        refresh=refresh,
        alternates=alternates,
    )


def _is_for_crawlers(meta: dict[str, str]) -> bool:
    return meta.get("name", "").strip().lower() in directives.CRAWLERS


def _forbids(meta: dict[str, str]) -> bool:
    return directives.forbids_indexing(meta.get("content", ""))


def _is_refresh(meta: dict[str, str]) -> bool:
    return meta.get("http-equiv", "").strip().lower() == "refresh"


def _relations(link: dict[str, str]) -> list[str]:
    return link.get("rel", "").lower().split()


def _canonical(link: dict[str, str], base: str) -> str | None:
    if "canonical" not in _relations(link) or not _UNDONE_BY.isdisjoint(link):
        return None
    return resolve(base, link.get("href"))


def _refresh(meta: dict[str, str], base: str) -> str | None:
    return refresh_target(meta.get("content", ""), base) if _is_refresh(meta) else None


def refresh_target(refresh: str, base: str) -> str | None:
    """Return the URL of a refresh, written as in a meta or a header: ``0; url=/b/``."""
    match = _REFRESH.match(refresh)
    if match is None:
        return None
    return resolve(base, match["url"].partition(match["quote"])[0] if match["quote"] else match["url"])


def _alternates(links: list[dict[str, str]], base: str) -> Iterator[tuple[str, str]]:
    for link in links:
        code = link.get("hreflang", "").strip()
        if code and "alternate" in _relations(link) and (target := resolve(base, link.get("href"))):
            yield code, target


def base_url(hrefs: Iterable[str | None], url: str) -> str:
    """Return the URL that a page's references are relative to: its first ``<base href>``, or its own URL."""
    first = next((href for href in hrefs if href is not None), None)
    return resolve(url, first) or url


def resolve(base: str, reference: str | None) -> str | None:
    """Return the normalised URL of a reference, or None if it is empty, broken, or not http or https."""
    text = (reference or "").strip()
    return urls.normal(text, base) or None if text else None
