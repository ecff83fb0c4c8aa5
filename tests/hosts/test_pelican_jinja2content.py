"""Runs of Pelican with pelican-jinja2content, which reads articles from temporary files that it renders."""

from pathlib import Path

from tests.support.blog import PLUGIN, SITEURL, Blog

FIRST, SECOND = "2024-01-01T10:00:00Z", "2024-02-02T11:00:00Z"


def test_a_rendered_article_has_the_date_of_the_file_that_its_author_wrote(tmp_path: Path) -> None:
    blog = Blog(tmp_path)
    for name in ("a", "b"):
        blog.write(f"content/{name}.md", f"title: {name}\ndate: 2020-01-01\n\n{{% set it = 'text' %}}{{{{ it }}}}\n")
    blog.commit(FIRST)
    blog.write("content/b.md", "title: b\ndate: 2020-01-01\nsave_as: news/b.html\n\n{{ 'Another ' ~ 'text' }}\n")
    blog.commit(SECOND)
    output = blog.run_apart(PLUGIN, "jinja2content")
    assert "Another text" in (output.directory / "news/b.html").read_text()
    assert {path: output.pages[path] for path in ("a.html", "news/b.html", "")} == {
        "a.html": FIRST,
        "news/b.html": SECOND,
        "": SECOND,
    }
    assert output.index == {f"{SITEURL}/sitemap-root.xml": SECOND}
