"""Real builds with Sphinx, beside the extensions that its users have.

Whoever reads a build here reads its HTML too.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from lxml import html

from tests.hosts.recipes import follow, shown_date
from tests.support.module import run_module
from tests.support.project import BASE, FIRST, ROOT, SECOND, THIRD, Built, Project

pytestmark = pytest.mark.apart
GOLDEN = ROOT / "tests" / "golden" / "sphinx"
INDEXES = {f"{BASE}genindex.html", f"{BASE}search.html"}


CONF = 'project = "Test"\nhtml_baseurl = "https://example.org/docs/"\nextensions = [{}]\n'
EXTENSION = "smindex_plugins.sphinx"


def conf(project: Project, *lines: str, extensions: tuple[str, ...] = (EXTENSION,)) -> None:
    """Write conf.py; without anything else it has the line that users add."""
    text = CONF.format(", ".join(map(repr, extensions)))
    project.write("docs/conf.py", "\n".join([text, 'exclude_patterns = ["_build"]', *lines, ""]))


def document(project: Project, name: str, *lines: str) -> None:
    """Write a document, of which every file has another title."""
    title = f"Of {name}"
    project.write(f"docs/{name}.rst", "\n".join([*lines, title, "=" * len(title), "", "Text.", ""]))


def small(project: Project, *lines: str, extensions: tuple[str, ...] = (EXTENSION,)) -> None:
    """Write four documents in two sections, committed on one day, of which one was changed on
    another.
    """
    conf(project, *lines, extensions=extensions)
    project.write(
        "docs/index.rst", "Home\n====\n\n.. toctree::\n   :glob:\n\n   about\n   guide/*\n"
    )
    for name in ("about", "guide/a", "guide/b"):
        document(project, name)
    project.write(".gitignore", "_build\n__pycache__\n")
    project.commit("2024-01-01T10:00:00Z")
    project.write("docs/guide/b.rst", "B\n=\n\nChanged.\n")
    project.commit("2024-02-02T11:00:00Z")


def build(project: Project, *arguments: str, builder: str = "html", **environment: str) -> Built:
    """Build in a process of its own."""
    output = project.root / "docs/_build" / builder
    done = run_module(
        *("sphinx", "-b", builder, "docs", str(output), *arguments),
        cwd=project.root,
        env={**project.environment, "PYTHONWARNINGS": "default", **environment},
    )
    log = done.stdout + done.stderr
    assert "an error in smindex-plugins" not in log, log
    return Built(output, project.base, log, done.returncode)


def fresh(project: Project, *arguments: str, builder: str = "html", **environment: str) -> Built:
    """Build with nothing left of an earlier build."""
    shutil.rmtree(project.root / "docs/_build", ignore_errors=True)
    return build(project, *arguments, builder=builder, **environment)


def canonical(directory: Path) -> set[str]:
    """Return the canonical URLs that the pages of a site name for themselves."""
    found = (
        html.parse(path).find(".//link[@rel='canonical']") for path in directory.rglob("*.html")
    )
    return {str(link.get("href")) for link in found if link is not None}


def listed(**pages: str | None) -> dict[str, str | None]:
    """Return the pages of a small site, and others by their paths: `guide__a` is guide/a.html."""
    given = {"about": FIRST, "guide__a": FIRST, "guide__b": SECOND, "index": FIRST, **pages}
    return {f"{BASE}{name.replace('__', '/')}.html": date for name, date in given.items()}


def test_the_sample_gives_the_golden_files(project: Project) -> None:
    """`UPDATE_GOLDEN=1 python -m pytest -m apart tests/hosts/test_sphinx_plugin.py -k golden`
    writes them anew.
    """
    sample = ROOT / "sample_sites/sphinx"
    shutil.copytree(
        sample,
        project.root,
        dirs_exist_ok=True,
        ignore=shutil.ignore_patterns("_build", "__pycache__"),
    )
    project.write(".gitignore", "_build\n__pycache__\n")
    for date, *paths in [
        ("2024-01-01T12:00:00Z", "docs/conf.py", "docs/index.rst", "docs/thanks.rst", ".gitignore"),
        ("2024-02-01T12:00:00Z", "docs/keeping", "docs/journal"),
        ("2024-03-01T12:00:00Z", "."),
    ]:
        if not (project.root / ".git").exists():
            project.git("init", "-q")
        project.git("add", *paths)
        project.git("commit", "-q", "-m", "add", date=date)
    project.write("hive.py", (project.root / "hive.py").read_text("utf-8") + "\nEMPTY = 0.25\n")
    project.commit("2024-04-01T12:00:00Z")
    built = fresh(project, "-W")
    assert built.code == 0, built.log
    assert "9 pages in 4 sections, 4 sitemaps" in built.log
    written = {
        str(path.relative_to(built.directory)): path.read_bytes()
        for path in built.directory.rglob("site*.xml")
    }
    if os.environ.get("UPDATE_GOLDEN"):
        for path, content in written.items():
            (GOLDEN / path).parent.mkdir(parents=True, exist_ok=True)
            (GOLDEN / path).write_bytes(content)
    assert written == {
        str(path.relative_to(GOLDEN)): path.read_bytes() for path in GOLDEN.rglob("*.xml")
    }


def test_every_page_is_listed_where_its_html_says_it_is_and_parallel_builds_write_the_same_bytes(
    project: Project,
) -> None:
    small(project, extensions=(EXTENSION, "sphinx.ext.viewcode"))
    for number in range(30):
        document(project, f"guide/p{number}")
    project.commit(SECOND)
    built = build(project, "-W")
    assert built.code == 0, built.log
    expected = listed(**{f"guide__p{number}": SECOND for number in range(30)})
    assert built.pages == expected
    assert built.pages.keys() == canonical(built.directory) - INDEXES
    assert built.index == {f"{BASE}guide/sitemap.xml": SECOND, f"{BASE}sitemap-root.xml": FIRST}
    assert "omitted: 2 generated as an index or a search page; all pages have dates" in built.log
    serial = {path.name: path.read_bytes() for path in built.directory.rglob("sitemap*.xml")}
    parallel = fresh(project, "-W", "-j", "2")
    assert "not safe for parallel" not in parallel.log
    assert {
        path.name: path.read_bytes() for path in parallel.directory.rglob("sitemap*.xml")
    } == serial
    pretty = build(project, "-W", "-j", "2", builder="dirhtml")
    assert pretty.pages == {
        url.removesuffix("index.html").replace(".html", "/"): date for url, date in expected.items()
    }
    assert pretty.pages.keys() == canonical(pretty.directory) - {
        f"{BASE}genindex/",
        f"{BASE}search/",
    }


@pytest.mark.parametrize("builder", ["singlehtml", "gettext"])
def test_other_builders_write_and_say_nothing(project: Project, builder: str) -> None:
    small(project)
    built = build(project, builder=builder)
    assert built.code == 0, built.log
    assert "sitemap" not in built.log
    assert list(built.directory.rglob("sitemap*.xml")) == []


def test_a_build_of_one_changed_page_lists_all_and_touches_what_did_not_change_not_at_all(
    project: Project,
) -> None:
    small(project)
    build(project)
    root, guide = (
        project.root / "docs/_build/html" / name
        for name in ("sitemap-root.xml", "guide/sitemap.xml")
    )
    before = root.stat().st_mtime_ns, guide.stat().st_mtime_ns
    document(project, "guide/a", "Now", "===", "")
    project.commit(THIRD)
    built = build(project)
    assert "1 changed" in built.log
    assert built.pages == listed(guide__a=THIRD)
    assert (root.stat().st_mtime_ns == before[0], guide.stat().st_mtime_ns == before[1]) == (
        True,
        False,
    )
    again = build(project)
    assert "no targets are out of date" in again.log
    assert again.pages == built.pages
    (project.root / "docs/about.rst").unlink()
    project.commit("2024-04-04T00:00:00Z")
    gone = build(project)
    assert (gone.directory / "about.html").exists()
    assert f"{BASE}about.html" not in gone.pages
    assert "1 HTML file in the output: this build did not produce it" in gone.log


MODULES = {
    "pkg/__init__.py": '"""P."""\n',
    "pkg/a.py": '"""A."""\n\ndef f():\n    """F."""\n',
    "pkg/b.py": '"""B."""\n',
}


def test_documented_modules_and_included_files_date_the_pages_that_show_them(
    project: Project,
) -> None:
    extensions = (EXTENSION, "sphinx.ext.autodoc", "sphinx.ext.autosummary", "sphinx.ext.viewcode")
    path = "import os, sys; sys.path.insert(0, os.path.abspath('..'))"
    small(project, path, extensions=extensions)
    for name, text in MODULES.items():
        project.write(name, text)
    project.write("docs/part.txt", "Part.\n")
    project.write("docs/_static/x.png", "")
    project.write(".gitignore", "_build\n__pycache__\ndocs/api\n")
    document(
        project, "reference", ".. autosummary::", "   :toctree: api", "", "   pkg.a", "   pkg.b", ""
    )
    document(
        project, "module", ".. automodule:: pkg.a", "   :members:", "", ".. automodule:: json", ""
    )
    document(
        project,
        "shows",
        ".. literalinclude:: part.txt",
        "",
        ".. image:: _static/x.png",
        "",
        "   the picture",
        "",
    )
    project.commit(FIRST)
    project.write("pkg/a.py", MODULES["pkg/a.py"] + "X = 1\n")
    project.commit(SECOND)
    project.write("docs/part.txt", "Another part.\n")
    project.commit(THIRD)
    project.write("docs/_static/x.png", "changed")
    project.commit("2024-04-04T00:00:00Z")
    built = build(project)
    assert built.pages == listed(
        module=SECOND, reference=FIRST, shows=THIRD, **{"api__pkg.a": SECOND, "api__pkg.b": FIRST}
    )
    code = len(list((built.directory / "_modules").rglob("*.html")))
    assert f"{code} generated from source code, in _modules" in built.log
    assert f"{code} generated from source code, in _modules" in build(project).log, (
        "though Sphinx writes none again"
    )


def test_what_is_wrong_counts_as_a_warning_that_conf_py_can_suppress(project: Project) -> None:
    small(project, 'sitemap_index = {"exclude": ["nothing/"]}')
    built = build(project)
    assert built.code == 0
    assert "WARNING: sitemap_index: exclude: `nothing/` matches no page." in built.log
    assert (
        built.log.count("unmatched-pattern")
        == built.log.count("[sitemap_index.unmatched-pattern]")
        == 1
    )
    assert build(project, "-W").code == 1
    assert build(project, "-W", "-D", "suppress_warnings=sitemap_index.unmatched-pattern").code == 0
    assert build(project, "-q", "-D", "suppress_warnings=sitemap_index").log == ""
    conf(project, 'sitemap_index = ["a/"]')
    assert "sitemap_index: got ['a/']; accepted: a dict" in build(project).log


def test_without_an_address_a_warning_says_what_to_add(project: Project) -> None:
    small(project, 'html_baseurl = ""')
    built = build(project, "-W")
    assert built.code == 1
    assert 'such as html_baseurl = "https://example.org/docs/"' in built.log
    assert "[sitemap_index.address]" in built.log
    assert build(project, "-W", "-D", "suppress_warnings=sitemap_index.address").code == 0
    wrong = build(project, "-D", "html_baseurl=https://example.org/docs/?a=b")
    assert (
        "WARNING: sitemap_index: no sitemaps are written: html_baseurl 'https://example.org/docs/?"
        in wrong.log
    )
    assert list(wrong.directory.rglob("sitemap*.xml")) == []


def test_pages_without_a_document_are_listed_unless_sphinx_or_their_author_keeps_them_back(
    project: Project,
) -> None:
    page = '{% extends "layout.html" %}{% block body %}<p>Landing.</p>{% endblock %}'
    lines = ['templates_path = ["_templates"]', 'html_additional_pages = {"landing": "own.html"}']
    lines += ['html_extra_path = ["extra", "one.html"]', 'html_static_path = ["_static"]']
    small(project, *lines, 'sitemap_index = {"include": ["**/*.pdf"]}')
    project.write("docs/_templates/own.html", page)
    html = "<!doctype html><html><head><title>T</title></head><body><p>Text.</p></body></html>"
    for path in ("extra/slides/index.html", "one.html", "_static/demo.html"):
        project.write(f"docs/{path}", html)
    for path in ("extra/guide/a.pdf", "_static/map.pdf", "papers/paper.pdf"):
        project.write(f"docs/{path}", f"%PDF-1.4 {path}")
    project.write("docs/about.rst", "About\n=====\n\n:download:`the paper <papers/paper.pdf>`\n")
    project.write("docs/extra/fragment.html", "<p>no page</p>")
    document(project, "alone", ":orphan:", "")
    document(project, "hidden", ":orphan:", "", ".. meta::", "   :robots: noindex", "")
    document(project, "kept", ":orphan:", ":sitemap: false", "")
    document(project, "said", ":orphan:", ":lastmod: 2023-05-06", "")
    project.commit(THIRD)
    built = build(project, "-W")
    expected = listed(about=THIRD, alone=THIRD, landing=THIRD, one=THIRD, said="2023-05-06")
    (paper,) = (
        url
        for url in built.pages
        if url.startswith(f"{BASE}_downloads/") and url.endswith("/paper.pdf")
    )
    others = (f"{BASE}slides/", f"{BASE}_static/map.pdf", f"{BASE}guide/a.pdf", paper)
    assert built.pages == expected | dict.fromkeys(others, THIRD)
    for words in ("marked noindex", "excluded by its front matter", "without an HTML document"):
        assert f"1 {words}" in built.log
    assert "1 next to the pages, in _static" in built.log


def test_a_template_that_shows_data_does_not_date_its_page(project: Project) -> None:
    lines = ['templates_path = ["_templates"]', 'html_context = {"team": ["A"]}']
    lines += ['html_additional_pages = {"data": "data.html", "fixed": "fixed.html"}']
    small(project, *lines)
    body = '{{% extends "layout.html" %}}{{% block body %}}{}{{% endblock %}}'
    project.write(
        "docs/_templates/data.html",
        body.format("{% for each in team %}<p>{{ each }}</p>{% endfor %}"),
    )
    fixed = (
        "{% for each in range(2) %}<p>{{ each }}</p>{% endfor %}{% for each in ['a'] %}{{ each }}{%"
        " endfor %}"
    )
    project.write("docs/_templates/fixed.html", body.format(fixed))
    project.commit(THIRD)
    built = build(project)
    assert built.pages[f"{BASE}data.html"] is None
    assert built.pages[f"{BASE}fixed.html"] == THIRD
    assert "1 made from a template that shows other pages or data" in built.log
    command = [
        sys.executable,
        "-m",
        "smindex_plugins",
        "explain",
        str(built.directory / "data.html"),
    ]
    explained = subprocess.run(
        command, cwd=project.root / "docs", capture_output=True, text=True, check=True
    ).stdout
    line = re.search(r"Add `depends: (.*)` to the options of the plugin", explained)
    assert line
    assert line[1] == '{"data.html": ["path/of/what/it/shows/*"]}'
    depends = line[1].replace("path/of/what/it/shows/*", "docs/conf.py")
    conf(project, *lines, f'sitemap_index = {{"depends": {depends}}}', extensions=(EXTENSION,))
    project.commit(THIRD)
    assert build(project, "-E").pages[f"{BASE}data.html"] == THIRD


def test_translations_are_dated_by_their_catalogues_and_name_each_other_as_the_html_does(
    project: Project,
) -> None:
    layout = (
        '{% extends "!layout.html" %}{% block extrahead %}{% for code in ["de", "en"] %}<link'
        ' rel="alternate"'
    )
    layout += (
        ' hreflang="{{ code }}" href="https://example.org/{{ code }}/{{ pagename }}.html">{% endfor'
        " %}{% endblock %}"
    )
    small(
        project,
        'locale_dirs = ["locale"]',
        "gettext_compact = False",
        'templates_path = ["_templates"]',
    )
    project.write("docs/_templates/layout.html", layout)
    project.write(
        "docs/locale/de/LC_MESSAGES/about.po",
        'msgid ""\nmsgstr ""\n\nmsgid "Text."\nmsgstr "Ein Text."\n',
    )
    project.write(".gitignore", "_build\n*.mo\n")
    project.commit(THIRD)
    built = build(project, "-W", "-D", "language=de", "-D", "html_baseurl=https://example.org/de/")
    assert "Ein Text." in (built.directory / "about.html").read_text("utf-8")
    pages = type(built)(built.directory, "https://example.org/de/", built.log, built.code).pages
    assert pages["https://example.org/de/about.html"] == THIRD
    assert pages["https://example.org/de/guide/a.html"] == FIRST
    sitemap = (built.directory / "guide/sitemap.xml").read_text("utf-8")
    assert 'hreflang="en" href="https://example.org/en/guide/a.html"' in sitemap


def test_themes_get_the_dates_of_the_sitemaps_and_none_without_history(project: Project) -> None:
    layout = (
        '{% extends "!layout.html" %}{% block extrahead %}{% for date in [lastmod, last_updated] %}'
    )
    layout += '<meta name="shown" content="{{ date }}">{% endfor %}{% endblock %}'
    form = 'html_last_updated_fmt = "%Y-%m-%dT%H:%M:%SZ"'
    small(project, 'templates_path = ["_templates"]', form, "html_last_updated_use_utc = True")
    project.write("docs/_templates/layout.html", layout)
    document(project, "new", ":orphan:", "")
    for number in range(9):  # Sphinx writes fewer in one process
        document(project, f"guide/p{number}")
    project.git("add", "docs/guide")
    project.git("commit", "-q", "-m", "add", date=SECOND)
    for arguments in ([], ["-j", "2"]):
        built = fresh(project, *arguments)
        assert built.pages == listed(
            new=None, **{f"guide__p{number}": SECOND for number in range(9)}
        )
        assert built.shown == {url: [date or "", date or ""] for url, date in built.pages.items()}
    assert 'name="shown" content=""' in (built.directory / "genindex.html").read_text("utf-8")

    project.commit(THIRD)
    again = build(project)
    assert again.pages == built.pages | {f"{BASE}new.html": THIRD}
    assert again.shown[f"{BASE}new.html"] == [
        THIRD,
        THIRD,
    ], "an unchanged document is written again with its date"
    shutil.rmtree(project.root / ".git")
    assert set(map(tuple, fresh(project).shown.values())) == {("", "")}


def test_each_version_has_an_index_of_its_own_below_the_address_of_all(project: Project) -> None:
    small(
        project,
        "import os",
        "html_baseurl = f\"https://example.org/docs/{os.environ['VERSION']}/\"",
    )
    for version in ("1.0", "2.0"):
        output = project.root / "docs/_build" / version
        built = build(
            project, "-d", str(output.with_suffix(".trees")), builder="html", VERSION=version
        )
        shutil.move(built.directory, output)
        index = (output / "sitemap_index.xml").read_text("utf-8")
        assert f"<loc>{BASE}{version}/guide/sitemap.xml</loc>" in index


def test_it_works_beside_sphinx_sitemap_and_last_updated_by_git(project: Project) -> None:
    others = ("sphinx_sitemap", "sphinx_last_updated_by_git")
    small(project, 'sitemap_url_scheme = "{link}"', extensions=(EXTENSION, *others))
    built = fresh(project, "-W", "--keep-going")
    assert (built.code, built.log.count("WARNING")) == (1, 1), built.log
    assert "[sitemap_index.other-sitemap-tool]" in built.log
    assert built.pages == listed()
    theirs = (built.directory / "sitemap.xml").read_text("utf-8")
    assert f"{BASE}guide/a.html" in theirs
    conf(
        project,
        'sitemap_index = {"index_filename": "sitemap.xml"}',
        extensions=(EXTENSION, *others),
    )
    both = fresh(project)
    assert "[sitemap_index.file-not-ours]" in both.log
    assert "<sitemapindex" not in (both.directory / "sitemap.xml").read_text("utf-8")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("sitemap_indx = {'gzip': True}", "the setting `sitemap_indx`: nothing reads it"),
        ("SITEMAP_INDEX = {'gzip': True}", "the setting `SITEMAP_INDEX`: nothing reads it"),
        ("Sitemap_index = {'gzip': True}", "the setting `Sitemap_index`: nothing reads it"),
        ("sitemap_index_exclude = ['about.html']", "Write `sitemap_index = {'exclude': ...}`."),
        (
            "sitemap_excludes = ['search.html']",
            "Instead of `sitemap_excludes`, set `exclude` in sitemap_index",
        ),
        ("sitemap_url_scheme = '{link}'", "sphinx-sitemap, which doesn't run: sitemap_url_scheme."),
    ],
)
def test_a_setting_that_no_extension_reads_fails_a_strict_build(
    project: Project, line: str, message: str
) -> None:
    small(project, line)
    built = build(project, "-W", "--keep-going")
    assert (built.code, built.log.count("[sitemap_index.unread-setting]")) == (1, 1), built.log
    assert message in built.log
    assert built.pages == listed()
    assert fresh(project, "-W", "-D", "suppress_warnings=sitemap_index.unread-setting").code == 0
    assert fresh(project, "-W", builder="text").code == 0


def test_variables_and_settings_of_others_in_conf_py_are_not_taken_for_ours(
    project: Project,
) -> None:
    setup = "def setup(app):\n    app.add_config_value('sitemap_excludes', [], '')"
    variables = [
        "sitemap = {'a': 1}",
        "exclude = ['a']",
        "sitemap_index_url = html_baseurl",
        "site_url = html_baseurl",
    ]
    made = ["SITEMAP_INDEX = {'gzip': False}", "sitemap_index = SITEMAP_INDEX | {'lastmod': 'git'}"]
    small(project, *variables, *made, "sitemap_excludes = ['a']", setup)
    built = build(project, "-W")
    assert built.code == 0, built.log


def test_options_for_the_command_at_the_top_of_the_project_are_a_warning(project: Project) -> None:
    small(project)
    project.write("pyproject.toml", "[tool.smindex]\nexclude = ['about.html']\n")
    built = build(project, "-W", "--keep-going")
    assert built.code == 1
    assert (
        "pyproject.toml: [tool.smindex]: this build reads sitemap_index in conf.py instead"
        in built.log
    )
    conf(project, "sitemap_index = {'exclude': 'about.html'}")
    assert fresh(project, "-W").code == 0


def test_on_read_the_docs_the_recipe_of_the_manual_leaves_nothing_to_do(project: Project) -> None:
    lines = ["import os", 'html_baseurl = os.environ.get("READTHEDOCS_CANONICAL_URL", "")']
    small(project, *lines, 'sitemap_index = {"index_filename": "sitemap.xml"}')
    built = build(project, "-W", READTHEDOCS="True", READTHEDOCS_CANONICAL_URL=BASE)
    assert built.code == 0, built.log
    assert "listed in https://example.org/docs/sitemap.xml; " in built.log
    assert "read-the-docs" not in built.log
    assert "<sitemapindex" in (built.directory / "sitemap.xml").read_text("utf-8")


def test_myst_says_what_a_page_wants(project: Project) -> None:
    small(project, extensions=(EXTENSION, "myst_parser"))
    for name, said in {
        "m1": "sitemap:\n  exclude: true",
        "m2": "lastmod: 2023-05-06",
        "m3": "depends: [docs/*.csv]",
    }.items():
        project.write(f"docs/guide/{name}.md", f"---\n{said}\n---\n# {name}\n\nText.\n")
    project.commit(SECOND)
    project.write("docs/a.csv", "1\n")
    project.commit(THIRD)
    assert fresh(project).pages == listed(guide__m2="2023-05-06", guide__m3=THIRD)


def test_an_error_of_ours_does_not_end_the_build(project: Project) -> None:
    small(project, "import smindex_plugins.hosts.sphinx_plugin as ours", "ours.publish = None")
    with pytest.raises(AssertionError, match="an error in smindex-plugins: TypeError"):
        build(project)
    assert (project.root / "docs/_build/html/guide/a.html").exists()


def test_the_rules_of_the_host_are_read_in_the_output(project: Project) -> None:
    small(project, 'html_extra_path = ["extra"]')
    project.write("docs/extra/_redirects", "/docs/guide/a.html /docs/guide/b.html\n")
    project.write("docs/extra/_headers", "/docs/about.html\n  X-Robots-Tag: noindex\n")
    built = build(project, "-W")
    assert set(built.pages) == {f"{BASE}guide/b.html", f"{BASE}index.html"}
    assert "1 redirecting elsewhere" in built.log
    assert "1 marked noindex" in built.log


@pytest.mark.parametrize("theme", ["alabaster", "furo"])
def test_pages_show_the_dates_of_the_sitemap_and_none_in_a_shallow_clone(
    project: Project, theme: str
) -> None:
    small(project)
    follow(theme, project.root)
    built = build(project, "-W")
    assert built.code == 0, built.log
    assert built.pages == listed()
    assert {
        url: shown_date(built.directory / url.removeprefix(BASE)) for url in built.pages
    } == listed()
    project.write(".git/shallow", project.git("rev-parse", "HEAD"))
    assert {shown_date(page) for page in fresh(project).directory.rglob("*.html")} == {None}


def test_the_cname_file_of_githubpages_agrees_with_the_address_unless_another_replaces_it(
    project: Project,
) -> None:
    small(project, extensions=(EXTENSION, "sphinx.ext.githubpages"))
    built = fresh(project, "-W")
    assert built.code == 0, built.log
    assert (built.directory / "CNAME").read_text() == "example.org"
    project.write("extra/CNAME", "docs.acme.dev\n")
    conf(
        project, 'html_extra_path = ["../extra"]', extensions=(EXTENSION, "sphinx.ext.githubpages")
    )
    built = fresh(project)
    assert built.log.count("[sitemap_index.contradicted-address]") == 1
