"""The flat sitemap of a generator: what becomes of it when the index is written, and that nothing
else does.
"""

import gzip
from pathlib import Path

import pytest

from smindex_plugins import publish
from smindex_plugins.base.model import Page
from smindex_plugins.base.settings import Settings
from smindex_plugins.base.site import Site
from smindex_plugins.build import Host
from smindex_plugins.report import Report

BASE = "https://e.org/docs/"
DAY = "2020-01-02"
HTML = "<!doctype html><html><head><title>a</title>{}</head><body><p>text</body></html>"

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
MKDOCS = f"""\
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    <url>
         <loc>{BASE}</loc>
         <lastmod>2026-11-22</lastmod>
    </url>
    <url>
         <loc>{BASE}hidden/</loc>
         <lastmod>2026-11-22</lastmod>
    </url>
    <url>
         <loc>{BASE}undated/</loc>
         <lastmod>2026-11-22</lastmod>
    </url>
</urlset>
"""


def _publish(site: Path, content: str | bytes, *names: str, **settings: object) -> Report:
    """Publish a site of some pages, all but one dated, beside a flat sitemap."""
    (site / "sitemap.xml").write_bytes(content.encode() if isinstance(content, str) else content)
    pages = []
    for name in names:
        file = site / name / "index.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists():
            file.write_text(HTML.format(""))
        lastmod = None if name == "undated/" else f"{DAY}T03:04:05Z"
        pages.append(Page(url=BASE + name, file=str(file), lastmod=lastmod, source_name=name))
    loaded = Settings.load({"exclude": ["hidden/"], **settings})
    return publish(
        pages, Site(url=BASE, directory=str(site), settings=loaded), Host(flat="sitemap.xml")
    )


def _flat(site: Path) -> str:
    return (site / "sitemap.xml").read_text(encoding="utf-8")


def test_left_out_pages_leave_it_and_the_others_have_the_dates_of_the_index(tmp_path: Path) -> None:
    _publish(tmp_path, MKDOCS, "", "hidden/", "undated/")
    assert (
        _flat(tmp_path)
        == f"""\
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    <url>
         <loc>{BASE}</loc>
         <lastmod>{DAY}</lastmod>
    </url>
    <url>
         <loc>{BASE}undated/</loc>
    </url>
</urlset>
"""
    )


def test_all_else_stays_as_the_template_wrote_it_byte_for_byte(tmp_path: Path) -> None:
    content = f"""\
<?xml version='1.0' encoding='utf-8'?>\r
<?xml-stylesheet href="a.xsl"?><!-- <url><loc>{BASE}hidden/</loc></url> -->\r
<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:x="http://www.w3.org/1999/xhtml">\r
\t<s:url ><s:loc><![CDATA[{BASE}]]></s:loc><!-- é --><s:changefreq>daily</s:changefreq>\r
\t\t<x:link rel='alternate' hreflang="de" href="{BASE}de/?a=1&amp;b=>"/></s:url  >\r
</s:urlset>\r
<!-- the end -->"""
    _publish(tmp_path, content, "", "hidden/")
    assert (tmp_path / "sitemap.xml").read_bytes() == content.encode()


@pytest.mark.parametrize(
    "link",
    [
        f"<x:link href='{BASE}hidden/' hreflang='>' rel='alternate'/>",
        f'<link href="{BASE}hidden/"></link>',
    ],
)
def test_links_to_variants_that_are_left_out_leave_it(tmp_path: Path, link: str) -> None:
    kept = f'<x:link rel="alternate" hreflang="de" href="{BASE}guide/"/>'
    entry = f'<urlset xmlns:x="y"><url><loc>{BASE}</loc>%s{kept}</url></urlset>'
    _publish(tmp_path, entry % f"\n  {link}", "", "guide/", "hidden/")
    assert _flat(tmp_path) == DECLARATION + entry % ""


def test_an_entry_of_no_page_stays_with_its_date_unless_that_is_the_one_of_the_build(
    tmp_path: Path,
) -> None:
    entry = "<url><loc>{}</loc>{}</url>"
    built, own = "<lastmod>2026-11-22</lastmod>", "<lastmod>2019-05-06</lastmod>"
    app, tool, other = BASE + "app/", BASE + "tool/", "https://other.example/"
    strangers = [
        entry.format(app, own),
        entry.format(tool, "{}"),
        entry.format(other, ""),
        entry.format("/a", ""),
    ]
    content = f"<urlset>{entry.format(BASE, '{}')}{''.join(strangers)}</urlset>"
    _publish(tmp_path, content.format(built, built), "", "hidden/")
    assert _flat(tmp_path) == DECLARATION + content.format(f"<lastmod>{DAY}</lastmod>", "")


def test_a_page_is_known_however_its_url_is_written_and_listed_once(tmp_path: Path) -> None:
    entry = "<url><loc>{}</loc></url>"
    once = entry.format(f" {BASE}%c3%bc/a%20&amp;/ ")
    _publish(tmp_path, f"<urlset>{once}{entry.format(f'{BASE}ü/a &amp;/')}</urlset>", "ü/a &/")
    assert _flat(tmp_path) == f"{DECLARATION}<urlset>{once}</urlset>"


def test_a_page_that_calls_itself_otherwise_keeps_its_entry(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(
        HTML.format(f'<link rel="canonical" href="{BASE}index.html">')
    )
    report = _publish(tmp_path, MKDOCS, "", "hidden/")
    assert report.pages == 1
    assert f"{BASE}index.html" in (tmp_path / "sitemap-root.xml").read_text()
    assert f"<loc>{BASE}</loc>\n         <lastmod>{DAY}</lastmod>" in _flat(tmp_path)


@pytest.mark.parametrize("order", [1, -1])
def test_of_two_pages_at_one_url_the_listed_one_counts(tmp_path: Path, order: int) -> None:
    (tmp_path / "sitemap.xml").write_text(f"<urlset><url><loc>{BASE}</loc></url></urlset>")
    pages = [Page(url=BASE), Page(url=BASE, file="/nowhere", unlisted="marked draft")]
    publish(pages[::order], Site(url=BASE, directory=str(tmp_path)), Host(flat="sitemap.xml"))
    assert BASE in _flat(tmp_path)


def test_the_compressed_copy_has_the_same_content_and_no_time_and_neither_is_touched_again(
    tmp_path: Path,
) -> None:
    packed = tmp_path / "sitemap.xml.gz"
    packed.write_bytes(gzip.compress(MKDOCS.encode(), mtime=1))
    found = []
    for content in (MKDOCS.encode(), None):
        _publish(tmp_path, content or (tmp_path / "sitemap.xml").read_bytes(), "", "hidden/")
        found.append(
            (packed.read_bytes(), packed.stat().st_ino, (tmp_path / "sitemap.xml").stat().st_ino)
        )
    assert gzip.decompress(packed.read_bytes()) == (tmp_path / "sitemap.xml").read_bytes()
    assert packed.read_bytes()[4:8] == bytes(4)
    assert found[0] == found[1]
    assert not list(tmp_path.glob(".*"))


def test_it_tells_the_truth_also_where_no_index_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "sitemap_index.xml").write_text("not ours")
    report = _publish(tmp_path, MKDOCS, "", "hidden/")
    assert [finding.check for finding in report.findings] == ["file-not-ours"]
    assert "hidden" not in _flat(tmp_path)


def test_without_any_listed_page_it_is_empty(tmp_path: Path) -> None:
    _publish(tmp_path, MKDOCS, "", "hidden/", "undated/", exclude=["**"])
    assert _flat(tmp_path).endswith(
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n</urlset>\n'
    )


def test_one_that_is_no_xml_is_left_as_it_is_and_named_with_the_line(tmp_path: Path) -> None:
    content = f"<urlset>\n<url><loc>{BASE}?a&b</loc></url></urlset>"
    report = _publish(tmp_path, content, "", "hidden/")
    (finding,) = report.findings
    assert str(finding).startswith("sitemap.xml, line 2: it is not well-formed XML")
    assert (_flat(tmp_path), bool(report.index_urls)) == (content, True)


@pytest.mark.parametrize("encoding", ["nosuch", "utf-7", "rot13", "latin-1"])
def test_its_encoding_is_that_of_sitemaps_whatever_it_says(tmp_path: Path, encoding: str) -> None:
    content = (
        '<?xml version="1.0"'
        f' encoding="{encoding}"?>\n<urlset><url><loc>{BASE}hidden/</loc></url></urlset>'
    )
    report = _publish(tmp_path, content, "", "hidden/")
    assert not report.findings
    assert _flat(tmp_path) == f"{DECLARATION}<urlset/>"


def test_an_index_in_its_place_is_left_as_it_is(tmp_path: Path) -> None:
    content = f"<sitemapindex><sitemap><loc>{BASE}hidden/</loc></sitemap></sitemapindex>"
    assert not _publish(tmp_path, content, "", "hidden/").findings
    assert _flat(tmp_path) == content


def test_one_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    publish(
        [Page(url=BASE, lastmod=DAY)],
        Site(url=BASE, directory=str(tmp_path)),
        Host(flat="sitemap.xml"),
    )
    assert not (tmp_path / "sitemap.xml").exists()
