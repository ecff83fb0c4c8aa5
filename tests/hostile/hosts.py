"""Real builds of MkDocs and of Pelican, some of whose authors are malicious: all other pages are listed and dated."""

import os
import sys
from contextlib import suppress
from pathlib import Path
from random import Random

from tests.hostile.attack import Attack
from tests.hostile.child import Ended, fault, run
from tests.hostile.content import BYTES, PAGES, VALUES
from tests.hostile.trees import HONEST, OF_OTHERS, among, front_matter, unlisted
from tests.support.planted import write

MOST_MEMORY = 300 << 20
_LONGEST = 1 << 10
"""Of what one author writes in one place: MkDocs and Markdown take minutes for more."""
_OPTIONS = ("images: true", "section_depth: 3", "max_urls: 3", "gzip: true", "robots_txt: write")
_FIELDS = (
    *(
        "Title",
        "Date",
        "Modified",
        "Updated",
        "Lastmod",
        "Slug",
        "Save_as",
        "URL",
        "Category",
        "Tags",
        "Author",
        "Status",
    ),
    *("Lang", "Translation", "Sitemap", "Depends", "Robots", "Summary", "Private", "Noindex", "Image", "Canonical"),
)
_FEEDS = (*("FEED_ALL_ATOM", "CATEGORY_FEED_ATOM", "TRANSLATION_FEED_ATOM", "AUTHOR_FEED_ATOM", "AUTHOR_FEED_RSS"),)
_NAMING = ("Title", "Slug", "Save_as", "URL", "Category", "Tags", "Author", "Lang", "Status")
"""Of which Pelican makes names of files; it ends where one is too long."""
_PATHS = (
    *(
        "../../x.html",
        "/x.html",
        "a/../../b.html",
        "a\\b.html",
        "https://other.example/",
        "//other.example/",
        "javascript:a",
    ),
    *(
        "%2e%2e/x.html",
        "a?b=c#d",
        "ä.html",
        " ",
        "x" * 99,
        "{slug}",
        "{date:%Y}",
        "x.html\x1b[2J",
        "a//b.html",
        "de",
        "draft",
    ),
    *("hidden", "true", "2024-13-45", "2024-01-01 25:61", "9999-12-31", "0001-01-01", "now", "a, b, " * 999),
)


def _mkdocs(place: Path, random: Random) -> None:
    docs = place / "docs"
    for name, date in HONEST.items():
        write(docs, {f"{name}.md": f"---\nlastmod: {date}\n---\n# A\n"})
    paths = among(docs, random)
    for path in (next(paths) for _ in range(random.randint(3, 20))):
        # MkDocs ends at a name that is no text; others the file system does not take, or they are another thing by now.
        with suppress(OSError, UnicodeEncodeError):
            str(path).encode()
            path.parent.mkdir(parents=True, exist_ok=True)
            if random.random() < 0.2:
                path.with_name(f"{path.name}.html").write_bytes(random.choice(BYTES)[: 1 << 18])
            else:
                body = random.choice(PAGES)[:_LONGEST]
                text = front_matter(random, _LONGEST).decode("utf-8", "replace")  # MkDocs ends where it cannot read
                path.with_name(f"{path.name}.md").write_text(f"{text}\n{body}", "utf-8", "replace")
    for name, content in random.sample(OF_OTHERS, random.randint(0, 3)):
        (docs / name).write_bytes(content)
    options = "".join(f"      {option}\n" for option in random.sample(_OPTIONS, random.randint(0, 3)))

    plugin = f"  - sitemap-index:\n{options or '      section_depth: 1'}\n"
    for name, more in (("with.yml", plugin), ("without.yml", "")):
        settings = f"site_name: A\nsite_url: https://e.org/\nuse_directory_urls: false\nplugins:\n  - search\n{more}"
        (place / name).write_text(settings)


def _pelican(place: Path, random: Random) -> None:
    content = place / "content"
    for name, date in HONEST.items():
        fields = f"Title: {name}\nDate: 2024-01-01\nLastmod: {date}\nURL: {name}.html\nSave_as: {name}.html\n"
        write(content, {f"{name}.md": f"{fields}\nText\n"})
    paths = among(content, random)
    for path in (next(paths) for _ in range(random.randint(3, 20))):
        with suppress(OSError):  # as above
            path.parent.mkdir(parents=True, exist_ok=True)
            suffix, write_one = random.choice(
                [(".md", _markdown), (".rst", _rst), (".html", _html), (".md", _markdown)]
            )
            path.with_name(path.name + suffix).write_text(write_one(random), "utf-8", "replace")

    settings: dict[str, object] = {
        "SITENAME": "A",
        "SITEURL": "https://e.org",
        "PATH": "content",
        "OUTPUT_PATH": "site",
        "THEME": "simple",
        "TIMEZONE": "UTC",
        "SITEMAP_INDEX": dict(random.sample([("images", True), ("gzip", True), ("section_depth", 2)], 2)),
        "STATIC_PATHS": [],
        **dict.fromkeys(_FEEDS),
    }
    text = "".join(f"{key} = {value!r}\n" for key, value in settings.items())
    (place / "without.py").write_text(text)
    (place / "with.py").write_text(f"{text}PLUGINS = ['smindex_plugins.hosts.pelican_plugin']\n")


def _fields(random: Random, form: str) -> str:
    """Return what a malicious author says of an article; some titles and dates make Pelican take it."""
    few = {field: random.choice([*VALUES, *_PATHS])[:_LONGEST] for field in random.sample(_FIELDS, 3)}
    few |= {field: few[field][:60] for field in _NAMING if field in few}
    given = {"Title": f"A {random.random()}", "Date": "2024-01-01", **(few if random.random() < 0.9 else {})}
    return "".join(form.format(field=field, value=value.replace("\n", " ")) for field, value in given.items())


def _markdown(random: Random) -> str:
    return "\n".join([_fields(random, "{field}: {value}\n"), random.choice(PAGES)[:_LONGEST]])


def _rst(random: Random) -> str:
    fields = _fields(random, ":{field}: {value}\n")
    return "\n".join([f"A {random.random()}", "#" * 30, "", fields, random.choice(PAGES)[:999]])


def _html(random: Random) -> str:
    fields = _fields(random, '<meta name="{field}" content="{value}">')
    return f"<html><head>{fields}</head><body>{random.choice(PAGES)[:_LONGEST]}"


def _run(place: Path, *command: str) -> Ended:
    quiet = {
        "DISABLE_MKDOCS_2_WARNING": "true",
        "NO_MKDOCS_2_WARNING": "1",
        "PYTHONWARNINGS": "ignore",
        "COLUMNS": "1000",
    }
    return run(sys.executable, "-m", *command, place=place, environment=quiet)


def _judged(place: Path, *command: str) -> str:
    """Build with the plugin; what goes wrong in the same way without it is none of ours."""
    ended = _run(place, *command)
    wrong = fault(ended, memory=MOST_MEMORY)
    is_ours = "smindex" in wrong.lower()
    if (wrong or ended.code) and not is_ours:
        alone = _run(place, *(part.replace("with.", "without.") for part in command))
        if fault(alone, memory=MOST_MEMORY) or alone.code:
            return ""
    wrong = wrong or unlisted(place / "site")
    if any((directory / "marker").exists() for directory in (place, place / "site", Path(os.curdir))):
        return "a program was run"
    return f"{wrong}: {ended.out[-300:]} {ended.err[-600:]}" if wrong else ""


def mkdocs(number: int, place: Path) -> str:
    """Build a site of MkDocs."""
    _mkdocs(place, Random(number))
    return _judged(place, "mkdocs", "build", "-f", str(place / "with.yml"), "-d", str(place / "site"))


def pelican(number: int, place: Path) -> str:
    """Build a site of Pelican."""
    _pelican(place, Random(number))
    return _judged(place, "pelican", "-s", "with.py")


ATTACKS = (
    Attack("mkdocs", "builds of MkDocs with malicious authors", mkdocs, 3, 200),
    Attack("pelican", "builds of Pelican with malicious authors", pelican, 3, 200),
)
