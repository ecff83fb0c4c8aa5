"""What proves that another site lets ours list its URLs: a Sitemap line in its own robots.txt.

The rule: https://www.sitemaps.org/protocol.html#sitemaps_cross_submits
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from smindex_plugins import urls
from smindex_plugins.catalogue import UNPROVEN_CROSS_SITE
from smindex_plugins.model import Finding
from smindex_plugins.sitemaps import robots
from smindex_plugins.sitemaps.robots import Robots


@dataclass(frozen=True, slots=True)
class Consents:
    """The robots.txt of other origins, by origin; one that could not be read says why, and agrees to nothing."""

    robots: dict[str, Robots] = field(default_factory=dict)

    def joined(self, others: "Consents") -> "Consents":
        """Return all that is known of both; where both read an origin's robots.txt, the other one's counts."""
        return Consents(self.robots | others.robots)

    def readable(self) -> dict[str, Robots]:
        """Return what could be read."""
        return {origin: found for origin, found in self.robots.items() if not found.failure}

    def proven(self, *listed_by: str) -> frozenset[str]:
        """Return the origins that agree to be listed by one of some files, be it an index or a sitemap."""
        return frozenset(origin for origin in self.robots if self.names(origin, *listed_by))

    def names(self, origin: str, *listed_by: str) -> bool:
        """Whether an origin's robots.txt names one of some files of another origin.

        What a site's own robots.txt names does not lift the scope of its directories.
        """
        if any(urls.origin(url) == origin for url in listed_by):
            return False
        named = self.robots[origin].named()
        return not (named | set(map(_undivided, named))).isdisjoint(listed_by)

    def unproven(self, index_url: str, proven: Iterable[str]) -> Iterator[Finding]:
        """Say of each origin that does not agree which line it lacks, or why nobody knows."""
        for origin, found in sorted(self.robots.items(), key=lambda item: (not item[1].failure, item[0])):
            if origin not in proven:
                yield _unproven(origin, found, index_url)


def read_consents(
    places: Iterable[tuple[str, str]], beside: str = "", fetch: Callable[[str], bytes] | None = None
) -> Consents:
    """Read the robots.txt of each origin from a file, or a directory, or with ``fetch`` from a URL.

    Relative paths are relative to the directory ``beside``. Where ``fetch`` can get nothing, it raises an OSError.
    """
    return Consents({origin: _read(origin, place, beside, fetch) for origin, place in places})


def is_url(place: str) -> bool:
    """Whether the place of a robots.txt is a URL, and not a path."""
    return re.match(r"https?://", place, re.IGNORECASE) is not None


def _read(origin: str, place: str, beside: str, fetch: Callable[[str], bytes] | None) -> Robots:
    served_at = f"{origin}/{robots.NAME}"
    try:
        if not is_url(place):
            path = os.path.join(beside, place)
            path = os.path.join(path, robots.NAME) if os.path.isdir(path) else path
            return robots.read(path, path, served_at)
        if fetch is None:
            return Robots(where=place, failure="a build asks no other site")
        url = urls.normalise(place)
        url = url if urls.path(url) != "/" else url + robots.NAME
        return robots.parse(fetch(url), url, url=served_at)
    except OSError as error:
        return Robots(where=place, failure=error.strerror or str(error))


def _undivided(url: str) -> str:
    """Return the URL that a file would have if it were not a part of one that is over a limit."""
    stem, suffix, packed = url.rpartition(".xml")
    return re.sub(r"-[0-9a-f]+\Z", "", stem) + suffix + packed


def _unproven(origin: str, found: Robots, index_url: str) -> Finding:
    if found.failure:
        return UNPROVEN_CROSS_SITE.at(
            found,
            f"it cannot be read, so nothing proves that {origin} agrees to be listed: {found.failure}.",
            f"Give the robots.txt of {origin}, or the directory that holds it.",
        )
    if origin == urls.origin(index_url):
        return UNPROVEN_CROSS_SITE.at(
            origin,
            "it is the origin of the site itself, whose robots.txt does not lift the scope of a directory.",
            "Remove it from cross_site, and put the index into a directory above all that it lists.",
        )
    return UNPROVEN_CROSS_SITE.at(
        found,
        f"no Sitemap line of it names {index_url}, so {origin} does not agree to be listed there.",
        f"Add this line to {origin}/robots.txt: `Sitemap: {index_url}`",
    )
