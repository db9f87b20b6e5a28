import { seo } from '@voisol/contract/seo'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeSiteAdmin, makeUser } from '../../../../test/factories.ts'
import { createFakeWebBuild, makePublishedContent } from '../../../../test/factories-site.ts'
import { useServer } from '../../../../test/server.ts'
import { loadSiteRevision } from '../../../core/site-owner.ts'

const server = useServer()
let token = ''
beforeAll(async () => {
  token = (await makeSiteAdmin(server.db)).token
  await makePublishedContent(server.db, 'article', 'partager-son-toit')
  await makePublishedContent(server.db, 'faq', 'une-question', { title: 'Une question' })
})
beforeEach(() => {
  server.app.web = createFakeWebBuild().web
})

const content = async (query: Record<string, string>) => (await call(server, seo.content, { query })).body
const list = async (query: Record<string, string> = {}) =>
  (await call(server, seo.list, { query: { size: '100', ...query } }, { token })).body
const save = (body: Record<string, unknown>, who = token) => call(server, seo.save, { body }, { token: who })
const TITLE = 'Une plateforme pour l’énergie partagée'

test('an address nobody wrote for says what its page says, an unknown one the fallbacks', async () => {
  expect(await content({ path: '/platform' })).toMatchObject({
    title: 'La plateforme — Voisol',
    description: 'Ce que fait la plateforme.',
    previewImageUrl: '/og-preview.png',
  })
  expect((await content({ path: '/resources/actualites/partager-son-toit' })).title).toBe('Partager son toit — Voisol')
  const fallback = {
    title: 'Voisol — Intelligence Énergétique',
    description: 'La plateforme française d’autoconsommation collective solaire.',
    keywords: ['Voisol', 'autoconsommation collective', 'énergie solaire'],
    previewImageUrl: '/og-preview.png',
  }
  for (const path of ['/nowhere', 'pas un chemin', '//ailleurs.fr', '/%00', '/resources/faq#une-question'])
    expect((await call(server, seo.content, { query: { path } })).status).toBeLessThan(500)
  expect(await content({ path: '/nowhere' })).toEqual(fallback)
  expect(await content({ url: '/' })).toMatchObject({ title: 'Autoconsommation collective — Voisol' })
  expect(await content({ url: 'https://voisol.fr/platform?x=1' })).toMatchObject({ title: 'La plateforme — Voisol' })
})

test('a record is served at once, keeps what is empty to the page, and is taken back', async () => {
  const before = await loadSiteRevision(server.db)
  const saved = await save({ path: '/platform/', title: TITLE, keywords: ['toit'], version: 0 })
  expect(saved.body).toMatchObject({ path: '/platform', hasRecord: true, version: 1, served: { title: TITLE } })
  expect(await content({ path: '/platform' })).toMatchObject({
    title: TITLE,
    description: 'Ce que fait la plateforme.',
    keywords: ['toit'],
  })
  expect(await loadSiteRevision(server.db)).toBe(before + 1)
  const late = await save({ path: '/platform', title: 'Autre', version: 0 })
  expect(late.status).toBe(409)
  expect(late.body.issues).toContainEqual({
    path: 'title',
    message: `Enregistré entre-temps\u00a0: «\u00a0${TITLE}\u00a0».`,
  })
  expect((await save({ path: '/platform', title: TITLE, version: 1 })).body.version).toBe(2)
  const reset = await call(server, seo.reset, { query: { path: '/platform' } }, { token })
  expect(reset.status).toBe(200)
  expect((await content({ path: '/platform' })).title).toBe('La plateforme — Voisol')
  expect(await loadSiteRevision(server.db)).toBe(before + 3)
})

test('two first records at once: one is told', async () => {
  const titles = ['A', 'B', 'C', 'D']
  const answers = await Promise.all(titles.map((title) => save({ path: '/', title, version: 0 })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  await call(server, seo.reset, { query: { path: '/' } }, { token })
})

test('the list has every page, what was published and stray records, with what should be mended', async () => {
  await save({ path: '/ancienne', title: TITLE, version: 0 })
  const { items, total } = await list()
  const paths = items.map(({ path }: { path: string }) => path)
  expect(paths).toEqual([
    '/',
    '/ancienne',
    '/home',
    '/platform',
    '/resources/actualites/partager-son-toit',
    '/test-nav',
  ])
  expect(total).toBe(6)
  const warnings = (path: string) => items.find((item: { path: string }) => item.path === path).warnings
  expect(warnings('/ancienne')).toEqual(['Il n’y a pas de page à cette adresse.'])
  expect(warnings('/platform')).toEqual([
    'Titre trop court\u00a0: 22\u00a0caractères, 30\u00a0au moins.',
    'Description trop courte\u00a0: 26\u00a0caractères, 70\u00a0au moins.',
  ])
  expect(warnings('/home')).toEqual([])
  expect(warnings('/test-nav')).toEqual([])
  expect((await list({ state: 'record' })).total).toBe(1)
  expect((await list({ q: 'PLATÉFORME que' })).items.map(({ path }: { path: string }) => path)).toEqual(['/platform'])
  expect((await list({ sort: '-path', size: '1', page: '2' })).items[0].path).toBe(
    '/resources/actualites/partager-son-toit',
  )
})

test('the same title twice is told on both pages', async () => {
  await save({ path: '/platform', title: 'Autoconsommation collective — Voisol', version: 0 })
  const { items } = await list({ state: 'warning' })
  const of = (path: string) => items.find((item: { path: string }) => item.path === path).warnings
  expect(of('/')).toContain('Même titre que /platform.')
  expect(of('/platform')).toContain('Même titre que /.')
  await call(server, seo.reset, { query: { path: '/platform' } }, { token })
})

test('without the built pages the list is what was published and recorded', async () => {
  await save({ path: '/ecrite-a-part', version: 0, title: 'Écrite à part' })
  server.app.web = undefined
  const paths = (await list()).items.map(({ path }: { path: string }) => path)
  expect(paths).toEqual(expect.arrayContaining(['/ecrite-a-part', '/resources/actualites/partager-son-toit']))
  expect(paths).not.toContain('/home')
  await call(server, seo.reset, { query: { path: '/ecrite-a-part' } }, { token })
})

test('wrong values are refused on their field; another company may not', async () => {
  const faults = async (body: Record<string, unknown>) =>
    (await save({ path: '/platform', version: 0, ...body })).body.issues?.map((issue: { path: string }) => issue.path)
  expect(await faults({ path: 'platform' })).toEqual(['path'])
  expect(await faults({ path: '//ailleurs.fr' })).toEqual(['path'])
  expect(await faults({ title: 'x'.repeat(121) })).toEqual(['title'])
  expect(await faults({ previewImageUrl: 'https://ailleurs.fr/x.png' })).toEqual(['previewImageUrl'])
  const stranger = await makeUser(server.db)
  expect((await save({ path: '/platform', version: 0 }, stranger.token)).status).toBe(403)
})
