"""A page that leads to another URL: by a redirect, by a canonical link, or because of its host."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from smindex_plugins.base.model import Spot
from smindex_plugins.base.serving import Served
from smindex_plugins.pages.url_forms import Misserved, are_twins

Look = Callable[[str], Served | None]
"""Returns what the host answers for a normalized URL, or None if that is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """A page that leads to another URL."""

    spot: Spot
    """The entry that lists it, or the page itself."""
    url: str
    to: str
    by: Literal["redirect", "canonical"]
    where: str = ""
    """The place of the rule or the host that redirects it."""
    scope: str = ""
    """The directory that the sitemap may list. Empty if no sitemap lists the page."""
    names_itself: bool = False
    """Whether the page at the target of a redirect declares this URL as canonical."""
    generator: str | None = None
    """The generator of the page, as far as it is known."""

    @property
    def is_misserved(self) -> bool:
        """Whether the host only prefers another form of its URL."""
        return self.by == "redirect" and are_twins(self.url, self.to)

    @property
    def misserved(self) -> Misserved:
        """The same as a URL at which the host does not show its page."""
        return Misserved(self.spot, self.url, self.to, self.where, self.generator)
