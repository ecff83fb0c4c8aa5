import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest

from smindex_plugins import __version__
from smindex_plugins.cli.main import main
from smindex_plugins.model import Page
from smindex_plugins.settings import Settings, Target
from tests.support.dated import publish_as_given

BASE = "https://e.org/docs/"
INDEX = "sitemap_index.xml"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    pages = [Page(url=BASE + path) for path in ("", "a", "guide/a", "guide/b")]
    target = Target(site_url=BASE, directory=str(tmp_path), settings=Settings())
    publish_as_given(pages, target)
    return tmp_path


def test_a_clean_site_is_exit_code_0(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(site)]) == 0
    assert capsys.readouterr().out == "nothing wrong in 1 index, 2 sitemaps, 4 URLs\n"


def test_a_finding_is_exit_code_1_and_one_line_below_its_check(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sitemap = site / "guide" / "sitemap.xml"
    sitemap.write_bytes(sitemap.read_bytes().replace(b"/guide/a", b"/other/a"))
    assert main(["check", str(site)]) == 1
    heading, finding, empty, summary = capsys.readouterr().out.splitlines()
    assert heading == "error: outside-scope (1 finding; Search Console: URL not allowed)"
    assert finding.startswith(f"  guide/sitemap.xml, line 4: lists {BASE}other/a, which is outside {BASE}guide/.")
    assert finding.endswith("[outside-scope]")
    assert not empty
    assert summary == "1 error in 1 index, 2 sitemaps, 4 URLs"


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
    target = Target(site_url=BASE, directory=str(tmp_path), settings=Settings(max_urls=2))
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
    assert "there is no such file" in cannot_run(["check", str(site), "--index-filename", INDEX], capsys)


def cannot_run(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert not printed.out
    assert printed.err.startswith("smindex: ")
    assert printed.err.count("\n") == 1
    return printed.err


def test_a_site_without_an_index_is_exit_code_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for directory in (tmp_path, tmp_path / "nowhere"):
        error = cannot_run(["check", str(directory)], capsys)
        assert str(directory / INDEX) in error
        assert "Build the site first" in error


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


@pytest.mark.parametrize("site_url", ["e.org/docs/", "/docs/", "ftp://e.org/", "https://u:p@e.org/", "https://:80/"])
def test_an_address_that_is_none_is_exit_code_2(site: Path, capsys: pytest.CaptureFixture[str], site_url: str) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["check", str(site), "--site-url", site_url])
    assert stopped.value.code == 2
    assert "argument --site-url: " in capsys.readouterr().err


def test_a_site_whose_address_is_unknown_asks_for_it(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (site / "guide" / "sitemap.xml").unlink()
    (site / "sitemap-root.xml").unlink()
    assert "give --site-url" in cannot_run(["check", str(site)], capsys)


def test_without_a_command_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "smindex check site" in capsys.readouterr().out


@pytest.mark.parametrize(("arguments", "code"), [(["--help"], 0), (["check", "--help"], 0), (["check"], 2), (["x"], 2)])
def test_the_parser_keeps_to_the_same_exit_codes(
    capsys: pytest.CaptureFixture[str], arguments: list[str], code: int
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == code
    assert "usage: smindex" in "".join(capsys.readouterr())


def test_the_module_runs_as_the_command_does() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "smindex_plugins", "--version"], capture_output=True, text=True, check=True
    )
    assert run.stdout == f"smindex {__version__}\n"


def test_a_single_file_is_checked_by_itself(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its address is found from the pages beside it; what lies around it is not judged."""
    (site / "guide" / "a").mkdir()
    (site / "guide" / "a" / "index.html").write_text("<!doctype html><body>A</body>")
    (site / "guide" / "b.html").write_text("<!doctype html><body>B</body>")
    assert main(["check", str(site / "guide" / "sitemap.xml")]) == 0
    assert capsys.readouterr().out == "nothing wrong in 1 sitemap, 2 URLs\n"
    assert main(["check", str(site / INDEX)]) == 0
    assert capsys.readouterr().out == "nothing wrong in 1 index, 2 sitemaps, 4 URLs\n"


def test_a_reader_that_has_read_enough_is_no_error(site: Path) -> None:
    command = f"{sys.executable} -m smindex_plugins checks | head -1"
    run = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, cwd=site)
    assert run.stdout.startswith("unreadable-sitemap")
    assert not run.stderr


def test_names_that_are_no_text_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    directory = os.fsencode(tmp_path) + b"/\xff"
    os.mkdir(directory)
    with open(directory + b"/sitemap.xml", "wb") as file:
        file.write(b"<urlset/>")
    (tmp_path / "sitemap.txt").write_text(BASE + "a")
    for form in ("text", "json", "github", "sarif"):
        assert main(["check", str(tmp_path), "--site-url", BASE, "--format", form, "--fail-on", "warning"]) == 1
        capsys.readouterr().out.encode()
