"""Deep and broken HTML: it may cost a page, but never the run."""

from pathlib import Path

import pytest

from smindex_plugins.model import Page
from smindex_plugins.settings import Settings, Site
from tests.support.dated import publish_as_given
from tests.support.listed import sitemaps

BASE = "https://e.org/"


@pytest.mark.parametrize(
    "content",
    [
        "<!doctype html><title>A</title><body>" + "<div>" * 300_000 + "text",
        "<a><b>" * 350_000,
        "<!doctype html><title>A</title><body>" + "<a><b>" * 350_000,
        "<!doctype html><title>A</title>" + "<template>" * 100_000 + "<p>text",
        "<!doctype html><title>A</title><body>text" + "<main><img src=a.png>" * 100_000,
    ],
    ids=lambda content: content[:60],
)
def test_deep_html_costs_no_other_page_its_place(tmp_path: Path, content: str) -> None:
    pages = []
    for name, html in {"a": "<!doctype html><title>A</title><body>text", "b": content}.items():
        (tmp_path / f"{name}.html").write_text(html)
        pages.append(Page(url=f"{BASE}{name}.html", file=str(tmp_path / f"{name}.html"), lastmod="2026-05-10"))
    report = publish_as_given(pages, Site(url=BASE, directory=str(tmp_path), settings=Settings(images=True)))
    listed = [page.url for sitemap in sitemaps(tmp_path, BASE, ["sitemap_index.xml"]) for page in sitemap.pages]
    assert f"{BASE}a.html" in listed
    assert len(listed) == report.pages == 2 - len(report.omitted)
    assert not report.findings
