"""The pages of a built directory: each file is read once, and its head goes with the page."""

from collections import Counter
from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from smindex_plugins.files import read
from smindex_plugins.model import Head, Page
from smindex_plugins.pipeline import publish
from smindex_plugins.projects import BuiltSite
from smindex_plugins.settings import Site
from tests.support.command import PAGE
from tests.support.planted import write

BASE = "https://e.org/docs/"


def page(tags: str) -> str:
    return PAGE.replace("<title>", f"{tags}<title>")


def only_page(site: BuiltSite) -> Page:
    (file,) = site.files()
    return site.page(file)


def test_a_build_reads_each_page_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clean = page('<link rel="canonical" href="https://e.org/docs/clean">')
    refused = page('<meta name="robots" content="noindex">')
    write(tmp_path, {"index.html": PAGE, "a/index.html": PAGE, "clean.html": clean, "b/index.html": refused})
    opened: Counter[str] = Counter()

    def count(path: str, most: int = -1) -> bytes:
        opened[Path(path).relative_to(tmp_path).as_posix()] += 1
        return read(path, most)

    for module in ("html.page", "pages.media"):
        monkeypatch.setattr(f"smindex_plugins.{module}.read", count)
    assert main(["build", str(tmp_path), "--site-url", BASE, "-q"]) == 0
    assert opened == dict.fromkeys(["index.html", "a/index.html", "clean.html", "b/index.html"], 1)


def test_a_page_at_its_canonical_url_is_listed_there(tmp_path: Path) -> None:
    """A refresh to the canonical URL leads to the page itself, and a reference is relative to that URL."""
    tags = '<link rel="canonical" href="/docs/a"><meta http-equiv="refresh" content="9; url=a">'
    write(tmp_path, {"a.html": page(tags)})
    made = only_page(BuiltSite(directory=str(tmp_path), url=BASE))
    assert made.url == f"{BASE}a"
    assert made.head == Head(refresh=made.url)
    assert publish([made], Site(url=BASE, directory=str(tmp_path))).pages == 1


def test_a_page_of_an_address_that_is_not_normalised_is_listed(tmp_path: Path) -> None:
    write(tmp_path, {"a/index.html": page('<link rel="canonical" href="https://e.org/docs/a/">')})
    made = only_page(BuiltSite(directory=str(tmp_path), url="https://E.org/docs/"))
    assert made.head == Head(canonical=f"{BASE}a/")
    assert publish([made], Site(url=BASE, directory=str(tmp_path))).pages == 1
