"""Front matter that is meant to cost a build its time or its sitemaps, in real builds."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.project import BASE, FIRST, SMALL, Project

BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefghijk", "bcdefghijkl", strict=True)
)
VALUES = {
    "lastmod": ["*l", "{? *x : 1}", "0x" + "f" * 4_000, "9999-99-99", "0000-01-01", "!!int '9'", "[[[]]]", "&r [*r]"],
    "depends": ["*l", "[*l]", "[1, ~]", "&r [*r]", "0x" + "f" * 4_000],
    "sitemap": ["*l", "&r {x: *r}", "{0x" + "f" * 4_000 + ": 1}", "{~: 1}", "{lastmod: *l}", "{images: [*l, x]}"],
    "robots": ["*l", "[noindex]", "&r [*r]", "0x" + "f" * 4_000],
}


@pytest.mark.parametrize("key", VALUES)
def test_no_value_costs_a_build_of_mkdocs_its_time_or_its_sitemaps(tmp_path: Path, key: str) -> None:
    project = Project(tmp_path)
    project.small()
    for number, value in enumerate(VALUES[key]):
        project.write(f"docs/bad/{number}.md", f"---\nx: &x [x]\n{BOMB}{key}: {value}\n---\n# Bad\n")
    project.commit(FIRST)
    started = time.perf_counter()
    built = project.build()
    assert time.perf_counter() - started < 30
    assert "mistake in smindex-plugins" not in built.log
    bad = {f"{BASE}bad/{number}/": FIRST for number in range(len(VALUES[key]))}
    assert built.pages == SMALL | bad | {url: built.pages[url] for url in bad}
    if key != "robots":
        assert f"bad/0.md: its front matter says {key}: [[[…], " in built.log


def test_no_value_costs_smindex_build_its_sitemaps(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "site").mkdir()
    values = ["!!bool foo", "!!int ''", "!!float ''", "!!timestamp foo", "*l", *VALUES["lastmod"][2:]]
    for number, value in enumerate(values):
        text = f"---\n{BOMB if value == '*l' else ''}lastmod: {value}\n---\n"
        (tmp_path / f"docs/p{number}.md").write_text(text, encoding="utf-8")
        (tmp_path / f"site/p{number}.html").write_text("<html><title>A</title><body><p>Text", encoding="utf-8")
    command = [sys.executable, "-m", "smindex_plugins", "build", "site", "--site-url", "https://e.org/"]
    done = subprocess.run(
        [*command, "--sources", "docs/{path}.md"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    told = done.stdout + done.stderr
    assert "Traceback" not in told
    listed = (tmp_path / "site" / "sitemap-root.xml").read_text(encoding="utf-8")
    assert [number for number in range(len(values)) if f"https://e.org/p{number}.html<" not in listed] == []
    unsaid = [number for number in range(len(values)) if f"docs/p{number}.md: its front matter " not in told]
    assert [values[number] for number in unsaid] == ["!!int ''", "!!float ''"]  # nothing is written there


def test_no_value_costs_pelican_its_sitemaps(tmp_path: Path) -> None:
    (tmp_path / "content").mkdir()
    values = [
        "lastmod: 0x" + "f" * 4_000,
        "updated: 0000-00-00",
        "sitemap: " + "x" * 9_999,
        "depends: " + "**/" * 60 + "y",
    ]
    for number, value in enumerate(values):
        text = f"Title: A{number}\nDate: 2026-01-01\n{value}\n\nText\n"
        (tmp_path / f"content/a{number}.md").write_text(text, encoding="utf-8")
    settings = "SITENAME = 'A'\nSITEURL = 'https://e.org'\nTIMEZONE = 'UTC'\nPLUGINS = ['sitemap_index']\n"
    (tmp_path / "pelicanconf.py").write_text(settings, encoding="utf-8")
    command = [sys.executable, "-m", "pelican", "content", "-o", "output", "-s", "pelicanconf.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    told = " ".join((done.stdout + done.stderr).split())
    assert "Traceback" not in told
    listed = (tmp_path / "output" / "sitemap-root.xml").read_text(encoding="utf-8")
    assert [number for number in range(len(values)) if f"https://e.org/a{number}.html<" not in listed] == []
    assert [number for number in range(len(values)) if f"a{number}.md: " not in told] == []
