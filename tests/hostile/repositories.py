"""Repositories in which anything is broken, endless or malicious: their pages are listed, and no date is false."""

import os
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from tests.hostile.attack import Attack, chosen
from tests.hostile.child import Ended, fault, smindex
from tests.hostile.harms import HARMS, ZEROS, long_history
from tests.support.command import PAGE
from tests.support.gitrepo import Repo, day
from tests.support.planted import write

BASE = "https://e.org/"
MOST_MEMORY = 300 << 20
DATED = {"docs/a.md": 1, "docs/b.md": 2, "docs/moved.md": 3, "docs/deep/c.md": 4, "docs/deep/d.md": 5}
"""The files, and the days on which they got their content."""
_ENTRY = re.compile(r"<url>\s*<loc>([^<]*)</loc>(?:\s*<lastmod>([^<]*))?")


def made(place: Path) -> Repo:
    """Return a repository with some history, and a site built from it."""
    repo = Repo.create(place / "repo")
    for name, number in DATED.items():
        repo.commit(number, {name.replace("moved", "old"): name})
    repo.move("docs/old.md", "docs/moved.md")
    repo.commit(6)
    pages = [name.removeprefix("docs/").replace(".md", ".html") for name in DATED]
    write(repo.path / "site", dict.fromkeys([*pages, "index.html"], PAGE))
    return repo


def damage(path: Path, random: Random) -> str:
    """Do something to a file, and return what."""
    content = path.read_bytes() if path.is_file() else b""
    at = random.randrange(len(content) + 1)
    how = random.choice(
        ["flip", "cut", "empty", "garbage", "gone", "directory", "pipe", "device", "loop", "large", "twice"]
    )
    path.chmod(0o644)
    new = {
        "flip": content[:at]
        + bytes(byte ^ 1 << random.randrange(8) for byte in content[at : at + 1])
        + content[at + 1 :],
        "cut": content[:at],
        "empty": b"",
        "garbage": random.randbytes(random.randrange(9_999)),
        "twice": content[:at] + content,
        "large": content + b"\n#",
    }
    if how in new:
        path.write_bytes(new[how])
        if how == "large":
            os.truncate(path, 1 << 33)
        return how
    path.unlink()
    if how == "directory":
        path.mkdir()
    elif how == "pipe":
        os.mkfifo(path)
    elif how in {"device", "loop"}:
        path.symlink_to(ZEROS if how == "device" else path.name)
    return how


def any_file(number: int, place: Path) -> str:
    """Damage one file of git's own, loose or packed."""
    random = Random(number)
    repo = made(place)
    if number % 3 == 0:
        repo.git("gc", "--quiet")
        repo.git("commit-graph", "write")
    repo.git("update-index", *random.choice([["--split-index"], ["--untracked-cache"], ["--index-version", "4"]]))
    files = sorted(path for path in (repo / ".git").rglob("*") if path.is_file() and "hooks" not in path.parts)
    path = random.choice(files)
    how = damage(path, random)
    wrong = _built(repo)
    return f"{path.relative_to(repo.path)}, {how}: {wrong}" if wrong else ""


FALSE = frozenset({"grafts in a circle", "replaced in a circle"})
"""Harms after which the repository says something else of when its files were changed."""


def attack(number: int, place: Path) -> str:
    """Make a repository, harm it in one way, and build its site."""
    rounds, name = chosen(number, HARMS)
    repo = made(place)
    HARMS[name](repo, Random(number))
    wrong = _built(repo, full=rounds % 2 == 1, is_true=name not in FALSE)
    return f"{name}: {wrong}" if wrong else ""


def large(number: int, place: Path) -> str:
    """Build a site whose repository has a hundred thousand commits."""
    repo = made(place)
    long_history(100_000, (1, 100, 1_000)[number % 3])(repo, Random(number))
    return _built(repo, full=number % 2 == 1)


def _built(repo: Repo, *, full: bool = False, is_true: bool = True) -> str:
    """Build the site, and return what is wrong with that, with what is listed, or with its dates."""
    options = ["--site-url", BASE, "--sources", "docs/{path}.md", *(["--git-history", "full"] if full else [])]
    ended = smindex("build", "site", *options, place=repo.path)
    marker = repo.path.parent / "marker"
    ran = f"a program was run: {marker.read_text()[:200]}" if marker.exists() else ""
    return ran or fault(ended, (0,), memory=MOST_MEMORY) or _lost(repo, ended, is_true=is_true)


def _lost(repo: Repo, ended: Ended, *, is_true: bool) -> str:
    listed = _listed(repo / "site")
    for name, number in DATED.items():
        url = BASE + name.removeprefix("docs/").replace(".md", ".html")
        when = datetime.fromtimestamp(day(number), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        if url not in listed:
            return f"{url} is not listed: {ended.out[-300:]}"
        if is_true and listed[url] not in {when, ""}:
            return f"{url} is dated {listed[url]} in place of {when}"
    return ""


def _listed(site: Path) -> Mapping[str, str]:
    text = "".join(path.read_text("utf-8") for path in site.rglob("sitemap*.xml"))
    return {match[1]: match[2] or "" for match in _ENTRY.finditer(text)}


ATTACKS = (
    Attack("git-files", "one file of git's own that is damaged", any_file, 4, 400),
    Attack("repositories", "repositories that are strange, endless or malicious", attack, 10, 2 * len(HARMS)),
    Attack("long-histories", "repositories of 100,000 commits", large, 0, 6),
)
