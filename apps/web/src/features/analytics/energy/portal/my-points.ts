import { useQuery } from '@tanstack/react-query'
import { energy } from '@voisol/contract/energy'
import { hasOnlyBatteries, hasPointsOnSide, type OwnSide } from '@voisol/contract/own-side'
import { type Point, points } from '@voisol/contract/points'
import { addDays, dayOf } from '@voisol/energy/calendar'
import { useMemo } from 'react'
import { buildPeriod, clipToKnownDays, containsDay, getTodayInParis } from '../../../../components/period/period.ts'
import { formatMonthYear } from '../../../../components/period/period-labels.ts'
import { query } from '../../../../lib/queries.ts'

export { type OwnSide, type Side, selectOwnSide } from '@voisol/contract/own-side'

const MAX_LISTED_POINTS = 1000
const getLastDay = (days: string[]) => days.toSorted().at(-1) ?? null

/** The day on which one came in with what is looked at: nothing is missing before it. */
export const getEntryDay = ({ points, where }: Pick<OwnSide, 'points' | 'where'>): string | null => {
  const shown = where.pointId ? points.filter(({ id }) => id === where.pointId) : points
  const starts = shown.map(({ startsOn }) => startsOn)
  return starts.includes(null) ? null : (starts.toSorted()[0] ?? null)
}

export function buildMyPoints(all: Point[]) {
  const starts = all.flatMap(({ startsOn }) => (startsOn === null ? [] : [startsOn]))
  const known = all.flatMap(({ receivedUntil }) =>
    receivedUntil === null ? [] : [dayOf(Math.floor(Date.parse(receivedUntil) / 60_000) - 1)],
  )
  return {
    all,
    battery: hasOnlyBatteries(all),
    consumes: hasPointsOnSide(all, 'consumption'),
    produces: hasPointsOnSide(all, 'production'),
    since: starts.toSorted()[0] ?? null,
    /** The last day of which something is known. */
    lastDay: getLastDay(known),
  }
}
export type MyPoints = ReturnType<typeof buildMyPoints>

/** The client's own points: nothing else answers to them. */
export function useMyPoints() {
  const { data, error, refetch } = useQuery(query(points.list, { query: { size: MAX_LISTED_POINTS } }))
  const mine = useMemo(() => data && buildMyPoints(data.items), [data])
  return { mine, error, refetch }
}

/** What may be asked for at once is ten years. */
const MAX_SUMMARY_DAYS = 3650

export type SinceEntryRange = { from: string; to: string }

/** From the day one came in until the last reading. */
export function getRangeSinceEntry(since: string | null, lastDay: string): SinceEntryRange {
  const to = addDays(lastDay, 1)
  const furthest = addDays(to, -MAX_SUMMARY_DAYS)
  const from = since === null || since < furthest ? furthest : since
  return { from: from < to ? from : lastDay, to }
}

export const useSummarySinceEntry = ({ where }: OwnSide, span: SinceEntryRange) =>
  useQuery(query(energy.summary, { query: { ...where, ...span } }))

/** The month of the last reading, as far as it is known: on the first days of a month the last one says more. */
export function getLastReadingMonth(lastDay: string) {
  const month = buildPeriod('month', lastDay)
  const current = containsDay(month, getTodayInParis())
  return {
    days: clipToKnownDays(month, lastDay),
    /** To end a sentence. */
    when: current ? 'ce mois-ci' : `en ${formatMonthYear(month.from)}`,
    lastDay,
  }
}
export type ReadingMonth = ReturnType<typeof getLastReadingMonth>

export const useMonthSummary = ({ where }: OwnSide, { days }: ReadingMonth) =>
  useQuery(query(energy.summary, { query: { ...where, ...days } }))
