"""Checks across the sitemaps of a site: duplicate URLs, redundant sitemaps, and one-sided language
variants.
"""

import os
import re
from collections import defaultdict
from itertools import chain
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
from smindex_plugins.checks._site import OURS, EntryFacts, SiteFacts, Sitemap
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
        own = urls.normal(sitemap.spot.url)
        groups[site.children.get(own, own)].append(sitemap)
    indexes = set(site.children.values()) & groups.keys()
    beside = _beside(site)
    if not indexes or len(groups) + len(beside) + len(site.flats) == 1:
        return []
    sizes = {key: sum(len(sitemap.entries) for sitemap in group) for key, group in groups.items()}
    main = OURS if OURS in indexes else max(indexes, key=sizes.__getitem__)
    index = next(spot.where for spot in site.indexes if main in {OURS, urls.normal(spot.url)})
    pages = {folded(entry.normal) for sitemap in groups.pop(main) for entry in sitemap.entries}
    flats = site.flats
    for other in beside:
        listed = {entry.normal for entry in other.entries}
        children = [
            each
            for each in (*site.unlisted_sitemaps, *flats)
            if urls.normal(each.spot.url) in listed
        ]
        groups[urls.normal(other.spot.url)] = children if other.is_index else [other]
        flats = [flat for flat in flats if flat not in children]
    spots = [*site.indexes, *(other.spot for other in beside)]
    found = []
    for key, group in [*groups.items(), *(("", [flat]) for flat in flats)]:
        entries = [entry for sitemap in group for entry in sitemap.entries]
        others = [entry for entry in entries if folded(entry.normal) not in pages]
        if not key or (
            2 * len(others) < len(entries) and not any(sitemap.is_news for sitemap in group)
        ):
            spot = next((spot for spot in spots if urls.normal(spot.url) == key), group[0].spot)
            missed = (entry for entry in others if not site.may_list(entry.normal))
            here = {
                entry.normal: entry for entry in missed if urls.is_within(entry.normal, site.scope)
            }
            found.append(Copy(group, spot, index, len(entries) - len(others), list(here.values())))
    return found


def _beside(site: SiteFacts) -> list[Sitemap]:
    """Return the unlisted sitemaps and indexes, except those that such an index lists."""
    entries = chain.from_iterable(
        index.entries for index in site.unlisted_sitemaps if index.is_index
    )
    listed = {entry.normal for entry in entries if entry.normal != urls.normal(entry.sitemap.url)}
    return [each for each in site.unlisted_sitemaps if urls.normal(each.spot.url) not in listed]


def repeated_url(site: SiteFacts) -> Findings:
    copies = _copies(site)
    copied = [sitemap for copy in copies for sitemap in copy.sitemaps]
    # News articles are also in the sitemap of their section, and a copy repeats the pages of the
    # index.
    rest = [sitemap for sitemap in site.sitemaps if not (sitemap.is_news or sitemap in copied)]
    for sitemaps in [
        rest,
        *(copy.sitemaps for copy in copies if copy.sitemaps[0] in site.sitemaps),
    ]:
        first: dict[str, EntryFacts] = {}
        several: dict[str, list[EntryFacts]] = {}
        for entry in chain.from_iterable(sitemap.entries for sitemap in sitemaps):
            page = folded(entry.normal)
            if (earlier := first.setdefault(page, entry)) is entry:
                continue
            known = several.setdefault(page, [earlier])
            if same := next((each for each in known if each.url == entry.url), None):
                other = "it" if same.sitemap == entry.sitemap else same.sitemap.where
                line = f" in line {same.line}" if same.line else ""
                yield DUPLICATE_URL.at(
                    entry.spot, f"lists {entry.url}, which {other} already lists{line}."
                )
            else:
                known.append(entry)
                problem = (
                    f"lists {entry.url}, which differs from {earlier.url} only in"
                    f" {_difference(entry, earlier)}."
                )
                yield TWIN_URL.at(entry.spot, problem)


def _difference(one: EntryFacts, other: EntryFacts) -> str:
    """Return in which parts two URLs differ that lead to one page."""
    (first, _, fragment), (second, _, other_fragment) = (
        one.url.partition("#"),
        other.url.partition("#"),
    )
    differences = []
    if one.normal == other.normal and first != second:
        differences.append(_spelling(first, second))
    if one.normal.lower() != other.normal.lower():
        has_name = "/index.html" in one.normal[-11:].lower() + other.normal[-11:].lower()
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
    (scheme, _, rest), (other_scheme, _, other_rest) = one.partition("://"), other.partition("://")
    host, other_host = rest.partition("/")[0], other_rest.partition("/")[0]
    if (scheme, host) == (other_scheme, other_host):
        return (
            "the dots in its path"
            if _DOTS.search(f"{rest}/") or _DOTS.search(f"{other_rest}/")
            else "its escapes"
        )
    is_same_host = (scheme.lower(), host.lower()) == (other_scheme.lower(), other_host.lower())
    return "letter case" if is_same_host else "the spelling of the host"


def second_list(site: SiteFacts) -> Findings:
    copies, beside = _copies(site), {sitemap.spot: sitemap for sitemap in _beside(site)}
    lines = (
        {urls.normal(line.url): site.robots.spot(line.line) for line in site.robots.sitemaps}
        if site.robots
        else {}
    )
    indexes = {urls.normal(spot.url) for spot in site.indexes}
    for copy in copies:
        own = urls.normal(copy.spot.url)
        line = lines.get(own)
        # if not, `robots_leads_elsewhere` reports the line
        if line and not lines.keys().isdisjoint(indexes - {own}):
            problem = (
                f"lists {copy.spot.where}, which repeats {counted(copy.shared, 'page')} of"
                f" {copy.of}."
            )
            yield REDUNDANT_SITEMAP.at(line, problem)
        elif copy.spot in beside and not line:
            problem = f"it repeats {counted(copy.shared, 'page')} of {copy.of}."
            linked = (
                _LINKED.format(os.path.basename(copy.spot.where))
                if beside[copy.spot].is_index
                else ""
            )
            yield REDUNDANT_SITEMAP.at(copy.spot, problem, _TURN_OFF + linked)
        if copy.others:
            named = ", ".join(entry.url for entry in copy.others[:_NAMED])
            more = f" and {len(copy.others) - _NAMED:,} more" if len(copy.others) > _NAMED else ""
            problem = (
                f"lists {counted(len(copy.others), 'page')} that {copy.of} omits: {named}{more}."
            )
            yield LISTED_BESIDE_INDEX.at(copy.others[0].spot, problem)


def unlisted_sitemap(site: SiteFacts) -> Findings:
    beside = _beside(site)
    copies = [copy.spot for copy in _copies(site)] if beside else []
    for sitemap in beside:
        what, fix = "sitemap", "List it in the index."
        if sitemap.is_index:
            what, fix = (
                "index",
                "An index can't list another index. List its sitemaps, or add it to robots.txt.",
            )
        if sitemap.spot not in copies:
            fix += " If it is left over from an earlier build, delete it."
            yield UNLISTED_SITEMAP.at(
                sitemap.spot, f"neither an index nor robots.txt lists this {what}.", fix
            )


def hreflang_not_mutual(site: SiteFacts) -> Findings:
    for entry in chain.from_iterable(sitemap.entries for sitemap in site.sitemaps if site.variants):
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
