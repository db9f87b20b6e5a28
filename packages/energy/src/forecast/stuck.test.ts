import { expect, test } from 'vitest'
import { fitForecast, forecast } from '../forecast.ts'
import type { Series } from '../series/series.ts'
import { withoutStuck } from './stuck.ts'
import { NANTES, PEAK, plantSeries } from './testing/synthetic.ts'

const DAY = Date.parse('2025-04-01T00:00Z') / 86_400_000
const NAN = Number.NaN
const told = (values: number[]) => [...withoutStuck({ first: 5, watts: Float64Array.from(values) }).watts]
const times = (count: number, value: number) => Array.from({ length: count }, () => value)

test('one value for a day is unknown; for an hour less, or zero, it stands', () => {
  expect(told([1, ...times(24, 30), 2])).toEqual([1, ...times(24, NAN), 2])
  expect(told([1, ...times(23, 30), 2])).toEqual([1, ...times(23, 30), 2])
  expect(told([...times(40, 0), ...times(25, 7)])).toEqual([...times(40, 0), ...times(25, NAN)])
  expect(told([...times(12, 7), NAN, ...times(12, 7)])).toEqual([...times(12, 7), NAN, ...times(12, 7)])
})

test('a meter that stood still teaches nothing and is not asked: the same as if it had said nothing', () => {
  const days = 30
  const series = plantSeries(DAY * 1440, days, 60)
  const during = (from: number, to: number, value: number): Series => {
    return { ...series, watts: series.watts.slice().fill(value, from * 24 + 10, to * 24 + 10) }
  }
  const fitOn = (own: Series) =>
    fitForecast({ series: own, place: NANTES, peakWatts: PEAK }, { leads: [0], only: 'history' })
  const model = fitOn(during(9, 13, -1))
  // As text: a difference would be shown line by line for minutes.
  expect(JSON.stringify(fitOn(during(9, 13, 5321))) === JSON.stringify(model)).toBe(true)
  const ask = { issuedAt: (DAY + days) * 1440, startsAt: (DAY + days) * 1440, steps: 24, step: 60 } as const
  const said = (recent: Series) => forecast(model, ask, recent).values.map((level) => [...level])
  expect(said(during(26, 28, 5321))).toEqual(said(during(26, 28, -1)))
  expect(said(during(26, 28, 5321))).not.toEqual(said(series))
}, 120_000)
