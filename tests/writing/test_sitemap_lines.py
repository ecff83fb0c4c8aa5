"""Whether robots.txt leads to the index: a build and a check, on disk or live, say the same."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from smindex_plugins.base.limits import MAX_ROBOTS
from smindex_plugins.base.model import Finding, Page
from smindex_plugins.base.settings import Settings
from smindex_plugins.base.site import Site
from smindex_plugins.checks.checking import check
from smindex_plugins.writing import robots
from smindex_plugins.writing.sitemap_lines import judge
from tests.support.command import PAGE
from tests.support.history import publish_as_given
from tests.support.planted import index, urlset, write
from tests.support.servers import Server

ROOT = "https://e.org/"
INDEX = f"{ROOT}sitemap_index.xml"
PARTS = [f"{ROOT}{name}/sitemap.xml" for name in "abc"]
ADD = f"Add `Sitemap: {INDEX}`, or set `robots_txt: write`."
INSTEAD = f"Write `Sitemap: {INDEX}` instead."
LARGE = "it has more than the 512,000 bytes that crawlers read."
RULES = "User-agent: *\nDisallow:\n"


class Case(NamedTuple):
    """Sitemap lines, and what a check says of them."""

    lines: str
    kind: str = ""
    problem: str = ""
    fix: str = ""


WITHOUT = "robots-without-sitemap"
CASES = {
    "the index": Case(f"Sitemap: {INDEX}"),
    "the index among others": Case(
        f"Sitemap: https://old.org/a.xml\nSitemap: {ROOT}a/sitemap.xml\nSitemap: {INDEX}"
    ),
    "all its sitemaps": Case("\n".join(f"Sitemap: {part}" for part in PARTS)),
    "nothing": Case("", WITHOUT, "it has no Sitemap line.", ADD),
    "another host": Case(
        "Sitemap: https://old.org/sitemap_index.xml",
        WITHOUT,
        "its only Sitemap line is for another host: https://old.org/sitemap_index.xml.",
        f"{ADD} If the site has moved from old.org, remove that line.",
    ),
    "other hosts": Case(
        "Sitemap: https://old.org/a.xml\nSitemap: https://old.net/a.xml\nSitemap:"
        " https://old.net/b.xml",
        WITHOUT,
        "its 3 Sitemap lines are only for other hosts: old.org and 1 more.",
        f"{ADD} If the site has moved from one of these hosts, remove its line.",
    ),
    "a section": Case(
        f"Sitemap: {PARTS[0]}",
        WITHOUT,
        f"its Sitemap lines list 1 of the 3 sitemaps in {INDEX}, but not {PARTS[1]} and 1 more.",
        ADD,
    ),
    "www": Case(
        "Sitemap: https://www.e.org/sitemap_index.xml",
        "robots-names-other-address",
        "its Sitemap line lists https://www.e.org/sitemap_index.xml, but the site is at"
        " https://e.org/.",
        f"Write `Sitemap: {INDEX}`, or build the site with the address in the line.",
    ),
    "http, and another name": Case(
        "Sitemap: http://e.org/sitemap.xml",
        "robots-names-other-address",
        "its Sitemap line lists http://e.org/sitemap.xml, but the site is at https://e.org/.",
        f"Write `Sitemap: {INDEX}`, or build the site with the address in the line.",
    ),
    "a relative URL": Case(
        "Sitemap: /sitemap_index.xml",
        "robots-relative-sitemap",
        "its Sitemap line '/sitemap_index.xml' is not a full URL.",
        f"Write `Sitemap: {INDEX}`.",
    ),
    "a host without a scheme": Case(
        "Sitemap: www.e.org/sitemap_index.xml",
        "robots-relative-sitemap",
        "its Sitemap line 'www.e.org/sitemap_index.xml' is not a full URL.",
        f"Write `Sitemap: {INDEX}`.",
    ),
    "no URL": Case(
        "Sitemap:",
        "robots-relative-sitemap",
        "its Sitemap line '' is not a full URL.",
        INSTEAD,
    ),
    "itself": Case(
        f"Sitemap: {ROOT}robots.txt",
        "robots-names-no-sitemap",
        "its Sitemap line lists robots.txt itself.",
        INSTEAD,
    ),
    "the home page": Case(
        f"Sitemap: {ROOT}",
        "robots-names-no-sitemap",
        f"its Sitemap line lists {ROOT}, which is a directory, not a sitemap.",
        INSTEAD,
    ),
    "a large file with the line": Case(
        f"Sitemap: {INDEX}\n# {'x' * MAX_ROBOTS}",
        "robots-too-large",
        LARGE,
        "Shorten the file. Put the `Sitemap:` line at its start.",
    ),
    "the line beyond what is read": Case(
        f"# {'x' * MAX_ROBOTS}\nSitemap: {INDEX}",
        "robots-too-large",
        f"{LARGE} In the part that they read, it has no Sitemap line.",
        f"Shorten the file, and put `Sitemap: {INDEX}` at its start.",
    ),
}


def build(directory: Path, text: str) -> list[Finding]:
    """Build a site of three sections next to a robots.txt, and return what the build says about
    that file.
    """
    write(
        directory,
        {
            "robots.txt": text,
            **{f"{name}/{number}.html": PAGE for name in "abc" for number in "12"},
        },
    )
    pages = [Page(url=f"{ROOT}{name}/{number}.html") for name in "abc" for number in "12"]
    report = publish_as_given(pages, Site(url=ROOT, directory=str(directory), settings=Settings()))
    assert report.is_announced is not any(
        "Sitemap line" in each.problem for each in report.findings
    )
    assert not report.next_steps, "the finding has the steps"
    return report.findings


@pytest.mark.parametrize("name", CASES)
def test_a_check_finds_one_thing_and_a_build_says_the_same(tmp_path: Path, name: str) -> None:
    case = CASES[name]
    built = build(tmp_path, f"{RULES}{case.lines}\n")
    found = list(check(str(tmp_path), site_url=ROOT))
    assert [(each.check, each.problem, each.fix) for each in found] == (
        [case[1:]] if case.kind else []
    )
    # a build doesn't ask a server, or whether there is such a directory
    if name == "the home page":
        (finding,) = built
        assert (finding.problem, finding.fix) == (
            f"its Sitemap line lists {ROOT}, which is a page, not a sitemap.",
            INSTEAD,
        )
        return
    assert [(each.place, each.problem, each.fix) for each in built] == [
        (each.place, each.problem, each.fix) for each in found
    ]
    # what a build finds is no reason to fail
    notices = {"robots-without-sitemap", "robots-too-large"}
    assert {each.check for each in built} <= notices


@pytest.mark.parametrize(
    "name",
    sorted(
        CASES.keys() - {"www", "http, and another name", "the home page", "a host without a scheme"}
    ),
)
def test_a_live_check_says_the_same(tmp_path: Path, server: Server, name: str) -> None:
    """Except for what a server of this machine can't have: two addresses of one site."""
    build(tmp_path, f"{RULES}Sitemap: {INDEX}\n")
    for path in tmp_path.rglob("*.xml"):
        server.serve(f"/{path.relative_to(tmp_path)}", path.read_text().replace(ROOT, server.base))
    case = Case(*(text.replace(ROOT, server.base) for text in CASES[name]))
    server.serve("/robots.txt", f"{RULES}{case.lines}\n")
    found = [
        (each.check, each.problem, each.fix) for each in check(f"{server.base}sitemap_index.xml")
    ]
    assert found == ([case[1:]] if case.kind else [])


def test_a_live_page_in_place_of_a_sitemap_is_named_with_its_line(server: Server) -> None:
    server.page("/")
    server.serve("/sitemap_index.xml", index(f"{server.base}s.xml"))
    server.serve("/s.xml", urlset(f"{server.base}a"))
    server.serve(
        "/robots.txt", f"Sitemap: {server.base}sitemap_index.xml\nSitemap: {server.base}\n"
    )
    (finding,) = check(server.base)
    assert (finding.check, finding.place) == (
        "robots-names-no-sitemap",
        f"{server.base}robots.txt, line 2",
    )
    assert finding.problem == f"its Sitemap line lists {server.base}, which is an HTML page."


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.kind])
def test_who_follows_the_advice_has_nothing_left_to_find(tmp_path: Path, name: str) -> None:
    lines = CASES[name].lines.splitlines()
    build(tmp_path, "\n".join(lines))
    (finding,) = check(str(tmp_path), site_url=ROOT)
    right = re.findall(r"`(Sitemap: [^`]+)`", finding.fix)
    if finding.fix.startswith("Add"):
        lines += right
    elif finding.fix.startswith("Write"):
        lines[finding.line - 1 : finding.line] = right
    else:
        lines = right or [line for line in lines if len(line) < MAX_ROBOTS]
    write(tmp_path, {"robots.txt": "\n".join(lines)})
    assert list(check(str(tmp_path), site_url=ROOT)) == []


Checked = Callable[..., list[tuple[str, str]]]


@pytest.fixture
def checked(tmp_path: Path) -> Checked:
    """Return what checks a site with some lines in its robots.txt, and some files."""

    def findings(*lines: str, **files: str) -> list[tuple[str, str]]:
        text = "".join(f"Sitemap: {line}\n" for line in lines)
        write(tmp_path, {"robots.txt": text, **files})
        return [(each.check, each.problem) for each in check(str(tmp_path), site_url=ROOT)]

    return findings


PAGES = [f"{ROOT}{name}" for name in "abcdef"]


class TestOtherTools:
    """What other tools write may be listed in any form, as long as search engines find all of
    it.
    """

    def test_two_sitemaps_on_purpose_are_both_listed(self, checked: Checked) -> None:
        two = {"sitemap.xml": urlset(*PAGES[:3]), "blog.xml": urlset(*PAGES[3:])}
        assert checked(f"{ROOT}sitemap.xml", f"{ROOT}blog.xml", **two) == []

    def test_a_root_lists_the_sitemaps_of_the_sites_in_its_directories(
        self, checked: Checked
    ) -> None:
        two = {
            "docs/sitemap.xml": urlset(f"{ROOT}docs/a"),
            "blog/sitemap.xml": urlset(f"{ROOT}blog/a"),
        }
        assert checked(f"{ROOT}docs/sitemap.xml", f"{ROOT}blog/sitemap.xml", **two) == []

    def test_the_same_pages_may_be_listed_in_another_form(self, checked: Checked) -> None:
        text = "".join(f"{page}\n" for page in PAGES)
        found = checked(f"{ROOT}all.txt", **{"sitemap.xml": urlset(*PAGES), "all.txt": text})
        assert "robots-without-sitemap" not in dict(found)

    def test_another_index_of_the_same_sitemaps_is_as_good(self, checked: Checked) -> None:
        twice = dict.fromkeys(("sitemap-index.xml", "sitemap.xml"), index(f"{ROOT}sitemap-0.xml"))
        found = checked(f"{ROOT}sitemap.xml", **twice, **{"sitemap-0.xml": urlset(*PAGES)})
        assert "robots-without-sitemap" not in dict(found)

    def test_a_sitemap_that_no_line_leads_to_is_named(self, checked: Checked) -> None:
        two = {"sitemap.xml": urlset(*PAGES[:3]), "blog.xml": urlset(*PAGES[3:])}
        problem = f"its Sitemap lines list 1 of the 2 sitemaps, but not {ROOT}sitemap.xml."
        assert checked(f"{ROOT}blog.xml", **two) == [(WITHOUT, problem)]

    def test_a_missing_file_is_one_finding(self, checked: Checked) -> None:
        ((kind, _),) = checked(f"{ROOT}old.xml", **{"sitemap.xml": urlset(*PAGES)})
        assert kind == "robots-names-missing-sitemap"
        ((kind, _),) = checked("/old.xml", **{"sitemap.xml": urlset(*PAGES)})
        assert kind == "robots-names-missing-sitemap"


def test_a_flat_sitemap_in_place_of_the_index_is_one_finding(tmp_path: Path) -> None:
    """To remove its line, as for one that is listed next to the index, would leave no line."""
    pages = [f"{ROOT}{name}/{number}.html" for name in "abc" for number in "12"]
    write(tmp_path, {"sitemap.xml": urlset(*pages)})
    (built,) = build(tmp_path, f"Sitemap: {ROOT}sitemap.xml\n")
    (found,) = check(str(tmp_path), site_url=ROOT)
    assert str(found) == str(built)
    assert built.problem == f"its Sitemap line lists {ROOT}sitemap.xml, but not the index."
    assert built.fix == f"{ADD} Remove the line for {ROOT}sitemap.xml if it lists the same pages."


class TestLive:
    """A line can list a file that the run does not read."""

    def test_an_index_above_the_checked_directory_may_list_its_sitemaps(
        self, server: Server
    ) -> None:
        server.serve("/docs/sitemap_index.xml", index(f"{server.base}docs/a.xml"))
        server.serve("/docs/a.xml", urlset(f"{server.base}docs/a"))
        server.page("/docs/")
        for lines, kinds in (
            ("sitemap_index.xml", []),
            ("docs/sitemap.xml", []),
            ("blog/sitemap.xml", [WITHOUT]),
        ):
            server.serve("/robots.txt", f"Sitemap: {server.base}{lines}\n")
            if lines.startswith("docs/"):
                server.serve("/docs/sitemap.xml", index(f"{server.base}docs/a.xml"))
            assert [each.check for each in check(f"{server.base}docs/")] == kinds, lines

    def test_a_single_sitemap_need_not_be_listed_itself(self, server: Server) -> None:
        server.serve("/robots.txt", f"Sitemap: {server.base}sitemap_index.xml\n")
        server.serve("/a/sitemap.xml", urlset(f"{server.base}a/1"))
        assert list(check(f"{server.base}a/sitemap.xml")) == []

    def test_a_sitemap_of_another_host_counts_only_if_it_lists_pages_of_this_one(
        self, server: Server
    ) -> None:
        there = server.base.replace("127.0.0.1", "localhost")
        server.page("/")
        server.serve("/robots.txt", f"Sitemap: {there}all.xml\n")
        server.serve("/all.xml", urlset(f"{server.base}a"))
        assert [each.check for each in check(server.base)] == []
        server.serve("/all.xml", urlset(f"{there}a"))
        assert [each.check for each in check(server.base)] == [WITHOUT]


def test_a_cut_line_is_not_read() -> None:
    line = f"Sitemap: {INDEX}".encode()
    start = b"#" * (MAX_ROBOTS - len(line) + 5) + b"\n"
    assert robots.parse(start + line).sitemaps == []
    judged = judge(robots.parse(start + line, url=f"{ROOT}robots.txt"), {INDEX: []})
    assert judged.missing == [INDEX]


def test_several_indexes_are_named_as_such() -> None:
    some = robots.parse(f"Sitemap: {ROOT}1.xml\n".encode(), url=f"{ROOT}robots.txt")
    judged = judge(
        some, {f"{ROOT}{number}.xml": [f"{ROOT}a.xml", f"{ROOT}b.xml"] for number in (1, 2, 3)}
    )
    assert judged.missing == [f"{ROOT}2.xml", f"{ROOT}3.xml"]
    (flaw,) = judged.flaws
    assert (
        flaw.problem
        == f"its Sitemap lines list 1 of the 3 indexes, but not {ROOT}2.xml and 1 more."
    )
    assert flaw.fix == f"Add `Sitemap: {ROOT}2.xml` and the lines for 1 more."
