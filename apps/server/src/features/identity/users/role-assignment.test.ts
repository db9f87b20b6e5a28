import { auth } from '@voisol/contract/auth'
import { energy } from '@voisol/contract/energy'
import { operations } from '@voisol/contract/operations'
import { users } from '@voisol/contract/users'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation, makeParticipant } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'

const server = useServer()
type Person = Awaited<ReturnType<typeof makeUser>>

async function update(who: Person, person: Person, change: { role: string; operationIds?: string[] | null }) {
  const params = { id: person.id }
  const { version } = (await call(server, users.get, { params }, who)).body
  const { firstName, lastName } = person
  return call(server, users.update, { params, body: { firstName, lastName, phone: '', version, ...change } }, who)
}

test('a user limited to an operation sees it alone and loses company-wide permissions', async () => {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const person = await makeUser(server.db, { companyId, role: 'manager' })
  const [one, two] = [await makeOperation(server.db, { companyId }), await makeOperation(server.db, { companyId })]
  const seen = async () =>
    (await call(server, operations.list, {}, person)).body.items.map(({ id }: { id: string }) => id)
  expect((await seen()).sort()).toEqual([one.id, two.id].sort())
  const limited = await update(admin, person, { role: 'manager', operationIds: [two.id, two.id] })
  expect(limited.body.operationIds).toEqual([two.id])
  expect(await seen()).toEqual([two.id])
  const me = (await call(server, auth.me, {}, person)).body
  expect(me).toMatchObject({ operationIds: [two.id], roleName: 'Gestionnaire', isAdmin: true, role: 'admin' })
  expect(me.permissions).toContain('operations.write')
  expect(me.permissions).not.toContain('operations.create')
  // Without the field the limit stays; null removes it.
  expect((await update(admin, person, { role: 'technician' })).body.operationIds).toEqual([two.id])
  expect((await update(admin, person, { role: 'technician', operationIds: null })).body.operationIds).toBeNull()
  expect(await seen()).toHaveLength(2)
})

test('a limit contains operations of the company only, and a client has none', async () => {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const person = await makeUser(server.db, { companyId, role: 'reader' })
  const own = await makeOperation(server.db, { companyId })
  const foreign = await makeOperation(server.db, { companyId: (await makeUser(server.db)).companyId })
  const refused = await update(admin, person, { role: 'reader', operationIds: [own.id, foreign.id] })
  expect(refused.body.issues).toMatchObject([{ path: 'operationIds' }])
  expect((await update(admin, person, { role: 'reader', operationIds: [] })).status).toBe(422)
  expect((await update(admin, person, { role: 'client', operationIds: [own.id] })).body.operationIds).toBeNull()
})

test('the last unlimited administrator cannot be limited', async () => {
  const admin = await makeUser(server.db)
  const { id } = await makeOperation(server.db, { companyId: admin.companyId })
  expect((await update(admin, admin, { role: 'admin', operationIds: [id] })).body.code).toBe('last-admin')
  expect((await update(admin, admin, { role: 'manager' })).body.code).toBe('last-admin')
  const second = await makeUser(server.db, { companyId: admin.companyId })
  expect((await update(second, admin, { role: 'admin', operationIds: [id] })).status).toBe(200)
  expect((await update(second, second, { role: 'reader' })).body.code).toBe('last-admin')
})

test('nobody grants, revokes or disables beyond their own permissions', async () => {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const clerk = await makeUser(server.db, { companyId, permissions: ['users.read', 'users.write', 'energy.read'] })
  const client = await makeUser(server.db, { companyId, role: 'client' })
  for (const role of ['admin', 'manager', 'accountant'])
    expect((await update(clerk, client, { role })).status).toBe(403)
  const params = { id: admin.id }
  for (const e of [users.disable, users.revokeSessions, users.resetSecondFactor])
    expect((await call(server, e, { params }, clerk)).body.code).toBe('forbidden')
  expect((await update(clerk, admin, { role: 'client' })).status).toBe(403)
  const body = { email: `neuve-${client.email}`, firstName: 'Lou', lastName: 'Roy', role: 'admin' }
  expect((await call(server, users.invite, { body }, clerk)).status).toBe(403)
  expect((await call(server, users.invite, { body: { ...body, role: 'client' } }, clerk)).status).toBe(200)
  expect((await call(server, users.disable, { params: { id: client.id } }, clerk)).status).toBe(200)
  expect((await call(server, auth.me, {}, admin)).body.roleName).toBe('Administrateur')
})

test('a manager who is also a participant has both spaces with separate data', async () => {
  const admin = await makeUser(server.db)
  const to = (space: string, who = admin) => call(server, auth.switchSpace, { body: { space } }, who)
  expect((await call(server, auth.me, {}, admin)).body).toMatchObject({ space: 'office', spaces: ['office'] })
  expect((await to('portal')).status).toBe(404)
  await makeOperation(server.db, { companyId: admin.companyId })
  await makeParticipant(server.db, { companyId: admin.companyId, userId: admin.id })
  expect((await call(server, auth.me, {}, admin)).body.spaces).toEqual(['office', 'portal'])
  expect((await to('portal')).body).toMatchObject({ space: 'portal', isAdmin: true })
  expect((await call(server, operations.list, {}, admin)).status).toBe(403)
  const week = { from: '2026-03-01', to: '2026-03-08' }
  expect((await call(server, energy.summary, { query: week }, admin)).status).toBe(200)
  expect((await to('office')).body.space).toBe('office')
  expect((await call(server, operations.list, {}, admin)).body.total).toBe(1)
  const client = await makeUser(server.db, { companyId: admin.companyId, role: 'client' })
  expect((await to('office', client)).status).toBe(404)
})
