import io
import os
import re
from collections.abc import Callable
from dataclasses import replace
from typing import cast

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from smindex_plugins import urls
from smindex_plugins.dates import utc
from smindex_plugins.model import Details, IndexEntry, News, Page, Publication, Sitemap, SitemapIndex, Video
from smindex_plugins.sitemaps import protocol
from smindex_plugins.sitemaps.protocol import NAMESPACE, ProtocolError
from smindex_plugins.wording import one_line

HERE = "https://e.org/sitemap.xml"
XMLNS = f'xmlns="{NAMESPACE}"'
URL = "<url><loc>https://e.org/a/</loc></url>"

URLS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30).map(
    lambda path: urls.normalise("https://example.org/" + path)
)
DATES = st.none() | st.dates().map(str) | st.integers(0, 4_000_000_000).map(utc)
CODES = st.sampled_from(["de", "en-GB", "zh-Hant", "x-default"])
TEXTS = st.text(max_size=30).map(one_line).filter(bool)
VIDEOS = st.builds(
    Video,
    thumbnail=URLS,
    title=TEXTS,
    description=TEXTS,
    content=URLS,
    player=st.none() | URLS,
    seconds=st.none() | st.integers(1, 28_800),
    published=DATES,
)
NEWS = st.builds(
    News,
    publication=st.builds(Publication, name=TEXTS, language=st.sampled_from(["en", "gsw", "zh-cn"])),
    published=DATES.filter(bool),
    title=TEXTS,
)
PLAIN_PAGES = st.lists(st.builds(Page, url=URLS, lastmod=DATES), max_size=20).map(tuple)
DETAILS = st.builds(
    Details,
    alternates=st.just(()) | st.lists(st.tuples(CODES, URLS), max_size=3).map(tuple),
    images=st.just(()) | st.lists(URLS, max_size=3).map(tuple),
    videos=st.just(()) | st.lists(VIDEOS, max_size=2).map(tuple),
    news=st.none() | NEWS,
)
PAGES = st.lists(st.builds(Page, url=URLS, lastmod=DATES, details=DETAILS), max_size=20).map(tuple)
ENTRIES = st.lists(st.builds(IndexEntry, url=URLS, lastmod=DATES), max_size=20).map(tuple)


def parse(content: bytes | str) -> Sitemap | SitemapIndex:
    return protocol.parse(io.BytesIO(content.encode() if isinstance(content, str) else content), HERE)


def parse_xml(content: bytes) -> Sitemap | SitemapIndex:
    """Read as what others wrote is read."""
    return protocol._parse_xml(io.BytesIO(content), HERE)


def rendered_sitemap(*pages: Page) -> bytes:
    return b"".join(protocol.urlset([protocol.render_url(page) for page in pages]))


def rendered_index(*entries: IndexEntry) -> bytes:
    return b"".join(protocol.sitemapindex(map(protocol.render_entry, entries)))


def own_pages(content: bytes) -> protocol.OwnPages | None:
    blocks = list(protocol._whole_lines(content, io.BytesIO()))
    own = protocol._own_sitemap(blocks, HERE)
    return cast("protocol.OwnPages", own.pages) if own else None


@given(PAGES)
@example((Page(url="https://example.org/'&amp;&lt;]]>"),))
def test_a_sitemap_reads_back_as_it_was_written(pages: tuple[Page, ...]) -> None:
    pages = tuple(replace(page, url=urls.normalise(page.url)) for page in pages)
    assert parse(rendered_sitemap(*pages)) == Sitemap(url=HERE, pages=pages)


@given(PLAIN_PAGES)
@example((Page(url="https://example.org/'&amp;&lt;"),))
def test_the_reader_of_own_files_and_that_of_others_agree_on_own_files(pages: tuple[Page, ...]) -> None:
    content = rendered_sitemap(*pages)
    own = own_pages(content)
    assert own is not None
    assert parse_xml(content) == Sitemap(url=HERE, pages=own)
    assert len(own) == len(pages)
    assert own[:] == pages


@given(PAGES)
def test_pages_written_in_batches_are_what_they_are_one_by_one(pages: tuple[Page, ...]) -> None:
    batched, single = list(protocol.render_urls(pages)), [protocol.render_url(page) for page in pages]
    assert b"".join(batched) == b"".join(single)
    assert b"".join(protocol.urlset(batched)) == b"".join(protocol.urlset(single))


MARKUP = "<url> </url> <loc> </loc> <lastmod> </lastmod> <!----> <?pi?> <![CDATA[a]]> <x/> </urlset> <!DOCTYPE_urlset>"
TEXT = "https://e.org/ a ä ]]> ] > & ' \" &amp; &apos; &lt; &#97; <url\ta='b'>"
LINES = ["<url><loc>https://e.org/a/</loc></url>\n", "<url><loc>b</loc><lastmod>2026-05-10</lastmod></url>\n"]
PIECES = st.sampled_from([*MARKUP.split(" "), *TEXT.split(" "), *LINES, "\n", "\r", "\t", " ", "\0", "\x7f", "\ufffe"])


@given(st.lists(PIECES, max_size=8).map("".join))
@settings(max_examples=1_000)
def test_what_the_reader_of_own_files_accepts_the_other_reads_alike(body: str) -> None:
    content = protocol.URLSET_HEAD + body.encode() + protocol.URLSET_TAIL
    own = own_pages(content)
    if own is not None:
        assert parse_xml(content) == Sitemap(url=HERE, pages=own)
        assert len(own) == len(tuple(own))


@given(st.lists(PIECES | st.sampled_from(LINES) | st.just(LINES[0] * 9), max_size=12).map("".join), st.integers(0, 400))
@settings(max_examples=500)
def test_own_files_are_read_alike_however_they_are_cut(body: str, more: int) -> None:
    content = protocol.URLSET_HEAD + body.encode() + protocol.URLSET_TAIL
    start = len(protocol.URLSET_HEAD) + more
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(protocol, "_BLOCK", more + 1)
        blocks = list(protocol._whole_lines(content[:start], io.BytesIO(content[start:])))
    assert b"".join(blocks) == content
    own, whole = protocol._own_sitemap(blocks, HERE), own_pages(content)
    if own is not None:
        assert own.pages == whole
    elif whole is not None:
        assert max(map(len, content.splitlines())) > more  # a line longer than a block is none of ours


@given(ENTRIES)
@example((IndexEntry(url="https://example.org/'&amp;&lt;"),))
def test_the_readers_agree_on_own_indexes(entries: tuple[IndexEntry, ...]) -> None:
    content = rendered_index(*entries)
    own = protocol._own_index(content, HERE)
    assert own is not None
    assert own == parse_xml(content) == SitemapIndex(url=HERE, entries=entries)


@given(st.lists(PIECES, max_size=8).map("".join))
@settings(max_examples=1_000)
def test_what_the_reader_of_own_indexes_accepts_the_other_reads_alike(body: str) -> None:
    body = body.replace("<url", "<sitemap").replace("</url", "</sitemap")
    content = protocol.INDEX_HEAD + body.encode() + protocol.INDEX_TAIL
    own = protocol._own_index(content, HERE)
    if own is not None:
        assert own == parse_xml(content)


@given(st.lists(st.integers(0, 400), min_size=1, max_size=40), st.integers(0, 50))
def test_a_file_cut_short_anywhere_is_refused(lengths: list[int], missing: int) -> None:
    content = rendered_sitemap(*(Page(url="https://example.org/" + "a" * length) for length in lengths))
    with pytest.raises(ProtocolError):
        parse(content[: -1 - 1 - missing])


def test_a_large_sitemap_of_another_tool_is_read_from_its_start() -> None:
    content = rendered_sitemap(*(Page(url=f"https://example.org/{number}") for number in range(1_000)))
    for other in (content.replace(b"</urlset>", b"<!-- --></urlset>"), content.replace(b"\n<url>", b"\n <url>")):
        assert own_pages(other) is None
        assert parse(other) == parse(content)


@given(
    st.lists(URLS, max_size=5), st.sampled_from(["https://example.org/", "https://example.org/a/", "https://e.org/"])
)
@example(["https://example.org/a/../b"], "https://example.org/a/")
@example(["https://example.org/a/x", "https://example.org/a/it's"], "https://example.org/a/")
def test_pages_said_to_be_below_a_directory_are(locs: list[str], directory: str) -> None:
    own = own_pages(rendered_sitemap(*(Page(url=url) for url in locs)))
    assert own is not None
    if own.are_below(directory):
        assert all(urls.is_within(urls.normalise(url), directory) for url in locs)
    elif not any(set("%?[.") & set(url.removeprefix("https://example.org")) for url in locs):
        assert not all(urls.is_within(url, directory) for url in locs)


@pytest.mark.parametrize("path", ["../b", ".", "\n../b", "x/\n\n../../../b", "%2e%2e/b"])
def test_pages_that_leave_a_directory_are_never_said_to_be_below_it(path: str) -> None:
    url = f"https://example.org/a/{path}"
    own = own_pages(rendered_sitemap(Page(url="https://example.org/a/"), Page(url=url)))
    assert own is not None
    assert not own.are_below("https://example.org/a/")


@given(ENTRIES)
def test_an_index_reads_back_as_it_was_written(entries: tuple[IndexEntry, ...]) -> None:
    assert parse(rendered_index(*entries)) == SitemapIndex(url=HERE, entries=entries)


@given(PAGES.filter(bool), ENTRIES.filter(bool))
def test_what_is_written_is_valid_under_the_schemas(
    validate: Callable[[bytes], None], pages: tuple[Page, ...], entries: tuple[IndexEntry, ...]
) -> None:
    validate(rendered_sitemap(*pages))
    validate(rendered_index(*entries))


def test_a_url_of_the_greatest_length_is_valid_under_the_schema(validate: Callable[[bytes], None]) -> None:
    validate(rendered_sitemap(Page(url="https://example.org/" + "'" * (2_047 - len("https://example.org/")))))


@given(PAGES)
def test_pages_written_together_are_as_if_written_one_by_one(pages: tuple[Page, ...]) -> None:
    assert b"".join(protocol.render_urls(pages)) == b"".join(map(protocol.render_url, pages))


def test_the_five_reserved_characters_are_escaped() -> None:
    page = Page(url=urls.normalise("https://e.org/?a=1&b='\"<>"))
    assert protocol.render_url(page) == b"<url><loc>https://e.org/?a=1&amp;b=&apos;%22%3C%3E</loc></url>\n"


def test_a_file_is_lines_a_person_can_read() -> None:
    assert rendered_sitemap(Page(url="https://e.org/a/", lastmod="2026-05-10")).decode() == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        "<!-- Written by smindex-plugins -->\n"
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        "<url><loc>https://e.org/a/</loc><lastmod>2026-05-10</lastmod></url>\n"
        "</urlset>\n"
    )


VIDEO = Video(
    thumbnail="https://e.org/t.png",
    title="A & <b>",
    description="It's \u201cü\u201d",
    content="https://e.org/v.mp4?a&b",
    player="https://e.org/play",
    seconds=90,
    published="2026-05-10",
)
ARTICLE = News(publication=Publication(name="Times & Co", language="en"), published="2026-05-10", title='"<A>"')


def test_a_video_and_an_article_are_written_in_the_order_of_their_schemas() -> None:
    assert protocol.render_url(Page(url="https://e.org/", details=Details(videos=(VIDEO,)))).decode() == (
        "<url><loc>https://e.org/</loc><video:video>"
        "<video:thumbnail_loc>https://e.org/t.png</video:thumbnail_loc><video:title>A &amp; &lt;b&gt;</video:title>"
        "<video:description>It&apos;s &#8220;&#252;&#8221;</video:description>"
        "<video:content_loc>https://e.org/v.mp4?a&amp;b</video:content_loc>"
        "<video:player_loc>https://e.org/play</video:player_loc><video:duration>90</video:duration>"
        "<video:publication_date>2026-05-10</video:publication_date></video:video></url>\n"
    )
    assert protocol.render_url(Page(url="https://e.org/", details=Details(news=ARTICLE))).decode() == (
        "<url><loc>https://e.org/</loc><news:news><news:publication><news:name>Times &amp; Co</news:name>"
        "<news:language>en</news:language></news:publication><news:publication_date>2026-05-10</news:publication_date>"
        "<news:title>&quot;&lt;A&gt;&quot;</news:title></news:news></url>\n"
    )


def test_what_an_entry_says_beyond_the_protocol_comes_last_and_declares_its_namespace() -> None:
    page = Page(
        url="https://e.org/a/",
        lastmod="2026-05-10",
        details=Details(
            alternates=(("en", "https://e.org/a/"), ("x-default", "https://e.org/it's")),
            images=("https://cdn.example/b.png?c&d", "https://e.org/e.png"),
        ),
    )
    assert rendered_sitemap(page).decode().splitlines()[2:4] == [
        (
            '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml" '
            'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">'
        ),
        (
            "<url><loc>https://e.org/a/</loc><lastmod>2026-05-10</lastmod>"
            '<xhtml:link rel="alternate" hreflang="en" href="https://e.org/a/"/>'
            '<xhtml:link rel="alternate" hreflang="x-default" href="https://e.org/it&apos;s"/>'
            "<image:image><image:loc>https://cdn.example/b.png?c&amp;d</image:loc></image:image>"
            "<image:image><image:loc>https://e.org/e.png</image:loc></image:image></url>"
        ),
    ]


@pytest.mark.parametrize(
    ("page", "declared"),
    [
        (Page(url="https://e.org/%3Cimage:"), set()),
        (Page(url="https://e.org/", lastmod="2026-05-10"), set()),
        (Page(url="https://e.org/", details=Details(alternates=(("en", "https://e.org/"),))), {"xhtml"}),
        (Page(url="https://e.org/", details=Details(images=("https://e.org/a",))), {"image"}),
        (Page(url="https://e.org/", details=Details(videos=(VIDEO,))), {"video"}),
        (Page(url="https://e.org/", details=Details(news=ARTICLE)), {"news"}),
        (Page(url="https://e.org/", details=Details(images=("https://e.org/a",), videos=(VIDEO,))), {"image", "video"}),
    ],
)
def test_a_file_declares_the_namespaces_that_it_needs_and_no_others(page: Page, declared: set[str]) -> None:
    plain = Page(url="https://e.org/plain")
    assert set(re.findall(r"xmlns:(\w+)", rendered_sitemap(plain, page, plain).decode())) == declared


@pytest.mark.parametrize(
    "content",
    [
        f"<urlset {XMLNS}>{URL}</urlset>",
        f"\ufeff<urlset {XMLNS}>{URL}</urlset>",
        f'<s:urlset xmlns:s="{NAMESPACE}"><s:url><s:loc>https://e.org/a/</s:loc></s:url></s:urlset>',
        f"<?pi?><!-- a --><urlset {XMLNS}><!-- b -->{URL}<!-- c --></urlset><!-- d -->",
        f"<urlset {XMLNS}><url><loc><![CDATA[https://e.org/a/]]></loc></url></urlset>",
        f"<urlset {XMLNS}><url><loc>https://e.org/<!-- b -->a<?pi?>/</loc></url></urlset>",
        f"<urlset {XMLNS}><url><loc>https://e.org/&#97;/</loc></url></urlset>",
        f"<urlset {XMLNS}><url><priority>1.0</priority><loc>https://e.org/a/</loc></url></urlset>",
        f'<urlset {XMLNS} xmlns:o="https://o.example/"><url><loc>https://e.org/a/</loc><o:loc>b</o:loc></url></urlset>',
        f'<urlset {XMLNS} xmlns:o="https://o.example/"><o:url><o:loc>b</o:loc></o:url>{URL}</urlset>',
        f'<?xml version="1.0" encoding="utf-8"?><urlset {XMLNS}>{URL}</urlset>',
        f'<?xml version="1.0" encoding="US-ASCII"?><urlset {XMLNS}>{URL}</urlset>',
    ],
)
def test_a_sitemap_that_others_wrote_differently_is_read(content: str) -> None:
    assert parse(content) == Sitemap(url=HERE, pages=(Page(url="https://e.org/a/"),))


@pytest.mark.parametrize(("root", "lists"), [("urlset", "pages"), ("sitemapindex", "entries")])
def test_a_file_without_entries_is_read_for_the_checks_to_judge(root: str, lists: str) -> None:
    assert getattr(parse(f"<{root} {XMLNS}/>"), lists) == ()


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "not well-formed"),
        (b"\0\0\0", "not well-formed"),
        (b"Not found", "not well-formed"),
        (b"\x1f\x8b\x08\x00", "not well-formed"),
        (f"<urlset {XMLNS}>{URL}".encode(), "not well-formed"),
        (f"<urlset {XMLNS}>{URL}</urlset".encode(), "not well-formed"),
        (f"<urlset {XMLNS}>{URL}</urlset><b/>".encode(), "not well-formed"),
        (f' <?xml version="1.0"?><urlset {XMLNS}>{URL}</urlset>'.encode(), "not well-formed"),
        (f"<urlset {XMLNS}><url><loc>&nbsp;</loc></url></urlset>".encode(), "not well-formed"),
        (f"<urlset {XMLNS}><url><loc>a&b</loc></url></urlset>".encode(), "not well-formed"),
        (f"<urlset {XMLNS}><url><loc>\x01</loc></url></urlset>".encode(), "not well-formed"),
        (f"<urlset {XMLNS}><url><loc>".encode() + b"\xff</loc></url></urlset>", "not well-formed"),
        (f"<urlset {XMLNS}>".encode() + b"<a>" * 1_000, "not well-formed"),
        (f"<urlset {XMLNS}><url><loc>{'a' * 11_000_000}</loc></url></urlset>".encode(), "not well-formed"),
        (f'<?xml version="1.0" encoding="UTF-16"?><urlset {XMLNS}>{URL}</urlset>'.encode("utf-16"), "not well-formed"),
        (f"<urlset {XMLNS}>{URL}</urlset>".encode("utf-16"), "not well-formed"),
        (f'<?xml version="1.0" encoding="latin1"?><urlset {XMLNS}>\xe4</urlset>'.encode("latin1"), "not well-formed"),
        (b"<html><body>Not found</body></html>", "root element is 'html'"),
        (b"<urlset><url><loc>https://e.org/</loc></url></urlset>", "root element is 'urlset', not"),
        (b'<urlset xmlns="https://www.sitemaps.org/schemas/sitemap/0.9"/>', "root element"),
        (b'<urlset xmlns="http://www.google.com/schemas/sitemap/0.84"/>', "root element"),
        (f"<Urlset {XMLNS}/>".encode(), "root element"),
        (f"<url {XMLNS}/>".encode(), "root element"),
        (f"<urlset {XMLNS}><url/></urlset>".encode(), "line 1: an entry has no <loc>"),
        (f"<urlset {XMLNS}>\n\n<url><loc/></url></urlset>".encode(), "line 3: an entry has no <loc>"),
        (f"<sitemapindex {XMLNS}><sitemap/></sitemapindex>".encode(), "an entry has no <loc>"),
        (f'<urlset {XMLNS} xmlns:o="o:o"><url><o:loc>a</o:loc></url></urlset>'.encode(), "an entry has no <loc>"),
        (f"<!DOCTYPE urlset><urlset {XMLNS}/>".encode(), "document type"),
    ],
)
def test_what_is_no_sitemap_is_refused_with_the_reason(content: bytes, problem: str) -> None:
    with pytest.raises(ProtocolError, match=problem):
        parse(content)


def entities(levels: int) -> str:
    nested = "".join(f'<!ENTITY e{level} "{f"&e{level - 1};" * 10}">' for level in range(1, levels))
    return f'<!ENTITY e0 "ha">{nested}'


@pytest.mark.parametrize(
    "document",
    [
        f"<!DOCTYPE urlset [{entities(10)}]><urlset {XMLNS}><url><loc>&e9;</loc></url></urlset>",
        f'<!DOCTYPE urlset [{entities(10)}]><urlset {XMLNS} a="&e9;"/>',
        f'<!DOCTYPE urlset [<!ENTITY e SYSTEM "SECRET">]><urlset {XMLNS}><url><loc>&e;</loc></url></urlset>',
        f'<!DOCTYPE urlset [<!ENTITY % e SYSTEM "SECRET">%e;]><urlset {XMLNS}>{URL}</urlset>',
        f'<!DOCTYPE urlset SYSTEM "SECRET"><urlset {XMLNS}>{URL}</urlset>',
        f'<!DOCTYPE urlset PUBLIC "-//E//E" "SECRET"><urlset {XMLNS}>{URL}</urlset>',
        f'<urlset {XMLNS} xmlns:xi="http://www.w3.org/2001/XInclude"><url><xi:include href="SECRET"/></url></urlset>',
    ],
)
def test_a_hostile_document_is_refused_and_no_file_is_read_for_it(document: str, tmp_path: os.PathLike[str]) -> None:
    """Reading a named pipe that nobody writes to would never end."""
    pipe = os.path.join(tmp_path, "pipe")
    os.mkfifo(pipe)
    with pytest.raises(ProtocolError):
        parse(document.replace("SECRET", f"file://{pipe}"))


def test_an_error_of_the_stream_is_not_taken_for_one_of_the_xml() -> None:
    class Broken(io.BytesIO):
        def read(self, _size: int | None = -1) -> bytes:
            raise OSError(5, "Input/output error")

    with pytest.raises(OSError, match="Input/output error"):
        protocol.parse(Broken(), HERE)
