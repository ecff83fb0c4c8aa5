import io
import os
from collections.abc import Callable

import pytest
from hypothesis import settings
from lxml import etree

SCHEMAS = os.path.join(os.path.dirname(__file__), "schemas")

# Laws are tried on few cases, the same in every run: a slow machine must not fail a test, nor a lucky one pass it.
settings.register_profile("few", max_examples=50, deadline=None, derandomize=True)
settings.load_profile("few")


@pytest.fixture(scope="session")
def validate() -> Callable[[bytes], None]:
    """Fail where a sitemap or an index is not valid under the schema of sitemaps.org that its root element names."""
    schemas = {
        "urlset": etree.XMLSchema(etree.parse(os.path.join(SCHEMAS, "sitemap.xsd"))),
        "sitemapindex": etree.XMLSchema(etree.parse(os.path.join(SCHEMAS, "siteindex.xsd"))),
    }

    def judge(content: bytes) -> None:
        document = etree.parse(io.BytesIO(content))
        schemas[etree.QName(document.getroot()).localname].assertValid(document)

    return judge
