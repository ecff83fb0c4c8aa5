"""Generates the parts of the manual about findings and options, with examples."""

import gzip
import inspect
import json
import re
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from smindex_plugins.base import catalogue
from smindex_plugins.base.catalogue import CATALOGUE
from smindex_plugins.base.settings import OPTIONS, Option
from smindex_plugins.explain.checks import explanation
from smindex_plugins.projects._generators import GENERATORS
from tests.support.history import Repo
from tests.support.listed import read_entries, read_pages
from tests.support.planted import Files, write
from tests.support.planted.faults import FAULTS, TOMORROW, Fault, run
from tests.support.planted.live import LIVE, LiveFault
from tests.support.planted.runs import RUNS

_WIDTH = 90
"""The length after which a line is broken between its elements."""


def check_examples() -> dict[str, list[str]]:
    """Return an example of each kind of finding, in lines of Markdown."""
    examples: dict[str, Fault | LiveFault] = {}
    planted: list[Fault | LiveFault] = [*FAULTS, *RUNS, *LIVE]
    for fault in planted:
        examples.setdefault(fault.kind, fault)
    return {name: list(_example(examples[name])) for name in CATALOGUE}


def generators_table() -> str:
    """Return the table of generators, with the first files, outputs and sources of each."""
    lines = ["| generator | configuration | output | sources | address |", "|---|---|---|---|---|"]
    for each in GENERATORS:
        sources = [
            f"{each.content}/{source}".lstrip("/") + each.suffixes[0] for source in each.sources
        ]
        cells = (
            ", ".join(f"`{word}`" for word in words[:4])
            for words in (each.files, each.outputs, sources)
        )
        lines.append(
            f"| {each.name} | {' | '.join(cells)} |"
            f" {f'`{each.address}`' if each.address else 'from the site'} |"
        )
    return "".join(f"{line}\n" for line in lines)


def check_pages() -> dict[str, str]:
    """Return the pages about findings, by file name. The catalogue has a heading for each page."""
    index = [
        *_description("All findings of smindex check and of builds"),
        "# Checks and messages",
        "",
        (
            "`smindex check` and builds report these findings. `smindex explain NAME` prints what a"
            " finding means, why it"
        ),
        "matters, how to fix it, and an example. Without a name, it prints this list.",
    ]
    pages: dict[str, list[str]] = {}
    headings = r'^# ([^:.\n]+|robots.txt)$|Kind\(\s*"([a-z-]+)"'
    for title, name in re.findall(headings, inspect.getsource(catalogue), re.MULTILINE):
        if title:
            file = f"{re.sub(r'[^a-z]+', '-', title.lower())}.md"
            index += ["", f"## {title}", "", "| name | level | problem |", "|---|---|---|"]
            subject = title if title in {"URLs", "robots.txt"} else title.lower()
            pages[file] = [*_description(f"Findings about {subject} in smindex"), f"# {title}", ""]
        else:
            kind = CATALOGUE[name]
            index.append(f"| [{name}]({file}#{name}) | {kind.level} | {kind.title} |")
            pages[file] += [
                f"## {name}",
                "",
                f"**Problem:** {kind.title}",
                "",
                *explanation(kind),
                "",
            ]
    pages["index.md"] = [*index, ""]
    return {name: "\n".join(lines) for name, lines in pages.items()}


def _description(subject: str) -> list[str]:
    return [
        "---",
        (
            f"description: {subject}, with what they mean, why they matter, how to fix them, and"
            " examples."
        ),
        "---",
        "",
    ]


def _example(example: Fault | LiveFault) -> Iterator[str]:
    command = example.command.split()[0] if isinstance(example.command, str) else ""
    wrong, right = (
        ({}, {}) if isinstance(example, LiveFault) else (example.wrong, example.right or {})
    )
    changed = {
        file: text
        for file, text in wrong.items()
        if right and isinstance(text, str) and text != right.get(file)
    }
    blocks = [
        (file, *_blocks(file, text, str(right.get(file, "")))) for file, text in changed.items()
    ]
    yield from (f"Example: {example.words}.", "")
    for file, block, _ in blocks:
        yield from (f"In `{file}`:", "", *block)
    with tempfile.TemporaryDirectory() as directory:
        lines = example.report(Path(directory).resolve() / "project")
    heading = next(
        (number for number, line in enumerate(lines) if f" ({example.kind})" in line), None
    )
    found = [line for line in lines if line.endswith(f" [{example.kind}]")][:2]
    if heading is not None:
        first, *others = lines[heading : lines.index("", heading)]
        found = [first, *(f"  {line}" for line in others)]
    yield from (f"`smindex {command}` prints:" if command else "The build logs:", "")
    yield from ("```text", *map(_brief, found), "```")
    for file, _, block in blocks:
        without = f"To fix this, remove the {'line' if file in right else 'file'}."
        yield from ("", "Correct:", "", *block[:-1]) if block else ("", without)


def _blocks(file: str, wrong: str, right: str) -> tuple[list[str], list[str]]:
    """Return the wrong and the right file as code blocks.

    For XML and HTML, they contain only the lines that differ.
    """
    before, after = wrong.splitlines(), right.splitlines()
    different = [line for line in before if line not in after]
    if file.endswith((".xml", ".html")) and any(map(str.strip, different)):
        before, after = different, [line for line in after if line not in before]
    language = {"xml": "xml", "html": "html", "md": "yaml", "yml": "yaml", "py": "python"}.get(
        file.rpartition(".")[2], "text"
    )

    def block(lines: list[str]) -> list[str]:
        broken = [
            re.sub(r"(</[\w:]+>|/>)(?=<(?!/))", "\\1\n", line) if len(line) > _WIDTH else line
            for line in lines
        ]
        return [f"```{language}", *map(_brief, broken), "```", ""] if lines else []

    return block(before), block(after)


def _brief(text: str) -> str:
    """Return a text with the addresses and the day that the manual uses, and without long
    repetitions.
    """
    text = re.sub(r"\be\.(org|net)\b", r"example.\1", text).replace(TOMORROW, "2026-11-24")
    return re.sub(r"(\w)\1{50,}…?", r"\1\1\1…", text)


ADDRESS = "https://example.org/"
DAYS = (1214, 1240, 1265)
"""10 January, 5 February and 1 March 2024, in days of a repository."""


@dataclass(frozen=True, slots=True)
class Example:
    """An option set in YAML, and a project built with and without it."""

    setting: str
    pages: tuple[str, ...] = ("index", "guide/install", "guide/use")
    """Paths of pages. Pages in the same directory are committed on the same day."""
    note: str = ""
    files: Files = field(default_factory=dict)
    """Other files of the project."""
    history: Callable[[Repo], object] = lambda _: None
    """Adds commits."""
    shows: str = ""
    """A file, or the kind of a message, to show instead of the sitemaps."""

    def outcomes(self, root: Path) -> tuple[str, str, str]:
        """Return the dated files of the project, and the output with and without the option."""
        shown = []
        for name, setting in (("with", self.setting), ("without", "{}")):
            project = Repo.create(root / name)
            options = setting.replace("\n", "\n      ")
            config = f"site_url: {ADDRESS}\nplugins:\n  - sitemap-index:\n      {options}\n"
            sites = {
                f"site/{path}/index.html".replace(
                    "/index/", "/"
                ): f"<!doctype html><title>A</title><p>{path}"
                for path in self.pages
            }
            write(
                project.path,
                {".gitignore": "/site/\n", "mkdocs.yml": config, **sites, **self.files},
            )
            directories = sorted({path.rpartition("/")[0] for path in self.pages})
            for day, directory in zip(DAYS * 2, directories, strict=False):
                texts = {
                    f"docs/{path}.md": path
                    for path in self.pages
                    if path.rpartition("/")[0] == directory
                }
                project.commit(day, dict(texts))
            self.history(project)
            lines = run("build", project.path)
            shown.append("\n".join(self._shown(project.path / "site", lines)))
        dated = [
            *(f"docs/{path}.md" for path in self.pages),
            *(name for name in self.files if not name.startswith("site/")),
        ]
        days = [
            project.git("log", "-1", "--date=format:%Y-%m-%d", "--format=%cd", "--", name)
            for name in dated
        ]
        return "\n".join(_aligned(zip(dated, days, strict=True))), shown[0], shown[1]

    def _shown(self, site: Path, lines: list[str]) -> Iterator[str]:
        if self.shows.endswith("pages"):
            heading = next(
                (number for number, line in enumerate(lines) if f"({self.shows})" in line),
                len(lines),
            )
            yield from lines[heading : heading + 2]
        elif self.shows:
            file = site / self.shows
            yield self.shows if file.exists() else f"{self.shows}: not written"
            if file.exists():
                text = file.read_text(encoding="utf-8").removesuffix("</urlset>\n").rstrip()
                yield from re.sub(
                    r"(?<=>)(?=<(?!/))", "\n", text[max(0, text.find("<url>")) :]
                ).split("\n")
        else:
            for index in sorted(
                path for path in site.glob("*.xml") if b"<sitemapindex" in path.read_bytes()
            ):
                yield index.name
                for entry in read_entries(index.read_bytes()):
                    yield (name := entry.url.removeprefix(ADDRESS))
                    content = (site / name).read_bytes()
                    pages = read_pages(
                        gzip.decompress(content) if name.endswith(".gz") else content
                    )
                    urls = (re.sub(f"^{ADDRESS}", "/", page.url) for page in pages)
                    length = None if "lastmod_format" in self.setting else len("2024-01-10")
                    dates = ((page.lastmod or "")[:length] for page in pages)
                    yield from _aligned(
                        (f"  {url}", date) for url, date in zip(urls, dates, strict=True)
                    )


def _aligned(rows: Any) -> Iterator[str]:  # noqa: ANN401 - pairs of texts
    pairs = list(rows)
    width = max(len(first) for first, _ in pairs)
    yield from (f"{first:{width}}  {second}".rstrip() for first, second in pairs)


def _reformat(repo: Repo) -> None:
    reformatted: dict[str, str | None] = {
        "docs/index.md": "Reformatted",
        "docs/guide.md": "Reformatted",
    }
    commit = repo.commit(DAYS[1], reformatted, message="Reformat all pages [skip lastmod]")
    repo.commit(DAYS[2], {"formats.txt": commit})


def _cut_off(repo: Repo) -> None:
    repo.put(".git/shallow", repo.commit(DAYS[1], {"docs/other.md": "Other"}) + "\n")


HOOK = 'def keep(page):\n    return None if page.url.endswith("/print/") else page\n'
CATEGORISE = """\
from dataclasses import replace

def categorise(page):
    is_recipe = page.url.endswith(("-cake/", "-soup/"))
    return replace(page, section="recipes") if is_recipe else page
"""
ELSEWHERE = (
    '<!doctype html><title>A</title><link rel="canonical"'
    ' href="https://other.example/news/"><p>Text'
)
EXAMPLES = {
    "index_filename": Example("index_filename: sitemaps.xml"),
    "section_by": Example(
        "section_by: category\nfilter: hooks:categorise",
        ("index", "a-new-oven", "carrot-cake", "pumpkin-soup"),
        "On Pelican, articles have their categories without a filter.",
        {"hooks.py": CATEGORISE},
    ),
    "section_depth": Example(
        "section_depth: 2",
        ("index", "guide/setup/mac", "guide/setup/win", "guide/use/first", "guide/use/next"),
    ),
    "section_min_pages": Example(
        "section_min_pages: 3",
        ("index", "blog/one", "blog/two", "guide/install", "guide/more", "guide/use"),
    ),
    "sections": Example(
        "sections:\n  - name: api\n    urls: ['reference/', 'cli/']",
        ("index", "cli/build", "cli/check", "reference/one", "reference/two"),
    ),
    "sitemap_placement": Example("sitemap_placement: root"),
    "exclude": Example(
        "exclude: ['drafts/', '**/print/']",
        ("index", "drafts/next", "guide/install", "guide/print", "guide/use"),
    ),
    "include": Example(
        "include: ['**/*.pdf']",
        ("index", "guide/install"),
        "The generator copies `guide/plan.pdf` into the site.",
        {"docs/guide/plan.pdf": "%PDF", "site/guide/plan.pdf": "%PDF"},
    ),
    "filter": Example(
        "filter: hooks:keep",
        ("index", "guide/install", "guide/print", "guide/use"),
        "The function `keep` in `hooks.py` returns nothing for printed pages: see [custom filter"
        " function](pages.md#custom-filter-function).",
        {"hooks.py": HOOK},
    ),
    "pagination": Example(
        "pagination: false", ("index", "blog/index", "blog/page/2", "blog/page/3")
    ),
    "lastmod": Example(
        "lastmod: 'off'", note="An author's `lastmod:` in the front matter is omitted too."
    ),
    "lastmod_format": Example("lastmod_format: date"),
    "ignore_revs_file": Example(
        "ignore_revs_file: formats.txt",
        ("index", "guide"),
        "The commit of 5 February reformatted both pages. Its hash is in `formats.txt`.",
        {"formats.txt": ""},
        _reformat,
    ),
    "ignore_commits": Example(
        r"ignore_commits: ['\[skip lastmod\]']",
        ("index", "guide"),
        "The subject of the commit of 5 February is `Reformat all pages [skip lastmod]`.",
        {},
        _reformat,
    ),
    "undated": Example(
        "undated: fail",
        ("index", "guide"),
        "The clone is shallow: it has only the last commit.",
        {},
        _cut_off,
        "undated-pages",
    ),
    "depends": Example(
        "depends:\n  'reference/': ['data/*.yml']",
        ("index", "reference/api", "reference/cli"),
        files={"data/commands.yml": ""},
        history=lambda repo: repo.commit(DAYS[2], {"data/commands.yml": "build:"}),
    ),
    "gzip": Example("gzip: true"),
    "images": Example(
        "images: true",
        ("index",),
        "The home page shows `tour.png`.",
        {"site/index.html": "<!doctype html><title>A</title><p>Text <img src=tour.png>"},
        shows="sitemap-root.xml",
    ),
    "robots_txt": Example("robots_txt: write", shows="robots.txt"),
    "cross_site": Example(
        "cross_site: {'https://other.example': other/robots.txt}",
        ("index", "guide", "news"),
        "The canonical URL of `news.md` is `https://other.example/news/`. The file"
        " `other/robots.txt` is served at `https://other.example/robots.txt`, and has the line"
        " `Sitemap: https://example.org/sitemap_index.xml`.",
        {
            "other/robots.txt": f"Sitemap: {ADDRESS}sitemap_index.xml\n",
            "site/news/index.html": ELSEWHERE,
        },
    ),
    "max_urls": Example(
        "max_urls: 2",
        ("index", "guide/a", "guide/b", "guide/c", "guide/d"),
        "An index lists no more sitemaps than that, so there are two.",
    ),
}


def options_index() -> str:
    """Return a table of the options, each of which leads to its section."""
    rows = [f"| [`{option.name}`](#{option.name}) | {option.meaning} |" for option in OPTIONS]
    return "\n".join(["| option | meaning |", "|---|---|", *rows, ""])


def options_sections() -> str:
    """Return a section for each option: its values, a site, and what is written for it with the
    option and without.
    """
    return "\n".join(line for option in OPTIONS for line in _section(option, EXAMPLES[option.name]))


def _section(option: Option, example: Example) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as directory:
        files, with_it, without = example.outcomes(Path(directory))
    setting = example.setting.replace("\n", "\n      ")
    given = yaml.safe_load(example.setting)
    python = str(given).replace("'", '"')
    configurations = (
        ("MkDocs", "yaml", f"# mkdocs.yml\nplugins:\n  - sitemap-index:\n      {setting}"),
        ("Pelican", "python", f"# pelicanconf.py\nSITEMAP_INDEX = {python}"),
        ("Sphinx", "python", f"# conf.py\nsitemap_index = {python}"),
        (
            "smindex build",
            "toml",
            "\n".join(
                [
                    "# pyproject.toml",
                    "[tool.smindex]",
                    *(f"{key} = {_toml(value)}" for key, value in given.items()),
                ]
            ),
        ),
    )
    written = "xml" if "</" in with_it else "text"
    outcomes = ((f"With `{option.name}`", with_it), ("Without", without))
    yield from (f"### {option.name}", "", option.meaning, "")
    yield from (
        f"- **Default:** {as_shown(option.default)}",
        f"- **Accepts:** {option.accepted}",
        "",
    )
    yield from (*([example.note, ""] if example.note else []),)
    for title, language, text in configurations:
        yield from (f"/// tab | {title}", "", f"```{language}", text, "```", "", "///", "")
    yield from ("For example, a site is built from these files:", "", "```text", files, "```", "")
    yield from ('<div class="grid" markdown>', "")
    for title, text in outcomes:
        yield from (
            "<div markdown>",
            "",
            f"**{title}**",
            "",
            f"```{written}",
            text,
            "```",
            "",
            "</div>",
            "",
        )
    yield from ("</div>", "")


def _toml(value: object) -> str:
    match value:
        case dict():
            return f"{{{', '.join(f'{json.dumps(key)} = {_toml(each)}' for key, each in value.items())}}}"
        case list():
            return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value)


def as_shown(default: object) -> str:
    """Return a default as documentation shows it."""
    if default is None:
        return "none"
    return f"`{str(default).lower() if isinstance(default, bool) else [] if default == () else default}`"
