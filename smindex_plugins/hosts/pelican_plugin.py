"""The Pelican adapter: hands what a run wrote to the core, and logs in Pelican's way what the core reports."""

import contextlib
import logging
import os
import time
from collections.abc import Iterator, Mapping
from typing import Any

from pelican import signals

from smindex_plugins import report, urls
from smindex_plugins.hosts.pelican_pages import Run, addresses, early_pages, pages, taken_files
from smindex_plugins.pages import shared_dating
from smindex_plugins.pipeline import by_index, publish
from smindex_plugins.settings import Settings, SettingsError

# Pelican's own logger class, which makes `--fatal` raise, is set when pelican is imported.
log = logging.getLogger(__name__)

_running: list[Run] = []
"""The runs that have begun and not ended, each nested in the one before it."""


def register() -> None:
    """Connect to Pelican, which holds receivers weakly and calls each once, however often it is connected."""
    signals.get_generators.connect(_begin)
    signals.content_written.connect(_note)
    signals.finalized.connect(_end)


def _begin(pelican: Any) -> None:  # noqa: ANN401 - Pelican ships no types
    """Begin a run, and forget those that have failed, for nothing told us that they ended.

    Only i18n_subsites runs a site within another one: each language, with a copy of the settings that name them all.
    """
    languages = pelican.settings.get("I18N_SUBSITES")
    within = _running[-1].settings.get("I18N_SUBSITES") if _running else None
    if languages is None or languages is not within or any(run.pelican is pelican for run in _running):
        _running.clear()
        with contextlib.suppress(Exception):  # what is wrong here is wrong again at the end
            shared_dating(_settings(pelican.settings)).history.refresh()
    _running.append(Run(pelican, pelican.settings, os.path.abspath(pelican.output_path)))


def _note(path: str, context: Mapping[str, Any]) -> None:
    """Note a file; with the first one, begin to read the history, which goes on while Pelican writes the others."""
    if not _running:
        return
    run = _running[-1]
    if not run.rendered:
        with contextlib.suppress(Exception):  # as above
            if site_url := _site_url(run.settings)[0]:
                shared_dating(_settings(run.settings)).start(early_pages(context, site_url), site_url)
    run.note(path, context)


def _end(pelican: Any) -> None:  # noqa: ANN401 - as above
    """Write the sitemaps when the outermost run ends, for all the sites it made."""
    while _running and _running[-1].pelican is not pelican:
        _running.pop()
    if not _running:
        return
    run = _running.pop()
    if _running:
        _running[-1].nested += [run, *run.nested]
        return
    messages: list[report.Message] = []
    with report.harmless(log):
        messages += _publish([run, *run.nested])
    report.log(log, messages, "sitemap_index: %s")


def _publish(runs: list[Run]) -> Iterator[report.Message]:
    """Write the sitemaps of a main site and its subsites, one index for each place that needs its own."""
    started = time.perf_counter()
    main, located = runs[0], []
    for run in runs:
        site_url, messages = _site_url(run.settings)
        yield from messages
        if site_url:
            run.end(site_url)
            located.append(run)
        elif run is main:
            return
    found = addresses(located)
    for sites in by_index(located):
        top = sites[0]
        try:
            settings = _settings(top.settings)
        except SettingsError as error:
            for key, message in error.errors:
                yield "error", f"no sitemaps are written: SITEMAP_INDEX{f'[{key!r}]' if key else ''}: {message}"
            continue
        result = publish(
            (page for site in sites for page in pages(site, found)),
            site_url=top.site_url,
            directory=top.directory,
            settings=settings,
            dating=shared_dating(settings),
            default_language=main.settings["DEFAULT_LANG"],
            taken={name: writer for site in sites for name, writer in taken_files(site, top, main)},
        )
        yield "notice", result.summary(time.perf_counter() - started)
        yield from result.messages()


def _site_url(settings: Mapping[str, Any]) -> tuple[str, list[report.Message]]:
    given = str(settings["SITEURL"] or "").strip()
    try:
        if given.startswith("//"):
            message = f"SITEURL {given!r} names no scheme, which sitemaps need: theirs is https."
            return urls.site_url(f"https:{given}"), [("notice", message)]
        if not given or given.startswith("/"):
            return "", [("notice", f"no sitemaps are written, because SITEURL is {given!r}: they hold absolute URLs.")]
        return urls.site_url(given), []
    except ValueError as error:
        problem = f"no sitemaps are written, because SITEURL is wrong: {error}."
        return "", [("error", f"{problem} Write for example SITEURL = 'https://example.org'")]


def _settings(settings: Mapping[str, Any]) -> Settings:
    given = settings.get("SITEMAP_INDEX") or {}
    if not isinstance(given, Mapping):
        raise SettingsError((("", f"got {given!r}; accepted: a dict of options, such as {{'section_depth': 2}}"),))
    return Settings.load({"pagination": False, **given})
