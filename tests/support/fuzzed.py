"""What is fuzzed: readers that may not raise anything, nor contradict themselves, and what inputs are made of.

A target imports what it tries when it is made, so that this can be instrumented.
"""

import io
from collections.abc import Callable

Site = Callable[[bytes], None]
URL = "https://e.org/docs/a.xml"
WORDS = (
    *("<?xml version='1.0' encoding='UTF-8'?>", "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"),
    *("</urlset>", "<sitemapindex", "<url>", "</url>", "<loc>", "</loc>", "<lastmod>", "</lastmod>", "<priority>"),
    *("https://e.org/docs/", "2024-02-29T23:59:59+14:00", "&amp;", "<!DOCTYPE", "<!--", "-->", "<![CDATA[", "%C3%A4"),
    *("User-agent: *", "Googlebot", "Disallow: /", "Allow: ", "Sitemap: ", "$", "\r\n"),
    *("<!doctype html>", "<head>", "<body>", "<meta name=robots content=noindex>", "<link rel=canonical href="),
    *("http-equiv=refresh", "hreflang=", "<base href=", "<script>", "</script>", "<noscript>", "<template>", "<title>"),
)


def sitemap() -> Site:
    """Return what reads a sitemap; the first byte of its input tells how its file is named."""
    from smindex_plugins import checks  # noqa: PLC0415 - imported where it is instrumented
    from smindex_plugins.sitemaps import reading  # noqa: PLC0415 - imported where it is instrumented
    from smindex_plugins.sitemaps.document import Document  # noqa: PLC0415 - as above

    selection = checks.Selection()

    def judge(content: bytes, url: str) -> Document:
        document = reading.read(io.BytesIO(content), Document(url=url))
        site = checks.Site()
        site.add(document)
        for finding in (*selection.judge(document), *selection.judge(site)):
            assert finding.problem, finding
            assert finding.fix, finding
        return document

    def target(content: bytes) -> None:
        kind, content = content[:1], content[1:]
        document = judge(content, URL.replace(".xml", {b"g": ".xml.gz", b"t": ".txt"}.get(kind, ".xml")))
        assert all(entry.url == entry.url.strip() for entry in document.entries)

    return target


def robots() -> Site:
    """Return what reads a robots.txt."""
    from smindex_plugins import checks  # noqa: PLC0415 - as above
    from smindex_plugins.sitemaps import robots  # noqa: PLC0415 - as above

    def target(content: bytes) -> None:
        found = robots.parse(content, url="https://e.org/robots.txt")
        assert all(finding.fix for finding in checks.Selection().judge(found))
        for path in ("", "a", "a/b.html?c=d", "%C3%A4/$*"):
            rule = found.blocks("https://e.org/" + path)
            assert rule is None or rule

    return target


def page() -> Site:
    """Return what reads a page."""
    from smindex_plugins import urls  # noqa: PLC0415 - as above
    from smindex_plugins.html import parse_head  # noqa: PLC0415 - as above

    def target(content: bytes) -> None:
        head = parse_head(content, URL)
        assert head.canonical != URL
        for url in filter(None, [head.canonical, head.refresh, *(url for _, url in head.alternates)]):
            assert urls.normalise(url) == url

    return target


TARGETS: dict[str, Callable[[], Site]] = {"sitemap": sitemap, "robots": robots, "page": page}
_SUFFIXES = {"sitemap": (".xml", ".gz"), "robots": ("robots.txt",), "page": (".html",)}


def seeds(name: str, longest: int) -> list[bytes]:
    """Return the files of the faults that tests plant, for a target."""
    from tests.support.planted.faults import FAULTS  # noqa: PLC0415 - needs pytest, which listing them does not

    files = [item for fault in FAULTS for item in fault.wrong.items()]
    contents = [
        (path, text.encode() if isinstance(text, str) else text)
        for path, text in files
        if path.endswith(_SUFFIXES[name])
    ]
    marks = [(b"g" if path.endswith(".gz") else b"x") if name == "sitemap" else b"" for path, _ in contents]
    found = [mark + content for mark, (_, content) in zip(marks, contents, strict=True)]
    return sorted({seed for seed in found if len(seed) <= longest})
