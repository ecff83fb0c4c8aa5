"""The report of a build, which knows more than the files tell: why pages were left out, and what dates them."""

import os
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from smindex_plugins.catalogue import REPORT_IN_SITE
from smindex_plugins.files import is_inside, save
from smindex_plugins.history import Change
from smindex_plugins.model import Finding
from smindex_plugins.pages import Dating, Proof
from smindex_plugins.report import Report
from smindex_plugins.reports.explaining import named_commit
from smindex_plugins.reports.overview import Overview, Sheet
from smindex_plugins.reports.report import report_form, write_report
from smindex_plugins.reports.seen import Seen, describe_bulks
from smindex_plugins.reports.tally import Tally
from smindex_plugins.settings import Target
from smindex_plugins.sitemaps import output
from smindex_plugins.sites import Directory


def with_report(
    result: Report,
    target: Target,
    dating: Dating,
    now: datetime | None = None,
    published: Collection[str] = (),
) -> Report:
    """Write the report of a build, if the settings ask for one; return what the build did, with what went wrong.

    ``published`` has the directories of other sites that are published with this one.
    """
    name = target.settings.report
    if not name:
        return result
    path = os.path.join(target.beside or os.getcwd(), name)
    problem = _refused(path, target, [target.directory, *published])
    if problem is None:
        try:
            today = (now or datetime.now(UTC)).date()
            overview = _overview(result, target)
            bulk = describe_bulks(overview, _origin(result, dating))
            os.makedirs(os.path.dirname(path) or os.curdir, exist_ok=True)
            seen = Seen(overview=overview, today=today, bulk=bulk, undated=result.undated)
            save(path, partial(write_report, seen, report_form(path) or "html"))
        except OSError as error:
            problem = output.cannot_write(name, error)
    return replace(result, findings=[*result.findings, problem]) if problem else result


def _refused(path: str, target: Target, published: Iterable[str]) -> Finding | None:
    inside = [directory for directory in published if is_inside(path, directory)]
    if target.settings.report_public or not inside:
        return None
    site = os.path.basename(os.path.abspath(inside[0]))
    problem = f"it is in {site}, which is published, so it was not written."
    return REPORT_IN_SITE.at(target.settings.report or "", problem)


def _overview(result: Report, target: Target) -> Overview:
    """Return what the build wrote, read again, and what it alone knows."""
    sheets: list[Sheet] = []
    if result.index_urls:
        name = os.path.basename(result.index_urls[0])
        written = Directory(path=target.directory, site_url=target.site_url, index_filename=name).with_flat()
        sheets = [Sheet.of(document) for document, is_flat in written if not is_flat]
    return Overview(
        given=target.site_url,
        sheets=sheets,
        left_out=result.omitted,
        knows_left_out=True,
        tally=Tally(result.findings),
        named=[section.name for section in target.settings.sections],
    )


def _origin(result: Report, dating: Dating) -> Callable[[str], str]:
    """Return what names the commit that dates a page, by the URL that is listed."""
    proofs: dict[str, Proof] = dating.proofs or {}
    came = {page.url.removesuffix("index.html"): page.url for page in result.dated}

    def origin(url: str) -> str:
        proof = proofs.get(url) or proofs.get(came.get(url.removesuffix("index.html"), ""))
        if proof is None or proof.rests_on != "git" or not isinstance(proof.answer, Change):
            return ""
        found = dating.history.landing(proof.file, proof.answer.commit)
        return named_commit(found.landed) if found else ""

    return origin
