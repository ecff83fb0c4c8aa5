"""Pages that no sitemap lists, where this tool wrote the sitemaps: each is left out on purpose, or reported."""

from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from tests.support.command import PAGE, SITE, findings
from tests.support.planted import index, urlset, write

MKDOCS = f"site_name: A\nsite_url: {SITE}\nplugins:\n  - sitemap-index: {{exclude: [drafts/]}}\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a project with a built site of three pages."""
    pages = {f"site/{name}index.html": PAGE for name in ("", "guide/a/", "guide/b/")}
    write(tmp_path, {".git/a": "", "mkdocs.yml": MKDOCS, "docs/index.md": "A", **pages})
    monkeypatch.chdir(tmp_path)
    assert main(["build"]) == 0
    return tmp_path


def unlisted(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, str]:
    found = findings(capsys, *arguments)
    assert {finding["check"] for finding in found} <= {"unlisted-page", "rightly-unlisted-page", "index-not-for-baidu"}
    return {finding["where"]: finding["problem"] for finding in found if "unlisted" in finding["check"]}


def test_a_page_that_the_build_has_not_seen_is_reported(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert unlisted(capsys) == {}
    write(project, {"site/guide/c/index.html": PAGE, "site/old.htm": PAGE})
    told = "it is in no sitemap, and the page does not say why, nor does mkdocs.yml."
    assert unlisted(capsys) == {"guide/c/index.html": told, "old.htm": told}
    assert main(["check", "--fail-on", "notice"]) == 1


def test_a_page_that_is_left_out_on_purpose_is_not(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    noindex = PAGE.replace("<title>", '<meta name="robots" content="noindex"><title>')
    write(project, {"docs/private.md": "---\nsitemap: false\n---\nA", "site/private/index.html": PAGE})
    write(project, {"site/drafts/a/index.html": PAGE, "site/thanks/index.html": noindex, "site/404.html": PAGE})
    write(project, {"site/search.html": PAGE, "site/part.html": "<p>A part"})
    assert unlisted(capsys) == {}


def test_a_second_file_of_a_listed_page_is_not(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = PAGE.replace("<title>", f'<link rel="canonical" href="{SITE}guide/a/"><title>')
    write(project, {"site/guide/a.html": copy})
    assert unlisted(capsys) == {}


def test_where_no_configuration_is_found_or_none_can_be_read_the_message_says_so(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(project, {"site/new.html": PAGE})
    (project / "mkdocs.yml").write_text(MKDOCS.replace("[drafts/]", "3"))
    (told,) = unlisted(capsys).values()
    assert told.startswith(
        "it is in no sitemap, and the page does not say why, and mkdocs.yml cannot be read: exclude: got 3"
    )
    (project / "mkdocs.yml").unlink()
    (told,) = unlisted(capsys, "site").values()
    assert told.endswith(
        "and the page does not say why, and there is no configuration beside the directory that could say it."
    )


def test_the_index_and_the_consents_that_the_settings_name_are_known(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = "https://other.example"
    options = f"{{index_filename: all.xml, cross_site: {{'{other}': other.txt}}}}"
    write(project, {"mkdocs.yml": f"site_url: {SITE}\nplugins:\n  - sitemap-index: {options}\n"})
    write(project, {"other.txt": f"Sitemap: {SITE}all.xml\n", "site/s.xml": urlset(SITE, f"{other}/a")})
    (project / "site/sitemap_index.xml").unlink()
    write(project, {"site/all.xml": index(SITE + "s.xml", SITE + "guide/sitemap.xml")})
    for name in ("sitemap-root.xml", "sitemap.xml"):
        (project / "site" / name).unlink(missing_ok=True)
    assert findings(capsys) == []
    (project / "other.txt").unlink()
    assert {finding["check"] for finding in findings(capsys)} == {"outside-scope", "unproven-cross-site"}


def test_the_settings_of_the_project_here_are_not_those_of_another_site(
    project: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    write(project, {"pyproject.toml": "[tool.smindex]\nexclude = ['new.html']\n"})
    (project / "mkdocs.yml").unlink()
    other = tmp_path_factory.mktemp("other")
    (project / "site").rename(other / "site")
    write(other, {"site/new.html": PAGE, ".git/a": ""})
    assert list(unlisted(capsys, str(other / "site"))) == ["new.html"]
    (other / "site").rename(project / "site")
    assert unlisted(capsys, "site") == {}


def test_the_pages_of_a_site_inside_the_site_are_in_its_own_sitemaps(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """That nothing lists these is one finding, and not one for each page."""
    inside = SITE + "inside/"
    write(project / "site/inside", {"sitemap_index.xml": index(inside + "s.xml"), "s.xml": urlset(inside + "a.html")})
    write(project, {"site/inside/a.html": PAGE, "site/inside/b.html": PAGE})
    assert {finding["check"] for finding in findings(capsys)} == {"unlisted-sitemap"}


def test_the_pages_of_versions_that_are_not_listed_and_the_page_that_leads_to_one_are_not(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As mike lays versions out. Only some versions are for search engines."""
    versions = '[{"version": "1.0", "title": "1.0", "aliases": ["old"]}]'
    write(project, {"site/guide/b/versions.json": versions, "site/guide/c/index.html": PAGE})
    write(project, {f"site/guide/b/{path}": PAGE for path in ("1.0/index.html", "old/a/index.html", "2.0/index.html")})
    assert list(unlisted(capsys)) == ["guide/b/2.0/index.html", "guide/c/index.html"]
    write(project, {"site/guide/c/versions.json": versions})
    assert list(unlisted(capsys)) == ["guide/b/2.0/index.html"]


def test_a_page_that_front_matter_alone_keeps_private_is_told_once_with_how_many_more(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    noindex = PAGE.replace("<title>", '<meta name="robots" content="noindex"><title>')
    for name, page in (("a", PAGE), ("b", PAGE), ("said", noindex)):
        source = "---\nnoindex: true\n---\nA"
        write(project, {f"docs/secret/{name}.md": source, f"site/secret/{name}/index.html": page})
    (found,) = findings(capsys, code=0)
    assert (found["check"], found["where"]) == ("noindex-not-rendered", "secret/a/index.html")
    assert found["source"] == "docs/secret/a.md"
    assert str(found["problem"]).endswith("search engines may still index it. The same is true of 1 other page.")
