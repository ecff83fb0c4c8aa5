"""Explanations of pages say what git, the files and the options say."""

import io
import json
import re
from collections.abc import Callable, Iterable
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import pytest

from smindex_plugins import urls
from smindex_plugins.pages import Dating
from smindex_plugins.pipeline import Host, publish
from smindex_plugins.projects import find_site
from smindex_plugins.reports import Explainer, look, write_explanations
from smindex_plugins.sites import Directory
from tests.support.gitrepo import Repo, day
from tests.support.schema import mistakes

SITE = "https://e-docs.org/"
SCHEMA = json.loads((files("smindex_plugins") / "schemas/explanation.json").read_text(encoding="utf-8"))
HTML = "<!doctype html>\n<title>A</title>\n{}\n<p>Text"
Explain = Callable[..., Any]


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Make a project of which one page came by a merge, one by a commit, and one is dated by its author."""
    repo = Repo.create(tmp_path / "project")
    repo.put(
        "pyproject.toml", f'[tool.smindex]\ndirectory = "site"\nsite_url = "{SITE}"\nsources = ["docs/{{path}}.md"]\n'
    )
    pages = ("index", "guide/a", "guide/b", "guide/c", "lone/d")
    repo.commit(0, {".gitignore": "site/\n", **{f"docs/{page}.md": f"# {page}\n" for page in pages}}, message="begin")
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


def build() -> None:
    site = find_site()
    publish([site.page(file) for file in site.files()], site.site, Host(dating=Dating(site.settings)))


def printed(asked: Iterable[str], form: Literal["text", "json"], missing: int = 0) -> str:
    site, out = find_site(), io.StringIO()
    explainer = Explainer(site=site, checked=Directory(path="site", site_url=site.url))
    assert write_explanations(explainer.explain(asked), form, out) == missing
    return out.getvalue()


@pytest.fixture
def explain(repo: Repo) -> Explain:
    def run(*asked: str, missing: int = 0) -> Any:  # noqa: ANN401 - what JSON holds
        if not (repo / "site/sitemap_index.xml").exists():
            build()
        result = json.loads(printed(asked, "json", missing))
        assert mistakes(result, SCHEMA) == []
        return result["pages"] if len(asked) > 1 else result["pages"][0]

    return run


@pytest.mark.parametrize("asked", [f"{SITE}guide/a.html", "site/guide/a.html", "docs/guide/a.md", "guide/a.html"])
def test_a_page_is_found_by_its_url_its_file_its_path_and_its_source(explain: Explain, asked: str) -> None:
    assert explain(asked)["url"] == f"{SITE}guide/a.html"


def test_a_page_that_came_by_a_merge_has_the_commit_of_its_branch_and_the_day_of_the_merge(
    explain: Explain, repo: Repo
) -> None:
    date = explain("docs/guide/a.md")["date"]
    assert date["commit"]["hash"] == repo.git("log", "-1", "--format=%H", "topic", "--", "docs/guide/a.md")
    assert date["commit"]["subject"] == "Explain a"
    assert date["landed"]["hash"] == repo.git("log", "-1", "--first-parent", "--format=%H", "--merges")
    assert date["lastmod"] == date["landed"]["committed"]
    assert repo.git("log", "-1", "--format=%ct", date["landed"]["hash"]) == str(day(4))


def test_a_commit_that_was_written_before_it_was_committed_has_both_times(explain: Explain, repo: Repo) -> None:
    date = explain("docs/guide/b.md")["date"]
    written, committed = repo.git("log", "-1", "--format=%aI %cI", "--", "docs/guide/b.md").split()
    assert date["commit"] == date["landed"]
    assert (date["commit"]["written"][:10], date["commit"]["committed"][:10]) == (written[:10], committed[:10])


def test_a_renamed_file_that_a_merge_brought_in_is_followed(explain: Explain, repo: Repo) -> None:
    repo.move("docs/guide/a.md", "docs/guide/e.md")
    repo.move("site/guide/a.html", "site/guide/e.html")
    repo.commit(6, message="Rename")
    assert explain("docs/guide/e.md")["date"]["commit"]["subject"] == "Explain a"


def test_the_key_by_which_an_author_dated_a_page_is_named(explain: Explain) -> None:
    date = explain("docs/guide/c.md")["date"]
    assert (date["rests_on"], date["key"], date["lastmod"]) == ("author", "updated", "2021-05-01")


def test_a_page_in_a_directory_of_its_own_says_why_it_is_in_the_section_above(explain: Explain) -> None:
    page = explain("lone/d.html")
    assert (page["listed"]["file"], page["listed"]["section"]) == ("sitemap-root.xml", "root")
    assert page["why_there"] == ["lone/ has 1 page, fewer than section_min_pages: 2"]


def test_a_line_is_that_of_the_page_in_the_file(explain: Explain, repo: Repo) -> None:
    listed = explain("docs/guide/b.md")["listed"]
    assert f"{SITE}guide/b.html" in (repo / "site" / listed["file"]).read_text().splitlines()[listed["line"] - 1]


def test_a_section_of_the_settings_names_its_pattern(explain: Explain, repo: Repo) -> None:
    with (repo / "pyproject.toml").open("a") as file:
        file.write('sections = [{name = "api", urls = ["guide/b*"]}]\n')
    page = explain("docs/guide/b.md")
    assert page["listed"]["section"] == "api"
    assert page["why_there"] == ["it matches `guide/b*` of the section `api` in `sections`"]


def test_a_page_of_a_section_that_was_cut_says_so(explain: Explain, repo: Repo) -> None:
    with (repo / "pyproject.toml").open("a") as file:
        file.write("max_urls = 2\n")
    assert "its section has 3 pages in 2 files" in explain("docs/guide/b.md")["why_there"][1]


@pytest.mark.parametrize(
    ("tag", "reason", "named"),
    [
        ('<meta name="robots" content="noindex">', "marked noindex", "<meta"),
        ('<meta http-equiv="refresh" content="0; url=/a/">', "redirecting elsewhere", "<meta"),
        (f'<link rel="canonical" href="{SITE}guide/b.html">', "with another canonical URL", "<link"),
    ],
)
def test_a_tag_that_keeps_a_page_out_is_named_with_its_line(
    explain: Explain, repo: Repo, tag: str, reason: str, named: str
) -> None:
    repo.put("site/guide/a.html", HTML.format(tag))
    page = explain("docs/guide/a.md")
    assert page["listed"] is None
    refusal = page["not_listed"]
    assert (refusal["reason"], refusal["file"], refusal["line"]) == (reason, "site/guide/a.html", 3)
    assert refusal["tag"] == tag
    assert refusal["tag"].startswith(named)
    assert refusal["fix"]


def test_a_rule_of_the_host_that_keeps_a_page_out_is_named(explain: Explain, repo: Repo) -> None:
    repo.put("site/_redirects", f"{urls.path(SITE)}guide/a.html {urls.path(SITE)}guide/b.html\n")
    refusal = explain("docs/guide/a.md")["not_listed"]
    by = (refusal["reason"], refusal["by"], refusal["file"], refusal["tag"])
    assert by == ("redirecting elsewhere", "_redirects, line 1", None, None)


def test_a_pattern_and_a_line_of_front_matter_that_keep_pages_out_are_named(explain: Explain, repo: Repo) -> None:
    with (repo / "pyproject.toml").open("a") as file:
        file.write('exclude = ["guide/b*"]\n')
    repo.put("docs/guide/c.md", "---\ntitle: c\nsitemap: false\n---\n# c\n")
    by_pattern, by_author = explain("docs/guide/b.md", "docs/guide/c.md")
    assert (by_pattern["not_listed"]["by"], by_pattern["not_listed"]["file"]) == ("`guide/b*`", "pyproject.toml")
    refusal = by_author["not_listed"]
    assert (refusal["by"], refusal["file"], refusal["line"]) == ("`sitemap: false`", "docs/guide/c.md", 3)


def test_a_page_without_a_date_says_why_and_how_to_get_one(explain: Explain, repo: Repo) -> None:
    repo.put("docs/guide/new.md", "# new\n")
    repo.put("site/guide/new.html", HTML.format(""))
    date = explain("docs/guide/new.md")["date"]
    assert (date["lastmod"], date["rests_on"], date["reason"]) == (None, "nothing", "not committed to git")
    assert date["fix"].startswith("Commit new files")


def test_of_several_sources_the_newest_is_named(explain: Explain, repo: Repo) -> None:
    repo.commit(7, {"docs/index.md": "---\ndepends: data/x.yml\n---\n# home\n", "data/x.yml": "a: 1\n"})
    repo.commit(8, {"data/x.yml": "a: 2\n"}, message="New data")
    date = explain("docs/index.md")["date"]
    assert (date["file"], date["files"]) == ("data/x.yml", ["docs/index.md", "data/x.yml"])
    assert date["commit"]["subject"] == "New data"


def test_text_is_in_lines_with_labels(explain: Explain, repo: Repo) -> None:
    repo.put("site/no.html", HTML.format('<meta name="robots" content="noindex">'))
    repo.put("docs/guide/new.md", "# new\n")
    repo.put("site/guide/new.html", HTML.format(""))
    explain("docs/guide/a.md")
    text = printed(["docs/guide/a.md", "docs/guide/c.md", "site/no.html", "docs/guide/new.md", "gone"], "text", 1)
    assert re.search(r"^  listed in   guide/sitemap\.xml, line \d, in the section guide/$", text, re.MULTILINE)
    assert re.search(r"in commit \w{12} “Explain a”, written \S+, published \S+ by the merge \w{12} “Merge", text)
    assert "  because     its author wrote `updated` in its front matter\n" in text
    assert "  not listed  marked noindex\n" in text
    assert '  decided by  site/no.html, line 3: <meta name="robots" content="noindex">\n' in text
    assert "  because     it is not committed to git\n  to date it  Commit new files" in text
    assert "  not found   there is no such page in site, and no sitemap lists it.\n" in text


def test_a_page_with_another_date_than_its_sources_says_so(explain: Explain, repo: Repo) -> None:
    explain("docs/guide/b.md")
    repo.commit(9, {"docs/guide/b.md": "# again\n"})
    assert "  but         its sources say 20" in printed(["docs/guide/b.md"], "text")


def test_a_page_that_is_nowhere_has_a_problem(explain: Explain) -> None:
    assert explain("guide/nothing.html", missing=1)["problem"].startswith("there is no such page in site")
    assert explain("pyproject.toml", missing=1)["problem"] == "no page of the site is made from this file."
    assert explain("guide/aa.html", missing=1)["problem"].endswith("Did you mean guide/a.html?")
    assert explain("https://f.org/guide/", missing=1)["problem"].startswith("it is not a URL of this site, which is at")
    assert explain("outside-scope", missing=1)["problem"].startswith("it is not a page but a check: A sitemap lists")


def test_a_subject_that_commands_is_shown_by_its_numbers(explain: Explain, repo: Repo) -> None:
    repo.commit(9, {"docs/guide/a.md": "# again\n"}, message="\x1b[2J ::error::x")
    subject = explain("docs/guide/a.md")["date"]["commit"]["subject"]
    assert "\x1b" not in subject
    assert "::error::" not in subject


def test_a_report_names_the_commit_that_many_pages_share(repo: Repo) -> None:
    for number in range(30):
        repo.put(f"docs/{number}.md")
        repo.put(f"site/{number}.html", HTML.format(""))
    repo.commit(6, message="Reformat everything")
    build()
    (note,) = look(Directory(path="site"), site=find_site()).bulk
    assert note.endswith(f"They come from commit {repo.git('rev-parse', 'HEAD')[:12]} “Reformat everything”.")
