"""Elements of HTML: whatever stands in one is text, and no address is a link but those of http and https."""

from typing import Any

from lxml import html
from lxml.builder import ElementMaker

from smindex_plugins.limits import MAX_LINE
from smindex_plugins.reports.tables import Table
from smindex_plugins.text import printable

E = ElementMaker(makeelement=html.html_parser.makeelement)


def words(text: str) -> str:
    """Return a text as a page may hold it, whoever wrote it."""
    return printable(text, MAX_LINE)


def link(url: str, *inside: Any, look: dict[str, str] | None = None) -> Any:  # noqa: ANN401 - elements of lxml
    """Return a link, or where the address is not one of http or https what would have been in it."""
    if url.startswith(("https://", "http://")) and url.isprintable():
        return E.a({**(look or {}), "href": url, "rel": "noreferrer"}, *inside)
    return E.span(look or {}, *inside)


def table(given: Table) -> Any:  # noqa: ANN401 - an element of lxml
    """Return a table; each cell names its column, for windows that are too narrow for rows."""
    drawn = E.table(E.caption(words(given.title)))
    heads = (
        E.th({"scope": "col", "class": "n" if column.is_number else "d"}, column.title) for column in given.columns
    )
    drawn.append(E.thead(E.tr(*heads)))
    drawn.append(E.tbody(*(_row(given, row) for row in given.rows)))
    if given.total:
        drawn.append(E.tfoot(_row(given, given.total)))
    return E.div({"class": "wide", "tabindex": "0", "role": "region", "aria-label": words(given.title)}, drawn)


def _row(given: Table, row: tuple[str, ...]) -> Any:  # noqa: ANN401 - as above
    cells = []
    for column, text in zip(given.columns, row, strict=True):
        look = {"class": "n"} if column.is_number else {} if column.folds else {"class": "d"}
        if column.title == "level":
            look = {"class": f"l {text}"}
        cells.append(E.td(look, words(text)))
    return E.tr(*cells)
