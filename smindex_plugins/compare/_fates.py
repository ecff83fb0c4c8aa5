"""What happened to the URLs that a new version of a site no longer lists: redirected, unlisted or
lost.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from smindex_plugins.base import urls
from smindex_plugins.base.difference import Gone
from smindex_plugins.base.model import Head
from smindex_plugins.base.serving import Serving
from smindex_plugins.base.text import counted
from smindex_plugins.html.page import read_head, says_not_found
from smindex_plugins.pages.host import noindex_header
from smindex_plugins.pages.omissions import NotListed, head_reason
from smindex_plugins.reading.live import Live
from smindex_plugins.reading.web import MOST_REDIRECTS


class Step(NamedTuple):
    """The result for a URL: a redirect, unlisted, elsewhere, removed on purpose, lost, or
    unknown.
    """

    kind: Literal["redirected", "unlisted", "elsewhere", "removed", "lost", "unknown"]
    to: str = ""
    why: str = ""


def trace(url: str, listed: Container[str], look: Callable[[str], Step]) -> Gone:
    """Return the fate of a URL. All redirects are followed."""
    passed, first = [url], look(url)
    step = first
    while step.kind == "redirected":
        target = step.to
        if target in passed:
            way = "to itself" if len(passed) == 1 else f"in a loop: {' → '.join([*passed, target])}"
            return Gone(url, "lost", target, f"it redirects {way} ({first.why})")
        passed.append(target)
        if len(passed) > MOST_REDIRECTS + 1:
            return Gone(
                url, "lost", target, f"it redirects more than {MOST_REDIRECTS} times ({first.why})"
            )
        if target in listed:
            step = Step("redirected", target)
            break
        step = look(target)
    end, canonical = passed[-1], step.to if step.kind == "unlisted" else ""
    if canonical and canonical not in listed and urls.origin(canonical) == urls.origin(end):
        there = look(canonical)
        if there.kind in {"lost", "removed"}:
            return Gone(
                url, "lost", canonical, f"the canonical URL of {end} is missing: {there.why}"
            )
    if len(passed) == 1:
        is_there = step.kind in {"unlisted", "elsewhere", "removed"}
        return Gone(url, "unlisted" if is_there else "lost", step.to, step.why)
    if step.kind == "unlisted" and step.to in listed and urls.bare(step.to) == urls.bare(end):
        # hosts serve the same page, or redirect to the slash
        step, end = Step("redirected"), step.to
    chain = _chain(passed)
    if step.kind in {"lost", "removed"}:
        return Gone(
            url, "lost", end, f"it redirects to a missing page: {step.why} ({first.why}{chain})"
        )
    notes = {
        "unlisted": f"to an unlisted page: {step.why}; ",
        "elsewhere": "to another site; ",
        "unknown": f"{step.why}; ",
    }
    return Gone(url, "redirected", end, f"{notes.get(step.kind, '')}{first.why}{chain}")


def _chain(passed: Sequence[str]) -> str:
    """Return words about the redirects between URLs if there are several, or an empty string."""
    redirects = len(passed) - 1
    if redirects == 1:
        return ""
    return f", a chain of {redirects} redirects: {' → '.join(passed)}"


def in_directory(  # noqa: C901 - one case for each source of the result
    directory: str,
    base: str,
    listed: Iterable[str],
    serving: Serving,
    why: Callable[[str, str], str],
) -> Callable[[str], Step] | None:
    """Return a function that looks up URLs in a built directory, or None if it doesn't contain the
    listed pages.

    ``serving`` is how its host answers. ``why`` returns why a page is omitted.
    """
    find = serving.find
    if not any(map(find, listed or [base])):
        return None
    twins = {urls.bare(url): url for url in listed}

    def look(url: str) -> Step:  # noqa: PLR0911 - as above
        served = serving.answer(url)
        file = served.file
        if served.is_redirect:
            return Step("redirected", served.to, served.where)
        if served.is_missing and served.by_rule:
            return Step("removed", why=f"removed on purpose ({served.where})")
        if served.is_missing and served.where:
            return Step("lost", why=f"{served.where} returns an error for it")
        if served.status is None and file and url.endswith("/"):
            return Step(
                "lost",
                why=f"few hosts show {file} at this URL, and nothing shows that this one does",
            )
        if not file and served.is_missing and urls.is_within(url, base):
            return Step("lost", why=f"there is no such page{_unapplied(serving)}")
        if not file:
            return Step(
                "unknown", why=f"it is outside {base}, the only address that the directory serves"
            )
        try:
            head = read_head(f"{directory}/{file}", url)
        except OSError as error:
            return Step("lost", why=f"its file cannot be read: {error.strerror or error}")
        if not head.noindex and noindex_header(serving, url):
            head = replace(head, noindex=True)
        twin = twins.get(urls.bare(url), "")
        if (
            twin != url
            and find(twin) == file
            and not (head.refresh or head.noindex or head.canonical)
        ):
            return Step("unlisted", twin, "the same page is listed at another URL")
        return _page(head, url) or Step("unlisted", why=why(file, base) or "in no sitemap")

    return look


def on_server(live: Live, listed: Iterable[str]) -> Callable[[str], Step]:
    """Return a function that requests a URL of a live site once."""
    # the given address can redirect to another one
    origins = {urls.origin(url) for url in (live.url, *listed)}

    def look(url: str) -> Step:
        if why := live.why_kept_out(url):
            return Step("unknown", why=f"not requested, because robots.txt {why}")
        answer = live.answer(url)
        if answer.failure:
            return Step("lost", why=answer.failure)
        status, location = answer.status, answer.headers.get("Location", "")
        if 300 <= status < 400 and location:  # noqa: PLR2004 - HTTP's redirects
            to = urls.normal(location, url)
            why = (
                f"status {status}"
                if to
                else f"it redirects to {location[:200]!r}, which is not an http URL"
            )
            return Step("redirected" if to else "lost", to, why)
        if status // 100 != 2:  # noqa: PLR2004 - HTTP's successes
            is_on_purpose = status == 410  # noqa: PLR2004 - Gone
            why = (
                "removed on purpose (status 410)"
                if is_on_purpose
                else f"the server answers with {status}"
            )
            return Step("removed" if is_on_purpose else "lost", why=why)
        step = _page(live.head(url, answer), url) or Step("unlisted", why="in no sitemap")
        is_elsewhere = step.kind == "unlisted" and urls.origin(url) not in origins
        return step._replace(kind="elsewhere") if is_elsewhere else step

    return look


def fates(
    removed: list[str],
    listed: Container[str],
    look: Callable[[str], Step],
    live: Live | None = None,
) -> Iterator[Gone]:
    """Yield the fate of each removed URL. Live sites receive several requests at a time."""

    def follow(url: str) -> Gone:
        return trace(url, listed, look)

    yield from live.each(follow, removed) if live else map(follow, removed)


def _unapplied(serving: Serving) -> str:
    """Return which redirects are not applied, one of which can be for a missing page, as the end of
    a sentence.
    """
    spots = [rule.spot for rule in serving.unread if rule.spot.where != "_headers"]
    if not spots:
        return ""
    more = f" and {counted(len(spots) - 1, 'other rule')}" if len(spots) > 1 else ""
    return f", and {spots[0].place}{more} can't be applied"


def _page(head: Head, url: str) -> Step | None:
    """Return where the head of a page leads, or None."""
    if says_not_found(head.title):
        return Step("lost", why=f"its title is {' '.join(head.title.split())!r}")
    # browsers follow it regardless of directives for search engines
    if head.refresh not in {None, url}:
        return Step("redirected", head.refresh or "", "meta refresh")
    if reason := head_reason(head, url, is_copied=False):
        return Step("unlisted", why=f"{reason}{f' ({head.robots})' if head.robots else ''}")
    return (
        Step("unlisted", head.canonical, NotListed.CANONICAL_ELSEWHERE) if head.canonical else None
    )
