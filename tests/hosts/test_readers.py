"""What others read: three readers of sitemaps, over HTTP from robots.txt on, find exactly the pages
and their dates.

They come with the extra `readers`, and bring too much to be in one environment with all the hosts.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote, urljoin

import pytest

from tests.hosts.pelican_blog import PLUGIN, Blog, Output
from tests.support.project import Built, Project
from tests.support.servers import Web, serve

pytestmark = pytest.mark.apart

Site = tuple[Web, Built | Output]
SAMPLES = Path(__file__).parent.parent.parent / "sample_sites"
DATE = "2024-01-01T10:00:00Z"

ULTIMATE_SITEMAP_PARSER = """
import json, sys
from usp.objects.sitemap import InvalidSitemap
from usp.tree import sitemap_tree_for_homepage

tree = sitemap_tree_for_homepage(sys.argv[1], use_known_paths=False)
assert not [sitemap for sitemap in tree.all_sitemaps() if isinstance(sitemap, InvalidSitemap)]
json.dump([[page.url, page.last_modified.isoformat()] for page in tree.all_pages()], open(sys.argv[2], "w"))
"""
ADVERTOOLS = """
import json, sys
from advertools import sitemap_to_df

found = sitemap_to_df(sys.argv[1] + "robots.txt")
assert "errors" not in found, found["errors"].dropna()
json.dump([[row["loc"], str(row["lastmod"])] for _, row in found.iterrows()], open(sys.argv[2], "w"))
"""
SCRAPY = """
import json, sys
from scrapy.crawler import CrawlerProcess
from scrapy.spiders import SitemapSpider

dates, found = {}, []

class Spider(SitemapSpider):
    name = "pages"
    sitemap_urls = [sys.argv[1] + "robots.txt"]

    def sitemap_filter(self, entries):
        for entry in entries:
            dates[entry["loc"]] = entry["lastmod"]
            yield entry

    def parse(self, response):
        found.append([response.url, dates[response.url]])

process = CrawlerProcess({"LOG_LEVEL": "WARNING", "RETRY_ENABLED": False, "TELNETCONSOLE_ENABLED": False})
process.crawl(Spider)
process.start()
json.dump(found, open(sys.argv[2], "w"))
"""


@pytest.fixture(scope="module", params=["mkdocs", "mkdocs, gzip", "pelican", "pelican, gzip"])
def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """Serve a sample site from the address for which it is built, below the root of a host that has
    a robots.txt.
    """
    host, _, gzip = request.param.partition(", ")
    root = tmp_path_factory.mktemp("site")
    with serve(root / "www") as web:
        (web.directory / "robots.txt").write_text(
            f"User-agent: *\nSitemap: {web.base}docs/sitemap_index.xml\n"
        )
        yield web, BUILD[host](root, f"{web.base}docs/", is_compressed=bool(gzip))


def _mkdocs(root: Path, base: str, *, is_compressed: bool) -> Built:
    shutil.copytree(SAMPLES / "garden/docs", root / "docs")
    config = (SAMPLES / "garden/mkdocs.yml").read_text(encoding="utf-8")
    assert "https://example.org/garden/" in config
    config = config.replace("https://example.org/garden/", base)
    project = Project(root)
    project.base = base
    project.write(
        "mkdocs.yml",
        config.replace("- sitemap-index:", f"- sitemap-index:\n      gzip: {is_compressed}"),
    )
    project.write(".gitignore", "www/\n")
    project.commit(DATE)
    return project.build("--strict", site="www/docs")


def _pelican(root: Path, base: str, *, is_compressed: bool) -> Output:
    blog = Blog(root)
    shutil.copytree(
        SAMPLES / "pelican", root, dirs_exist_ok=True, ignore=shutil.ignore_patterns("output")
    )
    blog.write(".gitignore", "www/\n")
    blog.commit(DATE)
    options = {
        "SITEURL": base.rstrip("/"),
        "PLUGINS": [PLUGIN],
        "SITEMAP_INDEX": {"gzip": is_compressed},
    }
    blog.command(
        "-o", "www/docs", "-e", *(f"{name}={json.dumps(value)}" for name, value in options.items())
    )
    return Output(root / "www/docs", base)


BUILD: dict[str, Callable[..., Built | Output]] = {"mkdocs": _mkdocs, "pelican": _pelican}
NOT_LISTED = {
    *("404.html", "shed/inventory/index.html"),
    *("drafts/what-comes-next.html", "thanks/index.html", "news/index2.html", "news/index3.html"),
}
"""What the sample sites have on disk, and for a reason in no sitemap."""


@pytest.mark.parametrize(
    "reader",
    [ULTIMATE_SITEMAP_PARSER, ADVERTOOLS, SCRAPY],
    ids=["ultimate-sitemap-parser", "advertools", "scrapy"],
)
def test_a_reader_finds_exactly_the_pages_with_their_dates_and_complains_of_nothing(
    site: Site, reader: str, tmp_path: Path
) -> None:
    web, built = site
    out = tmp_path / "found.json"
    command = [sys.executable, "-W", "ignore", "-c", reader, web.base, str(out)]
    environment = {**os.environ, "no_proxy": "127.0.0.1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not re.search("warning|error", done.stderr, re.IGNORECASE), done.stderr
    found = json.loads(out.read_text(encoding="utf-8"))
    assert sorted(url for url, _ in found) == sorted(_pages_on_disk(built.directory, built.base))
    assert {url: _moment(date) for url, date in found} == _listed(built)


def _pages_on_disk(directory: Path, base: str) -> list[str]:
    files = {path.relative_to(directory).as_posix() for path in directory.rglob("*.html")}
    return [base + quote(name.removesuffix("index.html")) for name in files - NOT_LISTED]


def _listed(built: Built | Output) -> dict[str, datetime]:
    """Give the dates that are written, by the URL, whether it is told whole or from the site's own
    on.
    """
    return {urljoin(built.base, url): _moment(date or "") for url, date in built.pages.items()}


def _moment(date: str) -> datetime:
    """Read a date; one without a time is meant in UTC, as the readers take it."""
    moment = datetime.fromisoformat(date)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
