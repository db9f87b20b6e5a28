import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dataExports as api } from '@voisol/contract/exports'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeApiKey, makeUser } from '../../../../test/factories.ts'
import { makeOperation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { apiKeys, connections } from '../../../db/schema/index.ts'
import { readZip } from '../../../files/zip.ts'
import { authorizeJob } from '../../../http/job-actor.ts'
import {
  getPlanDays,
  getPlanPermission,
  getPlanRequester,
  listPlansOfConnection,
  makePlanFile,
} from './export-plans.ts'

const server = useServer()
type Person = Awaited<ReturnType<typeof makeUser>>

const connect = async ({ companyId, id: makerId }: Person, kind = 'sftp') => {
  const id = crypto.randomUUID()
  const settings = server.deps.secrets.seal('{}', `connection ${companyId} ${id}`)
  await server.db.insert(connections).values({ companyId, id, kind, name: 'Dépôt', settings, state: 'paused', makerId })
  return id
}
const bodyOf = (connectionId: string, more: object = {}) => ({
  body: { name: 'Chaque mois', connectionId, period: 'last-month', dataSet: 'operations', format: 'csv', ...more },
})

test.each([
  ['yesterday', '2026-03-01', { from: '2026-02-28', to: '2026-03-01' }],
  ['last-week', '2026-03-01', { from: '2026-02-16', to: '2026-02-23' }],
  ['last-week', '2026-03-02', { from: '2026-02-23', to: '2026-03-02' }],
  ['last-month', '2026-01-31', { from: '2025-12-01', to: '2026-01-01' }],
  ['month-to-date', '2026-03-17', { from: '2026-03-01', to: '2026-03-17' }],
] as const)('the period %s, planned on %s, has the expected days', (period, today, days) => {
  expect(getPlanDays(period, today)).toEqual(days)
})

test('a plan is listed with its connection, runs with its owner’s permissions, and can be stopped', async () => {
  const admin = await makeUser(server.db)
  await makeOperation(server.db, { companyId: admin.companyId, name: 'Lilas' })
  const connectionId = await connect(admin)
  const { body, status } = await call(server, api.plan, bodyOf(connectionId), admin)
  expect({ status, ...body }).toMatchObject({
    status: 200,
    connection: 'Dépôt',
    schedule: 'paused',
    label: 'Opérations',
  })
  const [plan] = await listPlansOfConnection(server.db, admin.companyId, connectionId)
  if (!plan) throw new Error('nothing is planned')
  const asker = { companyId: admin.companyId, userId: plan.makerId }
  const actor = await authorizeJob(server.db, asker, { permission: 'operations.read' })
  const folder = mkdtempSync(join(tmpdir(), 'voisol-plan-'))
  const { name, path } = await makePlanFile(server.deps, actor, plan, folder, '2026-03-17')
  const [, , data] = readZip(readFileSync(path))
  expect([name, data?.name, data?.read().toString().includes('Lilas')]).toEqual([
    'operations.zip',
    'operations.csv',
    true,
  ])
  rmSync(folder, { recursive: true })
  expect((await call(server, api.unplan, { params: { id: plan.id } }, admin)).status).toBe(200)
  expect((await call(server, api.plans, {}, admin)).body.items).toEqual([])
})

test('only a file connection of the same company, chosen by a connection manager, can be a destination', async () => {
  const [admin, other] = [await makeUser(server.db), await makeUser(server.db)]
  const ask = async (connectionId: string, who: Person, more = {}) =>
    (await call(server, api.plan, bodyOf(connectionId, more), who)).status
  expect(await ask(await connect(other), admin)).toBe(422)
  expect(await ask(await connect(admin, 'weather'), admin)).toBe(422)
  const mine = await connect(admin)
  const manager = await makeUser(server.db, { companyId: admin.companyId, role: 'manager' })
  expect(await ask(mine, manager)).toBe(403)
  expect(await ask(mine, admin, { dataSet: 'events', operationId: crypto.randomUUID() })).toBe(422)
  expect(await ask(mine, admin)).toBe(200)
  await server.db.delete(connections).where(eq(connections.id, mine))
  expect((await call(server, api.plans, {}, admin)).body.items).toEqual([])
})

test('a plan created by an API key is visible to that key, runs with its permissions, and ends with it', async () => {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const connectionId = await connect(admin)
  const rights = ['exports.read', 'exports.write', 'connections.read', 'connections.write', 'operations.read'] as const
  const [first, second] = [
    await makeApiKey(server.db, admin, { permissions: [...rights] }),
    await makeApiKey(server.db, admin, { permissions: [...rights] }),
  ]
  const planned = await call(server, api.plan, bodyOf(connectionId), { token: first })
  expect([planned.status, planned.body.trouble]).toEqual([200, ''])
  const seen = async (token: string) => (await call(server, api.plans, {}, { token })).body.items.length
  expect([await seen(first), await seen(second), await seen(admin.token)]).toEqual([1, 0, 1])
  const params = { id: planned.body.id }
  expect((await call(server, api.unplan, { params }, { token: second })).status).toBe(404)
  const [plan] = await listPlansOfConnection(server.db, companyId, connectionId)
  if (!plan) throw new Error('nothing is planned')
  const actor = await authorizeJob(server.db, getPlanRequester(plan), { permission: getPlanPermission(plan) })
  expect([...actor.permissions].sort()).toEqual([...rights].sort())
  await server.db
    .update(apiKeys)
    .set({ revokedAt: new Date() })
    .where(and(eq(apiKeys.companyId, companyId), eq(apiKeys.id, plan.keyId ?? '')))
  const [shown] = (await call(server, api.plans, {}, admin)).body.items
  expect(shown.trouble).toContain('n’en a plus le droit')
  await expect(
    authorizeJob(server.db, getPlanRequester(plan), { permission: getPlanPermission(plan) }),
  ).rejects.toMatchObject({
    code: 'forbidden',
  })
})
