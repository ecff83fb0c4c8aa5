"""CI services: how to fetch the whole history there, and whether a build is for a pull request."""

import os
from collections.abc import Mapping

UNSHALLOW = "git fetch --unshallow --filter=blob:none"
"""Fetches all commits and directories, but not the old content of files, which dates don't need."""

_WOODPECKER = (
    "In Woodpecker, set `clone: {git: {image: woodpeckerci/plugin-git, settings: {partial: false,"
    " depth: 0}}}`."
)
_WHOLE_HISTORY = {
    # The variable that identifies a service, the page that documents it, and the fix. A service
    # that also sets another one's variables comes before it.
    # https://woodpecker-ci.org/plugins/git-clone: by default, it clones without trees
    "CI=woodpecker": _WOODPECKER,
    # https://readthedocs.org/: reference/environment-variables, build-customization ("Unshallow git
    # clone")
    "READTHEDOCS": (
        f"On Read the Docs, add to .readthedocs.yaml `build: jobs: post_checkout: [{UNSHALLOW} ||"
        " true]`."
    ),
    # https://docs.netlify.com/configure-builds/environment-variables/
    "NETLIFY": f"On Netlify, start the build command with `{UNSHALLOW} || true;`.",
    # https://vercel.com/docs/projects/environment-variables/system-environment-variables; it clones
    # with --depth=10
    "VERCEL": (
        "On Vercel, set the environment variable `VERCEL_DEEP_CLONE=true` in the project's"
        " settings."
    ),
    # https://developers.cloudflare.com/pages/configuration/build-configuration/#environment-variables
    "CF_PAGES": f"On Cloudflare Pages, start the build command with `{UNSHALLOW} || true;`.",
    # https://render.com/docs/environment-variables
    "RENDER": f"On Render, start the build command with `{UNSHALLOW} || true;`.",
    # https://docs.github.com/actions/reference/workflows-and-actions/variables
    "GITHUB_ACTIONS": (
        "In GitHub Actions, configure actions/checkout `with: {fetch-depth: 0, filter:"
        " 'blob:none'}`."
    ),
    # https://docs.gitlab.com/ci/variables/predefined_variables/
    "GITLAB_CI": "In GitLab CI/CD, set `variables: {GIT_DEPTH: 0}` for the job.",
    # https://support.atlassian.com/bitbucket-cloud/docs/variables-and-secrets/
    "BITBUCKET_BUILD_NUMBER": "In Bitbucket Pipelines, set `clone: {depth: full}`.",
    # https://learn.microsoft.com/azure/devops/pipelines/build/variables
    "TF_BUILD": (
        "In Azure Pipelines, start the job's steps with "
        "`- {checkout: self, fetchDepth: 0, fetchFilter: 'blob:none'}`."
    ),
}
_CONTAINER = (
    f"Before the build, run `{UNSHALLOW}` in the repository. Run it in this container, or on the"
    " host if the directory is mounted from there."
)
_ELSEWHERE = f"Fetch the whole history before the build: `{UNSHALLOW}`."


def whole_history(environment: Mapping[str, str] = os.environ) -> str:
    """Return how to fetch the whole history on this machine."""
    for mark, advice in _WHOLE_HISTORY.items():
        name, _, wanted = mark.partition("=")
        value = environment.get(name)
        if value and wanted in {"", value}:
            return advice
    if is_container():
        return _CONTAINER
    return _ELSEWHERE


def trees(environment: Mapping[str, str] = os.environ) -> str:
    """Return how to fetch the directories that a treeless clone lacks."""
    if environment.get("CI") == "woodpecker":
        return _WOODPECKER
    return (
        "Clone with `--filter=blob:none` instead of `--filter=tree:0`, or run `git fetch --refetch"
        " --filter=blob:none`."
    )


def pull_request_service(environment: Mapping[str, str] = os.environ) -> str:
    """Return the service that marks this build as a pull or merge request, or nothing.

    Such a build is never deployed. The pages linked above document the variables. Cloudflare Pages
    has none. GitHub builds a merged pull request on its base branch, and may deploy it then.
    """
    get = environment.get
    if get("READTHEDOCS_VERSION_TYPE") == "external":
        return "Read the Docs"
    if get("NETLIFY") and get("CONTEXT") == "deploy-preview":
        return "Netlify"
    if get("VERCEL_ENV") == "preview" and get("VERCEL_GIT_PULL_REQUEST_ID"):
        return "Vercel"
    is_pull_request = get("GITHUB_REF", "").startswith("refs/pull/")
    if is_pull_request or get("GITHUB_EVENT_NAME") == "pull_request_target":
        return "GitHub Actions"
    if get("CI_MERGE_REQUEST_ID"):
        return "GitLab CI/CD"
    return ""


def is_automatic(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether a CI service runs this build.

    Almost all services set `CI`; the others have variables of their own.
    """
    if environment.get("CI", "").lower() not in {"", "0", "false"}:
        return True
    variables = [name for name in _WHOLE_HISTORY if "=" not in name]
    return any(environment.get(name) for name in variables)


def is_container() -> bool:
    """Whether this runs in a Docker container."""
    return os.path.exists("/.dockerenv")
