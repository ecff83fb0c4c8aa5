"""Built sites in which one thing is wrong, and the same sites as they are right."""

import contextlib
import gzip
import io
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from smindex_plugins.base.limits import MAX_BYTES, MAX_ROBOTS
from smindex_plugins.base.model import Finding
from smindex_plugins.cli.main import main
from tests.support.command import PAGE, SITE
from tests.support.planted import EXTENSIONS, Files, index, urlset, write

CHECK = f"check . --site-url {SITE}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A directory in which one thing is wrong, and the command that reports it there."""

    kind: str
    words: str
    """What is wrong, for the name of a test and the heading of an example."""
    wrong: Mapping[str, str | bytes]
    right: Mapping[str, str | bytes] | None = None
    also: frozenset[str] = frozenset()
    """The kinds of what follows from it."""
    command: str | Callable[[Path], Iterable[Finding]] = CHECK
    """What is run in the directory, or what returns the findings where no command reports them."""
    prepare: Callable[[Path], object] = lambda _: None
    """Called with the directory that has the files."""

    environment: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.kind}: {self.words}"

    def report(self, root: Path, *, is_right: bool = False) -> list[str]:
        """Write the files into a directory, and return the lines that the command prints there."""
        write(root, (self.right or {}) if is_right else self.wrong)
        self.prepare(root)
        if callable(self.command):
            return [str(finding).replace(f"{root}/", "") for finding in self.command(root)]
        return run(self.command, root, self.environment)


def run(command: str, root: Path, environment: Mapping[str, str] | None = None) -> list[str]:
    """Run the command in a directory, and return the lines that it prints."""
    out = io.StringIO()
    with contextlib.ExitStack() as stack:
        for context in (
            contextlib.chdir(root),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(out),
        ):
            stack.enter_context(context)
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        for name, value in (environment or {}).items():
            patch.setenv(name, value)
        main(shlex.split(command))
    return [
        line.strip()
        for line in (
            out.getvalue().replace(f"{root}/", "").replace(str(root), root.name).splitlines()
        )
    ]


def kinds(lines: Iterable[str]) -> set[str]:
    """Return the kinds of the findings in what a command printed under headings, or with their
    names in brackets.
    """
    heading = r"(?:error|warning|notice): .+ \(([a-z-]+)\)(?:[,;].*)?|.+ \[([a-z-]+)\]"
    return {found[1] or found[2] for line in lines if (found := re.fullmatch(heading, line))}


def site(sitemap: str | bytes, **more: str | bytes) -> Files:
    """Return a site of one sitemap, which its index lists."""
    return {
        "sitemap_index.xml": index(SITE + "sitemap-root.xml"),
        "sitemap-root.xml": sitemap,
        **more,
    }


def entries(*listed: str) -> Files:
    return site(urlset(*listed))


def dates(*lastmods: str) -> Files:
    return entries(
        *(
            f"<loc>{SITE}p{number}</loc><lastmod>{date}</lastmod>"
            for number, date in enumerate(lastmods)
        )
    )


def page(head: str = "", body: str = "Text", **more: str | bytes) -> Files:
    """Return a site with one page in a file."""
    html = f"<!doctype html><html><head><title>A</title>{head}</head><body>{body}</body></html>"
    return {**entries(SITE + "a/"), "a/index.html": html, **more}


def naming(canonical: str, *directories: str) -> Files:
    """Return unlisted pages with a canonical link to another page."""
    html = f'<!doctype html><title>B</title><link rel="canonical" href="{SITE}{canonical}"><p>Text'
    return {f"{directory}/index.html": html for directory in directories}


def robots(text: str, *listed: str) -> Files:
    """Return a site with a robots.txt."""
    return {**entries(*(listed or (SITE + "a", SITE + "b"))), "robots.txt": text}


def named(text: str = "") -> str:
    """Return a robots.txt that names the index."""
    return f"Sitemap: {SITE}sitemap_index.xml\n{text}"


def inside(text: str) -> Files:
    """Return a site whose first entry has more than a URL."""
    return entries(f"<loc>{SITE}a</loc>{text}")


def image(text: str, page: str = "a") -> str:
    return f"<loc>{SITE}{page}</loc><image:image>{text}</image:image>"


def variant(code: str, url: str = f"{SITE}a") -> str:
    return f'<xhtml:link rel="alternate" hreflang="{code}" href="{url}"/>'


def variants(*links: tuple[str, str]) -> Files:
    """Return a site with one page and its variants."""
    return inside("".join(variant(code, url) for code, url in links))


def code(name: str) -> Files:
    return variants((name, f"{SITE}a"))


def video(given: str = "") -> Files:
    """Return a site with one video, right but for some elements."""
    usual = {
        "thumbnail_loc": SITE + "a.jpg",
        "title": "A",
        "description": "B",
        "content_loc": SITE + "a.mp4",
    }
    parts = [
        f"<video:{name}>{text}</video:{name}>"
        for name, text in usual.items()
        if f"<video:{name}>" not in given
    ]
    return inside(f"<video:video>{''.join(parts)}{given}</video:video>")


TOMORROW = (datetime.now(UTC).date() + timedelta(days=1)).isoformat()


def article(
    date: str = TOMORROW, title: str = "<news:title>A</news:title>", language: str = "en"
) -> str:
    """Return an article of tomorrow, right but for what is given."""
    publication = f"<news:name>P</news:name><news:language>{language}</news:language>"
    published = f"<news:publication_date>{date}</news:publication_date>"
    return f"<news:news><news:publication>{publication}</news:publication>{published}{title}</news:news>"


Planted = tuple[str, str, object] | tuple[str, str, object, object]
"""A kind, the words, and what makes the wrong and the right site."""


def of(
    build: Callable[..., Files],
    *planted: Planted,
    also: Iterable[str] = (),
    command: str | Callable[[Path], Iterable[Finding]] = CHECK,
) -> Iterator[Fault]:
    """Plant faults in sites of one shape."""
    for kind, words, *given in planted:
        wrong, *right = (build(*each) if isinstance(each, tuple) else build(each) for each in given)
        consequences = frozenset(also)
        yield Fault(
            kind=kind,
            words=words,
            wrong=wrong,
            right=right[0] if right else None,
            also=consequences,
            command=command,
        )


GOOD = urlset(SITE + "a", SITE + "b")
IMAGE = f"<image:loc>{SITE}a.png</image:loc>"
DATED = "<lastmod>2024-01-01</lastmod>"
NOINDEX = '<meta name="robots" content="noindex">'
REFRESH = '<meta http-equiv="refresh" content="0; url=/b/">'
UNUSED = " ".join(f'xmlns:{name}="{uri}"' for name, uri in EXTENSIONS.items())
PACKED = gzip.compress(GOOD.encode(), mtime=0)


def gz(content: bytes) -> Files:
    return {"sitemap_index.xml": index(SITE + "s.xml.gz"), "s.xml.gz": content}


def lengthen(root: Path) -> None:
    """Make a robots.txt larger than crawlers read by one byte."""
    with (root / "robots.txt").open("ab") as file:
        file.write(b"#" * (MAX_ROBOTS + 1 - file.tell()))


def pad(root: Path) -> None:
    """Make a sitemap larger than search engines read by one byte."""
    with (root / "sitemap-root.xml").open("r+b") as file:
        file.seek(0, 2)
        file.write(b" " * (MAX_BYTES + 1 - file.tell()))


FILES = [
    *of(
        site,
        ("unreadable-sitemap", "a missing end tag", GOOD.replace("</urlset>", ""), GOOD),
        ("unreadable-sitemap", "an empty file", "", GOOD),
        (
            "unreadable-sitemap",
            "an element ten thousand deep",
            GOOD.replace("<url>", "<url>" * 10_000, 1),
        ),
        ("unsupported-format", "an HTML page instead of a sitemap", PAGE, GOOD),
        ("unsupported-format", "an XHTML page", '<html xmlns="http://www.w3.org/1999/xhtml"/>'),
        ("unsupported-format", "another root element", "<siteindex/>"),
        ("feed-as-sitemap", "a feed", '<rss version="2.0"><channel/></rss>', GOOD),
        ("feed-as-sitemap", "an Atom feed", '<feed xmlns="http://www.w3.org/2005/Atom"/>'),
        (
            "wrong-namespace",
            "the namespace with https",
            GOOD.replace("http://www.s", "https://www.s"),
            GOOD,
        ),
        (
            "wrong-namespace",
            "no namespace",
            GOOD.replace(' xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"', ""),
        ),
        (
            "wrong-namespace",
            "that of 2005",
            urlset(SITE, namespace="http://www.google.com/schemas/sitemap/0.84"),
        ),
        (
            "wrong-namespace",
            "an extension's with a slash",
            urlset(image(IMAGE)).replace("image/1.1", "image/1.1/"),
        ),
        ("leading-whitespace", "a line before the declaration", "\n" + GOOD, GOOD),
        ("byte-order-mark", "a byte order mark", "\ufeff" + GOOD, GOOD),
        (
            "wrong-encoding",
            "an encoding declared as Latin-1",
            GOOD.replace("UTF-8", "ISO-8859-1"),
            GOOD,
        ),
        ("wrong-encoding", "UTF-16", GOOD.encode("utf-16")),
        ("wrong-encoding", "a NUL", GOOD.encode().replace(b"/b", b"/\0")),
        (
            "document-type",
            "a document type",
            GOOD.replace("<urlset", "<!DOCTYPE urlset>\n<urlset", 1),
            GOOD,
        ),
        ("compression-error", "a gzip file without the suffix .gz", PACKED, GOOD),
        ("empty-sitemap", "a sitemap without a URL", urlset(), GOOD),
        (
            "empty-sitemap",
            "nothing that could be of all",
            urlset().replace("<urlset", f"<urlset {UNUSED}"),
        ),
        (
            "stray-text",
            "a message printed by a program",
            GOOD.replace("</url>", "</url>Notice: Undefined index", 1),
            GOOD,
        ),
        (
            "unknown-tag",
            "an image outside an entry",
            urlset(image(IMAGE)).replace(
                "</urlset>", f"<image:image>{IMAGE}</image:image></urlset>"
            ),
            urlset(image(IMAGE)),
        ),
    ),
    *of(
        site,
        ("wrong-encoding", "Latin-1 bytes", GOOD.replace("/b", "/bé").encode("latin-1")),
        also={"unescaped-url"},
    ),
    *of(
        gz,
        ("compression-error", "a gz name over plain XML", GOOD.encode(), PACKED),
        ("compression-error", "gzip cut short", PACKED[:-9], PACKED),
        ("compression-error", "gzip with a wrong sum", PACKED[:-8] + b"12345678", PACKED),
        ("compression-error", "gzip in gzip", gzip.compress(PACKED), PACKED),
    ),
    Fault(
        kind="robots-too-large",
        words="a robots.txt one byte over the limit",
        wrong=robots(named()),
        prepare=lengthen,
    ),
    Fault(
        kind="too-large", words="a sitemap one byte over the limit", wrong=site(GOOD), prepare=pad
    ),
    *of(
        entries,
        ("too-many-urls", "50,001 URLs", tuple(f"{SITE}{number}" for number in range(50_001))),
        (
            "too-many-images",
            "an entry with 1,001 images",
            f"<loc>{SITE}a</loc>" + f"<image:image>{IMAGE}</image:image>" * 1001,
        ),
        (
            "too-many-news",
            "1,001 articles from today",
            tuple(f"<loc>{SITE}{number}</loc>{article()}" for number in range(1_001)),
        ),
    ),
]
LONG = SITE.ljust(2048, "a")
ENTRIES = [
    *of(
        entries,
        ("unreadable-sitemap", "an unescaped ampersand", SITE + "a?b&c", SITE + "a?b&amp;c"),
        ("missing-loc", "an entry without a URL", DATED, f"<loc>{SITE}a</loc>{DATED}"),
        ("missing-loc", "an empty loc", "<loc/>"),
        (
            "repeated-tag",
            "an entry with two URLs",
            f"<loc>{SITE}a</loc><loc>{SITE}b</loc>",
            (SITE + "a", SITE + "b"),
        ),
        ("unknown-tag", "markup inside a loc", f"<loc><b>{SITE}a</b></loc>"),
        ("padded-value", "a URL on a line of its own", f"<loc>\n{SITE}a\n</loc>", SITE + "a"),
        ("stray-text", "text beside a loc", f"<loc>{SITE}a</loc> modified: today", SITE + "a"),
        ("invalid-url", "a URL without a scheme", "e.org/aaaa", "https://e.org/aaaa"),
        ("invalid-url", "a URL without a host", "https:///aaaaaa"),
        ("invalid-url", "a URL with a password", "https://u:p@e.org/a"),
        ("invalid-url", "ftp", "ftp://e.org/aaa"),
        ("unescaped-url", "umlauts", SITE + "größe", SITE + "gr%C3%B6%C3%9Fe"),
        ("unescaped-url", "a stray percent sign", SITE + "100%", SITE + "100%25"),
        (
            "twice-escaped-url",
            "an ampersand escaped twice",
            SITE + "?a=1&amp;amp;b=2",
            SITE + "?a=1&amp;b=2",
        ),
        ("doubled-slash", "an extra slash", SITE + "b//a", SITE + "b/a"),
        ("url-with-fragment", "a fragment", SITE + "a#b", SITE + "a"),
        ("control-character", "a line break", SITE + "a%0Ab", SITE + "a-b"),
        ("url-too-long", "2,048 characters", LONG, LONG[:-1]),
        ("www-mismatch", "a URL without www", "https://www.e.org/a", SITE + "a"),
        ("outside-scope", "another port", "https://e.org:8443/a", SITE + "a"),
        ("outside-scope", "http among https", "http://e.org/a", SITE + "a"),
        (
            "twin-url",
            "index.html in addition to its directory",
            (SITE + "a/", SITE + "a/index.html"),
            SITE + "a/",
        ),
        ("twin-url", "capitals", (SITE + "about", SITE + "About")),
        ("twin-url", "escapes in two cases", (SITE + "%c3%a4", SITE + "%C3%A4")),
        ("missing-tag", "an image without a URL", image(""), image(IMAGE)),
        (
            "invalid-media-url",
            "a relative image URL",
            image("<image:loc>a.png</image:loc>"),
            image(IMAGE),
        ),
        (
            "retired-tag",
            "an image with a title",
            image(f"{IMAGE}<image:title>A</image:title>"),
            image(IMAGE),
        ),
        ("unknown-tag", "an image with a src", image(f"{IMAGE}<image:src/>"), image(IMAGE)),
        (
            "hreflang-not-mutual",
            "a variant without a return link",
            (f"<loc>{SITE}a</loc>{variant('en')}{variant('de', SITE + 'b')}", SITE + "b"),
            tuple(
                f"<loc>{SITE}{each}</loc>{variant('en')}{variant('de', SITE + 'b')}"
                for each in "ab"
            ),
        ),
    ),
    *of(
        inside,
        ("unknown-tag", "an element of no extension", "<author>me</author>", ""),
        (
            "unknown-tag",
            "a link without its namespace",
            f'<link rel="alternate" hreflang="en" href="{SITE}a"/>',
            variant("en"),
        ),
        ("unknown-tag", "the URL of an image alone", IMAGE),
        ("ignored-hints", "a priority", "<priority>0.5</priority>", ""),
        (
            "invalid-attribute",
            "a link that is not a language variant",
            f'<xhtml:link rel="canonical" hreflang="en" href="{SITE}a"/>',
            variant("en"),
        ),
        (
            "invalid-attribute",
            "a variant without a URL",
            '<xhtml:link rel="alternate" hreflang="en"/>',
        ),
        (
            "invalid-attribute",
            "a variant without a language",
            f'<xhtml:link rel="alternate" href="{SITE}b"/>',
        ),
        (
            "missing-tag",
            "a video without a thumbnail",
            "<video:video><video:title>T</video:title></video:video>",
        ),
        ("missing-tag", "an article without a title", article(title=""), article()),
        (
            "missing-tag",
            "a publication without its element",
            article()
            .replace("news:publication>", "news:x>")
            .replace("<news:x>", "")
            .replace("</news:x>", ""),
        ),
        ("old-news", "an article from last year", article("2024-01-01"), ""),
        (
            "invalid-value",
            "a language name instead of a code",
            article(language="English"),
            article(),
        ),
        ("invalid-value", "an article of 30 February", article("2124-02-30"), article()),
    ),
    *of(
        inside,
        (
            "invalid-value",
            "a changefreq in capitals",
            "<changefreq>Daily</changefreq>",
            "<changefreq>daily</changefreq>",
        ),
        ("invalid-value", "a priority over 1", "<priority>1.1</priority>"),
        also={"ignored-hints"},
    ),
    *of(
        video,
        ("retired-tag", "a video with a category", "<video:category>cats</video:category>", ""),
        (
            "retired-tag",
            "a player that may not be embedded",
            f'<video:player_loc allow_embed="no">{SITE}player</video:player_loc>',
        ),
        *(
            ("invalid-value", words, f"<video:{name}>{value}</video:{name}>", "")
            for words, name, value in (
                ("a video of no length", "duration", "0"),
                ("a video longer than eight hours", "duration", "28801"),
                ("the length of a video as ISO 8601", "duration", "PT10M"),
                ("an empty duration", "duration", ""),
                ("a rating of six", "rating", "6"),
                ("true for yes", "live", "true"),
                ("a video published on 31 June", "publication_date", "2024-06-31"),
            )
        ),
        (
            "video-is-its-page",
            "a page URL as the video URL",
            f"<video:content_loc>{SITE}a</video:content_loc>",
            "",
        ),
        (
            "video-is-its-page",
            "a player that is its page",
            f"<video:player_loc>{SITE}%61</video:player_loc>",
        ),
        (
            "video-is-its-page",
            "a video that is a page",
            f"<video:content_loc>{SITE}watch.html?v=1</video:content_loc>",
        ),
        (
            "invalid-media-url",
            "a relative thumbnail",
            "<video:thumbnail_loc>/a.jpg</video:thumbnail_loc>",
            "",
        ),
        (
            "invalid-media-url",
            "a video over rtmp",
            "<video:content_loc>rtmp://e.org/a</video:content_loc>",
            "",
        ),
        (
            "invalid-attribute",
            "a restriction that neither allows nor denies",
            "<video:restriction>DE</video:restriction>",
        ),
        (
            "invalid-attribute",
            "a platform that is permitted",
            '<video:platform relationship="permit">tv</video:platform>',
        ),
        (
            "repeated-tag",
            "a video with two titles",
            "<video:title>A</video:title><video:title>B</video:title>",
            "",
        ),
        ("unknown-tag", "an element that videos do not have", "<video:length>9</video:length>", ""),
    ),
    *of(
        code,
        ("invalid-hreflang", "uk as the region", "en-uk", "en-GB"),
        *(
            ("invalid-hreflang", f"the code {name}", name)
            for name in ("jp", "eng", "en-EU", "es-419")
        ),
    ),
    *of(
        variants,
        ("invalid-hreflang", "a relative variant", (("en", "/a"),)),
        also={"hreflang-without-self"},
    ),
    *of(
        variants,
        (
            "hreflang-without-self",
            "variants that omit the page itself",
            (("de", "https://f.org/b"),),
            (("en", SITE + "a"), ("de", "https://f.org/b")),
        ),
        (
            "hreflang-contradiction",
            "two German variants",
            (("de", SITE + "a"), ("de", "https://f.org/a")),
            (("de", SITE + "a"), ("de-AT", "https://f.org/a")),
        ),
    ),
    *of(
        dates,
        ("repeated-tag", "two dates", "2024-01-01</lastmod><lastmod>2024-01-02", "2024-01-02"),
        ("padded-value", "space around a date", " 2024-01-01 ", "2024-01-01"),
        ("invalid-date", "30 February", "2024-02-30", "2024-02-29"),
        ("invalid-date", "an empty date", ""),
        ("invalid-date", "a time without a zone", "2024-01-01T10:00:00", "2024-01-01T10:00:00Z"),
        (
            "invalid-date",
            "a zone without a colon",
            "2024-01-01T10:00:00+0100",
            "2024-01-01T10:00:00+01:00",
        ),
        ("invalid-date", "a space for the T", "2024-01-01 10:00:00Z"),
        ("invalid-date", "an American date", "01/02/2024"),
        ("invalid-date", "24 o'clock", "2024-01-01T24:00:00Z"),
        ("future-date", "a date in the next century", "2124-01-01", "2024-01-01"),
        ("zero-date", "the zero of the Unix clock", "1970-01-01", "2024-01-01"),
        ("zero-date", "the zero of Go in another time zone", "0001-01-01T00:00:00+02:00"),
        (
            "build-stamp",
            "the same date on every page",
            ("2024-01-01T10:00:00Z",) * 20,
            ("2024-01-01T10:00:00Z",) * 9,
        ),
    ),
]


def below(directory: str, url: str) -> Files:
    """Return a site with a sitemap in a directory, which lists one URL."""
    return {
        "sitemap_index.xml": index(f"{SITE}{directory}/s.xml"),
        f"{directory}/s.xml": urlset(SITE + url),
    }


def listed(*sitemaps: str) -> Files:
    """Return an index of sitemaps, of which the first is there."""
    return {"sitemap_index.xml": index(*sitemaps), "s.xml": GOOD}


def flat(*pages: str, text: str = "", name: str = "sitemap.xml") -> Files:
    """Return a site with a flat sitemap beside its index."""
    return site(
        GOOD,
        **({name: urlset(*(SITE + page for page in pages))} if pages else {}),
        **({"robots.txt": text} if text else {}),
    )


OLD_HOST = "Sitemap: https://old.e.net/sitemap.xml\n"
FLAT = f"Sitemap: {SITE}sitemap.xml\n"
WHOLE: Files = {"a.xml": GOOD, "sitemap_index.xml": index(SITE + "a.xml")}
INNER: Files = {
    "guide/sitemap_index.xml": index(SITE + "guide/sitemap.xml"),
    "guide/sitemap.xml": urlset(SITE + "guide/a"),
}
OLD_INDEX: Files = {"sitemap_index.xml": index(f"<loc>{SITE}sitemap-root.xml</loc>{DATED}")}
PICTURE = image(f"<image:loc>{SITE}private/b.png</image:loc>")
SITES = [
    *of(
        lambda url: below("catalog", url),
        ("outside-scope", "a directory whose name only begins alike", "catalogue/b", "catalog/b"),
        ("outside-scope", "dot segments that lead out", "catalog/%2e%2E/b", "catalog/b"),
    ),
    *of(
        listed,
        (
            "missing-sitemap",
            "a missing sitemap",
            (SITE + "s.xml", SITE + "old.xml"),
            SITE + "s.xml",
        ),
        (
            "sitemap-outside-index",
            "a sitemap on another host",
            (SITE + "s.xml", "https://blog.e.org/s.xml"),
            SITE + "s.xml",
        ),
        (
            "nested-index",
            "an index that lists itself",
            (SITE + "s.xml", SITE + "sitemap_index.xml"),
            SITE + "s.xml",
        ),
        (
            "duplicate-url",
            "a sitemap that is listed twice",
            (SITE + "s.xml", SITE + "s.xml"),
            SITE + "s.xml",
        ),
    ),
    *of(
        lambda *sitemaps: {"sitemap_index.xml": index(*sitemaps)},
        ("empty-sitemap", "an index of nothing", ()),
        ("invalid-url", "a relative URL in the index", "/a.xml"),
    ),
    *of(
        dict,
        (
            "nested-index",
            "an index that lists an index",
            {"sitemap_index.xml": index(SITE + "guide/sitemap_index.xml"), **INNER},
            {
                "sitemap_index.xml": index(SITE + "guide/sitemap.xml"),
                "guide/sitemap.xml": INNER["guide/sitemap.xml"],
            },
        ),
        (
            "duplicate-url",
            "the same URL in two files",
            {
                **WHOLE,
                "b.xml": urlset(SITE + "a"),
                "sitemap_index.xml": index(SITE + "a.xml", SITE + "b.xml"),
            },
            WHOLE,
        ),
        (
            "stale-index-date",
            "a page newer than its date in the index",
            dates("2024-02-01") | OLD_INDEX,
            dates("2024-01-01") | OLD_INDEX,
        ),
        (
            "unlisted-sitemap",
            "an unlisted sitemap",
            site(GOOD, **{"old/sitemap.xml": urlset(SITE + "old/a")}),
            site(GOOD),
        ),
        (
            "robots-in-subdirectory",
            "a robots.txt in a subdirectory",
            site(GOOD, **{"docs/robots.txt": "User-agent: *\n"}),
            site(GOOD),
        ),
        ("missing-page", "a missing page", page() | entries(SITE + "a/", SITE + "b/"), page()),
        ("missing-page", "a page listed in capitals", page() | entries(SITE + "A/"), page()),
        ("unlisted-page", "an unlisted page", page(**{"b/index.html": PAGE}), page()),
        (
            "listed-error-page",
            "an error page",
            entries(SITE + "a", SITE + "404.html") | {"404.html": PAGE, "a.html": PAGE},
            page(),
        ),
        (
            "listed-error-page",
            "a page that only says that there is none",
            entries(SITE + "a")
            | {"a.html": PAGE.replace("<title>A", "<title>Page not found - My site")},
            page(),
        ),
        (
            "robots-blocks-image",
            "an image that robots.txt blocks",
            robots(named("User-agent: *\nDisallow: /private/\n"), PICTURE),
            robots(named("User-agent: *\nDisallow:\n"), PICTURE),
        ),
        (
            "redundant-sitemap",
            "a flat sitemap that robots.txt also lists",
            flat("a", "b", text=named(FLAT)),
            flat("a", "b", text=named()),
        ),
        (
            "listed-beside-index",
            "a flat sitemap that lists more than the index",
            flat("a", "secret"),
            flat("a"),
        ),
        ("page-redirects", "a redirect in the body", page(body=f"Text<p>{REFRESH}</p>")),
        (
            "unreadable-rule",
            "a redirect with an unknown status",
            page(_redirects="/old/ /a/ 399\n"),
            page(_redirects="/old/ /a/ 301\n"),
        ),
        (
            "unreadable-rule",
            "a header above all paths",
            page(_headers="X-Robots-Tag: noindex\n"),
            page(_headers="/old/\n  X-Robots-Tag: noindex\n"),
        ),
        ("noindex-in-body", "noindex in the body", page(body=f"Text{NOINDEX}"), page()),
        ("empty-page", "a page without content", page(body="<div></div>"), page()),
    ),
    Fault(
        kind="private-host",
        words="a build for development",
        wrong={"sitemap.xml": urlset("http://localhost:4000/")},
        right={"sitemap.xml": urlset("http://e.org/")},
        command="check .",
    ),
    Fault(
        kind="nothing-listed",
        words="a theme that marks every page noindex",
        wrong=page(NOINDEX) | entries(),
        right=page(),
        also=frozenset({"empty-sitemap"}),
    ),
    Fault(
        kind="unknown-tag",
        words="a url in an index",
        wrong={"sitemap_index.xml": index(SITE + "a.xml").replace("sitemap>", "url>")},
        also=frozenset({"empty-sitemap"}),
    ),
    *of(
        page,
        ("noindex-page", "a page with noindex", NOINDEX, ""),
        (
            "canonical-elsewhere",
            "a different canonical URL",
            f'<link rel="canonical" href="{SITE}b/">',
            f'<link rel="canonical" href="{SITE}a/">',
        ),
        ("page-redirects", "a page that redirects", REFRESH, ""),
    ),
    *of(
        dict,
        (
            "page-redirects",
            "a rule of the host",
            page(_redirects="/a/ https://f.org/\n"),
            page(_redirects="/b/ /a/\n"),
        ),
        (
            "dead-redirect",
            "a target without a page",
            page(_redirects="/b/ /c/\n"),
            page(_redirects="/b/ /a/\n"),
        ),
        (
            "host-redirects",
            "a directory without its slash",
            {**page(CNAME="e.org\n"), **entries(SITE + "a")},
            page(CNAME="e.org\n"),
        ),
        (
            "shared-canonical",
            "two pages that name a third",
            page() | naming("a/", "p", "q"),
            page() | naming("a/", "p"),
        ),
        ("home-canonical", "a home page that names another", page() | naming("a/", "."), page()),
        (
            "missing-page",
            "a page that a rule removes",
            page(_redirects="/a/ 410\n"),
            page(_redirects="/b/ 410\n"),
        ),
        (
            "noindex-page",
            "a header of the host",
            page(_headers="/*\n  X-Robots-Tag: noindex\n"),
            page(_headers="/*\n  X-Robots-Tag: noindex\n/a/\n  ! X-Robots-Tag\n"),
        ),
    ),
    *of(
        page,
        (
            "contradicted-address",
            "canonical links with http",
            f'<link rel="canonical" href="http{SITE.removeprefix("https")}a/">',
            f'<link rel="canonical" href="{SITE}a/">',
        ),
    ),
    *of(
        lambda address: {"sitemap.xml": urlset(address), "index.html": PAGE},
        (
            "template-address",
            "URLs with the address in a template",
            "https://yourdomain.com/",
            SITE,
        ),
        command="check .",
    ),
    *of(
        robots,
        (
            "robots-without-sitemap",
            "a robots.txt without a Sitemap line",
            "User-agent: *\n",
            f"User-agent: *\n{named()}",
        ),
        ("robots-names-missing-sitemap", "a Sitemap line for a missing file", FLAT, named()),
        (
            "robots-names-other-address",
            "a Sitemap line without https",
            named().replace("https:", "http:"),
            named(),
        ),
        (
            "robots-names-other-address",
            "a Sitemap line with www.",
            named().replace("//", "//www."),
            named(),
        ),
        (
            "robots-relative-sitemap",
            "a relative Sitemap line",
            "User-agent: *\nSitemap: /sitemap_index.xml\n",
            f"User-agent: *\n{named()}",
        ),
        (
            "robots-names-no-sitemap",
            "a Sitemap line for robots.txt itself",
            f"Sitemap: {SITE}robots.txt\n",
            named(),
        ),
        (
            "robots-names-no-sitemap",
            "a Sitemap line for the home page",
            f"Sitemap: {SITE}\n",
            named(),
        ),
        ("robots-without-sitemap", "a Sitemap line for the host before a move", OLD_HOST, named()),
        ("robots-is-html", "an HTML page instead of robots.txt", PAGE, named()),
        (
            "robots-unread-line",
            "a misspelled rule that only Google reads",
            named("User-agent: *\nDissallow: /drafts/\n"),
            named("User-agent: *\nDisallow: /drafts/\n"),
        ),
        ("robots-unread-line", "a rule for no crawler", named("Disallow: /drafts/\n"), named()),
        (
            "robots-unread-line",
            "a line that no search engine reads",
            named("Noindex: /drafts/\n"),
            named(),
        ),
        (
            "robots-blocks-page",
            "a page that robots.txt blocks",
            named("User-agent: *\nDisallow: /a\n"),
            named("User-agent: *\nDisallow:\n"),
        ),
        (
            "robots-blocks-sitemap",
            "a sitemap that robots.txt blocks",
            named("User-agent: *\nDisallow: /*.xml$\n"),
            named("User-agent: *\nDisallow:\n"),
        ),
    ),
]

FAULTS = FILES + ENTRIES + SITES
