import { describe, expect, test } from 'vitest'
import {
  createIssuedWeather,
  createIssuedWeatherRuns,
  createPlantSeries,
  NANTES,
  PEAK_WATTS,
} from './forecast/testing/synthetic.ts'
import { computeForecast, type ForecastRequest, fitForecastModel, type PowerForecast } from './forecast.ts'
import { computeSunPosition } from './model/sun.ts'
import type { PowerSeries, Step } from './series/series.ts'

/** Fitting takes a second or two of one core: the machine may be busy. */
const FIRST = Date.parse('2025-02-03T00:00Z') / 86_400_000
const DAYS = 60
const TODAY = FIRST + DAYS
const HISTORY = createPlantSeries(FIRST * 1440, DAYS, 60)
const RUNS = createIssuedWeatherRuns(FIRST, DAYS, 2)
const model = fitForecastModel(
  { series: HISTORY, place: NANTES, peakWatts: PEAK_WATTS, weather: RUNS },
  { leads: [0, 1] },
)

const ask = (steps: number, step: Step, startsAt = TODAY * 1440): ForecastRequest => ({
  issuedAt: TODAY * 1440 + 370,
  startsAt,
  steps,
  step,
})
const RUN = createIssuedWeather(TODAY, 2)
const sum = (values: Iterable<number>) => [...values].reduce((a, b) => a + b, 0)
/** The first place where two texts differ, so that a failure shows what changed; null where they are equal. */
function findFirstDifference(one: string, other: string): [string, string] | null {
  if (one === other) return null
  let at = 0
  while (one[at] === other[at]) at++
  return [one.slice(Math.max(0, at - 60), at + 30), other.slice(Math.max(0, at - 60), at + 30)]
}
const plain = ({ values, ...rest }: PowerForecast) => ({ ...rest, values: values.map((level) => [...level]) })
const hasOrder = ({ values }: PowerForecast) =>
  values.every((level, order) => level.every((watts, at) => watts >= 0 && watts >= (values[order - 1]?.[at] ?? 0)))

describe('forecast of a production', () => {
  test('levels are ordered and never negative, night is zero, each hour names its source', () => {
    const said = computeForecast(model, ask(72, 60), HISTORY, RUN)
    expect(said.levels).toEqual([0.1, 0.5, 0.9])
    expect(hasOrder(said)).toBe(true)
    const dark = [...(said.values[2] ?? []).entries()].filter(([at]) =>
      [0, 59].every(
        (m) => computeSunPosition((TODAY * 24 + at) * 60 + m, NANTES.latitude, NANTES.longitude).elevation < 0,
      ),
    )
    expect(dark.length).toBeGreaterThan(20)
    expect(dark.every(([, watts]) => watts === 0)).toBe(true)
    expect(said.source.slice(0, 48).every((source) => source === 'weather')).toBe(true)
    expect(said.source.slice(48).every((source) => source === 'history')).toBe(true)
    expect(Math.max(...(said.values[2] ?? []))).toBeGreaterThan(0.3 * PEAK_WATTS)
    expect(Math.max(...(said.values[2] ?? []))).toBeLessThanOrEqual(1.05 * PEAK_WATTS)
  })

  test.each([5, 10, 15, 30] as const)('the steps of %i minutes average to their hour, level by level', (step) => {
    const hours = computeForecast(model, ask(48, 60), HISTORY, RUN)
    const said = computeForecast(model, ask((48 * 60) / step, step), HISTORY, RUN)
    expect(hasOrder(said)).toBe(true)
    for (const [order, level] of said.values.entries())
      for (let hour = 0; hour < 48; hour++)
        expect(sum(level.slice((hour * 60) / step, ((hour + 1) * 60) / step))).toBe(
          ((hours.values[order]?.[hour] ?? 0) * 60) / step,
        )
  })

  test('a forecast that starts within an hour equals one that starts earlier, from there on', () => {
    const whole = computeForecast(model, ask(192, 15), HISTORY, RUN)
    const later = computeForecast(model, ask(100, 15, TODAY * 1440 + 37 * 15), HISTORY, RUN)
    expect([...(later.values[1] ?? [])]).toEqual([...(whole.values[1] ?? []).slice(37, 137)])
    expect(() => computeForecast(model, ask(4, 30, TODAY * 1440 + 15), HISTORY)).toThrow(RangeError)
  })

  test('data from after the issue changes nothing', () => {
    const later = createPlantSeries(FIRST * 1440, DAYS + 3, 60)
    expect(plain(computeForecast(model, ask(48, 60), later, RUN))).toEqual(
      plain(computeForecast(model, ask(48, 60), HISTORY, RUN)),
    )
    later.watts.fill(7, (DAYS + 1) * 24)
    expect(plain(computeForecast(model, ask(48, 60), later))).toEqual(
      plain(computeForecast(model, ask(48, 60), HISTORY)),
    )
  })

  test('a bright weather announcement gives a higher forecast than a dark one', () => {
    const scaled = (factor: number) => ({
      ...RUN,
      values: { ...RUN.values, ghi: Array.from(RUN.values.ghi ?? [], (v) => v * factor) },
    })
    const bright = computeForecast(model, ask(24, 60), HISTORY, RUN)
    const dark = computeForecast(model, ask(24, 60), HISTORY, scaled(0.25))
    expect(sum(dark.values[1] ?? [])).toBeLessThan(0.6 * sum(bright.values[1] ?? []))
  })

  test('missing hours, NaN in the weather and absent weather fields do not count as zero', () => {
    const holed = { ...HISTORY, watts: HISTORY.watts.slice() }
    holed.watts.fill(-1, (DAYS - 3) * 24)
    const silent = computeForecast(model, ask(24, 60), holed)
    expect(sum(silent.values[1] ?? [])).toBeGreaterThan(
      0.3 * sum(computeForecast(model, ask(24, 60), HISTORY).values[1] ?? []),
    )
    const ghi = Array.from(RUN.values.ghi ?? [])
    ghi[11] = Number.NaN
    const said = computeForecast(model, ask(24, 60), holed, { ...RUN, values: { ghi } })
    expect(said.source[11]).toBe('history')
    expect(said.source[12]).toBe('weather')
    expect(hasOrder(said)).toBe(true)
    const nothing = { startsAt: TODAY * 1440, step: 60, watts: new Int32Array(0) } as const
    expect(hasOrder(computeForecast(model, ask(24, 60), nothing, RUN))).toBe(true)
  })
})

describe('the forecast model', () => {
  test('is plain JSON: read back from storage, it forecasts the same', () => {
    const copy = JSON.parse(JSON.stringify(model))
    expect(copy).toEqual(model)
    expect(plain(computeForecast(copy, ask(96, 30), HISTORY, RUN))).toEqual(
      plain(computeForecast(model, ask(96, 30), HISTORY, RUN)),
    )
  })

  test('is deterministic, and quarter hours teach the same as their hourly means', () => {
    const quarters = { ...HISTORY, step: 15 as const, watts: new Int32Array(HISTORY.watts.length * 4) }
    quarters.watts.forEach((_, at) => {
      quarters.watts[at] = HISTORY.watts[at >> 2] ?? -1
    })
    const bare = (series: PowerSeries) => JSON.stringify(fitForecastModel({ series, place: NANTES }, { leads: [0] }))
    const first = bare(HISTORY)
    expect(findFirstDifference(bare(HISTORY), first)).toBeNull()
    expect(findFirstDifference(bare(quarters), first)).toBeNull()
  })

  test('`lags: false` needs no recent measure; `only` fits a single part', () => {
    const blind = fitForecastModel(
      { series: HISTORY, place: NANTES, peakWatts: PEAK_WATTS, weather: RUNS },
      { leads: [0], lags: false, only: 'weather', levels: [0.9, 0.25] },
    )
    expect(blind.history).toBeNull()
    const none = { startsAt: TODAY * 1440, step: 60, watts: new Int32Array(0) } as const
    const said = computeForecast(blind, ask(24, 60), none, RUN)
    expect(said.levels).toEqual([0.25, 0.9])
    expect(plain(said)).toEqual(plain(computeForecast(blind, ask(24, 60), HISTORY, RUN)))
  })
})

describe('fewer than fifteen days of history', () => {
  const few = createPlantSeries((TODAY - 14) * 1440, 14, 60)
  const short = fitForecastModel({ series: few, place: NANTES, peakWatts: PEAK_WATTS })

  test('uses the physical model scaled to the measures, with a band of 50 % on either side', () => {
    expect(short.kind).toBe('modèle')
    expect(model.kind).toBe('appris')
    const again = computeForecast(short, { ...ask(14 * 24, 60, (TODAY - 14) * 1440), issuedAt: TODAY * 1440 }, few)
    expect(sum(again.values[1] ?? []) / sum(few.watts)).toBeCloseTo(1, 2)
    const noon = 12
    const [low, middle, high] = again.values.map((level) => level[noon] ?? 0) as [number, number, number]
    expect(middle).toBeGreaterThan(0)
    expect(low / middle).toBeCloseTo(0.5, 2)
    expect(high / middle).toBeCloseTo(1.5, 2)
  })

  test('fits a model from the fifteenth day on', () => {
    const enough = createPlantSeries((TODAY - 25) * 1440, 25, 60)
    expect(fitForecastModel({ series: enough, place: NANTES }, { leads: [0] }).kind).toBe('appris')
  })

  test('a history without measures, or of zeros only, is forecast without an error', () => {
    for (const watts of [new Int32Array(0), new Int32Array(480).fill(-1), new Int32Array(240)]) {
      const series = { startsAt: (TODAY - 20) * 1440, step: 60, watts } as const
      const empty = fitForecastModel({ series, place: NANTES, peakWatts: PEAK_WATTS })
      expect(empty.kind).toBe('modèle')
      expect(hasOrder(computeForecast(empty, ask(48, 60), series))).toBe(true)
    }
  })
})
