"""The MkDocs and ProperDocs adapter: hands pages to the core, and prints in MkDocs' way what the core reports."""

import os
import posixpath
import re
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urljoin, urlsplit

from smindex_plugins import urls
from smindex_plugins.dates import day
from smindex_plugins.history.walk import History
from smindex_plugins.model import Details, Page
from smindex_plugins.pages.lastmod import date_pages, open_history, start_history
from smindex_plugins.publish import Report, publish
from smindex_plugins.settings import Settings, SettingsError, Target
from smindex_plugins.sitemaps.services import no_mkdocs, zensical_beside

try:
    from mkdocs.config import config_options as c
    from mkdocs.config.base import Config, ConfigErrors, ConfigWarnings, ValidationError
    from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
    from mkdocs.utils import get_build_date, meta
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
_FRONT_MATTER = 4096
_TAGS_PLUGINS = ("material/tags", "materialx/tags")
_LASTMOD_ELEMENT = re.compile(r"\s*<lastmod>[^<]*</lastmod>")
_NO_SITE_URL = (
    "no sitemaps are written, because a sitemap holds absolute URLs and site_url is {}. "
    "Add to mkdocs.yml the address that serves the site, for example:\n\n  site_url: https://example.org/\n"
)


class SitemapIndexConfig(Config):
    """The options as MkDocs knows them; `Settings` decides what they accept."""

    index_filename = c.Type(str, default="sitemap_index.xml")
    section_depth = c.Type(int, default=1)
    section_min_pages = c.Type(int, default=2)
    sections = c.Type((list, tuple), default=())
    sitemap_placement = c.Choice(("section", "root"), default="section")
    exclude = c.Type((list, tuple, str), default=())
    pagination = c.Type(bool, default=True)
    lastmod = c.Choice(("git", "off"), default="git")
    lastmod_format = c.Choice(("datetime", "date"), default="datetime")
    git_history = c.Choice(("first-parent", "full"), default="first-parent")
    git_date = c.Choice(("committer", "author"), default="committer")
    depends = c.Type((dict, tuple), default=())
    ignore_revs_file = c.Optional(c.Type(str))
    gzip = c.Type(bool, default=False)
    images = c.Type(bool, default=False)
    videos = c.Type(bool, default=False)
    news = c.Optional(c.Type(dict))
    robots_txt = c.Choice(("check", "write"), default="check")
    cross_site = c.Type((dict, tuple), default=())
    max_urls = c.Type(int, default=50_000)
    max_bytes = c.Type(int, default=52_428_800)

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
        if self._given.get("index_filename") == "sitemap.xml":
            errors.append(("index_filename", _RESERVED_FILENAME))
        return [(key, ValidationError(message)) for key, message in errors], []


_RESERVED_FILENAME = (
    "got 'sitemap.xml', which MkDocs writes itself: themes read the pages of the site from that file, and an index "
    "there would break their instant navigation and their version and language switchers; accepted: another name"
)


class SitemapIndexPlugin(BasePlugin[SitemapIndexConfig]):
    """Collects the pages of a build, and writes the sitemaps when the rendered files are there."""

    def __init__(self) -> None:
        self._command = "build"
        self._depth = 0
        self._history: History | None = None
        self._files: dict[str, Page] = {}
        self._undated_template = False
        self._undated: list[MkDocsPage] = []
        self._seconds = 0.0

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
        target = self._target(config)
        if target is None or not self._writes(config) or target.settings.lastmod == "off":
            return
        with _harmless():
            published = [*files.documentation_pages(), *_copied(files)]
            self._read_history().refresh()
            pages = (_early_page(file, target.site_url, config) for file in published)
            start_history(pages, self._read_history(), target)

    @event_priority(_LAST)
    def on_env(self, env: "jinja2.Environment", *, config: "MkDocsConfig", files: "Files") -> None:  # noqa: ARG002
        """Collect the pages when every other plugin has made its own, and give MkDocs their true dates."""
        target = self._target(config)
        if not self._writes(config) or target is None:
            return
        with _harmless(), self._timed():
            found = {
                file.dest_uri: _page(file, file.page, target.site_url, config)
                for file in files.documentation_pages()
                if file.page is not None
            }
            self._files.update(found)
            self._files.update((file.dest_uri, _copied_page(file, target.site_url, config)) for file in _copied(files))
            dated = date_pages(found.values(), self._read_history(), target)
            self._tell_mkdocs(files, dict(zip(found, dated.pages, strict=True)))

    @event_priority(_LAST)
    def on_post_template(self, output_content: str, *, template_name: str, config: "MkDocsConfig") -> str:
        """Take MkDocs' build date out of its own sitemap where no page has a date to replace it."""
        if template_name == "sitemap.xml" and self._undated_template and self._writes(config):
            return _LASTMOD_ELEMENT.sub("", output_content)
        return output_content

    @event_priority(_AFTER_NESTED_BUILDS)
    def on_post_build(self, *, config: "MkDocsConfig") -> None:
        """Write the sitemaps of the pages that this build and those within it have rendered, then report."""
        self._depth = max(0, self._depth - 1)
        if self._depth or not self._writes(config):
            return
        target = self._target(config)
        if target is None:
            log.warning(_NO_SITE_URL.format(repr(config.site_url) if config.site_url else "not set"))
            return
        with _harmless():
            with self._timed():
                report = self._publish(target)
            report.findings.extend(filter(None, [zensical_beside(os.path.dirname(config.config_file_path or ""))]))
            log.info(report.summary(self._seconds))
            self._seconds = 0.0
            _print(report)

    def _publish(self, target: Target) -> Report:
        pages = [page for page in self._files.values() if os.path.isfile(page.file)]
        history = self._read_history()
        return publish(date_pages(pages, history, target), target, history)

    @contextmanager
    def _timed(self) -> Iterator[None]:
        started = time.perf_counter()
        yield
        self._seconds += time.perf_counter() - started

    def _writes(self, config: "MkDocsConfig") -> bool:
        """Tell a build from a preview. `serve --clean` calls itself a build, but serves a temporary directory."""
        previewed = str(config.site_url).startswith(f"http://{config.dev_addr}/")
        temporary = os.path.dirname(config.site_dir) == tempfile.gettempdir()
        return self._command != "serve" and not (previewed and temporary)

    def _read_history(self) -> History:
        if self._history is None:
            self._history = open_history(self.config.settings)
        return self._history

    def _target(self, config: "MkDocsConfig") -> Target | None:
        site_url = _site_url(config)
        if site_url is None:
            return None
        return Target(
            site_url=site_url,
            directory=config.site_dir,
            settings=self.config.settings,
            beside=os.path.dirname(config.config_file_path or ""),
        )

    def _tell_mkdocs(self, files: "Files", pages: dict[str, Page]) -> None:
        """Replace the build date on every page that MkDocs' own sitemap lists.

        MkDocs takes the latest of these dates when it compresses that file, and fails where none is a date; so where
        no page has one, the build dates stay, and their elements are taken out of the rendered file instead.
        """
        dates = {uri: day(page.lastmod or "") for uri, page in pages.items()}
        self._undated_template = not any(dates.values())
        for page in self._undated:  # of another language, and the sitemap of this one lists them too
            page.update_date = ""
        shown = {file.dest_uri: file.page for file in files.documentation_pages() if file.page is not None}
        for uri, page in shown.items():
            page.update_date = get_build_date() if self._undated_template else dates[uri]
        self._undated = list(shown.values()) if self._undated_template else []


@contextmanager
def _harmless() -> Iterator[None]:
    """Let no mistake of ours end a build; under `--strict`, an error is a failure."""
    try:
        yield
    except Exception as error:
        log.error("a mistake in smindex-plugins: %r. The site is complete but for its sitemaps.", error)  # noqa: TRY400
        log.info("Please report it with what `mkdocs build -v` says.")
        log.debug("", exc_info=True)


def _site_url(config: "MkDocsConfig") -> str | None:
    """Give the address of the site directory with its slash, which mike leaves out, or None where there is none."""
    try:
        return urls.site_url(config.site_url or "")
    except ValueError:
        return None


def _page(file: "File", page: "MkDocsPage", site_url: str, config: "MkDocsConfig") -> Page:
    views = getattr(page, "pages", [])  # of a blog's list, the pages over which it goes
    return Page(
        url=_url(page, site_url),
        file=file.abs_dest_path,
        sources=_sources(file, config),
        details=Details(
            source_name=file.src_uri,
            # A `--dirty` build does not read a page that has not changed.
            meta=page.meta or (meta.get_data(file.content_string)[1] if page.content is None else None),
            lists=tuple(_url(listed, site_url) for listed in [*getattr(page, "posts", []), *_tagged(page, config)]),
            number=views.index(page) + 1 if page in views else 1,
            alternates=_alternates(file, site_url, config),
        ),
    )


def _tagged(page: "MkDocsPage", config: "MkDocsConfig") -> Iterator["MkDocsPage"]:
    """Find the pages that the tags plugins of Material and MaterialX, of which there may be several, list on a page."""
    for name, plugin in config.plugins.items():
        if name.partition(" ")[0] in _TAGS_PLUGINS:
            for listing in getattr(plugin, "listings", None) or ():
                if listing.page is page:
                    listed = (mapping.item for tree in listing for mapping in tree.mappings)
                    yield from (item for item in listed if item.is_page)  # and not a link to another site


def _early_page(file: "File", site_url: str, config: "MkDocsConfig") -> Page:
    """Give what is known of a page before MkDocs reads it: its sources, and those its front matter names."""
    return Page(
        url=urls.resolve(site_url, file.url),
        sources=_sources(file, config),
        details=Details(meta=meta.get_data(file.content_string)[1] if _names_dependencies(file) else None),
    )


def _names_dependencies(file: "File") -> bool:
    """Tell without decoding or parsing whether front matter that begins a file may have a `depends` in it."""
    if file.abs_src_path is None:
        return False
    try:
        with open(file.abs_src_path, "rb") as source:
            return b"\ndepends:" in source.read(_FRONT_MATTER)
    except OSError:  # MkDocs says so when it reads the page
        return False


def _copied(files: "Files") -> Iterator["File"]:
    """Find the HTML that MkDocs copies as it is."""
    for file in files:
        is_html = file.dest_uri.endswith((".html", ".htm")) and not file.is_documentation_page()
        if is_html and file.inclusion.is_included():
            yield file


def _copied_page(file: "File", site_url: str, config: "MkDocsConfig") -> Page:
    return Page(
        url=urls.resolve(site_url, file.url),
        file=file.abs_dest_path,
        sources=_sources(file, config),
        details=Details(source_name=file.src_uri, copied=True),
    )


def _url(page: "MkDocsPage", site_url: str) -> str:
    try:
        return urls.resolve(site_url, page.canonical_url or page.file.url)
    except ValueError:  # another plugin's idea of a URL
        return urls.resolve(site_url, page.file.url)


def _alternates(file: "File", site_url: str, config: "MkDocsConfig") -> tuple[tuple[str, str], ...]:
    """List the language variants that mkdocs-static-i18n has found, less the copies it makes where there is none."""
    variants: dict[str, File] = getattr(file, "alternates", None) or {}
    translated = {code: variant for code, variant in variants.items() if getattr(variant, "locale", code) == code}
    if file not in translated.values():  # a copy in the language of another page, and a variant of none
        translated = {code: variant for code, variant in variants.items() if variant is file}
    default = getattr(config.plugins.get("i18n"), "default_language", None)
    if default in translated:
        translated["x-default"] = translated[default]
    return tuple(sorted((code, urls.resolve(site_url, variant.url)) for code, variant in translated.items()))


def _sources(file: "File", config: "MkDocsConfig") -> tuple[str, ...]:
    """List the files that date a page: its own.

    A generated page has the file that it adds to, or the one its edit link names, if there is one.
    """
    if getattr(file, "generated_by", None) is None and file.abs_src_path is not None:
        own = [file.abs_src_path]
    else:
        named = filter(None, [file.src_uri, file.edit_uri, _edited_path(file.page, config)])
        paths = [os.path.normpath(os.path.join(config.docs_dir, name)) for name in named]
        own = [path for path in paths if os.path.isfile(path)][:1]
    return tuple(own)


def _edited_path(page: "MkDocsPage | None", config: "MkDocsConfig") -> str | None:
    """Read from a page's edit link which file it edits, relative to docs_dir."""
    base = urljoin((config.repo_url or "").rstrip("/") + "/", config.edit_uri or "")
    if page is None or not page.edit_url or not config.repo_url:
        return None
    link, directory = urlsplit(page.edit_url), urlsplit(base)
    return posixpath.relpath(link.path, directory.path) if link.netloc == directory.netloc else None


def _print(report: Report) -> None:
    for omission in report.omitted:
        log.debug("%s is in no sitemap, because it is %s.", omission.where, omission.reason)
    loggers = {"error": log.error, "warning": log.warning, "notice": log.info}
    for level, message in report.messages():
        loggers[level](message)
