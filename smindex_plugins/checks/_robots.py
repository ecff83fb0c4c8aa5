"""Checks of robots.txt alone."""

from smindex_plugins.base.catalogue import (
    ROBOTS_IN_SUBDIRECTORY,
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
