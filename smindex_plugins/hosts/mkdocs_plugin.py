"""The MkDocs and ProperDocs adapter. It passes pages to the core and logs the results as MkDocs does."""

import os
import tempfile
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from smindex_plugins import addresses, filters, report, urls
from smindex_plugins.html import Includes
from smindex_plugins.model import Page
from smindex_plugins.pages import Dating
from smindex_plugins.pipeline import Host, publish
from smindex_plugins.settings import OPTIONS, Settings, SettingsError, Site

try:
    from mkdocs.config import config_options as c
    from mkdocs.config.base import Config, ConfigErrors, ConfigWarnings, ValidationError
    from mkdocs.exceptions import PluginError
    from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
    from mkdocs.utils import get_build_date

    from smindex_plugins.hosts.mkdocs_pages import page_of, published, sources_of, url_of
except ModuleNotFoundError as error:
    from importlib.metadata import distributions

    version = next((found.version for found in distributions(name="mkdocs")), "")
    if not version:
        problem = (
            "neither MkDocs nor ProperDocs is running this plugin. Install MkDocs with "
            "`pip install 'smindex-plugins[mkdocs]'`, or run ProperDocs by its command `properdocs`"
        )
    elif version.startswith(("0.", "1.")):
        problem = f"MkDocs {version} is installed, but cannot be imported: {error}"
    else:
        problem = (
            f"MkDocs {version} has no plugins; MkDocs 1.6 does. Install that with `pip install 'mkdocs>=1.6,<2'`, "
            "or build with ProperDocs, which is based on it; or run `smindex build` after each build"
        )
    message = f"smindex-plugins: {problem}."
    raise ImportError(message) from error

if TYPE_CHECKING:
    import jinja2
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File, Files
    from mkdocs.structure.pages import Page as MkDocsPage

log = get_plugin_logger("sitemap-index")

_LAST, _AFTER_OTHERS = -100, -200
"""At -100, Material's blog renders what a list shows, and mkdocs-static-i18n builds the site in its other languages."""
_FLAT = "sitemap.xml"
_RESERVED_FILENAME = (
    "got 'sitemap.xml', which MkDocs writes itself. Themes read the site's pages from that file, so an index there "
    "would break instant navigation and the switchers of versions and languages; accepted: another name"
)
_NO_SITE_URL = (
    "no sitemaps are written, because site_url is not set, and sitemaps need full URLs. "
    "Add the address of the site to mkdocs.yml, for example:\n\n  site_url: https://example.org/\n"
)


class SitemapIndexConfig(Config):
    """The options as MkDocs knows them; `Settings` decides what they accept, and their defaults."""

    vars().update({option.name: c.Optional(c.Type(object)) for option in OPTIONS})
    settings = Settings()

    def validate(self) -> tuple[ConfigErrors, ConfigWarnings]:
        """Report every mistake at once, in the words all hosts share."""
        errors: list[tuple[str, str]] = []
        try:
            self.settings = Settings.load(dict(self))
            filters.load(self.settings.filter, os.path.dirname(self.config_file_path or ""))
        except SettingsError as error:
            errors.extend(error.errors)
        if self["index_filename"] == _FLAT:
            errors.append(("index_filename", _RESERVED_FILENAME))
        return [(key, ValidationError(message)) for key, message in errors], []


class SitemapIndexPlugin(BasePlugin[SitemapIndexConfig]):
    """Collects the pages of a build, and writes the sitemaps when the rendered files are there."""

    def __init__(self) -> None:
        self._command = "build"
        self._depth = 0
        """How many builds have begun. mkdocs-static-i18n builds other languages within the last event of a build."""
        self._pages: dict[tuple[str, str], Page] = {}
        """The pages by what distinguishes their files: two may have the same target."""
        self._dates: dict[tuple[str, str], str] = {}
        """The dates that themes got for these pages. They are empty where nothing is proven."""
        self._build_date = ""
        """What MkDocs sets as the date of each page."""
        self._dating = Dating(Settings())

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:  # noqa: ARG002
        """Learn which command runs. Because this method exists, MkDocs keeps the plugin object while serving."""
        self._command = command

    def on_pre_build(self, *, config: "MkDocsConfig") -> None:  # noqa: ARG002
        """Begin a build, or one within another."""
        if not self._depth:
            self._pages, self._dates, self._dating = {}, {}, Dating(self.config.settings)
            self._build_date = get_build_date()
        self._depth += 1

    @event_priority(_LAST)
    def on_files(self, files: "Files", *, config: "MkDocsConfig") -> None:
        """Start to read the history in the background while MkDocs renders."""
        if site := self._site(config):
            with report.harmless(log):
                self._dating.includes = Includes.of_mkdocs(config)
                listed = published(files, site.settings)
                pages = (Page(url=urls.resolve(site.url, it.url), sources=sources_of(it, config)) for it in listed)
                self._dating.start(pages, site)

    @event_priority(_LAST)
    def on_env(self, env: "jinja2.Environment", *, config: "MkDocsConfig", files: "Files") -> None:  # noqa: ARG002
        """Collect the pages after all other plugins have made theirs, and give themes their dates."""
        if site := self._site(config):
            with report.harmless(log):
                found = {_key(file): file for file in published(files, site.settings)}
                self._pages |= {key: page_of(file, site.url, config) for key, file in found.items()}
                dates = self._dating.shown(self._pages.values(), site)
                shown = [(file.page, dates.get(self._pages[key].url, "")) for key, file in found.items() if file.page]
                if any(date for _, date in shown):  # MkDocs' sitemap.xml.gz needs the date of one page
                    for page, date in shown:
                        self._show(page, date)

    @event_priority(_AFTER_OTHERS)
    def on_page_context(self, context: Any, *, page: "MkDocsPage", config: "MkDocsConfig", nav: object) -> None:  # noqa: ANN401, ARG002
        """Learn which posts of a blog a page of its list shows. They date it."""
        with report.harmless(log):
            key, posts = _key(page.file), context.get("posts")
            site = self._site(config) if key in self._pages and self.config.settings.lastmod == "git" else None
            if site is None:
                return
            date = self._dates.get(key, "")
            if posts and all(hasattr(it, "post") for it in posts):
                lists = tuple(url_of(it.post, site.url) for it in posts)
                own = self._pages[key] = replace(self._pages[key], lists=lists)
                listed = (it for it in self._pages.values() if it.url in lists)
                date = self._dating.shown([own, *listed], site).get(own.url, "")
            self._show(page, date)

    def _show(self, page: "MkDocsPage", date: str) -> None:
        """Give themes the date of a page, or none in place of the day of the build. What others set, stays."""
        before = self._dates.get(_key(page.file), "")
        if page.update_date in {self._build_date, before}:
            page.update_date = date
        if page.meta.get("lastmod", before) == before:
            others = {key: value for key, value in page.meta.items() if key != "lastmod"}
            page.meta = {"lastmod": date, **others} if date else others
        self._dates[_key(page.file)] = date

    @event_priority(_AFTER_OTHERS)
    def on_post_build(self, *, config: "MkDocsConfig") -> None:
        """Write the sitemaps of the pages from this build and from builds within it, then report."""
        self._depth -= 1
        if self._depth:
            return
        _, problem = addresses.read(config.site_url, "site_url")
        if problem:  # which `mkdocs serve` never has, because it replaces the address
            log.warning(f"no sitemaps are written: {problem}" if config.site_url else _NO_SITE_URL)
        failure = ""
        with report.harmless(log):
            if site := self._site(config):
                started = time.perf_counter()
                language = getattr(config.plugins.get("i18n"), "default_language", "")
                host = Host(dating=self._dating, language=language, others=(), flat=_FLAT)
                result = publish(self._pages.values(), site, host)
                report.log(log, [("summary", result.summary(time.perf_counter() - started)), *result.messages()])
                failure = result.failure()
        if failure:
            raise PluginError(failure)

    def on_build_error(self, *, error: Exception) -> None:  # noqa: ARG002
        """Forget a build that failed, and those around it, because a process may build again."""
        self._depth = 0

    def _site(self, config: "MkDocsConfig") -> Site | None:
        """Return the site, with the slash that mike omits in its address; None if no sitemaps are to be written.

        That is so if its address is not valid, or if it is only served. `serve --clean` calls itself a build, but
        serves a temporary directory.
        """
        address, _ = addresses.read(config.site_url, "site_url")
        previewed = str(config.site_url).startswith(f"http://{config.dev_addr}/")
        temporary = os.path.dirname(config.site_dir) == tempfile.gettempdir()
        if not address or self._command == "serve" or (previewed and temporary):
            return None
        beside = os.path.dirname(config.config_file_path or "")
        settings = self.config.settings
        return Site(url=address, directory=config.site_dir, settings=settings, url_from="site_url", beside=beside)


def _key(file: "File") -> tuple[str, str]:
    return file.dest_uri, file.src_uri
