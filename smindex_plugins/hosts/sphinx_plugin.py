"""The Sphinx adapter.

It passes the pages of an HTML build to the core and logs the results as Sphinx does.
"""

import json
import os
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any, cast

from sphinx.errors import ConfigError
from sphinx.locale import _
from sphinx.util import logging
from sphinx.util.i18n import CatalogRepository, docname_to_domain, format_date

from smindex_plugins import __version__, report
from smindex_plugins.base import addresses, filters, urls
from smindex_plugins.base.dates import has_time
from smindex_plugins.base.files import is_html, read_text
from smindex_plugins.base.model import Page
from smindex_plugins.base.proof import NoDate, Unknown
from smindex_plugins.base.settings import Settings, SettingsError, prefixed_errors
from smindex_plugins.base.site import Site
from smindex_plugins.base.text import printable
from smindex_plugins.build import Host, publish
from smindex_plugins.hosts._jinja import shows_data
from smindex_plugins.hosts._unread_table import unread_table
from smindex_plugins.hosts.sphinx_unread import unread_settings
from smindex_plugins.pages.dating import Dating
from smindex_plugins.pages.others import is_included, output_files

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.builders.html import StandaloneHTMLBuilder
    from sphinx.config import Config
    from sphinx.environment import BuildEnvironment

log = logging.getLogger(__name__)

_NAME = "sitemap_index"
"""The name of the option, and the type of all warnings for `suppress_warnings`."""
_BUILDERS = ("html", "dirhtml")
"""The builders that write one page for each document. Other builders write a single page or no
site."""
_PLACES = (".", "source", "docs", "docs/source", "doc", "doc/source")
"""Where conf.py is in a project."""
_NO_ADDRESS = (
    "no sitemaps are written, because html_baseurl is empty and sitemaps require absolute URLs. Set"
    " the address of the "
    'site in conf.py, such as html_baseurl = "https://example.org/docs/". If it is empty on'
    " purpose, such as for local "
    f'builds, set suppress_warnings = ["{_NAME}.address"]. [address]'
)
_GENERATED = re.compile(r"(?:domainindex|genindex(?:-\w+)?|search)\.html")
"""The templates of index and search pages, which Sphinx generates itself."""
_DIRECTORIES = {
    "_modules": "generated from source code, in _modules",
    **{
        name: f"next to the pages, in {name}"
        for name in ("_downloads", "_images", "_sources", "_static")
    },
}
"""The reasons why HTML files in Sphinx's own directories are not listed."""


def setup(app: "Sphinx") -> dict[str, Any]:
    """Connect to Sphinx."""
    build = _Build()
    app.add_config_value(_NAME, {}, "")
    app.connect("config-inited", build.accept)
    # after other extensions have changed metadata
    app.connect("env-updated", build.date, priority=900)
    app.connect("html-page-context", build.add)
    # after other extensions have written pages
    app.connect("build-finished", build.end, priority=900)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}


class _Build:
    """One build: its options, the dates of its documents, and its pages without a document."""

    def __init__(self) -> None:
        self._settings = Settings()
        self._templates: dict[str, str] = {}
        self._dates: dict[str, str] = {}
        self._dating = Dating(self._settings)

    def accept(self, app: "Sphinx", config: "Config") -> None:
        """Refuse invalid options before any document is read.

        Raises:
            ConfigError: with every mistake at once.
        """
        try:
            self._settings = Settings.of_dict(config[_NAME], _NAME)
            with prefixed_errors(_NAME):
                filters.load(self._settings.filter, os.fspath(app.confdir))
        except SettingsError as error:
            problem = f"nothing was built, because options are invalid.\n{error}"
            raise ConfigError(problem) from None

    def date(self, app: "Sphinx", env: "BuildEnvironment") -> list[str]:
        """Date the documents before the first is written, and return those whose dates changed
        since an earlier build.

        Sphinx writes these again, even if their sources are unchanged, for example because an edit
        was committed.
        """
        site = self._site(app)
        if site is None or self._settings.lastmod == "off":
            return []
        builder = cast("StandaloneHTMLBuilder", app.builder)
        self._dating = Dating(self._settings)
        with report.harmless(log):
            documents = dict(_documents(builder, site))
            dates = self._dating.shown(documents.values(), site)
            self._dates = {name: dates.get(page.url, "") for name, page in documents.items()}
        attribute = f"{_NAME}_{builder.name}"  # Sphinx saves it with the environment
        earlier: dict[str, str] = getattr(env, attribute, {})
        setattr(env, attribute, self._dates)
        return [name for name, date in self._dates.items() if date != earlier.get(name, "")]

    def add(
        self, app: "Sphinx", name: str, template: str, context: dict[str, Any], doctree: object
    ) -> None:
        """Record a page without a document, and pass the date of a document to themes.

        Every build writes all pages without a document. If `html_last_updated_fmt` is set, Sphinx
        sets `last_updated` to the day of the build.
        """
        if doctree is None:
            self._templates[name] = template
        if not self._dates:
            return
        date = self._dates.get(name, "")
        if date:
            context["lastmod"] = date
        is_shown = app.config.html_last_updated_fmt is not None
        if is_shown and "sphinx_last_updated_by_git" not in app.extensions:
            context["last_updated"] = _formatted(date, app.config) if date else ""

    def end(self, app: "Sphinx", failed: Exception | None) -> None:
        """Write the sitemaps after all files of the site are written."""
        if failed is not None or app.builder.name not in _BUILDERS:
            return
        messages: list[report.Message] = []
        with report.harmless(log):
            messages += self._publish(app)
            unread = list(unread_settings(app, _NAME))
            site = self._site(app)
            if site:
                unread += unread_table(site, f"{_NAME} in conf.py", _PLACES)
            messages += [(finding.level, str(finding)) for finding in unread]
        for level, message in dict.fromkeys(messages):
            _log(level, f"{_NAME}: {printable(message)}")

    def _publish(self, app: "Sphinx") -> list[report.Message]:
        """Write the sitemaps and return the messages."""
        started = time.perf_counter()
        site = self._site(app)
        if site is None:
            _, problem = _address(app)
            is_given = str(app.config.html_baseurl or "").strip()
            text = f"no sitemaps are written: {problem} [address]" if is_given else _NO_ADDRESS
            return [("warning", text)]
        pages = _pages(cast("StandaloneHTMLBuilder", app.builder), site, self._templates)
        result = publish(pages, site, Host(dating=self._dating, others=()))
        if result.failure():
            app.statuscode = 1
        summary = result.summary(time.perf_counter() - started)
        return [("summary", summary), *result.messages()]

    def _site(self, app: "Sphinx") -> Site | None:
        """Return the site, or None if this build writes no site or the address is invalid."""
        address, _ = _address(app)
        if not address or app.builder.name not in _BUILDERS:
            return None
        beside = os.fspath(app.confdir)
        return Site(
            url=address,
            directory=os.fspath(app.outdir),
            settings=self._settings,
            url_from="html_baseurl",
            generator="Sphinx",
            beside=beside,
            project=beside,
            settings_file=os.path.join(beside, "conf.py"),
        )


def _formatted(date: str, config: "Config") -> str:
    """Return a date as Sphinx shows it."""
    return format_date(
        config.html_last_updated_fmt or _("%b %d, %Y"),
        date=datetime.fromisoformat(date),
        language=config.language,
        local_time=has_time(date) and not config.html_last_updated_use_utc,
    )


def _log(level: str, text: str) -> None:
    """Log a message. Each warning has the name of its check as its subtype."""
    if level == "debug":
        log.debug("%s", text)
    elif level not in {"error", "warning"}:
        log.info("%s", text)
    else:
        write = log.error if level == "error" else log.warning
        text, _, check = text.removesuffix("]").rpartition(" [")
        write("%s", text, type=_NAME, subtype=check)


def _address(app: "Sphinx") -> tuple[str, str]:
    """Return the address of the site, or an empty string and the problem."""
    given = str(app.config.html_baseurl or "").strip()
    return addresses.read(given, "html_baseurl")


def _documents(builder: "StandaloneHTMLBuilder", site: Site) -> Iterator[tuple[str, Page]]:
    """Yield the names and pages of all documents, even if this build doesn't write them again."""
    env = builder.env
    config = env.config
    catalogues = CatalogRepository(env.srcdir, config.locale_dirs, config.language, "utf-8")
    translated = {each.domain: os.fspath(each.po_path) for each in catalogues.catalogs}
    for name in sorted(env.found_docs):
        url = site.url + builder.get_target_uri(name)
        file = os.fspath(builder.get_outfilename(name))
        yield name, _document(name, url, file, env, translated)


def _pages(
    builder: "StandaloneHTMLBuilder", site: Site, templates: Mapping[str, str]
) -> Iterator[Page]:
    """Yield the pages of all documents, then all other pages."""
    documents = dict(_documents(builder, site))
    yield from documents.values()
    known = {page.file for page in documents.values()}
    for name in sorted(templates.keys() - documents.keys()):
        url = site.url + builder.get_target_uri(name)
        file = os.fspath(builder.get_outfilename(name))
        if os.path.isfile(file) and name.partition("/")[0] not in _DIRECTORIES:
            known.add(file)
            yield _template(name, url, file, templates[name], builder)
    for path in output_files(site).paths:
        file = os.path.join(site.directory, path)
        is_page = is_html(path)
        if file in known or not (is_page or is_included(path, site.settings)):
            continue
        sources = _copied_from(path, builder)
        unlisted = _DIRECTORIES.get(path.partition("/")[0]) if is_page else None
        if sources or unlisted:
            yield Page(
                url=site.url + urls.page_path(path),
                file=file,
                sources=sources,
                source_name=path,
                unlisted=unlisted,
                kind="copied" if is_page else "file",
            )


def _document(
    name: str, url: str, file: str, env: "BuildEnvironment", translated: Mapping[str, str]
) -> Page:
    """Return the page of a document, with its translation and the files that its directives read.

    Images don't affect the date, as in the other hosts. Compiled translations are ignored, because
    Sphinx reports them only from the second build.
    """
    source = os.fspath(env.doc2path(name))
    used = set()
    for dependency in env.dependencies.get(name, ()):
        path = os.path.relpath(os.path.join(env.srcdir, dependency), env.srcdir)
        if path not in env.images and not path.endswith(".mo"):
            used.add(os.path.normpath(env.srcdir / path))
    translation = translated.get(docname_to_domain(name, env.config.gettext_compact))
    if translation:
        used.add(translation)
    return Page(
        url=url,
        file=file,
        sources=(source,),
        source_name=os.path.relpath(source, env.srcdir),
        meta=_metadata(name, env),
        depends=tuple(sorted(used)),
    )


def _metadata(name: str, env: "BuildEnvironment") -> dict[str, object]:
    found = {}
    for key, value in env.metadata.get(name, {}).items():
        found[key.lower()] = value
        # MyST passes lists and mappings as JSON
        if isinstance(value, str) and value[:1] in {"[", "{"}:
            with suppress(ValueError, RecursionError):
                found[key.lower()] = json.loads(value)
    return found


def _template(
    name: str, url: str, file: str, template: str, builder: "StandaloneHTMLBuilder"
) -> Page:
    """Return a page without a document.

    Its source is its template, if it is in `html_additional_pages`.
    """
    source = ""
    if name in builder.config.html_additional_pages:
        source = _template_file(template, builder)
    # the site can have another template engine
    environment = getattr(builder.templates, "environment", None)
    unknown = None
    if source and environment is not None:
        text = read_text(source, "replace")
        if shows_data(text, environment):
            unknown = Unknown(NoDate.TEMPLATE)
    unlisted = None
    if _GENERATED.fullmatch(template):
        unlisted = "generated as an index or a search page"
    return Page(
        url=url,
        file=file,
        sources=(source,) if source else (),
        source_name=name,
        unlisted=unlisted,
        unknown=unknown,
    )


def _template_file(template: str, builder: "StandaloneHTMLBuilder") -> str:
    for place in builder.config.templates_path:
        file = os.path.join(builder.confdir, place, template)
        if os.path.isfile(file):
            return file
    return ""


def _copied_from(path: str, builder: "StandaloneHTMLBuilder") -> tuple[str, ...]:
    """Return the source of a file that was copied to the output, if it is known."""
    candidates = [
        builder.env.srcdir / source
        for source, (_, target) in builder.env.dlfiles.items()
        if path == f"_downloads/{target}"
    ]
    name = path.removeprefix("_static/")
    config = builder.config
    for place in config.html_extra_path if name == path else config.html_static_path:
        copied = builder.confdir / place  # a file, or a directory whose files are copied
        candidates.append(copied if copied.name == name else copied / name)
    for file in candidates:
        if os.path.isfile(file):
            return (os.path.normpath(file),)
    return ()
