"""A record is found wherever its output is now, and only if it belongs to the index there."""

import gzip
import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from smindex_plugins.base.model import Page
from smindex_plugins.base.settings import Settings
from smindex_plugins.base.site import Site
from smindex_plugins.build import publish
from smindex_plugins.record.find import Record, find_record
from tests.support.command import PAGE, SITE
from tests.support.history import Repo
from tests.support.planted import write

SETTINGS: dict[str, object] = {
    "filter": lambda page: page,
    "exclude": ["x/"],
    "section_depth": 3,
    "sections": [{"name": "api", "urls": ["api/"]}],
    "depends": {"a.html": ["data/*.yml"]},
    "cross_site": {"https://f.org": "../robots.txt"},
}


@pytest.fixture
def repo(repo: Repo) -> Repo:
    repo.commit(
        1, {"docs/a.md": "a", "docs/b.md": "---\nsitemap: false\n---\n", ".gitignore": "site\n"}
    )
    build(repo)
    return repo


def build(repo: Repo, output: str = "site", **options: object) -> None:
    write(repo.path, {f"{output}/{name}.html": PAGE for name in "ab"})
    pages = [
        Page(
            url=f"{SITE}{name}.html",
            file=str(repo / output / f"{name}.html"),
            sources=(repo.file(f"docs/{name}.md"),),
        )
        for name in "ab"
    ]
    pages[1] = Page(
        url=pages[1].url, file=pages[1].file, sources=pages[1].sources, unlisted="marked draft"
    )
    settings = Settings.load(options)
    site = Site(
        url=SITE,
        directory=str(repo / output),
        settings=settings,
        project=str(repo.path),
        settings_file=str(repo / "conf/site.toml"),
    )
    assert publish(pages, site).unsaved == ""


def the(directory: Path, *projects: Path) -> Record:
    record = find_record(str(directory), *map(str, projects))
    assert record
    return record


def test_it_has_a_fact_about_each_page(repo: Repo) -> None:
    record = the(repo / "site")
    listed, omitted = record.by_url[f"{SITE}a.html"], record.by_file["b.html"]
    assert (listed.file, listed.sources, listed.lastmod) == (
        "a.html",
        ("docs/a.md",),
        "2020-09-14T12:26:40Z",
    )
    assert (listed.rests_on, listed.dated_by, listed.omission) == ("git", "docs/a.md", None)
    assert listed.commit == repo.git("rev-parse", "HEAD").strip()
    assert omitted.omission
    assert omitted.omission.why == "marked draft"
    assert record.by_source == {repo.file("docs/a.md"): [listed], repo.file("docs/b.md"): [omitted]}
    assert record.settings_file == repo.file("conf/site.toml")


def test_it_has_the_options_of_the_build_without_functions(repo: Repo) -> None:
    build(repo, "site", **SETTINGS)
    assert the(repo / "site").settings == replace(Settings.load(SETTINGS), filter=None)


def test_it_names_no_absolute_path_and_no_time(repo: Repo) -> None:
    (path,) = (repo / ".smindex_cache").glob("*.gz")
    text = gzip.decompress(path.read_bytes()).decode("ascii")
    assert str(repo.path) not in text
    assert path.read_bytes()[4:8] == b"\0\0\0\0"
    assert repo.git("status", "--porcelain", "--", ".smindex_cache") == ""
    before = path.stat()
    build(repo)
    assert path.stat().st_mtime_ns == before.st_mtime_ns, "it is not written again"


@pytest.mark.parametrize("to", ["other", "deep/er/site", "../beside"])
def test_a_moved_or_copied_output_has_it(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, to: str
) -> None:
    place = repo / to
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(repo / "site", place)
    monkeypatch.chdir(tmp_path)
    assert find_record(str(repo / "site"))
    inside = to != "../beside"
    assert bool(find_record(str(place))) == inside
    assert the(place, repo.path).by_url.keys() == the(repo / "site").by_url.keys()
    monkeypatch.chdir(repo.path)
    assert the(place).directory == str(place.resolve())


def test_two_outputs_of_a_project_have_one_each(repo: Repo) -> None:
    build(repo, "other", section_by="category")
    assert [the(repo / name).settings.section_by for name in ("site", "other")] == [
        "directory",
        "category",
    ]
    assert len(list((repo / ".smindex_cache").glob("*.gz"))) == 2


def test_another_index_has_none(repo: Repo) -> None:
    path = repo / "site/sitemap_index.xml"
    path.write_text(path.read_text() + "\n")
    assert find_record(str(repo / "site")) is None
    path.unlink()
    assert find_record(str(repo / "site")) is None
    assert find_record(str(repo / "none")) is None


def test_an_index_without_dates_that_is_equal_by_chance_has_none(
    repo: Repo, tmp_path: Path
) -> None:
    build(repo, lastmod="off")
    other = write(tmp_path / "other", {"c.html": PAGE})
    shutil.copytree(repo / "site", other, dirs_exist_ok=True)
    assert find_record(str(other), str(repo.path))
    (other / "a.html").unlink()
    assert find_record(str(other), str(repo.path)) is None


def changed(change: Callable[[list[Any]], object]) -> Callable[[bytes], bytes]:
    def of(content: bytes) -> bytes:
        head, *lines = [json.loads(line) for line in gzip.decompress(content).splitlines()]
        change(lines := [head, *(dict(zip(head["fields"], line, strict=True)) for line in lines)])
        names = dict.fromkeys(name for line in lines[1:] for name in line)
        lines[1:] = [line and [line.get(name, "") for name in names] for line in lines[1:]]
        head["fields"] = [*names]
        return gzip.compress("".join(json.dumps(line) + "\n" for line in lines).encode())

    return of


@pytest.mark.parametrize(
    "change",
    [
        lambda content: content[:-20],
        lambda _: b"",
        lambda _: b"text",
        lambda _: gzip.compress(b"[]\n"),
        lambda _: gzip.compress(b"[" * 100_000),
        lambda _: gzip.compress(b"\xff\xfe{}"),
        changed(lambda lines: lines[0].update(version=0)),
        changed(lambda lines: lines[0].update(version=2)),
        changed(lambda lines: lines[0].update(index="../../../etc/passwd")),
        changed(lambda lines: lines[0].update(index=None)),
        changed(lambda lines: lines[0].update(settings={"nope": 1})),
        changed(lambda lines: lines[0].update(settings=[])),
        changed(lambda lines: lines[1].update(url=5)),
        changed(lambda lines: lines[1].update(sources="docs/a.md")),
        changed(lambda lines: lines[1].update(sources=[1])),
        changed(lambda lines: lines[1].update(more="x")),
        changed(lambda lines: lines[1].update(rests_on="luck")),
        changed(lambda lines: lines[1].update(commit="--output=/tmp/x")),
        changed(lambda lines: lines[1].update(dated_by="docs/a.md\0")),
        changed(lambda lines: lines[1].update(file="../secret.html")),
        changed(lambda lines: lines[1].update(file="a/../../secret.html")),
        changed(lambda lines: lines[1].update(file="/etc/passwd")),
        changed(lambda lines: lines[1].pop("url")),
        changed(lambda lines: lines.append([])),
    ],
)
def test_a_broken_an_old_and_a_hostile_record_are_none(
    repo: Repo, change: Callable[[bytes], bytes]
) -> None:
    (path,) = (repo / ".smindex_cache").glob("*.gz")
    path.write_bytes(change(path.read_bytes()))
    assert find_record(str(repo / "site")) is None


@pytest.mark.parametrize(
    "name", ["../../secret.md", "/etc/passwd", "docs/../../secret.md", "link.md"]
)
def test_a_file_outside_the_repository_counts_for_nothing(
    repo: Repo, tmp_path: Path, name: str
) -> None:
    (tmp_path / "secret.md").write_text("secret")
    os.symlink(tmp_path / "secret.md", repo / "link.md")
    (path,) = (repo / ".smindex_cache").glob("*.gz")
    path.write_bytes(
        changed(lambda lines: [line.update(sources=[name]) for line in lines[1:]])(
            path.read_bytes()
        )
    )
    record = the(repo / "site")
    assert record.by_source == {}
    assert [record.counting(fact) for fact in record.facts] == [[], []]


def test_a_settings_file_outside_the_repository_is_not_named(repo: Repo) -> None:
    (path,) = (repo / ".smindex_cache").glob("*.gz")
    path.write_bytes(
        changed(lambda lines: lines[0].update(settings_file="../../../etc/passwd"))(
            path.read_bytes()
        )
    )
    assert the(repo / "site").settings_file == ""


def test_an_output_that_is_the_project_has_one_only_in_a_repository(tmp_path: Path) -> None:
    for name, is_repository in (("plain", False), ("pages", True)):
        write(tmp_path / name, {"a.html": PAGE})
        if is_repository:
            (tmp_path / name / ".git").mkdir()
        page = Page(url=f"{SITE}a.html", file=str(tmp_path / name / "a.html"))
        publish(
            [page], Site(url=SITE, directory=str(tmp_path / name), project=str(tmp_path / name))
        )
        assert (tmp_path / name / ".smindex_cache").exists() == is_repository
