import { apiKeys } from '@voisol/contract/api-keys'
import type { Permission } from '@voisol/contract/permissions'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../test/client.ts'
import { makeApiKey, makeCompany, makeUser } from '../../test/factories.ts'
import { makeOperationFixture, requestKeyAdoption, runAllocation } from '../../test/factories-energy.ts'
import { useServer } from '../../test/server.ts'
import { findAllocationRun, insertRun } from '../features/energy/allocation/allocation-runs.ts'
import { executeRun } from '../features/energy/allocation/execute-run.ts'
import { authorizeJob } from './job-actor.ts'

const server = useServer()
const operationId = '0190a2d4-77aa-7000-8000-0000000000d7'
const other = '0190a2d4-77aa-7000-8000-0000000000d9'
const RUN = { permission: 'allocations.run' } as const
const forbiddenError = { code: 'forbidden', message: expect.stringContaining('n’en a plus le droit') }

test('a waiting job has the rights the person has when it runs', async () => {
  const { companyId, id: userId } = await makeUser(server.db, { role: 'technician' })
  const asker = { companyId, userId }
  expect(await authorizeJob(server.db, asker, RUN)).toMatchObject({ kind: 'job', userId, companyId })
  await server.db.execute(sql`update memberships set role = 'reader' where user_id = ${userId}`)
  await expect(authorizeJob(server.db, asker, RUN)).rejects.toMatchObject(forbiddenError)
  await server.db.execute(sql`update memberships set role = 'admin', disabled_at = now() where user_id = ${userId}`)
  await expect(authorizeJob(server.db, asker, RUN)).rejects.toMatchObject(forbiddenError)
})

test('a company on trial may run jobs too', async () => {
  const { id: userId, companyId } = await makeUser(server.db)
  await server.db.execute(sql`update companies set trial_ends_at = '2026-12-13T17:05:00Z' where id = ${companyId}`)
  expect(await authorizeJob(server.db, { companyId, userId }, RUN)).toMatchObject({ kind: 'job', userId })
})

test('a permission in one company is none in another', async () => {
  const { id: userId } = await makeUser(server.db)
  const { id: companyId } = await makeCompany(server.db)
  await expect(authorizeJob(server.db, { companyId, userId }, RUN)).rejects.toMatchObject(forbiddenError)
})

test('the limit to some operations applies to later jobs', async () => {
  const person = await makeUser(server.db, { role: 'technician', operationIds: [operationId] })
  const asker = { companyId: person.companyId, userId: person.id }
  expect((await authorizeJob(server.db, asker, { ...RUN, operationId })).operationIds).toEqual([operationId])
  await expect(authorizeJob(server.db, asker, { ...RUN, operationId: other })).rejects.toMatchObject(forbiddenError)
  await expect(authorizeJob(server.db, asker, { permission: 'users.write' })).rejects.toMatchObject(forbiddenError)
})

test('a system job has exactly the permissions it needs', async () => {
  const { id: companyId } = await makeCompany(server.db)
  const actor = await authorizeJob(server.db, { companyId, userId: null }, { ...RUN, operationId })
  expect(actor).toMatchObject({ kind: 'job', companyId, permissions: ['allocations.run'], operationIds: null })
})

test('a run of a person who has left is not computed, and says why', async () => {
  const period = { from: '2025-05-03', to: '2025-05-06' }
  const here = await makeOperationFixture(server, { ...period, producers: [1_009], consumers: [503] })
  await requestKeyAdoption(server, here, { method: 'default' })
  const { companyId, operation } = here
  const { id: userId } = await makeUser(server.db, { companyId, role: 'technician' })
  const wanted = { companyId, operationId: operation.id, ...period, kind: 'provisional', estimated: false } as const
  const { id } = await insertRun(server.db, wanted, userId)
  await server.db.execute(sql`delete from memberships where user_id = ${userId}`)
  await executeRun(server.deps, { companyId, runId: id })
  expect(await findAllocationRun(server.db, companyId, id)).toMatchObject({
    status: 'failed',
    message: forbiddenError.message,
  })
})

const loadKeyId = async (companyId: number) => {
  const { rows } = await server.db.execute<{ id: string }>(sql`select id from api_keys where company_id = ${companyId}`)
  return rows[0]?.id ?? ''
}

async function makeKeyRequester(more: Partial<Parameters<typeof makeApiKey>[2]> = {}) {
  const maker = await makeUser(server.db)
  await makeApiKey(server.db, maker, { permissions: ['allocations.run', 'curves.read'], ...more })
  const keyId = await loadKeyId(maker.companyId)
  return { keyId, maker, asker: { companyId: maker.companyId, userId: maker.id, keyId } }
}

test('a job of a key is authorised as the key, not as its creator', async () => {
  const { asker, maker } = await makeKeyRequester()
  expect(await authorizeJob(server.db, asker, RUN)).toMatchObject({
    kind: 'job',
    userId: maker.id,
    permissions: ['allocations.run', 'curves.read'],
  })
  await expect(authorizeJob(server.db, asker, { permission: 'sync.write' })).rejects.toMatchObject(forbiddenError)
  await server.db.execute(sql`update memberships set role = 'reader' where user_id = ${maker.id}`)
  await expect(authorizeJob(server.db, asker, RUN)).rejects.toMatchObject(forbiddenError)
})

test('after a key is revoked or has expired, none of its jobs runs', async () => {
  const { asker } = await makeKeyRequester()
  await server.db.execute(sql`update api_keys set revoked_at = now() where id = ${asker.keyId}`)
  await expect(authorizeJob(server.db, asker, RUN)).rejects.toMatchObject(forbiddenError)
  const ended = await makeKeyRequester({ expiresOn: '2026-01-06' })
  await expect(authorizeJob(server.db, ended.asker, RUN)).rejects.toMatchObject(forbiddenError)
  const { companyId } = await makeUser(server.db)
  await expect(authorizeJob(server.db, { ...asker, companyId }, RUN)).rejects.toMatchObject(forbiddenError)
})

test('the limit of a key to some operations applies to later jobs', async () => {
  const { asker } = await makeKeyRequester({ operationIds: [operationId] })
  expect((await authorizeJob(server.db, asker, { ...RUN, operationId })).operationIds).toEqual([operationId])
  await expect(authorizeJob(server.db, asker, { ...RUN, operationId: other })).rejects.toMatchObject(forbiddenError)
})

test('a run stores the key that requested it; once revoked, it is not computed', async () => {
  const period = { from: '2025-05-03', to: '2025-05-06' }
  const here = await makeOperationFixture(server, { ...period, producers: [1_009], consumers: [503] })
  await requestKeyAdoption(server, here, { method: 'default' })
  const { companyId, operation, admin } = here
  const permissions: Permission[] = ['allocations.run', 'allocations.read']
  const token = await makeApiKey(server.db, admin, { permissions })
  const keyId = await loadKeyId(companyId)
  const done = await runAllocation(server, { operation, token }, period)
  expect(await findAllocationRun(server.db, companyId, done.id)).toMatchObject({
    status: 'done',
    keyId,
    createdBy: admin.id,
  })
  await server.db.execute(sql`update api_keys set revoked_at = now() where id = ${keyId}`)
  const wanted = { companyId, operationId: operation.id, ...period, kind: 'provisional', estimated: false } as const
  const { id } = await insertRun(server.db, wanted, admin.id, { keyId })
  await executeRun(server.deps, { companyId, runId: id })
  expect(await findAllocationRun(server.db, companyId, id)).toMatchObject({
    status: 'failed',
    message: forbiddenError.message,
  })
})

test('a renewed key inherits pending jobs, until its replacement is revoked', async () => {
  const { asker, maker } = await makeKeyRequester()
  const renew = { params: { id: asker.keyId }, body: { overlapHours: 0 } }
  const made = await call(server, apiKeys.rotate, renew, maker)
  expect(made.status).toBe(200)
  expect(await authorizeJob(server.db, asker, RUN)).toMatchObject({ kind: 'job', keyId: made.body.id })
  await server.db.execute(sql`update api_keys set revoked_at = now() where id = ${made.body.id}`)
  await expect(authorizeJob(server.db, asker, RUN)).rejects.toMatchObject(forbiddenError)
})
