"""The images that a rendered page shows."""

import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from smindex_plugins.files import read_regular
from smindex_plugins.limits import MAX_IMAGES, MAX_PAGE_READ, MAX_URL_LENGTH
from smindex_plugins.markup import head, srcset, tokens
from smindex_plugins.model import Shown

_ASIDE = frozenset({"aside", "footer", "header", "nav"})
_MAIN = frozenset({"article", "main"})
_TELLING = _ASIDE | _MAIN | {"picture"}
_TRACKING = frozenset({"0", "1", "0px", "1px"})
# What a page has, in lower case, if it may have images, or if it is in UTF-16.
_OF_IMAGES = (b"<img", b"og:image", b"<source", b"\0")


def _tags_of(*names: str) -> re.Pattern[bytes]:
    """Return an expression for all of a page up to the next tag that may have one of the names or a role of main.

    Most tags matter to nothing here, and all that stand in a row are passed over in one match, since a match takes
    longer than what it reads. Letters are compared as they are written, which saves half. A quick look at two letters
    of a name, and at the beginnings of values, is enough for most; the others are looked at again. Before its `main`,
    a role may have spaces, or references to them.
    """
    letters: dict[str, str] = {}
    for length, name in itertools.product(range(3), names):
        letters[name[:length]] = letters.get(name[:length], "") + name[length] + name[length].upper()
    firsts = letters.pop("")
    seconds = "".join(following for begun, following in letters.items() if len(begun) == 1)
    main = _in_both_cases("main")
    quick = _passed(f"(?![{firsts}][{seconds}])[a-zA-Z]", rf"(?![\"']?+(?:[^!-~]|&|{main}))")
    others = "|".join(rf"{_in_both_cases(begun)}[^\W{following}]" for begun, following in letters.items())
    exact = _passed(rf"(?:(?![{firsts}])[a-zA-Z]|[a-zA-Z](?=[\s/>])|{others})", rf"(?![^\w>=&]*+(?:&|{main}))")
    passed = f"(?-i:(?:{quick})*+(?:{exact}(?:{quick})*+)*+)[^<]*+"
    return re.compile(b"%b(?:%b|<)?" % (passed.encode(), tokens.MARKUP), re.IGNORECASE | re.DOTALL)


def _passed(name: str, value: str) -> str:
    """Return an expression for a tag, and the text before it, whose name and values begin so."""
    return (
        rf"[^<]*+</?+{name}[\w:.-]*+"
        rf"(?:>|[\s/][^>=]*+(?:={value}\s*+(?:\"[^\"]*+\"|'[^']*+'|(?![\"']))[^>=]*+)*+>)"
    )


def _in_both_cases(text: str) -> str:
    return "".join(f"[{letter}{letter.upper()}]" for letter in text)


_NAMES = (
    *("script", "source", "style", "article", "aside", "picture", "plaintext", "title", "template", "textarea"),
    *("header", "base", "img", "iframe", "meta", "main", "nav", "noscript", "noembed", "noframes", "footer", "xmp"),
)
"""What matters: first those whose letters begin the names of most tags."""
_TAG = _tags_of(*_NAMES)
_TAG_OR_DIV = _tags_of(*_NAMES, "div")
_ANY_TAG = re.compile(tokens.MARKUP, re.IGNORECASE | re.DOTALL)


def read(path: str, url: str) -> Shown:
    """Return what a page shows, from as much of its file as Googlebot reads."""
    return read_content(_content(path), url)


def read_content(content: bytes, url: str) -> Shown:
    """Return what a page shows, whose file begins with so much."""
    if not _has_any(_OF_IMAGES, content):
        return Shown(url)
    parts = _Parts.of(content)
    base = head.base_url(parts.bases, url)
    return Shown(url, images=tuple(itertools.islice(_listable(parts.all_images(), base), MAX_IMAGES + 1)))


def _content(path: str) -> bytes:
    if not path:
        return b""
    try:
        return read_regular(path, MAX_PAGE_READ)
    except OSError:  # removed since it was chosen
        return b""


def _has_any(words: Collection[bytes], content: bytes) -> bool:
    if any(word in content for word in words):  # as most write them
        return True
    lowered = content.lower()
    return any(word in lowered for word in words)


class _Around:
    """The open elements, as far as they tell whether an image in them belongs to what a page is about.

    What is not closed stays open until something around it is closed, and nothing is looked at twice for that.
    """

    def __init__(self) -> None:
        self._open: list[tuple[str, frozenset[str]]] = []
        self._names: dict[str, int] = {}

    @property
    def names(self) -> frozenset[str]:
        """What those around are: their own names where these matter, and `main`."""
        return self._open[-1][1] if self._open else frozenset()

    def enter(self, name: str, *, is_main: bool) -> None:
        """Take note of the beginning of an element."""
        if name in _TELLING or is_main or name in self._names:
            own = {name} & _TELLING | ({"main"} if is_main else set())
            around = self.names
            self._open.append((name, around if own <= around else around | own))
            self._names[name] = self._names.get(name, 0) + 1

    def leave(self, name: str) -> None:
        """Take note of the end of an element, and so of all in it."""
        closed = "" if name in self._names else name  # what was never opened closes nothing
        while closed != name:
            closed, _ = self._open.pop()
            self._names[closed] -= 1
            if not self._names[closed]:
                del self._names[closed]


@dataclass(slots=True)
class _Parts:
    """What matters of a page, by one look at each of its tags; scripts run, so that `<noscript>` is none of it."""

    bases: list[str | None] = field(default_factory=list)
    metas: list[tuple[str, str]] = field(default_factory=list)
    """What a page says of itself, by the names of it in lower case."""
    has_main: bool = False
    """It marks its main content. Then only what is in it counts, less its navigation; elsewhere all that is not in the
    parts that surround a content."""
    main_images: dict[str, None] = field(default_factory=dict)
    images: dict[str, None] = field(default_factory=dict)

    @classmethod
    def of(cls, content: bytes) -> "_Parts":
        """Read a page, as broken as it may be."""
        parts, around = cls(), _Around()
        text, encoding = tokens.in_ascii(content)
        expression = _TAG
        tags = tokens.tags(text, 0, expression)
        while tag := next(tags, None):
            name = tag.name
            if name[0] == "/":
                around.leave(name[1:])
            elif name in {"img", "source"}:
                parts._add_image(name, tokens.read_attributes(tag.attributes, encoding), around.names)
            elif name in {"base", "meta"}:
                parts._add(tag, encoding)
            else:
                is_main = name in _MAIN or _has_role_of_main(tag.attributes, encoding)
                parts.has_main = parts.has_main or is_main
                around.enter(name, is_main=is_main)
                if is_main and name not in _TELLING and expression is not _ANY_TAG:
                    expression = _TAG_OR_DIV if name == "div" else _ANY_TAG  # it ends where its own name does
                    tags = tokens.tags(text, tag.end, expression)
        return parts

    def all_images(self) -> Iterator[str]:
        """Yield what its images are loaded from, first of all the one that stands for the page."""
        yield from (text for name, text in self.metas if name in {"og:image", "og:image:url"})
        yield from self.main_images if self.has_main else self.images

    def _add(self, tag: tokens.Tag, encoding: str) -> None:
        if tag.name == "meta" and b":" not in tag.attributes and b"&" not in tag.attributes:
            return  # og:image has one, or a reference to it
        said = tokens.read_attributes(tag.attributes, encoding)
        if tag.name == "base":
            self.bases.append(said.get("href"))
        else:
            name = said.get("property") or said.get("name") or ""
            self.metas.append((name.strip().lower(), said.get("content", "")))

    def _add_image(self, name: str, said: Mapping[str, str], around: frozenset[str]) -> None:
        """Take note of an image that can be seen, where it may belong to what the page is about."""
        if name == "source" and "picture" not in around:
            return
        if said.get("width") in _TRACKING or said.get("height") in _TRACKING:
            return
        sources = dict.fromkeys(_sources(name, said))
        if "main" in around and "nav" not in around:
            self.main_images |= sources
        if around.isdisjoint(_ASIDE):
            self.images |= sources


def _has_role_of_main(attributes: bytes, encoding: str) -> bool:
    if b"main" not in attributes.lower():
        return False
    return tokens.read_attributes(attributes, encoding).get("role", "").strip().lower() == "main"


def _listable(references: Iterable[str], base: str) -> Iterator[str]:
    """Yield the URLs of the images that a sitemap can list, once each."""
    seen: set[str] = set()
    for reference in references:
        if reference not in seen:
            image = head.resolve(base, reference)
            if image and image not in seen and len(image) <= MAX_URL_LENGTH:
                yield image
            seen.update((reference, image or ""))


def _sources(name: str, said: Mapping[str, str]) -> Iterator[str]:
    """Yield what an image is loaded from, the places included where scripts that load it later find it."""
    source = said.get("src", "")
    if not source.strip() or source.strip()[:5].lower() == "data:":
        source = said.get("data-src", "")
    if name == "img":
        yield source
    if candidates := said.get("srcset") or said.get("data-srcset"):
        yield srcset.largest(candidates)
