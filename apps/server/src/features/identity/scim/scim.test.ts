import { auth } from '@voisol/contract/auth'
import { sso } from '@voisol/contract/sso'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeApiKey, makeSession, makeUser } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { allowLocalProviders, makeSsoConnection } from '../../../../test/sso-flow.ts'
import { auditEntries, memberships, users } from '../../../db/schema/index.ts'

const server = useServer()
const DOMAIN = 'usine-des-grees.fr'
type User = Awaited<ReturnType<typeof makeUser>>
let admin: User
let id: string
let token: string

beforeAll(async () => {
  allowLocalProviders(server)
  admin = await makeUser(server.db)
  id = (await makeSsoConnection(server, admin, DOMAIN, { roles: [{ group: 'Comptabilité', role: 'accountant' }] })).id
  token = (await call(server, sso.scimToken, { params: { id } }, admin)).body.token
})

async function scim(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object, bearer = token) {
  const response = await server.app.inject({
    method,
    url: `/scim/v2${path}`,
    headers: { authorization: `Bearer ${bearer}`, ...(body && { 'content-type': 'application/scim+json' }) },
    ...(body && { payload: JSON.stringify(body) }),
  })
  const { statusCode: status, headers } = response
  return { status, type: String(headers['content-type']), body: response.body ? response.json() : undefined }
}

const ADA = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: `ada.morel@${DOMAIN}`,
  externalId: 'e-7',
  name: { givenName: 'Ada', familyName: 'Morel' },
  emails: [{ value: `ada.morel@${DOMAIN}`, type: 'work', primary: true }],
  active: true,
}
const patch = (...Operations: object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
})

describe('the life of somebody in a directory', () => {
  let ada: string

  test('is looked for, made, and found by name and by its number there', async () => {
    const filter = encodeURIComponent(`userName eq "${ADA.userName.toUpperCase()}"`)
    const none = await scim('GET', `/Users?filter=${filter}`)
    expect(none.body).toMatchObject({ totalResults: 0, Resources: [] })
    const made = await scim('POST', '/Users', ADA)
    expect({ status: made.status, type: made.type }).toEqual({
      status: 201,
      type: 'application/scim+json; charset=utf-8',
    })
    expect(made.body).toMatchObject({ userName: ADA.userName, externalId: 'e-7', active: true, name: ADA.name })
    ada = made.body.id
    for (const by of [filter, encodeURIComponent('externalId eq "e-7"')])
      expect((await scim('GET', `/Users?filter=${by}`)).body.Resources).toMatchObject([{ id: ada }])
    expect((await scim('GET', `/Users/${ada}`)).body.meta.location).toBe(`http://localhost/scim/v2/Users/${ada}`)
    const again = await scim('POST', '/Users', ADA)
    expect({ status: again.status, body: again.body }).toMatchObject({
      status: 409,
      body: { scimType: 'uniqueness', status: '409' },
    })
    const [entry] = await server.db.select().from(auditEntries).where(eq(auditEntries.target, ADA.userName))
    expect(entry?.actor).toContain('annuaire')
  })

  test('is changed by a whole resource, and by patches as Entra and Okta write them', async () => {
    const put = await scim('PUT', `/Users/${ada}`, { ...ADA, name: { givenName: 'Ada', familyName: 'Morel-Roy' } })
    expect(put.body.name.familyName).toBe('Morel-Roy')
    const entra = patch(
      { op: 'Replace', path: 'name.givenName', value: 'Adélaïde' },
      { op: 'Add', path: 'emails[type eq "work"].value', value: `autre@${DOMAIN}` },
      { op: 'Replace', path: 'title', value: 'Cheffe' },
    )
    expect((await scim('PATCH', `/Users/${ada}`, entra)).body.name.givenName).toBe('Adélaïde')
    const okta = patch({ op: 'replace', value: { userName: `ada.roy@${DOMAIN}`, 'name.familyName': 'Roy' } })
    expect((await scim('PATCH', `/Users/${ada}`, okta)).body).toMatchObject({
      userName: `ada.roy@${DOMAIN}`,
      name: { givenName: 'Adélaïde', familyName: 'Roy' },
    })
  })

  test.each([
    [
      'Entra',
      patch({ op: 'Replace', path: 'active', value: 'False' }),
      patch({ op: 'Replace', path: 'active', value: 'True' }),
    ],
    ['Okta', patch({ op: 'replace', value: { active: false } }), patch({ op: 'replace', value: { active: true } })],
  ])('is shut out at the very next call, key included, as %s says it', async (_, off, on) => {
    const session = await makeSession(server.db, ada, admin.companyId)
    await server.db.update(memberships).set({ role: 'admin' }).where(eq(memberships.userId, ada))
    const key = await makeApiKey(server.db, { id: ada, companyId: admin.companyId }, { permissions: ['users.read'] })
    expect((await call(server, auth.me, {}, { token: session })).status).toBe(200)
    expect((await scim('PATCH', `/Users/${ada}`, off)).body.active).toBe(false)
    expect((await call(server, auth.me, {}, { token: session })).status).toBe(401)
    const { statusCode } = await server.app.inject({ url: '/api/users', headers: { authorization: `Bearer ${key}` } })
    expect(statusCode).toBe(401)
    expect((await scim('PATCH', `/Users/${ada}`, on)).body.active).toBe(true)
    expect((await call(server, auth.me, {}, { token: session })).status).toBe(401)
  })

  test('is removed: nothing of theirs is, but nothing opens any more', async () => {
    expect((await scim('DELETE', `/Users/${ada}`)).status).toBe(204)
    expect((await scim('GET', `/Users/${ada}`)).body.active).toBe(false)
  })
})

test('roles follow the groups that are sent, and pages hold what was asked for', async () => {
  const made = await scim('POST', '/Users', { userName: `compta@${DOMAIN}`, roles: [{ value: 'comptabilité' }] })
  const [row] = await server.db.select().from(memberships).where(eq(memberships.userId, made.body.id))
  expect(row?.role).toBe('accountant')
  const page = await scim('GET', '/Users?startIndex=2&count=1')
  expect(page.body).toMatchObject({ totalResults: 2, startIndex: 2, itemsPerPage: 1 })
  expect((await scim('GET', '/Users?count=0')).body).toMatchObject({ totalResults: 2, Resources: [] })
})

test('what it says of itself needs nobody', async () => {
  for (const path of ['/ServiceProviderConfig', '/ResourceTypes', '/Schemas'])
    expect((await scim('GET', path, undefined, 'aucun')).status).toBe(200)
})

describe('refusals are in its own form', () => {
  const refused = async (...call: Parameters<typeof scim>) => {
    const { status, type, body } = await scim(...call)
    expect({ type, schemas: body.schemas, said: body.status }).toEqual({
      type: 'application/scim+json; charset=utf-8',
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      said: String(status),
    })
    return { status, kind: body.scimType, detail: body.detail as string }
  }

  test('bad filters, bodies, operations and addresses', async () => {
    expect(await refused('GET', '/Users?filter=title%20co%20%22x%22')).toMatchObject({
      status: 400,
      kind: 'invalidFilter',
    })
    expect(await refused('POST', '/Users', {})).toMatchObject({ status: 400, kind: 'invalidValue' })
    expect(await refused('POST', '/Users', { userName: 'x@ailleurs.fr' })).toMatchObject({ status: 400 })
    expect(await refused('GET', `/Users/${crypto.randomUUID()}`)).toMatchObject({ status: 404 })
    expect(await refused('GET', '/Users/x')).toMatchObject({ status: 404 })
    const odd = patch({ op: 'move', path: 'active', value: true })
    expect(await refused('PATCH', `/Users/${admin.id}`, odd)).toMatchObject({ status: 400, kind: 'invalidSyntax' })
  })

  test('a token that is none, of the past, or of another company', async () => {
    expect((await refused('GET', '/Users', undefined, 'x')).status).toBe(401)
    expect((await refused('GET', '/Users', undefined, admin.token)).status).toBe(401)
    const before = token
    token = (await call(server, sso.scimToken, { params: { id } }, admin)).body.token
    expect((await refused('GET', '/Users', undefined, before)).status).toBe(401)
    expect((await scim('GET', '/Users')).status).toBe(200)
    const swapped = token.replace(`scim_${admin.companyId}_`, `scim_${admin.companyId + 1}_`)
    expect((await refused('GET', '/Users', undefined, swapped)).status).toBe(401)
  })
})

describe('a directory reaches its own people alone', () => {
  test('neither another company’s, nor members of other domains, nor accounts that are elsewhere too', async () => {
    const stranger = await makeUser(server.db, { email: `dehors@${DOMAIN}` })
    expect((await scim('GET', `/Users/${stranger.id}`)).status).toBe(404)
    expect((await scim('GET', `/Users/${admin.id}`)).status).toBe(404)
    expect((await scim('DELETE', `/Users/${admin.id}`)).status).toBe(404)
    expect((await scim('POST', '/Users', { userName: stranger.email })).status).toBe(409)
    const shared = await makeUser(server.db, { companyId: admin.companyId, email: `deux@${DOMAIN}`, role: 'reader' })
    await server.db
      .insert(memberships)
      .values({ companyId: stranger.companyId, userId: shared.id, role: 'reader', acceptedAt: new Date() })
    const renamed = patch({ op: 'replace', value: { userName: `pris@${DOMAIN}` } })
    expect((await scim('PATCH', `/Users/${shared.id}`, renamed)).status).toBe(409)
    expect(
      (await scim('PATCH', `/Users/${shared.id}`, patch({ op: 'replace', value: { active: false } }))).status,
    ).toBe(200)
    const [kept] = await server.db.select().from(users).where(eq(users.id, shared.id))
    expect(kept?.email).toBe(`deux@${DOMAIN}`)
    const [other] = await server.db.select().from(memberships).where(eq(memberships.companyId, stranger.companyId))
    expect(other?.disabledAt).toBeNull()
  })

  test('the one who keeps the spare key is not shut out by it', async () => {
    const spare = await makeUser(server.db, { companyId: admin.companyId, email: `secours@${DOMAIN}` })
    await call(server, sso.enforce, { params: { id }, body: { on: true, breakGlassId: spare.id } }, admin)
    const off = await scim('PATCH', `/Users/${spare.id}`, patch({ op: 'replace', value: { active: false } }))
    expect({ status: off.status, detail: off.body.detail }).toEqual({
      status: 409,
      detail: expect.stringContaining('administrateur de secours'),
    })
  })
})
