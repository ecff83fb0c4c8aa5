"""What the host of a site answers for a URL: a page, a redirect, an error, or nothing that its
files show.

`hosting` reads these files.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Literal, NamedTuple

from smindex_plugins.base import urls
from smindex_plugins.base.host_rules import GONE, MOVED, HostRules, Redirect, UnreadRule

GITHUB = "GitHub Pages"
CLOUDFLARE = "Cloudflare"

Form = Literal["file", "file/", "file.html", "folder", "folder/", "folder/index.html"]
"""How a URL refers to a page: `file` for `file.html`, and `folder` for `folder/index.html`."""

Answers = Mapping[Form, Form | Literal["missing"]]
"""What a host answers for a form: the page, if the form is its own value; a redirect to another
form; or an error. A form that is not in it is not known."""


@dataclass(frozen=True, slots=True)
class StaticHost:
    """The host of a site."""

    name: str
    """Its name, or the names of all that it can be."""
    shown_by: str
    """What shows that it serves the site, for messages: a file, or the address."""
    answers: Answers = field(default_factory=dict)
    is_by_address: bool = False
    """Whether the address of the site belongs to the host."""
    publishes_underscores: bool = True
    """Whether it is known to publish files in directories whose names start with `_`."""


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
