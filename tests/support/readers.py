"""The readers of what servers send: each with the forms of text in which it meets it."""

import io
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from email.message import Message
from functools import partial

from lxml import etree

from smindex_plugins import catalogue, checks, text, urls
from smindex_plugins.html import directives, parse_head, parse_links, refresh_target, resolve
from smindex_plugins.reports import write_github, write_json, write_text
from smindex_plugins.sitemaps import flat, reading, robots
from smindex_plugins.sitemaps.document import Document
from smindex_plugins.sites import Totals
from smindex_plugins.sites.live import _head
from smindex_plugins.sites.versions import read_versions
from smindex_plugins.web import Answer, retry_after
from tests.support.planted import NAMESPACE

URL = "https://e.org/"


@dataclass(frozen=True)
class Reader:
    """A reader, and the frames of the texts that grow; in a frame, `{}` is where that is."""

    run: Callable[[str], object]
    frames: tuple[str, ...] = ("{}",)


PIECES = [
    *"a1 ,;:/.&<>\"'=-%#@([{}\n\t\0é|\\*?!_",
    *("<div>", "</div>", "<p><a>", "<b", "<a b='", '<a b="', "<a =", "<a b=c ", "a= ", "a=' ", "a "),
    *("<!--", "<!-- -", "--", "<?", "</", "<!", "<![CDATA[", "<script>", "<script>//", "<title>", "<template>"),
    *("<meta charset", "<meta http-equiv=refresh content=0>", "<link rel=canonical href=b>", "<base href='a/'>"),
    *("&amp;", "&amp", "&#1", "&#x", "&a", "&#60;", "%41", "%C3", "%%", "../", "./", "//", "/.", "//a@", "//a:b"),
    *("a:/", "(,", "),", "noindex,", "a: ", "unavailable_after: ", "; rel=", "{a: ", "[[", "a.", "\r\n", "href=  "),
]

_URLSET = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{NAMESPACE}"'
_XML = (
    f"{_URLSET}>{{}}</urlset>",
    f"{_URLSET}><url><loc>https://e.org/{{}}</loc><lastmod>{{}}</lastmod></url></urlset>",
    f"{_URLSET}><url><loc>https://e.org/a</loc><!-- {{}}",
    f"{_URLSET} a='{{}}'><url><loc>a</loc></url></urlset>",
    f"{_URLSET} a=b {{}}",
    "<!DOCTYPE urlset [{}]><urlset/>",
    "{}",
)
_HTML = (
    "{}",
    "<!doctype html><title>a</title>{}",
    '<!doctype html><html><head><meta http-equiv="x"></head><body>text <img src=a> {}',
    "<!doctype html><meta name=robots content='{}'><link rel=canonical href='{}'><p>text",
    '<!doctype html><body><p>text</p><meta http-equiv=refresh content="{}',
)


def _sitemap(given: str, *, url: str = "https://e.org/sitemap.xml") -> None:
    document = reading.read(io.BytesIO(given.encode()), Document(url=url))
    site = checks.Site()
    site.add(document)
    selection = checks.Selection()
    for _finding in (*selection.judge(document), *selection.judge(site)):
        pass


def _flat(given: str) -> None:
    with suppress(etree.XMLSyntaxError):
        flat.aligned(given.encode(), {})


def _robots(given: str) -> None:
    found = robots.parse(given.encode(), url="https://e.org/robots.txt")
    list(checks.Selection().judge(found))
    for path in ("", "a/b", "a" * 200):
        found.blocks(URL + path)


def _blocked(given: str) -> None:
    rules = "Disallow: /*a*b$\nDisallow: /" + "*a" * 99 + "b\nAllow: /a"
    robots.parse(f"user-agent: *\n{rules}".encode()).blocks(urls.normal(URL + given[: 1 << 14]) or URL)


def _headers(given: str) -> None:
    headers = Message()
    for name in ("X-Robots-Tag", "Refresh", "Link", "Content-Type", "Retry-After"):
        headers.add_header(name, given)
    _head(URL, Answer(url=URL, status=200, headers=headers))
    retry_after(Answer(url=URL, status=503, headers=headers))


def _page(given: str) -> None:
    parse_head(given.encode(), URL)
    parse_links(given.encode(), URL)


def _versions(given: str) -> None:
    with suppress(ValueError):
        read_versions(given.encode())


def _reports(given: str) -> None:
    kind = catalogue.OUTSIDE_SCOPE
    for write in (write_json, write_github, write_text):
        few = (kind.at(given, given, given) for _ in range(3))
        write(few, Totals(unseen=[given]), io.StringIO())
        many = (kind.at(f"{number}", given[:9]) for number in range(len(given) // 64))
        write(many, Totals(), io.StringIO())


def _printed(given: str) -> None:
    for make in (text.printable, text.brief, text.masked):
        make(given)


READERS: dict[str, Reader] = {
    "sitemap": Reader(_sitemap, _XML),
    "sitemap of lines": Reader(partial(_sitemap, url="https://e.org/a.txt"), ("{}", "https://e.org/{}\n")),
    "flat sitemap": Reader(_flat, _XML),
    "robots.txt": Reader(
        _robots, ("{}", "User-agent: *\nDisallow: /{}", "User-agent: *\n{}", "User-agent: {}", "Sitemap: {}")
    ),
    "rules of robots.txt": Reader(_blocked),
    "page": Reader(_page, _HTML),
    "headers": Reader(_headers, ("{}", "<{}>; rel=canonical", "<a>; {}", "<a>; rel={}", "noindex, {}", "0; url={}")),
    "directives of a meta": Reader(directives.forbids_indexing),
    "directives of a header": Reader(directives.header_forbids_indexing, ("{}", "a: {}")),
    "refresh": Reader(lambda given: refresh_target(given, URL), ("{}", "0; url={}")),
    "versions.json": Reader(_versions, ("{}", '[{"version": "{}"}]', '[{"version": "a", "aliases": [{}]}]')),
    "reference": Reader(lambda given: resolve(URL, given)),
    "URL": Reader(
        lambda given: urls.normal(given, URL), ("{}", "https://{}", "https://{}/", "https://e.org/{}", "//a:b{}@")
    ),
    "password": Reader(text.masked, ("{}//a:b{}@", "{}")),
    "message": Reader(_printed),
    "report": Reader(_reports),
}
