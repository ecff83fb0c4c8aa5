"""The user's own function: where it is found, what it may change, how its pages are judged, and its
mistakes.
"""

import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from smindex_plugins.base import filters
from smindex_plugins.base.model import Page
from smindex_plugins.base.settings import Settings, SettingsError
from smindex_plugins.base.site import Site
from smindex_plugins.build import publish
from smindex_plugins.report import Report
from tests.support.listed import BASE, listed, read_pages
from tests.support.planted import write

NOW = datetime(2026, 5, 10, tzinfo=UTC)
DATE = "2026-01-01T08:00:00Z"
PATHS = ("", "blog/a/", "blog/b/", "guide/a/", "guide/b/")
Function = Callable[[Page], object]


def site(directory: Path, head: str = "", paths: tuple[str, ...] = PATHS) -> list[Page]:
    write(
        directory,
        {f"{path}index.html": f"<!doctype html><title>A</title>{head}<p>Text" for path in paths},
    )
    return [
        Page(
            url=BASE + path,
            file=str(directory / path / "index.html"),
            lastmod=DATE,
            source_name=f"{path or 'index'}.md",
        )
        for path in paths
    ]


def run(
    directory: Path, function: Function | str, pages: list[Page] | None = None, **settings: object
) -> Report:
    options = Settings.load({"filter": function, **settings})
    target = Site(
        url=BASE, directory=str(directory), settings=options, beside=str(directory.parent)
    )
    return publish(site(directory) if pages is None else pages, target, now=NOW)


def test_it_is_called_once_for_each_page_that_would_be_listed_with_its_date(tmp_path: Path) -> None:
    given: list[Page] = []
    pages = [
        *site(tmp_path),
        *site(tmp_path, '<meta name="robots" content="noindex">', ("secret/",)),
    ]

    def keep(page: Page) -> Page | None:
        given.append(page)
        return page if "blog" in page.url else None

    report = run(tmp_path, keep, pages, exclude=["guide/b/"])
    assert sorted(page.url.removeprefix(BASE) for page in given) == [
        "",
        "blog/a/",
        "blog/b/",
        "guide/a/",
    ]
    assert {page.lastmod for page in given} == {DATE}
    assert [*listed(tmp_path)] == ["blog/a/", "blog/b/"]
    assert "2 excluded by filter" in report.summary(1)


def test_it_can_change_the_date_in_any_form_that_is_allowed_and_remove_it(tmp_path: Path) -> None:
    dates = {"": "2026-02-03", "blog/a/": "2026-02-03T04:05:06+02:00", "blog/b/": None}
    report = run(
        tmp_path,
        lambda page: replace(page, lastmod=dates.get(page.url.removeprefix(BASE), page.lastmod)),
        lastmod_format="datetime",
    )
    changed = {"": "2026-02-03", "blog/a/": "2026-02-03T02:05:06Z", "blog/b/": None}
    assert listed(tmp_path) == {**dict.fromkeys(PATHS, DATE), **changed}
    assert report.undated == {"given no date by `filter`": 1}
    run(tmp_path, lambda page: replace(page, lastmod="2026-02-03"), lastmod="off")
    assert {*listed(tmp_path).values()} == {None}


def test_it_can_add_and_remove_language_variants(tmp_path: Path) -> None:
    pair = (("de", f"{BASE}guide/b/"), ("en", f"{BASE}guide/a/"))
    for alternates, count in ((pair, 2), ((), 0)):
        given = () if count else pair
        pages = [
            replace(page, alternates=given)
            for page in site(tmp_path, paths=("guide/a/", "guide/b/"))
        ]
        assert run(tmp_path, partial(replace, alternates=alternates), pages).findings == []
        assert (tmp_path / "guide/sitemap.xml").read_bytes().count(b'hreflang="de"') == count


def test_it_can_give_pages_categories(tmp_path: Path) -> None:
    changes: list[Function] = [
        lambda page: replace(page, section="A b") if "/b/" in page.url else page,
        lambda page: Page(
            url=page.url, lastmod=page.lastmod, section="A b" if "/b/" in page.url else ""
        ),
    ]
    for change in changes:
        assert run(tmp_path, change, section_by="category").findings == []
        in_category = read_pages((tmp_path / "sitemap-a-b.xml").read_bytes())
        assert [page.url for page in in_category] == [f"{BASE}blog/b/", f"{BASE}guide/b/"]
    (finding,) = run(tmp_path, lambda page: page, section_by="category").findings
    assert str(finding).startswith("section_by: no page has a category.")


def test_another_url_is_normalised_and_counts_in_its_own_section(tmp_path: Path) -> None:
    assert (
        run(tmp_path, lambda page: replace(page, url=page.url.replace("/b/", "/größe/"))).findings
        == []
    )
    assert sorted(listed(tmp_path)) == [
        "",
        "blog/a/",
        "blog/gr%C3%B6%C3%9Fe/",
        "guide/a/",
        "guide/gr%C3%B6%C3%9Fe/",
    ]


def test_a_url_that_the_page_itself_contradicts_is_not_listed(tmp_path: Path) -> None:
    pages = [
        *site(tmp_path, paths=("",)),
        *site(tmp_path, f'<link rel="canonical" href="{BASE}a/">', ("a/",)),
    ]
    report = run(tmp_path, lambda page: replace(page, url=page.url.replace("/a/", "/b/")), pages)
    assert [*listed(tmp_path)] == [""]
    assert [each.reason for each in report.omitted] == ["with another canonical URL"]


def test_two_pages_with_one_url_are_listed_once_and_both_are_named(tmp_path: Path) -> None:
    report = run(tmp_path, lambda page: replace(page, url=page.url.replace("/b/", "/a/")))
    assert sorted(listed(tmp_path)) == ["", "blog/a/", "guide/a/"]
    assert [finding.check for finding in report.findings] == ["shared-url", "shared-url"]


class _StrangeError(Exception):
    def __str__(self) -> str:
        raise self


def _strange(_: Page) -> None:
    raise _StrangeError


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda _: 1 / 0, "raised ZeroDivisionError: division by zero (test_filters.py, line "),
        (
            lambda page: replace(page, date="2026-01-01"),
            "unexpected keyword argument 'date' (test_filters.py, line ",
        ),
        (lambda: None, "takes 0 positional arguments but 1 was given. It also fails"),
        (lambda _: sys.exit("no"), "raised SystemExit: no (test_filters.py, line "),
        (_strange, "_StrangeError: <exception str() failed> (test_filters.py"),
        (lambda _: "no", "returned 'no', which is neither a Page nor None."),
        (
            lambda page: replace(page, url="/a/"),
            "set the URL '/a/', which is not an absolute http or https URL.",
        ),
        (
            lambda page: replace(page, lastmod="soon"),
            "set the lastmod 'soon', which is not a W3C date",
        ),
        (
            lambda page: replace(page, lastmod="2026-05-12"),
            "set the lastmod '2026-05-12', which is in the future.",
        ),
        (lambda page: replace(page, file="/etc/passwd"), "changed another attribute of the page."),
        (lambda page: replace(page, section=3), "changed another attribute of the page."),
        (
            lambda page: replace(page, alternates=((1, 2),)),
            "set the alternates ((1, 2),), which are not pairs",
        ),
    ],
)
def test_a_mistake_is_one_error_that_names_a_page_and_leaves_all_pages_as_they_were(
    tmp_path: Path, change: Function, words: str
) -> None:
    (finding,) = run(tmp_path, change).findings
    assert (finding.check, finding.level, finding.where) == ("failed-filter", "error", "index.md")
    assert words in finding.problem
    assert finding.problem.endswith(" It also fails for 4 other pages.")
    assert listed(tmp_path) == dict.fromkeys(PATHS, DATE)


@pytest.mark.parametrize(
    "name", ["hooks:keep", "hooks.py:keep", "tools.of.mine:keep", "tools/of/mine.py:keep"]
)
def test_a_module_is_found_relative_to_the_configuration(tmp_path: Path, name: str) -> None:
    write(
        tmp_path,
        dict.fromkeys(["hooks.py", "tools/of/mine.py"], "def keep(page):\n    return None\n"),
    )
    assert {each.by for each in run(tmp_path / "site", name).omitted} == {f"`{name}`"}


def test_a_module_that_is_installed_and_modules_beside_it_are_found(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"own.py": "import beside\nkeep = beside.keep\n", "beside.py": "def keep(page): ..."},
    )
    assert filters.load("own:keep", str(tmp_path)) is not None
    assert filters.load("copy:copy", str(tmp_path)) is __import__("copy").copy


def test_modules_of_two_projects_with_one_name_are_two(tmp_path: Path) -> None:
    write(tmp_path, {f"{name}/hooks.py": f"def keep(page): return '{name}'" for name in "ab"})
    loaded = [filters.load("hooks:keep", str(tmp_path / name)) for name in "ab"]
    assert [function(Page(url="")) for function in loaded if function] == ["a", "b"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("missing:keep", "there is no file {}/missing.py, and no module missing"),
        ("missing.py:keep", "there is no file {}/missing.py"),
        ("sub/../up:keep", "there is no file {}/up.py"),
        ("hooks:kep", "hooks has no function 'kep'; did you mean 'keep'?"),
        (
            "wrong:keep",
            "wrong can't be loaded: SyntaxError: '(' was never closed (wrong.py, line 2)",
        ),
        ("leaving:keep", "leaving can't be loaded: SystemExit: 3 (leaving.py, line 2)"),
        (
            "needing:keep",
            (
                "needing can't be loaded: ModuleNotFoundError: No module named 'missing'"
                " (needing.py, line 1)"
            ),
        ),
    ],
)
def test_what_cannot_be_loaded_is_a_mistake_in_the_options_before_anything_is_written(
    tmp_path: Path, name: str, words: str
) -> None:
    modules = {"hooks.py": "NAME = 'a'\ndef keep(page): ...\n", "wrong.py": "\nkeep = (\n"}
    write(
        tmp_path,
        {**modules, "leaving.py": "import sys\nsys.exit(3)\n", "needing.py": "import missing\n"},
    )
    with pytest.raises(SettingsError) as caught:
        run(tmp_path / "site", name)
    ((key, message),) = caught.value.errors
    assert key == "filter"
    assert words.format(tmp_path) in message
    assert not list((tmp_path / "site").rglob("*.xml"))
