import { addDays, dayOf } from '@voisol/energy/calendar'
import { useEffect, useMemo } from 'react'
import { dateTime } from '../../lib/format.ts'
import { instantLabel } from '../chart/text.ts'
import type { Span } from '../chart/types.ts'
import { indexRange, isWhole, wholeSpan } from '../chart/zoom.ts'
import { daysLabel, fullDayLabel } from '../period/label.ts'
import { cut, inOrder, windowOf } from './model.ts'
import { nightsOf } from './night.ts'
import { summaryOf } from './summary.ts'
import { type DrawnInput, useDrawn } from './use-drawn.ts'

export const capital = (words: string) => words.slice(0, 1).toUpperCase() + words.slice(1)

/** « du 3 au 9 novembre 2026 », or the two hours inside one day. */
export function spanLabel(from: number, to: number) {
  const [first, last] = [dayOf(from), dayOf(to - 1)]
  return addDays(first, 1) > last ? `du ${dateTime(from * 60_000)} au ${dateTime(to * 60_000)}` : daysLabel(first, last)
}

type Input = DrawnInput & {
  label?: string
  place?: { lat: number; lon: number }
  /** Told of the part that is looked at, so that it can be had more finely. */
  onSpan?: (span: Span) => void
}

const nameOf = (step: number) => (step < 1440 ? 'pas' : step === 1440 ? 'jour' : 'mois')

/** Everything a curve says about the part of it that is shown. */
export function useExplorer(input: Input) {
  const { place, onSpan } = input
  const { whole, shown: part, limits, view, daily, ...detail } = useDrawn(input, onSpan !== undefined)
  const { data, series, step, startsAt, measure } = part
  useEffect(() => onSpan?.(view.span), [onSpan, view.span])
  const ordered = useMemo(() => inOrder(series), [series])
  const nights = useMemo(() => nightsOf(wholeSpan(limits), place), [limits, place])
  const [first, end] = indexRange(data.times, view.span)
  const facts = useMemo(() => windowOf(ordered, first, end), [ordered, first, end])
  const shown = useMemo(() => cut(data, first, end), [data, first, end])
  const minute = (index: number) => (data.times[index] ?? (data.times.at(-1) ?? 0) + step * 60) / 60
  const label = isWhole(view.span, limits)
    ? (input.label ?? daysLabel(dayOf(startsAt), dayOf(minute(data.times.length) - 1)))
    : spanLabel(minute(first), minute(end))
  const summary = useMemo(() => {
    const at = (index: number) => `${step > 1440 ? 'en' : 'le'} ${instantLabel(data, data.times[index] ?? 0)}`
    return summaryOf({
      series: ordered,
      measure,
      step,
      first,
      end,
      label: capital(label),
      at,
      stepName: nameOf(step),
    })
  }, [ordered, measure, data, step, first, end, label])
  const shared = { data, series: ordered, measure, step }
  const [from, to] = daily && view.index !== null ? daily.bounds.slice(view.index, view.index + 2) : []
  // A day under the cursor shows its own totals, not those of its first quarter hour.
  const readout =
    from !== undefined && to !== undefined
      ? { ...shared, index: null, label: fullDayLabel(dayOf(minute(from))), facts: windowOf(ordered, from, to) }
      : { ...shared, index: view.index, label, facts }
  const drawn = daily ?? data
  return {
    whole: whole.data,
    drawn,
    limits,
    view,
    nights,
    facts,
    shown,
    summary,
    readout,
    daily: daily !== null,
    ...detail,
  }
}
