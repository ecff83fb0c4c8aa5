"""Why pages have no date, in one finding, and how to get one."""

import pytest

from smindex_plugins.base.model import Finding
from smindex_plugins.base.proof import NEVER_IN_GIT, NoDate, Unknown
from smindex_plugins.pages.undated import undated_pages


def found(*undated: Unknown, pages: int = 9, option: str = "warn") -> list[Finding]:
    return list(undated_pages(list(undated), pages, option))


def test_undated_pages_are_one_finding_with_each_reason_and_each_fix_once() -> None:
    unreadable = [Unknown(NoDate.UNREADABLE, detail=detail) for detail in ("b", "a", "", "b")]
    (finding,) = found(Unknown(NoDate.FUTURE), *unreadable, Unknown(NoDate.FUTURE))
    assert (finding.check, finding.level, finding.where) == (
        "undated-pages",
        "warning",
        "6 of 9 pages",
    )
    assert (
        finding.problem
        == "no reliable date was found, so <lastmod> is omitted: 2 committed at a time in the"
        " future, "
        "4 in a repository that git could not read completely (git: a) (git: b)."
    )
    assert (
        finding.fix
        == "Correct the clock of this machine, or of the machine that made the commit. Run `git"
        " log` and `git fsck` in the repository to find the problem. Git 2.20 or newer is"
        " required. If these pages don't need a date, set `undated: ignore`."
    )
    assert found() == []


@pytest.mark.parametrize("reason", list(NoDate))
def test_every_reason_has_a_fix_and_a_kind(reason: NoDate) -> None:
    (finding,) = found(Unknown(reason), pages=1, option="fail")
    assert finding.fix.endswith(".")
    assert finding.problem == f"no reliable date was found, so <lastmod> is omitted: 1 {reason}."
    kinds = [(finding.check, finding.level) for finding in found(Unknown(reason))]
    natural = NEVER_IN_GIT - {NoDate.NO_REPOSITORY}  # a missing `.git` is as bad as a shallow clone
    expected = ("undatable-pages", "notice") if reason in natural else ("undated-pages", "warning")
    assert kinds == ([] if reason is NoDate.MISSING else [expected])


@pytest.mark.parametrize(
    ("option", "level", "in_pull_request"),
    [("warn", "warning", "notice"), ("ignore", "notice", "notice"), ("fail", "error", "error")],
)
def test_the_option_sets_the_level_and_a_pull_request_lowers_a_warning(
    monkeypatch: pytest.MonkeyPatch, option: str, level: str, in_pull_request: str
) -> None:
    shallow, natural = Unknown(NoDate.SHALLOW), Unknown(NoDate.NO_SOURCE)
    assert [finding.level for finding in found(shallow, natural, option=option)] == [
        level,
        "notice",
    ]
    assert ("set `undated: ignore`" in found(shallow, option=option)[0].fix) is (option == "warn")
    monkeypatch.setenv("READTHEDOCS_VERSION_TYPE", "external")
    finding, notice = found(shallow, natural, option=option)
    hint = (
        "This is only a notice because Read the Docs is building a pull request, which is never"
        " deployed."
    )
    assert finding.level == in_pull_request
    assert finding.fix.endswith(hint) is (option == "warn")
    assert notice.fix.endswith("Other generated pages need no date.")


def test_a_deployment_that_insists_on_dates_spares_only_pages_that_were_made_for_the_build() -> (
    None
):
    made = [Unknown(NoDate.NO_SOURCE), Unknown(NoDate.IGNORED)]
    strict = [Unknown(NoDate.UNTRACKED), Unknown(NoDate.NO_GIT), *made]
    levels = [(finding.level, finding.where) for finding in found(*strict, option="fail")]
    assert levels == [("error", "2 of 9 pages"), ("notice", "2 of 9 pages")]
    assert [finding.level for finding in found(*made, pages=2, option="fail")] == ["error"]


@pytest.mark.parametrize(
    ("files", "named"), [(3, "1 built with 0.md"), (4, "4 built with files such as 0.md")]
)
def test_up_to_three_files_are_named_for_a_reason_and_of_more_the_first(
    files: int, named: str
) -> None:
    (finding,) = found(
        *(Unknown(NoDate.IGNORED, other=f"{number}.md") for number in reversed(range(files)))
    )
    assert f"{named}, which is {NoDate.IGNORED}" in finding.problem


def test_a_missing_dependency_is_reported_here_only_if_dates_are_required() -> None:
    gone = Unknown(NoDate.MISSING, other="data.yml")
    assert found(gone) == []
    (finding,) = found(gone, option="fail")
    assert "1 built with data.yml, which is missing." in finding.problem
    assert "Correct `depends`." in finding.fix


def test_a_repository_that_git_distrusts_is_named_in_the_command_that_trusts_it() -> None:
    (finding,) = found(
        Unknown(NoDate.DUBIOUS_OWNERSHIP, repository="/a c"),
        Unknown(NoDate.NO_GIT, repository="/d"),
    )
    assert (
        "If you trust it, run `git config --global --add safe.directory '/a c'` before the build."
        in finding.fix
    )
    assert "/d" not in finding.fix


def test_where_the_source_of_the_first_such_page_was_looked_for_is_said() -> None:
    lost = [Unknown(NoDate.NOT_FOUND, detail=f"looked for docs/{name}.md") for name in "ab"]
    (finding,) = found(Unknown(NoDate.UNTRACKED, detail="other"), *lost)
    said = "2 without a source that was found (looked for docs/a.md)."
    assert finding.problem.endswith(f": 1 not committed to git, {said}")
