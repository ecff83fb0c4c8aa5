"""Values that options accept, and values that they refuse."""

from smindex_plugins.base.limits import MAX_URLS
from smindex_plugins.base.model import NamedSection

API = {"name": "api", "urls": ["reference/"]}
ACCEPTED: list[tuple[str, object, object]] = [
    ("index_filename", "sitemap.xml", "sitemap.xml"),
    ("index_filename", "Index-2.of_all.xml", "Index-2.of_all.xml"),
    ("section_by", "category", "category"),
    ("section_depth", 0, 0),
    ("section_depth", 20, 20),
    ("section_min_pages", 1, 1),
    ("sections", [], ()),
    ("sections", [API], (NamedSection(name="api", urls=("reference/",)),)),
    ("sections", ({"urls": "a/", "name": "0_a-b"},), (NamedSection(name="0_a-b", urls=("a/",)),)),
    ("sitemap_placement", "root", "root"),
    ("exclude", "drafts/", ("drafts/",)),
    ("exclude", ["drafts/", "*.html"], ("drafts/", "*.html")),
    ("exclude", [], ()),
    ("include", "**/*.pdf", ("**/*.pdf",)),
    ("include", ["*.pdf", "data/"], ("*.pdf", "data/")),
    ("filter", "hooks:keep", "hooks:keep"),
    ("filter", "../tools/hooks.py:keep", "../tools/hooks.py:keep"),
    ("filter", None, None),
    ("lastmod", "off", "off"),
    ("lastmod", False, "off"),
    ("lastmod_format", "date", "date"),
    ("ignore_revs_file", ".ignored-revs", ".ignored-revs"),
    ("ignore_revs_file", None, None),
    ("ignore_commits", "^chore", ("^chore",)),
    (
        "ignore_commits",
        [r"^chore\(tags\)", r"\[skip lastmod\]"],
        (r"^chore\(tags\)", r"\[skip lastmod\]"),
    ),
    ("undated", "fail", "fail"),
    ("depends", {"reference/": "data/*.yml"}, (("reference/", ("data/*.yml",)),)),
    ("depends", {"a/": ["b/..c", "d e.md"], "f/": []}, (("a/", ("b/..c", "d e.md")), ("f/", ()))),
    ("gzip", True, True),
    ("images", True, True),
    ("robots_txt", "write", "write"),
    (
        "cross_site",
        {"https://b.example/": "b", "http://a.example": "../a"},
        (("https://b.example", "b"), ("http://a.example", "../a")),
    ),
    ("max_urls", 1, 1),
    ("max_urls", MAX_URLS, MAX_URLS),
]
"""Options, what is given for them, and the value that comes of it."""

REFUSED: list[tuple[str, list[object]]] = [
    ("index_filename", ["", "a.txt", "a/b.xml", "../a.xml", ".xml", "..xml", "a.xml.gz"]),
    ("index_filename", ["ä.xml", "a b.xml", "a.xml\n", "-%41.xml", 1, ["a.xml"]]),
    ("section_by", ["", "tag", True, ["category"]]),
    ("section_depth", [-1, 21, 1.0, "1", True, [1]]),
    ("section_min_pages", [0, -1, 1_000_001, "2", False]),
    ("sections", ["api", API, 1]),
    ("sitemap_placement", ["", "Root", "beside", True, ["root"]]),
    ("exclude", [1, {"a": "b"}, True, {"a/"}]),
    ("include", [1, {"a": "b"}, True, {"*.pdf"}]),
    (
        "filter",
        [
            "",
            "hooks",
            "hooks:",
            ":keep",
            "hooks:a.b",
            "hooks:keep()",
            "a:b:c",
            1,
            True,
            ["hooks:keep"],
        ],
    ),
    ("lastmod", ["", "mtime", "OFF", True, 0]),
    ("lastmod_format", ["day", "", False]),
    ("ignore_revs_file", ["", " ", "/etc/revs", 1, False, ["a"]]),
    ("ignore_commits", [1, {"a": "b"}, True]),
    ("undated", ["error", "", False]),
    ("depends", ["a/", ["a/"], 1]),
    ("gzip", ["yes", 1, 0, []]),
    ("images", ["yes", 1]),
    ("robots_txt", ["yes", True]),
    ("cross_site", ["https://a.example", ["https://a.example"], True]),
    ("max_urls", [0, -1, MAX_URLS + 1, "10", 1.5, True]),
]
"""Options, and values that are wrong as a whole."""

MISTAKEN: list[tuple[str, object, list[str]]] = [
    ("exclude", ["a/", 1, "", "/", " "], ["exclude[1]", "exclude[2]", "exclude[3]", "exclude[4]"]),
    ("include", ["*.pdf", 1, "", "/"], ["include[1]", "include[2]", "include[3]"]),
    ("ignore_commits", ["(", "a", 1], ["ignore_commits[0]", "ignore_commits[2]"]),
    ("sections", [API, "b", None], ["sections[1]", "sections[2]"]),
    (
        "sections",
        [{"name": "a"}, {"urls": ["a/"]}, {}],
        ["sections[0]", "sections[1]", "sections[2]"],
    ),
    ("sections", [{**API, "depth": 1}], ["sections[0]"]),
    ("sections", [{"name": "A b", "urls": ["a/"]}], ["sections[0].name"]),
    ("sections", [{"name": "root", "urls": ["a/"]}], ["sections[0].name"]),
    ("sections", [{"name": "../a", "urls": ["a/"]}], ["sections[0].name"]),
    ("sections", [{"name": 1, "urls": ["a/"]}], ["sections[0].name"]),
    ("sections", [{"name": ["a"], "urls": ["a/"]}], ["sections[0].name"]),
    ("sections", [{"name": "a", "urls": []}], ["sections[0].urls"]),
    ("sections", [{"name": "a", "urls": None}], ["sections[0].urls"]),
    ("sections", [{"name": "a", "urls": ["a/", 2]}], ["sections[0].urls[1]"]),
    (
        "sections",
        [{"name": "A", "urls": 1}, {"name": "b", "urls": [""]}],
        [
            "sections[0].name",
            "sections[0].urls",
            "sections[1].urls[0]",
        ],
    ),
    ("sections", [API, API], ["sections[1].name"]),
    (
        "depends",
        {
            "": "a",
            "a/": "/b",
            "b/": ["../c"],
            "c/": ["d/../e"],
            "d/": 1,
            "e/": ["C:/f"],
            "f/": "g\\h",
            "g/": [" "],
        },
        [
            f"depends[{each}"
            for each in (
                "'']",
                "'a/'][0]",
                "'b/'][0]",
                "'c/'][0]",
                "'d/']",
                "'e/'][0]",
                "'f/'][0]",
                "'g/'][0]",
            )
        ],
    ),
    (
        "cross_site",
        {"a.example": "a", "https://b.example/b": "b"},
        ["cross_site['a.example']", "cross_site['https://b.example/b']"],
    ),
    (
        "cross_site",
        {"https://a.example": "https://a.example/robots.txt"},
        ["cross_site['https://a.example']"],
    ),
    ("sections", ["b", API, API], ["sections[0]", "sections[2].name"]),
]
"""Options, values with mistakes inside, and the places of these."""
