"""What differs between two versions of a site: for people, for a comment on a pull request, and for programs."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import IO, Literal

from smindex_plugins.announcing import Change, Difference, Sitemaps
from smindex_plugins.limits import MAX_LINE
from smindex_plugins.report import EXAMPLES
from smindex_plugins.reports.json_form import in_json
from smindex_plugins.text import counted, masked, printable

Form = Literal["text", "json", "markdown"]
FORMS: tuple[Form, ...] = ("text", "json", "markdown")

COMMENT_MARK = "<!-- smindex diff -->"
"""How the Markdown begins, so that a comment can be found again and replaced."""
_MOST_MARKDOWN = 15_000
"""Characters of one list; GitHub takes 65,536 in a comment, and there are at most four lists."""
_Items = Sequence[str] | Sequence[Change]


def write_difference(difference: Difference, form: Form, out: IO[str], *, show_all: bool = False) -> None:
    """Print what differs in one of the forms; the text has the first of each kind, or all."""
    if form == "json":
        fields = {"version": 1, **difference_fields(difference), "live": difference.live}
        out.write(f"{in_json(fields, indent=2)}\n")
    elif form == "markdown":
        out.writelines(f"{line}\n" for line in _markdown(difference))
    else:
        out.writelines(f"{printable(line, MAX_LINE)}\n" for line in _text(difference, show_all=show_all))


def difference_summary(difference: Difference) -> str:
    """Return how much differs, in words."""
    sitemaps = difference.sitemaps
    pages = counted_changes(difference)
    files = counted_changes(sitemaps)
    total = counted(difference.urls_after, "page")
    return f"{f'pages: {pages}' if pages else 'no page differs'}; sitemaps: {files or 'the same'}; {total} in all"


def counted_changes(lists: Difference | Sitemaps) -> str:
    """Return how many pages or sitemaps came, went and changed, in words."""
    parts = ((lists.added, "added"), (lists.removed, "removed"), (lists.changed, "changed"))
    return ", ".join(f"{len(items):,} {word}" for items, word in parts if items)


def _lists(difference: Difference) -> tuple[tuple[str, str, _Items], ...]:
    """Return what differs, each list with its heading and its sign."""
    sitemaps = difference.sitemaps
    return (
        ("Added", "+", difference.added),
        ("Removed", "-", difference.removed),
        ("Changed", "~", difference.changed),
        ("Sitemaps added", "+", sitemaps.added),
        ("Sitemaps removed", "-", sitemaps.removed),
        ("Sitemaps changed", "~", sitemaps.changed),
    )


def _text(difference: Difference, *, show_all: bool) -> Iterator[str]:
    for heading, sign, items in _lists(difference):
        if items:
            yield f"{heading.lower()} ({len(items):,})"
            most = len(items) if show_all else EXAMPLES
            yield from (f"  {_line(sign, item)}" for item in items[:most])
            yield from [f"  … and {len(items) - most:,} more; -v shows them"] if len(items) > most else []
            yield ""
    yield difference_summary(difference)
    yield from notes(difference)


def notes(difference: Difference) -> Iterator[str]:
    """Say what the comparison cannot see."""
    hidden = []
    if difference.undated:
        hidden.append(f"changes of {counted(difference.undated, 'page')} without a date")
    if difference.days:
        hidden.append(f"a second change on one day of {counted(difference.days, 'page')} whose date has no time")
    if hidden:
        yield f"not seen: {'; '.join(hidden)}"
    if difference.not_compared:
        yield f"not compared: {masked('; '.join(difference.not_compared))}"


def page_lines(difference: Difference) -> list[str]:
    """Return a line for each page that differs."""
    return [_line(sign, item) for _, sign, items in _lists(difference)[:3] for item in items]


def _line(sign: str, item: str | Change) -> str:
    return f"{sign} {item}" if isinstance(item, str) else f"{sign} {item.url}: {', '.join(_changes(item))}"


def _changes(change: Change) -> Iterator[str]:
    if change.before != change.after:
        yield f"{change.before or 'no date'} → {change.after or 'no date'}"
    if change.variants:
        yield f"variants {', '.join(change.variants)}"


def _markdown(difference: Difference) -> Iterator[str]:
    """Yield the lines of a comment; what comes from the site stands in code, where nothing of it has a meaning."""
    yield from (COMMENT_MARK, f"**Sitemaps:** {difference_summary(difference)}", "")
    for heading, _, items in _lists(difference)[:3]:
        if items:
            yield from (f"<details><summary>{heading} ({len(items):,})</summary>", "")
            yield from _bullets(items)
            yield from ("", "</details>", "")
    sitemaps = [f"{sign} {url}" for _, sign, urls in _lists(difference)[3:] for url in urls if isinstance(url, str)]
    if sitemaps:
        yield from (f"<details><summary>Sitemaps ({len(sitemaps):,})</summary>", "")
        yield from _bullets(sitemaps)
        yield from ("", "</details>", "")
    yield from (f"{code(note, 1_000)}  " for note in notes(difference))


def _bullets(items: _Items) -> Iterator[str]:
    room = _MOST_MARKDOWN
    for number, item in enumerate(items):
        line = (
            f"- {code(item.url)} {code(', '.join(_changes(item)))}" if isinstance(item, Change) else f"- {code(item)}"
        )
        room -= len(line)
        if room < 0:
            yield f"- … and {len(items) - number:,} more"
            return
        yield line


def code(text: object, most: int = 2_500) -> str:
    """Return a text as code in Markdown, where nothing in it has a meaning."""
    return f"`{printable(str(text), most).replace('`', chr(39))}`"


def difference_fields(difference: Difference) -> dict[str, object]:
    """Return what differs as an object in JSON. A date that a page does not have is null."""
    return {
        "old": difference.old,
        "new": difference.new,
        "added": difference.added,
        "removed": difference.removed,
        "changed": [
            {"url": url, "from": before or None, "to": after or None, "variants": variants}
            for url, before, after, variants in difference.changed
        ],
        "sitemaps": asdict(difference.sitemaps),
        "summary": {
            "added": len(difference.added),
            "removed": len(difference.removed),
            "changed": len(difference.changed),
            "urls_before": difference.urls_before,
            "urls_after": difference.urls_after,
            "without_a_date": difference.undated,
            "without_a_time": difference.days,
            "not_compared": difference.not_compared,
        },
    }
