"""Law 2, dates are accurate or omitted: never the build time, a file's mtime, a shallow-clone
artefact, or the future.

The first two properties date random histories by a slow reference that knows every state and never
asks git what changed. The tests after them follow dates from git, and from front matter, to the
written sitemaps.
"""

import os
import subprocess
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from smindex_plugins import Page, Site, publish
from smindex_plugins.base.dates import utc
from smindex_plugins.base.proof import ContentChange, NoDate, Unknown
from smindex_plugins.history.history import History
from tests.support.history import ISOLATED, START, KnownHistory, Repo, date_pages, day
from tests.support.listed import BASE, listed, read_entries

State = dict[str, str]
"""The content of every file, by name."""

NAMES = [
    f"{directory}/{name}" for directory in ("docs", "docs/deep", "old", "older") for name in "ab"
]
CODE = {f"code/{number}": str(number) for number in range(9)}
FIRST = 1_600_000_000


@dataclass(frozen=True)
class Node:
    parents: tuple[int, ...]
    state: State
    when: int


@st.composite
def histories(draw: st.DrawFn, *, renames: bool = True) -> list[Node]:
    """Draw commits, each after its parents; merges take each file from any side, or change it."""
    count = draw(st.integers(2, 14))
    times = draw(st.permutations(range(count)))
    nodes: list[Node] = []
    for number in range(count):
        kinds = st.sampled_from(["linear", "linear", "side", "merge"])
        kind = draw(kinds) if number > 1 else "linear"
        first = len(nodes) - 1 if kind != "side" else draw(st.integers(0, len(nodes) - 1))
        parents: tuple[int, ...] = (first,) if nodes else ()
        state = dict(nodes[first].state) if nodes else dict(CODE)
        if kind == "merge":
            second = draw(st.integers(0, len(nodes) - 2))
            parents = (first, second)
            for name in NAMES:
                if draw(st.booleans()):
                    state.pop(name, None)
                    state |= (
                        {name: nodes[second].state[name]} if name in nodes[second].state else {}
                    )
        for _ in range(draw(st.integers(0, 2))):
            change(draw, state, number, renames=renames)
        nodes.append(Node(parents, state, FIRST + times[number]))
    return nodes


def change(draw: st.DrawFn, state: State, number: int, *, renames: bool) -> None:
    name, other = draw(st.sampled_from(NAMES)), draw(st.sampled_from(NAMES))
    action = draw(
        st.sampled_from(
            ["move", "move", "edit", "remove"] if renames else ["edit", "edit", "remove"]
        )
    )
    if name not in state:
        state[name] = f"{number} {name} 0"  # no other file ever has this content
    elif action == "edit":
        state[name] = state[name][:-1] + str(draw(st.integers(0, 2)))  # often one it had before
    elif action == "remove":
        del state[name]
    elif other not in state:
        state[other] = state.pop(name)


def build(repo: Repo, nodes: list[Node]) -> None:
    """Write the commits in one go."""
    lines: list[str] = []
    for number, node in enumerate(nodes, 1):
        lines += [
            "commit refs/heads/main",
            f"mark :{number}",
            f"committer C <c@example.org> {node.when} +0000",
        ]
        lines += ["data 0"]
        lines += [
            f"{'merge' if at else 'from'} :{parent + 1}" for at, parent in enumerate(node.parents)
        ]
        lines += ["deleteall"]
        for name, content in node.state.items():
            lines += [f"M 644 inline {name}", f"data {len(content)}", content]
    command = ["git", "-c", "core.fsync=none", "fast-import", "--quiet", "--force"]
    environment = os.environ | ISOLATED
    subprocess.run(
        command, input="\n".join(lines), text=True, cwd=repo.path, env=environment, check=True
    )
    repo.git("reset", "--quiet")


def reference(nodes: list[Node], name: str) -> int | None:
    """Date a name by comparing states along the first parents, or give None where what was moved is
    a guess.
    """
    node = nodes[-1]
    while node.parents:
        parent = nodes[node.parents[0]]
        content = node.state[name]
        if name not in parent.state:
            gone = [
                old
                for old in parent.state.keys() - node.state.keys()
                if parent.state[old] == content
            ]
            new = [
                added
                for added in node.state.keys() - parent.state.keys()
                if node.state[added] == content
            ]
            if not gone:
                return node.when
            if len(gone) > 1 or len(new) > 1:
                return None
            name = gone[0]
        elif parent.state[name] != content:
            return node.when
        node = parent
    return node.when


# A repository is used again by the next example, which replaces all that its branch says.
QUICK = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))


def pages_of(nodes: list[Node]) -> list[str]:
    return [name for name in nodes[-1].state if name.startswith("docs/")]


def found(repo: Repo, pages: list[str], history: History) -> dict[str, int]:
    answers = history.dates([repo.file(name) for name in pages])
    return {
        name: said.when
        for name in pages
        if isinstance(said := answers[repo.file(name)], ContentChange)
    }


@QUICK
@given(nodes=histories(), others=st.sampled_from([[], ["code/0"]]))
def test_dates_are_those_of_comparing_every_state_with_its_first_parents(
    repo: Repo, nodes: list[Node], others: list[str]
) -> None:
    """Without files elsewhere, git is asked for the history of one directory only, which must not
    change a date.
    """
    build(repo, nodes)
    pages = [*pages_of(nodes), *others]
    expected = {name: when for name in pages if (when := reference(nodes, name)) is not None}
    dates = found(repo, pages, History())
    assert {name: when for name, when in dates.items() if name in expected} == expected


@settings(QUICK, max_examples=25)
@given(nodes=histories(), depth=st.integers(1, 6))
def test_a_shallow_clone_gives_the_same_dates_or_none(
    repo: Repo, nodes: list[Node], depth: int
) -> None:
    build(repo, nodes)
    with tempfile.TemporaryDirectory() as directory:
        clone = repo.clone(
            Path(directory) / "clone", f"--depth={depth}", "--no-checkout", "--template="
        )
        whole = found(repo, pages_of(nodes), History())
        shallow = found(clone, pages_of(nodes), History())
        assert shallow.items() <= whole.items()


NOW = datetime.fromtimestamp(START, UTC) + timedelta(days=10)


def published(repo: Repo, *names: str, **given: dict[str, str]) -> dict[str, str | None]:
    """Publish pages of some sources, with what else is given of some pages, and give the dates in
    the sitemaps.
    """
    pages = []
    for name in names:
        more: dict[str, Any] = given.get(name, {})
        pages.append(Page(url=BASE + name, sources=(repo.file(f"{name}.md"),), **more))
    directory = repo.path.parent / f"site-{repo.path.name}"
    publish(pages, Site(url=BASE, directory=str(directory)), now=NOW)
    return listed(directory)


def test_the_date_of_a_page_is_that_of_its_commit_or_none(repo: Repo) -> None:
    """Every file has the time of this test as its mtime, and no page has it as its date."""
    pages = dict.fromkeys(["still.md", "edited.md", "future.md", "reverted.md"], "a")
    repo.commit(1, {**pages})
    repo.commit(2, {"edited.md": "b", "reverted.md": "b"})
    repo.commit(3, {"reverted.md": "a", "other.txt": "b"})
    repo.commit(12, {"future.md": "b"})
    repo.put("untracked.md")
    names = ("still", "edited", "reverted", "future", "untracked")
    assert published(repo, *names) == {
        "still": "2020-09-14T12:26:40Z",
        "edited": "2020-09-15T12:26:40Z",
        "reverted": "2020-09-16T12:26:40Z",
        "future": None,
        "untracked": None,
    }
    entries = read_entries((repo.path.parent / "site-repo/sitemap_index.xml").read_bytes())
    assert [entry.lastmod for entry in entries] == ["2020-09-16T12:26:40Z"], (
        "the newest of its pages"
    )


def test_a_date_that_a_page_comes_with_counts_unless_it_is_in_the_future(repo: Repo) -> None:
    repo.commit(1, {"a.md": "a", "b.md": "a"})
    assert published(repo, "a", "b", a={"lastmod": "2019-01-02"}, b={"lastmod": "2999-01-01"}) == {
        "a": "2019-01-02",
        "b": "2020-09-14T12:26:40Z",
    }
    for name in "cd":  # which git never has, so that the day of publication counts
        repo.put(f"{name}.md")
    assert published(
        repo, "c", "d", c={"published": "2019-01-02"}, d={"published": "2999-01-01"}
    ) == {
        "c": "2019-01-02",
        "d": None,
    }


def test_a_day_of_publication_before_a_later_commit_of_the_page_counts_as_no_date(
    repo: Repo,
) -> None:
    """One of its files is new, so that git doesn't know when the page got its content."""
    repo.commit(1, {"shared.md": "a"})
    repo.put("new.md")
    both = (repo.file("new.md"), repo.file("shared.md"))
    pages = [
        Page(url=f"{BASE}{date}", sources=both, published=date)
        for date in ("2020-09-13", "2020-09-14", "2020-09-15")
    ]
    directory = repo.path.parent / "site"
    publish(pages, Site(url=BASE, directory=str(directory)), now=NOW)
    assert listed(directory) == {
        "2020-09-13": None,
        "2020-09-14": "2020-09-14",
        "2020-09-15": "2020-09-15",
    }


FILES = {f"/{number}": number for number in range(1, 9)}
"""The day of each file's last commit. Git does not have the files without a day."""
DRAWN = st.fixed_dictionaries(
    {
        "sources": (
            st.lists(st.sampled_from([*FILES, "/new"]), min_size=1, max_size=2, unique=True).map(
                tuple
            )
        ),
        "depends": st.lists(st.sampled_from([*FILES]), max_size=2, unique=True).map(tuple),
        "lists": (
            st.lists(st.integers(0, 2), max_size=3, unique=True).map(
                lambda numbers: tuple(f"{BASE}{number}" for number in numbers)
            )
        ),
        "unknown": st.sampled_from(
            [None, None, Unknown(NoDate.TEMPLATE), Unknown(NoDate.REMOTE, other="https://a")]
        ),
        "published": st.sampled_from([None, "2019-01-02"]),
    }
)


@given(drawn=st.lists(DRAWN, min_size=6, max_size=6))
def test_a_page_has_the_newest_date_of_all_that_it_shows_or_none(
    drawn: list[dict[str, Any]],
) -> None:
    """A page that shows something that git doesn't know, itself or on a page that it lists, has no
    date from git.

    The first three pages are those that the others list.
    """
    answers = {file: ContentChange(day(number), "c") for file, number in FILES.items()}
    for entry in drawn[:3]:
        entry["lists"] = ()
    pages = [Page(url=f"{BASE}{number}", **given) for number, given in enumerate(drawn)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os.path, "isfile", lambda path: path in FILES)
        dated = date_pages(
            pages, KnownHistory(answers), Site(url=BASE, directory="/site"), NOW
        ).pages
    dates = {page.url: page.lastmod for page in dated}
    for page in pages:
        files = {*page.sources, *page.depends}
        shown = [utc(answers[file].when) for file in files if file in answers]
        shown += [date for url in page.lists if (date := dates[url])]
        date = dates[page.url]
        if page.unknown:
            assert date is None
        elif date:
            assert date == max([*shown, *filter(None, [page.published])])
        if not page.lists and not page.unknown and files and files <= answers.keys():
            assert date == max(shown)
