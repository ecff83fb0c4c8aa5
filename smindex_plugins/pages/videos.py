"""What a video sitemap demands of a video, and how JSON-LD says it.

The rules: https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps
and https://developers.google.com/search/docs/appearance/structured-data/video
"""

import re
from collections.abc import Mapping

from smindex_plugins.catalogue import INCOMPLETE_VIDEO, INVALID_VIDEO
from smindex_plugins.dates import w3c_date
from smindex_plugins.limits import MAX_VIDEO_DESCRIPTION, MAX_VIDEO_SECONDS, MAX_VIDEO_TITLE
from smindex_plugins.model import Finding, Page, Video
from smindex_plugins.pages import document
from smindex_plugins.wording import one_line

# ISO 8601, less the parts that have no fixed length.
_DURATION = re.compile(
    r"P(?:(?P<days>\d+)D)?(?:T(?:(?P<hours>\d+)H)?(?:(?P<minutes>\d+)M)?(?:(?P<seconds>\d+)(?:[.,]\d+)?S)?)?"
)
_SECONDS = {"days": 86_400, "hours": 3_600, "minutes": 60, "seconds": 1}


def describe(said: Mapping[str, object], page: Page, base: str, findings: list[Finding]) -> Video | None:
    """Return the video that a ``VideoObject`` of a page describes, if it says what it must."""
    required = {
        "thumbnailUrl": _url(said.get("thumbnailUrl"), page, base) or _url(said.get("thumbnail"), page, base),
        "name": one_line(_text(said.get("name")))[:MAX_VIDEO_TITLE].rstrip(),
        "description": one_line(_text(said.get("description")))[:MAX_VIDEO_DESCRIPTION].rstrip(),
    }
    content, player = (_url(said.get(key), page, base) for key in ("contentUrl", "embedUrl"))
    missing = [name for name, value in required.items() if not value]
    if not content and not player:
        missing.append("contentUrl or embedUrl")
    if missing:
        title = f" {required['name']!r}" if required["name"] else ""
        findings.append(INCOMPLETE_VIDEO.at(page.name, f"its VideoObject{title} lacks {', '.join(missing)}."))
        return None
    video = Video(
        thumbnail=required["thumbnailUrl"] or "",
        title=required["name"] or "",
        description=required["description"] or "",
        content=content,
        player=player,
        seconds=_seconds(said.get("duration")),
        published=w3c_date(said.get("uploadDate")),
    )
    if said.get("duration") and video.seconds is None:
        fix = "Write an ISO 8601 duration from PT1S to PT8H, such as PT1H30M, or none."
        findings.append(_invalid(page, video, "duration", said, fix))
    if said.get("uploadDate") and video.published is None:
        fix = "Write an ISO 8601 date, such as 2026-05-10."
        findings.append(_invalid(page, video, "uploadDate", said, fix))
    return video


def _text(value: object) -> str:
    if isinstance(value, list) and value:
        return _text(value[0])
    return value if isinstance(value, str) else ""


def _url(value: object, page: Page, base: str) -> str | None:
    """Give the first URL that is one, and not the page's own, which plays and shows no video by itself."""
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, Mapping):
            found = _url(item.get("contentUrl"), page, base) or _url(item.get("url"), page, base)
        else:
            found = document.resolve(base, _text(item))
        if found and found != page.url:
            return found
    return None


def _seconds(value: object) -> int | None:
    match = _DURATION.fullmatch(_text(value).strip())
    total = sum(int(match[unit] or 0) * length for unit, length in _SECONDS.items()) if match else 0
    return total if 1 <= total <= MAX_VIDEO_SECONDS else None


def _invalid(page: Page, video: Video, key: str, said: Mapping[str, object], fix: str) -> Finding:
    problem = f"its VideoObject {video.title!r} has the {key} {said[key]!r}, which cannot be used."
    return INVALID_VIDEO.at(page.name, problem, f"The video is listed without it. {fix}")
