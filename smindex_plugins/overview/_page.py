"""The report of a site as one self-contained HTML page, and as Markdown."""

import os
from collections import Counter
from datetime import date
from typing import IO

from smindex_plugins import __version__
from smindex_plugins.base.catalogue import CATALOGUE
from smindex_plugins.base.files import read_text
from smindex_plugins.base.limits import MAX_BYTES, MAX_URLS
from smindex_plugins.overview._ages import AGES, UNDATED, age_of
from smindex_plugins.overview._calendar import WEEKDAYS, calendar, legend
from smindex_plugins.overview._tree_map import Level, Tile, draw_map, grow
from smindex_plugins.overview.overview import Overview
from smindex_plugins.printing.templates import render

_TEMPLATES = os.path.join(os.path.dirname(__file__), "templates")
_MOST_PAGES = 20_000
"""Rows of the table of pages. More rows slow browsers down."""


def write_markdown(overview: Overview, out: IO[str]) -> None:
    """Write the report for a pull request or a job summary: the tables, without charts."""
    out.write(render("overview", "report.md.j2", overview=overview))


def write_page(overview: Overview, out: IO[str]) -> None:
    """Write the page."""
    dates = [page.lastmod for page in overview.pages if page.lastmod]
    pages = ((page.url, page.lastmod or "") for page in overview.pages)
    today = date.fromisoformat(overview.date)
    root = grow(pages, overview.site, age_of(today))
    levels = draw_map(root)
    # A strict policy allows the style element and the script with these digests, and no attributes.
    rules = [_read("report.css")]
    most = max(root.ages.values(), default=1)
    for age, count in root.ages.items():
        share = 100 * count / most
        rules.append(f"#b{age}{{width:{share:.2f}%}}")
    for level in levels:
        rules.append(_share_rule(level))
        rules += map(_tile_rule, level.tiles)
    ages = [(name, root.ages[number]) for number, (name, _) in enumerate(AGES)]
    years = list(calendar(dates))
    newest_first = sorted(overview.pages, key=lambda page: page.lastmod or "none", reverse=True)
    page = render(
        "overview",
        "report.html.j2",
        overview=overview,
        catalogue=CATALOGUE,
        style="\n".join(rules),
        script=_read("report.js"),
        levels=levels,
        ages=ages,
        age_names=[name for name, _ in AGES],
        undated=UNDATED,
        years=years,
        strengths=legend(years),
        weekdays=WEEKDAYS,
        days=Counter(day[:10] for day in dates),
        pages=newest_first[:_MOST_PAGES],
        has_reasons=any(page.why for page in overview.pages),
        most_urls=MAX_URLS,
        most_bytes=MAX_BYTES,
        version=__version__,
    )
    out.write(page)


def _share_rule(level: Level) -> str:
    """Return the CSS rule with the colors of the bar that shows the ages in a directory."""
    bands = [f"var(--a{age}) {begin:.1%} {end:.1%}" for age, begin, end in level.bands]
    colors = ",".join(bands)
    return f"#g{level.number}{{background:linear-gradient(90deg,{colors})}}"


def _tile_rule(tile: Tile) -> str:
    """Return the CSS rule with the place of a tile."""
    left, top, width, height = (f"{100 * share:.2f}%" for share in tile.place)
    return f"#t{tile.number}{{left:{left};top:{top};width:{width};height:{height}}}"


def _read(name: str) -> str:
    return read_text(os.path.join(_TEMPLATES, name))
