"""How two versions of a site are compared: both in the order of their URLs, page by page."""

from collections.abc import Callable, Iterator

from smindex_plugins.announcing.difference import Changes, Difference, Sitemaps
from smindex_plugins.announcing.sides import Side, form_free, read_side
from smindex_plugins.announcing.sorting import Sorted
from smindex_plugins.dates import has_time, is_same
from smindex_plugins.web import Fetcher


def diff(
    old: str,
    new: str,
    *,
    site_url: str = "",
    fetcher: Fetcher | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> Difference:
    """Return what differs between two versions of a site, by what their sitemaps list.

    Each version is a directory, an index file in it, or an http(s) URL. ``site_url`` is the URL that serves what is a
    directory, where its files do not tell. The order of entries, the packing of a sitemap, and which sitemap lists a
    page make no page differ, nor does a date that only gained or lost its time.

    Raises:
        FileNotFoundError: there is no such directory, or no sitemap in it.
        OSError: a sitemap cannot be read to its end, or the site on the web cannot be asked.
        ValueError: a URL is none, or nothing tells which URL serves the directory.
    """
    with Sorted() as old_rows, Sorted() as new_rows:
        before = read_side(old, old_rows, site_url=site_url, fetcher=fetcher, tell=tell)
        after = read_side(new, new_rows, site_url=site_url, fetcher=fetcher, tell=tell)
        tell("comparing")
        return _Comparison(before, after).difference()


def everything(
    new: str, *, site_url: str = "", fetcher: Fetcher | None = None, tell: Callable[[str], None] = lambda _: None
) -> Difference:
    """Return the difference between no site at all and a version of one: all that this lists."""
    with Sorted() as no_rows, Sorted() as rows:
        after = read_side(new, rows, site_url=site_url, fetcher=fetcher, tell=tell)
        return _Comparison(Side(name="nothing", rows=no_rows), after).difference()


class _Comparison:
    """Two versions on their way to what differs."""

    def __init__(self, before: Side, after: Side) -> None:
        self._before = before
        self._after = after
        self._lists: tuple[set[str], set[str]] = (set(), set())
        """By version, the numbers of sitemaps that list something that the other version does not have so."""
        self._moves: set[tuple[str, str]] = set()
        """The numbers of the sitemaps that list one page alike, in both versions."""
        self._is_numbered_alike = [*map(form_free, before.sitemaps)] == [*map(form_free, after.sitemaps)]
        """Whether equal lines are in equal sitemaps."""
        self._added: list[str] = []
        self._removed: list[str] = []
        self._changed = Changes()
        self._found = Difference(
            old=before.name, new=after.name, added=self._added, removed=self._removed, changed=self._changed
        )

    def difference(self) -> Difference:
        """Return it."""
        elsewhere = self._before.elsewhere | self._after.elsewhere
        found = self._found
        listed_before, listed_after = self._lists
        for one, other in _pairs(self._before.pages(elsewhere), self._after.pages(elsewhere)):
            if one and other:
                self._both(one, other)
            elif one:
                self._removed.append(one[: one.index("\t")])
                listed_before.add(one[one.rindex("\t") + 1 :])
            else:
                self._added.append(other[: other.index("\t")])
                listed_after.add(other[other.rindex("\t") + 1 :])
            found.urls_before += bool(one)
            found.urls_after += bool(other)
        found.sitemaps = self._sitemaps(elsewhere)
        found.not_compared = list(dict.fromkeys([*self._before.notes(), *self._after.notes()]))
        differing = {*self._after.indexes, *found.sitemaps.added, *found.sitemaps.changed}
        found.live = {url: digest for url, digest in self._after.digests.items() if url in differing}
        return found

    def _both(self, one: str, other: str) -> None:
        """Compare what the two versions say of a page."""
        if one == other and self._is_numbered_alike:
            _, date, _ = one.split("\t", 2)
            if not has_time(date):
                self._hide(date)
            return
        url, date, *variants, numbers = one.split("\t")
        _, other_date, *other_variants, other_numbers = other.split("\t")
        if variants != other_variants or not is_same(date, other_date):
            different = {*variants} ^ {*other_variants} if variants != other_variants else ()
            languages = sorted({variant.partition(" ")[0] for variant in different})
            self._changed.add(url, date, other_date, languages)
            self._lists[0].add(numbers)
            self._lists[1].add(other_numbers)
            return
        self._moves.add((numbers, other_numbers))
        if not (has_time(date) and has_time(other_date)):
            self._hide(date)

    def _hide(self, date: str) -> None:
        """Take note of a page of which a change may not show."""
        self._found.undated += not date
        self._found.days += bool(date)

    def _sitemaps(self, elsewhere: set[str]) -> Sitemaps:
        before, after = (
            {form_free(url): url for url in side.sitemaps if url not in elsewhere}
            for side in (self._before, self._after)
        )
        touched = self._touched()
        return Sitemaps(
            added=sorted(after[name] for name in after.keys() - before.keys()),
            removed=sorted(before[name] for name in before.keys() - after.keys()),
            changed=sorted(after[name] for name in after.keys() & before.keys() & touched),
        )

    def _touched(self) -> set[str]:
        """Return the names of the sitemaps that list something else than before."""
        before, after = self._before.sitemaps_of, self._after.sitemaps_of
        moved = (before(one) ^ after(other) for one, other in self._moves)
        return set().union(*map(before, self._lists[0]), *map(after, self._lists[1]), *moved)


def _pairs(before: Iterator[str], after: Iterator[str]) -> Iterator[tuple[str, str]]:
    """Yield the line of each page in the one version and in the other, or nothing where that does not list it."""
    one, other = next(before, ""), next(after, "")
    while one or other:
        if one == other:
            order = 0
        else:
            url, other_url = one.partition("\t")[0], other.partition("\t")[0]
            order = (url > other_url) - (url < other_url) if url and other_url else bool(other_url) - bool(url)
        yield (one if order <= 0 else ""), (other if order >= 0 else "")
        if order <= 0:
            one = next(before, "")
        if order >= 0:
            other = next(after, "")
