"""A directory of pages that is built again and again while it is attacked, and what must hold of it at any moment."""

import gzip
import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from urllib.parse import unquote

from lxml import etree

from tests.hostile.child import fault
from tests.hostile.harmed import Program, run, smindex

BASE = "https://e.org/"
_NAMES = ("guide", "api", "blog", "größe", "a b", "x", "guide/deep", "api/v1/ref")
_NUMBER = "0123456789abcdef"
_USERS = {
    "notes.txt": b"mine",
    "guide/.sitemap.xml.smindex": b"mine too",
    f".smindex-{_NUMBER}-{_NUMBER}.tmp": b"not of ours, whatever its name",
    "api/data.xml": b"<data/>",
}
"""Files that are nobody's but the user's."""
_ROBOTS = b"User-agent: *\nDisallow: /private/\n"


@dataclass
class Victim:
    """A site on disk: its pages, and the options with which it is built."""

    directory: Path
    pages: set[str] = field(default_factory=set)
    """The paths of the HTML files."""
    options: dict[str, str] = field(default_factory=dict)
    base: str = BASE
    others: tuple[str, ...] = ()
    """Directories below it that are builds of their own."""
    robots: bytes = b""
    """What the user wrote into robots.txt."""

    @classmethod
    def random(cls, directory: Path, random: Random, base: str = BASE) -> "Victim":
        """Make a site with a few sections, beside files of the user's."""
        victim = cls(directory, base=base)
        for name in random.sample(_NAMES, random.randint(1, 5)):
            victim.pages |= {f"{name}/{page}.html" for page in range(random.randint(1, 6))}
        victim.pages.add("index.html")
        victim.options = {
            "--gzip": random.choice(("true", "false", "false")),
            "--sitemap-placement": random.choice(("section", "section", "root")),
            "--section-depth": random.choice("1112"),
            "--max-urls": random.choice(("2", "3", "5", "50000", "50000")),
            "--robots-txt": random.choice(("check", "check", "write")),
        }
        for name, content in _USERS.items():
            _write(directory / name, content)
        if random.random() < 0.7:
            victim.robots = _ROBOTS
            _write(directory / "robots.txt", _ROBOTS)
        victim.lay_out()
        return victim

    @property
    def is_announced(self) -> bool:
        """Whether every build adds lines to robots.txt, where those of an earlier one then stay."""
        return self.options["--robots-txt"] == "write"

    def build(self) -> Program:
        """Return the command that builds the site."""
        return smindex(*self.arguments())

    def arguments(self) -> list[str]:
        """Return the arguments of that."""
        options = [f"{name}={value}" for name, value in self.options.items() if value not in {"true", "false"}]
        excluded = [f"--exclude={name}/" for name in self.others]
        switches = [name for name, value in self.options.items() if value == "true"]
        return [
            "build",
            str(self.directory),
            "--site-url",
            self.base,
            "--lastmod=off",
            "-v",
            *switches,
            *options,
            *excluded,
        ]

    def change(self, random: Random) -> None:
        """Add pages, remove some, rename a section, or choose other options; then put that on disk."""
        before = set(self.pages)
        for _ in range(random.randint(1, 3)):
            what = random.randrange(5)
            section = random.choice(sorted(self.pages)).rpartition("/")[0]
            inside = {page for page in self.pages if section and page.startswith(f"{section}/")}
            if what == 0:
                name = random.choice(_NAMES)
                self.pages |= {f"{name}/{page}.html" for page in range(random.randint(1, 12))}
            elif what == 1:
                self.pages -= inside
            elif what == 2:
                self.pages = (self.pages - inside) | {f"{section}-2/{page.rpartition('/')[2]}" for page in inside}
            elif what == 3:
                self.options["--gzip"] = random.choice(("true", "false"))
            else:
                self.options["--sitemap-placement"] = random.choice(("section", "root"))
        self.lay_out(before)

    def lay_out(self, before: Iterable[str] = ()) -> None:
        """Write the pages, and remove those of the ones before that are none any more; nothing else is touched."""
        for page in self.pages:
            _write(self.directory / page, f"<!doctype html><title>{page}</title><p>{page}".encode())
        for page in set(before) - self.pages:
            (self.directory / page).unlink()

    def copy(self, directory: Path) -> "Victim":
        """Return the same site in another directory, as it is."""
        shutil.copytree(self.directory, directory, symlinks=True)
        return replace(self, directory=directory, pages=set(self.pages), options=dict(self.options))

    def follow(self, other: "Victim") -> None:
        """Take on the pages and the options of the same site elsewhere."""
        before, self.pages, self.options = self.pages, set(other.pages), dict(other.options)
        self.lay_out(before)

    def missing(self) -> str:
        """Return what is wrong after an undisturbed run, in one line, or nothing."""
        found = snapshot(self.directory).items()
        pages = sum((gzip.decompress(it) if name.endswith(".gz") else it).count(b"<url>") for name, it in found)
        return "" if pages == len(self.pages) else f"{pages} pages are listed, and there are {len(self.pages)}"

    def harm(self) -> str:
        """Return what is wrong at any moment, in one line, or nothing."""
        lost = (name for name, content in _USERS.items() if _content(self.directory / name) != content)
        wrong = next((f"the user's {name} is gone or changed" for name in lost), "")
        robots = (_content(self.directory / "robots.txt") or b"").splitlines()
        lines = set(self.robots.splitlines()) - set(robots)
        if lines or not (self.is_announced or robots == self.robots.splitlines()):
            wrong = "the user's robots.txt is changed"
        return wrong or untrue(self.directory, self.base)


def sites(place: Path, random: Random) -> tuple[Victim, Victim]:
    """Return a site, of which most have been built before, and its like, to which nothing is done."""
    site = Victim.random(place / "site", random)
    if random.random() < 0.9:
        run(site.build())
    return site, site.copy(place / "calm")


def mended(site: Victim, calm: Victim) -> str:
    """Return how a run that is left alone differs from what runs make that were never disturbed.

    A temporary file may stay where the section it was made for is gone.
    """
    return (
        fault(run(site.build()).ended, {0, 1})
        or calm.missing()
        or site.harm()
        or difference(settled(site.directory), settled(calm.directory))
    )


def snapshot(directory: Path) -> dict[str, bytes]:
    """Return the files of a directory."""
    files = (path for path in sorted(directory.rglob("*")) if path.is_file())
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in files}


def difference(found: dict[str, bytes], expected: dict[str, bytes]) -> str:
    """Return in one line how files differ from those of an undisturbed run, or nothing."""
    if more := sorted(found.keys() - expected.keys()):
        return f"an undisturbed run has no {more[0]} (and {len(more) - 1} more)"
    if less := sorted(expected.keys() - found.keys()):
        return f"an undisturbed run has {less[0]} (and {len(less) - 1} more)"
    other = [name for name in expected if found[name] != expected[name]]
    return f"in an undisturbed run {other[0]} has another content" if other else ""


def settled(directory: Path) -> dict[str, bytes]:
    """Return the files of a directory without those that are not in place yet."""
    files = snapshot(directory).items()
    return {name: content for name, content in files if not name.rpartition("/")[2].endswith(".smindex.tmp")}


def neither(found: dict[str, bytes], before: dict[str, bytes], after: dict[str, bytes]) -> str:
    """Return in one line which file is neither as it was before a run nor as that would leave it, or nothing."""
    for name in sorted({*found, *before, *after}):
        if found.get(name) not in (before.get(name), after.get(name)):
            return f"{name} is neither as it was before nor as it is after an undisturbed run"
    return ""


def untrue(directory: Path, base: str = BASE) -> str:
    """Return in one line what an index lists that is not there or not whole, or nothing."""
    for index in sorted(directory.rglob("*.xml")):
        content = index.read_bytes()
        if b"<sitemapindex" not in content[:1_000]:
            continue
        place = index.relative_to(directory).as_posix()
        try:
            listed = list(_locs(content))
        except etree.XMLSyntaxError as error:
            return f"{place} is not whole: {error}"
        if not listed:
            return f"{place} lists nothing"
        for url in listed:
            if wrong := _unlike_a_sitemap(directory, url.removeprefix(base)):
                return f"{place} lists {url}, which {wrong}"
    return ""


def _unlike_a_sitemap(directory: Path, path: str) -> str:
    try:
        content = (directory / unquote(path)).read_bytes()
        pages = list(_locs(gzip.decompress(content) if path.endswith(".gz") else content))
    except FileNotFoundError:
        return "is not there"
    except (OSError, EOFError, etree.XMLSyntaxError) as error:
        return f"is not whole: {error}"
    return "" if pages else "lists nothing"


def _locs(content: bytes) -> Iterator[str]:
    """Yield what a file lists, which must be well-formed; with nothing of ours."""
    for loc in etree.fromstring(content).iter("{*}loc"):
        yield str(loc.text)


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _write(path: Path, content: bytes) -> None:
    os.makedirs(path.parent, exist_ok=True)
    path.write_bytes(content)
