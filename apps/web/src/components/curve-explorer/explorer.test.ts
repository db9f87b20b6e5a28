import { dayStart } from '@voisol/energy/calendar'
import { expect, test } from 'vitest'
import { formatShares, QUALITY_MARK } from '../chart/series.ts'
import { getAxisUnit, measures } from './energy-measure.ts'
import { buildReadoutLines } from './explorer-frame.tsx'
import {
  buildChartData,
  computeExtremes,
  computeNights,
  type ExplorerSeries,
  sliceChartData,
  sortSeries,
  summarizeIndexRange,
  toDailyMeans,
} from './explorer-model.ts'
import { getNextBarIndex, toBars } from './period-bars.tsx'
import { buildCurveSummary } from './summary.ts'

const series: ExplorerSeries[] = [
  { key: 'c', label: 'Consommation', role: 'consumption', values: [4000, 2000, null, 6000] },
  { key: 'g', label: 'Réseau', role: 'grid', values: [3000, 0, null, 6000], quality: [1, 3, 0, 1] },
  { key: 'l', label: 'Énergie locale', role: 'local', values: [1000, 2000, null, 0], quality: [1, 1, 0, 2] },
  { key: 'p', label: 'Consommation, an dernier', role: 'consumption', compared: true, values: [1, 2, 3, 4] },
]
const steps = { startsAt: 1_000_000, step: 15 }

test('layers come from the ground up, then lines, then the other period', () => {
  expect(sortSeries(series).map((one) => one.key)).toEqual(['l', 'g', 'c', 'p'])
})

test('the axis takes the unit that suits the peak, and the values follow', () => {
  const data = buildChartData(series, steps, measures.power)
  expect(data.unit).toBe('kW')
  expect(data.series[1]?.values).toEqual([3, 0, null, 6])
  expect(data.series.map((one) => one.kind)).toEqual(['stacked', 'stacked', 'line', 'compared'])
  expect(data.times).toEqual([60_000_000, 60_000_900, 60_001_800, 60_002_700])
  expect(getAxisUnit(measures.power, 999).unit).toBe('W')
  expect(getAxisUnit(measures.money, 5).unit).toBe('€')
})

test('a line alone is filled, and as bars it is the bar', () => {
  const alone = series.filter((one) => one.role === 'consumption')
  const data = buildChartData(alone, { starts: [0, 1440], each: 'day' }, measures.energy)
  expect(data.series.map((one) => one.kind)).toEqual(['area', 'compared'])
  const { bars, layers } = toBars(data, 'day')
  expect(layers).toHaveLength(1)
  expect(bars[0]).toMatchObject({ label: '01/01', short: '1', values: [4], levels: [{ dashed: true }] })
})

test('what is shown is summed without what is missing, which is counted', () => {
  const facts = summarizeIndexRange(sortSeries(series), 0, 4)
  expect(facts).toMatchObject({ steps: 4, missing: 1, estimated: 1, corrected: 1 })
  expect(facts.sums[0]).toEqual({ sum: 3000, known: 3 })
})

test('a figure that lacks a part of its readings is not said to be measured', () => {
  const [one] = series.filter(({ role }) => role === 'consumption')
  if (!one) throw new Error('no consumption')
  const partial = [{ ...one, compared: false, values: [410, 390], quality: [QUALITY_MARK.raw, QUALITY_MARK.missing] }]
  expect(summarizeIndexRange(partial, 0, 2)).toMatchObject({ missing: 0, partial: 1 })
  const days = {
    measure: measures.energy,
    step: 1440,
    first: 0,
    end: 2,
    label: 'Mai',
    at: () => '',
    stepName: 'jour' as const,
  }
  expect(buildCurveSummary({ series: partial, ...days })).toContain('1\u00a0jour incomplet')
})

test('the summary tells totals, the local share, the peak and the gaps', () => {
  const text = buildCurveSummary({
    series: sortSeries(series),
    measure: measures.power,
    step: 15,
    first: 0,
    end: 4,
    label: 'Ce matin',
    at: (index) => `au pas ${index}`,
  })
  expect(text).toBe(
    'Ce matin\u00a0: énergie locale 750\u00a0Wh, réseau 2,3\u00a0kWh, consommation 3,0\u00a0kWh. ' +
      'L’énergie locale couvre 25\u00a0% de la consommation. Maximum (consommation)\u00a0: 6,00\u00a0kW, au pas 3. ' +
      'À noter\u00a0: 1\u00a0pas sans donnée (25\u00a0%), 1\u00a0pas estimé, 1\u00a0pas corrigé.',
  )
  const empty = series.map((one) => ({ ...one, values: one.values.map(() => null) }))
  const none = { series: empty, measure: measures.power, step: 15, first: 0, end: 4, label: 'Hier', at: String }
  expect(buildCurveSummary(none)).toBe('Hier\u00a0: aucune donnée n’est encore connue.')
})

test('a cut holds the same steps in every series', () => {
  const part = sliceChartData(buildChartData(series, steps, measures.power), 1, 3)
  expect(part.times).toHaveLength(2)
  expect(part.series[0]).toMatchObject({ values: [2, null], marks: [1, 0] })
})

test('no peak and no gap is lost when a year is drawn small', () => {
  const year = Array.from({ length: 35_040 }, (_, index) => (index === 20_001 ? 99 : index < 200 ? null : 1))
  const small = computeExtremes(year, 360)
  expect(small).toHaveLength(360)
  expect(small[0]).toBeNull()
  expect(Math.max(...small.map((range) => range?.[1] ?? 0))).toBe(99)
  expect(computeExtremes([1, null], 360)).toEqual([[1, 1], null])
})

test('nights lie between sunset and sunrise', () => {
  const midnight = Date.UTC(2026, 5, 20, 22) / 1000
  const nights = computeNights([midnight, midnight + 86_400], { lat: 48.86, lon: 2.35 })
  expect(nights).toHaveLength(2)
  // In Paris at the solstice the sun rises at 5:47 and sets at 21:58.
  expect(Math.abs((nights[0]?.[1] ?? 0) - (midnight + 5.78 * 3600))).toBeLessThan(600)
  expect(Math.abs((nights[1]?.[0] ?? 0) - (midnight + 21.97 * 3600))).toBeLessThan(600)
})

test('keys walk the bars and stop at the ends', () => {
  expect(getNextBarIndex('ArrowRight', null, 3)).toBe(0)
  expect(getNextBarIndex('ArrowRight', 2, 3)).toBe(2)
  expect(getNextBarIndex('ArrowLeft', 0, 3)).toBe(0)
  expect(getNextBarIndex('a', 0, 3)).toBeUndefined()
})

test('days of 23 and 25 hours are whole days, and a day without data stays a gap', () => {
  const startsAt = dayStart('2026-03-28')
  const values = Array.from({ length: (24 + 23 + 24) * 4 }, (_, step) =>
    step < 96 ? 1000 : step < 96 + 92 ? null : 3000,
  )
  const one: ExplorerSeries = {
    key: 'c',
    label: 'Consommation',
    role: 'consumption',
    values,
    quality: values.map(() => 3),
  }
  const days = toDailyMeans(buildChartData([one], { startsAt, step: 15 }, measures.power), startsAt, 15)
  expect(days.bounds).toEqual([0, 96, 188, 284])
  expect(days.series[0]?.values).toEqual([1, null, 3])
  expect(days.series[0]?.marks).toEqual([3, 3, 3])
  expect(days.timeLabel?.(days.times[2] ?? 0)).toBe('lundi 30\u00a0mars 2026, moyenne du jour')
})

test('local and grid are shares of the consumption, surplus of the production', () => {
  const all: ExplorerSeries[] = [...series, { key: 's', label: 'Surplus', role: 'surplus', values: [3000, 0, null, 0] }]
  const data = buildChartData(all, steps, measures.power)
  expect(
    formatShares(
      data.series,
      data.series.map((one) => one.values[0] ?? null),
    ),
  ).toEqual(['25\u00a0%', '75\u00a0%', '75\u00a0% de la production', undefined, undefined])
})

test('where the totals stand above, a chart of days says what a day holds on average, and no share again', () => {
  const ordered = sortSeries(series)
  const facts = summarizeIndexRange(ordered, 0, 4)
  const shown = {
    data: buildChartData(series, steps, measures.energy),
    series: ordered,
    measure: measures.energy,
    step: 0,
  }
  const idle = buildReadoutLines({ ...shown, facts, label: 'Mai', index: null, idle: 'mean' })
  const { sum, known } = facts.sums[0] ?? { sum: 0, known: 1 }
  expect(idle[0]).toEqual({ text: measures.energy.text(sum / known), share: undefined, mark: undefined })
  expect(buildReadoutLines({ ...shown, facts, label: 'Mai', index: null })[0]?.text).toBe(measures.energy.total(sum))
  const about = { ...shown, first: 0, end: 4, label: 'Mai', at: String, stepName: 'jour' as const }
  expect(buildCurveSummary({ ...about, totals: 'elsewhere' })).toMatch(/^Maximum/)
})
