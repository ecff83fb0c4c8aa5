"""Explanations of checks are those of the catalogue, and those of pages say what git, files and options say."""

import io
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import pytest

from smindex_plugins.base import urls
from smindex_plugins.base.catalogue import CATALOGUE, INVALID_DATE
from smindex_plugins.build import Host, publish
from smindex_plugins.checks.applying import DirectoryCheck
from smindex_plugins.cli.main import main
from smindex_plugins.cli.report import compose
from smindex_plugins.explain.explaining import Explainer
from smindex_plugins.explain.output import write_explanations
from smindex_plugins.pages.dating import Dating
from smindex_plugins.projects.find import find_site
from smindex_plugins.reading.directory import Directory
from tests.support.command import refused
from tests.support.history import Repo
from tests.support.planted import write
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


def configure(repo: Repo, option: str) -> None:
    with (repo / "pyproject.toml").open("a") as file:
        file.write(f"{option}\n")


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
    assert f"{SITE}{name}.html" in (repo / "site" / listed["file"]).read_text().splitlines()[listed["line"] - 1]


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


def test_a_pattern_and_a_line_of_front_matter_that_keep_pages_out_are_named(explain: Explain, repo: Repo) -> None:
    configure(repo, 'exclude = ["guide/b*"]')
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


def test_a_page_that_is_newer_than_the_sitemaps_is_kept_out_by_nothing(explain: Explain, repo: Repo) -> None:
    explain("docs/index.md")
    repo.put("site/new.html", HTML.format(""))
    not_listed = explain("new.html")["not_listed"]
    assert not_listed["reason"] == "no sitemap lists it, although nothing excludes it"
    assert not_listed["fix"] == "Look for another file with the same URL, or build the site again."


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
    assert re.search(r"in commit \w{12} “Explain a”, written \S+, published \S+ by the merge \w{12} “Merge", text)
    assert "  because     its front matter sets `updated`: 2021-05-01\n" in text
    assert "  not listed  marked noindex\n" in text
    assert '  decided by  site/no.html, line 3: <meta name="robots" content="noindex">\n' in text
    assert "  because     it is not committed to git\n  to date it  Commit new files" in text
    assert "  not found   there is no such page in site, and no sitemap lists it.\n" in text


def test_a_page_with_another_date_than_its_sources_says_no_more_than_that(explain: Explain, repo: Repo) -> None:
    explain("docs/guide/b.md")
    repo.commit(9, {"docs/guide/b.md": "# again\n"}, message="Again")
    (repo / "docs/guide/a.md").unlink()
    text = printed(["docs/guide/b.md", "guide/a.html"], "text")
    because, but, otherwise = text.splitlines()[2:6][:1] + text.splitlines()[4:6]
    assert because.startswith("  because     its directory")
    assert re.match(r"  but         docs/guide/b\.md got its current content in commit \w{12} “Again”", but)
    assert otherwise.strip() == "the page has other sources too, or was built from another commit"
    assert f"  but         the source of this date is unknown\n{otherwise}\n" in text
    assert text.count("  because  ") == 2  # for the sections
    assert "to date it" not in text


def test_a_listed_page_is_no_later_page_of_a_list_if_these_are_not_listed(explain: Explain, repo: Repo) -> None:
    (repo / "pyproject.toml").unlink()
    repo.put("pelicanconf.py", f"SITEURL = '{SITE}'\nPLUGINS = ['sitemap_index']\nOUTPUT_PATH = 'site'\n")
    repo.put("site/tag/a.html", HTML.format(""))
    repo.put("site/tag/a2.html", HTML.format(""))
    repo.put("site/tag/a10.html", HTML.format(""))
    repo.put(
        "site/sitemap_index.xml",
        f"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>{SITE}tag/a2.html</loc></url></urlset>",
    )
    reason = "without a source that was found (looked for tag/a2.md, tag/a2.rst, tag/a2.html, …)"
    assert explain("tag/a2.html")["date"]["reason"] == reason
    assert explain("tag/a10.html")["not_listed"]["reason"] == "no sitemap lists it, although nothing excludes it"


def test_a_page_that_is_nowhere_has_a_problem(explain: Explain) -> None:
    assert explain("guide/nothing.html", missing=1)["problem"].startswith("there is no such page in site")
    assert explain("pyproject.toml", missing=1)["problem"] == "no page is known to be built from this file."
    assert explain("guide/aa.html", missing=1)["problem"].endswith("Did you mean guide/a.html?")
    assert explain("index.md", missing=1)["problem"].endswith("Did you mean docs/index.md?")
    assert explain("https://f.org/guide/", missing=1)["problem"].startswith("this URL is not on this site, which is at")
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
    assert refused(capsys, "explain", "invalid-dat") == ["no such check: 'invalid-dat'; did you mean 'invalid-date'?"]
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
    repo.commit(6, message="Reformat everything")
    build()
    (note,) = compose(DirectoryCheck(directory=Directory(path="site")), site=find_site()).bulk
    assert note.endswith(f"They come from commit {repo.git('rev-parse', 'HEAD')[:12]} “Reformat everything”.")


def test_a_report_has_the_reason_of_each_date(repo: Repo) -> None:
    repo.put(".gitignore", "site/\nnew.md\n")
    repo.put("docs/new.md", "# new\n")
    repo.put("site/new.html", HTML.format(""))
    build()
    repo.commit(9, {"docs/guide/b.md": "# again\n"})
    (repo / "site/index.html").unlink()
    overview = compose(DirectoryCheck(directory=Directory(path="site")), site=find_site(), with_reasons=True)
    assert {page.url.removeprefix(SITE): page.why for page in overview.pages} == {
        "": "no file was found at its URL",
        "guide/a.html": "git: docs/guide/a.md",
        "guide/b.html": "other sources, or another commit",
        "guide/c.html": "front matter: updated",
        "lone/d.html": "git: docs/lone/d.md",
        "new.html": "ignored by .gitignore",
    }
    configure(repo, 'lastmod = "off"')
    build()
    overview = compose(DirectoryCheck(directory=Directory(path="site")), site=find_site(), with_reasons=True)
    assert {page.why for page in overview.pages} == {"dates are turned off"}


def test_the_address_is_that_of_the_site_even_if_only_a_sitemap_of_a_section_gives_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for page in ("index", "blog/a", "blog/b", "guide/a", "guide/b"):
        path = page.removesuffix("index")
        write(tmp_path, {f"out/{page}.html": HTML.format(f'<link rel="canonical" href="{SITE}{path}">')})
    assert main(["build", "out"]) == 0
    assert main(["explain", "--site", "out", "guide/a"]) == 0
    assert f"{SITE}guide/a\n  listed in   guide/sitemap.xml" in capsys.readouterr().out


def test_a_page_of_a_category_is_there_because_of_that(repo: Repo) -> None:
    configure(repo, 'section_by = "category"')
    site = find_site()
    pages = [replace(site.page(file), section="Long walks" if "guide" in file.path else "") for file in site.files()]
    publish(pages, site.site, Host(dating=Dating(site.settings)))
    walk, home = json.loads(printed(["guide/a", "index.html"], "json"))["pages"]
    because = "its category, or the section that `filter` returned for it, is long-walks (section_by: category)"
    assert (walk["listed"]["file"], walk["why_there"]) == ("sitemap-long-walks.xml", [because])
    assert home["why_there"] == ["it is in no directory (section_depth: 1)"]
