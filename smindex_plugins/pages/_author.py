"""What the author of a page says about it in its front matter: its date, images and files, and the
mistakes in that.
"""

from collections.abc import Mapping

from smindex_plugins.base.catalogue import INVALID_FRONT_MATTER
from smindex_plugins.base.dates import w3c_date
from smindex_plugins.base.limits import MAX_IMAGES
from smindex_plugins.base.model import Finding, Findings, Page
from smindex_plugins.base.patterns import is_file_pattern
from smindex_plugins.base.text import brief
from smindex_plugins.html.front_matter import switch

DATE_KEYS = ("sitemap.lastmod", "lastmod", "updated", "modified", "date.updated")
"""The keys of an author's date. The first match is used. Blog plugins use `date.updated`."""
_SITEMAP_KEYS = {
    "exclude": "true or false",
    "images": "true, false, or a list of image URLs",
    "lastmod": "a date",
}
"""The keys under `sitemap`, and their values."""
_KEYS_OF_OTHERS = frozenset({"changefreq", "disable", "filename", "priority"})
"""Keys under `sitemap` that Hugo and other plugins read. Only `disable` has an effect in this
package."""


def author_date(page: Page) -> str | Finding | None:
    """Return the author's date of the last change, why it is invalid, or None without one."""
    key = author_key(page)
    if not key:
        return None
    value = author_value(page, key)
    lastmod = w3c_date(value)
    if lastmod:
        return lastmod
    problem = f"its front matter sets {key}: {brief(value)}, which is not a date"
    if page.meta_error:
        problem += f"; {page.meta_error}"
    fix = "Use YYYY-MM-DD, or YYYY-MM-DDThh:mm:ss with a time zone (Z or +hh:mm)."
    return INVALID_FRONT_MATTER.at(page.spot, f"{problem}.", fix)


def author_key(page: Page) -> str:
    """Return the first key with a date by the author, or an empty string."""
    if not page.meta:
        return ""
    for key in DATE_KEYS:
        if author_value(page, key) not in (None, ""):
            return key
    return ""


def author_images(page: Page) -> bool | tuple[str, ...] | None:
    """Return whether to list the page's images, or the images to list.

    None if the author sets neither.
    """
    value = author_value(page, "sitemap.images")
    if not isinstance(value, list):
        return switch(value)
    some = value[: MAX_IMAGES + 1]
    return tuple(image for image in some if isinstance(image, str))


def find_mistakes(page: Page, *, is_dated: bool) -> Findings:
    """Yield invalid front matter, and invalid values under ``sitemap``, for which the defaults are
    used.

    If the page is dated, `author_date` reports front matter that contains an invalid date.
    """
    is_reported = is_dated and isinstance(author_date(page), Finding)
    if page.meta_error and not is_reported:
        problem = f"its front matter can't be used: {page.meta_error}."
        yield INVALID_FRONT_MATTER.at(page.spot, problem)
    value = author_value(page, "sitemap")
    if value is None or switch(value) is not None:
        return
    known_keys = ", ".join(_SITEMAP_KEYS)
    if not isinstance(value, Mapping):
        problem = f"its front matter sets sitemap: {brief(value)}."
        fix = f"Use true, false, or a mapping with the keys {known_keys}."
        yield INVALID_FRONT_MATTER.at(page.spot, problem, fix)
        return
    for key, given in value.items():
        name = brief(key).strip("'")  # some hosts have keys that are not strings
        if name in _SITEMAP_KEYS:
            if _is_valid(name, given):
                continue
            what = f"sitemap.{name}: {brief(given)}"
            fix = f"Use {_SITEMAP_KEYS[name]}."
        elif name.lower() in _KEYS_OF_OTHERS:
            continue
        else:
            what = f"sitemap.{name}, which is not a known key"
            fix = f"Known keys: {known_keys}."
        yield INVALID_FRONT_MATTER.at(page.spot, f"its front matter sets {what}.", fix)


def _is_valid(key: str, value: object) -> bool:
    """Return whether a value under ``sitemap`` is valid. `author_date` reports invalid dates."""
    if key == "images" and isinstance(value, list):
        return all(isinstance(image, str) and image.strip() for image in value)
    return key == "lastmod" or switch(value) is not None


def depends(page: Page) -> tuple[str, ...] | Finding:
    """Return the author's file patterns in ``depends``, or why they are invalid.

    They are given as one string or a list.
    """
    value = author_value(page, "depends")
    if value is None:
        return ()
    patterns = [value] if isinstance(value, str) else value
    if isinstance(patterns, list | tuple) and all(map(is_file_pattern, patterns)):
        return tuple(patterns)
    problem = f"its front matter sets depends: {brief(value)}, which is not a list of files."
    fix = (
        "Use files or patterns relative to the root of the git repository, such as [snippets/*.md,"
        " data/x.yml]."
    )
    return INVALID_FRONT_MATTER.at(page.spot, problem, fix)


def author_value(page: Page, key: str) -> object:
    """Return the author's value of a key, or of a key under it such as ``sitemap.lastmod``, or
    None.
    """
    outer, _, inner = key.partition(".")
    value = (page.meta or {}).get(outer)
    if not inner:
        return value
    if isinstance(value, Mapping):
        return value.get(inner)
    return None
