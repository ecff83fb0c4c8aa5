"""Which images a page is listed with: its own, or those that its author names."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from smindex_plugins import content, document
from smindex_plugins.frontmatter import author_images
from smindex_plugins.limits import MAX_IMAGES
from smindex_plugins.model import Finding, Page
from smindex_plugins.settings import Settings


@dataclass(frozen=True, slots=True)
class Media:
    """The pages with what they show, and what is wrong with it."""

    pages: list[Page] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def add(pages: list[Page], settings: Settings) -> Media:
    """Give every page the images that the settings, or its author in their stead, want listed."""
    if not settings.images and not any(page.meta and "sitemap" in page.meta for page in pages):
        return Media(pages=pages)
    media = Media()
    for page in pages:
        images = tuple(_images(page, settings, media.findings))
        if len(images) > MAX_IMAGES:
            media.findings.append(_too_many(page, len(images)))
        media.pages.append(replace(page, images=images[:MAX_IMAGES]) if images else page)
    return media


def _images(page: Page, settings: Settings, findings: list[Finding]) -> Iterator[str]:
    wanted = author_images(page)
    if wanted is None:
        wanted = settings.images
    if isinstance(wanted, tuple):
        yield from _named(page, wanted, findings)
    elif wanted and page.file:
        with contextlib.suppress(OSError):  # removed since it was chosen
            yield from content.read(page.file, page.url).images


def _named(page: Page, references: tuple[str, ...], findings: list[Finding]) -> Iterator[str]:
    resolved = {reference: document.resolve(page.url, reference) for reference in references}
    for reference, url in resolved.items():
        if url is None:
            findings.append(_invalid_image(page, reference))
    yield from dict.fromkeys(filter(None, resolved.values()))


def _invalid_image(page: Page, reference: str) -> Finding:
    return Finding(
        check="invalid-image",
        level="warning",
        where=page.source_name or page.url,
        problem=f"its front matter names under sitemap.images {reference!r}, which is no URL of http or https.",
        fix="It is not listed. Write an absolute URL, or one relative to the page's.",
    )


def _too_many(page: Page, count: int) -> Finding:
    return Finding(
        check="too-many-images",
        level="notice",
        where=page.source_name or page.url,
        problem=f"it shows {count:,} images; search engines read {MAX_IMAGES:,} of a page.",
        fix="The first of them are listed. Name the ones that matter under sitemap.images in its front matter.",
    )
