import type { SyncKind } from '@voisol/contract/sync'
import { addDays, addMonths, daysBetween, monthOf } from '@voisol/energy/calendar'
import { formatCount } from '../../lib/format.ts'

type DayRange = { from: string; to: string }
type ParticipationPeriod = { startsOn: string; endsOn: string | null }

const MAX_CALLS_PER_SECOND = 5
const MAX_CALLS_PER_HOUR = 10_000

/** A Monday: windows begin on the same days for everybody, so that the same days always fall into the same one. */
const WINDOW_ORIGIN = '2001-01-01'
function countWindows({ from, to }: DayRange, size: number) {
  if (from >= to) return 0
  const at = (day: string) => Math.floor(daysBetween(WINDOW_ORIGIN, day) / size)
  return at(addDays(to, -1)) - at(from) + 1
}
function listMonths({ from, to }: DayRange): DayRange[] {
  const months: DayRange[] = []
  for (let at = monthOf(from); at < to; at = addMonths(at, 1)) months.push({ from: at, to: addMonths(at, 1) })
  return from < to ? months : []
}

const clipToParticipation = ({ from, to }: DayRange, { startsOn, endsOn }: ParticipationPeriod): DayRange => ({
  from: from > startsOn ? from : startsOn,
  to: endsOn && endsOn < to ? endsOn : to,
})
const hasOverlap = (month: DayRange, stay: ParticipationPeriod) => {
  const { from, to } = clipToParticipation(month, stay)
  return from < to
}

const CALL_COUNTERS: Record<
  Exclude<SyncKind, 'perimeter'>,
  (days: DayRange, stay: ParticipationPeriod, today: string) => number
> = {
  'load-curve': (days, stay) => countWindows(clipToParticipation(days, stay), 7),
  'daily-energy': (days, stay) => countWindows(clipToParticipation(days, stay), 365),
  'agreement-series': (days, stay) => listMonths(clipToParticipation(days, stay)).length,
  // Only whole months that are over have definitive quantities.
  definitive: (days, stay, today) =>
    listMonths(days).filter((month) => month.to <= today && hasOverlap(month, stay)).length,
}

/** How many calls a request makes: one per point and window; a perimeter asks for the access of each point too. */
export const countCalls = (kind: SyncKind, points: ParticipationPeriod[], days: DayRange, today: string) =>
  kind === 'perimeter'
    ? 1 + points.filter((stay) => hasOverlap(days, stay)).length
    : points.reduce((sum, stay) => sum + CALL_COUNTERS[kind](days, stay, today), 0)

/** At the pace the distributor allows: five calls a second, ten thousand an hour. */
export const estimateSeconds = (calls: number) => {
  const hours = Math.floor(Math.max(0, calls - 1) / MAX_CALLS_PER_HOUR)
  return hours * 3600 + Math.ceil((calls - hours * MAX_CALLS_PER_HOUR) / MAX_CALLS_PER_SECOND)
}

export function formatRequestDuration(seconds: number) {
  if (seconds < 60) return formatCount(Math.max(1, seconds), 'seconde')
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 60) return formatCount(minutes, 'minute')
  const rest = minutes % 60
  return [formatCount(Math.floor(minutes / 60), 'heure'), rest > 0 && formatCount(rest, 'minute')]
    .filter(Boolean)
    .join(' ')
}

/** `last` is a day that is meant: people name the last day. */
type PeriodPreset = { label: string; from: string; last: string }

/** The distributor keeps 24 months and 15 days: a month it no longer has in full is left out. */
const getOldestDay = (today: string) => addDays(addMonths(today, -24), -15)

const buildMonthsPreset = (today: string, label: string, count: number): PeriodPreset => {
  const from = addMonths(monthOf(today), -count)
  return {
    label,
    from: from < getOldestDay(today) ? addMonths(from, 1) : from,
    last: addDays(monthOf(today), -1),
  }
}

/** What the distributor gives by the month is asked for by whole months that are over. */
export const buildPeriodPresets = (kind: SyncKind, today: string): PeriodPreset[] => {
  const last = addDays(today, -1)
  return kind === 'definitive' || kind === 'agreement-series'
    ? [
        buildMonthsPreset(today, 'Mois dernier', 1),
        buildMonthsPreset(today, '12 mois', 12),
        buildMonthsPreset(today, '24 mois', 24),
      ]
    : [
        { label: '7 derniers jours', from: addDays(today, -7), last },
        { label: '30 derniers jours', from: addDays(today, -30), last },
        { label: '12 mois', from: addMonths(today, -12), last },
        { label: '24 mois', from: addMonths(today, -24), last },
      ]
}
