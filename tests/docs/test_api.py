"""The Python API: the example in the manual runs and type-checks, and the package is imported at no
cost.
"""

import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from functools import partial
from pathlib import Path

import pytest

import smindex_plugins
from smindex_plugins import Page, Settings, Site, check, diff, join, publish
from tests.support.planted import urlset
from tests.support.project import Project

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "sample_sites/mkdocs/docs/guide/python.md").read_text(encoding="utf-8")
EXAMPLE = "\n".join(re.findall(r"^```python\n(.+?)^```", PAGE, re.DOTALL | re.MULTILINE))
HTML = "<!doctype html><title>A</title>{}<p>text"


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """Write a site with sources, and beside it the example of the manual, all its blocks in one."""
    project = Project(tmp_path)
    for path, head in {
        "": "",
        "a": "",
        "b": '<meta name="robots" content="noindex">',
        "internal/c": "",
    }.items():
        project.write(f"texts/{path}.txt")
        project.write(f"public/{path}/index.html", HTML.format(head))
    project.commit("2024-01-01T10:00:00Z")
    project.write(
        "public.before/sitemap.xml", urlset("https://example.org/", "https://example.org/old/")
    )
    project.write("example.py", EXAMPLE)
    return project.root / "example.py"


def test_the_example_of_the_manual_writes_checks_joins_and_compares_a_site(example: Path) -> None:
    done = subprocess.run(
        [sys.executable, example], cwd=example.parent, capture_output=True, text=True, check=True
    )
    index = "https://example.org/sitemap_index.xml"
    assert done.stdout.splitlines()[:1] == [f"2 pages in 1 sitemaps, listed in {index}"]
    assert "b.txt is in no sitemap, because it is marked noindex" in done.stdout
    assert "c.txt is in no sitemap, because it is excluded by `internal/`." in done.stdout
    assert "1 pages came, 1 went; " in done.stdout
    sitemap = (example.parent / "public/sitemap-root.xml").read_text(encoding="utf-8")
    assert "<loc>https://example.org/a/</loc><lastmod>2024-01-01T10:00:00Z</lastmod>" in sitemap


def test_the_example_of_the_manual_is_the_one_whose_types_mypy_checks() -> None:
    """To write it anew, write `EXAMPLE` there: mypy reads all of tests, and needs more than tests
    alone.
    """
    assert (ROOT / "tests/docs/example.py").read_text(encoding="utf-8") == EXAMPLE


def test_all_that_is_exported_is_there_and_says_what_it_is() -> None:
    for name in set(smindex_plugins.__all__) - {"__version__"}:
        assert getattr(smindex_plugins, name).__doc__, name
    assert not hasattr(smindex_plugins, "nothing")


def test_the_manual_describes_every_field_of_a_page() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)
    assert rows == [field.name for field in fields(Page)]


def test_to_import_the_package_imports_nothing_of_it() -> None:
    program = (
        "import sys, smindex_plugins; print([name for name in sys.modules if"
        " name.startswith('smindex_plugins.')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


def _publish(*, site_url: str) -> object:
    return publish([], Site(url=site_url, directory=".", settings=Settings()))


@pytest.mark.parametrize(
    "call", [_publish, partial(check, "."), partial(join, "."), partial(diff, ".", ".")]
)
def test_every_function_refuses_a_wrong_address_in_the_same_words(
    call: Callable[..., object],
) -> None:
    with pytest.raises(
        ValueError,
        match=(
            r"contains a query or a fragment; use the URL of a directory, such as"
            r" https://e\.org/docs/"
        ),
    ):
        call(site_url="https://e.org/docs/?a=b")
