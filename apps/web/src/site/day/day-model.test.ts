import { expect, test } from 'vitest'
import {
  computeLocalShare,
  dayTotals,
  describeQuarter,
  formatQuarter,
  formatQuarterFigures,
  getQuarter,
  listQuarters,
  sumDay,
} from './day-model.ts'
import { neighbours } from './neighbour-table.tsx'

const tiny = { production: [0, 91_234], shared: [0, 51_010], consumed: [2200, 61_004] }

test('the surplus is what nobody received, to the watt-minute', () => {
  expect(getQuarter(tiny, 1)).toEqual({ produced: 91_234, shared: 51_010, surplus: 40_224, consumed: 61_004 })
  expect(sumDay(tiny)).toEqual({ produced: 91_234, shared: 51_010, surplus: 40_224, consumed: 63_204 })
  expect([computeLocalShare(0, 0), computeLocalShare(40_001, 40_001)]).toEqual([0, 1])
})

test('what is read adds up, whatever the rounding', () => {
  for (let produced = 100_000; produced < 101_200; produced += 113) {
    const read = formatQuarterFigures({ produced, shared: 40_449 })
    const [a, b, c] = [read.produced, read.shared, read.surplus].map((text) =>
      Math.round(Number(text.replace(',', '.')) * 100),
    )
    expect((b ?? 0) + (c ?? 0)).toBe(a)
  }
})

test('a quarter has its name, and the slider says it aloud', () => {
  expect(formatQuarter(53)).toBe('13\u00a0h\u00a015 – 13\u00a0h\u00a030')
  expect(formatQuarter(95)).toBe('23\u00a0h\u00a045 – 24\u00a0h\u00a000')
  expect(describeQuarter(tiny, 1)).toBe(
    '0\u00a0h\u00a015 – 0\u00a0h\u00a030\u00a0: 1,52\u00a0kWh produits, 0,85 partagés, 0,67 de surplus',
  )
})

test('the day shown is a whole one, and nobody receives more than was consumed or made', () => {
  expect([dayTotals.production.length, neighbours.length]).toEqual([96, 25])
  for (const { consumed, received } of neighbours)
    expect(received.every((value, index) => value >= 0 && value <= (consumed[index] ?? 0))).toBe(true)
  expect(listQuarters(dayTotals).every(({ surplus }) => surplus >= 0)).toBe(true)
})

test('the sums are those of the neighbours, and at each moment all have the same part of the roof', () => {
  for (const [index, { shared, consumed }] of listQuarters(dayTotals).entries()) {
    const of = (key: 'consumed' | 'received') => neighbours.reduce((sum, one) => sum + (one[key][index] ?? 0), 0)
    expect([of('received'), of('consumed')]).toEqual([shared, consumed])
    const parts = neighbours.map((one) => computeLocalShare(one.consumed[index] ?? 0, one.received[index] ?? 0))
    for (const part of parts) expect(part).toBeCloseTo(computeLocalShare(consumed, shared), 2)
  }
})

test('the texts of the site say what these figures say', () => {
  const { produced, shared, surplus, consumed } = sumDay(dayTotals)
  const kilowattHours = (wattMinutes: number) => Math.round(wattMinutes / 60_000)
  expect([produced, shared, surplus, consumed - shared].map(kilowattHours)).toEqual([176, 104, 72, 146])
  expect([shared / produced, shared / consumed].map((rate) => Math.round(rate * 100))).toEqual([59, 42])
})
