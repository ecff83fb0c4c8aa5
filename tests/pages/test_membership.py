import random
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from smindex_plugins.model import Details, Finding, Page
from smindex_plugins.pages.membership import Omission, choose
from smindex_plugins.settings import Settings, Target

SITE_URL = "https://e.org/docs/"


def target(**settings: object) -> Target:
    return Target(site_url=SITE_URL, directory="site", settings=Settings.load(settings))


@dataclass
class Chosen:
    """What there is to say of a choice."""

    pages: list[Page]
    omitted: list[Omission]
    findings: list[Finding]


def chosen(pages: list[Page], among: Target) -> Chosen:
    findings: list[Finding] = []
    return Chosen(*choose(pages, among, frozenset(), findings), findings)


def reasons(members: Chosen) -> Counter[str]:
    return Counter(omission.reason for omission in members.omitted)


@pytest.fixture(autouse=True)
def _in_a_directory_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def page(path: str, url: str | None = None, content: str = "<title>a</title>text") -> Page:
    """Make the page that is rendered to a path, at its own URL or at another."""
    file = Path("site", path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content, encoding="utf-8")
    own = path.removesuffix("index.html") if file.name == "index.html" else path
    return Page(url=SITE_URL + own if url is None else url, file=str(file), details=Details(source_name=f"{path}.md"))


@pytest.mark.parametrize(
    "path", ["index.html", "a.html", "a/index.html", "a/b/c/index.html", "404/a.html", "myindex.html"]
)
def test_a_page_at_its_own_url_is_listed(path: str) -> None:
    members = chosen([page(path)], target())
    assert (members.pages, members.omitted, members.findings) == ([page(path)], [], [])


@pytest.mark.parametrize("path", ["404.html", "404.htm", "404/index.html", "de/404.html"])
def test_the_error_page_is_not_listed(path: str) -> None:
    assert reasons(chosen([page(path)], target())) == {"shown for errors": 1}


def test_excluded_pages_are_counted_and_nothing_is_wrong_with_them() -> None:
    members = chosen([page("drafts/a.html"), page("drafts/b.html"), page("a.html")], target(exclude=["drafts/"]))
    assert members.pages == [page("a.html")]
    assert reasons(members) == {"excluded by the settings": 2}
    assert not members.findings


@pytest.mark.parametrize(
    ("path", "url"),
    [
        ("a.html", "https://f.org/docs/a.html"),
        ("a.html", "http://e.org/docs/a.html"),
        ("a.html", "https://e.org:8443/docs/a.html"),
        ("a.html", "https://www.e.org/docs/a.html"),
        ("a.html", "https://e.org/a.html"),
        ("a.html", "https://e.org/docs"),
        ("a.html", "https://e.org/docsearch/a.html"),
        ("guide/a.html", "https://e.org/docs/a.html"),
        ("guide/a.html", "https://e.org/docs/guides/a.html"),
        ("guide/a/index.html", "https://e.org/docs/guide"),
    ],
)
def test_a_canonical_url_outside_the_section_is_reported_with_both_urls(path: str, url: str) -> None:
    members = chosen([page(path, url)], target())
    assert not members.pages
    assert reasons(members) == {"outside the directory scope": 1}
    (finding,) = members.findings
    assert (finding.check, finding.where) == ("canonical-outside", f"{path}.md")
    assert url in finding.problem
    assert SITE_URL + path.removesuffix("index.html") in finding.problem


@pytest.mark.parametrize(
    ("path", "url", "depth"),
    [
        ("guide/a/index.html", "https://e.org/docs/guide/a", 1),
        ("about/index.html", "https://e.org/docs/about", 1),
        ("guide/a.html", "https://e.org/docs/guide/b/c/", 1),
        ("guide/a.html", "https://e.org/docs/b.html", 0),
        ("a/b/c.html", "https://e.org/docs/a/c.html", 1),
        ("größe/a.html", "https://e.org/docs/gr%C3%B6%C3%9Fe/b.html", 1),
    ],
)
def test_a_canonical_url_inside_the_section_is_listed(path: str, url: str, depth: int) -> None:
    assert chosen([page(path, url)], target(section_depth=depth)).pages == [page(path, url)]


def test_the_address_in_a_finding_is_the_one_at_which_the_page_is() -> None:
    (finding,) = chosen([page("a/myindex.html", "https://f.org/")], target()).findings
    assert "published at https://e.org/docs/a/myindex.html," in finding.problem


@pytest.mark.parametrize(("length", "listed"), [(2_047, 1), (2_048, 0)])
def test_a_url_that_is_too_long_is_reported(length: int, listed: int) -> None:
    path = "a" * (length - len(SITE_URL))
    members = chosen([Page(url=SITE_URL + path)], target())
    assert len(members.pages) == listed
    assert [finding.check for finding in members.findings] == ["unlistable-url"] * (1 - listed)


def test_of_two_pages_with_one_url_the_one_that_is_published_there_is_listed() -> None:
    at_home, guest = page("b/index.html"), page("a.html", SITE_URL + "b/")
    for pages in ([at_home, guest], [guest, at_home]):
        members = chosen(pages, target())
        assert members.pages == [at_home]
        assert reasons(members) == {"at the URL of another page": 1}
        (finding,) = members.findings
        assert (finding.check, finding.level, finding.where) == ("shared-url", "notice", "a.html.md")
        assert "b/index.html.md" in finding.problem


def test_a_duplicate_that_is_excluded_is_counted_once() -> None:
    members = chosen([page("drafts/a.html")] * 2, target(exclude=["drafts/"]))
    assert reasons(members) == {"excluded by the settings": 2}


def test_the_order_of_the_pages_does_not_matter_and_the_counts_add_up() -> None:
    pages = [page(path) for path in ("index.html", "a.html", "b/index.html", "404.html", "drafts/a.html")]
    pages += [page(path, SITE_URL + "a.html") for path in ("c.html", "d.html", "e.html")]
    pages += [page("f.html", "https://f.org/")]
    expected = chosen(pages, target(exclude=["drafts/"]))
    assert len(expected.pages) + len(expected.omitted) == len(pages)
    for seed in range(10):
        shuffled = random.Random(seed).sample(pages, len(pages))  # noqa: S311 - a shuffle, not a secret
        assert chosen(shuffled, target(exclude=["drafts/"])) == expected


ELSEWHERE = "https://e.org/docs/b.html"


@pytest.mark.parametrize(
    ("head", "reason"),
    [
        ('<meta name="robots" content="noindex">', "marked noindex"),
        ('<meta name="googlebot" content="none">', "marked noindex"),
        (f'<meta http-equiv="refresh" content="0; url={ELSEWHERE}">', "redirecting elsewhere"),
        (f'<link rel="canonical" href="{ELSEWHERE}">', "with another canonical URL"),
        (f'<meta name=robots content=noindex><link rel="canonical" href="{ELSEWHERE}">', "marked noindex"),
        (
            f'<meta http-equiv=refresh content="0;{ELSEWHERE}"><link rel=canonical href={ELSEWHERE}>',
            "redirecting elsewhere",
        ),
    ],
)
def test_a_page_that_renounces_itself_is_left_out_for_one_reason(head: str, reason: str) -> None:
    kept = page("b.html")
    members = chosen([page("a.html", content=f"<!doctype html><head>{head}</head><body>text</body>"), kept], target())
    assert (members.pages, members.findings) == ([kept], [])
    assert reasons(members) == {reason: 1}


@pytest.mark.parametrize("head", ['<meta http-equiv="refresh" content="60">', '<link rel="canonical" href="">', ""])
def test_a_page_that_only_names_itself_is_listed(head: str) -> None:
    given = page("a.html", content=f"<!doctype html><head>{head}</head><body>text</body>")
    assert chosen([given], target()).pages == [given]


def test_a_page_that_reloads_itself_is_no_redirect() -> None:
    given = page("a.html", content='<!doctype html><meta http-equiv=refresh content="5; url=a.html#b"><p>text')
    assert chosen([given], target()).pages == [given]


def test_a_page_may_call_itself_by_the_name_of_its_file_and_is_listed_so() -> None:
    own = f"{SITE_URL}a/index.html"
    members = chosen([page("a/index.html", content=f'<!doctype html><link rel=canonical href="{own}"><p>a')], target())
    assert [listed.url for listed in members.pages] == [own]


def test_a_canonical_url_on_another_site_is_reported_with_both_urls() -> None:
    content = '<!doctype html><link rel="canonical" href="https://f.org/a"><p>text'
    members = chosen([page("a.html", content=content), page("b.html")], target())
    (finding,) = members.findings
    assert (finding.check, finding.where) == ("canonical-outside", "a.html.md")
    assert f"{SITE_URL}a.html" in finding.problem
    assert "https://f.org/a" in finding.problem


@pytest.mark.parametrize("content", ["", " ", "<!doctype html><title>a</title><body></body>"])
def test_a_page_without_content_is_left_out(content: str) -> None:
    assert reasons(chosen([page("a.html", content=content), page("b.html")], target())) == {"without content": 1}


def test_a_page_whose_file_cannot_be_read_is_left_out() -> None:
    missing = replace(page("b.html"), file="site/none.html")
    assert reasons(chosen([page("a.html"), missing], target())) == {"without a readable file": 1}


def test_a_fragment_is_no_page_where_the_host_copied_it_and_one_where_the_host_made_it() -> None:
    fragment = page("a.html", content="{% block content %}<p>text</p>{% endblock %}")
    assert chosen([fragment], target()).pages == [fragment]
    members = chosen([replace(fragment, details=Details(copied=True)), page("b.html")], target())
    assert reasons(members) == {"without an HTML document": 1}


def test_where_every_page_renounces_itself_one_finding_says_so() -> None:
    noindex = '<!doctype html><meta name="robots" content="noindex"><p>text'
    members = chosen([page("a.html", content=noindex), page("404.html")], target())
    (finding,) = members.findings
    assert (finding.check, finding.level) == ("nothing-listed", "warning")
    assert "1 marked noindex, 1 shown for errors" in finding.problem


@pytest.mark.parametrize(
    ("meta", "reason"),
    [
        ({"sitemap": False}, "excluded by its front matter"),
        ({"sitemap": {"exclude": True}}, "excluded by its front matter"),
        ({"robots": "noindex, nofollow"}, "private or noindex in its front matter"),
        ({"noindex": True}, "private or noindex in its front matter"),
        ({"private": "true"}, "private or noindex in its front matter"),
        ({"external_canonical": "https://f.org/"}, "with another canonical URL"),
    ],
)
def test_the_authors_word_comes_before_the_page(meta: dict[str, object], reason: str) -> None:
    noindex = '<!doctype html><meta name="robots" content="noindex"><p>text'
    given = replace(page("a.html", content=noindex), details=Details(meta=meta))
    assert reasons(chosen([given, page("b.html")], target())) == {reason: 1}


def test_variants_that_the_host_knows_come_before_those_that_the_page_names() -> None:
    content = f'<!doctype html><link rel="alternate" hreflang="de" href="{ELSEWHERE}"><p>text'
    given = page("a.html", content=content)
    known = (("en", given.url),)
    assert chosen([given], target()).pages[0].details.alternates == (("de", ELSEWHERE),)
    given = replace(given, details=Details(alternates=known))
    assert chosen([given], target()).pages[0].details.alternates == known
