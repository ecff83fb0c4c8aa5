"""Which files a run of Pelican wrote, and at which URLs they are listed."""

import logging
import shutil
from pathlib import Path

import pytest

from tests.support.blog import PLUGIN, Blog, Output


@pytest.fixture
def blog(tmp_path: Path) -> Blog:
    return Blog(tmp_path / "project")


def test_every_kind_of_page_is_in_exactly_one_sitemap(blog: Blog) -> None:
    for number in range(3):
        blog.article(f"news/n{number}.md", tags="one, two", date=f"202{number}-05-06")
    blog.article("pages/about.md")
    blog.write("content/extra/legal.html", "<html><head><title>Legal</title></head><body>Legal</body></html>")
    blog.write("content/contact.html.in", "<p>Contact {{ SITENAME }}</p>")
    output = blog.run(
        STATIC_PATHS=["extra"],
        ARTICLE_EXCLUDES=["extra", "pages"],
        TEMPLATE_PAGES={"contact.html.in": "contact.html"},
        YEAR_ARCHIVE_SAVE_AS="{date:%Y}/index.html",
        AUTHOR="Ann",
        AUTHORS_SAVE_AS="authors.html",
    )
    assert {path or "index.html" for path in output.pages} == {
        path.removesuffix("/index.html") + "/" if path.endswith("/index.html") else path for path in output.html
    }
    assert output.sitemaps["tag/sitemap.xml"] == ["tag/one.html", "tag/two.html"]
    assert "extra/legal.html" in output.pages
    assert "contact.html" in output.pages
    assert "2020/" in output.pages


def test_addresses_with_ampersands_and_umlauts_are_escaped_and_files_are_well_formed(blog: Blog) -> None:
    blog.article("a.md", url="a & b's/Größe.html?x=1&y=2", save_as="a & b's/Größe.html")
    blog.article("b.md", slug="日本")
    pages = blog.run(ARTICLE_URL="{slug}/", ARTICLE_SAVE_AS="{slug}/index.html").pages
    assert "a%20&%20b's/Gr%C3%B6%C3%9Fe.html?x=1&y=2" in pages
    assert "%E6%97%A5%E6%9C%AC/" in pages


def test_a_static_home_page_is_listed_once_and_dated_by_its_own_source(blog: Blog) -> None:
    blog.article("news.md")
    blog.commit("2024-01-01T00:00:01Z")
    blog.article("pages/home.md", save_as="index.html", url="")
    blog.commit("2024-02-02T00:00:02Z")
    output = blog.run()
    assert output.pages[""] == "2024-02-02T00:00:02Z"
    assert not output.logged(logging.WARNING)


def test_an_article_that_replaces_a_tag_page_is_listed_once_as_the_article(blog: Blog) -> None:
    blog.article("a.md", tags="baz", save_as="tag/baz.html", url="tag/baz.html")
    blog.commit("2023-01-01T00:00:01Z")
    blog.article("b.md", tags="baz")
    blog.commit("2024-01-01T00:00:01Z")
    assert blog.run().pages["tag/baz.html"] == "2023-01-01T00:00:01Z"


def test_a_template_page_that_replaces_the_index_has_the_date_of_its_template(blog: Blog) -> None:
    blog.write("content/home.tpl", "<p>Home</p>")
    blog.commit("2023-01-01T00:00:01Z")
    blog.article("a.md")
    blog.commit("2024-01-01T00:00:01Z")
    assert blog.run(TEMPLATE_PAGES={"home.tpl": "index.html"}).pages[""] == "2023-01-01T00:00:01Z"


def test_save_as_without_url_gives_the_address_of_the_file(blog: Blog) -> None:
    blog.article("a.md", save_as="else/where.html")
    assert "else/where.html" in blog.run().pages


def test_files_told_to_lie_elsewhere_do_not_keep_their_default_address(blog: Blog) -> None:
    blog.article("a.md", tags="t")
    pages = blog.run(ARTICLE_SAVE_AS="posts/{slug}/index.html", TAG_SAVE_AS="tag/{slug}/index.html").pages
    assert {"posts/a/", "tag/t/"} <= pages.keys()


def test_addresses_without_the_suffix_of_their_file_are_kept(blog: Blog) -> None:
    for name in ("a", "b"):
        blog.article(f"{name}.md")
    output = blog.run(ARTICLE_URL="posts/{slug}", ARTICLE_SAVE_AS="posts/{slug}.html")
    assert output.sitemaps["posts/sitemap.xml"] == ["posts/a", "posts/b"]


def test_pages_that_the_server_maps_to_files_elsewhere_are_listed_at_the_root(blog: Blog) -> None:
    for name in ("a", "b"):
        blog.article(f"{name}.md")
    output = blog.run(ARTICLE_URL="blog/{slug}/", ARTICLE_SAVE_AS="files/{slug}/index.html")
    assert {"blog/a/", "blog/b/"} <= set(output.sitemaps["sitemap-root.xml"])
    assert not (output.directory / "blog").exists()


def test_declared_addresses_of_lists_are_used(blog: Blog) -> None:
    blog.article("a.md", tags="t", category="c")
    pages = blog.run(
        TAG_URL="tag/{slug}/",
        TAG_SAVE_AS="tag/{slug}/index.html",
        ARCHIVES_SAVE_AS="all/index.html",
        ARCHIVES_URL="all/",
        MONTH_ARCHIVE_SAVE_AS="by/{date:%Y}/{date:%m}/index.html",
        MONTH_ARCHIVE_URL="by/{date:%Y}/{date:%m}/",
    ).pages
    assert {"tag/t/", "all/", "by/2020/01/", "category/c.html"} <= pages.keys()


@pytest.mark.parametrize("siteurl", ["https://example.org", "https://example.org/blog", "https://example.org:8443/a/b"])
def test_pages_are_below_the_site_address(blog: Blog, siteurl: str) -> None:
    blog.article("a.md")
    assert "a.html" in blog.run(SITEURL=siteurl).pages


def test_relative_urls_change_nothing(blog: Blog) -> None:
    blog.article("deep/a.md", tags="t")
    settings = {"ARTICLE_URL": "x/y/{slug}.html", "ARTICLE_SAVE_AS": "x/y/{slug}.html"}
    expected = blog.run(**settings).pages
    shutil.rmtree(blog.root / "output")
    assert blog.run(**settings, RELATIVE_URLS=True).pages == expected


def test_a_trailing_slash_of_the_site_address_is_not_doubled(blog: Blog) -> None:
    blog.article("a.md")
    settings = blog.settings()
    settings["SITEURL"] = "https://example.org/sub/"
    from pelican import Pelican  # noqa: PLC0415 - only here is one made from settings that were not read

    assert "a.html" in blog.run_object(Pelican(settings)).pages


def test_a_site_address_without_scheme_is_taken_as_https(blog: Blog) -> None:
    blog.article("a.md")
    output = blog.run(SITEURL="//example.org")
    urls = [line for line in output.directory.joinpath("sitemap_index.xml").read_text().splitlines() if "<loc>" in line]
    assert all("<loc>https://example.org/" in line for line in urls)


@pytest.mark.parametrize("siteurl", ["", "/", "/de"])
def test_an_empty_site_address_is_one_info_line_and_no_files(blog: Blog, siteurl: str) -> None:
    blog.article("a.md")
    output = blog.run(SITEURL=siteurl)
    assert not output.index
    assert [level for level, _ in output.messages] == [logging.INFO]


@pytest.mark.parametrize("siteurl", ["example.org", "https://", "ftp://example.org", "https://exa mple.org"])
def test_a_wrong_site_address_is_an_error_and_no_files(blog: Blog, siteurl: str) -> None:
    blog.article("a.md")
    output = blog.run(SITEURL=siteurl)
    assert not output.index
    assert [level for level, _ in output.messages] == [logging.ERROR]


def test_a_wrong_site_address_is_told_with_what_to_write_and_without_its_password(blog: Blog) -> None:
    blog.article("a.md")
    (message,) = blog.run(SITEURL="https://me:secret@e.org/blog?a=b").logged(logging.ERROR)
    assert "SITEURL 'https://***@e.org/blog?a=b' has a user name or a password" in message
    assert message.endswith("; write the address of a directory, such as https://e.org/blog/.")
    (message,) = blog.run(SITEURL="https://e.org/blog?a=b").logged(logging.ERROR)
    assert "SITEURL 'https://e.org/blog?a=b' has a query or a fragment;" in message


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


def test_drafts_hidden_pages_error_pages_and_private_pages_are_left_out_and_counted(blog: Blog) -> None:
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


def test_what_is_not_html_is_not_listed(blog: Blog) -> None:
    blog.article("a.md")
    for name in (".htaccess", "robots.txt", "search.json"):
        blog.write(f"content/{name}.tpl", "x")
    output = blog.run(TEMPLATE_PAGES={f"{n}.tpl": n for n in (".htaccess", "robots.txt", "search.json")})
    assert not {".htaccess", "robots.txt", "search.json"} & output.pages.keys()


def test_later_pages_of_lists_are_listed_only_when_asked_for(blog: Blog) -> None:
    for number in range(5):
        blog.article(f"a{number}.md", category="c")
    later = {"index2.html", "index3.html", "category/c2.html", "category/c3.html"}
    assert not later & blog.run(DEFAULT_PAGINATION=2).pages.keys()
    assert later <= blog.run(DEFAULT_PAGINATION=2, SITEMAP_INDEX={"pagination": True}).pages.keys()


def test_later_pages_have_the_addresses_of_the_pagination_patterns(blog: Blog) -> None:
    for number in range(3):
        blog.article(f"a{number}.md", category="c")
    pages = blog.run(
        DEFAULT_PAGINATION=2,
        CATEGORY_URL="c/{slug}/",
        CATEGORY_SAVE_AS="c/{slug}/index.html",
        PAGINATION_PATTERNS=[
            (1, "{url}", "{save_as}"),
            (2, "{base_name}/page/{number}/", "{base_name}/page/{number}/index.html"),
        ],
        SITEMAP_INDEX={"pagination": True},
    ).pages
    assert {"c/c/", "c/c/page/2/"} <= pages.keys()


def test_a_second_copy_of_a_page_such_as_a_redirect_is_not_listed(blog: Blog) -> None:
    blog.write(
        "copies.py",
        "from pelican import signals\n"
        "from pelican.generators import Generator\n"
        "class Copies(Generator):\n"
        "    def generate_output(self, writer):\n"
        "        for article in self.context['articles']:\n"
        "            template = self.env.from_string('moved')\n"
        "            writer.write_file('old/' + article.save_as, template, self.context, page=article)\n"
        "def make(pelican):\n"
        "    return Copies\n"
        "def register():\n"
        "    signals.get_generators.connect(make)\n",
    )
    blog.article("a.md")
    blog.configure(PLUGINS=[PLUGIN, "copies"], PLUGIN_PATHS=["."])
    blog.command()  # in a process of its own, or the plugin would stay connected
    output = Output(blog.root / "output")
    assert (output.directory / "old/a.html").exists()
    assert "old/a.html" not in output.pages


def test_a_section_over_the_limit_is_cut(blog: Blog) -> None:
    for number in range(25):
        blog.article(f"a{number:02}.md")
    output = blog.run(SITEMAP_INDEX={"max_urls": 10})
    assert all(len(pages) <= 10 for pages in output.sitemaps.values())
    assert {f"a{number:02}.html" for number in range(25)} <= output.pages.keys()


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


def test_a_static_page_that_a_link_attaches_is_listed_where_it_was_copied_to(blog: Blog) -> None:
    blog.write("content/extra/demo.html", "<html><body>Text</body></html>")
    blog.write(
        "content/a.md", "title: a\ndate: 2020-01-01\nsave_as: x/a.html\nurl: x/a.html\n\n[d]({attach}extra/demo.html)\n"
    )
    pages = blog.run(STATIC_PATHS=["extra"], ARTICLE_EXCLUDES=["extra"]).pages
    assert "x/extra/demo.html" in pages
