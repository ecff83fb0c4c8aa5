"""Sitemaps that are bombs, or large, or no sitemaps: checked, joined, and beside what is built."""

import codecs
import gzip
import os
import socket
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path

from smindex_plugins.limits import MAX_BYTES
from tests.hostile.attack import Attack, chosen
from tests.hostile.child import Ended, fault, smindex
from tests.support.command import PAGE
from tests.support.planted import NAMESPACE, index, urlset, write

BASE = "https://e.org/"
PAGES = [BASE, f"{BASE}guide/a.html", f"{BASE}guide/b.html"]
TOLD = "what only this machine knows"
MOST_MEMORY = 300 << 20
_SMALL, _LARGE = 1 << 18, MAX_BYTES
"""Bytes."""
_MANY = 10_000_000


@dataclass(frozen=True)
class Given:
    """What a document may be made of."""

    size: int
    """Bytes that it has about."""
    place: Path
    """With a file that holds a secret, and a pipe."""
    port: int
    """At which nobody must knock."""

    def times(self, piece: bytes) -> Iterator[bytes]:
        """Yield a piece again and again, in blocks, until the document is as large as it is to be."""
        many = max(1, (1 << 20) // len(piece))
        whole, rest = divmod(self.size // len(piece), many)
        yield from repeat(piece * many, whole)
        yield piece * rest

    @property
    def entries(self) -> Iterator[bytes]:
        """Ten million entries, or few where the document is small."""
        return repeat(b"<url><loc>https://e.org/a</loc></url>\n" * 1_000, _MANY // 1_000 if self.size > _SMALL else 5)

    @property
    def listed(self) -> Iterator[bytes]:
        """Such entries of an index."""
        return repeat(next(self.entries).replace(b"url>", b"sitemap>"), _MANY // 1_000 if self.size > _SMALL else 5)


Write = Callable[[Given], Iterable[bytes]]
HEAD = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{NAMESPACE}">'.encode()
INDEX = HEAD.replace(b"urlset", b"sitemapindex")
URL = b"<url><loc>https://e.org/guide/a.html</loc></url>"
TAIL = b"</urlset>"


def around(before: bytes, piece: bytes, after: bytes) -> Write:
    """Return what writes a piece without number between two others."""
    return lambda given: [before, *given.times(piece), after]


def numbered(before: bytes, piece: bytes, after: bytes) -> Write:
    """Return what writes a piece with a number in it, which is another each time."""

    def made(given: Given) -> Iterator[bytes]:
        yield before
        for number in range(given.size // (len(piece) + 4)):
            yield piece.replace(b"#", b"%d" % number)
        yield after

    return made


def declared(declarations: str, used: str = "&a;") -> Write:
    """Return what writes a document with entities of its own."""

    def made(given: Given) -> Iterator[bytes]:
        said = declarations.format(place=given.place, port=given.port, long="x" * (given.size // 2))
        yield f'<?xml version="1.0"?>\n<!DOCTYPE urlset [{said}]>\n<urlset xmlns="{NAMESPACE}">'.encode()
        yield f"<url><loc>https://e.org/{used}</loc></url></urlset>".encode()

    return made


def encoded(encoding: str, mark: bytes = b"", said: str = "UTF-8") -> Write:
    """Return what writes a document in an encoding, with a declaration that may name another one."""

    def made(given: Given) -> Iterator[bytes]:
        head = HEAD.decode().replace("UTF-8", said)
        text = "".join([head, URL.decode() * (given.size // len(URL) // 4), "</urlset>"])
        yield mark + text.encode(encoding)

    return made


def packed(write: Write, times: int = 1) -> Write:
    """Return what writes a document that is compressed, perhaps again and again."""

    def made(given: Given) -> Iterator[bytes]:
        blocks: Iterable[bytes] = write(given)
        for _ in range(times):
            blocks = _deflated(blocks)
        return iter(blocks)

    return made


def _deflated(blocks: Iterable[bytes]) -> Iterator[bytes]:
    press = zlib.compressobj(1, wbits=31)
    yield from (press.compress(block) for block in blocks)
    yield press.flush()


def cut(write: Write, share: float) -> Write:
    """Return what writes only the beginning of a document."""

    def made(given: Given) -> Iterator[bytes]:
        content = b"".join(write(given))
        yield content[: int(len(content) * share)]

    return made


LAUGHS = "".join(
    f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in zip("zabcdefgh", "abcdefghi", strict=True)
)
ENTRIES: Write = around(HEAD, URL, TAIL)
ZEROS: Write = lambda given: repeat(bytes(1 << 20), given.size >> 14)  # noqa: E731 - 3 GB of them, packed
DOCUMENTS: dict[str, Write] = {
    "one line of entries": ENTRIES,
    "one line of short entries": around(HEAD, b"<url><loc>ab</loc></url>", TAIL),
    "ten million entries": lambda given: [HEAD, *given.entries, TAIL],
    "ten million entries, packed": packed(lambda given: [HEAD, *given.entries, TAIL]),
    "ten million entries of an index": lambda given: [INDEX, *given.listed, b"</sitemapindex>"],
    "indexes that list themselves": around(
        INDEX, b"<sitemap><loc>https://e.org/hostile.xml</loc></sitemap>", b"</sitemapindex>"
    ),
    "one line of text": around(HEAD + b"<url><loc>https://e.org/", b"a", b"</loc></url></urlset>"),
    "one line of nothing": around(HEAD, b" ", TAIL),
    "lines of nothing": around(HEAD, b"\r", TAIL),
    "one name": around(HEAD + b"<", b"a", b"/></urlset>"),
    "one attribute": around(HEAD + b"<url a='", b"b", b"'/></urlset>"),
    "one comment": around(HEAD + b"<!--", b"a", b"-->" + URL + TAIL),
    "comments": around(HEAD, b"<!---->", URL + TAIL),
    "instructions": around(HEAD, b"<?a?>", URL + TAIL),
    "unescaped text": around(HEAD + b"<url><loc><![CDATA[", b"]]", b"]]></loc></url></urlset>"),
    "sections of unescaped text": around(HEAD + b"<url><loc>", b"<![CDATA[a]]>", b"</loc></url></urlset>"),
    "deep": around(HEAD, b"<a>", b""),
    "deep in entries": around(HEAD, b"<url>", b""),
    "deep and closed": lambda given: [HEAD, *given.times(b"<url><loc>"), *given.times(b"</loc></url>"), TAIL],
    "attributes": numbered(HEAD + b"<url ", b"a#='' ", b"/></urlset>"),
    "the same attribute": around(HEAD + b"<url ", b"a='' ", b"/></urlset>"),
    "name spaces": numbered(HEAD + b"<url ", b"xmlns:a#='b' ", b"/></urlset>"),
    "name spaces in one another": numbered(HEAD, b"<a#:b xmlns:a#='c'>", TAIL),
    "names": numbered(HEAD, b"<a#/>", TAIL),
    "references": around(HEAD + b"<url><loc>", b"&#65;", b"</loc></url></urlset>"),
    "a reference": around(HEAD + b"<url><loc>&#", b"9", b";</loc></url></urlset>"),
    "dates": around(HEAD, URL.replace(b"</url>", b"<lastmod>2024-02-3%s</lastmod></url>" % (b"0" * 50)), TAIL),
    "entities in entities": declared(f'<!ENTITY z "ha">{LAUGHS}', "&i;"),
    "one long entity": declared('<!ENTITY a "{long}">', "&a;" * 1_000),
    "entities": numbered(b"<!DOCTYPE urlset [", b"<!ENTITY a# 'b'>", b"]>" + HEAD.partition(b"\n")[2] + URL + TAIL),
    "a file as an entity": declared('<!ENTITY a SYSTEM "file://{place}/secret">'),
    "a pipe as an entity": declared('<!ENTITY a SYSTEM "file://{place}/pipe">'),
    "a device as an entity": declared('<!ENTITY a SYSTEM "file:///dev/zero">'),
    "an answer as an entity": declared('<!ENTITY a SYSTEM "http://127.0.0.1:{port}/">'),
    "an answer as declarations": declared('<!ENTITY % a SYSTEM "http://127.0.0.1:{port}/a.dtd">%a;'),
    "a pipe as declarations": declared('<!ENTITY % a SYSTEM "file://{place}/pipe">%a;'),
    "an entity in itself": declared('<!ENTITY a "&a;">'),
    "a file that is included": around(
        HEAD, b"<xi:include xmlns:xi='http://www.w3.org/2001/XInclude' parse='text' href='secret'/>", TAIL
    ),
    "UTF-16": encoded("utf-16-be", codecs.BOM_UTF16_BE, "UTF-16"),
    "UTF-16, called UTF-8": encoded("utf-16-le", codecs.BOM_UTF16_LE),
    "UTF-32": encoded("utf-32-le", codecs.BOM_UTF32_LE, "UTF-32"),
    "EBCDIC": encoded("cp037", said="cp037"),
    "UTF-7": encoded("utf-7", said="UTF-7"),
    "an encoding that there is not": encoded("latin-1", said="x" * 9_999),
    "NULs": around(HEAD, b"\0", TAIL),
    "no text": around(b"", b"\xff\xfe\xfd", b""),
    "a mark of order, again and again": around(codecs.BOM_UTF8, codecs.BOM_UTF8, HEAD + URL + TAIL),
    "not well-formed": around(HEAD, b"<url><loc>https://e.org/</url></loc>", TAIL),
    "lines of text": around(b"", b"https://e.org/a\n", b""),
    "short lines of text": around(b"https://", b"ab\n", b""),
    "lines of text that are empty": around(b"https://", b"\r", b""),
    "zeros, packed": packed(ZEROS),
    "packed, packed": packed(ENTRIES, 2),
    "zeros, packed, packed": packed(ZEROS, 2),
    "packed and cut": cut(packed(ENTRIES), 0.9),
    "packed and cut in its head": cut(packed(ENTRIES), 1e-6),
    "packed, with more behind": lambda given: [*packed(ENTRIES)(given), *given.times(b"\0a")],
    "packed in parts": around(b"", gzip.compress(b""), gzip.compress(b"".join([HEAD, URL, TAIL]))),
    "packed under a long name": around(b"\x1f\x8b\x08\x08" + bytes(6), b"a", b"\0" + gzip.compress(HEAD)[10:]),
    "packed wrongly": lambda given: [gzip.compress(HEAD + URL + TAIL)[:-8], b"x" * 8, *given.times(b"y")],
}


def _check(place: Path, name: str) -> str:
    honest = {"sitemap.xml": urlset(*PAGES), "sitemap_index.xml": index(f"{BASE}sitemap.xml", BASE + name)}
    write(place / "site", honest)
    return _wrong(smindex("check", "site", "--site-url", BASE, place=place), (1, 2))


def _build(place: Path, name: str) -> str:
    site = place / "site"
    for other in ("sitemap.xml", "guide/old-sitemap.xml", "robots.txt"):
        (site / other).hardlink_to(site / name)
    run = smindex("build", "site", "--site-url", BASE, "--section-min-pages", "2", place=place)
    written = (path.read_text("utf-8") for path in (site / "sitemap-root.xml", site / "guide/sitemap.xml"))
    listed = "".join(written) if (site / "sitemap_index.xml").exists() else ""
    lost = [url for url in PAGES if f"<loc>{url}</loc>" not in listed]
    return _wrong(run, (0, 1)) or (f"lost: {lost}" if lost else "")


def _join(place: Path, name: str) -> str:
    public = place / "public"
    write(public / "a", {"sitemap_index.xml": index(f"{BASE}a/sitemap.xml"), "sitemap.xml": urlset(f"{BASE}a/x")})
    (public / "b").mkdir()
    (place / "site" / name).rename(public / "b" / ("sitemap.xml.gz" if name.endswith(".gz") else "sitemap.xml"))
    run = smindex("join", "public", "--site-url", BASE, place=place)
    joined = public / "sitemap_index.xml"
    is_listed = joined.exists() and f"<loc>{BASE}a/sitemap.xml</loc>" in joined.read_text("utf-8")
    return _wrong(run, (0, 1)) or ("" if is_listed else "the other build is not joined")


def _wrong(run: Ended, codes: tuple[int, ...]) -> str:
    return fault(run, codes, memory=MOST_MEMORY) or ("a secret is printed" if TOLD in run.out + run.err else "")


_ROUTES = (_check, _build, _join)


def attack(number: int, place: Path) -> str:
    """Write a document of one kind in one of two sizes, and let one command read it."""
    rounds, name = chosen(number, DOCUMENTS)
    (place / "secret").write_text(TOLD)
    os.mkfifo(place / "pipe")
    write(place / "site", dict.fromkeys(("index.html", "guide/a.html", "guide/b.html"), PAGE))
    file = "hostile-sitemap.xml" + (".gz" if "packed" in name else "")
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        listener.settimeout(0)
        given = Given(_SMALL if rounds < len(_ROUTES) else _LARGE, place, listener.getsockname()[1])
        with (place / "site" / file).open("wb") as stream:
            stream.writelines(DOCUMENTS[name](given))
        route = _ROUTES[(len(name) + rounds) % len(_ROUTES)]
        wrong = route(place, file) or _knocked(listener)
    return f"{name}, {given.size:,} bytes, {route.__name__[1:]}: {wrong}" if wrong else ""


def _knocked(listener: socket.socket) -> str:
    try:
        listener.accept()
    except BlockingIOError:
        return ""
    return "it was asked for over the network"


ATTACKS = (Attack("documents", "XML bombs, large and broken sitemaps", attack, short=14, long=6 * len(DOCUMENTS)),)
