"""Reads the file `CNAME`, with which GitHub Pages learns the custom domain of a site.

https://docs.github.com/pages/configuring-a-custom-domain-for-your-github-pages-site: visitors of
the `*.github.io` address are redirected to the custom domain. Of `www` and the bare domain, one
redirects to the other, the configured one. The file counts if a branch is published. With GitHub
Actions, a setting counts, and the file may be a leftover.
"""

import os
import re
from typing import NamedTuple

from smindex_plugins.base import files, urls
from smindex_plugins.base.files import is_repository

NAME = "CNAME"
_MOST = 4096
"""More bytes than a file with one domain has."""
_SCHEME = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)
_DOMAIN = re.compile(
    r"(?=.{1,253}\Z)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+\Z)[a-z0-9-]{2,63}"
)
_GITHUB = ".github.io"


class Cname(NamedTuple):
    """The custom domain of a site."""

    domain: str
    """In lower case and ASCII, without a final dot."""
    path: str
    """The file that names it."""

    @property
    def where(self) -> str:
        """The name of the file in messages."""
        return NAME

    @property
    def url(self) -> str:
        """The root of the domain."""
        return f"https://{self.domain}/"

    def contradicts(self, site_url: str) -> bool:
        """Whether GitHub Pages would serve the site at another host than that of a URL."""
        return _host(site_url) != self.domain

    def address(self, site_url: str) -> str:
        """Return the address of the site at the domain, where a project page has no directory of
        its own.
        """
        path = urls.path(site_url)
        if _host(site_url).endswith(_GITHUB):
            path = "/" + path.removeprefix("/").partition("/")[2]
        return f"https://{self.domain}{path}"

    def effect(self, site_url: str) -> str:
        """Return what visitors get on GitHub Pages, as a sentence."""
        host = _host(site_url)
        if host.endswith(_GITHUB) or host.removeprefix("www.") == self.domain.removeprefix("www."):
            return f"On GitHub Pages, visitors of {host} are redirected to {self.domain}."
        return f"On GitHub Pages, visitors get the site at {self.domain}."


def find_cname(directory: str) -> Cname | None:
    """Return the custom domain of a built site: that in its directory, or that of the repository
    directly above.
    """
    directory = os.path.abspath(directory)
    above = os.path.dirname(directory)
    path = os.path.join(directory, NAME)
    if not os.path.lexists(path) and is_repository(above):
        path = os.path.join(above, NAME)
    if not os.path.lexists(path):
        return None
    domain = read_cname(path)
    if not domain:
        return None
    return Cname(domain, path)


def read_cname(path: str) -> str | None:
    """Return the domain in a file, or None if it has no domain, or several.

    Comments, a scheme, a path, a port and a final dot are ignored, because people write them by
    mistake.
    """
    try:
        text = files.read(path, _MOST + 1).decode("utf-8-sig")
    except (OSError, ValueError):
        return None
    if len(text) > _MOST:
        return None
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    found = {_domain(line) for line in lines if line}
    if len(found) != 1:
        return None
    return found.pop()


def _domain(line: str) -> str | None:
    """Return the domain in a line, in lower case and ASCII, or None if it is anything else."""
    url = urls.normal("https://" + _SCHEME.sub("", line, count=1))
    host = _host(url)
    if not _DOMAIN.fullmatch(host):
        return None
    return host


def _host(url: str) -> str:
    return urls.host(url).rstrip(".")
