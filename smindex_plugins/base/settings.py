"""All options: their names, defaults, meanings and accepted values, the same for every host."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, fields
from typing import Any, Literal, NamedTuple, get_args, get_type_hints

from smindex_plugins.base import addresses
from smindex_plugins.base.limits import MAX_URLS
from smindex_plugins.base.model import NamedSection, Page
from smindex_plugins.base.patterns import FILE_PATTERN
from smindex_plugins.base.text import brief, did_you_mean, printable

INDEX_FILENAME = "sitemap_index.xml"
"""The default file name of the index. A directory with such a file is a separate site."""

Filter = Callable[[Page], object]
"""Receives each page that would be listed. Returns the page, a changed page, or None to omit it."""

Schema = Mapping[str, Any]
"""The values that an option accepts, as a JSON schema. Messages include its description."""

Errors = list[tuple[str, str]]
"""Mistakes: the location of each, such as `sections[1].urls[0]`, and the message."""

_IGNORED = "search engines ignore it, and it is never written"
_FOREIGN = {
    **dict.fromkeys(("priority", "priorities", "changefreq", "changefreqs"), _IGNORED),
    "format": "sitemaps are always XML",
}
"""Options of other sitemap plugins, and why this one lacks them."""

_SYNONYMS = {
    **dict.fromkeys(("ignore", "ignored", "skip", "omit", "blacklist"), "exclude"),
    "url": "site_url",
}
"""Option names in other tools, and the equivalent names here."""


class SettingsError(Exception):
    """An invalid configuration. ``errors`` contains every mistake as ``(key, message)``."""

    def __init__(self, errors: Iterable[tuple[str, str]]) -> None:
        self.errors = tuple((printable(key), printable(message)) for key, message in errors)
        super().__init__("\n".join(f"{key}: {message}" for key, message in self.errors))


@contextmanager
def prefixed_errors(name: str) -> Iterator[None]:
    """Prefix the errors of options with the name of their dict: `SITEMAP_INDEX['gzip']`."""
    try:
        yield
    except SettingsError as error:
        raise SettingsError(
            (f"{name}[{key!r}]", message) for key, message in error.errors
        ) from None


# --- What options accept ---


def choice(*words: object) -> Schema:
    """Return the schema of a choice between words."""
    return {"description": " or ".join(map(repr, words)), "enum": [*words]}


def number(least: int, most: int) -> Schema:
    """Return the schema of a whole number."""
    accepted = f"a whole number from {least:,} to {most:,}"
    return {"description": accepted, "type": "integer", "minimum": least, "maximum": most}


def text(accepted: str, pattern: str) -> Schema:
    """Return the schema of a string that fully matches a regular expression."""
    return {"description": accepted, "type": "string", "pattern": f"^(?:{pattern})$"}


def texts(accepted: str, item: Schema, least: int = 0) -> Schema:
    """Return the schema of a list of strings. A single string is accepted as a list."""
    return {
        **item,
        "description": accepted,
        "type": ["string", "array"],
        "items": item,
        "minItems": least,
    }


def mapping(accepted: str, key: Schema, value: Schema) -> Schema:
    """Return the schema of a mapping with arbitrary keys, which is parsed into a tuple of pairs."""
    return {
        "description": accepted,
        "type": "object",
        "propertyNames": key,
        "additionalProperties": value,
    }


SWITCH: Schema = {"description": "true or false", "type": "boolean"}
_FUNCTION = text(
    "a function as 'module:function', such as 'hooks:keep', with the module relative to the"
    " configuration",
    r"[^\s\x00:][^\x00:]*:[A-Za-z_][A-Za-z0-9_]*",
)
_ORIGIN = text("an origin, such as 'https://other.example'", "[^/]+://[^/]+/?")
_URL_PATTERN = text("a URL pattern, such as 'drafts/' or 'tags/*.html'", r".*[^/ ].*")
_URL_PATTERNS = (
    "a list of URL patterns relative to the index's directory, such as 'drafts/' or 'tags/*.html'"
)
_SUBJECT: Schema = {
    "description": r"a regular expression, such as '^chore\(tags\)'",
    "type": "string",
    "format": "regex",
}
_SECTION: Schema = {
    "description": "a name and urls, such as {name: api, urls: ['reference/']}",
    "type": "object",
    "properties": {
        "name": text(
            "a name of lowercase letters, digits, '-' and '_', other than 'root'",
            r"(?!root$)[a-z0-9][a-z0-9_-]*",
        ),
        "urls": texts(_URL_PATTERNS, _URL_PATTERN, least=1),
    },
    "required": ["name", "urls"],
    "additionalProperties": False,
}


def parse(given: object, schema: Schema, at: str, errors: Errors) -> Any:  # noqa: ANN401, C901, PLR0911 - the value of any option; a case for each kind of schema
    """Return the parsed value: lists and mappings as tuples, sections as `NamedSection`, and
    origins in normal form.

    Each invalid part becomes None, and its location and problem are added to the errors.
    """
    if isinstance(given, str) and "items" in schema and "string" in schema["type"]:
        given = [given]
    match given, schema:
        case bool(), {"type": "boolean"}:
            return given
        case int(), {"minimum": least, "maximum": most} if (
            not isinstance(given, bool) and least <= given <= most
        ):
            return given
        case str() | False, {"enum": words} if given in words:
            return given
        case str(), {"format": "regex"}:
            with suppress(re.error, OverflowError, RecursionError):
                re.compile(given)
                return given
        case str(), {"pattern": pattern} if "\0" not in given and re.fullmatch(
            pattern, given, re.DOTALL
        ):
            with suppress(ValueError):
                return addresses.read_origin(given) if schema is _ORIGIN else given
        case list() | tuple(), {"items": item, "minItems": least} if len(given) >= least:
            return tuple(
                parse(part, item, f"{at}[{number}]", errors) for number, part in enumerate(given)
            )
        case Mapping(), {"properties": parts} if given.keys() == parts.keys():
            return NamedSection(
                **{name: parse(given[name], parts[name], f"{at}.{name}", errors) for name in parts}
            )
        case Mapping() | [], {"propertyNames": keys, "additionalProperties": values}:
            places = [(key, f"{at}[{brief(key)}]") for key in given]
            return tuple(
                (parse(key, keys, at, errors), parse(given[key], values, at, errors))
                for key, at in places
            )
        case _ if schema is _FUNCTION and callable(given):
            return given
    errors.append((at, f"got {brief(given)}; accepted: {schema['description']}"))
    return None


# --- The options ---


class Option(NamedTuple):
    """One option, for documentation and editors."""

    name: str
    default: object
    meaning: str
    schema: Schema

    @property
    def accepted(self) -> str:
        """A description of the accepted values."""
        return str(self.schema["description"])


def parse_options(
    options: Iterable[Option], given: Mapping[str, object], errors: Errors
) -> dict[str, Any]:
    """Return the values of options that are set and not empty, and add invalid values to the
    errors.
    """
    there = [option for option in options if given.get(option.name) is not None]
    return {
        option.name: parse(given[option.name], option.schema, option.name, errors)
        for option in there
    }


def unknown(key: str, known: Collection[str]) -> str:
    """Return the message about an unknown option, with the most similar name."""
    if key in _FOREIGN:
        return f"no such option: {_FOREIGN[key]}. Remove it."
    synonym = _SYNONYMS.get(key.lower())
    nearest = synonym if synonym in known else did_you_mean(key, known)
    fix = f"did you mean '{nearest}'?" if nearest else f"the options are {', '.join(known)}"
    return f"no such option; {fix}"


def _option(meaning: str, schema: Schema | None = None, *, default: object) -> Any:  # noqa: ANN401 - any field's type
    """Declare an option.

    Without a schema, its type determines the accepted values: a boolean or a set of words.
    """
    return field(default=default, metadata={"meaning": meaning, "schema": schema})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The validated options of one site."""

    index_filename: str = _option(
        "File name of the sitemap index in the root directory of the site.",
        text(
            "a file name that ends in .xml, without a directory",
            r"[A-Za-z0-9_-][A-Za-z0-9._-]*\.xml",
        ),
        default=INDEX_FILENAME,
    )
    section_by: Literal["directory", "category"] = _option(
        "`category` writes one sitemap next to the index for each category of articles, whose URLs"
        " often have no directory. Pelican sets the categories of articles; a `filter` can return"
        " any page with another section: `replace(page, section=name)`.",
        default="directory",
    )
    section_depth: int = _option(
        "Number of directories in the URL path that form a section; 0 puts all pages in one.",
        number(0, 20),
        default=1,
    )
    section_min_pages: int = _option(
        "Minimum number of pages in a section. Smaller directories belong to the parent's section.",
        number(1, 1_000_000),
        default=2,
    )
    sections: tuple[NamedSection, ...] = _option(
        "Custom sections, each with a `name` and `urls` (patterns). The first match wins.",
        {
            "description": (
                "a list of sections, each with a name and urls, such as {name: api, urls:"
                " ['reference/']}"
            ),
            "type": "array",
            "items": _SECTION,
            "minItems": 0,
        },
        default=(),
    )
    sitemap_placement: Literal["section", "root"] = _option(
        "`section` writes each sitemap to the directory of its section; `root` writes all sitemaps"
        " next to the index.",
        default="section",
    )
    exclude: tuple[str, ...] = _option(
        "URL patterns of pages to exclude.", texts(_URL_PATTERNS, _URL_PATTERN), default=()
    )
    include: tuple[str, ...] = _option(
        "URL patterns of files to list in addition to pages, such as PDFs.",
        texts(_URL_PATTERNS, _URL_PATTERN),
        default=(),
    )
    filter: str | Filter | None = _option(  # noqa: RUF009 - a field, as all options are
        "Custom function that is called once for each page that would be listed. It can change the"
        " date or omit the page.",
        _FUNCTION,
        default=None,
    )
    pagination: bool = _option(
        "List the second and later pages of blog lists too. In Pelican, the default is false.",
        default=True,
    )
    lastmod: Literal["git", "off"] = _option(
        "Source of the dates that the author doesn't set; `off` omits all dates.",
        # YAML 1.1 reads a bare `off` as false
        {"description": "'git' or 'off'", "enum": ["git", "off", False]},
        default="git",
    )
    lastmod_format: Literal["datetime", "date"] = _option(
        "`datetime` writes the time in UTC, to the second; `date` writes only the day.",
        default="datetime",
    )
    ignore_revs_file: str | None = _option(
        "File that lists commits without content changes. `.git-blame-ignore-revs` is always used.",
        text("a path relative to the root of the git repository", r"(?!/).*\S.*"),
        default=None,
    )
    ignore_commits: tuple[str, ...] = _option(
        "Regular expressions that match the subjects of commits to ignore, like the commits in "
        "`.git-blame-ignore-revs`.",
        texts(
            r"a list of regular expressions, such as '^chore\(tags\)' or '\[skip lastmod\]'",
            _SUBJECT,
        ),
        default=(),
    )
    undated: Literal["warn", "ignore", "fail"] = _option(
        "What to do if git should have a date for a page but doesn't. `warn` logs a warning (a"
        " notice in builds of pull requests), `ignore` logs a notice, and `fail` logs an error and"
        " fails the build.",
        default="warn",
    )
    depends: tuple[tuple[str, tuple[str, ...]], ...] = _option(
        "Additional source files of pages, such as data or templates, by URL pattern. If a file"
        " changes, the date of its pages changes too.",
        mapping(
            "URL patterns with lists of file patterns, such as {'reference/': ['data/*.yml']}",
            text("a URL pattern, such as 'reference/' or 'tags/*.html'", r".*\S.*"),
            texts(
                "a list of files or patterns relative to the root of the git repository, such as"
                " 'data/*.yml'",
                text(
                    "a file or pattern relative to the root of the git repository, such as"
                    " 'data/*.yml'",
                    FILE_PATTERN,
                ),
            ),
        ),
        default=(),
    )
    gzip: bool = _option(
        "Compress the sitemaps to `.xml.gz`. The index is not compressed.", default=False
    )
    images: bool = _option(
        "List the images on each page. `sitemap: {images: …}` in the front matter of a page takes"
        " precedence.",
        default=False,
    )
    robots_txt: Literal["check", "write"] = _option(
        "`check` reports a robots.txt without a line for the index; `write` adds it (only at the"
        " root of a host).",
        default="check",
    )
    cross_site: tuple[tuple[str, str], ...] = _option(
        "Other origins whose URLs may be listed. The robots.txt of each origin must list the"
        " index.",
        mapping(
            "origins with their robots.txt, such as {'https://other.example': ../other/robots.txt}",
            _ORIGIN,
            text(
                "the path of that origin's robots.txt or its directory, not its URL, because a"
                " build sends no requests",
                r"(?!.*://)[^\x00]*[^\s\x00][^\x00]*",
            ),
        ),
        default=(),
    )
    max_urls: int = _option(
        "Maximum number of URLs in a sitemap, and of sitemaps in an index.",
        number(1, MAX_URLS),
        default=MAX_URLS,
    )

    @classmethod
    def load(cls, given: Mapping[str, object]) -> "Settings":
        """Validate a configuration. Empty options use their defaults.

        Raises:
            SettingsError: with every mistake at once.
        """
        names = [option.name for option in OPTIONS]
        errors = [(str(key), unknown(str(key), names)) for key in given if key not in names]
        values = parse_options(OPTIONS, given, errors)
        if values.get("lastmod") is False:
            values["lastmod"] = "off"
        if values.get("undated") == "fail" and values.get("lastmod") == "off":
            problem = "got 'fail', but lastmod: off omits all dates; accepted: 'warn' or 'ignore'"
            errors.append(("undated", problem))
        sections = [section and section.name for section in values.get("sections") or ()]
        for number, name in enumerate(sections):
            if name and name in sections[:number]:
                problem = f"got {name!r}; accepted: a name that no other section uses"
                errors.append((f"sections[{number}].name", problem))
        if errors:
            raise SettingsError(errors)
        return cls(**values)

    @classmethod
    def of_dict(cls, given: object, name: str) -> "Settings":
        """Validate the options of a host that is configured in Python, from a dict with this name.

        Raises:
            SettingsError: with every mistake at once, each with the name of the dict.
        """
        if not isinstance(given, Mapping):
            raise SettingsError(
                [(name, f"got {brief(given)}; accepted: a dict, such as {{'section_depth': 2}}")]
            )
        with prefixed_errors(name):
            return cls.load(given)


_TYPES = get_type_hints(Settings)
OPTIONS = tuple(
    Option(
        each.name,
        each.default,
        each.metadata["meaning"],
        each.metadata["schema"]
        or (SWITCH if _TYPES[each.name] is bool else choice(*get_args(_TYPES[each.name]))),
    )
    for each in fields(Settings)
)
"""All options, in the order of the manual."""
