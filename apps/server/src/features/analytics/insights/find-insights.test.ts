import { insights } from '@voisol/contract/insights'
import { extractPdfText } from '@voisol/documents/testing/pdf-text'
import { addDays, listDays } from '@voisol/energy/calendar'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { buildCandidateLine, makeProject } from '../../../../test/factories-analytics.ts'
import {
  buildCurveDay,
  makeMeter,
  makeOperationFixture,
  requestKeyAdoption,
} from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { operations, points } from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'
import { storeReadingsAndNotify } from '../../energy/curves/index.ts'
import { findAndStoreInsights } from './index.ts'

const server = useServer()
const ago = (days: number) => addDays(getToday(), -days)
/** From eight to six, by quarter-hour. */
const byDay = (watts: number) => (at: number) => (at >= 32 && at < 72 ? watts : 0)
const byNight = (watts: number) => (at: number) => watts - byDay(watts)(at)

const meta = () => ({ source: 'api' as const, receivedAt: new Date() })

test('ranks first who uses all the surplus, and last who consumes at night', async () => {
  const scene = await makeOperationFixture(server, {
    from: ago(30),
    to: getToday(),
    producers: [byDay(4_000)],
    consumers: [1_500, 700],
  })
  const { companyId, operation, token } = scene
  await requestKeyAdoption(server, scene, { method: 'default' })
  const [like, night] = [
    await makeMeter(server.db, { companyId, label: 'Égale' }),
    await makeMeter(server.db, { companyId, label: 'Nuit' }),
  ]
  const days = listDays(ago(30), getToday())
  await storeReadingsAndNotify(
    server.db,
    companyId,
    days.flatMap((day) => [buildCurveDay(like.id, day, byDay(1_800)), buildCurveDay(night.id, day, byNight(9_000))]),
    meta(),
  )
  await makeProject(server, token, {
    candidates: [
      buildCandidateLine(1, { name: 'Nuit', pointId: night.id, yearlyKwh: 60_000 }),
      buildCandidateLine(2, { name: 'Égale', pointId: like.id, yearlyKwh: 6_000 }),
    ],
  })
  const { body } = await call(server, insights.joins, { params: { id: operation.id } }, { token })
  const [first] = body.items
  expect(body.surplus).toBe(30 * 10 * 1_800)
  expect(first).toMatchObject({ name: 'Égale', kind: 'measured', more: body.surplus })
  const none = body.items.find(({ name }: { name: string }) => name === 'Nuit')
  expect(none).toMatchObject({ more: 0, received: 0, dilution: 0 })
  // What a new member receives equals the additional use plus what others lose.
  for (const { more, received, dilution } of body.items) expect(Math.abs(more + dilution - received)).toBeLessThan(2)
})

test('proposes a vote and a PDF for a key that leaves half unused, and refuses without readings', async () => {
  const scene = await makeOperationFixture(server, {
    from: ago(151),
    to: getToday(),
    producers: [byDay(4_000)],
    consumers: [byDay(6_000), byNight(6_000), 900],
  })
  const { operation, token, consumers } = scene
  const shares = consumers.map(({ id }, at) => ({ pointId: id, share: [100_000, 800_000, 100_000][at] ?? 0 }))
  await requestKeyAdoption(server, scene, { method: 'static', shares })
  const params = { id: operation.id }
  const { body } = await call(server, insights.key, { params }, { token })
  expect(body).toMatchObject({ method: 'static', usesAll: false })
  const best = body.offers.find(({ proposed }: { proposed: boolean }) => proposed)
  // In the held-out month a fifth was used, and nearly all could be.
  expect(body.current.used).toBeCloseTo(0.2, 2)
  expect(best.used).toBeGreaterThan(0.9)
  expect(best.more).toBeCloseTo(best.received - body.current.received, -1)
  expect(best.positive).toBeGreaterThanOrEqual(9)
  const file = await server.app.inject({
    url: insights.keyFile.path.replace(':id', operation.id),
    headers: { authorization: `Bearer ${token}` },
  })
  const sheet = extractPdfText(new Uint8Array(file.rawPayload))
  expect(sheet).toContain('Feuille de vote')
  expect(sheet).not.toContain('Voisol')
  const bare = await makeOperationFixture(server, { from: ago(2), to: getToday(), producers: [1], consumers: [1] })
  const refused = await call(server, insights.key, { params: { id: bare.operation.id } }, { token: bare.token })
  expect(refused.status).toBe(422)
})

test('costs a year of a steady consumer as in the price table, cheapest first', async () => {
  const scene = await makeOperationFixture(server, {
    from: ago(366),
    to: getToday(),
    producers: [0],
    consumers: [1_000],
  })
  const { companyId, operation, token, consumers } = scene
  const [home] = consumers
  await server.db
    .update(points)
    .set({ subscribedVa: 6_000 })
    .where(and(eq(points.companyId, companyId), eq(points.id, home?.id ?? '')))
  const { body } = await call(server, insights.gridTariffs, { params: { id: operation.id } }, { token })
  const [one] = body.items
  const costs = one.options.map(({ cents }: { cents: number }) => cents)
  expect(costs).toEqual([...costs].sort((a, b) => a - b))
  const plain = one.options.find(({ name }: { name: string }) => name === 'CUST')
  // 16.80 € + 22 € + 6 kVA at 11.07 € + 8 760 kWh at 4.84 c€.
  expect(plain.cents).toBe(1_680 + 2_200 + 6 * 1_107 + Math.round(8_760 * 4.84))
  const collective = one.options.find(({ name }: { name: string }) => name.includes('collective'))
  const other = one.options.find(({ name }: { name: string }) => !name.includes('collective'))
  expect(one.saved).toBe(other.cents - collective.cents)
  // Nothing was shared, so the collective option saves nothing.
  expect(one.saved).toBeLessThan(0)
})

test('finds a frozen and a silent meter with their figures in a nightly run', async () => {
  const scene = await makeOperationFixture(server, {
    from: ago(62),
    to: getToday(),
    producers: [{ watts: byDay(4_000) }],
    consumers: [{ watts: (at, day) => (day >= ago(2) ? 417 : 200 + at) }, { watts: (at) => 300 + at }],
  })
  const { companyId, operation, token, consumers } = scene
  const quiet = await makeMeter(server.db, { companyId, operationId: operation.id })
  for (const day of listDays(ago(40), ago(6)))
    await storeReadingsAndNotify(server.db, companyId, [buildCurveDay(quiet.id, day, (at) => 150 + at)], {
      source: 'api',
      receivedAt: new Date(`${addDays(day, 1)}T06:00:00Z`),
    })
  await server.db.update(operations).set({ latitude: 45.76, longitude: 4.84 }).where(eq(operations.id, operation.id))
  await findAndStoreInsights(server.deps, { companyId, operationId: operation.id })
  const { body } = await call(server, insights.list, { query: { state: 'open' } }, { token })
  const of = (rule: string) => body.items.filter((item: { rule: string }) => item.rule === rule)
  expect(of('stuck-meter')).toMatchObject([{ subject: { id: consumers[0]?.id }, from: ago(2), to: getToday() }])
  expect(of('data-lost')).toMatchObject([{ subject: { id: quiet.id }, from: ago(6), to: getToday() }])
  expect(of('mute-meter')).toEqual([])
})
