"""The reader takes whatever a file holds: compression, encodings, limits.

Nothing makes it fail, or use much memory.
"""

import gzip
import io
import os
import time
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smindex_plugins import check
from smindex_plugins.base.limits import MAX_BYTES
from smindex_plugins.base.model import Page
from smindex_plugins.checks.table import Selection
from smindex_plugins.reading import reader as reading
from smindex_plugins.reading.document import Document
from smindex_plugins.reading.found import Found
from smindex_plugins.writing.rendering import render_url
from smindex_plugins.writing.rendering import urlset as rendered
from tests.support.listed import checked
from tests.support.planted import NAMESPACE, index, urlset, write

SITE = "https://e.org/"
URL = f"{SITE}sitemap.xml"
SOUND = urlset(
    *(f"<loc>{SITE}{number}</loc><lastmod>2024-01-01</lastmod>" for number in range(3))
).encode()


def read(content: bytes, url: str = URL) -> Document:
    return reading.read(io.BytesIO(content), Document(url=url))


def found(document: Document) -> list[str]:
    return [finding.check for finding in Selection().judge(checked(document))]


@given(st.binary(max_size=300))
def test_any_bytes_are_read(content: bytes) -> None:
    for url in (URL, f"{URL}.gz", f"{SITE}sitemap.txt"):
        found(read(content, url))


@settings(max_examples=200)
@given(st.binary(max_size=40), st.integers(0, 300), st.booleans())
def test_a_sound_file_with_some_bytes_changed_is_read(
    noise: bytes,
    place: int,
    packed: bool,  # noqa: FBT001
) -> None:
    content = gzip.compress(SOUND) if packed else SOUND
    found(read(content[:place] + noise + content[place + len(noise) :], URL + ".gz" * packed))


@given(st.lists(st.integers(0, 400), min_size=1, max_size=40), st.integers(0, 50))
def test_a_file_cut_short_anywhere_is_known_to_be(lengths: list[int], missing: int) -> None:
    content = b"".join(rendered([render_url(Page(url=SITE + "a" * length)) for length in lengths]))
    document = read(content[: -2 - missing])
    assert not document.is_whole
    assert {finding.check for finding in document.findings} == {"unreadable-sitemap"}


RICH = urlset(
    f"<loc>{SITE}a</loc><lastmod>2024-01-01</lastmod><image:image><image:loc>{SITE}a.png</image:loc></image:image>",
    f'<loc>{SITE}gr%C3%B6%C3%9Fe?a=1&amp;b=2</loc><xhtml:link rel="alternate" hreflang="x"'
    f' href="{SITE}"/>',
    f"<loc>{SITE}c</loc>",
).replace("x-default", "Größe")


@pytest.mark.parametrize(
    "content", [RICH, index(f"{SITE}a.xml", f"{SITE}b.xml")], ids=["urlset", "index"]
)
def test_wherever_a_file_is_cut_off_only_the_cut_is_reported(content: str) -> None:
    """Not what it leaves behind: half a tag, an entry without a URL, a root without its
    namespace.
    """
    data = content.replace(SITE, f"{SITE}ö").encode()  # with characters that can be cut too
    for end in range(1, data.rindex(b">")):
        document = read(data[:end])
        (finding,) = document.findings
        assert (finding.check, document.is_whole) == ("unreadable-sitemap", False)
        assert finding.problem.startswith("it is cut off "), (data[:end][-40:], finding.problem)
        ends = data[:end].count(b"</url>") + data[:end].count(b"</sitemap>")
        assert document.count == ends


def test_the_cut_is_told_by_the_entries_before_it() -> None:
    start, entry = SOUND.decode().split("<url>")[:2]
    for count, words in (
        (0, "before its first entry is complete"),
        (1, "after one complete entry"),
    ):
        (finding,) = read(f"{start}{f'<url>{entry}' * count}<url><loc>".encode()).findings
        assert (
            finding.problem
            == f"it is cut off {words}, so it is not well-formed XML: </urlset> is missing."
        )
    (finding,) = read(f"{start}{f'<url>{entry}' * 2000}<ur".encode()).findings
    assert finding.problem.startswith("it is cut off after 2,000 complete entries, ")
    assert finding.line == 2003


def test_a_damaged_archive_is_one_finding_and_its_complete_entries_are_read() -> None:
    entries = "".join(f"{SITE}{os.urandom(20).hex()}\n" for _ in range(30_000))
    for content in (urlset(*entries.split()), entries):
        document = read(gzip.compress(content.encode(), 1)[:-9_000], f"{SITE}sitemap.xml.gz")
        assert found(document) == ["compression-error"]
        assert 0 < document.count < 30_000
        assert {len(entry.url) for entry in document.entries} == {len(SITE) + 40}


def test_xml_that_is_wrong_but_complete_is_not_cut_off() -> None:
    for wrong in (b"<loc>a&b</loc>", b"<loc>a</lok>", b"<loc>&nbsp;</loc>"):
        (finding,) = read(
            SOUND.replace(b"</urlset>", b"<url>" + wrong + b"</url></urlset>")
        ).findings
        assert finding.problem.startswith("it can't be read as a sitemap: not well-formed XML: ")


@pytest.mark.parametrize("content", [b"<!doctype html><p>Not found", b"<html><p>Not found"])
def test_a_page_or_a_robots_txt_in_place_of_a_sitemap_is_called_so(content: bytes) -> None:
    page = read(content)
    assert (page.instead, Found.alone(page).why_unread, page.count) == (
        "an HTML page",
        "it is an HTML page",
        0,
    )
    robots = read(b"User-agent: *\nSitemap: https://e.org/robots.txt\n", f"{SITE}robots.txt")
    assert (robots.instead, robots.count, robots.findings) == ("robots.txt", 0, [])


@pytest.mark.parametrize(
    ("content", "url", "check"),
    [
        (SOUND, URL, ""),
        (gzip.compress(SOUND), f"{URL}.gz", ""),
        (gzip.compress(SOUND), URL, "compression-error"),
        (b"\x1f\x8b\x08\x00", f"{URL}.gz", "compression-error"),
        (SOUND.decode().encode("utf-16"), URL, "wrong-encoding"),
        (b"\xef\xbb\xbf" + SOUND, URL, "byte-order-mark"),
        (b"\xef\xbb\xbf\n" + SOUND, URL, "leading-whitespace"),
        (b"\xef\xbb\xbfhttps://e.org/a\n", f"{SITE}sitemap.txt", "byte-order-mark"),
        (b"https://e.org/a\nhttps://e.org/b\n", f"{SITE}sitemap.txt", ""),
        (b"https://e.org/a\nhttps://e.org/b\n", URL, ""),
    ],
)
def test_what_is_wrong_with_the_bytes_is_reported(content: bytes, url: str, check: str) -> None:
    document = read(content, url)
    assert check in found(document) if check else not found(document)
    assert document.entries or check


def test_an_error_of_the_stream_is_not_taken_for_one_of_the_xml() -> None:
    class Broken(io.BytesIO):
        def read(self, _size: int | None = -1) -> bytes:
            raise OSError(5, "Input/output error")

    with pytest.raises(OSError, match="Input/output error"):
        reading.read(Broken(), Document(url=URL))


HOSTILE = {
    "depth": b"<urlset>" + b"<a>" * 1_000_000,
    "attributes": b"<urlset " + b" ".join(b"a%d='1'" % n for n in range(100_000)) + b"/>",
    "one long text": f'<urlset xmlns="{NAMESPACE}"><url><loc>{"a" * 20_000_000}'.encode(),
    "entries without a URL": f'<urlset xmlns="{NAMESPACE}">{"<url/>" * 100_000}</urlset>'.encode(),
    "tags of one video": (
        urlset(
            f"<loc>{SITE}a</loc><video:video>{'<video:tag/><video:x/>' * 100_000}</video:video>"
        ).encode()
    ),
    "a text in pieces": urlset(f"<loc>{'aa<b/>' * 100_000}</loc>").encode(),
    "a gz bomb in members": gzip.compress(b" " * 10_000_000, 1) * 600,
    "nearly a plain file": urlset(*[SITE + "a"] * 99_999).replace("</urlset>", "<url>").encode(),
}


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_files_take_little_time(hostile: str) -> None:
    started = time.process_time()
    document = read(HOSTILE[hostile], f"{URL}.gz" if "gz" in hostile else URL)
    assert list(zip(range(20_000), Selection().judge(checked(document)), strict=False))
    assert time.process_time() - started < 20


def test_a_bomb_is_not_unpacked_into_memory() -> None:
    tracemalloc.start()
    read(HOSTILE["a gz bomb in members"], f"{URL}.gz")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3 * MAX_BYTES


@pytest.mark.parametrize("name", ["sitemap.xml", "sitemap.xml.gz"])
@pytest.mark.parametrize(
    ("over", "size", "kinds"), [(0, MAX_BYTES, []), (MAX_BYTES, MAX_BYTES + 1, ["too-large"])]
)
def test_a_file_is_read_up_to_the_limit_and_one_byte_more(
    name: str, over: int, size: int, kinds: list[str]
) -> None:
    content = urlset(SITE + "a").encode().ljust(MAX_BYTES + over, b"\n")
    document = read(gzip.compress(content, 1) if name.endswith(".gz") else content, SITE + name)
    assert (document.size, document.is_whole, found(document)) == (size, not over, kinds)
    assert document.listed == ([] if over else [SITE + "a"])


def test_a_file_of_ten_gigabytes_is_not_read_to_its_end(tmp_path: Path) -> None:
    write(tmp_path, {"sitemap_index.xml": index(SITE + "s.xml"), "s.xml": "<urlset>"})
    os.truncate(tmp_path / "s.xml", 10 * 2**30)
    assert [finding.check for finding in check(str(tmp_path), site_url=SITE)] == ["too-large"]


def test_indexes_that_list_each_other_are_read_once(tmp_path: Path) -> None:
    other = index(SITE + "sitemap_index.xml", SITE + "b.xml")
    write(tmp_path, {"sitemap_index.xml": index(SITE + "b.xml"), "b.xml": other})
    assert [finding.check for finding in check(str(tmp_path), site_url=SITE)] == [
        "nested-index"
    ] * 2


def test_neither_a_link_out_of_the_directory_nor_a_pipe_is_read(tmp_path: Path) -> None:
    write(tmp_path, {"secret.xml": urlset(SITE + "secret")})
    site = write(tmp_path / "site", {"sitemap_index.xml": index(SITE + "s.xml")})
    (site / "s.xml").symlink_to("../secret.xml")
    for name in ("robots.txt", "old-sitemap.xml"):
        os.mkfifo(site / name)
    found = {finding.where: finding.problem for finding in check(str(site), site_url=SITE)}
    assert "to outside the directory" in found["s.xml"]
    os.remove(site / "sitemap_index.xml")
    os.mkfifo(site / "sitemap_index.xml")
    with pytest.raises(OSError, match="not a regular file"):
        list(check(str(site), site_url=SITE))
