"""Checks across the sitemaps of a site: duplicate URLs, redundant sitemaps, and one-sided language
variants.
"""

import os
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from smindex_plugins.base import urls
from smindex_plugins.base.catalogue import (
    DUPLICATE_URL,
    HREFLANG_NOT_MUTUAL,
    LISTED_BESIDE_INDEX,
    REDUNDANT_SITEMAP,
    TWIN_URL,
    UNLISTED_SITEMAP,
)
from smindex_plugins.base.model import Findings, Spot
from smindex_plugins.base.text import counted
from smindex_plugins.checks._site import OURS, EntryFacts, SiteFacts, Sitemap, entries_of
from smindex_plugins.reading.entry_points import folded

_DOTS = re.compile(r"/\.{1,2}/")
"""Segments that lead to the same directory or to the one above."""
_INDEX_NAME = re.compile(r"/*(?:index\.html)?/*\Z", re.IGNORECASE)
_NAMED = 3
"""How many URLs of a copy a finding lists."""
_TURN_OFF = (
    "Turn off the generator's sitemap. If the file is left over from an earlier build, delete it."
)
_LINKED = (
    " If pages link to it with `<link rel='sitemap'>`, use its name for the index: `index_filename:"
    " {}`."
)


class Copy(NamedTuple):
    """A sitemap next to the index, or another index with its sitemaps, that mostly repeats the
    index.
    """

    sitemaps: list[Sitemap]
    url: str
    """Its normalized URL."""
    spot: Spot
    of: str
    """The name of the index of the site."""
    shared: int
    """How many of its URLs the index also lists."""
    others: list[EntryFacts]
    """The URLs of the site that the index does not list."""


def _copies(site: SiteFacts) -> list[Copy]:
    """Return the copies that legitimately repeat the pages of the index.

    An index of this tool is the site's index.
    """
    groups: dict[str, list[Sitemap]] = defaultdict(list)
    for sitemap in site.sitemaps:
        key = site.children.get(sitemap.normal, sitemap.normal)
        groups[key].append(sitemap)
    indexes = set(site.children.values()) & groups.keys()
    beside = _beside(site)
    number = len(groups) + len(beside) + len(site.flats)
    if not indexes or number == 1:
        return []

    main = OURS
    if OURS not in indexes:
        main = max(sorted(indexes), key=lambda index: _size(groups[index]))
    name = next(
        index.where for url, index in site.indexes.items() if main in {OURS, urls.normal(url)}
    )
    pages = {folded(entry.normal) for entry in entries_of(groups.pop(main))}
    spots = _spots(site, beside)
    copies: list[Copy] = []
    for key, group in _candidates(site, groups, beside):
        entries = list(entries_of(group))
        others = [entry for entry in entries if folded(entry.normal) not in pages]
        is_news = any(sitemap.is_news for sitemap in group)
        repeats_most = 2 * len(others) < len(entries)
        if key and (is_news or not repeats_most):
            continue
        here: dict[str, EntryFacts] = {}
        for entry in others:
            if not site.may_list(entry.normal) and urls.is_within(entry.normal, site.scope):
                here[entry.normal] = entry
        first = group[0]
        url = key if key in spots else first.normal
        spot = spots.get(key, first.spot)
        shared = len(entries) - len(others)
        copies.append(Copy(group, url, spot, name, shared, list(here.values())))
    return copies


def _spots(site: SiteFacts, beside: list[Sitemap]) -> dict[str, Spot]:
    """Return the indexes, and the unlisted sitemaps, by their normalized URLs."""
    spots: dict[str, Spot] = {}
    for url, index in site.indexes.items():
        spots.setdefault(urls.normal(url), index)
    for other in beside:
        spots.setdefault(other.normal, other.spot)
    return spots


def _size(group: list[Sitemap]) -> int:
    return sum(len(sitemap.entries) for sitemap in group)


def _candidates(
    site: SiteFacts, groups: dict[str, list[Sitemap]], beside: list[Sitemap]
) -> Iterator[tuple[str, list[Sitemap]]]:
    """Yield the sitemaps that may repeat the index, in groups by the URL of an index or a sitemap.

    A flat sitemap has no such URL: it is a copy whatever it lists.
    """
    by_list = dict(groups)
    flats = site.flats
    for other in beside:
        listed = {entry.normal for entry in other.entries}
        unlisted = (*site.unlisted_sitemaps, *flats)
        children = [each for each in unlisted if each.normal in listed]
        by_list[other.normal] = children if other.is_index else [other]
        flats = [flat for flat in flats if flat not in children]
    yield from by_list.items()
    for flat in flats:
        yield "", [flat]


def _beside(site: SiteFacts) -> list[Sitemap]:
    """Return the unlisted sitemaps and indexes, except those that such an index lists."""
    listed: set[str] = set()
    for each in site.unlisted_sitemaps:
        if each.is_index:
            own = each.normal
            listed.update(entry.normal for entry in each.entries if entry.normal != own)
    return [each for each in site.unlisted_sitemaps if each.normal not in listed]


def repeated_url(site: SiteFacts) -> Findings:
    copies = _copies(site)
    copied: list[Sitemap] = []
    for copy in copies:
        copied += copy.sitemaps
    # News articles are also in the sitemap of their section, and a copy repeats the pages of the
    # index.
    rest = [sitemap for sitemap in site.sitemaps if not (sitemap.is_news or sitemap in copied)]
    yield from _repeated(rest)
    for copy in copies:
        if copy.sitemaps[0] in site.sitemaps:
            yield from _repeated(copy.sitemaps)


def _repeated(sitemaps: list[Sitemap]) -> Findings:
    """Yield the URLs that lead to the page of an earlier one."""
    first: dict[str, EntryFacts] = {}
    several: dict[str, list[EntryFacts]] = {}
    for entry in entries_of(sitemaps):
        page = folded(entry.normal)
        earlier = first.setdefault(page, entry)
        if earlier is entry:
            continue
        known = several.setdefault(page, [earlier])
        same = next((each for each in known if each.url == entry.url), None)
        if same is None:
            known.append(entry)
            difference = _difference(entry, earlier)
            problem = f"lists {entry.url}, which differs from {earlier.url} only in {difference}."
            yield TWIN_URL.at(entry.spot, problem)
            continue
        other = "it" if same.sitemap == entry.sitemap else same.sitemap.where
        line = f" in line {same.line}" if same.line else ""
        problem = f"lists {entry.url}, which {other} already lists{line}."
        yield DUPLICATE_URL.at(entry.spot, problem)


def _difference(one: EntryFacts, other: EntryFacts) -> str:
    """Return in which parts two URLs differ that lead to one page."""
    first, _, fragment = one.url.partition("#")
    second, _, other_fragment = other.url.partition("#")
    differences: list[str] = []
    if one.normal == other.normal and first != second:
        differences.append(_spelling(first, second))
    if one.normal.lower() != other.normal.lower():
        ends = one.normal[-11:] + other.normal[-11:]
        has_name = "/index.html" in ends.lower()
        differences.append("index.html" if has_name else "the trailing slash")
    if _INDEX_NAME.sub("", one.normal) != _INDEX_NAME.sub("", other.normal):
        differences.append("letter case")
    if fragment != other_fragment:
        differences.append("the fragment")
    return " and ".join(differences)


def _spelling(one: str, other: str) -> str:
    """Return in which part two URLs without a fragment differ that have the same normal form."""
    if one.endswith("?") != other.endswith("?"):
        return "an empty query"
    if one.rstrip("/") == other.rstrip("/"):
        return "the trailing slash"
    scheme, _, rest = one.partition("://")
    other_scheme, _, other_rest = other.partition("://")
    host = rest.partition("/")[0]
    other_host = other_rest.partition("/")[0]
    if (scheme, host) == (other_scheme, other_host):
        if _DOTS.search(f"{rest}/") or _DOTS.search(f"{other_rest}/"):
            return "the dots in its path"
        return "its escapes"
    if (scheme.lower(), host.lower()) == (other_scheme.lower(), other_host.lower()):
        return "letter case"
    return "the spelling of the host"


def second_list(site: SiteFacts) -> Findings:
    copies = _copies(site)
    beside = {sitemap.spot: sitemap for sitemap in _beside(site)}
    lines: dict[str, Spot] = {}
    if site.robots:
        for named in site.robots.sitemaps:
            lines[urls.normal(named.url)] = site.robots.spot(named.line)
    indexes = set(map(urls.normal, site.indexes))
    for copy in copies:
        line = lines.get(copy.url)
        shared = counted(copy.shared, "page")
        others = indexes - {copy.url}
        # if not, `robots_leads_elsewhere` reports the line
        if line and not lines.keys().isdisjoint(others):
            problem = f"lists {copy.spot.where}, which repeats {shared} of {copy.of}."
            yield REDUNDANT_SITEMAP.at(line, problem)
        elif copy.spot in beside and not line:
            fix = _TURN_OFF
            if beside[copy.spot].is_index:
                name = os.path.basename(copy.spot.where)
                fix += _LINKED.format(name)
            yield REDUNDANT_SITEMAP.at(copy.spot, f"it repeats {shared} of {copy.of}.", fix)
        if copy.others:
            pages = counted(len(copy.others), "page")
            named_urls = ", ".join(entry.url for entry in copy.others[:_NAMED])
            unnamed = len(copy.others) - _NAMED
            more = f" and {unnamed:,} more" if unnamed > 0 else ""
            problem = f"lists {pages} that {copy.of} omits: {named_urls}{more}."
            yield LISTED_BESIDE_INDEX.at(copy.others[0].spot, problem)


def unlisted_sitemap(site: SiteFacts) -> Findings:
    beside = _beside(site)
    if not beside:
        return
    copies = [copy.spot for copy in _copies(site)]
    for sitemap in beside:
        if sitemap.spot in copies:
            continue
        what = "sitemap"
        fix = "List it in the index."
        if sitemap.is_index:
            what = "index"
            fix = "An index can't list another index. List its sitemaps, or add it to robots.txt."
        fix += " If it is left over from an earlier build, delete it."
        problem = f"neither an index nor robots.txt lists this {what}."
        yield UNLISTED_SITEMAP.at(sitemap.spot, problem, fix)


def hreflang_not_mutual(site: SiteFacts) -> Findings:
    if not site.variants:
        return
    for entry in entries_of(site.sitemaps):
        for url, code in site.variants.get(entry.normal, {}).items():
            # Pages outside the site, and in the rest of a file that is cut off, are not known.
            is_known = url in site.variants or not site.may_list(url)
            is_here = is_known and url != entry.normal and urls.is_within(url, site.scope)
            if is_here and entry.normal not in site.variants.get(url, {}):
                problem = (
                    f"{entry.normal} lists {url} as its variant {code!r}, but that page doesn't"
                    " list it in return."
                )
                yield HREFLANG_NOT_MUTUAL.at(entry.spot, problem)
