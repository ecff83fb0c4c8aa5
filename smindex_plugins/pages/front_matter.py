"""What an author says about a page in its front matter, and what is wrong with how it was said."""

from collections.abc import Iterator, Mapping

from smindex_plugins.catalogue import INVALID_DEPENDS, INVALID_FRONT_MATTER
from smindex_plugins.dates import w3c_date
from smindex_plugins.model import Finding, Page
from smindex_plugins.pages.omissions import Reason
from smindex_plugins.patterns import is_file_pattern

DATE_KEYS = ("sitemap.lastmod", "lastmod", "updated", "modified", "date.updated")
"""Where an author's date is looked for, first match first; `date.updated` is what blog plugins use."""

_YES = (True, "true", "yes", "on")
_NO = (False, "false", "no", "off")
_SITEMAP_KEYS = {
    "exclude": "true or false",
    "images": "true, false, or a list of image URLs",
    "lastmod": "a date",
}


def author_date(page: Page, findings: list[Finding]) -> str | None:
    """Return the date that the author wrote, if it is one."""
    for key in DATE_KEYS if page.details.meta else ():
        value = _value(page.details.meta, key)
        if value is None or value == "":
            continue
        lastmod = w3c_date(value)
        if lastmod is None:
            problem = f"its front matter says {key}: {value!r}, which is no date."
            fix = "Write YYYY-MM-DD, or YYYY-MM-DDThh:mm:ss with a zone (Z or +hh:mm)."
            findings.append(INVALID_FRONT_MATTER.at(page.name, problem, fix))
        return lastmod
    return None


def author_omission(page: Page) -> Reason | None:
    """Return why the author keeps a page out of the sitemaps.

    ``sitemap: false`` and ``sitemap: {exclude: true}`` are ours; ``noindex``, ``private``, ``robots`` and
    ``external_canonical`` are what authors write for other plugins. To keep a page out of a site's own search says
    nothing about search engines.
    """
    meta = page.details.meta
    if not meta:
        return None
    if _means(_NO, meta.get("sitemap")) or _means(_YES, _value(meta, "sitemap.exclude")):
        return Reason.EXCLUDED_BY_AUTHOR
    if any(_means(_YES, meta.get(key)) for key in ("noindex", "private")) or _robots_forbid(meta):
        return Reason.PRIVATE
    external = meta.get("external_canonical")
    is_elsewhere = isinstance(external, str) and external.strip() not in {"", page.url}
    return Reason.CANONICAL_ELSEWHERE if is_elsewhere else None


def author_images(page: Page) -> bool | tuple[str, ...] | None:
    """Whether the author wants the page's images listed, or which; None if the author does not say."""
    value = _value(page.details.meta, "sitemap.images")
    if isinstance(value, list):
        return tuple(str(image) for image in value)
    return True if _means(_YES, value) else False if _means(_NO, value) else None


def author_publication(page: Page) -> str | None:
    """Return the W3C date on which the author says that the page appeared: ``date``, or what blogs write below it."""
    for key in ("date.created", "date"):
        if published := w3c_date(_value(page.details.meta, key)):
            return published
    return None


def author_mistakes(page: Page) -> Iterator[Finding]:
    """Find what is wrong with a page's ``sitemap`` key; the page keeps its defaults then."""
    said = page.details.meta.get("sitemap") if page.details.meta else None
    if isinstance(said, Mapping):
        for key, value in said.items():
            if fix := _mistake(str(key), value):
                what = f"sitemap.{key}: {value!r}." if key in _SITEMAP_KEYS else f"sitemap.{key}, which is no key."
                yield INVALID_FRONT_MATTER.at(page.name, f"its front matter says {what}", fix)
    elif said is not None and not _means((*_YES, *_NO), said):
        fix = "Write true, false, or a mapping of " + ", ".join(_SITEMAP_KEYS) + "."
        yield INVALID_FRONT_MATTER.at(page.name, f"its front matter says sitemap: {said!r}.", fix)


def _mistake(key: str, value: object) -> str:
    """Return how to mend a key below ``sitemap``, or nothing where it is right."""
    if key not in _SITEMAP_KEYS:
        import difflib  # noqa: PLC0415 - only a mistake needs it

        nearest = difflib.get_close_matches(key, _SITEMAP_KEYS, n=1)
        return f"Did you mean {nearest[0]}?" if nearest else f"Known are {', '.join(_SITEMAP_KEYS)}."
    if (key == "exclude" and not _means((*_YES, *_NO), value)) or (key == "images" and not _is_images(value)):
        return f"Write {_SITEMAP_KEYS[key]}."
    return ""


def _is_images(value: object) -> bool:
    return _means((*_YES, *_NO), value) or (
        isinstance(value, list) and all(isinstance(image, str) and image.strip() for image in value)
    )


def _robots_forbid(meta: Mapping[str, object]) -> bool:
    robots = {directive.strip().lower() for directive in str(meta.get("robots", "")).split(",")}
    return not robots.isdisjoint({"noindex", "none"})


def _means(words: tuple[object, ...], value: object) -> bool:
    """Whether a value is one of the words; metadata of some hosts are always text."""
    if isinstance(value, str):
        return value.strip().lower() in words
    return isinstance(value, bool) and value in words


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


def _value(meta: Mapping[str, object] | None, key: str) -> object:
    outer, _, inner = key.partition(".")
    value = meta.get(outer) if meta else None
    if inner:
        return value.get(inner) if isinstance(value, Mapping) else None
    return value
