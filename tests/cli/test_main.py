"""The command itself: its help, its completion, and what it answers to wrong arguments."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from smindex_plugins import __version__
from smindex_plugins.base.settings import OPTIONS
from smindex_plugins.cli.main import main
from tests.support.command import PAGE, SITE, refused
from tests.support.planted import urlset, write


def test_without_a_command_the_help_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """The exit code is 2: a script that has lost its arguments does not go on as if all were
    well.
    """
    assert main([]) == 2
    printed = capsys.readouterr().out
    assert main(["--help"]) == main(["help"]) == 0
    assert capsys.readouterr().out == printed * 2
    assert "    smindex check https://example.org/" in printed
    named = re.findall(r"^  ([a-z]+)  ", printed, re.MULTILINE)
    assert named == [
        "build",
        "join",
        "pages",
        "check",
        "report",
        "explain",
        "diff",
        "announce",
        "console",
        "help",
    ]


def test_the_list_of_commands_has_the_first_sentence_of_the_help_of_each(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(["--help"])
    commands = capsys.readouterr().out.partition("Write sitemaps:")[2]
    listed = re.findall(r"^  ([a-z]+) +((?:.+\n {3,})*.+)", commands, re.MULTILINE)
    assert len(listed) == 10
    for name, meaning in listed:
        main([name, "--help"])
        help_text = " ".join(capsys.readouterr().out.split())
        assert f" {' '.join(meaning.split())} " in help_text, name


@pytest.mark.parametrize(
    "command", ["build", "check", "join", "announce", "pages", "console submit"]
)
def test_help_of_a_command_is_that_of_its_option(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    assert main(["help", *command.split()]) == 0
    printed = capsys.readouterr().out
    assert main([*command.split(), "--help"]) == main([*command.split(), "-h"]) == 0
    assert capsys.readouterr().out == printed * 2
    assert printed.startswith(f"Usage: smindex {command} [OPTIONS] ")
    assert len(re.findall(rf"^    smindex {command} ", printed, re.MULTILINE)) >= 2, (
        "examples, one on each line"
    )
    assert "\n  Exit codes:\n    0  " in printed


def test_help_has_options_in_groups_and_those_of_a_site_by_name(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["build", "--help"]) == 0
    printed = capsys.readouterr().out
    assert re.findall(r"^(\S.*):$", printed, re.MULTILINE) == [
        "Input",
        "Output",
        "Site options",
        "Help",
    ]
    named = re.findall(r"^  (\w+)=", printed.partition("Site options:\n")[2], re.MULTILINE)
    assert named == [option.name for option in OPTIONS]


def test_help_shows_defaults_as_people_write_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--help"]) == 0
    assert re.findall(r"\[default: (\d.*?)\]", capsys.readouterr().out) == ["4", "30", "600"]


def test_the_module_runs_as_the_command_does() -> None:
    command = [sys.executable, "-m", "smindex_plugins", "--version"]
    assert (
        subprocess.run(command, capture_output=True, text=True, check=True).stdout
        == f"smindex {__version__}\n"
    )


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("smindex jo", "plain,join"),
        ("smindex check --for", "plain,--format"),
        ("smindex check --only outside-s", "plain,outside-scope"),
        ("smindex explain site outside-s", "plain,outside-scope"),
        ("smindex build --set section_d", "plain,section_depth="),
        ("smindex diff live si", "file,si"),
    ],
)
def test_bash_completes_commands_options_names_and_files(typed: str, completed: str) -> None:
    words = {
        "COMP_WORDS": typed,
        "COMP_CWORD": str(len(typed.split()) - 1),
        "_SMINDEX_COMPLETE": "bash_complete",
    }
    command = [sys.executable, "-m", "smindex_plugins"]
    run = subprocess.run(
        command, env=os.environ | words, capture_output=True, text=True, check=True
    )
    assert run.stdout == f"{completed}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "--form", "json", "site"], "No such option.*--form.*--format"),
        (["chekc"], "No such command 'chekc'. Did you mean 'check'?"),
        (["help", "chekc"], "No such command 'chekc'. Did you mean 'check'?"),
        (["--verison"], "No such option.*--verison.*--version"),
        (["check", "a", "b"], r"Got unexpected extra argument \(b\)"),
        (["join"], "Missing argument 'ROOT'"),
        (["console"], "Missing command"),
        (["check", "--jobs", "0"], "Invalid value for '--jobs': 0 is not in the range"),
        (
            ["check", "--format", "xml"],
            "Invalid value for '--format': 'xml' is not one of 'text', 'json', 'github'",
        ),
        (["diff", "a", "b", "-o", "a.html"], "a.html does not end in .md or .json"),
        # of a variable that is not set
        (["build", "--sources", ""], "Invalid value for '--sources': it is empty"),
        (["check", ""], r"Invalid value for '\[DIRECTORY\|FILE\|URL\]': it is empty"),
        (
            ["check", "--only", "undated-pages"],
            "only builds and joins report 'undated-pages', not checks",
        ),
        (["check", "--ignore", "twin-ur"], "no such check: 'twin-ur'; did you mean 'twin-url'"),
        *(
            (
                [command, ".", "--site-url", "e.org/a"],
                (
                    "Invalid value for '--site-url': 'e.org/a' doesn't start with .*; use .* such"
                    " as https://e.org/a/"
                ),
            )
            for command in ("build", "check", "join", "report", "explain")
        ),
        (["check", "--cross-site", "https://e.org/a"], "Invalid value for '--cross-site': "),
    ],
)
def test_a_usage_error_says_what_is_wrong_and_where_help_is(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    first, second = refused(capsys, *arguments)
    assert re.match(f".*{message}", first)
    assert re.fullmatch("see `smindex .*--help`.", second)


def test_all_wrong_options_of_the_site_are_named_at_once_with_what_they_accept(
    capsys: pytest.CaptureFixture[str],
) -> None:
    given = [
        "gzip",
        "gzip=",
        "max_urls=1",
        "max_urls=2",
        "section_deth=2",
        "section_depth=deep",
        "lastmod=on",
    ]
    found = refused(capsys, "build", *(word for each in given for word in ("--set", each)))
    assert found == [
        "--set gzip: write NAME=VALUE, such as section_depth=2.",
        "--set gzip=: write NAME=VALUE, such as section_depth=2.",
        "--set max_urls: it is set twice. Write a list: --set 'exclude=[drafts/, tags/]'.",
        "--set section_deth: no such option; did you mean 'section_depth'?",
        "--set section_depth: got 'deep'; accepted: a whole number from 0 to 20",
        "--set lastmod: got True; accepted: 'git' or 'off'",
    ]


def test_an_option_that_has_no_effect_on_a_table_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = refused(
        capsys, "pages", "a.csv", "--site-url", SITE, "--out", "a", "--set", "lastmod=off"
    )
    assert found == ["--set lastmod: it has no effect here. Remove it."]


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "https://u:secret@e.org/"],
        ["check", "site", "--cross-site", "https://u:secret@e.org"],
        ["join", "site", "--add", "https://u:secret@e.org/"],
        ["join", "site", "--site-url", "https://u:secret@e.org/"],
        ["join", "s3x://u:secret@e.org/"],
        ["build", "site", "--site-url", "https://u:secret@e.org/"],
        *(
            ["check", "site", "--site-url", SITE, "--format", form]
            for form in ("text", "json", "github")
        ),
    ],
)
def test_a_password_in_an_argument_or_a_sitemap_is_not_printed(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
) -> None:
    write(tmp_path / "site", {"sitemap.xml": urlset("https://u:secret@e.org/")})
    write(tmp_path / "site", {"robots.txt": "Sitemap: https://u:secret@e.org/sitemap.xml"})
    monkeypatch.chdir(tmp_path)
    main(arguments)
    printed = "".join(capsys.readouterr())
    assert "***@" in printed
    assert "secret" not in printed


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        (["build"], "build one --site-url https://example.org/"),
        (["check"], "check one"),
        (["report"], "report one"),
        (["explain", "a/"], "explain one PAGE"),
    ],
)
def test_without_a_site_the_command_to_run_is_the_one_that_was_given(
    arguments: list[str],
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(tmp_path, {"one/index.html": PAGE, "two/index.html": PAGE})
    monkeypatch.chdir(tmp_path)
    (message,) = refused(capsys, *arguments)
    assert f"Run `smindex {command}`" in message
