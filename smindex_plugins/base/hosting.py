"""Reads how the host of a site answers, from the files of the output, its project and the
repository.
"""

import os

from smindex_plugins.base.files import is_repository, up_to_repository
from smindex_plugins.base.host_rules import HostRules, UnreadRule
from smindex_plugins.base.host_settings import nearest
from smindex_plugins.base.model import Spot
from smindex_plugins.base.serving import Serving
from smindex_plugins.base.static_hosts import OUTPUT_ONLY, READERS, find_host


def read_serving(directory: str, base: str = "") -> Serving:
    """Return how the host of an output directory answers, according to the files in it and above
    it.

    Settings are read from the nearest directory that has them, up to the root of the git
    repository. ``base`` is the normalized URL that serves the directory. Empty if it is not known.
    """
    directories = _upwards(directory)
    host = find_host(base, directories)
    rules = HostRules()
    for name, readers in READERS.items():
        searched = directories[:1] if name in OUTPUT_ONLY else directories
        path = nearest(name, searched)
        if path is None:
            own = os.path.join(directory, name)
            if os.path.lexists(own) and not os.path.isfile(own):
                _read_rules(rules, own, directory)  # which says why it can't be read
        elif host is None or not host.is_by_address or host.name in readers:
            _read_rules(rules, path, directory)
        elif name in OUTPUT_ONLY:
            problem = f"{host.name}, which serves {host.shown_by}, does not read this file."
            fix = "Delete the file. Redirect with pages that contain a meta refresh."
            rules.unread.append(UnreadRule(Spot(name, path), problem, fix))
    return Serving(directory=directory, base=base, host=host, rules=rules)


def _read_rules(rules: HostRules, path: str, output: str) -> None:
    from smindex_plugins.base.rule_files import read_rules  # noqa: PLC0415 - few sites have rules

    read_rules(rules, path, output)


def _upwards(directory: str) -> list[str]:
    """Return a directory and those above it, up to the root of its git repository.

    Without a repository, only the parent can contain settings for it: a directory farther up
    belongs to other things.
    """
    found = list(up_to_repository(os.path.realpath(directory)))
    if is_repository(found[-1]):
        return found
    return found[:2]
