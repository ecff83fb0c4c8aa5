"""Every option once, in real builds by every host: the same site with the same options gives the same sitemaps.

Whether `pagination` matters is in the hands of who makes lists: `test_pelican_pages.py` and `test_blog.py` have it.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from tests.support.command import findings
from tests.support.history import Repo
from tests.support.listed import sitemaps
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
    return {f"docs/{name}.md": f"{head}# {name}\n\n{text}\n\n![picture](https://cdn.example/{name}.png)\n"}


def article(name: str, text: str, meta: Options) -> dict[str, str | bytes]:
    url = "" if name == "index" else f"{name}.html"
    given = {"title": name, "date": "2019-01-01", "save_as": f"{name}.html", "url": url, **meta}
    head = "".join(f"{key}: {value}\n" for key, value in given.items())
    return {f"content/{name}.md": f"{head}\n{text}\n\n![picture](https://cdn.example/{name}.png)\n"}


def document(name: str, text: str, meta: Options) -> dict[str, str | bytes]:
    fields = "".join(f":{key}: {value}\n" for key, value in {"orphan": "", **meta}.items())
    title = f"{name}\n{'=' * len(name)}"
    return {f"docs/{name}.rst": f"{fields}\n{title}\n\n{text}\n\n.. image:: https://cdn.example/{name}.png\n"}


def page(name: str, text: str, meta: Options) -> dict[str, str | bytes]:
    picture = f'<img src="https://cdn.example/{name}.png">'
    html = f"<!doctype html><html><head><title>{name}</title></head><body><main>{text}{picture}</main></body></html>"
    return {f"site/{name}.html": html, **markdown(name, text, meta)}


def mkdocs(options: Options) -> dict[str, str | bytes]:
    theirs = {"site_name": "S", "site_url": BASE, "use_directory_urls": False, "theme": "mkdocs"}
    return {"mkdocs.yml": json.dumps(theirs | {"plugins": [{"sitemap-index": options}]})}


def pelican(options: Options) -> dict[str, str | bytes]:
    off = ["FEED_ALL_ATOM", "CATEGORY_FEED_ATOM", "TRANSLATION_FEED_ATOM", "AUTHOR_FEED_ATOM", "AUTHOR_FEED_RSS"]
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
    values = {name: inline.sub(r'"\1" = ', json.dumps(value)) for name, value in (given | options).items()}
    return {"pyproject.toml": "[tool.smindex]\n" + "".join(f"{name} = {value}\n" for name, value in values.items())}


@dataclass(frozen=True)
class Host:
    """How a host is used: what its sources and its configuration look like, where other files lie, and its command."""

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
    "properdocs": Host(markdown, mkdocs, "docs", "properdocs build -f mkdocs.yml -d site", "--dirty", "--strict"),
    "pelican": Host(article, pelican, "content", "pelican -v -s pelicanconf.py -o site", strict="--fatal=warnings"),
    "sphinx": Host(document, sphinx, "extra", "sphinx -c . -d trees docs site", strict="-W", wrong=2),
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
        write(self.repo.path, {".revs": self.repo.commit(2.5, message="Reformat") + "\n", "data.yml": "a: 1\n"})
        self.repo.commit(3)

    def write(self, name: str, text: str = "Text.", **meta: object) -> None:
        write(self.repo.path, self.host.source(name, text, meta))

    def build(self, options: Options, *, strict: bool = False) -> tuple[int, str]:
        """Build with some options, and return the exit code and what was printed."""
        write(self.repo.path, self.host.configuration(options))
        flag = self.host.strict if strict else self.host.lenient
        done = subprocess.run(
            [sys.executable, "-m", *self.host.run.split(), *flag.split()],
            cwd=self.repo.path,
            env=Project(self.repo.path).environment | {"COLUMNS": "1000"},
            capture_output=True,
            text=True,
            check=False,
        )
        printed = done.stdout + done.stderr
        assert "Traceback (most" not in printed, printed
        return done.returncode, " ".join(printed.split())

    def sitemaps(self, index: str = "sitemap_index.xml") -> dict[str, dict[str, str | None]]:
        """Give the dates of the pages of each sitemap. Only Pelican's home page is at the directory itself."""
        return {
            each.url.removeprefix(BASE): {
                page.url.removeprefix(BASE).replace("index.html", ""): page.lastmod for page in each.pages
            }
            for each in sitemaps(self.output, BASE, [index])
        }


@pytest.fixture(params=HOSTS)
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Site:
    return Site(HOSTS[request.param], tmp_path)


def test_all_options_at_once_mean_the_same_everywhere(site: Site) -> None:
    options: Options = {
        "index_filename": "maps.xml",
        "section_depth": 2,
        "section_min_pages": 1,
        "sections": [{"name": "special", "urls": ["dated.html"]}],
        "sitemap_placement": "root",
        "exclude": ["drafts/"],
        "include": ["**/*.pdf"],
        "filter": "hooks:keep",
        "lastmod_format": "date",
        "ignore_revs_file": ".revs",
        "ignore_commits": ["^Reformat"],
        "undated": "fail",
        "depends": {"guide/a.html": ["data.yml"]},
        "gzip": True,
        "images": True,
        "robots_txt": "write",
        "max_urls": 6,
    }
    code, log = site.build(options, strict=True)
    assert code == 0, log
    assert site.sitemaps("maps.xml") == {
        "sitemap-root.xml.gz": {"": FIRST},
        "sitemap-special.xml.gz": {"dated.html": "2020-02-02"},
        "sitemap-api.xml.gz": dict.fromkeys([f"api/{name}.html" for name in "stvxz"], FIRST),
        "sitemap-api-1.xml.gz": dict.fromkeys([f"api/{name}.html" for name in "uwy"], FIRST),
        "sitemap-guide.xml.gz": {"guide/a.html": THIRD, "guide/b.html": SECOND, "guide/data.pdf": FIRST},
        "sitemap-guide-deep.xml.gz": {"guide/deep/c.html": FIRST},
    }
    images = {page.url: page.images for each in sitemaps(site.output, BASE, ["maps.xml"]) for page in each.pages}
    assert images[f"{BASE}guide/deep/c.html"] == ("https://cdn.example/guide/deep/c.png",)
    assert (site.output / "robots.txt").read_text() == f"{RULES}Sitemap: {BASE}maps.xml\n"
    assert site.host.copied == "site docs" or (site.repo.path / site.host.copied / "robots.txt").read_text() == RULES
    assert "1 excluded by `drafts/`" in log
    assert "1 excluded by filter" in log
    before = {path: path.read_bytes() for path in site.output.glob("*sitemap-*")}
    code, log = site.build(options, strict=True)
    assert code == 0, log
    assert {path: path.read_bytes() for path in site.output.glob("*sitemap-*")} == before


def test_without_dates_there_are_none_and_what_no_host_made_is_counted(site: Site) -> None:
    write(site.output, {"old/index.html": "<!doctype html><title>A</title><p>Text"})
    code, log = site.build({"lastmod": "off"})
    assert code == 0, log
    found = site.sitemaps()
    assert found.keys() == {"sitemap-root.xml", "api/sitemap.xml", "guide/sitemap.xml"}
    assert {date for dates in found.values() for date in dates.values()} == {None}
    is_listed = "old/" in found["sitemap-root.xml"]
    assert is_listed == (site.host is HOSTS["smindex"])
    assert is_listed or ("1 not produced by any page" in log and log.count("stray-pages]") == 1)


def test_wrong_options_stop_a_build_before_anything_is_written_and_are_all_named(site: Site) -> None:
    shutil.rmtree(site.output / "guide", ignore_errors=True)
    code, log = site.build({"sektion_depth": 2, "max_urls": 50_001, "gzip": 1, "exclude": [3], "undated": "never"})
    assert code == site.host.wrong, log
    for message in (
        "no such option; did you mean 'section_depth'?",
        "got 50001; accepted: a whole number from 1 to 50,000",
        "got 1; accepted: true or false",
        "got 3; accepted: a URL pattern",
        "got 'never'; accepted: 'warn' or 'ignore' or 'fail'",
    ):
        assert log.count(message) == 1, log
    code, log = site.build({"filter": "hooks:kep"})
    assert code == site.host.wrong, log
    assert "has no function 'kep'; did you mean 'keep'?" in log
    assert not list(site.output.rglob("guide/a.html"))
    assert not list(site.output.rglob("*.xml"))


def test_what_goes_wrong_is_said_once_with_what_to_do_and_every_page_is_listed(site: Site) -> None:
    site.write("guide/a", lastmod="9999-99-99")
    site.repo.commit(4)
    options: Options = {
        "exclude": ["drafts/", "^api/.*$"],
        "include": ["guides/"],
        "sections": [{"name": "guides", "urls": ["guide"]}],
        "depends": {"docs/guide/": ["data.yml"]},
        "cross_site": {"https://f.org": "theirs/"},
        "ignore_revs_file": ".rev",
        "ignore_commits": ["^refmt"],
        "filter": "hooks:fail",
    }
    code, log = site.build(options)
    assert code == (site.host is HOSTS["smindex"]), log
    for message in (
        "exclude[1]: `^api/.*$` matches no page. Did you mean `api/`?",
        "include: `guides/` matches no file of the output other than pages. Did you mean `guide/`?",
        "sections[0].urls[0]: `guide` matches no page. Did you mean `guide/`?",
        "depends['docs/guide/']: `docs/guide/` matches no page. Did you mean `guide/`?",
        "theirs/: it cannot be read, so nothing shows that https://f.org agrees to be listed",
        "ignore_revs_file: `.rev` cannot be read.",
        "ignore_commits: `^refmt` matches no commit subject.",
        "`hooks:fail` raised ",
        "'9999-99-99', which is not a date",
    ):
        problem, _, fix = message.partition(" Did you mean ")  # the command prints one fix for several problems
        assert log.count(problem) == 1, (problem, log)
        assert fix in log
    assert sum(map(len, site.sitemaps().values())) == 14
    assert site.build(options, strict=True)[0] == 1


def test_a_shallow_clone_without_dates_fails_a_build_only_where_the_user_insists(site: Site) -> None:
    write(site.repo.path, {".git/shallow": site.repo.git("rev-parse", "HEAD") + "\n"})
    code, log = site.build({"undated": "fail"})
    assert code == 1, log
    assert {date for dates in site.sitemaps().values() for date in dates.values()} == {None}
    assert "git fetch --unshallow" in log
    assert "no reliable date was found, so <lastmod> is omitted: " in log
    code, log = site.build({"undated": "ignore"}, strict=True)
    assert code == 0, log


def test_a_check_and_an_explanation_call_no_function_and_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    site = Site(HOSTS["smindex"], tmp_path)
    code, log = site.build({"filter": "hooks:keep"})
    assert code == 0, log
    write(site.repo.path, {"hooks.py": "raise SystemExit\n"})
    monkeypatch.chdir(site.repo.path)
    (unlisted,) = (each for each in findings(capsys) if each["check"] == "unlisted-page")
    assert "Checks don't run `filter`, which may do so." in unlisted["problem"]
    assert main(["explain", f"{BASE}private.html"]) == 0
    assert "`filter` function returns for it" in capsys.readouterr().out
