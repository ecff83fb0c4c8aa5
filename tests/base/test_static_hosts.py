"""What static hosts answer for the URLs of a page, and how the files of a project show its host."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from smindex_plugins.base.hosting import read_serving
from smindex_plugins.base.serving import Served, Serving
from tests.support.planted import write

SITE = "https://e.org/"
PAGES = {"index.html": "", "file.html": "", "folder/index.html": "", "a.pdf": ""}
URLS = ("file", "file/", "file.html", "folder", "folder/", "folder/index.html")


def serving(root: Path, files: Mapping[str, str | bytes], address: str = SITE) -> Serving:
    """Write a repository whose output is `site`, and return how its host answers."""
    write(root, {".git/HEAD": "", **{f"site/{name}": "" for name in PAGES}, **files})
    return read_serving(str(root / "site"), address)


def words(answer: Served, address: str) -> str:
    """Return an answer as in a table: yes, no, a question mark, or the target."""
    if answer.is_redirect:
        return answer.to.removeprefix(address)
    if answer.is_missing:
        return "no"
    return "?" if answer.status is None else "yes"


def vercel(**settings: bool) -> dict[str, str]:
    options = ", ".join(f'"{name}": {str(value).lower()}' for name, value in settings.items())
    return {"vercel.json": f"{{{options}}}"}


def workers(handling: str) -> dict[str, str]:
    return {
        "wrangler.jsonc": (
            f'{{"assets": {{"html_handling": "{handling}", /* as it was */ }}, // slashes\n}}'
        )
    }


def firebase(options: str) -> dict[str, str]:
    return {"firebase.json": f'{{"hosting": {{"public": "site"{options}}}}}'}


PRETTY_OFF = {"netlify.toml": "[build.processing.html]\npretty_urls = false\n"}


@pytest.mark.parametrize(
    ("files", "answers"),
    [
        ({"site/CNAME": "e.org\n"}, "yes no yes folder/ yes yes"),
        ({".gitlab-ci.yml": "pages:\n  script: build\n"}, "yes ? yes folder/ yes yes"),
        ({"netlify.toml": ""}, "yes file yes folder/ yes yes"),
        (PRETTY_OFF, "yes yes yes yes yes yes"),
        (vercel(), "no no yes yes yes yes"),
        (vercel(trailingSlash=False), "no no yes yes folder yes"),
        (vercel(trailingSlash=True), "no no yes folder/ yes yes"),
        (vercel(cleanUrls=True), "? ? yes ? yes yes"),
        (vercel(cleanUrls=True, trailingSlash=False), "yes file file yes folder folder"),
        (vercel(cleanUrls=True, trailingSlash=True), "file/ yes file/ folder/ yes folder/"),
        (
            {"wrangler.toml": 'pages_build_output_dir = "site"\n'},
            "yes file file folder/ yes folder/",
        ),
        (workers("auto-trailing-slash"), "yes file file folder/ yes folder/"),
        (workers("force-trailing-slash"), "file/ yes file/ folder/ yes folder/"),
        (workers("drop-trailing-slash"), "yes file file yes folder folder"),
        (workers("none"), "no no yes ? yes yes"),
        (firebase(""), "no no yes folder/ yes yes"),
        (
            firebase(', "cleanUrls": true, "trailingSlash": false'),
            "yes file file yes folder folder",
        ),
        ({"site/staticwebapp.config.json": "{}"}, "yes no yes yes yes yes"),
        ({"render.yaml": ""}, "yes yes yes yes yes yes"),
        ({".readthedocs.yaml": ""}, "? ? yes ? yes yes"),
        ({"site/_redirects": "/x /file\n"}, "yes ? yes folder/ yes yes"),
        ({}, "? ? yes ? yes yes"),
    ],
)
def test_each_host_has_its_own_answers(tmp_path: Path, files: dict[str, str], answers: str) -> None:
    host = serving(tmp_path, files)
    assert " ".join(words(host.answer(SITE + url), SITE) for url in URLS) == answers
    assert [words(host.answer(SITE + url), SITE) for url in ("", "a.pdf", "gone", "gone/")] == [
        "yes",
        "yes",
        "no",
        "no",
    ]
    as_index = {"folder/": "", "folder": ""}.get(answers.rsplit(maxsplit=1)[-1], "yes")
    assert words(host.answer(f"{SITE}index.html"), SITE) == as_index


@pytest.mark.parametrize(
    ("address", "folder"),
    [
        ("https://u.github.io/p/", "folder/"),
        ("https://g.gitlab.io/p/", "folder/"),
        ("https://n.netlify.app/", "folder/"),
        ("https://p.pages.dev/", "folder/"),
        ("https://v.vercel.app/", "yes"),
        ("https://r.onrender.com/", "yes"),
        ("https://github.io.e.org/", "?"),
    ],
)
def test_the_address_can_belong_to_a_host(tmp_path: Path, address: str, folder: str) -> None:
    assert words(serving(tmp_path, {}, address).answer(f"{address}folder"), address) == folder


@pytest.mark.parametrize(
    ("files", "address", "name"),
    [
        ({"netlify.toml": ""}, "https://u.github.io/", "GitHub Pages"),
        ({"site/CNAME": "e.org", "netlify.toml": ""}, SITE, "GitHub Pages"),
        ({"CNAME": "e.org"}, SITE, "GitHub Pages"),
        ({".github/workflows/docs.yml": "uses: actions/deploy-pages@v4"}, SITE, "GitHub Pages"),
        ({".github/workflows/test.yml": "uses: actions/checkout@v4"}, SITE, None),
        ({"netlify.toml": "", "vercel.json": "{}"}, SITE, "Netlify or Vercel"),
        ({".github/workflows/a.yml": "# not actions/deploy-pages@v4\n"}, SITE, None),
        ({"netlify.toml": '[build]\nbase = "app"\npublish = "dist"\n'}, SITE, None),
        ({"firebase.json": '{"hosting": {"public": "app/dist"}}'}, SITE, None),
        ({"wrangler.toml": '[assets]\ndirectory = "./app"\n'}, SITE, None),
        ({"vercel.json": '{"outputDirectory": "site"}'}, SITE, "Vercel"),
        ({"wrangler.toml": 'main = "worker.js"\n'}, SITE, None),
        ({"firebase.json": '{"firestore": {}}'}, SITE, None),
        ({"vercel.json": "{"}, SITE, "Vercel"),
        ({"site/_redirects": "", "vercel.json": "{}"}, SITE, "Vercel"),
    ],
)
def test_the_nearest_evidence_decides_and_settings_of_another_output_do_not_count(
    tmp_path: Path, files: dict[str, str], address: str, name: str | None
) -> None:
    host = serving(tmp_path, files, address).host
    assert (host.name if host else None) == name


def test_settings_above_the_repository_are_those_of_another_project(tmp_path: Path) -> None:
    write(tmp_path, {"netlify.toml": ""})
    write(tmp_path / "repo/docs", {"site/index.html": ""})
    write(tmp_path / "repo", {".git/HEAD": ""})
    assert read_serving(str(tmp_path / "repo/docs/site"), SITE).host is None
    write(tmp_path / "repo", {"netlify.toml": '[[redirects]]\nfrom = "/old"\nto = "/new"\n'})
    found = read_serving(str(tmp_path / "repo/docs/site"), SITE)
    assert found.answer(f"{SITE}old").to == f"{SITE}new"


def test_github_pages_may_skip_directories_with_an_underscore(tmp_path: Path) -> None:
    files = {"site/CNAME": "e.org", "site/_modules/a.html": ""}
    assert serving(tmp_path, files).answer(f"{SITE}_modules/a.html").status is None
    assert (
        serving(tmp_path, {**files, "site/.nojekyll": ""}).answer(f"{SITE}_modules/a.html").status
        == 200
    )


def test_a_host_reads_only_its_own_files(tmp_path: Path) -> None:
    found = serving(tmp_path, {"site/_redirects": "/old /new\n"}, "https://u.github.io/")
    assert found.answer("https://u.github.io/old").is_missing
    assert [each.problem for each in found.unread] == [
        "GitHub Pages, which serves u.github.io, does not read this file."
    ]


@pytest.mark.parametrize(
    ("project", "target"), [("wrangler.toml", "new/file"), ("netlify.toml", "")]
)
def test_on_cloudflare_a_rule_comes_before_a_file(
    tmp_path: Path, project: str, target: str
) -> None:
    files = {"site/_redirects": "/* /new/:splat\n", project: "[assets]\n"}
    assert serving(tmp_path, files).answer(f"{SITE}file").to == (SITE + target if target else "")


def test_firebase_reads_globs(tmp_path: Path) -> None:
    rules = (
        '{"source": "/blog/:post*", "destination": "/b/:post", "type": 301}, {"source": "/x/**",'
        ' "destination": "/y"}'
    )
    found = serving(tmp_path, {"firebase.json": f'{{"hosting": {{"redirects": [{rules}]}}}}'})
    assert [found.answer(SITE + url).to for url in ("blog/a/b", "x/y/z")] == [
        f"{SITE}b/a/b",
        f"{SITE}y",
    ]


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("netlify.toml", '[[headers]]\nfor = "/a/*"\n[headers.values]\nX-Robots-Tag = "noindex"\n'),
        (
            "vercel.json",
            (
                '{"headers": [{"source": "/a/(.*)", "headers": [{"key": "x-robots-tag", "value":'
                ' "noindex"}]}]}'
            ),
        ),
        (
            "firebase.json",
            (
                '{"hosting": {"headers": [{"source": "/a/**", "headers": [{"key": "X-Robots-Tag",'
                ' "value": "noindex"}]}]}}'
            ),
        ),
    ],
)
def test_headers_count_in_the_settings_of_a_host_too(tmp_path: Path, file: str, text: str) -> None:
    found = serving(tmp_path, {file: text})
    assert (found.robots(f"{SITE}a/b"), found.robots(f"{SITE}b")) == ({"noindex": file}, {})


def test_of_two_hosts_only_what_both_answer_is_known(tmp_path: Path) -> None:
    found = serving(tmp_path, {"netlify.toml": "", "wrangler.toml": "[assets]\n"})
    answers = [words(found.answer(SITE + url), SITE) for url in URLS]
    assert answers == ["yes", "file", "yes", "folder/", "yes", "yes"]
    assert found.answer(f"{SITE}file.html").status == 200  # which only Cloudflare would redirect


@pytest.mark.parametrize(
    "project", ["next.config.mjs", "svelte.config.js", ".vercel/output/config.json"]
)
def test_vercel_serves_files_of_some_frameworks_at_other_urls(tmp_path: Path, project: str) -> None:
    found = serving(tmp_path, {"vercel.json": "{}", project: ""})
    assert " ".join(words(found.answer(SITE + url), SITE) for url in URLS) == "? ? yes yes yes yes"


def test_of_several_sites_of_firebase_the_one_with_this_output_counts(tmp_path: Path) -> None:
    rule = '"redirects": [{"source": "/old", "destination": "/file", "type": 301}]'
    sites = (
        '{"target": "a", "public": "app"}, {"target": "b", "public": "site", "trailingSlash":'
        f" false, {rule}}}"
    )
    found = serving(tmp_path, {"firebase.json": f'{{"hosting": [{sites}]}}'})
    assert [words(found.answer(SITE + url), SITE) for url in ("old", "folder/")] == [
        "file",
        "folder",
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        *(
            (text, "it contains a list or a single value instead of settings.")
            for text in ("[]", "null", '"x"')
        ),
        ('{"redirects": {}}', "`redirects` is not a list."),
        (
            '{"redirects": [1]}',
            "entry 1 of `redirects` has a missing value, or one of another type.",
        ),
    ],
)
def test_settings_with_another_structure_have_a_plain_reason(
    tmp_path: Path, text: str, reason: str
) -> None:
    assert [each.problem for each in serving(tmp_path, {"vercel.json": text}).unread] == [reason]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("netlify.toml", '[build]\npublish = "\\u0000"\n'),
        ("netlify.toml", '[build]\nbase = [1]\npublish = "a"\n'),
        ("wrangler.json", '{"assets": {"directory": "\\ud800"}}'),
        ("wrangler.json", '{"assets": {"html_handling": [1]}}'),
        ("wrangler.json", '{"assets": ["site"], "pages_build_output_dir": 5}'),
        ("wrangler.jsonc", '"\\' * 100_000),
        ("wrangler.jsonc", "/*" * 100_000),
        ("wrangler.jsonc", '{"assets": ' * 100_000),
        ("wrangler.toml", "a = " + "9" * 5_000),
        ("firebase.json", '{"hosting": [{"public": "\\u0000"}, {"public": "a"}]}'),
        ("firebase.json", '{"hosting": [null, [], {"public": 5}]}'),
        (".github/workflows/a.yml", b"\xff\x00- uses: actions/deploy-pages@v4"),
        (".gitlab-ci.yml", b"\xff\xfe"),
        ("site/CNAME", b"\xff\n"),
        ("site/CNAME", "e.org\0\n" * 9_999),
    ],
)
def test_odd_settings_of_a_host_stop_nothing(tmp_path: Path, name: str, text: str | bytes) -> None:
    found = serving(tmp_path, {name: text})
    assert found.answer(f"{SITE}file.html").file == "file.html"
