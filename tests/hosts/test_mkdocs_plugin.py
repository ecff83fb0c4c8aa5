"""Real MkDocs and ProperDocs builds, read back with nothing of ours.

`test_options.py` has what options do.
"""

import gzip
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import tomllib
import urllib.error
import urllib.request
from contextlib import suppress
from typing import Any

import pytest

from smindex_plugins.cli.main import main
from tests.support.project import BASE, DATES, FIRST, ROOT, SECOND, SMALL, THIRD, Project


def test_one_line_of_configuration_gives_an_index_and_the_same_bytes_in_every_build(
    project: Project,
) -> None:
    project.pages("about.md", "übersicht/a.md", "übersicht/b.md")
    project.small()
    built = project.build(
        "--strict", PYTHONHASHSEED="1", TZ="America/New_York", SOURCE_DATE_EPOCH="1600000000"
    )
    assert built.code == 0, built.log
    assert built.index == {
        f"{BASE}%C3%BCbersicht/sitemap.xml": FIRST,
        f"{BASE}guide/sitemap.xml": SECOND,
        f"{BASE}sitemap-root.xml": FIRST,
    }
    others = [f"{BASE}about/", f"{BASE}%C3%BCbersicht/a/", f"{BASE}%C3%BCbersicht/b/"]
    assert built.pages == SMALL | dict.fromkeys(others, FIRST)
    assert (
        "6 pages in 3 sections, 3 sitemaps listed in https://example.org/docs/sitemap_index.xml"
        in built.log
    )
    assert built.flat == {url: lastmod and lastmod[:10] for url, lastmod in built.pages.items()}
    flat, packed = (
        (built.directory / name).read_bytes() for name in ("sitemap.xml", "sitemap.xml.gz")
    )
    assert gzip.decompress(packed) == flat
    written = (built.directory / "sitemap_index.xml").stat().st_mtime_ns
    other = project.build(
        "--dirty", PYTHONHASHSEED="2", TZ="Asia/Tokyo", SOURCE_DATE_EPOCH="1700000000"
    )
    assert other.ours == built.ours
    assert [
        (built.directory / name).read_bytes() for name in ("sitemap.xml", "sitemap.xml.gz")
    ] == [flat, packed]
    assert (built.directory / "sitemap_index.xml").stat().st_mtime_ns == written
    (project.root / "docs/guide/b.md").unlink()
    project.commit(THIRD)
    dirty = project.build("--dirty")
    assert f"{BASE}guide/a/" in dirty.pages
    assert not (dirty.directory / "guide/sitemap.xml").exists()
    assert dirty.index[f"{BASE}sitemap-root.xml"] == THIRD, "a page was removed"


def test_a_robots_txt_that_names_the_flat_sitemap_changes_no_number_and_hides_no_lost_page(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*arguments: str, code: int = 0) -> Any:  # noqa: ANN401 - what JSON holds
        assert main([*arguments, "--format", "json"]) == code
        return json.loads(capsys.readouterr().out)

    project.base = "https://e-docs.org/"
    project.write("docs/robots.txt", f"Sitemap: {project.base}sitemap.xml\n")
    project.small()
    before = project.build(site="site.before")
    assert "3 pages in " in before.log
    monkeypatch.chdir(project.root)
    checked, report = (
        run("check", "site.before")["summary"],
        run("report", "site.before")["summary"],
    )
    assert (checked["urls"], checked["pages"], report["pages"], report["undated"]) == (3, 3, 3, 0)
    (project.root / "docs/guide/b.md").unlink()
    project.commit(THIRD)
    after = project.build("--clean")
    # as a generator's own that is not built again
    shutil.copy(before.directory / "sitemap.xml", after.directory)
    lost = run("diff", "site.before", "site", "--fail-on", "lost", code=1)["gone"]
    assert [(each["url"], each["fate"]) for each in lost] == [(f"{project.base}guide/b/", "lost")]


@pytest.mark.parametrize(
    ("host", "name"), [("mkdocs", "sitemap_index"), ("properdocs", "sitemap-index")]
)
def test_both_names_are_the_plugin(project: Project, host: str, name: str) -> None:
    """The entry points are those that pyproject.toml has now, whatever the environment was
    installed with.
    """
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"][
        "mkdocs.plugins"
    ]
    lines = "".join(f"{name} = {value}\n" for name, value in declared.items())
    project.write(
        "installed/smindex_plugins-1.dist-info/METADATA", "Name: smindex-plugins\nVersion: 1\n"
    )
    project.write(
        "installed/smindex_plugins-1.dist-info/entry_points.txt", f"[mkdocs.plugins]\n{lines}"
    )
    path = os.pathsep.join(
        [str(project.root / "installed"), str(ROOT), os.environ.get("PYTHONPATH", "")]
    )
    project.small("search", name)
    (project.root / "mkdocs.yml").rename(project.root / f"{host}.yml")
    built = project.build("--strict", host=host, PYTHONPATH=path)
    assert built.code == 0, built.log
    assert built.pages == SMALL


@pytest.mark.parametrize("host", ["mkdocs", "properdocs"])
def test_themes_get_the_dates_of_the_sitemaps_and_none_in_a_shallow_clone(
    project: Project, host: str
) -> None:
    project.small(theme="{name: mkdocs, custom_dir: theme}", hooks="[hook.py]")
    project.write("theme/main.html", DATES)
    hook = "files.get_file_from_path('hook.md').page.update_date = '1999-12-31'"
    project.write("hook.py", f"def on_env(env, files, **_):\n    {hook}\n")
    project.pages("new.md", "hook.md")
    project.write("docs/author.md", "---\nupdated: 2023-05-06\n---\n# Author\n")
    project.write("docs/both.md", "---\nupdated: 2023-05-06\nlastmod: 2023-07-08\n---\n# Both\n")
    project.git("add", "docs/hook.md")
    project.git("commit", "-q", "-m", "hook", date=THIRD)
    built = project.build(host=host)
    others = {f"{BASE}author/": "2023-05-06", f"{BASE}both/": "2023-07-08", f"{BASE}new/": None}
    assert built.pages == SMALL | others | {f"{BASE}hook/": THIRD}
    dates = {url: [date or "", date or ""] for url, date in built.pages.items()}
    assert built.shown == dates | {f"{BASE}hook/": ["1999-12-31", THIRD]}

    for name in ("author", "both", "hook"):
        (project.root / f"docs/{name}.md").unlink()
    project.write("hook.py", "#")
    project.commit(THIRD)
    (project.root / ".git").rename(project.root / "whole")
    project.git("clone", "-q", "--bare", "--depth", "1", f"file://{project.root}/whole", ".git")
    project.git("config", "core.bare", "false")
    project.git("reset", "-q")
    shallow = project.build(host=host, site="shallow")
    assert shallow.shown == {url: ["", ""] for url in (*SMALL, f"{BASE}new/")}


def test_the_metadata_of_other_pages_stays_empty_because_material_renders_links_to_them_slower_with_any(
    project: Project,
) -> None:
    project.small(theme="{name: mkdocs, custom_dir: theme}")
    shown = "{{ nav.pages|selectattr('meta')|map(attribute='canonical_url')|join(' ') }}"
    project.write("theme/main.html", DATES.replace("{{ page.update_date }}", shown))
    assert project.build().shown == {url: [url, date] for url, date in SMALL.items()}


def test_urls_follow_use_directory_urls_ports_and_prefixes(project: Project) -> None:
    project.small(
        "sitemap-index", site_url="http://DOCS.E.ORG:8080/a/b", use_directory_urls="false"
    )
    project.base = "http://docs.e.org:8080/a/b/"
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert built.files == ["guide/sitemap.xml", "sitemap-root.xml"]
    assert f"{project.base}guide/a.html" in built.pages


@pytest.mark.parametrize("arguments", [[], ["--clean"]])
def test_serving_writes_nothing(project: Project, arguments: list[str]) -> None:
    project.small()
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    command = [sys.executable, "-m", "mkdocs", "serve", "-q", "-a", address, *arguments]
    server = subprocess.Popen(command, cwd=project.root, stderr=subprocess.DEVNULL)
    try:
        assert _status(f"http://{address}/docs/guide/a/", server) == 200
        assert _status(f"http://{address}/docs/sitemap_index.xml", server) == 404
    finally:
        # lets MkDocs remove its directory; whom a shell began may ignore it
        server.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            server.wait(20)
        server.kill()
        server.wait()


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
    pytest.fail(f"the server ended with {server.returncode}, and did not answer at {url}")


@pytest.mark.parametrize(
    ("site_url", "problem"),
    [
        ("", "site_url: https://example.org/"),
        (
            "https://me:secret@e.org/",
            "site_url 'https://***@e.org/' contains a user name or password",
        ),
    ],
)
def test_a_wrong_site_url_writes_nothing_and_says_what_to_write(
    project: Project, site_url: str, problem: str
) -> None:
    project.config(site_url=site_url and f"'{site_url}'")
    project.pages("index.md")
    built = project.build("--strict")
    assert (built.code, built.index) == (1, {})
    assert "no sitemaps are written" in built.log
    assert problem in built.log
    assert "secret" not in built.log


def test_the_name_of_the_flat_sitemap_is_taken(project: Project) -> None:
    project.config("sitemap-index: {index_filename: sitemap.xml}")
    project.pages("index.md")
    built = project.build()
    assert built.code == 1
    assert "option 'index_filename': got 'sitemap.xml', which MkDocs writes itself" in built.log


def test_no_name_key_or_value_of_a_page_begins_a_line_of_the_log(project: Project) -> None:
    project.small(
        'sitemap-index: {exclude: ["\\e[2J##[error]two/"], sections: [{name: a, urls:'
        ' ["\\n::error::one/"]}]}'
    )
    project.write("docs/\n::error::three.md", '---\nlastmod: "\\n::error::four\\u202e"\n---\n# A\n')
    project.write(
        "docs/b.md",
        '---\nsitemap: {"\\n::error::five": "\\e[2J"}\nlastmod: "##[error]six"\n---\n# B\n',
    )
    built = project.build("-v")
    ours = [line for line in built.log.splitlines() if "sitemap-index: " in line]
    assert not [
        each for each in ("one", "two", "three", "four", "five", "six") if each not in "".join(ours)
    ]
    assert all(line.isprintable() for line in ours)
    assert not [line for line in ours if "##[" in line]
    assert not [
        line for line in built.log.splitlines() if re.match(r"\s*::error::(?!three\.md)", line)
    ]


def test_the_rules_of_the_host_are_read_in_the_output(project: Project) -> None:
    project.small()
    project.write(
        "docs/_redirects", "/docs/guide/a/ /docs/guide/b/\n/docs/* /new/:splat\nold /new\n"
    )
    project.write("docs/_headers", "/docs/guide/b/\n  X-Robots-Tag: noindex\n")
    built = project.build("-v")
    assert built.pages.keys() == built.flat.keys() == {BASE}
    assert (
        "guide/a.md is in no sitemap, because it is redirecting elsewhere (_redirects, line 1)."
        in built.log
    )
    assert (
        "guide/b.md is in no sitemap, because it is marked noindex (X-Robots-Tag in _headers)."
        in built.log
    )
    assert (
        built.log.count("_redirects, line 3: its source is 'old'; accepted: a path or a URL.") == 1
    )


def test_a_mistake_of_ours_is_an_error_in_the_log_and_the_site_is_built(project: Project) -> None:
    project.small("sitemap-index", hooks="[mistake.py]")
    project.write(
        "mistake.py",
        "import smindex_plugins.hosts.mkdocs_plugin as plugin\nplugin.publish = None\n",
    )
    built = project.build("--strict")
    assert built.code == 1
    assert "an error in smindex-plugins: TypeError" in built.log
    assert (built.directory / "guide/a/index.html").is_file()


def test_what_other_plugins_do_last_counts(project: Project) -> None:
    """Hooks run after plugins with the same priority."""
    project.small(hooks="[late.py]")
    project.write(
        "late.py",
        "def on_env(env, config, files):\n"
        "    page = files.get_file_from_path('guide/a.md').page\n"
        "    page.meta['lastmod'] = '2020-01-02'\n",
    )
    assert project.build().pages[f"{project.base}guide/a/"] == "2020-01-02"
