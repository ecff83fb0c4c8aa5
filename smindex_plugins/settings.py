"""Every option a user can set, the same for every host: its name, default, meaning, and what it accepts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from smindex_plugins import forms, urls
from smindex_plugins.forms import SWITCH, Form, SettingsError
from smindex_plugins.limits import MAX_BYTES, MAX_URLS
from smindex_plugins.model import NamedSection, Publication
from smindex_plugins.patterns import is_file_pattern

__all__ = ["LEAST_MAX_BYTES", "NEWS_STEM", "OPTIONS", "Option", "Settings", "SettingsError", "Target"]

NEWS_STEM = "sitemap-news"
"""The name of the news sitemap, without its suffix."""

LEAST_MAX_BYTES = 1_000
"""Room for the head, the tail and an entry of ordinary length."""


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
)
_DEPENDS = forms.mapping(
    "URL patterns with lists of file patterns, such as {'reference/': ['data/*.yml']}",
    forms.text("a URL pattern, such as 'reference/' or 'tags/*.html'", r".*\S.*"),
    Form(
        "a list of files or patterns relative to the root of the git repository, such as 'data/*.yml'",
        lambda given: isinstance(given, str | list | tuple) and all(map(is_file_pattern, forms.many(given))),
        lambda given: tuple(forms.many(given)),
    ),
)
_NEWS = forms.table(
    "a name and a language, such as {name: The Example Times, language: en}",
    Publication,
    name=Form(
        "the name of the publication, as it is shown at news.google.com",
        lambda given: isinstance(given, str) and bool(given.strip()),
        str.strip,
    ),
    language=forms.text("a language of ISO 639 in two or three letters, or zh-cn or zh-tw", "[a-z]{2,3}|zh-cn|zh-tw"),
)
_CROSS_SITE = forms.mapping(
    "origins with their robots.txt, such as {'https://other.example': ../other/robots.txt}",
    Form("an origin, such as 'https://other.example'", lambda given: isinstance(given, str), urls.read_origin),
    forms.text(
        "the file that is the robots.txt there, or its directory; a build asks no other site, so no URL",
        r"(?!.*://)[^\0]*[^\s\0][^\0]*",
    ),
    sorted,
)


def _option(form: Form, meaning: str, *, default: object) -> Any:  # noqa: ANN401 - any field's type
    return field(default=default, metadata={"form": form, "meaning": meaning})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The options of one site, checked."""

    index_filename: str = _option(
        forms.text("a file name that ends in .xml, without a directory", r"[A-Za-z0-9_-][A-Za-z0-9._-]*\.xml"),
        "Name of the sitemap index, written at the site root.",
        default="sitemap_index.xml",
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
    pagination: bool = _option(
        SWITCH, "List the second and later pages of blog lists too; on Pelican the default is false.", default=True
    )
    lastmod: Literal["git", "off"] = _option(
        forms.choice("git", "off"),
        "Where dates come from when the author gave none; `off` writes none at all.",
        default="git",
    )
    lastmod_format: Literal["datetime", "date"] = _option(
        forms.choice("datetime", "date"),
        "`datetime` writes the second in UTC, `date` the day alone.",
        default="datetime",
    )
    git_date: Literal["committer", "author"] = _option(
        forms.choice("committer", "author"),
        "`committer` is when a change landed, `author` when it was first written.",
        default="committer",
    )
    ignore_revs_file: str | None = _option(
        forms.optional(forms.text("a path relative to the root of the git repository", r"(?!/).*\S.*")),
        "File that lists commits which change no content. `.git-blame-ignore-revs` is always honoured.",
        default=None,
    )
    git_history: Literal["first-parent", "full"] = _option(
        forms.choice("first-parent", "full"),
        "`first-parent` dates a change by when it landed on the published branch, `full` by its commit on any branch.",
        default="first-parent",
    )
    depends: tuple[tuple[str, tuple[str, ...]], ...] = _option(
        _DEPENDS, "Files that pages are also made of: URL patterns with lists of file patterns.", default=()
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
        "Write `sitemap-news.xml` too, of the articles of the last two days, as those of this publication.",
        default=None,
    )
    robots_txt: Literal["check", "write"] = _option(
        forms.choice("check", "write"),
        "`check` says where robots.txt does not name the index; `write` adds the line, at the root of a host alone.",
        default="check",
    )
    cross_site: tuple[tuple[str, str], ...] = _option(
        _CROSS_SITE,
        "Other origins whose pages the site lists too; the robots.txt of each must name the index.",
        default=(),
    )
    max_urls: int = _option(
        forms.number(1, MAX_URLS), "Most URLs in one sitemap, and most sitemaps in one index.", default=MAX_URLS
    )
    max_bytes: int = _option(
        forms.number(LEAST_MAX_BYTES, MAX_BYTES), "Most bytes in one file, before compression.", default=MAX_BYTES
    )

    @classmethod
    def load(cls, given: Mapping[str, object]) -> "Settings":
        """Check a configuration as a host read it.

        Raises:
            SettingsError: with every mistake at once.
        """
        known = {option.name: option.metadata["form"] for option in fields(cls)}
        errors = []
        if given.get("news") and given.get("index_filename") == f"{NEWS_STEM}.xml":
            problem = f"got '{NEWS_STEM}.xml', which is the news sitemap's; accepted: another name"
            errors.append(("index_filename", problem))
        return cls(**forms.read_options(known, given, errors))


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


@dataclass(frozen=True, slots=True)
class Option:
    """One option, as documentation shows it."""

    name: str
    default: object
    accepted: str
    meaning: str


OPTIONS = tuple(
    Option(option.name, option.default, option.metadata["form"].accepted, option.metadata["meaning"])
    for option in fields(Settings)
)
