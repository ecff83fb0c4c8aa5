"""The MkDocs and ProperDocs adapter.

It passes pages to the core and logs the results as MkDocs does.
"""

import os
import tempfile
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from smindex_plugins import report
from smindex_plugins.base import addresses, filters, urls
from smindex_plugins.base.model import Page
from smindex_plugins.base.settings import OPTIONS, Settings, SettingsError
from smindex_plugins.base.site import Site
from smindex_plugins.build import Host, publish
from smindex_plugins.hosts._unread_table import unread_table
from smindex_plugins.html.documented import Documented
from smindex_plugins.html.includes import Includes
from smindex_plugins.pages.dating import Dating

try:
    from mkdocs.config import config_options as c
    from mkdocs.config.base import Config, ConfigErrors, ConfigWarnings, ValidationError
    from mkdocs.exceptions import PluginError
    from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
    from mkdocs.utils import get_build_date

    from smindex_plugins.hosts import mkdocs_data
    from smindex_plugins.hosts.mkdocs_documented import Watcher
    from smindex_plugins.hosts.mkdocs_pages import page_of, published, sources_of, tagged, url_of
    from smindex_plugins.hosts.mkdocs_unread import first_of, unread_plugins
except ModuleNotFoundError as error:
    from importlib.metadata import distributions

    from smindex_plugins.base.release import install_command

    version = next((found.version for found in distributions(name="mkdocs")), "")
    if not version:
        problem = (
            "this plugin requires MkDocs or ProperDocs. Run ProperDocs with the command"
            f" `properdocs`, or install MkDocs: {install_command('mkdocs')}"
        )
    elif version.startswith(("0.", "1.")):
        problem = f"MkDocs {version} is installed but can't be imported: {error}"
    else:
        problem = (
            f"MkDocs {version} does not support plugins. Install MkDocs 1.6 with `pip install"
            " 'mkdocs>=1.6,<2'`, build with ProperDocs, or run `smindex build` after each build"
        )
    message = f"smindex-plugins: {problem}."
    raise ImportError(message) from error

if TYPE_CHECKING:
    from collections.abc import MutableMapping

    import jinja2
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File, Files
    from mkdocs.structure.pages import Page as MkDocsPage

log = get_plugin_logger("sitemap-index")

_LAST, _AFTER_OTHERS = -100, -200
"""At -100, Material's blog renders its lists, and mkdocs-static-i18n builds the other languages."""
_FLAT = "sitemap.xml"
_RESERVED_FILENAME = (
    "got 'sitemap.xml', which MkDocs writes itself. Themes read this file, so an index in its place"
    " would break instant navigation and the version and language selectors; accepted: another name"
)
_NO_SITE_URL = (
    "no sitemaps are written, because site_url is not set and sitemaps require absolute URLs. "
    "Add the address of the site to mkdocs.yml, for example:\n\n  site_url: https://example.org/\n"
)


class SitemapIndexConfig(Config):
    """The options for MkDocs. `Settings` defines their accepted values and defaults."""

    vars().update({option.name: c.Optional(c.Type(object)) for option in OPTIONS})
    settings = Settings()

    def validate(self) -> tuple[ConfigErrors, ConfigWarnings]:
        """Report every mistake at once, with the same messages as the other hosts."""
        errors: list[tuple[str, str]] = []
        try:
            self.settings = Settings.load(dict(self))
            beside = os.path.dirname(self.config_file_path or "")
            filters.load(self.settings.filter, beside)
        except SettingsError as error:
            errors.extend(error.errors)
        if self["index_filename"] == _FLAT:
            errors.append(("index_filename", _RESERVED_FILENAME))
        return [(key, ValidationError(message)) for key, message in errors], []


class SitemapIndexPlugin(BasePlugin[SitemapIndexConfig]):
    """Collects the pages of a build, and writes the sitemaps after all files are rendered."""

    def __init__(self) -> None:
        self._command = "build"
        self._depth = 0
        """The number of running builds. mkdocs-static-i18n builds other languages within the last
        event of a build."""
        self._pages: dict[tuple[str, str], Page] = {}
        """The pages by target and source, because two files can have the same target."""
        self._dates: dict[tuple[str, str], str] = {}
        """The dates passed to themes for these pages. Empty if a page has no reliable date."""
        self._authored: dict[tuple[str, str], MutableMapping[str, Any]] = {}
        """The metadata of the page that is being rendered, as its author wrote it."""
        self._watcher: Watcher | None = None
        self._documented: dict[tuple[str, str], Documented] = {}
        """What the pages document that MkDocs has rendered, as far as other tools show it."""
        self._build_date = ""
        """The date that MkDocs sets for each page."""
        self._dating = Dating(Settings())
        self._is_idle = False
        """Whether an earlier entry in `plugins` is this plugin too. Only the options of the first
        count."""

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:  # noqa: ARG002
        """Store the command.

        Because this method exists, MkDocs keeps the plugin object while serving.
        """
        self._command = command

    def on_pre_build(self, *, config: "MkDocsConfig") -> None:  # noqa: ARG002
        """Start a build or a nested build."""
        if not self._depth:
            self._pages, self._dates, self._documented = {}, {}, {}
            self._dating = Dating(self.config.settings)
            self._build_date = get_build_date()
        self._depth += 1

    def on_config(self, config: "MkDocsConfig") -> None:
        """Watch the blocks that other tools replace with documentation, unless an earlier entry
        does so.
        """
        first = first_of(SitemapIndexPlugin, config.plugins)
        self._is_idle = first not in {None, self}
        self._watcher = None if self._is_idle else Watcher(config)

    @event_priority(_LAST)
    def on_files(self, files: "Files", *, config: "MkDocsConfig") -> None:
        """Start reading the history in the background while MkDocs renders."""
        site = self._site(config)
        if site is None:
            return
        with report.harmless(log):
            tools = mkdocs_data.markdown_site(config)
            self._dating.includes = Includes.of_site(tools, mkdocs_data.tools(tools, config))
            pages = (
                Page(url=urls.resolve(site.url, file.url), sources=sources_of(file, config))
                for file in published(files, site.settings)
            )
            self._dating.start(pages, site)

    def on_pre_page(self, page: "MkDocsPage", *, config: "MkDocsConfig", files: "Files") -> None:  # noqa: ARG002
        """Watch what is rendered from here on."""
        if self._watcher:
            self._watcher.begin()

    def on_page_content(
        self,
        html: str,
        *,
        page: "MkDocsPage",
        config: "MkDocsConfig",  # noqa: ARG002
        files: "Files",  # noqa: ARG002
    ) -> None:
        """Collect what the page documents, while the tools that rendered it know."""
        if self._watcher:
            with report.harmless(log):
                self._documented[_key(page.file)] = self._watcher.rendered(page, html)

    @event_priority(_LAST)
    def on_env(self, env: "jinja2.Environment", *, config: "MkDocsConfig", files: "Files") -> None:  # noqa: ARG002
        """Collect the pages when other plugins have added theirs, and pass dates to themes."""
        site = self._site(config)
        if site is None:
            return
        with report.harmless(log):
            found = {_key(file): file for file in published(files, site.settings)}
            pages = {}
            for key, file in found.items():
                shown = self._shown_on(file, config)
                pages[key] = page_of(file, site.url, config, shown)
            self._pages |= pages
            dates = self._dating.shown(self._pages.values(), site)
            dated = []
            for key, file in found.items():
                if file.page:
                    url = self._pages[key].url
                    dated.append((file.page, dates.get(url, "")))
            # MkDocs' sitemap.xml.gz requires the date of at least one page
            if any(date for _, date in dated):
                for page, date in dated:
                    self._show(page, date)

    def _shown_on(self, file: "File", config: "MkDocsConfig") -> Documented:
        """Return what a page shows from elsewhere, and the first thing of it that has no date."""
        shown = self._documented.get(_key(file))
        if shown is None:
            shown = self._watcher.not_rendered(file) if self._watcher else Documented()
        if shown.unknown:
            return shown
        for source in sources_of(file, config):
            unknown = self._dating.includes.unknown(source)
            if unknown:
                return shown._replace(unknown=unknown)
        return shown

    @event_priority(_AFTER_OTHERS)
    def on_page_context(
        self,
        context: Any,  # noqa: ANN401
        *,
        page: "MkDocsPage",
        config: "MkDocsConfig",
        nav: object,  # noqa: ARG002
    ) -> None:
        """Record the posts on a page of a blog list. The date of the page depends on them."""
        with report.harmless(log):
            key = _key(page.file)
            if key not in self._pages or self.config.settings.lastmod != "git":
                return
            date = self._dates.get(key, "")
            posts = context.get("posts")
            site = None
            if posts and all(hasattr(each, "post") for each in posts):
                site = self._site(config)
            if site:
                shown = [each.post for each in posts]
                shown += tagged(page, config)
                lists = tuple(url_of(each, site.url) for each in shown)
                own = replace(self._pages[key], lists=lists)
                self._pages[key] = own
                listed = (each for each in self._pages.values() if each.url in lists)
                dates = self._dating.shown([own, *listed], site)
                date = dates.get(own.url, "")
            self._show(page, date)
            if date and "lastmod" not in page.meta:
                self._authored[key] = page.meta
                page.meta = {"lastmod": date, **page.meta}

    @event_priority(_LAST)
    def on_post_page(self, output: str, *, page: "MkDocsPage", config: "MkDocsConfig") -> None:  # noqa: ARG002
        """Remove `lastmod` from the metadata again.

        In Material, links to pages with metadata take longer to render.
        """
        page.meta = self._authored.pop(_key(page.file), page.meta)

    def _show(self, page: "MkDocsPage", date: str) -> None:
        """Set the date of a page for themes, replacing the build date.

        Dates from other plugins are kept.
        """
        key = _key(page.file)
        if page.update_date in {self._build_date, self._dates.get(key, "")}:
            page.update_date = date
        self._dates[key] = date

    @event_priority(_AFTER_OTHERS)
    def on_post_build(self, *, config: "MkDocsConfig") -> None:
        """Write the sitemaps for this build and its nested builds, then log the results."""
        self._depth -= 1
        if self._depth or self._is_idle:
            return
        _, problem = addresses.read(config.site_url, "site_url")
        if problem:  # never with `mkdocs serve`, which replaces the address
            text = f"no sitemaps are written: {problem}" if config.site_url else _NO_SITE_URL
            log.warning(text)
        failure = ""
        with report.harmless(log):
            unread = list(unread_plugins(SitemapIndexPlugin, config.plugins))
            site = self._site(config)
            if site:
                unread += unread_table(site, os.path.basename(site.settings_file))
                failure = self._publish(site, config)
            report.log(log, [(finding.level, str(finding)) for finding in unread])
        if failure:
            raise PluginError(failure)

    def _publish(self, site: Site, config: "MkDocsConfig") -> str:
        """Write the sitemaps, log the results, and return why the build must fail, if it must."""
        started = time.perf_counter()
        language = getattr(config.plugins.get("i18n"), "default_language", "")
        host = Host(dating=self._dating, language=language, others=(), flat=_FLAT)
        result = publish(self._pages.values(), site, host)
        summary = result.summary(time.perf_counter() - started)
        report.log(log, [("summary", summary), *result.messages()])
        return result.failure()

    def on_build_error(self, *, error: Exception) -> None:  # noqa: ARG002
        """Reset the nesting after a failed build, because the same process can build again."""
        self._depth = 0

    def _site(self, config: "MkDocsConfig") -> Site | None:
        """Return the site, with the trailing slash that mike omits, or None if no sitemaps are due:
        if the address is invalid or the site is only served.
        """
        address, _ = addresses.read(config.site_url, "site_url")
        is_served = self._command == "serve" or _is_previewed(config)
        if self._is_idle or not address or is_served:
            return None
        file = config.config_file_path or ""
        absolute = os.path.abspath(file)
        return Site(
            url=address,
            directory=config.site_dir,
            settings=self.config.settings,
            url_from="site_url",
            generator="MkDocs",
            beside=os.path.dirname(file),
            project=os.path.dirname(absolute),
            settings_file=absolute if file else "",
        )


def _is_previewed(config: "MkDocsConfig") -> bool:
    """Whether `serve --clean` builds: as the command `build`, but in a temporary directory."""
    is_local = str(config.site_url).startswith(f"http://{config.dev_addr}/")
    parent = os.path.dirname(config.site_dir)
    return is_local and parent == tempfile.gettempdir()


def _key(file: "File") -> tuple[str, str]:
    return file.dest_uri, file.src_uri
