"""What a robots.txt says: its Sitemap lines, and which URLs a crawler may fetch (RFC 9309).

Matching is written here, because the libraries at hand are more generous than crawlers: they take a group of `google`
for one of Googlebot's, and an allowed index.html for its directory.
"""

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from smindex_plugins import urls
from smindex_plugins.limits import MAX_ROBOTS

NAME = "robots.txt"

_TOKEN = re.compile(r"[A-Za-z_-]*")
_CRAWLER = "googlebot"


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
    rules: "_Rules" = field(default_factory=lambda: _Rules())  # noqa: PLW0108 - it is defined below

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
    for number, field_name, value in _fields(text):
        if field_name == "sitemap":
            robots.sitemaps.append(SitemapLine(number, value))
        elif field_name == "user-agent":
            agents = [*(agents if is_open else []), _agent(value)]
            is_open = True
            _ = groups[agents[-1]]  # a group without rules allows everything
        elif field_name in {"allow", "disallow"}:
            is_open = False
            for agent in agents:
                groups[agent].append((field_name == "allow", value))
    robots.rules = _Rules(groups[_CRAWLER] if _CRAWLER in groups else groups.get("*", []))
    return robots


def _fields(text: str) -> Iterator[tuple[int, str, str]]:
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        name, colon, value = line.partition("#")[0].partition(":")
        if colon:
            yield number, name.strip().lower(), value.strip()


def _agent(value: str) -> str:
    return "*" if value.startswith("*") else (_TOKEN.match(value) or [""])[0].lower()


class _Rules:
    """The rules of one group: the longest that matches wins, and Allow wins among equally long ones."""

    def __init__(self, rules: list[tuple[bool, str]] | None = None) -> None:
        self._plain: dict[str, bool] = {}
        wild: list[tuple[str, bool]] = []
        for is_allowed, pattern in rules or []:
            if not pattern:  # an empty rule matches nothing
                continue
            if "*" in pattern or pattern.endswith("$"):
                wild.append((_encoded(pattern), is_allowed))
            else:
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
    pieces = pattern.removesuffix("$").split("*")
    anchor = "$" if pattern.endswith("$") else ""
    return "*".join(map(urls.encoded_path, pieces)) + anchor
