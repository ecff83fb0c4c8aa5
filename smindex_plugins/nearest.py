"""What a user may have meant by a pattern that matches no page: the nearest one that would match, in a sentence."""

import difflib
import re
import unicodedata
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate

from smindex_plugins import patterns, urls
from smindex_plugins.limits import MAX_SHOWN

_MOST_NAMED = 3
"""Patterns or directories that a sentence names."""
_MOST_COMPARED = 5_000
"""How many names are searched for one that is nearly the same."""
_CUTOFF = 0.7
_SOURCE = re.compile(r"\.(?:md|markdown|mkd|rst|ipynb|adoc|txt|html?|php)\Z", re.IGNORECASE)
"""The suffix of a source, or of a page in another style of URLs."""
_INDEX = re.compile(r"(?:^|(?<=/))(?:_?index|readme)\Z", re.IGNORECASE)
_OUTER = frozenset({"docs", "doc", "content", "source", "src", "site", "public", "output", "build", "html", "dist"})
"""Directories of sources and of output. No URL contains them."""
_OTHER_FILE = re.compile(r"\.(?:pdf|png|jpe?g|gif|svg|webp|ico|xml|json|css|js|map|zip|gz|mp4|woff2?)\Z", re.IGNORECASE)
_IS_REGULAR = re.compile(r"\A\(*\^|\$\)*\Z|\\[.dws]|\.[*+]|\|")
_MAY_BE_REGULAR = re.compile(r"[\\()\[\]]")
_LITERAL = re.compile(r"(?:^|/)[^*?/]+(?:/|$)")
"""A path segment without wildcards."""
_TRANSLATED = (
    (r"\A\(?\^\(?/?|\$\)?\Z", ""),
    (r"\.[*+]\??\Z", ""),
    (r"\(\.\*\)|\.[*+]\??", "**"),
    (r"\(?(?:\[[^\]]*\]|\\[dw])(?:[*+]\??|\{[\d,]+\})?\)?", "*"),
    (r"/\?", "/"),
    (r"\\([^dwsb])", r"\1"),
)
"""Parts of regular expressions, and how a pattern expresses the same."""
_DID_YOU_MEAN = "Did you mean"
NOTHING_NEAR = "Correct it, or remove it."


@dataclass(frozen=True)
class Site:
    """The pages of a site, as patterns are compared with them."""

    site_url: str
    paths: Sequence[str]
    """Relative to the address, decoded."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """The paths of pages, by the names that authors know their sources by."""
    is_of_pages: bool = True
    """Whether the paths are those of pages, not of other files."""

    def met(self, pattern: str) -> list[str]:
        """Return the paths that a pattern matches."""
        return list(filter(patterns.expression(pattern).fullmatch, self.paths)) if pattern.strip("/ ") else []

    @cached_property
    def directories(self) -> Counter[str]:
        """The directories, each with its number of pages."""
        return _directories(self.paths)

    def named(self, paths: Iterable[str]) -> list[str]:
        """Return patterns that match exactly some paths: whole directories and single pages."""
        paths = list(paths)
        if len(paths) == len(self.paths) > 1:
            return ["**"]
        inside = _directories(paths)
        found: dict[str, None] = {}
        for path in paths:
            page = path if path and not path.endswith("/") else f"{path}index.html"
            whole = (above for above in _above(path) if inside[above] == self.directories[above])
            found[next((above for above in whole if above == path or len(paths) > 1), page)] = None
        return list(found)


def _above(path: str) -> Iterator[str]:
    """Yield the directories of a path, the outermost first. The address of a directory is inside itself."""
    return accumulate(segment + "/" for segment in path.split("/")[:-1])


def _directories(paths: Iterable[str]) -> Counter[str]:
    return Counter(directory for path in paths for directory in _above(path))


def fix(pattern: str, site: Site) -> str:
    """Return what to do about a pattern that matches no page of a site."""
    text = pattern.strip().strip("'\"")
    if text.startswith("!"):
        return "A pattern cannot be negated. Remove it, and narrow the others."
    # What may be meant takes the square of a pattern's length, and nobody writes one that a message could not repeat.
    for why, meant in _readings(text, site) if len(text) <= MAX_SHOWN else ():
        if meant:
            is_question = why == _DID_YOU_MEAN
            return f"{why} {_shown(meant, 'or' if is_question else 'and')}{'?' if is_question else '.'}"
    return _without_a_guess(text, site)


def _readings(text: str, site: Site) -> Iterator[tuple[str, list[str]]]:
    """Yield what a text may be instead of a pattern, each with the patterns that express the same, if any."""
    below, regular = f"Patterns are paths below {site.site_url}:", "That is a regular expression; patterns are paths:"
    host = site.site_url.partition("://")[2].partition("/")[0]
    if "://" in text or text.startswith(("//", f"{host}/")):
        path = re.sub(r"\A(?:[a-z]+:)?//", "", text, flags=re.IGNORECASE).partition("/")[2]
        yield below, _near(_below(path, site), site) or _near(path, site)
    elif (inside := _below(text, site)) != text.lstrip("/"):
        yield below, _near(inside, site)
    if _IS_REGULAR.search(text):
        yield regular, _translated(text, site)
    yield _DID_YOU_MEAN, _near(text, site)
    if _MAY_BE_REGULAR.search(text):
        yield regular, _translated(text, site)
    if len(parts := list(filter(None, re.split(r"[,;\s]+", text)))) > 1:
        yield "Each pattern is an item of its own in the list:", [near for part in parts for near in _near(part, site)]
    if "{" in text:
        expanded = [near for each in _expanded(text) for near in _near(each, site)]
        yield "Braces have no meaning in a pattern; write each by itself:", expanded
    yield _DID_YOU_MEAN, _misspelt(text, site)


def _below(path: str, site: Site) -> str:
    """Return a path without the path at which the site is served."""
    return path.lstrip("/").removeprefix(urls.path(site.site_url)[1:])


def _expanded(text: str) -> list[str]:
    braces = re.search(r"\{([^{}]*)\}", text)
    if braces is None:
        return [text]
    before, after = text[: braces.start()], text[braces.end() :]
    return [each for choice in braces[1].split(",") for each in _expanded(before + choice.strip() + after)]


def _translated(text: str, site: Site) -> list[str]:
    """Return the patterns that match the same pages of this site as a regular expression."""
    plain = text
    for sign, meaning in _TRANSLATED:
        plain = re.sub(sign, meaning, plain)
    try:
        with warnings.catch_warnings(action="ignore"):  # of signs that may mean more in a later Python
            expression = re.compile(text.replace("^/", "^"))
    except (re.error, OverflowError, RecursionError):
        return _near(plain.strip("[]()"), site)
    found = list(filter(expression.search, site.paths))
    if not found or (len(found) == len(site.paths) and not _IS_REGULAR.search(text)):
        return _near(plain, site)
    return [plain] if site.met(plain) == found else site.named(found)


def _near(text: str, site: Site) -> list[str]:
    """Return a pattern that would match and means the same as a text in another form."""
    text = text.replace("\\", "/").partition("#")[0].strip().removeprefix("./").lstrip("/")
    for candidate in _variants(text, site):
        if site.met(candidate):
            return [candidate]
    bare = _SOURCE.sub("", text.rstrip("/"))
    deeper = [name for name in site.directories if name.endswith(f"/{bare}/")]
    below = [path for path in site.paths if path.endswith(f"/{bare}.html")]
    for meant in (_differing_in_case(text, site), deeper, below):
        if 0 < len(meant) <= _MOST_NAMED:
            return meant
    return []


def _variants(text: str, site: Site) -> Iterator[str]:
    """Yield other forms of a pattern: for a directory, a source, another style of URLs, or another root."""
    is_whole = True
    while is_whole or _LITERAL.search(text):
        yield from (text, text.rstrip("*/") + "/")
        for name, path in site.sources.items():
            if name == text or (is_whole and name.endswith(f"/{text}")):
                yield from site.named([path])
        bare = _SOURCE.sub("", text.rstrip("/"))
        if _INDEX.search(bare):
            yield _INDEX.sub("index.html", bare)
        yield from (f"{bare.rstrip('*/')}/", f"{bare}/", f"{bare}.html", bare)
        first, _, text = text.partition("/")
        is_whole = False
        if _INDEX.search(_SOURCE.sub("", text)) and first.lower() not in _OUTER:
            return


def _differing_in_case(text: str, site: Site) -> list[str]:
    wanted = _folded(text.rstrip("/") + "/")
    directories = [name for name in site.directories if _folded(name) == wanted]
    meets = patterns.expression(_folded(text)).fullmatch
    return directories or site.named(path for path in site.paths if text and meets(_folded(path)))


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


def _misspelt(text: str, site: Site) -> list[str]:
    """Return what has nearly the same spelling: a directory, a page, or a pattern in such a directory."""
    literal = re.split(r"(?<![^/])[^/]*[*?]", text, maxsplit=1)[0]
    rest = text[len(literal) :]
    wanted = (literal if rest else text).rstrip("/") + "/"
    for near in difflib.get_close_matches(wanted, list(site.directories)[:_MOST_COMPARED], n=1, cutoff=_CUTOFF):
        return [near + rest if site.met(near + rest) else near]
    for page in (text, _SOURCE.sub("", text) + "/"):
        if nearest := difflib.get_close_matches(page, site.paths[:_MOST_COMPARED], n=1, cutoff=_CUTOFF):
            return site.named(nearest)
    return []


def _without_a_guess(text: str, site: Site) -> str:
    if site.is_of_pages and _OTHER_FILE.search(text):
        return "Only pages are listed, and files that `include` names, so other files need no pattern. Remove it."
    examples = [name for name in site.directories if name.count("/") == 1] or list(filter(None, site.paths))
    such = f", such as {_shown(examples[:_MOST_NAMED], 'and')}" if examples else ""
    has_signs = _IS_REGULAR.search(text) or _MAY_BE_REGULAR.search(text)
    signs = " No signs but `*`, `**` and `?` have a meaning in them." if has_signs else ""
    return f"Patterns are paths below {site.site_url}{such}.{signs} {NOTHING_NEAR}"


def _shown(names: list[str], conjunction: str) -> str:
    named = list(dict.fromkeys(f"`{name}`" for name in names))
    more = [f"{len(named) - _MOST_NAMED:,} more"] if len(named) > _MOST_NAMED else []
    *first, last = named[:_MOST_NAMED] + more
    return f"{', '.join(first)} {conjunction} {last}" if first else last
