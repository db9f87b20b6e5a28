import { auth } from '@voisol/contract/auth'
import { companies as companyApi } from '@voisol/contract/companies'
import { content } from '@voisol/contract/content'
import { requests as requestApi } from '@voisol/contract/requests'
import { count, eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { call } from '../../test/client.ts'
import { makeUser } from '../../test/factories.ts'
import { makeContent, SMALLEST_PNG } from '../../test/factories-site.ts'
import { useServer } from '../../test/server.ts'
import { loadSiteOwnerId } from '../core/site-owner.ts'
import { companies, contents } from '../db/schema/index.ts'
import { addFirstContent } from '../features/site/content/index.ts'
import { runSiteOwnerCommand } from './site.ts'

const server = useServer()
let said: string[] = []
beforeEach(() => {
  said = []
  vi.spyOn(console, 'log').mockImplementation((text: string) => void said.push(text))
})
afterEach(() => void vi.restoreAllMocks())

const form = (email: string) => ({
  firstName: 'Awa',
  lastName: 'Diallo',
  companyName: 'Première inscrite',
  email,
  password: 'un toit partagé au soleil',
})
const list = (token: string) => call(server, content.list, { query: { kind: 'article' } }, { token })
const countContents = async (companyId: number) =>
  (await server.db.select({ n: count() }).from(contents).where(eq(contents.companyId, companyId)))[0]?.n

test('the first company to register does not own the site: the operator must assign it', async () => {
  expect(await addFirstContent(server.db, { demo: false })).toBeGreaterThan(3)
  const first = await call(server, auth.register, { body: form('awa@exemple.fr') })
  expect(first.status).toBe(200)
  expect(first.body.user.permissions).not.toContain('content.read')
  expect((await list(first.body.token)).status).toBe(403)
  expect(await loadSiteOwnerId(server.db)).toBe(0)
  await runSiteOwnerCommand(server.deps, undefined)
  expect(said.join()).toContain('Aucune organisation ne tient le site public')
})

test('no HTTP call can make a company the site owner', async () => {
  for (const key of ['keepsSite', 'keeps_site', 'isDemo', 'id'])
    expect((await call(server, auth.register, { body: { ...form('lina@exemple.fr'), [key]: 1 } })).status).toBe(422)
  const { token, companyId } = await makeUser(server.db)
  const { body } = await call(server, companyApi.get, { params: { companyId } }, { token })
  const { name, legalName, siren, address, email, phone, version } = body
  const values = { name, legalName, siren, address, email, phone, version, keepsSite: true }
  expect((await call(server, companyApi.update, { params: { companyId }, body: values }, { token })).status).toBe(422)
  expect(await server.db.select().from(companies).where(eq(companies.keepsSite, true))).toEqual([])
})

test('the operator assigns the site to a company, then another: its content moves along', async () => {
  const [one, two, outsider] = [await makeUser(server.db), await makeUser(server.db), await makeUser(server.db)]
  const held = await countContents(0)
  const visit = { email: 'visiteuse@exemple.fr', firstName: 'Zoé', lastName: 'Lefèvre', company: 'Le Parc' }
  const message = { phone: '', subject: 'tarifs', message: 'Combien pour vingt logements ?' }
  expect((await call(server, requestApi.contact, { body: { ...visit, ...message } })).status).toBe(200)
  await runSiteOwnerCommand(server.deps, one.email.toUpperCase())
  expect([await countContents(0), await countContents(one.companyId)]).toEqual([0, held])
  expect((await list(one.token)).body.total).toBeGreaterThan(0)
  expect((await call(server, requestApi.list, {}, one)).body.items).toMatchObject([{ email: visit.email }])
  const { slug } = await makeContent(server, one)
  const { body: image } = await call(
    server,
    content.addImage,
    { query: { name: 'toit.png' }, upload: SMALLEST_PNG },
    one,
  )

  await runSiteOwnerCommand(server.deps, String(two.companyId))
  expect([await countContents(one.companyId), await countContents(two.companyId)]).toEqual([0, (held ?? 0) + 1])
  expect((await list(one.token)).status).toBe(403)
  expect((await list(outsider.token)).status).toBe(403)
  const { items } = (await list(two.token)).body
  const id = items.find((item: { slug: string }) => item.slug === slug).id
  expect((await call(server, content.versions, { params: { id } }, two)).body.items).toHaveLength(2)
  expect((await server.app.inject({ url: image.src })).rawPayload).toEqual(SMALLEST_PNG)
  const seen = await server.asOwner('select company_id from audit_entries where action = $1', ['voisol site keeper'])
  expect(seen.rows.map((row) => row.company_id).sort()).toEqual([one.companyId, one.companyId, two.companyId].sort())

  // And back again, where its former versions still exist.
  await runSiteOwnerCommand(server.deps, String(one.companyId))
  await runSiteOwnerCommand(server.deps, String(one.companyId))
  expect(said.at(-1)).toContain('tient déjà')
  expect((await list(one.token)).body.total).toBe(items.length)
})

test('an unknown company, an unknown address, and one of several companies are refused', async () => {
  await expect(runSiteOwnerCommand(server.deps, '4711')).rejects.toThrow('Aucune organisation n’a le numéro 4711')
  await expect(runSiteOwnerCommand(server.deps, 'nul@exemple.fr')).rejects.toThrow('Aucun compte')
  const client = await makeUser(server.db, { isAdmin: false })
  await expect(runSiteOwnerCommand(server.deps, client.email)).rejects.toThrow('n’administre aucune organisation')
})
