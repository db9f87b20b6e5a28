import { addDays, addMonths, dayOf, dayStart, daysBetween, isDay, localTime, monthOf } from '@voisol/energy/calendar'
import { useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { buildPeriodSearch, displayedDays } from '../../lib/period-context.ts'

export type PeriodUnit = 'day' | 'week' | 'month' | 'year' | 'range'
/** Local days of Paris, `to` excluded. */
export type Period = { unit: PeriodUnit; from: string; to: string }

const getMonday = (day: string) => addDays(day, 1 - localTime(dayStart(day)).weekday)

/** The period of a kind that holds a day; a free range starts as that day alone. */
export function buildPeriod(unit: PeriodUnit, day: string): Period {
  const month = monthOf(day)
  const year = `${day.slice(0, 4)}-01-01`
  const bounds: Record<PeriodUnit, () => [string, string]> = {
    day: () => [day, addDays(day, 1)],
    week: () => [getMonday(day), addDays(getMonday(day), 7)],
    month: () => [month, addMonths(month, 1)],
    year: () => [year, addMonths(year, 12)],
    range: () => [day, addDays(day, 1)],
  }
  const [from, to] = bounds[unit]()
  return { unit, from, to }
}

/** The periods before (−1) or after (1), of the same kind; a free range moves by its own length. */
export function shiftPeriod(period: Period, count: number): Period {
  const { unit, from, to } = period
  if (unit === 'month' || unit === 'year') return buildPeriod(unit, addMonths(from, count * (unit === 'year' ? 12 : 1)))
  const length = daysBetween(from, to) * count
  return { unit, from: addDays(from, length), to: addDays(to, length) }
}

export const getPreviousPeriod = (period: Period) => shiftPeriod(period, -1)

/** The same days one year before; a week stays a week, Monday to Sunday, so that week-ends face week-ends. */
export function getPeriodOfLastYear({ unit, from, to }: Period): Period {
  if (unit === 'week') return { unit, from: addDays(from, -364), to: addDays(to, -364) }
  if (unit === 'day') return buildPeriod(unit, addMonths(from, -12))
  return { unit, from: addMonths(from, -12), to: addMonths(to, -12) }
}

/** Another kind around the same moment: today where the period holds it, else its first day. */
export function changePeriodUnit(period: Period, unit: PeriodUnit, today: string): Period {
  if (unit === 'range') return { ...period, unit }
  return buildPeriod(unit, containsDay(period, today) ? today : period.from)
}

export const containsDay = ({ from, to }: Period, day: string) => day >= from && day < to

const MAX_RANGE_DAYS = 3 * 366
const isKnownDay = (text: string | null): text is string => text !== null && /^(19|20)/.test(text) && isDay(text)
const PERIOD_UNIT_NAMES: readonly string[] = ['day', 'week', 'month', 'year', 'range']
const isUnit = (text: string | null): text is PeriodUnit => text !== null && PERIOD_UNIT_NAMES.includes(text)

/** What the address says; anything doubtful is null. */
export function parsePeriod(unit: string | null, from: string | null, to: string | null): Period | null {
  if (!isUnit(unit) || !isKnownDay(from)) return null
  if (unit !== 'range') return buildPeriod(unit, from)
  if (!isKnownDay(to) || to <= from || daysBetween(from, to) > MAX_RANGE_DAYS) return null
  return { unit, from, to }
}

export const getTodayInParis = (now = Date.now()) => dayOf(Math.floor(now / 60_000))

export type DayRange = { from: string; to: string }

/** The days of a period of which something is known: one that is not over is not held against a whole one. */
export function clipToKnownDays({ from, to }: DayRange, lastDay: string | null): DayRange {
  const end = lastDay === null ? to : addDays(lastDay, 1)
  return { from, to: end > from && end < to ? end : to }
}

/** The seasons of a year begun are not those of the days just before it: it is held against the year before. */
const isPartialYear = (period: Period, shown: DayRange) => period.unit === 'year' && shown.to < period.to

const PREVIOUS_PERIOD_NAMES = { day: 'la veille', week: 'la semaine précédente', month: '', year: '', range: '' }
const monthFormat = new Intl.DateTimeFormat('fr-FR', { timeZone: 'UTC', month: 'long', year: 'numeric' })

/** What the days shown are compared with, to follow « par rapport à ». */
export function describePreviousPeriod(period: Period, shown: DayRange): string {
  if (isPartialYear(period, shown)) return `la même période de ${getPreviousPeriod(period).from.slice(0, 4)}`
  if (shown.to < period.to || period.unit === 'range') return 'la période précédente'
  const { from } = getPreviousPeriod(period)
  if (period.unit === 'month') return monthFormat.format(new Date(`${from}T00:00:00Z`))
  return period.unit === 'year' ? `l’année ${from.slice(0, 4)}` : PREVIOUS_PERIOD_NAMES[period.unit]
}

/** The period lives in the address: a link, a reload or « back » shows the same days. */
export function usePeriod(start: PeriodUnit = 'month', day = getTodayInParis()) {
  const [search, setSearch] = useSearchParams()
  const [unit, from, to] = [search.get('unit'), search.get('from'), search.get('to')]
  const urlPeriod = useMemo(() => parsePeriod(unit, from, to) ?? buildPeriod(start, day), [unit, from, to, start, day])
  // The address follows a moment later: what was chosen shows at once, and two quick steps are two steps.
  const [pendingPeriod, setAhead] = useState<Period | null>(null)
  const [lastUrlPeriod, setSeen] = useState(urlPeriod)
  if (lastUrlPeriod !== urlPeriod) {
    setSeen(urlPeriod)
    setAhead(null)
  }
  const days = buildPeriodSearch(pendingPeriod ?? urlPeriod)
  useEffect(() => {
    displayedDays.set(days)
    return () => displayedDays.set('')
  }, [days])
  const setPeriod = (next: Period) => {
    setAhead(next)
    setSearch(
      (old) => {
        const params = new URLSearchParams(old)
        params.set('unit', next.unit)
        params.set('from', next.from)
        params.set('to', next.to)
        return params
      },
      { preventScrollReset: true },
    )
  }
  return [pendingPeriod ?? urlPeriod, setPeriod] as const
}
