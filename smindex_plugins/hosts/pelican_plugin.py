"""The Pelican adapter: hands what a run wrote to the core, and logs in Pelican's way what the core reports."""

import contextlib
import inspect
import logging
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pelican import signals

from smindex_plugins import urls
from smindex_plugins.history.walk import History
from smindex_plugins.hosts.pelican_pages import Addresses, Run, early_sources, pages, taken_files
from smindex_plugins.model import Level
from smindex_plugins.pages.lastmod import Dating, date_pages
from smindex_plugins.publish import publish
from smindex_plugins.report import Message
from smindex_plugins.settings import Settings, SettingsError, Target

# Pelican's own logger class, which makes `--fatal` raise, is set when pelican is imported.
log = logging.getLogger(__name__)

_Messages = Iterator[Message]

_running: list[Run] = []
"""The runs that have begun and not ended, each nested in the one before it."""


_histories: dict[Settings, History] = {}
"""What is known of the repositories, by the settings it was asked with."""


def register() -> None:
    """Connect to Pelican, which holds receivers weakly and calls each once, however often it is connected."""
    signals.get_generators.connect(_begin)
    signals.static_generator_finalized.connect(_note_static)
    signals.content_written.connect(_note)
    signals.finalized.connect(_end)


def _begin(pelican: Any) -> None:  # noqa: ANN401 - Pelican ships no types
    """Start with nothing known; what runs that failed have left is forgotten, for nothing told us that they ended."""
    before = len(_running)
    del _running[next((i for i, run in enumerate(_running) if run.pelican is pelican), before) :]
    while _running and not _is_active(_running[-1].pelican):
        _running.pop()
    _running.append(
        Run(
            pelican=pelican,
            settings=pelican.settings,
            directory=os.path.abspath(pelican.output_path),
            content_directory=os.path.abspath(pelican.path),
            after_failure=len(_running) < before,
        )
    )


def _is_active(pelican: Any) -> bool:  # noqa: ANN401
    """Tell whether a Pelican object's run is what called us: only then is the run that begins nested in it."""
    frame = inspect.currentframe()
    while frame is not None:
        if frame.f_code.co_name == "run" and frame.f_locals.get("self") is pelican:
            return True
        frame = frame.f_back
    return False


def _note_static(generator: Any) -> None:  # noqa: ANN401
    if _running:
        _running[-1].static = generator.staticfiles


def _note(path: str, context: Mapping[str, Any]) -> None:
    if not _running:
        return
    _running[-1].note(path, context)
    outermost = _running[0]
    if outermost.history is None and not outermost.after_failure:
        with contextlib.suppress(Exception):  # it is only a head start: what is wrong here is wrong again at the end
            _start_history(outermost, context)


def _start_history(run: Run, context: Mapping[str, Any]) -> None:
    """Start to read the history when the first page is written; it is read while Pelican writes the others.

    Not earlier, and not in a run that comes after one that failed: `pelican -r` repeats those many times a second.
    """
    settings, _ = _settings(run.settings)
    run.history = _history(settings or Settings())
    if settings is not None and settings.lastmod == "git" and _site_url(run.settings)[0]:
        run.history.start(early_sources(context))


def _history(settings: Settings) -> History:
    """Give the history as the settings want it; in a process that builds again and again, one HEAD is walked once."""
    history = _histories.get(settings)
    if history is None:
        history = _histories[settings] = Dating(settings).history
    history.refresh()
    return history


def _end(pelican: Any) -> None:  # noqa: ANN401
    """Write the sitemaps when the outermost run ends, for all the sites it made."""
    while _running and _running[-1].pelican is not pelican:
        _running.pop()
    if not _running:
        return
    run = _running.pop()
    if _running:
        _running[-1].nested += [run, *run.nested]
        return
    try:
        messages = list(_publish([run, *run.nested]))
    except Exception:
        log.exception("no sitemaps were written, because of a mistake in smindex-plugins. The site itself is complete.")
    else:
        _log(messages)


def _publish(runs: list[Run]) -> _Messages:
    """Write the sitemaps of a main site and its subsites, one index for each place that needs its own."""
    started = time.perf_counter()
    located = []
    for run in runs:
        run.site_url, messages = _site_url(run.settings)
        yield from messages
        if run.site_url:
            located.append(run)
        elif run is runs[0]:
            return
    addresses = Addresses(located)
    for sites in _by_index(located):
        yield from _publish_index(sites, addresses, runs[0], started)


def _publish_index(sites: list[Run], addresses: Addresses, main: Run, started: float) -> _Messages:
    top = sites[0]
    settings, errors = _settings(top.settings)
    if settings is None:
        yield from errors
        return
    target = Target(site_url=top.site_url, directory=top.directory, settings=settings, taken=_taken(sites, main))
    history = top.history or _history(settings)
    found = (page for site in sites for page in pages(site, addresses, main.settings["DEFAULT_LANG"]))
    report = publish(date_pages(found, history, target), target, history)
    yield "notice", report.summary(time.perf_counter() - started)
    yield from report.messages()


def _by_index(runs: Iterable[Run]) -> Iterator[list[Run]]:
    """Put together the sites that lie, on the web and on disk alike, in the directory of another one."""
    groups: list[list[Run]] = []
    for run in sorted(runs, key=lambda run: len(run.site_url)):
        around = next((group for group in groups if _is_inside(run, group[0])), None)
        if around is None:
            groups.append([run])
        else:
            around.append(run)
    yield from groups


def _is_inside(run: Run, other: Run) -> bool:
    if not urls.is_within(run.site_url, other.site_url):
        return False
    path = urls.file_path(urls.relative_path(run.site_url, other.site_url))
    return path is not None and os.path.normpath(os.path.join(other.directory, path)) == run.directory


def _taken(sites: list[Run], main: Run) -> dict[str, str]:
    top = sites[0].directory
    return {
        os.path.normpath(os.path.join(os.path.relpath(site.directory, top), name)).replace(os.sep, "/"): writer
        for site in sites
        for name, writer in taken_files(site, is_subsite=site is not main)
    }


def _site_url(settings: Mapping[str, Any]) -> tuple[str, list[tuple[Level, str]]]:
    given = str(settings["SITEURL"] or "").strip()
    if not given or (given.startswith("/") and not given.startswith("//")):
        return "", [("notice", f"no sitemaps are written, because SITEURL is {given!r}: they hold absolute URLs.")]
    try:
        if given.startswith("//"):
            message = f"SITEURL {given!r} names no scheme, which sitemaps need: theirs is https."
            return urls.site_url(f"https:{given}"), [("notice", message)]
        return urls.site_url(given), []
    except ValueError as error:
        example = "SITEURL = 'https://example.org'"
        return "", [
            ("error", f"no sitemaps are written, because SITEURL is wrong: {error}. Write for example {example}")
        ]


def _settings(settings: Mapping[str, Any]) -> tuple[Settings | None, list[tuple[Level, str]]]:
    given = settings.get("SITEMAP_INDEX") or {}
    if not isinstance(given, Mapping):
        accepted = "a dict of options, such as {'section_depth': 2}"
        return None, [("error", f"no sitemaps are written: SITEMAP_INDEX: got {given!r}; accepted: {accepted}")]
    try:
        return Settings.load({"pagination": False, **given}), []
    except SettingsError as error:
        problems = [f"no sitemaps are written: SITEMAP_INDEX[{key!r}]: {message}" for key, message in error.errors]
        return None, [("error", problem) for problem in problems]


def _log(messages: Iterable[Message]) -> None:
    """Log everything, also where `--fatal` makes a logger raise at the first message that counts."""
    loggers = {"error": log.error, "warning": log.warning, "notice": log.info, "debug": log.debug}
    fatal: RuntimeError | None = None
    for level, message in dict.fromkeys(messages):
        try:
            loggers[level]("sitemap_index: %s", message)
        except RuntimeError as error:
            fatal = fatal or error
    if fatal is not None:
        raise fatal
