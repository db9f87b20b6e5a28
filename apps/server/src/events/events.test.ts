import { and, asc, eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { makeCompany } from '../../test/factories.ts'
import { makeMeter, makeOperation, makeRun } from '../../test/factories-energy.ts'
import { waitForLockWait } from '../../test/locks.ts'
import { useServer } from '../../test/server.ts'
import { lockInputsExclusive } from '../core/outdated-runs.ts'
import { loadSiteRevision } from '../core/site-owner.ts'
import { type Db, openDatabase, transaction } from '../db/client.ts'
import { allocationRuns, auditEntries, events } from '../db/schema/index.ts'
import { jobs } from '../jobs/registry.ts'
import { deliverEvents, listCompaniesWithPendingEvents } from './deliver-events.ts'
import { type RecordEventInput, recordEvent } from './events.ts'
import { subscribers } from './subscribers.ts'

const server = useServer()
const ID = '6b1f7c93-2d54-4e08-9a6b-c3d8e7f01a25'

const created = (companyId: number, more: Partial<RecordEventInput<'participant.created'>> = {}) =>
  ({
    companyId,
    name: 'participant.created',
    object: ID,
    data: { participantId: ID, kind: 'person' },
    ...more,
  }) as const
const listCompanyEvents = (companyId: number) =>
  server.db.select().from(events).where(eq(events.companyId, companyId)).orderBy(asc(events.seq))
const makeCompanyId = async () => (await makeCompany(server.db)).id
const listAuditEntries = (companyId: number) =>
  server.db.select().from(auditEntries).where(eq(auditEntries.companyId, companyId))

describe('an event', () => {
  test('is numbered without a gap in the order of commits, whatever is rolled back', async () => {
    const companyId = await makeCompanyId()
    const work = async (n: number) =>
      transaction(server.db, async (tx) => {
        await recordEvent(tx, created(companyId, { object: `${n}` }))
        if (n % 3 === 0) throw new Error('changed my mind')
      }).catch(() => {})
    await Promise.all(Array.from({ length: 20 }, (_, n) => work(n)))
    const rows = await listCompanyEvents(companyId)
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 13 }, (_, n) => n + 1))
    expect(rows.some(({ object }) => Number(object) % 3 === 0)).toBe(false)
  })

  test('is rolled back with the transaction, as is the job that delivers it', async () => {
    const companyId = await makeCompanyId()
    const woken = async (db: Db) => {
      const { rows } = await db.execute(sql`select 1 from jobs.job
        where name = 'events.deliver' and singleton_key = ${String(companyId)}`)
      return rows.length
    }
    const failing = transaction(server.db, async (tx) => {
      await recordEvent(tx, created(companyId))
      expect(await woken(tx)).toBe(1)
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect([await listCompanyEvents(companyId), await woken(server.db)]).toEqual([[], 0])
  })

  test('must be valid under its schema', async () => {
    const companyId = await makeCompanyId()
    const wrong = created(companyId, { data: { participantId: 'nobody', kind: 'person' } })
    await expect(recordEvent(server.db, wrong)).rejects.toThrow()
    const more = { participantId: ID, kind: 'person', name: 'Camille' }
    await recordEvent(server.db, created(companyId, { data: more }))
    expect((await listCompanyEvents(companyId)).map(({ data }) => data)).toEqual([
      { participantId: ID, kind: 'person' },
    ])
  })

  test('is never changed or deleted', async () => {
    const companyId = await makeCompanyId()
    await recordEvent(server.db, created(companyId))
    for (const statement of [
      sql`update events set object = 'x' where company_id = ${companyId}`,
      sql`delete from events where company_id = ${companyId}`,
      sql`truncate events`,
    ])
      await expect(server.db.execute(statement)).rejects.toMatchObject({ cause: { code: '42501' } })
  })

  test('with the same `once` key is recorded once, in each company', async () => {
    const [one, other] = [await makeCompanyId(), await makeCompanyId()]
    const tell = (companyId: number, once: string) => recordEvent(server.db, created(companyId, { once }))
    await Promise.all([tell(one, 'a'), tell(one, 'a'), tell(one, 'b'), tell(other, 'a')])
    await tell(one, 'a')
    expect((await listCompanyEvents(one)).map(({ seq }) => seq)).toEqual([1, 2])
    expect(await listCompanyEvents(other)).toHaveLength(1)
  })
})

describe('the audit entry', () => {
  test('of a job is written with the event, without lists; that of a call is not', async () => {
    const companyId = await makeCompanyId()
    await recordEvent(server.db, created(companyId))
    expect(await listAuditEntries(companyId)).toEqual([])
    const curves = { operations: [ID], inserted: 3, changed: 0, same: 0, readings: [] }
    await recordEvent(server.db, {
      companyId,
      name: 'curves.received',
      object: ID,
      data: { source: 'sync', ref: ID, ...curves },
      by: { job: 'sync.run', secrets: server.deps.secrets },
    })
    expect(await listAuditEntries(companyId)).toMatchObject([
      { actor: 'tâche sync.run', action: 'curves.received', label: 'Courbes reçues', target: ID, userId: null },
    ])
    const [entry] = await listAuditEntries(companyId)
    expect(entry?.detail).toEqual({ source: 'sync', ref: ID, inserted: 3, changed: 0, same: 0 })
  })
})

describe('handlers that run at once', () => {
  test('cached pages are invalidated only for what the site shows', async () => {
    const companyId = await makeCompanyId()
    const before = await loadSiteRevision(server.db)
    await recordEvent(server.db, created(companyId))
    expect(await loadSiteRevision(server.db)).toBe(before)
    for (const name of ['content.published', 'content.unpublished'] as const)
      await recordEvent(server.db, { companyId, name, object: ID, data: { contentIds: [ID] } })
    for (const name of ['page.described', 'redirect.added', 'redirect.removed'] as const)
      await recordEvent(server.db, { companyId, name, object: ID, data: { path: '/a' } })
    expect(await loadSiteRevision(server.db)).toBe(before + 5)
  })

  test.each([
    ['curves.imported', { importId: ID }],
    ['curves.received', { source: 'sync', ref: ID }],
  ] as const)('%s marks as outdated only the runs of its points and days', async (name, more) => {
    const companyId = await makeCompanyId()
    const { id: operationId } = await makeOperation(server.db, { companyId })
    const point = await makeMeter(server.db, { companyId, operationId, startsOn: '2025-01-09' })
    const place = { companyId, operationId }
    const runs = [
      await makeRun(server.db, { ...place, startsOn: '2025-03-01', endsOn: '2025-03-08' }),
      await makeRun(server.db, { ...place, startsOn: '2025-03-08', endsOn: '2025-03-15' }),
    ]
    const readings = [{ pointIds: [point.id], days: [{ from: '2025-03-07', to: '2025-03-08' }] }]
    const data = { operations: [operationId], inserted: 1, changed: 0, same: 0, readings, ...more }
    await recordEvent(server.db, { companyId, name, object: ID, data } as RecordEventInput) // data matches its name
    const stale = await server.db.select().from(allocationRuns).where(eq(allocationRuns.companyId, companyId))
    expect(runs.map(({ id }) => stale.some((row) => row.id === id && row.staleAt !== null))).toEqual([true, false])
  })

  test('recording two events does not deadlock with the end of a run', async () => {
    const companyId = await makeCompanyId()
    const [told, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const telling = transaction(server.db, async (tx) => {
      await recordEvent(tx, created(companyId))
      told.resolve()
      // Meanwhile the end of a run locks the inputs, and then the event counter.
      await end.promise
      const data = { operationId: ID, participationIds: [], days: { from: '2025-05-07', to: null } }
      await recordEvent(tx, { companyId, name: 'participation.changed', object: ID, data })
    })
    await told.promise
    const ending = transaction(server.db, async (tx) => {
      await lockInputsExclusive(tx, companyId)
      await recordEvent(tx, created(companyId))
    })
    await waitForLockWait(server)
    end.resolve()
    await Promise.all([telling, ending])
    expect((await listCompanyEvents(companyId)).map(({ name }) => name)).toEqual([
      'participant.created',
      'participation.changed',
      'participant.created',
    ])
  })
})

test('a process without a job queue records too: the delivery is picked up later', async () => {
  const companyId = await makeCompanyId()
  const alone = openDatabase(server.url, 1)
  await recordEvent(alone, created(companyId))
  await alone.$client.end()
  expect(await listCompaniesWithPendingEvents(server.db, subscribers)).toContain(companyId)
  await jobs['events.sweep'].run(server.deps, {}, { id: '', signal: new AbortController().signal })
  await deliverEvents(server.deps, companyId, subscribers)
  expect(await listCompaniesWithPendingEvents(server.db, subscribers)).not.toContain(companyId)
  const mine = and(eq(events.companyId, companyId), eq(events.seq, 1))
  expect(await server.db.select().from(events).where(mine)).toHaveLength(1)
})
