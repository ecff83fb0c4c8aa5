"""Runs of Pelican with pelican-image-process, which replaces the images that rendered pages show."""

from pathlib import Path

import pytest
from lxml import etree
from PIL import Image

from tests.support.blog import PLUGIN, SITEMAP, SITEURL, Blog

IMAGE = "{http://www.google.com/schemas/sitemap-image/1.1}"
DATE = "2024-01-01T10:00:00Z"
SIZES = {"small": ["scale_in 4 4 False"]}


@pytest.mark.parametrize("plugins", [(PLUGIN, "image_process"), ("image_process", PLUGIN)], ids=["before", "after"])
def test_the_images_that_are_listed_are_those_that_visitors_see(tmp_path: Path, plugins: tuple[str, str]) -> None:
    blog = Blog(tmp_path)
    blog.article("a.md")
    image = '<img class="image-process-small" src="{static}/images/a.png" alt="a">'
    blog.write("content/a.md", f"title: a\ndate: 2020-01-01\n\nText {image}\n")
    (blog.root / "content/images").mkdir()
    Image.new("RGB", (8, 8)).save(blog.root / "content/images/a.png")
    blog.commit(DATE)
    output = blog.run_apart(*plugins, SITEMAP_INDEX={"images": True}, IMAGE_PROCESS=SIZES)
    assert output.pages["a.html"] == DATE
    shown = {
        entry.findtext(f"{SITEMAP}loc"): [str(loc.text) for loc in entry.iter(f"{IMAGE}loc")]
        for entry in etree.parse(output.directory / "sitemap-root.xml").getroot()
    }
    assert shown[f"{SITEURL}/a.html"] == [f"{SITEURL}/images/derivatives/small/a.png"]
    assert (output.directory / "images/derivatives/small/a.png").is_file()
