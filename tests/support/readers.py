"""All that reads what strangers write: each reader with the forms of text in which it meets it."""

import io
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from email.message import Message
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from xml.parsers.expat import ExpatError

from smindex_plugins import addresses, checks, dates, nearest, patterns, text, tomltext, urls, yamltext
from smindex_plugins.history import git
from smindex_plugins.history.places import read_commits
from smindex_plugins.html import Includes, directives, front_matter, parse_head, parse_links, refresh_target, resolve
from smindex_plugins.model import Page
from smindex_plugins.pages import media
from smindex_plugins.projects.authors import Authors
from smindex_plugins.projects.configuration import all_beside
from smindex_plugins.reports import write_github, write_json, write_sarif, write_text
from smindex_plugins.settings import Settings
from smindex_plugins.sitemaps import flat, reading, robots
from smindex_plugins.sitemaps.document import Document
from smindex_plugins.sites import Totals
from smindex_plugins.sites.answered import _said
from smindex_plugins.sites.versions import read_versions
from smindex_plugins.text import masked
from smindex_plugins.web import Answer
from smindex_plugins.web.fetching import _wait
from tests.support.planted import NAMESPACE

URL = "https://e.org/"

Run = Callable[[str, Path], object]
"""Reads a text, with a directory in which it may be written down."""


@dataclass(frozen=True)
class Reader:
    """A reader, and the frames of the texts that grow; in a frame, `{}` is where that is."""

    run: Run
    frames: tuple[str, ...] = ("{}",)


PIECES = [
    *"a1 ,;:/.&<>\"'=-%#@([{}\n\t\0é|\\*?!_",
    *(
        "<div>",
        "</div>",
        "<div><img src=a>",
        "<p><a>",
        "<b",
        "<a b='",
        '<a b="',
        "<a =",
        "<a b=c ",
        "a= ",
        "a=' ",
        "a ",
    ),
    *("<!--", "<!-- -", "--", "<?", "</", "<!", "<![CDATA[", "<script>", "<script>//", "<title>", "<template>"),
    *("<meta charset", "<meta http-equiv=refresh content=0>", "<link rel=canonical href=b>", "<base href='a/'>"),
    *("<main><img src=a>", "<nav>", "<source srcset='a 1x'>", "<picture>", "<table><td>", "<svg>", "<noscript>"),
    *(
        "&amp;",
        "&amp",
        "&#1",
        "&#x",
        "&a",
        "&#60;",
        "%41",
        "%C3",
        "%%",
        "../",
        "./",
        "//",
        "/.",
        "//a@",
        "//a:b",
        "a:/",
    ),
    *("a 1x, ", "a,b ", "(,", "),", " 1x", "noindex,", "a: ", "unavailable_after: ", "{% ", "%}", "{{ ", "{%a%} <"),
    *("- ", "[[", "{a: ", "? ", "&a *a ", "a.", "--8<-- 'a'\n", "--8<-- ", '{% include "a" %}', "\r\n", "href=  "),
    *('{% include "a', "{% include 'a' ", '{% include "\\"', '\\"', "exclude='a "),
]

FRAMES = {
    "text": "{}",
    "head": "<!doctype html><title>a</title>{}",
    "body": '<!doctype html><html><head><meta http-equiv="x"></head><body>text <img src=a> {}',
    "template": "<!doctype html><title>{{{{ a }}}}</title><body><p>text <ul>{{% a {}",
    "attribute": "<!doctype html><meta name=robots content='{}'><link rel=canonical href='{}'><p>text",
    "unclosed attribute": '<!doctype html><body><p>text</p><meta http-equiv=refresh content="{}',
    "link": "<!doctype html>{{{{<body><p>text</p><link href={}",
    "image": "<!doctype html><body><p>text</p><img src='{}'>",
}
"""Of pages."""

_URLSET = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{NAMESPACE}"'
_MARKUP = (
    f"{_URLSET}>{{}}</urlset>",
    f"{_URLSET}><url><loc>https://e.org/{{}}</loc><lastmod>{{}}</lastmod></url></urlset>",
    f"{_URLSET}><url><loc>https://e.org/a</loc><!-- {{}}",
    f"{_URLSET} a='{{}}'><url><loc>a</loc></url></urlset>",
    f"{_URLSET} a=b {{}}",
    "<!DOCTYPE urlset [{}]><urlset/>",
    "{}",
)


def _written(place: Path, text: str, name: str = "page.html") -> str:
    file = place / name
    file.write_text(text, encoding="utf-8", newline="")
    return str(file)


def _page(place: Path, text: str) -> Page:
    file = _written(place, text)
    return Page(url=URL, file=file, sources=(file,))


def _shown(text: str, place: Path) -> None:
    page = _page(place, text)
    media.add([page], Settings(images=True), [])


def _included(text: str, place: Path) -> None:
    plugins = {"include-markdown": SimpleNamespace(config={})}
    config = SimpleNamespace(
        docs_dir=str(place), config_file_path="", plugins=plugins, markdown_extensions=(), mdx_configs={}
    )
    Includes.of_mkdocs(config).of(_written(place, text, "page.md"))


def _sitemap(text: str, _: Path, *, url: str = "https://e.org/sitemap.xml") -> None:
    document = reading.read(io.BytesIO(text.encode()), Document(url=url))
    survey = checks.Survey()
    survey.add(document)
    selection = checks.Selection(frozenset(checks.CATALOGUE))
    for _finding in (*selection.judge(document), *selection.judge(survey)):
        pass


def _robots(text: str, _: Path) -> None:
    found = robots.parse(text.encode(), url="https://e.org/robots.txt")
    list(checks.Selection(frozenset(checks.CATALOGUE)).judge(found))
    for path in ("", "a/b", "a" * 200):
        found.blocks(URL + path)


def _blocked(text: str, _: Path) -> None:
    rules = "Disallow: /*a*b$\nDisallow: /" + "*a" * 99 + "b\nAllow: /a"
    robots.parse(f"user-agent: *\n{rules}".encode()).blocks(urls.normal(URL + text[: 1 << 14]) or URL)


def _answered(text: str, _: Path) -> None:
    headers = Message()
    for name in ("X-Robots-Tag", "Refresh", "Link", "Content-Type", "Retry-After"):
        headers.add_header(name, text)
    _said(URL, Answer(url=URL, status=200, headers=headers))
    _wait(Answer(url=URL, status=503, headers=headers))


def _told(text: str, _: Path) -> None:
    kind = checks.CATALOGUE["outside-scope"]
    for write in (write_json, write_sarif, write_github, write_text):
        few = (kind.at(text, text, text) for _ in range(3))
        write(few, Totals(unseen=[text]), io.StringIO())
        many = (kind.at(f"{number}", text[:9]) for number in range(len(text) // 64))
        write(many, Totals(), io.StringIO())


def _commits(text: str, _: Path) -> None:
    with suppress(git.GitError):
        commit = git.Commit.parse(b"1 " + b"a" * 40 + b"\0" + text.encode())
        commit.may_affect({b"a": 1})
        list(commit.changes())
    with suppress(git.GitError):
        git.Commit.parse(text.encode())


def _configured(name: str) -> Run:
    def run(text: str, place: Path) -> None:
        path = Path(_written(place, text, name))
        list(configurations(str(place)))
        path.unlink()

    return run


def _versions(text: str, _: Path) -> None:
    with suppress(ValueError):
        read_versions(text.encode(), home=text.encode())


def _refused(read: Callable[[str], object], *errors: type[Exception]) -> Run:
    """Return a reader that may say that a text is none of its form."""

    def run(text: str, _: Path) -> None:
        with suppress(*errors):
            read(text)

    return run


def _of(read: Callable[[str], object]) -> Run:
    return lambda text, _: read(text)


def _authors(text: str, place: Path) -> None:
    for name in ("a.md", "a.html"):
        _written(place, text, name)
    Authors((str(place),)).texts("a")


_SITE = nearest.Site(URL, [f"{name}/{number}.html" for name in "ab" for number in range(20)])

READERS: dict[str, Reader] = {
    "head": Reader(_of(lambda text: parse_head(text.encode(), URL)), tuple(FRAMES.values())),
    "content": Reader(_shown, tuple(FRAMES.values())),
    "links": Reader(_of(lambda text: parse_links(text.encode(), URL)), tuple(FRAMES.values())),
    "front matter": Reader(
        lambda text, place: front_matter.read(_written(place, text)),
        ("{}", "---\ntitle: {}\n---\ntext", '+++\ntitle = "{}"\n+++\ntext', "---\n{}\n---\n", "+++\n{}\n+++\n"),
    ),
    "includes": Reader(
        _included, ("{}", '{{% include "a" {}', '{{% include "{}', "{{% include 'a' exclude='{}", "--8<-- '{}'")
    ),
    "sitemap": Reader(_sitemap, _MARKUP),
    "sitemap of lines": Reader(partial(_sitemap, url="https://e.org/a.txt"), ("{}", "https://e.org/{}\n")),
    "flat sitemap": Reader(
        _refused(lambda text: flat.aligned(text.encode(), {}), flat._ExcessError, ExpatError), _MARKUP
    ),
    "robots.txt": Reader(
        _robots, ("{}", "User-agent: *\nDisallow: /{}", "User-agent: *\n{}", "User-agent: {}", "Sitemap: {}")
    ),
    "rules of robots.txt": Reader(_blocked),
    "headers of answers": Reader(
        _answered, ("{}", "<{}>; rel=canonical", "<a>; {}", "<a>; rel={}", "noindex, {}", "0; url={}")
    ),
    "reports": Reader(_told),
    "log of git": Reader(_commits, ("{}", ":100644 100644 a b M\0{}", ":100644 100644 a b {}\0")),
    "list of commits": Reader(lambda text, place: read_commits(_written(place, text))),
    "versions.json": Reader(_versions, ("{}", '[{"version": "{}"}]', '[{"version": "a", "aliases": [{}]}]')),
    "YAML": Reader(
        _refused(yamltext.load, ValueError), ("{}", "a: {}", "a: '{}", "[{}", "a: |\n {}", "a: !!int {}", "&a {}")
    ),
    "TOML": Reader(
        _refused(tomltext.load, ValueError), ("{}", 'a = "{}"', "a = [{}", "a.{} = 1", "a = {}", "[{}]", '"{}" = 1')
    ),
    **{
        name: Reader(_configured(name), frames)
        for name, frames in {
            "mkdocs.yml": ("{}", "site_url: {}", "site_url: !ENV [{}]"),
            "hugo.toml": ("{}", 'baseURL = "{}"'),
            "hugo.json": ("{}", '{"baseURL": "{}"}'),
            "pelicanconf.py": ("{}", "SITEURL = '{}'", "SITEURL = {}", "SITEURL = os.environ.get('A', {})"),
        }.items()
    },
    "fields of Pelican": Reader(_authors, ("{}", "title: {}", ":title: {}", "<meta name='a' content='{}")),
    "directives": Reader(_of(directives.forbids_indexing)),
    "directives of a header": Reader(_of(directives.header_forbids_indexing), ("{}", "a: {}")),
    "refresh": Reader(_of(lambda text: refresh_target(text, URL)), ("{}", "0; url={}")),
    "reference": Reader(_of(lambda text: resolve(URL, text))),
    "URL": Reader(_of(lambda text: urls.normal(text, URL)), ("{}", "https://{}", "https://{}/", "https://e.org/{}")),
    "password": Reader(_of(masked), ("{}//a:b{}@", "{}")),
    "step": Reader(_of(lambda text: urls.step(URL, URL + text))),
    "paths": Reader(
        _of(
            lambda text: [
                read(text)
                for read in (
                    urls.file_path,
                    urls.from_file_path,
                    urls.page_path,
                    urls.encoded_path,
                    urls.is_error_page,
                )
            ]
        )
    ),
    "file of a URL": Reader(
        _of(lambda text: urls.find_file("/nowhere", URL, text[: 1 << 15], urls.answering_files)),
        ("https://e.org/{}", "https://other.example/{}"),
    ),
    "address": Reader(
        _of(lambda text: addresses.read(text, "site_url")),
        ("{}", "https://{}/", "https://e.org/{}/", "https://e.org:{}/"),
    ),
    "dates": Reader(
        _of(lambda text: (dates.w3c_date(text), dates.read_w3c(text), dates.has_day(text), dates.has_time(text))),
        ("{}", "2024-01-01T00:00:00.{}", "2024-01-01T00:00:00Z{}"),
    ),
    "pattern of files": Reader(_of(patterns.is_file_pattern)),
    "what is near a pattern": Reader(_of(lambda text: nearest.fix(text, _SITE)), ("{}", "a/{}", "^{}$")),
    "what is printed": Reader(
        _of(
            lambda given: (
                text.printable(given),
                text.brief(given),
                text.quoted(given),
                text.one_line(given),
                text.brief([given, {given: given}]),
            )
        )
    ),
}
