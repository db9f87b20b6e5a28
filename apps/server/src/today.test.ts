import { afterEach, expect, test, vi } from 'vitest'
import { getToday, toParisDay } from './today.ts'

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['2026-03-28T22:59:59Z', '2026-03-28'],
  ['2026-03-28T23:00:00Z', '2026-03-29'],
  ['2026-06-30T21:59:59Z', '2026-06-30'],
  ['2026-06-30T22:00:00Z', '2026-07-01'],
])('at %s the day is %s in Paris', (instant, day) => {
  const plainDateISO = (zone: string) => Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainDate()
  vi.spyOn(Temporal.Now, 'plainDateISO').mockImplementation((zone) => plainDateISO(String(zone)))
  expect([getToday(), toParisDay(instant), toParisDay(new Date(instant))]).toEqual([day, day, day])
  vi.restoreAllMocks()
})
