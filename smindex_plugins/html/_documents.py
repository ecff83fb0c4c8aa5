"""Detects HTML files that are not pages for search engines: binary or empty files, fragments, and
templates.
"""

import re

from lxml import etree

_SMALL = 4_096
"""Longer files are assumed to have content."""
# The listed elements show only their text. Others show something themselves, or scripts use them.
_SHOWING = etree.XPath(
    """boolean(//*[not(self::a or self::article or self::aside or self::b or self::base or
        self::body or self::br
        or self::div or self::em or self::figure or self::footer or self::h1 or self::h2 or self::h3
            or self::h4
        or self::h5 or self::h6 or self::head or self::header or self::html or self::i or self::li
            or self::link
        or self::main or self::meta or self::nav or self::noscript or self::ol or self::p or
            self::pre or self::script
        or self::section or self::span or self::strong or self::style or self::table or self::tbody
            or self::td
        or self::template or self::th or self::thead or self::title or self::tr or self::ul)])"""
)
_TEXT = etree.XPath(
    "//body//text() | //head/*[not(self::base or self::link or self::meta or self::script or"
    " self::style or self::title or self::noscript or self::template)]//text()"
)
"""The text of a page. Without a body tag, the parser takes elements such as ``<main>`` for a part
of the head."""
_EVENT_OR_BACKGROUND = re.compile(rb"\son[a-z]+\s*=|\sbackground\s*=|url\(", re.IGNORECASE)
# https://mimesniff.spec.whatwg.org/#javascript-mime-type
_JAVASCRIPT = re.compile(
    r"|module|(?:text|application)/(?:x-)?(?:ecma|j|java|live)script[\d.]*", re.IGNORECASE
)

# Bytes that text does not contain:
# https://mimesniff.spec.whatwg.org/#sniffing-a-mislabeled-binary-resource
_BINARY = bytes([*range(0x09), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)])
_SNIFFED = 1_445
_STARTS_WITH_TAG = re.compile(rb"\s*<[a-z!?/]", re.IGNORECASE)

_BEFORE = rb"(?:\s|<!--.*?-->|<\?[^>]*>)*"
_COMPLETE = re.compile(
    _BEFORE + rb"<(?:!doctype|html|head|title|meta|link)\b", re.IGNORECASE | re.DOTALL
)
# Jinja, Liquid, Twig, Go, Handlebars, ERB, EJS; front matter.
_STARTS_WITH_CODE = re.compile(_BEFORE + rb"(?:\{[%{#]|<%|---\s)", re.DOTALL)
_CODE = ("{{", "{%", "{#", "<%", "<?")
_IN_BRACES = re.compile(rb"\{[{%#]")
_IN_ANGLES = re.compile(rb"<[%?]")
"""Two expressions, because searching for a fixed first byte takes a tenth of the time."""

_STATEMENT = re.compile(rb"\{%")
"""An expression finds a rare first byte in a tenth of the time of ``in``."""
_PHP = re.compile(rb"<\?(?:php|=)")
# Statements in places where pages have no text: at the start of the body, and directly in lists and
# tables. Between other elements, only statements of templates that extend others.
_MISPLACED = etree.XPath(
    r"""boolean(//text()[contains(., '{%')][
        starts-with(normalize-space(), '{%') and (
            (parent::body and not(preceding-sibling::*))
            or parent::ul or parent::ol or parent::dl or parent::select or parent::table
            or parent::thead or parent::tbody or parent::tr)
        or re:test(., '^\s*\{%[-+]?\s*(end)?(block|extends)\b') and (
            parent::body or parent::div or parent::main or parent::section or parent::article
            or parent::aside or parent::header or parent::footer or parent::nav
            or parent::form)])""",
    namespaces={"re": "http://exslt.org/regular-expressions"},
)
"""Only texts with a statement are tested, because Python runs the regular expression."""


def is_binary(content: bytes) -> bool:
    """Return whether a file is not text, whatever its name: an image, an archive, random bytes."""
    if _STARTS_WITH_TAG.match(content):
        return False
    start = content[:_SNIFFED]
    return len(start.translate(None, _BINARY)) < len(start)


def needs_body(content: bytes, body: int) -> bool:
    """Return whether the body, from a position on, decides if a page is empty or a template."""
    if len(content) < _SMALL:
        return True
    sign = content.find(b"%", body)  # finding a single byte is fast, and braces are more common
    return sign >= 0 and _STATEMENT.search(content, sign - 1) is not None


def is_empty(content: bytes, page: etree._Element) -> bool:
    """Return whether a page has no visible content: no text, no visible elements, and no script."""
    if len(content) >= _SMALL or _EVENT_OR_BACKGROUND.search(content):
        return False
    text = "".join(_TEXT(page))
    if text.strip() or _SHOWING(page):
        return False
    return not any(map(_is_run, page.iter("script")))


def _is_run(script: etree._Element) -> bool:
    kind = script.get("type", "").strip()
    if _JAVASCRIPT.fullmatch(kind) is None:
        return False
    if "src" in script.attrib:
        return True
    code = script.text or ""
    return bool(code.strip())


def is_partial(content: bytes, body: int, head: etree._Element, page: etree._Element) -> bool:
    """Return whether a file is a fragment, or an unfilled template.

    A normal page may show template code, and a script may fill in ``{{ name }}``. However, a head
    has no visible text, code is not a URL, and nobody writes a statement such as ``{% block main
    %}`` alone between elements.

    Args:
        content: the file.
        body: the position of its ``<body>`` tag, or its length if it has none.
        head: the parsed content before the body.
        page: the parsed page, if `needs_body`.
    """
    has_body = body < len(content)
    if _STARTS_WITH_CODE.match(content) or not (has_body or _COMPLETE.match(content)):
        return True
    if _IN_BRACES.search(content, 0, body) or _IN_ANGLES.search(content, 0, body):
        texts = [
            element.get("href") or element.get("src") or ""
            for element in head.iter("base", "link", "script")
        ]
        if has_body:
            texts.append(head.findtext("body") or "")
        if any(text.lstrip().startswith(_CODE) for text in texts):
            return True
        if has_body and _PHP.search(content, 0, body):
            return True
    if has_body and page is head:
        return False  # the body has no statement
    return bool(_MISPLACED(page))
