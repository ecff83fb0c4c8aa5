"""Checks of robots.txt alone."""

from smindex_plugins.base import urls
from smindex_plugins.base.catalogue import (
    ROBOTS_IN_SUBDIRECTORY,
    ROBOTS_IS_HTML,
    ROBOTS_NAMES_OTHER_ADDRESS,
    ROBOTS_RELATIVE_SITEMAP,
    ROBOTS_UNREACHABLE,
    ROBOTS_UNREAD_LINE,
)
from smindex_plugins.base.model import Findings
from smindex_plugins.writing.robots import Robots


def robots_unreachable(robots: Robots) -> Findings:
    if robots.failure:
        yield ROBOTS_UNREACHABLE.at(robots.spot(), f"it cannot be fetched: {robots.failure}.")


def robots_unread_line(robots: Robots) -> Findings:
    for number, why in robots.unread.items():
        yield ROBOTS_UNREAD_LINE.at(robots.spot(number), f"{why}.")


def robots_in_subdirectory(robots: Robots) -> Findings:
    if not robots.url:
        problem = "it has no effect: crawlers read only the robots.txt at the root of the host."
        fix = "Move its lines to that file. If you can't, submit the index in Search Console."
        yield ROBOTS_IN_SUBDIRECTORY.at(robots.spot(), problem, fix)


def robots_names_other_address(robots: Robots) -> Findings:
    for line in robots.sitemaps:
        own, other = (urls.origin(url) if url else "" for url in (robots.url, urls.normal(line.url)))
        if own != other and _bare_host(own) == _bare_host(other):
            problem = f"its Sitemap line lists {line.url}, but the site is at {own}/."
            yield ROBOTS_NAMES_OTHER_ADDRESS.at(robots.spot(line.line), problem)


def _bare_host(origin: str) -> str:
    return origin.partition("://")[2].removeprefix("www.")


def robots_relative_sitemap(robots: Robots) -> Findings:
    for line in robots.sitemaps:
        if not urls.normal(line.url):
            problem = f"its Sitemap line {line.url!r} is not a full URL."
            yield ROBOTS_RELATIVE_SITEMAP.at(robots.spot(line.line), problem)


def robots_is_html(robots: Robots) -> Findings:
    if robots.is_html:
        yield ROBOTS_IS_HTML.at(robots.spot(), "it is an HTML page.")
