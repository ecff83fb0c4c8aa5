"""The projects in which the manual's commands are run: each small, real, and with a history of
known dates.

They are served at HOST, because an address that is known to be an example gives a notice. Pages
call it example.org.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

from tests.support.planted import index, urlset, write
from tests.support.project import Project

HOST = "example-docs.org"
FIRST, SECOND, THIRD, FOURTH = (
    f"2026-{month}T09:30:00Z" for month in ("01-12", "02-20", "03-05", "04-17")
)
CONFIG = f"""\
site_name: Example
site_url: https://{HOST}/docs/
theme: mkdocs
plugins:
  - search
  - sitemap-index
"""
FAULTY: dict[str, str | bytes] = {
    "sitemap_index.xml": index(
        f"https://{HOST}/sitemap-root.xml", f"https://{HOST}/guide/sitemap.xml"
    ),
    "sitemap-root.xml": urlset(
        f"<loc>https://{HOST}/</loc><lastmod>2026-02-30</lastmod>",
        f"https://{HOST}/about/",
        f"https://{HOST}/about/index.html",
    ),
    "guide/sitemap.xml": urlset(f"https://{HOST}/guide/install/", f"https://{HOST}/blog/hello/"),
    "robots.txt": "User-agent: *\nDisallow: /guide/i\nSitemap: /sitemap_index.xml\n",
}
"""A built site with a fault of five kinds."""


def docs(root: Path, config: str = CONFIG) -> Project:
    """Make a documentation site of seven pages in three sections."""
    project = Project(root)
    write(root, {"mkdocs.yml": config, ".gitignore": "site/\n"})
    project.pages("index.md", "about.md", "guide/index.md", "guide/install.md", "guide/use.md")
    project.commit(FIRST)
    project.pages("blog/hello.md", "blog/second-post.md")
    project.commit(SECOND)
    project.write("docs/guide/install.md", "# Install\n\nOne more way to install it.\n")
    project.commit(THIRD)
    return project


def shallow(root: Path) -> None:
    """Clone the documentation site as most CI services do, with the last commit alone."""
    docs(root.parent / "origin")
    Project(root).git("clone", "-q", "--depth=1", f"file://{root.parent}/origin", ".")


def strict(root: Path) -> None:
    """Clone such a site in the same way; there, the environment decides how pages without a date
    are reported.
    """
    docs(
        root.parent / "origin",
        CONFIG.replace("sitemap-index\n", "sitemap-index:\n      undated: !ENV [UNDATED, warn]\n"),
    )
    Project(root).git("clone", "-q", "--depth=1", f"file://{root.parent}/origin", ".")


def typo(root: Path) -> None:
    """Make the documentation site with a pattern that lacks its slash."""
    docs(root, CONFIG.replace("sitemap-index\n", "sitemap-index:\n      exclude: [blog]\n"))


def blog(root: Path, path: str = "/blog") -> None:
    """Make a blog of five articles in two categories."""
    project = Project(root)
    settings = [
        'SITENAME = "Example"',
        f'SITEURL = "https://{HOST}{path}"',
        'PATH = "content"',
        'TIMEZONE = "UTC"',
        'ARTICLE_URL = ARTICLE_SAVE_AS = "{category}/{slug}.html"',
        'PLUGINS = ["sitemap_index"]',
        (
            "FEED_ALL_ATOM = CATEGORY_FEED_ATOM = TRANSLATION_FEED_ATOM = AUTHOR_FEED_ATOM ="
            " AUTHOR_FEED_RSS = None"
        ),
    ]
    write(
        root,
        {"pelicanconf.py": "\n".join(settings) + "\n", ".gitignore": "output/\n__pycache__/\n"},
    )
    for number, slug in enumerate(["bread", "butter", "tents", "boots", "maps"], start=1):
        category = "food" if number < 3 else "travel"
        head = f"Title: About {slug}\nDate: 2026-01-0{number}\n" + (
            "Status: draft\n" if slug == "maps" else ""
        )
        project.write(f"content/{category}/{slug}.md", f"{head}\nText about {slug}.\n")
    project.write("content/pages/contact.md", "Title: Contact\n\nWrite to us.\n")
    project.commit(FIRST)
    project.write(
        "content/travel/tents.md", "Title: About tents\nDate: 2026-01-03\n\nMore about tents.\n"
    )
    project.commit(SECOND)


def blog_at_root(root: Path) -> None:
    """Make the same blog at the root of its host, where pelican-alias leads."""
    blog(root, "")


def zensical(root: Path) -> None:
    """Make a project of Zensical with five pages."""
    project = Project(root)
    config = f'[project]\nsite_name = "Example"\nsite_url = "https://{HOST}/docs/"\n'
    write(root, {"zensical.toml": config, ".gitignore": "site/\n"})
    project.pages("index.md", "about.md", "guide/index.md", "guide/install.md")
    project.commit(FIRST)
    project.write("docs/guide/use.md")
    project.commit(SECOND)


def sphinx(root: Path, extension: str = 'extensions = ["smindex_plugins.sphinx"]\n') -> Project:
    """Make a project of Sphinx with three documents."""
    project = Project(root)
    settings = (
        f'project = "Example"\nhtml_baseurl = "https://{HOST}/docs/"\nhtml_theme ='
        f' "alabaster"\n{extension}'
    )
    texts = {
        "index": "Home\n====\n\n.. toctree::\n   :glob:\n\n   guide/*\n",
        "guide/install": "Install\n=======\n",
    }
    write(
        root / "docs",
        {"conf.py": settings, **{f"{name}.rst": text for name, text in texts.items()}},
    )
    project.write("docs/guide/use.rst", "Use\n===\n")
    write(root, {".gitignore": "_build/\n"})
    project.commit(FIRST)
    return project


def generator_of_sphinx(root: Path) -> None:
    """Make the same project without the extension, and with options for the command."""
    project = sphinx(root, "")
    write(root, {"pyproject.toml": '[tool.smindex]\nexclude = ["search.html", "genindex.html"]\n'})
    project.commit(FIRST)


HTML = (
    "<!doctype html>\n<html"
    " lang=en><title>{0}</title>\n<body><h1>{0}</h1><p>Text.</p></body></html>\n"
)


def generator(root: Path) -> None:
    """Make what a generator that nobody knows has left: sources in `src`, and HTML in `public`."""
    project = Project(root)
    for path in (
        "index",
        "about/about",
        "guide/guide",
        "guide/install/install",
        "guide/use/use",
        "drafts/next/next",
    ):
        project.write(f"src/{path}.md")
        folder = "" if path == "index" else path.rpartition("/")[0] + "/"
        write(
            root / "public",
            {f"{folder}index.html": HTML.format(path.rpartition("/")[2].capitalize())},
        )
    write(root / "public", {"404.html": HTML.format("Not found")})
    write(root, {".gitignore": "public/\n"})
    project.commit(FIRST)
    project.write("src/guide/use/use.md", "# Use\n\nChanged.\n")
    project.commit(SECOND)


def vitepress(root: Path) -> None:
    """Make what VitePress has left of pages that are not where their sources are, with a sitemap of
    its own.
    """
    project = Project(root)
    write(root, {"docs/.vitepress/config.mts": "export default {}\n", ".gitignore": "dist/\n"})
    edit = (
        f'<a class="edit-link-button" href="https://git.{HOST}/me/docs/edit/main/docs/{{}}">Edit'
        " this page</a>"
    )
    pages = {
        "index": "index.md",
        "about": "about.md",
        "a/api": "packages/a/api.md",
        "b/api": "packages/b/api.md",
    }
    for path, source in pages.items():
        project.write(f"docs/{source}")
        html = HTML.format(path).replace("</body>", f"{edit.format(source)}</body>")
        write(root / "docs/.vitepress/dist", {f"{path}.html": html})
    own = urlset(*(f"https://{HOST}/{path.replace('index', '')}" for path in pages))
    write(root / "docs/.vitepress/dist", {"404.html": HTML.format("Not found"), "sitemap.xml": own})
    project.commit(FIRST)


def large(root: Path) -> None:
    """Write a built site whose guide has seventy pages."""
    pages = {
        f"guide/topic-{number:02}/index.html": HTML.format(f"Topic {number}")
        for number in range(1, 71)
    }
    write(
        root / "public",
        {"index.html": HTML.format("Home"), "about/index.html": HTML.format("About"), **pages},
    )


def faulty(root: Path) -> None:
    """Write a site with planted faults."""
    write(root / "site", FAULTY)


def parts(root: Path) -> None:
    """Make a repository of three documentation projects."""
    project = Project(root)
    write(root, {".gitignore": "public/\n"})
    for number, part in enumerate(("api", "web", "handbook"), start=1):
        write(root / part, {"mkdocs.yml": CONFIG.replace("/docs/", f"/{part}/")})
        for page in ("index.md", "guide/one.md", "guide/two.md"):
            project.write(f"{part}/docs/{page}", f"# {part} {page}\n")
        project.commit(f"2026-0{number}-01T08:00:00Z")


def mike(root: Path) -> None:
    """Make a documentation site whose versions mike deploys, and the repository to which it
    pushes.
    """
    config = CONFIG.replace(
        "  - sitemap-index", "  - mike:\n      canonical_version: latest\n  - sitemap-index"
    )
    project = docs(root, config)
    project.git("clone", "-q", "--bare", ".", ".git/origin.git")
    project.git("remote", "add", "origin", str(root / ".git/origin.git"))


def table(root: Path) -> None:
    """Pages of a shop in a table, with some mistakes."""
    shop = f"https://{HOST}/"
    rows = [
        f"{shop},2026-01-02",
        *(f"{shop}shoes/{number},2026-01-0{number}T08:00:00Z" for number in (1, 2, 3)),
        f"{shop}shoes/1,2026-01-04T08:00:00Z",
        f"{shop}hats/größe 7,last week",
        "http://localhost:8000/hats/8,2026-01-02",
        ",2026-01-02",
    ]
    write(root, {"pages.csv": "\n".join(["url,lastmod", *rows]) + "\n"})


WORLDS: Mapping[str, Callable[[Path], object]] = {
    make.__name__: make
    for make in (
        docs,
        shallow,
        strict,
        typo,
        blog,
        blog_at_root,
        zensical,
        sphinx,
        generator_of_sphinx,
        generator,
        vitepress,
        large,
        faulty,
        parts,
        mike,
        table,
    )
}
