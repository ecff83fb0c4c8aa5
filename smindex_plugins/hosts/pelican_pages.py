"""Turns the files of a Pelican run into pages with URLs, sources, and the reasons why some are not
published.
"""

import os
import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from pelican.contents import Article, Content, Static
from pelican.settings import DEFAULT_CONFIG
from pelican.urlwrappers import URLWrapper
from pelican.utils import get_date

from smindex_plugins.base import urls
from smindex_plugins.base.dates import w3c_date
from smindex_plugins.base.files import is_html
from smindex_plugins.base.model import Page
from smindex_plugins.base.proof import NoDate, Unknown
from smindex_plugins.base.settings import Settings
from smindex_plugins.base.site import Site
from smindex_plugins.base.text import brief
from smindex_plugins.hosts.pelican_templates import LISTS, Templates
from smindex_plugins.pages.dating import Dating
from smindex_plugins.pages.others import is_included
from smindex_plugins.report import Message

_KEPT = {
    "article",
    "page",
    "tag",
    "category",
    "author",
    "articles_page",
    "dates_page",
    "page_name",
    "period",
    *LISTS,
}
"""The parts of a template context that show the kind of a file. The whole context would use too
much memory."""
_NOT_PUBLISHED = {"published": "", "draft": "marked draft", "hidden": "marked hidden"}


@dataclass(frozen=True, slots=True)
class Written:
    """The page for an HTML file, with its article, if any, and the articles and pages that it
    lists.
    """

    page: Page
    content: Content | None = None
    listed: Sequence[Content] = ()
    overrides: bool = False
    """Whether Pelican keeps this file if another is written to the same path. Otherwise, the later
    file wins."""


@dataclass(slots=True)
class Run:
    """One run of one Pelican object: its settings, its site, and the files written so far."""

    pelican: Any
    settings: Mapping[str, Any]
    site: Site
    """The URL is empty if SITEURL is not a valid address."""
    messages: Sequence[Message]
    """Messages about SITEURL."""
    rendered: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    """The paths of files in the order of writing, each with the context that shows its kind."""
    static: Sequence[Static] = ()
    templates: Templates | None = None
    """The templates of the theme, if Pelican has started to read them."""
    dating: Dating | None = None
    """The dating of all nested runs. Only the outermost run has it."""
    has_ended: bool = False
    files: dict[str, Written] = field(default_factory=dict)
    """The HTML files that exist at the end of the run, by their paths in the output."""

    def contents(self, context: Mapping[str, Any]) -> list[tuple[Content, Page]]:
        """Return all articles and pages before any is written, including drafts and hidden
        pages.
        """
        files: dict[str, Written] = {}
        lists = {key: context[key] for key in LISTS & context.keys()}
        for content in context["generated_content"].values():
            given = {"article": content, **lists}
            # Without a file, it has no address.
            if (
                content
                and content.save_as
                and (written := self._content(_normal(content.save_as), given))
            ):
                files[content.save_as] = written
        run = replace(self, files=files)
        found = zip(
            files.values(), pages(run, addresses_of([run]), self.site.settings), strict=True
        )
        return [(written.content, replace(page, unlisted="")) for written, page in found]

    def add(self, path: str, context: Mapping[str, Any]) -> None:
        """Record a file that Pelican has written."""
        self.static = context.get("staticfiles", ())
        kept = {key: context[key] for key in _KEPT & context.keys()}
        self.rendered.append((_normal(os.path.relpath(path, self.site.directory)), kept))

    def end(self) -> None:
        """Determine the kind of each HTML file that still exists."""
        declared = self._declared_urls()
        for name, context in self.rendered:
            if is_html(name) and os.path.isfile(os.path.join(self.site.directory, name)):
                written = self._content(name, context) or self._list(
                    name, context, declared.get(name)
                )
                if name not in self.files or not self.files[name].overrides:
                    self.files[name] = written

    def page(self, name: str, declared: object, **facts: Any) -> Page:  # noqa: ANN401 - as Page has them
        """Return the page for a file, with its declared URL or, by default, the URL of its path."""
        own = self._join(urls.from_file_path(name))
        url = self._join(str(declared)) if declared else own
        bare = own[: own.rindex(".")] if is_html(own) else own
        mapped = url not in {own, own.rstrip("/"), bare, bare + "/"}
        return Page(url=url, file=os.path.join(self.site.directory, name), mapped=mapped, **facts)

    def _join(self, path: str) -> str:
        url = urls.normalise(self.site.url + path.lstrip("/"))
        return url.removesuffix("index.html") if url.endswith("/index.html") else url

    def _content(self, name: str, context: Mapping[str, Any]) -> Written | None:
        """Return a Pelican article or page, or None."""
        content = context.get("article") or context.get("page")
        if not isinstance(content, Content):
            return None
        is_own = _normal(content.save_as) == name
        status = _NOT_PUBLISHED.get(content.status, f"of status {brief(content.status)}")
        modified, published = _dates(content, self.settings)
        page = self.page(
            name,
            _declared(content, self.settings) if is_own else None,
            sources=sources(content),
            source_name=content.relative_source_path or "",
            meta={**content.metadata, "date": None, "modified": modified},
            published=published,
            unlisted=status if is_own else "at a second place, such as a redirect",
            section=str(content.category.slug) if isinstance(content, Article) else "",
        )
        # A page with a custom template can list articles or pages.
        template = content.metadata.get("template")
        kinds = self.templates.lists(str(template)) if template and self.templates else ()
        listed = _listed(kinds, context)
        is_kept = hasattr(content, "override_save_as")
        return Written(page, content if is_own else None, listed=listed, overrides=is_kept)

    def _declared_urls(self) -> dict[str, str]:
        """Return the declared URLs of direct templates and of archives by period, by their
        files.
        """
        periods = [
            context["period_archives"]
            for _, context in self.rendered
            if context.get("period_archives")
        ]
        found = [
            (archive["save_as"], archive["url"]) for archive in _archives((periods or [{}])[-1])
        ]
        for saved, template in self._direct_templates().items():
            found.append((saved, self.settings.get(f"{template.upper()}_URL")))
        return {_normal(saved): str(url) for saved, url in found if url}

    def _direct_templates(self) -> dict[str, str]:
        """Return the names of direct templates, by their files."""
        names = self.settings["DIRECT_TEMPLATES"]
        return {
            _normal(self.settings.get(f"{name.upper()}_SAVE_AS", f"{name}.html")): name
            for name in names
        }

    def _list(self, name: str, context: Mapping[str, Any], declared: str | None) -> Written:
        """Return the page of a template: a list of articles, or a custom template."""
        wrapper = context.get("tag") or context.get("category") or context.get("author")
        wrapper = wrapper if isinstance(wrapper, URLWrapper) else None
        # Every template gets all articles. Lists of articles also get the name of the list.
        is_list = wrapper is not None or not context.keys().isdisjoint({"page_name", "period"})
        kinds = frozenset({"articles"} if is_list else ())
        paginated: Any = context.get("articles_page") or context.get("dates_page")
        number = paginated.number if paginated else 1
        if number > 1:
            is_default = (
                self.settings["PAGINATION_PATTERNS"] == DEFAULT_CONFIG["PAGINATION_PATTERNS"]
            )
            declared = None if is_default else str(paginated.url)
        elif wrapper is not None:
            declared = (
                str(wrapper.url)
                if _is_true(type(wrapper).__name__.upper(), self.settings)
                else None
            )
        own = {_normal(saved): source for source, saved in self.settings["TEMPLATE_PAGES"].items()}
        template = "" if is_list else own.get(name, "")
        source = os.path.abspath(os.path.join(self.pelican.path, template)) if template else ""
        direct = self._direct_templates().get(name, "")
        if (template or direct) and self.templates:
            kinds = self.templates.lists(source or direct)
            source = source or ("" if kinds or paginated else self.templates.file(direct))
        of_template = (source,) if os.path.isfile(source) else ()
        listed = _listed(kinds - {"articles"} if paginated else kinds, context)
        listed = [*paginated.object_list, *listed] if paginated else listed
        unknown = None
        if of_template and not kinds and self.templates and self.templates.shows_data(source):
            unknown = Unknown(NoDate.TEMPLATE)
        page = self.page(
            name, declared, sources=of_template, source_name=name, number=number, unknown=unknown
        )
        return Written(page, listed=listed, overrides=bool(template))


def addresses_of(runs: Iterable[Run]) -> dict[object, str]:
    """Return the URLs of published articles and pages in all runs, by their sources."""
    found: dict[object, str] = {}
    for run in runs:
        for written in run.files.values():
            content = written.content
            # With i18n_subsites, a site can contain copies from other languages. Use the one in its
            # own language.
            is_home = getattr(content, "lang", None) == run.settings["DEFAULT_LANG"]
            if (
                content
                and content.status == "published"
                and (is_home or _key(content) not in found)
            ):
                found[_key(content)] = written.page.url
    return found


def pages(run: Run, found: Mapping[object, str], settings: Settings) -> Iterator[Page]:
    """Yield the listable files that a run wrote or copied.

    ``found`` has the addresses of all runs.
    """
    for written in run.files.values():
        content, variants = written.content, list[tuple[str, str]]()
        if content and content.translations:
            known = [
                (content, written.page.url),
                *((it, found.get(_key(it), "")) for it in content.translations),
            ]
            variants = [(str(getattr(it, "lang", "")).replace("_", "-"), url) for it, url in known]
        alternates = tuple(sorted({(code, url) for code, url in variants if code and url}))
        lists = dict.fromkeys(found[_key(it)] for it in written.listed if _key(it) in found)
        page = replace(written.page, lists=tuple(lists), alternates=alternates)
        # A listed article without a page of its own is one of the sources.
        if shown := dict.fromkeys(
            file for it in written.listed if _key(it) not in found for file in sources(it)
        ):
            page = replace(
                page, sources=tuple(dict.fromkeys([*page.sources, *shown])), published=None
            )
        yield page
    for static in run.static:  # links can move them, so their paths are final only at the end
        name, is_page = _normal(static.save_as), is_html(static.save_as)
        is_there = name not in run.files and os.path.isfile(os.path.join(run.site.directory, name))
        if is_there and (is_page or is_included(name, settings)):
            source, kind = static.relative_source_path or "", "page" if is_page else "file"
            yield run.page(name, static.url, sources=sources(static), source_name=source, kind=kind)


def _listed(kinds: Iterable[str], context: Mapping[str, Any]) -> list[Content]:
    """Return the articles and pages in these variables of a context, which are some of `LISTS`."""
    listed: list[object] = []
    for kind in sorted(kinds):
        if kind == "period_archives":
            listed += [
                it for archive in _archives(context.get(kind) or {}) for it in archive["articles"]
            ]
        else:
            listed += context.get(kind) or ()
    return [it for it in listed if isinstance(it, Content)]


def _archives(periods: Mapping[str, Iterable[Mapping[str, Any]]]) -> Iterator[Mapping[str, Any]]:
    """Yield the archives of years, months and days."""
    for of_a_length in periods.values():
        yield from of_a_length


def _key(content: Content) -> object:
    """Return a key for an article that is the same in all runs: its source, if it has one."""
    return content.source_path or id(content)


def _declared(content: Content, settings: Mapping[str, Any]) -> str | None:
    kind = type(content).__name__.upper() + ("" if content.in_default_lang else "_LANG")
    is_moved = "save_as" in content.metadata or not (
        hasattr(content, "override_url") or _is_true(kind, settings)
    )
    return None if is_moved and "url" not in content.metadata else str(content.url)


def _is_true(kind: str, settings: Mapping[str, Any]) -> bool:
    """Whether the URL setting for a kind of page is correct.

    The default is wrong if only `SAVE_AS` was changed.
    """
    url, saved = f"{kind}_URL", f"{kind}_SAVE_AS"
    return bool(
        settings.get(url) != DEFAULT_CONFIG.get(url)
        or settings.get(saved) == DEFAULT_CONFIG.get(saved)
    )


def _dates(content: Content, settings: Mapping[str, Any]) -> tuple[object, str | None]:
    """Return the author's dates of modification and publication, ignoring ``DEFAULT_DATE``."""
    default = settings.get("DEFAULT_DATE")
    if default == "fs":
        return None, None
    given = None
    if isinstance(default, str):
        given = get_date(default)
    elif default:
        given = datetime(*default)  # noqa: DTZ001 - as in Pelican
    published = None
    if content.metadata.get("date") != given:
        published = w3c_date(_moment(content, "date"))
    return _moment(content, "modified"), published


def _moment(content: Content, key: str) -> object:
    """Return a date from the front matter as a day, or as a time in the site's time zone."""
    written = content.metadata.get(key)
    if not isinstance(written, datetime) or written.tzinfo is not None:
        return written
    return written.date() if written.time() == datetime.min.time() else getattr(content, key, None)


def sources(content: Content) -> tuple[str, ...]:
    """Return the absolute path of the source, if there is one."""
    return (os.path.abspath(content.source_path),) if content.source_path else ()


def _normal(path: object) -> str:
    return posixpath.normpath(str(path).replace(os.sep, "/"))
