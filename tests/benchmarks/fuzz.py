"""Fuzzing of what reads files that others wrote: sitemaps, robots.txt, pages. Each crasher is kept as a file."""

import argparse
import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.benchmarks.fuzz_targets import NAMES

SUMMARY = "inputs that make a reader fail, hang or swell, as atheris finds them"

_HANGS = 20
"""Seconds after which an input is one that hangs: instrumented code is slow."""
_SWELLS = 1_024
"""Megabytes that a reader may take: a file of 50 MiB is read whole."""
_LONGEST = 1 << 14
"""Bytes of an input: what fails on a long one nearly always does on a short one."""
_WORDS = (
    *("<?xml version='1.0' encoding='UTF-8'?>", "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"),
    *("</urlset>", "<sitemapindex", "<url>", "</url>", "<loc>", "</loc>", "<lastmod>", "</lastmod>", "<priority>"),
    *("https://e.org/docs/", "2024-02-29T23:59:59+14:00", "&amp;", "<!DOCTYPE", "<!--", "-->", "<![CDATA[", "%C3%A4"),
    *("User-agent: *", "Googlebot", "Disallow: /", "Allow: ", "Sitemap: ", "$", "\r\n"),
    *("<!doctype html>", "<head>", "<body>", "<meta name=robots content=noindex>", "<link rel=canonical href="),
    *("http-equiv=refresh", "hreflang=", "<base href=", "<script>", "</script>", "<noscript>", "<template>", "<title>"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what this can be told."""
    parser.add_argument("--seconds", type=int, default=60, metavar="N", help="of each reader (default: 60)")
    parser.add_argument(
        "--directory",
        default=".fuzz",
        metavar="PATH",
        help="where inputs that reach more, and crashers, are kept for the next run (default: %(default)s)",
    )
    parser.add_argument("--only", choices=NAMES, help="fuzz this reader alone")


def run(given: argparse.Namespace) -> dict[str, Any]:
    """Fuzz one reader after the other, beginning with the faults that the tests plant."""
    if importlib.util.find_spec("atheris") is None:
        sys.exit("fuzz: needs atheris, which no test does: pip install atheris (CPython 3.11 to 3.13 on Linux)")
    root = Path(given.directory)
    names = [given.only] if given.only else list(NAMES)
    return {
        "benchmark": "fuzz",
        "seconds": given.seconds,
        "readers": {name: _fuzz(name, root, given) for name in names},
    }


def table(result: dict[str, Any]) -> str:
    """Show the result to a person."""
    lines = [f"{result['seconds']} s each", ""]
    for name, reader in result["readers"].items():
        lines.append(f"{name:10} {reader['inputs']:10,} inputs   {reader['features']:6,} features covered")
        lines += [f"  crasher: {path}" for path in reader["crashers"]]
        lines += reader["said"][-12:] if reader["crashers"] else []
    return "\n".join(lines)


def _fuzz(name: str, root: Path, given: argparse.Namespace) -> dict[str, Any]:
    corpus, crashers = root / name, root / f"{name}-crashers"
    corpus.mkdir(parents=True, exist_ok=True)
    crashers.mkdir(exist_ok=True)
    for number, seed in enumerate(_seeds(name)):
        (corpus / f"planted-{number}").write_bytes(seed)
    words = root / "words"
    words.write_text("".join(f'"{_quoted(word)}"\n' for word in _WORDS), encoding="ascii")
    before = set(crashers.iterdir())
    command = [sys.executable, "-m", "tests.benchmarks.fuzz_targets", name, f"-max_total_time={given.seconds}"]
    limits = [f"-timeout={_HANGS}", f"-rss_limit_mb={_SWELLS}", f"-max_len={_LONGEST}", f"-dict={words}"]
    kept = [f"-artifact_prefix={crashers}/", "-print_final_stats=1", str(corpus)]
    done = subprocess.run([*command, *limits, *kept], capture_output=True, text=True, errors="replace", check=False)
    said = f"{done.stdout}\n{done.stderr}".splitlines()
    found = sorted(map(str, set(crashers.iterdir()) - before))
    if done.returncode and not found:
        sys.exit("\n".join(["fuzz: libFuzzer could not run:", *said[-20:]]))
    return {
        "inputs": _last(r"stat::number_of_executed_units: (\d+)|#(\d+)\t", said),
        "features": _last(r" ft: (\d+)", said),
        "crashers": found,
        "said": [line for line in said if "\t" not in line],
    }


def _last(pattern: str, lines: list[str]) -> int:
    found = [match for line in lines if (match := re.search(pattern, line))]
    return int(next(filter(None, found[-1].groups()))) if found else 0


def _quoted(word: str) -> str:
    return "".join(char if char.isalnum() or char in " <>/=:-." else f"\\x{ord(char):02x}" for char in word)


def _seeds(name: str) -> list[bytes]:
    from tests.support.faults import PLANTED  # noqa: PLC0415 - needs pytest, which listing the benchmarks does not

    files = [item for _, site in PLANTED.values() for item in site.items()]
    wanted = {"sitemap": (".xml", ".gz"), "robots": ("robots.txt",), "page": (".html",)}[name]
    contents = [
        (path, text.encode() if isinstance(text, str) else text) for path, text in files if path.endswith(wanted)
    ]
    # The first byte of a sitemap's input tells how its file is named.
    marks = [(b"g" if path.endswith(".gz") else b"x") if name == "sitemap" else b"" for path, _ in contents]
    seeds = [mark + content for mark, (_, content) in zip(marks, contents, strict=True)]
    return sorted({seed for seed in seeds if len(seed) <= _LONGEST})
