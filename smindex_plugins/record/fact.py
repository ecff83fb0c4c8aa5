"""What a build decided about one page."""

import os
from typing import Literal, NamedTuple

from smindex_plugins.base import patterns, urls
from smindex_plugins.base.model import Page
from smindex_plugins.base.proof import ContentChange, NoDate, Proof, RestsOn, Unknown
from smindex_plugins.pages.omissions import Omission
from smindex_plugins.pages.undated import how_to_date


class Fact(NamedTuple):
    """What a build decided about one page. Its values are one line of the record.

    The rendered file is relative to the output, and all other files are relative to the project.
    """

    url: str
    file: str = ""
    sources: tuple[str, ...] = ()
    """The files that the page is built from, according to its host."""
    files: tuple[str, ...] = ()
    """All files that count for its date: its sources, what they include, and what it depends on."""
    lastmod: str = ""
    """Its date as in the sitemap. Empty if it has none."""
    rests_on: RestsOn | Literal[""] = ""
    """What the date rests on. Empty if dates are turned off."""
    key: str = ""
    """The front matter key of the author's date."""
    dated_by: str = ""
    """The file that gave the page its date, or that has none."""
    commit: str = ""
    """The commit that gave this file its content."""
    page: str = ""
    """The URL of the listed page with that date, if it rests on a list."""
    undated: str = ""
    """Why it has no date."""
    remedy: str = ""
    """How to give it a date."""
    reason: str = ""
    """Why it is in no sitemap, as in `Omission`. Empty if it is listed."""
    by: str = ""
    """The cause, as in `Omission`."""
    reason_key: str = ""
    """The front matter key that caused this."""

    @property
    def omission(self) -> Omission | None:
        """Why the page is in no sitemap, or None if it is listed."""
        if not self.reason:
            return None
        return Omission(Page(url=self.url), self.reason, self.by, self.reason_key)

    @classmethod
    def of(
        cls, page: Page, omission: Omission | None, site_url: str, directory: str, project: str
    ) -> "Fact":
        """Return the fact about a page with its proof.

        The directories are those of the output and the project.

        Raises:
            ValueError: a file is on a different drive than the directories.
        """
        proof = page.proof or Proof(answer=Unknown(NoDate.NO_SOURCE))
        answer = proof.answer
        file = _relative(page.file or "", directory)
        sources = [_relative(source, project) for source in page.sources]
        files = []
        if proof.files != page.sources:
            files = [_relative(counted, project) for counted in proof.files]
        undated = ""
        remedy = ""
        if page.proof and not page.lastmod and isinstance(answer, Unknown):
            undated = _why_undated(answer)
            remedy = _remedy(answer, page.url, site_url)
        commit = ""
        if proof.rests_on == "git" and isinstance(answer, ContentChange):
            commit = answer.commit
        fact = cls(
            url=page.url,
            file=file,
            sources=tuple(sources),
            files=tuple(files),
            lastmod=page.lastmod or "",
            rests_on=proof.rests_on if page.proof else "",
            key=proof.key or "",
            dated_by=_relative(proof.file or "", project),
            commit=commit,
            page=proof.page or "",
            undated=undated,
            remedy=remedy,
        )
        if omission:
            reason = str(omission.reason)
            return fact._replace(reason=reason, by=omission.by, reason_key=omission.key)
        return fact


def _why_undated(unknown: Unknown) -> str:
    """Return why a page has no date, in words for "it is"."""
    if unknown.reason is NoDate.NOT_FOUND and unknown.detail:
        return f"{unknown} ({unknown.detail})"
    return str(unknown)


def _remedy(unknown: Unknown, url: str, site_url: str) -> str:
    """Return how to date a page, with the line to add if it depends on the page."""
    if unknown.reason is not NoDate.TEMPLATE:
        return how_to_date(unknown)
    page = patterns.exact(urls.relative_path(url, site_url))
    if not unknown.detail:  # from a plugin
        return (
            f'Add `depends: {{"{page}": ["path/of/what/it/shows/*"]}}` to the options of the'
            " plugin."
        )
    line = f'depends = {{"{page}" = [{unknown.detail}]}}'
    return f"Add `{line}` to [tool.smindex] in pyproject.toml, or `lastmod:` to its front matter."


def _relative(path: str, directory: str) -> str:
    """Return a path relative to a directory, with slashes. An empty path stays empty."""
    inside = path.removeprefix(directory + os.sep)  # relpath takes as long as all the rest
    if path and inside == path:
        inside = os.path.relpath(path, directory)
    return inside.replace(os.sep, "/")
