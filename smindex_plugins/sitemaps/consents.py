"""What proves that another site lets ours list its URLs: a Sitemap line in its own robots.txt.

The rule: https://www.sitemaps.org/protocol.html#sitemaps_cross_submits
"""

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from smindex_plugins import urls
from smindex_plugins.limits import MAX_ROBOTS
from smindex_plugins.model import Finding
from smindex_plugins.sitemaps import robots
from smindex_plugins.sitemaps.robots import Robots


class Answer(Protocol):
    """What a server answered."""

    @property
    def is_ok(self) -> bool: ...  # noqa: D102
    @property
    def problem(self) -> str: ...  # noqa: D102

    content: bytes


class Fetcher(Protocol):
    """What asks servers."""

    def get(self, url: str, most: int) -> Answer: ...  # noqa: D102


@dataclass(slots=True, kw_only=True)
class Consents:
    """The robots.txt of other origins, and what is wrong with those that could not be read."""

    robots: dict[str, Robots] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def joined(self, others: "Consents") -> "Consents":
        """Give all that is known of both; where both read an origin's robots.txt, the other one's counts."""
        return Consents(robots=self.robots | others.robots, findings=[*self.findings, *others.findings])

    def proven(self, *listed_by: str) -> frozenset[str]:
        """Find the origins that agree to be listed by one of some files, be it an index or a sitemap."""
        return frozenset(origin for origin in self.robots if self.names(origin, *listed_by))

    def names(self, origin: str, *listed_by: str) -> bool:
        """Tell whether an origin's robots.txt names one of some files of another origin.

        What a site's own robots.txt names does not lift the scope of its directories.
        """
        if any(urls.origin(url) == origin for url in listed_by):
            return False
        named = self.robots[origin].named()
        return not (named | set(map(_undivided, named))).isdisjoint(listed_by)

    def unproven(self, index_url: str, proven: Iterable[str]) -> Iterator[Finding]:
        """Say of each origin that does not agree which line it lacks."""
        for origin in sorted(self.robots.keys() - set(proven)):
            is_own = origin == urls.origin(index_url)
            yield _own_origin(origin) if is_own else _unproven(origin, self.robots[origin], index_url)


def read_consents(places: Iterable[tuple[str, str]], beside: str = "", fetcher: Fetcher | None = None) -> Consents:
    """Read the robots.txt of each origin from a file, or a directory, or if there is a fetcher from a URL.

    Relative paths are relative to the directory ``beside``.
    """
    consents = Consents()
    for origin, place in places:
        try:
            consents.robots[origin] = _read(origin, place, beside, fetcher)
        except OSError as error:
            consents.findings.append(_unreadable(origin, place, error))
    return consents


def is_url(place: str) -> bool:
    """Tell a URL from a path."""
    return re.match(r"https?://", place, re.IGNORECASE) is not None


def _read(origin: str, place: str, beside: str, fetcher: Fetcher | None) -> Robots:
    if is_url(place):
        if fetcher is None:
            message = "a build asks no other site"
            raise OSError(message)
        url = urls.normalise(place)
        url = url if urls.path(url) != "/" else f"{url}robots.txt"
        answer = fetcher.get(url, MAX_ROBOTS)
        if not answer.is_ok:
            raise OSError(answer.problem)
        return robots.parse(answer.content, Robots(where=url, url=f"{origin}/robots.txt"))
    path = os.path.join(beside, place)
    path = os.path.join(path, "robots.txt") if os.path.isdir(path) else path
    with open(path, "rb") as file:
        return robots.parse(file.read(MAX_ROBOTS), Robots(where=path, file=path, url=f"{origin}/robots.txt"))


def _undivided(url: str) -> str:
    """Give the URL that a file would have if it were not a part of one that is over a limit."""
    stem, suffix, packed = url.rpartition(".xml")
    return re.sub(r"-[0-9a-f]+\Z", "", stem) + suffix + packed


def _unproven(origin: str, found: Robots, index_url: str) -> Finding:
    return Finding(
        check="unproven-cross-site",
        level="error",
        where=found.where,
        problem=f"no Sitemap line of it names {index_url}, so {origin} does not agree to be listed there.",
        fix=f"Add this line to {origin}/robots.txt: `Sitemap: {index_url}`",
        file=found.file,
    )


def _unreadable(origin: str, place: str, error: OSError) -> Finding:
    return Finding(
        check="unproven-cross-site",
        level="error",
        where=place,
        problem=f"it cannot be read, so nothing proves that {origin} agrees to be listed: {error.strerror or error}.",
        fix=f"Give the robots.txt of {origin}, or the directory that holds it.",
    )


def _own_origin(origin: str) -> Finding:
    return Finding(
        check="unproven-cross-site",
        level="error",
        where=origin,
        problem="it is the origin of the site itself, whose robots.txt does not lift the scope of a directory.",
        fix="Remove it from cross_site, and put the index into a directory above all that it lists.",
    )
