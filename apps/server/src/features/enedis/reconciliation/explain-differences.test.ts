import { energy } from '@voisol/contract/energy'
import { addDays } from '@voisol/energy/calendar'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import {
  type AllocatedStep,
  fetchDifferenceRows,
  fetchReconciledMonths,
  getConsumerIds,
  makeEqualHalvesFixture,
  mapCausesByPoint,
  storeAllocatedAsDistributorSeries,
  storeMonthQuantities,
} from '../../../../test/factories-distributor.ts'
import { makeOperationFixture, requestKeyAdoption, runAllocation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { points } from '../../../db/schema/index.ts'
import { loadAllocatedClasses, loadBilledQuantities } from './quantities-by-class.ts'

const server = useServer()
const JUNE = { from: '2026-06-01', to: '2026-07-01' }
const MONTH = { month: '2026-06-01' }

/** Days with a different load than their neighbours. */
const BUSY = new Set(['2026-06-01', '2026-06-08', '2026-06-14', '2026-06-30'])

/** Three homes and a solar roof, with different curves on every day and in every home. */
async function makeUneven(from = JUNE.from, to = JUNE.to) {
  const wave = (n: number) => (at: number, day: string) =>
    150 +
    n * 90 +
    ((at * (7 + n)) % 240) +
    ((Number(day.slice(8)) * (31 + n)) % 13) * 29 +
    (BUSY.has(day) ? 1500 / n ** 3 : 0)
  const scene = await makeOperationFixture(server, {
    from,
    to,
    producers: [(at: number) => 400 + ((at * 11) % 700)],
    consumers: [wave(1), wave(3), wave(4)],
  })
  await requestKeyAdoption(server, scene, { method: 'default' })
  await runAllocation(server, scene, { from, to })
  return { scene, ids: getConsumerIds(scene) as [string, string, string] } // three were made
}

/** Energy of each home by class as the distributor publishes it: whole kilowatt-hours, rounded down. */
async function classesOf({ companyId, operation }: Awaited<ReturnType<typeof makeUneven>>['scene']) {
  const rows = await loadBilledQuantities(server.db, companyId, operation.id, JUNE.from)
  const byPoint = Map.groupBy(rows, ({ pointId }) => pointId)
  return (id: string): Record<string, number> =>
    Object.fromEntries((byPoint.get(id) ?? []).map(({ name, wh }) => [name, Math.floor(wh / 1000)]))
}
const give = (scene: Awaited<ReturnType<typeof makeUneven>>['scene'], id: string, classes: Record<string, number>) =>
  storeMonthQuantities(server.db, scene, id, { ...JUNE, classes })

describe('definitive quantities', () => {
  test('with errors need attention and say so', async () => {
    const { scene, ids } = await makeUneven()
    const own = await classesOf(scene)
    await give(scene, ids[0], own(ids[1]))
    await give(scene, ids[1], own(ids[0]))
    const { body } = await call(server, energy.attention, {}, { token: scene.token })
    expect(body.items).toContainEqual(
      expect.objectContaining({
        kind: 'distributor-difference',
        message: expect.stringMatching(/autre membre.*2 points/),
      }),
    )
  })

  test('of two swapped members', async () => {
    const { scene, ids } = await makeUneven()
    const own = await classesOf(scene)
    await give(scene, ids[0], own(ids[1]))
    await give(scene, ids[1], own(ids[0]))
    await give(scene, ids[2], own(ids[2]))
    expect(await fetchReconciledMonths(server, scene)).toMatchObject([
      { verdict: 'different', causes: { 'swapped-members': 2, rounding: 1, unexplained: 0 } },
    ])
  })

  test('with a missing class', async () => {
    const { scene, ids } = await makeUneven()
    const own = await classesOf(scene)
    const { HCB: _, ...rest } = own(ids[0])
    await give(scene, ids[0], rest)
    expect(mapCausesByPoint(await fetchDifferenceRows(server, scene, MONTH))[ids[0]]).toBe('missing-class')
    await give(scene, ids[0], { HPB: (rest.HPB ?? 0) - 9 })
    expect(mapCausesByPoint(await fetchDifferenceRows(server, scene, MONTH))[ids[0]]).toBe('unexplained')
  })

  test.each([
    [3, 'tripled'],
    [1.01, 'one per cent more'],
    [0.96, 'four per cent less'],
  ])('%d times ours (%s) are unexplained', async (factor) => {
    const { scene, ids } = await makeUneven()
    const own = await classesOf(scene)
    for (const id of ids)
      await give(
        scene,
        id,
        Object.fromEntries(Object.entries(own(id)).map(([name, kwh]) => [name, Math.floor((kwh + 0.999) * factor)])),
      )
    expect(await fetchReconciledMonths(server, scene)).toMatchObject([
      { verdict: 'different', causes: { unexplained: 3 } },
    ])
  })
})

test('definitive quantities of a month shifted by a day', async () => {
  const { scene, ids } = await makeUneven('2026-05-31', '2026-07-02')
  for (const by of [1, -1]) {
    const span = { operationId: scene.operation.id, from: addDays(JUNE.from, by), to: addDays(JUNE.to, by) }
    const classes = (await loadAllocatedClasses(server.db, scene.companyId, span, by)).get(ids[0]) ?? []
    await give(scene, ids[0], Object.fromEntries([...classes].map(([name, wh]) => [name, Math.floor(wh / 1000)])))
    expect(mapCausesByPoint(await fetchDifferenceRows(server, scene, MONTH))[ids[0]]).toBe('shifted-day')
  }
})

describe('a distributor series', () => {
  const given = async (
    change: (step: AllocatedStep, at: (pointId: string, day: string) => number) => number | null,
  ) => {
    const { scene, ids } = await makeUneven()
    const seen = new Map<string, number>()
    await storeAllocatedAsDistributorSeries(server.db, scene, ({ pointId, day, at, watts }) => {
      seen.set(`${pointId} ${day} ${at}`, watts)
      return null
    })
    await storeAllocatedAsDistributorSeries(server.db, scene, (step) =>
      change(step, (pointId, day) => seen.get(`${pointId} ${day} ${step.at}`) ?? step.watts),
    )
    return { scene, ids, causes: mapCausesByPoint(await fetchDifferenceRows(server, scene, MONTH)) }
  }

  test('one per cent above ours all month is unexplained, by month and by day', async () => {
    const { scene, ids, causes } = await given(({ watts }) => Math.round(watts * 1.01))
    expect(ids.map((id) => causes[id])).toEqual(['unexplained', 'unexplained', 'unexplained'])
    const days = await fetchDifferenceRows(server, scene, { ...MONTH, level: 'day', pointId: ids[1] })
    expect(days.some(({ cause }) => cause === 'unexplained')).toBe(true)
  })

  test('half a watt away at every step is rounding', async () => {
    const { ids, causes } = await given(({ watts, at }) => watts + (at % 3 === 0 ? 1 : 0))
    expect(ids.map((id) => causes[id])).toEqual(['rounding', 'rounding', 'rounding'])
  })

  test('of two members swapped for some days', async () => {
    const other = new Map<string, string>()
    const { scene, ids } = await makeUneven()
    other.set(ids[0], ids[2]).set(ids[2], ids[0])
    const seen = new Map<string, number>()
    await storeAllocatedAsDistributorSeries(server.db, scene, ({ pointId, day, at, watts }) => {
      seen.set(`${pointId} ${day} ${at}`, watts)
      return null
    })
    await storeAllocatedAsDistributorSeries(server.db, scene, ({ pointId, day, at, watts }) =>
      day >= '2026-06-11' ? (seen.get(`${other.get(pointId) ?? pointId} ${day} ${at}`) ?? watts) : watts,
    )
    const causes = mapCausesByPoint(await fetchDifferenceRows(server, scene, MONTH))
    expect([causes[ids[0]], causes[ids[2]]]).toEqual(['swapped-members', 'swapped-members'])
    expect(['equal', 'rounding']).toContain(causes[ids[1]])
    const days = await fetchDifferenceRows(server, scene, { ...MONTH, level: 'day', pointId: ids[0] })
    expect(days.find(({ at }) => at === '2026-06-20')?.cause).toBe('swapped-members')
    expect(days.find(({ at }) => at === '2026-06-05')?.cause).not.toBe('swapped-members')
  })

  test('shifted by a day', async () => {
    for (const by of [1, -1]) {
      const { scene, ids, causes } = await given(({ pointId, day, watts }, at) =>
        day >= '2026-06-08' && day < '2026-06-15' ? at(pointId, addDays(day, by)) : watts,
      )
      expect(causes[ids[0]]).toBe('shifted-day')
      const days = await fetchDifferenceRows(server, scene, { ...MONTH, level: 'day', pointId: ids[1] })
      // By chance a day can resemble its neighbour.
      const apart = days.filter(({ at, cause }) => at >= '2026-06-08' && at < '2026-06-15' && cause !== 'rounding')
      expect(new Set(apart.map(({ cause }) => cause))).toEqual(new Set(['shifted-day']))
    }
  })
})

describe('a gap', () => {
  const holed = () => makeEqualHalvesFixture(server, JUNE, [{ watts: (at) => (at < 12 ? -1 : 1000) }])

  test('explains only what its steps could have contained', async () => {
    const scene = await holed()
    const [first = ''] = getConsumerIds(scene)
    await runAllocation(server, scene, JUNE)
    // We lack three hours of 500 W per day: 45 kWh.
    await storeMonthQuantities(server.db, scene, first, { ...JUNE, classes: { HPB: 240, HCB: 120 } })
    expect(mapCausesByPoint(await fetchDifferenceRows(server, scene, MONTH))[first]).toBe('missing-data')
    await storeMonthQuantities(server.db, scene, first, { ...JUNE, classes: { HPB: 242, HCB: 123 } })
    expect(mapCausesByPoint(await fetchDifferenceRows(server, scene, MONTH))[first]).toBe('unexplained')
    expect(await fetchReconciledMonths(server, scene)).toMatchObject([{ verdict: 'different' }])
    // Our gaps do not explain a lower value of the distributor.
    await storeMonthQuantities(server.db, scene, first, { ...JUNE, classes: { HPB: 190, HCB: 115 } })
    expect(mapCausesByPoint(await fetchDifferenceRows(server, scene, MONTH))[first]).toBe('unexplained')
  })

  test('of one day explains only that day of the series', async () => {
    const scene = await holed()
    const [first = '', second = ''] = getConsumerIds(scene)
    await runAllocation(server, scene, JUNE)
    const by = (id: string, watts: number) => (step: AllocatedStep) =>
      step.pointId === id && step.day === '2026-06-01' && step.at < 12 ? watts : step.watts || 500
    await storeAllocatedAsDistributorSeries(server.db, scene, by(first, 500))
    expect(mapCausesByPoint(await fetchDifferenceRows(server, scene, MONTH))).toMatchObject({
      [first]: 'missing-data',
      [second]: 'equal',
    })
    await storeAllocatedAsDistributorSeries(server.db, scene, by(first, 5000))
    expect(mapCausesByPoint(await fetchDifferenceRows(server, scene, MONTH))).toMatchObject({
      [first]: 'unexplained',
      [second]: 'equal',
    })
  })

  test('of the whole month is limited by the subscribed power', async () => {
    const scene = await makeEqualHalvesFixture(server, JUNE, [{ watts: -1 }])
    const [first = ''] = getConsumerIds(scene)
    await runAllocation(server, scene, JUNE)
    await server.db.update(points).set({ subscribedVa: 3000 }).where(eq(points.id, first))
    await storeMonthQuantities(server.db, scene, first, { ...JUNE, classes: { HPB: 2160 } })
    expect(mapCausesByPoint(await fetchDifferenceRows(server, scene, MONTH))[first]).toBe('missing-data')
    await storeMonthQuantities(server.db, scene, first, { ...JUNE, classes: { HPB: 2182 } })
    expect(mapCausesByPoint(await fetchDifferenceRows(server, scene, MONTH))[first]).toBe('unexplained')
  })
})
