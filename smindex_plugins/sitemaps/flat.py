"""The flat sitemap that a generator wrote beside the index. It is changed to list what the index lists.

Scripts of themes read that file, so everything else in it stays as its template made it, byte for byte.
"""

import io
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from xml.parsers import expat  # which bounds what entities may become

from smindex_plugins import files, urls
from smindex_plugins.catalogue import UNREADABLE_SITEMAP
from smindex_plugins.dates import day
from smindex_plugins.limits import MAX_BYTES, MAX_URL_READ
from smindex_plugins.model import Finding, Page, Spot
from smindex_plugins.settings import Site
from smindex_plugins.sitemaps.output import Staging, cannot_write
from smindex_plugins.sitemaps.rendering import OutputError

_TAG = re.compile(rb"""<(?:[^>"']++|"[^"]*"|'[^']*')*>""")
_ENTRY, _PART = 2, 3
"""How many elements are open inside an entry, and inside its direct parts."""
_BLOCK = 1 << 20

_MOST_PARTS = 50_000
"""The most elements in one entry."""
_DEEPEST = 32
"""The most levels of elements."""
_LONGEST = 1 << 16
"""The most bytes from one `<` to the next. A tag as long as the file would have millions of attributes."""
_ENDLESS = re.compile(rb"<[^<]{%d}" % _LONGEST)

_FIX = "Correct the template that makes it."

Edit = tuple[int, int, bytes]
"""The beginning and end of something in a file, and its replacement."""


Entry = tuple["_Element", list["_Element"]]
"""The element of a page, and its direct parts."""


class _ExcessError(ValueError):
    """A file is well-formed, but unlike any that a generator writes."""


def align(name: str, pages: Iterable[Page], listed: Iterable[Page], site: Site, findings: list[Finding]) -> None:
    """Change a flat sitemap in the site's directory, and its ``.gz``, to the pages and dates of the index.

    ``pages`` are all pages of the site with their original URLs, which the file has. ``listed`` are those of the index,
    some of which have other URLs by now.
    """
    path = os.path.join(site.directory, name)
    if not os.path.isfile(path):
        return
    by_file = {page.file or page.url: page for page in listed}
    known: dict[str, Page | None] = {}
    for page in pages:
        known[page.url] = known.get(page.url) or by_file.get(page.file or page.url)
    try:
        content = aligned(files.read(path, MAX_BYTES + 1), known)
        with Staging(site.directory, preview=site.preview) as staging:
            staging.amend(name, content)
            if os.path.isfile(f"{path}.gz"):
                staging.amend(f"{name}.gz", content)
            staging.commit()
    except _ExcessError as error:
        findings.append(UNREADABLE_SITEMAP.at(Spot(name, path), f"{error}; it was left as it is.", _FIX))
    except expat.ExpatError as error:
        problem = f"it is not well-formed XML: {expat.ErrorString(error.code)}; it was left as it is."
        place = Spot(name, path, line=error.lineno)
        findings.append(UNREADABLE_SITEMAP.at(place, problem, _FIX))
    except OutputError as error:
        findings += error.findings
    except OSError as error:
        findings.append(cannot_write(name, error))


def aligned(content: bytes, known: Mapping[str, Page | None]) -> bytes:
    """Return a flat sitemap without the entries of left-out pages, and with the dates of the others.

    ``known`` has each page of the site as it is listed, or None if it is not, by URL. An entry with another URL stays,
    because its template put it there. So does its date, unless that is the date of the build.

    Raises:
        ExpatError: it is not well-formed.
        _ExcessError: it is larger, longer or deeper than any sitemap.
    """
    _refuse(len(content) > MAX_BYTES, f"it is larger than {MAX_BYTES:,} bytes")
    _refuse(_ENDLESS.search(content) is not None, f"it has a tag or a text of more than {_LONGEST:,} bytes")
    new = io.BytesIO()
    new.writelines(_applied(content, _edits(content, known)))
    return new.getvalue()


def _edits(content: bytes, known: Mapping[str, Page | None]) -> Iterator[Edit]:
    """Yield the changes. The file is read twice, because the dates of the build must be known first."""
    stamps = {_text(parts, "lastmod") for _, parts in _Reader(content).entries() if _location(parts) in known} - {""}
    seen: set[str] = set()
    for whole, parts in _Reader(content).entries():
        url = _location(parts)
        page = known.get(url)
        if url in known and (page is None or url in seen):
            yield whole.start, whole.stop, b""
            continue
        seen.update({url} & known.keys())
        for part in parts:
            if part.name == "link" and known.get(urls.normal(part.link), part) is None:
                yield part.start, part.stop, b""
            elif part.name == "lastmod" and (page or part.text in stamps):
                yield _dated(part, page)


@dataclass(slots=True)
class _Element:
    name: str
    """Its name, without a namespace prefix."""
    link: str
    start: int
    inner: int
    """The position at the end of its start tag."""
    pieces: list[str] = field(default_factory=list)
    """The pieces of its text, up to the length of a URL."""
    text: str = ""
    close: int = 0
    """The position at which its end tag begins, or at which the element ends if it has none."""
    stop: int = 0


class _Reader:
    """Reads the entries of a file one by one, however many there are."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._open: list[_Element] = []
        """The current element and those around it, the root first."""
        self._parts: list[_Element] = []
        """The direct parts of the current entry."""
        self._whole: list[Entry] = []
        # As sitemaps are written, whatever the file calls its encoding: one that there is not is a LookupError.
        self._expat = expat.ParserCreate("utf-8")
        self._expat.buffer_text = True
        self._expat.StartElementHandler = self._start
        self._expat.EndElementHandler = self._end
        self._expat.CharacterDataHandler = self._text
        self._expat.StartDoctypeDeclHandler = _refuse_document_type

    def entries(self) -> Iterator[Entry]:
        """Yield each page's element with its direct parts and their positions.

        Raises:
            ExpatError: it is not well-formed.
            _ExcessError: it has more of anything than any sitemap.
        """
        try:
            for begin in range(0, len(self._content) + 1, _BLOCK):
                self._expat.Parse(self._content[begin : begin + _BLOCK], begin + _BLOCK > len(self._content))
                yield from self._whole
                self._whole.clear()
        finally:
            del self._expat  # which holds this object, so that neither would be freed soon

    def _after(self, tag: int) -> int:
        match = _TAG.match(self._content, tag)
        return match.end() if match else tag

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        _refuse(len(self._open) == _DEEPEST, f"its elements are nested more than {_DEEPEST} deep")
        _refuse(len(self._parts) == _MOST_PARTS, f"an entry has more than {_MOST_PARTS:,} elements")
        begin = self._expat.CurrentByteIndex
        element = _Element(name.rpartition(":")[2], attributes.get("href", ""), begin, self._after(begin))
        self._open.append(element)
        if len(self._open) == _PART:
            self._parts.append(element)

    def _end(self, _: str) -> None:
        element = self._open.pop()
        element.text = "".join(element.pieces)
        element.pieces.clear()
        element.close = self._expat.CurrentByteIndex
        has_tag = element.close > element.inner or not self._content.endswith(b"/>", element.start, element.inner)
        element.stop = self._after(element.close) if has_tag else element.close
        if len(self._open) == _ENTRY - 1:
            self._whole += [(element, self._parts)] if element.name == "url" else []
            self._parts = []

    def _text(self, data: str) -> None:
        if len(self._open) >= _PART and len(self._open[-1].pieces) <= MAX_URL_READ:
            self._open[-1].pieces.append(data)


def _refuse(is_excess: bool, problem: str) -> None:  # noqa: FBT001 - what is refused, and in which words
    if is_excess:
        raise _ExcessError(problem)


def _refuse_document_type(*_: object) -> None:
    raise _ExcessError("it declares a document type, which no sitemap needs")  # noqa: EM101, TRY003


def _text(parts: Iterable[_Element], name: str) -> str:
    """Return the text of the first part with a name, or an empty string."""
    return next((part.text for part in parts if part.name == name), "")


def _location(parts: Iterable[_Element]) -> str:
    return urls.normal(_text(parts, "loc").strip())


def _dated(lastmod: _Element, page: Page | None) -> Edit:
    if page is None or page.lastmod is None or lastmod.close == lastmod.stop:
        return lastmod.start, lastmod.stop, b""
    return lastmod.inner, lastmod.close, day(page.lastmod).encode()


def _applied(content: bytes, edits: Iterable[Edit]) -> Iterator[bytes]:
    """Yield the edited file. White space before a removed part is removed too."""
    position = 0
    for start, stop, new in edits:
        yield content[position:start] if new else content[position:start].rstrip()
        yield new
        position = stop
    yield content[position:]
