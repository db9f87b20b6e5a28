import { auth } from '@voisol/contract/auth'
import { sso } from '@voisol/contract/sso'
import { and, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeSession, makeUser } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { allowLocalProviders, makeSsoConnection } from '../../../../test/sso-flow.ts'
import { memberships, ssoGroupMembers, ssoGroups, ssoPeople, users } from '../../../db/schema/index.ts'

const server = useServer()
const OWN = 'verrerie-du-lac.fr'
const OTHER = 'tannerie-du-pont.fr'
type User = Awaited<ReturnType<typeof makeUser>>
let admin: User
let own: User
let token: string
let stranger: User
let sameDomain: User
let shared: User
let sharedElsewhere: string
let foreignGroup: string

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
async function scim(method: Method, path: string, body?: object, headers: Record<string, string> = {}) {
  const response = await server.app.inject({
    method,
    url: `/scim/v2${path}`,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/scim+json' }),
      ...headers,
    },
    ...(body && { payload: JSON.stringify(body) }),
  })
  return { status: response.statusCode, body: response.body ? response.json() : undefined }
}
const replacing = (path: string, value: unknown) => ({ Operations: [{ op: 'replace', path, value }] })
const filterOf = (text: string) => `filter=${encodeURIComponent(text)}`

/** All that a directory could have changed of these people. */
const readState = async (...people: User[]) =>
  Promise.all(
    people.map(async ({ id }) => ({
      account: await server.db.select().from(users).where(eq(users.id, id)),
      places: await server.db
        .select()
        .from(memberships)
        .where(eq(memberships.userId, id))
        .orderBy(memberships.companyId),
      links: await server.db.select().from(ssoPeople).where(eq(ssoPeople.userId, id)),
      groups: await server.db.select().from(ssoGroupMembers).where(eq(ssoGroupMembers.userId, id)),
    })),
  )

beforeAll(async () => {
  allowLocalProviders(server)
  admin = await makeUser(server.db)
  const { id } = await makeSsoConnection(server, admin, OWN)
  token = (await call(server, sso.scimToken, { params: { id } }, admin)).body.token
  own = await makeUser(server.db, { companyId: admin.companyId, role: 'reader', email: `eva@${OWN}` })
  const otherAdmin = await makeUser(server.db)
  const { companyId } = otherAdmin
  const theirs = await makeSsoConnection(server, otherAdmin, OTHER)
  stranger = await makeUser(server.db, { companyId, role: 'reader', email: `noe@${OTHER}` })
  sameDomain = await makeUser(server.db, { companyId, role: 'reader', email: `lou@${OWN}` })
  shared = await makeUser(server.db, { companyId, role: 'manager', email: `sam@${OWN}` })
  sharedElsewhere = await makeSession(server.db, shared.id, companyId)
  await server.db
    .insert(memberships)
    .values({ companyId: admin.companyId, userId: shared.id, role: 'reader', acceptedAt: new Date() })
  const [group] = await server.db
    .insert(ssoGroups)
    .values({ companyId, connectionId: theirs.id, displayName: 'Ateliers' })
    .returning()
  foreignGroup = group?.id ?? ''
  await server.db.insert(ssoGroupMembers).values({ companyId, groupId: foreignGroup, userId: stranger.id })
})
beforeEach(() => server.db.execute('delete from throttles'))

describe('people of another company', () => {
  test('are neither found by their id, their address nor a filter, nor counted', async () => {
    for (const { id, email } of [stranger, sameDomain]) {
      expect((await scim('GET', `/Users/${id}`)).status).toBe(404)
      for (const filter of [`id eq "${id}"`, `userName eq "${email}"`, `emails.value eq "${email}"`]) {
        const { status, body } = await scim('GET', `/Users?${filterOf(filter)}`)
        if (status === 200) expect([filter, body.totalResults, body.Resources]).toEqual([filter, 0, []])
        else expect([filter, status]).toEqual([filter, 400])
      }
    }
    const { body } = await scim('GET', '/Users?count=200')
    expect(body.Resources.map(({ id }: { id: string }) => id).sort()).toEqual([own.id, shared.id].sort())
    expect(body.totalResults).toBe(2)
  })

  test('are not changed, shut out nor let in by a directory that names their id', async () => {
    const before = await readState(stranger, sameDomain)
    for (const { id, email } of [stranger, sameDomain]) {
      const body = { userName: email, name: { givenName: 'Volé', familyName: 'Volé' }, active: false, externalId: 'x' }
      const answers = [
        await scim('PUT', `/Users/${id}`, body),
        await scim('PATCH', `/Users/${id}`, replacing('active', false)),
        await scim('PATCH', `/Users/${id}`, replacing('externalId', 'x')),
        await scim('DELETE', `/Users/${id}`),
        await scim('PUT', `/Users/${id.toUpperCase()}`, body),
      ]
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    }
    expect(await readState(stranger, sameDomain)).toEqual(before)
  })

  test('are not taken over by their address, in a creation or a change', async () => {
    const before = await readState(stranger, sameDomain, own)
    const emails = [stranger.email, sameDomain.email, sameDomain.email.toUpperCase()]
    for (const userName of emails) {
      expect((await scim('POST', '/Users', { userName, active: true })).status).toBeGreaterThanOrEqual(400)
      const moved = await scim('PATCH', `/Users/${own.id}`, replacing('userName', userName))
      expect(moved.status).toBeGreaterThanOrEqual(400)
      expect(moved.status).toBeLessThan(500)
    }
    expect(await readState(stranger, sameDomain, own)).toEqual(before)
  })

  test('are put in no group of this directory, and their groups are out of its reach', async () => {
    const before = await readState(stranger, sameDomain)
    const made = await scim('POST', '/Groups', { displayName: 'Tous' })
    for (const { id } of [stranger, sameDomain]) {
      const member = { Operations: [{ op: 'add', path: 'members', value: [{ value: id }] }] }
      expect((await scim('PATCH', `/Groups/${made.body.id}`, member)).status).toBe(400)
      expect((await scim('POST', '/Groups', { displayName: 'Volé', members: [{ value: id }] })).status).toBe(400)
    }
    const mine = { Operations: [{ op: 'add', path: 'members', value: [{ value: own.id }] }] }
    const path = `/Groups/${foreignGroup}`
    const answers = [
      await scim('GET', path),
      await scim('PUT', path, { displayName: 'Volé', members: [] }),
      await scim('PATCH', path, mine),
      await scim('DELETE', path),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect(await readState(stranger, sameDomain)).toEqual(before)
    expect(
      await server.db.$count(ssoGroups, and(eq(ssoGroups.id, foreignGroup), eq(ssoGroups.displayName, 'Ateliers'))),
    ).toBe(1)
  })
})

describe('somebody of two companies', () => {
  test('keeps their name and address, that the other company relies on', async () => {
    const before = (await readState(shared))[0]?.account
    for (const change of [replacing('name.givenName', 'Volé'), replacing('userName', `vole@${OWN}`)])
      expect((await scim('PATCH', `/Users/${shared.id}`, change)).body).toMatchObject({ status: '409' })
    expect((await readState(shared))[0]?.account).toEqual(before)
  })

  test('shut out by one directory, goes on in the other company', async () => {
    expect((await scim('DELETE', `/Users/${shared.id}`)).status).toBe(204)
    const [{ places } = { places: [] }] = await readState(shared)
    const open = places.filter(({ disabledAt }) => disabledAt === null).map(({ companyId }) => companyId)
    expect(open).toEqual([shared.companyId])
    expect((await call(server, auth.me, {}, { token: sharedElsewhere })).status).toBe(200)
  })
})

describe('what a directory may write', () => {
  test.each([
    'startIndex=99999999999999999999',
    'count=99999999999999999999',
    'startIndex=1e9',
    'startIndex=un',
    'count=',
    'count=1.5',
    'count=1&count=2',
    'filter=a&filter=b',
  ])('%s is a 400 with its reason, of people and of groups', async (query) => {
    for (const path of ['/Users', '/Groups']) {
      const { status, body } = await scim('GET', `${path}?${query}`)
      expect([status, body.status, body.scimType]).toEqual([400, '400', 'invalidValue'])
    }
  })

  test.each([
    ['startIndex=0&count=1', 1, 1],
    ['startIndex=-5', 1, undefined],
    ['count=-1', 1, 0],
    ['startIndex=999999999', 999_999_999, 0],
  ])('%s is read as RFC 7644 says', async (query, startIndex, length) => {
    const { status, body } = await scim('GET', `/Users?${query}`)
    expect([status, body.startIndex]).toEqual([200, startIndex])
    if (length !== undefined) expect(body.Resources).toHaveLength(length)
  })

  test.each(['application/json', 'application/scim+json', 'text/plain', 'application/x-www-form-urlencoded'])(
    'a removal that says %s and carries nothing is done',
    async (type) => {
      const { body } = await scim('POST', '/Users', { userName: `parti-${type.replace(/\W/g, '')}@${OWN}` })
      expect((await scim('DELETE', `/Users/${body.id}`, undefined, { 'content-type': type })).status).toBe(204)
      expect((await scim('GET', `/Users/${body.id}`)).body.active).toBe(false)
    },
  )

  test('a null character, a body of another kind and no body at all are refused, and nothing fails', async () => {
    expect((await scim('POST', '/Users', { userName: `a\u0000b@${OWN}`, externalId: 'x\u0000y' })).status).toBe(400)
    expect((await scim('POST', '/Users', { userName: 'x' }, { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await scim('POST', '/Users', undefined, { 'content-type': 'application/scim+json' })).status).toBe(400)
    for (const method of ['PUT', 'PATCH'] as const)
      expect((await scim(method, `/Users/${own.id}`, undefined, { 'content-type': 'application/json' })).status).toBe(
        400,
      )
  })
})
