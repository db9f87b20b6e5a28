import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allocateEnergy } from '@voisol/energy/allocate'
import { addMonths, dayStart, monthOf } from '@voisol/energy/calendar'
import type { AllocationKey } from '@voisol/energy/keys'
import { DEFAULT_CALENDAR, getTimeClass } from '@voisol/energy/time-classes'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDemoMeterSource, getLateKeyChange } from './demo-meters.ts'
import { createMeterRegistry } from './meter-registry.ts'
import {
  buildSettlements,
  GRID_CLASSES,
  getGridClassIndex,
  SETTLEMENT_STEP_MINUTES,
  type SharedPoint,
  type SimulatedKey,
  settleMonth,
  shareStep,
} from './settlement.ts'
import { openSimulatorStore } from './simulator-store.ts'

const ANCHOR = '2026-11-15'
const demo = createDemoMeterSource(ANCHOR)
const world = createMeterRegistry(openSimulatorStore(undefined), demo.source)
const now = Date.parse(`${ANCHOR}T10:00:00Z`)
const requireSettlement = (acc: string) => {
  const found = buildSettlements([], demo).find((one) => one.acc === acc)
  if (!found) throw new Error(acc)
  return found
}

/** A key of the simulator in the format of the product's kernel. */
function toKernelKey(book: SimulatedKey, consumers: string[], producers: string[]): AllocationKey {
  const named = <T>(values: T[], names: string[]) =>
    Object.fromEntries(names.map((name, at) => [name, values[at] as T])) // both lists have the same length
  if (book.method === 'static' || book.method === 'redistributed')
    return { method: book.method, shares: named(book.shares, consumers) }
  if (book.method === 'priority') return { method: 'priority', ranks: named(book.ranks, consumers) }
  if (book.method !== 'complete') return { method: book.method }
  const rows = book.shares.map((row) => named(row, consumers))
  return { method: 'complete', coefficients: named(rows, producers) }
}

const watts = fc.integer({ min: 0, max: 9_973 })
const millionths = fc.integer({ min: 0, max: 190_000 })
const rows = (size: number) => fc.array(watts, { minLength: size, maxLength: size })
const KEYS: fc.Arbitrary<SimulatedKey> = fc.oneof(
  fc.constantFrom<SimulatedKey>({ method: 'default' }, { method: 'equal' }),
  fc.record({
    method: fc.constantFrom('static' as const, 'redistributed' as const),
    shares: fc.array(millionths, { minLength: 5, maxLength: 5 }),
  }),
  fc.record({
    method: fc.constant('priority' as const),
    ranks: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 5, maxLength: 5 }),
  }),
  fc.record({
    method: fc.constant('complete' as const),
    shares: fc.array(fc.array(millionths, { minLength: 5, maxLength: 5 }), { minLength: 2, maxLength: 2 }),
  }),
)

test('two independent implementations of the rules agree on any step', () => {
  const [consumers, producers] = [
    ['1', '2', '3', '4', '5'],
    ['8', '9'],
  ]
  const property = fc.property(rows(5), rows(2), KEYS, (consumed, produced, book) => {
    const point = (ids: string[], values: number[]) =>
      ids.map((id, at) => ({ id, values: Int32Array.of(values[at] ?? 0), active: [[0, 1]] as [number, number][] }))
    const { allocated, shared } = allocateEnergy({
      steps: 1,
      consumers: point(consumers, consumed),
      producers: point(producers, produced),
      keys: [{ from: 0, to: 1, key: toKernelKey(book, consumers, producers) }],
    })
    expect(shareStep(produced, consumed, book)).toEqual({
      given: allocated.map((own) => own[0]),
      shared: shared.map((own) => own[0]),
    })
  })
  fc.assert(property, { numRuns: 400 })
})

test('the simulator does not import the product’s kernel, ids, classes or generators', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  for (const name of files) {
    const text = readFileSync(join(import.meta.dirname, name), 'utf8')
    expect(text, name).not.toMatch(/@voisol\/energy\/(allocate|keys|time-classes|model|estimate|metrics)|toDemoUuid/)
  }
})

test('time classes follow the calendar, at every change of clock and season', () => {
  for (const day of ['2026-03-28', '2026-03-31', '2026-10-24', '2026-10-31', '2025-10-25', '2027-03-27'])
    for (let minute = dayStart(day); minute < dayStart(day) + 3 * 1440; minute += 15)
      expect([minute, GRID_CLASSES[getGridClassIndex(minute)]]).toEqual([
        minute,
        getTimeClass(minute, DEFAULT_CALENDAR),
      ])
})

test('the late change of key affects only its days', async () => {
  const settlement = requireSettlement('ACC00001274')
  const { from, to } = getLateKeyChange(ANCHOR)
  const month = monthOf(from)
  const late = await settleMonth(world, settlement, month, now)
  const keys = settlement.keys.map((key) => ({
    ...key,
    from: key.from === to ? from : key.from,
    to: key.to === to ? from : key.to,
  }))
  const right = await settleMonth(world, { ...settlement, keys }, month, now)
  const different = new Set<number>()
  for (const [n, { local }] of late.points.entries())
    for (const [at, watts] of local.entries()) if (watts !== right.points[n]?.local[at]) different.add(at)
  const place = (day: string) => (dayStart(day) - dayStart(month)) / SETTLEMENT_STEP_MINUTES
  const steps = [...different]
  expect(steps.length).toBeGreaterThan(50)
  expect(steps.every((at) => at >= place(from) && at < place(to))).toBe(true)
})

test.each(['ACC00001274', 'ACC00002391', 'ACC00001862'])(
  '%s: whole watts or exact, the totals of a month agree up to rounding',
  async (acc) => {
    const settlement = requireSettlement(acc)
    const month = addMonths(monthOf(ANCHOR), -2)
    const { points } = await settleMonth(world, settlement, month, now)
    const curve = ({ prm, total }: SharedPoint) => ({
      id: prm,
      values: total.map((watts) => (watts < 0 ? watts : watts * SETTLEMENT_STEP_MINUTES)),
      active: [[0, total.length]] as [number, number][],
    })
    const consumers = points.filter(({ role }) => role === 'cons')
    const producers = points.filter(({ role }) => role === 'prod')
    const steps = points[0]?.total.length ?? 0
    const prms = (side: SharedPoint[]) => side.map(({ prm }) => prm)
    const book = settlement.keys.findLast(({ from }) => from <= month)?.key(prms(consumers), prms(producers))
    if (!book) throw new Error('no key')
    const key = toKernelKey(book, prms(consumers), prms(producers))
    const here = consumers.filter(({ total }) => total.some((watts) => watts >= 0))
    const exact = allocateEnergy({
      steps,
      consumers: here.map(curve),
      producers: producers.map(curve),
      keys: [{ from: 0, to: steps, key }],
    })
    const wattHours = (values: Iterable<number>, minutes: number) =>
      [...values].reduce((sum, value) => sum + Math.max(0, value) * minutes, 0) / 60
    for (const [n, { local }] of here.entries())
      expect(Math.abs(wattHours(local, SETTLEMENT_STEP_MINUTES) - wattHours(exact.allocated[n] ?? [], 1))).toBeLessThan(
        500,
      )
  },
)
