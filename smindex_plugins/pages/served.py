"""What the host of a site answers for its listed pages: whether each URL shows its page, or leads
to another URL.
"""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus

from smindex_plugins.base.model import Page
from smindex_plugins.base.serving import Serving, form_of
from smindex_plugins.base.site import Site
from smindex_plugins.base.text import counted
from smindex_plugins.pages.url_forms import Misserved


@dataclass(slots=True)
class Answered:
    """What the host answers for the listed pages of a build."""

    misserved: list[Misserved] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    """What nothing shows about the answers, as text for the summary."""


def ask_host(members: Iterable[Page], site: Site) -> Answered:
    """Return what the host of a site answers for the listed pages."""
    answered = Answered()
    serving = site.serving
    unshown: list[str] = []
    for page in members:
        if serving is None or not page.file or page.kind == "file" or page.mapped:
            continue
        file = relative(page.file, site.directory)
        served = serving.form_answer(page.url, file)
        if served.is_redirect or served.is_missing:
            generator: str | None = site.generator
            if page.head and not generator:
                generator = page.head.generator
            misserved = Misserved(page.spot, page.url, served.to, served.where, generator)
            answered.misserved.append(misserved)
        elif served.status is None:
            unshown.append(file)
    answered.unknown = unknown_answers(serving, unshown)
    return answered


def unknown_answers(serving: Serving | None, files: Sequence[str]) -> list[str]:
    """Return what is not known about the answers of a host for some files, as text for a
    summary.
    """
    host = serving.host if serving else None
    hidden = 0
    if host and not host.publishes_underscores:
        hidden = sum("/_" in f"/{file}" for file in files)
    unshown = len(files) - hidden
    texts: list[str] = []
    if unshown:
        who = "the host"
        why = ", because nothing shows which host serves the site"
        if host:
            who = host.name
            why = ""
        number = counted(unshown, "URL")
        texts.append(f"whether {who} redirects {number} without a slash or suffix{why}")
    if hidden:
        where = "in directories whose names start with _ (it does with a file .nojekyll)"
        texts.append(f"whether GitHub Pages publishes {counted(hidden, 'page')} {where}")
    return texts


def relative(file: str, directory: str) -> str:
    """Return the path of a file below a directory, with ``/`` separators."""
    # relpath takes as long as the rest of this module
    inside = file.removeprefix(directory + os.sep)
    if inside == file:
        inside = os.path.relpath(file, directory)
    return inside.replace(os.sep, "/")


def shown_url(page: Page, site: Site) -> str:
    """Return the URL at which the host shows a page, or the URL of the page if nothing shows
    another one.
    """
    if site.serving is None or page.file is None or page.mapped:
        return page.url
    file = relative(page.file, site.directory)
    served = site.serving.form_answer(page.url, file)
    if served.is_redirect:
        return served.to
    form, stem = form_of(page.url, file)
    if served.is_missing and form in {"file", "file/"}:
        by_name = f"{stem}.html"
        if site.serving.form_answer(by_name, file).status == HTTPStatus.OK:
            return by_name
    return page.url
