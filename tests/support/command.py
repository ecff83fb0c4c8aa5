"""The command, run in this process: what `smindex check` finds."""

import json

import pytest

from smindex_plugins.cli.main import main


def findings(capsys: pytest.CaptureFixture[str], *arguments: str, code: int | None = None) -> list[dict[str, str]]:
    capsys.readouterr()
    exit_code = main(["check", *arguments, "--format", "json"])
    printed = capsys.readouterr()
    assert not printed.err
    if code is not None:
        assert exit_code == code
    found: list[dict[str, str]] = json.loads(printed.out)["findings"]
    assert all(finding[key] for finding in found for key in ("check", "level", "where", "problem", "fix", "fix_url"))
    return found


SITE = "https://e.org/"
PAGE = "<!doctype html><title>A</title><body>Text</body>"
