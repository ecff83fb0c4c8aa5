"""Finds language variants of pages, and problems with their links.

The rules: https://developers.google.com/search/docs/specialty/international/localized-versions
"""

import os
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from smindex_plugins.base import urls
from smindex_plugins.base.catalogue import (
    ACCIDENTAL_TRANSLATION,
    HREFLANG_CONTRADICTION,
    HREFLANG_NOT_MUTUAL,
    HREFLANG_WITHOUT_SELF,
    INVALID_HREFLANG,
    MISSING_VARIANT,
    Kind,
)
from smindex_plugins.base.language_codes import X_DEFAULT, is_hreflang
from smindex_plugins.base.model import Finding, Findings, Page
from smindex_plugins.base.site import Site
from smindex_plugins.base.text import brief, counted

_Links = dict[str, dict[str, str]]
"""The variants that each page links to, by its URL: lower-case code and URL."""


class Paired(NamedTuple):
    """The listed pages with their variants, and what is wrong with these."""

    pages: list[Page]
    findings: list[Finding]


def normal_alternates(alternates: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return language variants with their URLs in normal form, sorted."""
    normal = {(str(code), urls.normal(url) or url) for code, url in alternates}
    return tuple(sorted(normal))


def with_default(pages: list[Page], language: str) -> list[Page]:
    """Return the pages, with their variants in the site's default language as variants for all
    other languages.
    """
    if not language:
        return pages
    wanted = language.replace("_", "-").lower()
    completed = []
    for page in pages:
        found = {(X_DEFAULT, url) for code, url in page.alternates if code.lower() == wanted}
        if found:
            alternates = tuple(sorted(found.union(page.alternates)))
            completed.append(replace(page, alternates=alternates))
        else:
            completed.append(page)
    return completed


def _own_codes(page: Page) -> set[str]:
    """Return the codes with which a page lists itself, in lower case."""
    own = set()
    for code, url in page.alternates:
        if url == page.url:
            own.add(code.lower())
    own.discard(X_DEFAULT)
    return own


def pair(pages: list[Page], known: Iterable[Page], site: Site) -> Paired:
    """Return the pages, each with all variants of its group, including itself, if the pages agree
    about them.

    ``known`` are all pages of the site, listed or not. Variants on other sites are not
    checked, as the protocol allows.
    """
    if not any(page.alternates for page in pages):
        return Paired(pages, [])
    pairing = _Pairing(pages, known, site)
    completed = pairing.completed()
    return Paired(completed, list(pairing.findings()))


class _Pairing:
    """Groups the listed pages of a site by their links, and collects the problems of these."""

    def __init__(self, pages: list[Page], known: Iterable[Page], site: Site) -> None:
        self._pages = pages
        self._site = site
        self._listed = {page.url for page in pages}
        self._unlisted = {page.url: page for page in known if page.url not in self._listed}
        every = [*pages, *self._unlisted.values()]
        self._files = {os.path.normpath(page.file) for page in every if page.file}
        self._spelling = {X_DEFAULT: X_DEFAULT}
        """Each code as it is first written, by its lower-case form."""
        for page in pages:
            for code, _ in page.alternates:
                self._spelling.setdefault(code.lower(), code)
        self._problems: dict[tuple[Kind, str], dict[str, str]] = {}
        """The problem of each page that has one, by kind and code."""

    def completed(self) -> list[Page]:
        """Return the pages, each with the variants of its group."""
        groups = self._groups(self._valid())
        completed = []
        for page in self._pages:
            if not page.alternates:
                completed.append(page)
                continue
            group = groups.get(page.url, {})
            if len(set(group.values())) < 2:  # noqa: PLR2004 - one page is not a variant of another
                group = {}
            elif page.url not in group.values():
                problem = "no page of its group, including itself, declares its own language."
                self._report(HREFLANG_WITHOUT_SELF, "", page.url, problem)
                group = {}
            alternates = tuple(sorted((self._spelling[code], url) for code, url in group.items()))
            is_complete = page.alternates == alternates
            completed.append(page if is_complete else replace(page, alternates=alternates))
        return completed

    def findings(self) -> Findings:
        """Yield one finding for each problem that was found, about all pages that have it."""
        if not self._problems:
            return
        spots = {page.url: page.spot for page in self._pages}
        for (kind, _), cases in self._problems.items():
            (first, problem), *others = cases.items()
            if others:
                number = counted(len(others), "other page")
                example = others[0][0]
                problem += f" The same applies to {number}, such as {example}."
            fix = kind.fix
            if kind is not ACCIDENTAL_TRANSLATION:
                fix += " The valid variants are listed."
            yield kind.at(spots[first]._replace(where=first), problem, fix)

    def _valid(self) -> _Links:
        """Return the links of each page, without individually invalid ones."""
        accidents = self._accidents()
        links: _Links = {page.url: {} for page in self._pages}
        for page in self._pages:
            if page.url in accidents:
                continue
            own = links[page.url]
            for code, url in page.alternates:
                if not is_hreflang(code):
                    problem = (
                        f"it gives its variant {url} the code {brief(code)}, which is not a"
                        " language tag."
                    )
                    self._report(INVALID_HREFLANG, code, page.url, problem)
                elif urls.is_within(url, self._site.url) and url not in self._listed:
                    if self._is_missing(url):
                        problem = (
                            f"it links to {url} as its variant {brief(code)}, but no page of the"
                            " site has that URL."
                        )
                        self._report(MISSING_VARIANT, code, page.url, problem)
                elif own.get(code.lower(), url) != url:
                    self._contradiction(page.url, code, own[code.lower()], url)
                elif url not in accidents:
                    own[code.lower()] = url
        return links

    def _is_missing(self, url: str) -> bool:
        """Whether no page has an unlisted URL of the site.

        A page can be omitted for a reason, or be created by another build.
        """
        if url in self._unlisted:
            return False
        directory = self._site.directory
        file = urls.find_file(directory, self._site.url, url, urls.answering_files)
        if not file:
            return True
        path = os.path.normpath(os.path.join(directory, file))
        return path in self._files

    def _accidents(self) -> set[str]:
        """Return the pages that a host grouped as translations of each other although they have
        the same language.

        Pelican groups all articles that share a slug, such as several posts named "News".
        """
        claims: dict[tuple[str, str], str] = {}
        for page in self._pages:
            own = _own_codes(page)
            for code, url in page.alternates:
                if url != page.url and code.lower() in own:
                    claims[page.url, url] = code
        mutual = sorted(item for item in claims.items() if item[0][::-1] in claims)
        for (url, other), code in mutual:
            first_pair = mutual[0][0]
            if url == first_pair[1]:  # the first problem already mentions that page
                continue
            problem = (
                f"it and {other} are grouped as translations of each other, but both have the"
                f" language {brief(code)}."
            )
            self._report(ACCIDENTAL_TRANSLATION, "", url, problem)
        return {url for (url, _), _ in mutual}

    def _groups(self, links: _Links) -> _Links:
        """Return the combined variants of all pages linked to each page, without contradictions."""
        groups: _Links = {}
        for first, own in links.items():
            if first in groups or not own:
                continue
            members, named = self._linked(first, links)
            group: dict[str, str] = {}
            for code, candidates in sorted(named.items()):
                one, *others = sorted(candidates)
                if others:
                    self._contradiction(first, self._spelling[code], one, others[0])
                else:
                    group[code] = one
            groups.update(dict.fromkeys(members, group))
        return groups

    def _linked(self, first: str, links: _Links) -> tuple[list[str], dict[str, set[str]]]:
        """Return the pages that are linked to one, and the variants that they name, by code.

        Links that the other page does not return are ignored, as in search engines.
        """
        members = [first]
        named: dict[str, set[str]] = {}
        for member in members:
            for code, url in links[member].items():
                is_own_site = url != member and urls.is_within(url, self._site.url)
                if is_own_site and member not in links[url].values():
                    problem = (
                        f"it links to {url} as its variant {brief(code)}, but that page doesn't"
                        " link back."
                    )
                    self._report(HREFLANG_NOT_MUTUAL, code, member, problem)
                    continue
                named.setdefault(code, set()).add(url)
                if url in links and url not in members:
                    members.append(url)
        return members, named

    def _contradiction(self, page: str, code: str, first: str, second: str) -> None:
        problem = f"its group has two variants {brief(code)}: {first} and {second}."
        self._report(HREFLANG_CONTRADICTION, code, page, problem)

    def _report(self, kind: Kind, code: str, page: str, problem: str) -> None:
        """Record a problem of a page, unless it has one of the same kind and code."""
        cases = self._problems.setdefault((kind, code.lower()), {})
        cases.setdefault(page, problem)
