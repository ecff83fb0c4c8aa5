import gzip
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from smindex_plugins import __version__, addresses
from smindex_plugins.cli.main import main
from smindex_plugins.model import Page
from smindex_plugins.settings import OPTIONS, Settings, Site
from tests.support.dated import publish_as_given

BASE = "https://e.org/docs/"
INDEX = "sitemap_index.xml"
UNSEEN = (
    "not looked at: https://e.org/robots.txt (not in this directory); the pages (there is no HTML in this directory)"
)
ALONE = "not looked at: the rest of the site (a single file was named)"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    pages = [Page(url=BASE + path) for path in ("", "a", "guide/a", "guide/b")]
    target = Site(url=BASE, directory=str(tmp_path), settings=Settings())
    publish_as_given(pages, target)
    return tmp_path


def test_a_clean_site_is_exit_code_0(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(site)]) == 0
    assert capsys.readouterr().out == f"nothing wrong in 1 index, 2 sitemaps, 4 URLs\n{UNSEEN}\n"


def test_a_finding_is_exit_code_1_and_one_line_below_its_check(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sitemap = site / "guide" / "sitemap.xml"
    sitemap.write_bytes(sitemap.read_bytes().replace(b"/guide/a", b"/other/a"))
    assert main(["check", str(site)]) == 1
    heading, finding, empty, summary, unseen = capsys.readouterr().out.splitlines()
    assert heading == "error: outside-scope (1 finding; Search Console: URL not allowed)"
    assert finding.startswith(f"  guide/sitemap.xml, line 4: lists {BASE}other/a, which is outside {BASE}guide/.")
    assert finding.endswith("[outside-scope]")
    assert not empty
    assert summary == "1 error in 1 index, 2 sitemaps, 4 URLs"
    assert unseen == UNSEEN


def test_a_sitemap_that_is_missing_or_torn_is_a_finding(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (site / "guide" / "sitemap.xml").unlink()
    (site / "sitemap-root.xml").write_text("<urlset>")
    assert main(["check", str(site), "--site-url", BASE]) == 1
    output = capsys.readouterr().out
    assert "[missing-sitemap]" in output
    assert "[unreadable-sitemap]" in output


@pytest.mark.parametrize("site_url", [BASE, "https://e.org/docs", "HTTPS://E.ORG:443/docs/"])
def test_the_address_can_be_given_in_any_form(site: Path, site_url: str) -> None:
    assert main(["check", str(site), "--site-url", site_url]) == 0


def test_a_site_served_from_elsewhere_is_out_of_scope(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(site), "--site-url", "https://f.org/"]) == 1
    assert "[sitemap-outside-index]" in capsys.readouterr().out


def test_an_index_of_another_name_is_checked(site: Path) -> None:
    (site / INDEX).rename(site / "i.xml")
    assert main(["check", str(site), "--index-filename", "i.xml"]) == 0


def test_several_indexes_are_checked_as_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages = [Page(url=f"{BASE}{name}/{number}") for name in "abc" for number in "12"]
    target = Site(url=BASE, directory=str(tmp_path), settings=Settings(max_urls=2))
    publish_as_given(pages, target)
    assert main(["check", str(tmp_path)]) == 0
    (tmp_path / "c" / "sitemap.xml").unlink()
    assert main(["check", str(tmp_path)]) == 1
    output = capsys.readouterr().out
    assert f"{BASE}c/sitemap.xml" in output
    assert "missing-sitemap (1 finding" in output


def test_other_files_with_a_number_are_no_indexes(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (site / "sitemap_index-1.xml").write_bytes((site / "sitemap-root.xml").read_bytes())
    assert main(["check", str(site)]) == 0
    (site / INDEX).unlink()
    capsys.readouterr()
    error = cannot_run(["check", str(site), "--index-filename", INDEX], capsys)
    assert f"there is no {INDEX} in it; there is sitemap-root.xml." in error


def cannot_run(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert not printed.out
    assert printed.err.startswith("smindex: ")
    assert printed.err.count("\n") == 1
    return printed.err


def test_a_directory_or_a_file_that_is_not_there_is_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cannot_run(["check", "nope"], capsys).startswith("smindex: nope: there is no such directory. Build the site")
    assert cannot_run(["check", "nope/sitemap.xml"], capsys).startswith("smindex: nope/sitemap.xml: there is no such f")


def test_what_has_no_sitemap_is_exit_code_2_with_how_to_make_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "there is no sitemap in it, and no HTML. Name" in cannot_run(["check", str(tmp_path)], capsys)
    page = tmp_path / "index.html"
    page.write_text("<!doctype html><title>A</title>A")
    assert "there is no sitemap in it. Add the plugin" in cannot_run(["check", str(tmp_path)], capsys)
    (tmp_path / "robots.txt").write_text("User-agent: *\n")
    for name in ("index.html", "robots.txt"):
        assert "it is no sitemap. Name a sitemap" in cannot_run(["check", str(tmp_path / name)], capsys)


def test_a_directory_in_the_place_of_the_index_is_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / INDEX).mkdir()
    assert "Is a directory" in cannot_run(["check", str(tmp_path)], capsys)


@pytest.mark.parametrize("content", [b"", b"<html/>", b"\xff\xfe", b"<!DOCTYPE a><a/>"])
def test_an_index_that_is_none_is_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes) -> None:
    (tmp_path / INDEX).write_bytes(content)
    for arguments in ([], ["--site-url", BASE]):
        assert main(["check", str(tmp_path), *arguments]) == 1
        assert INDEX in capsys.readouterr().out


@pytest.mark.parametrize("content", [b"<urlset/>", gzip.compress(b"a" * 99)[:-9], gzip.compress(b"")])
def test_a_compressed_index_that_is_torn_is_a_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    (tmp_path / "i.xml.gz").write_bytes(content)
    assert main(["check", str(tmp_path), "--index-filename", "i.xml.gz"]) == 1
    assert "None" not in capsys.readouterr().out


@pytest.mark.parametrize("command", ["build", "check", "join"])
@pytest.mark.parametrize(
    "site_url",
    ["e.org/docs/", "/docs/", "ftp://e.org/", "https://u:secret@e.org/", "https://:80/", "https://e.org/?x", ""],
)
def test_a_wrong_address_is_refused_by_every_command_in_the_same_words(
    site: Path, capsys: pytest.CaptureFixture[str], command: str, site_url: str
) -> None:
    assert main([command, str(site), "--site-url", site_url]) == 2
    printed = " ".join(capsys.readouterr().err.split())
    assert addresses.read(site_url, "")[1].strip(" .") in printed


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "https://u:secret@e.org/"],
        ["check", "site", "--cross-site", "https://u:secret@e.org"],
        ["join", "site", "--add", "https://u:secret@e.org/"],
        ["join", "site", "--site-url", "https://u:secret@e.org/"],
        ["join", "s3x://u:secret@e.org/"],
        ["build", "site", "--site-url", "https://u:secret@e.org/"],
    ],
)
def test_a_password_in_an_argument_is_not_printed(
    site: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.chdir(site.parent)
    main(arguments)
    printed = "".join(capsys.readouterr())
    assert printed
    assert "secret" not in printed


def test_a_password_in_a_sitemap_is_not_printed(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (site / "sitemap-root.xml").write_text("<urlset><url><loc>https://u:secret@e.org/</loc></url></urlset>")
    (site / "robots.txt").write_text("Sitemap: https://u:secret@e.org/sitemap.xml")
    for form in ("text", "json", "github"):
        assert main(["check", str(site), "--site-url", BASE, "--format", form]) == 1
        printed = capsys.readouterr().out
        assert "https://***@e.org/" in printed
        assert "secret" not in printed


def test_a_site_whose_address_is_unknown_asks_for_it(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (site / "guide" / "sitemap.xml").unlink()
    (site / "sitemap-root.xml").unlink()
    assert "give --site-url" in cannot_run(["check", str(site)], capsys)


def test_without_a_command_the_help_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """The exit code is 2: a script that has lost its arguments does not go on as if all were well."""
    assert main([]) == 2
    printed = capsys.readouterr().out
    assert main(["--help"]) == main(["help"]) == 0
    assert capsys.readouterr().out == printed * 2
    assert "    smindex check https://example.org/" in printed
    named = re.findall(r"^  ([a-z]+)  ", printed, re.MULTILINE)
    assert named == ["build", "join", "pages", "check", "report", "explain", "diff", "announce", "console", "help"]


@pytest.mark.parametrize("command", ["build", "check", "join", "announce", "pages", "console submit"])
def test_help_of_a_command_is_that_of_its_option(capsys: pytest.CaptureFixture[str], command: str) -> None:
    assert main(["help", *command.split()]) == 0
    printed = capsys.readouterr().out
    assert main([*command.split(), "--help"]) == main([*command.split(), "-h"]) == 0
    assert capsys.readouterr().out == printed * 2
    assert printed.startswith(f"Usage: smindex {command} [OPTIONS] ")
    assert len(re.findall(rf"^    smindex {command} ", printed, re.MULTILINE)) >= 2, "examples, one on each line"
    assert "\n  Exit codes:\n    0  " in printed


def test_the_options_of_a_command_are_in_groups(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--help"]) == 0
    headings = re.findall(r"^(\S.*):$", capsys.readouterr().out, re.MULTILINE)
    assert headings == ["Input", "Checks", "Network", "Output", "Help"]


def test_help_names_the_options_of_a_site(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "--help"]) == 0
    named = capsys.readouterr().out.partition("Options of the site:\n")[2]
    assert re.findall(r"^  (\w+)=", named, re.MULTILINE) == [option.name for option in OPTIONS]


def test_the_module_runs_as_the_command_does() -> None:
    command = [sys.executable, "-m", "smindex_plugins", "--version"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == f"smindex {__version__}\n"


@pytest.mark.parametrize(
    ("typed", "completed"),
    [("smindex jo", "join"), ("smindex check --for", "--format"), ("smindex check --only outside-s", "outside-scope")],
)
def test_bash_completes_commands_options_and_names_of_checks(typed: str, completed: str) -> None:
    words = {"COMP_WORDS": typed, "COMP_CWORD": str(len(typed.split()) - 1), "_SMINDEX_COMPLETE": "bash_complete"}
    command = [sys.executable, "-m", "smindex_plugins"]
    run = subprocess.run(command, env=os.environ | words, capture_output=True, text=True, check=True)
    assert run.stdout == f"plain,{completed}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "--form", "json", "site"], "No such option.*--form.*--format"),
        (["build", "--section-depth", "2"], "No such option.*--section-depth"),
        (["chekc"], "No such command 'chekc'. Did you mean 'check'?"),
        (["help", "chekc"], "No such command 'chekc'. Did you mean 'check'?"),
        (["--verison"], "No such option.*--verison.*--version"),
        (["check", "a", "b"], r"Got unexpected extra argument \(b\)"),
        (["join"], "Missing argument 'ROOT'"),
        (["announce"], "Missing argument 'CHANGES"),
        (["console"], "Missing command"),
        (["check", "--jobs", "0"], "Invalid value for '--jobs': 0 is not in the range"),
        (["check", "--format", "xml"], "Invalid value for '--format': 'xml' is not one of 'text', 'json', 'github'"),
        (["diff", "a", "b", "-o", "a.html"], "a.html ends in none of .md, .json"),
    ],
)
def test_a_usage_error_says_what_is_wrong_and_where_help_is(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(arguments) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert re.match(f"smindex: .*{message}", first)
    assert re.fullmatch("smindex: see `smindex .*--help`.", second)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ("gzip", "--set gzip: write NAME=VALUE, such as section_depth=2."),
        ("gzip=", "--set gzip=: write NAME=VALUE, such as section_depth=2."),
        ("section_deth=2", "--set section_deth: no such option; did you mean 'section_depth'?"),
        ("section_depth=deep", "--set section_depth: got 'deep'; accepted: a whole number from 0 to 20"),
        ("sections=[{name: api}]", "--set sections[0]: got {'name': 'api'}; accepted: a name and urls, such as "),
        ("lastmod=on", "--set lastmod: got True; accepted: 'git' or 'off'"),
    ],
)
def test_a_wrong_option_of_the_site_is_named_with_what_it_accepts(
    capsys: pytest.CaptureFixture[str], given: str, problem: str
) -> None:
    assert cannot_run(["build", "--set", given], capsys).startswith(f"smindex: {problem}")


def test_all_wrong_options_of_the_site_are_named_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["exclude=3", "gzip=true", "gzip=false", "exclud=a"]
    assert main(["build", *(word for each in given for word in ("--set", each))]) == 2
    names = [line.split(":")[1] for line in capsys.readouterr().err.splitlines()]
    assert names == [" --set gzip", " --set exclud", " --set exclude"]


def test_an_option_that_has_no_effect_on_a_table_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    error = cannot_run(["pages", "a.csv", "--site-url", BASE, "--out", "a", "--set", "lastmod=off"], capsys)
    assert error == "smindex: --set lastmod: it has no effect here. Leave it out.\n"


def test_a_single_file_is_checked_by_itself(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its address is found from the pages beside it; what lies around it is not judged."""
    (site / "guide" / "a").mkdir()
    (site / "guide" / "a" / "index.html").write_text("<!doctype html><body>A</body>")
    (site / "guide" / "b.html").write_text("<!doctype html><body>B</body>")
    assert main(["check", str(site / "guide" / "sitemap.xml")]) == 0
    assert capsys.readouterr().out == f"nothing wrong in 1 sitemap, 2 URLs\n{ALONE}\n"
    assert main(["check", str(site / INDEX)]) == 0
    assert capsys.readouterr().out == f"nothing wrong in 1 index, 2 sitemaps, 4 URLs\n{ALONE}\n"


def test_a_reader_that_has_read_enough_is_no_error(site: Path) -> None:
    command = f"{sys.executable} -m smindex_plugins check --list | head -1"
    run = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, cwd=site)
    assert run.stdout.startswith("unreadable-sitemap")
    assert not run.stderr


def test_names_that_are_no_text_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    directory = os.fsencode(tmp_path) + b"/\xff"
    os.mkdir(directory)
    with open(directory + b"/sitemap.xml", "wb") as file:
        file.write(b"<urlset/>")
    (tmp_path / "sitemap.txt").write_text(BASE + "a")
    for form in ("text", "json", "github"):
        assert main(["check", str(tmp_path), "--site-url", BASE, "--format", form, "--fail-on", "warning"]) == 1
        capsys.readouterr().out.encode()
