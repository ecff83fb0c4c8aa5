"""What a CI service says about its builds: how they get the whole history, and whether they are deployed."""

import os
import re
from collections.abc import Mapping

UNSHALLOW = "git fetch --unshallow --filter=blob:none"
"""Fetches every commit and directory but no file's old content, which no date needs."""

_BY_VARIABLE = (
    # Which variable tells, with the page that documents it, and what to do there. A service that sets another one's
    # variables, too, comes before it.
    # https://readthedocs.org/: reference/environment-variables, build-customization ("Unshallow git clone")
    ("READTHEDOCS", f"On Read the Docs, add to .readthedocs.yaml `build: jobs: post_checkout: [{UNSHALLOW} || true]`."),
    # https://docs.netlify.com/configure-builds/environment-variables/
    ("NETLIFY", f"On Netlify, begin the build command with `{UNSHALLOW} || true;`."),
    # https://vercel.com/docs/projects/environment-variables/system-environment-variables; it clones with --depth=10
    ("VERCEL", "On Vercel, set the environment variable `VERCEL_DEEP_CLONE=true` in the project's settings."),
    # https://developers.cloudflare.com/pages/configuration/build-configuration/#environment-variables
    ("CF_PAGES", f"On Cloudflare Pages, begin the build command with `{UNSHALLOW} || true;`."),
    # https://render.com/docs/environment-variables
    ("RENDER", f"On Render, begin the build command with `{UNSHALLOW} || true;`."),
    # https://docs.github.com/actions/reference/workflows-and-actions/variables
    ("GITHUB_ACTIONS", "In GitHub Actions, give actions/checkout `with: {fetch-depth: 0, filter: 'blob:none'}`."),
    # https://docs.gitlab.com/ci/variables/predefined_variables/
    ("GITLAB_CI", "In GitLab CI/CD, set `variables: {GIT_DEPTH: 0}` for the job."),
    # https://support.atlassian.com/bitbucket-cloud/docs/variables-and-secrets/
    ("BITBUCKET_BUILD_NUMBER", "In Bitbucket Pipelines, set `clone: {depth: full}`."),
    # https://learn.microsoft.com/azure/devops/pipelines/build/variables
    (
        "TF_BUILD",
        "In Azure Pipelines, begin the job's steps with `- {checkout: self, fetchDepth: 0, fetchFilter: 'blob:none'}`.",
    ),
)
_PREVIEWS: tuple[tuple[str, dict[str, str]], ...] = (
    # What a service sets in the build of a pull request. Cloudflare Pages sets nothing that tells one from a branch.
    # https://docs.readthedocs.com/platform/stable/reference/environment-variables.html
    ("Read the Docs", {"READTHEDOCS_VERSION_TYPE": "external"}),
    # https://docs.netlify.com/configure-builds/environment-variables/
    ("Netlify", {"NETLIFY": ".+", "CONTEXT": "deploy-preview"}),
    # https://vercel.com/docs/projects/environment-variables/system-environment-variables
    ("Vercel", {"VERCEL_ENV": "preview", "VERCEL_GIT_PULL_REQUEST_ID": ".+"}),
    # https://render.com/docs/environment-variables
    ("Render", {"RENDER": ".+", "IS_PULL_REQUEST": "true"}),
    # https://docs.github.com/actions/reference/workflows-and-actions/variables; one that was merged is built on its
    # base branch, and may well be deployed then
    (
        "GitHub Actions",
        {"GITHUB_ACTIONS": ".+", "GITHUB_EVENT_NAME": "pull_request", "GITHUB_REF": "(?:refs/pull/.+)?"},
    ),
    ("GitHub Actions", {"GITHUB_ACTIONS": ".+", "GITHUB_EVENT_NAME": "pull_request_target"}),
    # https://docs.gitlab.com/ci/variables/predefined_variables/
    ("GitLab CI/CD", {"CI_PIPELINE_SOURCE": "merge_request_event"}),
    ("GitLab CI/CD", {"GITLAB_CI": ".+", "CI_MERGE_REQUEST_ID": ".+"}),
    # https://support.atlassian.com/bitbucket-cloud/docs/variables-and-secrets/
    ("Bitbucket Pipelines", {"BITBUCKET_PR_ID": ".+"}),
    # https://learn.microsoft.com/azure/devops/pipelines/build/variables
    ("Azure Pipelines", {"BUILD_REASON": "PullRequest"}),
    # https://woodpecker-ci.org/docs/usage/environment
    ("Woodpecker", {"CI": "woodpecker", "CI_PIPELINE_EVENT": "pull_request"}),
)
_WOODPECKER = (
    # https://woodpecker-ci.org/plugins/git-clone: it clones without trees unless told otherwise
    "In Woodpecker, set `clone: {git: {image: woodpeckerci/plugin-git, settings: {partial: false, depth: 0}}}`."
)
_CONTAINER = (
    f"Before the build, run `{UNSHALLOW}` in the repository. Run it in this container, or on the host machine if the "
    "directory is mounted from there."
)
_ELSEWHERE = f"Fetch the whole history before the build: `{UNSHALLOW}`."


def whole_history(environment: Mapping[str, str] | None = None) -> str:
    """Return how to get the whole history on this machine."""
    environment = os.environ if environment is None else environment
    if environment.get("CI") == "woodpecker":
        return _WOODPECKER
    for variable, way in _BY_VARIABLE:
        if environment.get(variable):
            return way
    return _CONTAINER if is_container() else _ELSEWHERE


def preview(environment: Mapping[str, str] | None = None) -> str:
    """Return the service that marks this build as one of a pull or merge request, which is never deployed."""
    environment = os.environ if environment is None else environment
    for service, said in _PREVIEWS:
        if all(re.fullmatch(value, environment.get(variable, "")) for variable, value in said.items()):
            return service
    return ""


def trees(environment: Mapping[str, str] | None = None) -> str:
    """Return how to get the directories that a treeless clone on this machine lacks."""
    environment = os.environ if environment is None else environment
    if environment.get("CI") == "woodpecker":
        return _WOODPECKER
    return (
        "Clone with `--filter=blob:none` instead of `--filter=tree:0`, or run `git fetch --refetch --filter=blob:none`."
    )


def is_container() -> bool:
    """Whether this runs in a Docker container but not on a known service."""
    return os.path.exists("/.dockerenv")
