"""Reads the front matter of source files, and what authors say there about sitemaps."""

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
"""How front matter begins, and hardly ever a text between two lines across the page."""
_PRIVATE = re.compile(
    r"^(?:draft|noindex|private)[ \t]*[:=][ \t]*[\"']?(?:true|yes|on)\b", re.IGNORECASE | re.MULTILINE
)
"""A line that keeps a page private also in front matter that cannot be read."""
_MARKDOWN = (".md", ".markdown", ".mkdn", ".mkd")
"""The suffixes of sources from which MkDocs makes pages."""

DATE_KEYS = ("sitemap.lastmod", "lastmod", "updated", "modified", "date.updated")
"""Where an author's date is looked for. The first match counts; blog plugins use `date.updated`."""
_SITEMAP_KEYS = {
    "exclude": "true or false",
    "images": "true, false, or a list of image URLs",
    "lastmod": "a date",
}
"""The keys under `sitemap`, and their values."""
_KEYS_OF_OTHERS = frozenset({"changefreq", "disable", "filename", "priority"})
"""Keys under `sitemap` that Hugo and other plugins read. Of these, only `disable` has an effect here."""
_SWITCHES = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The front matter of a source file."""

    meta: Mapping[str, object] | None = None
    """Its entries, with keys in lower case. None if there is no front matter."""
    problem: str = ""
    """Why it cannot be used, if it was meant as front matter."""


def read(path: str) -> FrontMatter:
    """Return the front matter of a source file: YAML between lines of ``---``, or TOML between lines of ``+++``."""
    most = 4 * MAX_FRONT_MATTER  # bytes of a character in UTF-8
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
    text = f"\n{text}"  # so that errors name the line in the file
    try:
        return load_yaml(text) if is_yaml else tomllib.loads(text)
    except RecursionError:
        message = "it is nested too deeply"
    except ValueError as error:
        message = f"it is not valid {'YAML' if is_yaml else 'TOML'} ({error})"
    raise ValueError(message)


def read_skipped_by_mkdocs(path: str) -> FrontMatter:
    """Return front matter in which MkDocs found nothing. MkDocs shows it as text, without a word, if it is invalid."""
    found = read(path) if path.endswith(_MARKDOWN) else FrontMatter()
    is_read = found.meta and not found.problem
    return replace(found, problem="MkDocs cannot read it, and shows it as text") if is_read else found


def author_date(page: Page, findings: list[Finding]) -> str | None:
    """Return the author's date of the last change, if it is a date."""
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
    """Return the first key under which the author wrote a date, or an empty string."""
    return next((key for key in DATE_KEYS if author_value(page, key) not in (None, "")), "") if page.meta else ""


def author_images(page: Page) -> bool | tuple[str, ...] | None:
    """Return whether to list the page's images, or the images to list. None if the author does not say."""
    value = author_value(page, "sitemap.images")
    if not isinstance(value, list):
        return switch(value)
    return tuple(image for image in value[: MAX_IMAGES + 1] if isinstance(image, str))


def find_mistakes(page: Page, findings: list[Finding]) -> None:
    """Report unusable front matter, and invalid values under ``sitemap``, which have their defaults."""
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
        name = brief(key).strip("'")  # some hosts have keys that are not texts
        if name not in _SITEMAP_KEYS and name.lower() not in _KEYS_OF_OTHERS:
            problem, fix = f"sitemap.{name}, which is not a known key", f"Known keys: {', '.join(_SITEMAP_KEYS)}."
        elif name in _SITEMAP_KEYS and not _is_valid(name, given):
            problem, fix = f"sitemap.{name}: {brief(given)}", f"Use {_SITEMAP_KEYS[name]}."
        else:
            continue
        findings.append(INVALID_FRONT_MATTER.at(page.spot, f"its front matter sets {problem}.", fix))


def _is_valid(key: str, value: object) -> bool:
    """Return whether a value under ``sitemap`` has the right form. `author_date` reports invalid dates."""
    if key == "images" and isinstance(value, list):
        return all(isinstance(image, str) and image.strip() for image in value)
    return key == "lastmod" or switch(value) is not None


def depends(page: Page, findings: list[Finding]) -> tuple[str, ...]:
    """Return the file patterns that the author wrote under ``depends``: one, or a list."""
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
    """Return whether a value means yes or no, or None for others. The metadata of some hosts are always texts."""
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
