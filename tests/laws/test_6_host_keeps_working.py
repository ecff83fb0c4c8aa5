"""Law 6, the host keeps working.

Theme search, instant navigation, and version and language switchers behave as before, because a
build with the plugin leaves the files that it leaves without, byte for byte: it adds sitemaps, and
corrects dates and entries in the flat sitemap. Once the options are valid, the plugin never stops a
build; what would fail a strict build is a warning.

`tests/hosts` looks at each of these in a real browser, and beside each neighbouring plugin.
"""

import os
import re
from pathlib import Path

import pytest

from tests.support.history import ISOLATED, Repo
from tests.support.listed import files_in
from tests.support.module import run_module
from tests.support.planted import write

MARKDOWN = {
    "index.md": "# Home",
    "guide/a.md": "# A\n\nSome words.",
    "guide/b.md": "# B\n\nOther words.",
}
BLOG = {f"{name}.md": f"title: {name}\ndate: 2024-01-01\n\nText.\n" for name in ("a", "b")}
SPHINX = {
    "index.rst": "Home\n====\n\n.. toctree::\n\n   guide/a\n",
    "guide/a.rst": "A\n=\n\nText.\n",
}
MKDOCS = "site_name: S\nsite_url: https://e.org/docs/\ntheme: {}\nplugins: [search{}]\n"
HOSTS = {
    "mkdocs": (
        {f"docs/{name}": text for name, text in MARKDOWN.items()}
        | {"mkdocs.yml": MKDOCS.format("mkdocs", "{}")},
        ("mkdocs", "build", "--strict", "-d", "../out"),
        ", sitemap-index",
    ),
    "material": (
        {f"docs/{name}": text for name, text in MARKDOWN.items()}
        | {"mkdocs.yml": MKDOCS.format("{name: material, features: [navigation.instant]}", "{}")},
        ("mkdocs", "build", "--strict", "-d", "../out"),
        ", sitemap-index",
    ),
    "properdocs": (
        {f"docs/{name}": text for name, text in MARKDOWN.items()}
        | {"properdocs.yml": MKDOCS.format("mkdocs", "{}")},
        ("properdocs", "build", "--strict", "-d", "../out"),
        ", sitemap-index",
    ),
    "pelican": (
        {f"content/{name}": text for name, text in BLOG.items()}
        | {"pelicanconf.py": 'SITEURL = "https://e.org"\nTIMEZONE = "UTC"\nPLUGINS = [{}]\n'},
        ("pelican", "content", "-s", "pelicanconf.py", "-o", "../out", "--fatal", "warnings"),
        '"smindex_plugins.hosts.pelican_plugin"',
    ),
    "sphinx": (
        {f"docs/{name}": text for name, text in SPHINX.items()}
        | {"docs/conf.py": 'project = "S"\nhtml_baseurl = "https://e.org/"\nextensions = [{}]\n'},
        ("sphinx", "-q", "-W", "-d", "../trees", "docs", "../out"),
        '"smindex_plugins.sphinx"',
    ),
}
"""Projects: their files, the command that builds them, and what a user adds to the
configuration."""
OURS = re.compile(r"sitemap_index\.xml|(.+/)?sitemap[^/]*\.xml(\.gz)?|\.buildinfo")
"""The files that the plugin adds, MkDocs' flat sitemap, and Sphinx's hash of the configuration."""


def build(
    root: Path, command: tuple[str, ...], files: dict[str, str], added: str
) -> tuple[int, str, dict[str, bytes]]:
    """Build a project in a process of its own: its exit code, what it prints, and the files that it
    leaves.
    """
    repo = Repo.create(root / "project")
    repo.commit(1, {name: text.replace("{}", added) for name, text in files.items()})
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith("GIT_")},
        **ISOLATED,
        "SOURCE_DATE_EPOCH": "1700000000",
        "NO_MKDOCS_2_WARNING": "1",
        "DISABLE_MKDOCS_2_WARNING": "true",
        "PYTHONWARNINGS": "ignore",
    }
    done = run_module(*command, cwd=repo.path, env=environment)
    # Material writes blank lines if a page has metadata, such as the date of its sitemap
    left = files_in(root / "out")
    left |= {
        name: re.sub(rb"\n\s*\n", b"\n", content)
        for name, content in left.items()
        if name.endswith(".html")
    }
    return done.returncode, done.stdout + done.stderr, left


@pytest.mark.parametrize("host", HOSTS)
def test_a_strict_build_leaves_the_files_that_it_leaves_without_the_plugin(
    tmp_path: Path, host: str
) -> None:
    files, command, added = HOSTS[host]
    code, log, without = build(tmp_path / "without", command, files, "")
    assert code == 0, log
    code, log, with_it = build(tmp_path / "with", command, files, added)
    assert code == 0, log
    assert "sitemap_index.xml" in with_it
    changed = {
        path for path in without.keys() | with_it.keys() if without.get(path) != with_it.get(path)
    }
    assert {path for path in changed if not OURS.fullmatch(path)} == set()
    assert without.keys() <= with_it.keys()
    if "sitemap.xml" in without:  # the same pages, in the same order, with other dates
        pages = [
            re.findall("<loc>(.*?)</loc>", found["sitemap.xml"].decode())
            for found in (without, with_it)
        ]
        assert pages[0] == pages[1]


@pytest.mark.parametrize("host", HOSTS)
def test_what_the_plugin_cannot_do_stops_no_build_and_fails_a_strict_one(
    tmp_path: Path, host: str
) -> None:
    """A file of another tool has the name of the index."""
    files, command, added = HOSTS[host]
    strict = {"--strict", "--fatal", "warnings", "-W"}
    for name, arguments, expected in (
        ("lenient", tuple(each for each in command if each not in strict), 0),
        ("strict", command, 1),
    ):
        write(
            tmp_path / name,
            {"out/sitemap_index.xml": "theirs"} if host in {"pelican", "sphinx"} else {},
        )
        place = {"mkdocs": "docs/", "material": "docs/", "properdocs": "docs/"}.get(host)
        theirs = {f"{place}sitemap_index.xml": "theirs"} if place else {}
        code, log, left = build(tmp_path / name, arguments, files | theirs, added)
        assert "file-not-ours]" in log
        assert "Traceback" not in log
        assert code == expected, log
        assert left["sitemap_index.xml"] == b"theirs"
        assert sum(path.endswith(".html") for path in left) > 1
