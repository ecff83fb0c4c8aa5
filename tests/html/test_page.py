"""Planted pages, read as browsers and search engines read them: head, redirects, images and
links.
"""

import codecs
import time
from dataclasses import replace
from pathlib import Path
from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from smindex_plugins.base import urls
from smindex_plugins.base.limits import MAX_IMAGES
from smindex_plugins.base.model import Head
from smindex_plugins.html import page as reading
from smindex_plugins.html.page import (
    find_tag,
    parse_head,
    parse_images,
    parse_links,
    parse_tag_links,
    read_head,
)

URL = "https://e.org/docs/a/"
OTHER = "https://e.org/docs/b/"
NOTHING, NOINDEX = Head(), Head(noindex=True)
FILLING = "<p>text</p>" * 500
"""What makes a page too long for an empty one."""
META = '<meta name="robots" content="noindex">'
REFRESH = "<meta http-equiv=refresh content='0; url=../b/'>"


def page(head: str, body: str = FILLING) -> str:
    return (
        '<!doctype html>\n<html lang="en"><head><meta'
        f' charset="utf-8">{head}</head><body>{body}</body></html>'
    )


def read(content: str | bytes, url: str = URL) -> Head:
    return parse_head(content.encode() if isinstance(content, str) else content, url)


@pytest.mark.parametrize(
    "head",
    [
        *(
            "<META NAME=ROBOTS CONTENT=NOINDEX>",
            "<meta content='NoIndex' name='Robots'/>",
            f"{META[:-1]}",
        ),
        '<meta\n\tname = "robots"\n\tcontent = " noindex , nofollow "\n>',
        *(
            '<meta name="robots" content="none">',
            '<meta name="GoogleBot" content="nofollow,noindex">',
        ),
        f'<meta name="robots" content="index,follow">{META}',
        '<meta name="rob&#111;ts" content="no&#x69;ndex">',
        f"<!-- </head><body> --><!----><!-->{META}",
        f'<script>document.write("</head><body>")</script><SCRIPT>"</head><body>"</SCRIPT>{META}',
        f"<style>/* </head><body> */</style><title>What <body> does</title>{META}",
        f"""<meta name="description" content="The <head></head><body> of it">{META}""",
        f"<meta name='author' content='a>b <body>'><link rel=icon href='a>b' title='\"'>{META}",
        f'<noscript><img src="pixel.png"></noscript><template><p>a</p></template>{META}',
        f'<link rel=stylesheet href=a.css><base href="/"><script src="a.js"></script>{META}',
        f"</head>{META}",
        '<meta charset="utf-8" property="author" content="noindex" name="robots">',
        *(
            filling * (900_000 // len(filling)) + META
            for filling in ("<!-- filling -->", "<script>0</script>")
        ),
    ],
    ids=lambda head: head[:60],
)
def test_noindex(head: str) -> None:
    assert read(page(head)) == NOINDEX


@pytest.mark.parametrize(
    "head",
    [
        *(
            '<meta name="robots" content="index,follow">',
            '<meta name="robots">',
            '<meta name="robots" content="">',
        ),
        *(
            '<meta name="bingbot" content="noindex">',
            '<meta name="googlebot-news" content="noindex">',
        ),
        (
            '<meta property="og:title" content="noindex robots"><meta name="description"'
            ' content="robots noindex none">'
        ),
        *(
            f"<!-- {META} -->",
            f"<!--[if IE]>{META}<![endif]-->",
            f"<!-- {META}",
            f"<script>var a = '{META}'",
        ),
        *(f"<title>{META}</title>", f"<noscript>{META}</noscript>", f"<template>{META}</template>"),
        (
            '<meta name="author" name="robots" content="noindex"><meta content="b"'
            ' content="noindex" name="robots">'
        ),
        '<meta name="author" content="noindex><meta name=robots content=noindex">',
        '<meta http-equiv="X-Robots-Tag" content="noindex"><xmeta name="robots" content="noindex">',
    ],
)
def test_no_noindex(head: str) -> None:
    assert read(page(head)) == NOTHING


@pytest.mark.parametrize(
    "before", ["<div></div>", "text ", "</head><body><p>", "</head><body><pre><code>"]
)
def test_a_noindex_in_the_body_is_another_finding(before: str) -> None:
    assert read(page(f"{before}{META}")) == Head(noindex_in_body=True)
    assert read(f"<!doctype html><title>a</title>{META}<p>{FILLING}") == NOINDEX
    assert read(f"<!doctype html><p>a{META}{FILLING}") == Head(noindex_in_body=True)


@pytest.mark.parametrize(
    "body",
    [
        '<pre><code>&lt;meta name="robots" content="noindex"&gt;</code></pre><p>&lt;/head&gt;</p>',
        f'<link rel="canonical" href="{OTHER}"><link rel="alternate" hreflang="de" href="{OTHER}">',
    ],
)
def test_the_body_declares_nothing(body: str) -> None:
    for head in ("", '<base target="_blank">'):
        assert read(page(head, body + FILLING)) == NOTHING


@pytest.mark.parametrize(
    ("head", "canonical"),
    [
        (f"<LINK HREF='{OTHER}#part' REL='CANONICAL'>", OTHER),
        (f"<link rel=canonical href={OTHER}>", OTHER),
        *(
            (f'<link rel="canonical" href="{href}">', OTHER)
            for href in ("../b/", "/docs/b/", "//e.org/docs/b/")
        ),
        *(
            (f'<link rel="canonical" href="{href}">', OTHER)
            for href in ("..\\b\\", "\\docs\\b\\", "\\\\e.org\\docs/b\\")
        ),
        ('<link rel="canonical" href="..\\b\\?a\\b">', f"{OTHER}?a%5Cb"),
        ('<link rel="canonical" href=" HTTPS://E.ORG:443/docs/x/../b/\n">', OTHER),
        (
            (
                '<base target="_top"><base href="/docs/"><link rel="canonical" href="b/"><base'
                ' href="/else/">'
            ),
            OTHER,
        ),
        *(
            (f'<link rel="canonical" href="?a=1{sign}b=2">', f"{URL}?a=1&b=2")
            for sign in ("&", "&amp;", "&#38;")
        ),
        (f'<link rel="nofollow canonical" data-href="{URL}" href="{OTHER}" href="{URL}">', OTHER),
        (f'<link rel="canonical" href="{OTHER}"><link rel="canonical" href="/docs/b/">', OTHER),
        (
            (
                '<!-- canonical --><link rel="next" href="c/" x=">"><link rel="canonical"'
                f' href="{OTHER}">'
            ),
            OTHER,
        ),
        (f'<link rel="canonical" href="{URL}index.html">', f"{URL}index.html"),
        ('<link rel="canonical" href="http://e.org/docs/a/">', "http://e.org/docs/a/"),
        *(
            (f'<link rel="canonical" href="{href}"/>', None)
            for href in (URL, f"{URL}#top", "", "mailto:a", "http://[")
        ),
        ('<link rel="canonical">', None),
        *(
            (f"<link rel=canonical href={OTHER}><link rel=canonical href={url}>", None)
            for url in (URL, "https://f/")
        ),
        *(
            (f"<link rel=canonical href={OTHER} {other}>", None)
            for other in ("hreflang=de", "media=print", "type=a/b")
        ),
        (
            (
                f'<!-- <link rel="canonical" href="{OTHER}"> --><meta property="canonical"'
                f' content="{OTHER}">'
            ),
            None,
        ),
        (
            (
                f'<link rel="alternate" href="{OTHER}"><link rel="next" href="{OTHER}"'
                ' rel="canonical">'
            ),
            None,
        ),
    ],
)
def test_another_canonical_url(head: str, canonical: str | None) -> None:
    assert read(page(head)).canonical == canonical


@pytest.mark.parametrize(
    ("head", "names_itself"),
    [
        (f'<link rel="canonical" href="{URL}">', True),
        ('<link rel="canonical" href=".">', True),
        (f'<link rel="canonical" href="{OTHER}">', False),
        (f'<link rel="canonical" href="{URL}"><link rel="canonical" href="{OTHER}">', False),
        ("", False),
    ],
)
def test_a_page_can_name_its_own_url_as_canonical(head: str, *, names_itself: bool) -> None:
    assert read(page(head)).names_itself is names_itself


@pytest.mark.parametrize(
    ("content", "refresh"),
    [
        *(
            (content, OTHER)
            for content in (f"0; url={OTHER}", f"0,{OTHER}", f" 5 ; url = {OTHER} ", "0; url=../b/")
        ),
        *(
            (content, OTHER)
            for content in (f"0;URL='{OTHER}' a", f"0; url=&quot;{OTHER}&quot;", "0.5; /docs/b/")
        ),
        (f"0; url={URL}#part", URL),
        *(
            (content, None)
            for content in (
                "300",
                "0;",
                "0; url=",
                "",
                "soon; url=/b/",
                "0; url=javascript:alert(1)",
            )
        ),
    ],
)
def test_a_refresh_leads_to_a_url(content: str, refresh: str | None) -> None:
    for attribute in ("http-equiv='refresh'", 'HTTP-EQUIV="Refresh"', "http-equiv=REFRESH"):
        assert read(page(f'<meta {attribute} content="{content}">')) == Head(refresh=refresh)
    assert read(page(f"<noscript>{REFRESH}</noscript>")) == NOTHING
    twice = f"<!doctype html>{REFRESH}<meta http-equiv=refresh content='0; url=/c/'>"
    assert read(twice) == Head(refresh=OTHER, empty=True)


@pytest.mark.parametrize(
    "body",
    [
        f"<p>{REFRESH}</p>",
        "<div><main>text<meta content='0;url=../b/' Http-Equiv='&#82;efresh'/></main></div>",
        f"<table><tr><td>{REFRESH}</table><svg><path d='M0'/></svg>",
        f"<!-- a --><script>'<!-- '</script>{REFRESH}",
        (
            "<template><template></template></template><pre>&lt;meta"
            f" http-equiv=refresh&gt;</pre>{REFRESH}"
        ),
        f"<meta http-equiv=refresh content=300>{REFRESH}",
        f"1 < 2 </ a>{REFRESH[:-1]}",
        "<p>" + "text " * 100_000 + REFRESH,
    ],
    ids=lambda body: body[:40],
)
def test_a_browser_follows_a_refresh_in_the_body_too(body: str) -> None:
    for before in ("text", FILLING):
        assert read(page("<title>a</title>", before + body)) == Head(refresh=OTHER)
        assert read(page("", before + body).encode("utf-16")) == Head(refresh=OTHER)


@pytest.mark.parametrize(
    "body",
    [
        *(
            f"<!-- {REFRESH} -->",
            f"<!-- {REFRESH}",
            f'<script>document.write("{REFRESH}")</script>',
        ),
        *(
            f"<{tag}>{REFRESH}</{tag}>"
            for tag in ("style", "textarea", "title", "noscript", "iframe", "xmp")
        ),
        f"<plaintext>{REFRESH}",
        f"<template><template></template>{REFRESH}</template>",
        f'<iframe srcdoc="{REFRESH}"></iframe><p title="{REFRESH}">The http-equiv of a refresh</p>',
        '<pre><code>&lt;meta http-equiv="refresh" content="0; url=../b/"&gt;</code></pre>',
        (
            "<meta name=refresh content='0; url=../b/'><meta name=robots http-equiv=other"
            " content=noindex>"
        ),
    ],
)
def test_what_no_browser_takes_for_a_refresh_is_none(body: str) -> None:
    assert replace(read(page("<title>a</title>", "text" + body)), noindex_in_body=False) == NOTHING


@pytest.mark.parametrize(
    "script",
    [  # as sphinxext-rediraffe and sphinx-reredirects write them
        "window.location.href = '../b/' + (window.location.hash || '');",
        'var target = "../b/";window.location.replace(target);',
    ],
)
def test_a_script_that_goes_where_a_refresh_for_other_browsers_leads_is_a_redirect(
    script: str,
) -> None:
    head = f"<noscript>{REFRESH}</noscript>"
    for text in ("", "<p>You should have been redirected.</p>"):
        for start, end in (
            (f"{head}<script>{script}</script>", text),
            (head, f"<script>{script}</script>{text}"),
        ):
            assert read(page(start, end)).refresh == OTHER
            assert (
                read(page(start.replace("location", "x"), end.replace("location", "x"))).refresh
                is None
            )
    assert read(page(head, f"<script>{script.replace('../b/', '../c/')}</script>")).refresh is None


def test_the_title_of_an_error_page_is_that_of_the_head() -> None:
    head = "<title>Page not\nfound</title>"
    assert read(page(head, "<svg><title>a</title></svg>")).not_found == "Page not found"
    assert read(page("", head)).not_found is None
    assert read(page("<title>How a page is not found</title>")).not_found is None


def test_language_variants() -> None:
    head = """
      <link rel="alternate" hreflang="en" href="https://e.org/docs/a/">
      <LINK REL='ALTERNATE' HREFLANG='de-AT' HREF='/docs/de/a/'>
      <link rel=alternate hreflang=x-default href=.>
      <link rel="alternate" type="application/rss+xml" href="/feed.xml">
      <link rel="alternate" hreflang="" href="/docs/none/">
      <link rel="alternate" hreflang="fr">
      <link rel="stylesheet" hreflang="it" href="/docs/it/">
      <link rel="alternate stylesheet" hreflang="es" href="//es.example/a#b">
    """
    de, es = "https://e.org/docs/de/a/", "https://es.example/a"
    assert read(page(head)).alternates == (
        ("en", URL),
        ("de-AT", de),
        ("x-default", URL),
        ("es", es),
    )


@pytest.mark.parametrize(
    ("declared", "encoding", "mark"),
    [
        ("utf-8", "utf-8", codecs.BOM_UTF8),
        ("utf-8", "utf-16-le", codecs.BOM_UTF16_LE),
        ("utf-8", "utf-16-be", codecs.BOM_UTF16_BE),
        ("utf-8", "utf-16-le", b""),
        *((declared, "latin-1", b"") for declared in ("utf-8", "iso-8859-1", "windows-1252", "l1")),
        *((encoding, encoding, b"") for encoding in ("shift_jis", "gb18030", "koi8-r")),
        *(
            (declared, "utf-8", b"")
            for declared in ("utf-16", "utf-7", "cp037", "hex", "rot13", "idna", "no-such")
        ),
    ],
)
def test_a_page_in_any_encoding_is_read(declared: str, encoding: str, mark: bytes) -> None:
    letter = {"shift_jis": "あ", "gb18030": "中", "koi8-r": "я"}.get(encoding, "ü")
    http = f'http-equiv=Content-Type content="text/html; charset={declared}"'
    for charset in (f'charset="{declared}"', http):
        for head, expected in ((META, NOINDEX), ("", NOTHING)):
            text = page(f"<title>{letter}</title>{head}").replace('charset="utf-8"', charset)
            assert read(mark + text.encode(encoding)) == expected


def test_urls_are_read_in_the_encoding_of_the_page() -> None:
    for encoding in ("utf-8", "iso-8859-1"):
        text = page(
            '<link rel="canonical" href="/gr&ouml;ße/"><base href="/">',
            '<img src="ü.png"><a href="ü/">',
        )
        content = text.replace("utf-8", encoding).encode(encoding)
        assert read(content).canonical == "https://e.org/gr%C3%B6%C3%9Fe/"
        assert parse_images(content, URL) == ("https://e.org/%C3%BC.png",)
        assert parse_links(content, URL) == {"https://e.org/%C3%BC/"}


def test_a_file_is_read_only_as_far_as_search_engines_read_it(tmp_path: Path) -> None:
    """Its end is a hole in the file, which would take long to fill and to read."""
    file = tmp_path / "page.html"
    file.write_text(page(META))
    with file.open("ab") as stream:
        stream.truncate(30_000_000)
    assert read_head(str(file), URL) == NOINDEX
    with pytest.raises(FileNotFoundError):
        read_head(str(tmp_path / "none.html"), URL)


def test_a_page_that_expired_is_as_if_marked_noindex() -> None:
    tag = '<meta name="robots" content="unavailable_after: {}">'
    assert read(page(tag.format("Friday, 25-Jun-10 15:00:00 UTC"))) == NOINDEX
    assert read(page(tag.format("2010-06-25"))).robots == tag.format("2010-06-25")
    assert read(page(tag.format("9999-06-25"))) == NOTHING


def test_the_tag_that_keeps_a_page_out_is_found_with_its_line(tmp_path: Path) -> None:
    link = f'<link rel="canonical" href="{OTHER}">'
    (tmp_path / "a.html").write_text(page(f"\n{META}\n{link}", f"\n<p>{REFRESH}</p>"))
    refresh = '<meta http-equiv="refresh" content="0; url=../b/">'
    path = str(tmp_path / "a.html")
    tags = [find_tag(path, what) for what in ("noindex", "canonical", "refresh")]
    assert tags == [(META, 3), (link, 4), (refresh, 5)]
    (tmp_path / "a.html").write_text(page(""))
    assert find_tag(path, "noindex") == ("", 0)


A, B, C = f"{URL}a.png", f"{URL}b.png", "https://e.org/c.png"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('<img src="/c.png"><IMG SRC=a.png><img src="../../c.png">', [C, A]),
        (
            '<img src="//cdn.example/a b.png?x=1&amp;y=ü#f">',
            ["https://cdn.example/a%20b.png?x=1&y=%C3%BC"],
        ),
        ('<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><img src=""><img>', []),
        (
            (
                '<img src="blob:https://e.org/1"><img src="file:///a.png"><img src="http://[/"><img'
                ' src="ftp://e.org/a">'
            ),
            [],
        ),
        (f'<img src="https://e.org/{"a" * 2_040}">', []),
        (
            (
                '<picture><source srcset="b.png 2x"><img src="a.png" srcset="/c.png 2x"'
                ' data-src="b.png"></picture>'
            ),
            [A],
        ),
        ('<img src="a.png" width="1" height="1"><img src="b.png" width="100">', [B]),
        ('<noscript><img src="a.png"></noscript><template><img src="b.png"></template>', []),
        (
            (
                '<!-- <img src="a.png"> --><script>"<img src=b.png>"</script><pre>&lt;img'
                ' src="a.png"&gt;</pre>'
            ),
            [],
        ),
        (
            "<iframe><img src=b.png></iframe><textarea><img src=b.png></textarea><img src=a.png>",
            [A],
        ),
        ("<header><img src=a.png></header><nav><img src=a.png></nav><p><img src=b.png></p>", [B]),
        ("<img src=b.png><aside><img src=a.png></aside><footer><img src=a.png></footer>", [B]),
        ("<img src=a.png><main><img src=b.png></main>", [B]),
        ("<img src=a.png><article><header><img src=b.png></header></article>", [B]),
        ("<img src=a.png><div role=' MAIN'><p><img src=b.png></div></div>", [B]),
        (
            (
                "<main><nav><img src=a.png></nav><article><aside><img"
                " src=b.png></aside></article></main>"
            ),
            [B],
        ),
        ("<main></main><img src=a.png>", []),
        ("<section role=mainly><img src=a.png></section>", [A]),
        ("<b role=main><i><div role=main></div></i><b></b><img src=a.png></b><img src=b.png>", [A]),
        (
            "<my-nav><x-y:z a><navigation><headers><img src=a.png></headers></navigation></my-nav>",
            [A],
        ),
    ],
)
def test_the_images_of_the_content_of_a_page(body: str, expected: list[str]) -> None:
    assert (
        list(parse_images(f"<!doctype html><html><body>{body}</body></html>".encode(), URL))
        == expected
    )


@pytest.mark.parametrize(
    ("html", "links"),
    [
        ("<A HREF='../b/'><a href=b/ class=x>", {"docs/b/", "docs/a/b/"}),
        ('<a class="x" href="/c/?d=1#e"><area shape=rect href="/map/">', {"c/?d=1", "map/"}),
        ("<a href=https://e.org:443/x/../größe/>", {"gr%C3%B6%C3%9Fe/"}),
        ("<a href='https://f.org/'><a href=//f.org/b/>", {"https://f.org/", "https://f.org/b/"}),
        ('<a href=" /a&amp;b/ "><a href=/a/><a href=/a/#b>', {"a&b/", "a/"}),
        (
            "<a href=../../../../b/../c/><a href=..><a href='?page=2'>",
            {"c/", "docs/", "docs/a/?page=2"},
        ),
        ("<a href=b/><base target=_top><base href=/docs/><base href=/other/>", {"docs/b/"}),
        ("<script>a</script><!-- b --><template>c</template><style>d</style><a href=/x/>", {"x/"}),
        *(
            (html, set())
            for html in (
                "<a><a href><a href=''><a href=#top>",
                "<p>text<a href=/a/",
                "\0\1<a href=/x/>",
            )
        ),
        *(
            (f"<a href='{url}'>", set())
            for url in ("../a/", "mailto:a@e.org", "javascript:go()", "http://[broken/")
        ),
        (
            "<a name=href data-href=/x/><link rel=stylesheet href=/x/><img src=/x/><abbr href=/x/>",
            set(),
        ),
        ("<a rel=nofollow href=/x/><a rel='noopener NoFollow' href=/x/>", set()),
        ("<meta name=robots content='noindex, nofollow'><a href=/x/>", set()),
        ("<meta name=googlebot content=none><a href=/x/>", set()),
        *(
            (f"<{name}><a href=/x/></{name}>", set())
            for name in ("textarea", "noscript", "template", "plaintext")
        ),
        ("<!-- <a href=/x/> --><script>'<a href=/x/>'</script><p title='<a href=/x/>'>", set()),
    ],
)
def test_the_links_that_crawlers_follow(html: str, links: set[str]) -> None:
    assert {url.removeprefix("https://e.org/") for url in parse_links(html.encode(), URL)} == links


STEPS = st.lists(
    st.sampled_from(["..", ".", "", "a", "b.html", "?c=d", "ü", "x:y"]), min_size=1
).map("/".join)


@given(target=STEPS, base=STEPS)
def test_a_link_leads_where_the_standard_says(target: str, base: str) -> None:
    url = urls.normal(f"https://e.org/{base}")
    expected = urls.normal(urljoin(url, target)) if target else ""
    assert parse_links(f'<a href="{target}">'.encode(), url) == {expected} - {"", url}


@given(st.text(alphabet=st.sampled_from("<>a href='\"/=#!-.:template")) | st.text())
def test_the_urls_of_any_page_are_normalised_and_links_never_its_own(text: str) -> None:
    content = page(f"<link rel=canonical href='{text}'>{text}", text).encode(
        "utf-8", "surrogatepass"
    )
    links = parse_links(content, URL)
    assert URL not in links
    assert all(
        urls.normalise(url) == url
        for url in {*links, *parse_images(content, URL), read(content).canonical or URL}
    )


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "<meta http-equiv=refresh ",
            "<a b='",
            "<a =",
            "<!--",
            "<script>",
            "<template>",
            "<",
            "<div>{% ",
            "<title",
        ),
        *(
            '<link rel="b" c="',
            '<link rel="b" c="d" ',
            '<a href="',
            "<div><img src=a.png>",
            "<div role=main>",
        ),
        *(
            "<p></div>",
            "".join(f"<img src={number}.png><a href={number}>" for number in range(20_000)),
        ),
    ],
    ids=lambda piece: piece[:30],
)
def test_a_hostile_page_takes_no_longer_than_its_length(piece: str) -> None:
    content = (
        "<!doctype html><title>a</title><p>text http-equiv {%"
        f" {piece * max(1, 400_000 // len(piece))}".encode()
    )
    started = time.process_time()
    read(content)
    assert len(parse_images(content, URL)) <= MAX_IMAGES + 1
    parse_links(content, URL)
    assert time.process_time() - started < 6


def tagged(body: str, *headings: str) -> set[str]:
    """Give the paths, below the site's, of the pages that a page lists by their tags."""
    found = parse_tag_links(page("", body).encode(), URL, headings or ("tag:",))
    return {url.removeprefix("https://e.org/docs/") for url in found}


def test_pages_listed_by_tags_are_in_the_lists_that_follow_headings_of_tags() -> None:
    of_a = "<h2 id=tag:a><span>a</span></h2>\n<ul><li><a href='../b/'>B</a><li><a href='../c/#top'>C</a></ul>"
    of_b = "<h3 id='tag:b'>b</h3><ul><li><a href='../../'>Home</a><li><a href='./'>Itself</a></ul>"
    assert tagged(of_a + of_b) == {"b/", "c/", "https://e.org/"}


@pytest.mark.parametrize(
    "body",
    [
        "<p><a href='../b/'>B</a></p>",
        "<h2 id=more>More</h2><ul><li><a href='../b/'>B</a></ul>",
        "<h2 id=tag:a>a</h2><p><a href='../b/'>B</a></p><ul><li><a href='../c/'>C</a></ul>",
        "<h2 id=tag:a>a<a href='../b/'>B</a></h2>",
        "<h2 id=tag:a>a</h2><ul></ul><ul><li><a href='../b/'>B</a></ul>",
        "<p id=tag:a>a</p><ul><li><a href='../b/'>B</a></ul>",
        "<h2 id=tag:a>a</h2>",
        "<template><h2 id=tag:a>a</h2><ul><li><a href='../b/'>B</a></ul></template>",
    ],
)
def test_other_links_are_not_to_pages_with_a_tag(body: str) -> None:
    assert tagged(body) == set()


def test_headings_of_tags_can_have_other_ids() -> None:
    body = "<h2 id=label-a>a</h2><ul><a href='../b/'>B</a></ul><h2 id=tag:a>a</h2><ul><a href='../c/'>C</a></ul>"
    assert tagged(body, "label-") == {"b/"}
    assert tagged(body, "label-", "tag:") == {"b/", "c/"}


def test_a_body_is_parsed_for_its_metas_but_not_for_a_text_about_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    parsed: list[bytes] = []
    parse = reading._parse

    def noted(content: bytes) -> etree._Element:
        parsed.append(content)
        return parse(content)

    monkeypatch.setattr(reading, "_parse", noted)
    text = page("", f"<p>noindex, http-equiv</p>{FILLING}").encode()
    assert parse_head(text, URL) == NOTHING
    assert text not in parsed
    metas = page("", f"{META.upper()}{META}{FILLING}").encode()
    assert parse_head(metas, URL).noindex_in_body
    assert metas in parsed
