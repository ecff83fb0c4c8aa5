// Lists the HTML files of a directory, with the times of the files as dates, in sitemaps that npm's sitemap writes.
import { createWriteStream, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SitemapAndIndexStream, SitemapStream } from 'sitemap'

const [, , site, base, directory] = process.argv

function * pages () {
  for (const name of readdirSync(site, { recursive: true })) {
    if (!name.endsWith('.html')) continue
    const url = base + encodeURI(name.split(sep).join('/').replace(/(^|\/)index\.html$/, '$1'))
    yield { url, lastmod: statSync(join(site, name)).mtime.toISOString() }
  }
}

mkdirSync(directory, { recursive: true })
const files = []
const stream = new SitemapAndIndexStream({
  limit: 50000,
  getSitemapStream: (number) => {
    const sitemap = new SitemapStream()
    const file = sitemap.pipe(createWriteStream(join(directory, `sitemap-${number}.xml`)))
    files.push(new Promise((resolve, reject) => file.on('finish', resolve).on('error', reject)))
    return [`${base}sitemap-${number}.xml`, sitemap, file]
  },
})
await pipeline(Readable.from(pages()), stream, createWriteStream(join(directory, 'sitemap_index.xml')))
await Promise.all(files)
