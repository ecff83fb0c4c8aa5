"""What a user may have meant by a pattern that matches nothing: the nearest one that would match, in a sentence."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from smindex_plugins import patterns, urls
from smindex_plugins.text import did_you_mean

_MOST_COMPARED = 5_000
"""How many names are searched for one that is nearly the same."""
_SOURCE = re.compile(r"\.(?:md|markdown|mkd|rst|ipynb|adoc|txt|html?|php)\Z", re.IGNORECASE)
"""The suffix of a source, or of a page in another style of URLs."""
_OTHER_FILE = re.compile(r"\.(?:pdf|png|jpe?g|gif|svg|webp|ico|xml|json|css|js|map|zip|gz|mp4|woff2?)\Z", re.IGNORECASE)
_NO_WILDCARD = re.compile(r"[\^$()\[\]{}|,]|\.\*|\\[.dsw]")
"""What is common in regular expressions and lists, and means nothing in a pattern."""
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


def fix(pattern: str, site: Site) -> str:
    """Return what to do about a pattern that matches no page of a site."""
    text = pattern.strip(" '\"")
    text = text.removeprefix("^").removesuffix("$").removesuffix(".*")  # as former tools wanted them
    if text.startswith("!"):
        return "A pattern cannot be negated. Remove it, and narrow the others."
    directories = list(dict.fromkeys(directory for path in site.paths for directory in _directories(path)))
    host = re.escape(urls.origin(site.site_url).partition("://")[2])
    text = re.sub(rf"\A(?:\w+://[^/]*|{host}(?=/))", "", text).partition("#")[0]
    has_other_signs = _NO_WILDCARD.search(text) is not None
    text = text.replace("\\", "/").removeprefix("./").lstrip("/").removeprefix(urls.path(site.site_url)[1:])
    if text and not has_other_signs and (near := _nearest(text, site, directories)):
        return f"Did you mean `{near}`?"
    if site.is_of_pages and _OTHER_FILE.search(text):
        return "Only pages are listed, and files that `include` names, so other files need no pattern. Remove it."
    examples = [name for name in directories if name.count("/") == 1] or list(filter(None, site.paths))
    *first, last = [f"`{name}`" for name in examples[:3]] or [""]
    such = f", such as {', '.join(first)} and {last}" if first else f", such as {last}" if last else ""
    signs = " No signs but `*`, `**` and `?` have a meaning in them." if has_other_signs else ""
    return f"Patterns are paths below {site.site_url}{such}.{signs} {NOTHING_NEAR}"


def _nearest(text: str, site: Site, directories: Sequence[str]) -> str:
    """Return the pattern that a text in another form means, or has nearly the same spelling, or an empty string."""
    for source, path in site.sources.items():
        if source == text or source.endswith(f"/{text}"):
            return _pattern_of(path, site)
    below_root = text.partition("/")[2]  # without the directory of the sources or of the output
    for name in [text] if re.search(r"[*?]", below_root) else [text, below_root]:
        plain = _SOURCE.sub("", name).rstrip("/")
        bare = plain.rstrip("*/")
        for candidate in filter(None, (name, bare and f"{bare}/", f"{plain}/", plain and f"{plain}.html")):
            if candidate.strip("/") and any(map(patterns.expression(candidate).fullmatch, site.paths)):
                return candidate
        deeper = (each for each in (*directories, *site.paths) if each.endswith((f"/{bare}/", f"/{bare}.html")))
        if bare and (found := next(deeper, "")):
            return found
    literal = re.split(r"[*?]", text, maxsplit=1)[0]
    literal = literal if literal == text else literal[: literal.rfind("/") + 1]
    known = {each.lower(): each for each in [*directories[:_MOST_COMPARED], *site.paths[:_MOST_COMPARED]]}
    spellings = (_SOURCE.sub("", literal).lower().rstrip("/") + "/", literal.lower())
    nearest = next(filter(None, (known.get(did_you_mean(each, known)) for each in spellings)), "")
    nearest += text[len(literal) :]
    return nearest if any(map(patterns.expression(nearest).fullmatch, site.paths)) else ""


def _pattern_of(path: str, site: Site) -> str:
    """Return the pattern of one page: of its directory, if that has no other."""
    is_alone = path and sum(each.startswith(path) for each in site.paths) == 1
    return path if is_alone or (not path.endswith("/") and path) else f"{path}index.html"


def _directories(path: str) -> Iterator[str]:
    """Yield the directories of a path, the outermost first. The address of a directory is inside itself."""
    return accumulate(segment + "/" for segment in path.split("/")[:-1])
