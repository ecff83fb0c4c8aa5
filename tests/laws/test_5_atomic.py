"""Law 5, atomic: files are written to a temporary name and moved into place, the index last.

The index never lists a file that does not exist. A run that fails before the first move leaves
everything as it was. And the next run repairs what the failed one left. Two things go wrong here:
the system fails at each call that changes the disk, one after the other, and the process is killed
at each of them. The writers are a build, a run over a table, and a join.

No command replaces a file that it did not write: it is refused, or lines are added to it.
"""

import builtins
import errno
import os
import subprocess
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from smindex_plugins import Page
from smindex_plugins.cli.main import main
from tests.support.listed import files_in, publish, read_entries, read_pages

SITE = "https://e.org/"
PAIR, PAIRS = ("a/1", "a/2"), ("a/1", "a/2", "b/1", "b/2")
Change = tuple[Collection[str], Collection[str], dict[str, object]]
BUILDS: dict[str, Change] = {
    "a first build": ((), PAIRS, {}),
    "a page more": (PAIR, (*PAIR, "a/3"), {}),
    "a section is gone": (PAIRS, ("b/1", "b/2"), {}),
    "to gzip": (PAIR, PAIR, {"gzip": True}),
    "no pages": (PAIRS, (), {}),
    "an index renamed": (PAIR, ("c/1", "c/2"), {"index_filename": "i.xml"}),
    "more indexes": ("abc", "abd", {"max_urls": 1}),
    "robots.txt": ("a", "b", {"robots_txt": "write"}),
}
"""What a build has to change: the pages before, and the pages after, with options."""


def pages(paths: Iterable[str]) -> list[Page]:
    return [Page(url=SITE + path, lastmod="2026-01-01") for path in paths]


def assert_true(directory: Path) -> None:
    """Whether each index lists only files that are there, and every file with a final name is
    whole.
    """
    for path, content in files_in(directory).items():
        if path.endswith(".xml") and b"<sitemapindex" in content:
            for entry in read_entries(content):
                below = entry.url.removeprefix("https://e.org/").removeprefix("docs/")
                assert (directory / below).is_file(), f"{path} lists {below}"
        elif path.endswith(".xml"):
            read_pages(content)


builtins_open = builtins.open


class Fault:
    """Lets the system fail at the n-th call that changes the disk."""

    def __init__(self, at: int) -> None:
        self.at, self.calls, self.moved = at, 0, False

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def guarded(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401 - whatever the function takes
            if function is builtins_open and arguments[1:2] == ("rb",):
                return function(*arguments, **options)
            self.calls += 1
            if self.calls == self.at:
                raise OSError(errno.ENOSPC, "No space left on device")
            result = function(*arguments, **options)
            self.moved |= function.__name__ == "replace"
            return result

        return guarded


@contextmanager
def failing(at: int) -> Iterator[Fault]:
    fault = Fault(at)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("replace", "remove", "mkdir"):
            patch.setattr(os, name, fault.around(getattr(os, name)))
        patch.setattr(builtins, "open", fault.around(builtins.open))
        yield fault


@pytest.mark.parametrize("change", BUILDS)
def test_a_failure_at_any_call_leaves_every_index_true_and_the_next_build_repairs_it(
    tmp_path: Path, change: str
) -> None:
    before, after, options = BUILDS[change]

    def build(directory: Path) -> list[str]:
        return [each.check for each in publish(directory, pages(after), SITE, **options).findings]

    build(tmp_path / "fresh")
    for at in range(1, 100):
        directory = tmp_path / str(at)
        publish(directory, pages(before), SITE)
        kept = files_in(directory)
        with failing(at) as fault:
            found = build(directory)
        assert_true(directory)
        if fault.calls < at:
            break
        if "cannot-write" in found:
            assert fault.moved or files_in(directory) == kept
        build(directory)
        assert files_in(directory) == files_in(tmp_path / "fresh")
    else:
        pytest.fail("the build never ended")
    assert at > 3 or not after


KILLED = """
import builtins, os, signal, sys
from smindex_plugins import Page, Settings, Site, join, publish
from smindex_plugins.tables import Bounds, write_sitemaps

writer, top, step = sys.argv[1], sys.argv[2], int(sys.argv[3])
base, calls = "https://e.org/docs/", 0


def write(directory, version):
    sections = range(6) if version == "old" else range(3, 9)
    names = [f"section-{section}/{version}-{page}" for section in sections for page in "ab"]
    settings = Settings(max_urls=2 if version == "old" else 20)  # so that there are several indexes, and then one
    if writer == "build":
        pages = [Page(url=base + name, lastmod="2026-01-01") for name in names]
        publish(pages, Site(url=base, directory=directory, settings=settings))
    elif writer == "table":
        import pyarrow as pa

        write_sitemaps(
            pa.table({"url": [base + name for name in names]}), site_url=base, out=directory,
            settings=settings, bounds=Bounds(memory="100MB", threads=1, temp=top + "/temp"),
        )
    else:
        for name in names[:4]:
            below = f"{directory}/{name}"
            os.makedirs(below, exist_ok=True)
            publish([Page(url=f"{base}{name}/")], Site(url=f"{base}{name}/", directory=below))
        if at:
            kill_at(at)
        join(directory, site_url=base)


def kill_at(at):
    def killing(function):
        def counted(*arguments, **options):
            global calls
            calls += arguments[1:2] != ("rb",)
            if calls == at:
                os.kill(os.getpid(), signal.SIGKILL)
            return function(*arguments, **options)
        return counted

    for module, name in ((os, "replace"), (os, "remove"), (os, "mkdir"), (builtins, "open")):
        setattr(module, name, killing(getattr(module, name)))


at = 0
for number in range(1, 200):
    directory = f"{top}/{number}"
    write(directory, "old")
    child = os.fork()
    if not child:
        at = 1 + (number - 1) * step
        if writer != "join":
            kill_at(at)
        write(directory, "new")
        os._exit(0)
    if os.waitpid(child, 0)[1] != signal.SIGKILL:
        break
at = 0
for version in ("old", "new"):
    write(f"{top}/fresh", version)
for each in range(1, number + 1):
    print(each, flush=True)  # whoever reads this looks at the directory, then lets the next run repair it
    sys.stdin.readline()
    write(f"{top}/{each}", "new")
print("end", flush=True)
"""


@pytest.mark.parametrize(("writer", "step"), [("build", 1), ("table", 4), ("join", 1)])
def test_killed_at_any_call_a_writer_leaves_every_index_true_and_the_next_run_repairs_it(
    tmp_path: Path, writer: str, step: int
) -> None:
    command = [sys.executable, "-W", "ignore", "-c", KILLED, writer, str(tmp_path), str(step)]
    killed = 0
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin
        assert process.stdout
        for line in process.stdout:
            if line == "end\n":
                break
            assert_true(tmp_path / line.strip())
            process.stdin.write("\n")
            process.stdin.flush()
            killed += 1
    assert process.returncode == 0
    assert killed > 5
    fresh = files_in(tmp_path / "fresh")
    for number in range(1, killed + 1):
        found = files_in(tmp_path / str(number))
        if writer == "table":  # a file that a killed run put, and no index lists, stays
            found = {path: content for path, content in found.items() if path in fresh}
        assert found == fresh


STARVED = """
import resource, signal, sys
from smindex_plugins import Page, Site, publish

pages = [Page(url=f"https://e.org/{section}/{page}") for section in "abcd" for page in "12"]
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # the write fails instead, as on a full disk
resource.setrlimit(resource.RLIMIT_FSIZE, (250, 250))
print(*publish(pages, Site(url="https://e.org/", directory=sys.argv[1])).findings, sep="\\n")
"""


def test_a_full_disk_leaves_the_earlier_files_and_is_named(tmp_path: Path) -> None:
    publish(tmp_path, pages(f"{section}/{page}" for section in "abc" for page in "12"), SITE)
    before = files_in(tmp_path)
    command = [sys.executable, "-B", "-c", STARVED, str(tmp_path)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "sitemap_index.xml: it can't be written: File too large. " in printed
    assert "[cannot-write]" in printed
    assert files_in(tmp_path) == before


OUTPUTS = {
    "comment.md": "diff site site -q -o comment.md",
    "changes.json": "diff site site -q -o changes.json",
    "report.html": "report site -o report.html",
    "report.md": "report site -o report.md",
    "report.json": "report site -o report.json",
    "_redirects": "diff site site -q --redirects _redirects",
    "wrong.csv": "pages pages.csv --site-url https://e.org/ --out public --rejected wrong.csv -q",
    "wrong.jsonl": (
        "pages pages.csv --site-url https://e.org/ --out public --rejected wrong.jsonl -q"
    ),
    "wrong.parquet": (
        "pages pages.csv --site-url https://e.org/ --out public --rejected wrong.parquet -q"
    ),
    "public/sitemap_index.xml": "pages pages.csv --site-url https://e.org/ --out public -q",
    "public/sitemap-root.xml": "pages pages.csv --site-url https://e.org/ --out public -q",
    "site/sitemap_index.xml": "build site --site-url https://e.org/ -q",
    "site/a/sitemap.xml": "build site --site-url https://e.org/ -q",
    "site/robots.txt": "build site --site-url https://e.org/ -q --set robots_txt=write",
    "joined/sitemap_index.xml": "join joined --site-url https://e.org/ -q",
}
"""An option or a command that writes to each path."""
WORK = st.one_of(
    st.binary(min_size=1, max_size=50),
    st.sampled_from(
        [
            b"<urlset/>",
            b"fault,url\n",
            b"{}\n",
            b"User-agent: *\r\nDisallow:",
            b"/a /b 301",
            b"# Notes\n",
            b"\n",
        ]
    ),
)


@pytest.mark.parametrize("path", OUTPUTS)
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(work=WORK)
def test_no_command_replaces_a_file_that_it_did_not_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, work: bytes
) -> None:
    monkeypatch.chdir(tmp_path)
    for directory in ("site/a", "joined/b", "public"):
        os.makedirs(directory, exist_ok=True)
    for page in ("index", "a/index", "a/2"):
        Path(f"site/{page}.html").write_text("<title>A</title>")
    Path("pages.csv").write_text(f"url\n{SITE}a\nnone\n")
    publish(tmp_path / "joined/b", pages(["b/1"]), f"{SITE}b/")
    publish(tmp_path / "site", pages(["a/"]), SITE)
    Path(path).write_bytes(work)
    code = main(OUTPUTS[path].split())
    after = Path(path).read_bytes()
    if path.endswith("robots.txt"):
        assert after.startswith(work)
    else:
        assert after == work
        assert code or path == "_redirects"
