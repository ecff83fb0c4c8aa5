"""How explanations of pages are printed: as lines for people, and as JSON."""

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Literal

from smindex_plugins.dates import read_w3c
from smindex_plugins.history import Described
from smindex_plugins.limits import MAX_LINE
from smindex_plugins.reports.explaining import DateProof, Entry, Explanation, moment, named_commit
from smindex_plugins.reports.json_form import write_list
from smindex_plugins.reports.names import readable, shown_path
from smindex_plugins.reports.terminal import painted
from smindex_plugins.text import counted, printable

_MOST_FILES = 5
_OTHER = (
    "The site was built before the last commit, or its build knew more than the files tell, such as the posts that a "
    "list shows."
)


def write_explanations(explained: Iterable[Explanation], form: Literal["text", "json"], out: IO[str]) -> int:
    """Print explanations, and return how many pages were not found."""
    if form == "json":
        return _write_json(explained, out)
    missing = 0
    for number, each in enumerate(explained):
        out.write("\n" if number else "")
        out.write(f"{painted(printable(each.url or each.given, MAX_LINE), 'bold', out)}\n")
        for word, said in _lines(each):
            out.write(f"  {painted(f'{word:<11}', 'dim', out)} {printable(said, MAX_LINE)}\n")
        missing += bool(each.problem)
    return missing


def _lines(each: Explanation) -> Iterator[tuple[str, str]]:
    if each.problem:
        yield "not found", each.problem
        return
    if each.entry:
        yield "listed in", f"{each.entry.sheet.where}, line {each.entry.line}, in the section {each.section}"
        yield from (("because", why) for why in each.why_there)
        yield "date", each.entry.lastmod or "none"
        yield from _dated(each)
    yield from _refused(each)
    if each.flat:
        is_same = each.entry is not None and each.entry.lastmod.startswith(each.flat.lastmod or "no date")
        date = "with the same date" if is_same else f"with the date {each.flat.lastmod or 'none'}"
        yield "also in", f"{each.flat.sheet.where}, line {each.flat.line}, {date}"
    for code, url in each.entry.alternates if each.entry else ():
        yield "variant", f"{code}: {url}"
    yield from (("source", os.path.relpath(source)) for source in each.sources[:_MOST_FILES])
    if each.file:
        yield "file", each.file


def _refused(each: Explanation) -> Iterator[tuple[str, str]]:
    if refusal := each.refusal:
        yield "not listed", refusal.why
        if refusal.file:
            place = f"{refusal.file}, line {refusal.line}" if refusal.line else refusal.file
            yield "decided by", f"{place}: {refusal.tag}" if refusal.tag else place
        if refusal.fix:
            yield "to list it", refusal.fix


def _dated(each: Explanation) -> Iterator[tuple[str, str]]:
    """Yield why a page has the date that it has, or none."""
    proof = each.date
    if proof is None:
        if each.entry and not each.entry.lastmod:
            yield "because", "dates are switched off (lastmod: off), or nothing here tells them"
        return
    if proof.reason:
        yield "because", f"it is {proof.reason}"
        yield from [("to date it", proof.fix)] if proof.fix else []
    else:
        yield "because", _why_dated(proof)
        if len(proof.proof.files) > 1 and proof.proof.rests_on == "git":
            names = [os.path.relpath(file) for file in proof.proof.files[:_MOST_FILES]]
            yield "", f"that is the newest of its {counted(len(proof.proof.files), 'file')}: {', '.join(names)}"
    if each.entry and _is_other(each.entry, proof):
        yield "but", f"its sources say {proof.date or 'none'} now. {_OTHER}"


def _is_other(entry: Entry, proof: DateProof) -> bool:
    said = read_w3c(entry.lastmod)[0] if entry.lastmod else ""
    return said != proof.date


def _why_dated(proof: DateProof) -> str:
    match proof.proof.rests_on:
        case "author":
            return f"its author wrote `{proof.proof.key}` in its front matter"
        case "publication":
            return "git has no date for it, and its author says that it appeared then"
        case "list":
            return "it lists pages, and the newest of these has that date"
        case _:
            return _by_commit(proof)


def _by_commit(proof: DateProof) -> str:
    file = os.path.relpath(proof.proof.file)
    origin, landed = proof.origin, proof.landed
    if origin is None or landed is None:
        return f"{file} got its present content then"
    written, committed = moment(origin.written), moment(landed.committed)
    how = "written and " if written == committed else f"written {written}, "
    merge = f" by the merge {named_commit(landed)}" if origin.commit != landed.commit else ""
    return f"{file} got its present content in commit {named_commit(origin)}, {how}published {committed}{merge}"


def _write_json(explained: Iterable[Explanation], out: IO[str]) -> int:
    """Print explanations as one JSON object, and return how many pages were not found."""
    found = list(explained)
    here = os.getcwd()
    write_list('{"version": 1, "pages": [', (_fields(each, here) for each in found), out)
    out.write("}\n")
    return sum(bool(each.problem) for each in found)


def _fields(each: Explanation, here: str) -> Mapping[str, object]:
    """Return an explanation as it is printed; what it does not have is null."""
    refusal = each.refusal
    return {
        "asked": readable(each.given),
        "url": each.url or None,
        "file": readable(each.file) or None,
        "sources": [shown_path(source, here) for source in each.sources],
        "listed": _listed(each.entry, each.section) if each.entry else None,
        "why_there": list(map(printable, each.why_there)),
        "also_listed": _listed(each.flat, "") if each.flat else None,
        "variants": [
            {"hreflang": printable(code), "url": printable(url)}
            for code, url in (each.entry.alternates if each.entry else ())
        ],
        "date": _date(each.date, here) if each.date else None,
        "not_listed": {
            "reason": printable(refusal.reason),
            "by": printable(refusal.by) or None,
            "file": readable(refusal.file) or None,
            "line": refusal.line or None,
            "tag": printable(refusal.tag) or None,
            "fix": refusal.fix or None,
        }
        if refusal
        else None,
        "problem": each.problem or None,
    }


def _listed(entry: Entry, section: str) -> Mapping[str, object]:
    return {
        "file": readable(entry.sheet.where),
        "line": entry.line or None,
        "section": readable(section) or None,
        "lastmod": printable(entry.lastmod) or None,
    }


def _date(proof: DateProof, here: str) -> Mapping[str, object]:
    return {
        "lastmod": proof.date or None,
        "rests_on": proof.proof.rests_on,
        "key": proof.proof.key or None,
        "file": shown_path(proof.proof.file, here) or None,
        "files": [shown_path(file, here) for file in proof.proof.files],
        "commit": _commit(proof.origin),
        "landed": _commit(proof.landed),
        "reason": printable(proof.reason) or None,
        "fix": proof.fix or None,
    }


def _commit(commit: Described | None) -> Mapping[str, object] | None:
    if commit is None:
        return None
    return {
        "hash": commit.commit,
        "subject": printable(commit.subject),
        "written": moment(commit.written),
        "committed": moment(commit.committed),
    }
