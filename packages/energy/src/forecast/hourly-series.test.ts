import { expect, test } from 'vitest'
import { toHourlySeries } from './hourly-series.ts'

const NAN = Number.NaN

test('an hour is the mean of its steps, and unknown where one of them is unknown', () => {
  const watts = Int32Array.from([120, 140, 160, 181, 90, -1, 90, 90, -1, -1, -1, -1, 7, 7, 7, 7])
  expect([...toHourlySeries({ startsAt: 600, step: 15, watts }).watts]).toEqual([150.25, NAN, NAN, 7])
  expect([...toHourlySeries({ startsAt: 600, step: 60, watts: Int32Array.from([310, -1, 0]) }).watts]).toEqual([
    310,
    NAN,
    0,
  ])
})

test('a series that starts within an hour leaves that hour unknown, as all hours after its end', () => {
  const watts = Int32Array.from([1, 1, 8, 8, 8, 8, 5])
  const { first, watts: hours } = toHourlySeries({ startsAt: 630, step: 15, watts })
  expect([first, [...hours]]).toEqual([10, [NAN, 8, NAN]])
  expect([...toHourlySeries({ startsAt: 600, step: 60, watts: Int32Array.from([3, 4]) }, 719).watts]).toEqual([3, NAN])
})
