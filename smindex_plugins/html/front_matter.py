"""Reads the front matter of source files and its settings for sitemaps."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace

from smindex_plugins import files
from smindex_plugins.catalogue import INVALID_FRONT_MATTER
from smindex_plugins.dates import w3c_date
from smindex_plugins.limits import MAX_FRONT_MATTER, MAX_IMAGES
from smindex_plugins.model import Finding, Page
from smindex_plugins.patterns import is_file_pattern
from smindex_plugins.text import brief
from smindex_plugins.yaml_values import load_yaml

_FENCED = re.compile(
    r"\A(?P<fence>---|\+\+\+)[ \t]*\r?\n(?P<text>.*?)(?:^(?P<end>(?P=fence)|\.\.\.)[ \t]*\r?$|\Z)",
    re.DOTALL | re.MULTILINE,
)
_ENTRY = re.compile(r"\s*[\w.-]+[ \t]*[:=]")
"""The start of front matter, which text between two horizontal rules hardly ever matches."""
_PRIVATE = re.compile(
    r"^(?:draft|noindex|private)[ \t]*[:=][ \t]*[\"']?(?:true|yes|on)\b", re.IGNORECASE | re.MULTILINE
)
"""A line that keeps a page private even in invalid front matter."""
_MARKDOWN = (".md", ".markdown", ".mkdn", ".mkd")
"""The suffixes of sources that MkDocs renders as pages."""

DATE_KEYS = ("sitemap.lastmod", "lastmod", "updated", "modified", "date.updated")
"""The keys of an author's date. The first match is used. Blog plugins use `date.updated`."""
_SITEMAP_KEYS = {
    "exclude": "true or false",
    "images": "true, false, or a list of image URLs",
    "lastmod": "a date",
}
"""The keys under `sitemap`, and their values."""
_KEYS_OF_OTHERS = frozenset({"changefreq", "disable", "filename", "priority"})
"""Keys under `sitemap` that Hugo and other plugins read. Only `disable` has an effect in this package."""
_SWITCHES = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The front matter of a source file."""

    meta: Mapping[str, object] | None = None
    """Its entries, with lower-case keys. None if there is no front matter."""
    problem: str = ""
    """Why it cannot be used, if it is invalid front matter."""


def read(path: str) -> FrontMatter:
    """Return the front matter of a source file: YAML between lines of ``---``, or TOML between lines of ``+++``."""
    most = 4 * MAX_FRONT_MATTER  # a UTF-8 character has at most 4 bytes
    try:
        content = files.read(path, most)
    except OSError:
        return FrontMatter()
    fenced = _FENCED.match(content.decode("utf-8-sig", "replace"))
    if not fenced or (fenced["end"] is None and len(content) < most):
        return FrontMatter()
    try:
        meta = _load(fenced["text"], is_yaml=fenced["fence"] == "---")
    except ValueError as error:
        if not _ENTRY.match(fenced["text"]):
            return FrontMatter()
        return FrontMatter({"private": True} if _PRIVATE.search(fenced["text"]) else None, str(error))
    return FrontMatter({str(key).lower(): value for key, value in meta.items()} if isinstance(meta, dict) else None)


def _load(text: str, *, is_yaml: bool) -> object:
    if len(text) > MAX_FRONT_MATTER:
        message = f"it has more than {MAX_FRONT_MATTER:,} characters"
        raise ValueError(message)
    text = f"\n{text}"  # to make line numbers in errors match the file
    try:
        return load_yaml(text) if is_yaml else tomllib.loads(text)
    except RecursionError:
        message = "it is nested too deeply"
    except ValueError as error:
        message = f"it is not valid {'YAML' if is_yaml else 'TOML'} ({error})"
    raise ValueError(message)


def read_skipped_by_mkdocs(path: str) -> FrontMatter:
    """Return front matter that MkDocs could not read. MkDocs silently shows invalid front matter as text."""
    found = read(path) if path.endswith(_MARKDOWN) else FrontMatter()
    is_read = found.meta and not found.problem
    return replace(found, problem="MkDocs cannot read it, and shows it as text") if is_read else found


def author_date(page: Page, findings: list[Finding]) -> str | None:
    """Return the author's date of the last change, if it is valid."""
    key = author_key(page)
    if not key:
        return None
    value = author_value(page, key)
    lastmod = w3c_date(value)
    if lastmod is None:
        problem = f"its front matter sets {key}: {brief(value)}, which is not a date."
        fix = "Use YYYY-MM-DD, or YYYY-MM-DDThh:mm:ss with a time zone (Z or +hh:mm)."
        findings.append(INVALID_FRONT_MATTER.at(page.spot, problem, fix))
    return lastmod


def author_key(page: Page) -> str:
    """Return the first key with a date by the author, or an empty string."""
    return next((key for key in DATE_KEYS if author_value(page, key) not in (None, "")), "") if page.meta else ""


def author_images(page: Page) -> bool | tuple[str, ...] | None:
    """Return whether to list the page's images, or the images to list. None if the author sets neither."""
    value = author_value(page, "sitemap.images")
    if not isinstance(value, list):
        return switch(value)
    return tuple(image for image in value[: MAX_IMAGES + 1] if isinstance(image, str))


def find_mistakes(page: Page, findings: list[Finding]) -> None:
    """Report invalid front matter, and invalid values under ``sitemap``, for which the defaults are used."""
    if problem := page.meta_error:
        findings.append(INVALID_FRONT_MATTER.at(page.spot, f"its front matter cannot be used: {problem}."))
    value = author_value(page, "sitemap")
    if value is None or switch(value) is not None:
        return
    if not isinstance(value, Mapping):
        fix = f"Use true, false, or a mapping with the keys {', '.join(_SITEMAP_KEYS)}."
        findings.append(INVALID_FRONT_MATTER.at(page.spot, f"its front matter sets sitemap: {brief(value)}.", fix))
        return
    for key, given in value.items():
        name = brief(key).strip("'")  # some hosts have keys that are not strings
        if name not in _SITEMAP_KEYS and name.lower() not in _KEYS_OF_OTHERS:
            problem, fix = f"sitemap.{name}, which is not a known key", f"Known keys: {', '.join(_SITEMAP_KEYS)}."
        elif name in _SITEMAP_KEYS and not _is_valid(name, given):
            problem, fix = f"sitemap.{name}: {brief(given)}", f"Use {_SITEMAP_KEYS[name]}."
        else:
            continue
        findings.append(INVALID_FRONT_MATTER.at(page.spot, f"its front matter sets {problem}.", fix))


def _is_valid(key: str, value: object) -> bool:
    """Return whether a value under ``sitemap`` is valid. `author_date` reports invalid dates."""
    if key == "images" and isinstance(value, list):
        return all(isinstance(image, str) and image.strip() for image in value)
    return key == "lastmod" or switch(value) is not None


def depends(page: Page, findings: list[Finding]) -> tuple[str, ...]:
    """Return the author's file patterns in ``depends``, given as one string or a list."""
    value = author_value(page, "depends")
    if value is None:
        return ()
    patterns = [value] if isinstance(value, str) else value
    if isinstance(patterns, list | tuple) and all(map(is_file_pattern, patterns)):
        return tuple(patterns)
    problem = f"its front matter sets depends: {brief(value)}, which is not a list of files."
    fix = "Use files or patterns relative to the root of the git repository, such as [snippets/*.md, data/x.yml]."
    findings.append(INVALID_FRONT_MATTER.at(page.spot, problem, fix))
    return ()


def switch(value: object) -> bool | None:
    """Return whether a value means yes or no, or None for others. Some hosts have only string metadata."""
    if isinstance(value, str):
        return _SWITCHES.get(value.strip().lower())
    return value if isinstance(value, bool) else None


def author_value(page: Page, key: str) -> object:
    """Return the author's value of a key, or of a key under it such as ``sitemap.lastmod``, or None."""
    outer, _, inner = key.partition(".")
    value = (page.meta or {}).get(outer)
    if inner:
        return value.get(inner) if isinstance(value, Mapping) else None
    return value
