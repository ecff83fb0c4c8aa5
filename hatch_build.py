"""The metadata that the URL of the repository decides: the README as PyPI shows it, and links."""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_HERE = r"(?!https?:|#)"


class Metadata(MetadataHookInterface):
    """Makes the long description and the links of the package."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the README and the links, if the repository has a URL."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        repository = repository_of(Path(self.root))
        metadata["urls"] = {}
        if repository:
            text = absolute(text, repository)
            metadata["urls"] = {
                "Source": repository,
                "Changelog": f"{repository}/blob/main/CHANGELOG.md",
                "Issues": f"{repository}/issues",
            }
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def repository_of(root: Path) -> str:
    """Return the URL of the repository, or an empty string. The package is not imported."""
    module = (root / "smindex_plugins/base/release.py").read_text(encoding="utf-8")
    (repository,) = re.findall(r'^REPOSITORY = "(.*)"$', module, re.MULTILINE)
    return str(repository)


def absolute(text: str, source: str) -> str:
    """Return Markdown whose pictures are loaded from the repository, and whose links lead into
    it.
    """
    text = re.sub(rf'(!\[[^]]*\]\(|\bsrc(?:set)?="){_HERE}', rf"\1{source}/raw/main/", text)
    return re.sub(rf"(\]\(){_HERE}", rf"\1{source}/blob/main/", text)
