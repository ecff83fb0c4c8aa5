"""Canonical links that remove many pages at once: a theme that writes the same one into every
page.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from smindex_plugins.base import urls
from smindex_plugins.base.catalogue import HOME_CANONICAL, SHARED_CANONICAL
from smindex_plugins.base.model import Findings, Spot
from smindex_plugins.base.text import counted
from smindex_plugins.pages.omissions import NotListed, Omission

_NUMBERED = re.compile(r"(.*?)[-_]?\d+")
"""The name of a later page of a list, such as `index2`, `page-2` or `2`."""
_FORMATS = frozenset({"amp", "embed", "print", "_print", "print_page"})
"""The names of the same page in another format, below it."""
_HOMES = frozenset({"home", "index"})
"""The names of copies of a home page."""


class Naming(NamedTuple):
    """A page that declares another page of the site as canonical."""

    spot: Spot
    url: str
    canonical: str


def namings(omitted: Iterable[Omission], site_url: str) -> list[Naming]:
    """Return the omitted pages that name another page of the site."""
    found: list[Naming] = []
    for omission in omitted:
        is_by_link = omission.reason == NotListed.CANONICAL_ELSEWHERE
        if is_by_link and urls.is_within(omission.by, site_url):
            found.append(Naming(omission.page.spot, omission.url, omission.by))
    return found


def shared(found: Sequence[Naming], home: str) -> list[list[Naming]]:
    """Return the pages that name one page which is probably not their original, by this page.

    These are several pages that name one page, any page that names the home page, and a home page
    that names another page. A copy may name its original: the page of an older version, of another
    language, or in another format. Its URL ends as that of the original, or its directory has such
    pages.
    """
    copied = _copied_directories(found)
    groups: dict[str, list[Naming]] = defaultdict(list)
    of_home = []
    for each in found:
        if each.url == home:
            of_home.append([each])
        elif not _is_copy(each, copied):
            groups[each.canonical].append(each)
    several = []
    for canonical, group in groups.items():
        if len(group) > 1 or canonical == home:
            several.append(group)
    return [*of_home, *several]


def shared_canonicals(groups: Iterable[Sequence[Naming]], home: str) -> Findings:
    """Yield one finding for each group of pages that `shared` returns."""
    for group in groups:
        first = group[0]
        if first.url == home:
            problem = (
                f"its canonical URL is {first.canonical}, so search engines don't show the home"
                " page."
            )
            yield HOME_CANONICAL.at(first.spot, problem)
            continue
        what = "the home page" if first.canonical == home else first.canonical
        who_names = f"{first.url} names"
        if len(group) > 1:
            who_names = f"{first.url} and {counted(len(group) - 1, 'other page')} name"
        problem = f"{who_names} {what} as canonical, so search engines show only that page."
        yield SHARED_CANONICAL.at(first.spot, problem)


def _is_copy(naming: Naming, copied: set[tuple[str, str]]) -> bool:
    own, original, same = _divided(naming)
    if same or (own, original) in copied:
        return True
    return _is_below(_segments(naming.url), _segments(naming.canonical))


def _is_below(page: list[str], original: list[str]) -> bool:
    """Whether a page belongs to its original: a later page of the same list, another format, or a
    copy of a home page.

    The original of `blog/page/2`, `blog/2` and `blog/index2` is `blog`, and that of `tag/a2` is
    `tag/a`.
    """
    *above, name = page or [""]
    is_home_copy = name in _HOMES and not original
    if above == original and (name in _FORMATS or is_home_copy):
        return True
    number = _NUMBERED.fullmatch(name)
    if not number:
        return False
    stem = number[1]
    if stem not in {"", "index", "page"}:
        return [*above, stem] == original
    is_in_page = above[-1:] == ["page"]
    return original == above or (is_in_page and original == above[:-1])


def _copied_directories(found: Iterable[Naming]) -> set[tuple[str, str]]:
    """Return the pairs of directories of which one contains copies of the other's pages."""
    pairs = set()
    for each in found:
        own, original, same = _divided(each)
        if same:
            pairs.add((own, original))
    return pairs


def _divided(naming: Naming) -> tuple[str, str, str]:
    """Return where the URLs of a page and its canonical page differ, and the segments at the end
    that they share.
    """
    own = _segments(naming.url)
    original = _segments(naming.canonical)
    same: list[str] = []
    while own and original and own[-1] == original[-1]:
        same.insert(0, own.pop())
        original.pop()
    return "/".join(own), "/".join(original), "/".join(same)


def _segments(url: str) -> list[str]:
    return [segment for segment in urls.bare(urls.path(url)).split("/") if segment]
