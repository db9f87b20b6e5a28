import { expect, test } from 'vitest'
import { dayStart } from './calendar.ts'
import { computeTimeClasses, DEFAULT_CALENDAR, getTimeClass, TIME_CLASSES, type TimeCalendar } from './time-classes.ts'

const instant = (text: string) => Date.parse(text) / 60_000
/** Checks every quarter hour of a year: the machine may be busy. */
const TEST_TIMEOUT_MS = 60_000
const at = (text: string, peak = false) => getTimeClass(instant(text), { ...DEFAULT_CALENDAR, peak })

test.each([
  ['2026-01-15T12:07+01:00', 'HPH'],
  ['2026-01-15T21:59+01:00', 'HPH'],
  ['2026-01-15T22:00+01:00', 'HCH'],
  ['2026-01-15T00:00+01:00', 'HCH'],
  ['2026-07-15T05:59+02:00', 'HCB'],
  ['2026-07-15T06:00+02:00', 'HPB'],
])('off-peak ranges are half-open and may pass midnight: %s is %s', (text, expected) => {
  expect(at(text)).toBe(expected)
})

test.each([
  ['2026-03-31T21:59+02:00', 'HPH'],
  ['2026-04-01T12:00+02:00', 'HPB'],
  ['2026-04-01T00:00+02:00', 'HCB'],
  ['2026-10-31T23:59+01:00', 'HCB'],
  ['2026-11-01T00:00+01:00', 'HCH'],
  ['2026-12-31T12:00+01:00', 'HPH'],
])('the high season is November to March by the local day: %s is %s', (text, expected) => {
  expect(at(text)).toBe(expected)
})

test.each([
  ['2026-01-15T08:59+01:00', 'HPH'],
  ['2026-01-15T09:00+01:00', 'P'],
  ['2026-01-15T10:59+01:00', 'P'],
  ['2026-01-15T11:00+01:00', 'HPH'],
  ['2026-01-15T17:59+01:00', 'HPH'],
  ['2026-01-15T18:00+01:00', 'P'],
  ['2026-01-17T19:59+01:00', 'P'],
  ['2026-01-17T20:00+01:00', 'HPH'],
  ['2026-01-18T19:45+01:00', 'HPH'],
  ['2026-12-01T09:30+01:00', 'P'],
  ['2026-02-28T09:30+01:00', 'P'],
  ['2026-11-30T19:45+01:00', 'HPH'],
  ['2026-03-10T19:45+01:00', 'HPH'],
])('peak hours are in winter and not on Sunday: %s is %s', (text, expected) => {
  expect(at(text, true)).toBe(expected)
})

const TWICE: TimeCalendar = {
  offPeak: [
    [90, 450],
    [750, 840],
  ],
  peak: true,
}

test.each([
  [89, 'HPB'],
  [90, 'HCB'],
  [449, 'HCB'],
  [450, 'HPB'],
  [749, 'HPB'],
  [750, 'HCB'],
  [839, 'HCB'],
  [840, 'HPB'],
])('each of two off-peak ranges is half-open: minute %i is %s', (minute, expected) => {
  expect(getTimeClass(dayStart('2026-07-15') + minute, TWICE)).toBe(expected)
})

test('the classes of a whole year equal those of each step computed alone', { timeout: TEST_TIMEOUT_MS }, () => {
  const [from, to] = [dayStart('2026-01-01'), dayStart('2027-01-01')]
  const classes = computeTimeClasses(from, to, 15, TWICE)
  expect(classes).toHaveLength(35_040)
  expect([...classes].map((index) => TIME_CLASSES[index])).toEqual(
    Array.from({ length: 35_040 }, (_, n) => getTimeClass(from + n * 15, TWICE)),
  )
})

test('counts a step that begins within the period, not one that begins at its end', () => {
  const from = dayStart('2026-10-25')
  expect(computeTimeClasses(from, from + 1500, 15, TWICE)).toHaveLength(100)
  expect(computeTimeClasses(from, from + 46, 15, TWICE)).toHaveLength(4)
  expect(computeTimeClasses(from, from + 45, 15, TWICE)).toHaveLength(3)
  expect(computeTimeClasses(from, from, 15, TWICE)).toHaveLength(0)
  expect(computeTimeClasses(from, from - 15, 15, TWICE)).toHaveLength(0)
})
