"""The pages of a directory: which file answers for a listed URL, and which pages no sitemap
lists.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from smindex_plugins.checks.checking import check
from smindex_plugins.cli.main import main
from tests.support.command import PAGE, SITE, findings
from tests.support.planted import Files, index, urlset, write

Unlisted = Callable[..., dict[str, str]]


def page(head: str = "") -> str:
    return f"<!doctype html><html><head><title>A</title>{head}</head><body>Text</body></html>"


NOINDEX_TAG = '<meta name="robots" content="noindex">'
NOINDEX = page(NOINDEX_TAG)
CONSENT = f"User-agent: *\nSitemap: {SITE}sitemap_index.xml"


def kinds(root: Path) -> list[str]:
    return sorted(finding.check for finding in check(str(root), site_url=SITE))


def written(root: Path, *listed: str, **names: str) -> Path:
    """Write a sitemap of some paths, and pages by the names of their files, with _ for a slash."""
    files = {f"{name.replace('_', '/')}.html": html or page() for name, html in names.items()}
    return write(root, {"sitemap.xml": urlset(*(SITE + path for path in listed)), **files})


# Files for URLs


@pytest.mark.parametrize(
    ("url", "file"),
    [
        ("a", "a.html"),
        ("a", "a/index.html"),
        ("a", "a"),
        ("a/", "a.html"),
        ("a/", "a/index.htm"),
        ("%20?c", " .html"),
    ],
)
def test_a_url_is_answered_by_a_file_of_its_name_as_servers_do(
    tmp_path: Path, url: str, file: str
) -> None:
    write(tmp_path, {"sitemap.xml": urlset(SITE, SITE + url), "index.html": page(), file: page()})
    assert kinds(tmp_path) == []


def test_a_file_elsewhere_answers_for_its_canonical_url_unless_it_has_noindex_or_redirects(
    tmp_path: Path,
) -> None:
    canonical = f'<link rel="canonical" href="{SITE}b">'
    written(tmp_path, "a", "b", a="", posts_x=page(canonical))
    assert kinds(tmp_path) == []
    for forbids in (NOINDEX, page(f'<meta http-equiv="refresh" content="0; url=/b">{canonical}')):
        written(tmp_path, "a", "b", posts_x=forbids)
        assert kinds(tmp_path) == ["missing-page"]


def test_if_the_server_maps_most_urls_to_other_files_it_is_said_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(
        tmp_path,
        "",
        *map(str, range(20)),
        index="",
        **{f"posts_{number}": "" for number in range(20)},
    )
    assert main(["check", str(tmp_path), "--site-url", SITE]) == 0
    assert "20 of 21 listed pages (none has a file at its URL" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("rules", "problems"),
    [
        (
            "/a/ /b/\n/gone/ /b/ 200",
            ["page-redirects: lists {0}a/, which redirects to {0}b/ (_redirects, line 1)."],
        ),
        (
            "/gone/ /b/ 302",
            ["page-redirects: lists {0}gone/, which redirects to {0}b/ (_redirects, line 1)."],
        ),
        (
            "/gone/ 410",
            [
                (
                    "missing-page: lists {0}gone/, for which a rule returns status 410 (_redirects,"
                    " line 1)."
                )
            ],
        ),
        ("/gone/ /b/ 200", []),
        ("/gone/* https://f.org/:splat 200", []),
        (
            "/gone/ /nowhere/ 200",
            ["missing-page: lists {0}gone/, but the directory has no file for it."],
        ),
        (
            "/* /b/index.html 200",
            ["missing-page: lists {0}gone/, but the directory has no file for it."],
        ),
        (
            "/gone/ /secret/ 200",
            ["noindex-page: lists {0}gone/, which is marked noindex: " + NOINDEX_TAG + "."],
        ),
    ],
)
def test_the_rules_of_the_host_answer_for_listed_urls(
    tmp_path: Path, rules: str, problems: list[str]
) -> None:
    written(tmp_path, "", "a/", "b/", "gone/", index="", a="", b="", secret=NOINDEX)
    write(tmp_path, {"_redirects": rules})
    found = [
        f"{finding.check}: {finding.problem}" for finding in check(str(tmp_path), site_url=SITE)
    ]
    assert found == [problem.format(SITE) for problem in problems]


def test_files_of_the_same_names_elsewhere_answer_too_and_files_of_other_names_for_nothing(
    tmp_path: Path,
) -> None:
    """As where Pelican's ARTICLE_URL is not ARTICLE_SAVE_AS, among tags and archives."""
    written(tmp_path, "tags", "a/", "b", tags="", x_a="", y_b_index="")
    assert kinds(tmp_path) == []
    (tmp_path / "y/b/index.html").unlink()
    assert kinds(tmp_path) == ["missing-page"]
    written(tmp_path / "other", "", "article-1", "article-2", index="", posts_1="", posts_2="")
    assert kinds(tmp_path / "other") == ["missing-page"] * 2 + ["unlisted-page"] * 2


def test_a_page_that_this_tool_listed_by_another_url_than_its_file_is_there(tmp_path: Path) -> None:
    written(tmp_path, "a/", "b/", "c/", a_index="", b_index="", pages_c="")
    sitemap = (tmp_path / "sitemap.xml").read_text()
    write(
        tmp_path,
        {"sitemap.xml": sitemap.replace("<urlset", "<!-- Written by smindex-plugins -->\n<urlset")},
    )
    assert kinds(tmp_path) == []
    write(tmp_path, {"pages/c.html": NOINDEX})
    assert kinds(tmp_path) == ["missing-page"]


# Pages that no sitemap lists, if this tool wrote the sitemaps: each is omitted on purpose, or
# reported


MKDOCS = f"site_name: A\nsite_url: {SITE}\nplugins:\n  - sitemap-index: {{exclude: [drafts/]}}\n"
VERSIONS = '[{"version": "1.0", "title": "1.0", "aliases": ["old"]}]'
OF_MIKE = ("1.0", "old")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Build the site of a project, and go there."""
    pages = {f"site/{name}index.html": PAGE for name in ("", "guide/a/", "guide/b/")}
    write(tmp_path, {".git/a": "", "mkdocs.yml": MKDOCS, "docs/index.md": "A", **pages})
    monkeypatch.chdir(tmp_path)
    assert main(["build"]) == 0
    return tmp_path


@pytest.fixture
def unlisted(project: Path, capsys: pytest.CaptureFixture[str]) -> Unlisted:
    """Write files into the project, check it, and give the pages that are reported with the
    reason.
    """

    def checked(files: Files, target: Path = project) -> dict[str, str]:
        write(project, files)
        found = findings(capsys, str(target))
        assert {finding["check"] for finding in found} <= {"unlisted-page"}
        return {finding["where"]: finding["problem"] for finding in found}

    return checked


def test_a_page_that_the_build_has_not_seen_is_reported(unlisted: Unlisted) -> None:
    assert unlisted({}) == {}
    problem = "it is in no sitemap, and it was not there when they were built."
    found = unlisted({"site/guide/c/index.html": PAGE, "site/old.htm": PAGE})
    assert found == {"guide/c/index.html": problem, "old.htm": problem}
    assert main(["check", "--fail-on", "notice"]) == 1


@pytest.mark.parametrize(
    ("files", "by_build"),
    [
        (
            {"docs/private.md": "---\nsitemap: false\n---\nA", "site/private/index.html": PAGE},
            ["private/index.html"],
        ),
        ({"site/drafts/a/index.html": PAGE}, ["drafts/a/index.html"]),
        ({"site/thanks/index.html": NOINDEX}, []),
        (
            {"site/404.html": PAGE, "site/search.html": PAGE, "site/part.html": "<p>A part"},
            ["search.html"],
        ),
        ({"site/guide/a.html": page(f'<link rel="canonical" href="{SITE}guide/a/">')}, []),
        (
            {
                "site/_redirects": "/old/* /guide/a/:splat\n/old/ /guide/a/\n",
                "site/old/index.html": PAGE,
            },
            [],
        ),
        (
            {
                "site/_headers": "/private/*\n  X-Robots-Tag: none\n",
                "site/private/index.html": PAGE,
            },
            [],
        ),
        (
            {
                "site/guide/b/versions.json": VERSIONS,
                **{f"site/guide/b/{name}/a.html": PAGE for name in OF_MIKE},
            },
            [],
        ),
        ({"site/guide/c/versions.json": VERSIONS, "site/guide/c/index.html": PAGE}, []),
    ],
    ids=[
        "front matter",
        "an option",
        "noindex",
        "no pages",
        "a second file",
        "redirect",
        "header",
        "versions",
        "mike",
    ],
)
def test_a_page_that_is_left_out_on_purpose_is_not_reported(
    unlisted: Unlisted, files: Files, by_build: list[str]
) -> None:
    """What a page, its host or its version says is known without a build."""
    assert [*unlisted(files)] == by_build
    assert main(["build"]) == 0
    assert unlisted({}) == {}


def test_a_directory_that_is_no_version_beside_versions_is_reported(unlisted: Unlisted) -> None:
    found = unlisted({"site/guide/b/versions.json": VERSIONS, "site/guide/b/2.0/index.html": PAGE})
    assert [*found] == ["guide/b/2.0/index.html"]


def test_a_page_that_the_build_listed_but_no_sitemap_lists_is_reported(
    project: Path, unlisted: Unlisted
) -> None:
    path = project / "site/guide/sitemap.xml"
    path.write_text(
        "".join(
            line for line in path.read_text().splitlines(keepends=True) if "/guide/b/" not in line
        )
    )
    assert unlisted({}) == {
        "guide/b/index.html": "it is in no sitemap, although the build listed it."
    }


def test_without_a_record_unlisted_pages_are_counted_as_not_checked(
    project: Path, unlisted: Unlisted, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(project / ".smindex_cache")
    assert (
        unlisted({"site/new.html": PAGE, "site/old.html": PAGE, "site/thanks.html": NOINDEX}) == {}
    )
    main(["check"])
    assert "2 pages in no sitemap (their build is not recorded)" in capsys.readouterr().out


def test_the_index_and_the_consents_that_the_settings_name_are_known(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = "https://other.example"
    options = f"{{index_filename: all.xml, cross_site: {{'{other}': other.txt}}}}"
    (project / "site/sitemap_index.xml").rename(project / "site/all.xml")
    write(project, {"mkdocs.yml": f"site_url: {SITE}\nplugins:\n  - sitemap-index: {options}\n"})
    write(
        project,
        {
            "other.txt": f"Sitemap: {SITE}all.xml\n",
            "site/sitemap-root.xml": urlset(SITE, f"{other}/a"),
        },
    )
    assert findings(capsys) == []
    (project / "other.txt").unlink()
    assert {finding["check"] for finding in findings(capsys)} == {
        "outside-scope",
        "unproven-cross-site",
    }


def test_the_record_of_the_project_here_is_not_that_of_another_site(
    project: Path, unlisted: Unlisted, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = write(tmp_path_factory.mktemp("other"), {".git/a": ""})
    shutil.copytree(project / "site", other / "site")
    assert [*unlisted({}, other / "site")] == [], "it is a copy"
    path = other / "site/sitemap_index.xml"
    path.write_text(path.read_text() + "\n")
    write(other / "site", {"new.html": PAGE})
    assert [*unlisted({}, other / "site")] == [], "nothing is known about it"
    path.write_text(path.read_text().removesuffix("\n"))
    assert [*unlisted({}, other / "site")] == ["new.html"]


def test_the_pages_of_a_site_inside_the_site_are_in_its_own_sitemaps(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """That nothing lists these is one finding, and not one for each page."""
    inside = SITE + "inside/"
    write(
        project / "site/inside",
        {"sitemap_index.xml": index(inside + "s.xml"), "s.xml": urlset(inside + "a.html")},
    )
    write(project / "site/inside", {"a.html": PAGE, "b.html": PAGE})
    assert {finding["check"] for finding in findings(capsys)} == {"unlisted-sitemap"}


def test_a_page_that_front_matter_alone_keeps_private_is_reported_once_with_how_many_more(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, html in (("a", PAGE), ("b", PAGE), ("said", NOINDEX)):
        source = "---\nnoindex: true\n---\nA"
        write(project, {f"docs/secret/{name}.md": source, f"site/secret/{name}/index.html": html})
    assert main(["build"]) == 0
    (found,) = findings(capsys, code=0)
    assert (found["check"], found["where"]) == ("noindex-not-rendered", "secret/a/index.html")
    assert found["source"] == "docs/secret/a.md"
    assert str(found["problem"]).endswith(
        "Search engines may index it. The same applies to 1 other page."
    )


# What was looked at


def test_what_was_not_checked_is_counted_by_what_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = written(tmp_path / "listed", "a", "b", "c", a="", b="")
    write(
        listed,
        {
            "sitemap_index.xml": index(f"{SITE}sitemap.xml", "https://f.org/s.xml"),
            "robots.txt": CONSENT,
        },
    )
    main(
        [
            "check",
            str(listed),
            "--site-url",
            SITE,
            "--cross-site",
            f"https://f.org={listed}/robots.txt",
        ]
    )
    assert "missing-page" in (text := capsys.readouterr().out)
    assert text.endswith(
        "1 warning in 1 index, 1 sitemap, 3 URLs (3 without a date), 2 pages\nnot checked: whether"
        " the host redirects 2 URLs without a slash or suffix, because nothing shows which host"
        " serves the site; 1 sitemap outside this directory (https://f.org)\n"
    )
    none = written(tmp_path / "none", a=NOINDEX, b=NOINDEX, **{"404": page()})
    main(["check", str(none), "--site-url", SITE])
    last = (
        "not checked: robots.txt (there is none); 3 pages that no sitemap lists (1 error page,"
        " 2 marked noindex)"
    )
    assert capsys.readouterr().out.splitlines()[-1] == last
