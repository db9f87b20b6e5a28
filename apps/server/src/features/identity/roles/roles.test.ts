import { operations } from '@voisol/contract/operations'
import { type Role, roles } from '@voisol/contract/roles'
import { users } from '@voisol/contract/users'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { auditEntries } from '../../../db/schema/index.ts'

const server = useServer()
type Person = { token: string }
const define = (who: Person, name: string, permissions: string[]) =>
  call(server, roles.create, { body: { name, permissions } }, who)
const list = async (who: Person): Promise<Role[]> => (await call(server, roles.list, {}, who)).body.items

test('a company creates, assigns and changes a role, with effect from the next call', async () => {
  const admin = await makeUser(server.db)
  const person = await makeUser(server.db, { companyId: admin.companyId, role: 'reader' })
  const { status, body: made } = await define(admin, 'Chargé de clientèle', ['participants.read', 'operations.read'])
  expect({ status, permissions: made.permissions }).toEqual({
    status: 200,
    // In the order of the permission list, whatever order was sent.
    permissions: ['operations.read', 'participants.read'],
  })
  const { id, firstName, lastName } = person
  const { version } = (await call(server, users.get, { params: { id } }, admin)).body
  const body = { firstName, lastName, phone: '', role: made.id, version }
  const given = await call(server, users.update, { params: { id }, body }, admin)
  expect(given.body).toMatchObject({ role: made.id, roleName: 'Chargé de clientèle', operationIds: null })
  const may = async () => (await call(server, operations.list, {}, person)).status
  expect([await may(), (await call(server, users.list, {}, person)).status]).toEqual([200, 403])
  const change = { name: 'Accueil', permissions: ['participants.read'], version: 1 }
  const after = await call(server, roles.update, { params: { id: made.id }, body: change }, admin)
  expect(after.body).toMatchObject({ name: 'Accueil', people: 1, version: 2 })
  expect(await may()).toBe(403)
  expect((await call(server, roles.update, { params: { id: made.id }, body: change }, admin)).body.code).toBe('stale')
  const entries = await server.db.select().from(auditEntries).where(eq(auditEntries.companyId, admin.companyId))
  expect(entries.find(({ label }) => label === 'Modifier un rôle')?.detail).toMatchObject({
    before: { name: 'Chargé de clientèle', permissions: ['operations.read', 'participants.read'] },
    after: { name: 'Accueil', permissions: ['participants.read'] },
  })
})

test('lists built-in roles with their members first, then custom roles by name', async () => {
  const admin = await makeUser(server.db)
  for (let i = 0; i < 3; i++) await makeUser(server.db, { companyId: admin.companyId, role: 'client' })
  await define(admin, 'Écoute', ['energy.read'])
  await define(admin, 'Astreinte', ['curves.read'])
  const all = await list(admin)
  expect(all.map(({ name, people }) => [name, people])).toEqual([
    ['Administrateur', 1],
    ['Gestionnaire', 0],
    ['Comptable', 0],
    ['Technicien', 0],
    ['Lecture seule', 0],
    ['Client', 3],
    ['Astreinte', 0],
    ['Écoute', 0],
  ])
  expect(all.map(({ builtIn }) => builtIn)).toEqual([true, true, true, true, true, true, false, false])
})

test('a role name is unique and may not be that of a built-in role', async () => {
  const admin = await makeUser(server.db)
  expect((await define(admin, 'Accueil', ['energy.read'])).status).toBe(200)
  for (const name of ['accueil', 'Comptable', 'lecture seule'])
    expect((await define(admin, name, ['energy.read'])).body).toMatchObject({
      code: 'conflict',
      issues: [{ path: 'name', message: `Un rôle se nomme déjà «\u00a0${name}\u00a0».` }],
    })
  expect((await define(admin, 'Vide', [])).body.issues).toMatchObject([{ path: 'permissions' }])
  expect((await define(admin, 'Inconnu', ['facture.tout'])).status).toBe(422)
})

test('a role in use or of another company cannot be removed', async () => {
  const admin = await makeUser(server.db)
  const remove = (id: string, who: Person) => call(server, roles.remove, { params: { id }, body: undefined }, who)
  const { body: role } = await define(admin, 'Accueil', ['energy.read'])
  const stranger = await makeUser(server.db)
  expect((await remove(role.id, stranger)).status).toBe(404)
  const invite = { email: `accueil-${admin.email}`, firstName: 'Ana', lastName: 'Roy', role: role.id }
  expect((await call(server, users.invite, { body: invite }, stranger)).body.issues).toMatchObject([{ path: 'role' }])
  expect((await call(server, users.invite, { body: invite }, admin)).status).toBe(200)
  const refused = await remove(role.id, admin)
  expect(refused.body).toMatchObject({ code: 'conflict', message: expect.stringContaining('1 personne\u00a0:') })
  expect((await list(admin)).some(({ id }) => id === role.id)).toBe(true)
})

test('nobody creates, changes or removes a role beyond their own permissions', async () => {
  const admin = await makeUser(server.db)
  const { body: high } = await define(admin, 'Hauts droits', ['roles.write', 'webhooks.write'])
  const lesser = await makeUser(server.db, {
    companyId: admin.companyId,
    permissions: ['roles.read', 'roles.write', 'users.read', 'users.write', 'energy.read'],
  })
  expect((await define(lesser, 'Trop', ['energy.read', 'webhooks.write'])).status).toBe(403)
  expect((await define(lesser, 'Assez', ['energy.read'])).status).toBe(200)
  const params = { id: high.id }
  const less = { name: 'Hauts droits', permissions: ['energy.read'], version: 1 }
  expect((await call(server, roles.update, { params, body: less }, lesser)).status).toBe(403)
  expect((await call(server, roles.remove, { params }, lesser)).status).toBe(403)
  expect((await list(admin)).find(({ id }) => id === high.id)?.permissions).toEqual(['roles.write', 'webhooks.write'])
})
