"""The MkDocs and ProperDocs adapter. It hands pages to the core and logs the results in MkDocs' way."""

import os
import tempfile
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from smindex_plugins import addresses, filters, report, urls
from smindex_plugins.hosts.reporting import reported
from smindex_plugins.html import Includes
from smindex_plugins.model import Page
from smindex_plugins.pages import shared_dating
from smindex_plugins.pipeline import publish
from smindex_plugins.settings import OPTIONS, Settings, SettingsError, Target
from smindex_plugins.sitemaps import no_mkdocs, zensical_beside

try:
    from mkdocs.config import config_options as c
    from mkdocs.config.base import Config, ConfigErrors, ConfigWarnings, ValidationError
    from mkdocs.exceptions import PluginError
    from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger

    from smindex_plugins.hosts.mkdocs_pages import copied, key_of, page_of, published, sources_of, url_of
except ModuleNotFoundError as error:
    raise ImportError(no_mkdocs(error)) from error

if TYPE_CHECKING:
    import jinja2
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
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
_NAMED_TWICE = (
    "the configuration names this plugin twice: `sitemap-index` and `sitemap_index` are the same. "
    "Only the options of the first count. Remove the other one."
)


class SitemapIndexConfig(Config):
    """The options as MkDocs knows them; `Settings` decides what they accept."""

    vars().update({option.name: c.Type(object, default=option.default) for option in OPTIONS})
    settings = Settings()

    def load_dict(self, patch: dict[str, Any]) -> None:
        """Keep the user's values apart from the defaults."""
        self._given = patch
        super().load_dict(patch)

    def validate(self) -> tuple[ConfigErrors, ConfigWarnings]:
        """Report every mistake at once, in the words all hosts share."""
        errors: list[tuple[str, str]] = []
        try:
            self.settings = Settings.load(self._given)
            filters.load(self.settings.filter, os.path.dirname(self.config_file_path or ""))
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
        self._pages: dict[tuple[str, str], Page] = {}
        self._copied: dict[str, tuple[str, ...]] = {}
        """The sources of files that are no pages, by the paths at which MkDocs writes them."""

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:  # noqa: ARG002
        """Learn which command runs. Because this method exists, MkDocs keeps the plugin object while serving."""
        self._command = command

    def on_pre_build(self, *, config: "MkDocsConfig") -> None:
        """Count the builds that have begun. One may begin within the last event of another."""
        self._depth += 1
        if self._depth == 1 and not self._is_first(config):
            log.warning(_NAMED_TWICE)

    def on_build_error(self, *, error: Exception) -> None:  # noqa: ARG002
        """Forget the builds that have begun but will never end."""
        self._depth = 0

    @event_priority(_LAST)
    def on_files(self, files: "Files", *, config: "MkDocsConfig") -> None:
        """Start to read the history in the background while MkDocs renders."""
        site_url = _site_url(config)
        if site_url and self._writes(config):
            with report.harmless(log):
                dating = shared_dating(self.config.settings)
                if self._depth == 1:
                    dating.history.refresh()
                dating.includes = Includes.of_mkdocs(config)
                wanted = [*published(files), *copied(files, self.config.settings)]
                found = ((urls.resolve(site_url, file.url), sources_of(file, config)) for file in wanted)
                dating.start((Page(url=url, sources=sources) for url, sources in found), site_url)

    @event_priority(_LAST)
    def on_env(self, env: "jinja2.Environment", *, config: "MkDocsConfig", files: "Files") -> None:  # noqa: ARG002
        """Collect the pages after all other plugins have made theirs."""
        site_url = _site_url(config)
        if site_url and self._writes(config):
            with report.harmless(log):
                self._pages.update((key_of(file), page_of(file, site_url, config)) for file in published(files))
                wanted = copied(files, self.config.settings)
                self._copied.update((file.abs_dest_path, sources_of(file, config)) for file in wanted)

    @event_priority(_AFTER_OTHERS)
    def on_page_context(self, context: Any, *, page: "MkDocsPage", config: "MkDocsConfig", nav: object) -> None:  # noqa: ANN401, ARG002
        """Learn which posts of a blog a page of its list shows."""
        with report.harmless(log):
            known, posts = self._pages.get(key_of(page.file)), context.get("posts")
            if known and posts and all(hasattr(it, "post") for it in posts):
                shown = tuple(url_of(it.post, _site_url(config)) for it in posts)
                self._pages[key_of(page.file)] = replace(known, details=replace(known.details, lists=shown))

    @event_priority(_AFTER_OTHERS)
    def on_post_build(self, *, config: "MkDocsConfig") -> None:
        """Write the sitemaps of the pages from this build and from builds within it, then report."""
        self._depth = max(0, self._depth - 1)
        site_url = _site_url(config)
        if self._depth or not self._writes(config):
            return
        if not site_url:
            _, problem = addresses.read(config.site_url, "site_url")
            log.warning(f"no sitemaps are written: {problem}" if config.site_url else _NO_SITE_URL)
            return
        failure = ""
        with report.harmless(log):
            started = time.perf_counter()
            beside, settings = os.path.dirname(config.config_file_path or ""), self.config.settings
            result = publish(
                self._pages.values(),
                site_url=site_url,
                directory=config.site_dir,
                settings=settings,
                dating=shared_dating(settings),
                default_language=getattr(config.plugins.get("i18n"), "default_language", ""),
                others=(),
                copied_from=lambda file: self._copied.get(file, ()),
                flat=_FLAT,
                beside=beside,
            )
            target = Target(site_url=site_url, directory=config.site_dir, settings=settings, beside=beside)
            result = reported(result, target)
            said = [(found.level, str(found)) for found in (zensical_beside(beside),) if found]
            report.log(log, [("summary", result.summary(time.perf_counter() - started)), *result.messages(), *said])
            failure = result.failure()
        if failure:
            raise PluginError(failure)

    def _writes(self, config: "MkDocsConfig") -> bool:
        """Whether this is a real build. `serve --clean` calls itself a build, but serves a temporary directory."""
        previewed = str(config.site_url).startswith(f"http://{config.dev_addr}/")
        temporary = os.path.dirname(config.site_dir) == tempfile.gettempdir()
        return self._command != "serve" and not (previewed and temporary) and self._is_first(config)

    def _is_first(self, config: "MkDocsConfig") -> bool:
        """Whether this is the first time that the configuration names the plugin, under either name."""
        return next((it for it in config.plugins.values() if isinstance(it, SitemapIndexPlugin)), self) is self


def _site_url(config: "MkDocsConfig") -> str:
    """Return the address of the site with the slash that mike omits, or an empty string if there is none."""
    return addresses.read(config.site_url, "site_url")[0]
