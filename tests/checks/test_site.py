"""Rules for a whole site: dates that are those of its build, and files that can be read only in
part.
"""

import gzip
from pathlib import Path

import pytest

from smindex_plugins.base import dates
from smindex_plugins.cli.main import main
from tests.support.command import PAGE, SITE, findings
from tests.support.history import Repo, day
from tests.support.planted import index, urlset, write

NEXT = [
    *["2026-05-10T13:17:30.202Z"] * 26,
    "2026-05-10T15:17:30.201+02:00",
    "2026-05-10T13:17:29.998Z",
]
"""The dates of next-sitemap, which gives each page the time at which it writes its line."""
JEKYLL = [
    *["2013-05-06T00:00:00+00:00"] * 55,
    *["2014-05-06T00:00:00+00:00"] * 55,
    *["2026-05-10T13:17:30+00:00"] * 92,
]
"""The dates of jekyll-sitemap, which gives posts their own."""


@pytest.mark.parametrize(
    ("lastmods", "expected"),
    [
        (NEXT, "all 28 dates of the site are 2026-05-10T13:17:30Z or up to a minute earlier"),
        (JEKYLL, "92 of the 202 dates of the site are 2026-05-10T13:17:30Z"),
        (["2026-05-10"] * 20, "all 20 dates of the site are 2026-05-10"),
        (["0987-01-01T00:00:00Z"] * 20, "all 20 dates of the site are 0987-01-01T00:00:00Z"),
        (["1970-01-01T00:00:00Z"] * 20, ""),
        (["1970-01-01"] * 20 + ["2026-05-10"] * 20, "all 20 dates of the site are 2026-05-10"),
        ([*JEKYLL, "2026-05-10T13:18:31Z"], ""),
        ([*["2013-05-06"] * 20, *["2026-05-10"] * 20], ""),
    ],
    ids=[
        "next-sitemap",
        "jekyll-sitemap",
        "days",
        "an early day",
        "no dates",
        "some dates",
        "a later page",
        "many changes on the last day",
    ],
)
def test_a_moment_that_many_pages_share_is_that_of_the_build(
    repo: Repo, capsys: pytest.CaptureFixture[str], lastmods: list[str], expected: str
) -> None:
    repo.put("sitemap.xml", dated(*lastmods))
    found = [
        each["problem"]
        for each in findings(capsys, str(repo.path))
        if each["check"] == "build-stamp"
    ]
    assert found == ([f"{expected}, probably the time of the build."] if expected else [])


def test_dates_that_are_those_of_commits_are_not_those_of_the_build(
    repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    """As in a site that was imported with one commit, and whose generator asks git."""
    imported, built = dates.utc(day(1)), dates.utc(day(1) + 30)
    repo.commit(1, {"sitemap.xml": dated(*[imported] * 20)})
    assert findings(capsys, str(repo.path)) == []
    repo.put("sitemap.xml", dated(*[imported] * 10, *[built] * 20))
    assert [finding["check"] for finding in findings(capsys, str(repo.path))] == ["build-stamp"]


def dated(*lastmods: str) -> str:
    lines = (
        f"<loc>{SITE}p{number}</loc><lastmod>{lastmod}</lastmod>"
        for number, lastmod in enumerate(lastmods)
    )
    return urlset(*lines)


NUMBERS = range(10)


def variants(number: int) -> str:
    """Return an entry whose variant is another page, in the other half of the sitemap."""
    links = {"en": number, "de": NUMBERS[-1] - number}
    shown = "".join(
        f'<xhtml:link rel="alternate" hreflang="{code}" href="{SITE}a{to}/"/>'
        for code, to in links.items()
    )
    return f"<loc>{SITE}a{number}/</loc>{shown}"


HALVES = urlset(*map(variants, NUMBERS))
BOTH: dict[str, str | bytes] = {
    **{f"{name}/index.html": PAGE for number in NUMBERS for name in (f"a{number}", f"b/{number}")},
    "sitemap_index.xml": index(f"{SITE}a.xml", f"{SITE}b/sitemap.xml"),
    "a.xml": HALVES,
    "b/sitemap.xml": urlset(*(f"{SITE}b/{number}/" for number in NUMBERS)),
    "robots.txt": f"Sitemap: {SITE}sitemap_index.xml\n",
}


def cut(text: str) -> str:
    return text[: len(text) // 2]


@pytest.mark.parametrize(
    ("changed", "kind", "rest"),
    [
        (
            {"a.xml": cut(HALVES)},
            "unreadable-sitemap",
            "6 pages that the unread rest of a.xml may list",
        ),
        (
            {"a.xml": HALVES.replace("a5/<", "a5/?a&b<", 1)},
            "unreadable-sitemap",
            "5 pages that the unread rest",
        ),
        ({"a.xml": PAGE}, "unsupported-format", "10 pages that the unread rest of a.xml may list"),
        (
            {
                "sitemap_index.xml": index(f"{SITE}a.xml.gz", f"{SITE}b/sitemap.xml"),
                "a.xml.gz": gzip.compress(HALVES.encode())[:-60],
            },
            "compression-error",
            "pages that the unread rest of a.xml.gz may list",
        ),
        (
            {
                "sitemap_index.xml": (
                    index(f"{SITE}a.xml", f"{SITE}b/sitemap.xml").replace("</sitemapindex>", "")[
                        :-60
                    ]
                )
            },
            "unreadable-sitemap",
            "1 sitemap that the unread rest of sitemap_index.xml may list",
        ),
    ],
    ids=["cut", "invalid in the middle", "a page", "a damaged archive", "a cut index"],
)
def test_what_follows_from_a_file_that_is_not_read_to_its_end_is_not_reported_but_counted(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    changed: dict[str, str | bytes],
    kind: str,
    rest: str,
) -> None:
    write(tmp_path, BOTH)
    assert findings(capsys, str(tmp_path)) == []
    write(tmp_path, changed)
    found = findings(capsys, str(tmp_path), "--site-url", SITE, "--links")
    assert {each["check"] for each in found} == {kind}
    main(["check", str(tmp_path), "--site-url", SITE])
    assert rest in capsys.readouterr().out


def test_elsewhere_pages_in_no_sitemap_are_still_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, BOTH | {"b/sitemap.xml": cut(str(BOTH["b/sitemap.xml"])), "c/index.html": PAGE})
    found = findings(capsys, str(tmp_path), "--site-url", SITE)
    assert [(each["check"], each["where"].partition(",")[0]) for each in found] == [
        ("unreadable-sitemap", "b/sitemap.xml"),
        ("unlisted-page", "c/index.html"),
    ]


def test_a_page_in_an_index_is_named_with_its_entry_and_is_no_sitemap(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(
        tmp_path,
        BOTH
        | {
            "sitemap_index.xml": index(
                f"{SITE}a.xml", f"{SITE}a1/index.html", f"{SITE}b/sitemap.xml"
            )
        },
    )
    write(tmp_path, {"new/index.html": PAGE})
    found = findings(capsys, str(tmp_path), "--site-url", SITE)
    assert [(each["check"], each["where"], each["problem"]) for each in found] == [
        (
            "unsupported-format",
            "sitemap_index.xml, line 4",
            f"lists {SITE}a1/index.html, which is an HTML page.",
        ),
        (
            "unlisted-page",
            "new/index.html",
            "it is in no sitemap, and the page doesn't explain why.",
        ),
    ]
