"""Where the links of a page lead, as far as a crawler follows them."""

import re
from functools import lru_cache

from smindex_plugins import urls
from smindex_plugins.markup import directives, tokens, unpublished
from smindex_plugins.markup.head import base_url

# One look at each `<` is enough: other tags than these matter to no link.
_LINKING = re.compile(
    rb"%(comment)b"
    rb"|<(?P<raw>script|style|title|textarea|noscript|iframe|noembed|noframes|xmp)(?=[\s/>])%(attributes)b"
    rb"(?:[^<]++|<(?!/(?P=raw)[\s/>]))*+"
    rb"|<(?P<name>a|area|base|meta|/?template|plaintext)(?=[\s/>])(?P<attributes>%(attributes)b)"
    % {b"comment": tokens.COMMENT, b"attributes": tokens.ATTRIBUTES_OR_END},
    re.IGNORECASE | re.DOTALL,
)


def read(content: bytes, url: str) -> frozenset[str]:
    """Return the normalised URLs to which the page at a normalised URL links, without its own.

    A link counts if it is an ``<a href>`` or an ``<area href>``, and neither it nor the page says ``nofollow``. What
    is in a comment, a template or a script is no link. The rules:
    https://developers.google.com/search/docs/crawling-indexing/links-crawlable
    """
    content, encoding = tokens.in_ascii(content)
    if unpublished.is_binary(content):
        return frozenset()
    targets: set[str] = set()
    bases: list[str | None] = []
    depth = 0
    for token in _LINKING.finditer(content):
        name = (token["name"] or b"").lower()
        if name == b"plaintext":
            break
        if name.endswith(b"template"):
            depth = depth + 1 if name == b"template" else max(depth - 1, 0)
        elif not name or depth:
            continue
        elif name == b"base":
            bases.append(tokens.read_attributes(token["attributes"], encoding).get("href"))
        elif name == b"meta":
            if _forbids_following(token["attributes"], encoding):
                return frozenset()
        else:
            targets.add(_target(token["attributes"], encoding))
    base = base_url(bases, url)
    return frozenset(_resolved(target, base) for target in targets if target) - {"", url}


def _resolved(target: str, base: str) -> str:
    """Return a reference resolved against a URL.

    Steps up are taken first, because after them most links of a site are the same ones from the same directories.
    """
    if target.startswith("?"):
        return urls.normal(target, base)
    directory = urls.directory(base)
    while target.startswith("../") and urls.path(directory) != "/":
        target, directory = target[3:], directory[: directory.rindex("/", 0, -1) + 1]
    return _joined(target or "./", directory)


_joined = lru_cache(maxsize=1 << 16)(urls.normal)


@lru_cache(maxsize=4096)  # the pages of a site share most of their links
def _target(attributes: bytes, encoding: str) -> str:
    """Return the URL in a link as it is written, without its fragment, or an empty string if there is none."""
    found = tokens.read_attributes(attributes, encoding)
    if "nofollow" in found.get("rel", "").lower().split():
        return ""
    return found.get("href", "").strip().partition("#")[0]


@lru_cache(maxsize=1024)  # as above
def _forbids_following(attributes: bytes, encoding: str) -> bool:
    found = tokens.read_attributes(attributes, encoding)
    is_for_crawlers = found.get("name", "").strip().lower() in directives.CRAWLERS
    return is_for_crawlers and directives.forbids_following(found.get("content", ""))
