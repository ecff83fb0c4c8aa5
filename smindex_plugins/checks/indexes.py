"""What can be wrong between an index and the files that it lists."""

from dataclasses import dataclass

from smindex_plugins.catalogue import (
    MISSING_SITEMAP,
    NESTED_INDEX,
    SITEMAP_REDIRECTS,
    UNFETCHED_SITEMAP,
    WRONG_CONTENT_TYPE,
)
from smindex_plugins.checks.rule import At, Findings, check


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """A file that an index lists, and the result of reading it."""

    url: str
    where: str
    """The index that lists it."""
    file: str = ""
    line: int = 0
    problem: str = ""
    """Why it could not be read at all, if so."""
    is_missing: bool = False
    is_index: bool = False
    redirect: str = ""
    content_type: str = ""
    """The content type with which it was served, if it was fetched and is a sitemap or an index."""


@check(Child, MISSING_SITEMAP)
def missing_sitemap(child: Child, at: At) -> Findings:
    if child.is_missing:
        yield at(child, f"lists {child.url}, but there is no such file.", line=child.line)


@check(Child, UNFETCHED_SITEMAP)
def unfetched_sitemap(child: Child, at: At) -> Findings:
    if child.problem:
        yield at(child, f"lists {child.url}, which cannot be fetched: {child.problem}.", line=child.line)


@check(Child, NESTED_INDEX)
def nested_index(child: Child, at: At) -> Findings:
    if child.is_index:
        problem = f"lists {child.url}, which is an index itself; search engines do not follow it."
        yield at(child, problem, line=child.line)


@check(Child, SITEMAP_REDIRECTS)
def sitemap_redirects(child: Child, at: At) -> Findings:
    if child.redirect:
        yield at(child, f"lists {child.url}, which redirects to {child.redirect}.", line=child.line)


@check(Child, WRONG_CONTENT_TYPE)
def wrong_content_type(child: Child, at: At) -> Findings:
    if child.content_type in {"text/html", "application/xhtml+xml"}:
        yield at(child, f"lists {child.url}, which is served as {child.content_type}.", line=child.line)
