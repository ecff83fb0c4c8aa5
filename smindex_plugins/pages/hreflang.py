"""Which pages are language variants of each other, and what is wrong with their links.

The rules: https://developers.google.com/search/docs/specialty/international/localized-versions
"""

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property

from smindex_plugins import urls
from smindex_plugins.catalogue import (
    ACCIDENTAL_TRANSLATION,
    HREFLANG_CONTRADICTION,
    HREFLANG_NOT_MUTUAL,
    HREFLANG_WITHOUT_SELF,
    INVALID_HREFLANG,
    MISSING_VARIANT,
    Kind,
)
from smindex_plugins.model import Finding, Page
from smindex_plugins.settings import Target
from smindex_plugins.text import brief, counted

_X_DEFAULT = "x-default"
_SINGLE = 3
"""How many findings with the same cause are reported one by one. If there are more, one finding counts them."""

# A well-formed language tag (RFC 5646, section 2.1): language, script, region, variants.
_LANGUAGE_TAG = re.compile(
    r"[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|[0-9]{3}))?(-([a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*", re.IGNORECASE
)
# Written often, and the region of no country: the registry has GB and no other code for it.
_MISTAKEN_REGION = re.compile(r"-uk$", re.IGNORECASE)


def is_hreflang(code: str) -> bool:
    """Whether search engines understand a code: a language tag, or `x-default`."""
    is_tag = _LANGUAGE_TAG.fullmatch(code) and not _MISTAKEN_REGION.search(code)
    return bool(is_tag) or code.lower() == _X_DEFAULT


def pair(pages: list[Page], known: Iterable[Page], target: Target, findings: list[Finding]) -> list[Page]:
    """Return the pages, each with all variants of its group, itself included, if the pages agree about them.

    ``known`` are all pages of the site, listed or not. Variants on other sites cannot be asked, and are
    taken at the page's word, as the protocol allows.
    """
    linked = [page for page in pages if page.details.alternates]
    if not linked:
        return pages
    links = _Links(pages, known, linked, target)
    apart = _accidents(linked, findings)
    for page in linked:
        links.read(page, apart)
    links.keep_mutual()
    completed = [links.complete(page) for page in pages]
    findings += links.findings()
    return completed


def _accidents(pages: list[Page], findings: list[Finding]) -> set[str]:
    """Return the pages that a host grouped as translations of each other although they have the same language.

    Pelican groups all articles that share a slug, and the posts of a year may well be called "News" each.
    """
    claims = {
        (page.url, url): code
        for page in pages
        for own in [{code.lower() for code, url in page.details.alternates if url == page.url} - {_X_DEFAULT}]
        for code, url in page.details.alternates
        if url != page.url and code.lower() in own
    }
    mutual = {(url, other): code for (url, other), code in claims.items() if (other, url) in claims}
    if mutual:
        apart = len({url for url, _ in mutual})
        (first, second), code = min(mutual.items())
        spots = {page.url: page.spot for page in pages if page.url in {first, second}}
        grouped = f"it and {spots[second].where} are grouped as translations of each other"
        problem = f"{grouped}, but both have the language {brief(code)}."
        if apart > 2:  # noqa: PLR2004 - those two
            problem = f"{problem} The same is true of {counted(apart - 2, 'other page')}."
        findings.append(ACCIDENTAL_TRANSLATION.at(spots[first], problem))
    return {url for url, _ in mutual}


def with_default(pages: list[Page], language: str) -> list[Page]:
    """Return the pages. Their variants in the site's default language are also those for readers of other languages."""
    if not any(page.details.alternates for page in pages):
        return pages
    wanted = language.replace("_", "-").lower()
    completed = []
    for page in pages:
        found = {(_X_DEFAULT, url) for code, url in page.details.alternates if code.lower() == wanted}
        completed.append(_with(page, tuple(sorted(found.union(page.details.alternates)))) if found else page)
    return completed


class _Links:
    """What the pages say about each other. It is read page by page and then corrected step by step."""

    def __init__(self, pages: list[Page], known: Iterable[Page], linked: Iterable[Page], target: Target) -> None:
        self._found: dict[tuple[Kind, str], dict[str, str]] = {}
        """By kind and code: the pages with a problem, and the problem of each."""
        # Of millions of pages, only those that somebody speaks of are kept by their URLs.
        spoken_of = {url for page in linked for url in (page.url, *(url for _, url in page.details.alternates))}
        self._pages = pages
        self._listed = {page.url: page for page in pages if page.url in spoken_of}
        self._known = {page.url for page in known if page.url in spoken_of}
        self._target = target
        self._said: dict[str, dict[str, str]] = {}
        """The variants that each page names: code, in lower case, and URL."""
        self._spelling: dict[str, str] = {_X_DEFAULT: _X_DEFAULT}
        self._groups: dict[str, dict[str, str]] = {}
        """The variants that the whole group of each page names: code and URL."""

    def read(self, page: Page, apart: set[str]) -> None:
        """Read what a page says, without what is wrong in itself."""
        said: dict[str, str] = {}
        for code, url in page.details.alternates if page.url not in apart else ():
            if not is_hreflang(code):
                problem = f"it gives its variant {url} the code {brief(code)}, which is not a language tag."
                self._report(INVALID_HREFLANG, code, page.url, problem)
            elif self._is_local(url) and url not in self._listed:
                if wrong := self._why_missing(url):
                    problem = f"it names {url} as its variant {brief(code)}, but {wrong}."
                    self._report(MISSING_VARIANT, code, page.url, problem)
            elif said.get(code.lower(), url) != url:
                self._contradict(page.url, code, said[code.lower()], url)
            elif url not in apart:
                said[code.lower()] = url
                self._spelling.setdefault(code.lower(), code)
        if said:
            self._said[page.url] = said

    def keep_mutual(self) -> None:
        """Drop the variants that do not name the page in return, which search engines ignore."""
        for url, said in self._said.items():
            for code, other in list(said.items()):
                if other != url and self._is_local(other) and url not in self._said.get(other, {}).values():
                    del said[code]
                    problem = (
                        f"it names {other} as its variant {brief(code)}, but that page does not name it in return."
                    )
                    self._report(HREFLANG_NOT_MUTUAL, code, url, problem)

    def complete(self, page: Page) -> Page:
        """Give a page every variant of its group, or none if the group does not include the page itself."""
        if page.url not in self._said:
            return _with(page, ())
        if page.url not in self._groups:
            self._unite(page.url)
        group = self._groups[page.url]
        if len(set(group.values())) < 2:  # noqa: PLR2004 - one page is no variant of another
            return _with(page, ())
        if page.url not in group.values():
            problem = "no page of its group, itself included, says which language it is in."
            self._report(HREFLANG_WITHOUT_SELF, "", page.url, problem)
            return _with(page, ())
        return _with(page, tuple(sorted((self._spelling[code], url) for code, url in group.items())))

    def _unite(self, first: str) -> None:
        """Combine what all pages say that are linked to this one, without contradictions."""
        members = [first]
        found = {first}
        named: dict[str, set[str]] = {}
        for member in members:
            for code, url in self._said[member].items():
                named.setdefault(code, set()).add(url)
                if url in self._said and url not in found:
                    found.add(url)
                    members.append(url)
        for code, candidates in sorted(named.items()):
            if len(candidates) > 1:
                self._contradict(first, self._spelling[code], *sorted(candidates)[:2])
        group = {code: min(candidates) for code, candidates in named.items() if len(candidates) == 1}
        self._groups.update(dict.fromkeys(members, group))

    def _is_local(self, url: str) -> bool:
        return urls.is_within(url, self._target.site_url)

    def _why_missing(self, url: str) -> str:
        """Return what is wrong with an unlisted URL, or an empty string if its page is left out for a reason."""
        if url in self._known:
            return ""
        directory, base = self._target.directory, self._target.site_url
        file = urls.find_file(directory, base, url, urls.answering_files)
        page = self._files.get(os.path.normpath(os.path.join(directory, file))) if file else None
        return f"that page calls itself {page.url}" if page else "" if file else "the site has no such page"

    @cached_property
    def _files(self) -> dict[str, Page]:
        return {os.path.normpath(page.file): page for page in self._pages if page.file}

    def _contradict(self, page: str, code: str, first: str, second: str) -> None:
        self._report(
            HREFLANG_CONTRADICTION, code, page, f"its group has two variants {brief(code)}: {first} and {second}."
        )

    def _report(self, kind: Kind, code: str, page: str, problem: str) -> None:
        self._found.setdefault((kind, code.lower()), {}).setdefault(page, problem)

    def findings(self) -> Iterator[Finding]:
        """Return what is wrong: a few cases of one cause one by one, many as one finding."""
        for (kind, _), found in self._found.items():
            fix = f"{kind.fix} The valid variants are written."
            cases = list(found.items())
            if len(cases) > _SINGLE:
                others = f"The same is true of {len(cases) - 1:,} other pages, such as {cases[1][0]}."
                cases = [(cases[0][0], f"{cases[0][1]} {others}")]
            for url, problem in cases:
                yield kind.at(self._listed[url].spot._replace(where=url), problem, fix)


def _with(page: Page, alternates: tuple[tuple[str, str], ...]) -> Page:
    if page.details.alternates == alternates:
        return page
    return replace(page, details=replace(page.details, alternates=alternates))
