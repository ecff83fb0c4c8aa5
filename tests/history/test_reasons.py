import pytest

from smindex_plugins.catalogue import UNDATED_BY_NATURE, UNDATED_PAGES, Kind
from smindex_plugins.history import Answer, Change, Reason, Unknown, newest, services, undated_pages


def test_undated_pages_are_one_finding_that_counts_them_by_reason_and_tells_each_fix() -> None:
    undated = [
        Unknown(Reason.SHALLOW),
        Unknown(Reason.SHALLOW),
        Unknown(Reason.UNREADABLE, detail="fatal: bad object"),
        Unknown(Reason.FUTURE),
    ]
    (finding,) = undated_pages(undated, 5)
    assert (finding.check, finding.level, finding.where) == ("undated-pages", "warning", "4 of 5 pages")
    for words in (
        "2 older than this shallow clone reaches",
        "1 committed at a time in the future",
        "(git: fatal: bad object)",
    ):
        assert words in finding.problem
    for words in ("--unshallow", "git fsck", "clock"):
        assert words in finding.fix


def test_where_every_page_has_a_date_nothing_is_found() -> None:
    assert list(undated_pages([], 5)) == []


@pytest.mark.parametrize("reason", list(Reason))
def test_every_reason_has_a_fix(reason: Reason) -> None:
    (finding,) = undated_pages([Unknown(reason)], 2, "fail")
    assert finding.fix.endswith(".")
    assert finding.problem == f"no reliable date was found, so <lastmod> is left out: 1 {reason}."


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        (Reason.UNTRACKED, UNDATED_BY_NATURE),
        (Reason.IGNORED, UNDATED_BY_NATURE),
        (Reason.NO_REPOSITORY, UNDATED_BY_NATURE),
        (Reason.LATER_PAGE, UNDATED_BY_NATURE),
        (Reason.SHALLOW, UNDATED_PAGES),
    ],
)
def test_what_the_builder_can_mend_is_a_warning_and_what_it_cannot_a_notice(reason: Reason, kind: Kind) -> None:
    (finding,) = undated_pages([Unknown(reason)], 1)
    assert (finding.check, finding.level) == (kind.name, kind.level)
    assert kind.level == ("warning" if kind is UNDATED_PAGES else "notice")


def test_what_only_the_author_can_change_is_told_apart_from_what_the_builder_can_mend() -> None:
    undated = [Unknown(Reason.SHALLOW), Unknown(Reason.NO_SOURCE), Unknown(Reason.NO_SOURCE)]
    findings = list(undated_pages(undated, 10))
    assert [(finding.check, finding.where) for finding in findings] == [
        ("undated-pages", "1 of 10 pages"),
        ("undated-by-nature", "2 of 10 pages"),
    ]


@pytest.mark.parametrize(
    ("option", "level", "words"),
    [
        ("warn", "warning", "set `undated: ignore`"),
        ("ignore", "notice", "--unshallow"),
        ("fail", "error", "--unshallow"),
    ],
)
def test_the_user_decides_how_bad_a_page_without_a_date_is(
    option: str, level: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "pull_request_service", lambda: "")
    (finding,) = undated_pages([Unknown(Reason.SHALLOW)], 5, option)
    assert (finding.check, finding.level) == ("undated-pages", level)
    assert words in finding.fix


@pytest.mark.parametrize(("option", "level"), [("warn", "notice"), ("ignore", "notice"), ("fail", "error")])
def test_in_the_build_of_a_pull_request_a_warning_becomes_a_notice_and_a_failure_stays_one(
    option: str, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "pull_request_service", lambda: "Read the Docs")
    (finding,) = undated_pages([Unknown(Reason.SHALLOW)], 5, option)
    assert finding.level == level
    assert ("Read the Docs builds a pull request" in finding.fix) == (option == "warn")
    assert finding.fix.count("builds a pull request") == (option == "warn")


def test_a_deployment_that_insists_on_dates_spares_only_what_was_made_for_the_build() -> None:
    strict = [Unknown(Reason.UNTRACKED), Unknown(Reason.NO_REPOSITORY), Unknown(Reason.NO_GIT)]
    made = [Unknown(Reason.NO_SOURCE), Unknown(Reason.IGNORED)]
    mended, natural = undated_pages(strict + made, 10, "fail")
    assert (mended.level, mended.where) == ("error", "3 of 10 pages")
    assert (natural.level, natural.where) == ("notice", "2 of 10 pages")
    (finding,) = undated_pages(made, 2, "fail")
    assert (finding.level, finding.where) == ("error", "2 of 2 pages")


@pytest.mark.parametrize(
    ("environment", "service"),
    [
        ({"READTHEDOCS": "True", "READTHEDOCS_VERSION_TYPE": "external"}, "Read the Docs"),
        (
            {"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "pull_request", "GITHUB_REF": "refs/pull/7/merge"},
            "GitHub Actions",
        ),
        (
            {"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "pull_request_target", "GITHUB_REF": "refs/heads/main"},
            "GitHub Actions",
        ),
        ({"GITLAB_CI": "true", "CI_MERGE_REQUEST_ID": "1"}, "GitLab CI/CD"),
        ({"NETLIFY": "true", "CONTEXT": "deploy-preview"}, "Netlify"),
        ({"VERCEL": "1", "VERCEL_ENV": "preview", "VERCEL_GIT_PULL_REQUEST_ID": "23"}, "Vercel"),
        ({}, ""),
        ({"CI": "true"}, ""),
        ({"READTHEDOCS": "True", "READTHEDOCS_VERSION_TYPE": "branch"}, ""),
        ({"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "push", "GITHUB_REF": "refs/heads/main"}, ""),
        ({"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "pull_request", "GITHUB_REF": "refs/heads/main"}, ""),
        ({"GITLAB_CI": "true", "CI_PIPELINE_SOURCE": "push"}, ""),
        ({"NETLIFY": "true", "CONTEXT": "production"}, ""),
        ({"NETLIFY": "true", "CONTEXT": "branch-deploy"}, ""),
        ({"VERCEL": "1", "VERCEL_ENV": "preview", "VERCEL_GIT_PULL_REQUEST_ID": ""}, ""),
        ({"CF_PAGES": "1", "CF_PAGES_BRANCH": "feature"}, ""),
    ],
)
def test_a_build_is_never_deployed_only_if_its_service_says_that_it_builds_a_pull_request(
    environment: dict[str, str], service: str
) -> None:
    assert services.pull_request_service(environment) == service


OLD, NEW = Change(10, "old"), Change(20, "new", is_new=True)
BOUND, UNBOUND = Unknown(Reason.SHALLOW, before=15), Unknown(Reason.UNTRACKED)


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([OLD, NEW], NEW),
        ([NEW, OLD], NEW),
        ([NEW, BOUND], NEW),
        ([OLD, BOUND], BOUND),
        ([Change(15, "c"), BOUND], Change(15, "c")),
        ([Change(14, "c"), BOUND], BOUND),
        ([NEW, UNBOUND], UNBOUND),
        ([BOUND, UNBOUND, NEW], UNBOUND),
        ([BOUND, UNBOUND], BOUND),
        ([], Unknown(Reason.NO_SOURCE)),
    ],
)
def test_several_sources_have_the_newest_date_unless_one_may_be_newer_still(
    answers: list[Answer], expected: Answer
) -> None:
    assert newest(answers) == expected


def test_what_git_says_is_told_once_and_sorted() -> None:
    undated = [Unknown(Reason.UNREADABLE, detail=said) for said in ("b", "a", "", "b")]
    (finding,) = undated_pages(undated, 4)
    assert finding.problem == (
        "no reliable date was found, so <lastmod> is left out: "
        "4 in a repository that git could not read to the end (git: a) (git: b)."
    )


@pytest.mark.parametrize(("files", "named"), [(3, "made with 0.md, which is"), (4, "such as 0.md, which")])
def test_up_to_three_files_are_named_for_one_reason_and_of_more_the_first(files: int, named: str) -> None:
    undated = [Unknown(Reason.IGNORED, other=f"{number}.md") for number in reversed(range(files))]
    own = Unknown(Reason.IGNORED)
    (finding,) = undated_pages([own, *undated], 9)
    assert f"1 {Reason.IGNORED}" in finding.problem
    assert named in finding.problem
    assert finding.problem.count("made with") == (files if files == 3 else 1)


def test_each_fix_is_told_once_in_one_order_and_nothing_else() -> None:
    undated = [Unknown(reason) for reason in (Reason.FUTURE, Reason.NO_GIT, Reason.FUTURE)]
    (finding,) = undated_pages(undated, 9)
    assert finding.fix == (
        "Correct the clock of this machine, or of the one on which the commit was made. "
        "Install git where the site is built. "
        "If such pages need no date, set `undated: ignore`."
    )


def test_a_repository_that_git_distrusts_is_named() -> None:
    undated = [Unknown(Reason.DUBIOUS_OWNERSHIP, repository="/a c"), Unknown(Reason.UNREADABLE, repository="/d")]
    (finding,) = undated_pages(undated, 9, "ignore")
    assert "If you trust it, run `git config --global --add safe.directory '/a c'` before the build." in finding.fix
    assert "/d" not in finding.fix


def test_of_what_a_page_is_made_with_and_is_gone_nothing_more_is_told_unless_dates_are_insisted_on() -> None:
    gone = Unknown(Reason.MISSING, other="data.yml")
    assert list(undated_pages([gone], 1)) == []
    (finding,) = undated_pages([gone], 2, "fail")
    assert "1 made with data.yml, which is not there." in finding.problem


def test_a_page_that_is_undated_by_nature_leaves_nothing_to_ignore(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "pull_request_service", lambda: "Netlify")
    (finding,) = undated_pages([Unknown(Reason.NO_SOURCE)], 1)
    assert finding.fix == "Generated pages can have a `lastmod:` or `depends:` in their front matter."
    (finding,) = undated_pages([Unknown(Reason.NO_GIT)], 1)
    assert finding.fix.endswith("This is a notice because Netlify builds a pull request here, which is never deployed.")


@pytest.mark.parametrize(
    ("reason", "fix"),
    [
        (
            Reason.IGNORED,
            (
                "Git has no date for files that .gitignore ignores. Name the files that they are made from under "
                "`depends`, or write `lastmod:` into their front matter."
            ),
        ),
        (
            Reason.NO_REPOSITORY,
            "Build in the git repository of the sources, or write `lastmod:` into their front matter.",
        ),
    ],
)
def test_what_an_author_can_do_is_told_whole(reason: Reason, fix: str) -> None:
    (finding,) = undated_pages([Unknown(reason)], 2)
    assert finding.fix == fix
