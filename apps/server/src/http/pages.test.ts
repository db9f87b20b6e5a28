import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createFakeWebBuild, makePublishedContent } from '../../test/factories-site.ts'
import { useServer } from '../../test/server.ts'
import { waitUntil } from '../../test/wait.ts'
import { incrementSiteRevision, loadSiteOwnerId, loadSiteRevision } from '../core/site-owner.ts'
import { redirects, seoRecords } from '../db/schema/index.ts'
import { createSite } from '../features/site/seo/site.ts'
import { registerPages, type SiteStateProvider } from './pages.ts'

const server = useServer()
const { web, rendered } = createFakeWebBuild((path) => `<title>${path}</title>${'texte '.repeat(400)}`, '/api/news')
const app = Fastify()
let news = 1
app.get('/api/news', async () => ({ news }))
let later = 0
let site: SiteStateProvider
beforeAll(async () => {
  const real = Date.now
  // The site state and the pages keep the clock they were opened with.
  vi.spyOn(Date, 'now').mockImplementation(() => real() + later)
  app.decorate('deps', server.deps)
  app.decorate('web', web)
  site = createSite(app)
  await registerPages(app, web, site)
  await waitForRevision()
})
afterAll(async () => {
  await app.close()
  vi.restoreAllMocks()
})

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
/** Half a second, for which a process trusts its last read. */
const advanceClock = () => (later += 550)
/** The page does not wait for a slow database: its answer counts from the next check. */
const waitForRevision = () =>
  waitUntil(async () => {
    if ((await site.current()).revision === (await loadSiteRevision(server.db))) return true
    advanceClock()
    return false
  })
const changes = async () => {
  await incrementSiteRevision(server.db)
  advanceClock()
  await waitForRevision()
}
const timesRendered = (path: string) => rendered.filter((at) => at === path).length

test('a page is rendered once, in three encodings, each with its own ETag', async () => {
  const plain = await get('/platform')
  const br = await get('/platform', { 'accept-encoding': 'gzip, br' })
  const gzip = await get('/platform', { 'accept-encoding': 'gzip' })
  expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain.body)
  expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body)
  expect(new Set([plain, br, gzip].map(({ headers }) => headers.etag)).size).toBe(3)
  expect(br.headers).toMatchObject({ 'cache-control': 'no-cache', vary: 'accept-encoding', 'content-encoding': 'br' })
  const same = await get('/platform?utm_source=x', { 'if-none-match': `W/${plain.headers.etag}` })
  expect([same.statusCode, same.body]).toEqual([304, ''])
  expect(timesRendered('/platform')).toBe(1)
})

test('an edit is live within a second', async () => {
  await get('/')
  const before = timesRendered('/')
  await get('/')
  expect(timesRendered('/')).toBe(before)
  news++
  await changes()
  await get('/')
  expect(timesRendered('/')).toBe(before + 1)
})

test('an unrelated change keeps the cached page', async () => {
  await get('/')
  const before = timesRendered('/')
  await changes()
  await get('/')
  expect(timesRendered('/')).toBe(before)
})

test('screens of the same kind share one page, /status is never cached', async () => {
  await get('/projects/1')
  await get('/projects/2')
  expect(rendered.filter((at) => at.startsWith('/projects/'))).toEqual(['/projects/1'])
  await get('/status')
  await get('/status')
  expect(timesRendered('/status')).toBe(2)
})

test('a redirect keeps the query, is counted, and a page takes precedence over it', async () => {
  const site = { companyId: await loadSiteOwnerId(server.db) }
  await server.db.insert(redirects).values([
    { ...site, from: '/ancienne', to: '/platform' },
    { ...site, from: '/promo', to: '/', permanent: false },
    { ...site, from: '/platform', to: '/' },
    { ...site, from: '/resources/actualites/toit', to: '/' },
  ])
  await changes()
  const moved = await get('/ancienne?a=1&b=2')
  expect([moved.statusCode, moved.headers.location]).toEqual([301, '/platform?a=1&b=2'])
  expect((await get('/promo')).statusCode).toBe(302)
  expect((await get('/platform')).statusCode).toBe(200)
  expect((await get('/resources/actualites/toit')).statusCode).toBe(301)
  await makePublishedContent(server.db, 'article', 'toit')
  await changes()
  expect((await get('/resources/actualites/toit')).statusCode).toBe(200)
  await get('/ancienne')
  const hits = async () => (await server.db.select().from(redirects).where(eq(redirects.from, '/ancienne')))[0]?.hits
  await expect.poll(hits).toBe(2)
})

test('each page has one canonical address', async () => {
  const slash = await get('/platform/?a=1')
  expect([slash.statusCode, slash.headers.location]).toEqual([301, '/platform?a=1'])
  expect((await get('//ailleurs.fr/x')).headers.location).toBe('/ailleurs.fr/x')
  expect((await get('/api/nulle-part')).statusCode).toBe(404)
})

test('SEO content written for an address is passed to the page', async () => {
  const render = vi.spyOn(web, 'renderPage')
  await server.db
    .insert(seoRecords)
    .values({ companyId: await loadSiteOwnerId(server.db), path: '/', title: 'Écrit', updatedBy: 'x' })
  await changes()
  await get('/')
  expect(render.mock.lastCall?.[0]).toMatchObject({ written: { title: 'Écrit' } })
  render.mockRestore()
})

test('without a database cached pages are served', async () => {
  await get('/platform')
  const before = timesRendered('/platform')
  const query = vi.spyOn(server.deps.db.$client, 'query').mockImplementation(() => {
    throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
  })
  advanceClock()
  expect((await get('/platform')).statusCode).toBe(200)
  expect(timesRendered('/platform')).toBe(before)
  expect((await get('/home')).statusCode).toBe(200)
  query.mockRestore()
  advanceClock()
  await waitForRevision()
})
