"""Runs of Pelican with pelican-search, which writes an index of the pages for the browser."""

import os
from pathlib import Path

import pytest

from tests.hosts import pelican_blog as pelican_site
from tests.hosts.pelican_blog import PLUGIN, Blog

DATE = "2024-01-01T10:00:00Z"
STORK = '#!/bin/sh\nprintf "<html>no page</html>" > "$5"\n'
"""Stands for the program that makes the index, which is no Python package: it writes the file that
it is told to."""


@pytest.mark.parametrize(
    "plugins", [(PLUGIN, "search"), ("search", PLUGIN)], ids=["before", "after"]
)
def test_what_it_writes_is_not_listed_and_the_pages_that_it_indexes_are(
    tmp_path: Path, plugins: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    blog = Blog(tmp_path)
    blog.article("a.md")
    blog.article("pages/about.md")
    blog.commit(DATE)
    blog.write("bin/stork", STORK).chmod(0o755)
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    monkeypatch.setitem(pelican_site.ENVIRONMENT, "PATH", path)
    output = blog.run_apart(*plugins)
    assert (output.directory / "search-index.st").is_file()
    assert 'url = "/a.html"' in (output.directory / "search.toml").read_text()
    assert {path or "index.html" for path in output.pages} == output.html
    assert set(output.pages.values()) == {DATE}
