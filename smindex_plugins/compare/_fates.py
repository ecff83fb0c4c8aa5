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
from smindex_plugins.html.page import read_head
from smindex_plugins.pages.host import noindex_header
from smindex_plugins.pages.omissions import NotListed, head_reason
from smindex_plugins.reading.answer import Answer
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
    first = look(url)
    step = first
    passed = [url]
    while step.kind == "redirected":
        target = step.to
        if target in passed:
            way = f"in a loop: {' → '.join([*passed, target])}"
            if target == url and len(passed) == 1:
                way = "to itself"
            return Gone(url, "lost", target, f"it redirects {way} ({first.why})")
        passed.append(target)
        if len(passed) > MOST_REDIRECTS + 1:
            why = f"it redirects more than {MOST_REDIRECTS} times ({first.why})"
            return Gone(url, "lost", target, why)
        if target in listed:
            step = Step("redirected", target)
            break
        step = look(target)

    end = passed[-1]
    if step.kind == "unlisted" and _is_elsewhere_on_site(step.to, end, listed):
        there = look(step.to)
        if there.kind in {"lost", "removed"}:
            why = f"the canonical URL of {end} is missing: {there.why}"
            return Gone(url, "lost", step.to, why)
    if len(passed) == 1:
        is_there = step.kind in {"unlisted", "elsewhere", "removed"}
        return Gone(url, "unlisted" if is_there else "lost", step.to or None, step.why)
    if step.kind == "unlisted" and step.to in listed and urls.bare(step.to) == urls.bare(end):
        # hosts serve the same page, or redirect to the slash
        end = step.to
        step = Step("redirected")
    return _after_redirects(url, step, end, f"{first.why}{_chain(passed)}")


def _is_elsewhere_on_site(canonical: str, url: str, listed: Container[str]) -> bool:
    """Whether the canonical URL of a page is an unlisted one on the same site."""
    if not canonical or canonical in listed:
        return False
    return urls.origin(canonical) == urls.origin(url)


def _after_redirects(url: str, step: Step, end: str, by: str) -> Gone:
    """Return the fate of a URL that redirects. ``by`` are the redirects, in words."""
    if step.kind in {"lost", "removed"}:
        return Gone(url, "lost", end, f"it redirects to a missing page: {step.why} ({by})")
    note = ""
    if step.kind == "unlisted":
        note = f"to an unlisted page: {step.why}; "
    elif step.kind == "elsewhere":
        note = "to another site; "
    elif step.kind == "unknown":
        note = f"{step.why}; "
    return Gone(url, "redirected", end, f"{note}{by}")


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
            reason = f"few hosts show {file} at this URL, and nothing shows that this one does"
            return Step("lost", why=reason)
        if not file and served.is_missing and urls.is_within(url, base):
            return Step("lost", why=f"there is no such page{_unapplied(serving)}")
        if not file:
            reason = f"it is outside {base}, the only address that the directory serves"
            return Step("unknown", why=reason)
        try:
            head = read_head(f"{directory}/{file}", url)
        except OSError as error:
            return Step("lost", why=f"its file can't be read: {error.strerror or error}")
        if not head.noindex and noindex_header(serving, url):
            head = replace(head, noindex=True)
        twin = twins.get(urls.bare(url), "")
        says_nothing = not (head.refresh or head.noindex or head.canonical)
        if twin != url and says_nothing and find(twin) == file:
            return Step("unlisted", twin, "the same page is listed at another URL")
        return _page(head, url) or Step("unlisted", why=why(file, base) or "in no sitemap")

    return look


def on_server(live: Live, listed: Iterable[str]) -> Callable[[str], Step]:
    """Return a function that requests a URL of a live site once."""
    # the given address can redirect to another one
    origins = {urls.origin(url) for url in (live.url, *listed)}

    def look(url: str) -> Step:
        why = live.why_kept_out(url)
        if why:
            return Step("unknown", why=f"not requested, because robots.txt {why}")
        answer = live.answer(url)
        failed = _unsuccessful(answer, url)
        if failed:
            return failed
        step = _page(live.head(url, answer), url) or Step("unlisted", why="in no sitemap")
        if step.kind == "unlisted" and urls.origin(url) not in origins:
            return step._replace(kind="elsewhere")
        return step

    return look


def _unsuccessful(answer: Answer, url: str) -> Step | None:
    """Return what an answer without a page means, or None if it has one."""
    if answer.failure:
        return Step("lost", why=answer.failure)
    status = answer.status
    location = answer.headers.get("Location", "")
    if 300 <= status < 400 and location:  # noqa: PLR2004 - HTTP's redirects
        to = urls.normal(location, url)
        if to:
            return Step("redirected", to, f"status {status}")
        return Step("lost", why=f"it redirects to {location[:200]!r}, which is not an http URL")
    if status == 410:  # noqa: PLR2004 - Gone
        return Step("removed", why="removed on purpose (status 410)")
    if status // 100 != 2:  # noqa: PLR2004 - HTTP's successes
        return Step("lost", why=f"the server answers with {status}")
    return None


def fates(
    removed: list[str],
    listed: Container[str],
    look: Callable[[str], Step],
    live: Live | None = None,
) -> Iterator[Gone]:
    """Yield the fate of each removed URL. Live sites receive several requests at a time."""

    def follow(url: str) -> Gone:
        return trace(url, listed, look)

    if live:
        yield from live.each(follow, removed)
    else:
        yield from map(follow, removed)


def _unapplied(serving: Serving) -> str:
    """Return which redirects are not applied, one of which can be for a missing page, as the end of
    a sentence.
    """
    spots = [rule.spot for rule in serving.unread if rule.spot.where != "_headers"]
    if not spots:
        return ""
    first, *others = spots
    more = ""
    if others:
        more = f" and {counted(len(others), 'other rule')}"
    return f", and {first.place}{more} can't be applied"


def _page(head: Head, url: str) -> Step | None:
    """Return where the head of a page leads, or None."""
    if head.not_found:
        return Step("lost", why=f"its title is {head.not_found!r}")
    # browsers follow it regardless of directives for search engines
    if head.refresh and head.refresh != url:
        return Step("redirected", head.refresh, "meta refresh")
    reason = head_reason(head, url, is_copied=False)
    if reason:
        robots = f" ({head.robots})" if head.robots else ""
        return Step("unlisted", why=f"{reason}{robots}")
    if head.canonical:
        return Step("unlisted", head.canonical, NotListed.CANONICAL_ELSEWHERE)
    return None
