"""What a run of Pelican wrote, as pages: which URL each file has, what dates it, and why some are kept back."""

import os
import posixpath
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pelican.contents import Content, Static
from pelican.settings import DEFAULT_CONFIG
from pelican.urlwrappers import URLWrapper
from pelican.utils import get_date

from smindex_plugins import urls
from smindex_plugins.dates import w3c_date
from smindex_plugins.history.walk import History
from smindex_plugins.model import Details, Page

_HTML = (".html", ".htm", ".xhtml")
_SAVE_AS = [f"{kind}_{lang}SAVE_AS" for kind in ("ARTICLE", "DRAFT", "PAGE", "DRAFT_PAGE") for lang in ("", "LANG_")]
_KEPT_BACK = {"draft": "marked draft", "hidden": "marked hidden"}
_ONCE = "pelican-sitemap"
"""It writes one file for a site and its subsites; pelican-extended-sitemap writes one for each."""
_SITEMAP_PLUGINS = {
    "sitemap": _ONCE,
    "pelican.plugins.sitemap": _ONCE,
    "extended_sitemap": "pelican-extended-sitemap",
    "pelican.plugins.extended_sitemap": "pelican-extended-sitemap",
}


@dataclass(frozen=True, slots=True)
class Written:
    """What one HTML file was made of, as Pelican announced it. The context itself would be too much to keep."""

    content: Content | None
    """The article or page that it is, or that a plugin wrote to a second place."""
    wrapper: URLWrapper | None
    """The tag, category or author whose articles it lists."""
    listed: Sequence[Content]
    paginated: Any
    """Pelican's paginator page, which knows its number and URL."""
    rank: int
    """Whose output stays when two are written to one path: that of the higher rank, or else of the later."""

    @property
    def number(self) -> int:
        """Tell which page of a list it is."""
        return self.paginated.number if self.paginated else 1


@dataclass(slots=True, kw_only=True)
class Run:
    """One run of one Pelican object: what it is set to, and what it wrote so far."""

    pelican: Any
    settings: Mapping[str, Any]
    directory: str
    """The output directory, absolute."""
    content_directory: str
    site_url: str = ""
    """The normalised URL that serves the output directory; empty while it is not known."""
    files: dict[str, Written] = field(default_factory=dict)
    """HTML by its path relative to the output directory, with ``/``."""
    others: set[str] = field(default_factory=set)
    """Everything else that Pelican rendered, by the same paths."""
    static: Sequence[Static] = ()
    periods: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    """Pelican's lists of what it archives by year, month and day: the only place that knows their URLs."""
    after_failure: bool = False
    """The run before it failed, so this one may be the next of many that fail within a second."""
    history: History | None = None
    nested: list["Run"] = field(default_factory=list)
    """Runs that began and ended within this one, each a site in another language."""

    def note(self, path: str, context: Mapping[str, Any]) -> None:
        """Remember a file that Pelican says it has written."""
        inside = path.startswith(self.directory + "/")  # relpath would take longer than all else here
        name = path[len(self.directory) + 1 :] if inside else os.path.relpath(path, self.directory).replace(os.sep, "/")
        if not name.lower().endswith(_HTML):
            self.others.add(name)
            return
        self.periods = context.get("period_archives") or self.periods
        written = _written(name, context, self.settings)
        if name not in self.files or written.rank >= self.files[name].rank:
            self.files[name] = written


def _written(name: str, context: Mapping[str, Any], settings: Mapping[str, Any]) -> Written:
    content = next((it for it in map(context.get, ("article", "page")) if isinstance(it, Content)), None)
    wrapper = next((it for it in map(context.get, ("tag", "category", "author")) if isinstance(it, URLWrapper)), None)
    if content is not None:
        rank = 2 if hasattr(content, "override_save_as") else 0
        return Written(content=content, wrapper=None, listed=(), paginated=None, rank=rank)
    # Every template can see all articles; those that list them are given the articles anew, with what to call the list.
    is_list = wrapper is not None or not context.keys().isdisjoint({"page_name", "period"})
    from_template = not is_list and name in map(posixpath.normpath, settings["TEMPLATE_PAGES"].values())
    paginated = context.get("articles_page") or context.get("dates_page")
    listed = paginated.object_list if paginated else context.get("articles", ()) if is_list else ()
    return Written(content=None, wrapper=wrapper, listed=listed, paginated=paginated, rank=1 if from_template else 0)


@dataclass(frozen=True, slots=True)
class Address:
    """The URL of a file."""

    url: str
    mapped: bool = False
    """Only a server that maps URLs to files can serve it."""
    is_own: bool = True
    """The file is the article's or page's own, and not a second place to which a plugin wrote it."""


class Addresses:
    """Where each article and page is published, over all runs, so that lists and variants can name it."""

    def __init__(self, runs: Iterable[Run]) -> None:
        self.of_file: dict[tuple[str, str], Address] = {}
        """By output directory and file."""
        self._of_object: dict[int, str] = {}
        self._of_source: dict[str, str] = {}
        for run in runs:
            places = _Places(run)
            for name, written in run.files.items():
                self._add(run, name, written, places.address(name, written))

    def _add(self, run: Run, name: str, written: Written, address: Address) -> None:
        self.of_file[run.directory, name] = address
        content, url = written.content, address.url
        if content is None or not address.is_own:
            return
        self._of_object[id(content)] = url
        if content.status == "published" and content.source_path:
            # A site in one language may carry copies in others; the copy at home counts.
            at_home = getattr(content, "lang", None) == run.settings["DEFAULT_LANG"]
            if at_home or content.source_path not in self._of_source:
                self._of_source[content.source_path] = url

    def of_content(self, content: Content) -> str | None:
        """Give the URL of a piece of content, or of its copy in another run."""
        return self._of_object.get(id(content)) or self._of_source.get(content.source_path)


def pages(run: Run, addresses: Addresses, default_lang: str) -> Iterator[Page]:
    """Describe every HTML file that the run wrote and that is still there."""
    templates = {posixpath.normpath(saved): source for source, saved in run.settings["TEMPLATE_PAGES"].items()}
    for name, written in run.files.items():
        address = addresses.of_file[run.directory, name]
        file = os.path.join(run.directory, name)
        if not os.path.isfile(file):
            continue
        if written.content is not None:
            variants = _alternates(written.content, addresses, default_lang) if written.content.translations else ()
            yield _content_page(written.content, file, address, variants, run.settings)
        else:
            source = os.path.join(run.content_directory, templates.get(name, ""))
            yield Page(
                url=address.url,
                file=file,
                sources=(source,) if os.path.isfile(source) and written.rank else (),
                details=Details(
                    mapped=address.mapped,
                    source_name=name,
                    lists=tuple(filter(None, map(addresses.of_content, written.listed))),
                    number=written.number,
                ),
            )
    yield from _static_pages(run)


def early_sources(context: Mapping[str, Any]) -> Iterator[str]:
    """Name, while Pelican is still writing, the files that will date most of its pages."""
    for content in [*context["generated_content"].values(), *context["static_content"].values()]:
        source = content.source_path if content is not None else None
        if source and (source.lower().endswith(_HTML) or not isinstance(content, Static)):
            yield os.path.abspath(source)


def taken_files(run: Run, *, is_subsite: bool) -> Iterator[tuple[str, str]]:
    """Name the files that something else writes into the output directory, and who that is."""
    saved = {str(run.settings.get(f"{name.upper()}_SAVE_AS", "")): name for name in run.settings["DIRECT_TEMPLATES"]}
    for name in run.others:
        yield name, f"the direct template {saved[name]!r}" if name in saved else "a template of Pelican's"
    for plugin in filter(None, map(_SITEMAP_PLUGINS.get, run.settings["PLUGINS"])):
        if plugin != _ONCE or not is_subsite:
            yield "sitemap.xml", f"the plugin {plugin}"


def _content_page(
    content: Content, file: str, address: Address, variants: tuple[tuple[str, str], ...], settings: Mapping[str, Any]
) -> Page:
    status = "" if content.status == "published" else _KEPT_BACK.get(content.status, f"of status {content.status!r}")
    return Page(
        url=address.url,
        file=file,
        sources=(os.path.abspath(content.source_path),) if content.source_path else (),
        details=Details(
            mapped=address.mapped,
            source_name=_source_name(content, settings),
            meta=_meta(content, settings),
            published=_published(content, settings),
            alternates=variants,
            unlisted=status if address.is_own else "at a second place, such as a redirect",
        ),
    )


def _source_name(content: Content, settings: Mapping[str, Any]) -> str:
    top, source = os.path.join(settings["PATH"], ""), content.source_path or ""
    if source.startswith(top):  # as a rule; Pelican takes four system calls to find it out
        return source.removeprefix(top).replace(os.sep, "/")
    return content.relative_source_path or ""


def _static_pages(run: Run) -> Iterator[Page]:
    """Describe the HTML files that are copied. Their places are final only at the end: a link can move them."""
    places = _Places(run)
    for static in run.static:
        name = _saved_name(static)
        file = os.path.join(run.directory, name)
        if name.lower().endswith(_HTML) and name not in run.files and os.path.isfile(file):
            yield Page(
                url=places.join(static.url),
                file=file,
                sources=(os.path.abspath(static.source_path),),
                details=Details(source_name=static.relative_source_path or ""),
            )


def _alternates(content: Content, addresses: Addresses, default_lang: str) -> tuple[tuple[str, str], ...]:
    """Name all variants of a page, itself included, and once more the one for readers of any other language."""
    found = set()
    for variant in [content, *content.translations]:
        url = addresses.of_content(variant)
        lang = str(getattr(variant, "lang", ""))
        if url and lang:
            found.add((lang.replace("_", "-"), url))
            if lang.lower() == default_lang.lower():
                found.add(("x-default", url))
    return tuple(sorted(found))


def _meta(content: Content, settings: Mapping[str, Any]) -> Mapping[str, object]:
    """Give the front matter, without the dates that ``DEFAULT_DATE`` puts into it."""
    if "modified" not in content.metadata:
        return {**content.metadata, "date": None}
    modified = None if settings.get("DEFAULT_DATE") == "fs" else _moment(content, "modified")
    return {**content.metadata, "date": None, "modified": modified}


def _published(content: Content, settings: Mapping[str, Any]) -> str | None:
    written = content.metadata.get("date")
    default = settings.get("DEFAULT_DATE")
    if written is None or default == "fs":
        return None
    if default and written == (get_date(default) if isinstance(default, str) else datetime(*default)):  # noqa: DTZ001
        return None  # nobody wrote it for this page
    return w3c_date(_moment(content, "date"))


def _moment(content: Content, key: str) -> object:
    """Give a date of the front matter as its author meant it: a day, or an instant in the site's time zone."""
    written = content.metadata[key]
    if isinstance(written, datetime) and written.tzinfo is None:
        return written.date() if written.time() == datetime.min.time() else getattr(content, key, None)
    return written


def _saved_name(content: Content) -> str:
    return posixpath.normpath(str(content.save_as).replace(os.sep, "/"))


class _Places:
    """Which URL a file has: the one that was declared for it, if somebody did declare it, or else its path."""

    def __init__(self, run: Run) -> None:
        self._site_url = run.site_url
        self._settings = run.settings
        self._files_of = Counter(id(written.content) for written in run.files.values())
        self._all_saved = all(self._settings.get(name) for name in _SAVE_AS)
        self._direct = {
            posixpath.normpath(str(run.settings.get(f"{name.upper()}_SAVE_AS", f"{name}.html"))): f"{name.upper()}_URL"
            for name in run.settings["DIRECT_TEMPLATES"]
        }
        self._periods = {
            posixpath.normpath(str(archive["save_as"])): archive["url"]
            for archives in run.periods.values()
            for archive in archives
        }

    def address(self, name: str, written: Written) -> Address:
        """Give the URL of a file: as it was declared, or else that of its path."""
        own = self.join(urls.from_file_path(name))
        is_own = written.content is None or self._is_own(name, written.content)
        declared = self._declared(name, written) if is_own else None
        if not declared:
            return Address(own, is_own=is_own)
        url = self.join(declared)
        bare = own[: own.rindex(".")] if own.endswith(_HTML) else own
        return Address(url, mapped=url not in {own, own.rstrip("/"), bare, bare + "/"})

    def _is_own(self, name: str, content: Content) -> bool:
        """Tell the place that Pelican gave a piece of content from one to which a plugin wrote it as well.

        Pelican takes as long to say where it saved something as the rest of this class takes. The only file that was
        written is the one.
        """
        is_only = self._all_saved and self._files_of[id(content)] == 1 and not hasattr(content, "override_save_as")
        return is_only or _saved_name(content) == name

    def join(self, declared: str) -> str:
        """Join a URL to SITEURL as themes do, without the file name that servers add."""
        url = urls.normalise(self._site_url + declared.lstrip("/"))
        return url.removesuffix("index.html") if url.endswith("/index.html") else url

    def _declared(self, name: str, written: Written) -> str | None:
        if written.content is not None:
            return self._of_content(written.content)
        if written.number > 1:
            is_default = self._settings["PAGINATION_PATTERNS"] == DEFAULT_CONFIG["PAGINATION_PATTERNS"]
            return None if is_default else str(written.paginated.url)
        if written.wrapper is not None:
            kind = type(written.wrapper).__name__.upper()
            return str(written.wrapper.url) if self._is_declared(kind) else None
        return self._settings.get(self._direct.get(name, "")) or self._periods.get(name)

    def _of_content(self, content: Content) -> str | None:
        if "url" not in content.metadata:
            kind = type(content).__name__.upper() + ("" if content.in_default_lang else "_LANG")
            if "save_as" in content.metadata:
                return None
            if not self._is_declared(kind) and not hasattr(content, "override_url"):
                return None
        return str(content.url)

    def _is_declared(self, kind: str) -> bool:
        """Tell whether URLs of a kind say more than the paths of their files.

        Where they are the same, the path costs nothing to know. A default URL is not true where files were told to lie
        elsewhere.
        """
        url, saved = self._settings.get(f"{kind}_URL"), self._settings.get(f"{kind}_SAVE_AS")
        if url is not None and saved in {url, f"{url}index.html"}:
            return False
        return bool(url != DEFAULT_CONFIG.get(f"{kind}_URL") or saved == DEFAULT_CONFIG.get(f"{kind}_SAVE_AS"))
