"""Runs of Pelican with pelican-redirect, which renders a page once more wherever it used to be."""

from pathlib import Path

import pytest

from tests.hosts.pelican_blog import PLUGIN, Blog

DATE = "2024-01-01T10:00:00Z"
FORMATS = [{"ARTICLE_URL": "{date:%Y}/{slug}.html"}]


@pytest.mark.parametrize("plugins", [(PLUGIN, "pelican_redirect"), ("pelican_redirect", PLUGIN)])
def test_pages_are_listed_where_they_are_and_not_where_they_were(
    tmp_path: Path, plugins: tuple[str, str]
) -> None:
    blog = Blog(tmp_path)
    blog.write("content/a.md", "title: a\ndate: 2020-01-01\noriginal_url: 2019/old/\n\nText.\n")
    blog.write("content/pages/about.md", "title: about\noriginal_url: us.html\n\nText.\n")
    blog.commit(DATE)
    output = blog.run_apart(*plugins, CONTENT_REDIRECT_CONFIGURATION=FORMATS)
    redirects = {"2019/old/index.html", "us.html", "2020/a.html"}
    assert redirects <= output.html
    assert {path or "index.html" for path in output.pages} == output.html - redirects
    assert set(output.pages.values()) == {DATE}
    assert "omitted: 3 at a second place, such as a redirect" in output.log
