"""The pages of a built directory: each file is read once, and what it says goes with the page."""

from collections import Counter
from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from smindex_plugins.files import read_regular
from smindex_plugins.model import Page, Said
from smindex_plugins.pipeline import publish
from smindex_plugins.projects import BuiltSite
from smindex_plugins.sitemaps import temporary
from tests.support.command import PAGE

BASE = "https://e.org/docs/"


def page(tags: str) -> str:
    return PAGE.replace("<title>", f"{tags}<title>")


def write(site: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(content, encoding="utf-8")


def only_page(site: BuiltSite) -> Page:
    (file,) = site.files()
    return site.page(file)


@pytest.mark.parametrize("flags", [(), ("--images", "--videos")])
def test_a_build_opens_each_page_once(flags: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clean = page('<link rel="canonical" href="https://e.org/docs/clean">')
    refused = page('<meta name="robots" content="noindex">')
    write(tmp_path, {"index.html": PAGE, "a/index.html": PAGE, "clean.html": clean, "b/index.html": refused})
    opened: Counter[str] = Counter()

    def count(path: str, most: int, *, is_known: bool = False) -> bytes:
        opened[Path(path).relative_to(tmp_path).as_posix()] += 1
        return read_regular(path, most, is_known=is_known)

    for module in ("projects.pages", "markup.head", "markup.content"):
        monkeypatch.setattr(f"smindex_plugins.{module}.read_regular", count)
    assert main(["build", str(tmp_path), "--site-url", BASE, "-q", *flags]) == 0
    assert opened == dict.fromkeys(["index.html", "a/index.html", "clean.html", "b/index.html"], 1)


def test_a_page_says_what_it_says_at_its_own_url(tmp_path: Path) -> None:
    """A refresh to the canonical URL leads to the page itself, and a reference is relative to that URL."""
    said = '<link rel="canonical" href="/docs/a"><meta http-equiv="refresh" content="9; url=a">'
    write(tmp_path, {"a.html": page(said)})
    made = only_page(BuiltSite(directory=str(tmp_path), url=BASE))
    assert made.url == f"{BASE}a"
    assert made.details.said == Said(refresh=made.url)
    assert publish([made], site_url=BASE, directory=str(tmp_path)).pages == 1


def test_what_was_read_at_another_url_is_read_again(tmp_path: Path) -> None:
    """The address that a caller hands over is not in its normal form."""
    write(tmp_path, {"a/index.html": page('<link rel="canonical" href="https://e.org/docs/a/">')})
    made = only_page(BuiltSite(directory=str(tmp_path), url="https://E.org/docs/"))
    assert made.details.said == Said(canonical=f"{BASE}a/")
    assert publish([made], site_url=BASE, directory=str(tmp_path)).pages == 1


def test_a_build_removes_what_killed_runs_left_and_looks_at_the_directory_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, dict.fromkeys(("index.html", "a/index.html", "other/x.html", "other/b/y.html"), PAGE))
    write(tmp_path, {"other/sitemap_index.xml": "of another site"})
    places = [tmp_path / place for place in ("", "a", "a/b", "other", "other/b", ".git")]
    left = []
    for place in places:
        place.mkdir(exist_ok=True)
        left.append(Path(temporary.new_name(str(place))))
        left[-1].write_text("half a sit")
    (tmp_path / "a/.smindex-mine").write_text("mine")
    monkeypatch.setattr("smindex_plugins.sitemaps.temporary.walk", lambda _: pytest.fail("it was walked again"))
    assert main(["build", str(tmp_path), "--site-url", BASE, "-q"]) == 0
    assert [path.parent for path in left if path.exists()] == places[3:]
    assert (tmp_path / "a/.smindex-mine").exists()
