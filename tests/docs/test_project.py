"""What a release needs, and what CONTRIBUTING.md names."""

import re
import tomllib
from pathlib import Path

import pytest

from smindex_plugins import __version__
from tests.release import main, pages, unready

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def test_the_newest_changes_are_those_of_the_version() -> None:
    newest = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)[0]
    assert re.fullmatch(rf"{re.escape(__version__)}( \(unreleased\)| - \d{{4}}-\d\d-\d\d)", newest)


def test_every_file_and_extra_that_contributing_names_is_there() -> None:
    code = re.findall(r"`([\w./]+\.py|[\w.]+/[\w./]*)`", CONTRIBUTING)
    assert len(code) > 20
    places = (ROOT, ROOT / "smindex_plugins")
    assert [path for path in code if not any((place / path).exists() for place in places)] == []
    extras = {
        extra
        for listed in re.findall(r"\.\[([\w,]+)\]", CONTRIBUTING)
        for extra in listed.split(",")
    }
    assert extras <= PROJECT["optional-dependencies"].keys()


def test_contributing_names_every_variable_that_writes_files() -> None:
    texts = [path.read_text("utf-8") for path in (ROOT / "tests").rglob("*.py")]
    assert {name for text in texts for name in re.findall(r"UPDATE_[A-Z]+", text)} <= set(
        re.findall(r"UPDATE_[A-Z]+", CONTRIBUTING)
    )


@pytest.mark.parametrize(
    ("tag", "heading", "repository", "page", "problems"),
    [
        ("v1.2.3", "1.2.3 - 2026-01-31", "https://code.example/a/b", "smindex-plugins", []),
        ("v1.2.4", "1.2.3 (unreleased)", "", "a", ["'v1.2.4'", "## 1.2.3 - ", "REPOSITORY"]),
        (
            "v1.2.3",
            "1.2.3 - 2026-01-31",
            "https://code.example/a/b",
            "smindex-plugins @ git+URL",
            ["README.md shows how to install what is not released"],
        ),
    ],
)
def test_a_release_is_refused_with_all_that_is_still_to_do(
    *, tmp_path: Path, tag: str, heading: str, repository: str, page: str, problems: list[str]
) -> None:
    (tmp_path / "smindex_plugins/base").mkdir(parents=True)
    (tmp_path / "smindex_plugins/__init__.py").write_text(
        '__version__ = "1.2.3"\n', encoding="utf-8"
    )
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n## {heading}\n", encoding="utf-8")
    (tmp_path / "smindex_plugins/base/release.py").write_text(
        f'REPOSITORY = "{repository}"\n', encoding="utf-8"
    )
    (tmp_path / "README.md").write_text(page, encoding="utf-8")
    found = list(unready(tag, tmp_path))
    assert len(found) == len(problems)
    assert all(word in problem for word, problem in zip(problems, found, strict=True))
    assert main([]) == 2


def test_the_recipes_use_the_versions_of_actions_that_our_own_workflows_use() -> None:
    workflows = [path.read_text("utf-8") for path in (ROOT / ".github/workflows").glob("*.yml")]
    ours = dict(re.findall(r"uses: (\S+)@\S+ # v(\d+)", "\n".join(workflows)))
    texts = [path.read_text("utf-8") for path in pages()]
    shown = re.findall(r"uses: (actions/\S+)@v(\d+)", "\n".join(texts))
    assert len(shown) > 5
    assert [(name, version) for name, version in shown if ours.get(name, version) != version] == []


def test_the_manual_names_the_tested_versions_of_python_and_the_sessions_that_ci_omits() -> None:
    status = (ROOT / "sample_sites/mkdocs/docs/about/status.md").read_text("utf-8")
    versions = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert f"| Python | {', '.join(versions[:-1])} and {versions[-1]} |" in status
    nox = (ROOT / "noxfile.py").read_text("utf-8")
    omitted = set(re.findall(r"^@nox\.session\ndef (\w+)", nox, re.MULTILINE)) - {"lint"}
    assert set(re.findall(r"`nox -s ([a-z]+)`", status)) == omitted
