"""What the host of a site answers for a URL: a page, a redirect, an error, or nothing that its
files show.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import NamedTuple

from smindex_plugins.base import urls
from smindex_plugins.base.files import is_repository, up_to_repository
from smindex_plugins.base.host_rules import GONE, MOVED, HostRules, Redirect, UnreadRule
from smindex_plugins.base.host_settings import nearest
from smindex_plugins.base.model import Spot
from smindex_plugins.base.static_hosts import CLOUDFLARE, READERS, Form, StaticHost, find_host

_OUTPUT_ONLY = ("_redirects", "_headers")
"""Files that have an effect only if they are deployed with the site."""


class Served(NamedTuple):
    """What a host answers for a URL."""

    status: int | None
    """The status, or None if there is a file for the URL, but nothing shows whether the host sends
    it."""
    file: str = ""
    """The file of the URL, relative to the directory, even if the host redirects the URL or returns
    an error."""
    to: str = ""
    """The normalized URL that it redirects to."""
    where: str = ""
    """What decides this: the place of a rule, or the host and what shows that it serves the
    site."""
    by_rule: bool = False
    """Whether a rule decides this."""

    @property
    def is_redirect(self) -> bool:
        """Whether it leads to another URL."""
        return self.status in MOVED

    @property
    def is_missing(self) -> bool:
        """Whether there is nothing at the URL."""
        return self.status in GONE


@dataclass(slots=True, kw_only=True)
class Serving:
    """How the host of a site answers."""

    directory: str
    """The output."""
    base: str = ""
    """The normalized URL that serves it. Empty if it is not known."""
    host: StaticHost | None = None
    """The host, if the address or a file shows it."""
    rules: HostRules = field(default_factory=HostRules)

    @classmethod
    def read(cls, directory: str, base: str = "") -> "Serving":
        """Return how the host of an output directory answers, according to the files in it and
        above it.

        Settings are read from the nearest directory that has them, up to the root of the git
        repository.
        """
        directories = _upwards(directory)
        host = find_host(base, directories)
        rules = HostRules()
        for name, readers in READERS.items():
            searched = directories[:1] if name in _OUTPUT_ONLY else directories
            path = nearest(name, searched)
            if path is None:
                own = os.path.join(directory, name)
                if os.path.lexists(own) and not os.path.isfile(own):
                    _read_rules(rules, own, directory)  # which says why it can't be read
                continue
            if host is None or not host.is_by_address or host.name in readers:
                _read_rules(rules, path, directory)
            elif name in _OUTPUT_ONLY:
                problem = f"{host.name}, which serves {host.shown_by}, does not read this file."
                fix = "Delete the file. Redirect with pages that contain a meta refresh."
                rules.unread.append(UnreadRule(Spot(name, path), problem, fix))
        return cls(directory=directory, base=base, host=host, rules=rules)

    @property
    def unread(self) -> list[UnreadRule]:
        """The rules that can't be read, or that this host ignores."""
        return self.rules.unread

    def robots(self, url: str) -> dict[str, str]:
        """Return the X-Robots-Tag headers for a normalized URL, each with the place of its rule."""
        return self.rules.robots(url)

    def find(self, url: str) -> str:
        """Return the file that a server can show at a normalized URL of the site, or nothing."""
        if not urls.is_within(url, self.base):
            return ""
        return urls.find_file(self.directory, self.base, url, urls.answering_files) or ""

    def redirect(self, url: str, *, has_file: bool, is_elsewhere: bool = False) -> Redirect | None:
        """Return how a rule answers for a normalized URL, or None. See `HostRules.redirect`."""
        if self.host and self.host.name == CLOUDFLARE:
            has_file = False  # whose rules apply to every URL
        return self.rules.redirect(url, has_file=has_file, is_elsewhere=is_elsewhere)

    def answer(self, url: str, find: Callable[[str], str] | None = None) -> Served:
        """Return what the host answers for a normalized URL of the site.

        ``find`` returns the file for a URL. By default, it is looked up in the directory.
        """
        find = find or self.find
        file = find(url)
        is_elsewhere = bool(self.base) and urls.origin(url) != urls.origin(self.base)
        rule = self.redirect(url, has_file=bool(file), is_elsewhere=is_elsewhere)
        if rule and rule.status in MOVED | GONE:
            to = rule.to if rule.status in MOVED else ""
            return Served(rule.status, file, to, rule.where, by_rule=True)
        if rule and not urls.is_within(rule.to, self.base):
            return Served(None, file, where=rule.where)  # another site provides the page
        if rule:
            file = file or find(rule.to)
        if not file:
            return _NOTHING
        if rule:
            return Served(HTTPStatus.OK, file, where=rule.where)
        return self.form_answer(url, file)

    def form_answer(self, url: str, file: str) -> Served:
        """Return what the host answers for a normalized URL of a file, apart from its rules."""
        form, stem = form_of(url, file)
        if form is None:
            return Served(HTTPStatus.OK, file)
        host = self.host
        if host and not host.publishes_underscores and "/_" in f"/{file}":
            return Served(None, file)
        if host is None or form not in host.answers:
            return Served(HTTPStatus.OK if form in _EVERYWHERE else None, file)
        answer = host.answers[form]
        where = f"{host.name} ({host.shown_by})"
        if answer == form:
            return Served(HTTPStatus.OK, file)
        if answer == "missing":
            return Served(HTTPStatus.NOT_FOUND, file, where=where)
        end = "/" if file == "index.html" else _ENDS[answer]
        return Served(HTTPStatus.MOVED_PERMANENTLY, file, stem + end, where)


def _read_rules(rules: HostRules, path: str, output: str) -> None:
    from smindex_plugins.base.rule_files import read_rules  # noqa: PLC0415 - few sites have rules

    read_rules(rules, path, output)


_NOTHING = Served(HTTPStatus.NOT_FOUND)
_ENDS: dict[Form, str] = {
    "file": "",
    "file/": "/",
    "file.html": ".html",
    "folder": "",
    "folder/": "/",
    "folder/index.html": "/index.html",
}
"""The ends of URLs by their form."""
_EVERYWHERE = frozenset({"folder/", "file.html", "folder/index.html"})
"""The forms that a host shows unless its settings say something else."""


def form_of(url: str, file: str) -> tuple[Form | None, str]:
    """Return how a URL refers to a page's file, and the URL without the end that makes this form.

    Files that are not pages have no form, and neither has the address of the site.
    """
    path = url.partition("?")[0]
    name = file.rpartition("/")[2]
    if not name.endswith(".html") or (file == "index.html" and not path.endswith("/index.html")):
        return None, path
    if name == "index.html":
        if path.endswith("/index.html"):
            return "folder/index.html", path.removesuffix("/index.html")
        if path.endswith("/"):
            return "folder/", path[:-1]
        return "folder", path
    if path.endswith("/"):
        return "file/", path[:-1]
    return ("file.html", path.removesuffix(".html")) if path.endswith(".html") else ("file", path)


def _upwards(directory: str) -> list[str]:
    """Return a directory and those above it, up to the root of its git repository.

    Without a repository, only the parent can contain settings for it: a directory farther up
    belongs to other things.
    """
    found = list(up_to_repository(os.path.realpath(directory)))
    if is_repository(found[-1]):
        return found
    return found[:2]
