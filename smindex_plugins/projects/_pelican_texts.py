"""Reads the metadata of Pelican's texts, and computes where Pelican saves their pages."""

import os
import re
import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, time
from functools import cache
from html import unescape
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from smindex_plugins.base import files
from smindex_plugins.base.limits import MAX_FRONT_MATTER
from smindex_plugins.html import front_matter
from smindex_plugins.html.front_matter import FrontMatter

# https://python-markdown.github.io/extensions/meta_data/
_ENTRY = re.compile(r" {0,3}([A-Za-z0-9_-]+):\s*(.*)")
_MORE = re.compile(r" {4,}(.*)")
_FENCE = re.compile(r"(?:-{3}|\.{3})(?:\s.*)?$")
# https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#bibliographic-fields
_FIELD = re.compile(r":([^:\s][^:]*):(?:\s+(.*)|$)")
_LINE = re.compile(r"([!-/:-@\[-`{-~])\1*\s*$")
"""The line below a title, and the one above it."""
_MARKUP = re.compile(r"[`*_|\\<&]")
"""Occurs in a title of reStructuredText whose text only its parser knows."""
_LOCAL_DATE = re.compile(r"%[aAbBcpxX]")
"""The parts of dates that depend on the language of the machine."""
_SUBSTITUTIONS = ((r"[^\w\s-]", ""), (r"\A\s*", ""), (r"\s*\Z", ""), (r"[-\s]+", "-"))
"""The default of ``SLUG_REGEX_SUBSTITUTIONS``."""
_SAVE_AS = {
    "ARTICLE_SAVE_AS": "{slug}.html",
    "ARTICLE_LANG_SAVE_AS": "{slug}-{lang}.html",
    "PAGE_SAVE_AS": "pages/{slug}.html",
    "PAGE_LANG_SAVE_AS": "pages/{slug}-{lang}.html",
}
_FILENAME = r"(?P<date>\d{4}-\d{2}-\d{2}).*"


def read(path: str, options: Mapping[str, object]) -> FrontMatter:
    """Return the metadata of a text.

    Where it is valid YAML or TOML, its values have the types of these.
    """
    fenced = front_matter.read(path)
    try:
        content = files.read(path, 4 * MAX_FRONT_MATTER)
    except OSError:
        return fenced
    lines = content.decode("utf-8-sig", "replace").splitlines()
    own = _fields(lines) if path.endswith(".rst") else _header(lines)
    if path.endswith(".html") or not own:
        return fenced
    meta: dict[str, object] = dict(own)
    if fenced.meta and not fenced.problem:
        meta |= fenced.meta
    modified = own.get("modified")
    if modified:
        zone = str(options.get("TIMEZONE") or "UTC")
        meta["modified"] = _moment(modified, zone)
    return FrontMatter(meta)


def _header(lines: list[str]) -> dict[str, str]:
    """Return the metadata at the start of Markdown, as Python-Markdown reads it.

    The first of several values counts.
    """
    found: dict[str, str] = {}
    if lines and _FENCE.match(lines[0]):
        lines = lines[1:]
    for line in lines:
        if not line.strip() or _FENCE.match(line):
            break
        entry = _ENTRY.match(line)
        if entry:
            key, value = entry.groups()
            found.setdefault(key.lower(), value.strip())
        elif not found or not _MORE.match(line):
            break
    return found


def _fields(lines: list[str]) -> dict[str, str]:
    """Return the title of reStructuredText, and the fields below it."""
    lines = [*lines, "", ""]
    at = next((number for number, line in enumerate(lines) if line.strip()), 0)
    if _LINE.match(lines[at]):
        at += 1
    found: dict[str, str] = {}
    if _LINE.match(lines[at + 1]):
        found["title"] = lines[at].strip()
        at += 2
    for line in lines[at:]:
        field = _FIELD.match(line)
        has_fields = len(found) > 1
        if field:
            name, value = field.groups("")
            found.setdefault(name.lower(), value.strip())
        elif not line.strip():
            if has_fields:
                break
        elif not has_fields or not line[0].isspace():
            break
    return found


def _date(text: str) -> datetime | None:
    """Return a date in one of the usual forms, or None for others that Pelican reads."""
    written = text.strip().replace("/", "-")
    with suppress(ValueError):
        return datetime.fromisoformat(written)
    return None


def _moment(text: str, zone: str) -> object:
    """Return a date as a day, or as a time in the time zone of the site."""
    moment = _date(text)
    if not moment or moment.tzinfo:
        return moment or text
    if moment.time() == time.min:
        return moment.date()
    try:
        return moment.replace(tzinfo=ZoneInfo(zone))
    except (ZoneInfoNotFoundError, ValueError):
        return moment.date()


def save_as(path: str, meta: Mapping[str, object], options: Mapping[str, object]) -> str | None:
    """Return the file that Pelican saves a text in, or an empty string if it saves none.

    None if that is not certain. The path is relative to the content:
    https://docs.getpelican.com/en/stable/settings.html#url-settings
    """
    extra = options.get("EXTRA_PATH_METADATA", {})
    if not isinstance(extra, dict) or path in extra:
        return None
    meta = {**_of_name(path, options), **meta}
    status = str(meta.get("status") or "published").lower()
    if status == "skip":
        return ""
    if "save_as" in meta:
        return str(meta["save_as"] or "")
    slug = str(meta.get("slug") or "") or _slug_of(path, meta, options)
    if not slug or status == "draft":
        return None
    default = options.get("DEFAULT_LANG", "en")
    language = str(meta.get("lang") or default)
    template = _template(path, options, is_translation=language != default)
    if not isinstance(template, str) or _LOCAL_DATE.search(template):
        return None
    values: dict[str, object] = {"slug": slug, "lang": language}
    written_day = str(meta.get("date") or "")
    day = _date(written_day.replace("_", " "))
    if day:
        values["date"] = day
    category = meta.get("category") or _usual_category(path, options)
    if isinstance(category, str) and "CATEGORY_REGEX_SUBSTITUTIONS" not in options:
        slug_of_category = _slugified(category, options)
        if slug_of_category:
            values["category"] = slug_of_category
    found = ""
    with suppress(LookupError, ValueError, AttributeError, TypeError):
        found = template.format_map(values)
    return found or None


def _template(path: str, options: Mapping[str, object], *, is_translation: bool) -> object:
    """Return the template of the paths of texts of a kind and a language."""
    kind = "ARTICLE"
    places = options.get("PAGE_PATHS", ["pages"])
    if isinstance(places, list | tuple) and any(path.startswith(f"{each}/") for each in places):
        kind = "PAGE"
    name = f"{kind}_LANG_SAVE_AS" if is_translation else f"{kind}_SAVE_AS"
    return options.get(name, _SAVE_AS[name])


def _usual_category(path: str, options: Mapping[str, object]) -> object:
    """Return the category of a text that sets none."""
    if options.get("USE_FOLDER_AS_CATEGORY", True) and "/" in path:
        return path.split("/")[-2]
    return options.get("DEFAULT_CATEGORY", "misc")


def _of_name(path: str, options: Mapping[str, object]) -> Mapping[str, str]:
    """Return the metadata in the name and the path of a text. Those in the name win."""
    stem, _ = os.path.splitext(os.path.basename(path))
    of_path = _matched(options.get("PATH_METADATA", ""), path)
    of_name = _matched(options.get("FILENAME_METADATA", _FILENAME), stem)
    return {**of_path, **of_name}


def _matched(pattern: object, text: str) -> Mapping[str, str]:
    """Return the metadata that a pattern finds at the start of a text."""
    found = {}
    with suppress(re.error, OverflowError, RecursionError):
        match = re.match(pattern, text) if isinstance(pattern, str) and pattern else None
        if match:
            for key, value in match.groupdict().items():
                if value:
                    found[key.lower()] = value
    return found


def _slug_of(path: str, meta: Mapping[str, object], options: Mapping[str, object]) -> str:
    """Return the slug that Pelican makes of a title or a name, or an empty string."""
    by = options.get("SLUGIFY_SOURCE", "title")
    if by == "basename":
        stem, _ = os.path.splitext(os.path.basename(path))
        return _slugified(stem, options)
    title = str(meta.get("title") or "")
    if by != "title" or (path.endswith(".rst") and _MARKUP.search(title)):
        return ""
    return _slugified(title, options)


def _slugified(text: str, options: Mapping[str, object]) -> str:
    """Return a text as `pelican.utils.slugify` does with its default substitutions.

    With others, the slug is not known, and empty.
    """
    if "SLUG_REGEX_SUBSTITUTIONS" in options or "SLUG_SUBSTITUTIONS" in options:
        return ""
    plain = re.sub(r"<!--.*?-->|<[^>]*>", "", text)
    slug = unicodedata.normalize("NFKC", unescape(plain))
    if not options.get("SLUGIFY_USE_UNICODE", False):
        slug = _in_ascii(slug)
    for pattern, new in _SUBSTITUTIONS:
        slug = re.sub(pattern, new, slug)
    if not options.get("SLUGIFY_PRESERVE_CASE", False):
        slug = slug.lower()
    return slug.strip()


@cache
def _in_ascii(text: str) -> str:
    """Return a text in ASCII, which takes a library that Pelican requires.

    Without it, the text is not known.
    """
    if text.isascii():
        return text
    try:
        from unidecode import unidecode  # noqa: PLC0415 - few texts need it, and it is installed only with Pelican
    except ImportError:
        return ""
    return unidecode(text)
