"""The README as PyPI shows it, with links into the repository."""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_HERE = r"(?!https?:|#)"


class Readme(MetadataHookInterface):
    """Makes the long description of the package of the README."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the README.

        Its relative links lead into the repository, if `Source` in [project.urls] is set.
        """
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        source = metadata.get("urls", {}).get("Source")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": absolute(text, source) if source else text,
        }


def absolute(text: str, source: str) -> str:
    """Return Markdown whose pictures are loaded from the repository, and whose links lead into
    it.
    """
    text = re.sub(rf'(!\[[^]]*\]\(|\bsrc(?:set)?="){_HERE}', rf"\1{source}/raw/main/", text)
    return re.sub(rf"(\]\(){_HERE}", rf"\1{source}/blob/main/", text)
