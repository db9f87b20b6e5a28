import { EMPTY_NOTICE, legal, listMissingFields } from '@voisol/contract/legal'
import { expect, test, vi } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeSiteAdmin, makeUser } from '../../../../test/factories.ts'
import { makeContent } from '../../../../test/factories-site.ts'
import { useServer } from '../../../../test/server.ts'
import { NOTICE_INCOMPLETE, warnIfNoticeIncomplete } from './legal.ts'

const server = useServer()
const WHOLE = {
  ...EMPTY_NOTICE,
  publisher: 'Soleil des Pentes',
  legalForm: 'SCIC' as const,
  capital: '37 450 €',
  siren: '552081317',
  registry: 'RCS Lyon',
  address: '17 rue des Tables-Claudiennes, 69001 Lyon',
  email: 'bonjour@soleil-des-pentes.fr',
  phone: '04 72 00 13 57',
  director: 'Inès Karam',
  hostName: 'Hébergeur des Alpes',
  hostAddress: '3 quai de l’Isère, 38000 Grenoble',
  hostPhone: '04 76 00 24 68',
}
const save = (token: string, body: Record<string, unknown>) => call(server, legal.save, { body }, { token })

test('what is missing is named, and depends on what the publisher is', () => {
  expect(listMissingFields(EMPTY_NOTICE)).toHaveLength(12)
  expect(listMissingFields(WHOLE)).toEqual([])
  const { capital, registry, ...rest } = WHOLE
  const without = { ...rest, capital: '', registry: '' }
  expect(listMissingFields(without)).toEqual(['son capital social', 'son registre du commerce (RCS)'])
  expect(listMissingFields({ ...without, legalForm: 'association' })).toEqual([])
  expect(listMissingFields({ ...WHOLE, sellsToConsumers: true })).toEqual(['le médiateur de la consommation'])
  expect(listMissingFields({ ...WHOLE, hasOfficer: true })).toEqual([
    'les coordonnées du délégué à la protection des données',
  ])
  expect(listMissingFields({ ...WHOLE, hostPhone: '' })).toEqual(['le téléphone de l’hébergeur'])
})

test('the keeper of the site fills it in, the page says it, an older state is refused', async () => {
  const admin = await makeSiteAdmin(server.db)
  const body =
    '## Éditeur\n\nSur demande.\n\n## Hébergement\n\nSur demande.\n\n### Où\n\nAilleurs.\n\n## Liens\n\nVers d’autres sites.'
  const text = { title: 'Mentions légales', slug: 'mentions-legales', category: 'legal', body }
  await makeContent(server, admin, text, { kind: 'page' })
  const empty = (await call(server, legal.read, {})).body
  expect([empty.notice, empty.missing.length]).toEqual([EMPTY_NOTICE, 12])
  const first = await save(admin.token, { ...WHOLE, hostPhone: '', version: 0 })
  expect(first.body).toMatchObject({ version: 1, missing: ['le téléphone de l’hébergeur'] })
  expect((await save(admin.token, { ...WHOLE, version: 0 })).body.code).toBe('stale')
  expect((await save(admin.token, { ...WHOLE, version: 1 })).body.missing).toEqual([])
  const page = (await call(server, legal.read, {})).body
  expect(page.notice).toEqual(WHOLE)
  expect(page.title).toBe('Mentions légales')
  // What an older text said of the publisher is not said beside the settings.
  expect(page.body.map((block: { kind: string }) => block.kind)).toEqual(['heading', 'paragraph'])
  expect(page.body[0]).toMatchObject({ id: 'liens' })
})

test('nobody else does, and what is no SIREN is refused', async () => {
  const keeper = await makeSiteAdmin(server.db)
  const other = await makeUser(server.db)
  expect((await save(other.token, { ...WHOLE, version: 0 })).status).toBe(403)
  expect((await call(server, legal.get, {}, { token: other.token })).status).toBe(403)
  const refused = await save(keeper.token, { ...WHOLE, siren: '12', version: 0 })
  expect([refused.status, refused.body.issues[0].path]).toEqual([422, 'siren'])
})

test('a start in production says what is missing, and only there', async () => {
  const warn = vi.fn()
  const deps = { db: server.db, log: { ...server.deps.log, warn } as typeof server.deps.log } // one word of a log
  await warnIfNoticeIncomplete({ ...deps, config: { ...server.deps.config, production: false } })
  expect(warn).not.toHaveBeenCalled()
  const admin = await makeSiteAdmin(server.db)
  const { version } = (await call(server, legal.get, {}, { token: admin.token })).body
  await save(admin.token, { ...WHOLE, director: '', version })
  const production = { ...server.deps.config, production: true }
  await warnIfNoticeIncomplete({ ...deps, config: production })
  expect(warn).toHaveBeenCalledWith({ missing: ['le directeur ou la directrice de la publication'] }, NOTICE_INCOMPLETE)
  warn.mockClear()
  await save(admin.token, { ...WHOLE, version: version + 1 })
  await warnIfNoticeIncomplete({ ...deps, config: production })
  expect(warn).not.toHaveBeenCalled()
})
