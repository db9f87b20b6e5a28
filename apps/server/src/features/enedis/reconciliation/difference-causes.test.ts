import { energy } from '@voisol/contract/energy'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import {
  buildConsumerShares,
  fetchDifferenceRows,
  fetchReconciledMonths,
  getConsumerIds,
  makeEqualHalvesFixture,
  mapCausesByPoint,
  storeAllocatedAsDistributorSeries,
  storeDistributorDay,
  storeMonthQuantities,
} from '../../../../test/factories-distributor.ts'
import { requestKeyAdoption, runAllocation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { points } from '../../../db/schema/index.ts'
import { storePerimeter } from './store-distributor-data.ts'

const server = useServer()
const JUNE = { from: '2026-06-01', to: '2026-07-01' }

test('a difference without a known cause is unexplained and needs attention', async () => {
  const scene = await makeEqualHalvesFixture(server, JUNE)
  const [first = ''] = getConsumerIds(scene)
  await runAllocation(server, scene, JUNE)
  await storeAllocatedAsDistributorSeries(server.db, scene, ({ pointId, day, watts }) =>
    pointId === first && day === '2026-06-12' ? watts - 300 : watts,
  )
  expect(await fetchReconciledMonths(server, scene)).toMatchObject([
    { verdict: 'different', causes: { equal: 2, unexplained: 1 } },
  ])
  const days = await fetchDifferenceRows(server, scene, { month: '2026-06-01', level: 'day', pointId: first })
  expect(days.filter(({ cause }) => cause !== 'equal')).toMatchObject([
    { at: '2026-06-12', oursWh: 12_000, theirsWh: 4800, differenceWh: 7200, cause: 'unexplained' },
  ])
  const { body } = await call(server, energy.attention, {}, { token: scene.token })
  expect(body.items).toContainEqual(
    expect.objectContaining({
      kind: 'distributor-difference',
      title: expect.stringContaining('juin 2026 diffère'),
      url: `/acc-operations/${scene.operation.id}?onglet=distributeur`,
    }),
  )
})

test('a difference of at most one watt per step is rounding', async () => {
  const scene = await makeEqualHalvesFixture(server, JUNE)
  const [first = ''] = getConsumerIds(scene)
  await runAllocation(server, scene, JUNE)
  const more = new Map([
    [37, -1],
    [38, 1],
    [39, -2],
    [40, 2],
  ])
  await storeAllocatedAsDistributorSeries(server.db, scene, ({ pointId, day, at, watts }) =>
    pointId === first && day === '2026-06-12' ? watts + (more.get(at) ?? 0) : watts,
  )
  const steps = await fetchDifferenceRows(server, scene, {
    month: '2026-06-01',
    level: 'step',
    pointId: first,
    day: '2026-06-12',
  })
  expect(steps.slice(36, 41).map(({ differenceWh, cause }) => [differenceWh, cause])).toEqual([
    [0, 'equal'],
    [0.25, 'rounding'],
    [-0.25, 'rounding'],
    [0.5, 'unexplained'],
    [-0.5, 'unexplained'],
  ])
})

test('steps that our run excluded are missing data', async () => {
  const scene = await makeEqualHalvesFixture(server, JUNE, [{ watts: (at) => (at < 12 ? -1 : 1000) }])
  await runAllocation(server, scene, JUNE)
  await storeAllocatedAsDistributorSeries(server.db, scene, ({ pointId }) =>
    scene.producers[0]?.id === pointId ? 1000 : 500,
  )
  expect(await fetchReconciledMonths(server, scene)).toMatchObject([
    { verdict: 'explained', causes: { equal: 1, 'missing-data': 2 } },
  ])
})

test('gaps and missing days in the distributor’s series are missing data', async () => {
  const scene = await makeEqualHalvesFixture(server, JUNE)
  const [first = '', second = ''] = getConsumerIds(scene)
  await runAllocation(server, scene, JUNE)
  await storeAllocatedAsDistributorSeries(server.db, scene, ({ pointId, day, at, watts }) => {
    if (pointId === first && day === '2026-06-05' && at < 40) return null
    return pointId === second && day >= '2026-06-20' ? null : watts
  })
  expect(await fetchReconciledMonths(server, scene)).toMatchObject([
    { verdict: 'explained', causes: { equal: 1, 'missing-data': 2 } },
  ])
  const missing = await fetchDifferenceRows(server, scene, { month: '2026-06-01', level: 'day', pointId: second })
  expect(missing.at(-1)).toMatchObject({ at: '2026-06-30', theirsWh: null, differenceWh: null, cause: 'missing-data' })
  const steps = await fetchDifferenceRows(server, scene, {
    month: '2026-06-01',
    level: 'step',
    pointId: first,
    day: '2026-06-05',
  })
  expect(steps.filter(({ cause }) => cause === 'missing-data')).toHaveLength(40)
})

test('a point that joins later for the distributor differs by its dates', async () => {
  const scene = await makeEqualHalvesFixture(server, JUNE)
  const { companyId, operation, consumers, producers } = scene
  const [late] = consumers
  await runAllocation(server, scene, JUNE)
  await storeAllocatedAsDistributorSeries(server.db, scene, ({ pointId, day, watts }) => {
    if (day >= '2026-06-11') return watts
    return pointId === late?.id ? null : pointId === producers[0]?.id ? 500 : watts
  })
  const before = mapCausesByPoint(await fetchDifferenceRows(server, scene, { month: '2026-06-01' }))
  expect(before[late?.id ?? '']).toBe('missing-data')
  const perimeter = [...consumers, ...producers].map(({ prm, direction }) => ({
    prm,
    role: direction === 'production' ? ('prod' as const) : ('cons' as const),
    endsOn: null,
    startsOn: prm === late?.prm ? '2026-06-11' : '2025-01-01',
  }))
  await storePerimeter(server.db, { companyId, operationId: operation.id, points: perimeter, readAt: new Date() })
  const after = mapCausesByPoint(await fetchDifferenceRows(server, scene, { month: '2026-06-01' }))
  expect(after[late?.id ?? '']).toBe('membership-dates')
  // The differences of the others follow from it: computed with the distributor's dates, they disappear.
  expect(after[producers[0]?.id ?? '']).toBe('membership-dates')
  expect(await fetchReconciledMonths(server, scene)).toMatchObject([
    { verdict: 'explained', causes: { equal: 1, 'membership-dates': 2 } },
  ])
})

test('energy that the distributor gives a point before it joined differs by its dates', async () => {
  const scene = await makeEqualHalvesFixture(server, JUNE, [{ watts: 1000, startsOn: '2026-06-11' }])
  const [late = ''] = getConsumerIds(scene)
  await runAllocation(server, scene, JUNE)
  await storeAllocatedAsDistributorSeries(server.db, scene)
  for (const day of ['2026-06-08', '2026-06-09'])
    await storeDistributorDay(server.db, scene, late, day, Array(96).fill(500))
  expect(mapCausesByPoint(await fetchDifferenceRows(server, scene, { month: '2026-06-01' }))[late]).toBe(
    'membership-dates',
  )
})

test('finds a key that the distributor applied later by recomputing with it', async () => {
  const scene = await makeEqualHalvesFixture(server, JUNE)
  const [first = '', second = ''] = getConsumerIds(scene)
  await requestKeyAdoption(server, scene, {
    method: 'static',
    startsOn: '2026-06-10',
    shares: buildConsumerShares(scene, 800_000, 200_000),
  })
  await runAllocation(server, scene, JUNE)
  const late = (day: string) => day >= '2026-06-10' && day < '2026-06-15'
  await storeAllocatedAsDistributorSeries(server.db, scene, ({ pointId, day, watts }) =>
    late(day) && (pointId === first || pointId === second) ? 500 : watts,
  )
  expect(await fetchReconciledMonths(server, scene)).toMatchObject([
    { verdict: 'explained', causes: { equal: 1, 'key-version': 2 } },
  ])
  const days = await fetchDifferenceRows(server, scene, { month: '2026-06-01', level: 'day', pointId: first })
  expect(days.filter(({ cause }) => cause === 'key-version').map(({ at }) => at)).toHaveLength(5)
  // A day that matches neither version of the key is not explained by it.
  await storeDistributorDay(server.db, scene, first, '2026-06-12', Array(96).fill(300))
  expect(mapCausesByPoint(await fetchDifferenceRows(server, scene, { month: '2026-06-01' }))[first]).toBe('unexplained')
})

test('finds a key change that the distributor missed from definitive quantities alone', async () => {
  const scene = await makeEqualHalvesFixture(server, JUNE)
  const [first = '', second = ''] = getConsumerIds(scene)
  await requestKeyAdoption(server, scene, {
    method: 'static',
    startsOn: '2026-06-16',
    shares: buildConsumerShares(scene, 800_000, 200_000),
  })
  await runAllocation(server, scene, JUNE)
  await storeMonthQuantities(server.db, scene, first, { ...JUNE, classes: { HPB: 240, HCB: 120 } })
  await storeMonthQuantities(server.db, scene, second, { ...JUNE, classes: { HPB: 240, HCB: 150 } })
  expect(mapCausesByPoint(await fetchDifferenceRows(server, scene, { month: '2026-06-01' }))).toEqual({
    [first]: 'key-version',
    [second]: 'unexplained',
  })
})

test('a definitive quantity of only some days is missing data', async () => {
  const scene = await makeEqualHalvesFixture(server, JUNE)
  const [first = ''] = getConsumerIds(scene)
  await runAllocation(server, scene, JUNE)
  await storeMonthQuantities(server.db, scene, first, { from: '2026-06-01', to: '2026-06-15', classes: { HPB: 168 } })
  expect(mapCausesByPoint(await fetchDifferenceRows(server, scene, { month: '2026-06-01' }))[first]).toBe(
    'missing-data',
  )
})

test('reports a point that was never in our operation', async () => {
  const scene = await makeEqualHalvesFixture(server, JUNE)
  await runAllocation(server, scene, JUNE)
  await storeAllocatedAsDistributorSeries(server.db, scene)
  const stranger = { companyId: scene.companyId, prm: '39999999999991', direction: 'consumption', segment: 'C5' }
  const [point] = await server.db.insert(points).values(stranger).returning()
  await storeDistributorDay(server.db, scene, point?.id ?? '', '2026-06-08', Array(96).fill(500))
  expect(mapCausesByPoint(await fetchDifferenceRows(server, scene, { month: '2026-06-01' }))[point?.id ?? '']).toBe(
    'membership-dates',
  )
})
