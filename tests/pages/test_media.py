from pathlib import Path

import pytest

from smindex_plugins.model import Finding, Page
from smindex_plugins.pages import add_images
from smindex_plugins.settings import Settings

URL = "https://e.org/docs/a/"
SHOWN = ("https://e.org/docs/a/a.png",)


@pytest.fixture
def rendered(tmp_path: Path) -> str:
    file = tmp_path / "page.html"
    file.write_text('<!doctype html><html><body><p>text</p><img src="a.png"></body></html>')
    return str(file)


def images(page: Page, **settings: object) -> tuple[str, ...]:
    findings: list[Finding] = []
    (added,) = add_images([page], Settings.load(settings), findings)
    assert not findings
    return added.images


@pytest.mark.parametrize(
    ("meta", "without", "within"),
    [
        (None, (), SHOWN),
        ({"title": "A"}, (), SHOWN),
        ({"sitemap": {"images": True}}, SHOWN, SHOWN),
        ({"sitemap": {"images": False}}, (), ()),
        ({"sitemap": {"images": []}}, (), ()),
        ({"sitemap": {"images": ["b.png", "/c.png", "b.png"]}}, *[(f"{URL}b.png", "https://e.org/c.png")] * 2),
        ({"sitemap": {"images": "many"}}, (), SHOWN),
    ],
)
def test_the_author_decides_for_a_page_and_the_settings_for_all_others(
    rendered: str, meta: dict[str, object] | None, without: tuple[str, ...], within: tuple[str, ...]
) -> None:
    page = Page(url=URL, file=rendered, meta=meta)
    assert images(page) == without
    assert images(page, images=True) == within


def test_a_page_without_a_file_or_with_one_that_is_gone_has_no_images(tmp_path: Path) -> None:
    assert images(Page(url=URL), images=True) == ()
    assert images(Page(url=URL, file=str(tmp_path / "gone.html")), images=True) == ()


def test_an_image_that_is_no_url_of_http_is_named(rendered: str) -> None:
    page = Page(
        url=URL,
        file=rendered,
        source_name="a.md",
        meta={"sitemap": {"images": ["data:image/gif,", "b.png"]}},
    )
    findings: list[Finding] = []
    (added,) = add_images([page], Settings(), findings)
    assert added.images == (f"{URL}b.png",)
    (finding,) = findings
    assert (finding.check, finding.level, finding.where) == ("invalid-front-matter", "warning", "a.md")
    assert "'data:image/gif,'" in finding.problem


def test_of_more_images_than_search_engines_read_the_first_are_listed(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text("<!doctype html><p>text" + "".join(f"<img src={number}.png>" for number in range(1_001)))
    findings: list[Finding] = []
    (added,) = add_images([Page(url=URL, file=str(file))], Settings(images=True), findings)
    assert added.images == tuple(f"{URL}{number}.png" for number in range(1_000))
    (finding,) = findings
    assert (finding.check, finding.level, finding.where) == ("too-many-images", "warning", URL)
    assert "more than 1,000 images" in finding.problem
