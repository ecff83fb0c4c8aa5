from pathlib import Path

from smindex_plugins import Page, Settings, Site, publish

SITE = Path("public").resolve()
SOURCES = Path("texts").resolve()
ADDRESS = "https://example.org/"


def pages() -> list[Page]:
    found = []
    for file in SITE.rglob("index.html"):
        path = file.parent.relative_to(SITE).as_posix()
        source = SOURCES / f"{path}.txt"
        found.append(
            Page(
                url=ADDRESS if path == "." else f"{ADDRESS}{path}/",
                file=str(file),
                sources=(str(source),) if source.exists() else (),
                source_name=source.name,
            )
        )
    return found


settings = Settings.load({"exclude": ["internal/"], "images": True})
site = Site(url=ADDRESS, directory=str(SITE), settings=settings, project=".")
report = publish(pages(), site)
print(report.pages, "pages in", report.sitemaps, "sitemaps, listed in", *report.index_urls)
for omission in report.omitted:
    print(omission)
for finding in report.findings:
    print(finding.level, finding)

from smindex_plugins import Dating, Host

dating = Dating(settings)
dating.start(pages(), site)
# Render the site here.
report = publish(pages(), site, Host(dating=dating))

from smindex_plugins import check

for finding in check(str(SITE), site_url=ADDRESS):
    print(finding.level, finding.check, finding.where, finding.problem, finding.fix)

from smindex_plugins import join

print(join(str(SITE), site_url=ADDRESS).index_urls)

from smindex_plugins import diff

difference = diff("public.before", str(SITE), site_url=ADDRESS)
for change in difference.changed:
    print(change.url, change.before, change.after, *change.variants)
print(len(difference.added), "pages came,", len(difference.removed), "went;", difference.sitemaps)
