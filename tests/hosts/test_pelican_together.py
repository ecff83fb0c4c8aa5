"""Runs of Pelican with many plugins at once, in two languages.

pelican-alias writes redirects without saying so to Pelican, pelican-image-process replaces the
images that pages show, and pelican-jinja2content reads articles from temporary files.
"""

from pathlib import Path

import pytest
from PIL import Image

from tests.hosts.pelican_blog import PLUGIN, SITEURL, Blog

FIRST, SECOND = "2024-01-01T10:00:00Z", "2024-02-02T11:00:00Z"
# Not pelican-redirect, which writes the redirects of a subsite a second time with those of the
# site, and Pelican stops.
OTHERS = ("i18n_subsites", "sitemap", "pelican_alias", "image_process", "seo", "jinja2content")
SETTINGS = {
    "I18N_SUBSITES": {"de": {}},
    "IMAGE_PROCESS": {"small": ["scale_in 4 4 False"]},
    "SITEMAP_INDEX": {"images": True},
    "AUTHOR": "Ann",
    "SEO_REPORT": False,
    "SEO_ENHANCER": True,
}
IMAGE = '<img class="image-process-small" src="{static}/images/a.png" alt="a">'


@pytest.mark.parametrize("plugins", [(PLUGIN, *OTHERS), (*OTHERS, PLUGIN)], ids=["first", "last"])
def test_every_page_but_redirects_is_listed_with_its_date_its_image_and_its_variants(
    tmp_path: Path, plugins: tuple[str, ...]
) -> None:
    blog = Blog(tmp_path)
    for lang in ("en", "de"):
        head = f"title: a\ndate: 2020-01-01\nslug: a\nlang: {lang}\nalias: old/{lang}.html\n"
        blog.write(f"content/a-{lang}.md", f"{head}\nText {{{{ 'rendered' }}}} {IMAGE}\n")
    blog.article("noindex.md", noindex="true")
    (blog.root / "content/images").mkdir()
    Image.new("RGB", (8, 8)).save(blog.root / "content/images/a.png")
    blog.commit(FIRST)
    with (blog.root / "content/a-de.md").open("a") as article:
        article.write("\nMehr.\n")
    blog.commit(SECOND)
    output = blog.run_apart(*plugins, **SETTINGS)
    left_out = {"old/en.html", "de/old/de.html", "noindex.html", "de/noindex.html"}
    listed = {
        path + "index.html" if path.endswith("/") or not path else path for path in output.pages
    }
    assert listed == output.html - left_out
    assert output.index == {
        f"{SITEURL}/sitemap-root.xml": FIRST,
        f"{SITEURL}/de/sitemap.xml": SECOND,
    }
    assert (output.pages["a.html"], output.pages["de/a.html"]) == (FIRST, SECOND)
    variants = {
        "en": f"{SITEURL}/a.html",
        "de": f"{SITEURL}/de/a.html",
        "x-default": f"{SITEURL}/a.html",
    }
    assert output.alternates[variants["en"]] == output.alternates[variants["de"]] == variants
    assert "Text rendered" in (output.directory / "a.html").read_text()
    assert "images/derivatives/small/a.png" in (output.directory / "sitemap-root.xml").read_text()
