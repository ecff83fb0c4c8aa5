"""The images that pages are listed with."""

from pathlib import Path

import pytest

from smindex_plugins.base.model import Finding, Page
from smindex_plugins.base.settings import Settings
from smindex_plugins.pages.media import add_images

URL = "https://e.org/docs/a/"
SHOWN = (f"{URL}a.png",)
NAMED = (f"{URL}b.png", "https://e.org/c.png")


def images(page: Page, *, wanted: bool = True) -> tuple[tuple[str, ...], list[Finding]]:
    (added,), findings = add_images([page], Settings(images=wanted))
    return added.images, findings


@pytest.mark.parametrize(
    ("meta", "without", "within"),
    [
        (None, (), SHOWN),
        ({"sitemap": {"images": True}}, SHOWN, SHOWN),
        ({"sitemap": {"images": False}}, (), ()),
        ({"sitemap": {"images": ["b.png", "/c.png", "b.png"]}}, NAMED, NAMED),
        ({"sitemap": {"images": "many"}}, (), SHOWN),
    ],
)
def test_the_author_decides_for_a_page_and_the_option_for_all_others(
    tmp_path: Path,
    meta: dict[str, object] | None,
    without: tuple[str, ...],
    within: tuple[str, ...],
) -> None:
    (tmp_path / "a.html").write_text(
        '<!doctype html><html><body><p>text</p><img src="a.png"></body></html>'
    )
    page = Page(url=URL, file=str(tmp_path / "a.html"), meta=meta)
    assert (images(page, wanted=False), images(page)) == ((without, []), (within, []))


def test_a_page_without_a_file_has_no_images(tmp_path: Path) -> None:
    assert (
        images(Page(url=URL)) == images(Page(url=URL, file=str(tmp_path / "gone.html"))) == ((), [])
    )


def test_an_image_without_a_url_of_http_is_reported() -> None:
    meta = {"sitemap": {"images": ["data:image/gif,", "b.png"]}}
    found, (finding,) = images(Page(url=URL, source_name="a.md", meta=meta))
    assert found == (f"{URL}b.png",)
    assert (finding.check, finding.level, finding.where) == (
        "invalid-front-matter",
        "warning",
        "a.md",
    )
    assert "'data:image/gif,'" in finding.problem


def test_of_too_many_images_the_first_are_listed(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        "<!doctype html><p>text" + "".join(f"<img src={n}.png>" for n in range(1_001))
    )
    found, (finding,) = images(Page(url=URL, file=str(tmp_path / "a.html")))
    assert found == tuple(f"{URL}{number}.png" for number in range(1_000))
    assert (finding.check, finding.level, finding.where) == ("too-many-images", "warning", URL)
    assert "more than 1,000 images" in finding.problem
