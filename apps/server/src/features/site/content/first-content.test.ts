import { content } from '@voisol/contract/content'
import { beforeAll, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeSiteAdmin } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { loadSiteRevision } from '../../../core/site-owner.ts'
import { contents } from '../../../db/schema/index.ts'
import { listProseWarnings } from '../../../prose/inspect-prose.ts'
import { parseProseWithFaults } from '../../../prose/parse-prose.ts'
import { addFirstContent, computeWebinarStart, type FirstContent, loadFirstContent } from './first-content.ts'
import { CONTENT_PATH_PATTERN, getContentPath } from './stored-content.ts'

/** Pages of the site that are no content of the desk. */
const PAGES = [
  '/',
  '/pricing',
  '/features',
  '/api-docs',
  '/platform',
  '/contact',
  '/status',
  '/about',
  '/careers',
  '/partners',
  '/solutions',
  '/solutions/autoconsommation-collective',
  '/solutions/optimisation-energetique',
  '/solutions/gestion-intelligente',
  '/solutions/analytics-predictions',
  '/solutions/residential',
  '/solutions/collective',
  '/solutions/industrial',
  '/solutions/sur-mesure',
  '/solutions-commerciales',
  '/expertise',
  '/expertise/conception',
  '/expertise/reglementaire',
  '/expertise/intelligence-artificielle',
  '/expertise/data-science',
  '/resources',
  '/resources/documentation',
  '/resources/guides',
  '/resources/actualites',
  '/resources/webinaires',
  '/resources/faq',
  '/white-papers',
  '/case-studies',
  '/blog',
  '/user-guide',
  '/documentation',
  '/faq',
  '/login',
]

let first: FirstContent[]
beforeAll(async () => {
  first = await loadFirstContent()
})

describe('the texts the product comes with', () => {
  test('are well formed, and every link leads somewhere', () => {
    const written = new Set(first.map(({ kind, draft }) => getContentPath(kind, draft.category, draft.slug)))
    const isKnown = (address: string) => {
      const path = address.split('#')[0] ?? ''
      return (
        written.has(address) || written.has(path) || PAGES.includes(path) || /^\/(product|illustrations)\//.test(path)
      )
    }
    const faults = first.flatMap(({ file, draft }) =>
      listProseWarnings(parseProseWithFaults(draft.body), isKnown).map((warning) => `${file}: ${warning}`),
    )
    expect(faults).toEqual([])
    expect(PAGES.filter((path) => CONTENT_PATH_PATTERN.test(path))).toEqual([])
  })

  test('have titles and addresses of their own', () => {
    const titles = first.map(({ kind, draft }) => `${kind} ${draft.title}`)
    expect(titles.filter((title, i) => titles.indexOf(title) !== i)).toEqual([])
    const paths = first.map(({ kind, draft }) => getContentPath(kind, draft.category, draft.slug))
    expect(new Set(paths).size).toBe(paths.length)
  })
})

test('a webinar begins on a working day, at its hour in Paris', () => {
  const friday = Temporal.Instant.from('2026-05-08T10:00:00Z')
  expect(computeWebinarStart(friday, 0, '11')).toBe('2026-05-11T09:00:00Z')
  expect(computeWebinarStart(friday, 5, '14:30')).toBe('2026-05-13T12:30:00Z')
  expect(computeWebinarStart(Temporal.Instant.from('2026-12-24T23:30:00Z'), 0, '9')).toBe('2026-12-28T08:00:00Z')
})

describe('a new database', () => {
  const server = useServer()
  const count = async () => (await server.db.select().from(contents)).length

  test('gets them once, published, with webinars in the demonstration alone', async () => {
    expect(await count()).toBe(0)
    const webinars = first.filter(({ kind }) => kind === 'webinar').length
    const added = await Promise.all([1, 2, 3].map(() => addFirstContent(server.db, { demo: false })))
    expect(added.sort((a, b) => a - b)).toEqual([0, 0, first.length - webinars])
    expect(await addFirstContent(server.db, { demo: true })).toBe(0)
    expect(await loadSiteRevision(server.db)).toBe(1)
    const editor = await makeSiteAdmin(server.db)
    const some = first.find(({ kind }) => kind === 'faq')
    const { body } = await call(server, content.list, { query: { kind: 'faq', q: some?.draft.slug ?? '' } }, editor)
    expect(body.items[0]).toMatchObject({ status: 'published', hasChanges: false, version: 1, updatedBy: 'Voisol' })
    const saved = { params: { id: body.items[0].id }, body: { version: 1, draft: some?.draft } }
    expect((await call(server, content.save, saved, editor)).body.version).toBe(2)
    for (const { kind, draft, publishedAt } of first.filter((one) => one.kind !== 'webinar')) {
      const page = (await call(server, content.read, { params: { kind, slug: draft.slug } })).body
      expect(page.title).toBe(draft.title)
      expect(Math.abs(Date.parse(page.publishedAt) - publishedAt.getTime())).toBeLessThan(3_600_000)
    }
  })

  test('of the demonstration announces webinars to come', async () => {
    await server.db.delete(contents)
    expect(await addFirstContent(server.db, { demo: true })).toBe(first.length)
    const { body } = await call(server, content.published, { params: { kind: 'webinar' } })
    expect(body.total).toBe(first.filter(({ kind }) => kind === 'webinar').length)
  })
})
