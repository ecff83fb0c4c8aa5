"""Real builds with mkdocs-exclude, which takes files out of the site before it is built."""

from tests.support.project import SMALL, Project


def test_what_is_excluded_is_in_no_sitemap_in_either_plugin_order(project: Project) -> None:
    project.pages("guide/x.md", "private/a.md", "private/b.md")
    project.write("docs/private/copied.html", "<!doctype html><html><body>text</body></html>")
    exclude = "exclude: {glob: ['private/*', '*/x.md']}"
    project.small(exclude, "sitemap-index")
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert built.pages == built.pages | SMALL == SMALL
    assert not (built.directory / "private").exists()
    project.config("sitemap-index", exclude)
    assert project.build("--strict", site="other").ours == built.ours
