"""The reader of sitemaps and indexes, however wrong they are: their entries by line, and every fault met on the way.

What is merely wrong is read all the same, so that one run tells of all faults. What is hostile (a document type, and
with it every entity; compression bombs; files over the limit; depth; NUL) ends the reading of the file.
"""

import gzip
import re
import zlib
from array import array
from collections.abc import Collection, Iterator
from contextlib import nullcontext
from functools import partial
from typing import IO

from smindex_plugins.limits import MAX_BYTES
from smindex_plugins.sitemaps import faults
from smindex_plugins.sitemaps.document import MOST_ENTRIES, Document
from smindex_plugins.sitemaps.parsing import read_xml
from smindex_plugins.sitemaps.rendering import MARK, NAMESPACE

USUAL_PATHS = ("sitemap_index.xml", "sitemap-index.xml", "sitemapindex.xml", "sitemap.xml", "wp-sitemap.xml")
"""Where a site on the web is asked for its index, the likeliest first."""

INDEX_NAMES = tuple(name + end for name in (*USUAL_PATHS, "sitemaps.xml", "sitemap.txt") for end in ("", ".gz"))
"""Under which an index stands in a directory, the likeliest first."""

_PEEKED = 4096
_BLOCK = 1 << 20
_GZIP_MAGIC = b"\x1f\x8b"
_UTF8_MARK = b"\xef\xbb\xbf"
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")
_DECLARED = re.compile(rb"<\?xml[^>]*?\sencoding\s*=\s*[\"']([^\"']*)")

# The commonest form of a sitemap, and nothing else: well-formed by itself, with no fault that a reader could meet. A
# file that is wholly of this form is read three times as fast. Possessive, so that no file takes long to be refused.
_SPACE = r"[ \t\r\n]*+"
_PLAIN_HEAD = re.compile(
    rf'(?:<\?xml version="1\.0" encoding="(?i:utf-8)"\?>)?{_SPACE}'
    rf"(?:<!--(?:[ -,.-;=?-~\n]|-(?!-))*+-->{_SPACE})?"
    rf'<urlset xmlns="{re.escape(NAMESPACE)}">'
)
_PLAIN_ENTRY = re.compile(
    rf"{_SPACE}<url>{_SPACE}<loc>([!-%'-;=?-~]++)</loc>{_SPACE}(?:<lastmod>([0-9TZ:.+-]++)</lastmod>{_SPACE})?+</url>"
)
_PLAIN_ENTRIES = re.compile(rf"(?:{_PLAIN_ENTRY.pattern})*+{_SPACE}</urlset>{_SPACE}")


def read(stream: IO[bytes], document: Document) -> Document:
    """Fill a document from the bytes of its file. Nothing in them makes this raise, but reading them may.

    Raises:
        OSError: the stream cannot be read.
    """
    content = _content(stream, document)
    if content is None:
        return document
    document.is_ours = MARK in content[:200]
    text, skipped = _as_utf8(content, document)
    if text is None:
        return document
    named_text = document.url.partition("?")[0].removesuffix(".gz").endswith(".txt")
    start = text.lstrip()
    if start.startswith((b"http://", b"https://")) or (named_text and start and not start.startswith(b"<")):
        document.kind = "text"
        for number, line in enumerate(text.decode().splitlines(), start=1):
            if url := line.strip():
                document.keep(url, "", number)
    elif skipped or not _read_plain(text, document):
        read_xml(text, document, skipped)
    return document


def read_file(path: str, document: Document) -> Document:
    """Fill a document from a file, in which everything can be wrong, also that it cannot be opened."""
    try:
        with open(path, "rb") as stream:
            return read(stream, document)
    except OSError as error:
        return unread(document, error.strerror or str(error))


def unread(document: Document, why: str, fix: str = "Make it a readable file.") -> Document:
    """Return a document of which nothing could be read, with the finding that says why."""
    document.is_whole = False
    document.add(faults.UNREADABLE_SITEMAP, 0, f"it cannot be read as a sitemap: {why}.", fix)
    return document


def is_index(path: str) -> bool:
    """Whether a file is an index, as its first kilobytes tell, for a file is read whole only once."""
    try:
        with open(path, "rb") as stream:
            start = stream.read(_PEEKED)
        if start.startswith(_GZIP_MAGIC):
            start = zlib.decompressobj(wbits=31).decompress(start, _PEEKED)
    except (OSError, zlib.error):
        return False
    return b"<sitemapindex" in start


def index_files(names: Collection[str], index_filename: str = INDEX_NAMES[0]) -> list[str]:
    """Return those of the names of a directory's files that list its pages.

    That is one file, or the numbered indexes (``sitemap_index-1.xml``) of a site where one index cannot list all.
    """
    for name in dict.fromkeys([index_filename, *INDEX_NAMES]):
        if name in names:
            return [name]
        if "index" in name and name.endswith(".xml") and (several := numbered(names, name)):
            return several
    return []


def numbered(names: Collection[str], index_filename: str) -> list[str]:
    """Return the numbered files of a name, in the order of their numbers."""
    pattern = re.compile(re.escape(index_filename.removesuffix(".xml")) + r"-(\d+)\.xml")
    found = {name: int(match[1]) for name in names if (match := pattern.fullmatch(name))}
    return sorted(found, key=found.__getitem__)


def _content(stream: IO[bytes], document: Document) -> bytes | None:
    """Return the bytes of a file, unpacked where it is packed, or nothing where it cannot be read as a sitemap."""
    named_gzip = document.url.partition("?")[0].endswith(".gz")
    is_gzip = stream.read(len(_GZIP_MAGIC)) == _GZIP_MAGIC
    stream.seek(0)
    if named_gzip and not is_gzip:
        _compression(document, "its name ends in .gz, and it is not compressed.", "Compress it, or rename it.")
    elif is_gzip and not named_gzip:
        _compression(document, "it is compressed, and its name does not say so.", "Name it .xml.gz, or unpack it.")
    blocks: list[bytes] = []
    try:
        with gzip.GzipFile(fileobj=stream) if is_gzip else nullcontext(stream) as unpacked:
            blocks.extend(_blocks(unpacked))
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:  # the blocks before the damage are kept
        _compression(document, f"it is damaged: {error}.", "Compress it again, and upload it as binary.")
        document.is_whole = False
    content = b"".join(blocks)
    document.size = len(content)
    if is_gzip and content.startswith(_GZIP_MAGIC):
        _compression(document, "it is compressed twice.", "Compress it once, in the file or in the server.")
    elif len(content) <= MAX_BYTES:
        return content
    document.is_whole = False
    return None


def _blocks(stream: IO[bytes] | gzip.GzipFile) -> Iterator[bytes]:
    """Read to one byte over the limit, in blocks, because memory is taken for all that is asked for at once."""
    room = MAX_BYTES + 1
    while room > 0 and (block := stream.read(min(room, _BLOCK))):
        yield block
        room -= len(block)


def _compression(document: Document, problem: str, fix: str) -> None:
    document.add(faults.COMPRESSION_ERROR, 0, problem, fix)


def _as_utf8(content: bytes, document: Document) -> tuple[bytes | None, int]:
    """Return the bytes as the UTF-8 that they should be, less what stands before them, and the lines that had."""
    if content.startswith(_WIDE_MARKS) or b"\0" in content:
        kind = "UTF-16" if content.startswith(_WIDE_MARKS) else "bytes of value 0, as UTF-16 does"
        document.add(faults.WRONG_ENCODING, 0, f"it holds {kind}, and is read no further.")
        document.is_whole = False
        return None, 0
    if content.startswith(_UTF8_MARK):
        document.add(faults.BYTE_ORDER_MARK, 1, "it begins with a byte order mark.")
        content = content[len(_UTF8_MARK) :]
    skipped = 0
    stripped = content.lstrip()
    if stripped.startswith(b"<?xml") and len(stripped) < len(content):
        space = content[: len(content) - len(stripped)]
        skipped = space.count(b"\n")
        document.add(faults.LEADING_WHITESPACE, 1, "space stands before the XML declaration.")
        content = stripped
    declared = _DECLARED.match(content[:_PEEKED])
    if declared and declared[1].lower() not in {b"utf-8", b"utf8", b"us-ascii", b"ascii"}:
        name = declared[1].decode("ascii", "replace")
        document.add(faults.WRONG_ENCODING, 1, f"it declares the encoding {name!r}.", "Write it in UTF-8, and say so.")
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1 + skipped
        document.add(faults.WRONG_ENCODING, line, f"it holds bytes that are not UTF-8: {error.reason}.")
        content = content.decode("utf-8", "replace").encode()
    return content, skipped


def _read_plain(content: bytes, document: Document) -> bool:
    """Whether a file is a sitemap of the commonest form, with which the document is then filled."""
    text = content.decode("ascii", "replace")
    head = _PLAIN_HEAD.match(text)
    if head is None or not _PLAIN_ENTRIES.fullmatch(text, head.end()):
        return False
    found = _PLAIN_ENTRY.findall(text, head.end())
    if len(found) > MOST_ENTRIES:
        return False
    document.kind = "urlset"
    document.urls = [url for url, _ in found]
    document.dates = [date for _, date in found]
    document.count = len(found)
    document.is_plain = True
    document.count_lines = partial(_lines, text)
    return True


def _lines(text: str) -> "array[int]":
    """Return the line of each entry of a file of the commonest form."""
    lines = array("I")
    line, before = 1, 0
    for match in _PLAIN_ENTRY.finditer(text):
        start = text.index("<url>", match.start())
        line += text.count("\n", before, start)
        before = start
        lines.append(line)
    return lines
