"""Real MkDocs builds with the one added line, read back with nothing of ours."""

import gzip
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest

from smindex_plugins.hosts.mkdocs_plugin import SitemapIndexConfig
from smindex_plugins.settings import OPTIONS
from tests.support.project import Project

BASE = "https://example.org/docs/"
FIRST, SECOND, THIRD = "2024-01-01T10:00:00Z", "2024-02-02T11:00:00Z", "2024-03-03T12:00:00Z"


def small_site(project: Project) -> None:
    """Write three sections, committed on two days."""
    project.config()
    project.pages("index.md", "about.md", "guide/index.md", "guide/install.md", "übersicht/a.md", "übersicht/b.md")
    project.commit(FIRST)
    project.write("docs/guide/install.md", "# Changed\n")
    project.commit(SECOND)


def test_one_line_of_configuration_gives_an_index_and_a_sitemap_for_each_section(project: Project) -> None:
    small_site(project)
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert built.index == {
        f"{BASE}%C3%BCbersicht/sitemap.xml": FIRST,
        f"{BASE}guide/sitemap.xml": SECOND,
        f"{BASE}sitemap-root.xml": FIRST,
    }
    assert built.pages == {
        BASE: FIRST,
        f"{BASE}about/": FIRST,
        f"{BASE}guide/": FIRST,
        f"{BASE}guide/install/": SECOND,
        f"{BASE}%C3%BCbersicht/a/": FIRST,
        f"{BASE}%C3%BCbersicht/b/": FIRST,
    }
    assert (built.directory / "übersicht" / "sitemap.xml").is_file()
    assert "6 pages in 3 sections, 3 sitemaps listed in https://example.org/docs/sitemap_index.xml" in built.log


def test_mkdocs_own_sitemap_keeps_its_pages_and_gets_true_dates(project: Project) -> None:
    small_site(project)
    built = project.build()
    assert built.flat == {url: lastmod and lastmod[:10] for url, lastmod in built.pages.items()}
    assert (
        gzip.decompress((built.directory / "sitemap.xml.gz").read_bytes())
        == (built.directory / "sitemap.xml").read_bytes()
    )


@pytest.mark.parametrize("dated", [(), ("index.md",), ("index.md", "guide/a.md")])
def test_no_mixture_of_dated_and_undated_pages_breaks_the_build(project: Project, dated: tuple[str, ...]) -> None:
    project.config()
    project.pages("index.md", "guide/a.md", "guide/b.md")
    for path in dated:
        project.write(f"docs/{path}", "---\nlastmod: 2023-05-06\n---\n# Dated\n")
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert sorted(filter(None, built.pages.values())) == ["2023-05-06"] * len(dated)
    assert built.flat == built.pages


def test_two_builds_of_one_commit_are_byte_identical_whatever_the_machine(project: Project) -> None:
    small_site(project)
    first = project.build(PYTHONHASHSEED="1", TZ="America/New_York", LC_ALL="C")
    second = project.build(site="other", PYTHONHASHSEED="2", TZ="Asia/Tokyo", LC_ALL="C.UTF-8")
    assert first.ours == second.ours
    assert (first.directory / "sitemap.xml").read_bytes() == (second.directory / "sitemap.xml").read_bytes()


def test_a_dirty_build_gives_the_same_sitemaps_as_a_clean_one(project: Project) -> None:
    small_site(project)
    project.write("docs/about.md", "---\nlastmod: 2022-01-01\n---\n# Front matter that a dirty build does not read\n")
    project.commit(THIRD)
    clean = project.build().ours
    written = (project.root / "site" / "sitemap_index.xml").stat().st_mtime_ns
    assert project.build("--dirty").ours == clean
    assert (project.root / "site" / "sitemap_index.xml").stat().st_mtime_ns == written


def test_a_section_that_is_gone_takes_its_sitemap_with_it_in_a_dirty_build(project: Project) -> None:
    small_site(project)
    project.build()
    (project.root / "docs/guide/install.md").unlink()
    project.commit(THIRD)
    built = project.build("--dirty")
    assert f"{BASE}guide/" in built.pages
    assert not (built.directory / "guide" / "sitemap.xml").exists()


def test_urls_follow_use_directory_urls_ports_and_prefixes(project: Project) -> None:
    small_site(project)
    project.config(site_url="http://DOCS.E.ORG:8080/a/b", use_directory_urls="false")
    project.commit(THIRD)
    project.base = "http://docs.e.org:8080/a/b/"
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert set(built.index) == {
        f"http://docs.e.org:8080/a/b/{path}"
        for path in ["sitemap-root.xml", "guide/sitemap.xml", "%C3%BCbersicht/sitemap.xml"]
    }
    assert "http://docs.e.org:8080/a/b/guide/install.html" in built.pages


def test_drafts_excluded_pages_and_empty_pages_are_in_no_sitemap(project: Project) -> None:
    project.config(
        "sitemap-index: {exclude: ['internal/', '/guide/h*/']}",
        draft_docs="'drafts/'",
        exclude_docs="'secret.md'",
        not_in_nav="'internal/'",
        hooks="[empty.py]",
    )
    project.write(
        "empty.py", "def on_post_page(output, page, config):\n    return '' if 'empty' in page.url else output\n"
    )
    project.pages(
        "index.md", "a.md", "drafts/b.md", "secret.md", "internal/c.md", "guide/hidden.md", "empty.md", "404.md"
    )
    project.commit(FIRST)
    built = project.build()
    assert set(built.pages) == {BASE, f"{BASE}a/"}
    assert "left out: 1 excluded by `/guide/h*/`, 1 excluded by `internal/`, 2 shown for errors" in built.log


def test_an_empty_site_url_writes_nothing_and_says_which_line_to_add(project: Project) -> None:
    small_site(project)
    project.config(site_url="")
    built = project.build()
    assert (built.code, built.index) == (0, {})
    assert "site_url: https://example.org/" in built.log
    assert project.build("--strict").code == 1


@pytest.mark.parametrize(
    ("site_url", "problem"),
    [
        ("https://e.org/docs/?a=b", "site_url 'https://e.org/docs/?a=b' has a query or a fragment; write the address"),
        ("https://e.org/docs/#a", "site_url 'https://e.org/docs/#a' has a query or a fragment; write"),
        ("https://me:secret@e.org/", "site_url 'https://***@e.org/' has a user name or a password"),
        ("ftp://e.org/", "site_url 'ftp://e.org/' does not begin with https:// or http://;"),
        ("https://e.org/index.html", "site_url 'https://e.org/index.html/' ends with the name of a file;"),
    ],
)
def test_a_wrong_site_url_writes_nothing_and_says_what_is_wrong(project: Project, site_url: str, problem: str) -> None:
    small_site(project)
    project.config(site_url=f"'{site_url}'")
    built = project.build()
    assert (built.code, built.index) == (0, {})
    assert f"no sitemaps are written: {problem}" in built.log
    assert "secret" not in built.log
    assert project.build("--strict").code == 1


def test_a_private_address_is_a_warning(project: Project) -> None:
    small_site(project)
    project.config(site_url="http://localhost:8000/")
    built = project.build()
    assert built.log.count("[private-address]") == 1
    assert "begin with http://localhost:8000/, which only this machine can reach" in built.log
    assert project.build("--strict").code == 1


def test_every_mistake_in_the_options_is_reported_at_once(project: Project) -> None:
    project.config("sitemap-index: {sektion_depth: 2, max_urls: 50001, gzip: 1, index_filename: sitemap.xml}")
    project.pages("index.md")
    built = project.build()
    assert built.code == 1
    for part in [
        "option 'sektion_depth': no such option; did you mean 'section_depth'?",
        "option 'max_urls': got 50001; accepted: a whole number from 1 to 50,000",
        "option 'gzip': got 1; accepted: true or false",
        "option 'index_filename': got 'sitemap.xml', which MkDocs writes itself",
    ]:
        assert part in built.log


def test_a_file_of_the_users_own_stays_and_is_named(project: Project) -> None:
    small_site(project)
    project.write("docs/guide/sitemap.xml", "<mine/>")
    built = project.build()
    assert (built.code, built.index) == (0, {})
    assert "guide/sitemap.xml: this tool did not write the file of this name" in built.log
    assert (built.directory / "guide" / "sitemap.xml").read_text() == "<mine/>"
    assert project.build("--strict").code == 1


def test_a_directory_in_the_place_of_the_index_is_a_message_and_nothing_is_written(project: Project) -> None:
    small_site(project)
    project.config("sitemap-index", hooks="[block.py]")
    project.write(
        "block.py",
        "import os\ndef on_env(env, config, files):\n    os.makedirs(config.site_dir + '/sitemap_index.xml')\n",
    )
    built = project.build()
    assert built.code == 0
    assert "sitemap_index.xml: this tool did not write the file of this name" in built.log
    assert not (built.directory / "sitemap-root.xml").exists()
    assert not list(built.directory.rglob(".*.smindex"))


def test_a_canonical_url_that_a_plugin_moved_is_reported_with_both_urls(project: Project) -> None:
    small_site(project)
    project.config("sitemap-index", hooks="[move.py]")
    project.write(
        "move.py",
        "MOVED = {'about.md': 'https://other.example/about/', 'guide/install.md': 'https://example.org/docs/install/'}\n"
        "def on_pre_page(page, config, files):\n"
        "    page.canonical_url = MOVED.get(page.file.src_uri, page.canonical_url)\n"
        "    return page\n",
    )
    project.commit(THIRD)
    built = project.build()
    assert not any("install" in url or "other" in url for url in built.pages)
    assert f"{BASE}about/, but its canonical URL is https://other.example/about/, outside {BASE}" in built.log
    assert f"{BASE}guide/install/, but its canonical URL is {BASE}install/, outside {BASE}guide/" in built.log


def test_dates_that_cannot_be_proven_are_absent_and_counted(project: Project) -> None:
    small_site(project)
    project.write("docs/new.md", "# Not committed\n")
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert built.pages[f"{BASE}new/"] is None
    assert "; 1 without a date; " in built.log
    assert "no reliable date was found, so <lastmod> is left out: 1 not committed to git." in built.log


def test_a_shallow_clone_proves_nothing_about_what_its_boundary_brought(project: Project, tmp_path: Path) -> None:
    small_site(project)
    project.git("clone", "-q", "--depth=1", f"file://{tmp_path}", "shallow")
    built = Project(tmp_path / "shallow").build()
    assert set(built.pages.values()) == {None}
    assert "git fetch --unshallow" in built.log


def test_without_git_every_date_is_absent_and_the_build_goes_on(project: Project, tmp_path: Path) -> None:
    small_site(project)
    built = project.build(PATH=str(tmp_path / "nothing"))
    assert built.code == 0
    assert set(built.pages.values()) == {None}
    assert "git is not installed" in built.log


def test_docs_outside_any_repository_have_no_dates(project: Project) -> None:
    project.config()
    project.pages("index.md", "a.md")
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert built.pages == {BASE: None, f"{BASE}a/": None}
    assert "outside any git repository" in built.log


def test_a_removed_page_changes_the_date_of_its_section_in_the_index(project: Project) -> None:
    small_site(project)
    (project.root / "docs/übersicht/b.md").unlink()
    project.pages("übersicht/c.md")
    project.commit(SECOND)
    (project.root / "docs/übersicht/c.md").unlink()
    project.write("docs/übersicht/b.md", "# b\n")
    project.commit("2024-02-20T00:00:00Z")
    project.write("docs/übersicht/gone.md", "# gone\n")
    project.commit("2024-02-21T00:00:00Z")
    (project.root / "docs/übersicht/gone.md").unlink()
    project.commit(THIRD)
    built = project.build()
    assert built.pages[f"{BASE}%C3%BCbersicht/b/"] == "2024-02-20T00:00:00Z"
    assert built.index[f"{BASE}%C3%BCbersicht/sitemap.xml"] == THIRD
    assert built.index[f"{BASE}guide/sitemap.xml"] == SECOND


def test_a_wrong_or_future_date_in_front_matter_names_file_and_key(project: Project) -> None:
    small_site(project)
    project.write("docs/about.md", "---\nupdated: yesterday\n---\n# About\n")
    project.write("docs/guide/index.md", "---\nlastmod: 2999-01-01\n---\n# Guide\n")
    project.commit(THIRD)
    built = project.build()
    assert built.pages[f"{BASE}about/"] == THIRD
    assert "about.md: its front matter says updated: 'yesterday', which is not a date." in built.log
    assert "guide/index.md: its front matter says it changed on 2999-01-01, which is in the future." in built.log


def test_on_read_the_docs_a_build_says_what_to_do_and_is_no_failure(project: Project) -> None:
    small_site(project)
    built = project.build("--strict", READTHEDOCS="True", READTHEDOCS_CANONICAL_URL=BASE)
    assert built.code == 0, built.log
    assert f"`Sitemap: {BASE}sitemap_index.xml`. [read-the-docs-sitemap]" in built.log
    assert "read-the-docs-address" not in built.log


def test_lastmod_off_writes_no_date_anywhere(project: Project) -> None:
    small_site(project)
    project.config("sitemap-index: {lastmod: off}")
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert {*built.pages.values(), *built.index.values(), *built.flat.values()} == {None}


def test_serving_writes_nothing(project: Project) -> None:
    small_site(project)
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    for arguments in ([], ["--clean"]):
        process = subprocess.Popen(
            [sys.executable, "-m", "mkdocs", "serve", "-q", "-a", address, *arguments],
            cwd=project.root,
            stderr=subprocess.DEVNULL,
        )
        try:
            assert _status(f"http://{address}/docs/guide/", process) == 200
            assert _status(f"http://{address}/docs/sitemap_index.xml", process) == 404
        finally:
            process.send_signal(signal.SIGINT)  # lets MkDocs remove its directory; whom a shell began may ignore it
            with suppress(subprocess.TimeoutExpired):
                process.wait(20)
            process.kill()
            process.wait()


def test_a_mistake_of_ours_is_an_error_in_the_log_and_the_site_is_built(project: Project) -> None:
    small_site(project)
    project.config("sitemap-index", hooks="[mistake.py]")
    project.write(
        "mistake.py", "import smindex_plugins.hosts.mkdocs_plugin as plugin\nplugin.publish = lambda *_, **__: 1 / 0\n"
    )
    built = project.build()
    assert built.code == 0
    assert "an error in smindex-plugins: ZeroDivisionError" in built.log
    assert (built.directory / "guide/install/index.html").is_file()
    assert project.build("--strict").code == 1


def _status(url: str, server: subprocess.Popen[bytes]) -> int:
    """Ask until there is an answer, however long the server takes to begin, as long as it runs."""
    while server.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=60) as answer:  # noqa: S310 - our own server
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            time.sleep(0.1)
    message = f"the server ended with {server.returncode}, and did not answer at {url}"
    raise AssertionError(message)


def test_the_options_mkdocs_knows_are_those_of_settings() -> None:
    assert list(SitemapIndexConfig()) == [option.name for option in OPTIONS]


def test_pages_of_another_site_are_listed_where_its_robots_txt_beside_the_configuration_agrees(
    project: Project,
) -> None:
    project.config("sitemap-index: {cross_site: {'https://other.example': 'robots/'}}", hooks="[hooks.py]")
    project.pages("index.md", "de/a.md", "de/b.md")
    moved = "page.canonical_url.replace('https://example.org/docs/de/', 'https://other.example/')"
    project.write(
        "hooks.py", f"def on_pre_page(page, config, files):\n    page.canonical_url = {moved}\n    return page\n"
    )
    project.write("robots/robots.txt", "Sitemap: https://other.example/sitemap.xml\n")
    refused = project.build("--strict", "-f", str(project.root / "mkdocs.yml"))
    assert refused.code == 1
    assert f"Add this line to https://other.example/robots.txt: `Sitemap: {BASE}sitemap_index.xml`" in refused.log
    assert list(refused.pages) == [BASE]
    project.write("robots/robots.txt", f"Sitemap: {BASE}sitemap_index.xml\n")
    agreed = project.build("--strict", "-f", str(project.root / "mkdocs.yml"))
    assert agreed.code == 0, agreed.log
    assert agreed.files == ["sitemap-other.example.xml", "sitemap-root.xml"]
    assert list(agreed.pages) == ["https://other.example/a/", "https://other.example/b/", BASE]
