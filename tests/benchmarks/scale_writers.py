"""One way to write the sitemaps of a site, in a process of its own, so that its peak of memory is its own too.

Usage: `python -m tests.benchmarks.scale_writers WRITER PAGES DIRECTORY`. It prints a JSON object: seconds, and the
megabytes that writing took at its peak beyond what the pages themselves take.
"""

import json
import os
import random
import resource
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from smindex_plugins import pipeline
from smindex_plugins.dates import utc
from smindex_plugins.limits import MAX_URLS
from smindex_plugins.model import Page
from smindex_plugins.pipeline import Host
from smindex_plugins.settings import Settings, Site
from smindex_plugins.sitemaps import sections
from smindex_plugins.sitemaps.rendering import NAMESPACE, sitemapindex, urlset

BASE = "https://example.org/docs/"
FULL = 50_000
"""Pages of most sections, which is what one sitemap may list; the last section has four times as many."""

Files = list[tuple[str, list[Page]]]

URLSET_HEAD, URLSET_TAIL = urlset([])
INDEX_HEAD, INDEX_TAIL = sitemapindex([])

_RENDERED = "<!doctype html><html><head><meta charset=utf-8><title>Page</title></head><body>" + "<p>Text</p>" * 500
"""What is in the files of pages; how long heads as themes write them take to read, the benchmark `pages` says."""


def make_pages(number: int, per_section: int = FULL, directory: str = "") -> Iterator[Page]:
    """Make pages with URLs of 80 characters, as hosts hand them over in the order in which they walk files.

    Those of a section share one rendered file, if they are given a directory for it.
    """
    large = number - 4 * per_section if per_section == FULL else number
    for position in range(number):
        section = f"section-{min(position, max(large, 0)) // per_section:05d}"
        name = f"{section}/chapter-{position // 100:05d}/page-{position:08d}"
        yield Page(
            url=f"{BASE + name:-<79}/",
            file=os.path.join(directory, section, "page.html") if directory else "",
            lastmod=utc(1_700_000_001 + position * 30),  # never midnight, which is written as a day
            source_name=f"{name}.md",
            meta={"title": "Page"},
        )


def make_files(pages: list[Page]) -> Files:
    """Divide pages into the files into which the core divides them."""
    grouped = sections.group(pages, BASE, Settings(), frozenset({"sitemap_index"}))
    split = (sections.split(section, (), lambda part: part if len(part) <= MAX_URLS else None) for section in grouped)
    return [(f"{stem}.xml", part) for parts in split for stem, part, _ in parts]


def core(pages: list[Page], directory: str) -> None:
    """The whole core, from pages in hand to a report."""
    host = Host(is_trial=True)  # its address is an example
    report = pipeline.publish(pages, Site(url=BASE, directory=directory), host)
    if report.findings or report.pages != len(pages):
        raise RuntimeError(report.findings)


def loop(files: Files, directory: str) -> None:
    """The limit: the same bytes from a bare loop of string formatting, with no escaping, no limits and no hash."""
    for name, pages in files:
        with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
            file.write(URLSET_HEAD.decode())
            file.writelines(f"<url><loc>{page.url}</loc><lastmod>{page.lastmod}</lastmod></url>\n" for page in pages)
            file.write(URLSET_TAIL.decode())
    _bare_index(files, directory)


def joined(files: Files, directory: str) -> None:
    """The same, with the lines of 2,000 pages joined before they are written: nothing in Python is faster."""
    for name, pages in files:
        with open(os.path.join(directory, name), "wb") as file:
            file.write(URLSET_HEAD)
            for start in range(0, len(pages), 2_000):
                some = pages[start : start + 2_000]
                lines = [f"<url><loc>{page.url}</loc><lastmod>{page.lastmod}</lastmod></url>\n" for page in some]
                file.write("".join(lines).encode())
            file.write(URLSET_TAIL)
    _bare_index(files, directory)


def _bare_index(files: Files, directory: str) -> None:
    with open(os.path.join(directory, "sitemap_index.xml"), "wb") as file:
        file.write(INDEX_HEAD)
        for name, pages in files:
            newest = max(page.lastmod or "" for page in pages)
            file.write(f"<sitemap><loc>{BASE}{name}</loc><lastmod>{newest}</lastmod></sitemap>\n".encode())
        file.write(INDEX_TAIL)


def xmlfile(files: Files, directory: str) -> None:
    """Write with lxml's incremental writer."""
    from lxml import etree  # noqa: PLC0415 - only this writer pays for it

    for name, pages in files:
        with etree.xmlfile(os.path.join(directory, name), encoding="utf-8") as xf:
            xf.write_declaration()
            with xf.element(f"{{{NAMESPACE}}}urlset", nsmap={None: NAMESPACE}):
                for page in pages:
                    with xf.element(f"{{{NAMESPACE}}}url"):
                        with xf.element(f"{{{NAMESPACE}}}loc"):
                            xf.write(page.url)
                        with xf.element(f"{{{NAMESPACE}}}lastmod"):
                            xf.write(page.lastmod or "")
    with etree.xmlfile(os.path.join(directory, "sitemap_index.xml"), encoding="utf-8") as xf:
        xf.write_declaration()
        with xf.element(f"{{{NAMESPACE}}}sitemapindex", nsmap={None: NAMESPACE}):
            for name, _ in files:
                with xf.element(f"{{{NAMESPACE}}}sitemap"), xf.element(f"{{{NAMESPACE}}}loc"):
                    xf.write(BASE + name)


def jinja(files: Files, directory: str) -> None:
    """Write with the template of MkDocs, as MkDocs does."""
    import jinja2  # noqa: PLC0415 - only this writer pays for it
    import mkdocs  # noqa: PLC0415 - as above

    class File:
        """What the template asks of a file, and of its page."""

        __slots__ = ("canonical_url", "is_link", "update_date")

        def __init__(self, page: Page) -> None:
            self.canonical_url, self.update_date, self.is_link = page.url, page.lastmod, None

        @property
        def page(self) -> "File":
            return self

    templates = os.path.join(os.path.dirname(mkdocs.__file__), "templates")
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(templates), auto_reload=False)  # noqa: S701 - as is
    template = environment.get_template("sitemap.xml")
    for name, pages in files:
        content = template.render(pages=map(File, pages))
        with open(os.path.join(directory, name), "wb") as file:
            file.write(content.encode())


WRITERS: dict[str, Callable[[Files, str], None]] = {"loop": loop, "joined": joined, "xmlfile": xmlfile, "jinja": jinja}


def main() -> None:
    """Run one writer and print what it took."""
    writer, number, directory = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    rendered = "" if writer == "core, no heads" else directory
    pages = list(make_pages(number, 50 if writer == "many core" else FULL, rendered))
    for file in {page.file for page in pages} - {""}:
        os.makedirs(os.path.dirname(file), exist_ok=True)
        Path(file).write_text(_RENDERED, encoding="utf-8")
    if writer == "shuffled core":
        random.Random(0).shuffle(pages)  # noqa: S311 - a shuffle, not a secret
    files = [] if "core" in writer else make_files(pages)
    for name, _ in files:
        os.makedirs(os.path.join(directory, os.path.dirname(name)), exist_ok=True)
    before = _memory("VmRSS")
    started = time.perf_counter()
    if "core" in writer:
        core(pages, directory)
    else:
        WRITERS[writer](files, directory)
    seconds = time.perf_counter() - started
    print(json.dumps({"seconds": seconds, "megabytes": max(_memory("VmHWM") - before, 0) / 1e6}))


def _memory(name: str) -> int:
    """Give the bytes of memory in use, or at the peak; the peak so far where the system does not tell them apart."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return int(status.partition(f"{name}:")[2].split()[0]) * 1024


if __name__ == "__main__":
    main()
