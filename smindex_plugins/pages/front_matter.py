"""What an author says about a page in its front matter, and what is wrong with how it was said."""

import re
import tomllib
from collections.abc import Mapping

from smindex_plugins import yamltext
from smindex_plugins.catalogue import INVALID_DEPENDS, INVALID_FRONT_MATTER
from smindex_plugins.dates import w3c_date
from smindex_plugins.model import Finding, Page
from smindex_plugins.patterns import is_file_pattern

_MOST_BYTES = 1 << 16
_FENCED = re.compile(
    r"\A(?P<fence>---|\+\+\+)[ \t]*\r?\n(?P<text>.*?)^(?:(?P=fence)|\.\.\.)[ \t]*\r?$", re.DOTALL | re.MULTILINE
)
_HUGO_SITEMAP_KEYS = frozenset({"changefreq", "disable", "filename", "priority"})

DATE_KEYS = ("sitemap.lastmod", "lastmod", "updated", "modified", "date.updated")
"""Where an author's date is looked for, first match first; `date.updated` is what blog plugins use."""
_SITEMAP_KEYS = {
    "exclude": "true or false",
    "images": "true, false, or a list of image URLs",
    "lastmod": "a date",
}
_SWITCHES = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def read(path: str) -> Mapping[str, object] | None:
    """Return what stands above the text of a source file, its keys in lower case, or None where there is nothing.

    That is YAML between lines of ``---``, or TOML between lines of ``+++``. What cannot be read counts as nothing, as
    it does to the generators that ignore it; the others have said so when they built the page.
    """
    try:
        with open(path, "rb") as file:
            if file.read(6).removeprefix(b"\xef\xbb\xbf")[:3] not in {b"---", b"+++"}:
                return None
            file.seek(0)
            fenced = _FENCED.match(file.read(_MOST_BYTES).decode("utf-8-sig", "replace"))
            if fenced is None:
                return None
            said = yamltext.load(fenced["text"]) if fenced["fence"] == "---" else tomllib.loads(fenced["text"])
    except (OSError, ValueError, RecursionError):
        return None
    return _in_our_words({str(key).lower(): value for key, value in said.items()}) if isinstance(said, dict) else None


def _in_our_words(said: dict[str, object]) -> dict[str, object]:
    """Take what Hugo lets its authors write below `sitemap` for what it means here."""
    sitemap = said.get("sitemap")
    if isinstance(sitemap, Mapping) and not _HUGO_SITEMAP_KEYS.isdisjoint(sitemap):
        own = {key: value for key, value in sitemap.items() if key not in _HUGO_SITEMAP_KEYS}
        return {**said, "sitemap": {**own, "exclude": sitemap["disable"]} if "disable" in sitemap else own}
    return said


def author_date(page: Page, findings: list[Finding]) -> str | None:
    """Return the date that the author wrote, if it is one."""
    for key in DATE_KEYS if page.details.meta else ():
        said = author_value(page, key)
        if said is None or said == "":
            continue
        lastmod = w3c_date(said)
        if lastmod is None:
            problem = f"its front matter says {key}: {said!r}, which is no date."
            fix = "Write YYYY-MM-DD, or YYYY-MM-DDThh:mm:ss with a zone (Z or +hh:mm)."
            findings.append(INVALID_FRONT_MATTER.at(page.name, problem, fix))
        return lastmod
    return None


def author_publication(page: Page) -> str | None:
    """Return the W3C date on which the author says that the page appeared: ``date``, or what blogs write below it."""
    return w3c_date(author_value(page, "date.created")) or w3c_date(author_value(page, "date"))


def author_images(page: Page) -> bool | tuple[str, ...] | None:
    """Whether the author wants the page's images listed, or which; None if the author does not say."""
    said = author_value(page, "sitemap.images")
    return tuple(map(str, said)) if isinstance(said, list) else switch(said)


def find_mistakes(page: Page, findings: list[Finding]) -> None:
    """Find what is wrong with a page's ``sitemap`` key; the page keeps its defaults then."""
    said = page.details.meta.get("sitemap") if page.details.meta else None
    if said is None or switch(said) is not None:
        return
    if not isinstance(said, Mapping):
        fix = "Write true, false, or a mapping of " + ", ".join(_SITEMAP_KEYS) + "."
        findings.append(INVALID_FRONT_MATTER.at(page.name, f"its front matter says sitemap: {said!r}.", fix))
        return
    for key, value in said.items():
        if fix := _mistake(str(key), value):
            what = f"sitemap.{key}: {value!r}." if key in _SITEMAP_KEYS else f"sitemap.{key}, which is no key."
            findings.append(INVALID_FRONT_MATTER.at(page.name, f"its front matter says {what}", fix))


def _mistake(key: str, value: object) -> str:
    """Return how to mend a key below ``sitemap``, or nothing where it is right."""
    if key not in _SITEMAP_KEYS:
        import difflib  # noqa: PLC0415 - only a mistake needs it

        nearest = difflib.get_close_matches(key, _SITEMAP_KEYS, n=1)
        return f"Did you mean {nearest[0]}?" if nearest else f"Known are {', '.join(_SITEMAP_KEYS)}."
    if key == "images" and isinstance(value, list):
        is_right = all(isinstance(image, str) and image.strip() for image in value)
    else:
        is_right = key == "lastmod" or switch(value) is not None
    return "" if is_right else f"Write {_SITEMAP_KEYS[key]}."


def depends(page: Page, findings: list[Finding]) -> tuple[str, ...]:
    """Return the patterns of files that the author wrote under ``depends``, one or a list."""
    value = page.details.meta.get("depends") if page.details.meta else None
    if value is None:
        return ()
    given = [value] if isinstance(value, str) else value
    if isinstance(given, list | tuple) and all(is_file_pattern(pattern) for pattern in given):
        return tuple(given)
    problem = f"its front matter says depends: {value!r}, which does not name files."
    findings.append(INVALID_DEPENDS.at(page.name, problem))
    return ()


def switch(value: object) -> bool | None:
    """Whether a value means yes or no; None for any other. The metadata of some hosts are always text."""
    if isinstance(value, str):
        return _SWITCHES.get(value.strip().lower())
    return value if isinstance(value, bool) else None


def author_value(page: Page, key: str) -> object:
    """Return what the author wrote under a key, or under one below it, such as ``sitemap.lastmod``; None if nothing."""
    outer, _, inner = key.partition(".")
    said = page.details.meta.get(outer) if page.details.meta else None
    if inner:
        return said.get(inner) if isinstance(said, Mapping) else None
    return said
