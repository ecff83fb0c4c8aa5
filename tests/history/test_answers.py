import pytest

from smindex_plugins.catalogue import UNDATED_BY_NATURE, UNDATED_PAGES, Kind
from smindex_plugins.history import Reason, Unknown, undated_pages


def test_undated_pages_are_one_finding_that_counts_them_by_reason_and_tells_each_fix() -> None:
    undated = [
        Unknown(Reason.SHALLOW),
        Unknown(Reason.SHALLOW),
        Unknown(Reason.UNREADABLE, detail="fatal: bad object"),
        Unknown(Reason.FUTURE),
    ]
    (finding,) = undated_pages(undated, 5)
    assert (finding.check, finding.level, finding.where) == ("undated-pages", "warning", "4 of 5 pages")
    for words in ("2 older than this shallow clone reaches", "1 dated in the future", "(git: fatal: bad object)"):
        assert words in finding.problem
    for words in ("--unshallow", "git fsck", "clock"):
        assert words in finding.fix


def test_where_every_page_has_a_date_nothing_is_found() -> None:
    assert list(undated_pages([], 5)) == []


@pytest.mark.parametrize("reason", list(Reason))
def test_every_reason_has_a_fix(reason: Reason) -> None:
    (finding,) = undated_pages([Unknown(reason)], 1)
    assert finding.fix
    assert str(reason) in finding.problem


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        (Reason.UNTRACKED, UNDATED_BY_NATURE),
        (Reason.NO_REPOSITORY, UNDATED_BY_NATURE),
        (Reason.SHALLOW, UNDATED_PAGES),
    ],
)
def test_what_the_builder_can_mend_is_a_warning_and_what_it_cannot_a_notice(reason: Reason, kind: Kind) -> None:
    (finding,) = undated_pages([Unknown(reason)], 1)
    assert (finding.check, finding.level) == (kind.name, kind.level)
    assert kind.level == ("warning" if kind is UNDATED_PAGES else "notice")
