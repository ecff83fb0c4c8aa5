"""How the plugin lives in Pelican: settings, strict modes, failed and repeated runs, and other sitemap plugins."""

import json
import logging
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from pelican import Pelican

from tests.support.blog import PLUGIN, SITEURL, Blog


@pytest.fixture
def blog(tmp_path: Path) -> Blog:
    return Blog(tmp_path / "project")


def test_the_command_writes_what_the_one_line_asks_for(blog: Blog) -> None:
    blog.article("a.md")
    blog.configure()
    done = blog.command("-v")
    assert f"listed in {SITEURL}/sitemap_index.xml" in done.stdout + done.stderr
    assert (blog.root / "output/sitemap_index.xml").exists()


def test_a_second_run_touches_no_file(blog: Blog) -> None:
    blog.article("a.md")
    index = blog.run().directory / "sitemap_index.xml"
    before = index.stat()
    blog.run()
    assert (index.stat().st_ino, index.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_options_can_be_given_on_the_command_line(blog: Blog) -> None:
    blog.article("a.md")
    blog.configure()
    blog.command("-e", "SITEMAP_INDEX=" + json.dumps({"index_filename": "sitemap.xml"}))
    assert (blog.root / "output/sitemap.xml").exists()


@pytest.mark.parametrize("siteurl", [SITEURL, ""], ids=["for publication", "for development"])
@pytest.mark.parametrize("flag", ["-v", "-q", "--fatal=errors", "--listen"])
def test_wrong_options_stop_pelican_before_it_reads_content_and_every_mistake_is_named(
    blog: Blog, flag: str, siteurl: str
) -> None:
    blog.article("a.md")
    blog.configure(SITEMAP_INDEX={"section_deepth": 2, "gzip": "yes", "exclude": [3]}, SITEURL=siteurl)
    done = blog.command(flag, check=False)
    said = done.stdout + done.stderr
    assert done.returncode == 1
    assert not (blog.root / "output").exists()
    assert "SITEMAP_INDEX['section_deepth']: no such option; did you mean 'section_depth'?" in said
    assert "SITEMAP_INDEX['gzip']: got 'yes'; accepted: true or false" in said
    assert "SITEMAP_INDEX['exclude[0]']: got 3" in said
    assert "Traceback" not in said


def test_options_that_are_no_dict_stop_pelican_too(blog: Blog) -> None:
    with pytest.raises(SystemExit, match=r"SITEMAP_INDEX: got \['gzip'\]; accepted: a dict"):
        blog.run(SITEMAP_INDEX=["gzip"])


def test_options_that_are_settings_of_their_own_stop_pelican_too_and_the_log_says_how_to_write_them(blog: Blog) -> None:
    with pytest.raises(SystemExit, match=r"SITEMAP_INDEX_EXCLUDE: write SITEMAP_INDEX = {'exclude': \.\.\.}"):
        blog.run(SITEMAP_INDEX_EXCLUDE=["tag/"])


def _configure_until(log: Path, text: str, blog: Blog, **settings: Any) -> None:  # noqa: ANN401
    """Write settings until the log has something: a change that comes before Pelican watches is seen by nobody."""
    end = time.monotonic() + 120
    while text not in log.read_text():
        assert time.monotonic() < end, log.read_text()
        blog.configure(IGNORE_FILES=[], **settings)  # what is ignored by default is every file with a suffix
        time.sleep(2)


def test_wrong_options_do_not_end_pelican_while_it_reloads_and_right_ones_count_at_once(blog: Blog) -> None:
    blog.article("a.md")
    blog.write("content/pages/undated.md", "title: undated\n\nText.\n")
    blog.configure(IGNORE_FILES=[])
    with blog.reload() as log:
        _configure_until(log, f"listed in {SITEURL}/sitemap_index.xml", blog)
        _configure_until(log, "SITEMAP_INDEX['max_urls']: got 0", blog, SITEMAP_INDEX={"max_urls": 0})
        _configure_until(log, f"listed in {SITEURL}/other.xml", blog, SITEMAP_INDEX={"index_filename": "other.xml"})
        _configure_until(log, "undated is 'fail'", blog, SITEMAP_INDEX={"undated": "fail"})
        time.sleep(3)
        runs = log.read_text().count("Done: ")
        time.sleep(3)
        assert log.read_text().count("Done: ") == runs, "a run that fails begins again at once"


@pytest.mark.parametrize(("arguments", "count"), [([], 1), (["-q"], 0), (["-v"], 1)])
def test_a_run_prints_one_line_that_says_what_was_written_unless_it_is_to_be_quiet(
    blog: Blog, arguments: list[str], count: int
) -> None:
    blog.article("a.md")
    blog.write("output/old.html", "<!doctype html><title>A</title><p>Text")
    siteurl = f"{SITEURL}/{'long' * 30}"
    blog.configure(SITEURL=siteurl)
    done = blog.command(*arguments, COLUMNS="1000" if arguments else "80")
    lines = [line for line in done.stdout.splitlines() if f"listed in {siteurl}/sitemap_index.xml" in line]
    assert len(lines) == count
    assert ["pelican -v" in line for line in lines] == [not arguments] * count


def test_the_line_is_printed_whatever_the_console_can_show(blog: Blog) -> None:
    blog.article("größe/a.md")
    settings = {"ARTICLE_SAVE_AS": "größe/a.html", "ARTICLE_URL": "größe/a.html"}
    blog.configure(**settings, SITEMAP_INDEX={"exclude": ["größe/"]})
    assert "1 excluded by `gr\\xf6\\xdfe/`" in blog.command(PYTHONIOENCODING="ascii").stdout


@pytest.mark.parametrize(("arguments", "count"), [([], 1), (["-q"], 0)])
def test_a_run_without_an_address_says_why_there_is_no_sitemap(blog: Blog, arguments: list[str], count: int) -> None:
    blog.article("a.md")
    blog.configure(SITEURL="")
    assert blog.command(*arguments).stdout.count("no sitemaps are written, because SITEURL is ''") == count


def test_messages_that_are_no_terminals_keep_their_addresses_whole_in_wide_columns(blog: Blog) -> None:
    url = f"{'long' * 20}.html"
    blog.article("a.md", url=f"../{url}", save_as=url)
    blog.configure()
    whole = f"{SITEURL.rpartition('/')[0]}/{url}"
    assert whole not in blog.command(COLUMNS="80").stdout
    assert whole in blog.command(COLUMNS="200").stdout


def _make_trouble(blog: Blog, **settings: Any) -> None:  # noqa: ANN401
    """Have an article with a date in the future, which is a warning."""
    blog.article("a.md", modified="2999-01-01")
    blog.article("b.md", modified="2999-01-01")
    blog.configure(**settings)


@pytest.mark.parametrize(("fatal", "code"), [("warnings", 1), ("errors", 0)])
def test_fatal_warnings_fail_the_run_after_all_files_are_written_and_all_is_said(
    blog: Blog, fatal: str, code: int
) -> None:
    _make_trouble(blog)
    done = blog.command(f"--fatal={fatal}", check=False)
    assert done.returncode == code
    assert (blog.root / "output/sitemap_index.xml").exists()
    assert (done.stdout + done.stderr).count("[future-date]") == 2


@pytest.mark.parametrize("fatal", ["warnings", "errors"])
def test_fatal_errors_fail_the_run_after_all_is_said(blog: Blog, fatal: str) -> None:
    for name in ("a", "b"):
        blog.article(f"{name}.md")
    for name in ("sitemap_index.xml", "guide/sitemap.xml"):
        blog.write(f"output/{name}", "mine")
    blog.configure(ARTICLE_SAVE_AS="guide/{slug}.html", ARTICLE_URL="guide/{slug}.html")
    done = blog.command(f"--fatal={fatal}", check=False)
    assert done.returncode == 1
    assert (blog.root / "output/guide/a.html").exists()
    assert (done.stdout + done.stderr).count("[file-not-ours]") == 2


@pytest.mark.parametrize("fatal", ["warnings", "errors"])
def test_a_development_build_is_not_broken_by_strict_modes(blog: Blog, fatal: str) -> None:
    blog.article("a.md")
    blog.configure(SITEURL="")
    blog.command(f"--fatal={fatal}")


def test_many_findings_of_a_kind_are_counted_and_not_all_printed(blog: Blog) -> None:
    for number in range(25):
        blog.article(f"a{number}.md", modified="2999-01-01")
    output = blog.run()
    assert len(output.logged(logging.WARNING)) == 10
    assert any("15 more of [future-date]" in message for message in output.logged(logging.INFO))


def _fail(blog: Blog, pelican: Pelican) -> None:
    """Run a site whose template raises in the middle of the writing."""
    blog.write("theme/templates/archives.html", "{{ 1 // 0 }}")
    with pytest.raises(ZeroDivisionError):
        blog.run_object(pelican)
    (blog.root / "theme/templates/archives.html").unlink()


def test_autoreload_after_a_failed_run_lists_each_page_once(blog: Blog) -> None:
    blog.article("gone.md")
    blog.write("theme/templates/x.html")
    pelican = Pelican(blog.settings(THEME=str(blog.root / "theme")))
    _fail(blog, pelican)
    (blog.root / "content/gone.md").unlink()
    (blog.root / "output/gone.html").unlink()
    blog.article("a.md")
    for _ in range(2):
        assert "gone.html" not in blog.run_object(pelican).pages


def test_another_object_after_a_failed_run_writes_its_own_site(blog: Blog, tmp_path: Path) -> None:
    blog.article("a.md")
    blog.write("theme/templates/x.html")
    failed = Pelican(blog.settings(THEME=str(blog.root / "theme")))
    _fail(blog, failed)
    other = Blog(tmp_path / "other")
    other.article("b.md")
    pages = other.run().pages
    assert "b.html" in pages
    assert "a.html" not in pages


def test_two_objects_made_before_either_runs_do_not_mix(blog: Blog, tmp_path: Path) -> None:
    other = Blog(tmp_path / "other")
    blog.article("a.md")
    other.article("b.md")
    first, second = Pelican(blog.settings()), Pelican(other.settings())
    assert "b.html" not in blog.run_object(first).pages
    assert "a.html" not in other.run_object(second).pages
    assert "b.html" not in blog.run_object(first).pages


def test_a_failed_run_leaves_the_earlier_files(blog: Blog) -> None:
    blog.article("a.md")
    blog.write("theme/templates/x.html")
    pelican = Pelican(blog.settings(THEME=str(blog.root / "theme")))
    index = blog.run_object(pelican).directory / "sitemap_index.xml"
    before = index.read_bytes()
    blog.article("b.md")
    _fail(blog, pelican)
    assert index.read_bytes() == before


def test_pages_of_earlier_builds_that_lie_in_the_output_are_not_listed(blog: Blog) -> None:
    blog.article("a.md")
    blog.article("b.md")
    blog.run()
    (blog.root / "content/b.md").unlink()
    output = blog.run()
    assert (output.directory / "b.html").exists()
    assert "b.html" not in output.pages


def test_sitemaps_of_sections_that_are_gone_are_removed(blog: Blog) -> None:
    for name in ("a", "b"):
        blog.article(f"{name}.md", tags=name)
    assert (blog.run().directory / "tag/sitemap.xml").exists()
    for name in ("a", "b"):
        blog.article(f"{name}.md")
    assert not (blog.run().directory / "tag/sitemap.xml").exists()


def test_a_site_without_content_does_not_fail(blog: Blog) -> None:
    output = blog.run(DIRECT_TEMPLATES=[])
    assert not output.index
    assert not output.logged(logging.ERROR)


def test_a_mistake_of_ours_is_logged_and_does_not_break_the_build(blog: Blog, monkeypatch: pytest.MonkeyPatch) -> None:
    blog.article("a.md")

    def fail(*_: object, **__: object) -> None:
        raise AssertionError

    # By its module, which Pelican loads in a way of its own: it is no attribute of the package.
    monkeypatch.setattr(import_module(PLUGIN), "publish", fail)
    output = blog.run()
    assert "a.html" in output.html
    assert "error in smindex-plugins" in output.logged(logging.ERROR)[0]


def test_a_file_that_a_direct_template_writes_is_left_alone(blog: Blog) -> None:
    blog.article("a.md")
    blog.write("theme/templates/sitemap.html", "<urlset/>")
    output = blog.run(
        THEME=str(blog.root / "theme"),
        DIRECT_TEMPLATES=["index", "sitemap"],
        SITEMAP_SAVE_AS="sitemap.xml",
        SITEMAP_INDEX={"index_filename": "sitemap.xml"},
    )
    (error,) = output.logged(logging.ERROR)
    assert "sitemap.xml: this tool did not write the file of this name" in error
    assert (output.directory / "sitemap.xml").read_text() == "<urlset/>"


def test_a_file_of_the_same_name_that_is_not_ours_is_left_alone(blog: Blog) -> None:
    blog.article("a.md")
    blog.write("output/sitemap_index.xml", "mine")
    output = blog.run()
    assert (output.directory / "sitemap_index.xml").read_text() == "mine"
    assert "[file-not-ours]" in output.logged(logging.ERROR)[0]


def test_relative_paths_of_content_and_output_are_understood(blog: Blog, monkeypatch: pytest.MonkeyPatch) -> None:
    blog.article("a.md")
    monkeypatch.chdir(blog.root)
    settings = blog.settings()
    settings["PATH"], settings["OUTPUT_PATH"] = "content", Path("output")
    assert "a.html" in blog.run_object(Pelican(settings)).pages
