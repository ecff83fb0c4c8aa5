"""Applies the checks to what was read: a directory with its pages, or a live site."""

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from http import HTTPStatus

from smindex_plugins.base import urls
from smindex_plugins.base.hosting import read_serving
from smindex_plugins.base.model import Findings, Head, Spot
from smindex_plugins.base.serving import Served, Serving
from smindex_plugins.base.text import counted
from smindex_plugins.checks._dates import Dates
from smindex_plugins.checks._links import Links
from smindex_plugins.checks._listed import Pages
from smindex_plugins.checks._pages import CheckedPage
from smindex_plugins.checks._site import SiteFacts
from smindex_plugins.checks.audit import Audit
from smindex_plugins.checks.checked import CheckedFile
from smindex_plugins.checks.required import in_directory, live_address, on_server, required_urls
from smindex_plugins.history.history import History
from smindex_plugins.html.changes import SaidChange, said_changes
from smindex_plugins.pages.host import custom_domain, unread_rules
from smindex_plugins.pages.omissions import NotListed, Omission
from smindex_plugins.pages.served import unknown_answers
from smindex_plugins.reading.directory import Directory
from smindex_plugins.reading.document import Document, Entry
from smindex_plugins.reading.found import Found, Share
from smindex_plugins.reading.inventory import Inventory
from smindex_plugins.reading.live import Live
from smindex_plugins.record.find import Record
from smindex_plugins.writing.names import ROBOTS

_NO_ROBOTS = f"{ROBOTS} (there is none)"


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectoryCheck:
    """A built site on disk, and what it is compared with."""

    directory: Directory
    record: Record | None = None
    """What its build decided, if that is recorded."""
    with_dates: bool = False
    """Whether dates are compared with git, by the files in the record."""
    with_links: bool = False
    """Whether the links of listed pages are read."""
    address_from: str = ""
    """The option that sets the address of the site, for messages."""
    generator: str = ""
    """The generator of the site, if its project shows it."""

    @property
    def target(self) -> str:
        """What is checked: the path of the directory or the file."""
        return self.directory.path

    def findings(self, audit: Audit) -> Findings:
        """Yield all problems.

        Raises:
            NoSitemapError: there is no sitemap in the directory, or the file is not one.
            UnknownAddressError: the URL of the directory is unknown.
            OSError: the first file can't be read.
        """
        inventory, groups = self.directory.look()
        totals = audit.totals
        site = audit.site
        if not os.path.isfile(self.directory.path):
            totals.unseen += _unseen(inventory)
        for each in inventory.robots:
            yield from audit.selection.judge(each)
        site.robots = next((each for each in inventory.robots if each.url), None)

        serving = read_serving(inventory.path, inventory.base)
        site.serving = serving
        site.look = partial(_look, serving, inventory)
        site.generator = self.generator
        self._locate(site, inventory.base, serving)
        links = Links(inventory=inventory) if self.with_links else None
        dates = Dates(self.record) if self.with_dates and self.record else None
        pages = Pages(
            inventory=inventory,
            serving=serving,
            site=site,
            totals=totals,
            judge_page=audit.judge_page,
            tell=audit.tell,
            dates=dates,
            links=links,
        )
        known: set[str] = set()
        second: set[str] = set()
        for found in self.directory.traverse(inventory, groups, known, totals):
            fresh = audit.fresh(found.document)
            robots_of_site = site.robots if _is_read(found) else None
            file = CheckedFile(found=found, robots=robots_of_site, proven=found.proven)
            yield from audit.judge(file)
            if _is_read(found) and fresh.kind != "sitemapindex" and inventory.pages:
                judged, unjudged = _divided(fresh, found.share, inventory)
                second.update(unjudged)
                yield from pages.judge(judged)

        unlisted = pages.compare()
        # after all rules were applied to the pages
        yield from audit.selection.wanted(unread_rules(serving))
        totals.unseen += unknown_answers(serving, pages.unshown)
        for page in pages.lacking.values():
            yield from audit.selection.judge(page)

        site.closed = {
            Spot(place, inventory.absolute(place)): why for place, why in inventory.closed.items()
        }
        self._explain(unlisted, known, inventory, audit)
        for path in second:  # the generator's own sitemap lists it, as another finding says
            spot = inventory.spot(path)
            site.unexplained.pop(spot, None)
        if dates:
            totals.dates = dates.compared
            totals.uncompared = dates.uncompared
            site.undatable = dates.place_without_any
            site.uncompared = dates.uncompared
        if links:
            _follow(links, audit)
        if audit.required:
            find = partial(in_directory, inventory=inventory, serving=serving, site=site)
            yield from required_urls(audit.required, inventory.base, site, totals, find)
        directory = self.record.project if self.record else inventory.path
        site.commit_times = partial(History().commit_times, os.path.abspath(directory))
        inventory.pages.clear()  # to free memory for the comparison of all URLs
        yield from audit.finish(groups[0][0].url, self.directory.consents)

    def _locate(self, site: SiteFacts, base: str, serving: Serving) -> None:
        """Record the address of the site, and the file that can contradict it."""
        site.address = "" if base == urls.NO_ADDRESS else base
        site.address_from = self.address_from
        if not os.path.isfile(self.directory.path):
            site.cname = custom_domain(serving)

    def _explain(
        self, unlisted: dict[str, str], known: set[str], inventory: Inventory, audit: Audit
    ) -> None:
        """Record why pages are unlisted: because of the page, or because the build omitted it."""
        site = audit.site
        unseen = Counter[str]()
        for file, reason in self._reasons(unlisted, known, inventory, site).items():
            spot = inventory.spot(file)
            audit.leave(file, inventory.page_url(file), reason)
            if reason:
                site.unlisted[spot] = reason
            elif site.may_list(inventory.page_url(file)):
                unseen[f"that {site.cut_names} may list"] += 1
            elif not site.is_ours:
                site.unexplained[spot] = "and the page doesn't explain why"
            elif not self.record:
                unseen["in no sitemap (their build is not recorded)"] += 1
            elif file in self.record.by_file:
                site.unexplained[spot] = "although the build listed it"
            else:
                site.unexplained[spot] = "and it was not there when they were built"
        for what, number in unseen.items():
            pages = counted(number, "page")
            audit.totals.unseen.append(f"{pages} {what}")

    def _reasons(
        self, unlisted: dict[str, str], known: set[str], inventory: Inventory, site: SiteFacts
    ) -> dict[str, str]:
        """Return why pages are unlisted, except for those of other sites in the directory."""
        others = inventory.others(known)
        # mike's, by scripts
        redirects = {os.path.join(directory, "index.html") for directory in inventory.versions}
        reasons: dict[str, str] = {}
        for file, reason in unlisted.items():
            if file.startswith(others):
                continue
            by_page = reason
            if not by_page and file in redirects:
                by_page = NotListed.REDIRECT
            reasons[file] = by_page
            omission = self._omission(file, site)
            if omission:
                reasons[file] = omission.why
                if omission.reason == NotListed.PRIVATE and not by_page:
                    site.private.append(inventory.spot(file))
        if not all(reasons.values()):
            for file in _ignored(inventory):
                if reasons.get(file) == "":
                    reasons[file] = NotListed.IGNORED
        return reasons

    def _omission(self, file: str, site: SiteFacts) -> Omission | None:
        """Return why the build omitted a page, if that is recorded."""
        if not self.record or not site.is_ours:
            return None
        fact = self.record.by_file.get(file)
        return fact.omission if fact else None


def _ignored(inventory: Inventory) -> set[str]:
    """Return the pages of a directory that git ignores."""
    directory = os.path.abspath(inventory.path)
    pages = {os.path.join(directory, file): file for file in inventory.pages}
    ignored = History().ignored(pages, directory)
    return {pages[path] for path in ignored}


def _follow(links: Links, audit: Audit) -> None:
    """Record what links show once all are read.

    A file that is cut off may list pages that link to others.
    """
    links.follow()
    site = audit.site
    site.linked = links.linked
    unseen: list[str] = []
    if site.cut:
        unseen.append(f"pages without a link to them ({site.cut_names} may list pages with one)")
    else:
        site.orphans = links.orphans()
    unseen += links.unseen()
    audit.totals.links = links.count
    audit.totals.unseen += unseen


def _unseen(inventory: Inventory) -> Iterator[str]:
    """Yield the parts of a site that are not in its directory, as text."""
    yield from inventory.unseen()
    if not inventory.root_robots and urls.path(inventory.base) == "/":
        yield _NO_ROBOTS


def _look(serving: Serving, inventory: Inventory, url: str) -> Served | None:
    """Return what the host answers for a URL, or None if the site does not contain it."""
    if not urls.is_within(url, inventory.base):
        return None
    return serving.answer(url, inventory.find_page)


def _is_read(found: Found) -> bool:
    """Whether a file of the site is a sitemap, an index or a feed."""
    return found.role in {"listed", "beside"} and found.document.kind != ""


def _divided(fresh: Document, share: Share, inventory: Inventory) -> tuple[Document, list[str]]:
    """Return a sitemap with its pages to judge, and the files of those not to judge.

    Pages that only a generator's own sitemap lists are omitted on purpose, and not judged. But
    whoever lists a page that is gone, search engines want it.
    """
    if share.counts:
        return fresh, []
    files: list[str] = []
    missing: list[Entry] = []
    for entry in fresh.entries:
        file = inventory.find_page(entry.normal)
        if file:
            files.append(file)
        else:
            missing.append(entry)
    return replace(fresh, entries=missing), files


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveCheck:
    """A site on the web, with or without its pages."""

    live: Live
    with_pages: bool = False
    """Whether listed pages are fetched."""

    @property
    def target(self) -> str:
        """What is checked: the URL of the site, an index or a sitemap."""
        return self.live.url

    def findings(self, audit: Audit) -> Findings:
        """Yield everything that is wrong.

        Raises:
            UnreachableError: the site does not respond, or has no sitemap at the expected
                locations.
        """
        totals = audit.totals
        site = audit.site
        groups, site.robots = self.live.begin(totals)
        first = groups[0][0].url
        site.address = urls.directory(first)
        site.look = cache(self._look)
        if site.robots is None:
            totals.unseen.append(_NO_ROBOTS)
        else:
            yield from audit.selection.judge(site.robots)
        pages: set[str] = set()
        for found in self.live.traverse(groups, totals):
            document = found.document
            yield from audit.judge(self._checked(found))
            if self.with_pages and found.share.counts and document.kind != "sitemapindex":
                yield from self._pages(document, audit, pages)
        if audit.required:
            base = live_address(self.live.url, first)
            find = partial(on_server, live=self.live, base=base)
            yield from required_urls(audit.required, base, site, totals, find)
        yield from audit.finish(first, self.live.consents)

    def _checked(self, found: Found) -> CheckedFile:
        """Return a file with the robots.txt of its host and of the hosts that it lists."""
        if not found.document.kind:
            return CheckedFile(found=found)
        robots_of_host = self.live.robots_of(urls.origin(found.document.url))
        return CheckedFile(found=found, robots=robots_of_host, proven=self.live.proven(found))

    def _look(self, url: str) -> Served | None:
        """Return the server's answer for a URL of the site, or None if it may not be requested."""
        if urls.origin(url) != urls.origin(self.live.url):
            return None
        if self.live.fetcher.is_over or self.live.why_kept_out(url):
            return None
        answer = self.live.answer(url)
        if answer.failure:
            return None
        location = answer.headers.get("Location", "")
        if to := urls.normal(location, url):
            return Served(HTTPStatus.MOVED_PERMANENTLY, to=to)
        is_page = answer.status // 100 == 2  # noqa: PLR2004 - HTTP's successes
        return Served(HTTPStatus.OK if is_page else HTTPStatus.NOT_FOUND)

    def _pages(self, document: Document, audit: Audit, known: set[str]) -> Findings:
        """Yield what is wrong with the listed pages, except for known ones and those that
        robots.txt blocks.
        """
        totals = audit.totals

        def allowed() -> Iterator[Entry]:
            for entry in document.entries:
                if not entry.normal or entry.normal in known:
                    continue
                known.add(entry.normal)
                found = None
                if not self.live.fetcher.is_over:
                    origin = urls.origin(entry.normal)
                    found = self.live.robots_of(origin)
                # The time may run out while robots.txt is fetched.
                if self.live.fetcher.is_over:
                    totals.skip("page", self.live.late)
                elif not (found and found.keeps_out(entry.normal)):
                    yield entry
                elif found.failure:
                    totals.skip("page", "because robots.txt can't be fetched")
                else:
                    totals.skip("page", "that robots.txt forbids")

        delay = self.live.fetcher.delays[urls.origin(document.url)]
        pace = f", one in {delay:g} s, as robots.txt asks" if delay else ""
        for page in self.live.each(partial(self._page, document), allowed()):
            if page is None:
                totals.skip("page", self.live.late)
                continue
            totals.pages += 1
            audit.tell(f"{counted(totals.pages, 'page')}{pace}: {page.url}")
            yield from audit.judge_page(page)

    def _page(self, document: Document, entry: Entry) -> CheckedPage | None:
        """Return what is at the URL of an entry, or None if the time limit of the run is over."""
        url = entry.normal
        answer = self.live.page(url)
        if answer.is_late:
            return None
        is_success = answer.status // 100 == 2  # noqa: PLR2004 - HTTP's successes
        head = Head()
        target_head = Head()
        said: tuple[SaidChange, ...] = ()
        if answer.redirect:
            target_head = self.live.head(answer.redirect, answer)
        elif is_success:
            head = self.live.head(url, answer)
            if entry.lastmod:
                said = said_changes(answer.content, url)
        return CheckedPage(
            document=document,
            entry=entry,
            status=answer.status,
            failure=answer.failure,
            redirect=answer.redirect,
            target_head=target_head,
            head=head,
            said_changes=said,
        )
