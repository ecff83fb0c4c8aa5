"""Chooses the images of a listed page: the images in its content, or the author's list.

The rules: https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from smindex_plugins.base.catalogue import INVALID_FRONT_MATTER, TOO_MANY_IMAGES
from smindex_plugins.base.files import read
from smindex_plugins.base.limits import MAX_IMAGES, MAX_PAGE_READ
from smindex_plugins.base.model import Finding, Findings, Page
from smindex_plugins.base.settings import Settings
from smindex_plugins.base.text import brief
from smindex_plugins.html.page import parse_images, resolve
from smindex_plugins.pages._author import author_images


class Illustrated(NamedTuple):
    """The listed pages with their images, and what is wrong with these."""

    pages: list[Page]
    findings: list[Finding]


def add_images(pages: list[Page], settings: Settings) -> Illustrated:
    """Return the pages, each with the images that the settings or its author select."""
    added: list[Page] = []
    findings: list[Finding] = []
    for page in pages:
        wanted = author_images(page)
        if wanted is None:
            wanted = settings.images
        images = page.images
        if isinstance(wanted, tuple):
            resolved = {reference: resolve(page.url, reference) for reference in wanted}
            findings += _unresolved(page, resolved)
            images = tuple(dict.fromkeys(filter(None, resolved.values())))
        elif wanted and page.file and page.kind != "file":
            with suppress(OSError):  # the file was deleted after its head was read
                images = parse_images(read(page.file, MAX_PAGE_READ), page.url)
        if len(images) > MAX_IMAGES:
            problem = (
                f"it shows more than {MAX_IMAGES:,} images; search engines read at most"
                f" {MAX_IMAGES:,}."
            )
            fix = f"Only the first ones are listed. {TOO_MANY_IMAGES.fix}"
            findings.append(TOO_MANY_IMAGES.at(page.spot, problem, fix))
        added.append(replace(page, images=images[:MAX_IMAGES]) if images else page)
    return Illustrated(added, findings)


def _unresolved(page: Page, resolved: Mapping[str, str | None]) -> Findings:
    """Yield the images in the front matter of a page that are not valid URLs."""
    for reference, url in resolved.items():
        if url is None:
            problem = (
                f"its front matter lists {brief(reference)} in sitemap.images, which is not an http"
                " or https URL."
            )
            fix = (
                "This image is not listed. Write an absolute URL, or one relative to the page's"
                " URL."
            )
            yield INVALID_FRONT_MATTER.at(page.spot, problem, fix)
