"""`smindex join`: what it prints, what it fetches, and its exit codes."""

from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from tests.support.command import BASE, DAY, INDEX, every, listed, make
from tests.support.planted import index, urlset, write
from tests.support.servers import Server


def join(root: Path, *arguments: str, code: int = 0) -> list[str]:
    assert main(["join", str(root), *arguments]) == code
    return list(listed(root / INDEX)) if (root / INDEX).exists() else []


def test_it_says_what_it_listed_and_what_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a", "b"):
        make(tmp_path, name)
    assert join(tmp_path) == every("a/", "b/")
    assert (
        capsys.readouterr().out
        == f"nothing wrong; 4 sitemaps of 2 builds in {BASE}{INDEX}, 4 added\n"
    )
    join(tmp_path)
    assert capsys.readouterr().out.endswith(", unchanged\n")
    make(tmp_path, "b", day="2026-02-02")
    make(tmp_path, "c")
    (tmp_path / "a" / INDEX).unlink()
    for name in ("guide/sitemap.xml", "sitemap-root.xml"):
        (tmp_path / "a" / name).unlink()
    before = (tmp_path / INDEX).read_bytes()
    join(tmp_path, "--dry-run")
    assert (tmp_path / INDEX).read_bytes() == before
    *changes, summary = capsys.readouterr().out.splitlines()
    assert changes == [
        *(f"- {BASE}{path}" for path in every("a/")),
        *(f"+ {BASE}{path}" for path in every("c/")),
        *(f"~ {BASE}{path}: {DAY} → 2026-02-02" for path in every("b/")),
    ]
    assert summary.endswith("would be 2 added, 2 removed, 2 changed")


def test_what_is_wrong_is_printed_and_exit_code_1_unless_it_is_quiet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make(tmp_path, "a")
    (tmp_path / "a" / "sitemap-root.xml").unlink()
    join(tmp_path, code=1)
    assert "(missing-sitemap)" in capsys.readouterr().out
    join(tmp_path, "-q", code=1)
    assert capsys.readouterr() == ("", "")
    write(tmp_path, {INDEX: index(f"{BASE}a/guide/sitemap.xml")})
    join(tmp_path, code=1)
    assert capsys.readouterr().out.endswith("; nothing was written\n")


def test_an_index_on_the_web_is_added_also_of_another_site_that_agrees(
    tmp_path: Path, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    server.serve("/sitemap_index.xml", index(f"{server.base}a.xml"))
    server.serve("/a.xml", urlset(f"{server.base}a"))
    server.serve("/robots.txt", f"Sitemap: {BASE}{INDEX}\n")
    make(tmp_path, "a")
    assert join(tmp_path, "--add", server.base, code=1) == every("a/")
    assert f"lists {server.base}a.xml, which is outside {BASE}" in capsys.readouterr().out
    cross_site = f"--cross-site={server.base.rstrip('/')}"
    for place in ("", f"={server.base}robots.txt"):
        assert join(tmp_path, "--add", server.base, cross_site + place) == [
            f"{server.base}a.xml",
            *every("a/"),
        ]
    join(tmp_path, "--add", f"{server.base}nothing.xml", code=1)
    assert (
        "nothing.xml: it can't be fetched: the server answers with 404." in capsys.readouterr().out
    )
