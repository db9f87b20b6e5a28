import { addDays, dayOf } from '@voisol/energy/calendar'
import { useMemo, useState } from 'react'
import { dateTime } from '../../lib/format.ts'
import { useWindow } from '../chart/use-window.ts'
import { indexRange, isWhole, wholeSpan } from '../chart/zoom.ts'
import { daysLabel, fullDayLabel } from '../period/label.ts'
import { byDay } from './by-day.ts'
import type { Measure } from './measure.ts'
import { chartData, cut, type ExplorerSeries, inOrder, windowOf } from './model.ts'
import { nightsOf } from './night.ts'
import { summaryOf } from './summary.ts'

export const capital = (words: string) => words.slice(0, 1).toUpperCase() + words.slice(1)

/** « du 3 au 9 novembre 2026 », or the two hours inside one day. */
export function spanLabel(from: number, to: number) {
  const [first, last] = [dayOf(from), dayOf(to - 1)]
  return addDays(first, 1) > last ? `du ${dateTime(from * 60_000)} au ${dateTime(to * 60_000)}` : daysLabel(first, last)
}

type Input = {
  series: ExplorerSeries[]
  startsAt: number
  step: number
  measure: Measure
  label?: string
  place?: { lat: number; lon: number }
}

const DAILY_FROM = 70 * 86_400

/** The steps, or the means of days where the steps would be one solid band; `detailed` asks for the steps all the same. */
function useDrawn({ series, startsAt, step, measure }: Input) {
  const [detailed, setDetailed] = useState(false)
  const data = useMemo(() => chartData(series, { startsAt, step }, measure), [series, startsAt, step, measure])
  const days = useMemo(() => {
    const [from, to] = wholeSpan(data.times)
    return to - from > DAILY_FROM && step < 1440 ? byDay(data, startsAt, step) : null
  }, [data, startsAt, step])
  const view = useWindow(data.times, (span) =>
    days && !detailed && span[1] - span[0] > DAILY_FROM ? days.times : data.times,
  )
  const daily = days && view.times === days.times ? days : null
  const canDetail = days !== null && view.span[1] - view.span[0] > DAILY_FROM
  return { data, view, daily, canDetail, detailed, setDetailed }
}

/** Everything a curve says about the part of it that is shown. */
export function useExplorer(input: Input) {
  const { series, startsAt, step, measure, place } = input
  const { data, view, daily, ...detail } = useDrawn(input)
  const ordered = useMemo(() => inOrder(series), [series])
  const nights = useMemo(() => nightsOf(wholeSpan(data.times), place), [data, place])
  const [first, end] = indexRange(data.times, view.span)
  const facts = useMemo(() => windowOf(ordered, first, end), [ordered, first, end])
  const shown = useMemo(() => cut(data, first, end), [data, first, end])
  const minute = (index: number) => startsAt + index * step
  const label = isWhole(view.span, data.times)
    ? (input.label ?? daysLabel(dayOf(startsAt), dayOf(minute(data.times.length) - 1)))
    : spanLabel(minute(first), minute(end))
  const summary = useMemo(() => {
    const at = (index: number) => `le ${dateTime((startsAt + index * step) * 60_000)}`
    return summaryOf({ series: ordered, measure, step, first, end, label: capital(label), at })
  }, [ordered, measure, startsAt, step, first, end, label])
  const shared = { data, series: ordered, measure, step }
  const [from, to] = daily && view.index !== null ? daily.bounds.slice(view.index, view.index + 2) : []
  // A day under the cursor shows its own totals, not those of its first quarter hour.
  const readout =
    from !== undefined && to !== undefined
      ? { ...shared, index: null, label: fullDayLabel(dayOf(minute(from))), facts: windowOf(ordered, from, to) }
      : { ...shared, index: view.index, label, facts }
  return { data, drawn: daily ?? data, view, nights, facts, shown, summary, readout, daily: daily !== null, ...detail }
}
