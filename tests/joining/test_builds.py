"""Which directories are builds, which of their files count, and where the root is served."""

from pathlib import Path

import pytest

from smindex_plugins import join
from smindex_plugins.base.settings import Settings
from smindex_plugins.joining.root_index import join_builds
from tests.support.command import BASE, INDEX, every, joined, listed, make
from tests.support.planted import index, urlset, write


def test_builds_are_found_three_directories_deep_but_not_inside_one_another(tmp_path: Path) -> None:
    """As TechDocs lays them out: namespace, kind, name."""
    for path in ("default/component/web", "default/component/web/de", "x/y/z/deep", ".hidden"):
        make(tmp_path, path)
    assert joined(tmp_path) == every("default/component/web/")


def test_builds_inside_a_build_are_joined_there_first(tmp_path: Path) -> None:
    """Languages that are built apart, in a monorepo, or versions, of which there is decided which
    are joined.
    """
    for path in ("web", "web/de", "api/1.0", "api/2.0"):
        make(tmp_path, path)
    versions = '[{"version": "2.0", "aliases": []}, {"version": "1.0", "aliases": []}]'
    write(tmp_path, {"api/versions.json": versions})
    assert joined(tmp_path) == every("api/2.0/", "web/")
    join_builds(str(tmp_path / "web"))
    join_builds(str(tmp_path / "api"), versions=["1.0"])
    assert joined(tmp_path) == every("api/1.0/", "web/", "web/de/")


class TestTheRootsOwnBuild:
    """What the root's own build lists stays listed, also if it has been written over."""

    def test_its_sections_are_not_read_nor_taken_for_builds(self, tmp_path: Path) -> None:
        make(tmp_path, "", "", "x/b/1", "x/b/2", "guide/a", "guide/b", section_depth=2)
        write(tmp_path, {"b/sitemap.xml": urlset(f"{BASE}b/"), "guide/sitemap.xml": b"torn"})
        assert joined(tmp_path) == [
            "guide/sitemap.xml",
            "sitemap-root.xml",
            "x/b/sitemap.xml",
            "b/sitemap.xml",
        ]

    def test_its_flat_sitemap_is_listed_only_if_it_has_no_index(self, tmp_path: Path) -> None:
        """As MkDocs writes it, and themes read it."""
        make(tmp_path, "blog")
        write(tmp_path, {"sitemap.xml": urlset(BASE, f"{BASE}about/"), "about/index.html": "a"})
        for _ in range(2):
            assert joined(tmp_path) == [*every("blog/"), "sitemap.xml"]
        (tmp_path / INDEX).unlink()
        make(tmp_path)
        for _ in range(2):
            assert joined(tmp_path) == [*every(""), *every("blog/")]

    def test_several_indexes_of_it_become_one_also_if_a_run_was_killed_before_it_removed_them(
        self, tmp_path: Path
    ) -> None:
        make(tmp_path, "", "a/1", "a/2", "b/1", "b/2", "c/1", "c/2", max_urls=2)
        make(tmp_path, "blog")
        last = (tmp_path / "sitemap_index-2.xml").read_bytes()
        expected = ["a/sitemap.xml", "b/sitemap.xml", "c/sitemap.xml", *every("blog/")]
        assert joined(tmp_path) == expected
        assert not list(tmp_path.glob("sitemap_index-*"))
        (tmp_path / "sitemap_index-2.xml").write_bytes(last)
        assert joined(tmp_path) == expected
        assert not list(tmp_path.glob("sitemap_index-*"))

    def test_under_another_name_it_stays_as_it_is(self, tmp_path: Path) -> None:
        make(tmp_path, "blog")
        make(tmp_path)
        own = (tmp_path / INDEX).read_bytes()
        for _ in range(2):
            found = joined(tmp_path, settings=Settings(index_filename="all.xml"))
            assert found == sorted([*every(""), *every("blog/")])
        assert (tmp_path / INDEX).read_bytes() == own


def test_builds_whose_indexes_an_index_of_another_tool_lists_are_joined_themselves(
    tmp_path: Path,
) -> None:
    make(tmp_path, "a")
    write(
        tmp_path,
        {"sitemap.xml": index(f"{BASE}a/{INDEX}", f"{BASE}b.xml"), "b.xml": urlset(f"{BASE}b")},
    )
    assert joined(tmp_path, "nested-index") == [*every("a/"), "b.xml"]


@pytest.mark.parametrize("name", ["sitemap_index.xml", "sitemap-index.xml"])
@pytest.mark.parametrize("path", ["", "a/"])
def test_a_sitemap_with_the_name_of_an_index_drops_no_other(
    tmp_path: Path, name: str, path: str
) -> None:
    """Neither at the root nor below it. A list of the same pages is not joined."""
    make(tmp_path, "b")
    blog, docs = (urlset(f"{BASE}{path}{each}/") for each in ("blog", "docs"))
    write(
        tmp_path,
        {
            path + name: blog,
            f"{path}sitemap.xml": docs,
            f"{path}sitemap.txt": f"{BASE}{path}docs/\n",
        },
    )
    settings = Settings(index_filename="all.xml")
    assert joined(tmp_path, settings=settings) == sorted(
        [path + name, f"{path}sitemap.xml", *every("b/")]
    )


def test_an_index_that_repeats_another_of_its_build_is_not_joined(tmp_path: Path) -> None:
    make(tmp_path, "a")
    theirs = {
        "a/sitemap-index.xml": index(f"{BASE}a/sitemap-0.xml"),
        "a/sitemap-0.xml": urlset(f"{BASE}a/guide/a"),
    }
    write(tmp_path, theirs)
    assert joined(tmp_path) == every("a/")
    notes = join_builds(str(tmp_path)).notes
    assert (
        "a/sitemap-index.xml: not joined, because it repeats pages of a/sitemap_index.xml" in notes
    )
    write(tmp_path, {"a/sitemap-0.xml": urlset(f"{BASE}a/blog/")})
    assert joined(tmp_path) == sorted(["a/sitemap-0.xml", *every("a/")])


def test_a_sitemap_that_a_build_left_behind_is_not_joined(tmp_path: Path) -> None:
    make(tmp_path, "a")
    make(tmp_path, "b")
    (tmp_path / "b" / INDEX).unlink()
    assert joined(tmp_path, "unlisted-sitemap") == every("a/")


def test_an_index_of_an_unusual_name_is_found_by_it_and_reported_without(tmp_path: Path) -> None:
    make(tmp_path, "", index_filename="all.xml")
    make(tmp_path, "a")
    make(tmp_path, "b", "", "x/1", index_filename="all.xml")
    assert joined(tmp_path, "unlisted-sitemap") == every("a/")
    join_builds(str(tmp_path), settings=Settings(index_filename="all.xml"))
    assert list(listed(tmp_path / "all.xml")) == [*every(""), *every("a/"), "b/sitemap-root.xml"]


def test_a_link_is_followed_only_inside_the_root_and_a_build_listed_once(tmp_path: Path) -> None:
    root = tmp_path / "root"
    make(root, "a")
    make(root, "b", at=f"{BASE}c/")
    make(tmp_path, "outside")
    links = {"c": "b", "d": "a", "loop": ".", "a/loop": "..", "e": "e", "out": "../outside"}
    for link, target in links.items():
        (root / link).symlink_to(target)
    assert joined(root) == every("a/", "c/")
    notes = join_builds(str(root)).notes
    assert "b: not joined, because c has the same URLs and is joined" in notes
    assert "out: not joined, because it is a link to outside the root" in notes


def test_a_link_to_a_hidden_directory_is_the_build_itself(tmp_path: Path) -> None:
    """As tools deploy that keep some releases, and let a link go from one to the next."""
    for release in ("1", "2"):
        make(tmp_path, f".releases/{release}", at=f"{BASE}web/")
    (tmp_path / "web").symlink_to(".releases/2")
    (tmp_path / ".releases" / "2" / "up").symlink_to("..")
    assert joined(tmp_path) == every("web/")


@pytest.mark.parametrize(
    ("root", "words"),
    [
        ("nowhere", "there is no such directory"),
        ("empty", "Build the sites to join"),
        ("file", "file: it is a file, not a directory"),
        ("elsewhere", "don't show the address of the root; pass --site-url"),
    ],
)
def test_a_root_without_builds_or_without_an_address_cannot_be_joined(
    tmp_path: Path, root: str, words: str
) -> None:
    (tmp_path / "empty").mkdir()
    write(tmp_path, {"file": "", "elsewhere/a/sitemap_index.xml": index("https://e.org/x.xml")})
    with pytest.raises(ValueError, match=words):
        join(str(tmp_path / root))


@pytest.mark.parametrize(
    ("root", "words"),
    [
        ("", "the root is empty"),
        ("https://e.org/", "over HTTP"),
        ("memory://bucket/nowhere", "memory://bucket/nowhere/: there is no such directory"),
        ("adl://b/d", "(?i)install"),
        ("nosuch://b/d", "nosuch"),
    ],
)
def test_what_is_no_directory_or_storage_cannot_be_joined(root: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        join(root)
