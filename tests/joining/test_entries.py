"""Which sitemaps the root index lists: those that are whole, in scope and there.

All else is a finding.
"""

import errno
import io
import os
from pathlib import Path

import pytest
from fsspec.implementations.local import LocalFileSystem

from smindex_plugins import join
from smindex_plugins.reading.document import Document
from smindex_plugins.reading.found import Found
from smindex_plugins.reading.reader import read
from smindex_plugins.writing.robots import read_consents
from tests.support.command import BASE, INDEX, every, joined, listed, make
from tests.support.planted import index, urlset, write

OTHER = "https://f.org"

BROKEN: dict[str, tuple[dict[str, str | bytes], set[str]]] = {
    "missing": ({"b/sitemap_index.xml": index(f"{BASE}b/x.xml")}, {"missing-sitemap"}),
    "no XML": ({"b/sitemap_index.xml": "<sitemapindex"}, {"unreadable-sitemap"}),
    "page": ({"b/sitemap_index.xml": "<!doctype html><title>404</title>"}, {"unsupported-format"}),
    "empty": ({"b/sitemap_index.xml": index()}, {"empty-sitemap"}),
    "scope": (
        {"b/sitemap_index.xml": index(f"{BASE}a/sitemap-root.xml")},
        {"sitemap-outside-index"},
    ),
    "above": ({"b/sitemap_index.xml": index(f"{BASE}b/../sitemap.xml")}, {"sitemap-outside-index"}),
    "encoded": (
        {"b/sitemap_index.xml": index(f"{BASE}b/..%2Fa/sitemap-root.xml")},
        {"missing-sitemap"},
    ),
    "origin": (
        {"b/sitemap_index.xml": index(f"{OTHER}/docs/b/sitemap.xml")},
        {"sitemap-outside-index"},
    ),
    "pages": ({"b/sitemap.xml": urlset(f"{BASE}a/x/")}, {"outside-scope"}),
    "directory": (
        {"b/sitemap_index.xml": index(f"{BASE}b/x.xml"), "b/x.xml/y": ""},
        {"missing-sitemap"},
    ),
    "nested": (
        {"b/sitemap.xml": index(f"{BASE}b/y.xml"), "b/y.xml": index(f"{BASE}b/0.xml")},
        {"nested-index"},
    ),
    "gzip": ({"b/sitemap.xml.gz": b"\x1f\x8b\x08torn"}, {"compression-error"}),
    "versions": ({"versions.json": "{"}, {"unreadable-versions"}),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_build_is_a_finding_and_the_others_are_joined(tmp_path: Path, name: str) -> None:
    files, checks = BROKEN[name]
    make(tmp_path, "a")
    write(tmp_path, files)
    found = joined(tmp_path, *checks, site_url=BASE)
    assert [path for path in found if not path.startswith("b/sitemap.xml")] == every("a/")


def test_what_cannot_be_read_is_neither_listed_nor_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, "a")
    write(tmp_path, {INDEX: "theirs"})
    closed = {"guide/sitemap.xml"}
    cat_file = LocalFileSystem.cat_file

    def refuse(files: LocalFileSystem, path: str, **options: int) -> bytes:
        if path.endswith(tuple(closed)):
            # which stops no test that root runs
            raise PermissionError(errno.EACCES, "Permission denied")
        return bytes(cat_file(files, path, **options))

    monkeypatch.setattr(LocalFileSystem, "cat_file", refuse)
    assert joined(tmp_path, "missing-sitemap", "unreadable-sitemap", "file-not-ours") == []
    closed.add(f"{tmp_path.name}/{INDEX}")  # so that nobody knows who wrote it
    assert "cannot-write" in {
        finding.check for finding in join(str(tmp_path), site_url=BASE).findings
    }
    assert (tmp_path / INDEX).read_text() == "theirs"
    os.remove(tmp_path / INDEX)
    closed.remove(f"{tmp_path.name}/{INDEX}")
    assert joined(tmp_path, "missing-sitemap") == ["a/sitemap-root.xml"]


def test_without_a_sitemap_that_may_be_listed_nothing_is_written(tmp_path: Path) -> None:
    write(tmp_path, {"b/sitemap_index.xml": index(f"{OTHER}/docs/b/sitemap.xml")})
    assert joined(tmp_path, "sitemap-outside-index", "nothing-to-list", site_url=BASE) == []
    assert not (tmp_path / INDEX).exists()


def test_a_sitemap_without_an_index_is_listed_itself_with_the_newest_of_its_dates(
    tmp_path: Path,
) -> None:
    days = ("2026-01-02", "2026-01-01", "3026-01-01")
    content = urlset(*(f"<loc>{BASE}a/{day}</loc><lastmod>{day}</lastmod>" for day in days))
    write(tmp_path, {"a/sitemap.xml": content, "a/sitemap.xml.gz": content})
    assert joined(tmp_path, "future-date") == ["a/sitemap.xml"]
    assert listed(tmp_path / INDEX) == {"a/sitemap.xml": "2026-01-02"}


def addition(*urls: str, of: str) -> Found:
    """Give an index that was fetched from elsewhere."""
    return Found.alone(read(io.BytesIO(index(*urls).encode()), Document(url=of)))


def test_an_index_elsewhere_on_the_same_origin_is_added(tmp_path: Path) -> None:
    make(tmp_path, "a")
    other = addition(f"{BASE}x/a.xml", f"{BASE}x/b.xml", of=f"{BASE}x/sitemap_index.xml")
    write(tmp_path, {"x/a.xml": urlset(f"{BASE}x/a"), "x/b.xml": urlset(f"{BASE}x/b")})
    assert joined(tmp_path, additions=[other], site_url=BASE) == [
        *every("a/"),
        "x/a.xml",
        "x/b.xml",
    ]


@pytest.mark.parametrize(
    ("robots", "checks"),
    [
        (f"Sitemap: {BASE}{INDEX}\n", ()),
        (f"Sitemap: {OTHER}/sitemap_index.xml\n", ("unproven-cross-site", "sitemap-outside-index")),
        (None, ("sitemap-outside-index",)),
    ],
)
def test_sitemaps_of_another_site_are_listed_if_it_agrees(
    tmp_path: Path, robots: str | None, checks: tuple[str, ...]
) -> None:
    """Those that were fetched from there, and those that a build lists."""
    make(tmp_path, "a")
    write(tmp_path, {"b/sitemap_index.xml": index(f"{OTHER}/c.xml"), "f/robots.txt": robots or ""})
    consents = read_consents([(OTHER, "f")] if robots else [], str(tmp_path))
    other = addition(f"{OTHER}/a.xml", of=f"{OTHER}/sitemap_index.xml")
    found = joined(tmp_path, *checks, site_url=BASE, additions=[other], consents=consents)
    assert found == [*every("a/"), *([] if checks else [f"{OTHER}/a.xml", f"{OTHER}/c.xml"])]


def test_a_proof_that_cannot_be_read_leaves_the_index_as_it_was(tmp_path: Path) -> None:
    make(tmp_path, "a")
    assert joined(tmp_path, site_url=BASE) == every("a/")
    before = (tmp_path / INDEX).read_bytes()
    make(tmp_path, "b")
    consents = read_consents([(OTHER, "nowhere")], str(tmp_path))
    assert joined(tmp_path, "unproven-cross-site", site_url=BASE, consents=consents) == []
    assert (tmp_path / INDEX).read_bytes() == before
