"""Builds of MkDocs and of Pelican that are killed while the plugin writes, and made again."""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import mkdocs.__main__
import pelican
from lxml import etree

import smindex_plugins.hosts.mkdocs_plugin
import smindex_plugins.hosts.pelican_plugin  # noqa: F401 - what each trial needs is imported once
from smindex_plugins import pipeline
from tests.hostile.attack import Attack
from tests.hostile.child import fault
from tests.hostile.harmed import Harm, Program, run
from tests.hostile.kills import KILLED
from tests.hostile.victim import BASE, difference, snapshot, untrue
from tests.support.planted import write

_SECTIONS = ("guide", "api", "blog", "größe", "a-b")
_OPTIONS = {
    "gzip": ("true", "false"),
    "sitemap_placement": ("section", "root"),
    "max_urls": ("2", "3", "50000"),
    "robots_txt": ("check", "write"),
}
_MKDOCS = "site_name: A\nsite_url: {base}\nplugins:\n  - sitemap-index: {{{options}}}\n"
_PELICAN = (
    "SITENAME = 'A'\nSITEURL = {base!r}\nTIMEZONE = 'UTC'\nPATH = 'docs'\nOUTPUT_PATH = 'site'\n"
    "PLUGINS = ['smindex_plugins.hosts.pelican_plugin']\nSITEMAP_INDEX = {{{options}}}\n"
    "FEED_ALL_ATOM = CATEGORY_FEED_ATOM = TRANSLATION_FEED_ATOM = AUTHOR_FEED_ATOM = AUTHOR_FEED_RSS = None\n"
)


def _mkdocs(number: int, place: Path) -> str:
    random = Random(number)
    options = ", ".join(f"{name}: {random.choice(values)}" for name, values in _OPTIONS.items())
    write(place / "project", {"mkdocs.yml": _MKDOCS.format(base=BASE, options=options)})
    head = "---\nlastmod: 2026-01-0{}\n---\n# {}\n"
    flags = random.choice(((), (), ("--dirty",)))

    def build(project: Path) -> Program:
        return _program(project, lambda: mkdocs.__main__.cli(["build", "--quiet", *flags]))

    return _killed(place, random, head, build)


def _pelican(number: int, place: Path) -> str:
    random = Random(number)
    options = ", ".join(f"{name!r}: {_python(random.choice(values))}" for name, values in _OPTIONS.items())
    write(place / "project", {"pelicanconf.py": _PELICAN.format(base=BASE.rstrip("/"), options=options)})
    head = "Title: {1}\nDate: 2026-01-0{0}\nModified: 2026-01-0{0}\nSave_as: {1}.html\nUrl: {1}.html\n\nText {1}.\n"

    def build(project: Path) -> Program:
        return _program(project, lambda: pelican.main(["--settings", "pelicanconf.py"]))

    return _killed(place, random, head, build)


def _killed(place: Path, random: Random, head: str, build: Callable[[Path], Program]) -> str:
    """Build a project, change it, kill the build of that, and build it again."""
    os.environ["SOURCE_DATE_EPOCH"] = "1767225600"
    project, calm = place / "project", place / "calm"
    _author(project, random, head)
    run(build(project))
    _author(project, random, head)
    shutil.copytree(project, calm)
    undisturbed = run(build(calm))
    killed = run(build(project), Harm.random(random, undisturbed))
    wrong = fault(undisturbed.ended, {0}) or fault(killed.ended, KILLED) or _untrue(calm / "site")
    if not undisturbed.calls or not (calm / "site/sitemap_index.xml").exists() | any(calm.glob("site/sitemap_index-*")):
        wrong = wrong or f"nothing is written: {undisturbed.ended.out} {undisturbed.ended.err}"
    if wrong := wrong or _untrue(project / "site"):
        return wrong
    again = fault(run(build(project)).ended, {0}) or _untrue(project / "site")
    return again or difference(_not_pages(project / "site"), _not_pages(calm / "site"))


def _not_pages(site: Path) -> dict[str, bytes]:
    """Return the files that are no HTML: a `--dirty` build of MkDocs forgets titles."""
    return {name: content for name, content in snapshot(site).items() if not name.endswith((".html", ".smindex.tmp"))}


def _author(project: Path, random: Random, head: str) -> None:
    """Write some pages, and remove most of the others."""
    names = {"index"} | {
        f"{section}/{page}" for section in random.sample(_SECTIONS, 3) for page in range(random.randint(1, 5))
    }
    for path in project.glob("docs/*/*.md"):
        if random.random() < 0.7:
            path.unlink()
    write(project, {f"docs/{name}.md": head.format(random.randint(1, 9), name) for name in names})


def _program(project: Path, main: Callable[[], object]) -> Program:
    """Return a program to which harm is done from where the plugin begins to write."""

    def program(begin: Callable[[], None]) -> int:
        really = pipeline._write

        def writing(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401 - as the function that it stands for
            begin()
            return really(*arguments, **options)

        pipeline._write = writing
        os.chdir(project)
        sys.argv = ["program"]
        main()
        return 0

    return program


def _untrue(site: Path) -> str:
    """Return which index lists what is not there, or that the flat sitemap of the generator is not whole."""
    flat = site / "sitemap.xml"
    try:
        if flat.exists():
            etree.parse(flat)
    except etree.XMLSyntaxError as error:
        return f"sitemap.xml is not whole: {error}"
    return untrue(site) if site.exists() else ""


def _python(value: str) -> str:
    return {"true": "True", "false": "False"}.get(value, value if value.isdecimal() else repr(value))


ATTACKS = (
    Attack("kill-mkdocs", "`mkdocs build` is killed while the plugin writes, and made again", _mkdocs, 1, 300),
    Attack("kill-pelican", "`pelican` is killed while the plugin writes, and run again", _pelican, 1, 200),
)
