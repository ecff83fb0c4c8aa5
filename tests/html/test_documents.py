"""Which HTML files are no pages for search engines: empty or binary ones, fragments, and
templates.
"""

import pytest

from smindex_plugins.base.model import Head
from smindex_plugins.html.page import parse_head

FILLING = "<p>text</p>" * 500


def read(content: str | bytes) -> Head:
    return parse_head(
        content.encode() if isinstance(content, str) else content, "https://e.org/docs/a/"
    )


@pytest.mark.parametrize(
    "content",
    [
        *("", " \n", "<html></html>", "<!doctype html><title>a</title><body></body>"),
        (
            "<!doctype html><title>a</title><div title='a>b'><!-- <img>"
            " --></div>&nbsp;<br>\u00a0&#160;"
        ),
        (
            '<!doctype html><title>a</title><script type="application/ld+json">{"name":'
            ' "a"}</script><body><div></div>'
        ),
        (
            "<!doctype html><script type=importmap>{}</script><script src=a.js"
            " type=text/template></script>"
        ),
        "<!doctype html><head><noscript>text</noscript><title>a</title><body><noscript></noscript>",
        (
            "<!doctype html><title>a</title><link rel=stylesheet href=a.css><style>p { color: red"
            " }</style><h1></h1><li>"
        ),
        "<!doctype html><title>a</title><body><template><p></p></template><p></p>",
    ],
)
def test_a_page_with_nothing_to_show_is_empty(content: str) -> None:
    assert (
        read(content)
        == read("\ufeff" + content)
        == read(content.encode("utf-16"))
        == Head(empty=True)
    )


@pytest.mark.parametrize(
    "body",
    [
        *(
            "text",
            "&nbsp;a",
            "<p>1 < 2</p>",
            "<IMG>",
            '<img src="a.png">',
            "<svg></svg>",
            "<math><mi></mi></math>",
        ),
        *(
            "<my-app></my-app>",
            "<redoc spec-url=openapi.json></redoc>",
            "<object data=a.pdf></object>",
        ),
        *(
            "<video src=a.mp4></video>",
            "<button></button>",
            "<canvas></canvas>",
            "<iframe src=a.html></iframe>",
        ),
        *(
            "<div style=\"background: url('a.png')\"></div>",
            "<div onclick='app()'></div>",
            "<details></details>",
        ),
        *(
            "<noscript>Turn scripts on.</noscript>",
            "<div><template shadowrootmode=open>text</template></div>",
        ),
        *(
            "<script src=app.js></script>",
            "<script>app()</script>",
            "<SCRIPT TYPE='text/JavaScript'>a()</SCRIPT>",
        ),
        '<script type="module" crossorigin src="/assets/index.js"></script><div id="root"></div>',
    ],
)
def test_a_page_with_something_to_show_is_not_empty(body: str) -> None:
    assert read(f"<!doctype html><body>{body}</body>") == Head()


@pytest.mark.parametrize(
    "content",
    [
        "<!doctype html><frameset cols='20%,80%'><frame src=a.html><frame src=b.html></frameset>",
        "<!doctype html><title>a</title><body onload='location = \"/b/\"'>",
        "<!doctype html><title>a</title><body background=a.png>",
        "<!doctype html><style>body { background: url(a.png) }</style><body>",
        "<!doctype html><script>document.title = ''</script><body>",
        "<!doctype html><title>a</title><main><h1>A</h1><p>Text</main>",
    ],
)
def test_a_page_that_shows_something_without_an_element_in_its_body_is_not_empty(
    content: str,
) -> None:
    assert read(content) == Head()


@pytest.mark.parametrize(
    "content",
    [
        '{% extends "main.html" %}\n{% block content %}<p>{{ text }}</p>{% endblock %}',
        '{#- A theme. -#}\n{% extends "base.html" %}\n<!doctype html><body>text</body>',
        "<!-- A theme -->\n{% import 'macros.html' as m %}<html><body>text</body></html>",
        "---\nlayout: default\n---\n<!doctype html><body>text</body>",
        (
            "<!doctype html><html><head>{% block head %}<title>a</title>{% endblock"
            " %}</head><body>text</body>"
        ),
        (
            "<!doctype html><head><title>a</title>{%- if page.meta -%}<meta name=a>{%- endif"
            " -%}</head><body>text</body>"
        ),
        (
            "<!doctype html><title>a</title><link rel=stylesheet href=\"{{ 'a.css'|url"
            ' }}"><body>text</body>'
        ),
        (
            "<!doctype html><head><title>{{ title }}</title>{{ partial 'head.html' ."
            " }}</head><body>text</body>"
        ),
        (
            "<!doctype html><head><title>a</title></head>\n<body>\n <main>\n  {% block content"
            " %}\n<p>a</p></main></body>"
        ),
        "<!doctype html><title>a</title><body><p>a</p>{% endblock %}</body>",
        (
            "<!doctype html><title>a</title><body><ul>{% for one in all %}<li>{{ one }}</li>{%"
            " endfor %}</ul></body>"
        ),
        (
            "<!doctype html><title>a</title><body><table>{% for one in all if one > 3"
            " %}<tr><td>a</table></body>"
        ),
        "<!doctype html><head><%= csrf_meta_tags %></head><body><%= yield %></body>",
        "<!doctype html><head><?php wp_head(); ?><title>a</title></head><body>text</body>",
        "<div>google-site-verification</div>" + FILLING,
        "google-site-verification: google1234567890abcdef.html",
        "<nav><svg><title>Logo</title></svg><a href=a.html>a</a></nav>",
        "<p>text</p><script>'<html><body>'</script>",
    ],
)
def test_a_template_or_a_fragment_is_partial(content: str) -> None:
    assert read(content) == Head(partial=True)
    assert read(content + FILLING).partial


@pytest.mark.parametrize(
    "body",
    [
        "<p>Write {% raw %} and {% endraw %}.</p><h2>{% extends %}</h2>",
        (
            "<pre><code>{% extends 'base.html' %}\n{% block main %}<span></span>{% endblock"
            " %}</code></pre>"
        ),
        "<pre><span></span>{% block main %}<span></span></pre>",
        "<ul><li>{% if %}</li><li><a href='#for'>{% for %}</a></li></ul>",
        "<td>{% for %}</td><dt>{% block %}</dt><span class=ellipsis>{% block %}</span>",
        "<div id=app>{{ message }}</div><ul><li>{{ one }}</li></ul>",
        "<script>const html = '<div>{% block a %}<p></p>{% endblock %}</div>'</script>",
        (
            "<script type=text/template><ul><% for (one of all) { %><li><%= one %></li><% }"
            " %></ul></script>"
        ),
        "<!-- <div>{% block a %}<p></p>{% endblock %}</div> -->",
        "<textarea><div>{% block a %}<p></p>{% endblock %}</div></textarea>",
        "<p title='<div>{% block a %}<p>'>text</p>",
        (
            "<p>A page that a plug-in should have filled in:</p>\n{% if sponsors"
            " %}\n<p>Thanks</p>\n{% endif %}"
        ),
        "<p>&lt;?php echo 1 ?&gt;</p><img src='{{ a }}'>",
    ],
)
def test_a_page_that_shows_the_code_of_templates_is_a_page(body: str) -> None:
    assert (
        read(
            f"<!doctype html><html><head><title>{{% block %}}</title></head><body><h1>a</h1>{body}"
        )
        == Head()
    )


@pytest.mark.parametrize(
    "start",
    [
        *("<html>", "<HTML><HEAD><TITLE>a</TITLE></HEAD><BODY>", "<title>{{ title }}</title>"),
        "\ufeff<!-- a --><?xml version='1.0'?><!doctype html>",
        f"<!--{'-' * 40_000}-->\n<!-- {'license - ' * 7_000}\n-- > -->\n<html><body>",
        (
            "<meta charset=utf-8><meta name=description content='How to write {% block %} and {{"
            " name }}'>"
        ),
        "<a name=top></a><html><body>",
        "<!doctype html><script>if (a {% b) {}</script><style>a{%}</style>",
        "<!doctype html><title>a\0b</title>",
    ],
    ids=lambda start: start[:40],
)
def test_a_document_may_begin_in_many_ways(start: str) -> None:
    assert read(f"{start}<p>text</p>") == Head()


@pytest.mark.parametrize(
    "content",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + b"<html><title>a</title>" + bytes(9000),
        b"\0\0\1\0\1\0<html><body>text",
        b"PK\3\4" + b"<!doctype html><title>a</title>" * 200,
        b"text, and a \0 before <html><body>text",
        b"\x7fELF\2\1\1" + FILLING.encode(),
        bytes(5000),
    ],
    ids=lambda content: content[:9].hex(),
)
def test_a_binary_file_is_no_page(content: bytes) -> None:
    head = read(content)
    assert head.partial or head.empty


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "iso-2022-jp", "shift_jis"]
)
def test_a_page_in_any_encoding_is_text(encoding: str) -> None:
    assert not read(
        f"\n<!doctype html><meta charset={encoding}><title>日本</title>{FILLING}".encode(encoding)
    ).partial
