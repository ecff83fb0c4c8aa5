"""One version of a site, on disk or live, as lines that can be sorted and compared: one for each entry of a sitemap."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from smindex_plugins import addresses, urls
from smindex_plugins.announcing.sorting import Sorted
from smindex_plugins.dates import read_w3c
from smindex_plugins.limits import MAX_NUMBER
from smindex_plugins.sitemaps import Document, is_url
from smindex_plugins.sites import Directory, Live, PartlyReadError
from smindex_plugins.text import counted
from smindex_plugins.web import Fetcher

_FEEDS = {"RSS feed", "Atom feed"}
_PAGE_LISTS = {"urlset", "text"}


@dataclass(slots=True, kw_only=True)
class Side:
    """What was read of one version."""

    name: str
    rows: Sorted
    """Lines of a URL, its date, its variants, and the number of its sitemap, with tabs between them, as no URL has."""
    sitemaps: list[str] = field(default_factory=list)
    """The URLs of the sitemaps, by their numbers."""
    indexes: list[str] = field(default_factory=list)
    digests: dict[str, str] = field(default_factory=dict)
    """Of each index and sitemap, a hash of what it lists."""
    elsewhere: set[str] = field(default_factory=set)
    """What its indexes list and others serve, and what is no sitemap but a feed."""
    invalid: int = 0
    """Entries that have no URL which could be compared."""

    def notes(self) -> Iterator[str]:
        """Say what of it cannot be compared."""
        yield from (f"{url} (it is not part of {self.name})" for url in sorted(self.elsewhere))
        if self.invalid:
            yield f"{counted(self.invalid, 'URL')} of {self.name} that no client could ask for"

    def sitemaps_of(self, numbers: str) -> frozenset[str]:
        """Return the names of the sitemaps, packed or not, whose numbers stand at the end of a line."""
        return frozenset(form_free(self.sitemaps[int(each)]) for each in numbers.split(","))

    def pages(self, elsewhere: set[str]) -> Iterator[str]:
        """Yield a line for each page, in the order of the URLs, but none of sitemaps that are elsewhere."""
        left_out = {str(number) for number, url in enumerate(self.sitemaps) if url in elsewhere}
        last, last_url = "", ""
        for row in self.rows.lines():
            line = row[:-1]
            if left_out and line[line.rindex("\t") + 1 :] in left_out:
                continue
            url = line[: line.index("\t")]
            if url == last_url:
                last = _joined(last, line)
                continue
            if last:
                yield last
            last, last_url = line, url
        if last:
            yield last


def form_free(url: str) -> str:
    """Return the URL of a sitemap as it is where that is not packed."""
    return url.removesuffix(".gz")


def _joined(one: str, other: str) -> str:
    """Return what two sitemaps say of one page; of two dates, the newer one counts."""
    url, date, *variants, numbers = one.split("\t")
    _, other_date, *other_variants, number = other.split("\t")
    newest = max(date, other_date, key=lambda each: read_w3c(each)[0])
    return "\t".join([url, newest, *sorted({*variants, *other_variants}), f"{numbers},{number}"])


def read_side(
    name: str, rows: Sorted, *, site_url: str = "", fetcher: Fetcher | None = None, tell: Callable[[str], None]
) -> Side:
    """Read all sitemaps of a directory, an index file or a URL.

    Raises:
        OSError: a sitemap cannot be read to its end, or there is none.
        ValueError: the URL is none, or nothing tells which URL serves the directory.
    """
    side = Side(name=name, rows=rows)
    known = 0
    joined: set[str] = set()
    for document in documents(name, site_url=site_url, fetcher=fetcher):
        url = document.url
        if document.own is not None:
            joined.update(entry.normal for entry in document.entries[document.own :])
        if document.role in {"flat", "unlisted"}:
            continue
        is_absent = document.is_missing and (url in joined or document.is_named_by_robots)
        if is_absent or document.role == "elsewhere" or document.kind in _FEEDS:
            side.elsewhere.add(url)
            continue
        refuse_unread(document)
        lines = _lines(document)
        side.digests[url] = _digest(document, lines)
        if document.kind not in _PAGE_LISTS:
            side.indexes.append(url)
            continue
        rows.add([f"{line}\t{len(side.sitemaps)}\n" for line in lines])
        side.sitemaps.append(url)
        side.invalid += document.count - len(lines)
        known += document.count
        tell(f"{name}: {counted(len(side.sitemaps), 'sitemap')}, {counted(known, 'URL')}")
    return side


def documents(name: str, *, site_url: str = "", fetcher: Fetcher | None = None) -> Iterator[Document]:
    """Yield the indexes and sitemaps of a directory, an index file or a URL, as `sites` finds them."""
    if is_url(name):
        return Live(url=urls.normalise(name), fetcher=fetcher or Fetcher()).documents()
    return Directory(path=name, site_url=site_url and addresses.site_url(site_url)).documents()


def refuse_unread(document: Document) -> None:
    """Refuse a sitemap of which not every entry is known.

    Raises:
        PartlyReadError: it is one.
    """
    if document.is_missing or document.failure:
        lister = document.listing.file
        missing = f"{lister} lists it, and there is no such file" if lister else "there is no such file"
        raise PartlyReadError(document.url, document.failure or missing)
    if not document.is_whole:
        problem = document.findings[-1].problem if document.findings else "it cannot be read to its end"
        raise PartlyReadError(document.file or document.where, problem)


def digest(document: Document) -> str:
    """Return a hash of what a sitemap or an index lists, however it is written and packed."""
    return _digest(document, _lines(document))


def _digest(document: Document, lines: list[str]) -> str:
    text = "\n".join([document.kind, *sorted(lines)])
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def _lines(document: Document) -> list[str]:
    """Return a line for each entry."""
    return [
        "\t".join([entry.normal, _one_word(entry.lastmod), *_variants(entry.alternates)])
        for entry in document.entries
        if entry.normal
    ]


def _one_word(text: str) -> str:
    return "".join(text.split())[:MAX_NUMBER]


def _variants(alternates: Iterable[tuple[str, str]]) -> list[str]:
    """Return a language and a hash of its URL for each variant, sorted."""
    known = {(_one_word(language).lower(), urls.normal(url) or url) for language, url in alternates}
    return sorted(
        f"{language} {hashlib.sha256(url.encode('utf-8', 'replace')).hexdigest()[:16]}" for language, url in known
    )
