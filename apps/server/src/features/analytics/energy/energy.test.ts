import { energy } from '@voisol/contract/energy'
import { operations } from '@voisol/contract/operations'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperationFixture, requestKeyAdoption, runAllocation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { operations as operationTable } from '../../../db/schema/index.ts'

const server = useServer()
const MARCH = { from: '2025-03-01', to: '2025-04-01' }
/** March 2025 has 31 days minus one hour. */
const HOURS = 31 * 24 - 1
/** Watts of two plants and four consumers: each gets about two thirds of its consumption. */
const [GIVEN, DRAWN] = [613 + 389, 599 + 307 + 313 + 293]
const PRICE = 1_213

let scene: Awaited<ReturnType<typeof makeOperationFixture>>
beforeAll(async () => {
  scene = await makeOperationFixture(server, { ...MARCH, producers: [613, 389], consumers: [599, 307, 313, 293] })
  await server.db
    .update(operationTable)
    .set({ unitPrice: PRICE, latitude: 45.75, longitude: 4.85 })
    .where(eq(operationTable.id, scene.operation.id))
  await requestKeyAdoption(server, scene, { method: 'default' })
  await runAllocation(server, scene, MARCH)
})

const ask = async (e: Parameters<typeof call>[1], query: Record<string, string>, token = scene.token) => {
  const answer = await call(server, e, { query }, { token })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body
}
const here = () => ({ operationId: scene.operation.id })
const sum = (values: (number | null)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0)

describe('summary', () => {
  test('adds up readings and allocated energy', async () => {
    const body = await ask(energy.summary, { ...MARCH, ...here() })
    expect(body.current).toMatchObject({
      produced: GIVEN * HOURS,
      shared: GIVEN * HOURS,
      surplus: 0,
      consumed: DRAWN * HOURS,
      allocated: GIVEN * HOURS,
      complement: (DRAWN - GIVEN) * HOURS,
      selfConsumption: 1,
      // 744.486 kWh: 6 030.34 g, and 90.306 15 €.
      co2Grams: 6_030,
      valueCents: 9_031,
      unitPrice: PRICE,
    })
    expect(body.current.selfProduction).toBeCloseTo(GIVEN / DRAWN, 10)
    const steps = HOURS * 4 * 6
    expect(body.steps).toEqual({ expected: steps, received: steps, allocated: steps, excluded: 0, estimated: 0 })
    expect(body).toMatchObject({ previous: null, lastYear: null, stale: false, definitive: false, neighbours: null })
    expect(body.receivedUntil).toBe('2025-03-31T22:00:00.000Z')
    expect(body.co2).toMatchObject({ gridGramsPerKwh: 52, solarGramsPerKwh: 43.9 })
  })

  test('gives the same figures from days as from stored months', async () => {
    const whole = await ask(energy.summary, { ...MARCH, ...here() })
    const [first, second] = await Promise.all([
      ask(energy.summary, { from: '2025-03-01', to: '2025-03-15', ...here() }),
      ask(energy.summary, { from: '2025-03-15', to: '2025-04-01', ...here() }),
    ])
    for (const name of ['produced', 'shared', 'surplus', 'consumed', 'allocated', 'complement'])
      expect(first.current[name] + second.current[name]).toBeCloseTo(whole.current[name], 3)
    expect(second.previous).not.toBeNull()
  })

  test('compares a month with the previous one and with the same month a year before', async () => {
    const april = await ask(energy.summary, { from: '2025-04-01', to: '2025-05-01', ...here() })
    expect(april.previous.produced).toBe(GIVEN * HOURS)
    const later = await ask(energy.summary, { from: '2026-03-01', to: '2026-04-01', ...here() })
    expect(later.lastYear.produced).toBe(GIVEN * HOURS)
  })

  test.each([
    { from: '2025-03-02', to: '2025-03-02' },
    { from: '1900-01-01', to: '1900-02-01' },
    { from: '2001-01-01', to: '2099-01-01' },
    { from: '2025-02-30', to: '2025-03-02' },
  ])('refuses $from – $to', async (period) => {
    const { status, body } = await call(server, energy.summary, { query: period }, { token: scene.token })
    expect(status).toBe(422)
    expect(body.issues[0].message).toMatch(/[a-zé]{4}/)
  })

  test('hides another company’s data', async () => {
    const other = await makeUser(server.db)
    const ids = [
      here(),
      { pointId: scene.producers[0]?.id ?? '' },
      { operationId: crypto.randomUUID() },
      { participantId: crypto.randomUUID() },
    ]
    for (const id of ids) {
      const { status } = await call(server, energy.summary, { query: { ...MARCH, ...id } }, { token: other.token })
      expect(status).toBe(404)
    }
    const all = await ask(energy.summary, MARCH, other.token)
    expect(all.current).toMatchObject({ produced: 0, consumed: 0, valueCents: null })
  })
})

describe('series', () => {
  const day = (from: string, to: string, granularity: string) =>
    ask(energy.series, { from, to, granularity, ...here() })

  test('has 92 quarter-hours and 23 hours on the day summer time begins', async () => {
    const quarters = await day('2025-03-30', '2025-03-31', '15min')
    expect(quarters.starts).toHaveLength(92)
    expect(quarters).toMatchObject({ step: 15, granularity: '15min' })
    expect(new Set(quarters.produced)).toEqual(new Set([GIVEN / 4]))
    const hours = await day('2025-03-30', '2025-03-31', 'hour')
    expect(hours.starts).toHaveLength(23)
    expect(hours.starts[0]).toBe('2025-03-29T23:00:00.000Z')
    expect(hours.complement.every((wh: number) => Math.abs(wh - (DRAWN - GIVEN)) < 0.01)).toBe(true)
    const map = await ask(energy.heatMap, { from: '2025-03-30', to: '2025-03-31', measure: 'produced', ...here() })
    expect(map.hours[0]).toHaveLength(24)
    expect(map.hours[0][2]).toBeNull()
    expect(map.hours[0][3]).toBe(GIVEN)
  })

  test('has the same energy at all granularities', async () => {
    const [quarters, hours, days, months] = await Promise.all(
      ['15min', 'hour', 'day', 'month'].map((granularity) => day(MARCH.from, MARCH.to, granularity)),
    )
    expect([quarters, hours, days, months].map(({ starts }) => starts.length)).toEqual([HOURS * 4, HOURS, 31, 1])
    for (const name of ['produced', 'shared', 'surplus', 'consumed', 'allocated', 'complement'])
      for (const series of [hours, days, months]) expect(sum(series[name])).toBeCloseTo(sum(quarters[name]), 0)
    expect(new Set([...quarters.marks, ...days.marks, ...months.marks])).toEqual(new Set([1]))
  })

  test('gives null and not zero for unknown values', async () => {
    for (const granularity of ['15min', 'hour', 'day', 'month']) {
      const { produced, surplus, complement, marks } = await day('2025-05-01', '2025-05-02', granularity)
      expect(new Set([...produced, ...surplus, ...complement])).toEqual(new Set([null]))
      expect(new Set(marks)).toEqual(new Set([0]))
    }
  })

  test('refuses a period too long for the step', async () => {
    const query = { from: '2024-01-01', to: '2025-06-01', granularity: '15min' }
    const { status, body } = await call(server, energy.series, { query }, { token: scene.token })
    expect([status, body.issues[0].path]).toEqual([422, 'to'])
  })
})

describe('documented calls', () => {
  const window = { startDate: '2025-03-10', endDate: '2025-03-12' }

  test('return production in kWh with a summary, hourly by default', async () => {
    const body = await ask(energy.production, { ...window, ...here() })
    expect(body.data).toHaveLength(48)
    expect(body.data[0]).toEqual({
      timestamp: '2025-03-09T23:00:00.000Z',
      production: 1.002,
      shared: 1.002,
      surplus: 0,
      unit: 'kWh',
      weather: null,
    })
    expect(body.summary).toEqual({
      totalProduction: 48.096,
      averageProduction: 1.002,
      peakProduction: 1.002,
      unit: 'kWh',
    })
  })

  test('return consumption with its local part between instants, end excluded', async () => {
    const query = { startDate: '2025-03-10T10:00:00Z', endDate: '2025-03-10T12:00:00Z', ...here() }
    const body = await ask(energy.consumption, query)
    expect(body.data.map(({ timestamp }: { timestamp: string }) => timestamp)).toEqual([
      '2025-03-10T10:00:00.000Z',
      '2025-03-10T11:00:00.000Z',
    ])
    expect(body.summary).toMatchObject({
      totalConsumption: 3.024,
      totalSelfConsumption: 2.004,
      totalGridConsumption: 1.02,
    })
    expect(body.summary.selfProductionRate).toBeCloseTo(GIVEN / DRAWN, 5)
  })

  test('return one point of an operation', async () => {
    const query = { ...window, granularity: 'day', pointId: scene.consumers[1]?.id ?? '' }
    const body = await ask(energy.consumption, query)
    expect(body.data.map((row: { consumption: number }) => row.consumption)).toEqual([7.368, 7.368])
  })
})

describe('flow', () => {
  test('agrees between stored months and single days, with exact totals', async () => {
    const whole = await ask(energy.flow, { ...MARCH, ...here() })
    const parts = await Promise.all([
      ask(energy.flow, { from: '2025-03-01', to: '2025-03-12', ...here() }),
      ask(energy.flow, { from: '2025-03-12', to: '2025-04-01', ...here() }),
    ])
    type Link = { from: string; to: string; wh: number }
    expect(whole.links).toHaveLength(8)
    for (const { from, to, wh } of whole.links as Link[]) {
      const same = parts.map(({ links }) => links.find((link: Link) => link.from === from && link.to === to).wh)
      expect(sum(same)).toBeCloseTo(wh, 2)
    }
    for (const node of whole.producers)
      expect(sum(whole.links.filter((l: Link) => l.from === node.id).map((l: Link) => l.wh))).toBeCloseTo(node.wh, 2)
    for (const node of whole.consumers)
      expect(sum(whole.links.filter((l: Link) => l.to === node.id).map((l: Link) => l.wh))).toBeCloseTo(node.wh, 2)
    expect(whole.surplusWh).toBe(0)
  })

  test('shows where one consumer’s energy came from', async () => {
    const [, second] = scene.consumers
    const body = await ask(energy.flow, { ...MARCH, pointId: second?.id ?? '' })
    expect(body.consumers).toHaveLength(1)
    expect(body.producers).toHaveLength(2)
    expect(body.links).toHaveLength(2)
  })
})

describe('exported files', () => {
  test.each([
    ['csv-excel', /^\uFEFFDébut;Heure légale;Production \(kWh\)/],
    ['csv-data', /^start;produced_wh;/],
    ['json', /^\{"granularity":"hour"/],
    ['xlsx', /^PK/],
  ])('%s', async (format, opening) => {
    const query = { from: '2025-03-10', to: '2025-03-11', granularity: 'hour', format, ...here() }
    const answer = await call(server, energy.export, { query }, { token: scene.token })
    expect(answer.status).toBe(200)
    expect(answer.text).toMatch(opening)
    if (format === 'csv-excel')
      expect(answer.text).toContain('10/03/2025 00:00;hiver;1,002;1,002;0;1,512;1,002;0,51;brut')
  })

  test('exports members as a table', async () => {
    const answer = await call(server, energy.membersExport, { query: { ...MARCH, ...here() } }, { token: scene.token })
    expect(answer.text).toContain('Nom;PRM;Sens')
    expect(answer.text.trim().split('\r\n')).toHaveLength(7)
  })
})

test('lists members with energies, shares and values, searched, sorted and paged', async () => {
  const query = { ...MARCH, ...here(), sort: '-local', size: '2', direction: 'consumption' }
  const body = await ask(energy.members, query)
  expect(body.total).toBe(4)
  expect(body.items).toHaveLength(2)
  expect(body.items[0]).toMatchObject({ id: scene.consumers[0]?.id, total: 599 * HOURS })
  expect(body.items[0].share).toBeCloseTo(599 / DRAWN, 4)
  expect(body.items[0].rate).toBeCloseTo(GIVEN / DRAWN, 4)
  expect(body.items[0].valueCents).toBe(Math.round((body.items[0].local * PRICE) / 100_000))
  const found = await ask(energy.members, { ...MARCH, q: scene.producers[0]?.prm ?? '' })
  expect(found.items).toMatchObject([{ direction: 'production', rate: 1 }])
})

test('lists operations with at most 31 values to draw', async () => {
  const { items } = await ask(energy.operations, MARCH)
  expect(items).toHaveLength(1)
  expect(items[0]).toMatchObject({ id: scene.operation.id, completeness: 1, method: 'default', stale: false })
  expect(items[0].sparkline).toHaveLength(31)
  const year = await ask(energy.operations, { from: '2025-01-01', to: '2026-01-01' })
  expect(year.items[0].sparkline.length).toBeLessThanOrEqual(31)
  const listed = await ask(operations.list, {})
  expect(listed.items[0].participants).toBe(items[0].participants)
})

test('gives the best production hours when there is no surplus', async () => {
  const body = await ask(energy.bestHours, here())
  expect(body.days).toBe(14)
  expect(body).toMatchObject({ from: '2025-03-18', to: '2025-04-01' })
  expect(sum(body.hours)).toBeCloseTo(1, 10)
})
