"""Explanations of checks are those of the catalogue, and those of pages say what their build
decided.
"""

import io
import json
import os
import re
import shutil
from collections.abc import Callable, Iterable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import pytest

from smindex_plugins.base import urls
from smindex_plugins.base.catalogue import CATALOGUE, INVALID_DATE
from smindex_plugins.base.model import Page
from smindex_plugins.base.settings import Filter
from smindex_plugins.build import Host, publish
from smindex_plugins.checks.applying import DirectoryCheck
from smindex_plugins.cli.main import main
from smindex_plugins.cli.report import compose
from smindex_plugins.explain.explaining import Explainer
from smindex_plugins.explain.output import write_explanations
from smindex_plugins.overview.overview import Overview
from smindex_plugins.pages.dating import Dating
from smindex_plugins.projects.find import find_site
from smindex_plugins.reading.directory import Directory
from smindex_plugins.record.find import find_record
from smindex_plugins.record.save import CACHE
from tests.support.command import refused
from tests.support.history import Repo
from tests.support.planted import urlset, write
from tests.support.schema import mistakes

SITE = "https://e-docs.org/"
SCHEMA = json.loads(
    (files("smindex_plugins") / "schemas/explanation.json").read_text(encoding="utf-8")
)
HTML = "<!doctype html>\n<title>A</title>\n{}\n<p>Text"
Explain = Callable[..., Any]


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Make a project of which one page came by a merge, one by a commit, and one is dated by its
    author.
    """
    repo = Repo.create(tmp_path / "project")
    repo.put(
        "pyproject.toml",
        f'[tool.smindex]\ndirectory = "site"\nsite_url = "{SITE}"\nsources ='
        ' ["docs/{path}.md"]\n',
    )
    pages = ("index", "guide/a", "guide/b", "guide/c", "lone/d")
    repo.commit(
        0,
        {".gitignore": "site/\n", **{f"docs/{page}.md": f"# {page}\n" for page in pages}},
        message="begin",
    )
    repo.branch("topic")
    repo.commit(1, {"docs/guide/a.md": "# changed\n"}, message="Explain a")
    repo.commit(2, {"docs/guide/c.md": "# other\n"}, message="Explain c")
    repo.switch("main")
    repo.commit(3, {"docs/guide/b.md": "# changed\n"}, author=2.5, message="Say more of b")
    repo.merge("topic", 4)
    repo.commit(5, {"docs/guide/c.md": "---\nupdated: 2021-05-01\n---\n# c\n"})
    for page in pages:
        repo.put(f"site/{page}.html", HTML.format(""))
    monkeypatch.chdir(repo.path)
    return repo


def configure(repo: Repo, option: str) -> None:
    with (repo / "pyproject.toml").open("a") as file:
        file.write(f"{option}\n")


def build(change: Callable[[Page], Page] = lambda page: page, chosen: Filter | None = None) -> None:
    """Build the site as a host does that knows more about its pages, and with a filter."""
    site = find_site()
    pages = [change(site.page(file)) for file in site.files()]
    settings = replace(site.settings, filter=chosen) if chosen else site.settings
    publish(pages, replace(site.site, settings=settings), Host(dating=Dating(settings)))


def edit(repo: Repo, name: str, old: str, new: str) -> None:
    """Change a file by hand after the build."""
    text = (repo / name).read_text(encoding="utf-8")
    assert re.search(old, text)
    repo.put(name, re.sub(old, new, text, count=1))


def delete_record(repo: Repo) -> None:
    shutil.rmtree(repo / CACHE)
    assert find_record("site", str(repo.path)) is None


def printed(asked: Iterable[str], form: Literal["text", "json"], missing: int = 0) -> str:
    out = io.StringIO()
    explainer = Explainer(
        checked=Directory(path="site", site_url=SITE), record=find_record("site", os.getcwd())
    )
    assert write_explanations(explainer.explain(asked), form, out) == missing
    return out.getvalue()


def overview() -> Overview:
    return compose(
        DirectoryCheck(directory=Directory(path="site"), record=find_record("site", os.getcwd()))
    )


@pytest.fixture
def explain(repo: Repo) -> Explain:
    def run(*asked: str, missing: int = 0) -> Any:  # noqa: ANN401 - what JSON holds
        if not (repo / "site/sitemap_index.xml").exists():
            build()
        result = json.loads(printed(asked, "json", missing))
        assert mistakes(result, SCHEMA) == []
        return result["pages"] if len(asked) > 1 else result["pages"][0]

    return run


@pytest.mark.parametrize(
    "asked", [f"{SITE}guide/a.html", "site/guide/a.html", "docs/guide/a.md", "guide/a.html"]
)
def test_a_page_is_found_by_its_url_its_file_its_path_and_its_source(
    explain: Explain, asked: str
) -> None:
    assert explain(asked)["url"] == f"{SITE}guide/a.html"


def test_a_page_that_came_by_a_merge_has_the_commit_of_its_branch_and_the_day_of_the_merge(
    explain: Explain, repo: Repo
) -> None:
    date = explain("docs/guide/a.md")["date"]
    assert date["commit"]["hash"] == repo.git("rev-parse", "topic~1")
    assert date["commit"]["subject"] == "Explain a"
    assert date["landed"]["hash"] == repo.git("rev-parse", "main~1")
    assert date["lastmod"] == date["landed"]["committed"] == "2020-09-17T12:26:40Z"


def test_a_commit_that_was_written_before_it_was_committed_has_both_times(explain: Explain) -> None:
    date = explain("docs/guide/b.md")["date"]
    assert date["commit"] == date["landed"]
    assert date["commit"]["written"] == "2020-09-16T00:26:40Z"
    assert date["commit"]["committed"] == "2020-09-16T12:26:40Z"


def test_the_key_by_which_an_author_dated_a_page_is_named(explain: Explain) -> None:
    date = explain("docs/guide/c.md")["date"]
    assert (date["rests_on"], date["key"], date["lastmod"]) == ("author", "updated", "2021-05-01")


@pytest.mark.parametrize(
    ("option", "name", "place"),
    [
        ("", "lone/d", ("root", ["lone/ has 1 page, fewer than section_min_pages: 2"])),
        ("", "guide/b", ("guide/", ["its directory is guide/ (section_depth: 1)"])),
        (
            "max_urls = 2",
            "guide/b",
            (
                "guide/",
                [
                    "its directory is guide/ (section_depth: 1)",
                    "its section has 3 pages in 2 files, and a hash of its URL chose this one",
                ],
            ),
        ),
        (
            'sections = [{name = "api", urls = ["guide/b*"]}]',
            "guide/b",
            ("api", ["it matches `guide/b*` of the section `api` in `sections`"]),
        ),
    ],
)
def test_a_page_is_in_the_section_and_in_the_line_that_it_says(
    explain: Explain, repo: Repo, option: str, name: str, place: tuple[str, list[str]]
) -> None:
    configure(repo, option)
    page = explain(f"docs/{name}.md")
    listed = page["listed"]
    assert (listed["section"], page["why_there"]) == place
    assert (
        f"{SITE}{name}.html"
        in (repo / "site" / listed["file"]).read_text().splitlines()[listed["line"] - 1]
    )


@pytest.mark.parametrize(
    ("tag", "reason"),
    [
        ('<meta name="robots" content="noindex">', "marked noindex"),
        ('<meta http-equiv="refresh" content="0; url=/a/">', "redirecting elsewhere"),
        (f'<link rel="canonical" href="{SITE}guide/b.html">', "with another canonical URL"),
    ],
)
def test_a_tag_that_keeps_a_page_out_is_named_with_its_line(
    explain: Explain, repo: Repo, tag: str, reason: str
) -> None:
    repo.put("site/guide/a.html", HTML.format(tag))
    page = explain("docs/guide/a.md")
    assert page["listed"] is None
    refusal = page["not_listed"]
    assert (refusal["reason"], refusal["file"], refusal["line"]) == (reason, "site/guide/a.html", 3)
    assert refusal["tag"] == tag
    assert refusal["fix"]


def test_a_rule_of_the_host_that_keeps_a_page_out_is_named(explain: Explain, repo: Repo) -> None:
    repo.put("site/_redirects", f"{urls.path(SITE)}guide/a.html {urls.path(SITE)}guide/b.html\n")
    refusal = explain("docs/guide/a.md")["not_listed"]
    by = (refusal["reason"], refusal["by"], refusal["file"], refusal["tag"])
    assert by == ("redirecting elsewhere", "_redirects, line 1", None, None)


def test_a_pattern_and_a_line_of_front_matter_that_keep_pages_out_are_named(
    explain: Explain, repo: Repo
) -> None:
    configure(repo, 'exclude = ["guide/b*"]')
    repo.put("docs/guide/c.md", "---\ntitle: c\nsitemap: false\n---\n# c\n")
    by_pattern, by_author = explain("docs/guide/b.md", "docs/guide/c.md")
    assert (by_pattern["not_listed"]["by"], by_pattern["not_listed"]["file"]) == (
        "`guide/b*`",
        "pyproject.toml",
    )
    refusal = by_author["not_listed"]
    assert (refusal["by"], refusal["file"], refusal["line"]) == (
        "`sitemap: false`",
        "docs/guide/c.md",
        3,
    )


def test_a_page_without_a_date_says_why_and_how_to_get_one(explain: Explain, repo: Repo) -> None:
    repo.put("docs/guide/new.md", "# new\n")
    repo.put("site/guide/new.html", HTML.format(""))
    date = explain("docs/guide/new.md")["date"]
    assert (date["lastmod"], date["rests_on"], date["reason"]) == (
        None,
        "nothing",
        "not committed to git",
    )
    assert date["fix"].startswith("Commit new files")


def test_a_page_that_is_newer_than_the_sitemaps_was_not_there(explain: Explain, repo: Repo) -> None:
    explain("docs/index.md")
    repo.put("site/new.html", HTML.format(""))
    page = explain("new.html")
    assert (page["url"], page["file"], page["is_recorded"]) == (
        f"{SITE}new.html",
        "new.html",
        False,
    )
    assert page["not_listed"]["reason"] == "it was not there when the sitemaps were built"
    assert page["not_listed"]["fix"] == "Build the site again."


def test_a_page_that_was_removed_from_the_sitemap_was_listed_by_the_build(
    explain: Explain, repo: Repo
) -> None:
    explain("docs/guide/b.md")
    edit(repo, "site/guide/sitemap.xml", f"<url><loc>{SITE}guide/b.html</loc>.*?</url>", "")
    page = explain("docs/guide/b.md")
    assert (page["listed"], page["is_recorded"], page["date"]["rests_on"]) == (None, True, "git")
    assert page["not_listed"]["reason"] == "no sitemap lists it, although the build did"
    assert page["not_listed"]["fix"] == "Build the site again."
    assert "  not listed  no sitemap lists it, although the build did\n" in printed(
        ["docs/guide/b.md"], "text"
    )


def test_a_page_at_the_url_of_another_is_not_said_to_be_listed(explain: Explain) -> None:
    build(chosen=lambda page: replace(page, url=page.url.replace("guide/b", "guide/a")))
    for asked in ("site/guide/b.html", "docs/guide/b.md"):
        page = explain(asked)
        assert (page["listed"], page["not_listed"]["reason"]) == (
            None,
            "at the URL of another page",
        )
        assert page["not_listed"]["by"] == "docs/guide/a.md"
        assert "the recorded build" not in printed([asked], "text")
    assert explain("docs/guide/a.md")["listed"]["lastmod"] == "2020-09-17T12:26:40Z"


def test_a_file_that_is_missing_is_named_in_a_sentence(explain: Explain, repo: Repo) -> None:
    repo.commit(7, {"docs/index.md": "---\ndepends: data/gone.yml\n---\n# home\n"})
    date = explain("docs/index.md")["date"]
    assert "data/gone.yml" in date["reason"]
    assert (
        date["fix"]
        == "Correct `depends`. Its paths are relative to the root of the git repository."
    )
    assert "it is data/gone.yml is" not in printed(["docs/index.md"], "text")


def test_a_source_that_was_removed_after_the_build_is_still_one(
    explain: Explain, repo: Repo
) -> None:
    before = explain("docs/guide/b.md")
    (repo / "docs/guide/b.md").unlink()
    assert explain("docs/guide/b.md") == before


def test_a_source_in_the_directory_of_the_site_is_one(explain: Explain, repo: Repo) -> None:
    edit(repo, "pyproject.toml", "docs/", "site/text/")
    repo.put("site/text/guide/a.md", "---\ndepends: site/text/x.yml\n---\n# a\n")
    repo.put("site/text/x.yml", "a: 1\n")
    for asked in ("site/text/guide/a.md", "site/text/x.yml"):
        page = explain(asked)
        assert (page["url"], page["sources"]) == (f"{SITE}guide/a.html", ["site/text/guide/a.md"])


def test_of_several_sources_the_newest_is_named(explain: Explain, repo: Repo) -> None:
    repo.commit(
        7, {"docs/index.md": "---\ndepends: data/x.yml\n---\n# home\n", "data/x.yml": "a: 1\n"}
    )
    repo.commit(8, {"data/x.yml": "a: 2\n"}, message="New data")
    date = explain("docs/index.md")["date"]
    assert (date["file"], date["files"]) == ("data/x.yml", ["docs/index.md", "data/x.yml"])
    assert date["commit"]["subject"] == "New data"


def test_text_is_in_lines_with_labels(explain: Explain, repo: Repo) -> None:
    repo.put("site/no.html", HTML.format('<meta name="robots" content="noindex">'))
    repo.put("docs/guide/new.md", "# new\n")
    repo.put("site/guide/new.html", HTML.format(""))
    explain("docs/guide/a.md")
    text = printed(
        ["docs/guide/a.md", "docs/guide/c.md", "site/no.html", "docs/guide/new.md", "gone"],
        "text",
        1,
    )
    assert re.search(
        r"in commit \w{12} “Explain a”, written \S+, published \S+ by the merge \w{12} “Merge", text
    )
    assert "  because     its front matter sets `updated`: 2021-05-01\n" in text
    assert "  not listed  marked noindex\n" in text
    assert '  decided by  site/no.html, line 3: <meta name="robots" content="noindex">\n' in text
    assert "  because     it is not committed to git\n  to date it  Commit new files" in text
    assert "  not found   there is no such page in site, and no sitemap lists it.\n" in text


@pytest.mark.parametrize("names", [["sitemap.xml"], ["sitemap.xml", "sitemap_index.xml"]])
def test_a_sitemap_of_the_generator_that_robots_txt_names_is_only_another_place(
    explain: Explain, repo: Repo, names: list[str]
) -> None:
    before = explain("docs/guide/a.md")
    pages = ("guide/a.html", "guide/b.html", "index.html")
    repo.put("site/sitemap.xml", urlset(*(SITE + page for page in pages)))
    repo.put("site/robots.txt", "".join(f"Sitemap: {SITE}{name}\n" for name in names))
    page = explain("docs/guide/a.md")
    assert page.pop("also_listed")["file"] == "sitemap.xml"
    before.pop("also_listed")
    assert page == before
    assert "another generator" not in printed(["docs/guide/a.md"], "text")


def test_a_page_that_only_another_sitemap_of_the_site_lists_is_described_there(
    explain: Explain, repo: Repo
) -> None:
    explain("docs/guide/a.md")
    repo.put("site/blog.xml", urlset(f"{SITE}blog/a.html", f"{SITE}blog/b.html"))
    repo.put("site/robots.txt", f"Sitemap: {SITE}sitemap_index.xml\nSitemap: {SITE}blog.xml\n")
    page = explain(f"{SITE}blog/a.html")
    assert (page["listed"]["file"], page["why_there"]) == (
        "blog.xml",
        ["another generator wrote the file"],
    )


def test_a_file_that_counts_is_asked_about_for_all_its_pages_and_is_no_source(repo: Repo) -> None:
    depending = "---\ndepends: data/x.yml\n---\n# text\n"
    repo.commit(
        7, {"docs/index.md": depending, "docs/lone/d.md": depending, "data/x.yml": "a: 1\n"}
    )
    repo.commit(8, {"data/x.yml": "a: 2\n"}, message="New data")
    build()
    pages = json.loads(printed(["data/x.yml"], "json"))["pages"]
    assert {page["url"]: page["sources"] for page in pages} == {
        SITE: ["docs/index.md"],
        f"{SITE}lone/d.html": ["docs/lone/d.md"],
    }
    assert {
        (page["asked"], page["date"]["file"], page["date"]["commit"]["subject"]) for page in pages
    } == {("data/x.yml", "data/x.yml", "New data")}
    text = printed(["data/x.yml"], "text")
    assert text.count("this is the newest of its 2 files: docs/") == 2
    assert text.count("  source      docs/") == 2
    assert "  source      data/x.yml" not in text


def test_what_the_build_decided_stays_if_the_project_changes(explain: Explain, repo: Repo) -> None:
    before = explain("guide/a.html", "docs/guide/b.md", "docs/guide/c.md", "docs/lone/d.md")
    repo.commit(
        9,
        {"docs/guide/b.md": "# again\n", "docs/guide/c.md": "---\nupdated: 2022-02-02\n---\n# c\n"},
    )
    (repo / "docs/guide/a.md").unlink()
    configure(repo, 'exclude = ["guide/*"]\nsection_min_pages = 1\nlastmod = "off"')
    assert explain("guide/a.html", "docs/guide/b.md", "docs/guide/c.md", "docs/lone/d.md") == before
    assert explain("docs/guide/b.md")["date"]["commit"]["subject"] == "Say more of b"
    text = printed(["docs/guide/b.md"], "text")
    assert (
        "  date        2020-09-16T12:26:40Z\n  because     docs/guide/b.md got its current"
        " content in" in text
    )
    assert "  but  " not in text


def test_a_page_that_came_by_a_merge_keeps_its_commit_if_its_source_changes_again(
    explain: Explain, repo: Repo
) -> None:
    before = explain("docs/guide/a.md")["date"]
    repo.commit(9, {"docs/guide/a.md": "# again\n"}, message="Again")
    assert explain("docs/guide/a.md")["date"] == before
    repo.commit(10, {"docs/guide/a.md": None}, message="Remove a")
    date = explain("guide/a.html")["date"]
    assert (date["lastmod"], date["file"], date["landed"]) == (
        before["lastmod"],
        "docs/guide/a.md",
        before["landed"],
    )


def test_a_date_that_was_changed_after_the_build_is_shown_with_that_of_the_build(
    explain: Explain, repo: Repo
) -> None:
    repo.put("docs/guide/new.md", "# new\n")
    repo.put("site/guide/new.html", HTML.format(""))
    explain("docs/guide/b.md")
    edit(repo, "site/guide/sitemap.xml", "2020-09-16T12:26:40Z", "2030-01-01")
    edit(
        repo, "site/guide/sitemap.xml", "(guide/new.html</loc>)", r"\1<lastmod>2029-01-01</lastmod>"
    )
    edit(repo, "site/guide/sitemap.xml", "<lastmod>2021-05-01</lastmod>", "")
    page = explain("docs/guide/b.md")
    assert (page["listed"]["lastmod"], page["date"]["lastmod"]) == (
        "2030-01-01",
        "2020-09-16T12:26:40Z",
    )
    text = printed(
        ["docs/guide/b.md", "docs/guide/new.md", "docs/guide/c.md", "docs/guide/a.md"], "text"
    )
    but = "  but         the recorded build gave the page"
    why = "so the sitemap was changed since, or is from another build"
    assert (
        f"  date        2030-01-01\n{but} the date 2020-09-16T12:26:40Z, {why}\n  because    "
        " docs/guide/b.md got" in text
    )
    assert (
        f"  date        2029-01-01\n{but} no date, {why}\n  because     it is not committed to"
        " git\n" in text
    )
    assert (
        f"  date        none\n{but} the date 2021-05-01, {why}\n  because     its front matter sets"
        " `updated`" in text
    )
    assert text.count("  but  ") == 3


def test_without_a_record_only_what_the_sitemaps_say_is_said(explain: Explain, repo: Repo) -> None:
    repo.put("site/no.html", HTML.format('<meta name="robots" content="noindex">'))
    explain("docs/guide/a.md")
    delete_record(repo)
    listed, unlisted = explain("guide/a.html", "site/no.html")
    place = (listed["file"], listed["listed"]["section"], listed["listed"]["lastmod"])
    assert place == ("guide/a.html", "guide/", "2020-09-17T12:26:40Z")
    assert (listed["is_recorded"], listed["date"], listed["sources"], listed["why_there"]) == (
        False,
        None,
        [],
        [],
    )
    refusal = unlisted["not_listed"]
    assert refusal["reason"] == "no sitemap lists it, and its build is not recorded"
    assert refusal["fix"] == "Build the site again, and run this command in its project."
    problem = explain("docs/guide/a.md", missing=1)["problem"]
    assert (
        problem
        == "the build is not recorded. Build the site again, and run this command in its project."
    )
    text = printed(["guide/a.html", "site/no.html"], "text")
    unknown = "its origin is unknown, because the build is not recorded"
    assert f"  date        2020-09-17T12:26:40Z\n  because     {unknown}\n" in text
    assert text.count("  because  ") == 1


def test_a_record_of_another_build_is_none(explain: Explain, repo: Repo) -> None:
    explain("docs/guide/a.md")
    edit(repo, "site/sitemap_index.xml", "</sitemapindex>", "\n</sitemapindex>")
    assert not explain("guide/a.html")["is_recorded"]


def test_dates_that_are_turned_off_are_said_to_be(explain: Explain, repo: Repo) -> None:
    configure(repo, 'lastmod = "off"')
    page = explain("docs/guide/a.md")
    assert (page["is_recorded"], page["listed"]["lastmod"], page["date"]) == (True, None, None)
    text = printed(["guide/a.html"], "text")
    assert "  date        none\n  because     dates are turned off (lastmod: off)\n" in text


def test_a_date_that_a_filter_set_or_removed_is_said_to_be(explain: Explain) -> None:
    dates = {f"{SITE}guide/a.html": "2018-03-04", f"{SITE}guide/b.html": None}
    build(chosen=lambda page: replace(page, lastmod=dates.get(page.url, page.lastmod)))
    set_by_it, removed, kept = explain("docs/guide/a.md", "docs/guide/b.md", "docs/guide/c.md")
    assert (set_by_it["date"]["lastmod"], set_by_it["date"]["rests_on"]) == ("2018-03-04", "filter")
    assert set_by_it["listed"]["lastmod"] == "2018-03-04"
    assert set_by_it["date"]["commit"] is None, "that of git's date"
    assert (removed["date"]["lastmod"], removed["date"]["rests_on"]) == (None, "filter")
    assert removed["date"]["reason"] == "given no date by `filter`"
    assert (
        removed["date"]["fix"]
        == "If they should have a date, make the `filter` function keep `lastmod`."
    )
    assert kept["date"]["rests_on"] == "author"
    text = printed(["docs/guide/a.md", "docs/guide/b.md"], "text")
    assert "  date        2018-03-04\n  because     `filter` set it: 2018-03-04\n" in text
    assert (
        "  date        none\n  because     it is given no date by `filter`\n  to date it  If they"
        " should" in text
    )


def test_a_page_that_a_filter_left_out_is_said_to_be(explain: Explain) -> None:
    def without_b(page: Page) -> Page | None:
        return None if page.url.endswith("b.html") else page

    build(chosen=without_b)
    refusal = explain("docs/guide/b.md")["not_listed"]
    assert refusal["reason"] == "excluded by filter"
    assert "without_b" in refusal["by"]


def test_a_list_with_the_date_of_a_page_that_it_lists_names_that_page(explain: Explain) -> None:
    listed = tuple(f"{SITE}guide/{name}.html" for name in "ab")
    build(lambda page: replace(page, lists=listed) if page.url == SITE else page)
    date = explain("site/index.html")["date"]
    assert (date["rests_on"], date["page"], date["commit"]) == ("list", f"{SITE}guide/a.html", None)
    assert (
        date["lastmod"] == explain("docs/guide/a.md")["date"]["lastmod"] == "2020-09-17T12:26:40Z"
    )
    because = f"it is the newest date of the pages that it lists, that of {SITE}guide/a.html"
    assert f"  date        2020-09-17T12:26:40Z\n  because     {because}\n" in printed(
        ["docs/index.md"], "text"
    )


def test_a_date_of_publication_is_said_to_be_one(explain: Explain, repo: Repo) -> None:
    repo.put("docs/guide/new.md", "# new\n")
    repo.put("site/guide/new.html", HTML.format(""))
    build(lambda page: replace(page, published="2019-08-07"))
    new, old = explain("docs/guide/new.md", "docs/guide/b.md")
    assert (new["date"]["lastmod"], new["date"]["rests_on"]) == ("2019-08-07", "publication")
    assert (new["date"]["reason"], new["date"]["fix"], new["date"]["commit"]) == (None, None, None)
    assert old["date"]["rests_on"] == "git"
    because = "git has no date for it; its front matter gives 2019-08-07 as the date of publication"
    assert f"  date        2019-08-07\n  because     {because}\n" in printed(
        ["docs/guide/new.md"], "text"
    )


@pytest.mark.parametrize("directory", ["größe x", "a b", "日本"])
def test_a_directory_of_any_name_is_that_of_its_section(
    explain: Explain, repo: Repo, directory: str
) -> None:
    for name in "ab":
        repo.put(f"docs/{directory}/{name}.md", "# text\n")
        repo.put(f"site/{directory}/{name}.html", HTML.format(""))
    by_source, by_file, by_url = explain(
        f"docs/{directory}/a.md",
        f"site/{directory}/a.html",
        f"{SITE}{urls.encoded_path(directory)}/a.html",
    )
    assert by_source["why_there"] == [f"its directory is {directory}/ (section_depth: 1)"]
    assert by_source["listed"]["section"] == f"{directory}/"
    assert by_source["sources"] == [f"docs/{directory}/a.md"]
    assert {**by_source, "asked": ""} == {**by_file, "asked": ""} == {**by_url, "asked": ""}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("---\ntitle: x\nnoindex_note: text\nnoindex: true\n---\n", 4),
        ("---\ntitle: >\n  noindex: text\n'noindex' : true\n---\n", 4),
        ("---\nNoIndex: true\n---\n", 2),
        ('+++\ntitle = "noindex"\nnoindex = true\n+++\n', 3),
    ],
)
def test_the_line_that_keeps_a_page_out_is_the_one_that_sets_the_key(
    explain: Explain, repo: Repo, text: str, line: int
) -> None:
    repo.put("docs/lone/d.md", text)
    refusal = explain("docs/lone/d.md")["not_listed"]
    assert (refusal["file"], refusal["line"]) == ("docs/lone/d.md", line)


def test_a_page_whose_files_were_removed_after_the_build_is_explained_like_the_others(
    explain: Explain, repo: Repo
) -> None:
    repo.put("docs/lone/d.md", "---\nnoindex: true\n---\n")
    explain("docs/index.md")
    (repo / "docs/lone/d.md").unlink()
    (repo / "site/guide/a.html").unlink()
    removed, without_file, other = explain("docs/lone/d.md", f"{SITE}guide/a.html", "docs/index.md")
    assert (removed["not_listed"]["by"], removed["not_listed"]["line"]) == ("`noindex: true`", None)
    assert (without_file["listed"]["file"], without_file["file"]) == ("guide/sitemap.xml", None)
    assert other["listed"]


def test_a_page_that_is_also_in_the_sitemap_of_its_generator_has_both_places(
    explain: Explain, repo: Repo
) -> None:
    days = (("a", "2020-09-17"), ("b", "2031-01-01"), ("c", ""))
    entries = [f"<loc>{SITE}guide/{name}.html</loc><lastmod>{day}</lastmod>" for name, day in days]
    entries = [entry.replace("<lastmod></lastmod>", "") for entry in entries]
    explain("docs/index.md")
    repo.put("site/sitemap.xml", urlset(*entries))
    pages = explain(*(f"docs/guide/{name}.md" for name, _ in days), "docs/index.md")
    assert [page["listed"]["file"] for page in pages] == ["guide/sitemap.xml"] * 3 + [
        "sitemap-root.xml"
    ]
    places = [page["also_listed"] for page in pages]
    assert [place and (place["file"], place["section"], place["lastmod"]) for place in places] == [
        ("sitemap.xml", None, "2020-09-17"),
        ("sitemap.xml", None, "2031-01-01"),
        ("sitemap.xml", None, None),
        None,
    ]
    lines = (repo / "site/sitemap.xml").read_text().splitlines()
    assert "guide/b.html" in lines[places[1]["line"] - 1]
    text = printed([f"docs/guide/{name}.md" for name in "abc"], "text")
    also = re.findall("  also in     (.*)", text)
    dates = ["with the same date", "with the date 2031-01-01", "with the date none"]
    assert also == [
        f"sitemap.xml, line {place['line']}, {date}"
        for place, date in zip(places, dates, strict=False)
    ]
    delete_record(repo)
    assert explain(f"{SITE}guide/a.html")["also_listed"] == places[0], "the sitemap says it"


def test_a_later_page_of_a_list_is_left_out_or_has_no_date(explain: Explain, repo: Repo) -> None:
    repo.put("site/page/2/index.html", HTML.format(""))
    configure(repo, "pagination = false")
    refusal = explain("site/page/2/index.html")["not_listed"]
    assert refusal["reason"] == "a pagination page (`pagination: false`)"
    assert (refusal["file"], refusal["fix"]) == ("pyproject.toml", "Set `pagination: true`.")
    edit(repo, "pyproject.toml", "pagination = false", "pagination = true")
    build()
    page = explain("site/page/2/index.html")
    assert page["not_listed"] is None
    assert (
        page["date"]["reason"] == "among the later pages of a list, which have no date of their own"
    )


def test_pages_of_a_generator_that_was_not_recorded_are_neither_later_pages_nor_left_out(
    explain: Explain, repo: Repo
) -> None:
    (repo / "pyproject.toml").unlink()
    repo.put(
        "pelicanconf.py", f"SITEURL = '{SITE}'\nPLUGINS = ['sitemap_index']\nOUTPUT_PATH = 'site'\n"
    )
    for name in ("a", "a2", "a10"):
        repo.put(f"site/tag/{name}.html", HTML.format(""))
    repo.put("site/sitemap_index.xml", urlset(f"{SITE}tag/a2.html"))
    page = explain("tag/a2.html")
    assert (page["date"], page["not_listed"]) == (None, None)
    assert page["why_there"] == ["another generator wrote the file"]
    assert (
        explain("tag/a10.html")["not_listed"]["reason"]
        == "no sitemap lists it, and its build is not recorded"
    )


def test_a_draft_without_a_page_is_named_as_one(explain: Explain, repo: Repo) -> None:
    repo.put("docs/draft.md", "---\ndate: 2024-01-01\ndraft: true\n---\n# A")
    repo.put("docs/not.md", "---\ndraft: false\n---\n# A")
    assert explain("docs/draft.md", missing=1)["problem"] == (
        "this file counts for no page. Its front matter marks it as a draft, so no page is rendered from it."
    )
    assert explain("docs/not.md", missing=1)["problem"] == "this file counts for no page."


def test_a_page_that_is_nowhere_has_a_problem(explain: Explain) -> None:
    assert explain("guide/nothing.html", missing=1)["problem"].startswith(
        "there is no such page in site"
    )
    assert explain("pyproject.toml", missing=1)["problem"] == "this file counts for no page."
    assert explain("guide/aa.html", missing=1)["problem"].endswith("Did you mean guide/a.html?")
    assert explain("index.md", missing=1)["problem"].endswith("Did you mean docs/index.md?")
    assert explain("https://f.org/guide/", missing=1)["problem"].startswith(
        "this URL is not on this site, which is at"
    )
    assert explain("outside-scop", missing=1)["problem"].endswith("Did you mean outside-scope?")


def test_a_check_is_explained_with_an_example_without_a_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["explain", "invalid-date"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("invalid-date: invalid date\n\nSearch engines ignore")
    assert f"\nFix: {INVALID_DATE.fix}\n" in printed
    assert "\n  error: invalid date (invalid-date)" in printed
    assert refused(capsys, "explain", "invalid-dat") == [
        "no such check: 'invalid-dat'; did you mean 'invalid-date'?"
    ]
    assert main(["explain"]) == 0
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines()[2:]]
    assert listed == [*CATALOGUE]


def test_a_subject_that_commands_is_shown_by_its_numbers(explain: Explain, repo: Repo) -> None:
    repo.commit(9, {"docs/guide/a.md": "# again\n"}, message="\x1b[2J ::error::x")
    subject = explain("docs/guide/a.md")["date"]["commit"]["subject"]
    assert "\x1b" not in subject
    assert "::error::" not in subject


def test_a_report_names_the_commit_that_many_pages_share(repo: Repo) -> None:
    for number in range(30):
        repo.put(f"docs/{number}.md")
        repo.put(f"site/{number}.html", HTML.format(""))
    commit = repo.commit(6, message="Reformat everything")
    build()
    repo.commit(7, {f"docs/{number}.md": "# again\n" for number in range(30)}, message="Again")
    (note,) = overview().bulk
    assert note.endswith(f"They come from commit {commit[:12]} “Reformat everything”.")
    delete_record(repo)
    (note,) = overview().bulk
    assert note.endswith("One commit changed many pages, or it is the time of a build.")


def test_a_report_has_the_reason_of_each_date(repo: Repo) -> None:
    repo.put(".gitignore", "site/\nnew.md\n")
    for name in ("new", "list", "post", "chosen"):
        repo.put(f"site/{name}.html", HTML.format(""))
    repo.put("docs/new.md", "# new\n")

    def known(page: Page) -> Page:
        page = (
            replace(page, lists=(f"{SITE}guide/b.html",))
            if page.url == f"{SITE}list.html"
            else page
        )
        return replace(page, published="2019-08-07") if page.url == f"{SITE}post.html" else page

    build(known, lambda page: replace(page, lastmod="2018-03-04") if "chosen" in page.url else page)
    repo.commit(9, {"docs/guide/b.md": "# again\n"})
    (repo / "site/index.html").unlink()
    edit(repo, "site/guide/sitemap.xml", "2020-09-17T12:26:40Z", "2030-01-01")
    edit(
        repo, "site/sitemap-root.xml", "</urlset>", f"<url><loc>{SITE}by-hand</loc></url></urlset>"
    )
    reasons = {
        "": "git: docs/index.md",
        "by-hand": None,
        "chosen.html": "filter",
        "guide/a.html": "not the date of the recorded build",
        "guide/b.html": "git: docs/guide/b.md",
        "guide/c.html": "front matter: updated",
        "list.html": f"the newest page that it lists: {SITE}guide/b.html",
        "lone/d.html": "git: docs/lone/d.md",
        "new.html": "ignored by .gitignore",
        "post.html": "front matter: date of publication",
    }
    assert {page.url.removeprefix(SITE): page.why for page in overview().pages} == reasons
    delete_record(repo)
    assert {page.why for page in overview().pages} == {None}
    configure(repo, 'lastmod = "off"')
    build()
    assert {page.why for page in overview().pages} == {"dates are turned off"}


def test_the_address_is_that_of_the_site_even_if_only_a_sitemap_of_a_section_gives_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for page in ("index", "blog/a", "blog/b", "guide/a", "guide/b"):
        path = page.removesuffix("index")
        write(
            tmp_path,
            {f"out/{page}.html": HTML.format(f'<link rel="canonical" href="{SITE}{path}">')},
        )
    assert main(["build", "out"]) == 0
    assert main(["explain", "out", "guide/a"]) == 0
    assert f"{SITE}guide/a\n  listed in   guide/sitemap.xml" in capsys.readouterr().out


def test_a_page_of_a_category_is_there_because_of_that(repo: Repo) -> None:
    configure(repo, 'section_by = "category"')
    build(lambda page: replace(page, section="Long walks" if "guide" in page.url else ""))
    walk, home = json.loads(printed(["guide/a", "index.html"], "json"))["pages"]
    because = (
        "its category, or the section that `filter` returned for it, is long-walks (section_by:"
        " category)"
    )
    assert (walk["listed"]["file"], walk["why_there"]) == ("sitemap-long-walks.xml", [because])
    assert home["why_there"] == ["it is in no directory (section_depth: 1)"]
