"""The report of a site as one page of HTML without scripts or requests, and as Markdown."""

import base64
import hashlib
import os
from collections import Counter
from datetime import date
from itertools import chain
from typing import IO

from smindex_plugins import __version__
from smindex_plugins.catalogue import CATALOGUE
from smindex_plugins.files import read_text
from smindex_plugins.limits import MAX_BYTES, MAX_URLS
from smindex_plugins.pictures import AGES, UNDATED, age_of, calendar, draw_map, grow
from smindex_plugins.reports.overview import Overview
from smindex_plugins.reports.rendering import render

_STYLE = os.path.join(os.path.dirname(__file__), "templates", "report.css")


def write_markdown(overview: Overview, out: IO[str]) -> None:
    """Write the report for a pull request or the summary of a job: its tables, without charts."""
    out.write(render("report.md.j2", overview=overview))


def write_page(overview: Overview, out: IO[str]) -> None:
    """Write the page."""
    dates = [page.lastmod for page in overview.pages if page.lastmod]
    pages = ((page.url, page.lastmod or "") for page in overview.pages)
    root = grow(pages, overview.site, age_of(date.fromisoformat(overview.date)))
    levels = draw_map(root)
    # A strict policy allows one style element, whose digest it names, and no attributes.
    most = max(root.ages.values(), default=1)
    rules = [read_text(_STYLE), *(f"#b{age}{{width:{100 * count / most:.2f}%}}" for age, count in root.ages.items())]
    for tile in chain.from_iterable(level.tiles for level in levels):
        left, top, width, height = (f"{100 * share:.2f}%" for share in tile.place)
        rules.append(f"#t{tile.number}{{left:{left};top:{top};width:{width};height:{height}}}")
    style = "\n".join(rules)
    page = render(
        "report.html.j2",
        overview=overview,
        catalogue=CATALOGUE,
        style=style,
        digest=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        levels=levels,
        ages=[(name, root.ages[number]) for number, (name, _) in enumerate(AGES)],
        undated=UNDATED,
        years=list(calendar(dates)),
        days=Counter(day[:10] for day in dates),
        most_urls=MAX_URLS,
        most_bytes=MAX_BYTES,
        version=__version__,
    )
    out.write(page)
