import { dayStart } from '@voisol/energy/calendar'
import { and, eq, isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { makeUser } from '../../../../test/factories.ts'
import { storeMonthQuantities, toDistributorPoints } from '../../../../test/factories-distributor.ts'
import { makeMeter, makeOperation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { unpackInts } from '../../../core/readings.ts'
import {
  distributorDays,
  distributorEnergies,
  distributorPerimeters,
  distributorQuantities,
} from '../../../db/schema/index.ts'
import type { EnedisCurvePoint } from '../../../integrations/enedis/enedis-types.ts'
import { storeDailyEnergies, storeDistributorSeries, storePerimeter } from './store-distributor-data.ts'

const server = useServer()
const JUNE = { from: '2026-06-01', to: '2026-07-01' }
const at = (minute: number) => new Date(Date.UTC(2026, 6, 1, 8, minute))

async function makePlace() {
  const { companyId } = await makeUser(server.db)
  const operation = await makeOperation(server.db, { companyId })
  const point = await makeMeter(server.db, { companyId, operationId: operation.id })
  const keep = (points: EnedisCurvePoint[], minute = 0, days = JUNE) =>
    storeDistributorSeries(server.db, {
      companyId,
      operationId: operation.id,
      pointId: point.id,
      type: 'autocons',
      ...days,
      curve: { prm: point.prm, direction: 'consumption', points },
      receivedAt: at(minute),
    })
  const days = () => server.db.select().from(distributorDays).where(eq(distributorDays.pointId, point.id))
  return { companyId, operation, point, keep, days }
}

test('a series is stored once by local day, with its energy and its gaps', async () => {
  const { keep, days } = await makePlace()
  const points = toDistributorPoints('2026-06-02', [...Array(90).fill(400), ...Array(6).fill(null)])
  expect(await keep(points)).toEqual({ written: 1 })
  expect(await keep(points, 5)).toEqual({ written: 0 })
  expect(await days()).toMatchObject([
    { day: '2026-06-02', step: 15, energy: 90 * 400 * 15, missing: 6, receivedAt: at(0) },
  ])
})

test('a later answer overrides values but not with its gaps; an older one changes nothing', async () => {
  const { keep, days } = await makePlace()
  await keep(toDistributorPoints('2026-06-02', Array(90).fill(400)), 10)
  await keep(toDistributorPoints('2026-06-02', [500, ...Array(94).fill(null), 600]), 20)
  await keep(toDistributorPoints('2026-06-02', [1, 1, ...Array(94).fill(7)]), 0)
  const [day] = await days()
  const watts = [...unpackInts(day?.watts ?? Buffer.alloc(0))]
  expect([watts[0], watts[1], watts[89], watts[90], watts[95]]).toEqual([500, 400, 400, 7, 600])
  expect(day).toMatchObject({ missing: 0, receivedAt: at(20) })
})

test('stores days of 23 and 25 hours and mixed steps, and ignores days not requested', async () => {
  const { keep, days } = await makePlace()
  const year = { from: '2026-01-01', to: '2027-01-01' }
  const start = dayStart('2026-06-09')
  const mixed: EnedisCurvePoint[] = [
    { end: start + 30, minutes: 30, watts: 100, quality: 'raw' },
    { end: start + 45, minutes: 15, watts: 200, quality: 'raw' },
  ]
  const points = [
    ...toDistributorPoints('2026-03-29', Array(92).fill(4)),
    ...toDistributorPoints('2026-10-25', Array(100).fill(4)),
    ...toDistributorPoints('2027-01-01', Array(96).fill(4)),
  ]
  await keep([...points, ...mixed], 0, year)
  const kept = new Map((await days()).map((day) => [day.day, day]))
  expect([...kept.keys()].sort()).toEqual(['2026-03-29', '2026-06-09', '2026-10-25'])
  expect(kept.get('2026-03-29')).toMatchObject({ missing: 0, energy: 92 * 60 })
  expect(kept.get('2026-10-25')).toMatchObject({ missing: 0, energy: 100 * 60 })
  expect(kept.get('2026-06-09')).toMatchObject({ step: 15, missing: 93, energy: 30 * 100 + 15 * 200 })
})

test('a changed quantity adds a record; the same or an older one adds none', async () => {
  const place = await makePlace()
  const { point } = place
  const give = (classes: Record<string, number>, minute: number) =>
    storeMonthQuantities(server.db, place, point.id, { ...JUNE, classes, receivedAt: at(minute) })
  expect(await give({ HPB: 10, HCB: 4 }, 0)).toEqual({ written: 2 })
  expect(await give({ HPB: 10, HCB: 4 }, 5)).toEqual({ written: 0 })
  expect(await give({ HPB: 12, HCB: 4 }, 10)).toEqual({ written: 1 })
  expect(await give({ HPB: 9, HCB: 4 }, 7)).toEqual({ written: 0 })
  expect(await give({ HPB: 12 }, 20)).toEqual({ written: 0 })
  const own = eq(distributorQuantities.pointId, point.id)
  const current = await server.db
    .select()
    .from(distributorQuantities)
    .where(and(own, isNull(distributorQuantities.supersededAt)))
  expect(current).toMatchObject([{ name: 'HPB', wh: 12_000, receivedAt: at(10) }])
  const all = await server.db.select().from(distributorQuantities).where(own)
  expect(all.map(({ name, wh, supersededAt }) => [name, wh, supersededAt?.getTime()]).sort()).toEqual([
    ['HCB', 4000, at(20).getTime()],
    ['HPB', 10_000, at(10).getTime()],
    ['HPB', 12_000, undefined],
  ])
})

test('the stored perimeter is the one read last', async () => {
  const { companyId, operation } = await makePlace()
  const where = { companyId, operationId: operation.id }
  const point = (n: number, more = {}) => ({
    prm: `3100000000000${n}`,
    role: 'cons' as const,
    startsOn: '2026-01-01',
    endsOn: null,
    ...more,
  })
  await storePerimeter(server.db, { ...where, points: [point(1), point(2)], readAt: at(0) })
  const later = [point(2, { endsOn: '2026-06-01' }), point(2, { startsOn: '2026-08-01' }), point(3, { role: 'prod' })]
  await storePerimeter(server.db, { ...where, points: later, readAt: at(5) })
  const rows = await server.db
    .select()
    .from(distributorPerimeters)
    .where(eq(distributorPerimeters.operationId, operation.id))
    .orderBy(distributorPerimeters.prm)
  expect(rows).toMatchObject([
    { prm: '31000000000002', direction: 'consumption', startsOn: '2026-01-01', endsOn: null, readAt: at(5) },
    { prm: '31000000000003', direction: 'production' },
  ])
  await storePerimeter(server.db, { ...where, points: [], readAt: at(9) })
  const left = eq(distributorPerimeters.operationId, operation.id)
  expect(await server.db.select().from(distributorPerimeters).where(left)).toEqual([])
})

test('daily energies are stored once, and corrected', async () => {
  const { companyId, point } = await makePlace()
  const keep = (days: { day: string; wh: number }[], minute: number) =>
    storeDailyEnergies(server.db, { companyId, pointId: point.id, days, receivedAt: at(minute) })
  const day = '2026-06-02'
  expect(
    await keep(
      [
        { day, wh: 9 },
        { day, wh: 8000 },
      ],
      0,
    ),
  ).toEqual({ written: 1 })
  expect(await keep([{ day, wh: 8000 }], 5)).toEqual({ written: 0 })
  expect(await keep([{ day, wh: 8100 }], 10)).toEqual({ written: 1 })
  expect(await keep([{ day, wh: 7000 }], 5)).toEqual({ written: 0 })
  const rows = await server.db.select().from(distributorEnergies).where(eq(distributorEnergies.pointId, point.id))
  expect(rows).toMatchObject([{ day, wh: 8100, receivedAt: at(10) }])
})
