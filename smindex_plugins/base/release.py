"""Where the package comes from. Messages, documentation and metadata take it from here."""

REPOSITORY = ""
"""The URL of the repository, such as https://github.com/you/smindex-plugins. Empty until the first
release, which is also when the package is on PyPI."""


def install_command(extra: str) -> str:
    """Return the command that installs the package with an extra, as the end of a message."""
    if REPOSITORY:
        return f"pip install 'smindex-plugins[{extra}]'"
    command = f"pip install 'smindex-plugins[{extra}] @ git+URL'"
    return f"{command}. Replace git+URL with the path of a clone, such as file:///home/you/clone"
