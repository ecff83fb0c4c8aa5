"""Real MkDocs and ProperDocs builds, read back with nothing of ours. `test_options.py` has what options do."""

import gzip
import os
import re
import signal
import socket
import subprocess
import sys
import time
import tomllib
import urllib.error
import urllib.request
from contextlib import suppress

import pytest
from lxml import etree

from smindex_plugins.hosts.mkdocs_plugin import SitemapIndexConfig
from smindex_plugins.settings import OPTIONS
from tests.support.project import BASE, FIRST, NAMESPACE, ROOT, SECOND, SMALL, THIRD, Project

CUSTOM = "{name: mkdocs, custom_dir: theme}"


def small_site(project: Project) -> None:
    """Write three sections, committed on two days."""
    project.config()
    project.pages("index.md", "about.md", "guide/index.md", "guide/install.md", "übersicht/a.md", "übersicht/b.md")
    project.commit(FIRST)
    project.write("docs/guide/install.md", "# Changed\n")
    project.commit(SECOND)


def test_one_line_of_configuration_gives_an_index_and_the_same_bytes_in_every_build(project: Project) -> None:
    small_site(project)
    built = project.build("--strict", PYTHONHASHSEED="1", TZ="America/New_York", SOURCE_DATE_EPOCH="1600000000")
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
    assert "6 pages in 3 sections, 3 sitemaps listed in https://example.org/docs/sitemap_index.xml" in built.log
    assert built.flat == {url: lastmod and lastmod[:10] for url, lastmod in built.pages.items()}
    flat, packed = ((built.directory / name).read_bytes() for name in ("sitemap.xml", "sitemap.xml.gz"))
    assert gzip.decompress(packed) == flat
    other = project.build(site="other", PYTHONHASHSEED="2", TZ="Asia/Tokyo", SOURCE_DATE_EPOCH="1700000000")
    assert other.ours == built.ours
    written = (built.directory / "sitemap_index.xml").stat().st_mtime_ns
    assert project.build("--dirty", SOURCE_DATE_EPOCH="1800000000").ours == built.ours
    assert (built.directory / "sitemap_index.xml").stat().st_mtime_ns == written
    for directory in (built.directory, other.directory):
        assert [(directory / name).read_bytes() for name in ("sitemap.xml", "sitemap.xml.gz")] == [flat, packed]
    (project.root / "docs/guide/install.md").unlink()
    project.commit(THIRD)
    dirty = project.build("--dirty")
    assert f"{BASE}guide/" in dirty.pages
    assert not (dirty.directory / "guide/sitemap.xml").exists()
    assert dirty.index[f"{BASE}sitemap-root.xml"] == THIRD, "a page was removed"


@pytest.mark.parametrize("name", ["sitemap-index", "sitemap_index"])
@pytest.mark.parametrize("host", ["mkdocs", "properdocs"])
def test_both_names_are_the_plugin(project: Project, host: str, name: str) -> None:
    """The entry points are those that pyproject.toml has now, whatever the environment was installed with."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["mkdocs.plugins"]
    lines = "".join(f"{name} = {value}\n" for name, value in declared.items())
    project.write("installed/smindex_plugins-1.dist-info/METADATA", "Name: smindex-plugins\nVersion: 1\n")
    project.write("installed/smindex_plugins-1.dist-info/entry_points.txt", f"[mkdocs.plugins]\n{lines}")
    path = os.pathsep.join([str(project.root / "installed"), str(ROOT), os.environ.get("PYTHONPATH", "")])
    project.small("search", name)
    (project.root / "mkdocs.yml").rename(project.root / f"{host}.yml")
    built = project.build("--strict", host=host, PYTHONPATH=path)
    assert built.code == 0, built.log
    assert built.pages == SMALL


def test_the_options_mkdocs_knows_are_those_of_settings() -> None:
    assert list(SitemapIndexConfig()) == [option.name for option in OPTIONS]


def test_urls_follow_use_directory_urls_ports_and_prefixes(project: Project) -> None:
    small_site(project)
    project.base = "http://docs.e.org:8080/a/b/"
    project.config(site_url="http://DOCS.E.ORG:8080/a/b", use_directory_urls="false")
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert built.files == ["guide/sitemap.xml", "sitemap-root.xml", "übersicht/sitemap.xml"]
    assert f"{project.base}guide/install.html" in built.pages


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


@pytest.mark.parametrize(
    ("site_url", "problem"),
    [
        ("", "site_url: https://example.org/"),
        ("https://e.org/docs/?a=b", "site_url 'https://e.org/docs/?a=b' has a query or a fragment; write the address"),
        ("https://me:secret@e.org/", "site_url 'https://***@e.org/' has a user name or a password"),
    ],
)
def test_a_wrong_site_url_writes_nothing_and_says_what_to_write(project: Project, site_url: str, problem: str) -> None:
    project.config(site_url=site_url and f"'{site_url}'")
    project.pages("index.md")
    built = project.build()
    assert (built.code, built.index) == (0, {})
    assert "no sitemaps are written" in built.log
    assert problem in built.log
    assert "secret" not in built.log
    assert project.build("--strict").code == 1


def test_the_name_of_the_flat_sitemap_is_taken(project: Project) -> None:
    project.config("sitemap-index: {index_filename: sitemap.xml}")
    project.pages("index.md")
    built = project.build()
    assert built.code == 1
    assert "option 'index_filename': got 'sitemap.xml', which MkDocs writes itself" in built.log


def test_a_directory_in_the_place_of_the_index_is_a_message_and_nothing_is_written(project: Project) -> None:
    project.small("sitemap-index", hooks="[block.py]")
    project.write(
        "block.py",
        "import os\ndef on_env(env, config, files):\n    os.makedirs(config.site_dir + '/sitemap_index.xml')\n",
    )
    built = project.build()
    assert built.code == 0
    assert "sitemap_index.xml: this tool did not write the file of this name" in built.log
    assert not (built.directory / "sitemap-root.xml").exists()
    assert not list(built.directory.rglob(".*.smindex"))


def test_a_mistake_of_ours_is_an_error_in_the_log_and_the_site_is_built(project: Project) -> None:
    project.small("sitemap-index", hooks="[mistake.py]")
    project.write("mistake.py", "import smindex_plugins.hosts.mkdocs_plugin as plugin\nplugin.publish = None\n")
    built = project.build("--strict")
    assert built.code == 1
    assert "an error in smindex-plugins: TypeError" in built.log
    assert (built.directory / "guide/a/index.html").is_file()


def test_a_site_whose_index_nobody_is_told_of_says_once_what_to_do_and_where(project: Project) -> None:
    project.base = "https://docs.smindex-plugins.dev/docs/"
    project.small()
    built = project.build("--strict")
    assert built.code == 0, built.log
    step = "add the line `Sitemap: https://docs.smindex-plugins.dev/docs/sitemap_index.xml` to https://docs.smindex-plu"
    assert built.log.count("in Search Console.") == built.log.count(step) == 1
    project.config("sitemap-index: {robots_txt: write}")
    built = project.build()
    assert "crawlers read only https://docs.smindex-plugins.dev/robots.txt" in built.log
    assert not (built.directory / "robots.txt").exists()


def test_a_robots_txt_that_forbids_what_is_listed_is_a_warning(project: Project) -> None:
    project.base = "https://example.org/"
    project.small()
    project.write("docs/robots.txt", "User-agent: *\nDisallow: /guide/a/\nSitemap: /sitemap_index.xml\n")
    built = project.build("--strict")
    assert built.code == 1
    assert "blocks https://example.org/guide/a/ " in built.log
    assert built.log.count("[robots-blocks-page]") == 1


def test_on_read_the_docs_a_build_says_what_to_do_and_is_no_failure(project: Project) -> None:
    project.small()
    built = project.build("--strict", READTHEDOCS="True", READTHEDOCS_CANONICAL_URL=BASE)
    assert built.code == 0, built.log
    assert f"`Sitemap: {BASE}sitemap_index.xml`. [read-the-docs-sitemap]" in built.log
    assert "read-the-docs-address" not in built.log


def test_no_name_key_or_value_of_a_page_begins_a_line_of_the_log(project: Project) -> None:
    project.small(
        'sitemap-index: {exclude: ["\\e[2J##[error]two/"], sections: [{name: a, urls: ["\\n::error::one/"]}]}'
    )
    project.write("docs/\n::error::three.md", '---\nlastmod: "\\n::error::four\\u202e"\n---\n# A\n')
    project.write("docs/b.md", '---\nsitemap: {"\\n::error::five": "\\e[2J"}\nlastmod: "##[error]six"\n---\n# B\n')
    built = project.build("-v")
    ours = [line for line in built.log.splitlines() if "sitemap-index: " in line]
    assert not [each for each in ("one", "two", "three", "four", "five", "six") if each not in "".join(ours)]
    assert all(line.isprintable() for line in ours)
    assert not [line for line in ours if "##[" in line]
    assert not [line for line in built.log.splitlines() if re.match(r"\s*::error::(?!three\.md)", line)]


def test_what_a_template_of_the_users_adds_to_the_flat_sitemap_stays(project: Project) -> None:
    project.config("sitemap-index: {exclude: [secret/], undated: ignore}", theme=CUSTOM)
    project.write(
        "theme/sitemap.xml",
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        "{% for file in pages %}<url><loc>{{ file.page.canonical_url|e }}</loc><priority>0.5</priority></url>\n"
        "{% endfor %}<url><loc>https://example.org/docs/app/</loc><lastmod>2019-05-06</lastmod></url>\n</urlset>\n",
    )
    project.pages("index.md", "secret.md")
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert built.flat == {BASE: None, f"{BASE}app/": "2019-05-06"}
    assert (built.directory / "sitemap.xml").read_text().count("<priority>0.5</priority>") == 1


@pytest.mark.parametrize("first", [True, False], ids=["before", "after"])
def test_variants_that_are_left_out_are_named_no_more_in_that_of_static_i18n(project: Project, *, first: bool) -> None:
    languages = "[{locale: en, default: true, name: English}, {locale: fr, name: Français}]"
    plugins = ["sitemap-index: {exclude: [fr/a/]}", f"i18n: {{languages: {languages}}}"]
    project.config(*(plugins if first else reversed(plugins)), theme="mkdocs")
    project.pages("index.md", "index.fr.md", "a.md", "a.fr.md")
    project.commit(FIRST)
    built = project.build("--strict")
    assert built.code == 0, built.log
    links = {
        entry.findtext(f"{NAMESPACE}loc"): {link.get("hreflang") for link in entry.iter("{*}link")}
        for entry in etree.parse(built.directory / "sitemap.xml").getroot()
    }
    assert links == {BASE: {"en", "fr"}, f"{BASE}fr/": {"en", "fr"}, f"{BASE}a/": {"en"}}


def test_the_rules_of_the_host_are_read_in_the_output(project: Project) -> None:
    small_site(project)
    project.write("docs/_redirects", "/docs/guide/install/ /docs/guide/\n/docs/* /new/:splat\nold /new\n")
    project.write("docs/_headers", "/docs/übersicht/*\n  X-Robots-Tag: noindex\n")
    built = project.build("-v")
    assert built.pages.keys() == built.flat.keys() == {BASE, f"{BASE}about/", f"{BASE}guide/"}
    assert "guide/install.md is in no sitemap, because it is redirecting elsewhere (_redirects, line 1)." in built.log
    assert "übersicht/b.md is in no sitemap, because it is marked noindex (X-Robots-Tag in _headers)." in built.log
    assert built.log.count("_redirects, line 3: its source is 'old'; accepted: a path or a URL.") == 1
