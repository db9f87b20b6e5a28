import { companies as endpoints } from '@voisol/contract/companies'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeCompany, makeUser } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { auditEntries, companies, memberships } from '../../../db/schema/index.ts'

const server = useServer()
const get = (token: string, companyId: number | string) =>
  call(server, endpoints.get, { params: { companyId } }, { token })
const form = { name: 'Toits', legalName: 'SAS Toits', siren: '552 081 317', address: '', email: '', phone: '' }
const save = (token: string, companyId: number, more: Record<string, unknown>) =>
  call(server, endpoints.update, { params: { companyId }, body: { ...form, ...more } }, { token })

test('an administrator reads and changes the company; an outdated version is refused', async () => {
  const admin = await makeUser(server.db)
  const { body } = await get(admin.token, admin.companyId)
  expect(body).toMatchObject({ id: admin.companyId, version: 1 })
  expect((await save(admin.token, admin.companyId, { version: 1 })).body).toMatchObject({
    siren: '552081317',
    version: 2,
  })
  const late = await save(admin.token, admin.companyId, { version: 1, name: 'Autre nom' })
  expect(late.status).toBe(409)
  expect(late.body).toMatchObject({
    code: 'stale',
    issues: [{ path: 'name', message: 'Enregistré entre-temps\u00a0: «\u00a0Toits\u00a0».' }],
  })
  const [entry] = await server.db.select().from(auditEntries).where(eq(auditEntries.companyId, admin.companyId))
  expect(entry?.detail).toMatchObject({ before: { name: body.name }, after: { name: 'Toits' } })
})

test('of two concurrent changes of one version, one is refused', async () => {
  const admin = await makeUser(server.db)
  const names = ['A', 'B', 'C', 'D']
  const answers = await Promise.all(names.map((name) => save(admin.token, admin.companyId, { name, version: 1 })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
})

test('another company that they administer is accessible, any other is not found', async () => {
  const admin = await makeUser(server.db)
  const second = await makeCompany(server.db)
  const asClient = await makeCompany(server.db)
  const foreign = await makeCompany(server.db)
  await server.db.insert(memberships).values([
    { companyId: second.id, userId: admin.id, role: 'admin', acceptedAt: new Date() },
    { companyId: asClient.id, userId: admin.id, role: 'client', acceptedAt: new Date() },
  ])
  expect((await save(admin.token, second.id, { version: 1 })).status).toBe(200)
  const entries = await server.db.select().from(auditEntries).where(eq(auditEntries.companyId, second.id))
  expect(entries).toHaveLength(1)
  for (const id of [asClient.id, foreign.id, 999_999]) {
    expect((await get(admin.token, id)).status).toBe(404)
    expect((await save(admin.token, id, { version: 1 })).status).toBe(404)
  }
  expect((await get(admin.token, 'abc')).status).toBe(404)
  const [row] = await server.db.select().from(companies).where(eq(companies.id, foreign.id))
  expect(row).toEqual(foreign)
})

test('refuses invalid values and unknown fields, each on its field', async () => {
  const admin = await makeUser(server.db)
  const faults = async (more: Record<string, unknown>) =>
    (await save(admin.token, admin.companyId, { version: 1, ...more })).body.issues?.map(
      (i: { path: string }) => i.path,
    )
  expect(await faults({ siren: '123' })).toEqual(['siren'])
  expect(await faults({ email: 'non' })).toEqual(['email'])
  expect(await faults({ isDemo: true, trialEndsAt: null, id: 3 })).toEqual([''])
})
