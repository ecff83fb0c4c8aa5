"""A built site: its address, its directory, and the options for its sitemaps."""

from dataclasses import dataclass, field

from smindex_plugins.base.serving import Serving
from smindex_plugins.base.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A built site: its address, its directory, and the options for its sitemaps."""

    url: str
    """The URL that serves the directory. `publish` normalises it and adds a trailing slash."""
    directory: str
    settings: Settings = field(default_factory=Settings)
    url_from: str = field(default="", compare=False)
    """The option that sets the URL, for messages, with its file if several files can set it."""
    beside: str = ""
    """The base directory of relative paths in the settings. Empty means the current directory."""
    preview: str = ""
    """A directory for the new files of a dry run. If it is set, nothing else is written."""
    project: str = field(default="", compare=False)
    """The directory of the project, in which the build saves what it decided. Empty to save
    nothing."""
    settings_file: str = field(default="", compare=False)
    """The file that sets the options, if it is known."""
    serving: Serving | None = field(default=None, compare=False)
    """How the host answers, if its files were already read."""
    generator: str = field(default="", compare=False)
    """The program that made the pages, if it is known: ``MkDocs``."""
