"""Which pages are each other's language variants, and what is wrong with how they say so.

The rules: https://developers.google.com/search/docs/specialty/international/localized-versions
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from smindex_plugins import urls
from smindex_plugins.catalogue import (
    HREFLANG_CONTRADICTION,
    HREFLANG_NOT_MUTUAL,
    HREFLANG_WITHOUT_SELF,
    INVALID_HREFLANG,
    MISSING_VARIANT,
    Kind,
)
from smindex_plugins.model import Finding, Page

_X_DEFAULT = "x-default"

# A well-formed language tag (RFC 5646, section 2.1): language, script, region, variants.
_LANGUAGE_TAG = re.compile(
    r"[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|[0-9]{3}))?(-([a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*", re.IGNORECASE
)
# Written often, and the region of no country: the registry has GB and no other code for it.
_MISTAKEN_REGION = re.compile(r"-uk$", re.IGNORECASE)


def is_hreflang(code: str) -> bool:
    """Whether search engines understand a code: a language tag or `x-default`."""
    is_tag = _LANGUAGE_TAG.fullmatch(code) and not _MISTAKEN_REGION.search(code)
    return bool(is_tag) or code.lower() == _X_DEFAULT


def pair(pages: list[Page], known: Iterable[Page], site_url: str, findings: list[Finding]) -> list[Page]:
    """Return the pages, each with all variants of its group, itself included, where these say they belong together.

    ``known`` are all pages of the site, listed or not. Variants on other sites cannot be asked, and are
    taken at the page's word, as the protocol allows.
    """
    if not any(page.details.alternates for page in pages):
        return pages
    links = _Links(pages, {page.url for page in known}, site_url, findings)
    for page in pages:
        links.read(page)
    links.keep_mutual()
    return [links.complete(page) for page in pages]


def with_default(pages: list[Page], language: str) -> list[Page]:
    """Return the pages, the variants in the site's default language also being those for readers of any other one."""
    if not language or not any(page.details.alternates for page in pages):
        return pages
    wanted = language.replace("_", "-").lower()
    completed = []
    for page in pages:
        found = {(_X_DEFAULT, url) for code, url in page.details.alternates if code.lower() == wanted}
        completed.append(_with(page, tuple(sorted(found.union(page.details.alternates)))) if found else page)
    return completed


class _Links:
    """What the pages say of each other, page by page, made sound step by step."""

    def __init__(self, pages: list[Page], known: set[str], site_url: str, findings: list[Finding]) -> None:
        self._findings = findings
        self._listed = {page.url for page in pages}
        self._known = known
        self._site_url = site_url
        self._said: dict[str, dict[str, str]] = {}
        """By page: code, in lower case, and URL."""
        self._spelling: dict[str, str] = {_X_DEFAULT: _X_DEFAULT}
        self._groups: dict[str, dict[str, str]] = {}
        """By page: what its whole group says, code and URL."""

    def read(self, page: Page) -> None:
        """Take what a page says, less what is wrong by itself."""
        said: dict[str, str] = {}
        for code, url in page.details.alternates:
            is_local, first = self._is_local(url), said.get(code.lower(), url)
            if not is_hreflang(code):
                problem = f"it calls {url} its variant {code!r}, which is no language tag."
                self._report(INVALID_HREFLANG, page.url, problem)
            elif first != url:
                self._contradict(page.url, code, first, url)
            elif is_local and url not in self._known:
                problem = f"it names {url} as its variant {code!r}, and the site has no such page."
                self._report(MISSING_VARIANT, page.url, problem)
            elif not is_local or url in self._listed:  # any other is left out for a reason of its own
                said[code.lower()] = url
                self._spelling.setdefault(code.lower(), code)
        if said:
            self._said[page.url] = said

    def keep_mutual(self) -> None:
        """Drop what is said of a page that does not say it back, which search engines ignore."""
        for url, said in self._said.items():
            for code, other in list(said.items()):
                if other != url and self._is_local(other) and url not in self._said.get(other, {}).values():
                    del said[code]
                    problem = f"it names {other} as its variant {code!r}, but that page does not name it in return."
                    self._report(HREFLANG_NOT_MUTUAL, url, problem)

    def complete(self, page: Page) -> Page:
        """Give a page every variant that its group has, or none where the group does not have the page itself."""
        if page.url not in self._said:
            return _with(page, ()) if page.details.alternates else page
        if page.url not in self._groups:
            self._unite(page.url)
        group = self._groups[page.url]
        if len(set(group.values())) < 2:  # noqa: PLR2004 - one page is no variant of another
            return _with(page, ())
        if page.url not in group.values():
            problem = "no page of its group, itself included, says which language it is in."
            self._report(HREFLANG_WITHOUT_SELF, page.url, problem)
            return _with(page, ())
        return _with(page, tuple(sorted((self._spelling[code], url) for code, url in group.items())))

    def _unite(self, first: str) -> None:
        """Put together what all pages say that are linked to this one, less what they contradict each other in."""
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
        return urls.is_within(url, self._site_url)

    def _contradict(self, page: str, code: str, first: str, second: str) -> None:
        self._report(HREFLANG_CONTRADICTION, page, f"its group has two variants {code!r}: {first} and {second}.")

    def _report(self, kind: Kind, page: str, problem: str) -> None:
        self._findings.append(kind.at(page, problem, f"{kind.fix} The sound variants are written."))


def _with(page: Page, alternates: tuple[tuple[str, str], ...]) -> Page:
    return replace(page, details=replace(page.details, alternates=alternates))
