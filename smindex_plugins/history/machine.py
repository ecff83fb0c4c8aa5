"""What gives a build the whole history on the machine it runs on: each service has its own way."""

import os
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
_WOODPECKER = (
    # https://woodpecker-ci.org/plugins/git-clone: it clones without trees unless told otherwise
    "In Woodpecker, set `clone: {git: {image: woodpeckerci/plugin-git, settings: {partial: false, depth: 0}}}`."
)
_DOCKER = f"Run `{UNSHALLOW}` where the directory is that is mounted into this container."
_ELSEWHERE = f"Fetch the whole history before the build: `{UNSHALLOW}`."


def whole_history(environment: Mapping[str, str] | None = None) -> str:
    """Return how this machine's clones get the whole history."""
    environment = os.environ if environment is None else environment
    if environment.get("CI") == "woodpecker":
        return _WOODPECKER
    for variable, way in _BY_VARIABLE:
        if environment.get(variable):
            return way
    return _DOCKER if is_container() else _ELSEWHERE


def trees(environment: Mapping[str, str] | None = None) -> str:
    """Return how this machine's clones get the directories that a treeless clone lacks."""
    environment = os.environ if environment is None else environment
    if environment.get("CI") == "woodpecker":
        return _WOODPECKER
    return (
        "Clone with `--filter=blob:none` instead of `--filter=tree:0`, or run `git fetch --refetch --filter=blob:none`."
    )


def is_container() -> bool:
    """Whether this runs in a Docker container, where no service says so."""
    return os.path.exists("/.dockerenv")
