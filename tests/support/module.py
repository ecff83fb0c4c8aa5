"""Programs in Python, each run in a process of its own that is forked from one that has imported
what most of them import: this takes most of the time of a small build.
"""

import multiprocessing
import os
import runpy
import subprocess
import sys
import warnings
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

# Not Pelican: when it is imported, it changes how other programs log.
_IMPORTED = (
    "babel.support",
    "blinker",
    "docutils.core",
    "feedgenerator",
    "markdown.extensions.codehilite",
    "markdown.extensions.fenced_code",
    "markdown.extensions.tables",
    "markdown.extensions.toc",
    "material.plugins.blog.plugin",
    "material.plugins.search.plugin",
    "mkdocs.commands.build",
    "mkdocs.contrib.search",
    "mkdocs.livereload",
    "smindex_plugins.cli.build",
    "smindex_plugins.cli.check",
    "smindex_plugins.hosts.mkdocs_plugin",
    "sphinx.application",
)
_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload([*_IMPORTED])


def run_module(
    module: str, *arguments: str, cwd: Path, env: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """Do what `python -m` does."""
    # ProperDocs takes the place of MkDocs, unless that is already imported.
    if module == "properdocs" or _concerns_the_interpreter(env):
        return subprocess.run(
            [sys.executable, "-m", module, *arguments],
            cwd=cwd,
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )
    with TemporaryDirectory() as directory:
        out, err = Path(directory, "out"), Path(directory, "err")
        given = (module, arguments, cwd, dict(env), out, err)
        process = _CONTEXT.Process(target=_run, args=given)
        process.start()
        process.join()
        assert process.exitcode is not None
        printed = [path.read_text("utf-8") for path in (out, err)]
        return subprocess.CompletedProcess(arguments, process.exitcode, *printed)


def _concerns_the_interpreter(env: Mapping[str, str]) -> bool:
    for name, value in env.items():
        is_new = os.environ.get(name) != value
        if is_new and name.startswith("PYTHON") and name != "PYTHONWARNINGS":
            return True
    return False


def _run(
    module: str, arguments: tuple[str, ...], cwd: Path, env: dict[str, str], *outputs: Path
) -> None:
    for number, path in enumerate(outputs, start=1):
        with path.open("wb") as file:
            os.dup2(file.fileno(), number)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    warning = env.get("PYTHONWARNINGS", "default")
    sys.warnoptions[:] = [warning]
    warnings.simplefilter(warning)  # type: ignore[arg-type]
    sys.path.insert(0, str(cwd))
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
