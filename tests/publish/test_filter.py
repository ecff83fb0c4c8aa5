"""The user's own function: what it may change, how it is judged, and what becomes of its mistakes."""

import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smindex_plugins import filters, urls
from smindex_plugins.model import Page
from smindex_plugins.pipeline import publish
from smindex_plugins.report import Report
from smindex_plugins.settings import Settings, SettingsError, Site
from tests.support.listed import Listed, sitemaps
from tests.support.planted import write

BASE = "https://e.org/docs/"
NOW = datetime(2026, 5, 10, tzinfo=UTC)
HTML = "<!doctype html><title>A</title>{}<p>Text"
PATHS = ("", "blog/a/", "blog/b/", "guide/a/", "guide/b/")
Function = Callable[[Page], object]


class _Broken:
    def __call__(self, _: Page) -> Page:
        message = "broken"
        raise RuntimeError(message)


def site(directory: Path, head: str = "", paths: tuple[str, ...] = PATHS) -> list[Page]:
    write(directory, {f"{path}index.html": HTML.format(head) for path in paths})
    return [
        Page(
            url=BASE + path,
            file=str(directory / path / "index.html"),
            lastmod="2026-01-01T08:00:00Z",
            source_name=f"{path or 'index'}.md",
        )
        for path in paths
    ]


def run(directory: Path, function: Function, pages: list[Page] | None = None, **settings: object) -> Report:
    options = Settings.load({"filter": function, **settings})
    given = site(directory) if pages is None else pages
    return publish(given, Site(url=BASE, directory=str(directory), settings=options), now=NOW)


def listed(directory: Path) -> dict[str, str | None]:
    found = sitemaps(directory, BASE, ["sitemap_index.xml"])
    return {page.url.removeprefix(BASE): page.lastmod for sitemap in found for page in sitemap.pages}


def found(report: Report) -> dict[str, str]:
    return {finding.check: str(finding) for finding in report.findings}


def test_a_page_that_it_returns_is_listed_and_one_for_which_it_returns_none_is_counted(tmp_path: Path) -> None:
    def keep(page: Page) -> Page | None:
        return page if "/blog/" in page.url else None

    report = run(tmp_path, keep)
    assert list(listed(tmp_path)) == ["blog/a/", "blog/b/"]
    assert [(each.reason, each.by.endswith("keep`")) for each in report.omitted] == [("left out by filter", True)] * 3
    assert "left out: 3 left out by filter" in report.summary(1)


def test_it_is_asked_once_for_each_page_that_would_be_listed_with_its_date(tmp_path: Path) -> None:
    asked: list[Page] = []
    pages = [*site(tmp_path), *site(tmp_path, '<meta name="robots" content="noindex">', ("secret/",))]

    def note(page: Page) -> Page:
        asked.append(page)
        return page

    run(tmp_path, note, pages, exclude=["guide/b/"])
    assert sorted(page.url.removeprefix(BASE) for page in asked) == ["", "blog/a/", "blog/b/", "guide/a/"]
    assert {page.lastmod for page in asked} == {"2026-01-01T08:00:00Z"}


def test_it_can_change_the_date_in_any_form_that_is_allowed_and_remove_it(tmp_path: Path) -> None:
    dates = {"": "2026-02-03", "blog/a/": "2026-02-03T04:05:06+02:00", "blog/b/": None}
    report = run(
        tmp_path,
        lambda page: replace(page, lastmod=dates.get(page.url.removeprefix(BASE), page.lastmod)),
        lastmod_format="datetime",
    )
    assert listed(tmp_path) == {
        "": "2026-02-03",
        "blog/a/": "2026-02-03T02:05:06Z",
        "blog/b/": None,
        "guide/a/": "2026-01-01T08:00:00Z",
        "guide/b/": "2026-01-01T08:00:00Z",
    }
    assert report.undated == {"listed without their date by `filter`": 1}
    assert "1 without a date" in report.summary(1)


def test_without_dates_it_adds_none(tmp_path: Path) -> None:
    run(tmp_path, lambda page: replace(page, lastmod="2026-02-03"), lastmod="off")
    assert set(listed(tmp_path).values()) == {None}


def test_it_can_add_and_remove_language_variants(tmp_path: Path) -> None:
    pair = (("de", f"{BASE}guide/b/"), ("en", f"{BASE}guide/a/"))
    links = "".join(f'<link rel="alternate" hreflang="{code}" href="{url}">' for code, url in pair)

    def without(page: Page) -> Page:
        assert "guide" not in page.url or page.alternates == pair
        return replace(page, alternates=())

    def with_them(page: Page) -> Page:
        return replace(page, alternates=pair) if "guide" in page.url else page

    pages = [*site(tmp_path, paths=("",)), *site(tmp_path, links, ("guide/a/", "guide/b/"))]
    assert found(run(tmp_path, without, pages)) == {}
    assert b"hreflang" not in (tmp_path / "guide/sitemap.xml").read_bytes()
    run(tmp_path, with_them)
    assert (tmp_path / "guide/sitemap.xml").read_bytes().count(b'hreflang="de"') == 2


def test_a_page_without_anything_but_url_and_date_is_enough(tmp_path: Path) -> None:
    report = run(tmp_path, lambda page: Page(url=page.url, lastmod="2026-02-03"))
    assert report.findings == []
    assert set(listed(tmp_path).values()) == {"2026-02-03"}


def test_another_url_is_normalised_and_counts_in_its_own_section(tmp_path: Path) -> None:
    report = run(tmp_path, lambda page: replace(page, url=page.url.replace("/b/", "/größe/")))
    assert report.findings == []
    assert sorted(listed(tmp_path)) == ["", "blog/a/", "blog/gr%C3%B6%C3%9Fe/", "guide/a/", "guide/gr%C3%B6%C3%9Fe/"]


@pytest.mark.parametrize("url", ["https://other.example/a/", "https://e.org/elsewhere/", "http://e.org/docs/guide/a/"])
def test_a_url_out_of_scope_is_not_listed_and_both_urls_are_named(tmp_path: Path, url: str) -> None:
    report = run(tmp_path, lambda page: replace(page, url=url) if page.url.endswith("guide/a/") else page)
    assert "guide/a/" not in listed(tmp_path)
    assert f"it is published at {BASE}guide/a/, but `filter` gives it the URL {url}, outside" in str(report.findings[0])
    assert [each.reason for each in report.omitted] == ["outside the directory scope"]


def test_a_url_that_the_page_itself_contradicts_is_not_listed(tmp_path: Path) -> None:
    pages = [*site(tmp_path, paths=("",)), *site(tmp_path, f'<link rel="canonical" href="{BASE}a/">', ("a/",))]
    report = run(tmp_path, lambda page: replace(page, url=page.url.replace("/a/", "/b/")), pages)
    assert list(listed(tmp_path)) == [""]
    assert [each.reason for each in report.omitted] == ["with another canonical URL"]


def test_two_pages_with_one_url_are_listed_once_and_both_are_named(tmp_path: Path) -> None:
    report = run(tmp_path, lambda page: replace(page, url=page.url.replace("/b/", "/a/")))
    assert sorted(listed(tmp_path)) == ["", "blog/a/", "guide/a/"]
    assert [finding.check for finding in report.findings] == ["shared-url", "shared-url"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda _: 1 / 0, "raised ZeroDivisionError: division by zero (test_filter.py, line "),
        (lambda page: {}[page.url], "raised KeyError: "),
        (lambda page: replace(page, date="2026-01-01"), "unexpected keyword argument 'date' (test_filter.py, line "),
        (lambda: None, "takes 0 positional arguments but 1 was given. It fails"),
        (lambda _: sys.exit("no"), "raised SystemExit: no (test_filter.py, line "),
        (_Broken(), "raised RuntimeError: broken (test_filter.py, line "),
        (lambda _: "no", "returned 'no', which is neither a Page nor None."),
        (lambda page: [page], "which is neither a Page nor None."),
        (lambda page: replace(page, url="/a/"), "gave it the URL '/a/', which is not an absolute http or https URL."),
        (lambda page: replace(page, url=None), "gave it the URL None, which"),
        (lambda page: replace(page, lastmod="soon"), "gave it the lastmod 'soon', which is not a W3C date"),
        (lambda page: replace(page, lastmod=NOW), "gave it the lastmod datetime.datetime(2026, 5, 10"),
        (lambda page: replace(page, lastmod=""), "gave it the lastmod '', which is not a W3C date"),
        (lambda page: replace(page, file="/etc/passwd"), "changed something else of the page."),
        (lambda page: replace(page, sources=("x",)), "changed something else of the page."),
        (lambda page: replace(page, meta={"a": "b"}), "changed something else of the page."),
        (lambda page: replace(page, images=("a",)), "changed something else of the page."),
        (lambda page: replace(page, alternates=3), "gave it the alternates 3, which are not pairs of a language code"),
        (lambda page: replace(page, alternates=((1, 2),)), "gave it the alternates ((1, 2),), which are not pairs"),
    ],
)
def test_a_mistake_is_one_error_that_names_a_page_and_leaves_all_pages_as_they_were(
    tmp_path: Path, change: Function, words: str
) -> None:
    report = run(tmp_path, change)
    (finding,) = report.findings
    assert (finding.check, finding.level, finding.where) == ("failed-filter", "error", "index.md")
    assert words in finding.problem
    assert finding.problem.endswith(" It fails for 4 other pages too.")
    assert listed(tmp_path) == dict.fromkeys(PATHS, "2026-01-01T08:00:00Z")


def test_a_date_in_the_future_is_ignored_and_an_error_says_so(tmp_path: Path) -> None:
    report = run(tmp_path, lambda page: replace(page, lastmod="2026-05-12"))
    (finding,) = report.findings
    assert "gave it the lastmod '2026-05-12', which is in the future." in finding.problem
    assert set(listed(tmp_path).values()) == {"2026-01-01T08:00:00Z"}


def test_different_mistakes_are_one_error_about_the_first_of_them(tmp_path: Path) -> None:
    def mistaken(page: Page) -> object:
        if "blog" in page.url:
            return 1 / 0
        if "guide" in page.url:
            raise ValueError(page.url)
        return page

    (finding,) = run(tmp_path, mistaken).findings
    assert finding.where == "blog/a/.md"
    assert "raised ZeroDivisionError" in finding.problem
    assert finding.problem.endswith(" It fails for 3 other pages too.")


def test_an_error_that_cannot_be_shown_is_told_by_its_name(tmp_path: Path) -> None:
    class StrangeError(Exception):
        def __str__(self) -> str:
            raise self

    def strange(_: Page) -> None:
        raise StrangeError

    assert "StrangeError: <exception str() failed> (test_filter.py" in str(run(tmp_path, strange).findings[0])


def test_leaving_out_everything_says_why_nothing_is_listed(tmp_path: Path) -> None:
    report = run(tmp_path, lambda _: None)
    assert "every page was left out: 5 left out by filter." in found(report)["nothing-listed"]


ANSWERS = st.sampled_from(
    [
        "same",
        None,
        "raise",
        42,
        {"lastmod": "2020-02-02"},
        {"lastmod": None},
        {"lastmod": "2099-01-01"},
        {"lastmod": 3},
        {"url": f"{BASE}blog/a/"},
        {"url": f"{BASE}new page/"},
        {"url": "https://other.example/"},
        {"url": "ftp://e.org/"},
        {"file": "x"},
    ]
)


@given(answers=st.lists(ANSWERS, min_size=len(PATHS), max_size=len(PATHS)))
def test_whatever_it_returns_each_page_is_listed_once_in_scope_or_counted(
    tmp_path_factory: pytest.TempPathFactory, answers: list[object]
) -> None:
    directory = tmp_path_factory.mktemp("site")
    pages = site(directory)
    by_url = dict(zip((page.url for page in pages), answers, strict=True))

    def answer(page: Page) -> object:
        given = by_url[page.url]
        if given == "raise":
            raise RuntimeError
        return page if given == "same" else replace(page, **given) if isinstance(given, dict) else given

    report = run(directory, answer, pages)
    written: list[Listed] = sitemaps(directory, BASE, ["sitemap_index.xml"]) if report.index_urls else []
    entries = [page for sitemap in written for page in sitemap.pages]
    assert len(entries) + len(report.omitted) == len(pages)
    assert len({page.url for page in entries}) == len(entries) == report.pages
    for sitemap in written:
        assert all(urls.is_within(page.url, urls.directory(sitemap.url)) for page in sitemap.pages)
    assert all(page.lastmod is None or page.lastmod < "2026-05-11" for page in entries)
    assert {each.check for each in report.findings} <= {
        *("failed-filter", "future-date", "canonical-outside", "shared-url", "nothing-listed", "undated-by-nature")
    }


@pytest.mark.parametrize("name", ["hooks:keep", "hooks.py:keep", "tools.of.mine:keep", "tools/of/mine.py:keep"])
def test_a_module_is_found_relative_to_the_configuration(tmp_path: Path, name: str) -> None:
    write(tmp_path, dict.fromkeys(["hooks.py", "tools/of/mine.py"], "def keep(page):\n    return None\n"))
    options = Settings.load({"filter": name})
    report = publish(
        site(tmp_path / "site"),
        Site(url=BASE, directory=str(tmp_path / "site"), settings=options, beside=str(tmp_path)),
    )
    assert {each.by for each in report.omitted} == {f"`{name}`"}


def test_a_module_that_is_installed_and_modules_beside_it_are_found(tmp_path: Path) -> None:
    write(tmp_path, {"own.py": "import beside\nkeep = beside.keep\n", "beside.py": "def keep(page): ..."})
    assert filters.load("own:keep", str(tmp_path)) is not None
    assert filters.load("copy:copy", str(tmp_path)) is __import__("copy").copy


def test_modules_of_two_projects_with_one_name_are_two(tmp_path: Path) -> None:
    write(tmp_path, {"a/hooks.py": "def keep(page): return 1", "b/hooks.py": "def keep(page): return 2"})
    loaded = [filters.load("hooks:keep", str(tmp_path / name)) for name in "ab"]
    assert [function(Page(url="")) for function in loaded if function] == [1, 2]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("missing:keep", "there is no file {}/missing.py, and no module missing"),
        ("missing.py:keep", "there is no file {}/missing.py"),
        ("a.b.c:keep", "there is no file {}/a/b/c.py, and no module a.b.c"),
        ("sub/../up:keep", "there is no file {}/up.py"),
        ("hooks:kep", "hooks has no function 'kep'; did you mean 'keep'?"),
        ("hooks:NAME", "hooks has no function 'NAME'"),
        ("wrong:keep", "wrong cannot be loaded: SyntaxError: '(' was never closed (wrong.py, line 2)"),
        ("raising:keep", "raising cannot be loaded: NameError: name 'unknown' is not defined (raising.py, line 1)"),
        ("leaving:keep", "leaving cannot be loaded: SystemExit: 3 (leaving.py, line 2)"),
        (
            "needing:keep",
            "needing cannot be loaded: ModuleNotFoundError: No module named 'missing' (needing.py, line 1)",
        ),
    ],
)
def test_what_cannot_be_loaded_is_a_mistake_in_the_options_before_anything_is_written(
    tmp_path: Path, name: str, words: str
) -> None:
    write(
        tmp_path,
        {
            "hooks.py": "NAME = 'a'\ndef keep(page): ...\n",
            "wrong.py": "\nkeep = (\n",
            "raising.py": "unknown\n",
            "leaving.py": "import sys\nsys.exit(3)\n",
            "needing.py": "import missing\n",
        },
    )
    with pytest.raises(SettingsError) as caught:
        publish(
            site(tmp_path / "site"),
            Site(
                url=BASE,
                directory=str(tmp_path / "site"),
                settings=Settings.load({"filter": name}),
                beside=str(tmp_path),
            ),
        )
    ((key, message),) = caught.value.errors
    assert key == "filter"
    assert words.format(tmp_path) in message
    assert not list((tmp_path / "site").rglob("*.xml"))
