"""The images that a page is listed with: those of its content, or those that its author names."""

from collections.abc import Iterator
from dataclasses import replace

from smindex_plugins.catalogue import INVALID_IMAGE, TOO_MANY_IMAGES
from smindex_plugins.files import read_regular
from smindex_plugins.html import parse_images, resolve
from smindex_plugins.html.front_matter import author_images
from smindex_plugins.limits import MAX_IMAGES, MAX_PAGE_READ
from smindex_plugins.model import Finding, Page
from smindex_plugins.settings import Settings
from smindex_plugins.wording import shown


def add(pages: list[Page], settings: Settings, findings: list[Finding]) -> list[Page]:
    """Return the pages, each with the images that the settings or its author want."""
    return [page if page.details.is_other else _with_images(page, settings, findings) for page in pages]


def _with_images(page: Page, settings: Settings, findings: list[Finding]) -> Page:
    wanted = author_images(page)
    images: tuple[str, ...] = ()
    if isinstance(wanted, tuple):
        images = tuple(_named(page, wanted, findings))
    elif wanted or (wanted is None and settings.images):
        images = _rendered(page)
    if len(images) > MAX_IMAGES:
        problem = f"it shows more than {MAX_IMAGES:,} images; search engines read at most {MAX_IMAGES:,}."
        fix = f"The first of them are listed. {TOO_MANY_IMAGES.fix}"
        findings.append(TOO_MANY_IMAGES.at(page.spot, problem, fix))
    return replace(page, details=replace(page.details, images=images[:MAX_IMAGES])) if images else page


def _rendered(page: Page) -> tuple[str, ...]:
    """Return the images of a rendered page."""
    try:
        return parse_images(read_regular(page.file, MAX_PAGE_READ), page.url) if page.file else ()
    except OSError:  # removed since the page was chosen
        return ()


def _named(page: Page, references: tuple[str, ...], findings: list[Finding]) -> Iterator[str]:
    """Yield the images that the author names, once each."""
    images = {reference: resolve(page.url, reference) for reference in references}
    for reference, image in images.items():
        if image is None:
            problem = (
                f"its front matter names under sitemap.images {shown(reference)}, which is no URL of http or https."
            )
            findings.append(INVALID_IMAGE.at(page.spot, problem))
    yield from dict.fromkeys(filter(None, images.values()))
