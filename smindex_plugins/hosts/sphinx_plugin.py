"""The Sphinx adapter. It hands the pages of an HTML build to the core and logs the results in Sphinx' way."""

import glob
import json
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from logging import WARNING, LogRecord
from typing import TYPE_CHECKING, Any, cast

from sphinx.errors import ConfigError
from sphinx.util import logging
from sphinx.util.i18n import CatalogRepository, docname_to_domain

from smindex_plugins import Dating, Details, Page, Settings, SettingsError, addresses, filters, publish, report, urls
from smindex_plugins.hosts.reporting import reported
from smindex_plugins.settings import Target, prefixed_errors

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.builders.html import StandaloneHTMLBuilder
    from sphinx.config import Config
    from sphinx.environment import BuildEnvironment

log = logging.getLogger(__name__)

_NAME = "sitemap_index"
"""Of the option, and the type of all warnings."""
_BUILDERS = ("html", "dirhtml")
"""The builders that make a page of each document. What others make is no site, or a site of one page."""
_Origin = Callable[[str], tuple[str, ...]]
_CHECK = re.compile(r" \[([a-z-]+)\]$")
_NO_ADDRESS = (
    "no sitemaps are written, because html_baseurl is empty, and sitemaps need full URLs. Write the address of the "
    'site into conf.py, such as html_baseurl = "https://example.org/docs/". If it is empty on purpose, as on your own '
    f'machine, write suppress_warnings = ["{_NAME}.address"]. [address]'
)
_GENERATED = re.compile(r"(?:domainindex|genindex(?:-\w+)?|search)\.html")
"""The templates of pages that Sphinx makes itself. They show readers the way, and say nothing that is not elsewhere."""
_BESIDE = {
    "_modules": "generated from source code, in _modules",
    **{name: f"beside the pages, in {name}" for name in ("_downloads", "_images", "_sources", "_static")},
}
"""Why HTML files in directories of Sphinx' own are not listed."""


def setup(app: "Sphinx") -> dict[str, Any]:
    """Connect to Sphinx."""
    build = _Build()
    app.add_config_value(_NAME, {}, "")
    app.connect("config-inited", build.accept)
    app.connect("html-page-context", build.note)
    app.connect("build-finished", build.end, priority=900)  # other extensions write pages then too
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class _Build:
    """One build: its options, and the pages that Sphinx and its extensions make without a document."""

    def __init__(self) -> None:
        self._settings, self._made = Settings(), dict[str, str]()

    def accept(self, app: "Sphinx", config: "Config") -> None:
        """Refuse wrong options before a document is read.

        Raises:
            ConfigError: with every mistake at once.
        """
        try:
            self._settings = Settings.of_dict(config[_NAME], _NAME)
            with prefixed_errors(_NAME):
                filters.load(self._settings.filter, os.fspath(app.confdir))
        except SettingsError as error:
            problem = f"nothing was built, because options are wrong.\n{error}"
            raise ConfigError(problem) from None

    def note(self, _: "Sphinx", name: str, template: str, __: Mapping[str, Any], doctree: object) -> None:
        """Record a page without a document. Every build writes all of them, in the process that ends it."""
        if doctree is None:
            self._made[name] = template

    def end(self, app: "Sphinx", failed: Exception | None) -> None:
        """Write the sitemaps when all that belongs to the site is there."""
        if failed is None and app.builder.name in _BUILDERS:
            messages: list[report.Message] = []
            with report.harmless(log):
                messages += self._publish(app)
            report.log(log, messages, f"{_NAME}: %s")

    def _publish(self, app: "Sphinx") -> list[report.Message]:
        """Write the sitemaps, and return what is to be said of them."""
        started, given = time.perf_counter(), str(app.config.html_baseurl or "").strip()
        site_url, problem = addresses.read(given, "html_baseurl")
        if problem:
            is_empty = given in {"", "/"}
            return [("warning", _NO_ADDRESS if is_empty else f"no sitemaps are written: {problem} [address]")]
        builder, dating = cast("StandaloneHTMLBuilder", app.builder), Dating(self._settings)
        directory, beside, origin = os.fspath(app.outdir), os.fspath(app.confdir), _origins(builder)
        result = publish(
            _pages(builder, site_url, self._made, origin),
            site_url=site_url,
            directory=directory,
            settings=self._settings,
            dating=dating,
            taken={app.config.sitemap_filename: "sphinx-sitemap"} if "sphinx_sitemap" in app.extensions else {},
            others=(),
            copied_from=origin,
            beside=beside,
        )
        target = Target(site_url=site_url, directory=directory, settings=self._settings, beside=beside)
        result = reported(result, target, dating=dating)
        app.statuscode = 1 if result.failure() else app.statuscode
        return [("summary", result.summary(time.perf_counter() - started)), *result.messages()]


def _pages(builder: "StandaloneHTMLBuilder", site_url: str, made: Mapping[str, str], origin: _Origin) -> Iterator[Page]:
    """Yield the pages of all documents, also of those that this build did not have to write again, then all others."""
    env, known = builder.env, set[str]()
    given = CatalogRepository(env.srcdir, env.config.locale_dirs, env.config.language, "utf-8").catalogs
    translated = {catalogue.domain: os.fspath(catalogue.po_path) for catalogue in given}
    for name in sorted({*env.found_docs, *made}):
        is_document, file = name in env.found_docs, os.fspath(builder.get_outfilename(name))
        if is_document or (os.path.isfile(file) and name.partition("/")[0] not in _BESIDE):
            known.add(file)
            found = _document(name, env, translated) if is_document else _template(name, made[name], builder)
            yield Page(url=site_url + builder.get_target_uri(name), file=file, sources=found[0], details=found[1])
    yield from _copied(builder, site_url, known, origin)


def _document(name: str, env: "BuildEnvironment", translated: Mapping[str, str]) -> tuple[tuple[str, ...], Details]:
    """Return the source of a document, and what is known of it.

    Images date no page, as on the other hosts. Sphinx names compiled translations only in its second build.
    """
    source, noted = os.fspath(env.doc2path(name)), env.dependencies.get(name, ())
    paths = {os.path.relpath(os.path.join(env.srcdir, path), env.srcdir) for path in noted}
    used = {os.path.normpath(env.srcdir / path) for path in paths if path not in env.images and path[-3:] != ".mo"}
    used.update(filter(None, [translated.get(docname_to_domain(name, env.config.gettext_compact))]))
    said = _said(env.metadata.get(name, {}))
    return (source,), Details(source_name=os.path.relpath(source, env.srcdir), meta=said, depends=tuple(sorted(used)))


def _template(name: str, template: str, builder: "StandaloneHTMLBuilder") -> tuple[tuple[str, ...], Details]:
    """Return the author's template of a page from `html_additional_pages`, if it is one, and why it is not listed."""
    places = builder.config.templates_path if name in builder.config.html_additional_pages else ()
    found = (os.path.join(builder.confdir, place, template) for place in places)
    why = "generated as an index or a search page" if _GENERATED.fullmatch(template) else ""
    return tuple(filter(os.path.isfile, found))[:1], Details(source_name=name, unlisted=why)


def _said(metadata: Mapping[str, object]) -> dict[str, object]:
    """Return what an author says above a document. MyST hands over lists and mappings as JSON."""
    said = {key.lower(): value for key, value in metadata.items()}
    for key, value in said.items():
        if isinstance(value, str) and value[:1] in {"[", "{"}:
            with suppress(ValueError, RecursionError):
                said[key] = json.loads(value)
    return said


def _copied(builder: "StandaloneHTMLBuilder", site_url: str, known: set[str], origin: _Origin) -> Iterator[Page]:
    """Yield the other HTML files: those from `html_extra_path`, and those in directories of Sphinx' own."""
    found = glob.iglob(os.path.join(glob.escape(os.fspath(builder.outdir)), "**", "*.html"), recursive=True)
    for file in sorted(set(found) - known):
        name = os.path.relpath(file, builder.outdir).replace(os.sep, "/")
        sources, why = origin(file), _BESIDE.get(name.partition("/")[0], "")
        if sources or why:
            url, details = site_url + urls.page_path(name), Details(source_name=name, copied=True, unlisted=why)
            yield Page(url=url, file=file, sources=sources, details=details)


def _origins(builder: "StandaloneHTMLBuilder") -> _Origin:
    """Return a function that returns what a file of the output was copied from: a file, or one in a directory."""
    env, config = builder.env, builder.config
    noted = {f"_downloads/{to}": (os.path.join(env.srcdir, path),) for path, (_, to) in env.dlfiles.items()}

    def origin(file: str) -> tuple[str, ...]:
        name = os.path.relpath(file, builder.outdir).replace(os.sep, "/")
        named = config.html_static_path if name.startswith("_static/") else config.html_extra_path
        name, places = name.removeprefix("_static/"), (os.path.join(builder.confdir, each) for each in named)
        candidates = (path for place in map(os.path.normpath, places) for path in (f"{place}/{name}", place))
        found = (path for path in candidates if path.endswith(f"/{name}") and os.path.isfile(path))
        return noted.get(name) or tuple(found)[:1]

    return origin


def _with_type(record: LogRecord) -> bool:
    """Give a warning the type and the subtype by which `suppress_warnings` knows it, and which Sphinx shows."""
    if record.levelno >= WARNING:
        text = record.getMessage()
        check = _CHECK.search(text)
        record.type, record.subtype = _NAME, check[1] if check else "error"
        record.msg, record.args = "%s", (_CHECK.sub("", text),)
    return True


log.logger.addFilter(_with_type)
