import type { SyncKind } from '@voisol/contract/sync'
import { addDays, addMonths, daysBetween, monthOf } from '@voisol/energy/calendar'
import { plural } from '../../lib/format.ts'

export type Days = { from: string; to: string }
export type Stay = { startsOn: string; endsOn: string | null }

const PER_SECOND = 5
const PER_HOUR = 10_000

/** A Monday: windows begin on the same days for everybody, so that the same days always fall into the same one. */
const ORIGIN = '2001-01-01'
function windowsOf({ from, to }: Days, size: number) {
  if (from >= to) return 0
  const at = (day: string) => Math.floor(daysBetween(ORIGIN, day) / size)
  return at(addDays(to, -1)) - at(from) + 1
}
function monthsOf({ from, to }: Days): Days[] {
  const months: Days[] = []
  for (let at = monthOf(from); at < to; at = addMonths(at, 1)) months.push({ from: at, to: addMonths(at, 1) })
  return from < to ? months : []
}

const clip = ({ from, to }: Days, { startsOn, endsOn }: Stay): Days => ({
  from: from > startsOn ? from : startsOn,
  to: endsOn && endsOn < to ? endsOn : to,
})
const isPart = (month: Days, stay: Stay) => {
  const { from, to } = clip(month, stay)
  return from < to
}

const counts: Record<Exclude<SyncKind, 'perimeter'>, (days: Days, stay: Stay, today: string) => number> = {
  'load-curve': (days, stay) => windowsOf(clip(days, stay), 7),
  'daily-energy': (days, stay) => windowsOf(clip(days, stay), 365),
  'agreement-series': (days, stay) => monthsOf(clip(days, stay)).length,
  // Only whole months that are over have definitive quantities.
  definitive: (days, stay, today) => monthsOf(days).filter((month) => month.to <= today && isPart(month, stay)).length,
}

/** How many calls a request makes: one per point and window; a perimeter asks for the access of each point too. */
export const callsOf = (kind: SyncKind, points: Stay[], days: Days, today: string) =>
  kind === 'perimeter'
    ? 1 + points.filter((stay) => isPart(days, stay)).length
    : points.reduce((sum, stay) => sum + counts[kind](days, stay, today), 0)

/** At the pace the distributor allows: five calls a second, ten thousand an hour. */
export const secondsFor = (calls: number) => {
  const hours = Math.floor(Math.max(0, calls - 1) / PER_HOUR)
  return hours * 3600 + Math.ceil((calls - hours * PER_HOUR) / PER_SECOND)
}

export function durationWords(seconds: number) {
  if (seconds < 60) return plural(Math.max(1, seconds), 'seconde')
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 60) return plural(minutes, 'minute')
  const rest = minutes % 60
  return [plural(Math.floor(minutes / 60), 'heure'), rest > 0 && plural(rest, 'minute')].filter(Boolean).join(' ')
}
