import { addDays } from '@voisol/energy/calendar'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import {
  buildCurveDay,
  makeMeter,
  makeOperationFixture,
  makeRun,
  requestKeyAdoption,
} from '../../test/factories-energy.ts'
import { useServer } from '../../test/server.ts'
import { waitUntil } from '../../test/wait.ts'
import { type Db, transaction } from '../db/client.ts'
import { allocationRuns } from '../db/schema/index.ts'
import { findAllocationRun, insertRun } from '../features/energy/allocation/allocation-runs.ts'
import { executeRun } from '../features/energy/allocation/execute-run.ts'
import { storeReadingsAndNotify } from '../features/energy/curves/store-readings.ts'
import { ALLOCATION_INPUTS_LOCK, lockInputsExclusive, markRunsOutdated } from './outdated-runs.ts'

const server = useServer()
const DAYS = { from: '2025-05-07', to: '2025-05-12' }
const REASON = 'Des relevés de cette période ont changé.'

async function scene(more: { startsOn?: string; endsOn?: string } = {}) {
  const meter = { watts: 613, ...more }
  const here = await makeOperationFixture(server, { ...DAYS, producers: [1_187], consumers: [meter, 709] })
  const { companyId } = here
  const place = { companyId, operationId: here.operation.id, startsOn: DAYS.from, endsOn: DAYS.to }
  return { ...here, place, pointId: here.consumers[0]?.id ?? '' }
}
type Scene = Awaited<ReturnType<typeof scene>>

const correct = ({ companyId, pointId }: Scene, day: string, db: Db = server.db) =>
  storeReadingsAndNotify(db, companyId, [buildCurveDay(pointId, day, (at) => 97 + (at % 7))], {
    source: 'api',
    receivedAt: new Date(),
  })
const loadReason = async (id: string) =>
  (await server.db.select().from(allocationRuns).where(eq(allocationRuns.id, id)))[0]?.staleReason

/** Whether the work has finished, or waits for the lock of the inputs. */
async function outcome(work: Promise<unknown>): Promise<'ended' | 'waits'> {
  let ended = false
  const end = () => {
    ended = true
  }
  work.then(end, end)
  return waitUntil(async () => {
    const { rows } = await server.db.execute(sql`select 1 from pg_locks l join pg_database d on d.oid = l.database
      where d.datname = current_database() and l.locktype = 'advisory' and l.classid = ${ALLOCATION_INPUTS_LOCK} and not l.granted`)
    return ended ? 'ended' : rows.length > 0 && 'waits'
  })
}

/** Runs `work` while another connection has done `first` without committing. */
async function during<T>(first: (tx: Db) => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  const [started, open] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const held = transaction(server.db, async (tx) => {
    await first(tx)
    started.resolve()
    await open.promise
  })
  held.catch(started.reject)
  try {
    await started.promise
    return await work()
  } finally {
    open.resolve()
    await held
  }
}

describe('a change of inputs during the end of a run', () => {
  test('a change waits for a run that is ending, then finds it done', async () => {
    const here = await scene()
    const run = await makeRun(server.db, { ...here.place, status: 'running' })
    let change: Promise<unknown> = Promise.resolve()
    const end = async (tx: Db) => {
      await lockInputsExclusive(tx, here.companyId)
      await tx.update(allocationRuns).set({ status: 'done' }).where(eq(allocationRuns.id, run.id))
    }
    await during(end, async () => {
      change = correct(here, DAYS.from)
      expect(await outcome(change)).toBe('waits')
    })
    await change
    expect(await loadReason(run.id)).toBe(REASON)
  })

  test('marking runs as outdated waits as well, whoever does it', async () => {
    const here = await scene()
    const change = { operationIds: [here.operation.id], ...DAYS, reason: REASON }
    let mark: Promise<unknown> = Promise.resolve()
    await during(
      (tx) => lockInputsExclusive(tx, here.companyId),
      async () => {
        mark = transaction(server.db, (tx) => markRunsOutdated(tx, here.companyId, change))
        expect(await outcome(mark)).toBe('waits')
      },
    )
    await mark
  })

  test('the end of a run waits for open changes, and is marked by them', async () => {
    const here = await scene()
    await requestKeyAdoption(server, here, { method: 'default' })
    const wanted = { companyId: here.companyId, operationId: here.operation.id, ...DAYS, estimated: false }
    const { id } = await insertRun(server.db, { ...wanted, kind: 'definitive' }, null)
    let run: Promise<unknown> = Promise.resolve()
    await during(
      (tx) => correct(here, DAYS.from, tx),
      async () => {
        run = executeRun(server.deps, { companyId: here.companyId, runId: id })
        expect(await outcome(run)).toBe('waits')
      },
    )
    await run
    expect(await findAllocationRun(server.db, here.companyId, id)).toMatchObject({
      status: 'done',
      staleReason: 'Des données ont changé pendant le calcul.',
    })
  })

  test('changes do not wait for one another, nor for the runs of another company', async () => {
    const [here, other] = [await scene(), await scene()]
    const change = (at: Scene, tx: Db) =>
      markRunsOutdated(tx, at.companyId, { operationIds: [at.operation.id], ...DAYS, reason: REASON })
    await during(
      (tx) => change(here, tx),
      async () => expect(await outcome(transaction(server.db, (tx) => change(here, tx)))).toBe('ended'),
    )
    await during(
      (tx) => lockInputsExclusive(tx, other.companyId),
      async () => expect(await outcome(transaction(server.db, (tx) => change(here, tx)))).toBe('ended'),
    )
  })
})

describe('days that make a run outdated', () => {
  test.each([
    [true, addDays(DAYS.from, -28), REASON],
    [true, addDays(DAYS.from, -29), ''],
    [false, addDays(DAYS.from, -1), ''],
    [false, DAYS.from, REASON],
    [true, addDays(DAYS.to, -1), REASON],
    [false, DAYS.to, ''],
    [true, addDays(DAYS.to, 27), REASON],
    [true, addDays(DAYS.to, 28), ''],
  ])('estimated %s, readings of %s', async (estimated, day, reason) => {
    const here = await scene()
    const run = await makeRun(server.db, { ...here.place, estimated })
    await correct(here, day)
    expect(await loadReason(run.id)).toBe(reason)
  })

  test.each([
    ['of a point that came in during the run, from 28 days before', { startsOn: '2025-05-10' }, '2025-04-12', REASON],
    ['of a point that came in during the run, not 29', { startsOn: '2025-05-10' }, '2025-04-11', ''],
    ['of a point that came in when the run ended', { startsOn: DAYS.to }, addDays(DAYS.to, -1), ''],
    ['of a point that left when the run began', { endsOn: DAYS.from }, addDays(DAYS.from, -3), ''],
    ['of a point that left during the run', { endsOn: '2025-05-08' }, '2025-05-07', REASON],
    ['of a point that had left 27 days before', { endsOn: '2025-05-08' }, '2025-06-04', REASON],
    ['of a point that had left by then', { endsOn: '2025-05-08' }, '2025-06-05', ''],
  ])('readings %s', async (_, held, day, reason) => {
    const here = await scene(held)
    const run = await makeRun(server.db, { ...here.place, estimated: true })
    await correct(here, day)
    expect(await loadReason(run.id)).toBe(reason)
  })

  test('a change without an end affects every later run; the first reason is kept', async () => {
    const here = await scene()
    const [before, first, late] = [
      await makeRun(server.db, { ...here.place, startsOn: '2025-05-02', endsOn: '2025-05-07' }),
      await makeRun(server.db, here.place),
      await makeRun(server.db, { ...here.place, startsOn: '2031-01-01', endsOn: '2031-02-01' }),
    ]
    const change = { operationIds: [here.operation.id], from: DAYS.from, to: null }
    await markRunsOutdated(server.db, here.companyId, { ...change, reason: 'un' })
    await markRunsOutdated(server.db, here.companyId, { ...change, reason: 'deux' })
    expect(await Promise.all([before, first, late].map(({ id }) => loadReason(id)))).toEqual(['', 'un', 'un'])
  })

  test('unfinished runs, and those of other operations or companies, are left alone', async () => {
    const [here, other] = [await scene(), await scene()]
    const apart = await makeMeter(server.db, { companyId: here.companyId })
    const left = [
      await makeRun(server.db, { ...here.place, status: 'failed' }),
      await makeRun(server.db, { ...here.place, status: 'running' }),
      await makeRun(server.db, other.place),
    ]
    const run = await makeRun(server.db, here.place)
    await correct({ ...here, pointId: apart.id }, DAYS.from)
    const change = { operationIds: [here.operation.id], pointIds: [here.pointId], ...DAYS, reason: REASON }
    await markRunsOutdated(server.db, other.companyId, change)
    expect(await loadReason(run.id)).toBe('')
    await markRunsOutdated(server.db, here.companyId, change)
    expect(await loadReason(run.id)).toBe(REASON)
    for (const { id } of left) expect(await loadReason(id)).toBe('')
  })
})

test('an outdated provisional month is computed again; definitive runs are only notified', async () => {
  const here = await scene()
  const run = (startsOn: string, endsOn: string, kind = 'provisional') =>
    makeRun(server.db, { ...here.place, startsOn, endsOn, kind })
  await run('2025-05-01', '2025-06-01')
  await run('2025-04-01', '2025-04-18')
  await run('2025-03-02', '2025-04-01')
  await run('2025-02-01', '2025-03-02')
  const definitive = await run('2025-01-01', '2025-02-01', 'definitive')
  const asked = await transaction(server.db, async (tx) => {
    const change = { operationIds: [here.operation.id], from: '2025-01-09', to: null, reason: REASON }
    await markRunsOutdated(tx, here.companyId, change)
    const { rows } = await tx.execute<{ name: string; data: { month?: string; runIds?: string[] } }>(sql`
      select name, data from jobs.job where name like 'allocations.%' and data ->> 'companyId' = ${String(here.companyId)}`)
    return rows.map(({ name, data }) => `${name} ${data.month ?? data.runIds}`).sort()
  })
  expect(asked).toEqual([
    'allocations.refresh 2025-04-01',
    'allocations.refresh 2025-05-01',
    `allocations.stale ${definitive.id}`,
  ])
})
