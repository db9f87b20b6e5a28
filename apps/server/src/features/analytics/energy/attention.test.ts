import { energy } from '@voisol/contract/energy'
import { addDays, addMonths, dayStart, listDays, monthOf, stepsOfDay } from '@voisol/energy/calendar'
import { computePvWatts } from '@voisol/energy/model/pv'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import {
  buildCurveDay,
  makeMeter,
  makeOperation,
  makeOperationFixture,
  requestKeyAdoption,
  runAllocation,
} from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { consents, participants, participations } from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'
import { storeReadingsAndNotify } from '../../energy/curves/store-readings.ts'

const server = useServer()
const PLACE = { latitude: 45.75, longitude: 4.85 }
const PLANT = { peakWatts: 36_000, azimuth: 180, tilt: 30, place: PLACE }
const meta = () => ({ source: 'model' as const, receivedAt: new Date() })

const clear = (day: string) => computePvWatts(PLANT, dayStart(day), stepsOfDay(day, 15), 15)
/** The model's production under this part of a clear sky. */
const sunny = (pointId: string, day: string, part: number) =>
  buildCurveDay(pointId, day, (at) => Math.round((clear(day)[at] ?? 0) * part))

async function makePlants(count: number, parts: (plant: number, day: string) => number | null, period = LATELY()) {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const operation = await makeOperation(server.db, { companyId, ...PLACE })
  const plants = []
  for (let plant = 0; plant < count; plant++) {
    const { peakWatts, azimuth, tilt } = PLANT
    const more = { direction: 'production', label: `Toit ${plant}`, startsOn: period.from, peakWatts, azimuth, tilt }
    const point = await makeMeter(server.db, { companyId, operationId: operation.id, ...more })
    const days = listDays(period.from, period.to).flatMap((day) => {
      const part = parts(plant, day)
      return part === null ? [] : [sunny(point.id, day, part)]
    })
    await storeReadingsAndNotify(server.db, companyId, days, meta())
    plants.push(point)
  }
  const { body } = await call(server, energy.producers, { query: period }, { token: admin.token })
  return {
    admin,
    operation,
    plants,
    items: plants.map(({ id }) => body.items.find((row: { id: string }) => row.id === id)),
  }
}
const LATELY = () => ({ from: addDays(getToday(), -20), to: getToday() })

test('reports a plant that produces half of what its neighbours do', async () => {
  const { items } = await makePlants(3, (plant) => (plant === 0 ? 0.35 : 0.7))
  expect(items[0].performance).toBeCloseTo(0.5, 2)
  expect(items[0].produced / items[0].expected).toBeCloseTo(0.5, 2)
  expect(items[0].alarms).toMatchObject([{ severity: 'warning', since: addDays(getToday(), -7) }])
  expect(items[0].alarms[0].message).toContain('50\u00a0%')
  expect(items[1].alarms).toEqual([])
  expect(items[1].yield).toBeCloseTo(items[1].produced / 36_000, 2)
  expect(items[1]).toMatchObject({ completeness: 1, label: 'Toit 1' })
  expect(items[1].sparkline).toHaveLength(20)
})

test('reports a plant without production by day as critical while readings arrive', async () => {
  const since = addDays(getToday(), -3)
  const { items } = await makePlants(2, (plant, day) => (plant === 0 && day >= since ? 0 : 0.6))
  expect(items[0].alarms).toMatchObject([{ severity: 'critical', since }, ...items[0].alarms.slice(1)])
  expect(items[0].alarms[0].message).toContain('alors que les données arrivent')
})

test('reports readings that stop, and keeps the days of a past failure', async () => {
  const last = addDays(getToday(), -6)
  const [first, second] = [addDays(getToday(), -15), addDays(getToday(), -14)]
  const { items } = await makePlants(2, (plant, day) =>
    plant === 1 ? 0.6 : day > last ? null : day === first || day === second ? 0 : 0.6,
  )
  expect(items[0].alarms).toMatchObject([
    { severity: 'warning', since: addDays(last, 1) },
    { severity: 'warning', since: first },
  ])
  expect(items[0].completeness).toBeCloseTo(15 / 20, 5)
  expect(items[0].performance).toBeLessThan(1)
})

test('compares a single plant with its own good days', async () => {
  const { items } = await makePlants(1, (_, day) => (day >= addDays(getToday(), -7) ? 0.15 : 0.75))
  expect(items[0].alarms).toMatchObject([{ severity: 'warning' }])
  expect(items[0].alarms[0].message).toContain('d’habitude')
})

const attention = async (token: string) => (await call(server, energy.attention, {}, { token })).body.items

test('reports nothing for an empty company', async () => {
  const admin = await makeUser(server.db)
  expect(await attention(admin.token)).toEqual([])
})

test('reports a complete month to close, its outdated run, and nothing after a definitive run', async () => {
  const month = { from: addMonths(monthOf(getToday()), -1), to: monthOf(getToday()) }
  const scene = await makeOperationFixture(server, {
    from: month.from,
    to: getToday(),
    producers: [500],
    consumers: [400, 300],
  })
  const startsOn = month.from
  await server.db.update(participations).set({ startsOn }).where(eq(participations.companyId, scene.companyId))
  await requestKeyAdoption(server, scene, { method: 'default' })
  const kinds = async () => (await attention(scene.token)).map(({ kind }: { kind: string }) => kind)
  expect(await kinds()).toEqual(['ready-to-close', 'participants-to-review'])
  await runAllocation(server, scene, { ...month, kind: 'definitive' })
  expect(await kinds()).toEqual(['participants-to-review'])
  const correction = buildCurveDay(scene.producers[0]?.id ?? '', month.from, 450)
  await storeReadingsAndNotify(server.db, scene.companyId, [correction], meta())
  const items = await attention(scene.token)
  expect(items[0]).toMatchObject({
    severity: 'warning',
    kind: 'stale-run',
    url: `/acc-operations/${scene.operation.id}/energy-distribution`,
  })
  const { body } = await call(server, energy.summary, { query: month }, { token: scene.token })
  expect(body).toMatchObject({ stale: true, definitive: true })
})

test('reports late and incomplete readings, and expiring consents', async () => {
  const month = addMonths(monthOf(getToday()), -1)
  const scene = await makeOperationFixture(server, {
    from: month,
    to: addDays(month, 10),
    producers: [500],
    consumers: [400],
  })
  await server.db.update(participations).set({ startsOn: month }).where(eq(participations.companyId, scene.companyId))
  const [person] = await server.db.select().from(participants).where(eq(participants.companyId, scene.companyId))
  await server.db.insert(consents).values({
    companyId: scene.companyId,
    participantId: person?.id ?? '',
    purpose: 'collection',
    textVersion: '1',
    method: 'paper',
    givenAt: new Date(),
    expiresOn: addDays(getToday(), 30),
    recordedBy: 'essai',
  })
  const items = await attention(scene.token)
  const byKind = Object.fromEntries(items.map((item: { kind: string }) => [item.kind, item]))
  expect(Object.keys(byKind).sort()).toEqual([
    'expiring-consents',
    'incomplete-month',
    'late-data',
    'participants-to-review',
  ])
  const url = `/companies/${scene.companyId}/operations/${scene.operation.id}/load-curves`
  expect(byKind['late-data']).toMatchObject({ severity: 'critical', url })
  expect(byKind['incomplete-month']).toMatchObject({ severity: 'warning', url })
  expect(byKind['expiring-consents'].title).toBe('1 consentement expire d’ici 60 jours')
  expect(items[0].severity).toBe('critical')
})

test('sums single days to the month under a complete key', async () => {
  const june = { from: '2025-06-01', to: '2025-07-01' }
  const scene = await makeOperationFixture(server, { ...june, producers: [600, 400], consumers: [500, 700] })
  const [p1, p2] = scene.producers.map(({ id }) => id)
  const [c1, c2] = scene.consumers.map(({ id }) => id)
  const shares = [
    { producerId: p1, pointId: c1, share: 900_000 },
    { producerId: p1, pointId: c2, share: 100_000 },
    { producerId: p2, pointId: c1, share: 0 },
    { producerId: p2, pointId: c2, share: 1_000_000 },
  ].map((share) => ({ ...share, pointId: share.pointId ?? '', producerId: share.producerId ?? '' }))
  await requestKeyAdoption(server, scene, { method: 'complete', shares })
  await runAllocation(server, scene, june)
  const flow = async (from: string, to: string) =>
    (await call(server, energy.flow, { query: { from, to } }, { token: scene.token })).body
  const whole = await flow(june.from, june.to)
  const parts = [await flow('2025-06-01', '2025-06-08'), await flow('2025-06-08', '2025-07-01')]
  type Link = { from: string; to: string; wh: number }
  expect(whole.links.map(({ wh }: Link) => wh).sort((a: number, b: number) => a - b)).toEqual([
    43_200, 288_000, 360_000,
  ])
  for (const { from, to, wh } of whole.links as Link[]) {
    const same = parts.map(({ links }) => links.find((link: Link) => link.from === from && link.to === to)?.wh ?? 0)
    expect((same[0] ?? 0) + (same[1] ?? 0)).toBeCloseTo(wh, 2)
  }
})
