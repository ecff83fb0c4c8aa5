"""Edit links are sources only if they lead to the repository of the site."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from smindex_plugins.projects import edit_links
from smindex_plugins.projects.edit_links import EditLinks, Repository
from smindex_plugins.projects.sources import SourcePatterns
from tests.support.command import PAGE, SITE
from tests.support.history import Repo
from tests.support.listed import listed
from tests.support.planted import write

NAMES = ("README.md", "docs/a.md", "docs/b.md", "docs/src/c.md", "src/d.md")
OURS = "https://github.com/us/docs"
THEIRS = "https://github.com/them/docs/edit/main/docs/b.md"
"""With such a link, no other repository can count in place of a remote."""
LINK = '<!doctype html><title>A</title><p>Text <a class="edit-link" href="{}">Edit</a>'


@pytest.fixture
def site(repo: Repo) -> Repo:
    """A repository of texts whose rendered pages git ignores."""
    repo.commit(1, {".gitignore": "out/\n", **dict.fromkeys(NAMES, "")})
    return repo


def sources(
    site: Repo, remotes: list[str], links: Mapping[str, str]
) -> tuple[dict[str, str], list[str]]:
    """Return the sources of pages with edit links, and what is said about the links that are not
    used.
    """
    for number, remote in enumerate(remotes):
        site.git("remote", "add", f"remote-{number}", remote)
    write(site / "out", {f"{page}.html": LINK.format(link) for page, link in links.items()})
    patterns = SourcePatterns(directory=str(site / "out"))
    found = {page: patterns.of(f"{page}.html") for page in links}
    said = [
        finding.problem for finding in patterns.unused_links([f"{page}.html" for page in links])
    ]
    shown = {
        page: str(Path(each).relative_to(site.path))
        for page, files in found.items()
        for each in files
    }
    return shown, said


@pytest.mark.parametrize(
    "remote",
    [
        "https://github.com/us/docs",
        "https://github.com/us/docs.git/",
        "https://name:to@ken@github.com/us/docs.git",
        "HTTPS://WWW.GitHub.com/Us/Docs.git",
        "git@github.com:us/docs.git",
        "github.com:/us/docs",
        "ssh://git@github.com:2222/us/docs.git",
        "git://github.com/us/docs.git",
    ],
)
def test_a_link_counts_if_host_owner_and_name_agree_with_a_remote_in_any_form(
    site: Repo, remote: str
) -> None:
    links = {
        "a": f"{OURS}/edit/main/docs/a.md",
        "b": "https://www.github.com/US/Docs/blob/main/docs/b.md",
    }
    found, said = sources(site, [remote], {**links, "other": THEIRS})
    assert found == {"a": "docs/a.md", "b": "docs/b.md"}
    assert (
        said[0].endswith("but the remote of this repository is github.com/us/docs.")
        or "/Us/Docs." in said[0]
    )
    assert "to@ken" not in said[0]


def test_a_link_to_another_owner_does_not_count_beside_one_that_does(site: Repo) -> None:
    links = {
        "a": f"{OURS}/edit/main/docs/a.md",
        "b": "https://github.com/them/docs/edit/main/docs/b.md",
        "c": "https://gitlab.com/us/docs/-/edit/main/docs/src/c.md",
    }
    here = "but the remote of this repository is github.com/us/docs."
    assert sources(site, ["git@github.com:us/docs.git"], links) == (
        {"a": "docs/a.md"},
        [
            f"the links of 1 of 3 pages lead to github.com/them/docs, {here}",
            f"the links of 1 of 3 pages lead to gitlab.com/us/docs, {here}",
        ],
    )


def test_each_remote_counts(site: Repo) -> None:
    links = {
        "a": f"{OURS}/edit/main/docs/a.md",
        "b": "https://codeberg.org/me/fork/_edit/main/docs/b.md",
    }
    remotes = ["git@codeberg.org:me/fork.git", "https://github.com/us/docs"]
    assert sources(site, remotes, links) == ({"a": "docs/a.md", "b": "docs/b.md"}, [])


@pytest.mark.parametrize(
    "remote", ["git@github.com:me/docs.git", "work:us/Docs", "https://git.example/mirrors/docs"]
)
def test_links_of_a_fork_or_mirror_count_if_all_lead_to_one_repository_of_the_same_name(
    site: Repo, remote: str
) -> None:
    links = {"a": f"{OURS}/edit/main/docs/a.md", "b": f"{OURS}/edit/main/docs/b.md"}
    assert sources(site, [remote], links) == ({"a": "docs/a.md", "b": "docs/b.md"}, [])


def test_links_to_two_other_repositories_of_the_same_name_do_not_count(site: Repo) -> None:
    links = {
        "a": f"{OURS}/edit/main/docs/a.md",
        "b": "https://github.com/them/docs/edit/main/docs/b.md",
    }
    found, said = sources(site, ["git@github.com:me/docs.git"], links)
    assert found == {}
    assert [re.findall(r"lead to (\S+),", each) for each in said] == [
        ["github.com/them/docs"],
        ["github.com/us/docs"],
    ]


def test_links_to_one_repository_of_another_name_do_not_count(site: Repo) -> None:
    links = {"a": f"{OURS}/edit/main/docs/a.md", "b": f"{OURS}/edit/main/docs/b.md", "none": SITE}
    found, said = sources(
        site, ["https://me:token@github.com/us/manual.git", "/srv/mirror.git"], links
    )
    assert found == {}
    remotes = "the remotes of this repository are github.com/us/manual, /srv/mirror.git"
    assert said == [f"the links of 2 of 3 pages lead to github.com/us/docs, but {remotes}."]


def test_without_a_remote_all_links_must_lead_to_one_repository(site: Repo) -> None:
    links = {"a": f"{OURS}/edit/main/docs/a.md", "b": f"{OURS}/blob/v1/docs/b.md"}
    assert sources(site, [], links) == ({"a": "docs/a.md", "b": "docs/b.md"}, [])
    found, said = sources(
        site, [], {**links, "c": "https://github.com/them/docs/edit/main/docs/src/c.md"}
    )
    assert found == {}
    where = "others lead elsewhere, and this repository has no remote that shows which are right"
    assert said == [
        f"the links of 2 of 3 pages lead to github.com/us/docs, {where}.",
        f"the links of 1 of 3 pages lead to github.com/them/docs, {where}.",
    ]


@pytest.mark.parametrize(
    ("remote", "expected"),
    [
        ("/srv/git/docs.git", ["docs/a.md"]),
        ("../Docs/", ["docs/a.md"]),
        ("/home/me/docs/.git", ["docs/a.md"]),
        ("file:///srv/docs.git", ["docs/a.md"]),
        (r"C:\git\docs", ["docs/a.md"]),
        ("..", ["docs/a.md"]),
        ("/srv/git/manual.git", []),
    ],
)
def test_the_name_of_a_local_remote_must_agree_if_it_has_one(
    site: Repo, remote: str, expected: list[str]
) -> None:
    found, said = sources(site, [remote], {"a": f"{OURS}/edit/main/docs/a.md"})
    assert [*found.values()] == expected
    assert len(said) == 1 - len(expected)


@pytest.mark.parametrize(
    ("link", "remote"),
    [
        ("https://github.com/o/n/edit/main/docs/a.md", "https://github.com/o/n"),
        ("https://github.com/o/n/blob/feature/x/docs/a.md", "https://github.com/o/n"),
        ("https://github.com/o/n/tree/main/docs/a.md", "https://github.com/o/n"),
        ("https://github.com/o/n/raw/main/docs/a.md", "https://github.com/o/n"),
        ("https://gitlab.com/g/sub/n/-/edit/main/docs/a.md", "git@gitlab.com:g/sub/n.git"),
        ("https://gitlab.com/g/src/tree/-/edit/main/docs/a.md", "git@gitlab.com:g/src/tree.git"),
        ("https://bitbucket.org/o/n/src/main/docs/a.md?mode=edit", "git@bitbucket.org:o/n.git"),
        ("https://codeberg.org/o/n/_edit/main/docs/a.md", "ssh://git@codeberg.org/o/n.git"),
        ("https://codeberg.org/o/n/src/branch/main/docs/a.md", "ssh://git@codeberg.org/o/n.git"),
        ("https://git.sr.ht/~o/n/tree/main/item/docs/a.md", "git@git.sr.ht:~o/n"),
        ("https://github.com/o/src/edit/main/docs/a.md", "https://github.com/o/src"),
        ("https://git.example/n.git/tree/src/tree/docs/a.md", "git://git.example/n.git"),
        ("https://github.com/o/n/commits/main/docs/a.md", "https://github.com/o/n"),
        ("https://github.com/o%2Fn/edit/main//docs/a%2Emd", "https://github.com/o/n"),
    ],
)
def test_the_repository_of_a_link_precedes_the_action_and_the_branch(
    site: Repo, link: str, remote: str
) -> None:
    assert sources(site, [remote], {"a": link, "other": THEIRS})[0] == {"a": "docs/a.md"}


@pytest.mark.parametrize(
    ("link", "repository"),
    [
        ("https://gitlab.com/g/sub/n/-/blob/main/docs/a.md", "gitlab.com/g/sub/n"),
        ("https://GitHub.com/Them/src/edit/main/docs/a.md", "github.com/Them/src"),
        (
            "https://git.example/projects/P/repos/r/browse/docs/a.md",
            "git.example/projects/P/repos/r",
        ),
        ("https://cms.example/edit/docs/a.md", "cms.example"),
        ("https://me:token@cms.example/docs/a.md", "cms.example"),
    ],
)
def test_what_is_said_names_the_repository_as_in_the_link(
    site: Repo, link: str, repository: str
) -> None:
    said = sources(site, ["git@github.com:us/docs.git"], {"a": link})[1]
    assert said == [
        (
            f"the links of 1 of 1 page lead to {repository}, but the remote of this repository is"
            " github.com/us/docs."
        )
    ]


def test_a_name_without_a_directory_counts_only_directly_after_the_branch(site: Repo) -> None:
    links = {
        "right": f"{OURS}/edit/main/README.md",
        "below": f"{OURS}/edit/main/other/README.md",
        "after": f"{OURS}/edit/main/src/other/README.md",
        "alone": f"{OURS}/README.md",
        "broken": "https://[github.com/us/docs/edit/main/docs/a.md",
    }
    assert sources(site, [OURS], links) == ({"right": "README.md"}, [])


def test_a_link_after_a_dash_leads_to_a_name_directly_after_the_branch(site: Repo) -> None:
    links = {"a": "https://gitlab.com/us/docs/-/edit/main/README.md"}
    assert sources(site, ["git@gitlab.com:us/docs.git"], links) == ({"a": "README.md"}, [])


def test_a_link_to_a_file_that_git_does_not_track_decides_nothing(site: Repo) -> None:
    links = {
        "a": f"{OURS}/edit/main/docs/a.md",
        "made": "https://github.com/them/theme/edit/main/made.md",
    }
    assert sources(site, [], links) == ({"a": "docs/a.md"}, [])


def test_of_two_links_of_a_page_the_one_to_our_repository_counts(site: Repo) -> None:
    both = (
        f'{OURS}/edit/main/docs/a.md">Edit</a><a class="edit-link"'
        ' href="https://github.com/t/t/edit/main/docs/b.md'
    )
    assert sources(site, [OURS], {"a": both}) == ({"a": "docs/a.md"}, [])


def test_each_page_is_read_once_and_only_if_no_pattern_finds_its_source(
    site: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def reading(path: str, _: int) -> bytes:
        read.append(Path(path).stem)
        return LINK.format(
            f"https://github.com/them/docs/edit/main/docs/{Path(path).stem}.md"
        ).encode()

    monkeypatch.setattr(edit_links, "read", reading)
    write(site / "out", {"a.html": PAGE, "b.html": PAGE, "d.html": PAGE})
    site.git("remote", "add", "origin", "https://github.com/us/manual")
    patterns = SourcePatterns(
        directory=str(site / "out"), patterns=(str(site / "src/{path}.md"),), given_by="--sources"
    )
    (finding,) = patterns.unused_links(["b.html", "d.html"])
    assert finding.problem.startswith("the links of 1 of 2 pages lead to github.com/them/docs, ")
    assert patterns.of("d.html") == (str(site / "src/d.md"),)
    assert sorted(read) == ["a", "b"]


def test_links_are_not_read_without_a_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert EditLinks("out").sources(["missing.html"]) == {}


def test_the_name_of_a_repository_can_start_with_a_dot() -> None:
    assert Repository.of_remote("/srv/.github").name == ".github"


def test_a_build_gives_no_date_of_another_repository_and_says_so(
    site: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(site.path)
    site.git("remote", "add", "origin", "git@github.com:us/docs.git")
    theirs = LINK.format(THEIRS)
    write(site / "out", {"a.html": LINK.format(f"{OURS}/edit/main/docs/a.md"), "b.html": theirs})
    write(site / "out", {"404.html": theirs})
    assert main(["build", "out", "--site-url", SITE, "-v"]) == 0
    out = capsys.readouterr().out
    assert listed(site / "out", SITE) == {"a.html": "2020-09-14T12:26:40Z", "b.html": None}
    assert "notice: edit links lead to another repository (foreign-edit-links)" in out
    assert (
        "edit links: the links of 1 of 2 pages lead to github.com/them/docs, but the remote of this"
        in out
    )
    assert (
        "Correct the edit URL in the settings of the generator, or set the location of the sources"
        in out
    )
