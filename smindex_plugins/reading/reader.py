"""Reads sitemaps and indexes, even invalid ones: their entries by line, and all their faults.

Files with mistakes are read further, to report all of them in one run. Hostile content stops the
reading of a file: a document type, compression bombs, files over the limit, depth, and NUL.
"""

import codecs
import gzip
import io
import re
import zlib
from contextlib import nullcontext
from typing import IO

from smindex_plugins.base import catalogue, files, urls
from smindex_plugins.base.limits import MAX_BYTES
from smindex_plugins.base.text import brief
from smindex_plugins.reading._parsing import read_xml
from smindex_plugins.reading.document import MOST_KEPT, Document, Entry
from smindex_plugins.writing.names import JOINED, PEEKED, ROBOTS, is_marked

_BLOCK = 1 << 20
_CUT_CHARACTER = "unexpected end of data"
"""Python's reason if only the last character of UTF-8 is not complete."""
_DECLARATION = re.compile(rb"(\s*)<\?xml\s[^>]*?(?:\sencoding\s*=\s*[\"']([^\"'>]*)[^>]*)?\?>")


def read(stream: IO[bytes], document: Document) -> Document:
    """Fill a document from the bytes of its file. Invalid content raises no error, but reading can.

    Raises:
        OSError: the stream can't be read.
    """
    content = _as_utf8(_unpacked(stream, document), document)
    document.is_ours = is_marked(content)
    if JOINED in content:
        document.own = content.partition(JOINED)[0].count(b"<sitemap>")
    path = document.url.partition("?")[0]
    if path.endswith(f"/{ROBOTS}"):
        document.instead = ROBOTS
    elif _is_text(content, path):
        document.kind = "text"
        _read_lines(content, document)
    elif content or document.is_whole:
        read_xml(content, document)
    if document.is_full:
        document.is_whole = False
        problem = f"it has more than {MOST_KEPT:,} entries and faults. The rest was not read."
        document.findings.append(catalogue.UNREADABLE_SITEMAP.at(document.spot(), problem))
    return document


def _is_text(content: bytes, path: str) -> bool:
    """Whether a file is a list of URLs, by its content and by the path of its URL."""
    start = content[:PEEKED].lstrip()
    if start.startswith((b"http://", b"https://")):
        return True
    is_named_text = path.removesuffix(".gz").endswith(".txt")
    return is_named_text and bool(start) and not start.startswith(b"<")


def _read_lines(content: bytes, document: Document) -> None:
    """Fill a document from a text file with a URL on each line.

    The last line of a damaged file is not complete.
    """
    if not document.is_whole:
        content = content[: content.rfind(b"\n") + 1]
    lines = io.TextIOWrapper(io.BytesIO(content), "utf-8")
    for number, line in enumerate(lines, start=1):
        url = line.strip()
        if url:
            document.entries.append(Entry(url, urls.normal(url), line=number))
        if document.is_full:
            break


def unread(document: Document, why: str, fix: str = "Make the file readable.") -> Document:
    """Return a document without content, with a finding about why it could not be read."""
    document.is_whole = False
    document.add(catalogue.UNREADABLE_SITEMAP, 0, f"it can't be read as a sitemap: {why}.", fix)
    return document


def _unpacked(stream: IO[bytes], document: Document) -> bytes:
    """Return the content of a file, or nothing if it can't be read as a sitemap."""
    is_named_gzip = document.url.partition("?")[0].endswith(".gz")
    is_gzip = stream.read(len(files.GZIP)) == files.GZIP
    stream.seek(0)
    if is_named_gzip and not is_gzip:
        problem = "its name ends in .gz, but it is not compressed."
        document.add(catalogue.COMPRESSION_ERROR, 0, problem, "Compress it, or rename it.")
    elif is_gzip and not is_named_gzip:
        problem = "it is compressed, but its name does not end in .gz."
        fix = "Rename it to .xml.gz, or decompress it."
        document.add(catalogue.COMPRESSION_ERROR, 0, problem, fix)
    content = bytearray()
    try:
        with gzip.GzipFile(fileobj=stream) if is_gzip else nullcontext(stream) as unpacked:
            while block := unpacked.read(min(_BLOCK, MAX_BYTES + 1 - len(content))):
                content += block
    # the blocks before the damage are kept
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        problem = "it is damaged: its bytes are not those that were compressed."
        if isinstance(error, EOFError):
            problem = "it is damaged: its end is missing."
        fix = "Compress it again, and upload it as binary."
        document.add(catalogue.COMPRESSION_ERROR, 0, problem, fix)
        document.is_whole = False
    document.size = len(content)
    if is_gzip and content.startswith(files.GZIP):
        fix = "Compress it only once, in the file or on the server."
        document.add(catalogue.COMPRESSION_ERROR, 0, "it is compressed twice.", fix)
    elif len(content) <= MAX_BYTES:
        return bytes(content)
    document.is_whole = False
    return b""


def _as_utf8(content: bytes, document: Document) -> bytes:
    """Return the content as UTF-8, without an XML declaration that is not at its beginning."""
    has_wide_mark = content.startswith(files.WIDE_MARKS)
    if has_wide_mark or b"\0" in content:
        kind = "UTF-16" if has_wide_mark else "null bytes, as UTF-16 does"
        document.add(catalogue.WRONG_ENCODING, 0, f"it contains {kind}. The rest was not read.")
        document.is_whole = False
        return b""
    if content.startswith(codecs.BOM_UTF8):
        content = content.removeprefix(codecs.BOM_UTF8)
        problem = "it starts with a byte order mark"
        if content.lstrip().startswith(b"<"):
            problem += ", which XML allows in UTF-8"
        document.add(catalogue.BYTE_ORDER_MARK, 1, f"{problem}.")
    declaration = _DECLARATION.match(content)
    if declaration:
        space, encoding = declaration.groups()
        if space:
            problem = "there is white space before the XML declaration."
            document.add(catalogue.LEADING_WHITESPACE, 1, problem)
            content = space + content[declaration.end() :]
        if encoding and encoding.lower() not in {b"utf-8", b"utf8", b"us-ascii", b"ascii"}:
            declared = brief(encoding.decode("ascii", "replace"))
            problem = f"it declares the encoding {declared}."
            fix = "Save it as UTF-8, and declare that."
            document.add(catalogue.WRONG_ENCODING, 1, problem, fix)
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        is_xml = content.lstrip().startswith(b"<")
        if is_xml and error.reason == _CUT_CHARACTER:  # a cut that the parser reports
            return content[: error.start]
        line = content.count(b"\n", 0, error.start) + 1
        problem = f"it contains bytes that are not UTF-8: {error.reason}."
        document.add(catalogue.WRONG_ENCODING, line, problem)
        content = content.decode("utf-8", "replace").encode()
    return content
