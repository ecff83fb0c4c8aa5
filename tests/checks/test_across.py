"""Rules for several files: a flat sitemap beside the index, repeated URLs, and variants that name
each other.
"""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from smindex_plugins.base import urls
from smindex_plugins.checks._site import SiteFacts
from smindex_plugins.checks.table import Selection
from smindex_plugins.reading.document import Document, Entry
from tests.support.command import SITE, findings
from tests.support.listed import document
from tests.support.planted import index, urlset, write
from tests.support.servers import Server

PAGES = [SITE, *(f"{SITE}{name}/" for name in "abcdefgh")]
OURS = "<!-- Written by smindex-plugins -->\n<"
Found = Callable[..., list[tuple[str, str, str]]]


def ours(text: str) -> str:
    return text.replace("<urlset", OURS + "urlset").replace("<sitemapindex", OURS + "sitemapindex")


INDEXED = {"sitemap_index.xml": ours(index(SITE + "s.xml")), "s.xml": ours(urlset(*PAGES))}


@pytest.fixture
def found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Found:
    """Write a site with a flat sitemap beside the index, and what robots.txt names; check it."""

    def checked(
        *flat: str, robots: str = "", site: dict[str, str] = INDEXED, **more: str
    ) -> list[tuple[str, str, str]]:
        files = {**site, **({"sitemap.xml": urlset(*flat)} if flat else {}), **more}
        if robots:
            files["robots.txt"] = "".join(f"Sitemap: {SITE}{name}\n" for name in robots.split())
        found = findings(capsys, str(write(tmp_path, files)))
        return [(each["check"], each["where"], each["problem"]) for each in found]

    return checked


BOTH = "sitemap.xml sitemap_index.xml"


def test_a_flat_sitemap_or_second_index_that_robots_txt_names_too_is_one_notice(
    found: Found,
) -> None:
    """The second is as where `smindex build` is run on a site whose generator wrote an index
    already.
    """
    problem = "lists {}, which repeats 9 pages of sitemap_index.xml."
    assert found(*PAGES, robots=BOTH) == [
        ("redundant-sitemap", "robots.txt, line 1", problem.format("sitemap.xml"))
    ]
    theirs = {"sitemap-index.xml": index(SITE + "sitemap-0.xml"), "sitemap-0.xml": urlset(*PAGES)}
    assert found(robots="sitemap-index.xml sitemap_index.xml", **theirs) == [
        ("redundant-sitemap", "robots.txt, line 1", problem.format("sitemap-index.xml"))
    ]


@pytest.mark.parametrize(
    ("name", "children"),
    [
        ("sitemap-index.xml", {"sitemap-0.xml": PAGES}),
        ("sitemap.xml", {"sitemap-0.xml": PAGES}),
        ("sitemap.xml", {"en/sitemap.xml": PAGES[:5], "de/sitemap.xml": PAGES[5:]}),
        ("de/sitemap.xml", {"de/sitemap.xml": PAGES}),
    ],
    ids=["Astro", "next-sitemap", "Hugo", "Docusaurus, which writes no index"],
)
def test_what_the_generator_writes_beside_the_index_is_one_notice_unless_it_lists_other_pages(
    found: Found, name: str, children: dict[str, list[str]]
) -> None:
    theirs = {name: index(*(SITE + each for each in children))}
    theirs |= {each: urlset(*pages) for each, pages in children.items()}
    problem = "it repeats 9 pages of sitemap_index.xml."
    assert found(**theirs) == [("redundant-sitemap", name, problem)]
    more = next(iter(children))
    assert [
        check for check, _, _ in found(**theirs | {more: urlset(*children[more], SITE + "x/")})
    ] == [
        "redundant-sitemap",
        "listed-beside-index",
    ]
    others = {each: urlset(*(url + "other/" for url in pages)) for each, pages in children.items()}
    what = "sitemap" if name in children else "index"
    problem = f"neither an index nor robots.txt lists this {what}."
    assert found(**theirs | others) == [("unlisted-sitemap", name, problem)]


@pytest.mark.parametrize("name", ["sitemap.xml", "sitemap.xml.gz"])
def test_the_flat_sitemap_of_mkdocs_is_quiet_unless_it_lists_more(found: Found, name: str) -> None:
    assert found(**{name: urlset(*PAGES[2:])}) == []
    more = f"{SITE}drafts/a/, {SITE}drafts/b/, {SITE}drafts/c/ and 1 more"
    problem = f"lists 4 pages that sitemap_index.xml omits: {more}."
    flat = urlset(*PAGES, *(f"{SITE}drafts/{each}/" for each in "abcd"))
    assert found(**{name: flat}) == [("listed-beside-index", f"{name}, line 12", problem)]


def test_a_flat_sitemap_in_a_joined_directory_is_compared_too(found: Found) -> None:
    joined = {
        "sitemap_index.xml": ours(index(SITE + "s.xml", SITE + "de/s.xml")),
        "de/s.xml": urlset(SITE + "de/"),
    }
    inner = {
        "de/sitemap_index.xml": ours(index(SITE + "de/s.xml")),
        "de/sitemap.xml": urlset(SITE + "de/x/"),
    }
    assert [check for check, _, _ in found(**joined, **inner)] == ["listed-beside-index"]


def test_a_flat_sitemap_that_robots_txt_does_not_name_is_quiet_whatever_the_name_of_the_index(
    found: Found,
) -> None:
    renamed = {"all.xml": INDEXED["sitemap_index.xml"], "s.xml": INDEXED["s.xml"]}
    assert found(*PAGES, robots="all.xml", site=renamed) == []


def test_the_work_grows_with_the_number_of_sitemaps_that_nothing_lists_not_with_its_square(
    found: Found, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = 0

    def counted(function: Callable[..., str]) -> Callable[..., str]:
        def run(*given: str) -> str:
            nonlocal steps
            steps += 1
            return function(*given)

        return run

    monkeypatch.setattr(urls, "normal", counted(urls.normal))
    monkeypatch.setattr(os.path, "basename", counted(os.path.basename))
    needed = []
    for number in (20, 40):
        steps = 0
        unlisted = {f"d{each}/sitemap.xml": urlset(f"{SITE}d{each}/") for each in range(number)}
        checks = [check for check, _, _ in found(**unlisted)]
        assert checks.count("unlisted-sitemap") == number
        needed.append(steps)
    assert needed[1] < 2.2 * needed[0]


@pytest.mark.parametrize(
    ("flat", "more", "expected"),
    [
        (
            [*PAGES, PAGES[4]],
            {"s.xml": ours(urlset(*PAGES, PAGES[3]))},
            [
                ("duplicate-url", "s.xml"),
                ("duplicate-url", "sitemap.xml"),
                ("redundant-sitemap", "robots.txt"),
            ],
        ),
        ([PAGES[1], SITE + "y", SITE + "z"], {}, [("duplicate-url", "sitemap.xml")]),
        ([SITE + "y", SITE + "z"], {}, []),
        ([], {"sitemap.xml": "no XML"}, [("unreadable-sitemap", "sitemap.xml")]),
        ([], {"sitemap.xml": urlset()}, [("empty-sitemap", "sitemap.xml")]),
    ],
    ids=["a duplicate in either", "one page of both", "other pages", "no XML", "nothing"],
)
def test_a_flat_sitemap_is_judged_as_any_other(
    found: Found, flat: list[str], more: dict[str, str], expected: list[tuple[str, str]]
) -> None:
    lines = found(*flat, robots=BOTH, **more)
    assert sorted((check, where.partition(",")[0]) for check, where, _ in lines) == expected


def test_a_live_site_has_the_same_findings(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    for path, content in INDEXED.items():
        server.serve(f"/{path}", content.replace(SITE, server.base))
    server.serve(
        "/robots.txt",
        f"Sitemap: {server.base}sitemap_index.xml\nSitemap: {server.base}sitemap.xml\n",
    )
    server.serve("/sitemap.xml", urlset(*PAGES).replace(SITE, server.base))
    (finding,) = findings(capsys, server.base)
    assert (finding["check"], finding["where"]) == (
        "redundant-sitemap",
        f"{server.base}robots.txt, line 2",
    )


def judged(*documents: Document) -> list[tuple[str, str]]:
    whole = SiteFacts()
    for each in documents:
        whole.add(each)
    return [(finding.check, finding.problem) for finding in Selection().judge(whole)]


@pytest.mark.parametrize(
    ("one", "other", "difference"),
    [
        ("a", "a#b", "the fragment"),
        ("a#c", "a#b", "the fragment"),
        ("a", "a/#b", "the trailing slash and the fragment"),
        ("a", "%61", "its escapes"),
        ("a", "%61#b", "its escapes and the fragment"),
        ("a", "a?", "an empty query"),
        ("a", "b/../a", "the dots in its path"),
        ("a", "A", "letter case"),
        ("A/", "a", "the trailing slash and letter case"),
        ("a/", "a/index.html", "index.html"),
    ],
)
def test_a_twin_is_told_by_all_parts_that_differ(one: str, other: str, difference: str) -> None:
    problem = f"lists {SITE}{other}, which differs from {SITE}{one} only in {difference}."
    assert judged(document("urlset", SITE + "s.xml", SITE + one, SITE + other)) == [
        ("twin-url", problem)
    ]


def test_the_host_may_be_what_a_twin_spells_differently() -> None:
    for other, difference in (
        ("https://E.org/a", "letter case"),
        ("https://e.org:443/a", "the spelling of the host"),
    ):
        ((_, problem),) = judged(document("urlset", SITE + "s.xml", SITE + "a", other))
        assert problem.endswith(f"only in {difference}.")


def test_a_url_that_is_listed_again_after_its_twin_is_a_duplicate() -> None:
    a, b = SITE + "a", SITE + "a/"
    assert judged(
        document("urlset", SITE + "s.xml", a, b), document("urlset", SITE + "t.xml", b)
    ) == [
        ("twin-url", f"lists {b}, which differs from {a} only in the trailing slash."),
        ("duplicate-url", f"lists {b}, which {SITE}s.xml already lists."),
    ]


def test_language_variants_are_compared_between_files_and_may_be_listed_twice() -> None:
    def page(name: str, *codes: str) -> Document:
        entry = Entry(
            SITE + name, SITE + name, alternates=tuple((code, SITE + code) for code in codes)
        )
        return Document(url=f"{SITE}{name}.xml", kind="urlset", entries=[entry])

    both = page("en", "en", "de")
    assert not judged(both, page("de", "en", "de"))
    assert [kind for kind, _ in judged(both, page("de", "de"))] == ["hreflang-not-mutual"]
    assert [kind for kind, _ in judged(both, page("de", "de"), page("de", "en"))] == [
        "duplicate-url"
    ]
