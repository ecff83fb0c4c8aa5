"""Which images and videos a page is listed with: its own, or those that its author names."""

import contextlib
from collections.abc import Iterator
from dataclasses import replace

from smindex_plugins.catalogue import INVALID_IMAGE, TOO_MANY_IMAGES, UNREADABLE_VIDEO
from smindex_plugins.limits import MAX_IMAGES
from smindex_plugins.model import Finding, Page, Video
from smindex_plugins.pages import content, document, videos
from smindex_plugins.pages.front_matter import author_images
from smindex_plugins.settings import Settings


def add(pages: list[Page], settings: Settings, findings: list[Finding]) -> list[Page]:
    """Return the pages, each with the images and videos that the settings, or else its author, want listed."""
    added = []
    for page in pages:
        wanted = author_images(page)
        wanted = settings.images if wanted is None else wanted
        shown = _shown(page, images=wanted is True, with_videos=settings.videos)
        images = tuple(_named(page, wanted, findings)) if isinstance(wanted, tuple) else shown.images
        if len(images) > MAX_IMAGES:
            problem = f"it shows {len(images):,} images; search engines read {MAX_IMAGES:,} of a page."
            findings.append(
                TOO_MANY_IMAGES.at(page.name, problem, f"The first of them are listed. {TOO_MANY_IMAGES.fix}")
            )
        described = tuple(_videos(page, shown, findings))
        if images or described:
            details = replace(page.details, images=images[:MAX_IMAGES], videos=described)
            added.append(replace(page, details=details))
        else:
            added.append(page)
    return added


def _shown(page: Page, *, images: bool, with_videos: bool) -> content.Shown:
    if page.file and (images or with_videos):
        with contextlib.suppress(OSError):  # removed since it was chosen
            return content.read(page.file, page.url, images=images, videos=with_videos)
    return content.Shown()


def _videos(page: Page, shown: content.Shown, findings: list[Finding]) -> Iterator[Video]:
    if shown.broken_data:
        findings.append(UNREADABLE_VIDEO.at(page.name, "its JSON-LD speaks of a VideoObject, but is no JSON."))
    described = [videos.describe(said, page, shown.base, findings) for said in shown.videos]
    yield from dict.fromkeys(filter(None, described))


def _named(page: Page, references: tuple[str, ...], findings: list[Finding]) -> Iterator[str]:
    resolved = {reference: document.resolve(page.url, reference) for reference in references}
    for reference, url in resolved.items():
        if url is None:
            problem = f"its front matter names under sitemap.images {reference!r}, which is no URL of http or https."
            findings.append(INVALID_IMAGE.at(page.name, problem))
    yield from dict.fromkeys(filter(None, resolved.values()))
