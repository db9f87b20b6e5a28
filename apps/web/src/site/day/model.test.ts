import { expect, test } from 'vitest'
import { dayFigures } from './figures.ts'
import { figuresOf, localShare, quarterName, quarterOf, quartersOf, spoken, wholeDay } from './model.ts'

const tiny = {
  day: '2026-06-11',
  operation: 'Deux voisins',
  production: [0, 91_234],
  neighbours: [
    { name: 'A', consumed: [1500, 40_001], received: [0, 30_007] },
    { name: 'B', consumed: [700, 21_003], received: [0, 21_003] },
  ],
}

test('the surplus is what nobody received, to the watt-minute', () => {
  expect(quarterOf(tiny, 1)).toEqual({ produced: 91_234, shared: 51_010, surplus: 40_224, consumed: 61_004 })
  expect(wholeDay(tiny)).toEqual({ produced: 91_234, shared: 51_010, surplus: 40_224, consumed: 63_204 })
  expect([localShare(0, 0), localShare(40_001, 40_001)]).toEqual([0, 1])
})

test('what is read adds up, whatever the rounding', () => {
  for (let produced = 100_000; produced < 101_200; produced += 113) {
    const read = figuresOf({ produced, shared: 40_449 })
    const [a, b, c] = [read.produced, read.shared, read.surplus].map((text) =>
      Math.round(Number(text.replace(',', '.')) * 100),
    )
    expect((b ?? 0) + (c ?? 0)).toBe(a)
  }
})

test('a quarter has its name, and the slider says it aloud', () => {
  expect(quarterName(53)).toBe('13\u00a0h\u00a015 – 13\u00a0h\u00a030')
  expect(quarterName(95)).toBe('23\u00a0h\u00a045 – 24\u00a0h\u00a000')
  expect(spoken(tiny, 1)).toBe(
    '0\u00a0h\u00a015 – 0\u00a0h\u00a030\u00a0: 1,52\u00a0kWh produits, 0,85 partagés, 0,67 de surplus',
  )
})

test('the day shown is a whole one, and nobody receives more than was consumed or made', () => {
  expect([dayFigures.production.length, dayFigures.neighbours.length]).toEqual([96, 25])
  for (const { consumed, received } of dayFigures.neighbours) {
    expect([consumed.length, received.length]).toEqual([96, 96])
    expect(received.every((value, index) => value >= 0 && value <= (consumed[index] ?? 0))).toBe(true)
  }
  expect(quartersOf(dayFigures).every(({ surplus }) => surplus >= 0)).toBe(true)
})

test('the texts of the site say what these figures say', () => {
  const { produced, shared, surplus, consumed } = wholeDay(dayFigures)
  const kilowattHours = (wattMinutes: number) => Math.round(wattMinutes / 60_000)
  expect([produced, shared, surplus, consumed - shared].map(kilowattHours)).toEqual([176, 104, 72, 146])
  expect([shared / produced, shared / consumed].map((rate) => Math.round(rate * 100))).toEqual([59, 42])
})
