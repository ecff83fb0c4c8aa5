"""Which pages are listed, and for each other page the reason and what decided it."""

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from smindex_plugins.base.hosting import read_serving
from smindex_plugins.base.limits import MAX_PART
from smindex_plugins.base.model import Finding, Page
from smindex_plugins.base.settings import Settings
from smindex_plugins.base.site import Site
from smindex_plugins.pages.membership import choose
from smindex_plugins.pages.omissions import Omission, counts_of
from tests.support.planted import write

BASE = "https://e.org/docs/"
OTHER = f"{BASE}b.html"
NOINDEX = '<meta name="robots" content="noindex">'
REDIRECTED = "redirecting elsewhere (_redirects, line 1)"
HIDDEN = "marked noindex (X-Robots-Tag in _headers)"
REFRESH = f'<meta http-equiv="refresh" content="0; url={OTHER}">'
PRIVATE, SHARED = "private or noindex in its front matter", "at the URL of another page"
CANONICAL = f'<link rel="canonical" href="{OTHER}">'


class Chosen(NamedTuple):
    """The result of a choice."""

    pages: list[Page]
    omitted: list[Omission]
    findings: list[Finding]

    @property
    def reasons(self) -> dict[str, str]:
        """The reasons by source, with what decided each."""
        return {omission.where: omission.why for omission in self.omitted}


def chosen(*pages: Page, directory: str = "site", **settings: object) -> Chosen:
    serving = read_serving(directory)
    site = Site(url=BASE, directory=directory, settings=Settings.load(settings), serving=serving)
    return Chosen(*choose(list(pages), site, frozenset()))


@pytest.fixture(autouse=True)
def _in_a_directory_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def page(
    path: str, url: str | None = None, *, head: str = "", content: str = "", **meta: object
) -> Page:
    """Make the page that is rendered to a path, at its own URL or at another."""
    file = Path("site", path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(
        content or f"<!doctype html><head><title>a</title>{head}</head><body>text</body>",
        encoding="utf-8",
    )
    own = path.removesuffix("index.html") if file.name == "index.html" else path
    return Page(
        url=BASE + own if url is None else url, file=str(file), source_name=f"{path}.md", meta=meta
    )


@pytest.mark.parametrize(
    ("path", "url", "depth"),
    [
        *(
            (path, None, 1)
            for path in ("index.html", "a.html", "a/b/c/index.html", "404/a.html", "myindex.html")
        ),
        ("guide/a/index.html", "guide/a", 1),
        ("about/index.html", "about", 1),
        ("guide/a.html", "b.html", 0),
        ("a/b/c.html", "a/b/d.html", 2),
        ("größe/a.html", "gr%C3%B6%C3%9Fe/b.html", 1),
    ],
)
def test_a_page_at_a_url_of_its_section_is_listed(path: str, url: str | None, depth: int) -> None:
    given = page(path, None if url is None else BASE + url)
    assert chosen(given, section_depth=depth) == ([given], [], [])
    assert chosen(given, section_depth=depth, directory="./site").pages == [given]


@pytest.mark.parametrize(
    ("path", "own", "url", "section"),
    [
        ("a.html", "a.html", "https://e.org:8443/docs/a.html", ""),
        ("guide/a.html", "guide/a.html", f"{BASE}a.html", "guide/"),
        ("guide/a.html", "guide/a.html", f"{BASE}guides/a.html", "guide/"),
        ("guide/a/index.html", "guide/a/", f"{BASE}guide", "guide/"),
        ("a/myindex.html", "a/myindex.html", "https://f.org/", "a/"),
    ],
)
def test_a_url_outside_the_section_is_reported_with_both_urls(
    path: str, own: str, url: str, section: str
) -> None:
    section = BASE + section
    pages, omitted, (finding,) = chosen(page(path, url))
    assert (pages, [(each.reason, each.by) for each in omitted]) == (
        [],
        [("outside the directory scope", section)],
    )
    assert (finding.check, finding.where) == ("canonical-outside", f"{path}.md")
    assert (
        finding.problem
        == f"it is published at {BASE}{own}, but its canonical URL is {url}, outside {section}."
    )


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"head": NOINDEX}, f"marked noindex ({NOINDEX})"),
        (
            {"head": "<meta content='NONE, x' name=GoogleBot>"},
            'marked noindex (<meta name="GoogleBot" content="NONE, x">)',
        ),
        ({"head": REFRESH}, f"redirecting elsewhere ({OTHER})"),
        ({"head": CANONICAL}, f"with another canonical URL ({OTHER})"),
        ({"head": CANONICAL + REFRESH + NOINDEX}, f"marked noindex ({NOINDEX})"),
        ({"head": CANONICAL + REFRESH}, f"redirecting elsewhere ({OTHER})"),
        ({"content": "<!doctype html><title>a</title><body>"}, "without content"),
        ({"path": "de/404.html"}, "an error page"),
        ({"path": "200.html", "url": f"{BASE}200"}, "an error page"),
        ({"path": "node_modules/a/index.html"}, "in node_modules"),
        ({"path": "drafts/a.html"}, "excluded by `drafts/`"),
        ({"sitemap": False}, "excluded by its front matter (`sitemap: false`)"),
        ({"sitemap": "No "}, "excluded by its front matter (`sitemap: false`)"),
        (
            {"sitemap": {"exclude": "yes"}},
            "excluded by its front matter (`sitemap: {exclude: true}`)",
        ),
        (
            {"sitemap": {"disable": True}},
            "excluded by its front matter (`sitemap: {disable: true}`)",
        ),
        (
            {"robots": "NOFOLLOW, NoIndex", "head": NOINDEX},
            f"{PRIVATE} (`robots: NOFOLLOW, NoIndex`)",
        ),
        ({"noindex": True, "head": NOINDEX}, f"{PRIVATE} (`noindex: true`)"),
        ({"private": "True", "head": NOINDEX}, f"{PRIVATE} (`private: true`)"),
        (
            {"external_canonical": "https://f.org/"},
            "with another canonical URL (`external_canonical: https://f.org/`)",
        ),
    ],
)
def test_a_page_is_omitted_for_one_reason_with_what_decided_it(
    given: dict[str, object], reason: str
) -> None:
    kept, path = page("b.html"), str(given.pop("path", "a.html"))
    pages, omitted, findings = chosen(page(path, **given), kept, exclude=["drafts/"])  # type: ignore[arg-type] # columns of a table
    assert (pages, findings) == ([kept], [])
    assert [str(each) for each in omitted] == [
        f"{path}.md is in no sitemap, because it is {reason}."
    ]
    assert omitted[0].key == next(
        (key for key in given if key not in {"head", "content", "url"}), ""
    )


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        (
            {"_redirects": "/docs/x /y\n/docs/a.html /docs/b.html"},
            "redirecting elsewhere (_redirects, line 2)",
        ),
        ({"_redirects": "/docs/* https://f.org/:splat 302!"}, REDIRECTED),
        ({"_redirects": "/docs/a.html 410"}, "removed by a rule of the host (_redirects, line 1)"),
        (
            {"_redirects": "/docs/a.html /docs/gone 404!"},
            "removed by a rule of the host (_redirects, line 1)",
        ),
        ({"_headers": "/docs/*\n  X-Robots-Tag: noai\n  X-Robots-Tag: googlebot: none"}, HIDDEN),
        ({"_headers": "https://e.org/docs/a.html\n  X-Robots-Tag: noindex"}, HIDDEN),
        (
            {
                "_redirects": (
                    "/docs/a.html /docs/b.html 200\n/docs/* /new/:splat\n/a.html /docs/b.html"
                )
            },
            "",
        ),
        (
            {
                "_headers": (
                    "/docs/a.html\n  X-Robots-Tag: otherbot: noindex\n/a.html\n  X-Robots-Tag:"
                    " noindex"
                )
            },
            "",
        ),
        (
            {"netlify.toml": "[[redirects]]\nfrom = '/docs/a.html'\nto = '/b'\n"},
            "redirecting elsewhere (netlify.toml)",
        ),
    ],
)
def test_the_rules_of_the_host_leave_out_pages(rules: dict[str, str], why: str) -> None:
    given = page("a.html")
    write(Path("site"), rules)
    result = chosen(given)
    assert (result.pages, result.reasons) == (([], {"a.html.md": why}) if why else ([given], {}))


def test_the_rule_for_the_url_at_which_a_page_is_listed_counts() -> None:
    at_its_file, moved = (
        page("a/index.html"),
        page("b/index.html", head=f'<link rel="canonical" href="{BASE}b.html">'),
    )
    write(Path("site"), {"b.html": "b", "_redirects": "/docs/b.html /docs/a/"})
    result = chosen(at_its_file, replace(moved, url=f"{BASE}b.html"))
    assert (result.pages, result.reasons) == ([at_its_file], {"b/index.html.md": REDIRECTED})


def test_a_private_page_that_the_host_hides_is_not_reported() -> None:
    hidden = page("a.html", noindex=True)
    assert [finding.check for finding in chosen(hidden).findings] == ["noindex-not-rendered"]
    write(Path("site"), {"_headers": "/docs/a.html\n  X-Robots-Tag: noindex"})
    assert chosen(hidden).findings == []


@pytest.mark.parametrize(
    "given",
    [
        {"head": '<meta http-equiv="refresh" content="60">'},
        {"head": '<meta http-equiv=refresh content="5; url=a.html#b">'},
        {"head": '<link rel="canonical" href="">'},
        *(
            {"sitemap": value}
            for value in (True, None, {"exclude": False}, {"lastmod": "2026-05-10"})
        ),
        *({"robots": value} for value in ("index", ["noindex"])),
        {"noindex": False, "private": "no", "search": {"exclude": True}, "hide": ["navigation"]},
        *(
            {"external_canonical": url}
            for url in ("", " ", f"{BASE}a.html", f" {BASE}a.html ", None, 5, True)
        ),
    ],
)
def test_a_page_that_only_names_itself_or_says_nothing_is_listed(given: dict[str, object]) -> None:
    listed = page("a.html", **given)  # type: ignore[arg-type] # columns of a table
    assert chosen(listed) == ([listed], [], [])


@pytest.mark.parametrize("url", [f"{BASE}a/index.html", f"{BASE}a/"])
def test_a_page_may_be_listed_with_or_without_index_html_and_pages_are_sorted_so(url: str) -> None:
    given = page("a/index.html", f"{BASE}a/", head=f'<link rel=canonical href="{url}">')
    other = page("a/b.html")
    assert [each.url for each in chosen(given, other).pages] == sorted([url, other.url])


@pytest.mark.parametrize(("length", "kinds"), [(2_047, []), (2_048, ["unlistable-url"])])
def test_a_url_that_is_too_long_is_reported(length: int, kinds: list[str]) -> None:
    pages, omitted, findings = chosen(Page(url=BASE.ljust(length, "a")))
    assert (len(pages), [finding.check for finding in findings]) == (1 - len(kinds), kinds)
    assert [each.reason for each in omitted] == ["with a URL that is too long" for _ in kinds]


@pytest.mark.parametrize(
    "escape", ["%00", "%09", "%0A", "%1B", "%7F", "%C2%80", "%C2%9F", "%E2%80%A8"]
)
def test_a_url_with_a_control_character_is_reported_and_not_listed(escape: str) -> None:
    pages, omitted, (finding,) = chosen(
        Page(url=f"{BASE}a{escape}b/"), Page(url=f"{BASE}a?b={escape}")
    )
    assert [page.url for page in pages] == [f"{BASE}a?b={escape}"]
    assert [(each.reason, each.by) for each in omitted] == [
        ("with a control character in its URL", escape)
    ]
    assert (finding.check, f"a{escape}b/" in finding.problem) == ("control-character", True)


def test_what_the_host_knows_decides_first() -> None:
    draft = replace(page("a.html"), unlisted="marked draft")
    later = replace(page("list/2.html"), number=2)
    missing = replace(page("b.html"), file="site/none.html")
    fragment = page("c.html", content="{% block content %}<p>text</p>{% endblock %}")
    copied = replace(
        page("d.html", content="{% block content %}<p>text</p>{% endblock %}"), kind="copied"
    )
    result = chosen(draft, later, missing, fragment, copied, exclude=["a.html"], pagination=False)
    assert result.pages == [fragment]
    assert result.reasons == {
        "a.html.md": "marked draft",
        "b.html.md": "without a readable file (No such file or directory)",
        "d.html.md": "without an HTML document",
        "list/2.html.md": "a pagination page (`pagination: false`)",
    }
    assert chosen(later).pages == [later]


def test_variants_of_the_host_come_before_those_of_the_page() -> None:
    given = page("a.html", head=f'<link rel="alternate" hreflang="de" href="{OTHER}">')
    assert chosen(given).pages[0].alternates == (("de", OTHER),)
    given = replace(given, alternates=(("en", given.url),))
    assert chosen(given).pages[0].alternates == (("en", given.url),)


@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        ({"en": "a.html"}, ()),
        ({"en": "a.html", "en-GB": "a.html", "x-default": "a.html"}, ()),
        ({"xx-YY": "a.html"}, ("xx-YY",)),  # for the finding about the code
        ({"en": "a.html", "de": "b.html"}, ("en", "de")),
        ({"en": "b.html"}, ("en",)),
    ],
)
def test_a_page_that_declares_only_itself_has_no_variants(
    codes: dict[str, str], expected: tuple[str, ...]
) -> None:
    links = (
        f'<link rel="alternate" hreflang="{code}" href="{path}">' for code, path in codes.items()
    )
    (found,) = chosen(page("a.html", head="".join(links))).pages
    assert tuple(code for code, _ in found.alternates) == expected


def test_patterns_match_urls_and_only_of_pages_elsewhere_their_files() -> None:
    here, elsewhere = page("a.html", f"{BASE}drafts/a"), page("drafts/b.html", "https://f.org/b")
    moved = page("drafts/c.html", f"{BASE}c")
    result = chosen(here, elsewhere, moved, exclude=["drafts/"], section_depth=0)
    assert (result.pages, set(result.reasons.values())) == ([moved], {"excluded by `drafts/`"})


def test_of_pages_at_one_url_the_one_that_is_published_there_is_listed() -> None:
    at_home, guest, other = (
        page("b/index.html"),
        page("a.html", f"{BASE}b/"),
        page("c.html", f"{BASE}b/"),
    )
    for pages in ([at_home, guest], [guest, at_home]):
        result = chosen(*pages)
        assert (result.pages, result.reasons) == (
            [at_home],
            {"a.html.md": f"{SHARED} (b/index.html.md)"},
        )
        problem = f"it has the same URL as b/index.html.md: {BASE}b/."
        assert [(each.where, each.problem) for each in result.findings] == [("a.html.md", problem)]
    assert chosen(guest, other).pages == chosen(other, guest).pages == [guest]


def test_of_pages_at_one_file_the_last_is_the_one_that_readers_find() -> None:
    lost, shown = (replace(page("a.html"), source_name=name) for name in ("lost.md", "shown.md"))
    without = Page(url=f"{BASE}b")
    for first, second in [(lost, shown), (shown, lost)]:
        pages, omitted, (finding,) = chosen(without, first, second)
        assert ([page.name for page in pages], finding.where) == (
            [second.name, without.url],
            first.name,
        )
        assert finding.problem.startswith(f"{second.name} overwrites its file")
        assert [(omission.where, omission.by) for omission in omitted] == [
            (first.name, second.name)
        ]
    result = chosen(lost, replace(shown, meta={"noindex": True}))
    assert (result.pages, len(result.omitted)) == ([], 2)


def test_each_pattern_that_excludes_pages_is_named_with_their_count() -> None:
    pages = [
        page(f"{name}/{number}.html")
        for name, count in {"a": 3, "b": 2}.items()
        for number in range(count)
    ]
    result = chosen(
        *pages, replace(page("list/2.html"), number=2), exclude=["a/", "b/*.html"], pagination=False
    )
    assert (
        counts_of(result.omitted)
        == "1 pagination page (`pagination: false`), 3 excluded by `a/`, 2 excluded"
        " by `b/*.html`"
    )


def test_private_pages_that_search_engines_may_still_index_are_one_finding() -> None:
    closed = [
        page("b.html", head=NOINDEX, noindex=True),
        replace(
            page("c.html", content="{% block content %}text{% endblock %}", noindex=True),
            kind="copied",
        ),
        replace(page("d.html", noindex=True), file="site/none.html"),
        page("f.html", sitemap=False),
    ]
    assert not chosen(*closed).findings
    reloads = page(
        "g.html", head='<meta http-equiv=refresh content="5; url=g.html#b">', noindex=True
    )
    (finding,) = chosen(
        page("a.html", noindex=True), *closed, reloads, page("h.html", noindex=True)
    ).findings
    assert (finding.check, finding.where) == ("noindex-not-rendered", "a.html.md")
    assert finding.problem.endswith(
        "Search engines may index it. The same applies to 2 other pages."
    )


def test_a_mistake_in_the_front_matter_of_an_omitted_page_is_found() -> None:
    (finding,) = chosen(page("drafts/a.html", sitemap="soon"), exclude=["drafts/"]).findings
    assert (finding.check, finding.where) == ("invalid-front-matter", "drafts/a.html.md")


def test_an_omission_fits_on_a_line() -> None:
    text = str(Omission.of(Page(url=BASE, source_name="a" * MAX_PART), "marked draft"))
    assert (len(text), text.endswith("sitemap, because it is marked draft.")) == (MAX_PART, True)
