"""Finds when a page last changed: the author's date, the date from git, or why there is none."""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache

from smindex_plugins.base import patterns, urls
from smindex_plugins.base.catalogue import (
    BULK_COMMIT,
    FUTURE_DATE,
    INVALID_FRONT_MATTER,
    OUTDATED_DATE,
    UNCOMMITTED_EDITS,
    UNKNOWN_DEPENDENCY,
)
from smindex_plugins.base.dates import (
    days_between,
    is_future,
    is_zero,
    past,
    utc,
    w3c_date,
    written,
)
from smindex_plugins.base.model import Finding, Page, Spot
from smindex_plugins.base.proof import (
    NEVER_IN_GIT,
    Answer,
    ContentChange,
    NoDate,
    Proof,
    Unknown,
    newest,
)
from smindex_plugins.base.settings import Settings
from smindex_plugins.base.site import Site
from smindex_plugins.base.text import brief, counted
from smindex_plugins.history import services
from smindex_plugins.history.history import History
from smindex_plugins.html.includes import Includes
from smindex_plugins.pages._author import author_date, author_key, depends

_INSTALLED = re.compile(r"[/\\](?:site-packages|dist-packages|node_modules)[/\\]")
"""Directories of installed packages, such as themes, which can be inside the repository."""
_BULK_PAGES, _BULK_SHARE = 20, 0.25
"""The minimum number and share of pages for a notice about a commit that dates them."""
_YEAR = 365
"""By how many days a date in front matter may be older than the last change of its file."""


class Dating:
    """Dates the pages of one build, while git is read in the background."""

    def __init__(self, settings: Settings, includes: Includes | None = None) -> None:
        self.history = History(settings.ignore_revs_file, settings.ignore_commits)
        self.includes = includes or Includes()
        """The tools that include files in the pages of this site."""

    def start(self, pages: Iterable[Page], site: Site) -> None:
        """Start reading the history of these pages while the host continues.

        Problems are reported later.
        """
        if site.settings.lastmod == "git":
            made_of = self._made_of(list(pages), site, [])
            self.history.start({file for files in made_of for file in files})

    def date(
        self, pages: Iterable[Page], site: Site, now: datetime, findings: list[Finding]
    ) -> list[Page]:
        """Return all pages with their dates, and with what these rest on.

        Raises:
            ValueError: the ``lastmod`` of a page is not a W3C date.
        """
        pages = list(pages)
        if site.settings.lastmod == "off":
            return [replace(page, lastmod=None) if page.lastmod else page for page in pages]
        dated: list[Page] = []
        proofs = self.prove(pages, site, now, findings)
        for page, proof in zip(pages, proofs, strict=True):
            lastmod = proof.date and written(proof.date, site.settings.lastmod_format)
            dated.append(replace(page, lastmod=lastmod, proof=proof))
        return dated

    def shown(self, pages: Iterable[Page], site: Site) -> dict[str, str]:
        """Return the dates of pages by URL, as in the sitemaps, for themes to show."""
        pages = list(pages) if site.settings.lastmod == "git" else []
        proofs = self.prove(pages, site, datetime.now(UTC), [])
        dates = ((page.url, proof.date) for page, proof in zip(pages, proofs, strict=True))
        return {url: written(date, site.settings.lastmod_format) for url, date in dates if date}

    def prove(
        self, pages: Sequence[Page], site: Site, now: datetime, findings: list[Finding]
    ) -> list[Proof]:
        """Return the date of each page and its source.

        The history is queried once for all pages.
        """
        made_of = self._made_of(pages, site, findings)
        known = self.history.dates({file for files in made_of for file in files})
        if services.is_automatic():  # nobody will commit the edits
            known |= dict.fromkeys(self.history.edited(known), Unknown(NoDate.EDITED))
        pages = [_with_what_it_depends_on(page, site) if page.unknown else page for page in pages]
        proofs = [
            self._proof(page, files, known, now, findings)
            for page, files in zip(pages, made_of, strict=True)
        ]
        if not any(page.lists for page in pages):
            return proofs
        by_url = {page.url: proof for page, proof in zip(pages, proofs, strict=True)}
        return [
            _with_listed(page, proof, by_url) if page.lists and page.number == 1 else proof
            for page, proof in zip(pages, proofs, strict=True)
        ]

    def _proof(
        self,
        page: Page,
        files: tuple[str, ...],
        known: Mapping[str, Answer],
        now: datetime,
        findings: list[Finding],
    ) -> Proof:
        """Return the author's date or git's date; the date of publication if git can never have
        one.
        """
        if len(files) > len(page.sources):  # an ignored source was generated from the other files
            files = (
                tuple(
                    file
                    for file in files
                    if file not in page.sources or not _is_ignored(known[file])
                )
                or files
            )
        answer = newest([known[file] for file in files])
        if page.looked_for and not files:
            answer = Unknown(NoDate.NOT_FOUND, detail=page.looked_for)
        file = next((file for file in files if known[file] == answer), "")
        if isinstance(answer, Unknown) and file and file not in page.sources:
            root = self.history.repository(next(iter(page.sources), file)) or os.getcwd()
            reason = answer.reason if os.path.exists(file) else NoDate.MISSING
            answer = replace(
                answer, reason=reason, other=os.path.relpath(file, root).replace(os.sep, "/")
            )
        if page.unknown:
            answer, file = page.unknown, ""
        proof = Proof(answer=answer, file=file, files=files)
        if page.unlisted:
            return replace(proof, answer=Unknown(NoDate.NO_SOURCE))
        if lastmod := _authors_date(page, now, findings):
            key = "lastmod" if page.lastmod else author_key(page)
            return replace(proof, date=lastmod, rests_on="author", key=key)
        if page.number > 1:
            return replace(proof, answer=Unknown(NoDate.LATER_PAGE))
        if isinstance(answer, ContentChange):
            return _by_git(proof, answer, now)
        is_usable = page.published and not (
            is_future(page.published, now) or is_zero(page.published)
        )
        if is_usable and answer.reason in NEVER_IN_GIT and not (answer.other or page.unknown):
            return replace(proof, date=page.published, rests_on="publication")
        return proof

    def _made_of(
        self, pages: Sequence[Page], site: Site, findings: list[Finding]
    ) -> list[tuple[str, ...]]:
        """Return the files of each page: its sources, what they include, and what the page depends
        on.

        A pattern is relative to the root of the git repository of the page's first source. A
        generated page without a source uses the root of the first page that has one. A pattern that
        matches no file is kept as an unknown file, because the page may have changed when the file
        was removed.
        """
        first = next((page.sources[0] for page in pages if page.sources), "")
        find = cache(patterns.find_files)
        unknown: list[Finding] = []
        made_of = []
        for page in pages:
            source = page.sources[0] if page.sources else first
            files = [*page.sources]
            for where, pattern in _patterns(page, site, findings):
                root = (source and self.history.repository(source)) or os.getcwd()
                found = find(root, pattern)
                if not found:
                    problem = f"it depends on {brief(pattern)}, which matches no file in {root}."
                    unknown.append(UNKNOWN_DEPENDENCY.at(where, problem))
                files += found or [os.path.join(root, pattern)]
            others = [
                *page.depends,
                *(file for source in page.sources for file in self.includes.of(source)),
            ]
            files += self._in_repositories(others, page) if others else []
            made_of.append(tuple(dict.fromkeys(files)))
        findings += dict.fromkeys(unknown)
        return made_of

    def _in_repositories(self, files: Iterable[str], page: Page) -> list[str]:
        """Return the files that exist in the repositories of a page's sources, without files of
        installed packages.

        If an installed package is in the repository, its files there are used.
        """
        owners = map(self.history.repository, filter(None, [*page.sources, self.includes.beside]))
        roots = tuple(os.path.join(root, "") for root in owners if root)
        found: list[str] = []
        for file in files:
            path = os.path.realpath(file)
            if installed := _INSTALLED.search(path):
                inside = path[installed.end() :]
                places = (
                    os.path.join(root, place, inside) for root in roots for place in ("", "src")
                )
                found += [*filter(os.path.isfile, places)][:1]
            elif path.startswith(roots) and os.path.isfile(path):
                found.append(file)
        return found

    def notices(self, listed: Iterable[Page]) -> Iterator[Finding]:
        """Yield notices about the dates of listed pages.

        They are about a commit that dates many pages without adding them, about uncommitted edits,
        and about dates of authors that are much older than their files. Merges are excluded,
        because they bring in changes of other commits.
        """
        listed = list(listed)
        yield from _outdated(listed)
        proofs = [page.proof for page in listed if page.proof]
        if not proofs:  # dates are turned off
            return
        total = counted(len(proofs), "page")
        changed = {
            proof.file: proof.answer
            for proof in proofs
            if isinstance(proof.answer, ContentChange) and not proof.answer.is_new
        }
        for change, count in Counter(changed.values()).most_common(1):
            if len(proofs) >= _BULK_PAGES and count >= _BULK_SHARE * len(proofs):
                file = next(file for file, each in changed.items() if each == change)
                landing = self.history.landing(file, change.commit)
                if landing and not landing.is_by_merge:
                    problem = (
                        f"their date, {utc(change.when)}, comes from one commit, {change.commit}."
                    )
                    yield BULK_COMMIT.at(f"{count:,} of {total}", problem)
        if services.is_automatic():  # these pages have no date
            return
        edited = set(self.history.edited({file for proof in proofs for file in proof.files}))
        if count := sum(not edited.isdisjoint(proof.files) for proof in proofs):
            file = min(edited)
            name = os.path.relpath(file, self.history.repository(file)).replace(os.sep, "/")
            problem = (
                f"some edits are not committed, such as those of {name}. Dates come from the last"
                " commits."
            )
            yield UNCOMMITTED_EDITS.at(f"{count:,} of {total}", problem)


def _outdated(listed: Sequence[Page]) -> Iterator[Finding]:
    """Yield one notice about pages whose author's date is years older than the last change of their
    source.

    A commit that adds a source, such as an import of older pages, doesn't change it. A commit that
    changes many pages at once usually edits only their format.
    """
    changed: dict[str, list[tuple[Page, Proof, ContentChange]]] = {}
    for page in listed:
        proof = page.proof
        if (
            proof
            and isinstance(proof.answer, ContentChange)
            and proof.file in page.sources
            and not proof.answer.is_new
        ):
            changed.setdefault(proof.answer.commit, []).append((page, proof, proof.answer))
    outdated = [
        (page, proof, change)
        for same_commit in changed.values()
        if len(same_commit) < _BULK_PAGES
        for page, proof, change in same_commit
        if proof.rests_on == "author"
        and proof.date
        and days_between(proof.date, utc(change.when)) > _YEAR
    ]
    if not outdated:
        return
    page, proof, change = outdated[0]
    problem = (
        f"its front matter sets its date to {proof.date}, but commit {change.commit} changed it on"
        f" {utc(change.when)}."
    )
    if len(outdated) > 1:
        problem += f" The same applies to {counted(len(outdated) - 1, 'other page')}."
    yield OUTDATED_DATE.at(page.spot, problem)


def _by_git(proof: Proof, answer: ContentChange, now: datetime) -> Proof:
    """Return the date of a commit, unless the clock of its machine was wrong."""
    date = past(answer.when, now)
    if date is None:
        return replace(proof, answer=Unknown(NoDate.FUTURE))
    if is_zero(date):
        return replace(proof, answer=Unknown(NoDate.ZERO))
    return replace(proof, date=date, rests_on="git")


def _is_ignored(answer: Answer) -> bool:
    return isinstance(answer, Unknown) and answer.reason is NoDate.IGNORED


def _with_what_it_depends_on(page: Page, site: Site) -> Page:
    """Return the page as one that its files date, if its author lists the files that it is built
    from.
    """
    return replace(page, unknown=None) if any(_patterns(page, site, [])) else page


def _patterns(page: Page, site: Site, findings: list[Finding]) -> Iterator[tuple[str | Spot, str]]:
    """Yield the file patterns that a page depends on, each with its location."""
    for pattern in depends(page, findings):
        yield page.spot, pattern
    if site.settings.depends and urls.is_within(page.url, site.url):
        path = urls.relative_path(page.url, site.url)
        for url_pattern, files in site.settings.depends:
            if patterns.matches(path, (url_pattern,)):
                for pattern in files:
                    yield "depends", pattern


def _authors_date(page: Page, now: datetime, findings: list[Finding]) -> str | None:
    lastmod = w3c_date(page.lastmod) if page.lastmod else author_date(page, findings)
    if page.lastmod and not lastmod:
        message = f"the lastmod of {page.url}, {page.lastmod!r}, is not a W3C date"
        raise ValueError(message)
    if lastmod and is_zero(lastmod):
        problem = (
            f"its front matter sets its date to {lastmod}, which programs write if they know no"
            " date."
        )
        findings.append(
            INVALID_FRONT_MATTER.at(
                page.spot, problem, "Write the date of the last change, or remove it."
            )
        )
        return None
    if lastmod and is_future(lastmod, now):
        problem = f"its front matter sets its date to {lastmod}, which is in the future."
        findings.append(FUTURE_DATE.at(page.spot, problem))
        return None
    return lastmod


def _with_listed(page: Page, own: Proof, by_url: Mapping[str, Proof]) -> Proof:
    """Return the newest date of a list and of the pages that it lists, unless an unknown one may be
    newer.
    """
    proofs = {url: by_url[url] for url in page.lists if url in by_url}
    if page.sources or page.unknown or own.date:
        proofs[page.url] = own
    date, newest_page = max(
        ((proof.date, url) for url, proof in proofs.items() if proof.date), default=(None, "")
    )
    for proof in proofs.values():
        doubt = proof.answer
        if proof.date is not None or not isinstance(doubt, Unknown):
            continue
        if date is None or doubt.before is None or utc(doubt.before) > date:
            return replace(own, date=None, rests_on="nothing", answer=doubt)
    if date is None:
        return replace(own, answer=Unknown(NoDate.NO_SOURCE))
    return (
        own
        if own.date == date
        else replace(own, date=date, rests_on="list", key="", page=newest_page)
    )
