"""A finding contains, for machines, what it is about: a file, a URL, a source and a line."""

import pytest

from smindex_plugins.base import urls
from smindex_plugins.base.catalogue import SHARED_URL
from smindex_plugins.base.model import Page, Spot
from smindex_plugins.reading.document import Document, Entry

URL = "https://e.org/a/"
PAGE = Page(url=URL, file="/s/a/index.html", sources=("/d/a.md", "/b"), source_name="a.md")
SITEMAP = Document(url="https://e.org/s.xml", where="s.xml", file="site/s.xml")


@pytest.mark.parametrize(
    ("place", "where", "file", "url", "source", "line"),
    [
        (URL, URL, None, URL, None, None),
        (PAGE.spot, "a.md", "/s/a/index.html", URL, "/d/a.md", None),
        (SITEMAP.spot(), "s.xml", "site/s.xml", "https://e.org/s.xml", None, None),
        (SITEMAP.spot(Entry(URL, URL, line=3)), "s.xml", "site/s.xml", URL, None, 3),
        (Spot("s.xml", url=urls.NO_ADDRESS + "s.xml"), "s.xml", None, None, None, None),
        (Spot("s.xml", url="https://user:secret@e.org/"), "s.xml", None, None, None, None),
    ],
)
def test_a_place_is_a_file_a_url_or_words(
    place: str | Spot,
    where: str,
    *,
    file: str | None,
    url: str | None,
    source: str | None,
    line: int | None,
) -> None:
    finding = SHARED_URL.at(place, "It is.")
    assert (finding.where, finding.file, finding.url, finding.source, finding.line) == (
        where,
        file,
        url,
        source,
        line,
    )
    assert finding.fix == SHARED_URL.fix


def test_every_part_of_a_finding_is_printable() -> None:
    finding = SHARED_URL.at("a\n::error::", "https://me:secret@e.org/\x1b[1m", "\u202e", line=3)
    assert str(finding) == r"a\n\x3a:error::, line 3: https://***@e.org/\x1b[1m \u202e [shared-url]"
