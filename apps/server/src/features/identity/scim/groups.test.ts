import { sso } from '@voisol/contract/sso'
import { and, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { allowLocalProviders, makeSsoConnection } from '../../../../test/sso-flow.ts'
import { auditEntries, events, memberships, ssoConnections } from '../../../db/schema/index.ts'

const server = useServer()
const DOMAIN = 'forges-de-loire.fr'
let admin: Awaited<ReturnType<typeof makeUser>>
let id: string
let token: string
beforeAll(async () => {
  allowLocalProviders(server)
  admin = await makeUser(server.db)
  const roles = [
    { group: 'Gestion', role: 'manager' },
    { group: 'Comptabilité', role: 'accountant' },
  ]
  id = (await makeSsoConnection(server, admin, DOMAIN, { roles })).id
  token = (await call(server, sso.scimToken, { params: { id } }, admin)).body.token
})

async function scim(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object, bearer = token) {
  const response = await server.app.inject({
    method,
    url: `/scim/v2${path}`,
    headers: { authorization: `Bearer ${bearer}`, ...(body && { 'content-type': 'application/scim+json' }) },
    ...(body && { payload: JSON.stringify(body) }),
  })
  return { status: response.statusCode, body: response.body ? response.json() : undefined }
}
const patch = (...Operations: object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
})
let count = 0
const hire = async () => (await scim('POST', '/Users', { userName: `p${++count}@${DOMAIN}` })).body.id as string
const readRoleOrDisabled = async (userId: string) => {
  const own = and(eq(memberships.userId, userId), eq(memberships.companyId, admin.companyId))
  const [row] = await server.db.select().from(memberships).where(own)
  return row?.disabledAt ? 'disabled' : row?.role
}
const make = async (displayName: string, members: string[] = [], more: object = {}) =>
  scim('POST', '/Groups', { displayName, members: members.map((value) => ({ value })), ...more })

describe('the life of a group', () => {
  let [ada, leo] = ['', '']
  beforeAll(async () => {
    ada = await hire()
    leo = await hire()
  })

  test('is made with its people, who have its role at once; found by name and by its number there', async () => {
    const made = await make('Comptabilité', [ada], { externalId: 'g-7' })
    expect([made.status, made.body.displayName, made.body.members.length]).toEqual([201, 'Comptabilité', 1])
    expect([await readRoleOrDisabled(ada), await readRoleOrDisabled(leo)]).toEqual(['accountant', 'reader'])
    for (const filter of ['displayName eq "comptabilité"', 'externalId eq "g-7"', `id eq "${made.body.id}"`]) {
      const { body } = await scim('GET', `/Groups?filter=${encodeURIComponent(filter)}`)
      expect(body).toMatchObject({ totalResults: 1, Resources: [{ id: made.body.id, members: [{ value: ada }] }] })
    }
    const lean = await scim('GET', `/Groups/${made.body.id}?excludedAttributes=members`)
    expect(lean.body.members).toBeUndefined()
    expect((await make('COMPTABILITÉ')).body).toMatchObject({ status: '409', scimType: 'uniqueness' })
    const [entry] = await server.db.select().from(auditEntries).where(eq(auditEntries.target, 'Comptabilité'))
    expect(entry?.actor).toContain('annuaire')
    const told = await server.db
      .select()
      .from(events)
      .where(and(eq(events.name, 'member.changed'), eq(events.object, ada)))
      .orderBy(events.seq)
    expect(told.map(({ data }) => data)).toMatchObject([
      { status: 'active', role: 'reader' },
      { status: 'active', role: 'accountant' },
    ])
  })

  test.each([
    [
      'Entra',
      () => patch({ op: 'Add', path: 'members', value: [{ value: leo }] }),
      () => patch({ op: 'Remove', path: 'members', value: [{ value: leo }] }),
    ],
    [
      'Okta',
      () => patch({ op: 'add', path: 'members', value: [{ value: leo, display: 'Léo' }] }),
      () => patch({ op: 'remove', path: `members[value eq "${leo}"]` }),
    ],
  ])('people join and leave as %s says it: the role comes and goes with the group', async (_, join, leave) => {
    const [group] = (await scim('GET', '/Groups')).body.Resources
    await scim('PATCH', `/Groups/${group.id}`, join())
    await scim('PATCH', `/Groups/${group.id}`, join())
    expect(await readRoleOrDisabled(leo)).toBe('accountant')
    const { body } = await scim('PATCH', `/Groups/${group.id}`, leave())
    expect([body.members.map(({ value }: { value: string }) => value), await readRoleOrDisabled(leo)]).toEqual([
      [ada],
      'reader',
    ])
  })

  test('of two groups the first rule counts; a whole list replaces the one before', async () => {
    const { id: gestion } = (await make('gestion', [ada])).body
    expect(await readRoleOrDisabled(ada)).toBe('manager')
    await scim('PUT', `/Groups/${gestion}`, { displayName: 'gestion', members: [{ value: leo }] })
    expect([await readRoleOrDisabled(ada), await readRoleOrDisabled(leo)]).toEqual(['accountant', 'manager'])
    await scim('PATCH', `/Groups/${gestion}`, patch({ op: 'replace', path: 'members', value: [] }))
    expect(await readRoleOrDisabled(leo)).toBe('reader')
    await scim('DELETE', `/Groups/${gestion}`)
    expect((await scim('GET', `/Groups/${gestion}`)).status).toBe(404)
  })

  test('renamed to what a rule knows it gives its role, and renamed away takes it', async () => {
    const { id: group } = (await make('Divers', [leo])).body
    expect(await readRoleOrDisabled(leo)).toBe('reader')
    await scim('PATCH', `/Groups/${group}`, patch({ op: 'replace', value: { id: group, displayName: 'Gestion' } }))
    expect(await readRoleOrDisabled(leo)).toBe('manager')
    await scim('PATCH', `/Groups/${group}`, patch({ op: 'Replace', path: 'displayName', value: 'Autre' }))
    expect(await readRoleOrDisabled(leo)).toBe('reader')
  })
})

test('a group that no rule names leaves the role that somebody gave by hand', async () => {
  const zoe = await hire()
  await server.db.update(memberships).set({ role: 'technician' }).where(eq(memberships.userId, zoe))
  expect((await make('Bibliothèque', [zoe])).status).toBe(201)
  expect(await readRoleOrDisabled(zoe)).toBe('technician')
})

describe('with no role for whoever is in no group', () => {
  beforeEach(() => server.db.update(ssoConnections).set({ defaultRole: null }).where(eq(ssoConnections.id, id)))

  test('who leaves the last one is shut out: the right does not outlive the group', async () => {
    await server.db.update(ssoConnections).set({ defaultRole: 'reader' }).where(eq(ssoConnections.id, id))
    const eve = await hire()
    const { id: group } = (await make('Gestion', [eve])).body
    await server.db.update(ssoConnections).set({ defaultRole: null }).where(eq(ssoConnections.id, id))
    await scim('DELETE', `/Groups/${group}`)
    expect(await readRoleOrDisabled(eve)).toBe('disabled')
  })
})

describe('refusals', () => {
  test('people of elsewhere, other directories, names that are none', async () => {
    const stranger = await makeUser(server.db, { email: `dehors@${DOMAIN}` })
    for (const value of [stranger.id, admin.id, 'x', crypto.randomUUID()])
      expect((await make(`Faux ${value}`, [value])).body).toMatchObject({ status: '400', scimType: 'invalidValue' })
    expect((await scim('POST', '/Groups', {})).body.scimType).toBe('invalidValue')
    expect((await scim('GET', '/Groups?filter=members%20pr')).body.scimType).toBe('invalidFilter')
    const [group] = (await scim('GET', '/Groups')).body.Resources
    expect((await scim('PATCH', `/Groups/${group.id}`, patch({ op: 'move', path: 'members' }))).status).toBe(400)
    const other = await makeUser(server.db)
    const theirs = await makeSsoConnection(server, other, 'autre-forge.fr')
    const bearer = (await call(server, sso.scimToken, { params: { id: theirs.id } }, other)).body.token
    expect((await scim('GET', `/Groups/${group.id}`, undefined, bearer)).status).toBe(404)
    expect((await scim('DELETE', `/Groups/${group.id}`, undefined, bearer)).status).toBe(404)
    expect((await scim('GET', '/Groups', undefined, bearer)).body.totalResults).toBe(0)
    expect((await scim('GET', '/Groups', undefined, 'x')).status).toBe(401)
  })

  test('a group that would take the last administrator away changes nothing', async () => {
    const only = await makeUser(server.db)
    const own = await makeSsoConnection(server, only, 'seul.fr', { roles: [{ group: 'Lecteurs', role: 'reader' }] })
    const bearer = (await call(server, sso.scimToken, { params: { id: own.id } }, only)).body.token
    await server.asOwner(`update users set email = 'chef@seul.fr' where id = '${only.id}'`)
    const made = await scim('POST', '/Groups', { displayName: 'Lecteurs', members: [{ value: only.id }] }, bearer)
    expect(made.status).toBe(409)
    expect((await scim('GET', '/Groups', undefined, bearer)).body.totalResults).toBe(0)
  })
})
