"""Real builds with ProperDocs, the fork of MkDocs that loads its plugins."""

from tests.support.project import BASE, FIRST, SECOND, SMALL, Project


def test_it_writes_the_same_files_as_mkdocs(project: Project) -> None:
    project.small("search", "sitemap-index")
    mkdocs, properdocs = project.build(), project.build("--strict", host="properdocs", site="other")
    assert properdocs.code == 0, properdocs.log
    assert properdocs.pages == SMALL
    assert properdocs.index == {f"{BASE}sitemap-root.xml": FIRST, f"{BASE}guide/sitemap.xml": SECOND}
    assert properdocs.ours == mkdocs.ours
    assert properdocs.flat == mkdocs.flat


def test_its_own_configuration_file_is_read(project: Project) -> None:
    project.small()
    (project.root / "mkdocs.yml").rename(project.root / "properdocs.yml")
    built = project.build("--strict", host="properdocs")
    assert built.code == 0, built.log
    assert built.pages == SMALL


def test_its_strict_mode_fails_on_what_is_a_warning_outside_it(project: Project) -> None:
    project.small(site_url="")
    assert project.build(host="properdocs").code == 0
    built = project.build("--strict", host="properdocs")
    assert built.code == 1
    assert "site_url: https://example.org/" in built.log
