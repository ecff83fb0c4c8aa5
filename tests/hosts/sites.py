"""One site for each host: the same pages, options and history, in the form of that host."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.support.history import Repo
from tests.support.listed import sitemaps
from tests.support.module import run_module
from tests.support.planted import write
from tests.support.project import Project

BASE = "https://example.org/"
FIRST, SECOND, THIRD = "2020-09-14", "2020-09-15", "2020-09-16"
RULES = "User-agent: *\nDisallow: /search/\n"
FUNCTIONS = """\
from dataclasses import replace

def keep(page):
    if page.url.endswith("private.html"):
        return None
    return replace(page, lastmod="2020-02-02") if page.url.endswith("dated.html") else page

def fail(page):
    return page.meta["layout"]
"""
Options = dict[str, object]


def markdown(name: str, text: str, meta: Options) -> dict[str, str | bytes]:
    head = f"---\n{json.dumps(meta)}\n---\n" if meta else ""
    return {
        f"docs/{name}.md": (
            f"{head}# {name}\n\n{text}\n\n![picture](https://cdn.example/{name}.png)\n"
        )
    }


def article(name: str, text: str, meta: Options) -> dict[str, str | bytes]:
    url = "" if name == "index" else f"{name}.html"
    given = {"title": name, "date": "2019-01-01", "save_as": f"{name}.html", "url": url, **meta}
    head = "".join(f"{key}: {value}\n" for key, value in given.items())
    return {f"content/{name}.md": f"{head}\n{text}\n\n![picture](https://cdn.example/{name}.png)\n"}


def document(name: str, text: str, meta: Options) -> dict[str, str | bytes]:
    fields = "".join(f":{key}: {value}\n" for key, value in {"orphan": "", **meta}.items())
    title = f"{name}\n{'=' * len(name)}"
    return {
        f"docs/{name}.rst": (
            f"{fields}\n{title}\n\n{text}\n\n.. image:: https://cdn.example/{name}.png\n"
        )
    }


def page(name: str, text: str, meta: Options) -> dict[str, str | bytes]:
    picture = f'<img src="https://cdn.example/{name}.png">'
    html = (
        "<!doctype"
        f" html><html><head><title>{name}</title></head><body><main>{text}{picture}</main></body></html>"
    )
    return {f"site/{name}.html": html, **markdown(name, text, meta)}


def mkdocs(options: Options) -> dict[str, str | bytes]:
    theirs = {"site_name": "S", "site_url": BASE, "use_directory_urls": False, "theme": "mkdocs"}
    return {"mkdocs.yml": json.dumps(theirs | {"plugins": [{"sitemap-index": options}]})}


def pelican(options: Options) -> dict[str, str | bytes]:
    off = [
        "FEED_ALL_ATOM",
        "CATEGORY_FEED_ATOM",
        "TRANSLATION_FEED_ATOM",
        "AUTHOR_FEED_ATOM",
        "AUTHOR_FEED_RSS",
    ]
    given = {
        "SITEURL": BASE[:-1],
        "PATH": "content",
        "TIMEZONE": "UTC",
        "THEME": "simple",
        "DIRECT_TEMPLATES": [],
        "STATIC_PATHS": ["guide/data.pdf", "robots.txt"],
        "CATEGORY_SAVE_AS": "",
        **dict.fromkeys(off),
        "PLUGINS": ["smindex_plugins.hosts.pelican_plugin"],
        "SITEMAP_INDEX": options,
    }
    return {"pelicanconf.py": "".join(f"{name} = {value!r}\n" for name, value in given.items())}


def sphinx(options: Options) -> dict[str, str | bytes]:
    given = {
        "project": "S",
        "html_baseurl": BASE,
        "extensions": ["smindex_plugins.sphinx"],
        "html_theme": "basic",
        "html_extra_path": ["extra"],
        "sitemap_index": options,
    }
    return {"conf.py": "".join(f"{name} = {value!r}\n" for name, value in given.items())}


def command(options: Options) -> dict[str, str | bytes]:
    given = {"site_url": BASE, "directory": "site", "sources": "docs/{path}.md"}
    inline = re.compile(r'"([^"]*)": ')  # TOML writes such a table in one line, too
    values = {
        name: inline.sub(r'"\1" = ', json.dumps(value)) for name, value in (given | options).items()
    }
    return {
        "pyproject.toml": (
            "[tool.smindex]\n" + "".join(f"{name} = {value}\n" for name, value in values.items())
        )
    }


@dataclass(frozen=True)
class Host:
    """How a host is used: what its sources and its configuration look like, where other files lie,
    and its command.
    """

    source: Callable[[str, str, Options], dict[str, str | bytes]]
    configuration: Callable[[Options], dict[str, str | bytes]]
    copied: str
    run: str
    lenient: str = ""
    strict: str = ""
    wrong: int = 1
    """The exit code of a run with wrong options."""


HOSTS = {
    "mkdocs": Host(markdown, mkdocs, "docs", "mkdocs build -d site", "--dirty", "--strict"),
    "properdocs": Host(
        markdown, mkdocs, "docs", "properdocs build -f mkdocs.yml -d site", "--dirty", "--strict"
    ),
    "pelican": Host(
        article,
        pelican,
        "content",
        "pelican -v -s pelicanconf.py -o site",
        strict="--fatal=warnings",
    ),
    "sphinx": Host(
        document, sphinx, "extra", "sphinx -c . -d trees docs site", strict="-W", wrong=2
    ),
    "smindex": Host(page, command, "site docs", "smindex_plugins build", wrong=2),
}


class Site:
    """A site of one host in a repository, whose pages were committed on three days."""

    def __init__(self, host: Host, root: Path) -> None:
        self.host, self.repo = host, Repo.create(root / "project")
        self.output = self.repo.path / "site"
        write(self.repo.path, {".gitignore": "site\ntrees\n__pycache__\n", "hooks.py": FUNCTIONS})
        for place in host.copied.split():
            write(self.repo.path / place, {"guide/data.pdf": "%PDF-1.4\n", "robots.txt": RULES})
        for name in ("index", "dated", "private", "guide/a", "guide/b", "guide/deep/c", "drafts/d"):
            self.write(name)
        for letter in "stuvwxyz":
            self.write(f"api/{letter}")
        self.repo.commit(1)
        self.write("guide/b", "Changed.")
        self.repo.commit(2)
        self.write("api/x", "Reformatted.")
        write(
            self.repo.path,
            {".revs": self.repo.commit(2.5, message="Reformat") + "\n", "data.yml": "a: 1\n"},
        )
        self.repo.commit(3)

    def write(self, name: str, text: str = "Text.", **meta: object) -> None:
        write(self.repo.path, self.host.source(name, text, meta))

    def build(self, options: Options, *, strict: bool = False) -> tuple[int, str]:
        """Build with some options, and return the exit code and what was printed."""
        write(self.repo.path, self.host.configuration(options))
        flag = self.host.strict if strict else self.host.lenient
        done = run_module(
            *self.host.run.split(),
            *flag.split(),
            cwd=self.repo.path,
            env=Project(self.repo.path).environment | {"COLUMNS": "1000"},
        )
        printed = done.stdout + done.stderr
        assert "Traceback (most" not in printed, printed
        return done.returncode, " ".join(printed.split())

    def sitemaps(self, index: str = "sitemap_index.xml") -> dict[str, dict[str, str | None]]:
        """Give the dates of the pages of each sitemap.

        Only Pelican's home page is at the directory itself.
        """
        return {
            each.url.removeprefix(BASE): {
                page.url.removeprefix(BASE).replace("index.html", ""): page.lastmod
                for page in each.pages
            }
            for each in sitemaps(self.output, BASE, [index])
        }
