"""Everything that can be reported is planted somewhere, found there, and found nowhere else."""

from collections import Counter
from pathlib import Path

import pytest

from smindex_plugins.base.catalogue import CATALOGUE
from smindex_plugins.checks.table import Selection
from tests.support.command import SITE, findings
from tests.support.listed import checked, document
from tests.support.planted import ROOT, SEVENTEEN, write
from tests.support.planted.faults import FAULTS, Fault, entries, kinds
from tests.support.planted.live import LIVE, LiveFault
from tests.support.planted.runs import RUNS

PLANTED: list[Fault | LiveFault] = [*FAULTS, *RUNS, *LIVE]


@pytest.mark.parametrize("fault", PLANTED, ids=str)
def test_a_planted_fault_is_found_and_named_and_its_right_version_is_clean(
    tmp_path: Path, fault: Fault | LiveFault
) -> None:
    assert kinds(fault.report(tmp_path / "wrong")) == {fault.kind} | fault.also
    if isinstance(fault, Fault) and fault.right:
        assert kinds(fault.report(tmp_path / "right", is_right=True)) <= fault.also


def test_every_kind_is_planted() -> None:
    assert {fault.kind for fault in PLANTED} == CATALOGUE.keys()


def test_seventeen_faults_of_one_site_are_all_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, SEVENTEEN)
    counts = Counter(
        finding["check"] for finding in findings(capsys, str(tmp_path), "--site-url", ROOT, code=1)
    )
    assert counts == {
        "sitemap-outside-index": 2,
        "nested-index": 1,
        "missing-sitemap": 1,
        "invalid-date": 2,
        "empty-sitemap": 1,
        "too-many-urls": 1,
        "duplicate-url": 2,
        "twin-url": 1,
        "outside-scope": 2,
        "invalid-url": 1,
        "url-too-long": 1,
        "unescaped-url": 1,
        "robots-relative-sitemap": 1,
        # One robots.txt has two of the faults. One rule blocks seven listed URLs, and is one
        # finding.
        "robots-blocks-page": 1,
        "robots-blocks-sitemap": 1,
    }


@pytest.mark.parametrize(
    "url", [SITE + "web/https://f.org/b", SITE + "?to=//c", SITE + "?a=1&amp;b=2;c"]
)
def test_a_url_that_only_looks_wrong_is_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], url: str
) -> None:
    write(tmp_path, entries(url))
    assert not findings(capsys, str(tmp_path), "--site-url", SITE)


def test_a_finding_reads_where_problem_fix_and_kind() -> None:
    (finding,) = Selection().judge(
        checked(document("urlset", "https://e.org/a/s.xml", "https://e.org/b/"))
    )
    assert (
        str(finding)
        == "https://e.org/a/s.xml: lists https://e.org/b/, which is outside https://e.org/a/. "
        "List the page in a sitemap in its own directory or above. [outside-scope]"
    )


def test_a_selection_yields_only_the_wanted_kinds() -> None:
    wrong = document("urlset", "https://e.org/a/s.xml", "https://e.org/b/", "ftp://e.org/")
    found = list(Selection(names=frozenset({"invalid-url"})).judge(checked(wrong)))
    assert [finding.check for finding in found] == ["invalid-url"]
