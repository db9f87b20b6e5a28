import type { EnergySeries } from '@voisol/contract/energy'
import { dayStart, listDays } from '@voisol/energy/calendar'
import { expect, test } from 'vitest'
import { buildChartCsv } from '../../../../components/chart/chart-export.ts'
import { findGaps } from '../../../../components/chart/plot-options.ts'
import { describeInstant, QUALITY_MARK } from '../../../../components/chart/series.ts'
import { measures } from '../../../../components/curve-explorer/energy-measure.ts'
import { buildReadoutLines } from '../../../../components/curve-explorer/explorer-frame.tsx'
import { buildChartData, summarizeIndexRange } from '../../../../components/curve-explorer/explorer-model.ts'
import { toBars } from '../../../../components/curve-explorer/period-bars.tsx'
import { buildCurveSummary } from '../../../../components/curve-explorer/summary.ts'
import { buildExplorerSeries, toEpochMinute } from '../../../../components/energy-explorer/columns.ts'
import { markBeforeEntry, restrictToSide } from './restrict-to-side.ts'

const instant = (day: string) => new Date(dayStart(day) * 60_000).toISOString()
const [FROM, TO] = ['2026-03-01', '2026-03-07']
const days = listDays(FROM, TO)
const none = days.map(() => null)
/** In since the 4th; the 5th was never received. */
const consumed = [null, null, null, 4000, null, 6000]
const march: EnergySeries = {
  granularity: 'day',
  step: null,
  starts: days.map(instant),
  produced: none,
  shared: none,
  surplus: none,
  consumed,
  allocated: consumed.map((value) => value && value / 4),
  complement: consumed.map((value) => value && (value * 3) / 4),
  marks: [0, 0, 0, 1, 0, 1],
}
const factors = { unitPrice: null, gramsPerKwh: 0 }
const buildShownSeries = (entry: string | null) =>
  buildExplorerSeries(restrictToSide(markBeforeEntry(march, entry, TO), 'consumption'), 'energy', factors)
const steps = { starts: march.starts.map(toEpochMinute), each: 'day' as const }

test('days before one’s entry are no gap: the only one that is missing is counted alone', () => {
  expect(summarizeIndexRange(buildShownSeries('2026-03-04'), 0, 6)).toMatchObject({ steps: 6, before: 3, missing: 1 })
  expect(summarizeIndexRange(buildShownSeries(null), 0, 6)).toMatchObject({ before: 0, missing: 4 })
  expect(summarizeIndexRange(buildShownSeries('2026-03-01'), 0, 6)).toMatchObject({ before: 0, missing: 4 })
})

test('they are said everywhere as what they are: bars, curve, cursor, table, file and words', () => {
  const series = buildShownSeries('2026-03-04')
  const data = buildChartData(series, steps, measures.energy)
  const { bars } = toBars(data, 'day')
  expect(bars.map(({ before }) => before)).toEqual([true, true, true, false, false, false])
  expect(findGaps(data)).toEqual([[data.times[3], data.times[5]]])
  expect(describeInstant(data, 0)).toContain('avant votre entrée')
  expect(describeInstant(data, 4)).toContain('donnée manquante')
  const facts = summarizeIndexRange(series, 0, 6)
  const at = (index: number) =>
    buildReadoutLines({ data, series, measure: measures.energy, step: 0, index, label: '', facts })
  expect(at(1)[0]?.text).toBe('avant votre entrée')
  expect(at(4)[0]?.text).toBe('manquant')
  const file = buildChartCsv(data).split('\r\n')
  expect(file[1]).toContain('avant votre entrée')
  expect(file[5]).toContain('manquant')
  const words = buildCurveSummary({
    series,
    measure: measures.energy,
    step: 0,
    first: 0,
    end: 6,
    label: 'Mars',
    at: String,
    stepName: 'jour',
  })
  expect(words).toMatch(/3\sjours avant votre entrée/)
  expect(words).toMatch(/1\sjour sans donnée \(33,3\s%\)/)
})

test('a month in which one came in is not before, even where nothing of it is known', () => {
  const starts = ['2026-01-01', '2026-02-01', '2026-03-01'].map(instant)
  const year: EnergySeries = { ...march, granularity: 'month', starts, marks: [0, 0, 0] }
  expect(markBeforeEntry(year, '2026-02-10', '2026-04-01').marks).toEqual([QUALITY_MARK.before, 0, 0])
  expect(markBeforeEntry(year, '2026-04-01', '2026-04-01').marks).toEqual([
    QUALITY_MARK.before,
    QUALITY_MARK.before,
    QUALITY_MARK.before,
  ])
})

test('what is looked at closely ends where it ends, not with the period around it', () => {
  const starts = [0, 60, 120].map((minute) => new Date((dayStart('2026-03-02') + minute) * 60_000).toISOString())
  const hours: EnergySeries = { ...march, granularity: 'hour', step: 60, starts, marks: [0, 0, 0] }
  const all = [QUALITY_MARK.before, QUALITY_MARK.before, QUALITY_MARK.before]
  expect(markBeforeEntry(hours, '2026-03-04', '2026-04-01').marks).toEqual(all)
  expect(markBeforeEntry(march, '2026-03-20', '2026-04-01').marks.at(-1)).toBe(QUALITY_MARK.before)
  // A month that the period leaves before its end is over with it.
  const month: EnergySeries = { ...march, granularity: 'month', starts: [instant('2026-03-01')], marks: [0] }
  expect(markBeforeEntry(month, '2026-03-20', '2026-03-15').marks).toEqual([QUALITY_MARK.before])
  expect(markBeforeEntry(month, '2026-03-20', '2026-04-01').marks).toEqual([0])
})
