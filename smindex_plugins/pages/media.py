"""The images and videos that a page is listed with: its own, or those that its author names.

The rules: https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps
and https://developers.google.com/search/docs/appearance/structured-data/video
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from smindex_plugins.catalogue import INCOMPLETE_VIDEO, INVALID_IMAGE, INVALID_VIDEO, TOO_MANY_IMAGES, UNREADABLE_VIDEO
from smindex_plugins.dates import w3c_date
from smindex_plugins.limits import MAX_IMAGES, MAX_VIDEO_DESCRIPTION, MAX_VIDEO_SECONDS, MAX_VIDEO_TITLE, MAX_VIDEO_URLS
from smindex_plugins.markup import content, head
from smindex_plugins.markup.front_matter import author_images
from smindex_plugins.model import Asked, Finding, Page, Video
from smindex_plugins.settings import Settings
from smindex_plugins.text import brief, one_line

# ISO 8601, less the parts that have no fixed length.
_DURATION = re.compile(
    r"P(?:(?P<days>\d{1,9})D)?(?:T(?:(?P<hours>\d{1,9})H)?(?:(?P<minutes>\d{1,9})M)?(?:(?P<seconds>\d{1,9})(?:[.,]\d+)?S)?)?",
    re.ASCII,
)
_SECONDS = {"days": 86_400, "hours": 3_600, "minutes": 60, "seconds": 1}


def add(pages: list[Page], settings: Settings, findings: list[Finding]) -> list[Page]:
    """Return the pages, each with the images and videos that the settings or its author want."""
    added = []
    for page in pages:
        if page.details.is_other:
            added.append(page)
            continue
        wanted = author_images(page)
        wanted = settings.images if wanted is None else wanted
        asked = Asked(page.url, images=wanted is True, videos=settings.videos)
        given = page.details.shown
        shown = given if given and given.asked == asked else content.read(page.file, asked)
        images = tuple(_named(page, wanted, findings)) if isinstance(wanted, tuple) else shown.images
        if len(images) > MAX_IMAGES:
            problem = f"it shows more than {MAX_IMAGES:,} images; search engines read at most {MAX_IMAGES:,}."
            fix = f"The first of them are listed. {TOO_MANY_IMAGES.fix}"
            findings.append(TOO_MANY_IMAGES.at(page.spot, problem, fix))
        if shown.broken_data:
            problem = "its JSON-LD mentions a VideoObject, but is not valid JSON."
            findings.append(UNREADABLE_VIDEO.at(page.spot, problem))
        videos = dict.fromkeys(describe(said, page, shown.base, findings) for said in shown.videos)
        described = tuple(filter(None, videos))
        if images or described:
            details = replace(page.details, images=images[:MAX_IMAGES], videos=described, shown=None)
            added.append(replace(page, details=details))
        else:
            added.append(page)
    return added


def _named(page: Page, references: tuple[str, ...], findings: list[Finding]) -> Iterator[str]:
    resolved = {reference: head.resolve(page.url, reference) for reference in references}
    for reference, url in resolved.items():
        if url is None:
            problem = (
                f"its front matter names under sitemap.images {brief(reference)}, which is no URL of http or https."
            )
            findings.append(INVALID_IMAGE.at(page.spot, problem))
    yield from dict.fromkeys(filter(None, resolved.values()))


def describe(said: Mapping[str, object], page: Page, base: str, findings: list[Finding]) -> Video | None:
    """Return the video that a ``VideoObject`` of a page describes, if it has all required values."""
    thumbnail = _url(said.get("thumbnailUrl"), page, base) or _url(said.get("thumbnail"), page, base) or ""
    title = one_line(_text(said.get("name")))[:MAX_VIDEO_TITLE].rstrip()
    description = one_line(_text(said.get("description")))[:MAX_VIDEO_DESCRIPTION].rstrip()
    file, player = (_url(said.get(key), page, base) for key in ("contentUrl", "embedUrl"))
    required = {"thumbnailUrl": thumbnail, "name": title, "description": description}
    missing = [name for name, value in {**required, "contentUrl or embedUrl": file or player}.items() if not value]
    if missing:
        named = f" {brief(title)}" if title else ""
        findings.append(INCOMPLETE_VIDEO.at(page.spot, f"its VideoObject{named} lacks {', '.join(missing)}."))
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
            problem = f"its VideoObject {brief(video.title)} has the {key} {brief(said[key])}, which is not valid."
            findings.append(INVALID_VIDEO.at(page.spot, problem, f"The video is listed without it. {fix}"))
    return video


def _text(value: object) -> str:
    while isinstance(value, list) and value:
        value = value[0]
    return value if isinstance(value, str) else ""


def _url(value: object, page: Page, base: str) -> str | None:
    """Return the first valid URL that is not the page's own. A page is not a player."""
    waiting, looked_at = [value], 0  # it may be deeper than Python calls itself
    while waiting and looked_at < MAX_VIDEO_URLS:
        item = waiting.pop()
        if inner := _inner(item):
            waiting += reversed(inner)
            continue
        looked_at += 1
        if (found := head.resolve(base, _text(item))) and found != page.url:
            return found
    return None


def _inner(value: object) -> list[object]:
    if isinstance(value, Mapping):
        return [value[key] for key in ("contentUrl", "url") if key in value]
    return value[:MAX_VIDEO_URLS] if isinstance(value, list) else []


def _seconds(value: object) -> int | None:
    match = _DURATION.fullmatch(_text(value).strip())
    total = sum(int(match[unit] or 0) * length for unit, length in _SECONDS.items()) if match else 0
    return total if 1 <= total <= MAX_VIDEO_SECONDS else None
