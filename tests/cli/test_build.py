"""`smindex build` on directories of HTML that nobody told it how they were made."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from tests.support.command import findings, refused
from tests.support.history import Repo
from tests.support.listed import listed
from tests.support.planted import write

BASE = "https://e.org/docs/"
PAGE = "<!doctype html><title>A</title><p>Text"
SITE: dict[str, str | bytes] = {
    "index.html": PAGE,
    "about.html": PAGE,
    "guide/index.html": PAGE,
    "guide/install.html": PAGE,
    "guide/größe & more/index.html": PAGE,
}
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run the command in a directory with a site below `site`; give its exit code, and what it
    printed.
    """
    write(tmp_path / "site", SITE)
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main(["build", *arguments])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


def test_every_page_is_listed_at_the_url_of_its_file(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = run("site", "--site-url", "https://e.org/docs")
    assert code == 0
    assert list(listed(tmp_path / "site")) == [
        "guide/",
        "guide/gr%C3%B6%C3%9Fe%20&%20more/",
        "guide/install.html",
        "",
        "about.html",
    ]
    found = (
        f"site: {BASE} (--site-url)\noutput: site (as given)\nsources: the HTML files themselves"
    )
    assert out.startswith(
        f"{found}; if your pages are built from other files, pass their location: --sources"
        " PATTERN\n"
    )
    assert "5 pages in 2 sections, 2 sitemaps listed in https://e.org/docs/sitemap_index.xml" in out
    assert findings(capsys, "site", code=0) == []


def test_clean_urls_are_those_of_a_server_that_adds_html(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("site", "--site-url", BASE, "--clean-urls")
    assert {"about", "guide/install", "guide/", ""} <= listed(tmp_path / "site").keys()
    assert findings(capsys, "site", "--site-url", BASE, code=0) == []


def test_a_page_is_listed_as_it_calls_itself_where_that_leads_to_its_own_file(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    canonical = '<!doctype html><link rel="canonical" href="{}"><title>A</title><p>Text'
    own = {
        "index.html": f"{BASE}index.html",
        "about.html": f"{BASE}about",
        "guide/index.html": "/docs/guide",
        "guide/install.html": f"{BASE}guide/install/",
        "other.html": f"{BASE}about.html",
        "twin.html": f"{BASE}twin/",
        "twin/index.html": f"{BASE}twin/",
        "query.html": f"{BASE}query.html?a",
        "away.html": "https://f.org/away.html",
    }
    write(tmp_path / "site", {name: canonical.format(url) for name, url in own.items()})
    code, out, _ = run("site", "--site-url", BASE)
    assert code == 0
    assert list(listed(tmp_path / "site")) == [
        "about",
        "guide",
        "guide/gr%C3%B6%C3%9Fe%20&%20more/",
        "index.html",
        "twin/",
    ]
    assert "omitted: 5 with another canonical URL" in out
    assert f"its canonical URL is {BASE}guide/install/, which is not a page." in out
    assert findings(capsys, "site", "--site-url", BASE, code=0) == []


def test_what_is_no_page_is_left_out_with_its_reason(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outside = tmp_path / "outside.html"
    outside.write_text(PAGE)
    noindex = '<!doctype html><meta name="robots" content="noindex"><p>Text'
    refresh = '<!doctype html><meta http-equiv="refresh" content="0; url=/docs/"><p>Text'
    others = {
        "404.html": PAGE,
        "de/404.html": PAGE,
        "old/index.html": refresh,
        "hidden.html": noindex,
        "part.html": "<p>one {{ piece }}",
        "void.html": "",
        ".git/index.html": PAGE,
        "200.html": PAGE,
        "de/404/index.html": PAGE,
        "node_modules/tool/index.html": PAGE,
        "node_modules/tool/robots.txt": "",
        ".draft.html": PAGE,
        "notes.txt": "text",
        "back\\slash.html": PAGE,
        "_static/macros.html": "{% macro a() %}<link>{% endmacro %}",
    }
    write(tmp_path / "site", others)
    (tmp_path / "site" / os.fsdecode(b"\x1b[31m\xff.html")).write_text(noindex)
    (tmp_path / "site/linked.html").symlink_to(outside)
    (tmp_path / "site/alias").symlink_to(tmp_path / "site/guide")
    (tmp_path / "site/broken.html").symlink_to(tmp_path / "nowhere.html")
    os.mkfifo(tmp_path / "site/pipe.html")
    code, out, _ = run("site", "--site-url", BASE, "-v")
    assert code == 0
    assert len(listed(tmp_path / "site")) == len(SITE)
    reasons = dict(re.findall(r"^(.+) is in no sitemap, because it is (.+)\.$", out, re.MULTILINE))
    assert reasons == {
        "200.html": "an error page",
        "404.html": "an error page",
        "_static/macros.html": "next to the pages, in _static",
        "back\\slash.html": "with a backslash in the name of its file",
        "de/404.html": "an error page",
        "de/404/index.html": "an error page",
        "hidden.html": 'marked noindex (<meta name="robots" content="noindex">)',
        "linked.html": "linked to a file outside the directory",
        "node_modules/tool/index.html": "in node_modules",
        "old/index.html": "redirecting elsewhere (https://e.org/docs/)",
        "part.html": "without an HTML document",
        "void.html": "without content",
        "\\x1b[31m\\udcff.html": 'marked noindex (<meta name="robots" content="noindex">)',
    }
    (tmp_path / "site/linked.html").unlink()
    assert findings(capsys, "site", code=0) == []


def test_pages_that_are_committed_are_dated_by_their_own_history(run: Run, repo: Repo) -> None:
    repo.commit(1, {"public/index.html": PAGE, "public/a.html": PAGE})
    repo.commit(5, {"public/a.html": PAGE + "more"})
    assert run(str(repo / "public"), "--site-url", BASE)[0] == 0
    assert listed(repo / "public") == {"": "2020-09-14T12:26:40Z", "a.html": "2020-09-18T12:26:40Z"}


def test_what_git_ignores_beside_pages_that_it_tracks_is_left_out_unless_it_ignores_the_whole_output(
    run: Run, repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    repo.commit(1, {".gitignore": "drafts/\n", "index.html": PAGE, "a.html": PAGE})
    repo.put("drafts/b.html", PAGE)
    _, out, _ = run(str(repo.path), "--site-url", BASE)
    assert "omitted: 1 ignored by git, next to pages that it tracks" in out
    assert [*listed(repo.path)] == ["", "a.html"]
    assert findings(capsys, str(repo.path), code=0) == []
    assert main(["explain", str(repo.path), "drafts/b.html"]) == 0
    assert "ignored by git, next to pages that it tracks" in capsys.readouterr().out
    repo.put(".gitignore", "*.html\n")
    assert run(str(repo.path), "--site-url", BASE)[0] == 0
    assert [*listed(repo.path)] == ["", "a.html", "drafts/b.html"]


def test_what_git_ignores_beside_pages_that_it_does_not_track_is_listed(
    run: Run, repo: Repo
) -> None:
    repo.commit(1, {".gitignore": "drafts/\n", "a.txt": ""})
    repo.put("index.html", PAGE)
    repo.put("drafts/b.html", PAGE)
    assert run(str(repo.path), "--site-url", BASE)[0] == 0
    assert [*listed(repo.path)] == ["", "drafts/b.html"]


def test_sources_are_found_by_patterns_and_what_their_authors_say_counts(
    run: Run, repo: Repo
) -> None:
    repo.commit(
        1,
        {
            "text/index.md": "",
            "text/guide.md": "",
            "text/guide/install.md": "---\nnoindex: true\n---\n",
        },
    )
    repo.commit(
        3,
        {
            "text/about.rst": "",
            "text/größe.md": "---\nLastmod: 2020-10-01\n---\n",
            "data/about.yml": "",
        },
    )
    repo.commit(5, {"data/about.yml": "a"})
    pages = ("index", "about", "guide/index", "guide/install", "größe", "made")
    write(repo.path / "site", {f"{page}.html": PAGE for page in pages})
    patterns = ("text/{path}.md", "text/{path}.rst", "data/{path}.yml")
    arguments = [
        argument for pattern in patterns for argument in ("--sources", str(repo / pattern))
    ]
    code, out, _ = run(str(repo / "site"), "--site-url", BASE, *arguments, "-v")
    assert code == 0
    assert listed(repo / "site") == {
        "": "2020-09-14T12:26:40Z",
        "about.html": "2020-09-18T12:26:40Z",
        "gr%C3%B6%C3%9Fe.html": "2020-10-01",
        "guide/": "2020-09-14T12:26:40Z",
        "made.html": None,
    }
    assert "(--sources); found for 5 of 6 HTML files\n" in out
    assert f"1 without a source that was found (looked for {repo.path.name}/text/made.md, " in out
    assert "because it is private or noindex in its front matter (`noindex: true`)." in out


def test_a_pattern_that_finds_no_source_is_a_warning_with_the_nearest(
    run: Run, tmp_path: Path
) -> None:
    write(
        tmp_path,
        {
            "content/about.md": "",
            "content/guide/install.md": "",
            "notes/b.md": "",
            "node_modules/about.md": "",
        },
    )
    code, out, _ = run(
        "site", "--site-url", BASE, "--sources", "docs/{path}.md", "--sources", "content/{path}.md"
    )
    assert code == 0
    assert "(sources-not-found)" in out
    assert (
        "--sources: 'docs/{path}.md' finds no file for any page; there is no directory docs." in out
    )
    assert "Did you mean" not in out  # for what is given
    assert (
        "Did you mean --sources 'content/{path}.md'?"
        in run("site", "--site-url", BASE, "--sources", "docs/{path}.md")[1]
    )
    out = run("site", "--site-url", BASE, "--sources", "content/{path}.txt")[1]
    assert "; looked for content/about.txt, content/" in out
    content = ("site", "--site-url", BASE, "--sources", "content/{path}.md")
    assert (
        "--sources: 3 of 5 pages have no source; looked for content/index.md, " in run(*content)[1]
    )
    write(tmp_path, {"content/guide.md": ""})
    assert "sources-not-found" not in run(*content)[1]
    assert (
        "pass their location: --sources 'content/{path}.md'\n" in run("site", "--site-url", BASE)[1]
    )
    (tmp_path / "content/guide.md").unlink()
    named = ("index.md", "guide/guide.md", "about/about.md", "guide/install/install.md")
    write(tmp_path / "src", dict.fromkeys(named, ""))
    assert "--sources 'src/{path}/{name}.md'\n" in run("site", "--site-url", BASE)[1]
    assert (
        "found for 4 of 5"
        in run("site", "--site-url", BASE, "--sources", "src/{path}/{name}.md")[1]
    )
    write(tmp_path, {"mkdocs.yml": f"site_url: {BASE}\n", "docs/about.rst": ""})
    out = run("site")[1]
    assert "mkdocs.yml: 5 of 5 pages have no source; looked for docs/about.md, " in out
    assert "Did you mean --sources 'src/{path}/{name}.md'?" in out
    write(tmp_path / "docs", {"about.md": "", "guide.md": "---\nslug: other\n---\n"})
    out = run("site")[1]
    assert "mkdocs.yml: 4 of 5 pages have no source; looked for docs/" in out
    both = "--sources 'docs/{path}.md' --sources 'src/{path}/{name}.md'"
    assert f"Did you mean {both}?" in out, "what is found now stays"
    given = ("--sources", "docs/{path}.md", "--sources", "src/{path}/{name}.md")
    assert "found for 4 of 5 HTML files" in run("site", *given)[1]
    for name in ("docs/guide.md", "src/guide/install/install.md", "content/guide/install.md"):
        (tmp_path / name).unlink()
    redirect = '<!doctype html><meta http-equiv="refresh" content="0; url=/docs/">'
    write(tmp_path / "site", {f"old-{number}.html": redirect for number in range(9)})
    write(tmp_path / "docs", dict.fromkeys(["About.html", "index.html", "guide.html"], ""))
    out = run("site")[1]
    assert "found for 3 of 5 HTML files" in out
    assert "sources-not-found" not in out
    write(tmp_path / "site", {"404.html": PAGE, "de/404.html": PAGE})
    assert "sources-not-found" not in run("site")[1], "error pages need no source"


def test_a_dry_run_says_what_would_change_and_changes_nothing(run: Run, tmp_path: Path) -> None:
    def state() -> dict[str, tuple[bytes, int]]:
        files = [path for path in tmp_path.rglob("*") if path.is_file()]
        return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}

    arguments = ("site", "--site-url", BASE)
    before = state()
    code, out, _ = run(*arguments, "--dry-run")
    assert code == 0
    assert state() == before
    assert out.count("would be written: ") == 3
    assert "\nNothing was written: 5 pages in 2 sections" in out
    run(*arguments)
    before = state()
    assert "unchanged: 3 files\n" in run(*arguments, "--dry-run")[1]
    out = run(*arguments, "--dry-run", "--set", "section_depth=0", "--set", "gzip=true")[1]
    assert "would be written: sitemap-root.xml.gz\nwould be written: sitemap_index.xml\n" in out
    assert "would be removed: guide/sitemap.xml\nwould be removed: sitemap-root.xml\n" in out
    assert state() == before


def test_where_there_are_several_indexes_the_lines_for_robots_txt_are_printed(run: Run) -> None:
    site = ("site", "--site-url", "https://e.org/", "--set", "max_urls=1")
    assert "in Search Console.\nSitemap: https://e.org/sitemap_index-1.xml\n" in run(*site)[1]
    assert "Search Console" not in run(*site, "--set", "robots_txt=write")[1]


def test_other_files_are_listed_with_the_dates_of_their_originals(run: Run, repo: Repo) -> None:
    repo.commit(1, {"docs/index.md": "", "docs/files/a.pdf": "1"})
    repo.commit(3, {"docs/files/a.pdf": "2"})
    write(
        repo.path / "site",
        {"index.html": PAGE, "files/a.pdf": "2", "files/made.pdf": "3", "files/b.txt": ""},
    )
    sources = ("--sources", str(repo / "docs/{path}.md"))
    code, out, _ = run(
        str(repo / "site"), "--site-url", BASE, *sources, "--set", "include=files/*.pdf"
    )
    assert code == 0
    assert listed(repo / "site") == {
        "": "2020-09-14T12:26:40Z",
        "files/a.pdf": "2020-09-16T12:26:40Z",
        "files/made.pdf": None,
    }
    assert "found for 1 of 1 HTML file\n" in out


def test_the_exit_code_and_what_is_printed_are_as_the_options_say(run: Run, tmp_path: Path) -> None:
    page = '<!doctype html><link rel="canonical" href="https://f.org/{}"><p>Text'
    write(tmp_path / "site", {f"{number:02}.html": page.format(number) for number in range(12)})
    site = ("site", "--site-url", BASE)
    assert [run(*site, "--fail-on", level)[0] for level in ("error", "warning", "notice")] == [
        0,
        1,
        1,
    ]
    out = run(*site)[1]
    assert "(canonical-outside), 12 findings" in out
    assert "  … and 9 more; -v shows them\n" in out
    out = run(*site, "-v")[1]
    assert out.count("its canonical URL is https://f.org/") == 12
    assert "\nunchanged: 3 files\n" in out
    assert run(*site, "-q", "--fail-on", "warning") == (1, "", "")


@pytest.mark.parametrize(
    ("files", "options", "kind"),
    [
        ({}, ("--set", "exclude=**"), "nothing-listed"),
        ({"sitemap-root.xml": "<urlset/>"}, (), "file-not-ours"),
    ],
)
def test_where_no_index_is_written_the_command_fails_also_if_nothing_is_to_be_written(
    run: Run, tmp_path: Path, files: dict[str, str | bytes], options: tuple[str, ...], kind: str
) -> None:
    write(tmp_path / "site", files)
    for dry in (("--dry-run",), ()):
        code, out, _ = run("site", "--site-url", BASE, *options, *dry)
        assert code == 1
        assert f"({kind})" in out
    assert not (tmp_path / "site/sitemap_index.xml").exists()


def test_a_directory_that_cannot_be_read_ends_the_run(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise its pages would be missing without a word; and the user of these tests may read
    everything.
    """
    del run
    access = os.access
    monkeypatch.setattr(
        os, "access", lambda path, mode: not str(path).endswith("guide") and access(path, mode)
    )
    found = refused(capsys, "build", "site", "--site-url", BASE)
    assert found == [f"{tmp_path}/site/guide: Permission denied."]
    assert not (tmp_path / "site/sitemap_index.xml").exists()


@pytest.mark.parametrize(
    ("target", "problem"),
    [
        ("", "no directory given, and no supported"),
        (
            "site",
            (
                "site",
                ("can't determine the site's URL, which sitemaps require. Add site_url"),
            ),
        ),
        ("nowhere", "nowhere: there is no such directory. Build the site first"),
        ("sit", "sit: there is no such directory. Did you mean site?"),
        ("site/index.html", "site/index.html: it is a file. Name the directory"),
        ("site/empty", "site/empty: there is no HTML in it. Build the site first, or name "),
        (
            "https://me:secret@e.org/",
            "https://***@e.org/: it is a URL. Name the directory on this machine that holds",
        ),
    ],
)
def test_what_cannot_be_built_is_refused_with_what_to_do(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str], target: str, problem: str
) -> None:
    del run
    write(tmp_path, {"site/empty/sitemap_index.xml": "<!-- Written by smindex-plugins -->"})
    (found,) = refused(capsys, "build", *filter(None, [target]))
    assert found.startswith(problem)
    assert (tmp_path / "site/empty/sitemap_index.xml").exists()


def test_the_directory_of_the_sources_is_known_as_such(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(
        tmp_path,
        {"mkdocs.yml": f"site_url: {BASE}\n", "docs/guide/a.md": "", "docs/part.html": PAGE},
    )
    for named in ("docs", "docs/guide"):
        (problem,) = refused(capsys, "build", named)
        assert (
            problem
            == f"{named}: it is the source directory of mkdocs.yml, whose site is built into site. "
            "Run `mkdocs build`, and then name site, or no directory."
        )
    write(tmp_path, {"docs/index.html": PAGE})
    assert run("docs", "--site-url", BASE)[0] == 0


def test_a_directory_whose_pages_have_no_source_gets_a_pattern(run: Run, tmp_path: Path) -> None:
    pages = [*(f"page{number}" for number in range(5)), "posts/a", "posts/b", "tags/c", "tags/d"]
    write(tmp_path / "site", {f"{page}.html": PAGE for page in pages})
    sources = [
        f"docs/{page}.md" for page in ("index", "about", "guide/index", "guide/install", *pages[:5])
    ]
    write(
        tmp_path,
        dict.fromkeys(["mkdocs.yml", *sources, "articles/posts/a.md", "articles/posts/b.md"], ""),
    )
    out = run("site", "--site-url", BASE)[1]
    assert "mkdocs.yml: 4 pages have no source, such as posts/a.html." in out
    assert "Did you mean --sources 'docs/{path}.md' --sources 'articles/{path}.md'?" in out
    for name in ("a", "b"):
        (tmp_path / f"articles/posts/{name}.md").unlink()
    assert "sources-not-found" not in run("site", "--site-url", BASE)[1], (
        "nothing shows where they could be"
    )
