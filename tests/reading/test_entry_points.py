"""Which files of a site list its pages: chosen by what they are, in whatever order their names
come.
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from smindex_plugins.checks.applying import DirectoryCheck
from smindex_plugins.checks.audit import Audit
from smindex_plugins.cli.main import main
from smindex_plugins.overview.overview import look
from smindex_plugins.reading.directory import Directory
from smindex_plugins.reading.document import Document
from smindex_plugins.reading.entry_points import Candidate, Lists, choose, usual_files
from tests.support.command import PAGE, SITE
from tests.support.listed import document
from tests.support.planted import index, urlset, write

OURS = "<!-- Written by smindex-plugins -->\n<"


def ours(text: str) -> str:
    return text.replace("<urlset", f"{OURS}urlset").replace("<sitemapindex", f"{OURS}sitemapindex")


def listing(*paths: str) -> str:
    return urlset(*(SITE + path for path in paths))


def lines(*names: str) -> str:
    return "".join(f"Sitemap: {SITE}{name}\n" for name in names)


# Names and candidates


def test_a_divided_index_and_compressed_files_have_usual_names_but_a_compressed_copy_is_no_other_file() -> (
    None
):
    names = {
        "sitemap_index-2.xml",
        "sitemap_index-10.xml",
        "sitemap-1.xml",
        "sitemap.xml",
        "sitemap.xml.gz",
        "a.xml",
    }
    assert usual_files(names) == ["sitemap_index-2.xml", "sitemap_index-10.xml", "sitemap.xml"]
    assert usual_files({"all-1.xml", "sitemap.xml.gz"}, "all.xml") == [
        "all-1.xml",
        "sitemap.xml.gz",
    ]


def places(*candidates: Candidate, first: str = "") -> list[list[str]]:
    return [[each.place for each in group] for group in choose(candidates, first)]


def test_ours_comes_first_then_what_lists_others_whatever_the_order_of_the_names() -> None:
    theirs = Candidate(place="theirs", children=("c",))
    several = (
        Candidate(place="urlset"),
        theirs,
        Candidate(place="ours-1", is_ours=True, children=("a",)),
        Candidate(place="ours-2", is_ours=True, children=("b",)),
    )
    for given in permutations(several):
        groups = places(*given)
        assert [sorted(group) for group in groups] == [["ours-1", "ours-2"], ["theirs"], ["urlset"]]
    assert places(*several, first="theirs")[0] == ["theirs"]
    assert places(*several, first="urlset")[0] == ["ours-1", "ours-2"]


def test_what_another_lists_or_repeats_is_no_entry_point_and_a_circle_has_one() -> None:
    top = Candidate(place="top", children=("a", "urlset"))
    assert places(Candidate(place="urlset"), top, Candidate(place="again", children=("a",))) == [
        ["top"]
    ]
    assert places(top, Candidate(place="again", children=("a",), is_named=True)) == [
        ["top"],
        ["again"],
    ]
    circle = (
        Candidate(place="one", children=("two",)),
        Candidate(place="two", children=("one", "a")),
    )
    assert places(*circle) == [["one"]]


def test_a_file_that_is_no_sitemap_is_only_an_entry_point_without_another() -> None:
    page = Candidate(place="page", is_sitemap=False)
    assert places(page, Candidate(place="urlset")) == [["urlset"]]
    assert places(page) == [["page"]]


def test_most_of_the_pages_make_a_copy_and_beside_ours_it_adds_none() -> None:
    def added(first: Document, *others: Document) -> list[tuple[bool, bool]]:
        lists = Lists()
        shares = []
        for each in (first, *others):
            lists.begin_group()
            shares.append(lists.add(each))
        return [(share.is_copy, share.counts) for share in shares[1:]]

    def theirs(*names: str) -> Document:
        return document("urlset", f"{SITE}s.xml", *(SITE + name for name in names))

    def written_by_us() -> Document:
        return replace(theirs("a", "b", "c"), is_ours=True)

    assert added(written_by_us(), theirs("A/", "b", "x"), theirs("a", "x", "y")) == [
        (True, False),
        (False, True),
    ]
    assert added(theirs("a", "b"), theirs("a", "b", "x"), theirs("a", "b")) == [
        (True, True),
        (True, False),
    ]


# Directories

REAL = {"sitemap.xml": listing("", "a/")}
HTML = {"index.html": PAGE, "a/index.html": PAGE, "blog/index.html": PAGE}


def counted(root: Path) -> tuple[int, int, int, list[str]]:
    """Check a directory and make a report, and return the pages of both and the kinds of
    findings.
    """
    audit = Audit()
    checked = DirectoryCheck(directory=Directory(path=str(root)))
    kinds = [finding.check for finding in checked.findings(audit)]
    return audit.totals.urls, audit.totals.pages, look(checked).summary.pages, kinds


@pytest.mark.parametrize(
    "name", ["sitemap_index.xml", "sitemap-index.xml", "sitemapindex.xml", "wp-sitemap.xml"]
)
@pytest.mark.parametrize(
    "robots", ["", lines("sitemap.xml"), lines("{}"), lines("sitemap.xml", "{}")]
)
def test_a_sitemap_with_the_name_of_an_index_hides_no_other(
    tmp_path: Path, name: str, robots: str
) -> None:
    write(tmp_path, {**REAL, **HTML, name: listing("blog/")})
    if robots:
        write(tmp_path, {"robots.txt": robots.format(name)})
    is_half_named = robots.count("Sitemap:") == 1
    assert counted(tmp_path) == (3, 3, 3, ["robots-without-sitemap"] * is_half_named)


def test_a_real_index_comes_before_a_sitemap_with_its_name(tmp_path: Path) -> None:
    """That sitemap repeats a part of the index, or is one that nothing lists."""
    site = {"sitemap.xml": index(f"{SITE}s.xml"), "s.xml": listing("", "a/", "blog/"), **HTML}
    write(tmp_path, {**site, "sitemap_index.xml": listing("blog/")})
    assert counted(tmp_path)[:3] == (3, 3, 3)
    write(tmp_path, {"s.xml": listing("", "a/")})
    assert counted(tmp_path) == (3, 3, 3, ["unlisted-sitemap"])


def test_a_required_page_may_be_in_a_sitemap_that_nothing_lists(tmp_path: Path) -> None:
    theirs = {
        "sitemap-index.xml": index(f"{SITE}s.xml"),
        "s.xml": listing("", "a/"),
        "sitemap.xml": listing("blog/"),
    }
    root = write(tmp_path, {**theirs, **HTML})
    assert main(["check", str(root), "--site-url", SITE, "--require", f"{SITE}blog/"]) == 0
    assert main(["check", str(root), "--site-url", SITE, "--require", f"{SITE}b/"]) == 1


GENERATED: Mapping[str, str] = {
    "sitemap_index.xml": ours(index(f"{SITE}s.xml")),
    "s.xml": ours(listing("", "a/")),
}


@pytest.mark.parametrize(
    "robots", [lines("sitemap.xml"), lines("sitemap.xml", "sitemap_index.xml")]
)
@pytest.mark.parametrize("more", [[], ["blog/"]])
def test_a_generators_own_sitemap_beside_ours_counts_no_page_twice(
    tmp_path: Path, robots: str, more: list[str]
) -> None:
    """Nor a page that our index leaves out."""
    write(
        tmp_path,
        {**GENERATED, **HTML, "sitemap.xml": listing("", "a/", *more), "robots.txt": robots},
    )
    is_index_named = "sitemap_index.xml" in robots
    robots_kind = "redundant-sitemap" if is_index_named else "robots-without-sitemap"
    expected = [robots_kind, *["listed-beside-index"] * len(more)]
    assert counted(tmp_path) == (2, 2, 2, expected)


def test_two_sitemaps_on_purpose_both_count_also_beside_ours(tmp_path: Path) -> None:
    blog = {"blog.xml": listing("blog/")}
    for number, site in enumerate((REAL, GENERATED)):
        named = lines(next(iter(site)), "blog.xml")
        root = write(tmp_path / str(number), {**site, **blog, **HTML, "robots.txt": named})
        assert counted(root) == (3, 3, 3, [])


def test_a_list_of_urls_beside_the_same_sitemap_is_quiet(tmp_path: Path) -> None:
    """As Hexo writes both."""
    write(tmp_path, {**REAL, **HTML, "sitemap.txt": f"{SITE}\n{SITE}a/\n"})
    (tmp_path / "blog/index.html").unlink()
    assert counted(tmp_path) == (2, 2, 2, [])


def test_a_page_in_two_sitemaps_of_an_index_is_one_page(tmp_path: Path) -> None:
    listed = index(f"{SITE}s.xml", f"{SITE}t.xml")
    write(
        tmp_path,
        {
            "sitemap.xml": listed,
            "s.xml": listing("", "a/"),
            "t.xml": listing("a/", "blog/"),
            **HTML,
        },
    )
    assert counted(tmp_path) == (3, 3, 3, ["duplicate-url"])


@pytest.mark.parametrize("robots", ["", lines("sitemap.xml")])
def test_a_page_that_is_gone_is_missing_whoever_lists_it(tmp_path: Path, robots: str) -> None:
    write(
        tmp_path,
        {
            **GENERATED,
            **HTML,
            "sitemap.xml": listing("", "a/", "gone/"),
            "robots.txt": robots or "\n",
        },
    )
    (tmp_path / "blog/index.html").unlink()
    kinds = counted(tmp_path)[3]
    assert {"missing-page", "listed-beside-index"} <= set(kinds)
    assert kinds.count("missing-page") == 1


# Indexes


@pytest.mark.parametrize("child", ["s.xml", "/s.xml", "./s.xml"])
def test_a_relative_child_of_an_index_is_reported_and_read(tmp_path: Path, child: str) -> None:
    write(tmp_path, {"sitemap.xml": index(child), "s.xml": listing("", "a/", "blog/"), **HTML})
    assert counted(tmp_path) == (3, 3, 3, ["invalid-url"])


def test_a_relative_child_that_is_not_there_is_named_as_not_checked(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "sitemap.xml": index("gone.xml", f"{SITE}s.xml"),
            "s.xml": listing("", "a/", "blog/"),
            **HTML,
        },
    )
    audit = Audit()
    kinds = [
        finding.check
        for finding in DirectoryCheck(directory=Directory(path=str(tmp_path))).findings(audit)
    ]
    assert kinds == ["invalid-url"]
    assert [each.partition(" ")[0] for each in audit.totals.unseen] == [
        "robots.txt",
        f"{SITE}gone.xml",
    ]


@pytest.mark.parametrize(
    "order", [("sitemap.xml", "gone.xml"), ("gone.xml", "sitemap.xml"), ("gone.xml",)]
)
def test_a_missing_sitemap_is_reported_where_robots_txt_and_where_the_index_lists_it(
    tmp_path: Path, order: tuple[str, ...]
) -> None:
    files = {
        "sitemap.xml": index(f"{SITE}s.xml", f"{SITE}gone.xml"),
        "s.xml": listing("", "a/", "blog/"),
    }
    write(tmp_path, {**files, **HTML, "robots.txt": lines(*order)})
    found = [
        (finding.check, finding.where, finding.line)
        for finding in DirectoryCheck(directory=Directory(path=str(tmp_path))).findings(Audit())
    ]
    robots = ("robots-names-missing-sitemap", "robots.txt", 1 + order.index("gone.xml"))
    assert found == [robots, ("missing-sitemap", "sitemap.xml", 4)]
