"""The Pelican adapter. It hands what a run wrote to the core and logs the results in Pelican's way."""

import contextlib
import logging
import os
import re
import sys
import time
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from pelican import signals
from pelican.log import console

from smindex_plugins import report, urls
from smindex_plugins.addresses import read
from smindex_plugins.hosts.pelican_pages import Run, addresses, copied, early_pages, pages, taken_files
from smindex_plugins.hosts.reporting import reported
from smindex_plugins.pages import shared_dating
from smindex_plugins.pipeline import by_index, publish
from smindex_plugins.settings import OPTIONS, Settings, SettingsError, Target

# Pelican's own logger class, which makes `--fatal` raise, is set when pelican is imported.
log = logging.getLogger(__name__)

_FORM = "sitemap_index: %s"
_UNREAD = (
    "SITEMAP['exclude'] has no effect, because only pelican-sitemap reads it, and PLUGINS does not name that. "
    "Write SITEMAP_INDEX = {'exclude': [...]}, with patterns of paths such as 'tag/', not regular expressions."
)

_NO_ADDRESS = (
    "no sitemaps are written, because SITEURL is {}: they hold absolute URLs. "
    "Set the address in publishconf.py, and publish with `pelican -s publishconf.py`."
)

_accepted: list[Settings] = []
"""The options that this process began with, if any."""
_running: list[Run] = []
"""The runs that have begun but not ended, each nested in the one before."""


def register() -> None:
    """Connect to Pelican. It keeps only weak references to receivers, and calls each once."""
    signals.initialized.connect(_accept)
    signals.get_generators.connect(_begin)
    signals.content_written.connect(_note)
    signals.finalized.connect(_end)


def _accept(pelican: Any) -> None:  # noqa: ANN401 - Pelican ships no types
    """Refuse wrong options before a run begins. Pelican then ends, or keeps the old ones if it is reloading.

    Raises:
        SystemExit: with every mistake at once; with any other exception, Pelican 4.12 shows a traceback.
        SettingsError: with the same, where Pelican must not end.
    """
    try:
        _accepted[:] = [_settings({} if _is_nested(pelican) else pelican.settings)]
    except SettingsError as error:
        if _accepted and _is_watched():
            raise
        message = f"sitemap_index: nothing was built, because options are wrong.\n{error}"
        raise SystemExit(message) from None


def _is_nested(pelican: Any) -> bool:  # noqa: ANN401 - as above
    """Whether a site is made within another one.

    Only i18n_subsites does so, for each language, with a copy of the settings that name them all.
    """
    languages = pelican.settings.get("I18N_SUBSITES")
    within = _running[-1].settings.get("I18N_SUBSITES") if _running else None
    return languages is not None and languages is within and all(run.pelican is not pelican for run in _running)


def _begin(pelican: Any) -> None:  # noqa: ANN401 - as above
    """Begin a run, and forget runs that failed, because nothing told us that they ended."""
    if not _is_nested(pelican):
        _running.clear()
        with contextlib.suppress(Exception):  # what is wrong here is wrong again at the end
            shared_dating(_settings(pelican.settings)).history.refresh()
    _running.append(Run(pelican, pelican.settings, os.path.abspath(pelican.output_path)))


def _note(path: str, context: Mapping[str, Any]) -> None:
    """Record a file. With the first one, begin to read the history while Pelican writes the others."""
    if not _running:
        return
    run = _running[-1]
    if not run.rendered:
        with contextlib.suppress(Exception):  # as above
            if site_url := _site_url(run.settings)[0]:
                settings = _settings(run.settings)
                shared_dating(settings).start(early_pages(context, site_url, settings), site_url)
    run.note(path, context)


def _end(pelican: Any) -> None:  # noqa: ANN401 - as above
    """Write the sitemaps of all sites when the outermost run ends."""
    while _running and _running[-1].pelican is not pelican:
        _running.pop()
    if not _running:
        return
    run = _running.pop()
    if _running:
        _running[-1].nested += [run, *run.nested]
        return
    messages: list[report.Message] = []
    failures: list[str] = []
    with report.harmless(log):
        messages += _publish([run, *run.nested], failures)
    report.log(log, messages, _FORM, _print)
    for failure in failures:
        if not _is_watched():  # a run that fails would begin again at once, for ever
            raise RuntimeError(failure)  # Pelican logs it, and ends with exit code 1
        log.error(_FORM, failure)


def _print(text: str) -> None:
    """Print a line in Pelican's way, whatever its console can show."""
    printable = text.encode(console.encoding, "backslashreplace").decode(console.encoding)
    console.print(printable, soft_wrap=True, markup=False, highlight=False)


def _publish(runs: list[Run], failures: list[str]) -> Iterator[report.Message]:
    """Write the sitemaps of a main site and its subsites, with one index for each place that needs its own."""
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
    old, own = (main.settings.get(name) or {} for name in ("SITEMAP", "SITEMAP_INDEX"))
    others = {str(name).rpartition(".")[2] for name in main.settings["PLUGINS"]}
    if isinstance(old, Mapping) and old.get("exclude") and not own.get("exclude") and "sitemap" not in others:
        yield "warning", _UNREAD
    found, results, written = addresses(located), [], set[str]()
    # The main site comes first, so that its report is the one with the name that the author gave.
    for sites in sorted(by_index(located), key=lambda sites: all(site is not main for site in sites)):
        top = sites[0]
        try:
            settings = _settings(top.settings)
        except SettingsError as error:
            for key, message in error.errors:
                yield "error", f"no sitemaps are written: {key}: {message}"
            continue
        sources = dict(copied(sites)) if settings.include else {}
        result = publish(
            (page for site in sites for page in pages(site, found)),
            site_url=top.site_url,
            directory=top.directory,
            settings=settings,
            dating=shared_dating(settings),
            default_language=main.settings["DEFAULT_LANG"],
            is_trial=top.settings["RELATIVE_URLS"] or _is_watched(),  # only its author sees the site
            copied_from=partial(_sources_of, sources),
            taken={name: writer for site in sites for name, writer in taken_files(site, top, main)},
            others=[os.path.join(run.directory, name) for run in runs for name, _ in run.rendered],
        )
        target = Target(site_url=top.site_url, directory=top.directory, settings=settings)
        results.append(reported(result, target, written, [run.directory for run in located]))
    for result in report.of_one_configuration(results):
        shown_by = "" if log.isEnabledFor(logging.INFO) else "pelican -v"
        yield "summary", result.summary(time.perf_counter() - started, shown_by)
        yield from result.messages()
        failures += filter(None, [result.failure()])


def _sources_of(sources: Mapping[str, tuple[str, ...]], file: str) -> tuple[str, ...]:
    return sources.get(file, ())


def _site_url(settings: Mapping[str, Any]) -> tuple[str, list[report.Message]]:
    given = str(settings["SITEURL"] or "").strip()
    said = urls.masked(repr(given))
    if not given or (given.startswith("/") and not given.startswith("//")):
        return "", [("summary", _NO_ADDRESS.format(said))]
    url, problem = read(f"https:{given}" if given.startswith("//") else given, "SITEURL")
    if problem:
        return "", [("error", f"no sitemaps are written: {problem}")]
    no_scheme = f"SITEURL {said} has no scheme, but sitemaps need one. They have https."
    return url, [("notice", no_scheme)] if given.startswith("//") else []


def _is_watched() -> bool:
    """Whether Pelican runs with --listen or --autoreload."""
    flags = re.compile(r"-[a-zA-Z]*[lr]|-[lr][a-zA-Z]*|--(?:listen|autoreload)")
    return any(map(flags.fullmatch, sys.argv[1:]))


def _settings(settings: Mapping[str, Any]) -> Settings:
    given = settings.get("SITEMAP_INDEX") or {}
    flat = [option.name for option in OPTIONS if f"SITEMAP_INDEX_{option.name.upper()}" in settings]
    if flat:
        raise SettingsError((f"SITEMAP_INDEX_{it.upper()}", f"write SITEMAP_INDEX = {{{it!r}: ...}}") for it in flat)
    if isinstance(given, Mapping) and given.get("pagination") is None:
        given = {**given, "pagination": False}
    return Settings.of_dict(given, "SITEMAP_INDEX", beside="")
