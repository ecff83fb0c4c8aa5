"""What can be wrong between an index and the files that it lists."""

from dataclasses import dataclass

from smindex_plugins.checks.rule import Check, Flaws, check, flaw


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """A file that an index lists, and what became of reading it."""

    where: str
    """The index that lists it."""
    file: str
    line: int
    url: str
    problem: str = ""
    """Why it could not be read at all."""
    is_missing: bool = False
    is_index: bool = False
    redirect: str = ""
    content_type: str = ""
    """As which it is served, where it was fetched."""
    content_encoding: str = ""
    """As which it is packed for the way."""
    is_sitemap: bool = False
    """It was read as a sitemap or an index."""


@check("error", "HTTP error 404")
def missing_sitemap(child: Child) -> Flaws:
    """A sitemap that an index lists is there."""
    if child.is_missing:
        problem = f"lists {child.url}, and there is no such file."
        yield flaw(child, problem, "Build the site again, or remove the entry from the index.", child.line)


@check("error", "Couldn't fetch")
def unfetched_sitemap(child: Child) -> Flaws:
    """A sitemap that is listed can be fetched."""
    if child.problem:
        problem = f"lists {child.url}, which cannot be fetched: {child.problem}."
        yield flaw(child, problem, "See that the server answers it with the file.", child.line)


@check("error", "Incorrect sitemap index format: Nested sitemap indexes")
def nested_index(child: Child) -> Flaws:
    """An index lists sitemaps, and no index."""
    if child.is_index:
        problem = f"lists {child.url}, which is an index itself; search engines do not follow it."
        yield flaw(child, problem, "List its sitemaps in the one index instead.", child.line)


@check("warning", "URLs not followed")
def sitemap_redirects(child: Child) -> Flaws:
    """A sitemap is at the URL that is listed, and not behind a redirect."""
    if child.redirect:
        problem = f"lists {child.url}, which redirects to {child.redirect}."
        yield flaw(child, problem, "List the URL where it is.", child.line)


@check("warning", "Unsupported format")
def wrong_content_type(child: Child) -> Flaws:
    """A sitemap is not served as an HTML page."""
    if child.is_sitemap and child.content_type in {"text/html", "application/xhtml+xml"}:
        problem = f"lists {child.url}, which is served as {child.content_type}."
        yield flaw(child, problem, "Serve it as application/xml, or as text/plain where it is text.", child.line)


@check("notice", "Compression error", advice=True)
def gzip_as_encoding(child: Child) -> Flaws:
    """A .gz file is sent as what it is, and not as a plain file that was packed for the way."""
    if child.content_encoding in {"gzip", "x-gzip"} and child.url.partition("?")[0].endswith(".gz"):
        problem = f"lists {child.url}, which is sent with Content-Encoding: {child.content_encoding}."
        fix = "Send it without: who unpacks it for that finds a file that is not what its name says."
        yield flaw(child, problem, fix, child.line)


INDEX_CHECKS: tuple[Check[Child], ...] = (
    missing_sitemap,
    unfetched_sitemap,
    nested_index,
    sitemap_redirects,
    wrong_content_type,
    gzip_as_encoding,
)
