import { dayOf } from '@voisol/energy/calendar'
import { useMemo, useState } from 'react'
import type { ChartData, Span } from '../chart/types.ts'
import { useWindow } from '../chart/use-window.ts'
import { wholeSpan } from '../chart/zoom.ts'
import { fullDayLabel, monthLabel } from '../period/label.ts'
import { byDay } from './by-day.ts'
import { type Measure, measures } from './measure.ts'
import { chartData, type ExplorerSeries } from './model.ts'

/** Steps of one length; of days and months, which are not, `starts` says when each begins. */
export type Steps = { startsAt: number; step: number; starts?: number[] }
/** What is known of a part of the curve at a finer step, in watts or in the measure of the whole. */
export type Finer = { series: ExplorerSeries[]; startsAt: number; step: number }

export type DrawnInput = Steps & { series: ExplorerSeries[]; measure: Measure; finer?: Finer | null }

const DAILY_FROM = 70 * 86_400
const MONTH = 2 * 1440
const QUARTER = 900

/** A curve as it is drawn, and what its numbers are made of. */
export type Curve = { data: ChartData; series: ExplorerSeries[]; measure: Measure; step: number; startsAt: number }

function dataOf({ series, startsAt, step, starts, measure }: DrawnInput): ChartData {
  if (!starts) return chartData(series, { startsAt, step }, measure)
  const [name, each] = step > MONTH ? [monthLabel, 'month' as const] : [fullDayLabel, 'day' as const]
  return { ...chartData(series, { starts, each }, measure), timeLabel: (seconds) => name(dayOf(seconds / 60)) }
}

/** Every quarter of an hour until the last step ends: a part may be looked at that is shorter than a step of the whole. */
function quarters(times: number[], step: number): number[] {
  const [from, last] = wholeSpan(times)
  return Array.from({ length: (last + step * 60 - from) / QUARTER + 1 }, (_, at) => from + at * QUARTER)
}

const covers = ({ data: { times }, step }: Curve, [from, to]: Span) => {
  const [first, last] = wholeSpan(times)
  return first <= from && last + step * 60 >= to
}

/** Energies of days become mean powers within them; euros and grams stay what they are. */
const within = (measure: Measure) => (measure === measures.energy ? measures.power : measure)

/** The steps, the means of days where the steps would be one solid band (`detailed` asks for the steps all the same), or what is known of a part more finely. */
export function useDrawn(input: DrawnInput, zooms: boolean) {
  const { series, startsAt, step, starts, measure, finer } = input
  const [detailed, setDetailed] = useState(false)
  const whole = useMemo(
    (): Curve => ({ data: dataOf({ series, startsAt, step, starts, measure }), series, measure, step, startsAt }),
    [series, startsAt, step, starts, measure],
  )
  const fine = useMemo((): Curve | null => {
    if (!finer) return null
    const own = within(measure)
    return { ...finer, data: chartData(finer.series, finer, own), measure: own }
  }, [finer, measure])
  const { data } = whole
  const limits = useMemo(() => (zooms ? quarters(data.times, step) : data.times), [zooms, data, step])
  const days = useMemo(() => {
    const [from, to] = wholeSpan(data.times)
    return to - from > DAILY_FROM && step < 1440 ? byDay(data, startsAt, step) : null
  }, [data, startsAt, step])
  const byDays = (span: Span) => days !== null && !detailed && span[1] - span[0] > DAILY_FROM
  const partOf = (span: Span) => (fine && covers(fine, span) ? fine : whole)
  const view = useWindow(limits, (span) => (days && byDays(span) ? days : partOf(span).data).times)
  const daily = days && view.times === days.times ? days : null
  const canDetail = days !== null && view.span[1] - view.span[0] > DAILY_FROM
  return { whole, shown: daily ? whole : partOf(view.span), limits, view, daily, canDetail, detailed, setDetailed }
}
