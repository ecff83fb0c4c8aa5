"""Every option a user can set, the same for every host: its name, default, meaning, and what it accepts."""

import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from smindex_plugins import urls
from smindex_plugins.limits import MAX_BYTES, MAX_URLS
from smindex_plugins.model import NamedSection, Publication
from smindex_plugins.patterns import is_file_pattern

NEWS_STEM = "sitemap-news"
"""The name of the news sitemap, without its suffix."""

LEAST_MAX_BYTES = 1_000
"""Room for the head, the tail and an entry of ordinary length."""


class SettingsError(Exception):
    """A configuration is wrong. ``errors`` holds every mistake in it as ``(key, message)``."""

    def __init__(self, errors: Iterable[tuple[str, str]]) -> None:
        self.errors = tuple(errors)
        super().__init__("\n".join(f"{key}: {message}" for key, message in self.errors))


@dataclass(frozen=True, slots=True)
class _Form:
    """What an option accepts: in words, as a test, and with the function that makes its value or raises ValueError."""

    accepted: str
    is_right: Callable[[Any], bool]
    make: Callable[[Any], Any] = lambda value: value

    def read(self, value: object) -> Any:  # noqa: ANN401 - any field's type
        with suppress(ValueError):
            if self.is_right(value):
                return self.make(value)
        raise SettingsError([("", f"got {value!r}; accepted: {self.accepted}")])


def _number(least: int, most: int) -> _Form:
    accepted = f"a whole number from {least:,} to {most:,}"
    return _Form(accepted, lambda value: type(value) is int and least <= value <= most)


def _choice(*choices: str) -> _Form:
    accepted = " or ".join(f"'{choice}'" for choice in choices)
    values = {*choices, *([False] if "off" in choices else [])}  # YAML 1.1 reads a bare `off` as false
    return _Form(
        accepted, lambda value: isinstance(value, str | bool) and value in values, lambda value: value or "off"
    )


def _text(accepted: str, pattern: str) -> _Form:
    return _Form(accepted, lambda value: isinstance(value, str) and bool(re.fullmatch(pattern, value, re.DOTALL)))


def _optional(form: _Form) -> _Form:
    return _Form(form.accepted, lambda _: True, lambda value: None if value is None else form.read(value))


def _listing(accepted: str, of: _Form, least: int = 0) -> _Form:
    """Return the form of a list of texts, or of one that stands alone."""

    def read(value: object) -> tuple[Any, ...]:
        return tuple(_read_all((f"[{at}]", of, each) for at, each in enumerate(_many(value))))

    return _Form(accepted, lambda value: isinstance(value, str | list | tuple) and len(_many(value)) >= least, read)


def _many(value: Any) -> Any:  # noqa: ANN401 - a list, if its form is right
    return [value] if isinstance(value, str) else value


def _table(accepted: str, make: Callable[..., Any], **keys: _Form) -> _Form:
    def read(value: Mapping[object, object]) -> Any:  # noqa: ANN401 - what `make` returns
        strange = [(f".{key}", unknown(str(key), list(keys))) for key in value if key not in keys]
        read = _read_all(((f".{key}", of, value.get(key)) for key, of in keys.items()), strange)
        return make(**dict(zip(keys, read, strict=True)))

    return _Form(accepted, lambda value: isinstance(value, Mapping), read)


def _mapping(accepted: str, key: _Form, of: _Form, arrange: Callable[..., Iterable[Any]] = tuple) -> _Form:
    """Return the form of a table whose keys the user chooses; the default is the empty tuple."""

    def read(value: Mapping[object, object]) -> tuple[tuple[str, Any], ...]:
        parts = [(f"[{each!r}]", form, part) for each in value for form, part in ((key, each), (of, value[each]))]
        read = iter(_read_all(parts))
        return tuple(arrange(zip(read, read, strict=True)))

    return _Form(accepted, lambda value: isinstance(value, Mapping) or value == (), lambda value: read(value or {}))


def _read_all(parts: Iterable[tuple[str, _Form, object]], errors: Iterable[tuple[str, str]] = ()) -> list[Any]:
    """Return the values of parts, given with their keys and forms, or raise every mistake in them, after the others."""
    values, found = [], [*errors]
    for key, form, given in parts:
        try:
            values.append(form.read(given))
        except SettingsError as error:
            found += [(key + below, message) for below, message in error.errors]
    if found:
        raise SettingsError(found)
    return values


def _read_sections(given: Sequence[Any]) -> tuple[NamedSection, ...]:
    names = [each.get("name") if isinstance(each, Mapping) else None for each in given]
    again = [(at, name) for at, name in enumerate(names) if name is not None and name in names[:at]]
    free = _Form("a name that no other section has", lambda _: False)
    parts = [(f"[{at}]", _SECTION, each) for at, each in enumerate(given)]
    return tuple(_read_all([*parts, *((f"[{at}].name", free, name) for at, name in again)]))


_SWITCH = _Form("true or false", lambda value: isinstance(value, bool))
_PATTERNS = (
    "a list of URL patterns relative to the index's directory, such as 'drafts/' or 'tags/*.html'",
    _text("a URL pattern, such as 'drafts/' or 'tags/*.html'", r".*[^/ ].*"),
)
_SECTION = _table(
    "a name and urls, such as {name: api, urls: ['reference/']}",
    NamedSection,
    name=_text(
        "a name of lower-case letters, digits, '-' and '_', other than 'root'", r"(?!root\Z)[a-z0-9][a-z0-9_-]*"
    ),
    urls=_listing(*_PATTERNS, least=1),
)
_SECTION = replace(_SECTION, is_right=lambda given: isinstance(given, Mapping) and set(given) == {"name", "urls"})
_SECTIONS = _Form(
    "a list of sections, each with a name and urls, such as {name: api, urls: ['reference/']}",
    lambda given: isinstance(given, list | tuple),
    _read_sections,
)
_DEPENDS = _mapping(
    "URL patterns with lists of file patterns, such as {'reference/': ['data/*.yml']}",
    _text("a URL pattern, such as 'reference/' or 'tags/*.html'", r".*\S.*"),
    _Form(
        "a list of files or patterns relative to the root of the git repository, such as 'data/*.yml'",
        lambda given: isinstance(given, str | list | tuple) and all(map(is_file_pattern, _many(given))),
        lambda given: tuple(_many(given)),
    ),
)
_NEWS = _table(
    "a name and a language, such as {name: The Example Times, language: en}",
    Publication,
    name=_Form(
        "the name of the publication, as it is shown at news.google.com",
        lambda given: isinstance(given, str) and bool(given.strip()),
        str.strip,
    ),
    language=_text("a language of ISO 639 in two or three letters, or zh-cn or zh-tw", "[a-z]{2,3}|zh-cn|zh-tw"),
)
_CROSS_SITE = _mapping(
    "origins with their robots.txt, such as {'https://other.example': ../other/robots.txt}",
    _Form("an origin, such as 'https://other.example'", lambda given: isinstance(given, str), urls.read_origin),
    _text(
        "the file that is the robots.txt there, or its directory; a build asks no other site, so no URL",
        r"(?!.*://)[^\0]*[^\s\0][^\0]*",
    ),
    sorted,
)


def _option(form: _Form, meaning: str, *, default: object) -> Any:  # noqa: ANN401 - any field's type
    return field(default=default, metadata={"form": form, "meaning": meaning})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The options of one site, checked."""

    index_filename: str = _option(
        _text("a file name that ends in .xml, without a directory", r"[A-Za-z0-9_-][A-Za-z0-9._-]*\.xml"),
        "Name of the sitemap index, written at the site root.",
        default="sitemap_index.xml",
    )
    section_depth: int = _option(
        _number(0, 20), "How many directories of the URL path make a section; 0 puts all pages in one.", default=1
    )
    section_min_pages: int = _option(
        _number(1, 1_000_000), "A directory with fewer pages belongs to its parent's section.", default=2
    )
    sections: tuple[NamedSection, ...] = _option(
        _SECTIONS,
        "Sections of your own: a list of `name` and `urls` (patterns). The first match wins.",
        default=(),
    )
    sitemap_placement: Literal["section", "root"] = _option(
        _choice("section", "root"),
        "`section` puts each sitemap into its section's directory; `root` puts all of them beside the index.",
        default="section",
    )
    exclude: tuple[str, ...] = _option(
        _listing(*_PATTERNS), "URL patterns of pages that are in no sitemap.", default=()
    )
    pagination: bool = _option(
        _SWITCH, "List the second and later pages of blog lists too; on Pelican the default is false.", default=True
    )
    lastmod: Literal["git", "off"] = _option(
        _choice("git", "off"),
        "Where dates come from when the author gave none; `off` writes none at all.",
        default="git",
    )
    lastmod_format: Literal["datetime", "date"] = _option(
        _choice("datetime", "date"),
        "`datetime` writes the second in UTC, `date` the day alone.",
        default="datetime",
    )
    git_date: Literal["committer", "author"] = _option(
        _choice("committer", "author"),
        "`committer` is when a change landed, `author` when it was first written.",
        default="committer",
    )
    ignore_revs_file: str | None = _option(
        _optional(_text("a path relative to the root of the git repository", r"(?!/).*\S.*")),
        "File that lists commits which change no content. `.git-blame-ignore-revs` is always honoured.",
        default=None,
    )
    git_history: Literal["first-parent", "full"] = _option(
        _choice("first-parent", "full"),
        "`first-parent` dates a change by when it landed on the published branch, `full` by its commit on any branch.",
        default="first-parent",
    )
    depends: tuple[tuple[str, tuple[str, ...]], ...] = _option(
        _DEPENDS, "Files that pages are also made of: URL patterns with lists of file patterns.", default=()
    )
    gzip: bool = _option(_SWITCH, "Compress the sitemaps to `.xml.gz`; the index stays plain.", default=False)
    images: bool = _option(
        _SWITCH,
        "List the images that each page shows; `sitemap: {images: …}` in its front matter decides for one page.",
        default=False,
    )
    videos: bool = _option(
        _SWITCH, "List the videos that a page describes in its JSON-LD as a `VideoObject`.", default=False
    )
    news: Publication | None = _option(  # noqa: RUF009 - a field, as all options are
        _optional(_NEWS),
        "Write `sitemap-news.xml` too, of the articles of the last two days, as those of this publication.",
        default=None,
    )
    robots_txt: Literal["check", "write"] = _option(
        _choice("check", "write"),
        "`check` says where robots.txt does not name the index; `write` adds the line, at the root of a host alone.",
        default="check",
    )
    cross_site: tuple[tuple[str, str], ...] = _option(
        _CROSS_SITE,
        "Other origins whose pages the site lists too; the robots.txt of each must name the index.",
        default=(),
    )
    max_urls: int = _option(
        _number(1, MAX_URLS), "Most URLs in one sitemap, and most sitemaps in one index.", default=MAX_URLS
    )
    max_bytes: int = _option(
        _number(LEAST_MAX_BYTES, MAX_BYTES), "Most bytes in one file, before compression.", default=MAX_BYTES
    )

    @classmethod
    def load(cls, given: Mapping[str, object]) -> "Settings":
        """Check a configuration as a host read it.

        Raises:
            SettingsError: with every mistake at once.
        """
        forms = {option.name: option.metadata["form"] for option in fields(cls)}
        errors = [(str(key), unknown(str(key), list(forms))) for key in given if key not in forms]
        if given.get("news") and given.get("index_filename") == f"{NEWS_STEM}.xml":
            problem = f"got '{NEWS_STEM}.xml', which is the news sitemap's; accepted: another name"
            errors.append(("index_filename", problem))
        chosen = [name for name in forms if name in given]
        values = _read_all([(name, forms[name], given[name]) for name in chosen], errors)
        return cls(**dict(zip(chosen, values, strict=True)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where a site is, on disk and on the web, and with which settings its sitemaps are made."""

    site_url: str
    """The normalised URL that serves the directory, with its trailing slash."""
    directory: str
    settings: Settings
    preview: str = ""
    """A directory in which the files are made instead, to see what would change; nothing else is written."""
    beside: str = ""
    """The directory to which paths in the settings are relative; the current one if empty."""
    taken: Mapping[str, str] = field(default_factory=dict)
    """Files that something else writes: their URL paths relative to the directory, and who that is."""
    default_language: str = ""
    """The language of the variants that its host names for readers of any other one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One option, as documentation shows it."""

    name: str
    default: object
    accepted: str
    meaning: str


def _documented(name: str, default: object, form: _Form, meaning: str) -> Option:
    return Option(name=name, default=default, accepted=form.accepted, meaning=meaning)


OPTIONS = tuple(_documented(option.name, option.default, **option.metadata) for option in fields(Settings))


def unknown(key: str, known: list[str]) -> str:
    """Return the message that there is no option of a name, with the one that may be meant."""
    nearest = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
    return f"no such option; did you mean '{nearest[0]}'?" if nearest else f"no such option; known: {', '.join(known)}"
