"""Builds, joins, histories and tables in which one thing is wrong, as the command reports it."""

import os
import shutil
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from smindex_plugins.base.model import Finding, Page, Spot
from smindex_plugins.base.settings import Settings
from smindex_plugins.base.site import Site
from smindex_plugins.build import Host, publish
from smindex_plugins.checks._site import SiteFacts as WholeSite
from smindex_plugins.checks.table import Selection
from smindex_plugins.hosts.pelican_unread import unread_settings
from smindex_plugins.projects._configuration import load
from smindex_plugins.writing import output
from smindex_plugins.writing.rendering import OutputError
from tests.support.command import PAGE, SITE
from tests.support.history import Repo
from tests.support.listed import checked, document
from tests.support.module import run_module
from tests.support.planted import Files, index, urlset, write
from tests.support.planted.faults import CHECK, NOINDEX, Fault, named, of

UNDATED = "lastmod: 'off'"


def config(*options: str, address: str = SITE) -> str:
    """Return a mkdocs.yml with some options of the plugin."""
    lines = "".join(f"      {option}\n" for option in options or (UNDATED,))
    return f"site_url: {address}\nplugins:\n  - sitemap-index:\n{lines}"


def html(head: str = "", body: str = "Text") -> str:
    return f"<!doctype html><title>A</title>{head}<p>{body}"


def project(*options: str, address: str = SITE, **more: str) -> Files:
    """Return a built project of four pages."""
    paths = ("index", "guide", "drafts/next", "drafts/old")
    built = {f"site/{path}/index.html".replace("index/", ""): html() for path in paths}
    texts = {f"docs/{path}.md": "Text" for path in paths}
    return {"mkdocs.yml": config(*options, address=address), **texts, **built, **more}


def committed(
    *commits: Mapping[str, str | None], then: Files | None = None
) -> Callable[[Path], None]:
    """Return what commits files day by day, and writes some after that."""

    def prepare(root: Path) -> None:
        repo = Repo(root)
        repo.git("init", "-q", "--initial-branch=main")
        for number, files in enumerate(commits, 1):
            repo.commit(number, dict(files), message="Reformat" if number > 1 else "Write")
        write(root, then or {})

    return prepare


def pages(count: int) -> Files:
    """Return a built project with some pages whose sources are not written yet."""
    built = {f"site/page-{number}/index.html": PAGE for number in range(count)}
    return {".gitignore": "site/\n", "mkdocs.yml": f"site_url: {SITE}\n", **built}


def sources(count: int, text: str = "Text") -> dict[str, str | None]:
    return {f"docs/page-{number}.md": text for number in range(count)}


def cut_off(root: Path) -> None:
    """Leave of a history what `actions/checkout` fetches."""
    committed(sources(3), {"docs/page-0.md": "Changed"})(root)
    repo = Repo(root)
    write(root, {".git/shallow": repo.git("rev-parse", "HEAD") + "\n"})


def editable(repository: str) -> Files:
    """Return a built project with a page that is generated from code, and a link to edit that in a
    repository.
    """
    link = f'<a href="https://github.com/{repository}/edit/main/src/api.py">Edit</a>'
    return {**pages(3), "site/api/index.html": html(body=link)}


def renamed(root: Path) -> None:
    """Commit the code, and give the repository a remote."""
    committed({**sources(3), "src/api.py": "Code"})(root)
    Repo(root).git("remote", "add", "origin", "git@github.com:acme/docs.git")


def published(*given: Page) -> Callable[[Path], Iterable[Finding]]:
    """Return what publishes pages that no command makes."""

    def findings(root: Path) -> Iterable[Finding]:
        settings = Settings.load({"lastmod": "off"})
        target = Site(url=SITE, directory=str(root / "site"), settings=settings, beside=str(root))
        return publish(list(given), target, Host(others=())).findings

    return findings


def used_by_another(root: Path) -> Iterable[Finding]:
    """Begin to write where another run writes, and do not wait a minute."""
    with pytest.MonkeyPatch.context() as patch, output.only_writer(str(root / "site")):
        patch.setattr(output, "LOCK_SECONDS", 0)
        try:
            with output.only_writer(str(root / "site")):
                return []
        except OutputError as error:
            return error.findings


def linked(names: str) -> Files:
    """Return a site of four pages, of which three are listed, and the home page links to some."""
    others = {f"{name}/index.html": f'{PAGE}<a href="/">Home</a>' for name in "abc"}
    home = PAGE + " ".join(f'<a href="{name}/">{name}</a>' for name in names)
    return {"sitemap.xml": urlset(SITE, f"{SITE}a/", f"{SITE}b/"), "index.html": home, **others}


def dated_page(date: str) -> Files:
    """Return a site of one page that declares when it last changed, and a sitemap with another
    date.
    """
    meta = f'<meta property="article:modified_time" content="{date}">'
    return {
        "sitemap.xml": urlset(f"<loc>{SITE}</loc><lastmod>2024-05-01</lastmod>"),
        "index.html": html(meta),
    }


def built_before(*changed: str) -> Callable[[Path], None]:
    """Return what builds a project, and then changes some of its sources, each in a commit."""

    def prepare(root: Path) -> None:
        committed(sources(2))(root)
        run_module("smindex_plugins", "build", "-q", cwd=root, env=os.environ).check_returncode()
        for number, name in enumerate(changed, 2):
            Repo(root).commit(number, {name: "Changed"})

    return prepare


def without_history(root: Path) -> None:
    """Build a project, and remove its history after that."""
    built_before()(root)
    shutil.rmtree(root / ".git")


def crowded(_: Path) -> Iterable[Finding]:
    """Judge a large index without looking for its sitemaps."""
    listed = (f"{SITE}{number}.xml" for number in range(50_001))
    return Selection().judge(checked(document("sitemapindex", f"{SITE}sitemap_index.xml", *listed)))


def closed(_: Path) -> Iterable[Finding]:
    """A user who may do everything enters every directory."""
    return Selection().judge(WholeSite(closed={Spot("team/docs"): "Permission denied"}))


def configured_for_pelican(root: Path) -> Iterable[Finding]:
    """Look at the settings of a project as its plugin does."""
    return unread_settings(load(str(root / "pelicanconf.py")))


HOOK = 'def keep(page):\n    return None if {} == "print" else page\n'
TABLE = "url,lastmod\nhttps://e.org/a,2024-05-01\n"
BLOG: Files = {"blog/sitemap.xml": urlset(f"{SITE}blog/")}
OLD_DOCS: Files = {
    "docs/1.0/index.html": PAGE,
    "docs/versions.json": '[{"version": "1.0", "title": "1.0", "aliases": ["latest"]}]',
}
FOREIGN: Files = {"sitemap.xml": urlset(SITE, "https://blog.e.net/a"), "index.html": PAGE}
ALTERNATE = '<link rel="alternate" hreflang="{}" href="{}{}/">'
LATEST = "https://docs.e.org/en/latest/"
READ_THE_DOCS = {"READTHEDOCS": "True", "READTHEDOCS_CANONICAL_URL": LATEST}
PRIVATE = {"docs/guide.md": "---\nnoindex: true\n---\n"}
BY_HAND = {"site/robots.txt": "User-agent: *\nAllow: /\n"}
JOIN, TABLES = (
    f"join . --site-url {SITE}",
    f"pages pages.csv --site-url {SITE} --out site --temp temp --memory 200MB",
)


def optional(option: str) -> Files:
    """Return a built project with an option."""
    return project(option, UNDATED)


def translated(**languages: str) -> Files:
    """Return a built project of pages that name their variants, such as `en=a fr=b`."""
    heads = {
        path: "".join(
            ALTERNATE.format(code, SITE, to)
            for code, to in (link.split("=") for link in links.split())
        )
        for path, links in languages.items()
    }
    return project(**{f"site/{path}/index.html": html(head) for path, head in heads.items()})


def run(kind: str, words: str, wrong: Files, command: str = "build", **more: Any) -> Fault:  # noqa: ANN401 - of a fault
    return Fault(kind=kind, words=words, wrong=wrong, command=command, **more)


RUNS = [
    *of(
        optional,
        (
            "unmatched-pattern",
            "a pattern that matches no page",
            "exclude: ['draft/']",
            "exclude: ['drafts/']",
        ),
        (
            "nothing-listed",
            "a pattern that matches every page",
            "exclude: ['**']",
            "exclude: ['drafts/']",
        ),
        (
            "cannot-write",
            "an index with a name too long for the file system",
            f"index_filename: {'a' * 250}.xml",
        ),
        command="build",
    ),
    *of(
        lambda layout: project("filter: hooks:keep", UNDATED, **{"hooks.py": HOOK.format(layout)}),
        (
            "failed-filter",
            "a filter that expects front matter",
            'page.meta["layout"]',
            '(page.meta or {}).get("layout")',
        ),
        command="build",
    ),
    *of(
        lambda files: project(**files),
        (
            "robots-without-sitemap",
            "a robots.txt that does not name the index",
            BY_HAND,
            {"site/robots.txt": named()},
        ),
        (
            "file-not-ours",
            "a file with the name of the index",
            {"site/sitemap_index.xml": "<urlset>\n"},
            {},
        ),
        (
            "canonical-outside",
            "a canonical URL on another host",
            {
                "site/guide/index.html": html(
                    '<link rel="canonical" href="https://old.e.net/guide/">'
                )
            },
            {"site/guide/index.html": html(f'<link rel="canonical" href="{SITE}guide/">')},
        ),
        (
            "canonical-missing",
            "a canonical URL of a missing page",
            {"site/guide/index.html": html(f'<link rel="canonical" href="{SITE}manual/">')},
            {"site/guide/index.html": html(f'<link rel="canonical" href="{SITE}guide/">')},
        ),
        (
            "contradicted-address",
            "a CNAME file with www.",
            {"site/CNAME": f"www.{SITE.split('/')[2]}\n"},
            {"site/CNAME": f"{SITE.split('/')[2]}\n"},
        ),
        (
            "noindex-not-rendered",
            "noindex only in the front matter",
            {**PRIVATE, "site/guide/index.html": html()},
            {**PRIVATE, "site/guide/index.html": html(NOINDEX)},
        ),
        (
            "control-character",
            "a line break in the name of a file",
            {"site/gui\nde/index.html": PAGE},
        ),
        (
            "unlistable-url",
            "a URL of 3,000 characters",
            {f"site/{'/'.join(['a' * 200] * 15)}/index.html": PAGE},
        ),
        command="build",
    ),
    *of(
        lambda address: project(address=address),
        ("private-address", "the address of a development server", "http://localhost:8000/", SITE),
        (
            "template-address",
            "the address in a template",
            "https://your-docusaurus-test-site.com/",
            SITE,
        ),
        ("doubtful-address", "a placeholder address", "https://example.org/", SITE),
        command="build",
    ),
    *of(
        lambda date: project("lastmod: git", **{"docs/guide.md": f"---\nlastmod: {date}\n---\n"}),
        ("invalid-front-matter", "a date in words", "yesterday", "2024-03-01"),
        also={"undated-pages"},
        command="build",
    ),
    *of(
        lambda lines: {"pelicanconf.py": lines},
        (
            "unread-setting",
            "a misspelled name in the settings of Pelican",
            'PLUGINS = ["sitemap_index"]\nSITEMAP_INDX = {"exclude": ["drafts/"]}\n',
            'PLUGINS = ["sitemap_index"]\nSITEMAP_INDEX = {"exclude": ["drafts/"]}\n',
        ),
        (
            "other-sitemap-tool",
            "two plugins that write sitemaps",
            'PLUGINS = ["sitemap_index", "sitemap"]\n',
            'PLUGINS = ["sitemap_index"]\n',
        ),
        command=configured_for_pelican,
    ),
    run(
        "unread-options",
        "an option with an invalid value",
        project("exclude: 3"),
        also=frozenset({"undated-pages"}),
    ),
    run(
        "robots-not-written",
        "an HTML page instead of robots.txt",
        project("robots_txt: write", UNDATED, **{"site/robots.txt": PAGE}),
    ),
    run("missing-variant", "a variant that was not built", translated(en="en=en fr=fr", de="")),
    run(
        "accidental-translation",
        "two English pages linked as translations",
        translated(a="en=a en=b", b="en=a en=b"),
    ),
    run(
        "sources-not-found",
        "a `sources` pattern for the wrong directory",
        project(),
        command="build --sources 'content/{path}.md'",
    ),
    run(
        "foreign-edit-links",
        "an edit link to the name that the repository had before",
        editable("acme/manual"),
        right=editable("acme/docs"),
        also=frozenset({"undatable-pages"}),
        prepare=renamed,
    ),
    run(
        "bulk-commit",
        "a commit that reformatted 12 of 20 pages",
        pages(20),
        prepare=committed(sources(20), sources(12, "Reformatted")),
    ),
    run(
        "uncommitted-edits",
        "uncommitted edits in two of three sources",
        pages(3),
        prepare=committed(
            sources(3), then={"docs/page-0.md": "Edited", "docs/page-1.md": "Edited"}
        ),
    ),
    run(
        "undatable-pages",
        "a new page whose source is not committed",
        pages(4),
        prepare=committed(sources(3), then={"docs/page-3.md": "New"}),
    ),
    run("undated-pages", "a shallow clone with only the last commit", pages(3), prepare=cut_off),
    run(
        "unknown-dependency",
        "a source that was renamed to data/prices.yml",
        pages(1),
        prepare=committed(
            {"docs/page-0.md": "---\ndepends: price.yml\n---\n", "data/prices.yml": "1"}
        ),
    ),
    run(
        "read-the-docs-address",
        "`stable` in the address when building `latest`",
        project(address="https://docs.e.org/en/stable/"),
        right=project(address=LATEST),
        environment=READ_THE_DOCS,
        also=frozenset({"read-the-docs-sitemap"}),
    ),
    run(
        "read-the-docs-sitemap",
        "a site without a robots.txt on Read the Docs",
        project(address=LATEST),
        environment=READ_THE_DOCS,
    ),
    Fault(
        kind="shared-url",
        words="both guide.md and guide/index.md",
        wrong={},
        command=published(
            *(
                Page(url=SITE + "guide/", source_name=name)
                for name in ("guide.md", "guide/index.md")
            )
        ),
    ),
    Fault(
        kind="entry-too-large",
        words="a page with 53 MB of images",
        wrong={},
        command=published(
            Page(url=SITE + "guide/", images=(SITE + "a" * 53_000_000,)), Page(url=SITE)
        ),
    ),
    Fault(
        kind="stray-pages",
        words="API pages that another tool added to the output",
        wrong={
            f"site/{path}": PAGE for path in ("index.html", "api/index.html", "api/fields.html")
        },
        command=published(Page(url=SITE)),
    ),
    Fault(
        kind="directory-in-use",
        words="another build of the same site still running",
        wrong={},
        command=used_by_another,
    ),
    Fault(
        kind="too-many-sitemaps", words="an index with 50,001 sitemaps", wrong={}, command=crowded
    ),
    Fault(
        kind="unreadable-directory",
        words="a directory that the user can't enter",
        wrong={},
        command=closed,
    ),
    *of(
        dict,
        ("unreadable-versions", "a truncated versions.json", BLOG | {"versions.json": "["}, BLOG),
        (
            "version-without-sitemap",
            "a latest version that was built without a `site_url`",
            BLOG | OLD_DOCS,
        ),
        command=JOIN,
    ),
    *of(
        dict,
        (
            "nothing-to-list",
            "a build that lists only a sitemap of another site",
            {"guide/sitemap_index.xml": index("https://old.e.net/guide/sitemap.xml")},
        ),
        also={"sitemap-outside-index"},
        command=JOIN,
    ),
    *of(
        lambda rows: {"pages.csv": TABLE + rows},
        ("invalid-rows", "a row with a word instead of a URL", "nowhere,2024-05-01\n", ""),
        ("repeated-rows", "two rows with the same URL", f"{SITE}a,2024-05-01\n", ""),
        command=TABLES,
    ),
    *of(
        linked,
        ("orphan-page", "a listed page that no listed page links to", "ac", "ab"),
        command=f"{CHECK} --links --only orphan-page",
    ),
    *of(
        linked,
        ("unlisted-but-linked", "a linked page that is not in the sitemap", "ac", "ab"),
        command=f"{CHECK} --links --only unlisted-but-linked",
    ),
    *of(
        lambda paths: {
            "sitemap.xml": urlset(SITE, *(SITE + path for path in paths.split())),
            "index.html": PAGE,
            **{f"{path}index.html": PAGE for path in paths.split()},
        },
        ("required-url", "a required page that was not built", "about/", "about/ imprint/"),
        command=f"{CHECK} --require imprint/",
    ),
    *of(
        dated_page,
        (
            "contradicted-date",
            "a page that changed later",
            "2024-06-30T10:00:00Z",
            "2024-05-01T10:00:00Z",
        ),
    ),
    run(
        "outdated-date",
        "a page that changed long after the date in its front matter",
        pages(1),
        prepare=committed(
            {"docs/page-0.md": "---\nlastmod: 2018-03-01\n---\nText"},
            {"docs/page-0.md": "---\nlastmod: 2018-03-01\n---\nNew text"},
        ),
    ),
    run(
        "false-date",
        "a source that changed after the build",
        pages(2),
        "check --dates",
        prepare=built_before("docs/page-1.md"),
    ),
    run(
        "uncompared-dates",
        "a project without its history",
        pages(2),
        "check --dates",
        prepare=without_history,
    ),
    *of(
        lambda robots: FOREIGN | {"blog.txt": robots},
        (
            "unproven-cross-site",
            "a page of another site whose robots.txt does not list the sitemap",
            "User-agent: *\n",
            f"Sitemap: {SITE}sitemap.xml\n",
        ),
        also={"outside-scope"},
        command=f"{CHECK} --cross-site https://blog.e.net=blog.txt",
    ),
]
