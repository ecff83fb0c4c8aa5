"""Sites with one planted fault each, and the names of the checks that find it."""

import gzip
from datetime import UTC, datetime, timedelta

from tests.support.command import PAGE, SITE
from tests.support.planted import EXTENSIONS, index, urlset


def site(sitemap: str | bytes, **more: str | bytes) -> dict[str, str | bytes]:
    """Give a site of one sitemap, named in its index."""
    return {"sitemap_index.xml": index(SITE + "sitemap-root.xml"), "sitemap-root.xml": sitemap, **more}


def listing(*entries: str) -> dict[str, str | bytes]:
    return site(urlset(*entries))


def dated(*dates: str) -> dict[str, str | bytes]:
    return listing(*(f"<loc>{SITE}p{number}</loc><lastmod>{date}</lastmod>" for number, date in enumerate(dates)))


def rendered(head: str = "", body: str = "Text", **more: str | bytes) -> dict[str, str | bytes]:
    page = f"<!doctype html><html><head><title>A</title>{head}</head><body>{body}</body></html>"
    return {**listing(SITE + "a/"), "a/index.html": page, **more}


VIDEO = {
    "thumbnail_loc": SITE + "a.jpg",
    "title": "A",
    "description": "B",
    "content_loc": SITE + "a.mp4",
}


def video(more: str = "", **values: str) -> dict[str, str | bytes]:
    """Give a site with one video, right but for what is given."""
    parts = "".join(f"<video:{name}>{value}</video:{name}>" for name, value in (VIDEO | values).items())
    return listing(f"<loc>{SITE}a</loc><video:video>{parts}{more}</video:video>")


def article(**values: str) -> dict[str, str | bytes]:
    """Give a site with one article of tomorrow, right but for what is given."""
    tomorrow = datetime.now(UTC).date() + timedelta(days=1)
    said = {"publication_date": tomorrow.isoformat(), "title": "A", "language": "en"} | values
    publication = f"<news:name>P</news:name><news:language>{said.pop('language')}</news:language>"
    parts = "".join(f"<news:{name}>{value}</news:{name}>" for name, value in said.items())
    return listing(
        f"<loc>{SITE}a</loc><news:news><news:publication>{publication}</news:publication>{parts}</news:news>"
    )


GOOD = urlset(SITE + "a", SITE + "b")

PLANTED: dict[str, tuple[str, dict[str, str | bytes]]] = {
    "an unescaped ampersand": ("unreadable-sitemap", listing(SITE + "a?b&c")),
    "an end tag that is missing": ("unreadable-sitemap", site(GOOD.replace("</urlset>", ""))),
    "an empty file": ("unreadable-sitemap", site("")),
    "an element ten thousand deep": ("unreadable-sitemap", site(GOOD.replace("<url>", "<url>" * 10_000, 1))),
    "an HTML page in its place": ("unsupported-format", site(PAGE)),
    "an XHTML page in its place": ("unsupported-format", site('<html xmlns="http://www.w3.org/1999/xhtml"/>')),
    "another root element": ("unsupported-format", site("<siteindex/>")),
    "a feed": ("feed-as-sitemap", site('<rss version="2.0"><channel/></rss>')),
    "an Atom feed": ("feed-as-sitemap", site('<feed xmlns="http://www.w3.org/2005/Atom"/>')),
    "the namespace with https": ("wrong-namespace", site(GOOD.replace("http://www.s", "https://www.s"))),
    "no namespace": ("wrong-namespace", site(GOOD.replace(' xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"', ""))),
    "Google's namespace of 2005": (
        "wrong-namespace",
        site(urlset(SITE + "a", namespace="http://www.google.com/schemas/sitemap/0.84")),
    ),
    "an extension's namespace with a slash": (
        "wrong-namespace",
        site(
            urlset(f"<loc>{SITE}a</loc><image:image><image:loc>{SITE}a.png</image:loc></image:image>").replace(
                "image/1.1", "image/1.1/"
            )
        ),
    ),
    "a line before the declaration": ("leading-whitespace", site("\n" + GOOD)),
    "a byte order mark": ("leading-whitespace", site("\ufeff" + GOOD)),
    "UTF-16": ("wrong-encoding", site(GOOD.encode("utf-16"))),
    "Latin-1 bytes": ("wrong-encoding", site(GOOD.replace("/b", "/bé").encode("latin-1"))),
    "Latin-1 declared": ("wrong-encoding", site(GOOD.replace("UTF-8", "ISO-8859-1"))),
    "a NUL": ("wrong-encoding", site(GOOD.encode().replace(b"/b", b"/\0"))),
    "a document type": ("document-type", site(GOOD.replace("<urlset", "<!DOCTYPE urlset>\n<urlset", 1))),
    "a gz name over plain XML": (
        "compression-error",
        {"sitemap_index.xml": index(SITE + "s.xml.gz"), "s.xml.gz": GOOD.encode()},
    ),
    "gzip under a plain name": ("compression-error", site(gzip.compress(GOOD.encode()))),
    "gzip cut short": (
        "compression-error",
        {"sitemap_index.xml": index(SITE + "s.xml.gz"), "s.xml.gz": gzip.compress(GOOD.encode())[:-9]},
    ),
    "gzip with a wrong sum": (
        "compression-error",
        {"sitemap_index.xml": index(SITE + "s.xml.gz"), "s.xml.gz": gzip.compress(GOOD.encode())[:-8] + b"12345678"},
    ),
    "gzip in gzip": (
        "compression-error",
        {"sitemap_index.xml": index(SITE + "s.xml.gz"), "s.xml.gz": gzip.compress(gzip.compress(GOOD.encode()))},
    ),
    "an entry without loc": ("missing-loc", listing("<lastmod>2024-01-01</lastmod>")),
    "an empty loc": ("missing-loc", listing("<loc/>")),
    "two locs": ("repeated-tag", listing(f"<loc>{SITE}a</loc><loc>{SITE}b</loc>")),
    "two dates": ("repeated-tag", dated("2024-01-01</lastmod><lastmod>2024-01-02")),
    "an unknown element": ("unknown-tag", listing(f"<loc>{SITE}a</loc><author>me</author>")),
    "a url in an index": ("unknown-tag", {"sitemap_index.xml": index(SITE + "a.xml").replace("sitemap>", "url>")}),
    "markup inside a loc": ("unknown-tag", listing(f"<loc><b>{SITE}a</b></loc>")),
    "a URL on a line of its own": ("padded-value", listing(f"<loc>\n{SITE}a\n</loc>")),
    "space around a date": ("padded-value", dated(" 2024-01-01 ")),
    "a changefreq in capitals": ("invalid-value", listing(f"<loc>{SITE}a</loc><changefreq>Daily</changefreq>")),
    "a priority over 1": ("invalid-value", listing(f"<loc>{SITE}a</loc><priority>1.1</priority>")),
    "a priority": ("ignored-hints", listing(f"<loc>{SITE}a</loc><priority>0.5</priority>")),
    "an empty date": ("invalid-date", dated("")),
    "a sitemap of nothing that could be of all": (
        "empty-sitemap",
        site(
            urlset().replace(
                "<urlset", "<urlset " + " ".join(f'xmlns:{name}="{uri}"' for name, uri in EXTENSIONS.items())
            )
        ),
    ),
    "an index of nothing": ("empty-sitemap", {"sitemap_index.xml": index()}),
    "a URL without a scheme": ("invalid-url", listing("e.org/aaaa")),
    "a URL without a host": ("invalid-url", listing("https:///aaaaaa")),
    "a URL with a password": ("invalid-url", listing("https://u:p@e.org/a")),
    "ftp": ("invalid-url", listing("ftp://e.org/aaa")),
    "a relative URL in the index": ("invalid-url", {"sitemap_index.xml": index("/a.xml")}),
    "umlauts": ("unescaped-url", listing(SITE + "größe")),
    "a stray percent sign": ("unescaped-url", listing(SITE + "100%")),
    "an ampersand escaped twice": ("twice-escaped-url", listing(SITE + "?a=1&amp;amp;b=2")),
    "a slash too many": ("doubled-slash", listing(SITE + "b//a")),
    "a variant's link without its namespace": (
        "unknown-tag",
        listing(f'<loc>{SITE}a</loc><link rel="alternate" hreflang="en" href="{SITE}a"/>'),
    ),
    "a page listed in capitals": ("missing-page", {**rendered(), **listing(SITE + "A/")}),
    "a build for development": (
        "private-host",
        {"sitemap.xml": urlset("http://localhost:4000/", "http://localhost:4000/a")},
    ),
    "a fragment": ("url-with-fragment", listing(SITE + "a#b")),
    "2,048 characters": ("url-too-long", listing(SITE.ljust(2048, "a"))),
    "www.": ("www-mismatch", listing("https://www.e.org/a")),
    "another port": ("outside-scope", listing("https://e.org:8443/a")),
    "http among https": ("outside-scope", listing("http://e.org/a")),
    "dot segments that lead out": (
        "outside-scope",
        {"sitemap_index.xml": index(SITE + "a/s.xml"), "a/s.xml": urlset(SITE + "a/%2e%2E/b")},
    ),
    "a directory whose name only begins alike": (
        "outside-scope",
        {"sitemap_index.xml": index(SITE + "catalog/s.xml"), "catalog/s.xml": urlset(SITE + "catalogue/b")},
    ),
    "an index in its own list": (
        "nested-index",
        {"sitemap_index.xml": index(SITE + "sitemap_index.xml", SITE + "s.xml"), "s.xml": GOOD},
    ),
    "30 February": ("invalid-date", dated("2024-02-30")),
    "a time without a zone": ("invalid-date", dated("2024-01-01T10:00:00")),
    "a zone without a colon": ("invalid-date", dated("2024-01-01T10:00:00+0100")),
    "a space for the T": ("invalid-date", dated("2024-01-01 10:00:00Z")),
    "an American date": ("invalid-date", dated("01/02/2024")),
    "24 o'clock": ("invalid-date", dated("2024-01-01T24:00:00Z")),
    "next century": ("future-date", dated("2124-01-01")),
    "one date everywhere": ("build-stamp", dated(*["2024-01-01T10:00:00Z"] * 20)),
    "a page newer than the index says": (
        "stale-index-date",
        {
            **dated("2024-02-01"),
            "sitemap_index.xml": index(f"<loc>{SITE}sitemap-root.xml</loc><lastmod>2024-01-01</lastmod>"),
        },
    ),
    "the same URL in two files": (
        "duplicate-url",
        {"sitemap_index.xml": index(SITE + "a.xml", SITE + "b.xml"), "a.xml": GOOD, "b.xml": GOOD},
    ),
    "index.html beside its directory": ("twin-url", listing(SITE + "a/", SITE + "a/index.html")),
    "capitals": ("twin-url", listing(SITE + "about", SITE + "About")),
    "escapes in two cases": ("twin-url", listing(SITE + "%c3%a4", SITE + "%C3%A4")),
    "a flat sitemap beside the index": (
        "redundant-sitemap",
        site(
            GOOD,
            **{"sitemap.xml": GOOD, "robots.txt": f"Sitemap: {SITE}sitemap_index.xml\nSitemap: {SITE}sitemap.xml\n"},
        ),
    ),
    "a flat sitemap that lists more than the index": (
        "listed-beside-index",
        site(GOOD, **{"sitemap.xml": urlset(SITE + "a", SITE + "secret")}),
    ),
    "a sitemap that nothing lists": ("unlisted-sitemap", site(GOOD, **{"old/sitemap.xml": urlset(SITE + "old/a")})),
    "a variant that does not answer": (
        "hreflang-not-mutual",
        listing(
            f'<loc>{SITE}a</loc><xhtml:link rel="alternate" hreflang="en" href="{SITE}a"/>'
            f'<xhtml:link rel="alternate" hreflang="de" href="{SITE}b"/>',
            SITE + "b",
        ),
    ),
    "variants without the page itself": (
        "hreflang-without-self",
        listing(f'<loc>{SITE}a</loc><xhtml:link rel="alternate" hreflang="de" href="https://f.org/b"/>'),
    ),
    "the region uk": (
        "invalid-hreflang",
        listing(f'<loc>{SITE}a</loc><xhtml:link rel="alternate" hreflang="en-uk" href="{SITE}a"/>'),
    ),
    **{
        f"the code {code}": (
            "invalid-hreflang",
            listing(f'<loc>{SITE}a</loc><xhtml:link rel="alternate" hreflang="{code}" href="{SITE}a"/>'),
        )
        for code in ("jp", "eng", "en-EU", "es-419")
    },
    "a relative variant": (
        "invalid-hreflang",
        listing(f'<loc>{SITE}a</loc><xhtml:link rel="alternate" hreflang="en" href="/a"/>'),
    ),
    "two German variants": (
        "hreflang-contradiction",
        listing(
            f'<loc>{SITE}a</loc><xhtml:link rel="alternate" hreflang="de" href="{SITE}a"/>'
            '<xhtml:link rel="alternate" hreflang="de" href="https://f.org/a"/>'
        ),
    ),
    "an image without a URL": ("missing-tag", listing(f"<loc>{SITE}a</loc><image:image/>")),
    "an image that robots.txt forbids": (
        "robots-blocks-image",
        {
            **listing(f"<loc>{SITE}a</loc><image:image><image:loc>{SITE}private/b.png</image:loc></image:image>"),
            "robots.txt": f"Sitemap: {SITE}sitemap_index.xml\nUser-agent: *\nDisallow: /private/\n",
        },
    ),
    "an image with a title": (
        "retired-tag",
        listing(
            f"<loc>{SITE}a</loc><image:image><image:loc>{SITE}a.png</image:loc>"
            "<image:title>A</image:title></image:image>"
        ),
    ),
    "a video with a category": ("retired-tag", video("<video:category>cats</video:category>")),
    "a player that may not be embedded": (
        "retired-tag",
        video(f'<video:player_loc allow_embed="no">{SITE}player</video:player_loc>'),
    ),
    "1,001 images": (
        "too-many-images",
        listing(f"<loc>{SITE}a</loc>" + f"<image:image><image:loc>{SITE}a.png</image:loc></image:image>" * 1001),
    ),
    "an article without a title": (
        "missing-tag",
        listing(f"<loc>{SITE}a</loc><news:news><news:publication_date>2124-01-01</news:publication_date></news:news>"),
    ),
    "old news": (
        "old-news",
        listing(f"<loc>{SITE}a</loc><news:news><news:publication_date>2024-01-01</news:publication_date></news:news>"),
    ),
    "a language that is a name": ("invalid-value", article(language="English")),
    "an article of 30 February": ("invalid-value", article(publication_date="2124-02-30")),
    "a video without a thumbnail": (
        "missing-tag",
        listing(f"<loc>{SITE}a</loc><video:video><video:title>T</video:title></video:video>"),
    ),
    "a video of no length": ("invalid-value", video(duration="0")),
    "a video longer than eight hours": ("invalid-value", video(duration="28801")),
    "a video's length as ISO 8601": ("invalid-value", video(duration="PT10M")),
    "a rating of six": ("invalid-value", video(rating="6")),
    "true for yes": ("invalid-value", video(live="true")),
    "a video published on 31 June": ("invalid-value", video(publication_date="2024-06-31")),
    "a video that is its page": ("video-is-its-page", video(content_loc=SITE + "a")),
    "a player that is its page": ("video-is-its-page", video(player_loc=SITE + "%61")),
    "a video that is a page": ("video-is-its-page", video(content_loc=SITE + "watch.html?v=1")),
    "a relative thumbnail": ("invalid-media-url", video(thumbnail_loc="/a.jpg")),
    "a video over rtmp": ("invalid-media-url", video(content_loc="rtmp://e.org/a")),
    "a relative image": (
        "invalid-media-url",
        listing(f"<loc>{SITE}a</loc><image:image><image:loc>a.png</image:loc></image:image>"),
    ),
    "a restriction that neither allows nor denies": (
        "invalid-attribute",
        video("<video:restriction>DE</video:restriction>"),
    ),
    "a platform that is permitted": (
        "invalid-attribute",
        video('<video:platform relationship="permit">tv</video:platform>'),
    ),
    "a variant without a URL": (
        "invalid-attribute",
        listing(f'<loc>{SITE}a</loc><xhtml:link rel="alternate" hreflang="en"/>'),
    ),
    "a variant without a language": (
        "invalid-attribute",
        listing(f'<loc>{SITE}a</loc><xhtml:link rel="alternate" href="{SITE}b"/>'),
    ),
    "a variant that is none": (
        "invalid-attribute",
        listing(f'<loc>{SITE}a</loc><xhtml:link rel="canonical" hreflang="en" href="{SITE}a"/>'),
    ),
    "a publication without its element": (
        "missing-tag",
        {
            name: content.replace("<news:publication>", "").replace("</news:publication>", "")
            for name, content in article().items()
            if isinstance(content, str)
        },
    ),
    "a message of PHP": ("stray-text", site(GOOD.replace("</url>", "</url>Notice: Undefined index", 1))),
    "text beside a loc": ("stray-text", listing(f"<loc>{SITE}a</loc> modified: today")),
    "an image's URL alone": (
        "unknown-tag",
        listing(f"<loc>{SITE}a</loc><image:loc>{SITE}a.png</image:loc>"),
    ),
    "an image of no entry": (
        "unknown-tag",
        site(
            urlset(
                SITE + "a", f"<loc>{SITE}b</loc><image:image><image:loc>{SITE}a.png</image:loc></image:image>"
            ).replace("</urlset>", f"<image:image><image:loc>{SITE}b.png</image:loc></image:image></urlset>")
        ),
    ),
    "an empty duration": ("invalid-value", video(duration="")),
    "a video with two titles": ("repeated-tag", video("<video:title>B</video:title>")),
    "an element that videos do not have": ("unknown-tag", video("<video:length>9</video:length>")),
    "an image with a src": (
        "unknown-tag",
        listing(f"<loc>{SITE}a</loc><image:image><image:loc>{SITE}a.png</image:loc><image:src/></image:image>"),
    ),
    "a page that is not there": ("missing-page", {**rendered(), **listing(SITE + "a/", SITE + "b/")}),
    "a page that is nowhere listed": ("unlisted-page", rendered(**{"b/index.html": PAGE})),
    "noindex": ("noindex-page", rendered('<meta name="robots" content="noindex">')),
    "noindex in the text": ("noindex-in-body", rendered(body='Text<meta name="robots" content="noindex">')),
    "another canonical URL": ("canonical-elsewhere", rendered(f'<link rel="canonical" href="{SITE}b/">')),
    "a page that redirects": ("page-redirects", rendered('<meta http-equiv="refresh" content="0; url=/b/">')),
    "a page that redirects from its body": (
        "page-redirects",
        rendered(body='Text<p><meta http-equiv="refresh" content="0; url=/b/"></p>'),
    ),
    "a page without content": ("empty-page", rendered(body="<div></div>")),
    "an error page": ("listed-error-page", listing(SITE + "404.html") | {"404.html": PAGE}),
    "a page that robots.txt forbids": (
        "robots-blocks-page",
        listing(SITE + "a/b") | {"robots.txt": f"Sitemap: {SITE}sitemap_index.xml\nUser-agent: *\nDisallow: /a/\n"},
    ),
    "a sitemap that robots.txt forbids": (
        "robots-blocks-sitemap",
        site(GOOD) | {"robots.txt": f"Sitemap: {SITE}sitemap_index.xml\nUser-agent: *\nDisallow: /*.xml$\n"},
    ),
    "a robots.txt without a Sitemap line": ("robots-without-sitemap", site(GOOD) | {"robots.txt": "User-agent: *\n"}),
    "a Sitemap line that leads nowhere": (
        "robots-names-missing-sitemap",
        site(GOOD) | {"robots.txt": f"Sitemap: {SITE}sitemap.xml\n"},
    ),
    "a Sitemap line without https": (
        "robots-names-other-address",
        site(GOOD) | {"robots.txt": "Sitemap: http://e.org/sitemap_index.xml\n"},
    ),
    "a Sitemap line with www.": (
        "robots-names-other-address",
        site(GOOD) | {"robots.txt": "Sitemap: https://www.e.org/sitemap_index.xml\n"},
    ),
    "a robots.txt further down": ("robots-in-subdirectory", site(GOOD) | {"docs/robots.txt": "User-agent: *\n"}),
    "a robots.txt that is a page": ("robots-is-html", site(GOOD) | {"robots.txt": PAGE}),
}
