"""The dates of pages: what the author wrote, what git proves, what else a page is made of, and why
there is none.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from smindex_plugins.base.dates import utc
from smindex_plugins.base.model import Finding, Page
from smindex_plugins.base.proof import Answer, ContentChange, NoDate, Unknown
from smindex_plugins.base.settings import Settings
from smindex_plugins.base.site import Site
from smindex_plugins.build import publish
from smindex_plugins.html.includes import Includes
from smindex_plugins.pages.dating import Dating
from tests.support.history import DAY, Dated, KnownHistory, Repo, date_pages, day

if TYPE_CHECKING:
    from smindex_plugins.history.history import History

SITE = "https://e.org/"
NOW = datetime.fromtimestamp(day(100), UTC)
"""2020-12-22T12:26:40Z"""
PAST, FUTURE = day(60), day(100) + 1
COMMITTED = ContentChange(PAST, "c")
GIT = "2020-11-12T12:26:40Z"
SHALLOW, UNTRACKED = Unknown(NoDate.SHALLOW), Unknown(NoDate.UNTRACKED)


def site(**options: object) -> Site:
    return Site(url=SITE, directory="/site", settings=Settings.load(options))


def known(*pages: Page, answers: Mapping[str, Answer] | None = None, **options: object) -> Dated:
    """Date pages with a history that has these answers."""
    return date_pages(pages, KnownHistory(answers), site(**options), NOW)


def page(name: str = "a", *sources: str, **meta: object) -> Page:
    return Page(url=f"{SITE}{name}", sources=sources, source_name=f"{name}.md", meta=meta)


@pytest.mark.parametrize(
    ("given", "answer", "options", "expected"),
    [
        ({}, COMMITTED, {}, GIT),
        ({}, COMMITTED, {"lastmod_format": "date"}, "2020-11-12"),
        *(({}, ContentChange(when, "c"), {}, None) for when in (FUTURE, 10**30)),
        ({}, SHALLOW, {}, None),
        ({"meta": {"lastmod": "2020-01-01"}}, COMMITTED, {}, "2020-01-01"),
        ({"meta": {"lastmod": "2020-01-01"}}, SHALLOW, {}, "2020-01-01"),
        (
            {"meta": {"updated": "2020-01-01T23:30:00-02:00"}},
            COMMITTED,
            {"lastmod_format": "date"},
            "2020-01-02",
        ),
        *(({"meta": {"lastmod": date}}, COMMITTED, {}, GIT) for date in ("soon", "2030-01-01")),
        (
            {"meta": {"lastmod": "2020-01-01"}, "lastmod": "2020-05-09"},
            COMMITTED,
            {"lastmod": "off"},
            None,
        ),
        (
            {"meta": {"lastmod": "2020-01-01"}, "lastmod": "2020-05-09T01:30+02:00"},
            SHALLOW,
            {},
            "2020-05-08T23:30:00Z",
        ),
        ({"lastmod": "2030-01-01"}, COMMITTED, {}, GIT),
        # The day of publication counts only if git can never have a date.
        ({"published": "2020-05-01"}, UNTRACKED, {}, "2020-05-01"),
        ({"published": "2020-05-01"}, Unknown(NoDate.IGNORED), {}, "2020-05-01"),
        ({"published": "2020-12-24"}, UNTRACKED, {}, None),
        ({"published": "1970-01-01"}, UNTRACKED, {}, None),
        # What programs write for no date is no date.
        *(
            ({"meta": {"lastmod": zero}}, COMMITTED, {}, GIT)
            for zero in ("0001-01-01", "1970-01-01T00:00:00Z")
        ),
        ({"meta": {"lastmod": date(1, 1, 1)}}, SHALLOW, {}, None),
        ({"lastmod": "1969-12-31T20:00:00-04:00"}, SHALLOW, {}, None),
        ({}, ContentChange(0, "c"), {}, None),
        ({"published": "2020-05-01"}, SHALLOW, {}, None),
        ({"published": "2020-05-01"}, COMMITTED, {}, GIT),
    ],
)
def test_the_date_of_a_page_is_its_own_or_its_authors_or_that_of_git(
    given: dict[str, Any], answer: Answer, options: dict[str, object], expected: str | None
) -> None:
    undated = replace(page("a", "/a.md"), **given)
    assert known(undated, answers={"/a.md": answer}, **options).pages == [
        replace(undated, lastmod=expected)
    ]


def test_a_page_with_a_date_of_its_own_that_is_none_is_a_mistake_of_the_host() -> None:
    with pytest.raises(ValueError, match="'soon', is not a W3C date"):
        known(replace(page(), lastmod="soon"))


def test_why_a_page_has_no_date_is_known_by_its_url() -> None:
    draft = replace(page("draft", "/a", lastmod="soon"), unlisted="marked draft")
    pages = [
        page("zero", "/z"),
        page("shallow", "/b"),
        page("future", "/c"),
        page("made"),
        page("new", "/a", "/d"),
        draft,
        page("a", "/a"),
    ]
    answers: dict[str, Answer] = {"/a": COMMITTED, "/b": SHALLOW, "/c": ContentChange(FUTURE, "c")}
    answers["/z"] = ContentChange(3600, "c")
    dated = known(*pages, answers=answers)
    assert {url.removeprefix(SITE): why.reason for url, why in dated.undated.items()} == {
        "shallow": NoDate.SHALLOW,
        "future": NoDate.FUTURE,
        "zero": NoDate.ZERO,
        "made": NoDate.NO_SOURCE,
        "new": NoDate.UNTRACKED,
        "draft": NoDate.NO_SOURCE,
    }
    assert dated.findings == []


def test_a_date_of_the_author_in_the_future_is_a_finding() -> None:
    (finding,) = known(page("a", "/a", lastmod="2030-01-01")).findings
    assert (finding.check, finding.where) == ("future-date", "a.md")
    assert "2030-01-01" in finding.problem


@pytest.mark.parametrize(
    "given",
    [
        {"meta": {"lastmod": date(1, 1, 1)}},
        {"meta": {"sitemap": {"lastmod": "0001-01-01T00:00:00Z"}}},
    ],
)
def test_a_date_of_the_author_that_stands_for_none_is_invalid_front_matter(
    given: dict[str, Any],
) -> None:
    (finding,) = known(replace(page("a", "/a"), **given), answers={"/a": COMMITTED}).findings
    assert (finding.check, finding.where) == ("invalid-front-matter", "a.md")
    assert finding.problem.startswith(
        "its front matter sets its date to 0001-01-01, which programs write"
    )


def test_without_dates_git_is_not_read() -> None:
    off = site(lastmod="off")
    dated = date_pages([page("a", "/a", lastmod="soon")], cast("History", None), off, NOW)
    assert (dated.undated, dated.findings) == ({}, [])
    dating = Dating(off.settings)
    dating.history = cast("History", None)
    dating.start([page("a", "/a")], off)


# Lists


def listing(*names: str, **meta: object) -> Page:
    return Page(url=f"{SITE}list", lists=tuple(SITE + name for name in names), meta=meta)


NOON = int(datetime(2020, 5, 10, 12, tzinfo=UTC).timestamp())
OLDER = Unknown(NoDate.SHALLOW, before=NOON)
MADE = replace(listing("a", "of-another-site"), sources=("/made.md",))


@pytest.mark.parametrize(
    ("list_", "answers", "posts", "expected"),
    [
        (
            listing("a", "b"),
            {},
            {"a": "2020-01-01", "b": "2020-03-01", "c": "2020-06-01"},
            "2020-03-01",
        ),
        (listing("a", updated="2020-05-01"), {}, {"a": "2020-01-01"}, "2020-05-01"),
        (listing("a", updated="2019-05-01"), {}, {"a": "2020-01-01"}, "2020-01-01"),
        *(
            (empty, {}, {"a": "2020-01-01"}, Unknown(NoDate.NO_SOURCE))
            for empty in (listing(), listing("elsewhere"))
        ),
        (
            listing("a", "b"),
            {"/b.md": OLDER},
            {"a": "2020-05-10T12:00:00Z", "b": ""},
            "2020-05-10T12:00:00Z",
        ),
        (listing("a", "b"), {"/b.md": OLDER}, {"a": "2020-05-10", "b": ""}, OLDER),
        (listing("a", "b"), {"/b.md": SHALLOW}, {"a": "2020-05-10", "b": ""}, SHALLOW),
        (
            MADE,
            {"/made.md": ContentChange(NOON + 86_400, "c")},
            {"a": "2020-05-10"},
            "2020-05-11T12:00:00Z",
        ),
        (MADE, {"/made.md": ContentChange(NOON - 86_400, "c")}, {"a": "2020-05-10"}, "2020-05-10"),
        (
            replace(MADE, number=2),
            {"/made.md": ContentChange(NOON, "c")},
            {"a": "2020-05-10"},
            Unknown(NoDate.LATER_PAGE),
        ),
        (
            replace(listing("a", updated="2020-05-01"), number=2),
            {},
            {"a": "2020-05-10"},
            "2020-05-01",
        ),
    ],
)
def test_a_list_is_as_new_as_its_newest_post_unless_another_may_be_newer(
    list_: Page, answers: dict[str, Answer], posts: dict[str, str], expected: str | Unknown
) -> None:
    pages = [
        page(name, f"/{name}.md", **({"modified": date} if date else {}))
        for name, date in posts.items()
    ]
    dated = known(list_, *pages, answers=answers)
    assert (dated.pages[0].lastmod or dated.undated[list_.url]) == expected


# Dependencies, in real repositories


def source(repo: Repo, name: str, depends: object = None) -> Page:
    meta = None if depends is None else {"depends": depends}
    return Page(
        url=f"{SITE}{name.removesuffix('.md')}/",
        sources=(repo.file(name),),
        source_name=name,
        meta=meta,
    )


def dated(pages: list[Page], **options: object) -> Dated:
    return date_pages(pages, Dating(Settings.load(options)).history, site(**options), NOW)


def days(result: Dated) -> list[float | None]:
    dates = [
        page.lastmod and datetime.fromisoformat(page.lastmod).timestamp() for page in result.pages
    ]
    return [(date - day(0)) / DAY if isinstance(date, float) else None for date in dates]


def only(findings: list[Finding], check: str) -> Finding:
    (finding,) = (finding for finding in findings if finding.check == check)
    return finding


@pytest.mark.parametrize(
    ("depends", "options", "expected"),
    [
        (None, {}, 1),
        (["snippets/*.md"], {}, 2),
        ("snippets/**/*.md", {}, 3),
        (["snippets/", "data.yml"], {}, 4),
        (None, {"depends": {"docs/": ["*.yml"]}}, 4),
        (None, {"depends": {"other/": ["*.yml"]}}, 1),
        (["../x", "data.yml"], {}, 1),  # which is a mistake
        (["data.yml", "none.yml"], {}, None),
    ],
)
def test_a_page_is_as_new_as_the_files_it_depends_on(
    repo: Repo, depends: object, options: dict[str, object], expected: float | None
) -> None:
    names = ("docs/a.md", "snippets/x.md", "snippets/deep/y.md", "data.yml")
    repo.commit(1, dict.fromkeys(names, "1"))
    for on, name in enumerate(names[1:], 2):
        repo.commit(on, {name: str(on)})
    assert days(dated([source(repo, "docs/a.md", depends)], **options)) == [expected]
    elsewhere = replace(source(repo, "docs/a.md"), url="https://f.org/docs/a/")
    assert days(dated([elsewhere], **options)) == [1]


def test_patterns_begin_at_the_repository_of_the_page_or_where_the_build_runs(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Repo.create(tmp_path / "other")
    repo.commit(1, {"a.md": "1", "data.yml": "1"})
    other.commit(2, {"b.md": "1"})
    other.commit(3, {"data.yml": "1"})
    assert days(dated([source(repo, "a.md", "data.yml"), source(other, "b.md", "data.yml")])) == [
        1,
        3,
    ]
    monkeypatch.chdir(repo.path)
    generated = [Page(url=SITE + name, meta={"depends": name}) for name in ("data.yml", "none.yml")]
    assert days(dated(generated)) == [1, None]


def test_an_unknown_dependency_is_reported_once(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1", "b.md": "1"})
    result = dated([source(repo, "a.md"), source(repo, "b.md")], depends={"**": ["none/*.md"]})
    assert {(why.reason, why.other) for why in result.undated.values()} == {
        (NoDate.MISSING, "none/*.md")
    }
    assert only(result.findings, "unknown-dependency").where == "depends"


def test_what_a_generator_says_a_page_is_made_of_counts_in_its_repository(
    repo: Repo, tmp_path: Path
) -> None:
    repo.commit(1, {"a.rst": "1", "b.rst": "1", ".gitignore": "made.rst"})
    repo.commit(2, {"module.py": "1", "lib/site-packages/its.py": "1"})
    (tmp_path / "elsewhere.py").write_text("1")
    repo.put("made.rst", "1")
    others = (
        repo.file("lib/site-packages/its.py"),
        repo.file("gone.py"),
        str(tmp_path / "elsewhere.py"),
    )
    pages = {
        "a.rst": (repo.file("module.py"), *others),
        "b.rst": others,
        "made.rst": (repo.file("module.py"),),
    }
    result = dated(
        [
            Page(url=SITE + name, sources=(repo.file(name),), depends=it)
            for name, it in pages.items()
        ]
    )
    assert days(result) == [2, 1, 2]


@pytest.mark.parametrize("place", ["", "src/"])
def test_an_installed_package_counts_if_it_is_the_one_in_the_repository(
    repo: Repo, tmp_path: Path, place: str
) -> None:
    repo.commit(1, {"a.rst": "1", ".gitignore": ".venv"})
    repo.commit(2, {f"{place}pkg/a.py": "1"})
    repo.commit(3, {f"{place}pkg/b.py": "1", f"{place}other.py": "1"})
    for name in (".venv/lib/site-packages/pkg/a.py", ".venv/lib/site-packages/foreign.py"):
        repo.put(name)
    installed = tmp_path / "site-packages/pkg/b.py"
    installed.parent.mkdir(parents=True)
    installed.write_text("1")
    inside = [repo.file(f".venv/lib/site-packages/{name}") for name in ("pkg/a.py", "foreign.py")]
    made_of = [(inside[1],), tuple(inside), (*inside, str(installed))]
    result = dated(
        [Page(url=SITE, sources=(repo.file("a.rst"),), depends=files) for files in made_of]
    )
    assert days(result) == [1, 2, 3]


def test_dependencies_without_a_date_are_named(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1", "b.md": "1", "data.yml": "1", ".gitignore": "made/"})
    for name in ("new.yml", "new.md", "made/a.md"):
        repo.put(name)
    depends = {
        "a.md": "new.yml",
        "b.md": "made/*.md",
        "made/a.md": "data.yml",
        "new.md": "data.yml",
    }
    result = dated([source(repo, name, pattern) for name, pattern in depends.items()])
    assert days(result) == [None, None, 1, None]
    assert {(why.reason, why.other) for why in result.undated.values()} == {
        (NoDate.UNTRACKED, "new.yml"),
        (NoDate.IGNORED, "made/a.md"),
        (NoDate.UNTRACKED, None),
    }


def including(beside: str = "") -> Dating:
    """Date pages that include the file of each line that begins with a plus."""

    def include(source: str) -> list[str]:
        text = Path(source).read_text(encoding="utf-8")
        return [
            os.path.join(os.path.dirname(source), name)
            for name in re.findall(r"(?m)^\+(.+)$", text)
        ]

    return Dating(Settings(), Includes(include, beside=beside))


@pytest.mark.parametrize(
    ("included", "beside", "expected"),
    [
        ("part.md", "", 3),
        ("../other/part.md", "", 1),
        ("../other/part.md", "other/mkdocs.yml", 4),
        ("../repository/part.md", "", 1),  # a name that begins alike
        *((name, "", 1) for name in ("node_modules/theme/part.md", "none.md", ".")),
    ],
)
def test_a_page_is_as_new_as_the_files_it_includes_from_its_repository_or_that_of_the_configuration(
    repo: Repo, tmp_path: Path, included: str, beside: str, expected: float
) -> None:
    repo.commit(1, {"a.md": f"+{included}\ntext"})
    repo.commit(3, {"part.md": "1", "node_modules/theme/part.md": "1"})
    for name in ("other", "repository"):
        Repo.create(tmp_path / name).commit(4, {"part.md": "1", "mkdocs.yml": "1"})
    dating = including(beside and str(tmp_path / beside))
    dated = dating.date([source(repo, "a.md")], site(), NOW)
    assert days(Dated(*dated)) == [expected]


def test_an_early_start_reads_all_files_that_pages_are_made_of(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit(1, {"a.md": "+part.md", "data.yml": "1"})
    repo.commit(2, {"part.md": "1"})
    dating = including()
    pages = [source(repo, "a.md", "data.yml")]
    dating.start(pages, site())
    dating.history.removals({".md"})  # waits
    monkeypatch.setenv("PATH", "")
    assert days(Dated(*dating.date(pages, site(), NOW))) == [2]


# Notices


def test_a_commit_that_dates_a_quarter_of_many_pages_is_a_notice(repo: Repo) -> None:
    pages = [source(repo, f"{number}.md") for number in range(20)]

    def commit(on: int, *numbers: int) -> str:
        return repo.commit(on, {f"{number}.md": str(on) for number in numbers})

    commit(1, *range(20))
    commit(2, *range(4))
    assert dated(pages).findings == [], "a first commit, and fewer than a quarter"
    commit(3, *range(5))
    most = commit(4, *range(5, 12))
    finding = only(dated(pages).findings, "bulk-commit")
    assert (finding.level, finding.where) == ("notice", "7 of 20 pages")
    assert finding.problem == f"their date, {utc(day(4))}, comes from one commit, {most}."
    assert dated(pages[:19]).findings == [], "few pages"
    repo.branch("more")
    commit(7, *range(15))
    repo.switch("main")
    repo.merge("more", 8)
    assert dated(pages).findings == [], "a merge brings what others changed"
    repo.branch("both")
    commit(9, *range(1, 15))
    repo.commit(9, {"0.md": "theirs"})
    repo.switch("main")
    repo.commit(10, {"0.md": "ours"})
    repo.git("merge", "--quiet", "--no-ff", "-s", "ours", "--no-commit", "both", on=11)
    repo.commit(11, {f"{number}.md": "merged" for number in range(15)})
    assert dated(pages).findings == [], (
        "a merge is named neither if it changed the first file itself"
    )


def test_dates_of_authors_that_are_years_older_than_their_files_are_one_notice(repo: Repo) -> None:
    def dated_by(name: str, lastmod: str) -> Page:
        return replace(source(repo, name), meta={"lastmod": lastmod})

    old = [dated_by(f"{number}.md", "2018-03-01") for number in range(3)]
    kept = [
        dated_by("recent.md", "2020-01-01"),
        dated_by("imported.md", "2018-03-01"),
        source(repo, "git.md"),
    ]
    pages = [
        *old,
        *kept,
        replace(dated_by("including.md", "2018-03-01"), depends=(str(repo.path / "part.md"),)),
    ]
    names = [*(f"{number}.md" for number in range(3)), "recent.md", "git.md"]
    repo.commit(1, dict.fromkeys(names, "text"))
    assert dated(pages).findings == [], "added, not changed"
    commit = repo.commit(2, dict.fromkeys(names, "new"))
    repo.commit(3, dict.fromkeys(["imported.md", "including.md", "part.md"], "text"))
    repo.commit(4, {"part.md": "new"})
    finding = only(dated(pages).findings, "outdated-date")
    assert (finding.level, finding.where) == ("notice", "0.md")
    assert (
        finding.problem
        == f"its front matter sets its date to 2018-03-01, but commit {commit} changed it on"
        f" {utc(day(2))}. The same applies to 2 other pages."
    )
    many = [dated_by(f"{number}.md", "2018-03-01") for number in range(20)]
    repo.commit(5, {f"{number}.md": "text" for number in range(20)})
    repo.commit(6, {f"{number}.md": "reformatted" for number in range(20)})
    assert "outdated-date" not in {each.check for each in dated(many).findings}, (
        "a change of their format"
    )


def test_notices_count_listed_pages_only(repo: Repo, tmp_path: Path) -> None:
    for on in (1, 2):
        repo.commit(on, {f"{number}.md": str(on) for number in range(25)})
    repo.put("24.md", "edited")
    private = [
        replace(source(repo, f"{number}.md"), unlisted="marked draft") for number in range(20, 25)
    ]
    listed = [source(repo, f"{number}.md") for number in range(20)]
    findings = publish([*private, *listed], replace(site(), directory=str(tmp_path))).findings
    assert only(findings, "bulk-commit").where == "20 of 20 pages"
    assert "uncommitted-edits" not in {finding.check for finding in findings}


@pytest.mark.parametrize("name", ["CI", "NETLIFY", "CF_PAGES"])
def test_edits_that_nobody_will_commit_leave_a_page_without_a_date(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    repo.commit(1, dict.fromkeys(("a.md", "b.md", "c.md", "d.md", "part.md"), "text"))
    for each in ("a.md", "d.md", "part.md"):
        repo.put(each, "edited by a step of the build")
    pages = [
        source(repo, "a.md"),
        source(repo, "b.md"),
        replace(source(repo, "c.md"), depends=(str(repo.path / "part.md"),)),
        replace(source(repo, "d.md"), meta={"lastmod": "2020-01-01"}),
    ]
    monkeypatch.setenv(name, "true")
    report = publish(pages, replace(site(), directory=str(tmp_path)))
    assert [each.lastmod for each in report.dated] == [None, utc(day(1)), None, "2020-01-01"]
    assert report.undated == {NoDate.EDITED: 2}
    finding = only(report.findings, "undated-pages")
    assert finding.where == "2 of 4 pages"
    assert "1 edited since the last commit" in finding.problem
    assert "1 built with part.md, which is edited since the last commit" in finding.problem
    assert "uncommitted-edits" not in {each.check for each in report.findings}
