"""What the pictures of the README and the manual show: a built site with mistakes, as the program
reports them.
"""

import io
import re
from collections.abc import Callable
from contextlib import chdir, redirect_stdout
from dataclasses import replace
from html import escape
from pathlib import Path

import pytest
from lxml import html

from smindex_plugins.base import urls
from smindex_plugins.checks.applying import DirectoryCheck
from smindex_plugins.cli.main import main
from smindex_plugins.cli.report import compose
from smindex_plugins.overview.output import write_report
from smindex_plugins.overview.overview import Overview
from smindex_plugins.reading.directory import Directory
from tests.overview.reports import Terminal
from tests.support.planted import write

BASE = "https://docs.e.org/"
TODAY = "2026-11-22"
_PAGES: dict[str, tuple[str, ...]] = {
    "": ("", "about/", "imprint/"),
    "guide/": (
        *("install/", "first-steps/", "upgrade/", "settings/", "themes/", "search/", "languages/"),
        *("versions/", "offline/", "accounts/", "backups/", "errors/"),
    ),
    "guide/deploy/": ("", "docker/", "kubernetes/", "netlify/", "pages/", "rsync/", "s3/"),
    "reference/": (
        *("options/", "commands/", "exit-codes/", "environment/", "events/", "formats/", "hooks/"),
        *("limits/", "logging/", "permissions/", "templates/", "variables/"),
    ),
    "reference/api/": ("", "client/", "server/", "session/", "storage/", "tokens/", "types/"),
    "blog/": (
        *("2026-roadmap/", "faster-builds/", "new-search/", "release-3.2/", "release-3.3/"),
        *("release-3.4/", "survey/", "why-static/"),
    ),
    "tutorials/": ("a-blog/", "a-book/", "a-shop/", "a-wiki/", "migrate/", "style/"),
    "zh/": ("", "指南/", "安装/", "设置/", "升级/"),
}
_NEWEST = {
    "": ("2026-03", 1),
    "guide/": ("2026-10", 3),
    "guide/deploy/": ("2026-08", 2),
    "reference/": ("2025-05", 3),
    "reference/api/": ("2026-06", 2),
    "blog/": ("2026-11", 1),
    "tutorials/": ("2022-09", 4),
    "zh/": ("2021-01", 2),
}
"""The newest month of each directory, and the months from one page to the next."""
_UNDATED = {"reference/hooks/", "reference/events/", "tutorials/a-wiki/"}
_NO_FILE = "guide/offline/"
_GERMAN_DATE = "blog/survey/"
_UNLISTED = {"blog/why-static/", "tutorials/style/"}
_REMOVED = ("guide/plugins/", "reference/api/errors/")


def _day(directory: str, number: int) -> str:
    month, step = _NEWEST[directory]
    months = int(month[:4]) * 12 + int(month[5:]) - 1 - step * number
    year, at = divmod(months, 12)
    return f"{year}-{at + 1:02}-{3 + number * 5 % 18:02}"


def _entry(path: str, day: str) -> str:
    if path == _GERMAN_DATE:
        day = "05.09.2026"
    date = "" if path in _UNDATED else f"<lastmod>{day}</lastmod>"
    return f"<url><loc>{BASE}{path}</loc>{date}</url>"


def _html(name: str) -> str:
    title = name.strip("/") or "Home"
    head = f"<!doctype html><html><head><title>{title}</title></head>"
    return f"{head}<body><h1>{title}</h1><p>The text of this page.</p></body></html>"


def build_site(root: Path) -> tuple[Path, Path]:
    """Write the site and the version before it, and return their directories."""
    entries: dict[str, list[str]] = {}
    files: dict[str, str] = {}
    for directory, names in _PAGES.items():
        section = directory.partition("/")[0]
        for number, name in enumerate(names):
            path = directory + name
            if path != _NO_FILE:
                files[f"{path}index.html"] = _html(name)
            if path not in _UNLISTED:
                loc = urls.from_file_path(path)
                entries.setdefault(section, []).append(_entry(loc, _day(directory, number)))
    files["404.html"] = _html("Not found")
    new, old = root / "site", root / "before"
    for place, removed in ((new, ()), (old, _REMOVED)):
        write(place, files)
        for path in removed:
            section = path.partition("/")[0]
            entries[section].append(_entry(path, "2024-02-05"))
        write(place, _sitemaps(entries))
    return new, old


def _sitemaps(entries: dict[str, list[str]]) -> dict[str, str]:
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    files: dict[str, str] = {}
    listed: list[str] = []
    for section, each in entries.items():
        name = f"{section}/sitemap.xml" if section else "sitemap-root.xml"
        files[name] = f"{head}<urlset {namespace}>{''.join(each)}</urlset>\n"
        listed.append(f"<sitemap><loc>{BASE}{name}</loc></sitemap>")
    index = f"{head}<sitemapindex {namespace}>{''.join(listed)}</sitemapindex>\n"
    return files | {"sitemap_index.xml": index}


def pictured(root: Path, *, since: bool = False) -> Overview:
    """Return what `smindex report` makes of the site, as of a fixed day."""
    new, old = build_site(root)
    directory = Directory(path=str(new), site_url=BASE)
    checked = DirectoryCheck(directory=directory, record=None)
    overview = compose(checked, since=str(old) if since else "")
    changes = overview.changes
    if changes:
        changes = replace(changes, old="site-before", new="site")
    return replace(overview, date=TODAY, changes=changes)


def report_of(overview: Overview) -> str:
    """Return the report as HTML."""
    out = io.StringIO()
    write_report(overview, "html", out)
    return out.getvalue()


def words_of_report(text: str) -> str:
    """Return the words of the first parts of a report, which its pictures show."""
    page = html.document_fromstring(text)
    wanted = "//body/header | //body/nav | //main/section[not(@id = 'pages' or @id = 'scope')]"
    return "\n".join(" ".join(part.text_content().split()) for part in page.xpath(wanted))


def terminal_report(root: Path) -> str:
    """Return what `smindex report` prints on a terminal, with colors."""
    out = Terminal()
    write_report(pictured(root), "text", out)
    return f"$ smindex report\n{out.getvalue()}"


def terminal_check(root: Path) -> str:
    """Return what `smindex check` prints on a terminal, with colors."""
    build_site(root)
    out = Terminal()
    with chdir(root), redirect_stdout(out):
        main(["check", "site", "--site-url", BASE])
    return f"$ smindex check site --site-url {BASE}\n{out.getvalue()}"


TERMINALS: dict[str, Callable[[Path], str]] = {"show": terminal_report, "check": terminal_check}
"""The pictures of a terminal, each with the text that it shows."""
_STYLE = re.compile("\x1b\\[([0-9;]*)m")
_MOVES = re.compile("\r|\x1b\\[(?:2K|1A|\\?25[lh])")


def without_colors(text: str) -> str:
    """Return the words on a terminal."""
    return _STYLE.sub("", _MOVES.sub("", text))


def in_color(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the program print for a terminal with colors, 110 columns wide."""
    monkeypatch.setenv("COLUMNS", "110")
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("NO_COLOR", "COLORTERM", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)


_CLASSES = {"1": "b", "2": "d", "1;31": "e", "1;33": "w", "1;36": "n"}
_LOOK = """body { margin: 0; background: #0d1117; color: #e6edf3 }
pre { margin: 0; padding: 16px; font: 14px/1.4 "DejaVu Sans Mono", monospace }
.b, .e, .w, .n { font-weight: bold }
.d { color: #9198a1 } .e { color: #ff7b72 } .w { color: #f0b72f } .n { color: #56d4dd }"""


def terminal_page(text: str) -> str:
    """Return a page that shows what was printed on a terminal in its colors."""

    def element(style: re.Match[str]) -> str:
        if style[1] == "0":
            return "</span>"
        return f'<span class="{_CLASSES[style[1]]}">'

    shown = _STYLE.sub(element, escape(_MOVES.sub("", text).rstrip()))
    head = f"<!doctype html><meta charset=utf-8><style>{_LOOK}</style>"
    return f"{head}<pre>{shown}</pre>"
