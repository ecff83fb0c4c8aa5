"""What `smindex build` and `smindex check` find out by themselves, and who counts before whom."""

from pathlib import Path

import pytest

from smindex_plugins.base.settings import Settings
from smindex_plugins.base.text import WrongOptionsError
from smindex_plugins.projects.find import Project, find_project, find_site
from tests.support.command import refused
from tests.support.planted import write

PAGE = '<!doctype html><link rel="canonical" href="https://page.example/"><p>Text'
OUTPUT: dict[str, str | bytes] = {"output/index.html": PAGE}
EMPTY: dict[str, str | bytes] = {"site/index.html": ""}
CONFIGURATION = "[project]\nsite_url = 'https://zensical.example/z'\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the directory in which the command is run, with a built site."""
    write(tmp_path / "here", {"site/index.html": PAGE, ".git/a": ""})
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


def notes(project: Project) -> list[str]:
    return [f"{what}: {found}" for what, found in project.notes.items()]


def test_a_project_or_its_site_leads_to_everything(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(here, {"zensical.toml": CONFIGURATION, "pyproject.toml": "[tool.smindex]\ngzip = true\n"})
    output, expected = (
        "output: site (zensical.toml)",
        "site: https://zensical.example/z/ (zensical.toml: site_url)",
    )
    sources = "sources: docs/{path}.md, and 6 more (zensical.toml)"
    assert notes(find_project()) == notes(find_project(".")) == [expected, output, sources]
    assert notes(find_project("site")) == [expected, "output: site (as given)", sources]
    monkeypatch.chdir(here.parent)
    for site in (find_project("here").site, find_site("here"), find_site("here/site")):
        assert (site.directory, site.url) == (str(here / "site"), "https://zensical.example/z/")
        assert site.url_from == "here/zensical.toml: site_url"
    assert find_project("here").site.settings.gzip


def test_flags_count_before_the_table_that_before_the_configuration_and_that_before_the_pages(
    here: Path,
) -> None:
    def site() -> str:
        return find_project("site").notes["site"]

    assert site() == "https://page.example/ (the canonical URL of index.html)"
    write(here, {"zensical.toml": CONFIGURATION})
    assert site() == "https://zensical.example/z/ (zensical.toml: site_url)"
    write(
        here,
        {
            "pyproject.toml": (
                "[tool.smindex]\nsite_url = 'https://table.example'\nsources = 'text/{path}.md'\n"
            )
        },
    )
    assert site() == "https://table.example/ (pyproject.toml: [tool.smindex] site_url)"
    assert find_project("site").notes["sources"] == "text/{path}.md (pyproject.toml)"
    flags = find_project(
        "site", site_url="https://flag.example", sources=("a/{path}.md", "b/{path}.yml")
    )
    assert flags.notes["site"] == "https://flag.example/ (--site-url)"
    assert flags.notes["sources"] == "a/{path}.md, b/{path}.yml (--sources)"
    write(here, {"pyproject.toml": "[tool.smindex]\nsection_depth = 3\ngzip = true\n"})
    assert find_project("site", section_depth=2).site.settings == Settings(
        section_depth=2, gzip=True
    )


def test_a_table_can_say_all_that_flags_say_for_its_own_directory(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = (
        "[tool.smindex]\ndirectory = 'site'\nsite_url = 'https://e.org'\nsources = ['a/{path}.md',"
        " 'b/{path}.md']\nclean_urls = true\nsection_depth = 2\n"
    )
    write(here, {"pyproject.toml": table, "other/index.html": "<!doctype html><p>Text"})
    project = find_project()
    assert project.site.directory == str(here / "site")
    assert project.site.sources.patterns == (str(here / "a/{path}.md"), str(here / "b/{path}.md"))
    assert project.site.has_clean_urls
    assert project.site.settings.section_depth == 2
    assert not find_project(clean_urls=False).site.has_clean_urls
    assert find_site().url == find_site("site").url == "https://e.org/"
    other = find_project("other", site_url="https://e.org/")
    assert not other.site.has_clean_urls
    assert other.notes["sources"] == "the HTML files themselves"
    assert other.site.settings.section_depth == 2
    assert find_site("other").url == ""
    monkeypatch.chdir(here.parent)
    assert find_project("here").site.directory == str(here / "site")


def test_the_nearest_table_counts_up_to_the_root_of_the_repository_or_where_the_command_is_run(
    here: Path,
) -> None:
    write(
        here,
        {
            "pyproject.toml": "[tool.smindex]\ngzip = true\n",
            "a/pyproject.toml": "[project]\nname = 'a'\n",
        },
    )
    write(here, {"a/b/site/index.html": PAGE})
    inner = str(here / "a/b/site")
    assert find_site(inner).settings_file == "pyproject.toml"
    write(here, {"a/b/pyproject.toml": "[tool.smindex]\n"})
    assert (find_site(inner).settings_file, find_site(inner).settings) == (
        "a/b/pyproject.toml",
        Settings(),
    )
    (here / "a/b/pyproject.toml").unlink()
    (here / "a/.git").mkdir()
    assert find_site(inner).settings.gzip, "the table where the command is run"
    write(here, {"pyproject.toml": "tool = 1"})
    assert find_site(inner).settings_file == "", "a file of other tools has no table"


def test_a_site_that_was_built_elsewhere_has_the_configuration_that_is_here(
    here: Path, tmp_path: Path
) -> None:
    write(here, {"zensical.toml": CONFIGURATION})
    write(tmp_path / "out", {"index.html": PAGE})
    target = str(tmp_path / "out")
    # the configuration names another
    assert find_project(target).site.url == "https://page.example/"
    (here / "site").rename(here / "moved")
    assert find_project(target).site.url == "https://zensical.example/z/"


@pytest.mark.parametrize("file", ["index.html", "sitemap_index.xml"])
def test_a_site_with_a_generator_inside_it_is_a_site(here: Path, file: str) -> None:
    write(here, {file: PAGE, "zensical.toml": CONFIGURATION})
    assert find_site(".").directory == str(here)


def test_all_mistakes_are_reported_at_once_with_where_they_were_made(here: Path) -> None:
    table = (
        "[tool.smindex]\nsite_url = 1\nsources = ['a']\nclean_urls = 'yes'\nsite_ur ="
        " ''\nsection_depth = 99\ndirectory = ''\nsections = [{name = 'a'}]\n"
    )
    write(here, {"pyproject.toml": table})
    with pytest.raises(WrongOptionsError) as error:
        find_project("nowhere", sources=["docs"], max_urls="x")
    found = error.value.problems
    assert [
        problem.partition(": got")[0].partition(": no such")[0].partition(": there")[0]
        for problem in found
    ] == [
        "--sources",
        "--set max_urls",
        "pyproject.toml: [tool.smindex] site_ur",
        "pyproject.toml: [tool.smindex] directory",
        "pyproject.toml: [tool.smindex] site_url",
        "pyproject.toml: [tool.smindex] sources[0]",
        "pyproject.toml: [tool.smindex] clean_urls",
        "pyproject.toml: [tool.smindex] section_depth",
        "pyproject.toml: [tool.smindex] sections[0]",
        "nowhere",
    ]
    assert "did you mean 'site_url'?" in found[2]
    write(here, {"pyproject.toml": "[tool.smindex]\nlastmod = 'off'\n"})
    with pytest.raises(WrongOptionsError, match=r"undated: got 'fail'"):
        find_project("site", undated="fail")


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({}, "no directory given, and no supported"),
        (
            {"zensical.toml": "[project]\n", **EMPTY},
            "Set site_url in zensical.toml to a full URL (",
        ),
        (
            {"hugo.toml": "baseURL = '/'\n", "public/a.html": ""},
            "Set baseURL in hugo.toml to a full URL (",
        ),
        (
            {"mkdocs.yml": "site_url: !ENV NO_SUCH_1\n", **EMPTY},
            "Set site_url in mkdocs.yml to a full URL (",
        ),
        (
            {"mkdocs.yml": "site_url: [https://e.org]\n", **EMPTY},
            "Set site_url in mkdocs.yml to a full URL (",
        ),
        (
            {"pelicanconf.py": "SITEURL = made()\n", "output/a.html": ""},
            "Set SITEURL in pelicanconf.py to a full URL (",
        ),
        (
            {"hugo.toml": "", "public/a.css": ""},
            "public: there is no HTML in it. Run `hugo` first.",
        ),
        (
            {"mkdocs.yml": "site_url: [\n", "site/a.html": ""},
            "mkdocs.yml, line 2: it is not valid YAML at column 1: ",
        ),
        (
            {"mkdocs.yml": "site_url: e.org\n"},
            "mkdocs.yml: site_url 'e.org' doesn't start with https:// or http://; ",
        ),
        (
            {"hugo.toml": ""},
            "public: there is no such directory, the output according to hugo.toml. Run `hugo` ",
        ),
        (
            {"pyproject.toml": "not = [toml"},
            "pyproject.toml, line 1: it is not valid TOML at column 8: invalid value.",
        ),
        ({"pyproject.toml": "[tool]\nsmindex = 1"}, "pyproject.toml: "),
        ({"pyproject.toml": b"a = 1\n\xff"}, "pyproject.toml, line 2: it is not UTF-8."),
        ({"pyproject.toml": "a = 1".encode("utf-16")}, "pyproject.toml: it is UTF-16, not UTF-8."),
        ({"pyproject.toml": "a = " + "[" * 9_999}, "pyproject.toml: it is nested too deeply."),
        (
            {"pyproject.toml": "a = " + "9" * 9_999},
            "pyproject.toml: it contains a number with thousands of digits.",
        ),
    ],
)
def test_a_missing_value_is_reported_with_where_to_write_it(
    here: Path, files: dict[str, str | bytes], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(here, files)
    (found,) = refused(capsys, "build")
    assert problem in found


@pytest.mark.parametrize(
    ("files", "advice"),
    [
        ({}, "`smindex build DIR --site-url https://x.dev/`."),
        ({"dist/index.html": PAGE}, "Run `smindex build dist --site-url https://x.dev/`, because"),
        (
            {"astro.config.mjs": "", "www/index.html": ""},
            "first. Or run `smindex build www --site-url https://x.dev/`, because",
        ),
    ],
)
def test_the_advice_keeps_the_address_that_was_given(
    here: Path, files: dict[str, str | bytes], advice: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "site/index.html").unlink()
    write(here, files)
    (found,) = refused(capsys, "build", "--site-url", "https://x.dev/")
    assert advice in found


@pytest.mark.parametrize(
    ("file", "output", "option"),
    [
        ("docusaurus.config.js", "build", "url"),
        ("astro.config.mjs", "dist", "site"),
        ("docs/.vitepress/config.ts", "docs/.vitepress/dist", "sitemap.hostname"),
        ("nuxt.config.ts", ".output/public", "site.url"),
        ("hugo.toml", "public", "baseURL"),
        ("_config.yml", "_site", "url"),
        ("pelicanconf.py", "output", "SITEURL"),
        ("zensical.toml", "site", "site_url"),
    ],
)
def test_each_generator_has_its_own_option_for_the_address(
    here: Path, file: str, output: str, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "site/index.html").unlink()
    write(here, {file: "", f"{output}/index.html": "<!doctype html><title>A</title><p>Text"})
    (found,) = refused(capsys, "build")
    assert f" Set {option} in {file} " in found


@pytest.mark.parametrize(
    ("files", "advice"),
    [
        (
            {},
            (
                "found here. Run the command where the configuration is, or name the directory of the"
                " built site: `smindex "
            ),
        ),
        (
            {"dist/index.html": PAGE},
            "found here. Run `smindex build dist`, because dist has an index.html.",
        ),
        (
            {"dist/index.html": "", "a/.vitepress/dist/index.html": ""},
            "because dist has an index.html. Other directories with one: a/.vitepress/dist.",
        ),
        (
            {"htmlcov/index.html": PAGE, "www/index.html": PAGE},
            "Run `smindex build www`, because www has an index.html.",
        ),
        (
            {"coverage/lcov-report/index.html": "", "templates/index.html": ""},
            "found here. Run the command where the configuration is, or name the directory",
        ),
        (
            {".output/public/index.html": "", "index.html": ""},
            "Run `smindex build .output/public --site-url https://e",
        ),
        (
            {"index.html": "", "a/index.html": "", "b/out/index.html": ""},
            "Run `smindex build b/out --site-url https",
        ),
        (
            {"index.html": "", "package.json": "", "c d/index.html": ""},
            "Run `smindex build 'c d' --site-url https://e",
        ),
        (
            {"x/index.html": "", "x/y/index.html": "", "package.json": ""},
            "`, because x has an index.html.",
        ),
        (
            {"index.html": "", "a/index.html": ""},
            "Add site_url to [tool.smindex] in pyproject.toml, or run ",
        ),
        (
            {"astro.config.mjs": "", "build/index.html": ""},
            (
                "the usual output of Astro. Run `npm run build` first. Or run `smindex build build"
                " --site-url https://"
            ),
        ),
        (
            {"docs/.vitepress/config.ts": "", "docs/.vitepress/dist/index.html": ""},
            "or run `smindex build --site-url https://example.org/` with your own address.",
        ),
    ],
)
def test_a_refusal_ends_with_a_command_to_copy(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    files: dict[str, str | bytes],
    advice: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {**files, ".git/a": ""})
    (found,) = refused(capsys, "build")
    assert advice in found
    assert "x/y" not in found, "a section of a site is not another site"


def test_a_check_advises_a_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"a/index.html": "", "b/index.html": "", "package.json": "", ".git/a": ""})
    with pytest.raises(WrongOptionsError, match="Run `smindex check a`, because"):
        find_site()
    write(tmp_path, {"pelicanconf.py": "SITEURL = 'https://e.org'"})
    # with the address of the project
    with pytest.raises(WrongOptionsError, match="Or run `smindex build a`, because"):
        find_project()


def test_of_two_generators_the_one_that_is_built_counts_and_the_other_is_named(here: Path) -> None:
    write(
        here,
        {"mkdocs.yml": "site_dir: docs_site\n", "astro.config.mjs": "", "dist/index.html": PAGE},
    )
    write(here, {"web/.vitepress/dist/index.html": PAGE})
    others = "site, web/.vitepress/dist, where an index.html is too"
    assert find_project().notes["output"] == f"dist (astro.config.mjs); not {others}"
    write(here, {"docs_site/index.html": PAGE})
    assert (
        find_project().notes["output"]
        == f"docs_site (mkdocs.yml); not {others.replace('site,', 'site, dist,')}"
    )
    assert find_project("docs_site").notes["output"] == "docs_site (as given)"


def test_what_an_earlier_build_wrote_an_index_into_is_the_site(here: Path) -> None:
    with pytest.raises(WrongOptionsError, match="Run `smindex build site`"):
        find_project()
    write(here, {"site/sitemap_index.xml": ""})
    assert find_project().notes["output"] == "site (the index.html there)"
    assert find_site().directory == str(here / "site")


def test_where_another_tool_wrote_a_sitemap_of_a_section_all_are_beside_the_index(
    here: Path,
) -> None:
    """Hugo and Docusaurus write one for each language."""
    write(
        here,
        {
            "zensical.toml": CONFIGURATION,
            "site/de/sitemap.xml": "<urlset/>",
            "site/en/sitemap.xml": "",
        },
    )
    project = find_project()
    assert project.site.settings.sitemap_placement == "root"
    note = "beside the index (`sitemap_placement: root`), because another tool wrote de/sitemap.xml"
    assert project.notes["sitemaps"] == note
    assert find_project(sitemap_placement="section").site.settings.sitemap_placement == "section"


def test_plain_html_is_built_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"index.html": PAGE, "a/index.html": PAGE, ".git/a": ""})
    assert find_project().notes["output"] == ". (the index.html here)"
    write(tmp_path, {"sitemap_index.xml": "", "b/out/index.html": ""})
    assert find_site().directory == str(tmp_path)


def test_a_site_for_its_author_and_one_for_all_do_not_contradict_each_other(here: Path) -> None:
    write(
        here,
        {
            "publishconf.py": "SITEURL = 'https://e.org'",
            "pelicanconf.py": "SITEURL = 'http://localhost:8000'",
        },
    )
    write(here, OUTPUT)
    assert notes(find_project())[:2] == [
        "site: https://e.org/ (publishconf.py: SITEURL)",
        "output: output (publishconf.py); not site, where an index.html is too",
    ]


HOST = (
    "site_name: A\nsite_url: https://e.org/\nplugins:\n  - search\n  - {}:\n      exclude:"
    " [drafts/]\n      gzip:\n"
)
SPHINX = "html_baseurl = 'https://e.org/'\nextensions = ['smindex_plugins.sphinx']\n"
SITEURL = "SITEURL = 'https://e.org'\n"


@pytest.mark.parametrize("name", ["sitemap-index", "sitemap_index"])
def test_the_options_of_the_plugin_count_where_neither_a_flag_nor_the_table_says_otherwise(
    here: Path, name: str
) -> None:
    write(here, {"mkdocs.yml": HOST.format(name)})
    project = find_project()
    assert project.site.settings == Settings(exclude=("drafts/",))
    assert notes(project)[-1] == "options: exclude (mkdocs.yml)"
    write(here, {"pyproject.toml": "[tool.smindex]\ngzip = true\n"})
    project = find_project(exclude=["shed/"])
    assert project.site.settings == Settings(exclude=("shed/",), gzip=True)
    assert notes(project)[-1] == "options: none (mkdocs.yml)"


def test_an_unknown_option_is_a_warning_and_the_others_count(here: Path) -> None:
    options = "{exclud: [a/], enabled: true, gzip: true}"
    write(
        here, {"mkdocs.yml": f"site_url: https://e.org/\nplugins: {{sitemap-index: {options}}}\n"}
    )
    project = find_project()
    assert project.site.settings == Settings(gzip=True)
    (finding,) = project.findings
    assert (
        finding.problem
        == "an option of the plugin is not used: exclud: no such option; did you mean 'exclude'?"
    )
    assert notes(project)[-1] == "options: gzip (mkdocs.yml)"


def test_the_options_of_a_site_that_moves_to_zensical_stay(here: Path) -> None:
    address = '[project]\nsite_url = "https://e.org/"\n'
    write(here, {"zensical.toml": f"{address}[project.plugins.sitemap-index]\ngzip = true\n"})
    project = find_project()
    assert project.site.settings == Settings(gzip=True)
    assert notes(project)[-1] == "options: gzip (zensical.toml)"
    write(here, {"zensical.toml": f'{address}plugins = ["sitemap-index"]\n'})
    assert notes(find_project())[-1] == "options: none (zensical.toml)"


@pytest.mark.parametrize(
    ("mike", "address"),
    [
        ("", "https://e.org/docs/1.0/"),
        ("plugins: [mike]", "https://e.org/docs/1.0/"),
        ("plugins: [{mike: {canonical_version: stable}}]", "https://e.org/docs/stable/"),
        ("plugins: {mike: {enabled: false}}", "https://e.org/docs/"),
    ],
)
def test_a_version_of_mike_has_its_own_address(
    here: Path, monkeypatch: pytest.MonkeyPatch, mike: str, address: str
) -> None:
    write(here, {"mkdocs.yml": f"site_url: https://e.org/docs\n{mike}\n"})
    monkeypatch.setenv("MIKE_DOCS_VERSION", "1.0")
    project = find_project()
    version = address.removeprefix("https://e.org/docs/").removesuffix("/")
    origin = (
        f"mkdocs.yml: site_url, and {version} of MIKE_DOCS_VERSION"
        if version
        else "mkdocs.yml: site_url"
    )
    assert notes(project)[0] == f"site: {address} ({origin})"
    monkeypatch.delenv("MIKE_DOCS_VERSION")
    assert find_project().site.url == "https://e.org/docs/"


def test_a_configuration_for_each_language_is_that_of_its_own_output(here: Path) -> None:
    configurations = {
        "zensical.toml": '[project]\nsite_url = "https://e.org/"\n',
        "zensical.fr.toml": (
            '[project]\nsite_url = "https://e.org/fr/"\nsite_dir = "site/fr"\ndocs_dir ='
            ' "docs/fr"\n'
        ),
        "mkdocs-base.yml": "site_url: https://base.example/\n",
    }
    write(here, {**configurations, "site/fr/index.html": "", "site/de/index.html": ""})
    assert [find_project(each).site.url for each in (None, "site", "site/fr")] == [
        *["https://e.org/"] * 2,
        "https://e.org/fr/",
    ]
    with pytest.raises(WrongOptionsError, match="can't determine the site's URL"):
        find_project("site/de")


def test_pelican_leaves_out_later_pages_where_its_options_do_not_list_them(here: Path) -> None:
    write(here, {"publishconf.py": SITEURL + "SITEMAP_INDEX = {'exclude': ['tag/']}\n", **OUTPUT})
    assert find_project().site.settings == Settings(exclude=("tag/",), pagination=False)
    write(here, {"publishconf.py": SITEURL})
    assert find_project().site.settings == Settings()  # the plugin may not run at all


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        (
            "mkdocs.yml",
            HOST.format("sitemap-index").replace("[drafts/]", "3"),
            "exclude: got 3; accepted: a list of",
        ),
        (
            "pelicanconf.py",
            SITEURL + "SITEMAP_INDEX = {'gzip': A}\n",
            "is not a dict of plain values.",
        ),
        ("pelicanconf.py", SITEURL + "SITEMAP_INDEX = 'tag/'\n", "SITEMAP_INDEX is not a dict of "),
        (
            "conf.py",
            f"{SPHINX}sitemap_index = ['tag/']\n",
            "sitemap_index is not a dict of plain values.",
        ),
    ],
)
def test_options_of_the_plugin_that_cannot_be_read_are_a_warning(
    here: Path, name: str, text: str, problem: str
) -> None:
    write(here, {name: text, **OUTPUT})
    project = find_project(None if name == "pelicanconf.py" else "site")
    (finding,) = project.findings
    assert (finding.check, finding.level, finding.where) == ("unread-options", "warning", name)
    assert finding.problem.startswith("the options of the plugin can't be read there: ")
    assert problem in finding.problem
    assert project.site.settings == Settings()


@pytest.mark.parametrize(
    ("name", "text", "line", "problem"),
    [
        (
            "mkdocs.yml",
            "a: 1\nsite_url: [\n",
            3,
            "it is not valid YAML at column 1: did not find expected node content.",
        ),
        (
            "mkdocs.yml",
            "INHERIT: base.yml\n",
            0,
            "base.yml, line 2: it is not valid YAML at column 5: mapping values",
        ),
        ("mkdocs.yml", "INHERIT: mkdocs.yml\n", 0, "mkdocs.yml: it inherits from itself."),
        (
            "mkdocs.yml",
            "theme: {static_templates: 5}\n",
            0,
            "a value in it is not of the type that MkDocs reads.",
        ),
        ("mkdocs.yml", "a: 1\nb: \xe9".encode("latin-1"), 2, "it is not UTF-8."),
        (
            "zensical.toml",
            "[project]\nplugins = 5\n[project]\n",
            3,
            "it is not valid TOML at column 9: the table",
        ),
        (
            "pelicanconf.py",
            "PATH = '\n",
            1,
            "it is not valid Python at column 8: unterminated string literal.",
        ),
        ("pelicanconf.py", "A = \0\n", 0, "it is not valid Python: it contains a null character."),
        (
            "pelicanconf.py",
            "PAGE_PATHS = 5\n",
            0,
            "a value in it is not of the type that Pelican reads.",
        ),
    ],
)
def test_a_configuration_that_cannot_be_read_is_a_warning_with_the_line_and_a_plain_reason(
    here: Path, name: str, text: str | bytes, line: int, problem: str
) -> None:
    write(here, {name: text, "base.yml": "a: 1\nb: c: d\n", **OUTPUT})
    (finding,) = find_project("site", site_url="https://e.org/").findings
    assert (finding.check, finding.where, finding.line or 0) == ("unread-options", name, line)
    assert finding.problem.startswith(problem)


def test_what_the_plugin_of_pelican_wrote_is_not_replaced(here: Path) -> None:
    mark = "<!-- Written by smindex-plugins -->\n"
    write(here, {**OUTPUT, "output/sitemap_index.xml": mark})
    configuration = "SITEURL = 'https://e.org'\nPLUGINS = ['seo', 'sitemap_index']\n"
    write(here, {"pelicanconf.py": configuration})
    with pytest.raises(WrongOptionsError, match="the plugin in pelicanconf"):
        find_project("output")
    write(here, {"pelicanconf.py": configuration.replace("sitemap_index", "sitemap")})
    assert find_project("output").site.url == "https://e.org/"
    write(here, {"pelicanconf.py": configuration})
    write(here, {"output/sitemap_index.xml": "<!-- by hand -->"})
    assert find_project("output").site.url == "https://e.org/", (
        "a build then refuses the file itself"
    )
