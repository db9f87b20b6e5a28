import { analytics } from '@voisol/contract/analytics'
import { energy } from '@voisol/contract/energy'
import { chooseFinestGranularity } from '@voisol/contract/granularity'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperationFixture, requestKeyAdoption, runAllocation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { operations } from '../../../db/schema/index.ts'
import { splitIntoMonths } from './energy-comparison.ts'
import { buildDurationCurve, computeAvoidedCo2, computeQuantile } from './energy-shape.ts'

const server = useServer()
const PERIOD = { from: '2025-03-29', to: '2025-04-02' }
let here: Awaited<ReturnType<typeof makeOperationFixture>>
beforeAll(async () => {
  here = await makeOperationFixture(server, { ...PERIOD, producers: [(at) => at * 23], consumers: [503, 709] })
  await requestKeyAdoption(server, here, { method: 'default' })
  await runAllocation(server, here, PERIOD)
})

describe('shows the same figures in a comparison as on other screens', () => {
  const compare = async (by: string) =>
    (await call(server, analytics.compare, { query: { ...PERIOD, by } }, { token: here.token })).body
  test('compares operations with their total', async () => {
    const { body: shown } = await call(server, energy.operations, { query: PERIOD }, { token: here.token })
    const { rows, total } = await compare('operations')
    expect(total).toEqual(shown.total)
    const { produced, shared, surplus, consumed, allocated, complement, selfProduction, valueCents } = shown.items[0]
    expect(rows[0]).toMatchObject({
      produced,
      shared,
      surplus,
      consumed,
      allocated,
      complement,
      selfProduction,
      valueCents,
    })
    expect(rows[0].allocated).toBeGreaterThan(0)
  })
  test('sums months, members and groups to the total', async () => {
    const { total } = await compare('operations')
    for (const by of ['months', 'members', 'groups']) {
      const { rows } = await compare(by)
      const sum = (name: string) => rows.reduce((all: number, row: Record<string, number>) => all + (row[name] ?? 0), 0)
      expect(sum('allocated')).toBeCloseTo(total.allocated, 2)
      expect(sum('produced')).toBeCloseTo(total.produced, 2)
    }
    expect((await compare('months')).rows).toHaveLength(2)
    expect((await compare('members')).rows).toHaveLength(3)
    expect((await compare('groups')).rows).toMatchObject([{ name: 'Sans groupe', members: 3 }])
  })
  test('values energy shared within a group once, and not at all without a price', async () => {
    const price = (unitPrice: number | null) =>
      server.db.update(operations).set({ unitPrice }).where(eq(operations.id, here.operation.id))
    await price(1250)
    const { total } = await compare('operations')
    const [group] = (await compare('groups')).rows
    expect(total.valueCents).toBeGreaterThan(0)
    expect([group.valueCents, group.co2Grams]).toEqual([total.valueCents, total.co2Grams])
    expect([group.selfConsumption, group.selfProduction]).toEqual([total.selfConsumption, total.selfProduction])
    await price(null)
    expect((await compare('groups')).rows[0].valueCents).toBeNull()
  })
  test('lists the members of the members’ page, with the summary’s total', async () => {
    const { body: list } = await call(
      server,
      energy.members,
      { query: { ...PERIOD, size: 100 } },
      { token: here.token },
    )
    const { rows, count, total } = await compare('members')
    expect(count).toBe(list.items.length)
    for (const row of rows) {
      const own = list.items.find(({ id }: { id: string }) => row.id.endsWith(id))
      expect(row.produced ?? row.consumed).toBe(own.total)
      expect(row.shared ?? row.allocated).toBe(own.local)
      expect([row.pending, row.selfConsumption ?? row.selfProduction, row.valueCents]).toEqual([
        own.pending,
        own.rate,
        own.valueCents,
      ])
    }
    const { body: summary } = await call(server, energy.summary, { query: PERIOD }, { token: here.token })
    expect(total).toEqual(summary.current)
  })
})

test('limits a chart to the points that fit, at the finest step', async () => {
  expect(chooseFinestGranularity(7, 800)).toBe('15min')
  expect(chooseFinestGranularity(1, 96)).toBe('hour')
  expect(chooseFinestGranularity(31, 800)).toBe('hour')
  expect(chooseFinestGranularity(366, 800)).toBe('day')
  expect(chooseFinestGranularity(3660, 800)).toBe('month')
  for (const width of [50, 120, 400]) {
    const { body } = await call(server, analytics.chart, { query: { ...PERIOD, width } }, { token: here.token })
    expect(body.starts.length).toBeLessThanOrEqual(width)
    const fine = { ...PERIOD, granularity: '15min', width }
    const drawn = await call(server, energy.series, { query: fine }, { token: here.token })
    expect(drawn.body).toEqual(body)
  }
})

test('keeps a requested daily step even when hours would fit', async () => {
  const query = { ...PERIOD, granularity: 'day', width: 4000 }
  const { body } = await call(server, energy.series, { query }, { token: here.token })
  expect(body.granularity).toBe('day')
})

test('computes duration, hourly boxes and CO2 from known hours only', async () => {
  const query = { ...PERIOD, measure: 'produced' }
  const { body } = await call(server, analytics.shape, { query }, { token: here.token })
  // The clock goes forward on 30 March: four days have 95 hours.
  expect(body.duration.hours).toBe(95)
  expect(body.boxes[2].days).toBe(3)
  expect(body.boxes[12].spread.min).toBeLessThanOrEqual(body.boxes[12].spread.median)
  expect(body.co2.hourly).toBeNull()
  expect(buildDurationCurve([3, 9, 5])).toEqual({
    hours: 3,
    points: [
      { part: 0, watts: 9 },
      { part: 0.5, watts: 5 },
      { part: 1, watts: 3 },
    ],
  })
  expect(buildDurationCurve([])).toEqual({ hours: 0, points: [] })
  expect(computeQuantile([1, 2, 4, 8], 0.5)).toBe(3)
  const factors = { CO2_GRID_GRAMS: 50, CO2_SOLAR_GRAMS: 40, CO2_SOURCE: 'essai' }
  const hours = [Array.from({ length: 24 }, (_, hour) => (hour === 12 ? 2000 : null))]
  const byHour = Array.from({ length: 24 }, (_, hour) => (hour === 12 ? 90 : 0))
  expect(computeAvoidedCo2(hours, { ...factors, CO2_GRID_HOURLY: [] })).toMatchObject({
    yearly: { grams: 20 },
    hourly: null,
  })
  expect(computeAvoidedCo2(hours, { ...factors, CO2_GRID_HOURLY: byHour }).hourly).toMatchObject({
    grams: 100,
    wh: 2000,
  })
})

test('cuts the months of a period at its ends', () => {
  expect(splitIntoMonths({ from: '2025-01-15', to: '2025-03-01' })).toEqual([
    { from: '2025-01-15', to: '2025-02-01' },
    { from: '2025-02-01', to: '2025-03-01' },
  ])
})

test('shows a shared view to the company, and lets only its author change it', async () => {
  const other = await makeUser(server.db, { companyId: here.companyId })
  const stranger = await makeUser(server.db)
  const body = { name: 'Étés', search: 'by=months', shared: false }
  const { body: view } = await call(server, analytics.saveView, { body }, { token: here.token })
  const seenBy = async (token: string) => (await call(server, analytics.views, {}, { token })).body.items.length
  expect([await seenBy(here.token), await seenBy(other.token)]).toEqual([1, 0])
  const change = (token: string, version: number) =>
    call(server, analytics.updateView, { params: { id: view.id }, body: { ...body, shared: true, version } }, { token })
  expect((await change(here.token, 1)).body).toMatchObject({ shared: true, mine: true, version: 2 })
  expect((await change(here.token, 1)).status).toBe(409)
  expect([await seenBy(other.token), await seenBy(stranger.token)]).toEqual([1, 0])
  expect((await change(other.token, 2)).status).toBe(404)
  const remove = (token: string) => call(server, analytics.removeView, { params: { id: view.id } }, { token })
  expect([(await remove(other.token)).status, (await remove(here.token)).status]).toEqual([404, 200])
  expect(await seenBy(here.token)).toBe(0)
})
