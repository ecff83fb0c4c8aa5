"""What an author says about a page in its front matter, and what is wrong with how it was said."""

from collections.abc import Iterator, Mapping

from smindex_plugins.dates import w3c_date
from smindex_plugins.model import Finding, Page
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


def author_date(page: Page) -> tuple[str | None, Finding | None]:
    """Give the date the author wrote, or the finding that tells why it is none."""
    if not page.details.meta:
        return None, None
    for key in DATE_KEYS:
        value = _value(page.details.meta, key)
        if value is None or value == "":
            continue
        lastmod = w3c_date(value)
        return lastmod, None if lastmod else _invalid_date(page, key, value)
    return None, None


def author_omission(page: Page) -> str | None:
    """Tell why the author keeps a page out of the sitemaps.

    ``sitemap: false`` and ``sitemap: {exclude: true}`` are ours; ``noindex``, ``private``, ``robots`` and
    ``external_canonical`` are what authors write for other plugins. To keep a page out of a site's own search says
    nothing about search engines.
    """
    meta = page.details.meta
    if not meta:
        return None
    if _means(_NO, meta.get("sitemap")) or _means(_YES, _value(meta, "sitemap.exclude")):
        return "excluded by its front matter"
    if any(_means(_YES, meta.get(key)) for key in ("noindex", "private")) or _robots_forbid(meta):
        return "private or noindex in its front matter"
    external = meta.get("external_canonical")
    is_elsewhere = isinstance(external, str) and external.strip() not in {"", page.url}
    return "with another canonical URL" if is_elsewhere else None


def author_images(page: Page) -> bool | tuple[str, ...] | None:
    """Tell whether the author wants the page's images listed, or which; None if the author does not say."""
    value = _value(page.details.meta or {}, "sitemap.images")
    if isinstance(value, list):
        return tuple(str(image) for image in value)
    return True if _means(_YES, value) else False if _means(_NO, value) else None


def author_publication(page: Page) -> str | None:
    """Give the W3C date on which the author says that the page appeared: ``date``, or what blogs write below it."""
    for key in ("date.created", "date"):
        if published := w3c_date(_value(page.details.meta or {}, key)):
            return published
    return None


def author_mistakes(page: Page) -> Iterator[Finding]:
    """Find what is wrong with a page's ``sitemap`` key; the page keeps its defaults then."""
    said = (page.details.meta or {}).get("sitemap")
    if isinstance(said, Mapping):
        for key, value in said.items():
            yield from _mistake(page, str(key), value)
    elif said is not None and not _means((*_YES, *_NO), said):
        accepted = "true, false, or a mapping of " + ", ".join(_SITEMAP_KEYS)
        yield _invalid(page, f"its front matter says sitemap: {said!r}.", f"Write {accepted}.")


def _mistake(page: Page, key: str, value: object) -> Iterator[Finding]:
    if key not in _SITEMAP_KEYS:
        import difflib  # noqa: PLC0415 - only a mistake needs it

        nearest = difflib.get_close_matches(key, _SITEMAP_KEYS, n=1)
        fix = f"Did you mean {nearest[0]}?" if nearest else f"Known are {', '.join(_SITEMAP_KEYS)}."
        yield _invalid(page, f"its front matter says sitemap.{key}, which is no key.", fix)
    elif (key == "exclude" and not _means((*_YES, *_NO), value)) or (key == "images" and not _is_images(value)):
        yield _invalid(page, f"its front matter says sitemap.{key}: {value!r}.", f"Write {_SITEMAP_KEYS[key]}.")


def _is_images(value: object) -> bool:
    return _means((*_YES, *_NO), value) or (
        isinstance(value, list) and all(isinstance(image, str) and image.strip() for image in value)
    )


def _robots_forbid(meta: Mapping[str, object]) -> bool:
    robots = {directive.strip().lower() for directive in str(meta.get("robots", "")).split(",")}
    return not robots.isdisjoint({"noindex", "none"})


def _means(words: tuple[object, ...], value: object) -> bool:
    """Tell whether a value is one of the words; metadata of some hosts are always text."""
    if isinstance(value, str):
        return value.strip().lower() in words
    return isinstance(value, bool) and value in words


def depends(page: Page) -> tuple[tuple[str, ...], Finding | None]:
    """Give the file patterns that the author wrote under `depends`, one or a list, or the finding why they are none."""
    value = page.details.meta.get("depends") if page.details.meta else None
    if value is None:
        return (), None
    given = [value] if isinstance(value, str) else value
    if isinstance(given, list | tuple) and all(is_file_pattern(pattern) for pattern in given):
        return tuple(given), None
    return (), Finding(
        check="invalid-depends",
        level="warning",
        where=page.name,
        problem=f"its front matter says depends: {value!r}, which does not name files.",
        fix="Write files or patterns relative to the root of the git repository, such as [snippets/*.md, data/x.yml].",
    )


def _value(meta: Mapping[str, object], key: str) -> object:
    outer, _, inner = key.partition(".")
    value = meta.get(outer)
    if inner:
        return value.get(inner) if isinstance(value, Mapping) else None
    return value


def _invalid_date(page: Page, key: str, value: object) -> Finding:
    return Finding(
        check="invalid-date",
        level="warning",
        where=page.name,
        problem=f"its front matter says {key}: {value!r}, which is no date.",
        fix="Write YYYY-MM-DD, or YYYY-MM-DDThh:mm:ss with a zone (Z or +hh:mm).",
    )


def _invalid(page: Page, problem: str, fix: str) -> Finding:
    return Finding(check="invalid-front-matter", level="warning", where=page.name, problem=problem, fix=fix)
