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
_NOT_PUBLISHED = {"published": None, "draft": "marked draft", "hidden": "marked hidden"}


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
        """Return all articles and pages before any is written, even drafts and hidden pages."""
        files: dict[str, Written] = {}
        lists = {key: context[key] for key in LISTS & context.keys()}
        for content in context["generated_content"].values():
            # Without a file, it has no address.
            if not content or not content.save_as:
                continue
            written = self._content(_normal(content.save_as), {"article": content, **lists})
            if written is not None:
                files[content.save_as] = written
        run = replace(self, files=files)
        addresses = addresses_of([run])
        found = zip(files.values(), pages(run, addresses, self.site.settings), strict=True)
        return [(written.content, replace(page, unlisted=None)) for written, page in found]

    def add(self, path: str, context: Mapping[str, Any]) -> None:
        """Record a file that Pelican has written."""
        self.static = context.get("staticfiles", ())
        name = _normal(os.path.relpath(path, self.site.directory))
        kept = {key: context[key] for key in _KEPT & context.keys()}
        self.rendered.append((name, kept))

    def end(self) -> None:
        """Determine the kind of each HTML file that still exists."""
        declared = self._declared_urls()
        for name, context in self.rendered:
            if not is_html(name) or not os.path.isfile(os.path.join(self.site.directory, name)):
                continue
            written = self._content(name, context)
            if written is None:
                written = self._list(name, context, declared.get(name))
            if name not in self.files or not self.files[name].overrides:
                self.files[name] = written

    def page(self, name: str, declared: object, **facts: Any) -> Page:  # noqa: ANN401 - as Page has them
        """Return the page for a file, with its declared URL or, by default, the URL of its path."""
        own = self._join(urls.from_file_path(name))
        url = self._join(str(declared)) if declared else own
        bare = own
        if is_html(own):
            bare = own[: own.rindex(".")]
        mapped = url not in {own, own.rstrip("/"), bare, bare + "/"}
        return Page(url=url, file=os.path.join(self.site.directory, name), mapped=mapped, **facts)

    def _join(self, path: str) -> str:
        url = urls.normalise(self.site.url + path.lstrip("/"))
        if url.endswith("/index.html"):
            return url.removesuffix("index.html")
        return url

    def _content(self, name: str, context: Mapping[str, Any]) -> Written | None:
        """Return a Pelican article or page, or None."""
        content = context.get("article") or context.get("page")
        if not isinstance(content, Content):
            return None
        declared = None
        unlisted: str | None = "at a second place, such as a redirect"
        is_own = _normal(content.save_as) == name
        if is_own:
            declared = _declared(content, self.settings)
            unlisted = _NOT_PUBLISHED.get(content.status, f"of status {brief(content.status)}")
        modified, published = _dates(content, self.settings)
        page = self.page(
            name,
            declared,
            sources=sources(content),
            source_name=content.relative_source_path or None,
            meta={**content.metadata, "date": None, "modified": modified},
            published=published,
            unlisted=unlisted,
            section=str(content.category.slug) if isinstance(content, Article) else None,
        )
        # A page with a custom template can list articles or pages.
        template = content.metadata.get("template")
        kinds = self.templates.lists(str(template)) if template and self.templates else ()
        listed = _listed(kinds, context)
        is_kept = hasattr(content, "override_save_as")
        return Written(page, content if is_own else None, listed=listed, overrides=is_kept)

    def _declared_urls(self) -> dict[str, str]:
        """Return the declared URLs of direct templates and archives by period, by their files."""
        periods: Mapping[str, Any] = {}
        for _, context in self.rendered:
            periods = context.get("period_archives") or periods
        declared = {}
        for archive in _archives(periods):
            if archive["url"]:
                saved = _normal(archive["save_as"])
                declared[saved] = str(archive["url"])
        for saved, template in self._direct_templates().items():
            url = self.settings.get(f"{template.upper()}_URL")
            if url:
                declared[saved] = str(url)
        return declared

    def _direct_templates(self) -> dict[str, str]:
        """Return the names of direct templates, by their files."""
        found = {}
        for name in self.settings["DIRECT_TEMPLATES"]:
            saved = self.settings.get(f"{name.upper()}_SAVE_AS", f"{name}.html")
            found[_normal(saved)] = name
        return found

    def _list(self, name: str, context: Mapping[str, Any], declared: str | None) -> Written:
        """Return the page of a template: a list of articles, or a custom template."""
        wrapper = context.get("tag") or context.get("category") or context.get("author")
        if not isinstance(wrapper, URLWrapper):
            wrapper = None
        paginated: Any = context.get("articles_page") or context.get("dates_page")
        # Every template gets all articles. Lists of articles also get the name of the list.
        is_list = wrapper is not None or not context.keys().isdisjoint({"page_name", "period"})
        kinds = frozenset({"articles"} if is_list else ())
        template = "" if is_list else self._template_pages().get(name, "")
        source = ""
        if template:
            source = os.path.abspath(os.path.join(self.pelican.path, template))
        direct = self._direct_templates().get(name, "")
        if (template or direct) and self.templates:
            kinds = self.templates.lists(source or direct)
            if not source and not kinds and not paginated:
                source = self.templates.file(direct)
        of_template = (source,) if os.path.isfile(source) else ()
        if paginated:
            listed = [*paginated.object_list, *_listed(kinds - {"articles"}, context)]
        else:
            listed = _listed(kinds, context)
        unknown = None
        if of_template and not kinds and self.templates and self.templates.shows_data(source):
            unknown = Unknown(NoDate.TEMPLATE)
        page = self.page(
            name,
            self._url_of_list(wrapper, paginated, declared),
            sources=of_template,
            source_name=name,
            number=paginated.number if paginated else 1,
            unknown=unknown,
        )
        return Written(page, listed=listed, overrides=bool(template))

    def _template_pages(self) -> dict[str, str]:
        """Return the custom templates, by their files."""
        saved_as = self.settings["TEMPLATE_PAGES"]
        return {_normal(saved): template for template, saved in saved_as.items()}

    def _url_of_list(
        self,
        wrapper: URLWrapper | None,
        paginated: Any,  # noqa: ANN401 - as above
        declared: str | None,
    ) -> str | None:
        """Return the declared URL of a list, if it is known."""
        if paginated and paginated.number > 1:
            patterns = self.settings["PAGINATION_PATTERNS"]
            is_default = patterns == DEFAULT_CONFIG["PAGINATION_PATTERNS"]
            return None if is_default else str(paginated.url)
        if wrapper is None:
            return declared
        kind = type(wrapper).__name__.upper()
        return str(wrapper.url) if _is_true(kind, self.settings) else None


def addresses_of(runs: Iterable[Run]) -> dict[object, str]:
    """Return the URLs of published articles and pages in all runs, by their sources."""
    found: dict[object, str] = {}
    for run in runs:
        for written in run.files.values():
            content = written.content
            if not content or content.status != "published":
                continue
            key = _key(content)
            # With i18n_subsites, a site can contain copies from other languages. Use the one in its
            # own language.
            is_home = getattr(content, "lang", None) == run.settings["DEFAULT_LANG"]
            if is_home or key not in found:
                found[key] = written.page.url
    return found


def pages(run: Run, found: Mapping[object, str], settings: Settings) -> Iterator[Page]:
    """Yield the listable files that a run wrote or copied.

    ``found`` has the addresses of all runs.
    """
    for written in run.files.values():
        lists = []
        shown: list[str] = []
        for content in written.listed:
            url = found.get(_key(content))
            if url is not None:
                lists.append(url)
            else:  # a listed article without a page of its own is one of the sources
                shown += sources(content)
        alternates = _alternates(written, found)
        page = replace(written.page, lists=tuple(dict.fromkeys(lists)), alternates=alternates)
        if shown:
            files = dict.fromkeys([*page.sources, *shown])
            page = replace(page, sources=tuple(files), published=None)
        yield page
    for static in run.static:  # links can move them, so their paths are final only at the end
        name = _normal(static.save_as)
        if name in run.files or not os.path.isfile(os.path.join(run.site.directory, name)):
            continue
        is_page = is_html(static.save_as)
        if is_page or is_included(name, settings):
            source = static.relative_source_path or ""
            kind = "page" if is_page else "file"
            yield run.page(name, static.url, sources=sources(static), source_name=source, kind=kind)


def _alternates(written: Written, found: Mapping[object, str]) -> tuple[tuple[str, str], ...]:
    """Return the translations of an article or a page, itself included."""
    content = written.content
    if not content or not content.translations:
        return ()
    alternates = {(_language(content), written.page.url)}
    for translation in content.translations:
        url = found.get(_key(translation), "")
        alternates.add((_language(translation), url))
    return tuple(sorted((code, url) for code, url in alternates if code and url))


def _language(content: Content) -> str:
    return str(getattr(content, "lang", "")).replace("_", "-")


def _listed(kinds: Iterable[str], context: Mapping[str, Any]) -> list[Content]:
    """Return the articles and pages in these variables of a context, which are some of `LISTS`."""
    listed: list[object] = []
    for kind in sorted(kinds):
        value = context.get(kind) or {}
        if kind != "period_archives":
            listed += value
            continue
        for archive in _archives(value):
            listed += archive["articles"]
    return [each for each in listed if isinstance(each, Content)]


def _archives(periods: Mapping[str, Iterable[Mapping[str, Any]]]) -> Iterator[Mapping[str, Any]]:
    """Yield the archives of years, months and days."""
    for of_a_length in periods.values():
        yield from of_a_length


def _key(content: Content) -> object:
    """Return a key for an article that is the same in all runs: its source, if it has one."""
    return content.source_path or id(content)


def _declared(content: Content, settings: Mapping[str, Any]) -> str | None:
    if "url" in content.metadata:
        return str(content.url)
    if "save_as" in content.metadata:
        return None
    kind = type(content).__name__.upper()
    if not content.in_default_lang:
        kind += "_LANG"
    if hasattr(content, "override_url") or _is_true(kind, settings):
        return str(content.url)
    return None


def _is_true(kind: str, settings: Mapping[str, Any]) -> bool:
    """Whether the URL setting for a kind of page is correct.

    The default is wrong if only `SAVE_AS` was changed.
    """
    url = f"{kind}_URL"
    saved = f"{kind}_SAVE_AS"
    if settings.get(url) != DEFAULT_CONFIG.get(url):
        return True
    return bool(settings.get(saved) == DEFAULT_CONFIG.get(saved))


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
    if written.time() == datetime.min.time():
        return written.date()
    return getattr(content, key, None)


def sources(content: Content) -> tuple[str, ...]:
    """Return the absolute path of the source, if there is one."""
    if not content.source_path:
        return ()
    return (os.path.abspath(content.source_path),)


def _normal(path: object) -> str:
    return posixpath.normpath(str(path).replace(os.sep, "/"))
