"""The report of a site as one page of HTML without scripts or requests, and as Markdown."""

import base64
import hashlib
import os
from collections import Counter, deque
from datetime import date
from heapq import nlargest, nsmallest
from typing import IO

from smindex_plugins import __version__
from smindex_plugins.catalogue import CATALOGUE
from smindex_plugins.files import read_text
from smindex_plugins.limits import MAX_BYTES, MAX_URLS
from smindex_plugins.pictures import AGES, UNDATED, Directory, age_of, calendar, draw_map, grow
from smindex_plugins.reports.overview import ListedPage, Overview
from smindex_plugins.reports.rendering import render
from smindex_plugins.text import counted

_STYLE = os.path.join(os.path.dirname(__file__), "templates", "report.css")
_MOST_DIRECTORIES = 400
_MOST_PAGES = 50


def write_markdown(overview: Overview, out: IO[str]) -> None:
    """Write the report for a pull request or the summary of a job: its tables, without charts."""
    out.write(render("report.md.j2", overview=overview, catalogue=CATALOGUE))


def write_page(overview: Overview, out: IO[str]) -> None:
    """Write the page."""
    dates = [page.lastmod for page in overview.pages if page.lastmod]
    pages = ((page.url, page.lastmod or "") for page in overview.pages)
    root = grow(pages, overview.site, age_of(date.fromisoformat(overview.date)))
    drawn = draw_map(root)
    # A strict policy allows one style element, whose digest it names, and no attributes.
    most = max(root.ages.values(), default=1)
    rules = [read_text(_STYLE), *(f"#b{age}{{width:{100 * count / most:.2f}%}}" for age, count in root.ages.items())]
    for number, place in enumerate(drawn.places):
        left, top, width, height = (f"{100 * share:.2f}%" for share in place)
        rules.append(f"#t{number}{{left:{left};top:{top};width:{width};height:{height}}}")
    style = "\n".join(rules)
    page = render(
        "report.html.j2",
        overview=overview,
        catalogue=CATALOGUE,
        style=style,
        digest=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        map=drawn,
        directories=_largest(root),
        most_directories=_MOST_DIRECTORIES,
        ages=[(name, root.ages[number]) for number, (name, _) in enumerate(AGES)],
        undated=UNDATED,
        years=list(calendar(dates)),
        days=Counter(day[:10] for day in dates),
        notable=_notable(overview.pages),
        most_urls=MAX_URLS,
        most_bytes=MAX_BYTES,
        version=__version__,
    )
    out.write(page)


def _largest(root: Directory) -> list[Directory]:
    """Return the directories with the most pages, sorted by path."""
    found, waiting = [], deque([root])
    while waiting:
        place = waiting.popleft()
        found.append(place)
        waiting.extend(place.below.values())
    largest = nlargest(_MOST_DIRECTORIES, found, key=lambda place: place.pages)
    return sorted(largest, key=lambda place: place.path)


def _notable(pages: list[ListedPage]) -> dict[str, list[ListedPage]]:
    """Return the pages that people look for, by what is notable about them."""
    dated = [page for page in pages if page.lastmod]
    undated = [page for page in pages if not page.lastmod]
    few = counted(min(_MOST_PAGES, len(dated)), "page")
    found = {
        f"The {few} that changed last": nlargest(_MOST_PAGES, dated, key=_age),
        f"The {few} that have not changed for longest": nsmallest(_MOST_PAGES, dated, key=_age),
        f"{counted(len(undated), 'page')} without a date, the first {min(_MOST_PAGES, len(undated)):,}": undated[
            :_MOST_PAGES
        ],
    }
    return {title: listed for title, listed in found.items() if listed}


def _age(page: ListedPage) -> tuple[str, str]:
    return page.lastmod or "", page.url
