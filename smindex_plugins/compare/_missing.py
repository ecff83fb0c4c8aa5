"""Which pages a built directory lists, but lacks, so that they are lost although a sitemap still
lists them.
"""

from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import replace

from smindex_plugins.base import urls
from smindex_plugins.base.difference import Gone
from smindex_plugins.base.files import page_name
from smindex_plugins.base.text import counted
from smindex_plugins.compare._fates import Step, trace
from smindex_plugins.html.page import read_head
from smindex_plugins.reading.inventory import Inventory


def missing_pages(
    inventory: Inventory, listed: Collection[str], look: Callable[[str], Step]
) -> tuple[dict[str, Gone], list[str]]:
    """Return the listed URLs of a directory that lead nowhere, with their fates, and notes on what
    is not known.

    A page is there if a file answers for its URL, or if another file declares that URL. If the
    names of unlisted files are the same, the server probably maps URLs to them, so it is unknown
    whether the pages are there.
    """
    files: dict[str, str] = {}
    for url in listed:
        if urls.is_within(url, inventory.base):
            files[url] = inventory.find_page(url)
    there = {url for url, file in files.items() if file}
    lost: dict[str, Gone] = {}
    for url in files.keys() - there:
        gone = trace(url, there, look)
        if gone.fate == "lost":
            lost[url] = gone
    if not lost:
        return {}, []
    unlisted = sorted(inventory.pages.keys() - set(files.values()))
    declared = set(_declared(inventory, unlisted))
    by_name = {page_name(file) for file in unlisted}
    missing: dict[str, Gone] = {}
    unknown: list[str] = []
    for url in sorted(lost.keys() - declared):
        path = urls.file_path(urls.relative_path(url, inventory.base)) or ""
        if page_name(path) in by_name:
            unknown.append(url)
        else:
            missing[url] = replace(lost[url], why=f"it is still listed, but {lost[url].why}")
    notes: list[str] = []
    if unknown:
        pages = counted(len(unknown), "listed page")
        such = f"such as {unknown[0]} (unlisted files have the same names)"
        notes.append(f"{pages} without a file, {such}")
    return missing, notes


def _declared(inventory: Inventory, unlisted: Collection[str]) -> Iterator[str]:
    """Yield the URLs that unlisted pages declare as their own by a canonical link."""
    for file in unlisted:
        with suppress(OSError):
            head = read_head(inventory.absolute(file), inventory.base + urls.page_path(file))
            if head.canonical and not (head.refresh or head.noindex):
                yield head.canonical
