"""How search engines learn of the indexes: lines in robots.txt, and what hinders where a site is built or served."""

import codecs
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from smindex_plugins import catalogue, urls
from smindex_plugins.limits import MAX_ROBOTS
from smindex_plugins.model import Finding
from smindex_plugins.settings import Target
from smindex_plugins.sitemaps import robots
from smindex_plugins.sitemaps.robots import NAME, Robots


@dataclass(frozen=True, slots=True)
class Announcement:
    """What is to be done about robots.txt."""

    content: bytes | None = None
    """The file as it is to be written; None where it stays as it is, or stays away."""
    is_made: bool = False
    """The file names every index, or will when it is written."""


def announce(target: Target, index_urls: list[str], findings: list[Finding]) -> Announcement:
    """Return what to do so that the robots.txt beside the index names every index.

    Only that at the root of a host is read by crawlers: https://www.rfc-editor.org/rfc/rfc9309#section-2.3
    """
    writes = target.settings.robots_txt == "write"
    if urls.path(target.site_url) != "/":
        if writes and index_urls:
            root = f"{urls.origin(target.site_url)}/{NAME}"
            problem = f"robots_txt is 'write', but crawlers read only {root}, which is not in this directory."
            fix = f"Nothing was written there. Add {_shown(index_urls)} to that file, and remove the setting."
            findings.append(catalogue.ROBOTS_IN_SUBDIRECTORY.at(NAME, problem, fix))
        return Announcement()
    file = os.path.join(target.directory, NAME)
    is_there = os.path.lexists(file)
    known, failure = Robots(), ""
    if os.path.islink(file) or (is_there and not os.path.isfile(file)):
        failure = "it is a link or no regular file"
    elif is_there:
        try:
            known = robots.read(file)
        except OSError as error:
            failure = error.strerror or str(error)
    if failure:
        findings.append(_unusable(f"it cannot be read: {failure}.", index_urls))
        return Announcement()
    missing = known.lacks(index_urls)
    if missing and writes:
        return _added(known, missing, findings)
    if missing and is_there:
        fix = f"Add {_shown(missing)}, or set robots_txt: write."
        if known.sitemaps:
            findings.append(catalogue.ROBOTS_WITHOUT_INDEX.at(NAME, "its Sitemap lines do not name the index.", fix))
        else:
            findings.append(catalogue.ROBOTS_WITHOUT_SITEMAP.at(NAME, "it has no Sitemap line.", fix))
    return Announcement(is_made=not missing)


def _added(known: Robots, missing: list[str], findings: list[Finding]) -> Announcement:
    content = with_lines(known.content, [f"Sitemap: {url}" for url in missing])
    if known.is_html:
        obstacle = "it is an HTML page."
    elif b"\0" in known.content or known.content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        obstacle = "it is not text in UTF-8."
    elif len(content) > MAX_ROBOTS:
        obstacle = f"crawlers read {MAX_ROBOTS:,} bytes of it, and it would have more."
    else:
        return Announcement(content=content, is_made=True)
    findings.append(_unusable(obstacle, missing))
    return Announcement()


def with_lines(content: bytes, lines: Iterable[str]) -> bytes:
    """Return a text file with more lines, which end as its own do, and the last as its last; no other byte changes."""
    is_old_mac = b"\r" in content and b"\n" not in content
    newline = b"\r\n" if b"\r\n" in content else b"\r" if is_old_mac else b"\n"
    added = newline.join(line.encode() for line in lines)
    is_empty = not content.removeprefix(codecs.BOM_UTF8)
    return content + (added + newline if is_empty or content.endswith((b"\n", b"\r")) else newline + added)


def _shown(index_urls: list[str]) -> str:
    others = len(index_urls) - 1
    return f"`Sitemap: {index_urls[0]}`" + (f" and those of {others:,} more" if others else "")


def _unusable(problem: str, index_urls: list[str]) -> Finding:
    fix = f"It was left as it is. Mend it, and add {_shown(index_urls)}."
    return catalogue.ROBOTS_NOT_WRITTEN.at(NAME, problem, fix)


def service_findings(
    target: Target, index_urls: Sequence[str], environment: Mapping[str, str] | None = None
) -> Iterator[Finding]:
    """Find what Read the Docs, where it builds this site and will serve it, does otherwise than other servers.

    The preview of a pull request is for no search engine, so it has no findings.
    """
    environment = os.environ if environment is None else environment
    if not environment.get("READTHEDOCS") or environment.get("READTHEDOCS_VERSION_TYPE") == "external":
        return
    served_at = environment.get("READTHEDOCS_CANONICAL_URL", "")
    try:
        is_ours = not served_at or urls.site_url(served_at) == target.site_url
    except ValueError:
        is_ours = False
    if not is_ours:
        yield catalogue.READ_THE_DOCS_ADDRESS.at(
            target.settings.index_filename,
            f"its URLs begin with {target.site_url}, but Read the Docs serves this version at {served_at}.",
            "Take the address from the environment variable READTHEDOCS_CANONICAL_URL; "
            f"in mkdocs.yml: `site_url: !ENV [READTHEDOCS_CANONICAL_URL, '{target.site_url}']`.",
        )
    file = os.path.join(target.directory, NAME)
    known = robots.read(file) if os.path.isfile(file) else Robots()
    if missing := known.lacks(index_urls):
        # https://docs.readthedocs.com/platform/stable/reference/sitemaps.html and robots.html
        yield catalogue.READ_THE_DOCS_SITEMAP.at(
            target.settings.index_filename,
            "Read the Docs answers /sitemap.xml with a file of its own, which lists versions and not pages, "
            "and /robots.txt with that of the default version.",
            "Name the index in the robots.txt at the top of the documentation: "
            + ", ".join(f"`Sitemap: {url}`" for url in missing)
            + ".",
        )


def zensical_beside(directory: str) -> Finding | None:
    """Return what to tell those who build with MkDocs and have Zensical's configuration in the same directory."""
    if not os.path.isfile(os.path.join(directory, "zensical.toml")):
        return None
    return catalogue.ZENSICAL_BESIDE.at(
        "zensical.toml",
        "Zensical runs no plugins, and removes from the site what it did not write: this build has an index, "
        "and one by Zensical has none.",
    )


def no_mkdocs(error: ImportError) -> str:
    """Return why what a plugin of MkDocs needs cannot be imported."""
    try:
        found = version("mkdocs")
    except PackageNotFoundError:
        return (
            "smindex-plugins: neither MkDocs nor ProperDocs is running this plugin. Install MkDocs with "
            "`pip install 'smindex-plugins[mkdocs]'`, or run ProperDocs by its command `properdocs`."
        )
    if found.startswith(("0.", "1.")):
        return f"smindex-plugins: MkDocs {found} is installed, but cannot be imported: {error}."
    return (
        f"smindex-plugins: MkDocs {found} has no plugins; MkDocs 1.6 has. Install it with "
        "`pip install 'mkdocs>=1.6,<2'`, or build with ProperDocs, which goes on with it; "
        "or run `smindex build` after any other build."
    )
