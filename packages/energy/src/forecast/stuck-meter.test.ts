import { expect, test } from 'vitest'
import { computeForecast, fitForecastModel } from '../forecast.ts'
import type { PowerSeries } from '../series/series.ts'
import { removeStuckHours } from './hourly-series.ts'
import { createPlantSeries, NANTES, PEAK_WATTS } from './testing/synthetic.ts'

const DAY = Date.parse('2025-04-01T00:00Z') / 86_400_000
const NAN = Number.NaN
const cleanValues = (values: number[]) => [...removeStuckHours({ first: 5, watts: Float64Array.from(values) }).watts]
const repeatValue = (count: number, value: number) => Array.from({ length: count }, () => value)

test('one value repeated for a day is unknown; for an hour less, or at zero, it is kept', () => {
  expect(cleanValues([1, ...repeatValue(24, 30), 2])).toEqual([1, ...repeatValue(24, NAN), 2])
  expect(cleanValues([1, ...repeatValue(23, 30), 2])).toEqual([1, ...repeatValue(23, 30), 2])
  expect(cleanValues([...repeatValue(40, 0), ...repeatValue(25, 7)])).toEqual([
    ...repeatValue(40, 0),
    ...repeatValue(25, NAN),
  ])
  expect(cleanValues([...repeatValue(12, 7), NAN, ...repeatValue(12, 7)])).toEqual([
    ...repeatValue(12, 7),
    NAN,
    ...repeatValue(12, 7),
  ])
})

test('a stuck meter is ignored: the fit is the same as without its values', () => {
  const days = 30
  const series = createPlantSeries(DAY * 1440, days, 60)
  const during = (from: number, to: number, value: number): PowerSeries => {
    return { ...series, watts: series.watts.slice().fill(value, from * 24 + 10, to * 24 + 10) }
  }
  const fitOn = (own: PowerSeries) =>
    fitForecastModel({ series: own, place: NANTES, peakWatts: PEAK_WATTS }, { leads: [0], only: 'history' })
  const model = fitOn(during(9, 13, -1))
  // Compared as text, because showing the difference line by line would take minutes.
  expect(JSON.stringify(fitOn(during(9, 13, 5321))) === JSON.stringify(model)).toBe(true)
  const ask = { issuedAt: (DAY + days) * 1440, startsAt: (DAY + days) * 1440, steps: 24, step: 60 } as const
  const said = (recent: PowerSeries) => computeForecast(model, ask, recent).values.map((level) => [...level])
  expect(said(during(26, 28, 5321))).toEqual(said(during(26, 28, -1)))
  expect(said(during(26, 28, 5321))).not.toEqual(said(series))
})
