"""What is wrong with the patterns in a user's options: they match no page, or only pages of an earlier section."""

import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from urllib.parse import unquote

from smindex_plugins import nearest, patterns, urls
from smindex_plugins.catalogue import OVERLAPPING_SECTIONS, UNMATCHED_PATTERN
from smindex_plugins.model import Finding, NamedSection, Page
from smindex_plugins.pages.membership import Omission, path_of, said_by
from smindex_plugins.settings import Settings, Target
from smindex_plugins.text import counted


def find_unmatched(
    pages: Sequence[Page], members: Sequence[Page], omitted: Sequence[Omission], proven: frozenset[str], target: Target
) -> Iterator[Finding]:
    """Yield the URL patterns in a user's options that match no page of the build, or none that is left for them.

    A page that is left out counts as matched, whatever left it out. ``members`` are the listed pages, by their own
    URLs. ``proven`` are the other origins that agree to have pages listed.
    """
    deciding = {omission.by for omission in omitted}
    written = [(where, pattern) for where, pattern in _written(target.settings) if f"`{pattern}`" not in deciding]
    if written and pages:
        paths = [unquote(path_of(page, target)) for page in pages]
        own = (page.url for page in members if target.settings.sections and urls.is_within(page.url, target.site_url))
        listed = [unquote(urls.relative_path(url, target.site_url)) for url in own]
        for where, pattern in written:
            meets = patterns.expression(pattern).fullmatch
            if not (any(map(meets, paths)) or any(map(meets, listed)) or _is_kept_out(pattern, pages, target)):
                fix = nearest.fix(pattern, nearest.Site(target.site_url, paths, _files(pages, paths, target)))
                if where.startswith("exclude") and fix.endswith(nearest.NOTHING_NEAR):
                    fix += " A page that is there at times can say `sitemap: false` in its front matter."
                yield UNMATCHED_PATTERN.at(where, f"`{pattern}` matches no page.", fix)
        yield from _overlapping(target.settings.sections, listed)
    yield from _unlisted_origins(proven, pages, members, target)


def _written(settings: Settings) -> Iterator[tuple[str, str]]:
    """Yield the URL patterns, each with the place where it is written."""
    for at, pattern in enumerate(settings.exclude):
        yield f"exclude[{at}]" if len(settings.exclude) > 1 else "exclude", pattern
    for at, section in enumerate(settings.sections):
        yield from ((f"sections[{at}].urls[{number}]", pattern) for number, pattern in enumerate(section.urls))
    yield from ((f"depends[{pattern!r}]", pattern) for pattern, _ in settings.depends)


def _is_kept_out(pattern: str, pages: Sequence[Page], target: Target) -> bool:
    """Whether a pattern names a file or directory of the output without pages, which is in no sitemap anyway."""
    path = os.path.join(target.directory, pattern.lstrip("/"))
    is_there = os.path.isdir(path) if pattern.endswith("/") else os.path.isfile(path)
    return is_there and not any(page.file.startswith(path) for page in pages)


def _files(pages: Sequence[Page], paths: Sequence[str], target: Target) -> dict[str, str]:
    """Return the paths of pages by the names of their sources, and by their files in the output."""
    found = {page.details.source_name: path for page, path in zip(pages, paths, strict=True)}
    outside = os.path.join(target.directory, "")
    return found | {page.file.removeprefix(outside): path for page, path in zip(pages, paths, strict=True)}


def _overlapping(sections: Sequence[NamedSection], paths: Sequence[str]) -> Iterator[Finding]:
    """Yield the patterns whose pages all belong to earlier sections, and the sections that lose pages that way.

    A small section before one that also matches all its pages is intended: the special case comes first.
    """
    met: defaultdict[tuple[int, int], Counter[int]] = defaultdict(Counter)
    shared: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for path in paths if len(sections) > 1 else ():
        meeting = [
            (at, number)
            for at, section in enumerate(sections)
            for number, pattern in enumerate(section.urls)
            if patterns.expression(pattern).fullmatch(path)
        ]
        for at in {at for at, _ in meeting}:
            shared[at][meeting[0][0]] += 1
        for place in meeting:
            met[place][meeting[0][0]] += 1
    for (at, number), owners in sorted(met.items()):
        first = sections[owners.most_common(1)[0][0]].name
        if at not in owners:
            problem = (
                f"every page that `{sections[at].urls[number]}` matches belongs to the section {first!r} before it."
            )
            fix = f"Put this section before {first!r}, or remove the pattern."
            yield UNMATCHED_PATTERN.at(f"sections[{at}].urls[{number}]", problem, fix)
    for at, owners in sorted(shared.items()):
        for earlier, count in sorted(owners.items()):
            is_part = count == shared[earlier][earlier]
            if earlier != at and not is_part and all(at in met[place] for place in met if place[0] == at):
                where, first = f"sections[{at}]", sections[earlier].name
                belong = "belongs" if count == 1 else "belong"
                problem = f"{counted(count, 'page')} that it matches {belong} to the section {first!r} before it."
                yield OVERLAPPING_SECTIONS.at(where, problem)


def _unlisted_origins(
    origins: frozenset[str], pages: Sequence[Page], members: Sequence[Page], target: Target
) -> Iterator[Finding]:
    """Yield the other origins that agree to have pages listed, but have no page's canonical URL."""
    missing = origins.difference(urls.origin(page.url) for page in members) if origins else ()
    named = Counter(map(_canonical_origin, pages)) if missing else Counter[str]()
    candidates = [origin for origin, _ in named.most_common() if origin not in {*origins, urls.origin(target.site_url)}]
    for origin in sorted(missing):
        if origin not in named:
            others = " or ".join(f"`{other}`" for other in candidates[:2])
            fix = f"Did you mean {others}, where pages have their canonical URLs?" if others else ""
            yield UNMATCHED_PATTERN.at(f"cross_site[{origin!r}]", "no page has its canonical URL there.", fix)


def _canonical_origin(page: Page) -> str:
    """Return the origin of a page's canonical URL."""
    with suppress(OSError):
        return urls.origin(said_by(page).canonical or page.url)
    return urls.origin(page.url)
