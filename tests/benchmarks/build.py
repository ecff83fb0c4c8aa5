"""What `smindex` builds and checks cost, beside `cat`, and what the plugin adds to MkDocs: the least
CPU time of several turns.
"""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import count, islice
from pathlib import Path
from urllib.parse import quote

from tests.benchmarks.history import commit_pages
from tests.benchmarks.measure import Usage, in_turn, print_cpu, process

URL = "https://example.org/"
SMINDEX = (sys.executable, "-m", "smindex_plugins")
GARDEN = Path(__file__).parents[2] / "sample_sites" / "garden" / "docs"
LANGUAGES = ("en", "de", "fr")
SECTIONS = 100
CONFIGURATION = """\
site_name: Benchmark
site_url: https://example.org/
docs_dir: {docs}
theme: material
plugins: {plugins}
"""
PLUGINS = {"without the plugin": "[search]", "with the plugin": "[search, sitemap-index]"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the sizes of the sites, which are generated."""
    parser.add_argument("--pages", type=int, default=20_000, help="pages in each directory")
    parser.add_argument(
        "--host-pages",
        type=int,
        nargs="*",
        default=[20, 400],
        help="pages, and commits, of each build with MkDocs",
    )
    parser.add_argument("--repeats", type=int, default=3, help="turns that count")


def run(given: argparse.Namespace) -> None:
    """Measure the commands on one core, with one page and with many, then builds with MkDocs and
    Material.
    """
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        _render(root / "theme")
        theme = {
            str(file.relative_to(root / "theme")): file.read_text(encoding="utf-8")
            for file in (root / "theme").rglob("index.html")
        }
        plain = _pages(theme)
        translated = _translated(theme)
        sites = {
            "one page": dict(islice(plain, 1)),
            f"{given.pages:,} pages of a theme": dict(islice(plain, given.pages)),
            f"{given.pages:,} pages with variants, beside a generator's sitemap": dict(
                islice(translated, given.pages)
            ),
        }
        for number, (title, pages) in enumerate(sites.items()):
            site = root / f"site-{number}"
            _write(site, pages)
            if "beside" in title:
                _write_own_sitemap(site, list(pages)[::2])
            print_cpu(title, in_turn(_contenders(site), given.repeats))
            shutil.rmtree(site)
        for pages_of_host in given.host_pages:
            repository = root / f"repository-{pages_of_host}"
            commit_pages(repository, pages_of_host, pages_of_host)
            builds = {
                name: partial(_build_with_mkdocs, repository, value)
                for name, value in PLUGINS.items()
            }
            print_cpu(
                f"MkDocs with Material, {pages_of_host:,} pages", in_turn(builds, given.repeats)
            )


def _render(output: Path) -> None:
    """Build the sample site with Material."""
    configuration = output.with_suffix(".yml")
    configuration.write_text(
        CONFIGURATION.format(docs=GARDEN, plugins="[search]"), encoding="utf-8"
    )
    process([sys.executable, "-m", "mkdocs", "build", "-q", "-f", configuration, "-d", output])


def _pages(theme: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield copies of the pages of a theme, each copy of the site in a directory of a section."""
    for number in count():
        directory = f"section-{number % SECTIONS}/copy-{number}"
        for path, text in theme.items():
            yield f"{directory}/{path}", _moved(text, path, directory)


def _translated(theme: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield such copies in several languages, with links between these."""
    for path, text in _pages(theme):
        links = ""
        for language in LANGUAGES:
            url = _url(f"{language}/{path}")
            links += f'<link rel="alternate" hreflang="{language}" href="{url}">'
        linked = text.replace("</head>", f"{links}</head>", 1)
        for language in LANGUAGES:
            yield f"{language}/{path}", _moved(linked, path, language)


def _moved(text: str, path: str, directory: str) -> str:
    """Return a page with the canonical link of its copy in a directory."""
    return text.replace(f'"{_url(path)}"', f'"{_url(f"{directory}/{path}")}"')


def _url(path: str) -> str:
    return URL + quote(path.removesuffix("index.html"))


def _write(site: Path, pages: Mapping[str, str]) -> None:
    for path, text in pages.items():
        file = site / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def _write_own_sitemap(site: Path, paths: list[str]) -> None:
    """Write a generator's sitemap with some pages."""
    entries = "".join(f"<url><loc>{_url(path)}</loc></url>\n" for path in paths)
    text = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</urlset>\n'
    (site / "sitemap.xml").write_text(text, encoding="utf-8")


def _contenders(site: Path) -> dict[str, partial[Usage]]:
    # into a file, the kernel would copy the pages itself
    read = 'find "$0" -name "*.html" -print0 | xargs -0 cat > /dev/null'
    cat: list[str | Path] = ["sh", "-c", read, site]
    build: list[str | Path] = [*SMINDEX, "build", site, "--site-url", URL, "-q"]
    check: list[str | Path] = [*SMINDEX, "check", site, "-q"]
    run = partial(process, directory=site.parent, cores=1)
    return {
        "cat": partial(run, cat),
        "smindex build": partial(_build, site, partial(run, build)),
        "smindex build, again": partial(run, build),
        "smindex check": partial(run, check),
    }


def _build(site: Path, build: Callable[[], Usage]) -> Usage:
    """Build from the beginning each time."""
    for sitemap in site.rglob("*.xml"):
        if sitemap != site / "sitemap.xml":
            sitemap.unlink()
    return build()


def _build_with_mkdocs(root: Path, plugins: str) -> Usage:
    configuration, output = root / "mkdocs.yml", root / "site"
    configuration.write_text(
        CONFIGURATION.format(docs=root / "docs", plugins=plugins), encoding="utf-8"
    )
    shutil.rmtree(output, ignore_errors=True)
    return process(
        [sys.executable, "-m", "mkdocs", "build", "-q", "-f", configuration, "-d", output], root
    )
