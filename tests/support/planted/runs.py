"""Builds, joins, histories and tables in which one thing is wrong, as the command reports it."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest

from smindex_plugins.checks import Selection
from smindex_plugins.checks import Site as WholeSite
from smindex_plugins.model import Finding, Page, Spot
from smindex_plugins.pipeline import Host, publish
from smindex_plugins.settings import Settings, Site
from smindex_plugins.sitemaps import OutputError, output
from tests.support.command import PAGE, SITE
from tests.support.gitrepo import Repo
from tests.support.planted import Files, index, urlset, write
from tests.support.planted.faults import CHECK, NOINDEX, Fault

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


def committed(*commits: Mapping[str, str | None], then: Files | None = None) -> Callable[[Path], None]:
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


def texts(name: str) -> Callable[[Path], object]:
    """Return what commits a text in a repository beside the site."""
    return lambda root: Repo.create(root / "texts").commit(3, {f"docs/{name}.md": "Text"})


def closed(_: Path) -> Iterable[Finding]:
    """A user who may do everything enters every directory."""
    return Selection().judge(WholeSite(closed={Spot("team/docs"): "Permission denied"}))


FILTER: Files = {"hooks.py": 'def keep(page):\n    return page if page.meta["layout"] != "print" else None\n'}
TABLE = "url,lastmod\nhttps://e.org/a,2024-05-01\n"
BLOG: Files = {"blog/sitemap.xml": urlset(f"{SITE}blog/")}
OLD_DOCS: Files = {
    "docs/1.0/index.html": PAGE,
    "docs/versions.json": '[{"version": "1.0", "title": "1.0", "aliases": ["latest"]}]',
}
DATED: Files = {
    "sitemap.xml": urlset(f"<loc>{SITE}guide/</loc><lastmod>2024-05-01</lastmod>"),
    "guide/index.html": PAGE,
}
LINKED: Files = {
    "sitemap.xml": urlset(SITE, f"{SITE}a/", f"{SITE}b/"),
    "index.html": f'{PAGE}<a href="a/">a</a> <a href="c/">c</a>',
    **{f"{name}/index.html": f'{PAGE}<a href="/">Home</a>' for name in "abc"},
}
FOREIGN: Files = {"sitemap.xml": urlset(SITE, "https://blog.e.net/a"), "index.html": PAGE}
ALTERNATE = '<link rel="alternate" hreflang="{}" href="{}{}/">'


def translated(**languages: tuple[tuple[str, str], ...]) -> Files:
    """Return a built project of pages that name their variants."""
    return project(
        **{
            f"site/{path}/index.html": html("".join(ALTERNATE.format(code, SITE, to) for code, to in links))
            for path, links in languages.items()
        }
    )


def built(
    kind: str, words: str, wrong: Files, right: Files | None = None, command: str = "build", **more: object
) -> Fault:
    return Fault(kind=kind, words=words, wrong=wrong, right=right, command=command, **more)  # type: ignore[arg-type]


LATEST = "https://docs.e.org/en/latest/"
READ_THE_DOCS = {"READTHEDOCS": "True", "READTHEDOCS_CANONICAL_URL": LATEST}
ROBOTS = f"User-agent: *\nAllow: /\nSitemap: {SITE}sitemap_index.xml\n"
RUNS = [
    built(
        "unmatched-pattern",
        "a pattern that matches no page",
        project("exclude: ['draft/']", UNDATED),
        project("exclude: ['drafts/']", UNDATED),
    ),
    built(
        "nothing-listed",
        "a pattern that matches every page",
        project("exclude: ['**']", UNDATED),
        project("exclude: ['drafts/']", UNDATED),
    ),
    built(
        "unread-options",
        "an option with a wrong value",
        project("exclude: 3"),
        also=frozenset({"undated-by-nature"}),
    ),
    built(
        "invalid-front-matter",
        "a date in words",
        project("lastmod: git", **{"docs/guide.md": "---\nlastmod: yesterday\n---\n"}),
        project("lastmod: git", **{"docs/guide.md": "---\nlastmod: 2024-03-01\n---\n"}),
        also=frozenset({"undated-by-nature"}),
    ),
    built(
        "noindex-not-rendered",
        "noindex in the front matter alone",
        project(**{"docs/guide.md": "---\nnoindex: true\n---\n"}),
        project(**{"docs/guide.md": "---\nnoindex: true\n---\n", "site/guide/index.html": html(NOINDEX)}),
    ),
    built(
        "private-address", "the address of a development server", project(address="http://localhost:8000/"), project()
    ),
    built("doubtful-address", "the address of an example", project(address="https://example.org/"), project()),
    built(
        "robots-without-index",
        "a robots.txt that does not name the index",
        project(**{"site/robots.txt": "User-agent: *\nAllow: /\n"}),
        project(**{"site/robots.txt": ROBOTS}),
    ),
    built(
        "robots-not-written",
        "a page in place of robots.txt",
        project("robots_txt: write", UNDATED, **{"site/robots.txt": PAGE}),
        project("robots_txt: write", UNDATED),
    ),
    built(
        "file-not-ours",
        "a file in the place of a sitemap",
        project(**{"site/drafts/sitemap.xml": "<urlset>written by hand</urlset>\n"}),
        project(),
    ),
    built(
        "cannot-write",
        "an index whose name is too long for the file system",
        project(f"index_filename: {'a' * 250}.xml", UNDATED),
    ),
    built(
        "canonical-outside",
        "a canonical URL on another host",
        project(**{"site/guide/index.html": html('<link rel="canonical" href="https://old.e.net/guide/">')}),
        project(),
    ),
    built(
        "canonical-missing",
        "a canonical URL where no page is",
        project(**{"site/guide/index.html": html(f'<link rel="canonical" href="{SITE}manual/">')}),
        project(**{"site/guide/index.html": html(f'<link rel="canonical" href="{SITE}guide/">')}),
    ),
    built("missing-variant", "a variant that was not built", translated(en=(("en", "en"), ("fr", "fr")), de=())),
    built(
        "accidental-translation",
        "two English pages that name each other as translations",
        translated(a=(("en", "a"), ("en", "b")), b=(("en", "a"), ("en", "b"))),
    ),
    built(
        "unlistable-url",
        "a URL of 3,000 characters",
        project(**{f"site/{'/'.join(['a' * 200] * 15)}/index.html": PAGE}),
    ),
    built(
        "failed-filter",
        "a filter that expects front matter",
        project("filter: hooks:keep", UNDATED) | FILTER,
        project(UNDATED) | FILTER,
    ),
    built(
        "sources-not-found",
        "a pattern of sources in another directory",
        project(),
        command="build --sources 'content/{path}.md'",
    ),
    built(
        "bulk-commit",
        "a commit that reformatted 12 of 20 pages",
        pages(20),
        prepare=committed(sources(20), sources(12, "Reformatted")),
    ),
    built(
        "uncommitted-edits",
        "two of three sources with edits that are not committed",
        pages(3),
        prepare=committed(sources(3), then={"docs/page-0.md": "Edited", "docs/page-1.md": "Edited"}),
    ),
    built(
        "undated-by-nature",
        "a new page whose source is not committed",
        pages(4),
        prepare=committed(sources(3), then={"docs/page-3.md": "New"}),
    ),
    built("undated-pages", "a shallow clone with the last commit only", pages(3), prepare=cut_off),
    built(
        "unknown-dependency",
        "a source that was renamed to data/prices.yml",
        pages(1),
        prepare=committed({"docs/page-0.md": "---\ndepends: price.yml\n---\n", "data/prices.yml": "1"}),
    ),
    Fault(
        kind="shared-url",
        words="guide.md beside guide/index.md",
        wrong={},
        command=published(
            Page(url=SITE + "guide/", source_name="guide.md"), Page(url=SITE + "guide/", source_name="guide/index.md")
        ),
    ),
    Fault(
        kind="entry-too-large",
        words="a page with 53 MB of images",
        wrong={},
        command=published(Page(url=SITE + "guide/", images=(SITE + "a" * 53_000_000,)), Page(url=SITE)),
    ),
    Fault(
        kind="stray-pages",
        words="pages of an API that another tool put into the output",
        wrong={f"site/{path}": PAGE for path in ("index.html", "api/index.html", "api/fields.html")},
        command=published(Page(url=SITE)),
    ),
    Fault(
        kind="directory-in-use",
        words="another build of the same site that has not ended",
        wrong={},
        command=used_by_another,
    ),
    Fault(kind="unreadable-directory", words="a directory that the user may not enter", wrong={}, command=closed),
    built(
        "read-the-docs-address",
        "`stable` in the address of a build of `latest`",
        project(address="https://docs.e.org/en/stable/"),
        project(address=LATEST),
        environment=READ_THE_DOCS,
        also=frozenset({"read-the-docs-sitemap"}),
    ),
    built(
        "read-the-docs-sitemap",
        "a site without a robots.txt on Read the Docs",
        project(address=LATEST),
        environment=READ_THE_DOCS,
    ),
    built(
        "unreadable-versions",
        "a versions.json that was cut off",
        BLOG | {"versions.json": "["},
        BLOG,
        f"join . --site-url {SITE}",
    ),
    built(
        "version-without-sitemap",
        "a latest version that was built without a `site_url`",
        BLOG | OLD_DOCS,
        None,
        f"join . --site-url {SITE}",
    ),
    built(
        "nothing-to-list",
        "a build that lists only a sitemap of another site",
        {"guide/sitemap_index.xml": index("https://old.e.net/guide/sitemap.xml")},
        None,
        f"join . --site-url {SITE}",
        also=frozenset({"sitemap-outside-index"}),
    ),
    built(
        "invalid-rows",
        "a row with a word in place of a URL",
        {"pages.csv": TABLE + "nowhere,2024-05-01\n"},
        {"pages.csv": TABLE},
        f"pages pages.csv --site-url {SITE} --out site --temp temp --memory 200MB",
    ),
    built(
        "repeated-rows",
        "two rows with the same URL",
        {"pages.csv": TABLE + "https://e.org/a,2024-05-01\n"},
        {"pages.csv": TABLE},
        f"pages pages.csv --site-url {SITE} --out site --temp temp --memory 200MB",
    ),
    built(
        "orphan-page",
        "a listed page that no listed page links to",
        LINKED,
        LINKED | {"index.html": f'{PAGE}<a href="a/">a</a> <a href="b/">b</a>'},
        f"{CHECK} --links --only orphan-page",
    ),
    built(
        "unlisted-but-linked",
        "a linked page that is not in the sitemap",
        LINKED,
        LINKED | {"index.html": f'{PAGE}<a href="a/">a</a> <a href="b/">b</a>'},
        f"{CHECK} --links --only unlisted-but-linked",
    ),
    built(
        "false-date",
        "a date that the history of the source contradicts",
        DATED,
        None,
        f"{CHECK} --sources texts",
        prepare=texts("guide"),
    ),
    built(
        "uncompared-dates",
        "a history without the source of any page",
        DATED,
        None,
        f"{CHECK} --sources texts",
        prepare=texts("other"),
    ),
    built(
        "unproven-cross-site",
        "a page of another site whose robots.txt does not name the sitemap",
        FOREIGN | {"blog.txt": "User-agent: *\n"},
        FOREIGN | {"blog.txt": f"Sitemap: {SITE}sitemap.xml\n"},
        f"{CHECK} --cross-site https://blog.e.net=blog.txt",
        also=frozenset({"outside-scope"}),
    ),
]
