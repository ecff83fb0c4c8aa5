"""Reads the metadata of Pelican's texts, and computes where Pelican saves their pages, without
running it.
"""

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
    parse = {".rst": _fields}.get(os.path.splitext(path)[1], _header)
    try:
        own = parse(
            files.read(path, 4 * MAX_FRONT_MATTER).decode("utf-8-sig", "replace").splitlines()
        )
    except OSError:
        return fenced
    if path.endswith(".html") or not own:
        return fenced
    meta: dict[str, object] = {**own, **((fenced.meta or {}) if not fenced.problem else {})}
    if modified := own.get("modified"):
        meta["modified"] = _moment(modified, str(options.get("TIMEZONE") or "UTC"))
    return FrontMatter(meta)


def _header(lines: list[str]) -> dict[str, str]:
    """Return the metadata at the start of Markdown, as Python-Markdown reads it.

    The first of several values counts.
    """
    found: dict[str, str] = {}
    key = ""
    for number, line in enumerate(lines):
        if number == 0 and _FENCE.match(line):
            continue
        entry = _ENTRY.match(line)
        if not line.strip() or _FENCE.match(line) or not (entry or (key and _MORE.match(line))):
            break
        if entry:
            key = entry[1].lower()
            found.setdefault(key, entry[2].strip())
    return found


def _fields(lines: list[str]) -> dict[str, str]:
    """Return the title of reStructuredText, and the fields below it."""
    lines = [*lines, "", ""]
    at = next((number for number, line in enumerate(lines) if line.strip()), 0)
    at += bool(_LINE.match(lines[at]))
    found: dict[str, str] = {}
    if _LINE.match(lines[at + 1]):
        found["title"] = lines[at].strip()
        at += 2
    for line in lines[at:]:
        field = _FIELD.match(line)
        if line.strip() and not field and not (line[0].isspace() and len(found) > 1):
            break
        if field:
            found.setdefault(field[1].lower(), (field[2] or "").strip())
        elif not line.strip() and len(found) > 1:
            break
    return found


def _date(text: str) -> datetime | None:
    """Return a date in one of the usual forms, or None for others that Pelican reads."""
    with suppress(ValueError):
        return datetime.fromisoformat(text.strip().replace("/", "-"))
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
    if "save_as" in meta or status == "skip":
        return "" if status == "skip" else str(meta["save_as"] or "")
    slug = str(meta.get("slug") or "") or _slug_of(path, meta, options)
    if not slug or status == "draft":
        return None
    default, places = options.get("DEFAULT_LANG", "en"), options.get("PAGE_PATHS", ["pages"])
    is_page = any(
        path.startswith(f"{each}/") for each in (places if isinstance(places, list | tuple) else ())
    )
    language = str(meta.get("lang") or default)
    name = f"{'PAGE' if is_page else 'ARTICLE'}_{'' if language == default else 'LANG_'}SAVE_AS"
    template = options.get(name, _SAVE_AS[name])
    if not isinstance(template, str) or _LOCAL_DATE.search(template):
        return None
    values: dict[str, object] = {"slug": slug, "lang": language}
    if day := _date(str(meta.get("date") or "").replace("_", " ")):
        values["date"] = day
    is_by_folder = options.get("USE_FOLDER_AS_CATEGORY", True) and "/" in path
    category = meta.get("category") or (
        path.split("/")[-2] if is_by_folder else options.get("DEFAULT_CATEGORY", "misc")
    )
    if isinstance(category, str) and "CATEGORY_REGEX_SUBSTITUTIONS" not in options:
        values["category"] = _slugified(category, options) or None
    with suppress(LookupError, ValueError, AttributeError, TypeError):
        found = template.format_map(
            {key: value for key, value in values.items() if value is not None}
        )
        return found or None
    return None


def _of_name(path: str, options: Mapping[str, object]) -> Mapping[str, str]:
    """Return the metadata in the name and the path of a text."""
    found: dict[str, str] = {}
    stem = os.path.splitext(os.path.basename(path))[0]
    for name, default, text in (
        ("FILENAME_METADATA", _FILENAME, stem),
        ("PATH_METADATA", "", path),
    ):
        pattern = options.get(name, default)
        with suppress(re.error, OverflowError, RecursionError):
            match = re.match(pattern, text) if isinstance(pattern, str) and pattern else None
            found = (
                {
                    **{key.lower(): value for key, value in match.groupdict().items() if value},
                    **found,
                }
                if match
                else found
            )
    return found


def _slug_of(path: str, meta: Mapping[str, object], options: Mapping[str, object]) -> str:
    """Return the slug that Pelican makes of a title or a name, or an empty string."""
    by = options.get("SLUGIFY_SOURCE", "title")
    if by == "basename":
        return _slugified(os.path.splitext(os.path.basename(path))[0], options)
    title = str(meta.get("title") or "")
    return (
        ""
        if by != "title" or (path.endswith(".rst") and _MARKUP.search(title))
        else _slugified(title, options)
    )


def _slugified(text: str, options: Mapping[str, object]) -> str:
    """Return a text as `pelican.utils.slugify` does with its default substitutions, or an empty
    string.
    """
    if "SLUG_REGEX_SUBSTITUTIONS" in options or "SLUG_SUBSTITUTIONS" in options:
        return ""
    text = unicodedata.normalize("NFKC", unescape(re.sub(r"<!--.*?-->|<[^>]*>", "", text)))
    if not options.get("SLUGIFY_USE_UNICODE", False):
        text = _in_ascii(text)
    for pattern, new in _SUBSTITUTIONS:
        text = re.sub(pattern, new, text)
    return (text if options.get("SLUGIFY_PRESERVE_CASE", False) else text.lower()).strip()


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
