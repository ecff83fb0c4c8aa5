"""The reader takes whatever a file holds: what is wrong is told, and nothing makes it fail or swell."""

import gzip
import io
import os
import time
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smindex_plugins.checks import Selection, Site
from smindex_plugins.cli.main import main
from smindex_plugins.limits import MAX_BYTES
from smindex_plugins.sitemaps import reading
from smindex_plugins.sitemaps.document import Document
from tests.support.command import SITE, findings
from tests.support.planted import EXTENSIONS, NAMESPACE, index, urlset, write

URL = "https://e.org/sitemap.xml"


def read(content: bytes, url: str = URL) -> Document:
    return reading.read(io.BytesIO(content), Document(url=url))


def judge(document: Document) -> list[str]:
    site = Site()
    site.add(document)
    selection = Selection()
    return [str(finding) for finding in (*selection.judge(document), *selection.judge(site))]


TAGS = st.sampled_from(
    [
        *("urlset", "sitemapindex", "url", "sitemap", "loc", "lastmod", "changefreq", "priority", "a"),
        *("image:image", "image:loc", "news:news", "video:video", "xhtml:link rel='alternate' hreflang='x' href='y'"),
    ]
)
VALUES = st.sampled_from(
    [
        *(SITE, SITE + "a", SITE + "A", SITE + "a/index.html", "/a", "https://[", "https://e.org:x/", "a\nb", " ", ""),
        *("2024-01-01", "2024-13-01", "9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00", "1.5", "daily"),
        *("&amp;", "&#0;", "&", "<!-- c -->", "<![CDATA[x]]>", "]]>", "<?p q?>", "<!DOCTYPE a>", "\ud800"),
    ]
)
ELEMENTS = st.recursive(
    VALUES,
    lambda inner: st.builds(
        lambda tag, parts, ends: f"<{tag}>{''.join(parts)}" + (f"</{tag.split()[0]}>" if ends else ""),
        TAGS,
        st.lists(inner, max_size=5),
        st.integers(0, 9),
    ),
    max_leaves=30,
)
NAMESPACES = "".join(f' xmlns:{prefix}="{uri}"' for prefix, uri in EXTENSIONS.items())


@given(st.binary(max_size=300))
def test_any_bytes_are_read(content: bytes) -> None:
    for url in (URL, URL + ".gz", SITE + "sitemap.txt"):
        judge(read(content, url))


@settings(max_examples=300)
@given(st.sampled_from(["urlset", "sitemapindex"]), st.lists(ELEMENTS, max_size=6), st.booleans())
def test_any_mixture_of_elements_is_read(root: str, parts: list[str], ends: bool) -> None:  # noqa: FBT001
    text = f'<{root} xmlns="{NAMESPACE}"{NAMESPACES}>{"".join(parts)}' + f"</{root}>" * ends
    judge(read(text.encode("utf-8", "surrogatepass")))


@settings(max_examples=200)
@given(st.binary(max_size=40), st.integers(0, 300), st.booleans())
def test_a_sound_file_with_some_bytes_changed_is_read(noise: bytes, place: int, packed: bool) -> None:  # noqa: FBT001
    content = urlset(*(f"<loc>{SITE}{n}</loc><lastmod>2024-01-01</lastmod>" for n in range(3))).encode()
    content = gzip.compress(content) if packed else content
    judge(read(content[:place] + noise + content[place + len(noise) :], URL + ".gz" * packed))


XMLNS = f'xmlns="{NAMESPACE}"'
ENTRY = f"<url><loc>{SITE}a/</loc></url>"


@pytest.mark.parametrize(
    "content",
    [
        f"<urlset {XMLNS}>{ENTRY}</urlset>",
        f'<s:urlset xmlns:s="{NAMESPACE}"><s:url><s:loc>{SITE}a/</s:loc></s:url></s:urlset>',
        f"<?pi?><!-- a --><urlset {XMLNS}><!-- b -->{ENTRY}<!-- c --></urlset><!-- d -->",
        f"<urlset {XMLNS}><url><loc><![CDATA[{SITE}a/]]></loc></url></urlset>",
        f"<urlset {XMLNS}><url><loc>{SITE}<!-- b -->a<?pi?>/</loc></url></urlset>",
        f"<urlset {XMLNS}><url><loc>{SITE}&#97;/</loc></url></urlset>",
        f'<urlset {XMLNS} xmlns:o="https://o.example/"><url><loc>{SITE}a/</loc><o:loc>b</o:loc></url></urlset>',
        f'<?xml version="1.0" encoding="utf-8"?><urlset {XMLNS}>{ENTRY}</urlset>',
        f'<?xml version="1.0" encoding="US-ASCII"?><urlset {XMLNS}>{ENTRY}</urlset>',
    ],
)
def test_a_sitemap_may_be_written_in_many_ways(content: str) -> None:
    document = read(content.encode())
    assert ([entry.url for entry in document.entries], document.findings) == ([SITE + "a/"], [])


@pytest.mark.parametrize(
    ("content", "check", "line"),
    [
        (b"", "unreadable-sitemap", 1),
        (b"Not found", "unreadable-sitemap", 1),
        (b"\x1f\x8b\x08\x00", "compression-error", 0),
        (f"<urlset {XMLNS}>\n{ENTRY}".encode(), "unreadable-sitemap", 2),
        (f"<urlset {XMLNS}>{ENTRY}</urlset".encode(), "unreadable-sitemap", 1),
        (f"<urlset {XMLNS}>{ENTRY}</urlset><b/>".encode(), "unreadable-sitemap", 1),
        (f"<urlset {XMLNS}><url><loc>&nbsp;</loc></url></urlset>".encode(), "unreadable-sitemap", 1),
        (f"<urlset {XMLNS}><url><loc>\x01</loc></url></urlset>".encode(), "unreadable-sitemap", 1),
        (f"<urlset {XMLNS}><url><loc>".encode() + b"\xff</loc></url></urlset>", "wrong-encoding", 1),
        (f"<Urlset {XMLNS}/>".encode(), "unsupported-format", 1),
        (f"<url {XMLNS}/>".encode(), "unsupported-format", 1),
        (f"<urlset {XMLNS}><url/></urlset>".encode(), "missing-loc", 1),
        (f"<urlset {XMLNS}>\n\n<url><loc/>\n</url></urlset>".encode(), "missing-loc", 3),
        (f"<sitemapindex {XMLNS}><sitemap/></sitemapindex>".encode(), "missing-loc", 1),
        (f'<urlset {XMLNS} xmlns:o="o:o"><url><o:loc>a</o:loc></url></urlset>'.encode(), "missing-loc", 1),
    ],
)
def test_what_is_no_sitemap_is_told_with_its_line(content: bytes, check: str, line: int) -> None:
    assert (check, line) in [(finding.check, finding.line) for finding in read(content).findings]


def entities(levels: int) -> str:
    nested = "".join(f'<!ENTITY e{level} "{f"&e{level - 1};" * 10}">' for level in range(1, levels))
    return f'<!ENTITY e0 "ha">{nested}'


@pytest.mark.parametrize(
    "content",
    [
        f'<!DOCTYPE urlset [{entities(10)}]><urlset {XMLNS} a="&e9;"/>',
        f'<!DOCTYPE urlset [<!ENTITY e SYSTEM "SECRET">]><urlset {XMLNS}><url><loc>&e;</loc></url></urlset>',
        f'<!DOCTYPE urlset [<!ENTITY % e SYSTEM "SECRET">%e;]><urlset {XMLNS}>{ENTRY}</urlset>',
        f'<!DOCTYPE urlset SYSTEM "SECRET"><urlset {XMLNS}>{ENTRY}</urlset>',
        f'<!DOCTYPE urlset PUBLIC "-//E//E" "SECRET"><urlset {XMLNS}>{ENTRY}</urlset>',
        f'<urlset {XMLNS} xmlns:xi="http://www.w3.org/2001/XInclude"><url><xi:include href="SECRET"/></url></urlset>',
    ],
)
def test_no_file_is_read_for_a_hostile_document(content: str, tmp_path: Path) -> None:
    """Reading a named pipe that nobody writes to would never end."""
    os.mkfifo(tmp_path / "pipe")
    document = read(content.replace("SECRET", f"file://{tmp_path}/pipe").encode())
    assert document.findings
    assert not document.entries


def test_an_error_of_the_stream_is_not_taken_for_one_of_the_xml() -> None:
    class Broken(io.BytesIO):
        def read(self, _size: int | None = -1) -> bytes:
            raise OSError(5, "Input/output error")

    with pytest.raises(OSError, match="Input/output error"):
        reading.read(Broken(), Document(url=URL))


BOMB = (
    b"<!DOCTYPE a [<!ENTITY a '"
    + b"a" * 999
    + b"'>"
    + b"".join(f"<!ENTITY a{n} '{'&a;' if n == 0 else f'&a{n - 1};' * 99}'>".encode() for n in range(9))
)
HOSTILE = {
    "an entity bomb": BOMB + b"]><urlset><url><loc>&a8;</loc></url></urlset>",
    "an external entity": b"<!DOCTYPE a [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><urlset><loc>&a;</loc></urlset>",
    "depth": b"<urlset>" + b"<a>" * 1_000_000,
    "attributes": b"<urlset " + b" ".join(b"a%d='1'" % n for n in range(100_000)) + b"/>",
    "one long text": f'<urlset xmlns="{NAMESPACE}"><url><loc>{"a" * 40_000_000}'.encode(),
    "a million entries without a URL": f'<urlset xmlns="{NAMESPACE}">{"<url/>" * 1_000_000}</urlset>'.encode(),
    "a million wrong URLs": f'<urlset xmlns="{NAMESPACE}">{"<url><loc>/a</loc></url>" * 1_000_000}</urlset>'.encode(),
    "a million tags of one video": urlset(
        f"<loc>{SITE}a</loc><video:video>{'<video:tag/>' * 1_000_000}{'<video:x/>' * 1_000_000}</video:video>"
    ).encode(),
    "a text in a million pieces": urlset(f"<loc>{'aa<b/>' * 1_000_000}</loc>").encode(),
    "a gz bomb": gzip.compress(b"<urlset>" + b" " * (MAX_BYTES + 9), 1),
    "a gz bomb in members": gzip.compress(b" " * 10_000_000, 1) * 600,
    "nearly a plain file": urlset(*[SITE + "a"] * 99_999).replace("</urlset>", "<url>").encode(),
}


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_files_take_little_time_and_memory(hostile: str) -> None:
    started = time.process_time()
    document = read(HOSTILE[hostile], URL + ".gz" if hostile.startswith("a gz") else URL)
    first = list(zip(range(20_000), Selection().judge(document), strict=False))
    assert first
    assert time.process_time() - started < 30
    assert not any("root:" in finding.problem for _, finding in first)


@pytest.mark.parametrize("name", ["sitemap.xml", "sitemap.xml.gz"])
@pytest.mark.parametrize(("over", "size"), [(0, MAX_BYTES), (1, MAX_BYTES + 1), (MAX_BYTES, MAX_BYTES + 1)])
def test_a_file_is_read_up_to_the_limit_of_bytes_and_not_one_more_than_tells_that_it_is_over(
    name: str, over: int, size: int
) -> None:
    content = urlset(SITE + "a").encode()
    content += b"\n" * (MAX_BYTES + over - len(content))
    document = read(gzip.compress(content, 1) if name.endswith(".gz") else content, f"https://e.org/{name}")
    assert (document.size, document.is_whole) == (size, over == 0)
    assert document.listed == ([SITE + "a"] if over == 0 else [])
    assert [finding.check for finding in Selection().judge(document)] == (["too-large"] if over else [])


def test_a_bomb_is_not_unpacked_into_memory() -> None:
    packed = HOSTILE["a gz bomb in members"]
    tracemalloc.start()
    read(packed, URL + ".gz")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3 * MAX_BYTES


def test_a_file_of_ten_gigabytes_is_not_read_to_its_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, {"sitemap_index.xml": index(SITE + "s.xml"), "s.xml": "<urlset>"})
    os.truncate(tmp_path / "s.xml", 10 * 2**30)
    assert [finding["check"] for finding in findings(capsys, str(tmp_path), "--site-url", SITE)] == ["too-large"]


def test_indexes_that_list_each_other_are_read_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(
        tmp_path,
        {"sitemap_index.xml": index(SITE + "b.xml"), "b.xml": index(SITE + "sitemap_index.xml", SITE + "b.xml")},
    )
    found = [finding["check"] for finding in findings(capsys, str(tmp_path), "--site-url", SITE)]
    assert sorted(found) == ["nested-index"] * 2


def test_a_link_out_of_the_directory_is_not_followed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "secret.xml").write_text(urlset(SITE + "secret"))
    site = write(tmp_path / "site", {"sitemap_index.xml": index(SITE + "s.xml")})
    (site / "s.xml").symlink_to("../secret.xml")
    (finding,) = findings(capsys, str(site), "--site-url", SITE)
    assert finding["check"] == "unreadable-sitemap"
    assert "out of the directory" in finding["problem"]


def test_a_pipe_in_place_of_a_sitemap_is_not_waited_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "sitemap_index.xml")
    os.mkfifo(tmp_path / "robots.txt")
    os.mkfifo(tmp_path / "old-sitemap.xml")
    assert main(["check", str(tmp_path), "--site-url", SITE]) == 2
    assert "not a regular file" in capsys.readouterr().err


def test_a_million_findings_are_counted_in_bounded_memory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entries = "".join(f"<url><loc>/{number}</loc></url>" for number in range(50_000))
    content = f'<urlset xmlns="{NAMESPACE}">{entries}</urlset>'
    write(tmp_path, {f"s{number}.xml": content for number in range(4)})
    write(tmp_path, {"sitemap_index.xml": index(*(f"{SITE}s{number}.xml" for number in range(4)))})
    assert main(["check", str(tmp_path), "--site-url", SITE]) == 1
    printed = capsys.readouterr().out
    assert "error: invalid-url (200,000 findings" in printed
    assert "… and 199,990 more; -v shows them" in printed
    assert len(printed) < 5_000
    assert len(findings(capsys, str(tmp_path), "--site-url", SITE)) == 200_000


def test_space_between_and_after_entries_takes_time_that_grows_with_its_length_alone() -> None:
    space = " " * 500_000 + "\n" * 500_000
    entry = "<url><loc>https://e.org/a</loc></url>"
    content = f'<urlset xmlns="{NAMESPACE}">{space}{entry}{space}{entry}{space}</urlset>'
    start = time.process_time()
    document = reading.read(io.BytesIO(content.encode()), Document(url=URL))
    assert time.process_time() - start < 1, "the square of it would take hours"
    assert [entry.line for entry in document.entries] == [500_001, 1_000_001]
