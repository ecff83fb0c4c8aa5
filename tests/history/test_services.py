"""What to do on each CI service, and which of its builds are of a pull request."""

import pytest

from smindex_plugins.history import services


@pytest.mark.parametrize(
    ("environment", "fix"),
    [
        ("GITHUB_ACTIONS=true CI=true", "`with: {fetch-depth: 0, filter: 'blob:none'}`"),
        ("GITLAB_CI=true", "GIT_DEPTH: 0"),
        ("BITBUCKET_BUILD_NUMBER=1", "depth: full"),
        ("TF_BUILD=True", "fetchDepth: 0"),
        ("NETLIFY=true", "On Netlify"),
        ("VERCEL=1", "VERCEL_DEEP_CLONE=true"),
        ("CF_PAGES=1", "On Cloudflare Pages"),
        ("READTHEDOCS=True", "post_checkout"),
        ("RENDER=true", "On Render"),
        ("CI=woodpecker", "partial: false"),
    ],
)
def test_the_fix_for_a_shallow_clone_is_that_of_the_service(environment: str, fix: str) -> None:
    assert fix in services.whole_history(variables(environment))


@pytest.mark.parametrize(
    ("is_container", "fix"),
    [
        (
            False,
            "Fetch the whole history before the build: `git fetch --unshallow --filter=blob:none`.",
        ),
        (True, "in this container, or on the host if the directory is mounted"),
    ],
)
def test_elsewhere_it_is_right_in_a_container_too(
    monkeypatch: pytest.MonkeyPatch, *, is_container: bool, fix: str
) -> None:
    monkeypatch.setattr(services, "is_container", lambda: is_container)  # no test can become one
    assert fix in services.whole_history({"CI": "true", "NETLIFY": ""})
    assert services.UNSHALLOW in services.whole_history({})


def test_the_fix_for_a_treeless_clone_is_another_clone() -> None:
    assert "partial: false" in services.trees({"CI": "woodpecker"})
    assert "--refetch" in services.trees({})


@pytest.mark.parametrize(
    ("environment", "service"),
    [
        ("READTHEDOCS=True READTHEDOCS_VERSION_TYPE=external", "Read the Docs"),
        ("GITHUB_EVENT_NAME=pull_request GITHUB_REF=refs/pull/7/merge", "GitHub Actions"),
        ("GITHUB_EVENT_NAME=pull_request_target GITHUB_REF=refs/heads/main", "GitHub Actions"),
        ("GITLAB_CI=true CI_MERGE_REQUEST_ID=1", "GitLab CI/CD"),
        ("NETLIFY=true CONTEXT=deploy-preview", "Netlify"),
        ("VERCEL=1 VERCEL_ENV=preview VERCEL_GIT_PULL_REQUEST_ID=23", "Vercel"),
        ("CI=true", ""),
        ("READTHEDOCS=True READTHEDOCS_VERSION_TYPE=branch", ""),
        ("GITHUB_ACTIONS=true GITHUB_EVENT_NAME=push GITHUB_REF=refs/heads/main", ""),
        # it was merged
        ("GITHUB_ACTIONS=true GITHUB_EVENT_NAME=pull_request GITHUB_REF=refs/heads/main", ""),
        ("GITLAB_CI=true CI_PIPELINE_SOURCE=push", ""),
        ("NETLIFY=true CONTEXT=branch-deploy", ""),
        ("VERCEL=1 VERCEL_ENV=preview VERCEL_GIT_PULL_REQUEST_ID=", ""),
        ("CF_PAGES=1 CF_PAGES_BRANCH=feature", ""),
    ],
)
def test_a_build_of_a_pull_request_is_one_only_if_the_service_says_so(
    environment: str, service: str
) -> None:
    assert services.pull_request_service(variables(environment)) == service


def variables(text: str) -> dict[str, str]:
    return dict(variable.split("=") for variable in text.split())
