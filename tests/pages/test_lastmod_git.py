"""The dates of pages: what the author wrote, what git proves, what else a page is made of, and what is said of it."""

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from smindex_plugins.history import Reason, Unknown, services, undated_pages
from smindex_plugins.history.log import Trail
from smindex_plugins.html import Includes
from smindex_plugins.model import Finding, Page
from smindex_plugins.pages import Dating
from smindex_plugins.settings import Settings, SettingsError, Site
from smindex_plugins.sitemaps.sections import Section, newest_removals
from tests.support.dated import Dated, date_pages
from tests.support.gitrepo import Repo, day

SITE = "https://example.org/"
NOW = datetime.fromtimestamp(day(100), UTC)


def target(**options: object) -> Site:
    return Site(url=SITE, directory="", settings=Settings.load(options))


def page(repo: Repo, name: str, meta: Mapping[str, object] | None = None) -> Page:
    return Page(
        url=f"{SITE}{name.removesuffix('.md')}/",
        sources=(repo.file(name),),
        source_name=name,
        meta=meta,
    )


def dated(pages: list[Page], **options: object) -> Dated:
    return date_pages(pages, Dating(Settings.load(options)).history, target(**options), NOW)


def days(result: Dated) -> list[float | None]:
    return [
        None if page.lastmod is None else (datetime.fromisoformat(page.lastmod).timestamp() - day(0)) / 86_400
        for page in result.pages
    ]


def undated(result: Dated) -> list[Finding]:
    return list(undated_pages(list(result.undated.values()), len(result.pages)))


def only(findings: list[Finding], check: str) -> Finding:
    (finding,) = (finding for finding in findings if finding.check == check)
    return finding


def test_git_dates_in_utc_to_the_second_or_the_day(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1"})
    assert [page.lastmod for page in dated([page(repo, "a.md")]).pages] == ["2020-09-14T12:26:40Z"]
    assert [page.lastmod for page in dated([page(repo, "a.md")], lastmod_format="date").pages] == ["2020-09-14"]


def test_a_date_in_the_future_is_absent_and_reported(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1"})
    repo.commit(101, {"b.md": "1"})
    repo.commit(2, {"c.md": "1"})
    result = dated([page(repo, name) for name in ("a.md", "b.md", "c.md")])
    assert days(result) == [1, None, 2]
    finding = only(undated(result), "undated-pages")
    assert (finding.level, finding.where) == ("warning", "1 of 3 pages")
    assert "1 committed at a time in the future" in finding.problem


def test_a_date_beyond_every_calendar_is_in_the_future(repo: Repo) -> None:
    repo.put("a.md", "1")
    repo.git("add", ".")
    repo.git("commit", "-qm", "c", on=3_000_000_000)
    assert days(dated([page(repo, "a.md")])) == [None]


def test_a_removal_in_the_future_dates_no_section(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1", "b.md": "1"})
    repo.commit(101, {"b.md": None})
    dating = Dating(Settings())
    pages, _ = dating.date([page(repo, "a.md")], target(), NOW, [])
    section = [Section(stem="sitemap", pages=pages)]
    assert newest_removals(pages, section, dating.history, Settings(), NOW) == {}
    later = datetime.fromtimestamp(day(102), UTC)
    assert newest_removals(pages, section, dating.history, Settings(), later) == {0: "2020-12-23T12:26:40Z"}


# Dependencies


def test_front_matter_names_files_that_also_date_a_page(repo: Repo) -> None:
    names = ("docs/a.md", "docs/b.md", "snippets/x.md", "snippets/deep/y.md", "data.yml")
    repo.commit(1, dict.fromkeys(names, "1"))
    repo.commit(2, {"snippets/deep/y.md": "2"})
    repo.commit(3, {"data.yml": "3"})
    pages = [
        page(repo, "docs/a.md", {"depends": ["snippets/*.md"]}),
        page(repo, "docs/a.md", {"depends": "snippets/**/*.md"}),
        page(repo, "docs/a.md", {"depends": ["snippets/", "data.yml"]}),
        page(repo, "docs/b.md"),
    ]
    result = dated(pages)
    assert days(result) == [1, 2, 3, 1]
    assert result.findings == []


def test_settings_name_files_for_the_pages_of_a_url_pattern(repo: Repo) -> None:
    repo.commit(1, {"api/a.md": "1", "b.md": "1", "data.yml": "1"})
    repo.commit(2, {"data.yml": "2"})
    assert days(dated([page(repo, "api/a.md"), page(repo, "b.md")], depends={"api/": ["*.yml"]})) == [2, 1]


def test_a_page_is_dated_by_what_its_generator_says_it_is_made_of_in_the_same_repository(
    repo: Repo, tmp_path: Path
) -> None:
    repo.commit(1, {"a.rst": "1", "b.rst": "1", ".gitignore": "made.rst"})
    repo.commit(2, {"module.py": "1", "lib/site-packages/its.py": "1"})
    elsewhere, installed = tmp_path / "elsewhere.py", repo.file("lib/site-packages/its.py")
    for path in (elsewhere, repo / "made.rst"):
        path.write_text("1")
    made_of = (repo.file("module.py"), str(elsewhere), repo.file("gone.py"))
    others = (installed, str(elsewhere))
    pages = {"a.rst": made_of, "b.rst": others, "made.rst": made_of}
    result = dated([Page(url=SITE + name, sources=(repo.file(name),), depends=it) for name, it in pages.items()])
    assert days(result) == [2, 1, 2]


def test_a_generated_page_is_dated_by_what_it_depends_on(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1", "data.yml": "1"})
    generated = Page(url=f"{SITE}tags/", meta={"depends": "data.yml"})
    assert days(dated([generated, page(repo, "a.md")])) == [1, 1]


def test_an_unknown_dependency_takes_the_date_and_is_reported_once(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1", "b.md": "1"})
    result = dated([page(repo, "a.md"), page(repo, "b.md")], depends={"**": ["none/*.md"]})
    assert days(result) == [None, None]
    finding = only(result.findings, "unknown-dependency")
    assert str(finding).startswith(f"depends: it depends on 'none/*.md', which matches no file in {repo.path}.")


def test_a_dependency_deeper_than_any_file_can_be_is_only_unknown(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1"})
    finding = only(dated([page(repo, "a.md", {"depends": "a/" * 2_000 + "x"})]).findings, "unknown-dependency")
    assert "which matches no file in" in finding.problem


@pytest.mark.parametrize("value", [5, {"a": "b"}, ["a", 5], "/etc/passwd", ["../x"], "", [" "]])
def test_a_dependency_that_names_no_files_is_reported_with_its_page(repo: Repo, value: object) -> None:
    repo.commit(1, {"a.md": "1"})
    result = dated([page(repo, "a.md", {"depends": value})])
    assert days(result) == [1]
    finding = only(result.findings, "invalid-front-matter")
    assert finding.where == "a.md"
    assert f"depends: {value!r}" in finding.problem


def test_an_early_start_knows_the_dependencies(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit(1, {"a.md": "1", "data.yml": "1"})
    dating = Dating(Settings())
    pages = [page(repo, "a.md", {"depends": "data.yml"})]
    dating.start(pages, target())
    dating.history.removals({".md"})  # waits
    monkeypatch.setattr(Trail, "follow", None)
    dating.date(pages, target(), NOW, [])


def test_nothing_is_begun_early_where_git_is_not_to_say_when(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1"})
    dating = Dating(Settings.load({"lastmod": "off"}))
    dating.start([page(repo, "a.md")], target(lastmod="off"))
    assert not dating.history._repositories


def test_each_page_names_files_of_its_own_repository(repo: Repo, tmp_path: Path) -> None:
    other = Repo.create(tmp_path / "other")
    repo.commit(1, {"a.md": "1", "data.yml": "1"})
    other.commit(2, {"b.md": "1"})
    other.commit(3, {"data.yml": "1"})
    meta = {"depends": "data.yml"}
    assert days(dated([page(repo, "a.md", meta), page(other, "b.md", meta)])) == [1, 3]


def test_every_pattern_counts_whatever_comes_after_it(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1", "old.yml": "1"})
    repo.commit(2, {"new.yml": "1"})
    assert days(dated([page(repo, "a.md", {"depends": ["new.yml", "old.yml"]})])) == [2]


def test_without_any_source_patterns_begin_where_the_build_runs(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit(1, {"data.yml": "1"})
    monkeypatch.chdir(repo.path)
    known, unknown = (Page(url=SITE + name, meta={"depends": name}) for name in ("data.yml", "no.yml"))
    result = dated([known, unknown])
    assert days(result) == [1, None]
    (why,) = result.undated.values()
    assert (why.reason, why.other) == (Reason.MISSING, "no.yml")
    assert (
        f"which matches no file in {os.path.realpath(repo.path)}."
        in only(result.findings, "unknown-dependency").problem
    )


def test_the_settings_name_no_files_for_pages_of_another_site(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1"})
    repo.commit(2, {"data.yml": "1"})
    elsewhere = replace(page(repo, "a.md"), url="https://elsewhere.example/a/")
    assert days(dated([elsewhere, page(repo, "a.md")], depends={"**": ["data.yml"]})) == [1, 2]


def test_the_file_of_commits_that_do_not_count_has_the_name_that_the_settings_say(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1"})
    oid = repo.commit(2, {"a.md": "2"})
    repo.commit(3, {"ignored.txt": oid})
    assert days(dated([page(repo, "a.md")])) == [2]
    assert days(dated([page(repo, "a.md")], ignore_revs_file="ignored.txt")) == [1]


# What pages include


def including(settings: Settings, beside: str = "") -> Dating:
    """Date pages that include the file of each line that begins with a plus."""
    dating = Dating(settings)

    def include(source: str) -> list[str]:
        text = Path(source).read_text(encoding="utf-8")
        return [os.path.join(os.path.dirname(source), name) for name in re.findall(r"(?m)^\+(.+)$", text)]

    dating.includes = Includes(include, beside=beside)
    return dating


@pytest.mark.parametrize(
    ("included", "dated_on"),
    [
        ("part.md", 3),
        ("../other/part.md", 1),  # of another repository
        ("node_modules/theme/part.md", 1),
        ("none.md", 1),
        (".", 1),
        ("../repository/part.md", 1),  # beside it, with a name that begins alike
    ],
)
def test_a_page_is_as_new_as_what_it_includes_of_its_repository(
    repo: Repo, tmp_path: Path, included: str, dated_on: int
) -> None:
    repo.commit(1, {"a.md": f"+{included}\ntext"})
    repo.commit(3, {"part.md": "1", "node_modules/theme/part.md": "1"})
    for name in ("other", "repository"):
        Repo.create(tmp_path / name).commit(4, {"part.md": "1"})
    dating = including(Settings())
    assert days(date_pages([page(repo, "a.md")], dating.history, target(), NOW)) == [1]
    pages, _ = dating.date([page(repo, "a.md")], target(), NOW, [])
    assert days(Dated(pages, {}, [])) == [dated_on]


def test_what_lies_beside_the_configuration_may_be_included_too(repo: Repo, tmp_path: Path) -> None:
    other = Repo.create(tmp_path / "other")
    other.commit(4, {"mkdocs.yml": "1", "part.md": "1"})
    repo.commit(1, {"a.md": "+../other/part.md"})
    pages, _ = including(Settings(), beside=other.file("mkdocs.yml")).date([page(repo, "a.md")], target(), NOW, [])
    assert days(Dated(pages, {}, [])) == [4]
    other.put("part.md", "new")
    other.put("untracked.md", "new")
    repo.commit(2, {"a.md": "+../other/untracked.md"})
    _, undated_pages = including(Settings(), beside=other.file("mkdocs.yml")).date(
        [page(repo, "a.md")], target(), NOW, []
    )
    (why,) = undated_pages.values()
    assert (why.reason, why.other) == (Reason.UNTRACKED, "../other/untracked.md")


def test_an_early_start_knows_what_pages_include(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit(1, {"a.md": "+part.md", "part.md": "1"})
    dating = including(Settings())
    dating.start([page(repo, "a.md")], target())
    dating.history.removals({".md"})  # waits
    monkeypatch.setattr(Trail, "follow", None)
    dating.date([page(repo, "a.md")], target(), NOW, [])


# Messages


def test_what_only_the_author_can_change_is_a_notice(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1"})
    repo.put("new.md")
    finding = only(undated(dated([page(repo, "a.md"), page(repo, "new.md"), Page(url=SITE)])), "undated-by-nature")
    assert finding.level == "notice"
    assert str(finding) == (
        "2 of 3 pages: no reliable date was found, so <lastmod> is left out: 1 generated, with no source file to date, "
        "1 not committed to git. Commit new files, or write `lastmod:` into the front matter of the pages. "
        "Generated pages can have a `lastmod:` or `depends:` in their front matter. [undated-by-nature]"
    )


def test_a_dependency_without_a_date_is_named_and_what_its_pages_lack_is_not_put_on_the_pages(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1", "b.md": "1", ".gitignore": "made/"})
    repo.put("new.yml")
    repo.put("made/x.md")
    pages = [page(repo, "a.md", {"depends": "new.yml"}), page(repo, "b.md", {"depends": "made/*.md"})]
    finding = only(undated(dated(pages)), "undated-by-nature")
    assert "1 made with made/x.md, which is kept out of git by .gitignore" in finding.problem
    assert "1 made with new.yml, which is not committed to git" in finding.problem


def test_a_page_that_was_made_for_the_build_is_dated_by_what_it_is_said_to_be_made_of(repo: Repo) -> None:
    repo.commit(1, {"data.yml": "1", "a.md": "1", ".gitignore": "made/"})
    repo.commit(2, {"data.yml": "2"})
    repo.put("made/a.md")
    repo.put("new.md")
    pages = [
        page(repo, "made/a.md", {"depends": "data.yml"}),
        page(repo, "made/a.md"),
        page(repo, "new.md", {"depends": "data.yml"}),
    ]
    result = dated(pages)
    assert days(result) == [2, None, None]
    assert "Name the files that they are made from under `depends`" in undated(result)[0].fix


def test_of_many_dependencies_without_a_date_one_is_named(repo: Repo) -> None:
    names = [f"{number}.md" for number in range(5)]
    repo.commit(1, dict.fromkeys(names, "1"))
    for name in names:
        repo.put(f"new/{name}")
    pages = [page(repo, name, {"depends": f"new/{name}"}) for name in names]
    finding = only(undated(dated(pages)), "undated-by-nature")
    assert ": 5 made with files such as new/0.md, which is not committed to git." in finding.problem


def test_a_dependency_that_is_gone_is_told_once_unless_dates_are_insisted_on(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1", "b.md": "1"})
    result = dated([page(repo, "a.md"), page(repo, "b.md", {"depends": "data.yml"})])
    assert [finding.check for finding in [*result.findings, *undated(result)]] == ["unknown-dependency"]
    (finding,) = undated_pages(list(result.undated.values()), 2, "fail")
    assert "1 made with data.yml, which is not there." in finding.problem
    assert "Correct `depends`" in finding.fix


def test_the_day_of_publication_is_no_date_of_a_page_whose_dependency_is_unknown(repo: Repo) -> None:
    repo.commit(5, {"a.md": "1"})
    repo.put("new.yml")
    given = page(repo, "a.md", {"depends": "new.yml"})
    published = replace(given, published="2020-01-01")
    assert days(dated([published])) == [None]


def test_a_distrusted_repository_is_reported_with_the_line_that_trusts_it() -> None:
    (finding,) = undated_pages([Unknown(Reason.DUBIOUS_OWNERSHIP, repository="/my docs")] * 2, 2)
    assert "`git config --global --add safe.directory '/my docs'`" in finding.fix


@pytest.mark.parametrize(
    ("environment", "fix"),
    [
        ({"GITHUB_ACTIONS": "true", "CI": "true"}, "`with: {fetch-depth: 0, filter: 'blob:none'}`"),
        ({"GITLAB_CI": "true"}, "GIT_DEPTH: 0"),
        ({"BITBUCKET_BUILD_NUMBER": "1"}, "depth: full"),
        ({"TF_BUILD": "True"}, "fetchDepth: 0"),
        ({"NETLIFY": "true"}, "On Netlify"),
        ({"VERCEL": "1"}, "VERCEL_DEEP_CLONE=true"),
        ({"CF_PAGES": "1"}, "On Cloudflare Pages"),
        ({"READTHEDOCS": "True"}, "post_checkout"),
        ({"RENDER": "true"}, "On Render"),
        ({"CI": "woodpecker"}, "partial: false"),
        ({"CI": "true"}, "before the build: `git fetch --unshallow --filter=blob:none`"),
    ],
)
def test_the_fix_for_a_shallow_clone_is_that_of_the_machine(
    environment: dict[str, str], fix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "is_container", lambda: False)
    assert fix in services.whole_history(environment)


def test_in_a_container_the_fix_is_right_whether_or_not_the_directory_is_mounted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(services, "is_container", lambda: True)
    fix = services.whole_history({})
    assert f"`{services.UNSHALLOW}`" in fix
    assert "in this container, or on the host machine if the directory is mounted" in fix
    assert "partial: false" in services.trees({"CI": "woodpecker"})
    assert "--refetch" in services.trees({})


def many(repo: Repo, count: int) -> list[Page]:
    return [page(repo, f"{number}.md") for number in range(count)]


def test_a_commit_that_dates_a_quarter_of_many_pages_is_suggested_for_the_list(repo: Repo) -> None:
    repo.commit(1, {f"{number}.md": "1" for number in range(20)})
    oid = repo.commit(2, {f"{number}.md": "2" for number in range(5)})
    finding = only(dated(many(repo, 20)).findings, "bulk-commit")
    assert finding.level == "notice"
    assert finding.where == "5 of 20 pages"
    assert oid in finding.problem
    assert ".git-blame-ignore-revs" in finding.fix
    repo.commit(3, {".git-blame-ignore-revs": oid})
    assert dated(many(repo, 20)).findings == []


def test_of_several_such_commits_the_one_that_dates_the_most_pages_is_suggested(repo: Repo) -> None:
    repo.commit(1, {f"{number}.md": "1" for number in range(20)})
    repo.commit(2, {f"{number}.md": "2" for number in range(5)})
    most = repo.commit(3, {f"{number}.md": "2" for number in range(5, 12)})
    repo.commit(4, {f"{number}.md": "2" for number in range(12, 18)})
    finding = only(dated(many(repo, 20)).findings, "bulk-commit")
    assert (finding.where, most in finding.problem) == ("7 of 20 pages", True)


def test_few_pages_few_changes_and_first_commits_are_no_bulk(repo: Repo) -> None:
    repo.commit(1, {f"{number}.md": "1" for number in range(20)})
    assert dated(many(repo, 20)).findings == []
    repo.commit(2, {f"{number}.md": "2" for number in range(4)})
    assert dated(many(repo, 20)).findings == []
    repo.commit(3, {f"{number}.md": "3" for number in range(19)})
    assert dated(many(repo, 19)).findings == []


def test_uncommitted_edits_are_one_notice(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1", "b.md": "1", "c.md": "1"})
    repo.put("a.md", "2")
    repo.put("b.md", "2")
    result = dated([page(repo, name) for name in ("a.md", "b.md", "c.md")])
    assert days(result) == [1, 1, 1]
    finding = only(result.findings, "uncommitted-edits")
    assert (finding.level, finding.where) == ("notice", "2 of 3 pages")
    assert finding.problem == "edits are not committed. The dates are those of the last commits."


# Settings


def test_every_mistake_in_depends_is_reported_at_once() -> None:
    with pytest.raises(SettingsError) as raised:
        Settings.load({"depends": {"": ["a"], "x/": 5, "y/": ["/abs"], "z/": "ok.md"}, "undated": "all"})
    assert [key for key, _ in raised.value.errors] == ["undated", "depends['']", "depends['x/']", "depends['y/'][0]"]
    with pytest.raises(SettingsError):
        Settings.load({"depends": ["a.md"]})
    assert Settings.load({"depends": {"z/": "ok.md"}}).depends == (("z/", ("ok.md",)),)
