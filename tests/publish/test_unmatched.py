"""Options with patterns and paths: whatever of them matches nothing is told, with what would match."""

from pathlib import Path

import pytest

from smindex_plugins.model import Finding, Page
from smindex_plugins.pipeline import publish as publish_with_history
from smindex_plugins.report import Report
from smindex_plugins.settings import Settings, Site
from tests.support.dated import publish_as_given
from tests.support.gitrepo import Repo

BASE = "https://e.org/docs/"
PATHS = ("", "api/", "api/one/", "api/two/", "guide/a/", "guide/b/", "guide/c/", "news/a/")
API = {"name": "api", "urls": ["api/"]}


def publish(directory: Path, *paths: str, **settings: object) -> Report:
    pages = [Page(url=BASE + path, lastmod="2026-05-10") for path in paths or PATHS]
    target = Site(url=BASE, directory=str(directory), settings=Settings.load(settings), beside=str(directory))
    return publish_as_given(pages, target)


def told(report: Report) -> list[str]:
    return [str(finding) for finding in report.findings]


@pytest.mark.parametrize(
    ("settings", "where"),
    [
        ({"exclude": "drafts/"}, "exclude"),
        ({"exclude": ["guide/a/", "drafts/"]}, "exclude[1]"),
        ({"sections": [API, {"name": "x", "urls": ["guide/", "drafts/"]}]}, "sections[1].urls[1]"),
        ({"depends": {"drafts/": "a.yml"}}, "depends['drafts/']"),
    ],
)
def test_a_pattern_that_matches_no_page_is_one_warning_where_it_is_written(
    tmp_path: Path, settings: dict[str, object], where: str
) -> None:
    (finding,) = publish(tmp_path, **settings).findings
    assert (finding.check, finding.level, finding.where) == ("unmatched-pattern", "warning", where)
    assert finding.problem == "`drafts/` matches no page."
    assert "such as `api/`, `guide/`, `news/`, with " in finding.fix
    assert ("`sitemap: false`" in finding.fix) is where.startswith("exclude")


@pytest.mark.parametrize("pattern", ["api", "/api", "docs/api/", "^api/.*$", f"{BASE}api/", "API/"])
def test_what_would_match_is_named(tmp_path: Path, pattern: str) -> None:
    (finding,) = publish(tmp_path, exclude=pattern).findings
    assert "`api/`" in finding.fix


def test_the_name_of_a_source_is_known_for_its_page(tmp_path: Path) -> None:
    pages = [
        Page(url=f"{BASE}{name}.html", source_name=f"posts/{number}-{name}.md") for number, name in enumerate("abc")
    ]
    target = Site(url=BASE, directory=str(tmp_path), settings=Settings.load({"exclude": "posts/1-b.md"}))
    assert told(publish_as_given(pages, target)) == [
        "exclude: `posts/1-b.md` matches no page. Did you mean `b.html`? [unmatched-pattern]"
    ]


def test_a_page_that_is_left_out_for_another_reason_was_matched(tmp_path: Path) -> None:
    (tmp_path / "noindex.html").write_text('<!doctype html><meta name="robots" content="noindex"><p>text')
    pages = [
        Page(url=f"{BASE}drafts/a/", unlisted="marked draft"),
        Page(url=f"{BASE}secret/", file=str(tmp_path / "noindex.html"), mapped=True),
        Page(url=f"{BASE}list/2/", number=2),
        Page(url=f"{BASE}404.html"),
        *(Page(url=BASE + path) for path in PATHS),
    ]
    patterns = ["drafts/", "secret/", "list/2/", "404.html", "api/", "api/one/"]
    sections = [{"name": "a", "urls": ["drafts/"]}, {"name": "b", "urls": ["secret/"]}]
    settings = Settings.load({"exclude": patterns, "sections": sections, "pagination": False})
    report = publish_as_given(pages, Site(url=BASE, directory=str(tmp_path), settings=settings))
    assert not report.findings


@pytest.mark.parametrize("pattern", ["search.html", "assets/"])
def test_what_is_in_the_output_and_of_no_page_needs_no_pattern_and_may_have_one(tmp_path: Path, pattern: str) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "search.html").write_text("<title>Search</title>")
    assert not publish(tmp_path, exclude=pattern).findings


def test_the_directory_of_pages_that_have_other_urls_is_no_excuse(tmp_path: Path) -> None:
    file = tmp_path / "posts/a.html"
    file.parent.mkdir()
    file.write_text("<!doctype html><title>A</title><p>text")
    pages = [Page(url=f"{BASE}a/", file=str(file), mapped=True), Page(url=BASE)]
    settings = Settings.load({"exclude": ["posts/", "posts/a.html"]})
    whole, one = publish_as_given(pages, Site(url=BASE, directory=str(tmp_path), settings=settings)).findings
    assert (whole.where, whole.problem) == ("exclude[0]", "`posts/` matches no page.")
    assert (one.where, one.fix) == ("exclude[1]", "Did you mean `a/`?")


def test_without_any_page_no_pattern_is_blamed(tmp_path: Path) -> None:
    target = Site(url=BASE, directory=str(tmp_path), settings=Settings.load({"exclude": "drafts/"}))
    assert [finding.check for finding in publish_as_given([], target).findings] == ["nothing-listed"]


def test_another_origin_to_which_no_page_belongs_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "robots.txt").write_text(f"Sitemap: {BASE}sitemap_index.xml\n")
    files = {"a/": "https://f.org/a/", "b/": "https://www.g.org/b/"}
    pages = [Page(url=BASE)]
    for path, canonical in files.items():
        (tmp_path / path).mkdir()
        file = tmp_path / path / "index.html"
        file.write_text(f'<!doctype html><title>A</title><link rel="canonical" href="{canonical}"><p>text')
        pages.append(Page(url=BASE + path, file=str(file)))
    settings = Settings.load({"cross_site": dict.fromkeys(["https://f.org", "https://g.org"], "robots.txt")})
    target = Site(url=BASE, directory=str(tmp_path), settings=settings, beside=str(tmp_path))
    (finding,) = [each for each in publish_as_given(pages, target).findings if each.check == "unmatched-pattern"]
    assert (finding.where, finding.problem) == ("cross_site['https://g.org']", "no page has its canonical URL there.")


def revisions(repo: Repo, name: str) -> list[Finding]:
    settings = Settings.load({"ignore_revs_file": name})
    page = Page(url=f"{BASE}a/", sources=(str(repo / "docs/a.md"),))
    directory = str(repo.path.parent / "site")
    report = publish_with_history([page], Site(url=BASE, directory=directory, settings=settings))
    return [finding for finding in report.findings if finding.check == "unmatched-pattern"]


def test_a_list_of_ignored_commits_that_is_not_there_is_told(repo: Repo) -> None:
    repo.put("docs/a.md", "a")
    repo.put("docs/.revs", "# none yet\n")
    repo.commit(1)
    assert not revisions(repo, "docs/.revs")
    for name in (".revs", "docs"):  # which is no file
        (finding,) = revisions(repo, name)
        assert (finding.check, finding.where) == ("unmatched-pattern", "ignore_revs_file")
        assert finding.fix.endswith(f"git repository, {repo.path}. Correct it, or remove it.")
