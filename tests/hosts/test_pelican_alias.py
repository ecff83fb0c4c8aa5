"""Runs of Pelican with pelican-alias, which writes redirects without saying so to Pelican."""

from pathlib import Path

import pytest

from tests.support.blog import PLUGIN, Blog

DATE = "2024-01-01T10:00:00Z"


@pytest.mark.parametrize("plugins", [(PLUGIN, "pelican_alias"), ("pelican_alias", PLUGIN)])
def test_aliases_are_on_disk_and_in_no_sitemap(tmp_path: Path, plugins: tuple[str, str]) -> None:
    blog = Blog(tmp_path)
    blog.article("a.md", alias="/old/a.html, older/")
    blog.article("pages/about.md", alias="us/")
    blog.commit(DATE)
    output = blog.run_apart(*plugins)
    aliases = {"old/a.html", "older/index.html", "us/index.html"}
    assert aliases <= output.html
    assert {path or "index.html" for path in output.pages} == output.html - aliases
    assert set(output.pages.values()) == {DATE}
