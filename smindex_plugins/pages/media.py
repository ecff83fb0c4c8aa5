"""Which images and videos a page is listed with: its own, or those that its author names.

The rules: https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps
and https://developers.google.com/search/docs/appearance/structured-data/video
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from smindex_plugins.catalogue import INCOMPLETE_VIDEO, INVALID_IMAGE, INVALID_VIDEO, TOO_MANY_IMAGES, UNREADABLE_VIDEO
from smindex_plugins.dates import w3c_date
from smindex_plugins.limits import MAX_IMAGES, MAX_VIDEO_DESCRIPTION, MAX_VIDEO_SECONDS, MAX_VIDEO_TITLE
from smindex_plugins.model import Finding, Page, Video
from smindex_plugins.pages import content, head
from smindex_plugins.pages.front_matter import author_images
from smindex_plugins.settings import Settings
from smindex_plugins.wording import one_line

# ISO 8601, less the parts that have no fixed length.
_DURATION = re.compile(
    r"P(?:(?P<days>\d+)D)?(?:T(?:(?P<hours>\d+)H)?(?:(?P<minutes>\d+)M)?(?:(?P<seconds>\d+)(?:[.,]\d+)?S)?)?"
)
_SECONDS = {"days": 86_400, "hours": 3_600, "minutes": 60, "seconds": 1}


def add(pages: list[Page], settings: Settings, findings: list[Finding]) -> list[Page]:
    """Return the pages, each with the images and videos that the settings, or else its author, want listed."""
    added = []
    for page in pages:
        wanted = author_images(page)
        wanted = settings.images if wanted is None else wanted
        shown = content.read(page.file, page.url, images=wanted is True, videos=settings.videos)
        images = tuple(_named(page, wanted, findings)) if isinstance(wanted, tuple) else shown.images
        if len(images) > MAX_IMAGES:
            problem = f"it shows {len(images):,} images; search engines read {MAX_IMAGES:,} of a page."
            fix = f"The first of them are listed. {TOO_MANY_IMAGES.fix}"
            findings.append(TOO_MANY_IMAGES.at(page.name, problem, fix))
        if shown.broken_data:
            findings.append(UNREADABLE_VIDEO.at(page.name, "its JSON-LD speaks of a VideoObject, but is no JSON."))
        videos = dict.fromkeys(describe(said, page, shown.base, findings) for said in shown.videos)
        described = tuple(filter(None, videos))
        if images or described:
            details = replace(page.details, images=images[:MAX_IMAGES], videos=described)
            added.append(replace(page, details=details))
        else:
            added.append(page)
    return added


def _named(page: Page, references: tuple[str, ...], findings: list[Finding]) -> Iterator[str]:
    resolved = {reference: head.resolve(page.url, reference) for reference in references}
    for reference, url in resolved.items():
        if url is None:
            problem = f"its front matter names under sitemap.images {reference!r}, which is no URL of http or https."
            findings.append(INVALID_IMAGE.at(page.name, problem))
    yield from dict.fromkeys(filter(None, resolved.values()))


def describe(said: Mapping[str, object], page: Page, base: str, findings: list[Finding]) -> Video | None:
    """Return the video that a ``VideoObject`` of a page describes, if it says what it must."""
    thumbnail = _url(said.get("thumbnailUrl"), page, base) or _url(said.get("thumbnail"), page, base) or ""
    title = one_line(_text(said.get("name")))[:MAX_VIDEO_TITLE].rstrip()
    description = one_line(_text(said.get("description")))[:MAX_VIDEO_DESCRIPTION].rstrip()
    file, player = (_url(said.get(key), page, base) for key in ("contentUrl", "embedUrl"))
    required = {"thumbnailUrl": thumbnail, "name": title, "description": description}
    missing = [name for name, value in {**required, "contentUrl or embedUrl": file or player}.items() if not value]
    if missing:
        named = f" {title!r}" if title else ""
        findings.append(INCOMPLETE_VIDEO.at(page.name, f"its VideoObject{named} lacks {', '.join(missing)}."))
        return None
    video = Video(
        thumbnail=thumbnail,
        title=title,
        description=description,
        content=file,
        player=player,
        seconds=_seconds(said.get("duration")),
        published=w3c_date(said.get("uploadDate")),
    )
    duration = "Write an ISO 8601 duration from PT1S to PT8H, such as PT1H30M, or none."
    date = "Write an ISO 8601 date, such as 2026-05-10."
    for key, value, fix in (("duration", video.seconds, duration), ("uploadDate", video.published, date)):
        if said.get(key) and value is None:
            problem = f"its VideoObject {video.title!r} has the {key} {said[key]!r}, which cannot be used."
            findings.append(INVALID_VIDEO.at(page.name, problem, f"The video is listed without it. {fix}"))
    return video


def _text(value: object) -> str:
    if isinstance(value, list) and value:
        return _text(value[0])
    return value if isinstance(value, str) else ""


def _url(value: object, page: Page, base: str) -> str | None:
    """Return the first URL that is one, and not the page's own, which plays and shows no video by itself."""
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, Mapping):
            found = _url(item.get("contentUrl"), page, base) or _url(item.get("url"), page, base)
        else:
            found = head.resolve(base, _text(item))
        if found and found != page.url:
            return found
    return None


def _seconds(value: object) -> int | None:
    match = _DURATION.fullmatch(_text(value).strip())
    total = sum(int(match[unit] or 0) * length for unit, length in _SECONDS.items()) if match else 0
    return total if 1 <= total <= MAX_VIDEO_SECONDS else None
