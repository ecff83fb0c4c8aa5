"""Directories of pages with anything among them: what is honest is listed with its date, whatever lies beside it."""

import gzip
import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from random import Random
from urllib.parse import unquote_to_bytes

from lxml import etree

from tests.hostile.attack import Attack
from tests.hostile.child import fault, smindex
from tests.hostile.content import BOMB, BYTES, KEYS, NAMES, VALUES
from tests.support.command import PAGE
from tests.support.planted import write

BASE = "https://e.org/"
MOST_MEMORY = 300 << 20
HONEST = {
    f"{directory}{name}": f"2024-0{number}-1{name}"
    for number, directory in enumerate(("", "guide/", "guide/deep/", "api/"), 1)
    for name in range(4)
}
"""Pages, less their suffixes, with the dates that their authors wrote."""
_MARKED = b'<?xml version="1.0" encoding="UTF-8"?>\n<!-- Written by smindex-plugins -->\n'
OF_OTHERS: tuple[tuple[str, bytes], ...] = (
    ("robots.txt", b"User-agent: *\nDisallow: /*a*b*c*$\n" * 9_999),
    ("robots.txt", b"user-agent: a\n" * 9_999 + b"allow: /\n" * 9_999),
    ("robots.txt", b"Sitemap: http://[/\x1b[2J\nSitemap: ::error::x\n\0\xff" * 999),
    ("robots.txt", b"<!doctype html>" + b"a" * (1 << 20)),
    ("sitemap.xml", b"<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><urlset>&b;</urlset>"),
    ("sitemap.xml.gz", b"\x1f\x8b\x08"),
    ("sitemap_index.xml", _MARKED + b"<sitemapindex>" + b"<sitemap><loc>https://e.org/../../x</loc></sitemap>" * 9_999),
    ("guide/sitemap.xml", _MARKED + b"<urlset>" * 99_999),
    ("guide/old-sitemap.xml", b"\0" * 99_999),
    ("sitemap-root.xml", _MARKED),
    ("sitemap-root-ffffffff.xml", _MARKED + b"\xff" * 99_999),
    ("versions.json", b"[" * 99_999),
    ("versions.json", b'[{"version": "../..", "aliases": ["/"]}, {"version": "guide", "aliases": ["api", "\\u0000"]}]'),
    (".smindex-0-0.tmp", _MARKED),
    ("mkdocs.yml", b"site_url: !!python/object/apply:os.system ['touch marker']\n"),
    ("conf.py", b"import os; os.system('touch marker')\nhtml_baseurl = 'http://['\n"),
)
"""Files that are not pages, in the directory that is built."""
_FLAGS = (
    *("--images", "--gzip", "--pagination", "--verbose", "--section-depth=3", "--max-urls=3"),
    *("--robots-txt=write", "--section-min-pages=1", "--sitemap-placement=root", "--exclude=**/a*b*", "--undated=fail"),
)


def honest(site: Path, docs: Path) -> None:
    """Write pages that are right, and the sources that date them."""
    write(site, {"index.html": PAGE})
    for name, date in HONEST.items():
        write(site, {f"{name}.html": PAGE})
        write(docs, {f"{name}.md": f"---\nlastmod: {date}\n---\n# A\n"})


def front_matter(random: Random, longest: int = 20_000) -> bytes:
    """Return what a malicious author writes above a text."""
    lines = [f"{random.choice(KEYS)}: {random.choice(VALUES)[:longest]}" for _ in range(random.randint(1, 4))]
    bomb = BOMB if random.random() < 0.5 else ""
    text = "\n".join(["---", bomb, *lines, "---", "# A"]) if random.random() < 0.8 else _toml(random, longest)
    return random.choice([b"", b"", b"", b"\xef\xbb\xbf"]) + text.encode("utf-8", "surrogatepass")


def _toml(random: Random, longest: int) -> str:
    value = random.choice(
        ["[" * 9_999, "9" * 9_999, "0000-00-00", "nan", "'''", "{a.b.c = 1}", '"\\uD800"', "1e9999", "a"]
    )
    dotted = "a." * random.choice([1, 63, 64, longest // 2])
    return f"+++\n{random.choice(KEYS)} = {value[:longest]}\n{dotted[:longest]}a = 1\n+++\n"


def among(directory: Path, random: Random) -> Iterator[Path]:
    """Yield paths with strange names in new or old directories below one."""
    while True:
        above = [random.choice([*NAMES, "guide", "api", "x"]) for _ in range(random.choice([0, 0, 1, 1, 2, 5]))]
        yield directory.joinpath(*above, random.choice(NAMES))


def plant(path: Path, random: Random) -> None:
    """Put something that is no honest page where one could be."""
    page = path.with_name(path.name + random.choice([".html", ".html", ".htm", ".HTML", ".xhtml"]))
    page.parent.mkdir(parents=True, exist_ok=True)
    if page.exists() or page.is_symlink():
        return
    kind = random.choice(
        [
            "page",
            "page",
            "page",
            "directory",
            "pipe",
            "socket",
            "device",
            "outside",
            "loop",
            "nowhere",
            "above",
            "closed",
        ]
    )
    if kind == "page":
        page.write_bytes(random.choice(BYTES))
    elif kind == "directory":
        (page / "index.html").mkdir(parents=True)
    elif kind == "pipe":
        os.mkfifo(page)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(os.path.relpath(page))
    elif kind == "closed":
        page.write_text(PAGE)
        page.chmod(0)
    else:
        targets = {
            "device": "/dev/zero",
            "outside": "/etc/passwd",
            "loop": page.name,
            "nowhere": "/nowhere",
            "above": "..",
        }
        page.symlink_to(targets[kind])


def attack(number: int, place: Path) -> str:
    """Build a directory in which pages that are right lie among others, and check it."""
    random = Random(number)
    site, docs = place / "site", place / "docs"
    honest(site, docs)
    with suppress(OSError):  # a name that this file system does not take, or that is another thing by now
        paths = among(site, random)
        for path in (next(paths) for _ in range(random.randint(3, 20))):
            with suppress(OSError):
                plant(path, random)
                source = docs / path.relative_to(site).with_name(path.name + ".md")
                source.parent.mkdir(parents=True, exist_ok=True)
                source.write_bytes(front_matter(random))
    for name, content in random.sample(OF_OTHERS, random.randint(0, 4)):
        (site / name).write_bytes(content)
    flags = random.sample(_FLAGS, random.randint(0, 4))
    build = smindex("build", "site", "--site-url", BASE, "--sources", "docs/{path}.md", *flags, place=place)
    wrong = fault(build, (0, 1), memory=MOST_MEMORY) or unlisted(site)
    wrong = f"{wrong}: {build.out[-400:]}{build.err[-400:]}" if wrong else ""
    if not wrong:
        after = smindex(("check", "join")[number % 2], "site", "--site-url", BASE, place=place)
        wrong = fault(after, (0, 1), memory=MOST_MEMORY) or unlisted(site)
    if (place / "marker").exists() or (site / "marker").exists():
        wrong = "a program was run"
    return f"{' '.join(flags)}: {wrong}" if wrong else ""


def unlisted(site: Path) -> str:
    """Return what is wrong with the sitemaps of a site, whose honest pages must all be in them, each once."""
    try:
        found = entries(site, BASE)
    except (OSError, etree.XMLSyntaxError) as error:
        return f"the sitemaps cannot be read: {error}"
    wanted = {f"{BASE}{name}.html": date for name, date in HONEST.items()}
    lost = [url for url, date in wanted.items() if found.get(url) != date]
    return f"lost, or dated wrongly: {', '.join(f'{url} ({found.get(url)})' for url in lost[:3])}" if lost else ""


def entries(site: Path, base: str) -> Mapping[str, str]:
    """Return the URLs and dates of what the index lists, read with nothing of ours.

    Raises:
        OSError: a file is not there, or lists something twice, or outside of the site.
    """
    found: dict[str, str] = {}
    indexes = list(site.glob("sitemap_index-*.xml")) or [site / "sitemap_index.xml"]
    for sitemap in (sitemap for index in indexes for sitemap, _ in _read(index)):
        for url, date in _read(site / os.fsdecode(unquote_to_bytes(sitemap.removeprefix(base)))):
            if url in found or not url.startswith(base):
                message = f"{sitemap} lists {url}, which is listed already, or outside"
                raise OSError(message)
            found[url] = date
    return found


def _read(path: Path) -> Iterator[tuple[str, str]]:
    content = path.read_bytes()
    root = etree.fromstring(gzip.decompress(content) if path.suffix == ".gz" else content)
    for entry in root:
        yield entry.findtext("{*}loc") or "", entry.findtext("{*}lastmod") or ""


ATTACKS = (Attack("trees", "pages among strange names, files, links, sources and sitemaps", attack, 6, 600),)
