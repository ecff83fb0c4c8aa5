"""Every option that a user can set: its name, default, meaning and accepted values, the same for every host."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from smindex_plugins import addresses, filters, forms, urls
from smindex_plugins.filters import Filter
from smindex_plugins.forms import SWITCH, Form, SettingsError
from smindex_plugins.limits import MAX_BYTES, MAX_URLS
from smindex_plugins.model import NamedSection, Publication
from smindex_plugins.patterns import FILE_PATTERN, is_file_pattern
from smindex_plugins.text import brief

__all__ = ["INDEX_FILENAME", "LEAST_MAX_BYTES", "NEWS_STEM", "OPTIONS", "Option", "Settings", "SettingsError", "Target"]

INDEX_FILENAME = "sitemap_index.xml"
"""The default name of the index. A directory that holds such a file is a site of its own."""

NEWS_STEM = "sitemap-news"
"""The name of the news sitemap, without its suffix."""

_FOREIGN = {
    **dict.fromkeys(
        ("priority", "priorities", "changefreq", "changefreqs"), "search engines ignore it, and no sitemap has it"
    ),
    "format": "a sitemap is XML",
}
"""Options of other sitemap plugins, and why they do not exist here."""

LEAST_MAX_BYTES = 1_000
"""Room for the head, the tail, and one entry of ordinary length."""


def _read_sections(given: Sequence[Any]) -> tuple[NamedSection, ...]:
    names = [each.get("name") if isinstance(each, Mapping) else None for each in given]
    again = [(at, name) for at, name in enumerate(names) if name is not None and name in names[:at]]
    free = Form("a name that no other section has", lambda _: False)
    parts = [(f"[{at}]", _SECTION, each) for at, each in enumerate(given)]
    return tuple(forms.read_all([*parts, *((f"[{at}].name", free, name) for at, name in again)]))


_PATTERNS = (
    "a list of URL patterns relative to the index's directory, such as 'drafts/' or 'tags/*.html'",
    forms.text("a URL pattern, such as 'drafts/' or 'tags/*.html'", r".*[^/ ].*"),
)
_FUNCTION = r"[^\s\x00:][^\x00:]*:[A-Za-z_][A-Za-z0-9_]*"
_SECTION = forms.table(
    "a name and urls, such as {name: api, urls: ['reference/']}",
    NamedSection,
    name=forms.text(
        "a name of lower-case letters, digits, '-' and '_', other than 'root'", r"(?!root\Z)[a-z0-9][a-z0-9_-]*"
    ),
    urls=forms.listing(*_PATTERNS, least=1),
)
_SECTION = replace(_SECTION, is_right=lambda given: isinstance(given, Mapping) and set(given) == {"name", "urls"})
_SECTIONS = Form(
    "a list of sections, each with a name and urls, such as {name: api, urls: ['reference/']}",
    lambda given: isinstance(given, list | tuple),
    _read_sections,
    {"type": "array", "items": _SECTION.schema},
)
_DEPENDS = forms.mapping(
    "URL patterns with lists of file patterns, such as {'reference/': ['data/*.yml']}",
    forms.text("a URL pattern, such as 'reference/' or 'tags/*.html'", r".*\S.*"),
    Form(
        "a list of files or patterns relative to the root of the git repository, such as 'data/*.yml'",
        lambda given: isinstance(given, str | list | tuple) and all(map(is_file_pattern, forms.many(given))),
        lambda given: tuple(forms.many(given)),
        forms.listing("", forms.text("", FILE_PATTERN)).schema,
    ),
)
_NEWS = forms.table(
    "a name and a language, such as {name: The Example Times, language: en}",
    Publication,
    name=Form(
        "the name of the publication, as it is shown at news.google.com",
        lambda given: isinstance(given, str) and bool(given.strip()),
        str.strip,
        {"type": "string", "pattern": r"\S"},
    ),
    language=forms.text("a language of ISO 639 in two or three letters, or zh-cn or zh-tw", "[a-z]{2,3}|zh-cn|zh-tw"),
)
_CROSS_SITE = forms.mapping(
    "origins with their robots.txt, such as {'https://other.example': ../other/robots.txt}",
    Form(
        "an origin, such as 'https://other.example'",
        lambda given: isinstance(given, str),
        addresses.read_origin,
        {"type": "string", "pattern": "^[^/]+://[^/]+/?$"},
    ),
    forms.text(
        "the file that is the robots.txt there, or its directory; not its URL, because a build makes no requests",
        r"(?!.*://)[^\x00]*[^\s\x00][^\x00]*",
    ),
    sorted,
)


_FILTER = Form(
    "a function as 'module:function', such as 'hooks:keep', with the module relative to the configuration",
    lambda given: callable(given) or (isinstance(given, str) and bool(re.fullmatch(_FUNCTION, given, re.DOTALL))),
    schema={"type": "string", "pattern": f"^{_FUNCTION}$"},
)


def _sitemap_url(text: str) -> str:
    url = urls.normalise(text)
    if url.endswith("/") or "?" in url:
        raise ValueError(text)
    return url


_SITEMAP = Form(
    "the URL of a sitemap, such as https://example.org/blog/sitemap.xml",
    lambda given: isinstance(given, str),
    _sitemap_url,
    {"type": "string", "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^/]+/([^?]*[^/?])$"},
)


def _option(form: Form, meaning: str, *, default: object) -> Any:  # noqa: ANN401 - any field's type
    return field(default=default, metadata={"form": form, "meaning": meaning})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The validated options of one site."""

    index_filename: str = _option(
        forms.text("a file name that ends in .xml, without a directory", r"[A-Za-z0-9_-][A-Za-z0-9._-]*\.xml"),
        "Name of the sitemap index, written at the site root.",
        default=INDEX_FILENAME,
    )
    section_depth: int = _option(
        forms.number(0, 20), "How many directories of the URL path make a section; 0 puts all pages in one.", default=1
    )
    section_min_pages: int = _option(
        forms.number(1, 1_000_000), "A directory with fewer pages belongs to its parent's section.", default=2
    )
    sections: tuple[NamedSection, ...] = _option(
        _SECTIONS, "Sections of your own: a list of `name` and `urls` (patterns). The first match wins.", default=()
    )
    sitemap_placement: Literal["section", "root"] = _option(
        forms.choice("section", "root"),
        "`section` puts each sitemap into its section's directory; `root` puts all of them beside the index.",
        default="section",
    )
    exclude: tuple[str, ...] = _option(
        forms.listing(*_PATTERNS), "URL patterns of pages that are in no sitemap.", default=()
    )
    include: tuple[str, ...] = _option(
        forms.listing(*_PATTERNS),
        "URL patterns of files that are no pages, such as PDFs, and that are listed too.",
        default=(),
    )
    filter: str | Filter | None = _option(  # noqa: RUF009 - a field, as all options are
        forms.optional(_FILTER),
        "A function of your own, called once for each page that would be listed: it can change the date, or leave "
        "the page out.",
        default=None,
    )
    pagination: bool = _option(
        SWITCH, "List the second and later pages of blog lists too; on Pelican the default is false.", default=True
    )
    lastmod: Literal["git", "off"] = _option(
        forms.choice("git", "off"),
        "Where dates come from if the author gave none; `off` writes no dates at all.",
        default="git",
    )
    lastmod_format: Literal["datetime", "date"] = _option(
        forms.choice("datetime", "date"),
        "`datetime` writes the time in UTC, to the second; `date` writes only the day.",
        default="datetime",
    )
    git_date: Literal["committer", "author"] = _option(
        forms.choice("committer", "author"),
        "`committer` takes the date on which a change landed, `author` the date on which it was first written.",
        default="committer",
    )
    ignore_revs_file: str | None = _option(
        forms.optional(forms.text("a path relative to the root of the git repository", r"(?!/).*\S.*")),
        "File that lists commits which change no content. `.git-blame-ignore-revs` is always honoured.",
        default=None,
    )
    git_history: Literal["first-parent", "full"] = _option(
        forms.choice("first-parent", "full"),
        "`first-parent` takes the date of the merge into the published branch, `full` the date of the commit itself.",
        default="first-parent",
    )
    undated: Literal["warn", "ignore", "fail"] = _option(
        forms.choice("warn", "ignore", "fail"),
        "What happens if git should have a date for a page, but has none. `warn` gives a warning (a notice in builds "
        "of pull requests), `ignore` a notice. `fail` gives an error, and the build fails.",
        default="warn",
    )
    depends: tuple[tuple[str, tuple[str, ...]], ...] = _option(
        _DEPENDS,
        "Extra source files of pages (data, templates), by URL patterns. If one changes, its pages have changed too.",
        default=(),
    )
    gzip: bool = _option(SWITCH, "Compress the sitemaps to `.xml.gz`; the index stays plain.", default=False)
    images: bool = _option(
        SWITCH,
        "List the images that each page shows; `sitemap: {images: …}` in its front matter decides for one page.",
        default=False,
    )
    videos: bool = _option(
        SWITCH, "List the videos that a page describes in its JSON-LD as a `VideoObject`.", default=False
    )
    news: Publication | None = _option(  # noqa: RUF009 - a field, as all options are
        forms.optional(_NEWS),
        "Also write `sitemap-news.xml`, with this publication's articles of the last two days.",
        default=None,
    )
    robots_txt: Literal["check", "write"] = _option(
        forms.choice("check", "write"),
        "`check` reports if robots.txt has no line for the index; `write` adds it (only at the root of a host).",
        default="check",
    )
    indexnow_key: str | None = _option(
        forms.optional(forms.text("a key of 8 to 128 letters, digits and hyphens", "[A-Za-z0-9-]{8,128}")),
        "Write the key of IndexNow into a file of its name at the site root, for `smindex announce`.",
        default=None,
    )
    cross_site: tuple[tuple[str, str], ...] = _option(
        _CROSS_SITE,
        "Other origins whose pages the site lists too; the robots.txt of each must name the index.",
        default=(),
    )
    also: tuple[str, ...] = _option(
        forms.listing("a list of URLs of sitemaps, such as https://example.org/blog/sitemap.xml", _SITEMAP),
        "Sitemaps of other builds that the index lists too.",
        default=(),
    )
    report: str | None = _option(
        forms.optional(
            forms.text(
                "a file whose name ends in .html, .md or .json",
                r"[^\x00]*[^\s\x00/][^\x00/]*\.(?:html|md|json)",
            )
        ),
        "File for a report of the build: what is in the sitemaps, what was left out, what is wrong.",
        default=None,
    )
    report_public: bool = _option(
        SWITCH, "Allow the report in the published directory, where everyone can read it.", default=False
    )
    max_urls: int = _option(
        forms.number(1, MAX_URLS), "Maximum number of URLs in a sitemap, and of sitemaps in an index.", default=MAX_URLS
    )
    max_bytes: int = _option(
        forms.number(LEAST_MAX_BYTES, MAX_BYTES),
        "Maximum number of bytes in a file, before compression.",
        default=MAX_BYTES,
    )

    @classmethod
    def load(cls, given: Mapping[str, object]) -> "Settings":
        """Check a configuration from a host. An empty option has its default.

        Raises:
            SettingsError: with every mistake at once.
        """
        known = {option.name: option.metadata["form"] for option in fields(cls)}
        given = {name: value for name, value in given.items() if value is not None or name not in known}
        errors = []
        if given.get("news") and given.get("index_filename") == f"{NEWS_STEM}.xml":
            problem = f"got '{NEWS_STEM}.xml', which is the news sitemap's; accepted: another name"
            errors.append(("index_filename", problem))
        errors += [(name, f"no such option: {_FOREIGN[name]}. Remove it.") for name in given if name in _FOREIGN]
        given = {name: value for name, value in given.items() if name not in _FOREIGN}
        if given.get("undated") == "fail" and given.get("lastmod") in {"off", False}:
            problem = "got 'fail', though no page has a date with lastmod: off; accepted with it: 'warn' or 'ignore'"
            errors.append(("undated", problem))
        return cls(**forms.read_options(known, given, errors))

    @classmethod
    def of_dict(cls, given: object, name: str, *, beside: str) -> "Settings":
        """Check the options of a host that is configured in Python, where they are a dict with this name.

        ``beside`` is the directory in which the module of a filter is looked for; empty means the current one.

        Raises:
            SettingsError: with every mistake at once, each under the name of the dict.
        """
        if not isinstance(given, Mapping):
            raise SettingsError([(name, f"got {brief(given)}; accepted: a dict, such as {{'section_depth': 2}}")])
        try:
            loaded = cls.load(given)
            filters.load(loaded.filter, beside)
        except SettingsError as error:
            raise SettingsError((f"{name}[{key!r}]", message) for key, message in error.errors) from None
        return loaded


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where a site is, on disk and on the web, and the settings for its sitemaps."""

    site_url: str
    """The normalised URL that serves the directory, with its trailing slash."""
    directory: str
    settings: Settings
    preview: str = ""
    """A directory for the new files, to see what would change. Nothing else is written then."""
    beside: str = ""
    """The directory that paths in the settings are relative to. Empty means the current directory."""
    taken: Mapping[str, str] = field(default_factory=dict)
    """Files that other tools write: their URL paths relative to the directory, and the names of the tools."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option, as documentation shows it."""

    name: str
    default: object
    accepted: str
    meaning: str
    schema: Mapping[str, Any]
    """What it accepts, as a JSON schema, as far as possible."""


OPTIONS = tuple(
    Option(
        option.name,
        option.default,
        option.metadata["form"].accepted,
        option.metadata["meaning"],
        option.metadata["form"].schema,
    )
    for option in fields(Settings)
)
