"""Situations in which a build, a join or a run over a table reports something, for the manual."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from smindex_plugins.model import Page
from smindex_plugins.pipeline import Host, publish
from smindex_plugins.settings import Settings, Site
from smindex_plugins.sitemaps import output, service_findings
from tests.support.command import PAGE, SITE
from tests.support.gitrepo import Repo
from tests.support.planted import index, urlset, write
from tests.support.situations import BUILD, Files, Messages, Situation, in_repository, published, refused, run, written

INDEX = "sitemap_index.xml"
HEAD = "<!doctype html><title>A</title>{}<p>Text"


def variants(*pairs: tuple[str, str]) -> dict[str, Any]:
    return {"alternates": pairs}


def of_pages(count: int, repo: Repo) -> None:
    """Commit some pages with their sources on one day."""
    files: dict[str, str | None] = {".gitignore": "site/\n"}
    for number in range(count):
        files[f"docs/page-{number}.md"] = "Text"
        repo.put(f"site/page-{number}/index.html", PAGE)
    repo.commit(1, files)


def reformatted(repo: Repo) -> None:
    of_pages(20, repo)
    repo.commit(2, {f"docs/page-{number}.md": "Reformatted" for number in range(12)}, message="Reformat")


def edited(repo: Repo) -> None:
    of_pages(3, repo)
    repo.put("docs/page-0.md", "Edited")
    repo.put("docs/page-1.md", "Edited")


def added(repo: Repo) -> None:
    of_pages(3, repo)
    repo.put("docs/new.md", "New")
    repo.put("site/new/index.html", PAGE)


def depending(repo: Repo) -> None:
    of_pages(1, repo)
    repo.commit(2, {"docs/page-0.md": "---\ndepends: price.yml\n---\n", "data/prices.yml": "1"})


def shallow(root: Path) -> list[str]:
    """Build in a clone such as GitHub makes, which has the last commit only."""
    origin = Repo.create(root.parent / "origin")
    of_pages(3, origin)
    origin.commit(2, {"docs/page-0.md": "Changed"})
    clone = origin.clone(root, "--depth=1")
    for number in range(3):
        clone.put(f"site/page-{number}/index.html", PAGE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GITHUB_ACTIONS", "true")
        return list(run(BUILD, {})(root))


def in_use(root: Path) -> list[str]:
    """Let a run wait for another one, but no minute."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(output, "LOCK_SECONDS", 0)
        with output.only_writer(str(root / "site")):
            return list(refused(lambda _: output.only_writer(str(root / "site")).__enter__())(root))


def on_read_the_docs(served_at: str = "") -> Messages:
    def create(root: Path) -> list[str]:
        site = "https://docs.e.org/en/stable/"
        target = Site(url=site, directory=str(root), settings=Settings())
        served = {"READTHEDOCS": "True", "READTHEDOCS_CANONICAL_URL": served_at or site}
        return written(service_findings(target, [site + INDEX], served))

    return create


def with_strays(root: Path) -> list[str]:
    site = write(root / "site", dict.fromkeys(["index.html", "api/index.html", "api/fields.html"], PAGE))
    page = Page(url=SITE, file=str(site / "index.html"))
    return written(
        publish(
            [page], Site(url=SITE, directory=str(site), settings=Settings.load({"lastmod": "off"})), Host(others=())
        ).findings
    )


def built(words: str, messages: Messages) -> Situation:
    return Situation(words, "A build", messages)


def joined(words: str, files: Files) -> Situation:
    return Situation(words, "`smindex join`", run(f"join . --site-url {SITE}", files))


def rows(words: str, *lines: str, name: str = "pages.csv") -> Situation:
    command = f"pages {name} --site-url {SITE} --out site --temp temp --memory 200MB"
    return Situation(words, "`smindex pages`", run(command, {name: "".join(f"{line}\n" for line in lines)}))


HOOK = 'def keep(page):\n    return page if page.meta["layout"] != "print" else None\n'
TABLE = ("url,lastmod", f"{SITE}a,2024-05-01")
BLOG = {"blog/sitemap.xml": urlset(f"{SITE}blog/")}
BUILD_SITUATIONS: dict[str, Situation] = {
    "failed-filter": built(
        'The function `keep` in `hooks.py` has `page.meta["layout"]`, and no page has front matter.',
        run(f"{BUILD} --set filter=hooks:keep", {"site/index.html": PAGE, "site/a/index.html": PAGE, "hooks.py": HOOK}),
    ),
    "bulk-commit": built("A commit reformatted 12 of 20 pages.", in_repository(reformatted)),
    "uncommitted-edits": built("Two of three sources have edits that are not committed.", in_repository(edited)),
    "undated-by-nature": built("The source of a new page is not committed yet.", in_repository(added)),
    "undated-pages": built("On GitHub Actions, `actions/checkout` fetched only the last commit.", shallow),
    "unknown-dependency": built(
        "A page has `depends: price.yml`. The file is `data/prices.yml`.", in_repository(depending)
    ),
    "sources-not-found": built(
        "The command has `--sources 'docs/{path}.md'`, but the sources are in `content`.",
        run(BUILD, {"site/guide/index.html": PAGE, "content/guide.md": "Text"}),
    ),
    "unread-options": built(
        "The options in `mkdocs.yml` have `exclude: 3`, and `smindex build` reads them.",
        run(
            "build",
            {
                "mkdocs.yml": f"site_url: {SITE}\nplugins:\n  - sitemap-index: {{exclude: 3}}\n",
                "site/index.html": PAGE,
                "docs/index.md": "Text",
            },
        ),
    ),
    "accidental-translation": built(
        "Pelican groups two articles with the same slug as translations, but both are in English.",
        published(
            *(
                (f"{year}/news/", variants(*(("en", f"{SITE}{each}/news/") for each in (2023, 2024))))
                for year in (2023, 2024)
            )
        ),
    ),
    "missing-variant": built(
        "A page names a French variant that the build does not have.",
        published(("en/", variants(("en", f"{SITE}en/"), ("fr", f"{SITE}fr/"))), ("de/", {})),
    ),
    "canonical-outside": built(
        "The canonical URL of a page is on another host.",
        published(
            ("guide/", {"file": "guide/index.html"}),
            files={"guide/index.html": HEAD.format('<link rel="canonical" href="https://old.e.net/guide/">')},
        ),
    ),
    "shared-url": built(
        "A build has `guide.md` and `guide/index.md`.",
        published(
            ("guide/", {"source_name": "guide.md"}),
            ("guide/", {"source_name": "guide/index.md"}),
        ),
    ),
    "unlistable-url": built("The URL of a page has 3,000 characters.", published(("a" * 3_000, {}), ("b/", {}))),
    "entry-too-large": built(
        "A program that calls `publish` names 53 MB of images of one page.",
        published(("guide/", {"images": (SITE + "a" * 53_000_000,)}), ("b/", {})),
    ),
    "stray-pages": built("Another tool put the pages of an API into the output.", with_strays),
    "robots-not-written": built(
        "With `robots_txt: write`, there is an HTML page under the name of `robots.txt`.",
        published(("", {}), files={"robots.txt": PAGE}, robots_txt="write"),
    ),
    "cannot-write": built(
        "The disk is full.",
        lambda _: written([output.cannot_write(INDEX, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))]),
    ),
    "directory-in-use": built("Another build of the same site has not ended.", in_use),
    "read-the-docs-address": built(
        "The `site_url` has `stable`. Read the Docs builds the version `latest`.",
        on_read_the_docs("https://docs.e.org/en/latest/"),
    ),
    "read-the-docs-sitemap": built("Read the Docs builds a site without a `robots.txt`.", on_read_the_docs()),
    "unreadable-versions": joined("`versions.json` was cut off.", {**BLOG, "versions.json": "["}),
    "version-without-sitemap": joined(
        "`versions.json` names the version `1.0` as the latest, which was built without a `site_url`.",
        {
            **BLOG,
            "docs/versions.json": '[{"version": "1.0", "title": "1.0", "aliases": ["latest"]}]',
            "docs/1.0/index.html": PAGE,
        },
    ),
    "nothing-to-list": joined(
        "The only build lists a sitemap of another site.",
        {f"guide/{INDEX}": index("https://old.e.net/guide/sitemap.xml")},
    ),
    "invalid-rows": rows("A row has no URL, but a word.", *TABLE, "nowhere,2024-05-01"),
    "repeated-rows": rows("Two rows have the same URL.", *TABLE, f"{SITE}a,2024-05-01"),
}
