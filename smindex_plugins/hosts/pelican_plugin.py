"""The Pelican adapter. It passes what a run wrote to the core and logs the results as Pelican does."""

import contextlib
import logging
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from pelican import signals
from pelican.log import console

from smindex_plugins import filters, report, urls
from smindex_plugins.addresses import read
from smindex_plugins.catalogue import UNMATCHED_PATTERN
from smindex_plugins.hosts.pelican_pages import Run, addresses, early_pages, pages, taken_files
from smindex_plugins.pages import Dating
from smindex_plugins.pipeline import Host, publish
from smindex_plugins.settings import OPTIONS, Settings, SettingsError, Site, prefixed_errors
from smindex_plugins.text import masked

# Pelican's own logger class, which makes `--fatal` raise, is set when pelican is imported.
log = logging.getLogger(__name__)

_FORM = "sitemap_index: %s"
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
    signals.content_written.connect(_add)
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
    """Begin a run, and forget runs that failed, because nothing reported their end."""
    if not _is_nested(pelican):
        _running.clear()
    _running.append(Run(pelican, pelican.settings, os.path.abspath(pelican.output_path)))


def _add(path: str, context: Mapping[str, Any]) -> None:
    """Record a file. With the first one, begin to read the history while Pelican writes the others."""
    if not _running:
        return
    run = _running[-1]
    if not run.rendered:
        with contextlib.suppress(Exception):  # what is wrong here is wrong again at the end
            settings, (site_url, _) = _settings(run.settings), _site_url(run.settings)
            run.dating = _running[0].dating or Dating(settings)
            if site_url:
                site = Site(url=site_url, directory=run.directory, settings=settings)
                run.dating.start(early_pages(context, site_url, settings), site)
    run.add(path, context)


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
    started, main, located = time.perf_counter(), runs[0], []
    for run in runs:
        site_url, messages = _site_url(run.settings)
        yield from messages
        if site_url:
            run.end(site_url)
            located.append(run)
        elif run is main:
            return
    found, results = addresses(located), []
    for sites in _by_index(located):
        top = sites[0]
        try:
            settings = _settings(top.settings)
        except SettingsError as error:
            yield from (("error", f"no sitemaps are written: {key}: {message}") for key, message in error.errors)
            continue
        host = Host(
            dating=main.dating,
            language=main.settings["DEFAULT_LANG"],
            taken={name: writer for site in sites for name, writer in taken_files(site, top)},
            others=[os.path.join(run.directory, name) for run in runs for name, _ in run.rendered],
            is_trial=top.settings["RELATIVE_URLS"] or _is_watched(),  # only its author sees the site
        )
        known = (page for site in sites for page in pages(site, found, settings))
        results.append(publish(known, Site(url=top.site_url, directory=top.directory, settings=settings), host))
    # A pattern needs a matching page in only one of the sites that share a configuration.
    unmatched = [{it.where for it in result.findings if it.check == UNMATCHED_PATTERN.name} for result in results]
    everywhere = set.intersection(*unmatched) if unmatched else set()
    for number, result in enumerate(results):
        kept = everywhere if number == 0 else ()
        findings = [it for it in result.findings if it.check != UNMATCHED_PATTERN.name or it.where in kept]
        result = replace(result, findings=findings)  # noqa: PLW2901 - the same without some findings
        shown_by = "" if log.isEnabledFor(logging.INFO) else "pelican -v"
        yield "summary", result.summary(time.perf_counter() - started, shown_by)
        yield from result.messages()
        failures += filter(None, [result.failure()])


def _by_index(runs: Iterable[Run]) -> list[list[Run]]:
    """Return the sites in groups that share an index: a site, and the sites inside it on the web and on disk."""
    groups: list[list[Run]] = []
    for run in sorted(runs, key=lambda run: len(run.site_url)):
        for group in (group for group in groups if urls.is_within(run.site_url, group[0].site_url)):
            path = urls.file_path(urls.relative_path(run.site_url, group[0].site_url))
            if path is not None and os.path.normpath(os.path.join(group[0].directory, path)) == run.directory:
                group.append(run)
                break
        else:
            groups.append([run])
    return groups


def _site_url(settings: Mapping[str, Any]) -> tuple[str, list[report.Message]]:
    given = str(settings["SITEURL"] or "").strip()
    shown = masked(repr(given))
    if not given or (given.startswith("/") and not given.startswith("//")):
        return "", [("summary", _NO_ADDRESS.format(shown))]
    url, problem = read(f"https:{given}" if given.startswith("//") else given, "SITEURL")
    if problem:
        return "", [("error", f"no sitemaps are written: {problem}")]
    no_scheme = f"SITEURL {shown} has no scheme, but sitemaps need one. They have https."
    return url, [("notice", no_scheme)] if given.startswith("//") else []


def _is_watched() -> bool:
    """Whether Pelican runs with --listen or --autoreload."""
    flags = re.compile(r"-[a-zA-Z]*[lr]|-[lr][a-zA-Z]*|--(?:listen|autoreload)")
    return any(map(flags.fullmatch, sys.argv[1:]))


def _settings(settings: Mapping[str, Any]) -> Settings:
    """Return the options in Pelican's settings, in which ``pagination`` is false by default."""
    given = settings.get("SITEMAP_INDEX") or {}
    flat = [option.name for option in OPTIONS if f"SITEMAP_INDEX_{option.name.upper()}" in settings]
    if flat:
        raise SettingsError((f"SITEMAP_INDEX_{it.upper()}", f"write SITEMAP_INDEX = {{{it!r}: ...}}") for it in flat)
    if isinstance(given, Mapping) and given.get("pagination") is None:
        given = {**given, "pagination": False}
    loaded = Settings.of_dict(given, "SITEMAP_INDEX")
    with prefixed_errors("SITEMAP_INDEX"):
        filters.load(loaded.filter, "")
    return loaded
