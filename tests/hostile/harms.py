"""What can be done to a repository: strange, endless or malicious files, settings, objects and histories."""

import contextlib
import os
import subprocess
import zlib
from collections.abc import Callable, Iterator
from hashlib import sha1
from random import Random

from tests.support import traps
from tests.support.command import PAGE
from tests.support.gitrepo import ISOLATED, Repo, day

ZEROS = "/dev/zero"
_HUGE = 1 << 20

Harm = Callable[[Repo, Random], object]


def setting(*lines: str) -> Harm:
    """Return what adds settings."""

    def harm(repo: Repo, _: Random) -> None:
        with (repo / ".git/config").open("a") as file:
            file.write("\n".join(lines).replace("{git}", str(repo / ".git")) + "\n")

    return harm


def file(name: str, content: str | bytes) -> Harm:
    """Return what writes a file."""

    def harm(repo: Repo, _: Random) -> None:
        path = repo / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        said = content.encode() if isinstance(content, str) else content
        path.write_bytes(said.replace(b"{head}", repo.git("rev-parse", "HEAD", check=False).encode()))

    return harm


def no_file(name: str, kind: str) -> Harm:
    """Return what puts a pipe, or a link, in the place of a file."""

    def harm(repo: Repo, _: Random) -> None:
        path = repo / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        os.mkfifo(path) if kind == "pipe" else path.symlink_to(kind)

    return harm


def put(repo: Repo, kind: str, content: bytes) -> str:
    """Write an object that git itself would not write, and return its name."""
    whole = f"{kind} {len(content)}".encode() + b"\0" + content
    name = sha1(whole, usedforsecurity=False).hexdigest()
    path = repo / ".git/objects" / name[:2] / name[2:]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(zlib.compress(whole, 1))
    return name


def commit(head: str = "", people: str = "", message: str = "a\n") -> Harm:
    """Return what makes a strange commit the newest one; `{tree}`, `{parent}` and `{zeros}` stand for objects."""

    def harm(repo: Repo, _: Random) -> None:
        tree, parent = repo.git("rev-parse", "HEAD^{tree}"), repo.git("rev-parse", "HEAD")
        said = (head or "tree {tree}\nparent {parent}\n") + (people or _by("{when} +0000"))
        known = {"tree": tree, "parent": parent, "zeros": "0" * 40, "when": str(day(7))}
        name = put(repo, "commit", f"{said.format(**known)}\n{message}".encode("utf-8", "surrogateescape"))
        (repo / ".git/refs/heads/main").write_text(f"{name}\n")

    return harm


def _by(when: str, who: str = "A <a@e.org>") -> str:
    return f"author {who} {when}\ncommitter {who} {when}\n"


def tree(*entries: tuple[str, str]) -> Harm:
    """Return what adds entries to the newest tree that no tree may have: mode and name, of a page's content."""

    def harm(repo: Repo, random: Random) -> None:
        blob = bytes.fromhex(repo.git("rev-parse", "HEAD:docs/a.md"))
        docs = bytes.fromhex(repo.git("rev-parse", "HEAD:docs"))
        content = b"40000 docs\0" + docs
        for mode, name in entries:
            content += f"{mode} ".encode() + os.fsencode(name) + b"\0" + blob
        commit(head=f"tree {put(repo, 'tree', content)}\nparent {{parent}}\n")(repo, random)

    return harm


def graft(repo: Repo, _: Random) -> None:
    """Make every commit a child of every other one."""
    names = repo.git("rev-list", "HEAD").split()
    info = repo / ".git/info"
    info.mkdir(exist_ok=True)
    (info / "grafts").write_text("".join(f"{name} {' '.join(reversed(names))}\n" for name in names))


def replace(repo: Repo, _: Random) -> None:
    """Replace commits by one another, in a circle."""
    names = repo.git("rev-list", "HEAD").split()
    refs = repo / ".git/refs/replace"
    refs.mkdir(parents=True)
    for name, other in zip(names, names[1:] + names[:1], strict=True):
        (refs / name).write_text(f"{other}\n")


def sparse_pack(repo: Repo, random: Random) -> None:
    """Add a pack that is said to have a terabyte, and a tree of ten thousand million files."""
    pack = repo / ".git/objects/pack"
    pack.mkdir(exist_ok=True)
    (pack / "pack-a.pack").touch()
    os.truncate(pack / "pack-a.pack", 1 << 40)
    inner = repo.git("rev-parse", "HEAD:docs")
    for _ in range(10):
        inner = put(repo, "tree", b"".join(b"40000 %d\0" % number + bytes.fromhex(inner) for number in range(10)))
    commit(head=f"tree {inner}\nparent {{parent}}\n")(repo, random)
    commit(head=f"tree {repo.git('rev-parse', 'HEAD~:')}\nparent {{parent}}\n")(repo, random)


def long_history(count: int, files: int = 1) -> Harm:
    """Return what adds many commits, of some files."""

    def harm(repo: Repo, _: Random) -> None:
        def stream() -> Iterator[bytes]:
            for number in range(count):
                when = day(7) + number
                yield b"commit refs/heads/main\ncommitter C <c@e.org> %d +0000\ndata 1\na\n" % when
                yield b"from refs/heads/main^0\n" if not number else b""
                yield b"M 100644 inline docs/n%d.md\ndata 8\n%08d\n" % (number % files, number)

        _import(repo, stream())

    return harm


def _import(repo: Repo, stream: Iterator[bytes]) -> None:
    command = ["git", "fast-import", "--quiet", "--force", "--date-format=raw-permissive"]
    with subprocess.Popen(command, cwd=repo.path, stdin=subprocess.PIPE, env={**os.environ, **ISOLATED}) as process:
        assert process.stdin
        process.stdin.writelines(stream)
    repo.git("reset", "--quiet", "--hard")


def named(*names: str) -> Harm:
    """Return what commits files with strange names, and pages made of them."""

    def harm(repo: Repo, _: Random) -> None:
        for name in names:
            with contextlib.suppress(OSError):  # a name that this file system does not take
                for path in (repo / "docs" / f"{name}.md", repo / "site" / f"{name}.html"):
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(PAGE)
        repo.commit(7)

    return harm


def trapped(repo: Repo, _: Random) -> None:
    """Name a program wherever git takes one."""
    (repo / ".gitattributes").write_text("* filter=trap diff=trap merge=trap\n")
    repo.commit(7, {"docs/a.md": "docs/a.md"})
    (repo / "docs/b.md").touch()
    traps.lay(repo, repo.path.parent)


def submodule(repo: Repo, random: Random) -> None:
    """List a submodule that is not there, at an address that is a command, and one that is this repository."""
    url = "ext::sh -c touch% ../marker"
    for name, path in (("../../a", "docs/deep"), ("b", "docs")):
        with (repo / ".gitmodules").open("a") as modules:
            modules.write(f'[submodule "{name}"]\n\tpath = {path}\n\turl = {url}\n\tupdate = !touch ../marker\n')
    setting("[submodule]", "recurse = true", '[submodule "b"]', f"url = {url}", "active = true")(repo, random)
    repo.git("add", ".gitmodules")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},module")
    repo.git("commit", "--quiet", "-m", "a", on=7)


def nested(content: str) -> Harm:
    """Return what makes the directory of some pages a repository of its own, which it is not."""
    return file("docs/deep/.git", content)


HARMS: dict[str, Harm] = {
    **{f"HEAD {each[:20]!r}": file(".git/HEAD", each) for each in (
        "ref: HEAD\n", "ref: refs/heads/../../../../etc/passwd\n", "ref: " + "a/" * 9_999, "1" * 40, "\0" * 99,
        "ref: ",
        "ref: refs/heads/-n\n", "{head}\0", "ref: refs/heads/\x1b[2J\n", "ref: refs/heads/main\n" * 9_999,
    )},
    **{f"main {each[:20]!r}": file(".git/refs/heads/main", each) for each in (
        "ref: refs/heads/main\n", "ref: HEAD\n", "0" * 40, "f" * 40 + "\n", "{head}" * 9_999, "x\n" * _HUGE,
    )},
    "packed refs, many": file(".git/packed-refs",
        "# pack-refs with: peeled fully-peeled sorted\n" + "{head} refs/heads/a\n" * 99_999),
    "packed refs, none": file(".git/packed-refs", b"\xff\0" * _HUGE),
    "shallow, itself": file(".git/shallow", "{head}\n"),
    "shallow, garbage": file(".git/shallow", "x" * 40 + "\n"),
    "index, a large number": file(".git/index", b"DIRC\0\0\0\2\xff\xff\xff\xff" + bytes(99)),
    "index, of tomorrow": file(".git/index", b"DIRC\0\0\0\x99\0\0\0\1" + bytes(99)),
    "index, shared": file(".git/index", b"DIRC\0\0\0\2\0\0\0\0link\0\0\0\x14" + b"\1" * 40),
    **{f"alternates {each[:20]!r}": file(".git/objects/info/alternates", each) for each in (
        "../objects\n", "/\n" * 9_999, "/dev/zero\n", "..\n" * 9_999, "\0\n", '"\\\n', "x" * _HUGE,
    )},
    **{f"{name} as {kind}": no_file(f".git/{name}", kind) for kind in ("pipe", ZEROS) for name in (
        "objects/info/alternates", "objects/info/commit-graph", "objects/pack/multi-pack-index", "config.worktree",
        "info/attributes", "info/exclude", "info/sparse-checkout", "refs/replace/" + "1" * 40, "commondir",
        "logs/HEAD",
    )},
    **{f"docs/{name} as {kind}": no_file(f"docs/{name}", kind) for kind in ("pipe", ZEROS, ".") for name in (
        ".gitattributes", ".gitignore", "deep/.git", ".git",
    )},
    "config, garbage": file(".git/config", b"[\0" * 99),
    "config, no key": setting("[a"),
    "config, itself": setting("[include]", "path = {git}/config"),
    "config, many": setting("[a]", *(f"k{number} = v" for number in range(100_000))),
    "config, long": setting("[a]", "b = " + "x" * (4 << 20)),
    "config, filters": setting(*(f'[filter "{number}"]\nclean = touch {{git}}/../../marker' for number in range(999))),
    "config, a tree elsewhere": setting("[core]", "worktree = /"),
    "config, no tree": setting("[core]", "bare = true"),
    "config, of tomorrow": setting("[core]", "repositoryformatversion = 99"),
    "config, an extension": setting("[core]", "repositoryformatversion = 1", "[extensions]", "a = b"),
    "config, another hash": setting("[core]", "repositoryformatversion = 1", "[extensions]", "objectformat = sha256"),
    "config, names": setting("[core]", "ignorecase = true", "precomposeunicode = true", "quotepath = false"),
    "config, how it is shown": setting(
        "[log]", "showSignature = true", "follow = true", "date = raw", "mailmap = true", "decorate = full",
        "graphColors = x",
        "[diff]", "renames = copies", "orderFile = /dev/zero", "noprefix = true", "algorithm = x",
        "wordRegex = (a*)*b",
        "[color]", "ui = always", "[column]", "ui = always", "[format]", "pretty = %x00", "[i18n]",
        "logOutputEncoding = x",
        "[notes]", "displayRef = *", "[status]", "relativePaths = true", "showUntrackedFiles = all", "branch = true",
    ),
    "config, small windows": setting("[core]", "packedGitLimit = 1", "packedGitWindowSize = 1",
        "bigFileThreshold = 1"),
    "config, mailmap": setting("[mailmap]", "file = /dev/zero", "blob = HEAD"),
    "config, attributes": setting("[core]", "attributesFile = /dev/zero"),
    "traps": trapped,
    "submodules": submodule,
    "grafts in a circle": graft,
    "replaced in a circle": replace,
    "a terabyte": sparse_pack,
    **{f"a repository in docs {each[:30]!r}": nested(each) for each in (
        "gitdir: .git", "gitdir: /dev/zero", "gitdir: ../../.git", "gitdir: " + "../" * 9_999, "x" * _HUGE,
        "gitdir: /\n",
        "gitdir: \x1b[2J",
    )},
    **{f"committed on {each}": commit(people=_by(each)) for each in (
        "0 +0000", "-1 +0000", "99999999999 +0000", "9223372036854775807 +0000", "99999999999999999999999 +0000",
        "1600000000 +9999", "1600000000 -99999999999", "yesterday", "", "1.5 +0000", "1600000000", "0x5f5e1000 +0000",
    )},
    "by nobody": commit(people="author \ncommitter \n"),
    "by somebody strange": commit(people=_by("1600000000 +0000", "\x1b[2J\n\0 <>><")),
    "with no people": commit(people="encoding x\n"),
    "of no tree": commit(head="parent {parent}\n"),
    "of a missing tree": commit(head="tree {zeros}\nparent {parent}\n"),
    "of a commit as its tree": commit(head="tree {parent}\nparent {parent}\n"),
    "of a missing parent": commit(head="tree {tree}\nparent {zeros}\n"),
    "of a tree as its parent": commit(head="tree {tree}\nparent {tree}\n"),
    "of many parents": commit(head="tree {tree}\n" + "parent {parent}\n" * 9_999),
    "with a long message": commit(message="a" * (40 << 20)),
    "with NULs": commit(message="\0\1" * 999),
    "in a strange encoding": commit(people=_by("{when} +0000") + "encoding " + "x" * 9_999 + "\n",
        message="\udcff" * 999),
    "with a long signature": commit(people=_by("{when} +0000") + "gpgsig " + "x\n " * 999_999 + "\n"),
    "names that no tree has": tree(("100644", ".git"), ("100644", ".."), ("100644", ""), ("100644", "a/b"),
        ("40000", "x")),
    "the same names": tree(*[("100644", "same")] * 9),
    "modes that there are not": tree(("0", "a"), ("999999", "b"), ("120000", "c"), ("160000", "d"), ("100666", "e")),
    "a long name": tree(("100644", "n" * 99_999)),
    "many names": tree(*((f"10064{number % 2 * 4}", f"z{number:06}") for number in range(50_000))),
    "names": named("new\nline", "tab\t", '"quoted"', "back\\slash", " space ", "-n", "--", ":(exclude)x", "*",
        "%41", "n" * 240),
    "names of no encoding": named(*(os.fsdecode(each) for each in (b"\xff", b"\xc3", b"a\xed\xa0\x80", b"\x1b[2J",
        b"\x85"))),
    "attributes": file(".gitattributes", "".join(f"*.{number} filter=a{number}\n" for number in range(99_999))),
    "attributes, slow": file(".gitattributes", f"{'*a' * 30}b filter=x\n**/{'*a*' * 20}b text\n"),
    "ignored, slow": file(".gitignore", f"{'*a' * 30}b\n{'**/' * 30}b\n"),
    "ignored, all": file(".gitignore", "*\n!*/\n" * 9_999),
    "ten thousand commits": long_history(10_000),
    "of a thousand pages": long_history(10_000, 1_000),
}  # fmt: skip
