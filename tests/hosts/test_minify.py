"""Real builds with mkdocs-minify, which takes out of the HTML all that browsers can do without."""

from tests.support.project import BASE, SMALL, Project

OVERRIDE = (
    '{% extends "base.html" %}{% block extrahead %}{{ super() }}{{ page.meta.head }}{% endblock %}'
)
MINIFY = (
    "minify: {minify_html: true, htmlmin_opts: {remove_comments: true, remove_all_empty_space:"
    " true}}"
)


def test_what_minified_pages_say_of_themselves_is_understood(project: Project) -> None:
    project.write("theme/main.html", OVERRIDE)
    project.write(
        "docs/noindex.md", '---\nhead: \'<meta name="robots" content="noindex">\'\n---\n# No\n'
    )
    moved = f'<meta http-equiv="refresh" content="0; url={BASE}guide/a/">'
    project.write("docs/moved.md", f"---\nhead: '{moved}'\n---\n# Moved\n")
    theme = "{name: mkdocs, custom_dir: theme}"
    project.small(MINIFY, "sitemap-index: {images: true}", theme=theme)
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert (
        "<meta name=robots content=noindex>" in (built.directory / "noindex/index.html").read_text()
    )
    assert built.pages == SMALL
    assert "omitted: 1 error page, 1 marked noindex, 1 redirecting elsewhere" in built.log
    project.config(theme=theme)
    assert project.build(site="other").ours == built.ours
