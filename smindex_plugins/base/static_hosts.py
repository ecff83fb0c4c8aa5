"""Which static host serves a site, and what it answers for the different URLs of one page.

A page is the file `file.html` or the file `folder/index.html`. Hosts serve it at up to three URLs,
redirect one to another, or return an error. Sources: the tests of deployed sites in
https://github.com/slorber/trailing-slash-guide,
https://developers.cloudflare.com/workers/static-assets/routing/advanced/html-handling/,
https://vercel.com/docs/project-configuration#trailingslash,
https://firebase.google.com/docs/hosting/full-config and
https://docs.gitlab.com/user/project/pages/introduction/
"""

import glob
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Literal

from smindex_plugins.base import urls
from smindex_plugins.base.files import is_repository
from smindex_plugins.base.host_settings import below, firebase_site, nearest, read_settings, text_of
from smindex_plugins.base.serving import CLOUDFLARE, GITHUB, Answers, Form, StaticHost

_FORMS: tuple[Form, ...] = ("file", "file/", "file.html", "folder", "folder/", "folder/index.html")


def _row(*answers: Form | Literal["missing"] | None) -> Answers:
    """Return the answers for the six forms in their order.

    None means that an answer is not known.
    """
    return {form: answer for form, answer in zip(_FORMS, answers, strict=True) if answer}


_ALL = _row("file", "file/", "file.html", "folder", "folder/", "folder/index.html")
_WITH_SLASH = _row("file", None, "file.html", "folder/", "folder/", "folder/index.html")
"""The most common answers: a directory has a slash, and a file needs no suffix."""
_BARE = _row("file", "file", "file", "folder/", "folder/", "folder/")
"""Each page has only one URL."""
_ALWAYS_SLASH = _row("file/", "file/", "file/", "folder/", "folder/", "folder/")
_NEVER_SLASH = _row("file", "file", "file", "folder", "folder", "folder")
_AS_FILES = _row("missing", "missing", "file.html", "folder", "folder/", "folder/index.html")
_SLASH_ONLY = _row(None, None, None, None, "folder/", None)
_READ_THE_DOCS = _row(None, None, "file.html", None, "folder/", None)

_WORKERS: dict[str, Answers] = {
    "auto-trailing-slash": _BARE,
    "force-trailing-slash": _ALWAYS_SLASH,
    "drop-trailing-slash": _NEVER_SLASH,
    "none": _row("missing", "missing", "file.html", None, None, "folder/index.html"),
}
"""By `assets.html_handling`."""
_DOMAINS = {
    ".github.io": GITHUB,
    ".gitlab.io": "GitLab Pages",
    ".netlify.app": "Netlify",
    ".vercel.app": "Vercel",
    ".pages.dev": CLOUDFLARE,
    ".workers.dev": CLOUDFLARE,
    ".web.app": "Firebase Hosting",
    ".firebaseapp.com": "Firebase Hosting",
    ".readthedocs.io": "Read the Docs",
    ".azurestaticapps.net": "Azure Static Web Apps",
    ".onrender.com": "Render",
}
"""The domains that hosts give to the sites of their users."""
_FILES = {
    "netlify.toml": "Netlify",
    "vercel.json": "Vercel",
    "wrangler.toml": CLOUDFLARE,
    "wrangler.json": CLOUDFLARE,
    "wrangler.jsonc": CLOUDFLARE,
    "firebase.json": "Firebase Hosting",
    "staticwebapp.config.json": "Azure Static Web Apps",
    "render.yaml": "Render",
    ".readthedocs.yaml": "Read the Docs",
    ".readthedocs.yml": "Read the Docs",
}
"""The files with the settings of one host, in the output, its project or the repository."""
READERS = {
    "_redirects": {"Netlify", CLOUDFLARE, "GitLab Pages"},
    "_headers": {"Netlify", CLOUDFLARE},
    "netlify.toml": {"Netlify"},
    "vercel.json": {"Vercel"},
    "firebase.json": {"Firebase Hosting"},
}
"""The hosts that read each file of rules."""
OUTPUT_ONLY = ("_redirects", "_headers")
"""Those that have an effect only if they are deployed with the site."""
_DEPLOYS_TO_GITHUB = re.compile(
    r"^[^#\n]*(?:actions/deploy-pages@|peaceiris/actions-gh-pages@|mkdocs gh-deploy)", re.MULTILINE
)
_BUILT_BY_VERCEL = ("next.config.*", "svelte.config.*", ".vercel/output/config.json")
"""Files of projects for which Vercel changes the output: it serves `about.html` of Next.js only at
`/about`."""
_DEPLOYS_TO_GITLAB = re.compile(r"^pages:", re.MULTILINE)


def find_host(address: str, directories: list[str]) -> StaticHost | None:
    """Return the host of a site, or None if nothing shows it.

    If its files show several hosts, only their common answers count. ``directories`` are the output
    and those above it that can contain settings. The address is the strongest evidence; then come
    files in the output, which are deployed with the site; then the settings in the directories
    above.
    """
    name = urls.host(address)
    for domain, host in _DOMAINS.items():
        if name.endswith(domain):
            return replace(_with_settings(host, name, directories), is_by_address=True)
    for found in (_in_output(directories[0]), _above(directories)):
        hosts = [_with_settings(host, file, directories) for host, file in dict(found).items()]
        if len(hosts) == 1:
            return hosts[0]
        if hosts:
            return _any_of(hosts)
    for file in OUTPUT_ONLY:
        if os.path.isfile(os.path.join(directories[0], file)):
            return StaticHost("Netlify, Cloudflare or GitLab Pages", file, _WITH_SLASH)
    return None


def _with_settings(host: str, shown_by: str, directories: list[str]) -> StaticHost:
    answers = _ANSWERS[host](directories)
    has_underscores = _has_underscores(host, directories)
    return StaticHost(host, shown_by, answers, publishes_underscores=has_underscores)


def _any_of(hosts: list[StaticHost]) -> StaticHost:
    """Return several hosts as one, with the answers that all of them give."""
    first, *others = hosts
    common = {}
    for form, to in first.answers.items():
        if all(other.answers.get(form) == to for other in others):
            common[form] = to
    names = " or ".join(host.name for host in hosts)
    shown_by = ", ".join(host.shown_by for host in hosts)
    return StaticHost(names, shown_by, common)


def _in_output(output: str) -> Iterator[tuple[str, str]]:
    """Yield the hosts of the files in the output."""
    if os.path.isfile(os.path.join(output, "CNAME")):
        yield GITHUB, "CNAME"
    for name, host in _FILES.items():
        if os.path.isfile(os.path.join(output, name)):
            yield host, name


def _above(directories: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the hosts of the settings in the directories above the output."""
    for name, host in _FILES.items():
        path = nearest(name, directories)
        if path and _is_for_pages(path):
            yield host, name
    if has_cname_above(directories):
        yield GITHUB, "CNAME"
    for directory in directories[1:]:
        workflows = os.path.join(directory, ".github", "workflows")
        names = sorted(os.listdir(workflows)) if os.path.isdir(workflows) else []
        for name in names:
            workflow = text_of(os.path.join(workflows, name))
            if _DEPLOYS_TO_GITHUB.search(workflow):
                yield GITHUB, f".github/workflows/{name}"
        pipeline = text_of(os.path.join(directory, ".gitlab-ci.yml"))
        if _DEPLOYS_TO_GITLAB.search(pipeline):
            yield "GitLab Pages", ".gitlab-ci.yml"


def has_cname_above(directories: list[str]) -> bool:
    """Whether the root of a repository contains a `CNAME` for the output directly below it, such as
    Jekyll's.
    """
    if len(directories) != 2:  # noqa: PLR2004 - the output and the root
        return False
    root = directories[1]
    return is_repository(root) and os.path.isfile(os.path.join(root, "CNAME"))


def _is_for_pages(path: str) -> bool:
    """Whether a file of settings is about static pages.

    Wrangler and Firebase also run other programs.
    """
    settings = read_settings(path)
    match os.path.basename(path).partition(".")[0]:
        case "wrangler":
            return "assets" in settings or "pages_build_output_dir" in settings
        case "firebase":
            return "hosting" in settings
    return True


def _netlify(directories: list[str]) -> Answers:
    settings = read_settings(nearest("netlify.toml", directories))
    is_pretty = below(settings, "build", "processing", "html").get("pretty_urls", True)
    if not is_pretty:
        return _ALL
    return {**_WITH_SLASH, "file/": "file"}


def _vercel(directories: list[str]) -> Answers:
    settings = read_settings(nearest("vercel.json", directories))
    slash = settings.get("trailingSlash")
    if settings.get("cleanUrls"):
        if slash is None:  # the tests of deployed sites contradict each other
            return _SLASH_ONLY
        return _ALWAYS_SLASH if slash else _NEVER_SLASH
    answers: dict[Form, Form | Literal["missing"]] = dict(_AS_FILES)
    if slash is not None:
        answers |= {"folder": "folder/"} if slash else {"folder/": "folder"}
    if any(map(_is_built_by_vercel, directories)):
        return {form: answer for form, answer in answers.items() if form.startswith("folder")}
    return answers


def _is_built_by_vercel(directory: str) -> bool:
    inside = glob.escape(directory)
    return any(glob.glob(os.path.join(inside, pattern)) for pattern in _BUILT_BY_VERCEL)


def _cloudflare(directories: list[str]) -> Answers:
    files = (nearest(f"wrangler.{end}", directories) for end in ("toml", "json", "jsonc"))
    settings = read_settings(next(filter(None, files), None))
    handling = below(settings, "assets").get("html_handling", "auto-trailing-slash")
    return _WORKERS.get(str(handling), _SLASH_ONLY)


def _firebase(directories: list[str]) -> Answers:
    path = nearest("firebase.json", directories)
    if not path:
        return _SLASH_ONLY
    hosting = firebase_site(read_settings(path), os.path.dirname(path), directories[0])
    if not hosting:
        return _SLASH_ONLY
    slash = hosting.get("trailingSlash")
    if hosting.get("cleanUrls"):
        if slash is None:
            return _BARE
        return _ALWAYS_SLASH if slash else _NEVER_SLASH
    if slash is False:
        return {**_AS_FILES, "folder/": "folder"}
    return {**_AS_FILES, "folder": "folder/"}


_ANSWERS: dict[str, Callable[[list[str]], Answers]] = {
    GITHUB: lambda _: {**_WITH_SLASH, "file/": "missing"},
    "GitLab Pages": lambda _: _WITH_SLASH,
    "Netlify": _netlify,
    "Vercel": _vercel,
    CLOUDFLARE: _cloudflare,
    "Firebase Hosting": _firebase,
    "Azure Static Web Apps": lambda _: {**_ALL, "file/": "missing"},
    "Render": lambda _: _ALL,
    "Read the Docs": lambda _: _READ_THE_DOCS,
}
"""Returns what each host answers, by its settings in some directories."""


def _has_underscores(host: str, directories: list[str]) -> bool:
    """Whether a host is known to publish directories whose names start with `_`.

    GitHub Pages runs Jekyll on a branch without a `.nojekyll` file, and Jekyll skips these
    directories:
    https://docs.github.com/en/pages/getting-started-with-github-pages/about-github-pages
    """
    if host != GITHUB or os.path.exists(os.path.join(directories[0], ".nojekyll")):
        return True
    return any(name.startswith(".github/workflows/") for _, name in _above(directories))
