"""Whether a tag can be released. `python -m tests.release v0.1.0` says what is still to do.

It needs nothing but Python.
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent


def unready(tag: str, root: Path = ROOT) -> Iterator[str]:
    """Give what keeps a tag from being released."""
    package = (root / "smindex_plugins/__init__.py").read_text(encoding="utf-8")
    (version,) = re.findall(r'^__version__ = "(.+)"$', package, re.MULTILINE)
    if tag != f"v{version}":
        yield (
            f"The tag is {tag!r}, and `__version__` in smindex_plugins/__init__.py is {version!r}."
        )
    changes = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    if not re.search(rf"^## {re.escape(version)} - \d{{4}}-\d\d-\d\d$", changes, re.MULTILINE):
        yield f"CHANGELOG.md has no heading such as `## {version} - 2026-01-31`."
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    if "Source" not in project.get("urls", {}):
        yield (
            "pyproject.toml has no `Source` under [project.urls], so the links of the README are"
            " dead on PyPI."
        )


def main(arguments: list[str]) -> int:
    """Print what is still to do, and return the exit code."""
    if len(arguments) != 1:
        print("usage: python -m tests.release TAG")
        return 2
    problems = list(unready(arguments[0]))
    print("\n".join(problems) or f"{arguments[0]} can be released.")
    return int(len(problems) > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
