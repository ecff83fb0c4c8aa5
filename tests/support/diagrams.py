"""The diagrams of the manual, drawn as SVG whose text is text, in colours for light and dark."""

from collections.abc import Callable
from xml.sax.saxutils import escape

WIDTH = 460
"""Few, so that words of 13 can be read on a telephone."""
_STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 12px }
  .strong { font-weight: 600 }
  .weak { fill: #59636e }
  .good { fill: #1a7f37 }
  .bad { fill: #d1242f }
  .page { fill: #ffffff }
  .box { fill: #f6f8fa; stroke: #d1d9e0 }
  .main { fill: #ddf4ff; stroke: #0969da }
  .line { fill: none; stroke: #59636e; stroke-width: 1.5 }
  .side { fill: none; stroke: #8250df; stroke-width: 1.5 }
  .lost { fill: none; stroke: #afb8c1; stroke-width: 1.5; stroke-dasharray: 3 3 }
  .cut { fill: none; stroke: #d1242f; stroke-width: 2; stroke-dasharray: 6 4 }
  .dot { fill: #59636e }
  .new { fill: #0969da }
  .branch { fill: #8250df }
  .gone { fill: #afb8c1 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc }
    .weak { fill: #9198a1 }
    .good { fill: #3fb950 }
    .bad { fill: #f85149 }
    .page { fill: #0d1117 }
    .box { fill: #151b23; stroke: #3d444d }
    .main { fill: #121d2f; stroke: #4493f8 }
    .line { stroke: #9198a1 }
    .side { stroke: #ab7df8 }
    .lost { stroke: #656c76 }
    .cut { stroke: #f85149 }
    .dot { fill: #9198a1 }
    .new { fill: #4493f8 }
    .branch { fill: #ab7df8 }
    .gone { fill: #656c76 }
  }
"""


_ARROW = (
    '<marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
    '<path class="dot" d="M0,0 L8,4 L0,8 z"/></marker>'
)


class Picture:
    """A picture to which shapes and words are added."""

    def __init__(self, height: int, title: str) -> None:
        self._height = height
        self._title = title
        self._parts: list[str] = []

    def box(self, x: float, y: float, width: float, label: str = "", *, height: float = 28, kind: str = "box") -> None:
        """Add a rectangle, with the name of a file in its middle."""
        shape = f'<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="{height}" rx="6"/>'
        self._parts.append(shape)
        if label:
            self.text(x + width / 2, y + height / 2 + 4, label, "code", anchor="middle")

    def text(self, x: float, y: float, words: str, kind: str = "", *, anchor: str = "start") -> None:
        """Add words."""
        self._parts.append(f'<text class="{kind}" x="{x}" y="{y}" text-anchor="{anchor}">{escape(words)}</text>')

    def line(self, *points: tuple[float, float], kind: str = "line", arrow: bool = False) -> None:
        """Add a line through points, with an arrow at its end where there is to be one."""
        path = " ".join(f"{x},{y}" for x, y in points)
        end = ' marker-end="url(#arrow)"' if arrow else ""
        self._parts.append(f'<polyline class="{kind}" points="{path}"{end}/>')

    def bar(self, x: float, y: float, width: float, height: float, kind: str) -> None:
        """Add a bar of a chart."""
        self._parts.append(f'<rect class="{kind}" x="{x}" y="{y:.1f}" width="{width}" height="{height:.1f}"/>')

    def dot(self, x: float, y: float, kind: str = "dot") -> None:
        """Add a commit."""
        self._parts.append(f'<circle class="{kind}" cx="{x}" cy="{y}" r="7"/>')

    def __str__(self) -> str:
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="600" viewBox="0 0 {WIDTH} {self._height}" role="img">',
            f"<title>{escape(self._title)}</title>",
            f"<style>{_STYLE}</style>",
            _ARROW,
            f'<rect class="page" width="{WIDTH}" height="{self._height}"/>',
            *self._parts,
            "</svg>",
        ]
        return "\n".join(lines) + "\n"


def site_tree() -> Picture:
    picture = Picture(276, "Each section of the site gets a sitemap, and the index lists the sitemaps")
    for x, words in ((8, "pages"), (168, "sitemaps"), (322, "the index")):
        picture.text(x, 20, words, "strong")
    groups = [
        (34, "sitemap-root.xml", ["index.html", "about/index.html"]),
        (104, "guide/sitemap.xml", ["guide/install/…", "guide/use/…", "guide/ask/…"]),
        (192, "blog/sitemap.xml", ["blog/one/…", "blog/two/…", "blog/three/…"]),
    ]
    picture.box(322, 128, 132, "sitemap_index.xml", kind="main")
    for top, sitemap, pages in groups:
        height = 16 + 20 * len(pages)
        picture.box(8, top, 136, height=height)
        for number, page in enumerate(pages):
            picture.text(18, top + 22 + 20 * number, page, "code")
        middle = top + height / 2
        picture.box(168, middle - 14, 132, sitemap)
        picture.line((144, middle), (167, middle), arrow=True)
        picture.line((300, middle), (311, middle), (311, 142))
    picture.line((311, 142), (321, 142), arrow=True)
    return picture


def shallow_clone() -> Picture:
    picture = Picture(196, "A shallow clone is cut off after its newest commits")
    picture.text(8, 20, "the whole history, on the server", "weak")
    picture.text(452, 20, "the clone", "strong", anchor="end")
    picture.line((30, 80), (250, 80), kind="lost")
    picture.line((250, 80), (430, 80))
    for x in (30, 110, 190):
        picture.dot(x, 80, "gone")
    for x in (290, 360, 430):
        picture.dot(x, 80, "new" if x == 430 else "dot")
    picture.line((240, 34), (240, 118), kind="cut")
    picture.text(240, 134, "the cut", "bad", anchor="middle")
    picture.text(110, 60, "guide.md", "code", anchor="middle")
    picture.text(110, 106, "changed here", "weak", anchor="middle")
    picture.text(430, 60, "index.md", "code", anchor="end")
    picture.text(446, 106, "changed here", "weak", anchor="end")
    picture.text(8, 160, "guide.md", "code")
    picture.text(86, 160, "is older than the cut, so it gets no date", "bad")
    picture.text(8, 184, "index.md", "code")
    picture.text(86, 184, "changed in the clone, so it has that date", "good")
    return picture


def merge() -> Picture:
    picture = Picture(198, "A change on a side branch, and the merge that published it")
    picture.line((30, 120), (430, 120))
    picture.line((110, 120), (160, 66), (280, 66), (330, 120), kind="side")
    for x, kind in ((30, "dot"), (110, "dot"), (220, "dot"), (330, "new"), (430, "dot")):
        picture.dot(x, 120, kind)
    picture.dot(220, 66, "branch")
    picture.text(8, 150, "main", "weak")
    picture.text(220, 22, "guide.md was edited on a branch", "", anchor="middle")
    picture.text(220, 46, "1 May", "strong", anchor="middle")
    picture.text(330, 150, "1 June", "strong", anchor="middle")
    picture.text(330, 166, "merged", "weak", anchor="middle")
    picture.text(8, 190, "<lastmod>", "code")
    picture.text(86, 190, "is 1 June: when readers got it, not when it was written")
    return picture


def bulk_commit() -> Picture:
    picture = Picture(190, "A commit that reformats every file, and is listed as one to ignore")
    picture.line((50, 76), (420, 76))
    for x, kind in ((50, "new"), (160, "new"), (300, "gone"), (420, "dot")):
        picture.dot(x, 76, kind)
    for x, name, date in ((50, "guide.md", "10 January"), (160, "index.md", "5 February")):
        picture.text(x, 52, name, "code", anchor="middle")
        picture.text(x, 104, date, "strong", anchor="middle")
    picture.text(300, 52, "all files", "code", anchor="middle")
    picture.text(300, 104, "1 March", "weak", anchor="middle")
    picture.text(300, 26, "reformatted", "weak", anchor="middle")
    picture.line((300, 112), (300, 126), kind="cut")
    picture.text(300, 142, "in .git-blame-ignore-revs", "code", anchor="middle")
    picture.text(8, 168, "Without that line, both pages would be of 1 March.", "bad")
    picture.text(8, 186, "With it, each keeps the date of its last real change.", "good")
    return picture


def scope() -> Picture:
    picture = Picture(250, "A sitemap may list what is in its own directory or deeper")
    picture.box(8, 8, 444, height=206)
    picture.text(20, 28, "https://example.org/", "code")
    picture.box(28, 40, 404, height=162)
    picture.text(40, 60, "docs/", "code")
    picture.box(48, 72, 364, height=90, kind="main")
    picture.text(60, 92, "guide/", "code")
    picture.text(400, 92, "sitemap.xml", "code strong", anchor="end")
    picture.text(60, 118, "✓", "good")
    picture.text(78, 118, "docs/guide/install/", "code")
    picture.text(60, 144, "✓", "good")
    picture.text(78, 144, "docs/guide/use/first/", "code")
    picture.text(60, 186, "✗", "bad")
    picture.text(78, 186, "docs/blog/one/", "code")
    picture.text(270, 186, "outside its directory", "weak")
    picture.text(60, 238, "✗", "bad")
    picture.text(78, 238, "https://other.example/", "code")
    picture.text(270, 238, "another host", "weak")
    return picture


def join() -> Picture:
    picture = Picture(226, "One root index lists the sitemaps of several builds")
    picture.text(8, 20, "builds, each with an index of its own", "strong")
    picture.text(452, 20, "smindex join", "code", anchor="end")
    for number, (name, sitemaps) in enumerate((("docs/", 2), ("blog/", 1), ("api/", 2))):
        top = 34 + 64 * number
        picture.box(8, top, 232, height=54)
        picture.text(18, top + 20, name, "code strong")
        picture.text(18, top + 42, "sitemap_index.xml", "code weak")
        for part in range(sitemaps):
            picture.box(152, top + (4 if sitemaps > 1 else 15) + 24 * part, 80, "sitemap", height=22)
            middle = top + (15 if sitemaps > 1 else 26) + 24 * part
            picture.line((232, middle), (282, middle), (282, 122))
    picture.line((282, 122), (307, 122), arrow=True)
    picture.box(308, 104, 144, "sitemap_index.xml", height=36, kind="main")
    picture.text(380, 162, "at the root of the host", "weak", anchor="middle")
    return picture


DIAGRAMS: dict[str, Callable[[], Picture]] = {
    "site-tree": site_tree,
    "shallow-clone": shallow_clone,
    "merge": merge,
    "bulk-commit": bulk_commit,
    "scope": scope,
    "join": join,
}
"""By the names of their files."""
