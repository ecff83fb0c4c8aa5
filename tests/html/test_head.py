"""Planted pages, each read as a browser and a search engine read it."""

import codecs
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smindex_plugins.html import read_head
from smindex_plugins.model import Head

URL = "https://e.org/docs/a/"
OTHER = "https://e.org/docs/b/"
NOTHING, NOINDEX = Head(), Head(noindex=True)
FILLING = "<p>text</p>" * 500
"""What makes a file too long to be taken for an empty one."""


def page(head: str, body: str = FILLING) -> str:
    return f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">{head}</head><body>{body}</body></html>'


def read(tmp_path: Path, content: str | bytes, url: str = URL) -> Head:
    file = tmp_path / "page.html"
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_head(str(file), url)


@pytest.mark.parametrize(
    "head",
    [
        '<meta name="robots" content="noindex">',
        "<meta name='robots' content='noindex'>",
        "<meta name=robots content=noindex>",
        "<META NAME=ROBOTS CONTENT=NOINDEX>",
        "<meta content='NoIndex' name='Robots'/>",
        '<meta\n\tname = "robots"\n\tcontent = " noindex , nofollow "\n>',
        '<meta name="robots" content="nofollow,noindex">',
        '<meta name="robots" content="none">',
        '<meta name="googlebot" content="noindex">',
        '<meta name="GoogleBot" content="none">',
        '<meta name="robots" content="index,follow"><meta name="robots" content="noindex">',
        '<meta name="robots" content="all"><meta name="googlebot" content="noindex">',
        '<meta name="rob&#111;ts" content="noindex">',
        '<meta name="robots" content="no&#x69;ndex">',
        '<!-- a --><!----><!--><meta name="robots" content="noindex">',
        '<!-- </head><body> --><meta name="robots" content="noindex">',
        '<script>document.write("</head><body>")</script><meta name="robots" content="noindex">',
        '<SCRIPT>"</head><body>"</SCRIPT><meta name="robots" content="noindex">',
        '<style>/* </head><body> */</style><meta name="robots" content="noindex">',
        '<title>What <body> does</title><meta name="robots" content="noindex">',
        '<meta name="description" content="The <head></head><body> of it"><meta name="robots" content="noindex">',
        "<meta name='description' content='The <head></head><body> of it'><meta name='robots' content='noindex'>",
        '<noscript><img src="pixel.png"></noscript><meta name="robots" content="noindex">',
        '<template><p>a</p></template><meta name="robots" content="noindex">',
        '<link rel=stylesheet href=a.css><base href="/"><script src="a.js"></script><meta name=robots content=noindex>',
        '</head><meta name="robots" content="noindex">',
        '<meta name="robots" content="noindex"',
        '<meta name="author" content="a>b"><meta name="robots" content="noindex">',
        '<meta property="author" content="noindex" name="robots">',
        '<meta charset="utf-8" content="noindex" name=robots>',
        '<link rel="icon" href="a>b"><meta name="robots" content="noindex">',
        '<link rel="icon" href="a" title=\'"\'><meta name="robots" content="noindex">',
    ],
)
def test_noindex(tmp_path: Path, head: str) -> None:
    assert read(tmp_path, page(head)) == NOINDEX


@pytest.mark.parametrize(
    "head",
    [
        '<meta name="robots" content="index,follow">',
        '<meta name="robots" content="noimageindex,nofollow,nosnippet">',
        '<meta name="robots" content="noindexing">',
        '<meta name="robots">',
        '<meta name="robots" content="">',
        '<meta name="bingbot" content="noindex">',
        '<meta name="googlebot-news" content="noindex">',
        '<meta property="og:title" content="noindex robots">',
        '<meta name="description" content="robots noindex none">',
        '<!-- <meta name="robots" content="noindex"> -->',
        '<!--[if IE]><meta name="robots" content="noindex"><![endif]-->',
        "<!-- <meta name='robots' content='noindex'>",
        '<script>"<meta name=robots content=noindex>"</script>',
        "<script>var a = '<meta name=robots content=noindex>'",
        "<title>&lt;meta name=robots content=noindex></title>",
        "<title><meta name=robots content=noindex></title>",
        '<noscript><meta name="robots" content="noindex"></noscript>',
        '<template><meta name="robots" content="noindex"></template>',
        '<meta name="author" name="robots" content="noindex">',
        '<meta name="author" content="a" content="b" name="robots">',
        '<meta name="author" content="noindex><meta name=robots content=noindex">',
        '<meta http-equiv="X-UA-Compatible" content="IE=edge">',
        '<meta http-equiv="X-Robots-Tag" content="noindex">',
        '<xmeta name="robots" content="noindex">',
    ],
)
def test_no_noindex(tmp_path: Path, head: str) -> None:
    assert read(tmp_path, page(head)) == NOTHING


@pytest.mark.parametrize("before", ["<div></div>", "text ", "</head><body><p>"])
def test_a_noindex_in_the_body_is_another_thing(tmp_path: Path, before: str) -> None:
    said = read(tmp_path, page(f'{before}<meta name="robots" content="noindex">'))
    assert (said.noindex, said.noindex_in_body) == (False, True)


@pytest.mark.parametrize(
    "body",
    [
        '<pre><code>&lt;meta name="robots" content="noindex"&gt;</code></pre>',
        '<pre><code><meta name="robots" content="noindex"></code></pre>',
        '<meta name="robots" content="noindex">',
        f'<link rel="canonical" href="{OTHER}">',
        f'<link rel="alternate" hreflang="de" href="{OTHER}">',
        "<p>&lt;/head&gt;</p>",
    ],
)
def test_what_is_in_the_body_does_not_count(tmp_path: Path, body: str) -> None:
    for head in ("", '<base target="_blank">'):
        assert replace(read(tmp_path, page(head, body + FILLING)), noindex_in_body=False) == NOTHING


@pytest.mark.parametrize(
    ("head", "canonical"),
    [
        (f'<link rel="canonical" href="{OTHER}">', OTHER),
        (f"<LINK HREF='{OTHER}' REL='CANONICAL'>", OTHER),
        (f"<link rel=canonical href={OTHER}>", OTHER),
        (f'<link rel="canonical" href="{OTHER}#part">', OTHER),
        ('<link rel="canonical" href="../b/">', OTHER),
        ('<link rel="canonical" href="/docs/b/">', OTHER),
        ('<link rel="canonical" href="//e.org/docs/b/">', OTHER),
        ('<link rel="canonical" href=" HTTPS://E.ORG:443/docs/x/../b/\n">', OTHER),
        ('<base href="/docs/"><link rel="canonical" href="b/">', OTHER),
        ('<link rel="canonical" href="b/"><base href="https://e.org/docs/"><base href="/elsewhere/">', OTHER),
        ('<base target="_top"><base href="/docs/"><link rel="canonical" href="b/">', OTHER),
        ('<link rel="canonical" href="?a=1&amp;b=2">', f"{URL}?a=1&b=2"),
        (f'<link rel="nofollow canonical" href="{OTHER}">', OTHER),
        (f'<link rel="canonical" href="{OTHER}"><link rel="canonical" href="/docs/b/">', OTHER),
        (f'<link rel="canonical" data-href="{URL}" href="{OTHER}">', OTHER),
        (f'<link rel="next canonical" href="{OTHER}">', OTHER),
        (f'<link rel="next" href="c/" x=">"><link rel="canonical" href="{OTHER}">', OTHER),
        (f'<link rel="next" href="{OTHER}" rel="canonical">', None),
        (f'<link rel="canonical" href="{OTHER}" href="{URL}">', OTHER),
        (f'<!-- canonical --><link rel="canonical" href="{OTHER}">', OTHER),
        (f'<link rel="canonical" href="{URL}index.html">', f"{URL}index.html"),
        ('<link rel="canonical" href="http://e.org/docs/a/">', "http://e.org/docs/a/"),
        (f'<link rel="canonical" href="{URL}"/>', None),
        (f"<link rel='canonical' href='{URL}'>", None),
        (f"<link rel=canonical href={URL}>", None),
        (f'<link href="{URL}" rel="canonical">', None),
        (f'<link rel="canonical" href="{URL}#top">', None),
        ('<link rel="canonical" href="">', None),
        ('<link rel="canonical">', None),
        ('<link rel="canonical" href="mailto:a@e.org">', None),
        ('<link rel="canonical" href="http://[">', None),
        (f'<link rel="canonical" href="{OTHER}"><link rel="canonical" href="{URL}">', None),
        (f'<link rel="canonical" href="{OTHER}"><link rel="canonical" href="https://f.org/">', None),
        (f'<link rel="canonical" href="{OTHER}" hreflang="de">', None),
        (f'<link rel="canonical" href="{OTHER}" media="print">', None),
        (f'<link rel="canonical" href="{OTHER}" type="text/html">', None),
        (f'<!-- <link rel="canonical" href="{OTHER}"> -->', None),
        (f'<meta property="canonical" content="{OTHER}">', None),
        (f'<link rel="alternate" href="{OTHER}">', None),
        (f'<link rel="shortlink" href="{OTHER}"><!-- canonical -->', None),
    ],
)
def test_another_canonical_url(tmp_path: Path, head: str, canonical: str | None) -> None:
    assert read(tmp_path, page(head)) == Head(canonical=canonical)


def test_an_ampersand_in_its_own_url_is_read_as_the_browser_reads_it(tmp_path: Path) -> None:
    url = f"{URL}?a=1&b=2"
    for href in (url, url.replace("&", "&amp;"), url.replace("&", "&#38;")):
        assert read(tmp_path, page(f'<link rel="canonical" href="{href}">'), url) == NOTHING
    assert read(tmp_path, page(f'<link rel="canonical" href="{URL}?a&gt;">'), f"{URL}?a&gt;").canonical == f"{URL}?a%3E"


@pytest.mark.parametrize(
    ("content", "refresh"),
    [
        (f"0; url={OTHER}", OTHER),
        (f"0;URL='{OTHER}'", OTHER),
        (f"0; url=&quot;{OTHER}&quot;", OTHER),
        (f"0; url='{OTHER}' trailing", OTHER),
        (f"0,{OTHER}", OTHER),
        (f" 5 ; url = {OTHER} ", OTHER),
        ("0; url=../b/", OTHER),
        ("0.5; /docs/b/", OTHER),
        (f"0; url={URL}#part", URL),
        ("300", None),
        ("0;", None),
        ("0; url=", None),
        ("", None),
        ("soon; url=/b/", None),
        ("0; url=javascript:alert(1)", None),
    ],
)
def test_meta_refresh(tmp_path: Path, content: str, refresh: str | None) -> None:
    for attribute in ("http-equiv='refresh'", 'HTTP-EQUIV="Refresh"', "http-equiv=REFRESH"):
        assert read(tmp_path, page(f'<meta {attribute} content="{content}">')) == Head(refresh=refresh)


def test_a_redirect_page_without_content_is_both(tmp_path: Path) -> None:
    content = f'<!doctype html><meta http-equiv="refresh" content="0; url={OTHER}">'
    assert read(tmp_path, content) == Head(refresh=OTHER, empty=True)


def test_the_first_refresh_counts_and_one_in_noscript_does_not(tmp_path: Path) -> None:
    first, second = (f'<meta http-equiv="refresh" content="0; url={url}">' for url in (OTHER, "https://f.org/"))
    assert read(tmp_path, page(first + second)) == Head(refresh=OTHER)
    assert read(tmp_path, page(f"<noscript>{first}</noscript>")) == NOTHING


@pytest.mark.parametrize(
    "body",
    [
        "<p><meta http-equiv=refresh content='0; url=../b/'></p>",
        '<META HTTP-EQUIV="Refresh" CONTENT="5;URL=../b/">',
        "<div><main>text<meta content='0;url=../b/' Http-Equiv='&#82;efresh'/></main></div>",
        "<table><tr><td><meta http-equiv=refresh content='0; url=../b/'></table>",
        "<svg><path d='M0'/></svg><meta http-equiv=refresh content='0; url=../b/'>",
        "<!-- a --><script>'<!-- '</script><meta http-equiv=refresh content='0; url=../b/'>",
        "<template><template></template></template><meta http-equiv=refresh content='0; url=../b/'>",
        "<pre>&lt;meta http-equiv=refresh&gt;</pre><meta http-equiv=refresh content='0; url=../b/'>",
        "<meta http-equiv=refresh content=300><meta http-equiv=refresh content='0; url=../b/'>",
        "1 < 2 </ a><meta http-equiv=refresh content='0; url=../b/'",
    ],
)
@pytest.mark.parametrize("before", ["", FILLING, "<p>" + "text " * 100_000])
def test_a_browser_follows_a_refresh_in_the_body_too(tmp_path: Path, body: str, before: str) -> None:
    assert read(tmp_path, page("<title>a</title>", before + "text" + body)) == Head(refresh=OTHER)
    assert read(tmp_path, page("", before + "text" + body).encode("utf-16")) == Head(refresh=OTHER)


@pytest.mark.parametrize(
    "body",
    [
        "<!-- <meta http-equiv=refresh content='0; url=../b/'> -->",
        "<!-- <meta http-equiv=refresh content='0; url=../b/'>",
        "<script>document.write(\"<meta http-equiv=refresh content='0; url=../b/'>\")</script>",
        "<style>/* <meta http-equiv=refresh content='0; url=../b/'> */</style>",
        "<textarea><meta http-equiv=refresh content='0; url=../b/'></textarea>",
        "<title><meta http-equiv=refresh content='0; url=../b/'></title>",
        "<noscript><meta http-equiv=refresh content='0; url=../b/'></noscript>",
        "<template><template></template><meta http-equiv=refresh content='0; url=../b/'></template>",
        "<iframe srcdoc=\"<meta http-equiv=refresh content='0; url=../b/'>\"></iframe>",
        "<iframe><meta http-equiv=refresh content='0; url=../b/'></iframe>",
        "<xmp><meta http-equiv=refresh content='0; url=../b/'></xmp>",
        "<plaintext><meta http-equiv=refresh content='0; url=../b/'></plaintext>",
        "<p title=\"<meta http-equiv=refresh content='0; url=../b/'>\">text</p>",
        '<pre><code>&lt;meta http-equiv="refresh" content="0; url=../b/"&gt;</code></pre>',
        "<p>The http-equiv of a refresh</p>",
        "<meta http-equiv=refresh content=300>",
        f"<meta http-equiv=refresh content='0; url={URL}#part'>",
        "<meta http-equiv=refresh content='0; url=javascript:alert(1)'>",
        "<meta name=refresh content='0; url=../b/'>",
        "<meta http-equiv=X-UA-Compatible content='IE=edge'>",
        "<meta name=robots http-equiv=other content=noindex>",
    ],
)
def test_what_no_browser_takes_for_a_refresh_is_none(tmp_path: Path, body: str) -> None:
    assert read(tmp_path, page("<title>a</title>", "text" + body)).refresh in {None, URL}
    assert not read(tmp_path, page("<title>a</title>", "text" + body)).noindex


@pytest.mark.parametrize(
    "piece",
    [
        "<meta http-equiv=refresh ",
        "<a b='",
        '<a b="',
        "<a =",
        "<!--",
        "<!-- -",
        "<script>",
        "<template>",
        "<",
        "</",
        "<?",
        "<div>{% ",
        "{%",
        "{{",
        "q",
        " ",
        "=",
        "http-equiv",
        "<title",
        '<link rel="b" c="',
        '<link rel="b" c="d" ',
        '<meta name="b" content="c" ',
    ],
)
def test_what_a_hostile_page_repeats_takes_time_as_its_length_does(tmp_path: Path, piece: str) -> None:
    def seconds(length: int) -> float:
        content = f"<!doctype html><title>a</title><p>text http-equiv {{% {piece * (length // len(piece))}"
        started = time.process_time()
        read(tmp_path, content)
        return time.process_time() - started

    seconds(1_000)
    assert seconds(400_000) < 1, "a second would be enough for ten times as much"


def test_language_variants(tmp_path: Path) -> None:
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
    assert read(tmp_path, page(head)).alternates == (
        ("en", URL),
        ("de-AT", "https://e.org/docs/de/a/"),
        ("x-default", URL),
        ("es", "https://es.example/a"),
    )


@pytest.mark.parametrize(
    "encode",
    [
        lambda text: text.encode(),
        lambda text: codecs.BOM_UTF8 + text.encode(),
        lambda text: codecs.BOM_UTF16_LE + text.encode("utf-16-le"),
        lambda text: codecs.BOM_UTF16_BE + text.encode("utf-16-be"),
        lambda text: text.encode("utf-16-le"),
        lambda text: text.replace("utf-8", "iso-8859-1").encode("latin-1"),
        lambda text: text.replace("utf-8", "windows-1252").encode("latin-1"),
        lambda text: text.replace('<meta charset="utf-8">', "").encode("latin-1"),
        lambda text: text.encode("latin-1"),
        lambda text: text.replace("ü", "あ").replace("utf-8", "shift_jis").encode("shift_jis"),
        lambda text: text.replace("ü", "中").replace("utf-8", "gb2312").encode("gb18030"),
        lambda text: text.replace("utf-8", "no-such-encoding").encode(),
        *[
            lambda text, name=name: text.replace("utf-8", name).encode()
            for name in ("utf-16", "utf-7", "cp037", "hex", "rot13", "zlib", "idna", "undefined", "unicode_escape")
        ],
        lambda text: text.replace(
            'charset="utf-8"', 'http-equiv=Content-Type content="text/html; charset=l1"'
        ).encode(),
    ],
)
def test_encodings(tmp_path: Path, encode: object) -> None:
    assert callable(encode)
    assert read(tmp_path, encode(page("<title>ü</title><meta name='robots' content='noindex'>"))) == NOINDEX
    assert read(tmp_path, encode(page("<title>ü</title>"))) == NOTHING


def test_a_canonical_url_in_another_encoding(tmp_path: Path) -> None:
    content = page('<link rel="canonical" href="/gr&ouml;ße/">')
    for encoding in ("utf-8", "iso-8859-1"):
        given = content.replace("utf-8", encoding).encode(encoding)
        assert read(tmp_path, given).canonical == "https://e.org/gr%C3%B6%C3%9Fe/"


def test_of_a_page_of_30_mb_little_is_read(tmp_path: Path) -> None:
    """Its end is a hole in the file, which would take long to fill and to read."""
    file = tmp_path / "page.html"
    for head, said in (("<meta name=robots content=noindex>", NOINDEX), ("", NOTHING)):
        file.write_text(page(head))
        with file.open("ab") as stream:
            stream.truncate(30_000_000)
        assert read_head(str(file), URL) == said


@pytest.mark.parametrize("filling", ["<!-- filling -->", "<script>0</script>", "<link rel=a>"])
def test_a_head_may_be_long(tmp_path: Path, filling: str) -> None:
    for length in (16_384, 40_000, 900_000):
        long = filling * (length // len(filling))
        assert read(tmp_path, page(long + "<meta name=robots content=noindex>")) == NOINDEX
        assert read(tmp_path, page(long)) == NOTHING


def test_a_head_without_end_and_a_page_without_head(tmp_path: Path) -> None:
    assert read(tmp_path, "<!doctype html><title>a</title><meta name=robots content=noindex><p>" + FILLING) == NOINDEX
    later = read(tmp_path, "<!doctype html><p>a<meta name=robots content=noindex>" + FILLING)
    assert (later.noindex, later.noindex_in_body) == (False, True)
    assert read(tmp_path, "<!doctype html><script>" + FILLING) == NOTHING


def test_a_file_that_cannot_be_read_is_an_error_for_the_caller(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_head(str(tmp_path / "none.html"), URL)


PIECES = st.sampled_from(
    [
        '<meta name="robots" content="noindex">',
        "<META NAME=ROBOTS CONTENT=NONE>",
        '<meta name="robots" content="index">',
        '<meta name="rob&#x6F;ts" content="&#110;oindex">',
        '<meta http-equiv="refresh" content="0; url=/b/">',
        f'<link rel="canonical" href="{URL}">',
        f'<link href="{URL}" rel="canonical" media="print">',
        f'<link rel="canonical" href="{OTHER}">',
        '<LINK REL="CANONICAL" HREF="/b/">',
        '<link rel="alternate" hreflang="de" href="/de/">',
        '<base href="/">',
        "<title>",
        "</title>",
        "<script>",
        "</script>",
        "<style>",
        "</style>",
        "<noscript>",
        "</noscript>",
        "<template>",
        "<!--",
        "-->",
        "</head>",
        "<body>",
        "<BODY>",
        "<div>",
        "</body>",
        "<",
        ">",
        '"',
        "'",
        "=",
        '<meta name="description" content="',
        "<meta name='description' content='",
        " text ",
        "é",
        "\0",
        "&#39;",
        "\n",
    ]
)


@settings(max_examples=500)
@given(st.lists(PIECES, max_size=12).map("".join), st.integers(15_000, 16_400))
def test_no_page_breaks_the_reader_and_where_the_first_block_ends_makes_no_difference(
    tmp_path_factory: pytest.TempPathFactory, head: str, filling: int
) -> None:
    directory = tmp_path_factory.getbasetemp()
    assert read(directory, page(f"<!--{'-' * filling}-->{head}")) == read(directory, page(head))


def test_a_page_that_was_to_be_shown_until_a_day_that_has_passed_is_as_if_marked_noindex(tmp_path: Path) -> None:
    tag = '<meta name="robots" content="unavailable_after: {}">'
    assert read(tmp_path, page(tag.format("Friday, 25-Jun-10 15:00:00 UTC"))) == NOINDEX
    assert read(tmp_path, page(tag.format("2010-06-25"))).robots == tag.format("2010-06-25")
    assert read(tmp_path, page(tag.format("9999-06-25"))) == NOTHING
