"""Planted pages, and what they show."""

import time

import pytest

from smindex_plugins.html import parse_images
from smindex_plugins.limits import MAX_IMAGES

URL = "https://e.org/docs/a/"
A, B, C = "https://e.org/docs/a/a.png", "https://e.org/docs/a/b.png", "https://e.org/c.png"
GIF = "data:image/gif;base64,R0lGODlhAQABAAAAACw="


def images(body: str, head: str = "", encoding: str = "utf-8") -> list[str]:
    content = f"<!doctype html><html><head>{head}</head><body>{body}</body></html>"
    return list(parse_images(content.encode(encoding), URL))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('<img src="a.png">', [A]),
        ("<IMG SRC='a.png'>", [A]),
        ("<img src=a.png><img src=/c.png>", [A, C]),
        ('<img src="/c.png"><img src="a.png"><img src="../../c.png">', [C, A]),
        ('<img src="//cdn.example/a b.png?x=1&amp;y=ü#f">', ["https://cdn.example/a%20b.png?x=1&y=%C3%BC"]),
        (f'<img src="{GIF}">', []),
        ('<img src="">', []),
        ("<img>", []),
        ('<img src="blob:https://e.org/1"><img src="file:///a.png"><img src="http://[/"><img src="ftp://e.org/a">', []),
        (f'<img src="https://e.org/{"a" * 2_040}">', []),
        ('<img srcset="a.png 1x, b.png 2x"><img data-src="a.png">', []),
        ('<img src="a.png" srcset="/c.png 2x" data-src="b.png">', [A]),
        ('<picture><source srcset="b.png 2x" type="image/webp"><img src="a.png"></picture>', [A]),
        ('<img src="a.png" width="1" height="1"><img src="b.png" width="100">', [B]),
        ('<noscript><img src="a.png"></noscript><template><img src="b.png"></template>', []),
        ('<!-- <img src="a.png"> --><script>"<img src=b.png>"</script>', []),
        ('<pre>&lt;img src="a.png"&gt;</pre>', []),
        ('<header><img src="a.png"></header><nav><img src="a.png"></nav><p><img src="b.png"></p>', [B]),
        ('<img src="b.png"><aside><img src="a.png"></aside><footer><img src="a.png"></footer>', [B]),
        ('<img src="a.png"><main><img src="b.png"></main>', [B]),
        ('<img src="a.png"><article><header><img src="b.png"></header></article>', [B]),
        ('<img src="a.png"><div role="main"><img src="b.png"></div>', [B]),
        ('<main><nav><img src="a.png"></nav><article><aside><img src="b.png"></aside></article></main>', [B]),
        ('<main></main><img src="a.png">', []),
        ('<p><img src="a.png"><div><b><img src="/c.png"</b>', [A, C]),
    ],
)
def test_the_images_of_a_pages_content(body: str, expected: list[str]) -> None:
    assert images(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<article><nav><a></nav></a><img src=a.png></article>", [A]),
        ("<div role=main><div></div><img src=a.png></div><img src=b.png>", [A]),
        ("<div role='MAIN '><p><img src=a.png></div></div><img src=b.png>", [A]),
        ("</main></nav></div><main><img src=a.png></main></main><img src=b.png>", [A]),
        ("<nav><ul><li><img src=b.png></ul><img src=b.png></nav><img src=a.png>", [A]),
        ("<section role=mainly><img src=a.png></section>", [A]),
        ("<div role=' &#32;main'><div></div><img src=a.png></div><img src=b.png>", [A]),
        ("<div a==b' role=main><img src=a.png></div><img src=b.png>", [A]),
        ("<b role=main><i><div role=main></div></i><b></b><img src=a.png></b><img src=b.png>", [A]),
        ("<p title='a > b <nav>'><img src=a.png><a title=\">\"<nav ></a><img src=b.png></nav>", [A, B]),
        ("<Strong><navy><NAV><STRONG></strong><img src=b.png></Nav></navy><FIGURE><IMG SRC=a.png></FIGURE>", [A]),
        ("<my-nav><x-y:z a><navigation><headers><img src=a.png></headers></navigation></my-nav>", [A]),
        ("a < b <> </> <1> <p ='<nav>'><img src=a.png><h1=\"><nav></nav><img src=b.png>\">", [A, B]),
        ("<iframe><img src=b.png></iframe><textarea><img src=b.png></textarea><img src=a.png>", [A]),
    ],
)
def test_what_an_element_holds_ends_with_it_or_with_what_is_around_it(body: str, expected: list[str]) -> None:
    assert images(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "<div><img src=a.png>" * 5_000,
        "<img src=a.png>" * 300_000,
        "<img src=a.png>" + "<div role=main" * 100_000,
        "".join(f"<img src={number}.png>" for number in range(100_000)),
        f"<img src=a.png {' '.join(f'a{number}' for number in range(20_000))}>",
        f"<img src=a.png>{''.join(f'<html a{number}><body b{number}>' for number in range(70_000))}",
        "<div role=main>" * 2_000 + "<img src=a.png>" * 100_000,
        "<img src=a.png>" + "<p>" * 100_000 + "</div>" * 100_000,
        "<div role=main><img src=a.png></div><p>" * 40_000,
    ],
    ids=lambda body: body[:50],
)
def test_images_are_found_in_no_time_however_many_there_are_and_however_deep(body: str) -> None:
    start = time.process_time()
    assert 1 <= len(images(body)) <= MAX_IMAGES + 1
    assert time.process_time() - start < 3


def test_images_are_relative_to_the_base_and_read_in_any_encoding() -> None:
    assert images('<img src="c.png">', '<base href="/">') == [C]
    assert images('<img src="a.png">', encoding="utf-16") == [A]
    assert images('<img src="ü.png">', "<meta charset=l1>", encoding="latin-1") == [f"{URL}%C3%BC.png"]


@pytest.mark.parametrize("content", [b"", b"<img", b"text", b"\0"])
def test_a_page_without_elements_has_no_images(content: bytes) -> None:
    assert parse_images(content, URL) == ()
