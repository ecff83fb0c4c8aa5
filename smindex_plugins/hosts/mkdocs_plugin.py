"""The MkDocs and ProperDocs adapter: hands pages to the core, and logs in MkDocs' way what the core reports."""

import gzip
import html
import os
import posixpath
import re
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urljoin, urlsplit

from smindex_plugins import report, urls
from smindex_plugins.dates import day
from smindex_plugins.model import Details, Page
from smindex_plugins.pages import shared_dating
from smindex_plugins.pipeline import publish
from smindex_plugins.settings import OPTIONS, Settings, SettingsError
from smindex_plugins.sitemaps import no_mkdocs, zensical_beside

try:
    from mkdocs.config import config_options as c
    from mkdocs.config.base import Config, ConfigErrors, ConfigWarnings, ValidationError
    from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
    from mkdocs.utils import meta
except ModuleNotFoundError as error:
    raise ImportError(no_mkdocs(error)) from error

if TYPE_CHECKING:
    import jinja2
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File, Files
    from mkdocs.structure.pages import Page as MkDocsPage

log = get_plugin_logger("sitemap-index")

_LAST = -100
_AFTER_NESTED_BUILDS = -200
"""mkdocs-static-i18n builds the site in every further language when the first is built, at a priority of -100."""
_TAGS_PLUGINS = ("material/tags", "materialx/tags")
_FLAT = "sitemap.xml"
_FLAT_ENTRY = re.compile(r"<url>.*?</url>", re.DOTALL)
_FLAT_LASTMOD = re.compile(r"(\s*<lastmod>)[^<]*(</lastmod>)")
_RESERVED_FILENAME = (
    "got 'sitemap.xml', which MkDocs writes itself: themes read the pages of the site from that file, and an index "
    "there would break their instant navigation and their version and language switchers; accepted: another name"
)
_NO_SITE_URL = (
    "no sitemaps are written, because a sitemap holds absolute URLs and site_url is {}. "
    "Add to mkdocs.yml the address that serves the site, for example:\n\n  site_url: https://example.org/\n"
)


class SitemapIndexConfig(Config):
    """The options as MkDocs knows them; `Settings` decides what they accept."""

    vars().update({option.name: c.Type(object, default=option.default) for option in OPTIONS})
    settings = Settings()

    def load_dict(self, patch: dict[str, Any]) -> None:
        """Keep what the user wrote apart from the defaults."""
        self._given = patch
        super().load_dict(patch)

    def validate(self) -> tuple[ConfigErrors, ConfigWarnings]:
        """Report every mistake at once, in the words all hosts share."""
        errors: list[tuple[str, str]] = []
        try:
            self.settings = Settings.load(self._given)
        except SettingsError as error:
            errors.extend(error.errors)
        if self._given.get("index_filename") == _FLAT:
            errors.append(("index_filename", _RESERVED_FILENAME))
        return [(key, ValidationError(message)) for key, message in errors], []


class SitemapIndexPlugin(BasePlugin[SitemapIndexConfig]):
    """Collects the pages of a build, and writes the sitemaps when the rendered files are there."""

    def __init__(self) -> None:
        self._command = "build"
        self._depth = 0
        self._pages: dict[str, Page] = {}

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:  # noqa: ARG002
        """Learn what is run; that this method exists also keeps the plugin object across rebuilds while serving."""
        self._command = command

    def on_pre_build(self, *, config: "MkDocsConfig") -> None:  # noqa: ARG002
        """Count the builds that have begun, for one may begin within another one's last event."""
        self._depth += 1

    def on_build_error(self, *, error: Exception) -> None:  # noqa: ARG002
        """Forget the builds that have begun and will never end."""
        self._depth = 0

    @event_priority(_LAST)
    def on_files(self, files: "Files", *, config: "MkDocsConfig") -> None:
        """Start to read the history, which goes on while MkDocs renders."""
        site_url = _site_url(config)
        if site_url and self._writes(config):
            with report.harmless(log):
                dating = shared_dating(self.config.settings)
                if self._depth == 1:
                    dating.history.refresh()
                published = ((urls.resolve(site_url, file.url), _sources(file, config)) for file in _published(files))
                dating.start((Page(url=url, sources=sources) for url, sources in published), site_url)

    @event_priority(_LAST)
    def on_env(self, env: "jinja2.Environment", *, config: "MkDocsConfig", files: "Files") -> None:  # noqa: ARG002
        """Collect the pages when every other plugin has made its own."""
        site_url = _site_url(config)
        if site_url and self._writes(config):
            with report.harmless(log):
                self._pages.update((file.dest_uri, _page(file, site_url, config)) for file in _published(files))

    @event_priority(_AFTER_NESTED_BUILDS)
    def on_post_build(self, *, config: "MkDocsConfig") -> None:
        """Write the sitemaps of the pages that this build and those within it have rendered, then report."""
        self._depth = max(0, self._depth - 1)
        site_url = _site_url(config)
        if self._depth or not self._writes(config):
            return
        if not site_url:
            log.warning(_NO_SITE_URL.format(repr(config.site_url) if config.site_url else "not set"))
            return
        with report.harmless(log):
            started = time.perf_counter()
            beside = os.path.dirname(config.config_file_path or "")
            result = publish(
                (page for page in self._pages.values() if os.path.isfile(page.file)),
                site_url=site_url,
                directory=config.site_dir,
                settings=self.config.settings,
                dating=shared_dating(self.config.settings),
                default_language=getattr(config.plugins.get("i18n"), "default_language", ""),
                beside=beside,
            )
            _date_flat_sitemap(os.path.join(config.site_dir, _FLAT), result.dated)
            log.info(result.summary(time.perf_counter() - started))
            others = filter(None, [zensical_beside(beside)])
            report.log(log, [*result.messages(), *((finding.level, str(finding)) for finding in others)])

    def _writes(self, config: "MkDocsConfig") -> bool:
        """Whether this is no preview. `serve --clean` calls itself a build, but serves a temporary directory."""
        previewed = str(config.site_url).startswith(f"http://{config.dev_addr}/")
        temporary = os.path.dirname(config.site_dir) == tempfile.gettempdir()
        return self._command != "serve" and not (previewed and temporary)


def _site_url(config: "MkDocsConfig") -> str:
    """Return the address of the site with the slash that mike leaves out, or nothing where there is none."""
    with suppress(ValueError):
        return urls.site_url(config.site_url or "")
    return ""


def _date_flat_sitemap(path: str, pages: Iterable[Page]) -> None:
    """Let MkDocs' own sitemap tell the dates of pages, or none, where it has the date of the build."""
    if not os.path.isfile(path):
        return
    dates = {page.url: day(page.lastmod) for page in pages if page.lastmod}

    def dated(entry: re.Match[str]) -> str:
        url = urls.normal(html.unescape(entry[0].partition("<loc>")[2].partition("</loc>")[0]))
        return _FLAT_LASTMOD.sub(rf"\g<1>{dates[url]}\g<2>" if url in dates else "", entry[0])

    with open(path, encoding="utf-8", newline="") as file:
        content = _FLAT_ENTRY.sub(dated, file.read())
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(content)
    if os.path.isfile(path + ".gz"):
        newest = max(dates.values(), default="1970-01-01")
        moment = datetime.fromisoformat(newest).replace(tzinfo=UTC).timestamp()
        with gzip.GzipFile(path + ".gz", "wb", mtime=moment) as compressed:
            compressed.write(content.encode())


def _page(file: "File", site_url: str, config: "MkDocsConfig") -> Page:
    page = file.page
    url, details = urls.resolve(site_url, file.url), Details(source_name=file.src_uri, copied=True)
    if page is not None:
        views = getattr(page, "pages", [])  # of a blog's list, the pages over which it goes
        url = _url(page, site_url)
        details = Details(
            source_name=file.src_uri,
            # A `--dirty` build does not read a page that has not changed.
            meta=page.meta or (meta.get_data(file.content_string)[1] if page.content is None else None),
            lists=tuple(_url(listed, site_url) for listed in [*getattr(page, "posts", []), *_tagged(page, config)]),
            number=views.index(page) + 1 if page in views else 1,
            alternates=_alternates(file, site_url),
        )
    return Page(url=url, file=file.abs_dest_path, sources=_sources(file, config), details=details)


def _tagged(page: "MkDocsPage", config: "MkDocsConfig") -> Iterator["MkDocsPage"]:
    """Find the pages that the tags plugins of Material and MaterialX, of which there may be several, list on a page."""
    for name, plugin in config.plugins.items():
        if name.partition(" ")[0] in _TAGS_PLUGINS:
            for listing in getattr(plugin, "listings", None) or ():
                if listing.page is page:
                    listed = (mapping.item for tree in listing for mapping in tree.mappings)
                    yield from (item for item in listed if item.is_page)  # and not a link to another site


def _published(files: "Files") -> Iterator["File"]:
    """Find the pages, and the HTML that MkDocs copies as it is."""
    yield from files.documentation_pages()
    for file in files:
        is_html = file.dest_uri.endswith((".html", ".htm")) and not file.is_documentation_page()
        if is_html and file.inclusion.is_included():
            yield file


def _url(page: "MkDocsPage", site_url: str) -> str:
    """Return the canonical URL of a page, or its own where another plugin's idea of a URL is none."""
    return urls.normal(urljoin(site_url, page.canonical_url or page.file.url)) or urls.resolve(site_url, page.file.url)


def _alternates(file: "File", site_url: str) -> tuple[tuple[str, str], ...]:
    """List the language variants that mkdocs-static-i18n has found, less the copies it makes where there is none."""
    variants: dict[str, File] = getattr(file, "alternates", None) or {}
    translated = {code: variant for code, variant in variants.items() if getattr(variant, "locale", code) == code}
    if file not in translated.values():  # a copy in the language of another page, and a variant of none
        translated = {code: variant for code, variant in variants.items() if variant is file}
    return tuple(sorted((code, urls.resolve(site_url, variant.url)) for code, variant in translated.items()))


def _sources(file: "File", config: "MkDocsConfig") -> tuple[str, ...]:
    """List the files that date a page: its own.

    A generated page has the file that it adds to, or the one its edit link names, if there is one.
    """
    if getattr(file, "generated_by", None) is None and file.abs_src_path is not None:
        return (file.abs_src_path,)
    named = filter(None, [file.src_uri, file.edit_uri, _edited_path(file.page, config)])
    paths = (os.path.normpath(os.path.join(config.docs_dir, name)) for name in named)
    return tuple(path for path in paths if os.path.isfile(path))[:1]


def _edited_path(page: "MkDocsPage | None", config: "MkDocsConfig") -> str | None:
    """Read from a page's edit link which file it edits, relative to docs_dir."""
    base = urljoin((config.repo_url or "").rstrip("/") + "/", config.edit_uri or "")
    if page is None or not page.edit_url or not config.repo_url:
        return None
    link, directory = urlsplit(page.edit_url), urlsplit(base)
    return posixpath.relpath(link.path, directory.path) if link.netloc == directory.netloc else None
