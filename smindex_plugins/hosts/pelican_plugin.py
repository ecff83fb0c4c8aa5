"""The Pelican adapter.

It passes the files of a run to the core and logs the results as Pelican does.
"""

import logging
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

from pelican import signals
from pelican.log import console
from pelican.utils import SafeDatetime

from smindex_plugins import report
from smindex_plugins.base import filters, urls
from smindex_plugins.base.addresses import read
from smindex_plugins.base.catalogue import UNMATCHED_PATTERN, UNREAD_SETTING
from smindex_plugins.base.model import Finding, Page
from smindex_plugins.base.settings import OPTIONS, Settings, SettingsError, prefixed_errors
from smindex_plugins.base.site import Site
from smindex_plugins.build import Host, publish
from smindex_plugins.hosts._unread_table import unread_table
from smindex_plugins.hosts.pelican_pages import Run, addresses_of, pages
from smindex_plugins.hosts.pelican_templates import Templates
from smindex_plugins.hosts.pelican_unread import unread_settings
from smindex_plugins.pages.dating import Dating

# Importing pelican sets its logger class, which raises errors for `--fatal`.
log = logging.getLogger(__name__)

_FORM = "sitemap_index: %s"
_NO_ADDRESS = (
    "no sitemaps are written, because SITEURL is {} and sitemaps require absolute URLs. "
    "Set the address in publishconf.py, and publish with `pelican -s publishconf.py`."
)

_accepted = WeakKeyDictionary[Any, Settings]()
"""The options of each Pelican object."""
_runs: list[Run] = []
"""The unfinished run of a site and its nested runs. i18n_subsites starts one for each language."""


def register() -> None:
    """Connect to Pelican, which keeps only weak references to receivers and calls each once."""
    signals.initialized.connect(_accept)
    signals.get_generators.connect(_begin)
    signals.generator_init.connect(_learn_templates)
    signals.article_generator_init.connect(_read_history)
    signals.all_generators_finalized.connect(_show_dates)
    signals.content_written.connect(_add)


def _accept(pelican: Any) -> None:  # noqa: ANN401 - Pelican ships no types
    """Refuse invalid options before a run starts.

    Pelican then exits, or keeps the old options if it is reloading.

    Raises:
        SystemExit: with every mistake at once; for other exceptions, Pelican 4.12 prints a
            traceback.
        SettingsError: with the same mistakes, while Pelican watches files and must not exit.
    """
    signals.finalized.connect(_end)  # after all other plugins have written their files
    try:
        _accepted[pelican] = _settings(pelican.settings)
    except SettingsError as error:
        if _accepted and _is_watched():
            raise
        message = f"sitemap_index: nothing was built, because options are invalid.\n{error}"
        raise SystemExit(message) from None


def _begin(pelican: Any) -> None:  # noqa: ANN401 - as above
    """Start a run. Failed runs are cleared only now, because Pelican sends no signal for them."""
    if not _is_nested(pelican):
        _runs.clear()
    site_url, messages = _site_url(pelican.settings)
    site = Site(
        url=site_url,
        directory=os.path.abspath(pelican.output_path),
        settings=_accepted[pelican],
        url_from="SITEURL in publishconf.py",
        generator="Pelican",
        project=os.getcwd(),  # Pelican doesn't tell plugins where its settings are
    )
    _runs.append(Run(pelican, pelican.settings, site, messages))


def _is_nested(pelican: Any) -> bool:  # noqa: ANN401 - as above
    """Whether a run starts within the unfinished one, for another language of the site."""
    languages = pelican.settings.get("I18N_SUBSITES")
    if not _runs or languages is None:
        return False
    is_same_site = languages is _runs[0].settings.get("I18N_SUBSITES")
    return is_same_site and all(run.pelican is not pelican for run in _runs)


def _learn_templates(generator: Any) -> None:  # noqa: ANN401 - as above
    for run in _runs[-1:]:
        run.templates = Templates(generator)


def _read_history(generator: Any) -> None:  # noqa: ANN401 - as above
    """Start reading the history while Pelican reads the articles and pages."""
    for run in _runs[-1:]:
        if not run.site.url:
            continue
        with report.harmless(log):
            settings = run.settings
            dating = _runs[0].dating or Dating(run.site.settings)
            files: set[str] = set()
            for kind in ("ARTICLE", "PAGE"):
                places = settings[f"{kind}_PATHS"]
                files |= generator.get_files(places, exclude=settings[f"{kind}_EXCLUDES"])
            started = []
            for file in files:
                source = os.path.abspath(os.path.join(generator.path, file))
                started.append(Page(url=run.site.url, sources=(source,)))
            dating.start(started, run.site)
            _runs[0].dating = dating


def _show_dates(generators: Any) -> None:  # noqa: ANN401 - as above
    """Set the sitemap dates on articles and pages, for themes to show."""
    for run in _runs[-1:]:
        dating = _runs[0].dating
        if not run.site.url or not dating:
            continue
        with report.harmless(log):
            groups = _by_index(each for each in _runs if each.site.url)
            top = next(group[0] for group in groups if run in group)
            contents = run.contents(generators[0].context)
            dates = dating.shown([page for _, page in contents], top.site)
            for content, page in contents:
                if page.url in dates and not hasattr(content, "lastmod"):
                    date = SafeDatetime.fromisoformat(dates[page.url])
                    zone = content.timezone
                    shown = date.astimezone(zone) if date.tzinfo else date.replace(tzinfo=zone)
                    content.lastmod = shown


def _add(path: str, context: Mapping[str, Any]) -> None:
    """Record a file."""
    running = [run for run in _runs if not run.has_ended]
    if running:
        running[-1].add(path, context)


def _end(pelican: Any) -> None:  # noqa: ANN401 - as above
    """Write the sitemaps of all sites when the outermost run ends."""
    for run in _runs:
        if run.pelican is pelican:
            run.has_ended = True
    if not (_runs and _runs[0].has_ended):
        return
    runs = [run for run in _runs if run.has_ended]
    _runs.clear()
    messages: list[report.Message] = []
    failure = ""
    with report.harmless(log):
        messages, failure = _publish(runs)
    report.log(log, messages, _FORM, _print)
    # while watching, Pelican would restart a failed run in an endless loop
    if failure and not _is_watched():
        raise RuntimeError(failure)  # Pelican logs it and exits with code 1
    if failure:
        log.error(_FORM, failure)


def _print(text: str) -> None:
    """Print a line like Pelican does, escaping characters that its console can't show."""
    encoded = text.encode(console.encoding, "backslashreplace")
    printable = encoded.decode(console.encoding)
    console.print(printable, soft_wrap=True, markup=False, highlight=False)


def _publish(runs: list[Run]) -> tuple[list[report.Message], str]:
    """Write the sitemaps of a main site and its subsites, with one index for each group of sites.

    Return the messages, and the reason why the run must fail, or an empty string.
    """
    started = time.perf_counter()
    main = runs[0]
    located = [run for run in runs if run.site.url and main.site.url]
    messages: list[report.Message] = []
    unread: list[Finding] = []
    for run in runs:
        messages += run.messages
    for run in located:
        run.end()
    for run in runs:
        unread += unread_settings(run.settings)
    if located:
        unread += unread_table(main.site, "SITEMAP_INDEX")
    addresses = addresses_of(located)
    results = []
    for sites in _by_index(located):
        top = sites[0]
        host = Host(
            dating=main.dating,
            language=main.settings["DEFAULT_LANG"],
            others=list(_written_files(runs)),
            # the site is visible only to its author
            is_trial=top.settings["RELATIVE_URLS"] or _is_watched(),
        )
        known = (page for run in sites for page in pages(run, addresses, top.site.settings))
        results.append(publish(known, top.site, host))
        unread += _overruled(sites)
    failure = ""
    shown_by = "" if log.isEnabledFor(logging.INFO) else "pelican -v"
    for result in _without_repetitions(results):
        seconds = time.perf_counter() - started
        messages.append(("summary", result.summary(seconds, shown_by)))
        messages += result.messages()
        if not failure:
            failure = result.failure()
    messages += [(finding.level, str(finding)) for finding in unread]
    return messages, failure


def _written_files(runs: Iterable[Run]) -> Iterator[str]:
    for run in runs:
        for name, _ in run.rendered:
            yield os.path.join(run.site.directory, name)


def _overruled(sites: list[Run]) -> Iterator[Finding]:
    """Yield the options of sites inside another whose options count."""
    top = sites[0].site
    for run in sites:
        if run.site.settings != top.settings:
            place = f"I18N_SUBSITES: {run.site.url}: SITEMAP_INDEX"
            problem = (
                f"it has no effect, because the site is in the index of {top.url}, whose options"
                " count."
            )
            fix = "Move the options to the SITEMAP_INDEX of that site."
            yield UNREAD_SETTING.at(place, problem, fix)


def _without_repetitions(results: list[report.Report]) -> Iterator[report.Report]:
    """Yield the results with each unmatched pattern once, if it matches no page of any site.

    The sites share a configuration.
    """
    unmatched: Counter[str] = Counter()
    for result in results:
        for finding in result.findings:
            if finding.check == UNMATCHED_PATTERN.name:
                unmatched[finding.where] += 1
    reported = {where for where, count in unmatched.items() if count == len(results)}
    for result in results:
        findings = []
        for finding in result.findings:
            if finding.check != UNMATCHED_PATTERN.name or finding.where in reported:
                findings.append(finding)
        reported.clear()  # by the first result
        yield replace(result, findings=findings)


def _by_index(runs: Iterable[Run]) -> list[list[Run]]:
    """Group the runs that share an index: a site and the sites inside it."""
    groups: list[list[Run]] = []
    for run in sorted(runs, key=lambda run: len(run.site.url)):
        for group in groups:
            if _is_inside(run.site, group[0].site):
                group.append(run)
                break
        else:
            groups.append([run])
    return groups


def _is_inside(site: Site, top: Site) -> bool:
    """Whether a site is inside another both by URL and on disk."""
    if not urls.is_within(site.url, top.url):
        return False
    path = urls.file_path(urls.relative_path(site.url, top.url))
    if path is None:
        return False
    directory = os.path.normpath(os.path.join(top.directory, path))
    return directory == site.directory


def _site_url(settings: Mapping[str, Any]) -> tuple[str, list[report.Message]]:
    given = str(settings["SITEURL"] or "").strip()
    if given.startswith("//"):  # a URL without a scheme, but sitemaps require one
        given = f"https:{given}"
    if not given or given.startswith("/"):
        return "", [("summary", _NO_ADDRESS.format(repr(given)))]
    url, problem = read(given, "SITEURL")
    if problem:
        return url, [("error", f"no sitemaps are written: {problem}")]
    return url, []


def _is_watched() -> bool:
    """Whether `pelican` runs with --listen or --autoreload, not another program."""
    program = sys.argv[0].split(os.sep)
    if "pelican" not in os.path.join(*program[-2:]):
        return False
    watching = re.compile(r"-[a-zA-Z]*[lr]|-[lr][a-zA-Z]*|--(?:listen|autoreload)")
    return any(map(watching.fullmatch, sys.argv[1:]))


def _settings(settings: Mapping[str, Any]) -> Settings:
    """Return the options from Pelican's settings, where ``pagination`` is false by default."""
    misplaced = []
    for option in OPTIONS:
        setting = f"SITEMAP_INDEX_{option.name.upper()}"
        if setting in settings:
            misplaced.append((setting, f"write SITEMAP_INDEX = {{{option.name!r}: ...}}"))
    if misplaced:
        raise SettingsError(misplaced)
    given = settings.get("SITEMAP_INDEX") or {}
    if isinstance(given, Mapping) and given.get("pagination") is None:
        given = {**given, "pagination": False}
    loaded = Settings.of_dict(given, "SITEMAP_INDEX")
    with prefixed_errors("SITEMAP_INDEX"):
        filters.load(loaded.filter, "")
    return loaded
