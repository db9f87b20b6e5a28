import { dayStart } from '@voisol/energy/calendar'
import { expect, test } from 'vitest'
import { createStampParser, parseStepMinutes } from './enedis-timestamps.ts'

const read = (...stamps: string[]) => stamps.map(createStampParser())

test('timestamps are in Paris time unless they give an offset', () => {
  const noon = dayStart('2026-03-12') + 720
  expect(read('2026-03-12 12:00:00')).toEqual([noon])
  expect(read('2026-03-12T12:00:00+01:00', '2026-03-12T11:00:00Z')).toEqual([noon, noon])
})

test('UTC timestamps are read alike in sequence, alone, and mixed with Paris ones', () => {
  const quarters = Array.from({ length: 300 }, (_, n) => Date.UTC(2026, 9, 23, 18) / 60_000 + 15 * n)
  const stamps = quarters.map((minute) => `${new Date(minute * 60_000).toISOString().slice(0, 19)}Z`)
  expect(read(...stamps)).toEqual(quarters)
  expect(stamps.map((stamp) => read(stamp)[0])).toEqual(quarters)
  const mixed = ['2026-10-25T00:45:00Z', '2026-10-25 02:30:00', '2026-10-25T00:45:00Z', '2026-10-25 02:30:00']
  expect(read(...mixed).map((minute) => (minute ?? 0) - Date.UTC(2026, 9, 25) / 60_000)).toEqual([45, 30, 45, 90])
  expect(read('2026-02-30T00:00:00Z', '2026-01-01T10:00:30Z', '2026-01-01T10:60:00Z')).toEqual([null, null, null])
})

test('midnight belongs to the day before', () => {
  expect(read('2026-03-13 00:00:00')).toEqual([dayStart('2026-03-13')])
  expect(read('2026-03-12 24:00:00')).toEqual([dayStart('2026-03-13')])
})

test('the hour that occurs twice is read twice, the one that never occurs is refused', () => {
  const [first, second, third] = read('2026-10-25 02:30:00', '2026-10-25 02:30:00', '2026-10-25 03:00:00')
  expect((second ?? 0) - (first ?? 0)).toBe(60)
  expect((third ?? 0) - (second ?? 0)).toBe(30)
  expect(read('2026-03-29 02:30:00')).toEqual([null])
})

test.each(['', 'hier', '2026-02-30 00:00:00', '2026-01-01 25:00:00', '2026-01-01 10:00:30'])(
  '%s is refused as a timestamp',
  (text) => {
    expect(read(text)).toEqual([null])
  },
)

test('steps are those of the distributor', () => {
  expect(parseStepMinutes('PT15M')).toBe(15)
  expect(parseStepMinutes('PT7M')).toBeNull()
  expect(parseStepMinutes(undefined)).toBeNull()
})
