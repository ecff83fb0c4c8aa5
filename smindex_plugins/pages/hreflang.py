"""Which pages are each other's language variants, and what is wrong with how they say so.

The rules: https://developers.google.com/search/docs/specialty/international/localized-versions
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from smindex_plugins import urls
from smindex_plugins.model import Finding, Page
from smindex_plugins.pages.languages import X_DEFAULT, is_hreflang


@dataclass(frozen=True, slots=True)
class Variants:
    """The pages with the sound part of what they say, and what is unsound."""

    pages: list[Page] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def pair(pages: list[Page], known: Iterable[Page], site_url: str) -> Variants:
    """Give every page all variants of its group, itself included, where all of them say that they belong together.

    ``known`` are all pages of the site, listed or not. Variants on other sites cannot be asked, and are
    taken at the page's word, as the protocol allows.
    """
    if not any(page.details.alternates for page in pages):
        return Variants(pages=pages)
    links = _Links(pages, {page.url for page in known}, site_url)
    for page in pages:
        links.read(page)
    links.keep_mutual()
    return Variants(pages=[links.complete(page) for page in pages], findings=links.findings)


class _Links:
    """What the pages say of each other, page by page, made sound step by step."""

    def __init__(self, pages: list[Page], known: set[str], site_url: str) -> None:
        self.findings: list[Finding] = []
        self._listed = {page.url for page in pages}
        self._known = known
        self._site_url = site_url
        self._said: dict[str, dict[str, str]] = {}
        """By page: code, in lower case, and URL."""
        self._spelling: dict[str, str] = {X_DEFAULT: X_DEFAULT}
        self._groups: dict[str, dict[str, str]] = {}
        """By page: what its whole group says, code and URL."""

    def read(self, page: Page) -> None:
        """Take what a page says, less what is wrong by itself."""
        said: dict[str, str] = {}
        for code, url in page.details.alternates:
            if problem := self._problem(page, said, code, url):
                self.findings.append(problem)
            elif self._is_local(url) and url not in self._listed:
                continue  # it exists, and is left out for a reason of its own
            else:
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
                    self.findings.append(_not_mutual(url, code, other))

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
            self.findings.append(_no_self(page.url))
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
                self.findings.append(_contradiction(first, self._spelling[code], *sorted(candidates)[:2]))
        group = {code: min(candidates) for code, candidates in named.items() if len(candidates) == 1}
        self._groups.update(dict.fromkeys(members, group))

    def _is_local(self, url: str) -> bool:
        return urls.is_within(url, self._site_url)

    def _problem(self, page: Page, said: dict[str, str], code: str, url: str) -> Finding | None:
        if not is_hreflang(code):
            return _invalid_code(page.url, code, url)
        if said.get(code.lower(), url) != url:
            return _contradiction(page.url, code, said[code.lower()], url)
        if self._is_local(url) and url not in self._known:
            return _missing_variant(page.url, code, url)
        return None


def _with(page: Page, alternates: tuple[tuple[str, str], ...]) -> Page:
    return replace(page, details=replace(page.details, alternates=alternates))


def _invalid_code(page: str, code: str, url: str) -> Finding:
    return _unsound(
        "invalid-hreflang",
        page,
        f"it calls {url} its variant {code!r}, which is no language tag.",
        "Write a language and, if need be, a script and a region: de, zh-Hant, en-GB, or x-default.",
    )


def _missing_variant(page: str, code: str, url: str) -> Finding:
    return _unsound(
        "missing-variant",
        page,
        f"it names {url} as its variant {code!r}, and the site has no such page.",
        "Correct the link, or build that page.",
    )


def _not_mutual(page: str, code: str, other: str) -> Finding:
    return _unsound(
        "hreflang-not-mutual",
        page,
        f"it names {other} as its variant {code!r}, but that page does not name it in return.",
        "Let both pages name each other; search engines ignore a link of one side.",
    )


def _contradiction(page: str, code: str, first: str, second: str) -> Finding:
    return _unsound(
        "hreflang-contradiction",
        page,
        f"its group has two variants {code!r}: {first} and {second}.",
        "Give each language one page.",
    )


def _no_self(page: str) -> Finding:
    return _unsound(
        "hreflang-without-self",
        page,
        "no page of its group, itself included, says which language it is in.",
        "Add a link to itself with its own hreflang.",
    )


def _unsound(check: str, page: str, problem: str, fix: str) -> Finding:
    return Finding(
        check=check, level="warning", where=page, problem=problem, fix=f"{fix} The sound variants are written."
    )
