"""Checks of pages that lead elsewhere: by a redirect, by a canonical link, or by a rule of the
host.

They are judged together at the end, so that one cause is one finding, and so that the advice names
no URL that would be the next finding.
"""

from collections.abc import Iterator

from smindex_plugins.base import urls
from smindex_plugins.base.catalogue import (
    CANONICAL_ELSEWHERE,
    CANONICAL_MISSING,
    DEAD_REDIRECT,
    PAGE_REDIRECTS,
)
from smindex_plugins.base.host_rules import MOVED
from smindex_plugins.base.model import Finding, Findings
from smindex_plugins.base.serving import Served
from smindex_plugins.base.text import counted
from smindex_plugins.checks._leads import Lead, Look
from smindex_plugins.checks._pages import CheckedPage
from smindex_plugins.checks._site import SiteFacts
from smindex_plugins.pages.canonicals import Naming, shared, shared_canonicals
from smindex_plugins.pages.url_forms import Misserved, are_twins, misserved

_MOST_STEPS = 10
"""How many redirects are followed, as search engines do."""


def leads(page: CheckedPage) -> Iterator[Lead]:
    """Yield the other URLs to which a listed page leads."""
    target = page.redirect or page.head.refresh
    where = ""
    if page.served and page.served.is_redirect:
        target = page.served.to
        where = page.served.where
    if target and target != page.url:
        yield Lead(
            spot=page.spot,
            url=page.url,
            scope=page.document.scope,
            to=target,
            by="redirect",
            where=where,
            names_itself=page.target_head.canonical == page.url,
            generator=page.head.generator or page.target_head.generator,
        )
    canonical = page.head.canonical
    if canonical and canonical != page.url:
        scope = page.document.scope
        yield Lead(spot=page.spot, url=page.url, scope=scope, to=canonical, by="canonical")


def failing(page: CheckedPage) -> Iterator[Misserved]:
    """Yield a listed page that has a file, but for which the host returns an error."""
    served = page.served
    if served and served.is_missing and served.file and not served.by_rule:
        yield Misserved(page.spot, page.url, "", served.where, page.head.generator)


def page_redirects(site: SiteFacts) -> Findings:
    for lead in site.leads:
        if lead.by == "redirect" and lead.scope and not lead.is_misserved:
            by = f" ({lead.where})" if lead.where else ""
            problem = f"lists {lead.url}, which redirects to {lead.to}{by}."
            fix = _instead_of_redirect(lead, site.look)
            yield PAGE_REDIRECTS.at(lead.spot, problem, fix)


def host_redirects(site: SiteFacts) -> Findings:
    moved = [lead.misserved for lead in site.leads if lead.is_misserved and lead.scope]
    pages = [*site.failing, *moved]
    if site.generator:
        pages = [page._replace(generator=site.generator) for page in pages]
    yield from misserved(pages)


def _instead_of_redirect(lead: Lead, look: Look) -> str:
    """Return what to do about a listed URL that redirects."""
    target, answer = _end(lead.to, look)
    if lead.names_itself:
        return (
            f"Remove the redirect, because the canonical link at {lead.to} names {lead.url}. Or"
            " correct that link."
        )
    if _is_doubled(target):
        return f"Correct the redirect, whose target {target} has // in its path."
    if answer and answer.is_missing:
        return (
            f"Correct the redirect, because {target} doesn't exist. Or remove the entry from the"
            " sitemap."
        )
    if answer and answer.is_redirect:
        return (
            "Correct the redirects, which never end at a page. Or remove the entry from the"
            " sitemap."
        )
    return _how_to_list(target, lead.scope)


def _how_to_list(target: str, scope: str) -> str:
    """Return how to list a URL that shows a page instead of the listed URL."""
    if urls.is_within(target, scope):
        return f"List {target}."
    origin = urls.origin(target)
    if origin == urls.origin(scope):
        return f"Remove the entry, and list {target} in a sitemap in its own directory or above."
    return f"Remove the entry. Only a sitemap at {origin} can list {target}."


def canonical_elsewhere(leads: list[Lead], look: Look, home: str) -> Findings:
    """Yield the listed pages with another canonical URL.

    Several pages that name one page are one finding.
    """
    namings = []
    for each in leads:
        if _is_naming(each, home):
            namings.append(Naming(each.spot, each.url, each.to))
    groups = shared(namings, home)
    yield from shared_canonicals(groups, home)
    told = {naming.url for group in groups for naming in group}
    # which `host_redirects` reports
    redirected = {(lead.url, lead.to) for lead in leads if lead.is_misserved}
    twins: list[Lead] = []
    for lead in leads:
        if lead.by != "canonical" or not lead.scope:
            continue
        if lead.url in told or (lead.url, lead.to) in redirected:
            continue
        if are_twins(lead.url, lead.to):
            twins.append(lead)
            continue
        problem = f"lists {lead.url}, whose canonical URL is {lead.to}."
        fix = _instead_of_canonical(lead, look)
        yield CANONICAL_ELSEWHERE.at(lead.spot, problem, fix)
    if twins:
        yield _twins(twins, look)


def _twins(leads: list[Lead], look: Look) -> Finding:
    """Return the finding about listed pages whose canonical URL is another form of their URL."""
    first, *others = leads
    problem = f"lists {first.url}, whose canonical URL is {first.to}."
    if others:
        pages = counted(len(others), "other page")
        problem += f" The canonical links of {pages} differ alike."
    fix = _instead_of_canonical(first, look)
    return CANONICAL_ELSEWHERE.at(first.spot, problem, fix)


def canonical_missing(site: SiteFacts) -> Findings:
    for lead in site.leads:
        if lead.by != "canonical" or lead.scope:
            continue
        answer = site.look(lead.to)
        if answer and answer.is_missing and not answer.by_rule:
            problem = f"its canonical URL is {lead.to}, which is not a page."
            yield CANONICAL_MISSING.at(lead.spot, problem)


def _is_naming(lead: Lead, home: str) -> bool:
    return (
        lead.by == "canonical"
        and urls.is_within(lead.to, home)
        and not are_twins(lead.url, lead.to)
    )


def _instead_of_canonical(lead: Lead, look: Look) -> str:
    """Return what to do about a listed page with another canonical URL."""
    target, answer = _end(lead.to, look)
    if problem := _problem_of_link(lead, target, answer):
        return f"Correct the canonical link{problem}."
    if not urls.is_within(target, lead.scope):
        fix = (
            "If this page should appear in search results, correct its canonical link. Otherwise,"
            " remove the entry"
        )
        if urls.origin(target) == urls.origin(lead.scope):
            fix += f", and list {target} in a sitemap in its own directory or above"
        return f"{fix}."
    if answer is None or answer.status is None:
        return f"List {target} if it shows the page. Otherwise, correct the canonical link."
    return f"List {target}."


def _problem_of_link(lead: Lead, target: str, answer: Served | None) -> str:
    """Return why a canonical link is wrong, as the end of a sentence, or an empty string."""
    if _is_doubled(lead.to):
        return f", which has // in its path: {lead.to}"
    if answer and answer.is_missing:
        return f", because {target} doesn't exist"
    if target != lead.to:
        end = "the listed URL" if target == lead.url else target
        return f", because {lead.to} redirects to {end}"
    if f"{target}/" == lead.scope:
        return f", which lacks the slash at the end of {lead.scope}"
    return ""


def dead_redirect(site: SiteFacts) -> Findings:
    if site.serving is None:
        return
    base = site.serving.base
    for spot, source, rule in site.serving.rules.fixed():
        target = urls.normal(rule.to, base)
        if rule.status not in MOVED or not urls.is_within(target, base) or "?" in target:
            continue
        end, answer = _end(target, site.look)
        place = spot._replace(url=urls.normal(source, base))
        if answer and answer.is_missing and not answer.where:
            way = "" if end == target else f" by way of {target}"
            problem = f"{source} leads to {end}{way}, which doesn't exist."
            yield DEAD_REDIRECT.at(place, problem)
        elif answer and answer.is_redirect:
            problem = f"{source} leads to {target}, whose redirects never end at a page."
            yield DEAD_REDIRECT.at(place, problem)


def _end(url: str, look: Look) -> tuple[str, Served | None]:
    """Return the URL at which the redirects from a URL end, and the answer there."""
    answer = look(url)
    for _ in range(_MOST_STEPS):
        if answer is None or not answer.is_redirect:
            break
        url = answer.to
        answer = look(url)
    return url, answer


def _is_doubled(url: str) -> bool:
    path = urls.path(url).partition("?")[0]
    return "//" in path
