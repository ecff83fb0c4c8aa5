"""Examples of what a build reports, for the manual: what was written, and what is right; both are really published."""

import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import yaml

from smindex_plugins.model import Page
from smindex_plugins.pipeline import Host, publish
from smindex_plugins.settings import Settings, Site

NOW = datetime(2024, 3, 20, 9, tzinfo=UTC)
PAGES = ("index.md", "guide.md", "drafts/next.md", "drafts/old.md")


@dataclass(frozen=True, slots=True)
class BuildExample:
    """What an author or an owner wrote for a site of a few pages."""

    place: Literal["mkdocs.yml", "guide.md", "guide/index.html", "site/robots.txt", "site/drafts/sitemap.xml"]
    wrong: str
    right: str = ""
    options: str = ""

    @property
    def language(self) -> str:
        """The language in which it is written."""
        return {"html": "html", "txt": "text", "xml": "xml"}.get(self.place.rpartition(".")[2], "yaml")

    def block(self, text: str) -> list[str]:
        """Return what is written, as a block of code."""
        fence = ["---"] if self.place == "guide.md" else []
        return [f"```{self.language}", *fence, *text.strip("\n").splitlines(), *fence, "```", ""]

    def reported(self, *, is_mended: bool = False) -> list[tuple[str, str]]:
        """Return the names and the words of what a build reports."""
        text = self.right if is_mended else self.wrong
        config = _read(text if self.place == "mkdocs.yml" else "")
        with tempfile.TemporaryDirectory() as directory:
            address = config.get("site_url", "https://docs.example.com/")
            report = publish(
                [self._page(Path(directory), address, source, text) for source in PAGES],
                Site(url=address, directory=directory, settings=Settings.load(_read(self.options) | _options(config))),
                Host(others=()),
                now=NOW,
            )
            return [(finding.check, str(finding).replace(directory, "site")) for finding in report.findings]

    def _page(self, directory: Path, address: str, source: str, text: str) -> Page:
        path = source.removesuffix("index.md").replace(".md", "/")
        is_it, body = source == "guide.md", "<p>Text"
        file = directory / path / "index.html"
        if self.place.startswith("site/"):
            (directory / "drafts").mkdir(exist_ok=True)
            (directory / self.place.removeprefix("site/")).write_text(text, encoding="utf-8")
        if is_it and self.place.endswith(".html"):
            body += text
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"<!doctype html><title>{file.parent.name}</title>{body}", encoding="utf-8")
        meta = _read(text) if is_it and self.place == "guide.md" else {}
        return Page(url=address + path, file=str(file), source_name=source, meta=meta)


def _read(text: str) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(text) or {}
    return loaded


def _options(config: dict[str, Any]) -> dict[str, Any]:
    """Return the options of the plugin."""
    return next((each["sitemap-index"] for each in config.get("plugins", []) if isinstance(each, dict)), {})


def plugin(*options: str) -> str:
    return "plugins:\n  - sitemap-index:\n" + "".join(f"      {option}\n" for option in options)


BUILD_EXAMPLES: dict[str, BuildExample] = {
    "invalid-front-matter": BuildExample("guide.md", "lastmod: yesterday", "lastmod: 2024-03-01"),
    "noindex-not-rendered": BuildExample("guide.md", "noindex: true"),
    "unmatched-pattern": BuildExample("mkdocs.yml", plugin("exclude: ['draft/']"), plugin("exclude: ['drafts/']")),
    "nothing-listed": BuildExample("mkdocs.yml", plugin("exclude: ['**']"), plugin("exclude: ['drafts/']")),
    "private-address": BuildExample(
        "mkdocs.yml", "site_url: http://localhost:8000/\n", "site_url: https://docs.example.com/\n"
    ),
    "doubtful-address": BuildExample("mkdocs.yml", "site_url: https://example.org/\n"),
    "robots-without-index": BuildExample(
        "site/robots.txt",
        "User-agent: *\nAllow: /\n",
        "User-agent: *\nAllow: /\nSitemap: https://docs.example.com/sitemap_index.xml\n",
    ),
    "file-not-ours": BuildExample(
        "site/drafts/sitemap.xml", '<?xml version="1.0" encoding="UTF-8"?>\n<urlset>written by hand</urlset>\n'
    ),
}
