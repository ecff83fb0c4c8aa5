"""What a robots.txt says: its Sitemap lines, which URLs a crawler may fetch (RFC 9309), and who may list its site.

Matching is written here, because the libraries at hand are more generous than crawlers: they take a group of `google`
for one of Googlebot's, and an allowed index.html for its directory.
"""

import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from smindex_plugins import urls
from smindex_plugins.catalogue import UNPROVEN_CROSS_SITE
from smindex_plugins.limits import MAX_ROBOTS
from smindex_plugins.model import Finding

NAME = "robots.txt"
_CRAWLER = "googlebot"


class _Rules:
    """The rules of one group: the longest that matches wins, and Allow wins among equally long ones."""

    def __init__(self, rules: Iterable[tuple[bool, str]] = ()) -> None:
        self._plain: dict[str, bool] = {}
        wild: list[tuple[str, bool]] = []
        for is_allowed, pattern in rules:
            if "*" in pattern or pattern.endswith("$"):
                wild.append((_encoded(pattern), is_allowed))
            elif pattern:  # an empty rule matches nothing
                path = _encoded(pattern)
                self._plain[path] = self._plain.get(path, False) or is_allowed
        # Longest first, and Allow before Disallow, so that the first match decides.
        self._wild = sorted(dict.fromkeys(wild), key=lambda rule: (-len(rule[0]), not rule[1]))
        self._lengths = sorted({len(path) for path in self._plain}, reverse=True)
        self._forbids = not all([*self._plain.values(), *(is_allowed for _, is_allowed in wild)])

    def blocking(self, path: str) -> str | None:
        """Return the pattern that forbids a path with its query, or None."""
        if not self._forbids:
            return None
        plain = next((path[:size] for size in self._lengths if path[:size] in self._plain), "")
        wild, allows = next((rule for rule in self._wild if _matches(rule[0], path)), ("", True))
        candidates = [(len(plain), self._plain.get(plain, True), plain), (len(wild), allows, wild)]
        _, is_allowed, pattern = max(candidates)
        return None if is_allowed else pattern


def _matches(pattern: str, path: str) -> bool:
    """Compare piece by piece, in time that many asterisks cannot make long."""
    is_anchored = pattern.endswith("$")
    first, *pieces = pattern.removesuffix("$").split("*")
    if not path.startswith(first):
        return False
    position = len(first)
    last = pieces.pop() if is_anchored and pieces else None
    for piece in pieces:
        found = path.find(piece, position)
        if found < 0:
            return False
        position = found + len(piece)
    if last is not None:
        return path.endswith(last) and len(path) - len(last) >= position
    return not is_anchored or position == len(path)


def _encoded(pattern: str) -> str:
    """Bring a pattern into the form of normalised URLs, but for its asterisks and the dollar sign at its end."""
    anchor = "$" if pattern.endswith("$") else ""
    return "*".join(map(urls.encoded_path, pattern.removesuffix("$").split("*"))) + anchor


@dataclass(frozen=True, slots=True)
class SitemapLine:
    """A `Sitemap:` line: its number and what it names."""

    line: int
    url: str


@dataclass(slots=True)
class Robots:
    """A robots.txt as a crawler reads it."""

    where: str = NAME
    file: str = ""
    url: str = ""
    """The URL that serves it, empty for one that no crawler reads."""
    content: bytes = b""
    """What was read of it: at most a byte more than crawlers read."""
    sitemaps: list[SitemapLine] = field(default_factory=list)
    size: int = 0
    is_html: bool = False
    is_utf8: bool = True
    failure: str = ""
    """Why it could not be read; where a server is at fault, crawlers take all for forbidden."""
    rules: _Rules = field(default_factory=_Rules)

    def blocks(self, normal_url: str) -> str | None:
        """Return the rule that forbids a normalised URL of this host to Googlebot, or None where it may be fetched."""
        return self.rules.blocking(urls.path(normal_url))

    def named(self) -> set[str]:
        """Return what its Sitemap lines name, normalised."""
        return {urls.normal(line.url) for line in self.sitemaps}

    def lacks(self, normal_urls: Iterable[str]) -> list[str]:
        """Return those of some normalised URLs that no Sitemap line names."""
        named = self.named()
        return [url for url in normal_urls if url not in named]


def read(file: str, where: str = NAME, url: str = "") -> Robots:
    """Return what a file on this machine says.

    Raises:
        OSError: it cannot be read.
    """
    with open(file, "rb") as stream:
        robots = parse(stream.read(MAX_ROBOTS + 1), where, file, url)
        robots.size = os.fstat(stream.fileno()).st_size
    return robots


def parse(content: bytes, where: str = NAME, file: str = "", url: str = "") -> Robots:
    """Return what a robots.txt says, whose lines beyond the size that crawlers read do not count."""
    robots = Robots(where=where, file=file, url=url, content=content, size=len(content))
    text = content[:MAX_ROBOTS].decode("utf-8", "replace").removeprefix("\ufeff")
    robots.is_utf8 = "\ufffd" not in text[:-1] and "\0" not in text  # the last character may be cut in two
    robots.is_html = text.lstrip()[:100].lower().startswith(("<!doctype", "<html"))
    groups: dict[str, list[tuple[bool, str]]] = defaultdict(list)
    agents: list[str] = []
    is_open = False
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        name, colon, value = (part.strip() for part in line.partition("#")[0].partition(":"))
        name = name.lower() if colon else ""
        if name == "sitemap":
            robots.sitemaps.append(SitemapLine(number, value))
        elif name == "user-agent":
            agent = "*" if value.startswith("*") else re.split(r"[^A-Za-z_-]", value, maxsplit=1)[0].lower()
            agents = [*(agents if is_open else []), agent]
            is_open = True
            _ = groups[agent]  # a group without rules allows everything
        elif name in {"allow", "disallow"}:
            is_open = False
            for agent in agents:
                groups[agent].append((name == "allow", value))
    robots.rules = _Rules(groups[_CRAWLER] if _CRAWLER in groups else groups.get("*", []))
    return robots


@dataclass(frozen=True, slots=True)
class Consents:
    """What proves that other sites let ours list their URLs: a Sitemap line in the robots.txt of each.

    The rule: https://www.sitemaps.org/protocol.html#sitemaps_cross_submits
    """

    robots: dict[str, Robots] = field(default_factory=dict)
    """By origin; one that could not be read says why, and agrees to nothing."""

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
            if origin in proven:
                continue
            where: Robots | str = found
            if found.failure:
                problem = f"it cannot be read, so nothing proves that {origin} agrees to be listed: {found.failure}."
                fix = f"Give the robots.txt of {origin}, or the directory that holds it."
            elif origin == urls.origin(index_url):
                where = origin
                problem = (
                    "it is the origin of the site itself, whose robots.txt does not lift the scope of a directory."
                )
                fix = "Remove it from cross_site, and put the index into a directory above all that it lists."
            else:
                problem = f"no Sitemap line of it names {index_url}, so {origin} does not agree to be listed there."
                fix = f"Add this line to {origin}/robots.txt: `Sitemap: {index_url}`"
            yield UNPROVEN_CROSS_SITE.at(where, problem, fix)


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
    served_at = f"{origin}/{NAME}"
    try:
        if not is_url(place):
            path = os.path.join(beside, place)
            path = os.path.join(path, NAME) if os.path.isdir(path) else path
            return read(path, path, served_at)
        if fetch is None:
            return Robots(where=place, failure="a build asks no other site")
        url = urls.normalise(place)
        url = url if urls.path(url) != "/" else url + NAME
        return parse(fetch(url), url, url=served_at)
    except OSError as error:
        return Robots(where=place, failure=error.strerror or str(error))


def _undivided(url: str) -> str:
    """Return the URL that a file would have if it were not a part of one that is over a limit."""
    stem, suffix, packed = url.rpartition(".xml")
    return re.sub(r"-[0-9a-f]+\Z", "", stem) + suffix + packed
