import { auth } from '@voisol/contract/auth'
import { enedis } from '@voisol/contract/enedis'
import { onboarding } from '@voisol/contract/onboarding'
import { and, eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeSession, makeUser } from '../../../../test/factories.ts'
import {
  makeConsents,
  makeOperationFixture,
  requestKeyAdoption,
  runAllocation,
} from '../../../../test/factories-energy.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { waitForLockWait } from '../../../../test/locks.ts'
import { useServer } from '../../../../test/server.ts'
import { transaction } from '../../../db/client.ts'
import { isDeadlock } from '../../../db/database-errors.ts'
import {
  auditEntries,
  companies,
  files,
  memberships,
  participations,
  sessions,
  users,
} from '../../../db/schema/index.ts'
import { buildSampleFile } from './sample-files.ts'

const server = useServer()
const fetchOnboarding = async (token: string) => (await call(server, onboarding.get, {}, { token })).body
const listDoneSteps = async (token: string) =>
  (await fetchOnboarding(token)).steps
    .filter((one: { done: boolean }) => one.done)
    .map(({ step }: { step: string }) => step)

test('the steps follow from existing data only', async () => {
  const fresh = await makeUser(server.db)
  expect(await listDoneSteps(fresh.token)).toEqual([])
  const here = await makeOperationFixture(server, {
    from: '2025-04-01',
    to: '2025-04-03',
    producers: [900],
    consumers: [400, 500],
  })
  expect(await listDoneSteps(here.token)).toEqual(['operation', 'participants', 'points', 'curves'])
  await requestKeyAdoption(server, here, { method: 'default' })
  await runAllocation(server, here, { from: '2025-04-01', to: '2025-04-03' })
  expect(await listDoneSteps(here.token)).toEqual(['operation', 'participants', 'points', 'key', 'curves', 'run'])
  const people = await server.db.select().from(participations).where(eq(participations.companyId, here.companyId))
  const ids = people.map(({ participantId }) => participantId)
  await makeConsents(server.db, here.companyId, ids.slice(1), 'collection')
  const missing = (await fetchOnboarding(here.token)).steps.find(({ step }: { step: string }) => step === 'consents')
  expect(missing).toEqual({ step: 'consents', done: false, count: 2, of: 3 })
  await makeConsents(server.db, here.companyId, ids.slice(0, 1), 'collection')
  expect(await listDoneSteps(here.token)).toContain('consents')
  // Data of other companies, or outside the user's operations, does not count.
  expect(await listDoneSteps(fresh.token)).toEqual([])
  const limited = await makeUser(server.db, { companyId: here.companyId })
  const other = await makeOperationFixture(server, {
    companyId: here.companyId,
    from: '2025-04-01',
    to: '2025-04-02',
    producers: [1],
    consumers: [],
  })
  const only = { operationIds: [other.operation.id] }
  await server.db.update(memberships).set(only).where(eq(memberships.userId, limited.id))
  expect(await listDoneSteps(limited.token)).toEqual(['operation', 'participants', 'curves'])
  expect((await fetchOnboarding(limited.token)).operationId).toBe(other.operation.id)
})

test('the two sample files have the same meters and days', async () => {
  const [people, curves] = [buildSampleFile('participants', '2026-03-30'), buildSampleFile('curves', '2026-03-30')]
  const prms = [...people.content.matchAll(/\d{14}/g)].map(([prm]) => prm)
  expect(prms).toHaveLength(3)
  for (const prm of prms) expect(curves.content.split('\n')[0]).toContain(prm)
  // The day on which clocks go forward has 23 hours.
  expect(curves.content.trim().split('\n')).toHaveLength(1 + 24 + 24 + 23)
})

const PASSING = ['audit_entries', 'audit_heads', 'sessions', 'call_counts', 'idempotency_keys']
/** Tables that a scheduled job may update at any time. */
const SUMS = [
  'operation_days',
  'operation_hours',
  'operation_months',
  'operation_seats',
  'operation_steps',
  'sum_marks',
]

/** A hash of the rows of every table except the audit log and the side effects of calls. */
async function loadAllRows(companyId: number, besides = SUMS) {
  const { rows } = await server.db.execute<{ name: string }>(sql`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not a.attisdropped order by 1`)
  const found: Record<string, unknown> = {}
  for (const { name } of rows.filter(({ name }) => ![...PASSING, ...besides].includes(name))) {
    const table = sql.identifier(name)
    const hash = sql`md5(string_agg(t::text, '|' order by t::text))`
    const all = await server.db.execute(
      sql`select count(*)::int as n, ${hash} as hash from ${table} t where company_id = ${companyId}`,
    )
    found[name] = all.rows[0]
  }
  return found
}
const rowsOf = async (companyId: number) =>
  Object.values(await loadAllRows(companyId, [])).reduce<number>((sum, row) => sum + (row as { n: number }).n, 0)

test('an example is a complete separate company and its removal leaves no trace', async () => {
  const here = await makeOperationFixture(server, {
    from: '2025-04-01',
    to: '2025-04-02',
    producers: [900],
    consumers: [400],
  })
  const { token, companyId } = here
  await waitForJobs(server)
  const before = await loadAllRows(companyId)
  const twice = await Promise.all([1, 2].map(() => call(server, onboarding.startExample, {}, { token })))
  const [made] = twice.map(({ body }) => body.companyId)
  expect(twice.map(({ status, body }) => [status, body.companyId])).toEqual([
    [200, made],
    [200, made],
  ])
  await waitForJobs(server)
  expect((await fetchOnboarding(token)).example).toEqual({
    companyId: made,
    name: 'Exemple\u00a0: Les Tilleuls',
    filling: false,
  })
  // Inside the example, every step is done, its home company is shown, and it makes no outside calls.
  await call(server, auth.switchCompany, { body: { companyId: made } }, { token })
  const inside = await fetchOnboarding(token)
  expect(inside.steps.filter((one: { done: boolean }) => !one.done)).toEqual([])
  expect(inside.exampleOf).toMatchObject({ companyId })
  expect((await call(server, onboarding.startExample, {}, { token })).status).toBe(409)
  const keys = { operationId: null, environment: 'local', backend: 'holder', clientId: 'a', clientSecret: 'b' }
  expect((await call(server, enedis.save, { body: keys }, { token })).body.message).toMatch(/exemple/)
  expect(await loadAllRows(companyId)).toEqual(before)
  const kept = await server.db.select().from(files).where(eq(files.companyId, made))
  expect(kept.length).toBeGreaterThan(0)
  // Only the home company can remove it; a session inside it then returns home.
  expect((await call(server, onboarding.removeExample, {}, { token })).status).toBe(404)
  await call(server, auth.switchCompany, { body: { companyId } }, { token })
  const colleague = await makeUser(server.db, { companyId })
  await call(server, onboarding.startExample, {}, { token: colleague.token })
  await call(server, auth.switchCompany, { body: { companyId: made } }, { token: colleague.token })
  expect((await call(server, onboarding.removeExample, {}, { token })).status).toBe(200)
  expect((await call(server, auth.me, {}, { token: colleague.token })).body.companyId).toBe(companyId)
  await waitForJobs(server)
  expect(await rowsOf(made)).toBe(0)
  expect(await server.db.select().from(companies).where(eq(companies.id, made))).toEqual([])
  expect(await server.deps.files.list(String(made))).toEqual([])
  await server.db.delete(memberships).where(eq(memberships.userId, colleague.id))
  expect(await loadAllRows(companyId)).toEqual(before)
  expect((await call(server, onboarding.removeExample, {}, { token })).status).toBe(404)
})

test.each([
  ['asks for nothing more', false, 200],
  ['asks for a second factor', true, 401],
])('removing an example returns a colleague’s password session home %s: status %i', async (_, asks, status) => {
  const admin = await makeUser(server.db)
  const colleague = await makeUser(server.db, { companyId: admin.companyId })
  const [example] = await server.db
    .insert(companies)
    .values({ name: 'Exemple', exampleOf: admin.companyId })
    .returning()
  const companyId = example?.id ?? 0
  const joined = { companyId, role: 'admin', acceptedAt: new Date() }
  await server.db.insert(memberships).values([admin, colleague].map(({ id: userId }) => ({ userId, ...joined })))
  const token = await makeSession(server.db, colleague.id, companyId)
  if (asks) {
    await server.db.update(companies).set({ secondFactor: 'office' }).where(eq(companies.id, admin.companyId))
    await server.db.update(users).set({ totpEnabledAt: new Date() })
  }
  expect((await call(server, onboarding.removeExample, {}, admin)).status).toBe(200)
  expect((await call(server, auth.me, {}, { token })).status).toBe(status)
})

test('removing an example ends a session that was opened for it alone', async () => {
  const admin = await makeUser(server.db)
  const { companyId: home } = admin
  const [example] = await server.db.insert(companies).values({ name: 'Exemple', exampleOf: home }).returning()
  const companyId = example?.id ?? 0
  await server.db.insert(memberships).values({ companyId, userId: admin.id, role: 'admin', acceptedAt: new Date() })
  const token = await makeSession(server.db, admin.id, companyId)
  const one = and(eq(sessions.userId, admin.id), eq(sessions.companyId, companyId))
  await server.db.update(sessions).set({ openedFor: companyId }).where(one)
  expect((await call(server, onboarding.removeExample, {}, admin)).status).toBe(200)
  expect((await call(server, auth.me, {}, { token })).status).toBe(401)
})

test('the database refuses to erase a company that is not an example', async () => {
  const { companyId } = await makeUser(server.db)
  for (const deed of ['erase_example', 'erase_example_here', 'erase_rows'])
    await expect(
      server.db.execute(sql`select ${sql.identifier(deed)}(${companyId}, '{operations}')`),
    ).rejects.toMatchObject({ cause: { message: expect.stringMatching(/is not an example/) } })
  await expect(server.db.execute(sql`delete from invoices where company_id = ${companyId}`)).rejects.toThrow()
})

test('removes an example even when a deadlock with a writing task occurs', async () => {
  const { token, companyId: home } = await makeUser(server.db)
  const { companyId } = (await call(server, onboarding.startExample, {}, { token })).body
  await waitForJobs(server)
  let removal: ReturnType<typeof call> | undefined
  await transaction(server.db, async (tx) => {
    await tx.execute(sql`update participations set notice_on = notice_on where company_id = ${companyId}`)
    removal = call(server, onboarding.removeExample, {}, { token })
    await waitForLockWait(server)
    await tx.execute(sql`select 1 from companies where id = ${companyId} for update`)
  }).catch((error: unknown) => {
    // PostgreSQL may choose either side as the victim of the deadlock.
    if (!isDeadlock(error)) throw error
  })
  expect((await removal)?.status).toBe(200)
  expect(await server.db.select().from(companies).where(eq(companies.id, companyId))).toEqual([])
  const told = await server.db.select().from(auditEntries).where(eq(auditEntries.companyId, home))
  expect(told.filter(({ action }) => action === 'DELETE /api/onboarding/example')).toHaveLength(1)
})
