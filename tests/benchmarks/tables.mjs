// Writes the rows of `tables.py`, made on the way, with npm's sitemap and its streaming index; prints the seconds.
import { createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SitemapAndIndexStream, SitemapStream } from 'sitemap'

const [, , count, directory] = process.argv
const rows = Number(count)
const SITE = 'https://shop.example.org/'

function place (i) {
  if (i % 10 < 6) return 'products/' + (i % 50 < 40 ? 'all/' : `group-${i % 997}/`) + `item-${i}-with-a-slug/`
  return i % 10 < 9 ? `section-${i % 211}/chapter-${Math.floor(i / 1000)}/page-${i}/` : `tiny-${i}/page-${i}/`
}

function * pages () {
  for (let n = 0; n < rows; n++) {
    const i = (n * 7919) % rows
    const lastmod = new Date(1672531200000 + ((i * 29) % 60000000) * 1000).toISOString()
    yield { url: SITE + place(i), lastmod }
  }
}

mkdirSync(directory, { recursive: true })
const started = process.hrtime.bigint()
const files = []
const stream = new SitemapAndIndexStream({
  limit: 50000,
  getSitemapStream: (number) => {
    const sitemap = new SitemapStream()
    const file = sitemap.pipe(createWriteStream(join(directory, `sitemap-${number}.xml`)))
    files.push(new Promise((resolve, reject) => file.on('finish', resolve).on('error', reject)))
    return [`${SITE}sitemap-${number}.xml`, sitemap, file]
  },
})
await pipeline(Readable.from(pages()), stream, createWriteStream(join(directory, 'sitemap_index.xml')))
await Promise.all(files)
console.log(JSON.stringify({ seconds: Number(process.hrtime.bigint() - started) / 1e9 }))
