// Writes the pages of a tab-separated file (URL, date) with npm's sitemap; prints what `scale_writers` prints.
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SitemapAndIndexStream, SitemapStream } from 'sitemap'

const [, , list, directory] = process.argv
const pages = readFileSync(list, 'utf8').trimEnd().split('\n').map((line) => {
  const [url, lastmod] = line.split('\t')
  return { url, lastmod }
})
mkdirSync(directory, { recursive: true })
const before = process.memoryUsage().rss
const started = process.hrtime.bigint()
const files = []
const stream = new SitemapAndIndexStream({
  limit: 50000,
  getSitemapStream: (number) => {
    const sitemap = new SitemapStream()
    const file = sitemap.pipe(createWriteStream(join(directory, `sitemap-${number}.xml`)))
    files.push(new Promise((resolve, reject) => file.on('finish', resolve).on('error', reject)))
    return [`https://example.org/docs/sitemap-${number}.xml`, sitemap, file]
  },
})
await pipeline(Readable.from(pages), stream, createWriteStream(join(directory, 'sitemap_index.xml')))
await Promise.all(files)
const seconds = Number(process.hrtime.bigint() - started) / 1e9
const peak = process.resourceUsage().maxRSS * 1024
console.log(JSON.stringify({ seconds, megabytes: (peak - before) / 1e6 }))
