"""Pages as a documentation theme renders them, for the benchmarks that read them."""

import random
from collections.abc import Callable
from pathlib import Path

BASE = "https://example.org/docs/"
_HEAD = """\
<!doctype html>
<html lang="en" class="no-js">
  <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width,initial-scale=1">
      <meta name="description" content="What page {number} is about, and why it's worth reading.">
      <meta name="author" content="Somebody">
      <link rel="canonical" href="{url}">
      <link rel="prev" href="../{previous}/">
      <link rel="next" href="../{next}/">
      <link rel="icon" href="../../assets/images/favicon.png">
      <meta name="generator" content="mkdocs-1.6.1, mkdocs-material-9.7.0">
        <title>Page {number} - Documentation</title>
      <link rel="stylesheet" href="../../assets/stylesheets/main.484c7ddc.min.css">
      <link rel="stylesheet" href="../../assets/stylesheets/palette.ab4e12ef.min.css">
      <link rel="preconnect" href="https://fonts.gstatic.com" crossorigin>
      <link rel="stylesheet" href="https://fonts.googleapis.com/css?family=Roboto:300,300i,400,400i,700,700i&display=fallback">
      <style>:root{{--md-text-font:"Roboto";--md-code-font:"Roboto Mono"}}</style>
      <script>__md_scope=new URL("../..",location),__md_hash=e=>[...e].reduce(((e,_)=>(e<<5)-e+_.charCodeAt(0)),0),__md_get=(e,_=localStorage,t=__md_scope)=>JSON.parse(_.getItem(t.pathname+"."+e)),__md_set=(e,_,t=localStorage,a=__md_scope)=>{{try{{t.setItem(a.pathname+"."+e,JSON.stringify(_))}}catch(e){{}}}}</script>
      <script>var palette=__md_get("__palette");if(palette&&palette.color){{if("(prefers-color-scheme)"===palette.color.media){{var media=matchMedia("(prefers-color-scheme: light)")}}for(var[key,value]of Object.entries(palette.color))document.body.setAttribute("data-md-color-"+key,value)}}</script>
      <meta property="og:type" content="website">
      <meta property="og:title" content="Page {number} - Documentation">
      <meta property="og:description" content="What page {number} is about">
      <meta property="og:image" content="{url}../assets/images/social/{number}.png">
      <meta property="og:url" content="{url}">
      <meta name="twitter:card" content="summary_large_image">
{alternates}\
  </head>
  <body dir="ltr" data-md-color-scheme="default">
"""  # noqa: E501 - lines as long as a theme writes them
_ALTERNATES = """\
      <link rel="alternate" href="{url}" hreflang="en">
      <link rel="alternate" href="{url}de/" hreflang="de">
"""
_NAVIGATION = (
    '<li class="md-nav__item"><a href="../{number}/" class="md-nav__link"><span>Page {number}</span></a></li>\n'
)
_PARAGRAPH = "<p>A sitemap lists the <em>pages</em> of a site, and <a href='../1/'>when</a> they changed.</p>\n" * 6
_IMAGE = '<p><img alt="what it shows" src="../images/{number}.png" loading="lazy"></p>\n'


def make_pages(
    directory: Path, pages: int, *, sizes: tuple[int, int], hreflang: int, place: Callable[[int], str]
) -> list[tuple[str, str]]:
    """Write pages with a number of bytes between two, and return their files and URLs; ``place`` gives their paths."""
    chance = random.Random(0)  # noqa: S311 - the same pages each time
    files = []
    for number in range(pages):
        path = place(number)
        url = f"{BASE}{path.removesuffix('index.html')}"
        alternates = _ALTERNATES.format(url=url) if chance.randrange(100) < hreflang else ""
        head = _HEAD.format(number=number, url=url, previous=number - 1, next=number + 1, alternates=alternates)
        navigation = "".join(_NAVIGATION.format(number=item) for item in range(sizes[0] // 330))
        parts = [head, f"<nav><ul>{navigation}</ul></nav>\n<main><article>\n"]
        wanted = chance.randrange(*sizes)
        size = sum(map(len, parts))
        while size < wanted:
            parts.append(_PARAGRAPH + _IMAGE.format(number=len(parts)) if len(parts) % 8 == 0 else _PARAGRAPH)
            size += len(parts[-1])
        parts.append("</article></main>\n</body>\n</html>\n")
        file = directory / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(parts), encoding="utf-8")
        files.append((str(file), url))
    return files
