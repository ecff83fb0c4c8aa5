"""What an author says about a page in its front matter, and what is wrong with how it was said."""

from collections.abc import Mapping

from smindex_plugins.dates import w3c_date
from smindex_plugins.model import Finding, Page

DATE_KEYS = ("lastmod", "updated", "modified", "date.updated")
"""Where an author's date is looked for, first match first; `date.updated` is what blog plugins use."""


def author_date(page: Page) -> tuple[str | None, Finding | None]:
    """Give the date the author wrote, or the finding that tells why it is none."""
    if not page.meta:
        return None, None
    for key in DATE_KEYS:
        value = _value(page.meta, key)
        if value is None or value == "":
            continue
        lastmod = w3c_date(value)
        return lastmod, None if lastmod else _invalid_date(page, key, value)
    return None, None


def is_private(page: Page) -> bool:
    """Tell whether the author keeps a page from search engines: ``noindex: true``, ``private: true``, or ``robots``."""
    if not page.meta:
        return False
    if any(str(page.meta.get(key, "")).strip().lower() in {"true", "yes"} for key in ("noindex", "private")):
        return True
    robots = {directive.strip().lower() for directive in str(page.meta.get("robots", "")).split(",")}
    return not robots.isdisjoint({"noindex", "none"})


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
        where=page.source_name or page.url,
        problem=f"its front matter says {key}: {value!r}, which is no date.",
        fix="Write YYYY-MM-DD, or YYYY-MM-DDThh:mm:ss with a zone (Z or +hh:mm).",
    )
