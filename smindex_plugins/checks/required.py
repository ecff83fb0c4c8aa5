"""Looks for URLs that the user requires in the sitemaps, and finds out what there is instead of a
missing one.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple
from urllib.parse import unquote

from smindex_plugins.base import urls
from smindex_plugins.base.catalogue import REQUIRED_URL
from smindex_plugins.base.files import is_html
from smindex_plugins.base.model import Findings, Head, Spot
from smindex_plugins.base.serving import Serving
from smindex_plugins.checks._site import EntryFacts, SiteFacts, entries_of
from smindex_plugins.reading.inventory import Inventory
from smindex_plugins.reading.live import Live
from smindex_plugins.reading.walking import Totals


class Required(NamedTuple):
    """A URL that must be listed."""

    text: str
    """The URL as the user wrote it: absolute, or a path below the site's address."""
    spot: Spot
    """Where it is written: the option, or a line of a file."""

    def url(self, base: str) -> str:
        """Return the normalized URL.

        A path with a slash at its start can also be that of the whole host.
        """
        url = urls.normal(self.text, base)
        if urls.is_url(self.text) or urls.is_within(url, base):
            return url
        return urls.normal(self.text.lstrip("/"), base)


class Instead(NamedTuple):
    """What there is instead of a listed URL, as the end of a sentence, and how to fix it."""

    what: str
    fix: str = ""


def required_urls(
    required: Iterable[Required],
    base: str,
    site: SiteFacts,
    totals: Totals,
    find: Callable[[str], Instead],
) -> Findings:
    """Yield the required URLs that no sitemap of a site lists, after all its sitemaps are read.

    Args:
        required: the URLs.
        base: the address of the site, for URLs that are only a path.
        site: what was read.
        totals: how much was read. It gets the number of required URLs.
        find: returns what there is at a URL that is not listed.
    """
    spots: dict[str, set[Spot]] = defaultdict(set)
    for each in required:
        url = each.url(base)
        spots[url].add(each.spot)
    totals.required = len(spots)
    listed = {entry.normal for entry in _entries(site) if entry.normal in spots}
    missing = [url for url in spots if url not in listed]
    nearly = _nearly(missing, site) if missing else {}
    is_whole = not any(noun != "page" for noun, _ in totals.skipped)
    no_sitemap = "no sitemap" if is_whole else "no sitemap that could be read"
    for url in missing:
        if url in nearly:
            what = f"instead, {nearly[url]} is listed"
            fix = f"If {nearly[url]} is the page's URL, require that one."
        else:
            what, fix = find(url)
        problem = f"requires {url}, but {no_sitemap} lists it: {what}."
        for spot in sorted(spots[url], key=_in_order):
            yield REQUIRED_URL.at(spot._replace(url=url), problem, fix)


def _in_order(spot: Spot) -> tuple[str, int]:
    """Return where a requirement is in the order of files and lines."""
    return spot.where, spot.line or 0


def in_directory(url: str, inventory: Inventory, serving: Serving, site: SiteFacts) -> Instead:
    """Return what there is at an unlisted URL of a built directory."""
    if not urls.is_within(url, inventory.base):
        what = f"it is outside the site's address, {inventory.base}"
        return Instead(what, "Correct the URL, or pass --site-url.")
    served = serving.answer(url, inventory.find_page)
    if served.is_missing and served.where:
        what = f"the host returns status {served.status} for it ({served.where})"
        return Instead(what, "Require another URL.")
    if served.is_redirect:
        return _redirected(served.to, f" ({served.where})")
    return _of_file(served.file, inventory, site)


def _of_file(file: str, inventory: Inventory, site: SiteFacts) -> Instead:
    if not file:
        return Instead("there is no file for it", "Build the page, or correct the URL.")
    if reason := site.unlisted.get(inventory.spot(file)):
        return Instead(f"its page, {file}, is omitted ({reason})")
    if not is_html(file):
        fix = "Add its path to the option `include`." if site.is_ours else "Add it to a sitemap."
        return Instead(f"{file} exists, but is not an HTML page", fix)
    return Instead(
        f"its page, {file}, exists", "Build the site again, or add the page to a sitemap."
    )


def on_server(url: str, live: Live, base: str) -> Instead:
    """Return what a server has at an unlisted URL of a live site."""
    if urls.origin(url) != urls.origin(base):
        return Instead(f"it is outside the site's address, {base}", "Correct the URL.")
    if why := live.why_kept_out(url):
        return Instead(f"robots.txt {why}", "Allow the page in robots.txt.")
    answer = live.page(url)
    if answer.is_late:
        return Instead(f"it was {live.late}", "Add the page to a sitemap.")
    if not answer.is_ok:
        return Instead(answer.problem, "Publish the page, or correct the URL.")
    return _of_head(url, answer.redirect, live.head(url, answer))


def _of_head(url: str, redirect: str, head: Head) -> Instead:
    target = redirect or head.refresh
    if target and target != url:
        return _redirected(target)
    if head.noindex:
        return Instead(
            "its page is marked noindex", "Remove the noindex, and add the page to a sitemap."
        )
    if head.canonical:
        fix = "Require the canonical URL, or make the page name its own URL."
        return Instead(f"the canonical URL of its page is {head.canonical}", fix)
    return Instead("the server has its page", "Add the page to a sitemap.")


def _redirected(target: str, where: str = "") -> Instead:
    return Instead(
        f"it redirects to {target}{where}",
        "Require the target of the redirect, or remove the redirect.",
    )


def live_address(given: str, first: str) -> str:
    """Return the address of a live site: the given directory, on the host of its first sitemap.

    The host can be another one, because the given one may redirect.
    """
    path = given.partition("?")[0]
    name = path.rpartition("/")[2]
    is_directory = bool(name) and "." not in name
    directory = given + "/" if is_directory else urls.directory(given)
    return urls.origin(first) + urls.path(directory)


def _entries(site: SiteFacts) -> Iterator[EntryFacts]:
    return entries_of([*site.sitemaps, *site.counted])


def _nearly(missing: Iterable[str], site: SiteFacts) -> Mapping[str, str]:
    """Return listed URLs that often lead to the same page as missing ones, by the missing ones."""
    wanted: dict[str, list[str]] = defaultdict(list)
    for url in missing:
        wanted[_folded(url)].append(url)
    nearly: dict[str, str] = {}
    for entry in _entries(site):
        for url in wanted.get(_folded(entry.normal), ()):
            nearly.setdefault(url, entry.normal)
    return nearly


def _folded(url: str) -> str:
    """Return one form for URLs that differ in scheme, `www.`, letter case, escapes or ending."""
    _, _, rest = url.partition("://")
    path, _, query = rest.partition("?")
    lowered = unquote(path).lower()
    page = urls.bare(lowered.removeprefix("www."))
    return f"{page}?{query}"
