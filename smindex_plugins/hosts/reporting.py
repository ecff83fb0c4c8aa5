"""The report of a build, for the few hosts' users who want one."""

import os
import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import count

from smindex_plugins.pages import Dating, shared_dating
from smindex_plugins.report import Report
from smindex_plugins.settings import Target

_NO_PART_OF_A_NAME = re.compile(r"[^A-Za-z0-9.]+")


def reported(
    result: Report,
    target: Target,
    written: set[str] | None = None,
    published: Collection[str] = (),
    dating: Dating | None = None,
) -> Report:
    """Return what a build did, with what went wrong with its report, if it has one.

    ``written`` has the files of the reports that the run has written. This report does not replace one of them, and
    is added. ``published`` has the directories of the other sites of the run. ``dating`` is what dated the pages, if
    that is not the one that all builds of the process share.
    """
    settings, taken = target.settings, set() if written is None else written
    if not settings.report:
        return result
    from smindex_plugins.reports import with_report  # noqa: PLC0415 - few builds write one, and it takes 60 ms to load

    name = next(each for each in _names(settings.report, target.site_url) if each not in taken)
    taken.add(name)
    named = replace(target, settings=replace(settings, report=name))
    return with_report(result, named, dating or shared_dating(settings), published=published)


def _names(given: str, site_url: str) -> Iterator[str]:
    """Yield the name that is given, then names with the address of the site in them."""
    stem, suffix = os.path.splitext(os.path.normpath(given))
    site = _NO_PART_OF_A_NAME.sub("-", site_url.partition("://")[2]).strip("-")
    yield f"{stem}{suffix}"
    yield f"{stem}-{site}{suffix}"
    yield from (f"{stem}-{site}-{number}{suffix}" for number in count(2))
