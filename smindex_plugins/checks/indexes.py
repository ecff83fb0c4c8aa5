"""What can be wrong between an index and the files that it lists."""

from dataclasses import dataclass

from smindex_plugins.catalogue import MISSING_SITEMAP, NESTED_INDEX
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
    content_encoding: str = ""
    """The content encoding with which it was sent."""


@check(Child, MISSING_SITEMAP)
def _missing_sitemap(child: Child, at: At) -> Findings:
    if child.is_missing:
        yield at(child, f"lists {child.url}, but there is no such file.", line=child.line)


@check(Child, "error", "Couldn't fetch", fix="Make sure that the server sends the file.", runs=("live",))
def unfetched_sitemap(child: Child, at: At) -> Findings:
    """Every listed sitemap can be fetched."""
    if child.problem:
        yield at(child, f"lists {child.url}, which cannot be fetched: {child.problem}.", line=child.line)


@check(Child, NESTED_INDEX)
def _nested_index(child: Child, at: At) -> Findings:
    if child.is_index:
        problem = f"lists {child.url}, which is an index itself; search engines do not follow it."
        yield at(child, problem, line=child.line)


@check(
    Child,
    "warning",
    "URLs not followed",
    fix="List the URL that it leads to, or serve the file without a redirect.",
    runs=("live",),
)
def sitemap_redirects(child: Child, at: At) -> Findings:
    """The listed URL of a sitemap does not redirect."""
    if child.redirect:
        yield at(child, f"lists {child.url}, which redirects to {child.redirect}.", line=child.line)


@check(
    Child,
    "warning",
    "Unsupported format",
    fix="Serve it as application/xml, or as text/plain if it is a text file.",
    runs=("live",),
)
def wrong_content_type(child: Child, at: At) -> Findings:
    """A sitemap is not served as an HTML page."""
    if child.content_type in {"text/html", "application/xhtml+xml"}:
        yield at(child, f"lists {child.url}, which is served as {child.content_type}.", line=child.line)


@check(
    Child,
    "notice",
    "Compression error",
    fix="Configure the server to send it without that header. With it, readers get plain XML under a .gz name.",
    advice=True,
    runs=("live",),
)
def gzip_as_encoding(child: Child, at: At) -> Findings:
    """A .gz sitemap is served as a gzip file, not with Content-Encoding: gzip on top."""
    if child.content_encoding in {"gzip", "x-gzip"} and child.url.partition("?")[0].endswith(".gz"):
        problem = f"lists {child.url}, which is sent with Content-Encoding: {child.content_encoding}."
        yield at(child, problem, line=child.line)
