import { operations } from '@voisol/contract/operations'
import { reconciliation } from '@voisol/contract/reconciliation'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import {
  type DifferenceRowsQuery,
  fetchDifferenceRows,
  fetchReconciledMonths,
  getConsumerIds,
  makeEqualHalvesFixture,
  mapCausesByPoint,
  storeAllocatedAsDistributorSeries,
  storeDistributorDay,
  storeMonthQuantities,
  toDistributorPoints,
} from '../../../../test/factories-distributor.ts'
import {
  makeOperation,
  makeOperationFixture,
  requestKeyAdoption,
  runAllocation,
} from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { syncSettings } from '../../../db/schema/index.ts'
import { storeDistributorSeries } from './store-distributor-data.ts'

const server = useServer()
const JUNE = { from: '2026-06-01', to: '2026-07-01' }
const OCTOBER = { from: '2026-10-01', to: '2026-11-01' }

test('equal figures on both sides agree for every point', async () => {
  const scene = await makeEqualHalvesFixture(server, JUNE)
  await runAllocation(server, scene, JUNE)
  await storeAllocatedAsDistributorSeries(server.db, scene)
  const [month] = await fetchReconciledMonths(server, scene)
  expect(month).toMatchObject({ month: '2026-06-01', verdict: 'agreed', definitive: false, points: 3 })
  expect(month).toMatchObject({ oursWh: 720_000, theirsWh: 720_000, causes: { equal: 3, unexplained: 0 } })
  expect(await fetchDifferenceRows(server, scene, { month: '2026-06-01' })).toMatchObject([
    { direction: 'production', oursWh: 720_000, theirsWh: 720_000, differenceWh: 0, at: '2026-06-01' },
    { direction: 'consumption', oursWh: 360_000 },
    { direction: 'consumption', oursWh: 360_000 },
  ])
  const { body } = await call(
    server,
    operations.overview,
    { params: { id: scene.operation.id } },
    { token: scene.token },
  )
  expect(body.reconciliation).toEqual({ month: '2026-06-01', verdict: 'agreed' })
})

test('no distributor data gives no month, and no run gives nothing to compare', async () => {
  const scene = await makeEqualHalvesFixture(server, JUNE)
  expect(await fetchReconciledMonths(server, scene)).toEqual([])
  const { body } = await call(
    server,
    operations.overview,
    { params: { id: scene.operation.id } },
    { token: scene.token },
  )
  expect(body.reconciliation).toBeNull()
  await storeDistributorDay(server.db, scene, getConsumerIds(scene)[0] ?? '', '2026-06-03', Array(96).fill(500))
  expect(await fetchReconciledMonths(server, scene)).toMatchObject([
    { verdict: 'nothing-to-compare', runId: null, theirsWh: 12_000 },
  ])
})

test('definitive quantities prevail over daily ones, and each class may lose a kilowatt-hour', async () => {
  const scene = await makeEqualHalvesFixture(server, JUNE)
  const [first = '', second = ''] = getConsumerIds(scene)
  await runAllocation(server, scene, JUNE)
  await storeAllocatedAsDistributorSeries(server.db, scene, ({ watts }) => watts - 100)
  expect(await fetchReconciledMonths(server, scene)).toMatchObject([{ verdict: 'different', definitive: false }])
  await storeMonthQuantities(server.db, scene, first, { ...JUNE, classes: { HPB: 239, HCB: 120 } })
  await storeMonthQuantities(server.db, scene, second, { ...JUNE, classes: { HPB: 239.001, HCB: 119 } })
  const [month] = await fetchReconciledMonths(server, scene)
  expect(month).toMatchObject({ definitive: true, theirsWh: 717_001, causes: { rounding: 1, unexplained: 2 } })
  expect(mapCausesByPoint(await fetchDifferenceRows(server, scene, { month: '2026-06-01' }))).toMatchObject({
    [first]: 'rounding',
    [second]: 'unexplained',
  })
  await storeMonthQuantities(server.db, scene, second, { ...JUNE, classes: { HPB: 239, HCB: 119.5 } })
  expect(mapCausesByPoint(await fetchDifferenceRows(server, scene, { month: '2026-06-01' }))[second]).toBe(
    'unexplained',
  )
})

test('the tolerance is configurable', async () => {
  const scene = await makeEqualHalvesFixture(server, JUNE)
  const [first = ''] = getConsumerIds(scene)
  await runAllocation(server, scene, JUNE)
  // 96 steps of 8 W are 192 Wh.
  await storeAllocatedAsDistributorSeries(server.db, scene, ({ pointId, day, watts }) =>
    pointId === first && day === '2026-06-12' ? watts - 8 : watts,
  )
  const { operation, token, companyId } = scene
  const read = async () => (await call(server, reconciliation.months, { params: { id: operation.id } }, { token })).body
  expect(await read()).toMatchObject({ toleranceWh: 1000, items: [{ verdict: 'agreed', causes: { rounding: 1 } }] })
  await server.db.insert(syncSettings).values({ companyId, toleranceWh: 100 })
  expect(await read()).toMatchObject({ toleranceWh: 100, items: [{ verdict: 'different' }] })
})

test('the repeated hour in October gives 2 980 quarter-hours on both sides', async () => {
  const scene = await makeEqualHalvesFixture(server, OCTOBER)
  const [first = ''] = getConsumerIds(scene)
  await runAllocation(server, scene, OCTOBER)
  await storeAllocatedAsDistributorSeries(server.db, scene)
  expect(await fetchReconciledMonths(server, scene)).toMatchObject([
    { verdict: 'agreed', oursWh: 745_000, theirsWh: 745_000 },
  ])
  const month = '2026-10-01'
  const days = await fetchDifferenceRows(server, scene, { month, level: 'day', pointId: first })
  expect(days).toHaveLength(31)
  expect(days.reduce((sum, { oursWh }) => sum + (oursWh ?? 0), 0)).toBe(2980 * 125)
  const steps = await fetchDifferenceRows(server, scene, { month, level: 'step', pointId: first, day: '2026-10-25' })
  expect(steps).toHaveLength(100)
  expect(new Set(steps.map(({ at }) => at)).size).toBe(100)
  expect(steps.every(({ oursWh, theirsWh, cause }) => oursWh === 125 && theirsWh === 125 && cause === 'equal')).toBe(
    true,
  )
})

test('compares the current figures when a later run replaced some days of a month', async () => {
  const scene = await makeEqualHalvesFixture(server, JUNE)
  await runAllocation(server, scene, JUNE)
  await storeAllocatedAsDistributorSeries(server.db, scene)
  const run = { ended: false }
  const computed = runAllocation(server, scene, { from: '2026-06-10', to: '2026-06-20' }).finally(() => {
    run.ended = true
  })
  // At any moment, a read returns the month of one run or of the other.
  while (!run.ended)
    expect(await fetchReconciledMonths(server, scene)).toMatchObject([{ verdict: 'agreed', oursWh: 720_000 }])
  const later = await computed
  // Changes the figures of the earlier run, to see which ones are read.
  for (const table of ['allocation_days', 'allocation_totals'])
    await server.asOwner(`update ${table} set local = 2 * local where run_id = $1`, [later.id])
  expect(await fetchReconciledMonths(server, scene)).toMatchObject([{ oursWh: 960_000, theirsWh: 720_000 }])
})

test('compares a half-hour of the distributor with two quarter-hours', async () => {
  const scene = await makeEqualHalvesFixture(server, JUNE)
  const { companyId, operation } = scene
  const [pointId = ''] = getConsumerIds(scene)
  await runAllocation(server, scene, JUNE)
  const day = '2026-06-04'
  const points = toDistributorPoints(day, [...Array(47).fill(500), 440], 30)
  await storeDistributorSeries(server.db, {
    companyId,
    operationId: operation.id,
    pointId,
    type: 'autocons',
    from: day,
    to: '2026-06-05',
    curve: { prm: '', direction: 'consumption', points },
    receivedAt: new Date(),
  })
  const steps = await fetchDifferenceRows(server, scene, { month: '2026-06-01', level: 'step', pointId, day })
  expect(steps).toHaveLength(48)
  expect(steps[0]).toMatchObject({ at: '2026-06-03T22:00:00.000Z', oursWh: 250, theirsWh: 250, cause: 'equal' })
  expect(steps[47]).toMatchObject({ oursWh: 250, theirsWh: 220, differenceWh: 30, cause: 'unexplained' })
})

test('steps require a point and a day of the month', async () => {
  const scene = await makeEqualHalvesFixture(server, JUNE)
  const ask = (query: DifferenceRowsQuery) =>
    call(server, reconciliation.rows, { params: { id: scene.operation.id }, query }, { token: scene.token })
  const [pointId = ''] = getConsumerIds(scene)
  const month = '2026-06-01'
  expect((await ask({ month, level: 'step', day: '2026-06-03' })).body.issues[0].path).toBe('pointId')
  expect((await ask({ month, level: 'step', pointId })).body.issues[0].path).toBe('day')
  expect((await ask({ month, level: 'step', pointId, day: '2026-07-03' })).body.issues[0].message).toContain('mois')
})

test('differences can be exported at every level', async () => {
  const scene = await makeEqualHalvesFixture(server, JUNE)
  const [first = ''] = getConsumerIds(scene)
  await runAllocation(server, scene, JUNE)
  await storeAllocatedAsDistributorSeries(server.db, scene, ({ pointId, watts }) =>
    pointId === first ? watts - 100 : watts,
  )
  const take = (query: Record<string, string>) =>
    call(
      server,
      reconciliation.export,
      { params: { id: scene.operation.id }, query: { month: '2026-06-01', ...query } },
      { token: scene.token },
    )
  const month = await take({})
  expect(month.text).toContain('Mois;PRM;Nom;Sens;Voisol (kWh);Enedis (kWh);Écart (kWh);Cause')
  expect(month.text).toMatch(/06\/2026;.*;360;288;72;Inexpliqué/)
  expect(month.headers['content-disposition']).toContain('rapprochement-2026-06-mois')
  const days = await take({ level: 'day' })
  expect(days.text.trim().split('\r\n')).toHaveLength(1 + 3 * 30)
  const steps = await take({ level: 'step', pointId: first, day: '2026-06-02' })
  expect(steps.text).toContain('2026-06-02T00:00+02:00')
  const workbook = await take({ format: 'xlsx' })
  expect(workbook.headers['content-type']).toContain('spreadsheetml')
})

test('a point is named after its current holder', async () => {
  const scene = await makeEqualHalvesFixture(server, JUNE)
  const [first = '', second = ''] = getConsumerIds(scene)
  await runAllocation(server, scene, JUNE)
  await storeAllocatedAsDistributorSeries(server.db, scene)
  await server.db.execute(sql`update points set label = case when id = ${first} then '' else 'Atelier' end
    where company_id = ${scene.companyId}`)
  await server.db.execute(sql`update participants set name = 'Régie des eaux' where company_id = ${scene.companyId}
    and id in (select participant_id from participations where point_id = ${first})`)
  const named = async () =>
    new Map(
      (await fetchDifferenceRows(server, scene, { month: '2026-06-01' })).map(({ pointId, label }) => [pointId, label]),
    )
  const names = await named()
  expect([names.get(first), names.get(second)]).toEqual([
    'Régie des eaux',
    expect.stringMatching(/^Atelier, Voisin \d+$/),
  ])
  // A point that was never in our operation has its name from another operation.
  const { id: elsewhere } = await makeOperation(server.db, { companyId: scene.companyId })
  await server.db.execute(sql`update participations set operation_id = ${elsewhere} where point_id = ${first}`)
  expect((await named()).get(first)).toBe('Régie des eaux')
  // A user limited to this operation sees its PRM only; a user of both operations sees its name.
  const { companyId, operation } = scene
  const seenBy = async (operationIds: string[]) => {
    const { token } = await makeUser(server.db, { companyId, role: 'admin', operationIds })
    const rows = await fetchDifferenceRows(server, { operation, token }, { month: '2026-06-01' })
    return rows.find(({ pointId }) => pointId === first)?.label
  }
  expect(await seenBy([operation.id])).toBe('')
  expect(await seenBy([operation.id, elsewhere])).toBe('Régie des eaux')
})

test('the operation of another company is not found', async () => {
  const scene = await makeEqualHalvesFixture(server, JUNE)
  const { token } = await makeUser(server.db)
  const params = { id: scene.operation.id }
  const query = { month: '2026-06-01' }
  expect((await call(server, reconciliation.months, { params }, { token })).status).toBe(404)
  expect((await call(server, reconciliation.rows, { params, query }, { token })).status).toBe(404)
  expect((await call(server, reconciliation.export, { params, query }, { token })).status).toBe(404)
  const other = await makeEqualHalvesFixture(server, JUNE)
  const theirs = { params: { id: other.operation.id }, query: { ...query, pointId: getConsumerIds(scene)[0] ?? '' } }
  expect((await call(server, reconciliation.rows, theirs, { token: other.token })).status).toBe(404)
})

test('any figures that are equal on both sides agree', async () => {
  const WEEK = { from: '2026-06-01', to: '2026-06-04' }
  const watts = fc.array(fc.integer({ min: 0, max: 9000 }), { minLength: 1, maxLength: 7 })
  const property = fc.asyncProperty(
    fc.record({
      consumers: fc.array(watts, { minLength: 1, maxLength: 4 }),
      producers: fc.array(watts, { minLength: 1, maxLength: 2 }),
      method: fc.constantFrom('default', 'equal'),
    }),
    async ({ consumers, producers, method }) => {
      const cycle = (values: number[]) => (at: number) => values[at % values.length] ?? 0
      const scene = await makeOperationFixture(server, {
        ...WEEK,
        producers: producers.map(cycle),
        consumers: consumers.map(cycle),
      })
      await requestKeyAdoption(server, scene, { method })
      await runAllocation(server, scene, WEEK)
      await storeAllocatedAsDistributorSeries(server.db, scene)
      expect(await fetchReconciledMonths(server, scene)).toMatchObject([{ verdict: 'agreed' }])
      const days = await fetchDifferenceRows(server, scene, { month: '2026-06-01', level: 'day' })
      expect(days.every(({ cause }) => cause === 'equal' || cause === 'rounding')).toBe(true)
    },
  )
  await fc.assert(property, { numRuns: 12 })
})
