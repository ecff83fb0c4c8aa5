"""Language variants in a sitemap: what is written is read back, and what cannot point back is not written."""

import io
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from smindex_plugins import protocol, urls
from smindex_plugins.membership import choose
from smindex_plugins.model import Page, Sitemap
from smindex_plugins.settings import Settings, Target

_BASE = "https://example.org/"
_URLS = st.text(st.characters(codec="utf-8", exclude_characters="\r\n\t"), max_size=20).map(
    lambda text: urls.normalise(_BASE + text.strip())
)
_CODES = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), min_size=1, max_size=8)
_PAGES = st.builds(Page, url=_URLS, alternates=st.lists(st.tuples(_CODES, _URLS), max_size=3).map(tuple))
_SCHEMA = etree.XMLSchema(etree.parse(Path(__file__).parent / "schemas/sitemap_with_links.xsd"))


@given(st.lists(_PAGES, min_size=1, max_size=4).map(tuple))
def test_what_is_rendered_is_parsed_back(pages: tuple[Page, ...]) -> None:
    content = b"".join(protocol.urlset([protocol.render_url(page) for page in pages]))
    parsed = protocol.parse(io.BytesIO(content), _BASE + "sitemap.xml")
    assert parsed == Sitemap(url=_BASE + "sitemap.xml", pages=pages)


def test_variants_stand_after_the_date_and_are_valid() -> None:
    page = Page(url=_BASE + "a?b=1&c='2'", lastmod="2024-01-01", alternates=(("de", _BASE + "a?b&c"), ("en", _BASE)))
    content = b"".join(protocol.urlset([protocol.render_url(page)]))
    _SCHEMA.assertValid(etree.fromstring(content))
    assert len(content) - len(protocol.render_url(page)) <= protocol.FRAME_SIZE


def test_variants_on_another_host_stay_and_unlisted_ones_go() -> None:
    target = Target(site_url=_BASE, directory="/site", settings=Settings())
    links = (("cs", "https://cs.example.org/a"), ("de", _BASE + "de/a"), ("en", _BASE + "a"))
    (page,) = choose([Page(url=_BASE + "a", alternates=links)], target).pages
    assert page.alternates == (links[0], links[2])
    (page,) = choose([Page(url=_BASE + "a", alternates=links[1:])], target).pages
    assert page.alternates == ()
