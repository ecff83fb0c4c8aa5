"""A repository whose settings name a program wherever git takes one: a file tells whether any was run."""

from pathlib import Path

from tests.support.gitrepo import Repo

_HOOKS = ("post-index-change", "fsmonitor-watchman", "post-checkout", "reference-transaction", "pre-auto-gc")
_SETTINGS = """
[core]
    fsmonitor = {0}
    sshCommand = {0}
    gitProxy = {0}
    pager = {0}
    editor = {0}
    askPass = {0}
    hooksPath = {1}
    alternateRefsCommand = {0}
[diff]
    external = {0}
[diff "trap"]
    textconv = {0}
    command = {0}
[filter "trap"]
    clean = {0}
    smudge = {0}
    process = {0}
    required = true
[filter "trap.of=many\\"names"]
    clean = {0}
[merge "trap"]
    driver = {0}
[pager]
    log = {0}
    status = {0}
[alias]
    log = !{0}
    status = !{0}
    ls-files = !{0}
[log]
    showSignature = true
[gpg]
    program = {0}
[credential]
    helper = !{0}
[protocol]
    allow = always
[protocol "ext"]
    allow = always
[remote "origin"]
    url = ext::{0}
    promisor = true
    partialCloneFilter = blob:none
    uploadpack = {0}
[extensions]
    partialClone = origin
[submodule]
    recurse = true
[status]
    submoduleSummary = true
[uploadpack]
    packObjectsHook = {0}
"""


def lay(repo: Repo, place: Path, *, is_expressible: bool = True) -> Path:
    """Let the settings of a repository name a program, and return the file that it writes if it is run.

    ``is_expressible`` says whether options of git can switch all of its filters off.
    """
    marker, trap, hooks = place / "marker", place / "trap", place / "hooks"
    trap.write_text(f'#!/bin/sh\necho "$0" "$@" >> {marker}\ncat\n')
    trap.chmod(0o755)
    hooks.mkdir()
    for hook in _HOOKS:
        (hooks / hook).symlink_to(trap)
    settings = _SETTINGS.format(trap, hooks)
    with (repo / ".git/config").open("a") as file:
        file.write(settings.replace("of=many", "of many") if is_expressible else settings)
    marker.unlink(missing_ok=True)
    return marker
