"""Several builds become one index: flattened, in scope where they are served, and stable."""

import errno
import json
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from smindex_plugins.joining import join as smindex_join
from smindex_plugins.joining import join_builds
from smindex_plugins.settings import Settings
from smindex_plugins.sitemaps import output
from smindex_plugins.sitemaps.rendering import JOINED
from smindex_plugins.storage import Storage
from tests.support.command import BASE, DAY, INDEX, every, join, listed, make
from tests.support.locked import holder
from tests.support.planted import index, urlset, write


def clean(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["check", str(root), "--fail-on", "notice"]) == 0, capsys.readouterr().out


def test_the_index_lists_the_sitemaps_of_all_builds_sorted_with_their_dates_and_no_index(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make(tmp_path, "b", day="2026-01-02")
    make(tmp_path, "a")
    found = join(tmp_path)
    assert capsys.readouterr().out == f"nothing wrong; 4 sitemaps of 2 builds in {BASE}{INDEX}, 4 added\n"
    assert list(found.items()) == [(path, "2026-01-02" if path[0] == "b" else DAY) for path in every("a/", "b/")]
    clean(tmp_path, capsys)


def test_a_call_joins_as_the_command_does(tmp_path: Path) -> None:
    make(tmp_path, "a")
    report = smindex_join(str(tmp_path))
    assert (report.index_urls, report.sitemaps, report.changes.written) == ([BASE + INDEX], 2, [INDEX])
    assert not report.findings
    assert list(join(tmp_path)) == every("a/")
    assert smindex_join(str(tmp_path), site_url=BASE.rstrip("/")).changes.unchanged == [INDEX]


def test_a_second_run_touches_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make(tmp_path, "a")
    join(tmp_path)
    before = (tmp_path / INDEX).stat()
    capsys.readouterr()
    join(tmp_path)
    assert capsys.readouterr().out.endswith(", unchanged\n")
    assert (tmp_path / INDEX).stat() == before


def test_a_build_that_is_gone_leaves_the_index(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make(tmp_path, "a")
    make(tmp_path, "b")
    join(tmp_path)
    shutil.rmtree(tmp_path / "a")
    assert list(join(tmp_path)) == every("b/")
    assert "2 removed" in capsys.readouterr().out


def test_builds_are_found_some_directories_deep_but_not_inside_one_another(tmp_path: Path) -> None:
    """As TechDocs lays them out: namespace, kind, name."""
    make(tmp_path, "default/component/web")
    make(tmp_path, "default/component/web/de")
    make(tmp_path, "x/y/z/deep")
    make(tmp_path, ".hidden")
    assert list(join(tmp_path)) == every("default/component/web/")


def test_builds_inside_a_build_are_joined_there_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Languages that are built apart, in a monorepo."""
    make(tmp_path, "web")
    make(tmp_path, "web/de")
    assert main(["join", str(tmp_path / "web")]) == 0
    assert list(join(tmp_path)) == every("web/", "web/de/")
    clean(tmp_path, capsys)


def test_versions_inside_a_build_are_joined_there_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Which of them are joined has been decided there."""
    make(tmp_path, "blog")
    make(tmp_path, "api/1.0")
    make(tmp_path, "api/2.0")
    versions = [
        {"version": version, "title": version, "aliases": ["lts"] * (version == "1.0")} for version in ("2.0", "1.0")
    ]
    write(tmp_path, {"api/versions.json": json.dumps(versions)})
    assert list(join(tmp_path)) == every("api/2.0/", "blog/")
    assert main(["join", str(tmp_path / "api"), "--versions", "1.0"]) == 0
    assert list(join(tmp_path)) == every("api/1.0/", "blog/")
    clean(tmp_path, capsys)
    # What is forgotten of a version that is listed is no less forgotten than elsewhere.
    write(tmp_path, {"api/1.0/sitemap-old.xml": urlset(f"{BASE}api/1.0/old")})
    assert main(["check", str(tmp_path), "--fail-on", "warning"]) == 1
    assert "api/1.0/sitemap-old.xml: it is a sitemap that nothing lists" in capsys.readouterr().out


class TestTheRootsOwnBuild:
    """What the root's own build lists stays listed, also when it has been written over."""

    def test_it_is_kept_first_and_marked_off(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        make(tmp_path, "blog")
        make(tmp_path)
        own = (tmp_path / INDEX).read_bytes()
        assert list(join(tmp_path)) == [*every(""), *every("blog/")]
        content = (tmp_path / INDEX).read_bytes()
        assert content.partition(JOINED)[0] + b"</sitemapindex>\n" == own
        clean(tmp_path, capsys)
        join(tmp_path)
        assert (tmp_path / INDEX).read_bytes() == content

    def test_building_it_again_and_joining_gives_the_same(self, tmp_path: Path) -> None:
        make(tmp_path, "blog")
        make(tmp_path)
        join(tmp_path)
        content = (tmp_path / INDEX).read_bytes()
        make(tmp_path)
        assert b"/blog/" not in (tmp_path / INDEX).read_bytes()
        assert (tmp_path / "blog" / "guide" / "sitemap.xml").exists()
        join(tmp_path)
        assert (tmp_path / INDEX).read_bytes() == content

    def test_building_it_again_removes_its_own_old_sitemaps_alone(self, tmp_path: Path) -> None:
        make(tmp_path, "blog")
        make(tmp_path)
        join(tmp_path)
        make(tmp_path, "", "", "about")
        assert not (tmp_path / "guide" / "sitemap.xml").exists()
        assert list(join(tmp_path)) == ["sitemap-root.xml", *every("blog/")]

    def test_what_it_lists_no_more_leaves_the_index(self, tmp_path: Path) -> None:
        make(tmp_path, "blog")
        make(tmp_path)
        join(tmp_path)
        (tmp_path / "guide" / "sitemap.xml").unlink()
        assert list(join(tmp_path, code=1)) == ["sitemap-root.xml", *every("blog/")]
        assert list(join(tmp_path)) == ["sitemap-root.xml", *every("blog/")]

    def test_under_another_name_it_stays_as_it_is(self, tmp_path: Path) -> None:
        make(tmp_path, "blog")
        make(tmp_path)
        own = (tmp_path / INDEX).read_bytes()
        for _ in range(2):
            join(tmp_path, "--index-filename", "all.xml")
            assert list(listed(tmp_path / "all.xml")) == sorted([*every(""), *every("blog/")])
        assert (tmp_path / INDEX).read_bytes() == own

    def test_its_sections_are_not_read_nor_taken_for_builds(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        make(tmp_path, "", "", "x/b/1", "x/b/2", "guide/a", "guide/b", section_depth=2)
        write(tmp_path, {"b/sitemap.xml": urlset(f"{BASE}b/")})
        (tmp_path / "guide" / "sitemap.xml").write_bytes(b"torn")
        assert list(join(tmp_path)) == ["guide/sitemap.xml", "sitemap-root.xml", "x/b/sitemap.xml", "b/sitemap.xml"]
        assert "4 sitemaps of 2 builds" in capsys.readouterr().out

    def test_its_flat_sitemap_is_not_listed_beside_its_index(self, tmp_path: Path) -> None:
        """As MkDocs writes it, and themes read it."""
        make(tmp_path, "blog")
        make(tmp_path)
        write(tmp_path, {"sitemap.xml": urlset(BASE, f"{BASE}guide/a", f"{BASE}guide/b")})
        for _ in range(2):
            assert list(join(tmp_path)) == [*every(""), *every("blog/")]

    def test_its_only_sitemap_is_listed_where_it_has_no_index(self, tmp_path: Path) -> None:
        """As that of MkDocs without a plugin."""
        make(tmp_path, "blog")
        write(tmp_path, {"sitemap.xml": urlset(BASE, f"{BASE}about/"), "about/index.html": "a"})
        for _ in range(2):
            assert list(join(tmp_path)) == [*every("blog/"), "sitemap.xml"]

    def test_several_indexes_of_it_become_one_with_what_is_joined(self, tmp_path: Path) -> None:
        make(tmp_path, "", "a/1", "a/2", "b/1", "b/2", "c/1", "c/2", max_urls=2)
        make(tmp_path, "blog")
        assert (tmp_path / "sitemap_index-2.xml").exists()
        assert list(join(tmp_path)) == ["a/sitemap.xml", "b/sitemap.xml", "c/sitemap.xml", *every("blog/")]
        assert not list(tmp_path.glob("sitemap_index-*"))

    def test_its_sitemaps_stay_listed_where_a_run_was_killed_before_it_removed_those(self, tmp_path: Path) -> None:
        make(tmp_path, "", "a/1", "a/2", "b/1", "b/2", "c/1", "c/2", max_urls=2)
        make(tmp_path, "blog")
        last = (tmp_path / "sitemap_index-2.xml").read_bytes()
        found = join(tmp_path)
        (tmp_path / "sitemap_index-2.xml").write_bytes(last)
        assert join(tmp_path) == found
        assert not list(tmp_path.glob("sitemap_index-*"))


def test_an_index_of_somebody_else_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make(tmp_path, "a")
    write(tmp_path, {INDEX: index(f"{BASE}a/sitemap-root.xml")})
    before = (tmp_path / INDEX).read_bytes()
    join(tmp_path, code=1)
    output = capsys.readouterr().out
    assert "give another --index-filename. [file-not-ours]" in output
    assert output.endswith("1 error; nothing was written\n")
    assert (tmp_path / INDEX).read_bytes() == before


def test_an_index_that_cannot_be_read_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody knows who wrote it."""
    make(tmp_path, "a")
    write(tmp_path, {INDEX: "theirs"})
    read = Storage.read
    closed = PermissionError(errno.EACCES, "Permission denied")
    monkeypatch.setattr(Storage, "read", lambda *given: closed if given[1] == INDEX else read(*given))
    found = {finding.check for finding in join_builds(str(tmp_path)).report.findings}
    assert found == {"unreadable-sitemap", "cannot-write"}
    assert (tmp_path / INDEX).read_text() == "theirs"


def test_an_index_that_another_index_lists_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make(tmp_path, "a")
    languages = {
        "b/sitemap.xml": index(f"{BASE}b/de/sitemap.xml", f"{BASE}b/en/sitemap.xml"),
        "b/de/sitemap.xml": urlset(f"{BASE}b/de/x/"),
        "b/en/sitemap.xml": index(f"{BASE}b/en/0.xml"),
        "b/en/0.xml": urlset(f"{BASE}b/en/x/"),
    }
    write(tmp_path, languages)
    assert list(join(tmp_path, code=1)) == [*every("a/"), "b/de/sitemap.xml"]
    assert f"lists {BASE}b/en/sitemap.xml, which is an index itself" in capsys.readouterr().out


def test_builds_whose_indexes_an_index_of_another_tool_lists_are_joined_themselves(tmp_path: Path) -> None:
    make(tmp_path, "a")
    write(tmp_path, {"sitemap.xml": index(f"{BASE}a/{INDEX}", f"{BASE}b.xml"), "b.xml": urlset(f"{BASE}b")})
    assert list(join(tmp_path, code=1)) == [*every("a/"), "b.xml"]


def test_a_sitemap_that_cannot_be_read_is_not_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make(tmp_path, "a")
    read = Storage.read
    closed = PermissionError(errno.EACCES, "Permission denied")
    monkeypatch.setattr(Storage, "read", lambda *given: closed if "guide" in given[1] else read(*given))
    assert list(join(tmp_path, code=1)) == ["a/sitemap-root.xml"]
    assert "but that file cannot be read. " in capsys.readouterr().out


def test_a_version_with_the_urls_of_another_is_left_out_only_if_that_is_joined(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As mike deploys with canonical_version: each version calls itself `latest`."""
    for path in ("1.0", "2.0", "latest"):
        make(tmp_path, path, at=f"{BASE}latest/")
    versions = [{"version": "2.0", "aliases": ["latest"]}, {"version": "1.0", "aliases": []}]
    write(tmp_path, {"versions.json": json.dumps(versions)})
    for chosen in ([], ["--versions", "all"]):
        assert list(join(tmp_path, *chosen)) == every("latest/")
    assert list(join(tmp_path, "--versions", "1.0", "--site-url", BASE, code=1)) == every("latest/")
    assert f"lists {BASE}latest/guide/sitemap.xml, which is outside {BASE}1.0/" in capsys.readouterr().out


def test_a_sitemap_without_an_index_is_listed_itself_with_the_newest_of_its_dates(tmp_path: Path) -> None:
    entries = [
        f"<loc>{BASE}a/{day}</loc><lastmod>{day}</lastmod>" for day in ("2026-01-02", "2026-01-01", "3026-01-01")
    ]
    write(tmp_path, {"a/sitemap.xml": urlset(*entries), "a/sitemap.xml.gz": urlset(*entries)})
    assert join(tmp_path) == {"a/sitemap.xml": "2026-01-02"}


BROKEN: dict[str, tuple[dict[str, str | bytes], str]] = {
    "missing": ({"b/sitemap_index.xml": index(f"{BASE}b/x.xml")}, "missing-sitemap"),
    "no-xml": ({"b/sitemap_index.xml": "<sitemapindex"}, "unreadable-sitemap"),
    "page": ({"b/sitemap_index.xml": "<!doctype html><title>404</title>"}, "unsupported-format"),
    "empty": ({"b/sitemap_index.xml": index()}, "empty-sitemap"),
    "scope": ({"b/sitemap_index.xml": index(f"{BASE}a/sitemap-root.xml")}, "sitemap-outside-index"),
    "above": ({"b/sitemap_index.xml": index(f"{BASE}b/../sitemap.xml")}, "sitemap-outside-index"),
    "encoded": ({"b/sitemap_index.xml": index(f"{BASE}b/..%2Fa/sitemap-root.xml")}, "missing-sitemap"),
    "origin": ({"b/sitemap_index.xml": index("https://f.org/docs/b/sitemap.xml")}, "sitemap-outside-index"),
    "scheme": ({"b/sitemap_index.xml": index("http://e.org/docs/b/x.xml"), "b/x.xml": ""}, "sitemap-outside-index"),
    "pages": ({"b/sitemap.xml": urlset(f"{BASE}a/x/")}, "outside-scope"),
    "date": ({"b/sitemap.xml": urlset(f"<loc>{BASE}b/</loc><lastmod>tomorrow</lastmod>")}, "invalid-date"),
    "directory": ({"b/sitemap_index.xml": index(f"{BASE}b/x.xml"), "b/x.xml/y": ""}, "missing-sitemap"),
    "gzip": ({"b/sitemap.xml.gz": b"\x1f\x8b\x08torn"}, "compression-error"),
    "versions": ({"versions.json": "{"}, "unreadable-versions"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_build_is_a_finding_and_the_others_are_joined(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    files, check = BROKEN[name]
    make(tmp_path, "a")
    write(tmp_path, files)
    found = join(tmp_path, "--site-url", BASE, code=1)
    assert [path for path in found if not path.startswith("b/sitemap.xml")] == every("a/")
    assert f"[{check}]" in capsys.readouterr().out


def test_without_a_sitemap_that_may_be_listed_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, {"b/sitemap_index.xml": index("https://f.org/docs/b/sitemap.xml")})
    assert join(tmp_path, "--site-url", BASE, code=1) == {}
    assert "[nothing-to-list]" in capsys.readouterr().out


def test_a_link_that_leads_out_of_the_root_is_not_followed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = tmp_path / "root"
    make(root, "a")
    make(tmp_path, "b")
    (root / "b").symlink_to(tmp_path / "b")
    assert list(join(root, "-v")) == every("a/")
    assert "b: not joined, because it is a link out of the root" in capsys.readouterr().out


def test_a_link_to_another_build_is_listed_once_where_it_is_in_scope(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make(tmp_path, "a")
    make(tmp_path, "b", at=f"{BASE}c/")
    for link, target in (("c", "b"), ("d", "a"), ("loop", "."), ("a/loop", ".."), ("e", "e")):
        (tmp_path / link).symlink_to(target)
    assert list(join(tmp_path, "-v")) == every("a/", "c/")
    assert "b: not joined, because c has the same URLs and is joined" in capsys.readouterr().out
    clean(tmp_path, capsys)


def test_a_link_to_a_hidden_directory_is_the_build_itself(tmp_path: Path) -> None:
    """As tools deploy that keep some releases, and let a link go from one to the next."""
    for release in ("1", "2"):
        make(tmp_path, f".releases/{release}", at=f"{BASE}web/")
    (tmp_path / "web").symlink_to(".releases/2")
    (tmp_path / ".releases" / "2" / "up").symlink_to("..")
    assert list(join(tmp_path)) == every("web/")


def test_a_dry_run_writes_nothing_and_shows_what_would_change(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make(tmp_path, "a")
    make(tmp_path, "b")
    join(tmp_path)
    before = (tmp_path / INDEX).read_bytes()
    shutil.rmtree(tmp_path / "a")
    make(tmp_path, "b", day="2026-02-02")
    make(tmp_path, "c")
    capsys.readouterr()
    join(tmp_path, "--dry-run")
    assert (tmp_path / INDEX).read_bytes() == before
    *changes, summary = capsys.readouterr().out.splitlines()
    assert changes == [
        *(f"+ {BASE}{path}" for path in every("c/")),
        *(f"- {BASE}{path}" for path in every("a/")),
        *(f"~ {BASE}{path}: {DAY} → 2026-02-02" for path in every("b/")),
    ]
    assert summary.endswith("would be 2 added, 2 removed, 2 changed")


def test_a_sitemap_that_a_build_left_behind_is_not_joined(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make(tmp_path, "a")
    make(tmp_path, "b")
    (tmp_path / "b" / INDEX).unlink()
    assert list(join(tmp_path)) == every("a/")
    assert "b/guide/sitemap.xml: no index of its build lists it" in capsys.readouterr().out


def test_an_index_of_an_unusual_name_is_found_by_it_and_told_of_without(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make(tmp_path, "", index_filename="all.xml")
    make(tmp_path, "a")
    make(tmp_path, "b", "", "x/1", index_filename="all.xml")
    assert list(join(tmp_path)) == every("a/")
    output = capsys.readouterr().out
    assert "b/sitemap-root.xml: no index of its build lists it" in output
    join(tmp_path, "--index-filename", "all.xml")
    assert list(listed(tmp_path / "all.xml")) == [*every(""), *every("a/"), "b/sitemap-root.xml"]


def test_a_quiet_run_prints_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make(tmp_path, "a")
    (tmp_path / "a" / "sitemap-root.xml").unlink()
    join(tmp_path, "-q", code=1)
    assert capsys.readouterr() == ("", "")


def cannot_run(arguments: Iterable[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["join", *arguments]) == 2
    out, error = capsys.readouterr()
    assert not out
    assert error.startswith("smindex: ")
    return error


def test_a_root_without_builds_or_without_an_address_cannot_be_joined(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "there is no such directory" in cannot_run([str(tmp_path / "nowhere")], capsys)
    assert "Build what is to be joined" in cannot_run([str(tmp_path)], capsys)
    (tmp_path / "file").touch()
    assert "file: it is a file, and no directory" in cannot_run([str(tmp_path / "file")], capsys)
    assert "over HTTP" in cannot_run(["https://e.org/"], capsys)
    write(tmp_path, {"a/sitemap_index.xml": index("https://e.org/elsewhere/x.xml")})
    assert "give --site-url" in cannot_run([str(tmp_path)], capsys)


def test_a_root_at_a_private_address_is_a_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, {"a/sitemap.xml": urlset("http://localhost:8000/a/x")})
    assert main(["join", str(tmp_path), "--site-url", "http://localhost:8000/", "--fail-on", "warning"]) == 1
    assert "begin with http://localhost:8000/, which only this machine can reach" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["--index-filename", "a/b.xml"], ["--site-url", "e.org"]])
def test_an_argument_that_is_none_is_exit_code_2(tmp_path: Path, arguments: list[str]) -> None:
    assert main(["join", str(tmp_path), *arguments]) == 2


def test_more_indexes_than_search_engines_take_are_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "a")
    monkeypatch.setattr("smindex_plugins.sitemaps.rendering.MAX_INDEXES", 1)
    report = join_builds(str(tmp_path), settings=Settings(max_urls=1)).report
    assert not report.index_urls
    assert not list(tmp_path.glob("sitemap_index*"))
    assert str(report.findings[0]).endswith("Join fewer builds below one root. [too-many-sitemaps]")


def test_an_index_over_the_limits_is_divided_and_shrinks_again(tmp_path: Path) -> None:
    """The numbered indexes of an earlier run vanish, and what the root's own build lists survives both ways."""
    for name in ("", "a", "b"):
        make(tmp_path, name)
    for _ in range(2):
        assert not join_builds(str(tmp_path), settings=Settings(max_urls=3)).report.findings
        assert not (tmp_path / INDEX).exists()
        assert list(listed(tmp_path / "sitemap_index-1.xml")) == [*every(""), every("a/")[0]]
        assert list(listed(tmp_path / "sitemap_index-2.xml")) == [every("a/")[1], *every("b/")]
        assert JOINED in (tmp_path / "sitemap_index-2.xml").read_bytes()
    assert list(join(tmp_path)) == [*every(""), *every("a/", "b/")]
    assert not list(tmp_path.glob("sitemap_index-*"))


def test_a_join_waits_for_a_build_of_its_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make(tmp_path, "a")
    with holder(tmp_path, 0.5):
        assert list(join(tmp_path)) == every("a/")
    monkeypatch.setattr(output, "LOCK_SECONDS", 0.2)
    make(tmp_path, "b")
    with holder(tmp_path):
        assert list(join(tmp_path, code=1)) == every("a/")
        assert list(join(tmp_path, "--dry-run")) == every("a/")
    assert "[directory-in-use]" in capsys.readouterr().out
