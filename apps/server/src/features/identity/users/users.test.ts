import { auth } from '@voisol/contract/auth'
import { users as endpoints } from '@voisol/contract/users'
import { and, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeSession, makeUser } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { auditEntries, memberships, throttles, users } from '../../../db/schema/index.ts'

const server = useServer()
beforeEach(async () => void (await server.db.delete(throttles)))

type Person = Awaited<ReturnType<typeof makeUser>>
const get = async (admin: Person, id: string) =>
  (await call(server, endpoints.get, { params: { id } }, { token: admin.token })).body
const save = async (admin: Person, id: string, change: Record<string, unknown>) => {
  const { firstName, lastName, phone, role, version } = await get(admin, id)
  const body = { firstName, lastName, phone, role, version, ...change }
  return call(server, endpoints.update, { params: { id }, body }, { token: admin.token })
}
const act = (e: typeof endpoints.disable | typeof endpoints.enable, admin: Person, id: string) =>
  call(server, e, { params: { id } }, { token: admin.token })

async function makeColleague(admin: Person, isAdmin = false) {
  return makeUser(server.db, { companyId: admin.companyId, isAdmin })
}
async function makeSharedMember(admin: Person) {
  const person = await makeUser(server.db)
  await server.db
    .insert(memberships)
    .values({ companyId: admin.companyId, userId: person.id, role: 'client', acceptedAt: new Date() })
  return person
}

describe('the list', () => {
  let admin: Person
  beforeAll(async () => {
    admin = await makeUser(server.db, { email: 'chef@exemple.fr' })
    const rename = async (firstName: string, lastName: string, isAdmin: boolean) => {
      const person = await makeColleague(admin, isAdmin)
      await server.db.update(users).set({ firstName, lastName }).where(eq(users.id, person.id))
      return person
    }
    await rename('Zoé', 'Lefèvre', false)
    await rename('Éric', 'Abel', true)
    const gone = await rename('=Léa', 'Lefebvre', false)
    await server.db.update(memberships).set({ disabledAt: new Date() }).where(eq(memberships.userId, gone.id))
    await makeUser(server.db)
  })
  const list = async (query: Record<string, string> = {}) =>
    (await call(server, endpoints.list, { query }, { token: admin.token })).body
  const names = async (query: Record<string, string>) =>
    (await list(query)).items.map((user: { lastName: string }) => user.lastName)

  test('contains the members of the company, searched without accents by every word', async () => {
    expect((await list()).total).toBe(4)
    expect(await names({ q: 'lefevre ZOE' })).toEqual(['Lefèvre'])
    expect(await names({ q: 'lef' })).toEqual(['Lefebvre', 'Lefèvre'])
    expect(await names({ q: '%' })).toEqual([])
  })

  test('filters, sorts and paginates', async () => {
    expect(await names({ role: 'client', status: 'active' })).toEqual(['Lefèvre'])
    expect(await names({ status: 'disabled' })).toEqual(['Lefebvre'])
    expect((await names({ sort: '-name' })).at(-1)).toBe('Abel')
    expect((await list({ sort: 'constructor' })).items[0].lastName).toBe('Abel')
    const second = await list({ size: '3', page: '2' })
    expect([second.items.length, second.total]).toEqual([1, 4])
    expect((await call(server, endpoints.list, { query: { role: 'roi' } }, { token: admin.token })).status).toBe(422)
  })

  test('exports exactly the filtered rows, with formulas escaped', async () => {
    const query = { q: 'lef', size: '1' }
    const { status, headers, text } = await call(server, endpoints.export, { query }, { token: admin.token })
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(headers['content-disposition']).toMatch(/utilisateurs-\d{4}-\d\d-\d\d\.csv/)
    const lines = text.trim().split('\r\n')
    expect(text.startsWith('\uFEFFE-mail;Prénom;Nom')).toBe(true)
    expect(lines).toHaveLength(3)
    expect(lines[1]).toContain(";'=Léa;Lefebvre;")
    expect(lines[1]).toContain(';Désactivé;non;')
  })
})

describe('a change', () => {
  test('is recorded with the previous values, and refused for an outdated version', async () => {
    const admin = await makeUser(server.db)
    const person = await makeColleague(admin)
    const seen = await get(admin, person.id)
    expect((await save(admin, person.id, { firstName: 'Inès', role: 'admin' })).body).toMatchObject({
      firstName: 'Inès',
      role: 'admin',
    })
    expect((await save(admin, person.id, { lastName: 'Autre', version: seen.version })).body.code).toBe('stale')
    const [entry] = await server.db
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.companyId, admin.companyId), eq(auditEntries.target, person.email)))
    expect(entry?.detail).toMatchObject({ before: { role: 'client' }, after: { role: 'admin', firstName: 'Inès' } })
  })

  test('of two concurrent changes of one version, one is refused', async () => {
    const admin = await makeUser(server.db)
    const person = await makeColleague(admin)
    const { version } = await get(admin, person.id)
    const answers = await Promise.all(['A', 'B', 'C'].map((lastName) => save(admin, person.id, { lastName, version })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })

  test('with unknown fields is refused and changes nothing', async () => {
    const admin = await makeUser(server.db)
    const person = await makeColleague(admin)
    for (const more of [
      { isAdmin: true },
      { companyId: 1 },
      { id: admin.id },
      { status: 'active' },
      { email: 'a@b.fr' },
    ])
      expect((await save(admin, person.id, { ...more, firstName: 'Pirate' })).status).toBe(422)
    expect((await get(admin, person.id)).firstName).toBe('Camille')
  })

  test('cannot change the names of a member of other companies, but their role', async () => {
    const admin = await makeUser(server.db)
    const person = await makeSharedMember(admin)
    expect((await save(admin, person.id, { lastName: 'Renommé' })).body).toMatchObject({
      status: 409,
      code: 'conflict',
    })
    expect((await save(admin, person.id, { role: 'admin' })).body.role).toBe('admin')
  })

  test('people of another company are not found by any call', async () => {
    const admin = await makeUser(server.db)
    const stranger = await makeUser(server.db)
    const params = { id: stranger.id }
    const body = { firstName: 'X', lastName: 'Y', phone: '', role: 'client', version: 1 }
    const { list: _l, export: _e, invite: _i, import: _m, ...withId } = endpoints
    for (const e of Object.values(withId))
      expect((await call(server, e, { params, ...('body' in e && { body }) }, { token: admin.token })).status).toBe(404)
    const [row] = await server.db.select().from(users).where(eq(users.id, stranger.id))
    expect(row?.firstName).toBe('Camille')
    expect((await call(server, auth.me, {}, { token: stranger.token })).status).toBe(200)
  })

  test('a client can neither read nor change users', async () => {
    const admin = await makeUser(server.db)
    const client = await makeColleague(admin)
    expect((await call(server, endpoints.list, {}, { token: client.token })).status).toBe(403)
    expect((await act(endpoints.disable, client, admin.id)).status).toBe(403)
  })
})

describe('access', () => {
  test('ends at the next request when disabled, in this company only, and returns when enabled', async () => {
    const admin = await makeUser(server.db)
    const person = await makeSharedMember(admin)
    const here = await makeSession(server.db, person.id, admin.companyId)
    expect((await act(endpoints.disable, admin, person.id)).body.status).toBe('disabled')
    expect((await call(server, auth.me, {}, { token: here })).status).toBe(401)
    expect((await call(server, auth.me, {}, { token: person.token })).status).toBe(200)
    expect((await act(endpoints.enable, admin, person.id)).body.status).toBe('active')
    expect((await call(server, auth.me, {}, { token: here })).status).toBe(401)
  })

  test('the last active administrator can be neither disabled nor demoted', async () => {
    const admin = await makeUser(server.db)
    const other = await makeColleague(admin, true)
    expect((await act(endpoints.disable, admin, other.id)).status).toBe(200)
    expect((await act(endpoints.disable, admin, admin.id)).body.code).toBe('last-admin')
    expect((await save(admin, admin.id, { role: 'client' })).body.code).toBe('last-admin')
    expect((await get(admin, admin.id)).role).toBe('admin')
  })

  test('administrators who disable or demote each other at once leave one', async () => {
    for (let round = 0; round < 5; round++) {
      const a = await makeUser(server.db)
      const b = await makeColleague(a, true)
      await Promise.all([
        act(endpoints.disable, a, b.id),
        act(endpoints.disable, b, a.id),
        save(a, a.id, { role: 'client' }),
        save(b, b.id, { role: 'client' }),
      ])
      const left = await server.db.select().from(memberships).where(eq(memberships.companyId, a.companyId))
      expect(left.filter((m) => m.role === 'admin' && !m.disabledAt).length).toBeGreaterThanOrEqual(1)
    }
  })
})

describe('security of an account', () => {
  const reset = (admin: Person, id: string) =>
    call(server, endpoints.resetSecondFactor, { params: { id } }, { token: admin.token })
  const withFactor = (id: string) =>
    server.db.update(users).set({ totpEnabledAt: new Date(), totpSecret: 'x' }).where(eq(users.id, id))

  test('resets the second factor of a colleague, not one’s own nor that of a member of other companies', async () => {
    const admin = await makeUser(server.db)
    const person = await makeColleague(admin)
    const both = await makeSharedMember(admin)
    expect((await reset(admin, person.id)).status).toBe(409)
    for (const { id } of [admin, person, both]) await withFactor(id)
    expect((await reset(admin, person.id)).body.secondFactor).toBe(false)
    expect((await reset(admin, both.id)).status).toBe(409)
    expect((await reset(admin, admin.id)).status).toBe(409)
    expect((await get(admin, both.id)).secondFactor).toBe(true)
  })

  test('lists and ends sessions on this company only', async () => {
    const admin = await makeUser(server.db)
    const person = await makeSharedMember(admin)
    const here = await makeSession(server.db, person.id, admin.companyId)
    const params = { id: person.id }
    const seen = await call(server, endpoints.sessions, { params }, { token: admin.token })
    expect(seen.body.items).toHaveLength(1)
    expect(seen.body.items[0]).toMatchObject({ current: false, device: 'Firefox sur Windows' })
    const closed = await call(server, endpoints.revokeSessions, { params }, { token: admin.token })
    expect(closed.body.revoked).toBe(1)
    expect((await call(server, auth.me, {}, { token: here })).status).toBe(401)
    expect((await call(server, auth.me, {}, { token: person.token })).status).toBe(200)
  })
})
