"""Changes the flat sitemap that a generator wrote next to the index to list the same pages as the
index.

Scripts of themes read that file, so everything else in it is kept.
"""

import os
from collections.abc import Iterable, Mapping

from lxml import etree

from smindex_plugins.base import files, urls
from smindex_plugins.base.catalogue import UNREADABLE_SITEMAP
from smindex_plugins.base.dates import day
from smindex_plugins.base.model import Finding, Page, Spot
from smindex_plugins.base.site import Site
from smindex_plugins.writing.output import Staging, cannot_write
from smindex_plugins.writing.rendering import OutputError

_DECLARATION = b'<?xml version="1.0" encoding="UTF-8"?>\n'


def align(name: str, pages: Iterable[Page], listed: Iterable[Page], site: Site) -> list[Finding]:
    """Change a flat sitemap in the site's directory, and its ``.gz``, to the pages and dates of the
    index, and return what prevents that.

    ``pages`` are all pages of the site with their original URLs, as in the file. ``listed`` are the
    pages in the index, some of which now have other URLs.
    """
    path = os.path.join(site.directory, name)
    if not os.path.isfile(path):
        return []
    by_file = {page.file or page.url: page for page in listed}
    known: dict[str, Page | None] = {}
    for page in pages:
        known[page.url] = known.get(page.url) or by_file.get(page.file or page.url)
    try:
        content = aligned(files.read(path), known)
        with Staging(site.directory, preview=site.preview) as staging:
            staging.amend(name, content)
            if os.path.isfile(f"{path}.gz"):
                staging.amend(f"{name}.gz", content)
            staging.commit()
    except etree.XMLSyntaxError as error:
        place = Spot(name, path, line=error.lineno or None)
        reason = str(error.msg).partition(", line ")[0]
        problem = f"it is not well-formed XML: {reason}; the file is unchanged."
        fix = "Correct the template that generates it."
        return [UNREADABLE_SITEMAP.at(place, problem, fix)]
    except OutputError as error:
        return error.findings
    except OSError as error:
        return [cannot_write(name, error)]
    return []


def aligned(content: bytes, known: Mapping[str, Page | None]) -> bytes:
    """Return a flat sitemap without the entries of omitted pages, and with the dates of the others.

    ``known`` maps the URL of each page to the page as listed, or to None if it is not listed.
    Entries with other URLs stay, because the template added them. Their dates stay too, unless they
    are the date of the build.

    Raises:
        XMLSyntaxError: it is not well-formed.
    """
    parser = etree.XMLParser(
        encoding="utf-8", resolve_entities=False, strip_cdata=False, huge_tree=True
    )
    root = etree.fromstring(content, parser)
    tree = root.getroottree()
    before = etree.tostring(tree, encoding="unicode")
    entries = [(entry, urls.normal(_text(entry, "loc"))) for entry in root.iterchildren("{*}url")]
    build_dates = {_text(entry, "lastmod") for entry, url in entries if url in known}
    seen: set[str] = set()
    for entry, url in entries:
        page = known.get(url)
        is_unwanted = page is None or url in seen
        if url in known and is_unwanted:
            _remove(entry)
            continue
        seen.add(url)
        _remove_links_to_omitted(entry, known)
        for lastmod in list(entry.iterchildren("{*}lastmod")):
            date = (lastmod.text or "").strip()
            if page and page.lastmod:
                lastmod.text = day(page.lastmod)
            elif page or date in build_dates:
                _remove(lastmod)
    after = etree.tostring(tree, encoding="unicode")
    if after == before:
        return content
    end = content[len(content.rstrip()) :]
    return _DECLARATION + after.encode() + end


def _remove_links_to_omitted(entry: etree._Element, known: Mapping[str, Page | None]) -> None:
    for link in list(entry.iterchildren("{*}link")):
        variant = urls.normal(link.get("href", ""))
        if variant in known and known[variant] is None:
            _remove(link)


def _text(entry: etree._Element, name: str) -> str:
    return (entry.findtext(f"{{*}}{name}") or "").strip()


def _remove(element: etree._Element) -> None:
    """Remove an element and the white space before it."""
    before = element.getprevious()
    parent = element.getparent()
    if before is not None:
        before.tail = element.tail
    elif parent is not None:
        parent.text = element.tail
    if parent is not None:
        parent.remove(element)
