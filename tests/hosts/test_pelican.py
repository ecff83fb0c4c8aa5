"""Real runs of Pelican, read back with nothing of ours. `test_options.py` has what options do."""

import json
import logging
import shutil
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from pelican import Pelican

from tests.support.blog import PLUGIN, SITEURL, Blog, Output

COMMITTED = "2024-01-02T03:04:05Z"
THIRD = [(1, "{url}", "{save_as}"), (2, "{base_name}/page/{number}/", "{base_name}/page/{number}/index.html")]
COPIES = """\
from pelican import signals
from pelican.generators import Generator

class Copies(Generator):
    def generate_output(self, writer):
        for article in self.context["articles"]:
            writer.write_file("old/" + article.save_as, self.env.from_string("moved"), self.context, page=article)

def make(pelican):
    return Copies

def register():
    signals.get_generators.connect(make)
"""


@pytest.fixture
def blog(tmp_path: Path) -> Blog:
    return Blog(tmp_path / "project")


# --- Which pages, and where ---


def test_every_kind_of_page_is_in_exactly_one_sitemap_at_its_declared_address(blog: Blog) -> None:
    for number in range(3):
        blog.article(f"news/n{number}.md", tags="one, two", date=f"202{number}-05-06")
    blog.article("pages/about.md")
    blog.article("pages/home.md", save_as="index.html", url="")
    blog.article("replacing.md", tags="one", save_as="tag/two.html", url="tag/two.html")
    blog.article("where.md", save_as="else/where.html")
    blog.article("a.md", url="a & b's/Größe.html?x=1&y=2", save_as="a & b's/Größe.html")
    blog.article("bare.md", url="bare", save_as="bare.html")
    blog.article("b.md", slug="日本")
    blog.write("content/extra/legal.html", "<html><head><title>Legal</title></head><body>Legal</body></html>")
    blog.write("content/extra/demo.html", "<html><body>Text</body></html>")
    blog.write(
        "content/d.md", "title: d\ndate: 2020-01-01\nsave_as: x/d.html\nurl: x/d.html\n\n[d]({attach}extra/demo.html)\n"
    )
    blog.write("content/contact.html.in", "<p>Contact {{ SITENAME }}</p>")
    for name in (".htaccess", "search.json"):
        blog.write(f"content/{name}.tpl", "x")
    templates = {"contact.html.in": "contact.html", ".htaccess.tpl": ".htaccess", "search.json.tpl": "search.json"}
    settings: dict[str, Any] = {
        "STATIC_PATHS": ["extra"],
        "ARTICLE_EXCLUDES": ["extra", "pages"],
        "TEMPLATE_PAGES": templates,
        "YEAR_ARCHIVE_SAVE_AS": "{date:%Y}/index.html",
        "MONTH_ARCHIVE_SAVE_AS": "by/{date:%Y}/{date:%m}/index.html",
        "MONTH_ARCHIVE_URL": "by/{date:%Y}/{date:%m}/",
        "ARCHIVES_SAVE_AS": "all/index.html",
        "ARCHIVES_URL": "all/",
        "AUTHOR": "Ann",
        "AUTHORS_SAVE_AS": "authors.html",
    }
    output = blog.run(**settings)
    odd = {"a%20&%20b's/Gr%C3%B6%C3%9Fe.html?x=1&y=2": "a & b's/Größe.html", "bare": "bare.html", "": "index.html"}
    odd["%E6%97%A5%E6%9C%AC.html"] = "日本.html"
    assert {odd.get(path, path) for path in output.pages} == {
        path if path == "index.html" else path.replace("/index.html", "/") for path in output.html
    }
    assert output.sitemaps["tag/sitemap.xml"] == ["tag/one.html", "tag/two.html"]
    assert {
        "extra/legal.html",
        "x/extra/demo.html",
        "contact.html",
        "2020/",
        "by/2020/05/",
        "all/",
    } <= output.pages.keys()
    assert not output.logged(logging.WARNING)
    pages = output.pages
    shutil.rmtree(blog.root / "output")
    assert blog.run(**settings, RELATIVE_URLS=True).pages == pages


def test_pages_that_a_server_maps_to_files_elsewhere_are_listed_at_the_root(blog: Blog) -> None:
    for name in ("a", "b"):
        blog.article(f"{name}.md")
    output = blog.run(ARTICLE_URL="blog/{slug}/", ARTICLE_SAVE_AS="files/{slug}/index.html")
    assert {"blog/a/", "blog/b/"} <= set(output.sitemaps["sitemap-root.xml"])
    assert not (output.directory / "blog").exists()
    output = blog.run(ARTICLE_URL="posts/{slug}", ARTICLE_SAVE_AS="posts/{slug}.html")
    assert output.sitemaps["posts/sitemap.xml"] == ["posts/a", "posts/b"]


def test_what_its_author_keeps_back_is_left_out_and_counted(blog: Blog) -> None:
    blog.article("a.md")
    blog.article("draft.md", status="draft")
    blog.article("hidden.md", status="hidden")
    blog.article("private.md", private="true")
    blog.article("noindex.md", noindex="True")
    blog.article("robots.md", robots="noindex, nofollow")
    blog.article("pages/404.md", save_as="404.html")
    blog.article("pages/hidden.md", status="hidden")
    output = blog.run()
    assert not {"draft", "hidden", "private", "noindex", "robots", "404"} & {Path(path).stem for path in output.pages}
    (summary,) = [message for message in output.logged(logging.INFO) if "left out" in message]
    assert "1 marked draft, 2 marked hidden, 3 private or noindex in its front matter, 1 shown for errors" in summary


def test_later_pages_of_lists_are_listed_only_when_asked_for_and_have_no_date(blog: Blog) -> None:
    settings: dict[str, Any] = {"DEFAULT_PAGINATION": 2, "PAGINATION_PATTERNS": THIRD, "SITEMAP_INDEX": {}}
    settings |= {"TAG_URL": "tag/{slug}/", "TAG_SAVE_AS": "tag/{slug}/index.html"}
    for number in range(6):
        blog.article(f"a{number}.md", date=f"2020-01-0{number + 1}", tags="t")
        blog.commit(f"2023-01-0{number + 1}T00:00:01Z")
    assert not [path for path in blog.run(**settings).pages if "page/" in path]
    settings["SITEMAP_INDEX"] = {"pagination": True}
    for changed, newest in (("", "2023-01-06T00:00:01Z"), ("a2.md", "2023-01-06T00:00:01Z"), ("a5.md", COMMITTED)):
        if changed:
            blog.article(changed, date=f"2020-01-0{int(changed[1]) + 1}", tags="t", summary="changed")
            blog.commit(COMMITTED)
        pages = blog.run(**settings).pages
        assert [pages[f"tag/t/{path}"] for path in ("", "page/2/", "page/3/")] == [newest, None, None]
        assert pages[""] == newest


def test_a_second_copy_of_a_page_such_as_a_redirect_is_not_listed(blog: Blog) -> None:
    blog.write("copies.py", COPIES)
    blog.article("a.md")
    output = blog.run_apart(PLUGIN, "copies", PLUGIN_PATHS=["."])
    assert (output.directory / "old/a.html").exists()
    assert "old/a.html" not in output.pages


def test_pages_and_sections_of_earlier_runs_are_not_listed_and_the_pages_are_named(blog: Blog) -> None:
    for name in "abc":
        blog.article(f"{name}.md", tags=name)
    assert (blog.run().directory / "tag/sitemap.xml").exists()
    blog.article("a.md")
    for name in "bc":
        (blog.root / f"content/{name}.md").unlink()
    output = blog.run()
    assert {"b.html", "c.html"} < output.html - output.pages.keys()
    assert not (output.directory / "tag/sitemap.xml").exists()
    (notice,) = [message for message in output.logged(logging.INFO) if "[stray-pages]" in message]
    assert "they belong to no page of the build: " in notice
    assert not output.logged(logging.WARNING)


# --- The address of the site ---


@pytest.mark.parametrize(
    ("siteurl", "base"),
    [
        ("https://example.org", "https://example.org/"),
        ("https://example.org:8443/a/b/", "https://example.org:8443/a/b/"),
        ("//example.org", "https://example.org/"),
    ],
)
def test_pages_are_below_the_site_address(blog: Blog, siteurl: str, base: str) -> None:
    blog.article("a.md")
    settings = blog.settings()
    settings["SITEURL"] = siteurl  # as read_settings would not leave it
    output = blog.run_object(Pelican(settings))
    assert "a.html" in Output(output.directory, base).pages


@pytest.mark.parametrize("siteurl", ["", "/de"])
def test_an_empty_site_address_is_one_info_line_and_no_files(blog: Blog, siteurl: str) -> None:
    blog.article("a.md")
    output = blog.run(SITEURL=siteurl)
    assert not output.index
    assert [level for level, _ in output.messages] == [logging.INFO]


@pytest.mark.parametrize(
    ("siteurl", "message"),
    [
        ("example.org", "SITEURL 'example.org' does not begin with https://"),
        ("https://me:secret@e.org/blog?a=b", "SITEURL 'https://***@e.org/blog?a=b' has a user name or a password"),
        ("https://e.org/blog?a=b", "SITEURL 'https://e.org/blog?a=b' has a query or a fragment;"),
    ],
)
def test_a_wrong_site_address_is_an_error_with_what_to_write_and_no_files(
    blog: Blog, siteurl: str, message: str
) -> None:
    blog.article("a.md")
    output = blog.run(SITEURL=siteurl)
    assert not output.index
    assert [level for level, _ in output.messages] == [logging.ERROR]
    assert message in output.messages[0][1]


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


# --- Dates ---


def test_a_page_is_dated_by_its_author_then_by_git_and_a_list_by_what_it_lists(blog: Blog) -> None:
    blog.article("a.md", category="one", tags="x")
    blog.write("content/home.tpl", "<p>Home</p>")
    blog.commit("2023-01-01T00:00:01+02:00")
    blog.article("b.md", category="two", tags="x, y")
    blog.article("gone.md", category="gone")
    blog.commit("2024-01-01T00:00:01Z")
    blog.article("day.md", category="three", tags="y", modified="2024-06-07", date="2021-01-01")
    blog.article("local.md", category="four", modified="2023-05-06 12:30")
    blog.article("zone.md", category="four", modified="2023-05-06T12:30:00+09:00")
    (blog.root / "content/gone.md").unlink()
    blog.commit("2024-02-01T00:00:01Z")
    settings: dict[str, Any] = {"TIMEZONE": "Europe/Berlin", "YEAR_ARCHIVE_SAVE_AS": "{date:%Y}.html"}
    settings |= {"TEMPLATE_PAGES": {"home.tpl": "home.html"}, "CACHE_PATH": str(blog.root / "cache")}
    first, second = "2022-12-31T22:00:01Z", "2024-01-01T00:00:01Z"
    expected = {
        "a.html": first,
        "home.html": first,
        "b.html": second,
        "category/one.html": first,
        "day.html": "2024-06-07",
        "local.html": "2023-05-06T10:30:00Z",
        "zone.html": "2023-05-06T03:30:00Z",
        "category/three.html": "2024-06-07",
        "tag/x.html": second,
        "tag/y.html": "2024-06-07",
        "2020.html": second,
        "archives.html": "2024-06-07",
        "": "2024-06-07",
        "2021.html": "2024-06-07",
    }
    for cached in ({}, {"CACHE_CONTENT": True, "LOAD_CONTENT_CACHE": True}, {"LOAD_CONTENT_CACHE": True}):
        output = blog.run(**settings, **cached)
        assert {path: output.pages[path] for path in expected} == expected
    assert output.index[f"{SITEURL}/sitemap-root.xml"] == "2024-06-07"
    blog.article("later.md", date="2999-01-01")
    blog.article("wrong.md", modified="2999-01-01")
    output = blog.run(**settings)
    assert output.pages["later.html"] is None
    assert output.pages["archives.html"] is None, "a list of something undated is undated"
    assert output.pages["wrong.html"] == "2020-01-01"
    assert any("in the future" in message for message in output.logged(logging.WARNING))


@pytest.mark.parametrize(
    ("default", "published"), [("fs", None), ((2012, 3, 2), "2020-01-01"), ("2012-03-02", "2020-01-01")]
)
def test_without_git_the_publication_counts_and_neither_a_default_nor_the_time_of_a_file(
    blog: Blog, default: object, published: str | None
) -> None:
    blog.article("a.md", date="2020-01-01")
    blog.write("content/b.md", "title: b\n\nText.\n")
    blog.write("content/pages/about.md", "title: About\n\nText.\n")
    pages = blog.run(DEFAULT_DATE=default).pages
    assert (pages["a.html"], pages["b.html"], pages["pages/about.html"]) == (published, None, None)
    blog.commit(COMMITTED)
    assert {date for path, date in blog.run(DEFAULT_DATE=default).pages.items() if path.endswith("b.html")} == {
        COMMITTED
    }


def test_a_shallow_clone_does_not_fall_back_on_publication_dates(blog: Blog, tmp_path: Path) -> None:
    blog.article("a.md")
    blog.commit("2023-01-01T00:00:01Z")
    blog.article("b.md")
    blog.commit(COMMITTED)
    blog.git("clone", "-q", "--depth=1", f"file://{blog.root}", str(tmp_path / "shallow"))
    output = Blog(tmp_path / "shallow").run()
    assert output.pages["a.html"] is None
    assert any("shallow" in message for message in output.logged(logging.WARNING))


def test_content_in_a_linked_submodule_is_dated_by_the_history_of_the_submodule(blog: Blog, tmp_path: Path) -> None:
    data = Blog(tmp_path / "data")
    data.article("a.md")
    data.commit("2020-01-01T00:00:01Z")
    shutil.rmtree(blog.root / "content")
    blog.write("README.md", "x")
    blog.commit("2020-01-01T00:00:01Z")
    blog.git("submodule", "add", "-q", str(data.root), "data")
    (blog.root / "content").symlink_to("data/content")
    blog.commit("2020-02-01T00:00:01Z")
    with (blog.root / "data/content/a.md").open("a") as article:
        article.write("More.\n")
    blog.commit("2021-03-04T05:06:07Z", cwd=blog.root / "data")
    blog.commit("2024-02-01T00:00:01Z")
    assert blog.run().pages["a.html"] == "2021-03-04T05:06:07Z"


def test_a_page_has_the_date_of_the_newest_article_only_if_its_template_lists_articles(blog: Blog) -> None:
    loop = "{% for article in articles[:3] %}<p>{{ article.title }}</p>{% endfor %}"
    templates = {
        "theme/templates/news.html": '{% include "part.html" %}',
        "theme/templates/contact.html": "Write to us.",
        "theme/templates/computed.html": "Hi. {% include SITENAME ~ '.html' ignore missing %}",
        "own/list.html": loop,
        "own/plain.html": "Hello.",
    }
    for path, content in templates.items():
        blog.write(path, f'{{% extends "base.html" %}}{{% block content %}}{content}{{% endblock %}}')
    blog.write("theme/templates/part.html", loop)
    blog.article("old.md")
    blog.article("pages/about.md")
    blog.article("pages/core.md", template="news")
    blog.commit("2021-01-01T00:00:00Z")
    blog.article("new.md")
    blog.commit(COMMITTED)
    pages = blog.run(
        THEME=str(blog.root / "theme"),
        DIRECT_TEMPLATES=["index", "tags", "news", "contact", "computed"],
        TEMPLATE_PAGES={"../own/list.html": "list.html", "../own/plain.html": "plain.html"},
    ).pages
    listing = ("tags.html", "news.html", "computed.html", "pages/core.html", "list.html", "new.html")
    others = ("contact.html", "plain.html", "pages/about.html", "old.html")
    assert {path: pages[path] for path in listing} == dict.fromkeys(listing, COMMITTED)
    assert {path: pages[path] for path in others} == dict.fromkeys(others, "2021-01-01T00:00:00Z")


# --- Languages ---


def test_every_variant_that_is_listed_names_all_and_the_default_and_accidents_are_one_notice(blog: Blog) -> None:
    for lang, meta in {"en": {}, "de": {}, "pt_br": {}, "fr": {"private": "true"}, "it": {"status": "draft"}}.items():
        blog.article(f"a-{lang}.md", slug="a", lang=lang, **meta)
    for lang in ("de", "fr"):
        blog.article(f"pages/a-{lang}.md", slug="a", lang=lang)
    blog.article("only.md")
    blog.article("b-en.md", slug="b", lang="en")
    blog.article("b-de.md", slug="b", lang="de", noindex="true")
    blog.article("c-en.md", slug="c", lang="en", save_as="en & more/c.html")
    blog.article("c-de.md", slug="c", lang="de")
    for year in range(2000, 2012):
        blog.article(f"{year}/news.md", slug="news", save_as=f"{year}/news.html", url=f"{year}/news.html")
    blog.article("2000/news-de.md", slug="news", lang="de")
    output = blog.run()
    articles = {lang: f"{SITEURL}/a{end}.html" for lang, end in (("en", ""), ("de", "-de"), ("pt-br", "-pt_br"))}
    articles["x-default"] = articles["en"]
    pages = {lang: f"{SITEURL}/pages/a-{lang}.html" for lang in ("de", "fr")}
    named = {"en": f"{SITEURL}/en%20&%20more/c.html", "de": f"{SITEURL}/c-de.html"}
    named["x-default"] = named["en"]
    groups = (articles, named, pages)
    assert output.alternates == {url: links for links in groups for url in links.values()}
    assert not output.logged(logging.WARNING)
    (notice,) = [message for message in output.logged(logging.INFO) if "grouped as translations" in message]
    first, second = f"{SITEURL}/2000/news.html", f"{SITEURL}/2001/news.html"
    assert f"{first}: it and {second} are grouped as translations of each other" in notice
    assert "but both have the language 'en'. The same is true of " in notice
    assert "ARTICLE_TRANSLATION_ID" in notice


# --- The command: options, strict modes, what is printed ---


@pytest.mark.parametrize("siteurl", [SITEURL, ""], ids=["for publication", "for development"])
@pytest.mark.parametrize("flag", ["-q", "--listen"])
def test_wrong_options_stop_pelican_before_it_reads_content(blog: Blog, flag: str, siteurl: str) -> None:
    blog.article("a.md")
    blog.configure(SITEMAP_INDEX={"section_deepth": 2}, SITEURL=siteurl)
    done = blog.command(flag, check=False)
    assert done.returncode == 1
    assert not (blog.root / "output").exists()
    assert "SITEMAP_INDEX['section_deepth']: no such option; did you mean 'section_depth'?" in done.stdout + done.stderr


def test_options_that_are_no_dict_stop_pelican_with_how_to_write_them(blog: Blog) -> None:
    with pytest.raises(SystemExit, match=r"SITEMAP_INDEX: got \['gzip'\]; accepted: a dict"):
        blog.run(SITEMAP_INDEX=["gzip"])
    with pytest.raises(SystemExit, match=r"SITEMAP_INDEX_EXCLUDE: write SITEMAP_INDEX = {'exclude': \.\.\.}"):
        blog.run(SITEMAP_INDEX_EXCLUDE=["tag/"])


def test_a_function_of_pelicanconf_itself_is_a_filter(blog: Blog) -> None:
    for name in ("a", "b"):
        blog.article(f"{name}.md")
    output = blog.run(SITEMAP_INDEX={"filter": lambda page: None if page.url.endswith("/a.html") else page})
    assert {"a.html", "b.html"} & output.pages.keys() == {"b.html"}


def _configure_until(log: Path, text: str, blog: Blog, **settings: Any) -> None:  # noqa: ANN401
    """Write settings until the log has something: a change that comes before Pelican watches is seen by nobody."""
    end = time.monotonic() + 120
    while text not in log.read_text():
        assert time.monotonic() < end, log.read_text()
        blog.configure(IGNORE_FILES=[], **settings)  # what is ignored by default is every file with a suffix
        time.sleep(1)


def test_wrong_options_do_not_end_pelican_while_it_reloads_and_right_ones_count_at_once(blog: Blog) -> None:
    blog.write("content/pages/undated.md", "title: undated\n\nText.\n")
    blog.configure(IGNORE_FILES=[])
    with blog.reload() as log:
        _configure_until(log, f"listed in {SITEURL}/sitemap_index.xml", blog)
        _configure_until(log, "SITEMAP_INDEX['max_urls']: got 0", blog, SITEMAP_INDEX={"max_urls": 0})
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
    done = blog.command(*arguments, COLUMNS="1000" if arguments else "80", PYTHONIOENCODING="ascii:backslashreplace")
    lines = [line for line in done.stdout.splitlines() if f"listed in {siteurl}/sitemap_index.xml" in line]
    assert ["1 excluded by `gr\\xf6\\xdfe/`" in line for line in lines] == [True] * count


@pytest.mark.parametrize(("arguments", "count"), [([], 1), (["-q", "--fatal=warnings"], 0)])
def test_a_run_without_an_address_says_why_there_is_no_sitemap_and_fails_in_no_mode(
    blog: Blog, arguments: list[str], count: int
) -> None:
    blog.article("a.md")
    blog.configure(SITEURL="")
    assert blog.command(*arguments).stdout.count("no sitemaps are written, because SITEURL is ''") == count


def test_fatal_warnings_and_errors_fail_a_run_after_all_is_written_and_said(blog: Blog) -> None:
    for name in ("a", "b"):
        blog.article(f"{name}.md", modified="2999-01-01", save_as=f"guide/{name}.html", url=f"guide/{name}.html")
    blog.configure()
    for fatal, code in (("errors", 0), ("warnings", 1)):
        done = blog.command(
            f"--fatal={fatal}", "-e", "SITEMAP_INDEX=" + json.dumps({"index_filename": "i.xml"}), check=False
        )
        assert done.returncode == code
        assert (blog.root / "output/i.xml").exists()
        assert (done.stdout + done.stderr).count("[future-date]") == 2
    for name in ("sitemap_index.xml", "guide/sitemap.xml"):
        blog.write(f"output/{name}", "mine")
    done = blog.command("--fatal=errors", check=False)
    assert done.returncode == 1
    assert (done.stdout + done.stderr).count("[file-not-ours]") == 2
    assert (blog.root / "output/sitemap_index.xml").read_text() == "mine"


def test_many_findings_of_a_kind_are_counted_and_not_all_printed(blog: Blog) -> None:
    for number in range(25):
        blog.article(f"a{number}.md", modified="2999-01-01")
    output = blog.run()
    assert len(output.logged(logging.WARNING)) == 10
    assert any("15 more of [future-date]" in message for message in output.logged(logging.INFO))


# --- Runs that fail, and runs of one process ---


def _fail(blog: Blog, pelican: Pelican) -> None:
    """Run a site whose template raises in the middle of the writing."""
    blog.write("theme/templates/archives.html", "{{ 1 // 0 }}")
    with pytest.raises(ZeroDivisionError):
        blog.run_object(pelican)
    (blog.root / "theme/templates/archives.html").unlink()


def test_a_failed_run_leaves_the_earlier_files_and_no_page_to_later_runs(blog: Blog, tmp_path: Path) -> None:
    blog.article("gone.md")
    blog.write("theme/templates/x.html")
    pelican = Pelican(blog.settings(THEME=str(blog.root / "theme")))
    index = blog.run_object(pelican).directory / "sitemap_index.xml"
    before = index.read_bytes()
    blog.article("a.md")
    _fail(blog, pelican)
    assert index.read_bytes() == before
    other = Blog(tmp_path / "other")
    other.article("b.md")
    assert {"a.html", "b.html"} & other.run().pages.keys() == {"b.html"}
    (blog.root / "content/gone.md").unlink()
    for _ in range(2):
        assert {"a.html", "b.html", "gone.html"} & blog.run_object(pelican).pages.keys() == {"a.html"}


def test_two_objects_made_before_either_runs_do_not_mix(blog: Blog, tmp_path: Path) -> None:
    other = Blog(tmp_path / "other")
    blog.article("a.md")
    other.article("b.md")
    first, second = Pelican(blog.settings()), Pelican(other.settings())
    assert "b.html" not in blog.run_object(first).pages
    assert "a.html" not in other.run_object(second).pages
    assert "b.html" not in blog.run_object(first).pages


def test_a_site_without_content_does_not_fail(blog: Blog) -> None:
    output = blog.run(DIRECT_TEMPLATES=[])
    assert not output.index
    assert not output.logged(logging.ERROR)


def test_a_mistake_of_ours_is_logged_and_does_not_break_the_build(blog: Blog, monkeypatch: pytest.MonkeyPatch) -> None:
    blog.article("a.md")
    # By its module, which Pelican loads in a way of its own: it is no attribute of the package.
    monkeypatch.setattr(import_module(PLUGIN), "publish", None)
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


def test_relative_paths_and_a_second_run_change_no_file(blog: Blog, monkeypatch: pytest.MonkeyPatch) -> None:
    blog.article("a.md")
    index = blog.run().directory / "sitemap_index.xml"
    before = index.stat()
    monkeypatch.chdir(blog.root)
    settings = blog.settings()
    settings["PATH"], settings["OUTPUT_PATH"] = "content", Path("output")
    assert "a.html" in blog.run_object(Pelican(settings)).pages
    assert (index.stat().st_ino, index.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
