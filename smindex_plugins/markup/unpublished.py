"""HTML that is not a page for search engines: empty files, parts of documents, and templates."""

import re

from smindex_plugins.markup import tokens

_SMALL = 4096
"""Files longer than this are assumed to have content."""
_SPACE = re.compile(rb"(?:\s|\xc2\xa0|&nbsp;?|&#160;|&#xa0;)*", re.IGNORECASE)
# Elements that show nothing but what is in them; all others show something, or a script knows what to make of them.
_PLAIN = re.compile(
    "/?(?:a|abbr|address|article|aside|b|base|bdi|bdo|blockquote|body|br|caption|center|cite|code|col|colgroup|data|dd|del|"
    "dfn|div|dl|dt|em|figcaption|figure|font|footer|h[1-6r]|head|header|hgroup|html|i|ins|kbd|li|link|main|mark|meta|nav|"
    "ol|p|pre|rp|rt|ruby|s|samp|search|section|slot|small|span|strong|style|sub|sup|table|tbody|td|tfoot|th|thead|time|"
    "title|tr|tt|u|ul|var|wbr)?|[!?]"
)
# Handlers of events, which are scripts, and pictures that a style sheet shows.
_LIVELY = re.compile(rb"\son[a-z]+\s*=|\sbackground\s*=|url\(", re.IGNORECASE)
# https://mimesniff.spec.whatwg.org/#javascript-mime-type
_RUN = re.compile(r"|module|(?:text|application)/(?:x-)?(?:ecma|j|java|live)script[\d.]*", re.IGNORECASE)

_WHOLE = re.compile(rb"<(?:!doctype|html|head|body|title|meta|link)\b", re.IGNORECASE)
# The code of a template where a head allows no text: Jinja, Liquid, Twig, Go, Handlebars, ERB, EJS; front matter.
_CODE = re.compile(rb"\s*(?:\{[%{#]|<%|---\s)")
_CODE_AS_URL = re.compile(rb"\b(?:href|src)\s*+=\s*+[\"']?+\s*+(?:\{[{%]|<[%?])", re.IGNORECASE)
_STATEMENT_SIGN = tokens.Word(b"{%", rarest=b"%")
_CODE_SIGNS = (_STATEMENT_SIGN, *(tokens.Word(sign, rarest=b"?") for sign in (b"<?p", b"<?=")))
_STATEMENT_AFTER_TAG = re.compile(rb">\s*\{%")
# One that is followed by markup or code, and one of those that put documents together.
_STATEMENT = re.compile(rb"\s*\{%[-+]?\s*[a-z].{0,400}?%\}\s*[<{]", re.IGNORECASE | re.DOTALL)
_BLOCK = re.compile(rb"\s*\{%[-+]?\s*(?:end)?(?:block|extends)\b", re.IGNORECASE)
_PHP = re.compile(rb"php\b|=", re.IGNORECASE)
# After the first there is no text in a page, after the second a statement of one word or another may be left over.
_NEVER_BEFORE_TEXT = re.compile(
    "/?head|html|body|link|meta|base|ul|ol|dl|table|thead|tbody|tfoot|tr|select|/(?:li|td|th|dt|dd|option)"
)
_STRUCTURE = re.compile(
    "/?(?:div|main|section|article|aside|header|footer|nav|form)|/(?:p|h[1-6]|ul|ol|dl|table)|hr|script|style|title"
)

# Bytes of no text, among the first of a file: https://mimesniff.spec.whatwg.org/#sniffing-a-mislabeled-binary-resource
_BINARY = bytes([*range(0x09), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)])
_SNIFFED = 1445
_MARKUP_FIRST = re.compile(rb"\s*<[a-z!?/]", re.IGNORECASE)


def is_binary(content: bytes) -> bool:
    """Whether a file is not text, whatever its name is: a picture, an archive, or random bytes."""
    first = content[:_SNIFFED]
    return not _MARKUP_FIRST.match(content) and len(first.translate(None, _BINARY)) < len(first)


def is_blank(content: bytes, body: int) -> bool:
    """Whether a page can show nothing at all: it has no text, no element and no script, in head or body."""
    if len(content) >= _SMALL or not all(map(_SPACE.fullmatch, tokens.texts(content, body))):
        return False
    return not _LIVELY.search(content) and not any(
        _shows(tag, is_in_head=tag.end <= body) for tag in tokens.tags(content)
    )


def _shows(tag: tokens.Tag, *, is_in_head: bool) -> bool:
    if tag.name == "script":
        attributes = tokens.read_attributes(tag.attributes, "utf-8")
        return bool(_RUN.fullmatch(attributes.get("type", "").strip()) and ("src" in attributes or tag.content.strip()))
    if tag.name == "noscript":
        return not is_in_head and bool(tag.content.strip())
    return not is_in_head and not _PLAIN.fullmatch(tag.name)


def is_partial(content: bytes, body: int) -> bool:
    """Whether a file is a part of a document, or a template that is not filled in.

    A normal page may show template code, and a script may fill in ``{{ name }}``. But browsers show no text in a head,
    code is not a URL, and nobody writes a statement such as ``{% block main %}`` alone between elements.
    """
    if not _WHOLE.search(content, 0, body) and not any(
        tag.name in {"html", "body"} for tag in tokens.tags(content, body)
    ):
        return True
    return bool(_CODE.match(content, body)) or (_may_be_template(content, body) and _is_template(content, body))


def _may_be_template(content: bytes, body: int) -> bool:
    """Whether there may be code in the head, or a statement after a tag. This quick test comes first."""
    if content.find(b"{{", 0, body) >= 0 or any(sign.is_in(content, 0, body) for sign in _CODE_SIGNS):
        return True
    return _STATEMENT_SIGN.is_in(content, body) and _STATEMENT_AFTER_TAG.search(content, body) is not None


def _is_template(content: bytes, body: int) -> bool:
    for tag in tokens.tags(content):
        if _NEVER_BEFORE_TEXT.fullmatch(tag.name) and _STATEMENT.match(content, tag.end):
            return True
        if _STRUCTURE.fullmatch(tag.name) and _BLOCK.match(content, tag.end):
            return True
        is_url = tag.name in {"base", "link", "script"} and _CODE_AS_URL.search(tag.attributes)
        if tag.end <= body and (is_url or (tag.name == "?" and _PHP.match(tag.attributes))):
            return True
    return False
