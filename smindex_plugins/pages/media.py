"""Which images and videos a page is listed with: its own, or those that its author names."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from smindex_plugins.limits import MAX_IMAGES
from smindex_plugins.model import Finding, Page, Video
from smindex_plugins.pages import content, document, videos
from smindex_plugins.pages.front_matter import author_images
from smindex_plugins.settings import Settings


@dataclass(frozen=True, slots=True)
class Media:
    """The pages with what they show, and what is wrong with it."""

    pages: list[Page] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def add(pages: list[Page], settings: Settings) -> Media:
    """Give every page the images and videos that the settings, or its author in their stead, want listed."""
    media = Media()
    for page in pages:
        wanted = author_images(page)
        wanted = settings.images if wanted is None else wanted
        shown = _shown(page, images=wanted is True, with_videos=settings.videos)
        images = tuple(_named(page, wanted, media.findings)) if isinstance(wanted, tuple) else shown.images
        if len(images) > MAX_IMAGES:
            media.findings.append(_too_many(page, len(images)))
        described = tuple(_videos(page, shown, media.findings))
        if images or described:
            details = replace(page.details, images=images[:MAX_IMAGES], videos=described)
            media.pages.append(replace(page, details=details))
        else:
            media.pages.append(page)
    return media


def _shown(page: Page, *, images: bool, with_videos: bool) -> content.Shown:
    if page.file and (images or with_videos):
        with contextlib.suppress(OSError):  # removed since it was chosen
            return content.read(page.file, page.url, images=images, videos=with_videos)
    return content.Shown()


def _videos(page: Page, shown: content.Shown, findings: list[Finding]) -> Iterator[Video]:
    if shown.broken_data:
        findings.append(videos.unreadable(page))
    described = [videos.describe(said, page, shown.base) for said in shown.videos]
    findings.extend(finding for _, problems in described for finding in problems)
    yield from dict.fromkeys(video for video, _ in described if video)


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
        where=page.name,
        problem=f"its front matter names under sitemap.images {reference!r}, which is no URL of http or https.",
        fix="It is not listed. Write an absolute URL, or one relative to the page's.",
    )


def _too_many(page: Page, count: int) -> Finding:
    return Finding(
        check="too-many-images",
        level="notice",
        where=page.name,
        problem=f"it shows {count:,} images; search engines read {MAX_IMAGES:,} of a page.",
        fix="The first of them are listed. Name the ones that matter under sitemap.images in its front matter.",
    )
