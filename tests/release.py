"""Whether a tag can be released. `python -m tests.release v0.1.0` says what is still to do.

It needs nothing but Python.

The README and the manual show how to install what is not released: `@ git+URL` after the name of
the package, and what stands between `<!-- unreleased -->` and `<!-- /unreleased -->`. The first
release removes both.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

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
    module = (root / "smindex_plugins/base/release.py").read_text(encoding="utf-8")
    (repository,) = re.findall(r'^REPOSITORY = "(.*)"$', module, re.MULTILINE)
    if not repository:
        yield "`REPOSITORY` in smindex_plugins/base/release.py is not set."
        return
    for path in pages(root):
        text = path.read_text(encoding="utf-8")
        if text != released(text, repository, version):
            yield (
                f"{path.relative_to(root)} shows how to install what is not released. Run"
                " `UPDATE_MANUAL=1 python -m pytest tests/docs/test_release_lines.py`."
            )


def pages(root: Path = ROOT) -> list[Path]:
    """Return the files that show how to install the package."""
    manual = (root / "sample_sites/mkdocs/docs").rglob("*.md")
    return sorted([*root.glob("*.md"), *manual])


def released(text: str, repository: str, version: str) -> str:
    """Return a page as it is from the first release on."""
    text = re.sub(
        r"([ \n]*)<!-- unreleased -->.*?<!-- /unreleased -->(\n*)",
        lambda match: "\n" * max(match[1].count("\n"), len(match[2])),
        text,
        flags=re.DOTALL,
    )
    text = re.sub(r"(smindex-plugins(?:\[\w+\])?) @ git\+URL", r"\1", text)
    runs = f"{repository}/actions/workflows/ci.yml"
    text = text.replace(" <!-- badges -->", f"\n\n[![tests]({runs}/badge.svg)]({runs})")
    action = urlsplit(repository).path.strip("/")
    return re.sub(r"OWNER/smindex-plugins@main", f"{action}@v{version}", text)


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
