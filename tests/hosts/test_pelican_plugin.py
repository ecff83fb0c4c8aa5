"""Real runs of Pelican, read back with nothing of ours. `test_options.py` has what options do."""

import logging
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from pelican import Pelican

from tests.hosts.pelican_blog import PLUGIN, SITEURL, Blog, Output


@pytest.fixture
def blog(tmp_path: Path) -> Blog:
    return Blog(tmp_path / "project")


def test_pages_are_below_the_site_address(blog: Blog) -> None:
    blog.article("a.md")
    settings = blog.settings()
    settings["SITEURL"] = "//example.org:8443/a/b/"  # as read_settings would not leave it
    output = blog.run_object(Pelican(settings))
    assert "a.html" in Output(output.directory, "https://example.org:8443/a/b/").pages


@pytest.mark.parametrize(
    ("siteurl", "level", "message"),
    [
        ("", logging.INFO, "no sitemaps are written, because SITEURL is ''"),
        ("/de", logging.INFO, "no sitemaps are written, because SITEURL is '/de'"),
        ("example.org", logging.ERROR, "SITEURL 'example.org' doesn't start with https://"),
        (
            "https://me:secret@e.org/?a",
            logging.ERROR,
            "SITEURL 'https://***@e.org/?a' contains a user name",
        ),
    ],
)
def test_without_a_site_address_there_is_one_line_that_says_why_and_no_files(
    blog: Blog, siteurl: str, level: int, message: str
) -> None:
    blog.article("a.md")
    output = blog.run(SITEURL=siteurl)
    assert not output.index
    ((found, text),) = output.messages
    assert (found, message in text) == (level, True), text


def test_a_private_site_address_is_a_warning_but_while_its_author_tries_it(
    blog: Blog, monkeypatch: pytest.MonkeyPatch
) -> None:
    blog.article("a.md")
    monkeypatch.setattr("sys.argv", ["pelican"])
    (message,) = blog.run(SITEURL="http://localhost:8000").logged(logging.WARNING)
    assert "only this machine can reach" in message
    assert "publishconf.py" in message
    assert not blog.run(SITEURL="http://localhost:8000", RELATIVE_URLS=True).logged(logging.WARNING)
    monkeypatch.setattr("sys.argv", ["pelican", "-lr"])
    assert not blog.run(SITEURL="http://localhost:8000").logged(logging.WARNING)


@pytest.mark.parametrize(("flag", "siteurl"), [("-q", ""), ("--listen", SITEURL)])
def test_wrong_options_stop_pelican_before_it_reads_content(
    blog: Blog, flag: str, siteurl: str
) -> None:
    blog.configure(SITEMAP_INDEX={"section_deepth": 2}, SITEURL=siteurl)
    done = blog.command(flag, check=False)
    assert done.returncode == 1
    assert not (blog.root / "output").exists()
    assert (
        "SITEMAP_INDEX['section_deepth']: no such option; did you mean 'section_depth'?"
        in done.stdout + done.stderr
    )


def test_options_that_are_no_dict_stop_pelican_with_how_to_write_them(blog: Blog) -> None:
    with pytest.raises(SystemExit, match=r"SITEMAP_INDEX: got \['gzip'\]; accepted: a dict"):
        blog.run(SITEMAP_INDEX=["gzip"])
    with pytest.raises(
        SystemExit, match=r"SITEMAP_INDEX_EXCLUDE: write SITEMAP_INDEX = {'exclude': \.\.\.}"
    ):
        blog.run(SITEMAP_INDEX_EXCLUDE=["tag/"])


def test_a_misspelled_setting_is_a_warning(blog: Blog) -> None:
    blog.article("a.md")
    warnings = blog.run(SITEMAP_INDX={"exclude": ["a"]}, SITEMAP={}).logged(logging.WARNING)
    problem = "the setting `SITEMAP_INDX`: nothing reads it, so its options have no effect."
    assert warnings == [f"sitemap_index: {problem} Rename it to `SITEMAP_INDEX`. [unread-setting]"]


def test_a_function_of_pelicanconf_itself_is_a_filter(blog: Blog) -> None:
    for name in ("a", "b"):
        blog.article(f"{name}.md")
    output = blog.run(
        SITEMAP_INDEX={"filter": lambda page: None if page.url.endswith("/a.html") else page}
    )
    assert {"a.html", "b.html"} & output.pages.keys() == {"b.html"}


def _configure_until(log: Path, text: str, blog: Blog, **settings: Any) -> None:  # noqa: ANN401
    """Write settings until the log has something: a change that comes before Pelican watches is
    seen by nobody.
    """
    end = time.monotonic() + 120
    while text not in log.read_text():
        assert time.monotonic() < end, log.read_text()
        # what is ignored by default is every file with a suffix
        blog.configure(IGNORE_FILES=[], **settings)
        time.sleep(1)


def test_wrong_options_do_not_end_pelican_while_it_reloads_and_right_ones_count_at_once(
    blog: Blog,
) -> None:
    blog.write("content/pages/undated.md", "title: undated\n\nText.\n")
    blog.configure(IGNORE_FILES=[])
    with blog.reload() as log:
        _configure_until(log, f"listed in {SITEURL}/sitemap_index.xml", blog)
        _configure_until(
            log, "SITEMAP_INDEX['max_urls']: got 0", blog, SITEMAP_INDEX={"max_urls": 0}
        )
        _configure_until(log, "undated is 'fail'", blog, SITEMAP_INDEX={"undated": "fail"})
        time.sleep(2)
        runs = log.read_text().count("Done: ")
        time.sleep(2)
        assert log.read_text().count("Done: ") == runs, "a run that fails begins again at once"


@pytest.mark.parametrize(("arguments", "count"), [([], 1), (["-q"], 0), (["-v"], 1)])
def test_a_run_prints_one_line_that_says_what_was_written_unless_it_is_to_be_quiet(
    blog: Blog, arguments: list[str], count: int
) -> None:
    blog.article("größe/a.md", save_as="größe/a.html", url="größe/a.html")
    siteurl = f"{SITEURL}/{'long' * 30}"
    blog.configure(SITEURL=siteurl, SITEMAP_INDEX={"exclude": ["größe/"]})
    done = blog.command(
        *arguments, COLUMNS="1000" if arguments else "80", PYTHONIOENCODING="ascii:backslashreplace"
    )
    lines = [
        line
        for line in done.stdout.splitlines()
        if f"listed in {siteurl}/sitemap_index.xml" in line
    ]
    assert ["1 excluded by `gr\\xf6\\xdfe/`" in line for line in lines] == [True] * count


def test_fatal_warnings_and_errors_fail_a_run_after_all_is_written_and_said(blog: Blog) -> None:
    for name in ("a", "b"):
        blog.article(
            f"{name}.md",
            modified="2999-01-01",
            save_as=f"guide/{name}.html",
            url=f"guide/{name}.html",
        )
    blog.configure()
    done = blog.command(
        "--fatal=warnings", "-e", 'SITEMAP_INDEX={"index_filename": "i.xml"}', check=False
    )
    assert (done.returncode, (done.stdout + done.stderr).count("[future-date]")) == (1, 2)
    assert (blog.root / "output/i.xml").exists()
    for name in ("sitemap_index.xml", "guide/sitemap.xml"):
        blog.write(f"output/{name}", "mine")
    done = blog.command("--fatal=errors", check=False)
    assert (done.returncode, (done.stdout + done.stderr).count("[file-not-ours]")) == (1, 2)


def test_a_failed_run_leaves_the_earlier_files_and_no_page_to_later_runs(
    blog: Blog, tmp_path: Path
) -> None:
    blog.article("gone.md")
    blog.write("theme/templates/x.html")
    pelican = Pelican(blog.settings(THEME=str(blog.root / "theme")))
    index = blog.run_object(pelican).directory / "sitemap_index.xml"
    before = index.read_bytes()
    blog.article("a.md")
    failing = blog.write("theme/templates/archives.html", "{{ 1 // 0 }}")
    with pytest.raises(ZeroDivisionError):
        blog.run_object(pelican)
    failing.unlink()
    assert index.read_bytes() == before
    other = Blog(tmp_path / "other")
    other.article("b.md")
    assert {"a.html", "b.html"} & other.run().pages.keys() == {"b.html"}
    (blog.root / "content/gone.md").unlink()
    for _ in range(2):
        assert {"a.html", "b.html", "gone.html"} & blog.run_object(pelican).pages.keys() == {
            "a.html"
        }


def test_two_objects_made_before_either_runs_do_not_mix(blog: Blog, tmp_path: Path) -> None:
    other = Blog(tmp_path / "other")
    blog.article("a.md")
    other.article("b.md")
    first, second = Pelican(blog.settings()), Pelican(other.settings())
    assert "b.html" not in blog.run_object(first).pages
    assert "a.html" not in other.run_object(second).pages
    assert "b.html" not in blog.run_object(first).pages


def test_relative_paths_and_a_second_run_change_no_file(
    blog: Blog, monkeypatch: pytest.MonkeyPatch
) -> None:
    blog.article("a.md")
    index = blog.run().directory / "sitemap_index.xml"
    before = index.stat()
    monkeypatch.chdir(blog.root)
    settings = blog.settings()
    settings["PATH"], settings["OUTPUT_PATH"] = "content", Path("output")
    assert "a.html" in blog.run_object(Pelican(settings)).pages
    assert (index.stat().st_ino, index.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_the_rules_of_the_host_are_read_in_the_output(blog: Blog) -> None:
    for name in "abc":
        blog.article(f"{name}.md")
    blog.write("content/extra/_redirects", "/blog/a.html /blog/b.html 301\n")
    blog.write("content/extra/_headers", "/blog/b*\n  X-Robots-Tag: noindex\n")
    places = {f"extra/{name}": {"path": name} for name in ("_redirects", "_headers")}
    output = blog.run(STATIC_PATHS=["extra"], EXTRA_PATH_METADATA=places)
    assert {"a.html", "b.html", "c.html"} & output.pages.keys() == {"c.html"}
    (summary,) = output.logged(logging.INFO)[:1]
    assert "1 marked noindex" in summary
    assert "1 redirecting elsewhere" in summary


def test_a_mistake_of_ours_is_logged_and_does_not_break_the_build(
    blog: Blog, monkeypatch: pytest.MonkeyPatch
) -> None:
    blog.article("a.md")
    # By its module, which Pelican loads in a way of its own: it is no attribute of the package.
    monkeypatch.setattr(import_module(PLUGIN), "publish", None)
    output = blog.run()
    assert "a.html" in output.html
    assert "error in smindex-plugins" in output.logged(logging.ERROR)[0]
