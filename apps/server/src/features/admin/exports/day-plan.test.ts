import { expect, test } from 'vitest'
import { type PointGroup, planPartsAfter } from './energy-data-sets.ts'

const SPAN = { from: '2026-01-30', to: '2026-03-03' }
const points = (count: number, letter: string) =>
  Array.from({ length: count }, (_, at) => ({
    id: `${letter}${String(at).padStart(3, '0')}`,
    prm: '',
    direction: 'consumption',
    spans: [],
  }))
/** The first group has more points than one part holds, the second only a few. */
const GROUPS: PointGroup[] = [
  { key: 'g1', points: points(70, 'a') },
  { key: 'g2', points: points(3, 'b') },
]
const formatParts = (parts: Iterable<{ key: string; points: { id: string }[]; from: string; to: string }>) =>
  [...parts].map(({ key, points: some, from, to }) => `${key} ${some[0]?.id}-${some.at(-1)?.id} ${from} ${to}`)

test('reads the days of each point once, month by month', () => {
  expect(formatParts(planPartsAfter(GROUPS, SPAN, ''))).toEqual(
    ['g1 a000-a031', 'g1 a032-a063', 'g1 a064-a069', 'g2 b000-b002'].flatMap((some) => [
      `${some} 2026-01-30 2026-02-01`,
      `${some} 2026-02-01 2026-03-01`,
      `${some} 2026-03-01 2026-03-03`,
    ]),
  )
})

test('resuming after any part plans exactly the remaining parts', () => {
  const whole = [...planPartsAfter(GROUPS, SPAN, '')]
  for (const [at, { cursor }] of whole.entries())
    expect(formatParts(planPartsAfter(GROUPS, SPAN, cursor))).toEqual(formatParts(whole.slice(at + 1)))
})
