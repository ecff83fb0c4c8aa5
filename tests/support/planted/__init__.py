"""Sites and options that are right, and that are wrong: how they are written, and seventeen faults
in one site.
"""

import gzip
from collections.abc import Mapping
from pathlib import Path

Files = dict[str, str | bytes]
"""The files of a site, by their paths."""
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
EXTENSIONS = {
    "image": "http://www.google.com/schemas/sitemap-image/1.1",
    "news": "http://www.google.com/schemas/sitemap-news/0.9",
    "video": "http://www.google.com/schemas/sitemap-video/1.1",
    "xhtml": "http://www.w3.org/1999/xhtml",
}
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def urlset(*entries: str, namespace: str = NAMESPACE, head: str = HEAD) -> str:
    """Write a sitemap of entries, each a URL or the inside of its <url>."""
    used = {
        prefix: uri
        for prefix, uri in EXTENSIONS.items()
        if any(f"<{prefix}:" in entry for entry in entries)
    }
    declared = "".join(f' xmlns:{prefix}="{uri}"' for prefix, uri in used.items())
    urls = "".join(f"<url>{inside(entry)}</url>\n" for entry in entries)
    return f'{head}<urlset xmlns="{namespace}"{declared}>\n{urls}</urlset>\n'


def index(*entries: str) -> str:
    """Write an index of entries, each a URL or the inside of its <sitemap>."""
    sitemaps = "".join(f"<sitemap>{inside(entry)}</sitemap>\n" for entry in entries)
    return f'{HEAD}<sitemapindex xmlns="{NAMESPACE}">\n{sitemaps}</sitemapindex>\n'


def inside(entry: str) -> str:
    """Give the inside of an entry."""
    return entry if entry.startswith("<") or not entry else f"<loc>{entry}</loc>"


def write(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write the files of a site; text in one whose name ends in .gz is compressed."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = content.encode() if isinstance(content, str) else content
        path.write_bytes(
            gzip.compress(data) if isinstance(content, str) and name.endswith(".gz") else data
        )
    return root


BASE = "http://e.org/docs/"
ROOT = "http://e.org/"

SEVENTEEN: dict[str, str | bytes] = {
    "docs/sitemap_index.xml": index(
        "http://e.org/above.xml",
        "https://e.org/docs/secure/sitemap.xml",
        BASE + "nested.xml",
        BASE + "missing.xml",
        f"<loc>{BASE}guide/sitemap.xml</loc><lastmod>2026-13-45</lastmod>",
        BASE + "guide/sitemap.xml",
        BASE + "empty.xml",
        BASE + "many.xml",
    ),
    "above.xml": urlset(ROOT + "a"),
    "docs/secure/sitemap.xml": urlset(BASE + "secure/a"),
    "docs/nested.xml": index(BASE + "guide/sitemap.xml"),
    "docs/empty.xml": urlset(),
    "docs/many.xml": urlset(*(f"{BASE}many/{number}" for number in range(50_010))),
    "docs/guide/sitemap.xml": urlset(
        BASE + "guide/a",
        BASE + "guide/a",
        BASE + "guide/b",
        BASE + "guide/b/",
        BASE + "other/a",
        "http://elsewhere.example/guide/a",
        "/docs/guide/c",
        f"<loc>{BASE}guide/d</loc><lastmod>yesterday</lastmod>",
        BASE + "guide/" + "long" * 525,
        BASE + "guide/with space",
    ),
    "robots.txt": "User-agent: *\nDisallow: /docs/guide/\nSitemap: docs/sitemap_index.xml\n",
}
"""The seventeen that five existing checkers were given; the best of them found two."""
