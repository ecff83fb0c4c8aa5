"""Language variants in a sitemap: what is written is read back and valid."""

import io
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from smindex_plugins import urls
from smindex_plugins.model import Page
from smindex_plugins.sitemaps import rendering
from smindex_plugins.sitemaps.document import Document
from smindex_plugins.sitemaps.reading import read

_BASE = "https://example.org/"
_URLS = st.text(st.characters(codec="utf-8", exclude_characters="\r\n\t"), max_size=20).map(
    lambda text: urls.normalise(_BASE + text.strip())
)
_CODES = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), min_size=1, max_size=8)
_PAGES = st.builds(Page, url=_URLS, alternates=st.lists(st.tuples(_CODES, _URLS), max_size=3).map(tuple))
_SCHEMA = etree.XMLSchema(etree.parse(Path(__file__).parents[1] / "schemas/sitemap_with_links.xsd"))


@given(st.lists(_PAGES, min_size=1, max_size=4).map(tuple))
def test_what_is_rendered_is_parsed_back(pages: tuple[Page, ...]) -> None:
    content = b"".join(rendering.urlset([rendering.render_url(page) for page in pages]))
    document = read(io.BytesIO(content), Document(url=_BASE + "sitemap.xml"))
    assert not document.findings
    assert [(entry.url, entry.alternates) for entry in document.entries] == [
        (page.url, page.alternates) for page in pages
    ]


def test_variants_stand_after_the_date_and_are_valid() -> None:
    page = Page(
        url=_BASE + "a?b=1&c='2'",
        lastmod="2024-01-01",
        alternates=(("de", _BASE + "a?b&c"), ("en", _BASE)),
    )
    content = b"".join(rendering.urlset([rendering.render_url(page)]))
    _SCHEMA.assertValid(etree.fromstring(content))
