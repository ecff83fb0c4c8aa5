"""The dates of pages: what the author wrote, what git proves, what else a page is made of, and what is said of it."""

from collections.abc import Mapping
from datetime import UTC, datetime

import pytest

from smindex_plugins.history import Reason, Unknown, machine, undated_pages
from smindex_plugins.model import Details, Finding, Page
from smindex_plugins.pages.lastmod import Dating
from smindex_plugins.settings import Settings, SettingsError, Target
from smindex_plugins.sitemaps.sections import Section, newest_removals
from tests.support.dated import Dated, date_pages
from tests.support.gitrepo import Repo, day

SITE = "https://example.org/"
NOW = datetime.fromtimestamp(day(100), UTC)


def target(**options: object) -> Target:
    return Target(site_url=SITE, directory="", settings=Settings.load(options))


def page(repo: Repo, name: str, meta: Mapping[str, object] | None = None) -> Page:
    return Page(
        url=f"{SITE}{name.removesuffix('.md')}/",
        sources=(repo.file(name),),
        details=Details(source_name=name, meta=meta),
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


def test_the_settings_choose_the_line_of_history_and_whose_date_counts(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1"})
    repo.branch("side")
    repo.commit(3, {"a.md": "2"}, author=2)
    repo.switch("main")
    repo.merge("side", 4)
    assert days(dated([page(repo, "a.md")])) == [4]
    assert days(dated([page(repo, "a.md")], git_history="full")) == [3]
    assert days(dated([page(repo, "a.md")], git_history="full", git_date="author")) == [2]


def test_a_date_in_the_future_is_absent_and_reported(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1"})
    repo.commit(101, {"b.md": "1"})
    repo.commit(2, {"c.md": "1"})
    result = dated([page(repo, name) for name in ("a.md", "b.md", "c.md")])
    assert days(result) == [1, None, 2]
    finding = only(undated(result), "undated-pages")
    assert (finding.level, finding.where) == ("warning", "1 of 3 pages")
    assert "1 dated in the future" in finding.problem


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


def test_a_generated_page_is_dated_by_what_it_depends_on(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1", "data.yml": "1"})
    generated = Page(url=f"{SITE}tags/", details=Details(meta={"depends": "data.yml"}))
    assert days(dated([generated, page(repo, "a.md")])) == [1, 1]


def test_an_unknown_dependency_takes_the_date_and_is_reported_once(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1", "b.md": "1"})
    result = dated([page(repo, "a.md"), page(repo, "b.md")], depends={"**": ["none/*.md"]})
    assert days(result) == [None, None]
    finding = only(result.findings, "unknown-dependency")
    assert str(finding).startswith(f"depends: it depends on 'none/*.md', which is no file in {repo.path}.")


@pytest.mark.parametrize("value", [5, {"a": "b"}, ["a", 5], "/etc/passwd", ["../x"], "", [" "]])
def test_a_dependency_that_names_no_files_is_reported_with_its_page(repo: Repo, value: object) -> None:
    repo.commit(1, {"a.md": "1"})
    result = dated([page(repo, "a.md", {"depends": value})])
    assert days(result) == [1]
    finding = only(result.findings, "invalid-depends")
    assert finding.where == "a.md"
    assert f"depends: {value!r}" in finding.problem


def test_an_early_start_knows_the_dependencies(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1", "data.yml": "1"})
    dating = Dating(Settings())
    pages = [page(repo, "a.md", {"depends": "data.yml"})]
    dating.start(pages, SITE)
    dating.date(pages, target(), NOW, [])
    assert [len(walks) for walks in dating.history._walks.values()] == [1]


# Messages


def test_what_only_the_author_can_change_is_a_notice(repo: Repo) -> None:
    repo.commit(1, {"a.md": "1"})
    repo.put("new.md")
    finding = only(undated(dated([page(repo, "a.md"), page(repo, "new.md"), Page(url=SITE)])), "undated-by-nature")
    assert finding.level == "notice"
    assert str(finding) == (
        "2 of 3 pages: no date can be proven, so none is written: 1 generated, with no source file to date, "
        "1 not committed to git. Commit what is new, or write `lastmod:` into its front matter. "
        "Generated pages can have a `lastmod:` or `depends:` in their front matter. [undated-by-nature]"
    )


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
    monkeypatch.setattr(machine, "is_container", lambda: False)
    assert fix in machine.whole_history(environment)


def test_in_a_container_the_fix_is_made_where_the_directory_is_mounted_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "is_container", lambda: True)
    assert "mounted into this container" in machine.whole_history({})
    assert "partial: false" in machine.trees({"CI": "woodpecker"})
    assert "--refetch" in machine.trees({})


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


# Settings


def test_every_mistake_in_depends_is_reported_at_once() -> None:
    with pytest.raises(SettingsError) as raised:
        Settings.load({"depends": {"": ["a"], "x/": 5, "y/": ["/abs"], "z/": "ok.md"}, "git_history": "all"})
    assert [key for key, _ in raised.value.errors] == ["git_history", "depends['']", "depends['x/']", "depends['y/']"]
    with pytest.raises(SettingsError):
        Settings.load({"depends": ["a.md"]})
    assert Settings.load({"depends": {"z/": "ok.md"}}).depends == (("z/", ("ok.md",)),)
