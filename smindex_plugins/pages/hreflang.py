"""Finds language variants of pages, and problems with their links.

The rules: https://developers.google.com/search/docs/specialty/international/localized-versions
"""

import os
import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

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
from smindex_plugins.base.model import Finding, Page
from smindex_plugins.base.site import Site
from smindex_plugins.base.text import brief, counted

_X_DEFAULT = "x-default"
# Language, script, region and variants (RFC 5646, section 2.1). Google doesn't support regions with
# several countries.
_LANGUAGE_TAG = re.compile(
    r"[a-z]{2,3}(-[a-z]{4})?(-(?P<region>[a-z]{2}))?(-([a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*",
    re.IGNORECASE,
)
# Registered as regions, but not assigned by ISO 3166-1: reserved, of several countries, or for
# private use.
_NO_COUNTRY = re.compile(r"A[AC]|C[PQ]|DG|E[AUZ]|IC|Q[M-Z]|TA|UN|X[A-JL-Z]|ZZ", re.IGNORECASE)

_Links = dict[str, dict[str, str]]
"""The variants that each page links to, by its URL: lower-case code and URL."""
_Problems = dict[tuple[Kind, str], dict[str, str]]
"""The pages with a problem, and the problem of each, by kind and code."""


@cache
def is_hreflang(code: str) -> bool:
    """Whether Google supports a code: a registered language, with a script or a country if needed,
    or `x-default`.
    """
    if code.lower() == _X_DEFAULT:
        return True
    tag = _LANGUAGE_TAG.fullmatch(code)
    if tag is None or _NO_COUNTRY.fullmatch(tag["region"] or ""):
        return False
    from langcodes import Language  # noqa: PLC0415 - this takes 0.1 s, and most sites have one language

    return Language.get(code, normalize=False).is_valid()


def normal_alternates(alternates: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return language variants with their URLs in normal form, sorted."""
    return tuple(sorted({(str(code), urls.normal(url) or url) for code, url in alternates}))


def with_default(pages: list[Page], language: str) -> list[Page]:
    """Return the pages, with their variants in the site's default language as variants for all
    other languages.
    """
    if not language:
        return pages
    wanted = language.replace("_", "-").lower()
    completed = []
    for page in pages:
        found = {(_X_DEFAULT, url) for code, url in page.alternates if code.lower() == wanted}
        completed.append(
            replace(page, alternates=tuple(sorted(found.union(page.alternates)))) if found else page
        )
    return completed


def pair(
    pages: list[Page], known: Iterable[Page], site: Site, findings: list[Finding]
) -> list[Page]:
    """Return the pages, each with all variants of its group, including itself, if the pages agree
    about them.

    ``known`` are all pages of the site, listed or not. Variants on other sites are not
    checked, as the protocol allows.
    """
    if not any(page.alternates for page in pages):
        return pages
    problems: _Problems = {}
    spelling = {_X_DEFAULT: _X_DEFAULT}
    for page in pages:
        for code, _ in page.alternates:
            spelling.setdefault(code.lower(), code)
    groups = _groups(_valid(pages, known, site, problems), spelling, site, problems)
    completed = []
    for page in pages:
        if not page.alternates:
            completed.append(page)
            continue
        group = groups.get(page.url, {})
        if len(set(group.values())) < 2:  # noqa: PLR2004 - one page is not a variant of another
            group = {}
        elif page.url not in group.values():
            problem = "no page of its group, including itself, declares its own language."
            _report(problems, HREFLANG_WITHOUT_SELF, "", page.url, problem)
            group = {}
        alternates = tuple(sorted((spelling[code], url) for code, url in group.items()))
        completed.append(
            page if page.alternates == alternates else replace(page, alternates=alternates)
        )
    spots = {page.url: page.spot for page in pages} if problems else {}
    for (kind, _), cases in problems.items():
        (first, problem), *others = cases.items()
        if others:
            problem += (
                f" The same applies to {counted(len(others), 'other page')}, such as"
                f" {others[0][0]}."
            )
        fix = (
            kind.fix
            if kind is ACCIDENTAL_TRANSLATION
            else f"{kind.fix} The valid variants are listed."
        )
        findings.append(kind.at(spots[first]._replace(where=first), problem, fix))
    return completed


def _valid(pages: list[Page], known: Iterable[Page], site: Site, problems: _Problems) -> _Links:
    """Return the links of each page, without individually invalid ones."""
    listed = {page.url for page in pages}
    unlisted = {page.url: page for page in known if page.url not in listed}
    files = {os.path.normpath(page.file) for page in [*pages, *unlisted.values()] if page.file}
    accidents = _accidents(pages, problems)
    links: _Links = {page.url: {} for page in pages}
    for page in pages:
        own = links[page.url]
        for code, url in page.alternates if page.url not in accidents else ():
            if not is_hreflang(code):
                problem = (
                    f"it gives its variant {url} the code {brief(code)}, which is not a language"
                    " tag."
                )
                _report(problems, INVALID_HREFLANG, code, page.url, problem)
            elif urls.is_within(url, site.url) and url not in listed:
                # That is fine if the page is omitted for a reason, or if another build created it.
                file = urls.find_file(site.directory, site.url, url, urls.answering_files)
                if url not in unlisted and (
                    not file or os.path.normpath(os.path.join(site.directory, file)) in files
                ):
                    problem = (
                        f"it links to {url} as its variant {brief(code)}, but no page of the site"
                        " has that URL."
                    )
                    _report(problems, MISSING_VARIANT, code, page.url, problem)
            elif own.get(code.lower(), url) != url:
                _contradiction(problems, page.url, code, own[code.lower()], url)
            elif url not in accidents:
                own[code.lower()] = url
    return links


def _accidents(pages: list[Page], problems: _Problems) -> set[str]:
    """Return the pages that a host grouped as translations of each other although they have the
    same language.

    Pelican groups all articles that share a slug, such as several posts named "News".
    """
    claims: dict[tuple[str, str], str] = {}
    for page in pages:
        own = {code.lower() for code, url in page.alternates if url == page.url} - {_X_DEFAULT}
        same = [
            (url, code) for code, url in page.alternates if url != page.url and code.lower() in own
        ]
        claims.update({(page.url, url): code for url, code in same})
    accidents = sorted((pair, code) for pair, code in claims.items() if pair[::-1] in claims)
    for (url, other), code in accidents:
        if url != accidents[0][0][1]:  # the first problem already mentions that page
            problem = (
                f"it and {other} are grouped as translations of each other, but both have the"
                " language"
            )
            _report(problems, ACCIDENTAL_TRANSLATION, "", url, f"{problem} {brief(code)}.")
    return {url for (url, _), _ in accidents}


def _groups(links: _Links, spelling: dict[str, str], site: Site, problems: _Problems) -> _Links:
    """Return the combined variants of all pages linked to each page, without contradictions.

    Links that the other page does not return are ignored, as in search engines.
    """
    groups: _Links = {}
    for first, own in links.items():
        if first in groups or not own:
            continue
        members = [first]
        named: dict[str, set[str]] = {}
        for member in members:
            for code, url in links[member].items():
                if (
                    url != member
                    and urls.is_within(url, site.url)
                    and member not in links[url].values()
                ):
                    problem = (
                        f"it links to {url} as its variant {brief(code)}, but that page doesn't"
                        " link back."
                    )
                    _report(problems, HREFLANG_NOT_MUTUAL, code, member, problem)
                    continue
                named.setdefault(code, set()).add(url)
                if url in links and url not in members:
                    members.append(url)
        for code, candidates in sorted(named.items()):
            if len(candidates) > 1:
                _contradiction(problems, first, spelling[code], *sorted(candidates)[:2])
        group = {
            code: min(candidates) for code, candidates in named.items() if len(candidates) == 1
        }
        groups.update(dict.fromkeys(members, group))
    return groups


def _contradiction(problems: _Problems, page: str, code: str, first: str, second: str) -> None:
    problem = f"its group has two variants {brief(code)}: {first} and {second}."
    _report(problems, HREFLANG_CONTRADICTION, code, page, problem)


def _report(problems: _Problems, kind: Kind, code: str, page: str, problem: str) -> None:
    problems.setdefault((kind, code.lower()), {}).setdefault(page, problem)
