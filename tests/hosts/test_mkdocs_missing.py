"""Without MkDocs, or with a version that has no plugins, importing the plugin says what to
install.
"""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("2.0", "MkDocs 2.0 does not support plugins. Install MkDocs 1.6"),
        ("1.6.1", "MkDocs 1.6.1 is installed but can't be imported: No module named 'mkdocs."),
    ],
)
def test_importing_the_plugin_where_mkdocs_has_no_modules_for_plugins_says_what_to_install(
    tmp_path: Path, version: str, words: str
) -> None:
    """MkDocs 2 is a package without such modules; one like it stands here before the one that is
    installed.
    """
    metadata = tmp_path / f"mkdocs-{version}.dist-info" / "METADATA"
    metadata.parent.mkdir()
    metadata.write_text(f"Metadata-Version: 2.1\nName: mkdocs\nVersion: {version}\n")
    (tmp_path / "mkdocs").mkdir()
    (tmp_path / "mkdocs" / "__init__.py").touch()
    assert words in failed_import(f"import sys; sys.path.insert(0, {str(tmp_path)!r})")


def test_importing_the_plugin_without_mkdocs_says_how_to_install_it_or_run_properdocs() -> None:
    hidden = "import sys, importlib.metadata as m; sys.modules['mkdocs'] = None"
    nothing = f"{hidden}; m.Distribution.discover = classmethod(lambda *_, **__: iter(()))"
    assert "this plugin requires MkDocs or ProperDocs" in failed_import(nothing)


def failed_import(before: str) -> str:
    """Import the plugin after something else, and give what it fails with."""
    program = f"{before}; import smindex_plugins.hosts.mkdocs_plugin"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: smindex-plugins: ")
    return last
