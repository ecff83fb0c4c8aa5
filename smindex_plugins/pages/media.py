"""The images that a page is listed with: its own, or those that its author names."""

from collections.abc import Iterator
from dataclasses import replace

from smindex_plugins.catalogue import INVALID_IMAGE, TOO_MANY_IMAGES
from smindex_plugins.limits import MAX_IMAGES
from smindex_plugins.markup import content, head
from smindex_plugins.markup.front_matter import author_images
from smindex_plugins.model import Finding, Page
from smindex_plugins.settings import Settings
from smindex_plugins.wording import shown


def add(pages: list[Page], settings: Settings, findings: list[Finding]) -> list[Page]:
    """Return the pages, each with the images that the settings or its author want."""
    added = []
    for page in pages:
        if page.details.is_other:
            added.append(page)
            continue
        wanted = author_images(page)
        wanted = settings.images if wanted is None else wanted
        given = page.details.shown
        images: tuple[str, ...] = ()
        if isinstance(wanted, tuple):
            images = tuple(_named(page, wanted, findings))
        elif wanted:
            images = (given if given and given.url == page.url else content.read(page.file, page.url)).images
        if len(images) > MAX_IMAGES:
            problem = f"it shows more than {MAX_IMAGES:,} images; search engines read at most {MAX_IMAGES:,}."
            fix = f"The first of them are listed. {TOO_MANY_IMAGES.fix}"
            findings.append(TOO_MANY_IMAGES.at(page.spot, problem, fix))
        if images:
            details = replace(page.details, images=images[:MAX_IMAGES], shown=None)
            added.append(replace(page, details=details))
        else:
            added.append(page)
    return added


def _named(page: Page, references: tuple[str, ...], findings: list[Finding]) -> Iterator[str]:
    resolved = {reference: head.resolve(page.url, reference) for reference in references}
    for reference, url in resolved.items():
        if url is None:
            problem = (
                f"its front matter names under sitemap.images {shown(reference)}, which is no URL of http or https."
            )
            findings.append(INVALID_IMAGE.at(page.spot, problem))
    yield from dict.fromkeys(filter(None, resolved.values()))
