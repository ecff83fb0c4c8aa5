"""Every option a user can set, the same for every host: its name, default, meaning, and what it accepts."""

import re
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
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

    def __init__(self, errors: tuple[tuple[str, str], ...]) -> None:
        super().__init__("\n".join(f"{key}: {message}" for key, message in errors))
        self.errors = errors


class _NotAccepted(Exception):  # noqa: N818 - never leaves this module
    """A value is not what its option accepts: what is wrong with it, each part by its key below the option's."""

    def __init__(self, *problems: tuple[str, str]) -> None:
        super().__init__(problems)
        self.problems = problems


def _problem(value: object, accepted: str, key: str = "") -> tuple[str, str]:
    return key, f"got {value!r}; accepted: {accepted}"


_Reader = Callable[[object], Any]


def _option(default: object, reader: _Reader, accepted: str, meaning: str) -> Any:  # noqa: ANN401 - any field's type
    return field(default=default, metadata={"reader": reader, "accepted": accepted, "meaning": meaning})


def _whole_number(least: int, most: int) -> tuple[_Reader, str]:
    accepted = f"a whole number from {least:,} to {most:,}"

    def read(value: object) -> int:
        if type(value) is not int or not least <= value <= most:
            raise _NotAccepted(_problem(value, accepted))
        return value

    return read, accepted


def _one_of(*choices: str) -> tuple[_Reader, str]:
    accepted = " or ".join(f"'{choice}'" for choice in choices)

    def read(value: object) -> str:
        if value is False and "off" in choices:  # YAML 1.1 reads a bare `off` as false
            return "off"
        if not isinstance(value, str) or value not in choices:
            raise _NotAccepted(_problem(value, accepted))
        return value

    return read, accepted


def _yes_or_no() -> tuple[_Reader, str]:
    accepted = "true or false"

    def read(value: object) -> bool:
        if not isinstance(value, bool):
            raise _NotAccepted(_problem(value, accepted))
        return value

    return read, accepted


def _index_filename() -> tuple[_Reader, str]:
    accepted = "a file name that ends in .xml, without a directory"

    def read(value: object) -> str:
        if not isinstance(value, str) or not re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9._-]*\.xml", value):
            raise _NotAccepted(_problem(value, accepted))
        return value

    return read, accepted


def _relative_file() -> tuple[_Reader, str]:
    accepted = "a path relative to the root of the git repository"

    def read(value: object) -> str | None:
        if value is None:
            return None
        if not isinstance(value, str) or not value.strip() or value.startswith("/"):
            raise _NotAccepted(_problem(value, accepted))
        return value

    return read, accepted


def _patterns() -> tuple[_Reader, str]:
    accepted = "a list of URL patterns relative to the index's directory, such as 'drafts/' or 'tags/*.html'"

    def read(value: object) -> tuple[str, ...]:
        given = [value] if isinstance(value, str) else value
        if not isinstance(given, list | tuple):
            raise _NotAccepted(_problem(value, accepted))
        problems = [
            _problem(pattern, "a URL pattern, such as 'drafts/' or 'tags/*.html'", f"[{position}]")
            for position, pattern in enumerate(given)
            if not isinstance(pattern, str) or not pattern.strip("/ ")
        ]
        if problems:
            raise _NotAccepted(*problems)
        return tuple(given)

    return read, accepted


def _depends() -> tuple[_Reader, str]:
    accepted = "URL patterns with lists of file patterns, such as {'reference/': ['data/*.yml']}"
    files = "a list of files or patterns relative to the root of the git repository, such as 'data/*.yml'"

    def read(value: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
        if value == ():  # the default
            return ()
        if not isinstance(value, Mapping):
            raise _NotAccepted(_problem(value, accepted))
        lists = {key: [given] if isinstance(given, str) else given for key, given in value.items()}
        problems = [
            _problem(key, "a URL pattern, such as 'reference/' or 'tags/*.html'", f"[{key!r}]")
            for key in lists
            if not isinstance(key, str) or not key.strip()
        ] + [
            _problem(value[key], files, f"[{key!r}]")
            for key, given in lists.items()
            if not isinstance(given, list | tuple) or not all(is_file_pattern(pattern) for pattern in given)
        ]
        if problems:
            raise _NotAccepted(*problems)
        return tuple((key, tuple(given)) for key, given in lists.items())

    return read, accepted


def _sections() -> tuple[_Reader, str]:
    accepted = "a list of sections, each with a name and urls, such as {name: api, urls: ['reference/']}"

    def read(value: object) -> tuple[NamedSection, ...]:
        if not isinstance(value, list | tuple):
            raise _NotAccepted(_problem(value, accepted))
        problems = [problem for position, given in enumerate(value) for problem in _section_problems(given, position)]
        names = [given.get("name") if isinstance(given, Mapping) else None for given in value]
        problems += [
            _problem(name, "a name that no other section has", f"[{position}].name")
            for position, name in enumerate(names)
            if name is not None and name in names[:position]
        ]
        if problems:
            raise _NotAccepted(*problems)
        return tuple(NamedSection(name=given["name"], urls=_patterns()[0](given["urls"])) for given in value)

    return read, accepted


def _section_problems(given: object, position: int) -> list[tuple[str, str]]:
    where = f"[{position}]"
    if not isinstance(given, Mapping) or set(given) != {"name", "urls"}:
        return [_problem(given, "a name and urls, such as {name: api, urls: ['reference/']}", where)]
    problems = []
    name, urls = given["name"], given["urls"]
    if not isinstance(name, str) or name == "root" or not re.fullmatch(r"[a-z0-9][a-z0-9_-]*", name):
        accepted = "a name of lower-case letters, digits, '-' and '_', other than 'root'"
        problems.append(_problem(name, accepted, f"{where}.name"))
    read_patterns, accepted = _patterns()
    try:
        if not read_patterns(urls):
            problems.append(_problem(urls, accepted, f"{where}.urls"))
    except _NotAccepted as error:
        problems += [(f"{where}.urls{key}", message) for key, message in error.problems]
    return problems


def _cross_site() -> tuple[_Reader, str]:
    accepted = "origins with their robots.txt, such as {'https://other.example': ../other/robots.txt}"
    key_accepted = "an origin, such as 'https://other.example'"
    place = "the file that is the robots.txt there, or its directory; a build asks no other site, so no URL"

    def read(value: object) -> tuple[tuple[str, str], ...]:
        if value == ():  # the default
            return ()
        if not isinstance(value, Mapping):
            raise _NotAccepted(_problem(value, accepted))
        origins = {key: _origin(key) for key in value}
        problems = [_problem(key, key_accepted, f"[{key!r}]") for key, origin in origins.items() if not origin]
        problems += [
            _problem(given, place, f"[{key!r}]")
            for key, given in value.items()
            if not isinstance(given, str) or not given.strip() or "://" in given or "\0" in given
        ]
        if problems:
            raise _NotAccepted(*problems)
        return tuple(sorted((origins[key], given) for key, given in value.items()))

    return read, accepted


def _origin(key: object) -> str:
    try:
        return urls.read_origin(key) if isinstance(key, str) else ""
    except ValueError:
        return ""


def _publication() -> tuple[_Reader, str]:
    accepted = "a name and a language, such as {name: The Example Times, language: en}"
    keys = {
        "name": (r".*\S.*", "the name of the publication, as it is shown at news.google.com"),
        "language": ("[a-z]{2,3}|zh-cn|zh-tw", "a language of ISO 639 in two or three letters, or zh-cn or zh-tw"),
    }

    def read(value: object) -> Publication | None:
        if value is None:
            return None
        if not isinstance(value, Mapping):
            raise _NotAccepted(_problem(value, accepted))
        problems = [
            _problem(value.get(key), wanted, f".{key}")
            for key, (pattern, wanted) in keys.items()
            if not isinstance(value.get(key), str) or not re.fullmatch(pattern, value[key])
        ]
        problems += [(f".{key}", unknown(str(key), list(keys))) for key in value if key not in keys]
        if problems:
            raise _NotAccepted(*problems)
        return Publication(name=value["name"].strip(), language=value["language"])

    return read, accepted


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The options of one site, checked."""

    index_filename: str = _option(
        "sitemap_index.xml", *_index_filename(), "Name of the sitemap index, written at the site root."
    )
    section_depth: int = _option(
        1, *_whole_number(0, 20), "How many directories of the URL path make a section; 0 puts all pages in one."
    )
    section_min_pages: int = _option(
        2, *_whole_number(1, 1_000_000), "A directory with fewer pages belongs to its parent's section."
    )
    sections: tuple[NamedSection, ...] = _option(
        (), *_sections(), "Sections of your own: a list of `name` and `urls` (patterns). The first match wins."
    )
    sitemap_placement: Literal["section", "root"] = _option(
        "section",
        *_one_of("section", "root"),
        "`section` puts each sitemap into its section's directory; `root` puts all of them beside the index.",
    )
    exclude: tuple[str, ...] = _option((), *_patterns(), "URL patterns of pages that are in no sitemap.")
    pagination: bool = _option(
        True,  # noqa: FBT003 - a default, not a flag
        *_yes_or_no(),
        "List the second and later pages of blog lists too; on Pelican the default is false.",
    )
    lastmod: Literal["git", "off"] = _option(
        "git", *_one_of("git", "off"), "Where dates come from when the author gave none; `off` writes none at all."
    )
    lastmod_format: Literal["datetime", "date"] = _option(
        "datetime", *_one_of("datetime", "date"), "`datetime` writes the second in UTC, `date` the day alone."
    )
    git_date: Literal["committer", "author"] = _option(
        "committer",
        *_one_of("committer", "author"),
        "`committer` is when a change landed, `author` when it was first written.",
    )
    ignore_revs_file: str | None = _option(
        None,
        *_relative_file(),
        "File that lists commits which change no content. `.git-blame-ignore-revs` is always honoured.",
    )
    git_history: Literal["first-parent", "full"] = _option(
        "first-parent",
        *_one_of("first-parent", "full"),
        "`first-parent` dates a change by when it landed on the published branch, `full` by its commit on any branch.",
    )
    depends: tuple[tuple[str, tuple[str, ...]], ...] = _option(
        (), *_depends(), "Files that pages are also made of: URL patterns with lists of file patterns."
    )
    gzip: bool = _option(
        False,  # noqa: FBT003 - a default, not a flag
        *_yes_or_no(),
        "Compress the sitemaps to `.xml.gz`; the index stays plain.",
    )
    images: bool = _option(
        False,  # noqa: FBT003 - a default, not a flag
        *_yes_or_no(),
        "List the images that each page shows; `sitemap: {images: …}` in its front matter decides for one page.",
    )
    videos: bool = _option(
        False,  # noqa: FBT003 - a default, not a flag
        *_yes_or_no(),
        "List the videos that a page describes in its JSON-LD as a `VideoObject`.",
    )
    news: Publication | None = _option(  # noqa: RUF009 - a field, as all options are
        None,
        *_publication(),
        "Write `sitemap-news.xml` too, of the articles of the last two days, as those of this publication.",
    )
    robots_txt: Literal["check", "write"] = _option(
        "check",
        *_one_of("check", "write"),
        "`check` says where robots.txt does not name the index; `write` adds the line, at the root of a host alone.",
    )
    cross_site: tuple[tuple[str, str], ...] = _option(
        (),
        *_cross_site(),
        "Other origins whose pages the site lists too; the robots.txt of each must name the index.",
    )
    max_urls: int = _option(
        MAX_URLS, *_whole_number(1, MAX_URLS), "Most URLs in one sitemap, and most sitemaps in one index."
    )
    max_bytes: int = _option(
        MAX_BYTES, *_whole_number(LEAST_MAX_BYTES, MAX_BYTES), "Most bytes in one file, before compression."
    )

    @classmethod
    def load(cls, given: Mapping[str, object]) -> "Settings":
        """Check a configuration as a host read it.

        Raises:
            SettingsError: with every mistake at once.
        """
        known = {option.name: option for option in fields(cls)}
        values: dict[str, Any] = {}
        errors = [(str(key), unknown(str(key), list(known))) for key in given if key not in known]
        for name, option in known.items():
            if name in given:
                _read(option, given[name], values, errors)
        if values.get("news") and values.get("index_filename") == f"{NEWS_STEM}.xml":
            errors.append(
                ("index_filename", f"got '{NEWS_STEM}.xml', which is the news sitemap's; accepted: another name")
            )
        if errors:
            raise SettingsError(tuple(errors))
        return cls(**values)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One option, as documentation shows it."""

    name: str
    default: object
    accepted: str
    meaning: str


OPTIONS = tuple(
    Option(
        name=option.name,
        default=option.default,
        accepted=option.metadata["accepted"],
        meaning=option.metadata["meaning"],
    )
    for option in fields(Settings)
)


def _read(option: "Field[Any]", value: object, values: dict[str, Any], errors: list[tuple[str, str]]) -> None:
    try:
        values[option.name] = option.metadata["reader"](value)
    except _NotAccepted as error:
        errors += [(option.name + key, message) for key, message in error.problems]


def unknown(key: str, known: list[str]) -> str:
    """Say that there is no option of a name, and which may be meant."""
    import difflib  # noqa: PLC0415 - only a mistake needs it

    nearest = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
    return f"no such option; did you mean '{nearest[0]}'?" if nearest else f"no such option; known: {', '.join(known)}"
