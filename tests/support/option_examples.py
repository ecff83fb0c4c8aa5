"""One example for each option, for the manual: a small site that is really published, with the option and without."""

import gzip
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

from smindex_plugins.model import Page
from smindex_plugins.pages import is_included
from smindex_plugins.pipeline import publish
from smindex_plugins.report import Report
from smindex_plugins.settings import Settings, Site
from tests.support.listed import read_entries, read_pages
from tests.support.project import Project

ADDRESS = "https://example.org/"
NOW = datetime(2024, 3, 20, 9, tzinfo=UTC)
_DATES = ("2024-01-10T10:00:00Z", "2024-02-05T10:00:00Z", "2024-03-01T10:00:00Z")


@dataclass(frozen=True, slots=True)
class Example:
    """An option as it is set, the files of a site, and how the outcome is shown."""

    setting: str
    """In YAML."""
    files: tuple[str, ...]
    """Sources below `docs/`; those of one directory are committed on one day."""
    note: str = ""
    html: dict[str, str] = field(default_factory=dict)
    """The body of a page, by its source, where that matters."""
    history: Callable[[Project], None] | None = None
    shows: Callable[[Path, Report], Iterator[str]] | None = None
    elsewhere: dict[str, str] = field(default_factory=dict)
    """The canonical URL of a page, by its source, where that is on another site."""
    listing: str = ""
    """The files, if their newest commits do not tell everything."""

    @property
    def given(self) -> dict[str, Any]:
        """The option as a host reads it."""
        loaded: dict[str, Any] = yaml.safe_load(self.setting)
        return loaded

    def outcomes(self, root: Path) -> tuple[str, str, str]:
        """Publish the site in a directory, and return its files, and what is written with the option and without."""
        project = Project(root)
        (self.history or self._commit)(project)
        files = self.listing or "\n".join(_aligned(self._dated(project)))
        outcomes = [
            "\n".join((self.shows or show_entries)(*self._publish(project, root / name, Settings.load(given))))
            for name, given in (("with", self.given), ("without", {}))
        ]
        return files, outcomes[0], outcomes[1]

    def _commit(self, project: Project) -> None:
        parts = sorted({source.rpartition("/")[0] for source in self.files})
        for date, part in zip(_DATES * 2, parts, strict=False):
            project.pages(*(source for source in self.files if source.rpartition("/")[0] == part))
            project.commit(date)

    def _dated(self, project: Project) -> Iterator[tuple[str, str]]:
        for source in self.files:
            date = project.git("log", "-1", "--date=format:%Y-%m-%d", "--format=%cd", "--", f"docs/{source}").strip()
            yield f"docs/{source}", date

    def _publish(self, project: Project, directory: Path, settings: Settings) -> tuple[Path, Report]:
        pages = []
        for source in self.files:
            if not source.endswith(".md"):
                (directory / source).parent.mkdir(parents=True, exist_ok=True)
                original = project.root / "docs" / source
                copy = shutil.copyfile(original, directory / source)
                if is_included(source, settings):
                    url = ADDRESS + source
                    pages.append(
                        Page(url=url, file=str(copy), sources=(str(original),), source_name=source, kind="file")
                    )
                continue
            path = re.sub(r"(^|/)index$", r"\1", source.removesuffix(".md"))
            path += "/" if path and not path.endswith("/") else ""
            file = directory / path / "index.html"
            file.parent.mkdir(parents=True, exist_ok=True)
            body = self.html.get(source, "<p>Text")
            file.write_text(f"<!doctype html><title>{Path(source).stem}</title><body>{body}", encoding="utf-8")
            number = int(path.rstrip("/").rpartition("/page/")[2]) if "/page/" in path else 1
            sources, url = (str(project.root / "docs" / source),), self.elsewhere.get(source, ADDRESS + path)
            pages.append(Page(url=url, file=str(file), sources=sources, source_name=source, number=number))
        report = publish(
            pages,
            Site(url=ADDRESS, directory=str(directory), settings=settings, beside=str(project.root)),
            now=NOW,
        )
        return directory, report


def show_entries(directory: Path, _: Report) -> Iterator[str]:
    """Show the index, and each sitemap with its pages and dates."""
    for index in sorted(directory.glob("*.xml")):
        if b"<sitemapindex" in index.read_bytes():
            yield index.name
            for entry in read_entries(index.read_bytes()):
                yield (name := entry.url.removeprefix(ADDRESS))
                content = (directory / name).read_bytes()
                pages = read_pages(gzip.decompress(content) if name.endswith(".gz") else content)
                yield from _aligned((f"  {_path(page.url)}", page.lastmod or "") for page in pages)


def _path(url: str) -> str:
    return f"/{url.removeprefix(ADDRESS)}" if url.startswith(ADDRESS) else url


def show_file(name: str, default: str = "not written") -> Callable[[Path, Report], Iterator[str]]:
    """Show what is in a file."""

    def show(directory: Path, _: Report) -> Iterator[str]:
        path = directory / name
        yield name if path.exists() else f"{name}: {default}"
        if path.exists():
            text = path.read_text(encoding="utf-8").removesuffix("</urlset>\n").rstrip()
            yield from re.sub(r"(?<=>)(?=<(?!/))", "\n", text[max(0, text.find("<url>")) :]).split("\n")

    return show


def show_messages(_: Path, report: Report) -> Iterator[str]:
    """Show what the log says of dates, but not what to do about it, which depends on the machine."""
    for level, text in report.messages():
        if "undated" in text:
            yield f"{level}: {text.partition('. ')[0]}."


def _aligned(rows: Iterator[tuple[str, str]]) -> Iterator[str]:
    pairs = list(rows)
    width = max(len(first) for first, _ in pairs)
    yield from (f"{first:{width}}  {second}".rstrip() for first, second in pairs)


def _reformatted(project: Project) -> None:
    project.pages("index.md", "guide.md")
    project.commit(_DATES[0])
    project.write("docs/index.md", "Reformatted.\n")
    project.write("docs/guide.md", "Reformatted.\n")
    project.commit(_DATES[1])
    project.write("formats.txt", project.git("rev-parse", "HEAD"))
    project.commit(_DATES[2])


def _with_data(project: Project) -> None:
    project.pages("index.md", "reference/cli.md", "reference/api.md")
    project.commit(_DATES[0])
    project.write("data/commands.yml")
    project.commit(_DATES[2])


def _with_another_site(project: Project) -> None:
    project.pages("index.md", "guide.md", "news.md")
    project.write("other/robots.txt", f"Sitemap: {ADDRESS}sitemap_index.xml\n")
    project.commit(_DATES[0])


def _with_a_hook(project: Project) -> None:
    project.write("hooks.py", 'def keep(page):\n    return None if page.url.endswith("/print/") else page\n')
    project.pages("index.md", "guide/install.md", "guide/print.md", "guide/use.md")
    project.commit(_DATES[0])


def _cut_short(project: Project) -> None:
    project.pages("index.md", "guide.md")
    project.git("init", "-q")
    project.git("add", "docs/index.md")
    project.git("commit", "-q", "-m", "add", date=_DATES[0])
    project.git("add", "docs/guide.md")
    project.git("commit", "-q", "-m", "add", date=_DATES[1])
    head = project.git("rev-parse", "HEAD").strip()
    project.write(".git/shallow", f"{head}\n")


GUIDE = ("index.md", "guide/install.md", "guide/use.md")

EXAMPLES: dict[str, Example] = {
    "index_filename": Example("index_filename: sitemaps.xml", GUIDE),
    "section_depth": Example(
        "section_depth: 2",
        ("index.md", "guide/setup/mac.md", "guide/setup/win.md", "guide/use/first.md", "guide/use/next.md"),
    ),
    "section_min_pages": Example(
        "section_min_pages: 3",
        ("index.md", "blog/one.md", "blog/two.md", "guide/install.md", "guide/more.md", "guide/use.md"),
    ),
    "sections": Example(
        "sections:\n  - name: api\n    urls: ['reference/', 'cli/']",
        ("index.md", "cli/build.md", "cli/check.md", "reference/one.md", "reference/two.md"),
    ),
    "sitemap_placement": Example("sitemap_placement: root", GUIDE),
    "exclude": Example(
        "exclude: ['drafts/', '**/print/']",
        ("index.md", "drafts/next.md", "guide/install.md", "guide/print.md", "guide/use.md"),
    ),
    "include": Example(
        "include: ['**/*.pdf']",
        ("index.md", "guide/install.md", "guide/plan.pdf"),
        "The generator copies `guide/plan.pdf` into the site.",
    ),
    "filter": Example(
        "filter: hooks:keep",
        ("index.md", "guide/install.md", "guide/print.md", "guide/use.md"),
        "`hooks.py` is beside the configuration: see [custom filter function](pages.md#custom-filter-function).",
        history=_with_a_hook,
        listing="docs/index.md          2024-01-10\ndocs/guide/install.md  2024-01-10\n"
        "docs/guide/print.md    2024-01-10\ndocs/guide/use.md      2024-01-10\n\n"
        'hooks.py:\n  def keep(page):\n      return None if page.url.endswith("/print/") else page',
    ),
    "pagination": Example("pagination: false", ("index.md", "blog/index.md", "blog/page/2.md", "blog/page/3.md")),
    "lastmod": Example("lastmod: 'off'", GUIDE, "An author's `lastmod:` in the front matter is left out too."),
    "lastmod_format": Example("lastmod_format: date", GUIDE),
    "ignore_revs_file": Example(
        "ignore_revs_file: formats.txt",
        ("index.md", "guide.md"),
        history=_reformatted,
        listing="docs/index.md  2024-01-10\ndocs/guide.md  2024-01-10\nboth           2024-02-05 reformatted\n"
        "formats.txt    names that commit",
    ),
    "undated": Example(
        "undated: fail",
        ("index.md", "guide.md"),
        history=_cut_short,
        shows=show_messages,
        listing="a shallow clone, which has only the last commit",
    ),
    "depends": Example(
        "depends:\n  'reference/': ['data/*.yml']",
        ("index.md", "reference/api.md", "reference/cli.md"),
        history=_with_data,
        listing="docs/index.md          2024-01-10\ndocs/reference/api.md  2024-01-10\n"
        "docs/reference/cli.md  2024-01-10\ndata/commands.yml      2024-03-01",
    ),
    "gzip": Example("gzip: true", GUIDE),
    "images": Example(
        "images: true",
        ("index.md",),
        "`index.md` shows `tour.png`.",
        html={"index.md": "<p>Text <img src=tour.png>"},
        shows=show_file("sitemap-root.xml"),
    ),
    "robots_txt": Example("robots_txt: write", GUIDE, shows=show_file("robots.txt")),
    "cross_site": Example(
        "cross_site: {'https://other.example': other/robots.txt}",
        ("index.md", "guide.md", "news.md"),
        "The canonical URL of `news.md` is `https://other.example/news/`. The file `other/robots.txt` is served at "
        "`https://other.example/robots.txt`, and has the line `Sitemap: https://example.org/sitemap_index.xml`.",
        history=_with_another_site,
        elsewhere={"news.md": "https://other.example/news/"},
        listing="docs/index.md     2024-01-10\ndocs/guide.md     2024-01-10\n"
        "docs/news.md      2024-01-10\nother/robots.txt  2024-01-10",
    ),
    "max_urls": Example(
        "max_urls: 2",
        ("index.md", "guide/a.md", "guide/b.md", "guide/c.md", "guide/d.md"),
        "An index lists no more sitemaps than that, so there are two.",
    ),
}
