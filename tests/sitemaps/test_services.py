import subprocess
import sys
from pathlib import Path

import pytest

from smindex_plugins.model import Finding
from smindex_plugins.settings import Settings, Site
from smindex_plugins.sitemaps.announcement import service_findings

SITE = "https://docs.example.org/en/stable/"
INDEX = f"{SITE}sitemap_index.xml"
ON_READ_THE_DOCS = {"READTHEDOCS": "True", "READTHEDOCS_CANONICAL_URL": SITE}


def found(directory: Path, environment: dict[str, str], name: str = "sitemap_index.xml") -> list[Finding]:
    target = Site(url=SITE, directory=str(directory), settings=Settings(index_filename=name))
    return list(service_findings(target, [SITE + name], environment))


def test_on_read_the_docs_a_notice_has_the_line_for_the_robots_txt_that_it_serves(tmp_path: Path) -> None:
    (finding,) = found(tmp_path, ON_READ_THE_DOCS)
    assert (finding.check, finding.level) == ("read-the-docs-sitemap", "notice")
    assert f"`Sitemap: {INDEX}`" in finding.fix


def test_a_robots_txt_that_names_the_index_is_enough_on_read_the_docs(tmp_path: Path) -> None:
    for index in (INDEX, INDEX.replace("https://docs.", "HTTPS://Docs.")):
        (tmp_path / "robots.txt").write_text(f"User-agent: *\nsitemap: {index} # ours\n")
        assert found(tmp_path, ON_READ_THE_DOCS) == []
    (tmp_path / "robots.txt").write_text("Sitemap: https://docs.example.org/sitemap.xml\n")
    assert [finding.check for finding in found(tmp_path, ON_READ_THE_DOCS)] == ["read-the-docs-sitemap"]


def test_read_the_docs_serves_an_index_with_the_name_sitemap_xml_at_the_root_and_names_it(tmp_path: Path) -> None:
    (finding,) = found(tmp_path, ON_READ_THE_DOCS)
    assert "Its /sitemap.xml is its own list of versions, not pages" in finding.problem
    assert finding.fix.endswith(", or call it sitemap.xml (`index_filename: sitemap.xml`).")
    assert found(tmp_path, ON_READ_THE_DOCS, "sitemap.xml") == []


def test_a_robots_txt_of_the_site_takes_the_place_of_the_one_that_names_sitemap_xml(tmp_path: Path) -> None:
    (tmp_path / "robots.txt").write_text("User-agent: *\n")
    (finding,) = found(tmp_path, ON_READ_THE_DOCS, "sitemap.xml")
    assert "Its /sitemap.xml is the index, and its /robots.txt does not name the index." in finding.problem
    assert "`Sitemap: https://docs.example.org/sitemap.xml`" in finding.fix
    for url in ("https://docs.example.org/sitemap.xml", f"{SITE}sitemap.xml"):
        (tmp_path / "robots.txt").write_text(f"Sitemap: {url}\n")
        assert found(tmp_path, ON_READ_THE_DOCS, "sitemap.xml") == []


def test_a_flat_sitemap_of_the_host_is_what_read_the_docs_serves_at_the_root(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").touch()
    (finding,) = found(tmp_path, ON_READ_THE_DOCS)
    assert "Its /sitemap.xml is a list of the same pages" in finding.problem
    assert "index_filename" not in finding.fix


@pytest.mark.parametrize("served_at", ["https://docs.example.org/en/latest/", "https://", "https://example.org"])
def test_an_address_that_is_not_the_one_read_the_docs_serves_is_told_with_both(tmp_path: Path, served_at: str) -> None:
    (tmp_path / "robots.txt").write_text(f"Sitemap: {INDEX}\n")
    (finding,) = found(tmp_path, {**ON_READ_THE_DOCS, "READTHEDOCS_CANONICAL_URL": served_at})
    assert finding.check == "read-the-docs-address"
    assert SITE in finding.problem
    assert served_at in finding.problem


@pytest.mark.parametrize("environment", [{}, {**ON_READ_THE_DOCS, "READTHEDOCS_VERSION_TYPE": "external"}])
def test_elsewhere_and_in_previews_of_pull_requests_nothing_is_said(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    assert found(tmp_path, environment) == []


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("2.0", "MkDocs 2.0 has no plugins; MkDocs 1.6 does."),
        ("1.6.1", "MkDocs 1.6.1 is installed, but cannot be imported: No module named 'mkdocs."),
    ],
)
def test_importing_the_plugin_where_mkdocs_has_no_modules_for_plugins_says_what_to_install(
    tmp_path: Path, version: str, words: str
) -> None:
    """MkDocs 2 is a package without such modules; one like it stands here before the one that is installed."""
    metadata = tmp_path / f"mkdocs-{version}.dist-info" / "METADATA"
    metadata.parent.mkdir()
    metadata.write_text(f"Metadata-Version: 2.1\nName: mkdocs\nVersion: {version}\n")
    (tmp_path / "mkdocs").mkdir()
    (tmp_path / "mkdocs" / "__init__.py").touch()
    assert words in failed_import(f"import sys; sys.path.insert(0, {str(tmp_path)!r})")


def test_importing_the_plugin_without_mkdocs_says_how_to_install_it_or_run_properdocs() -> None:
    hidden = "import sys, importlib.metadata as m; sys.modules['mkdocs'] = None"
    nothing = f"{hidden}; m.Distribution.discover = classmethod(lambda *_, **__: iter(()))"
    assert "neither MkDocs nor ProperDocs is running this plugin" in failed_import(nothing)


def failed_import(before: str) -> str:
    """Import the plugin after something else, and give what it fails with."""
    program = f"{before}; import smindex_plugins.hosts.mkdocs_plugin"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: smindex-plugins: ")
    return last
