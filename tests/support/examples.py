"""Examples of what a check finds, for the manual: a site with one fault, what is wrong there, and what is right.

A test puts what is right in the place of what is wrong, and the check must find nothing any more.
"""

from dataclasses import dataclass

from tests.support.command import PAGE, SITE
from tests.support.faults import GOOD, PLANTED, site
from tests.support.planted import index, urlset

Files = dict[str, str | bytes]


@dataclass(frozen=True, slots=True)
class Example:
    """A site with a fault; without text of its own, only the message about it is shown."""

    files: Files
    wrong: str = ""
    right: str = ""
    address: str = SITE

    @property
    def file(self) -> str:
        """The file in which it is wrong."""
        texts = {name: content for name, content in self.files.items() if isinstance(content, str)}
        return next(name for name, text in texts.items() if self.wrong in text)

    def lines(self, wanted: str) -> str:
        """Return the lines in which it is wrong, with what is wanted there; all lines, but for a sitemap's."""
        before, _, after = self._text.partition(self.wrong)
        if not self.file.endswith(".xml"):
            return before + wanted + after
        rest = "" if wanted.endswith("\n") or (not wanted and before.endswith("\n")) else after.partition("\n")[0]
        return before[before.rfind("\n") + 1 :] + wanted + rest

    def mended(self) -> Files:
        """Return the site without the fault."""
        return {**self.files, self.file: self._text.replace(self.wrong, self.right)}

    @property
    def _text(self) -> str:
        return str(self.files[self.file])


def planted(fault: str, wrong: str = "", right: str = "", address: str = SITE) -> Example:
    return Example(PLANTED[fault][1], wrong, right, address)


def link(language: str, page: str) -> str:
    return f'<xhtml:link rel="alternate" hreflang="{language}" href="{SITE}{page}"/>'


def entry(page: str, more: str = "") -> str:
    return f"<url><loc>{SITE}{page}</loc>{more}</url>\n"


def listed(page: str) -> str:
    return f"<sitemap><loc>{SITE}{page}</loc></sitemap>\n"


ROBOTS = f"Sitemap: {SITE}sitemap_index.xml\n"
IMAGE = f"<image:image><image:loc>{SITE}a.png</image:loc></image:image>"
VIDEO = "".join(
    f"<video:{name}>{value}</video:{name}>"
    for name, value in {
        "thumbnail_loc": f"{SITE}a.jpg",
        "title": "T",
        "description": "What it shows",
        "content_loc": f"{SITE}a.mp4",
    }.items()
)
NEWS = (
    "<news:publication><news:name>The Example Times</news:name><news:language>en</news:language></news:publication>"
    "<news:publication_date>2124-01-01</news:publication_date><news:title>A title</news:title>"
)
DATED = "<lastmod>2024-01-01</lastmod>"

EXAMPLES: dict[str, Example] = {
    "unreadable-sitemap": planted("an unescaped ampersand", "a?b&c", "a?b&amp;c"),
    "unsupported-format": planted("an HTML page in its place", PAGE, GOOD),
    "wrong-namespace": planted("the namespace with https", "https://www.sitemaps", "http://www.sitemaps"),
    "leading-whitespace": planted("a line before the declaration", "\n" + GOOD, GOOD),
    "wrong-encoding": planted("Latin-1 declared", "ISO-8859-1", "UTF-8"),
    "document-type": planted("a document type", "<!DOCTYPE urlset>\n", ""),
    "compression-error": planted("gzip under a plain name"),
    "missing-loc": planted("an entry without loc", f"<url>{DATED}", f"<url><loc>{SITE}a</loc>{DATED}"),
    "repeated-tag": planted(
        "two locs", f"<loc>{SITE}a</loc><loc>{SITE}b</loc>", f"<loc>{SITE}a</loc></url>\n<url><loc>{SITE}b</loc>"
    ),
    "unknown-tag": planted("an unknown element", "<author>me</author>", ""),
    "invalid-attribute": planted("a variant that is none", 'rel="canonical"', 'rel="alternate"'),
    "stray-text": planted("text beside a loc", " modified: today", ""),
    "padded-value": planted("a URL on a line of its own", f"<loc>\n{SITE}a\n</loc>", f"<loc>{SITE}a</loc>"),
    "invalid-value": planted("a changefreq in capitals", "Daily", "daily"),
    "missing-tag": planted("an image without a URL", "<image:image/>", IMAGE),
    "invalid-media-url": planted("a relative image", "<image:loc>a.png", f"<image:loc>{SITE}a.png"),
    "video-is-its-page": planted("a video that is its page", f"loc>{SITE}a</video", f"loc>{SITE}a.mp4</video"),
    "empty-sitemap": planted("an index of nothing", "</sitemapindex>", f"{listed('sitemap-root.xml')}</sitemapindex>"),
    "feed-as-sitemap": planted("a feed", '<rss version="2.0"><channel/></rss>', GOOD),
    "ignored-hints": planted("a priority", "<priority>0.5</priority>", ""),
    "invalid-url": planted("a URL without a scheme", "<loc>e.org/aaaa", "<loc>https://e.org/aaaa"),
    "unescaped-url": planted("umlauts", "größe", "gr%C3%B6%C3%9Fe"),
    "twice-escaped-url": planted("an ampersand escaped twice", "&amp;amp;", "&amp;"),
    "doubled-slash": planted("a slash too many", "b//a", "b/a"),
    "private-host": planted(
        "a build for development", "http://localhost:4000/", "https://e.org/", "http://localhost:4000/"
    ),
    "url-with-fragment": planted("a fragment", "a#b", "a"),
    "www-mismatch": planted("www.", "https://www.e.org/a", "https://e.org/a"),
    "outside-scope": planted("a directory whose name only begins alike", "catalogue/b", "catalog/b"),
    "invalid-date": planted("30 February", "2024-02-30", "2024-02-29"),
    "future-date": planted("next century", "2124-01-01", "2024-01-01"),
    "build-stamp": planted("one date everywhere"),
    "stale-index-date": planted("a page newer than the index says", "2024-01-01", "2024-02-01"),
    "old-news": planted(
        "old news",
        "<news:news><news:publication_date>2024-01-01</news:publication_date></news:news>",
        "",
    ),
    "invalid-hreflang": planted("the region uk", "en-uk", "en-GB"),
    "robots-blocks-image": planted("an image that robots.txt forbids", "Disallow: /private/\n", "Disallow:\n"),
    "retired-tag": planted("an image with a title", "<image:title>A</image:title>", ""),
    "noindex-in-body": planted("noindex in the text", '<meta name="robots" content="noindex">', ""),
    "hreflang-without-self": planted(
        "variants without the page itself", f"<loc>{SITE}a</loc>", f"<loc>{SITE}a</loc>{link('en', 'a')}"
    ),
    "hreflang-contradiction": planted(
        "two German variants", 'hreflang="de" href="https://f.org', 'hreflang="de-AT" href="https://f.org'
    ),
    "hreflang-not-mutual": planted(
        "a variant that does not answer", entry("b"), entry("b", link("en", "a") + link("de", "b"))
    ),
    "duplicate-url": planted("the same URL in two files"),
    "twin-url": planted("index.html beside its directory", entry("a/") + entry("a/index.html"), entry("a/")),
    "redundant-sitemap": planted("a flat sitemap beside the index", f"Sitemap: {SITE}sitemap.xml\n", ""),
    "listed-beside-index": planted("a flat sitemap that lists more than the index", entry("secret"), ""),
    "unlisted-sitemap": planted("a sitemap that nothing lists"),
    "robots-blocks-page": planted("a page that robots.txt forbids", "Disallow: /a/\n", "Disallow:\n"),
    "robots-blocks-sitemap": planted("a sitemap that robots.txt forbids", "Disallow: /*.xml$\n", "Disallow:\n"),
    "robots-without-sitemap": planted(
        "a robots.txt without a Sitemap line", "User-agent: *\n", f"User-agent: *\n{ROBOTS}"
    ),
    "robots-names-missing-sitemap": planted(
        "a Sitemap line that leads nowhere", f"Sitemap: {SITE}sitemap.xml\n", ROBOTS
    ),
    "robots-names-other-address": planted("a Sitemap line without https", "Sitemap: http:", "Sitemap: https:"),
    "robots-is-html": planted("a robots.txt that is a page", PAGE, ROBOTS),
    "robots-in-subdirectory": planted("a robots.txt further down"),
    "unlisted-page": planted("a page that is nowhere listed"),
    "missing-page": planted("a page that is not there", entry("b/"), ""),
    "empty-page": planted("a page without content", "<div></div>", "<p>Text</p>"),
    "page-redirects": planted("a page that redirects", '<meta http-equiv="refresh" content="0; url=/b/">', ""),
    "noindex-page": planted("noindex", '<meta name="robots" content="noindex">', ""),
    "canonical-elsewhere": planted("another canonical URL", f'href="{SITE}b/"', f'href="{SITE}a/"'),
    "listed-error-page": planted("an error page", entry("404.html"), ""),
    "missing-sitemap": Example(
        {"sitemap_index.xml": index(SITE + "sitemap-root.xml", SITE + "old.xml"), "sitemap-root.xml": GOOD},
        listed("old.xml"),
    ),
    "nested-index": Example(
        {
            "sitemap_index.xml": index(SITE + "guide/sitemap_index.xml"),
            "guide/sitemap_index.xml": index(SITE + "guide/sitemap.xml"),
            "guide/sitemap.xml": urlset(SITE + "guide/a"),
        },
        listed("guide/sitemap_index.xml"),
        listed("guide/sitemap.xml"),
    ),
    "sitemap-outside-index": Example(
        {"sitemap_index.xml": index("https://blog.e.org/sitemap.xml", SITE + "s.xml"), "s.xml": GOOD},
        "<sitemap><loc>https://blog.e.org/sitemap.xml</loc></sitemap>\n",
    ),
    "robots-relative-sitemap": Example(
        {**site(GOOD), "robots.txt": "User-agent: *\nSitemap: /sitemap_index.xml\n"},
        "Sitemap: /sitemap_index.xml\n",
        ROBOTS,
    ),
}
